"""Any invertible matrix on one attribute, and the survey field's named designs as such matrices.

Column v is what a respondent whose truth is v reports; reported counts are, in expectation, C times
the true counts. ``w(r; e)`` is row ``e`` of C⁻¹, read at ``r``.

What leaks: a report excludes every truth under which it has probability 0. In Mangat's and the
triangular design one of the two reports does: it proves that the respondent is *not* sensitive.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import ClassVar, Self

import numpy as np

from deniable.channel.base import Channel, Codes, Floats, Terms, exact, raised, shown, stack
from deniable.channel.options import SMALLEST, alone, distribution, fraction, only, probability
from deniable.errors import DesignError, listed, nearest
from deniable.schema import Attribute

Columns = tuple[tuple[Fraction, ...], ...]
"""``columns[truth][report]``, each summing to 1."""

MOST_TOLD = 4
"""Values up to which a story tells every case."""

LARGEST_EXACT = 40
"""Domains up to this size are inverted in rational arithmetic."""


@dataclass(frozen=True)
class Matrix(Channel):
    """A custom matrix, given as what each truth reports.

    >>> import numpy as np
    >>> channel = Matrix.of([["0.9", "0.1"], ["0.2", "0.8"]])
    >>> channel.weights([1], np.array([[0], [1]])).round(3)
    array([-0.143,  1.286])
    """

    columns: Columns

    kind: ClassVar[str] = "matrix"

    def __post_init__(self) -> None:
        _ = self.inverse  # refuse a singular matrix now, not when the answers are in

    @classmethod
    def of(cls, columns: Sequence[Sequence[object]]) -> Self:
        """Build from numbers or text, ``columns[truth][report]``."""
        exactly = tuple(tuple(fraction(p, "matrix") for p in column) for column in columns)
        return cls((len(columns),), exactly)

    @classmethod
    def read(cls, attributes: Sequence[Attribute], options: Mapping[str, object]) -> Self:
        """Build from ``matrix``: for each truth, the distribution of reports."""
        only(options, "matrix")
        attribute = alone(attributes, cls.kind, binary=False)
        given = options.get("matrix")
        if not isinstance(given, Mapping) or set(given) != set(attribute.values):
            raise DesignError(
                f"matrix must say for each of {listed(attribute.values)} what is reported.",
                hint="Write matrix: {truth: {report: probability, …}, …}.",
            )
        return cls.of([distribution(given[v], attribute, f"matrix, {v}") for v in attribute.values])

    def options(self, attributes: Sequence[Attribute]) -> dict[str, object]:
        """Write ``matrix``."""
        values = attributes[0].values
        return {
            "matrix": {
                truth: dict(zip(values, map(exact, column), strict=True))
                for truth, column in zip(values, self.columns, strict=True)
            }
        }

    def story(self, attributes: Sequence[Attribute]) -> str:
        """Say what each truth reports."""
        values = attributes[0].values
        if len(values) > MOST_TOLD:
            kept = [column[truth] for truth, column in enumerate(self.columns)]
            return (
                f"{attributes[0].name}: kept with {shown(min(kept))} to {shown(max(kept))}, "
                f"depending on the value, otherwise another of its {len(values)} values."
            )
        cases = "; ".join(
            f"{truth!r} is reported as "
            + ", ".join(
                f"{report!r} with {shown(p)}"
                for report, p in zip(values, column, strict=True)
                if p > 0
            )
            for truth, column in zip(values, self.columns, strict=True)
        )
        return f"{attributes[0].name}: {cases}."

    def matrix(self, positions: Sequence[int]) -> Floats:
        """C itself, or 1 where the attribute is left out."""
        return np.array(self.columns, dtype=float).T if len(positions) else np.ones((1, 1))

    def second_moment(self, codes: Codes) -> Floats:
        """Average the squares of row ``e`` over what ``e`` reports."""
        by_value = np.einsum("re,er->e", self.matrix([0]), self.inverse**2)
        moments: Floats = np.append(by_value, 1.0)[codes[:, 0]]  # ANY = −1 reads the last: 1
        return moments

    @cached_property
    def inverse(self) -> Floats:
        """C⁻¹, rounded once."""
        size = len(self.columns)
        if size <= LARGEST_EXACT:
            rows = [[column[report] for column in self.columns] for report in range(size)]
            exactly = _inverted(rows)
            if max(abs(p) for row in exactly for p in row) > 1 / SMALLEST:
                raise _singular()
            return np.array([[float(p) for p in row] for row in exactly])
        C = self.matrix([0])
        if np.linalg.cond(C) > 1 / float(SMALLEST):
            raise _singular()
        return np.linalg.inv(C).astype(np.float64)

    def _expand(self, codes: Codes) -> Terms:
        rows = self.inverse[codes[:, 0]]
        reports = [np.full_like(codes, report) for report in range(len(self.columns))]
        return stack(reports, [raised(row) for row in rows.T])


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
        for name in given:
            if name not in attribute:
                raise DesignError(
                    f"forced names {name!r}, which is not a value of {attribute.name!r}.",
                    hint=nearest(str(name), attribute.values),
                )
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


def _inverted(rows: list[list[Fraction]]) -> list[list[Fraction]]:
    """Gauss and Jordan, in rational arithmetic: singular means exactly singular."""
    size = len(rows)
    work = [[*row, *(Fraction(int(i == j)) for j in range(size))] for i, row in enumerate(rows)]
    for column in range(size):
        pivot = next((r for r in range(column, size) if work[r][column] != 0), None)
        if pivot is None:
            raise _singular()
        work[column], work[pivot] = work[pivot], work[column]
        scale = work[column][column]
        work[column] = [entry / scale for entry in work[column]]
        for r in range(size):
            if r != column and work[r][column] != 0:
                factor = work[r][column]
                work[r] = [a - factor * b for a, b in zip(work[r], work[column], strict=True)]
    return [row[size:] for row in work]


def _singular() -> DesignError:
    return DesignError(
        "Different truths give the same reports, or nearly so (the matrix is singular), so the "
        "disguise cannot be undone.",
        hint="Make what each value reports differ from every mix of the others.",
    )
