"""What a paper's module declares: experiments, the figures drawn of them, the claims they test."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import process_time
from typing import TYPE_CHECKING, NamedTuple

from deniable.papers.reproduction.seeds import Seeds

if TYPE_CHECKING:
    from deniable.papers.reproduction.measurements import Measurements
    from deniable.papers.reproduction.paper_claims import PaperClaim
    from deniable.papers.reproduction.paper_figures import Figure

Setting = Mapping[str, str]
"""What distinguishes one cell of an experiment from another: set, groups, θ, …, all as text."""

Measured = Mapping[str, Sequence[float]]
"""By name of the measure, a number for each repeat."""

Work = Callable[[Setting, range, Seeds], Measured]
"""A function of a module, so that another process finds it: ``work(setting, repeats, seeds)``.

It depends on nothing but its arguments and the data sets.
"""


@dataclass(frozen=True)
class Effort:
    """How often things are repeated: as in the papers, as asked for, or just enough to see."""

    quick: bool = False
    asked: int | None = None

    def repeats(self, full: int, quick: int, *, costly: bool = False) -> int:
        """Choose between a paper's number and a quick one; what is costly is never asked more."""
        usual = quick if self.quick else full
        if self.asked is None:
            return usual
        return min(self.asked, usual) if costly else self.asked


class Done(NamedTuple):
    """What a piece of work gave."""

    measured: Measured
    seconds: float
    """Of a processor; they are not part of any table, which would never be the same again."""


@dataclass(frozen=True)
class Piece:
    """Some repeats of one setting: what a process does at a time, and what is kept of it."""

    paper: str
    experiment: str
    work: Work
    setting: Setting
    repeats: range

    def run(self, seed: int) -> Done:
        """Do the work, and say how much time of a processor it took."""
        begun = process_time()
        measured = self.work(self.setting, self.repeats, Seeds(seed, self.paper, self.setting))
        return Done(measured, process_time() - begun)


@dataclass(frozen=True)
class Experiment:
    """The same work in several settings, each repeated."""

    name: str
    work: Work
    settings: Sequence[Setting]
    repeats: int
    chunk: int
    """Repeats in one piece of work; a piece should take a few seconds at most."""

    def pieces(self, paper: str) -> Iterator[Piece]:
        """Cut the work into pieces."""
        for setting in self.settings:
            for start in range(0, self.repeats, self.chunk):
                repeats = range(start, min(start + self.chunk, self.repeats))
                yield Piece(paper, self.name, self.work, setting, repeats)


@dataclass(frozen=True)
class Paper:
    """One paper: how its experiments are done again."""

    letter: str
    title: str
    authors: str
    about: str
    """A few sentences for the page: what was done, and what had to be decided."""

    data: Sequence[str]
    """Names of its data sets."""

    experiments: Callable[[Effort], Sequence[Experiment]]
    figures: "Callable[[Measurements], Sequence[Figure]]"
    claims: "Sequence[PaperClaim]"
    ours: bool = False
    """Whether it is no paper but a comparison of our own."""

    @property
    def heading(self) -> str:
        """What stands above it."""
        return self.title if self.ours else f"{self.letter}. {self.title}"
