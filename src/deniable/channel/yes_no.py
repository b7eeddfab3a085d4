"""The survey field's named yes/no designs: one of two reports is the telling one.

Crosswise and triangular (Yu, Tian & Tang 2008) take a statement about a harmless trait beside the
sensitive one; Mangat's (1994) disguises only those who need not fear the truth; Kuk's (1990) has a
deck of cards for each truth.

What leaks: in Mangat's and the triangular design the other report has probability 0 for those who
have the trait, so it proves that the respondent does *not* have it.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Self

from deniable.base.errors import DesignError, listed
from deniable.base.wording import as_chance, joined
from deniable.channel.channel import BINARY, HALF, exact
from deniable.channel.device import Outcome
from deniable.channel.group_options import alone, fraction, only, probability
from deniable.channel.matrix import OneAttribute
from deniable.schema import Attribute


@dataclass(frozen=True)
class YesNo(OneAttribute):
    """A yes/no design from the survey literature: one of the two reports is the telling one."""

    sensitive: int
    """Code of the value that nobody should have to admit; recorded for the telling report."""

    @property
    def trait(self) -> int:
        """The sensitive value."""
        return self.sensitive

    @classmethod
    def telling(cls, those: Fraction, others: Fraction, sensitive: int) -> Self:
        """Build from the chances of the telling report: with the trait, and without it."""
        by_truth = (others, those) if sensitive else (those, others)
        columns = tuple((1 - p, p) if sensitive else (p, 1 - p) for p in by_truth)
        return cls((2,), columns, sensitive)

    def reported(self) -> tuple[Fraction, Fraction]:
        """Invert `telling`."""
        having, lacking = self.columns[self.sensitive], self.columns[1 - self.sensitive]
        return having[self.sensitive], lacking[self.sensitive]

    def practice(self, attribute: Attribute) -> dict[str, object] | None:
        """The same chances; yes is the sensitive answer."""
        return self.telling(*self.reported(), sensitive=1).options([attribute])


class YesNoByTheta(YesNo):
    """Its one option but for the sensitive value is theta."""

    device: ClassVar[str]
    """What theta is."""

    ends: ClassVar[tuple[Fraction, Fraction]]
    """The theta that says nothing, and the one that disguises nothing."""

    @classmethod
    def read(cls, attributes: Sequence[Attribute], options: Mapping[str, object]) -> Self:
        """Build from ``theta`` and, if it is not the last value, ``sensitive``."""
        only(options, "theta", "sensitive")
        attribute = alone(attributes, cls.kind, binary=True)
        theta = probability(options, why=cls.device)
        return cls.telling(*cls._chances(theta), sensitive_code(attribute, options))

    @staticmethod
    @abstractmethod
    def _chances(theta: Fraction) -> tuple[Fraction, Fraction]:
        """Chance of the telling report: from those who have the trait, and from the others."""

    @abstractmethod
    def _theta(self) -> Fraction:
        """Invert `_chances`."""

    def options(self, attributes: Sequence[Attribute]) -> dict[str, object]:
        """Write ``theta`` and ``sensitive``."""
        return {"theta": exact(self._theta()), "sensitive": attributes[0].values[self.sensitive]}

    def story(self, attributes: Sequence[Attribute]) -> str:
        """Say which device it is, then what each truth reports."""
        return f"{super().story(attributes)} (theta is {self.device}.)"

    @classmethod
    def plan_range(cls, attributes: Sequence[Attribute]) -> tuple[Fraction, Fraction] | None:
        """Yes/no only."""
        return cls.ends if [a.size for a in attributes] == [BINARY] else None


class Crosswise(YesNoByTheta):
    """Say only whether two statements have the same answer: "the same" is the telling report."""

    kind: ClassVar[str] = "crosswise"
    device: ClassVar[str] = "the share of people with the harmless trait"
    ends: ClassVar[tuple[Fraction, Fraction]] = (HALF, Fraction(1))  # half have it, or all

    @staticmethod
    def _chances(theta: Fraction) -> tuple[Fraction, Fraction]:
        return theta, 1 - theta

    def _theta(self) -> Fraction:
        return self.reported()[0]

    def outcomes(self) -> tuple[Outcome, ...]:
        """Having the harmless trait, the truth is reported; not having it, the opposite."""
        return (Outcome(self._theta(), "truth"), Outcome(1 - self._theta(), "opposite"))

    def by_hand(self) -> bool:
        """The harmless trait is had, not thrown."""
        return False


class Triangular(YesNoByTheta):
    """Say "neither statement is true" or, which is the telling report, "at least one is"."""

    kind: ClassVar[str] = "triangular"
    device: ClassVar[str] = "the share of people with the harmless trait"
    ends: ClassVar[tuple[Fraction, Fraction]] = (Fraction(1), Fraction(0))  # all have it, or nobody

    @staticmethod
    def _chances(theta: Fraction) -> tuple[Fraction, Fraction]:
        return Fraction(1), theta

    def _theta(self) -> Fraction:
        return self.reported()[1]

    def by_hand(self) -> bool:
        """The harmless trait is had, not thrown."""
        return False


class Mangat(YesNoByTheta):
    """The telling report is certain with the trait, and has the chance 1 − θ without it."""

    kind: ClassVar[str] = "mangat"
    device: ClassVar[str] = "the chance that those without the trait say so"
    ends: ClassVar[tuple[Fraction, Fraction]] = (Fraction(0), Fraction(1))

    @staticmethod
    def _chances(theta: Fraction) -> tuple[Fraction, Fraction]:
        return Fraction(1), 1 - theta

    def _theta(self) -> Fraction:
        return 1 - self.reported()[1]


class Kuk(YesNo):
    """Draw a card from the deck of your truth, report its colour: red is the telling report."""

    kind: ClassVar[str] = "kuk"

    @classmethod
    def read(cls, attributes: Sequence[Attribute], options: Mapping[str, object]) -> Self:
        """Build from ``red``: the share of red cards in the deck of each truth."""
        only(options, "red", "sensitive")
        attribute = alone(attributes, cls.kind, binary=True)
        red = options.get("red")
        if not isinstance(red, Mapping) or set(red) != set(attribute.values):
            raise DesignError(
                f"Kuk's design needs the share of red cards in the deck of each of "
                f"{listed(attribute.values)}.",
                hint=f"Write red: {{{attribute.values[0]}: 0.2, {attribute.values[1]}: 0.8}}.",
            )
        shares = [fraction(red[value], f"red, {value}") for value in attribute.values]
        sensitive = sensitive_code(attribute, options)
        return cls.telling(shares[sensitive], shares[1 - sensitive], sensitive)

    def options(self, attributes: Sequence[Attribute]) -> dict[str, object]:
        """Write ``red`` and ``sensitive``."""
        values = attributes[0].values
        red = {v: exact(self.columns[code][self.sensitive]) for code, v in enumerate(values)}
        return {"red": red, "sensitive": values[self.sensitive]}

    def story(self, attributes: Sequence[Attribute]) -> str:
        """Say what each deck holds."""
        values = attributes[0].values
        decks = joined(
            f"{as_chance(column[self.sensitive])} for {value!r}"
            for value, column in zip(values, self.columns, strict=True)
        )
        return (
            f"{attributes[0].name}: the colour of a card is reported instead; the share of red "
            f"cards is {decks}; red is recorded as {values[self.sensitive]!r}."
        )

    @classmethod
    def plan_range(cls, attributes: Sequence[Attribute]) -> tuple[Fraction, Fraction] | None:
        """It has two knobs."""
        return None


def sensitive_code(attribute: Attribute, options: Mapping[str, object]) -> int:
    """Code of the value that is sensitive: the last, unless the design names it."""
    return attribute.code(str(options.get("sensitive", attribute.values[-1])))
