"""The algebra of every device for one attribute: an invertible matrix.

Column v is what a respondent whose truth is v reports; reported counts are, in expectation, C times
the true counts. ``w(r; e)`` is row ``e`` of C⁻¹, read at ``r``.

What leaks: a report excludes every truth under which it has probability 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Self

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.base.errors import DesignError
from deniable.base.wording import as_chance
from deniable.channel.channel import Channel, ExactColumns, highest_ratio
from deniable.channel.device import Answers, Change, Dice, Outcome
from deniable.channel.group_options import SMALLEST
from deniable.channel.terms import Terms, raised, stack
from deniable.schema import Attribute

MOST_TOLD = 4
"""Values up to which a story tells every case."""

LARGEST_EXACT = 40
"""Domains up to this size are inverted in rational arithmetic."""


@dataclass(frozen=True)
class OneAttribute(Channel):
    """A device for one attribute, by what each truth reports."""

    columns: ExactColumns

    def __post_init__(self) -> None:
        _ = self.inverse  # refuse a singular matrix now, not when the answers are in

    def story(self, attributes: Sequence[Attribute]) -> str:
        """Say what each truth reports."""
        values = attributes[0].values
        if len(values) > MOST_TOLD:
            kept = [column[truth] for truth, column in enumerate(self.columns)]
            return (
                f"{attributes[0].name}: kept with {as_chance(min(kept))} to "
                f"{as_chance(max(kept))}, depending on the value, otherwise another of its "
                f"{len(values)} values."
            )
        cases = "; ".join(
            f"{truth!r} is reported as "
            + ", ".join(
                f"{report!r} with {as_chance(p)}"
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

    def marginal(self, positions: Sequence[int]) -> Self:
        """Leave nothing out: there is a single attribute."""
        return self

    def undo(self, table: Floats, *, transposed: bool = False) -> Floats:
        """Multiply by C⁻¹."""
        inverse = self.inverse.T if transposed else self.inverse
        undone: Floats = inverse @ table
        return undone

    def send(self, table: Floats, *, transposed: bool = False) -> Floats:
        """Multiply by C."""
        C = self.matrix([0])
        sent: Floats = (C.T if transposed else C) @ table
        return sent

    def guess(self, table: Floats) -> tuple[Floats, Codes]:
        """Look along the row of each report."""
        best, truths = np.empty_like(table), np.empty(table.shape, dtype=np.int64)
        for report, row in enumerate(self.matrix([0])):
            likely = row.reshape(-1, *(1,) * (table.ndim - 1)) * table
            truths[report] = likely.argmax(axis=0)
            best[report] = likely.max(axis=0)
        return best, truths

    def chance(self, reports: Codes, truths: Codes) -> Floats:
        """Read the matrix."""
        chances: Floats = self.matrix([0])[reports[..., 0], truths[..., 0]]
        return chances

    def ratio(self) -> float:
        """Compare within each row."""
        return highest_ratio(self.matrix([0]))

    def heaviest(self) -> float:
        """Look through C⁻¹."""
        return float(np.abs(self.inverse).max())

    def exact_columns(self) -> ExactColumns:
        """Give what each truth reports."""
        return self.columns

    @property
    def change(self) -> Change:
        """Each truth has chances of its own."""
        return Change.TABLED

    def disguised(self, truth: Answers, personal: Answers | None, dice: Dice) -> Answers:
        """Draw from the column of each truth."""
        (column,) = truth
        report = np.empty_like(column)
        for value, chances in enumerate(self.columns):
            those = np.flatnonzero(column == value)
            report[those] = dice.draw(chances, len(those))
        return (report,)

    def outcomes(self) -> tuple[Outcome, ...]:
        """Nothing: what is to be done depends on the truth."""
        return ()

    def by_hand(self) -> bool:
        """Nobody has a die for each truth at hand."""
        return False

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
