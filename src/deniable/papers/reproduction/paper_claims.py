"""Claims of the papers, checked by code: what is said, what was measured, whether it holds."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from deniable.papers.reproduction.measurements import Measurements

Outcome = Literal["holds", "does not hold", "fails", "holds after all"]


@dataclass(frozen=True)
class Ruling:
    """What a claim's code found."""

    holds: bool
    measured: str
    """In words and numbers, with their repeats where these differ from the others'."""


@dataclass(frozen=True)
class PaperClaim:
    """One claim, in our words."""

    name: str
    """``A-ends``: the paper's letter first."""

    says: str
    tolerance: str
    """What counts as holding: the test and its level, or how far numbers may be apart."""

    check: Callable[[Measurements], Ruling]
    unmet: str = ""
    """Why it is not expected to hold, where it is not."""


@dataclass(frozen=True)
class CheckedClaim:
    """A claim and what became of it."""

    claim: PaperClaim
    found: Ruling

    @property
    def outcome(self) -> Outcome:
        """Whether it holds; what was not expected has words of its own."""
        if self.found.holds:
            return "holds after all" if self.claim.unmet else "holds"
        return "does not hold" if self.claim.unmet else "fails"

    @property
    def is_failure(self) -> bool:
        """Whether something that was expected to hold does not."""
        return self.outcome == "fails"
