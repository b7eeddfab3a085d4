"""The survey field's named designs for one attribute, all of them matrices.

What leaks: in Mangat's and the triangular design one of the two reports has probability 0 for those
who have the trait, so it proves that the respondent does *not* have it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Self

from deniable.base.errors import DesignError, listed
from deniable.channel.channel import exact, shown
from deniable.channel.group_options import alone, fraction, only, only_values, probability
from deniable.channel.matrix import Matrix
from deniable.schema import Attribute


class Forced(Matrix):
    """Forced response (Boruch 1971): some outcomes of the die dictate an answer."""

    kind: ClassVar[str] = "forced"

    @classmethod
    def read(cls, attributes: Sequence[Attribute], options: Mapping[str, object]) -> Self:
        """Build from ``forced``: the chance of being told to give each answer.

        The rest, or ``theta`` if given, is the chance of being told to answer truthfully.
        """
        only(options, "theta", "forced")
        attribute = alone(attributes, cls.kind, binary=False)
        given = options.get("forced")
        if not isinstance(given, Mapping):
            raise DesignError(
                "Forced response needs the chance of each dictated answer.",
                hint=f"Write forced: {{{attribute.values[-1]}: 1/6, {attribute.values[0]}: 1/12}}.",
            )
        only_values(given, attribute, "forced")
        told = [fraction(given.get(v, 0), f"forced, {v}") for v in attribute.values]
        theta = 1 - sum(told, Fraction(0))
        if theta < 0 or ("theta" in options and probability(options) != theta):
            raise DesignError(
                f"The forced answers have probability {1 - theta} in all, which leaves "
                f"{theta} for the truth, not {options.get('theta', 'a probability')}.",
                hint="theta and the forced probabilities must sum to 1.",
            )
        columns = tuple(
            tuple(p + (theta if report == truth else 0) for report, p in enumerate(told))
            for truth in range(attribute.size)
        )
        return cls((attribute.size,), columns)

    def options(self, attributes: Sequence[Attribute]) -> dict[str, object]:
        """Write ``forced``: the smallest entry of each row is what everybody is told."""
        told = [min(column[report] for column in self.columns) for report in range(self.sizes[0])]
        return {"forced": dict(zip(attributes[0].values, map(exact, told), strict=True))}


@dataclass(frozen=True)
class _Named(Matrix):
    """A yes/no design from the survey literature: its own options, the same matrix algebra."""

    sensitive: int
    """Code of the value that nobody should have to admit; recorded for the telling report."""

    device: ClassVar[str]

    @classmethod
    def read(cls, attributes: Sequence[Attribute], options: Mapping[str, object]) -> Self:
        """Build from ``theta`` and, if it is not the last value, ``sensitive``."""
        only(options, "theta", "sensitive")
        attribute = alone(attributes, cls.kind, binary=True)
        theta = probability(options, why=cls.device)
        return cls._telling(*cls._chances(theta), _sensitive(attribute, options))

    @staticmethod
    def _chances(theta: Fraction) -> tuple[Fraction, Fraction]:
        """Chance of the telling report: from those who have the trait, and from the others."""
        raise NotImplementedError

    @classmethod
    def _telling(cls, those: Fraction, others: Fraction, sensitive: int) -> Self:
        by_truth = (others, those) if sensitive else (those, others)
        columns = tuple((1 - p, p) if sensitive else (p, 1 - p) for p in by_truth)
        return cls((2,), columns, sensitive)

    def _reported(self) -> tuple[Fraction, Fraction]:
        """Invert `_telling`."""
        having, lacking = self.columns[self.sensitive], self.columns[1 - self.sensitive]
        return having[self.sensitive], lacking[self.sensitive]

    def _theta(self) -> Fraction:
        """Invert `_chances`."""
        raise NotImplementedError

    def options(self, attributes: Sequence[Attribute]) -> dict[str, object]:
        """Write ``theta`` and ``sensitive``."""
        return {"theta": exact(self._theta()), "sensitive": attributes[0].values[self.sensitive]}

    def story(self, attributes: Sequence[Attribute]) -> str:
        """Say which device it is, then what each truth reports."""
        return f"{super().story(attributes)} (theta is {self.device}.)"


class Mangat(_Named):
    """Mangat (1994): the sensitive say so; the others deny it with probability θ only."""

    kind: ClassVar[str] = "mangat"
    device: ClassVar[str] = "the chance that those without the trait say so"

    @staticmethod
    def _chances(theta: Fraction) -> tuple[Fraction, Fraction]:
        return Fraction(1), 1 - theta

    def _theta(self) -> Fraction:
        return 1 - self._reported()[1]


class Crosswise(_Named):
    """Crosswise (Yu, Tian & Tang 2008): say only whether two statements have the same answer.

    "The same" is recorded as the sensitive value.
    """

    kind: ClassVar[str] = "crosswise"
    device: ClassVar[str] = "the share of people with the harmless trait"

    @staticmethod
    def _chances(theta: Fraction) -> tuple[Fraction, Fraction]:
        return theta, 1 - theta

    def _theta(self) -> Fraction:
        return self._reported()[0]


class Triangular(_Named):
    """Triangular (Yu, Tian & Tang 2008): "neither statement is true", or "at least one is".

    "At least one" is recorded as the sensitive value.
    """

    kind: ClassVar[str] = "triangular"
    device: ClassVar[str] = "the share of people with the harmless trait"

    @staticmethod
    def _chances(theta: Fraction) -> tuple[Fraction, Fraction]:
        return Fraction(1), theta

    def _theta(self) -> Fraction:
        return self._reported()[1]


class Kuk(_Named):
    """Kuk (1990): draw a card from the deck of your truth and report its colour, never the truth.

    Red is recorded as the sensitive value.
    """

    kind: ClassVar[str] = "kuk"
    device: ClassVar[str] = "not used; each truth has a deck of its own"

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
        sensitive = _sensitive(attribute, options)
        return cls._telling(shares[sensitive], shares[1 - sensitive], sensitive)

    def options(self, attributes: Sequence[Attribute]) -> dict[str, object]:
        """Write ``red`` and ``sensitive``."""
        values = attributes[0].values
        red = {v: exact(self.columns[code][self.sensitive]) for code, v in enumerate(values)}
        return {"red": red, "sensitive": values[self.sensitive]}

    def story(self, attributes: Sequence[Attribute]) -> str:
        """Say what each deck holds."""
        values = attributes[0].values
        decks = " and ".join(
            f"{shown(column[self.sensitive])} for {value!r}"
            for value, column in zip(values, self.columns, strict=True)
        )
        return (
            f"{attributes[0].name}: the colour of a card is reported instead; the share of red "
            f"cards is {decks}; red is recorded as {values[self.sensitive]!r}."
        )


def _sensitive(attribute: Attribute, options: Mapping[str, object]) -> int:
    """Code of the value that is sensitive: the last, unless the design names it."""
    return attribute.code(str(options.get("sensitive", attribute.values[-1])))
