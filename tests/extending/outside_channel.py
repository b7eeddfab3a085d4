"""A channel of another package, in one file: an ordered answer slides along its scale.

The truncated geometric mechanism (Ghosh, Roughgarden & Sundararajan 2009). A spinner says how many
steps to go up or down, whatever the truth is, each further step α times as likely as the one
before; who would leave the scale stops at its end. Far values are rare and near ones common, which
keeps more of an ordered answer than a value drawn evenly would. With A[r, x] = α^|r−x|,

    C = diag(c)·A      with  c = 1/(1+α) at both ends, (1−α)/(1+α) in between,

and A⁻¹ has three diagonals: only a report and its neighbours have a weight. The package says in its
pyproject.toml

    [project.entry-points."deniable.channels"]
    slide = "outside_channel:Slide"

and the respondent's page is built with outside_channel.ts.

What leaks: neighbours are told apart by a factor 1/α at most, the ends of k values by 1/α^(k−1).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Self

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.base.errors import DesignError
from deniable.base.wording import as_chance
from deniable.channel import Channel, Terms
from deniable.channel.channel import BINARY, ExactColumns, exact
from deniable.channel.device import Answers, Change, Dice, Outcome, PlanHints
from deniable.channel.group_options import SMALLEST, alone, only, probability
from deniable.channel.terms import raised, stack
from deniable.schema import Attribute


@dataclass(frozen=True)
class Slide(Channel):
    """``w(r; e) = A⁻¹[e, r] / c(r)``, which is 0 unless r is e or beside it."""

    alpha: Fraction

    kind: ClassVar[str] = "slide"

    def __post_init__(self) -> None:
        if self.sizes[0] < BINARY or 1 - self.alpha < SMALLEST:
            raise DesignError(
                f"alpha = {self.alpha} slides answers of {self.sizes[0]} values to either end, "
                "whatever the truth.",
                hint="Use an alpha below 1, and an attribute with two values or more.",
            )

    # --- In design.yaml --------------------------------------------------------------------------

    @classmethod
    def read(cls, attributes: Sequence[Attribute], options: Mapping[str, object]) -> Self:
        """Build from ``alpha``."""
        only(options, "alpha")
        attribute = alone(attributes, cls.kind, binary=False)
        alpha = probability(options, "alpha", why="how much rarer each further step is")
        return cls((attribute.size,), alpha)

    def options(self, attributes: Sequence[Attribute]) -> dict[str, object]:
        """Write ``alpha``."""
        return {"alpha": exact(self.alpha)}

    def story(self, attributes: Sequence[Attribute]) -> str:
        """Say how far it slides."""
        return (
            f"{attributes[0].name}: moved up or down its scale, at most to the ends; each further "
            f"step is {as_chance(self.alpha)} as likely as the one before."
        )

    # --- What it does ----------------------------------------------------------------------------

    def disguised(self, truth: Answers, personal: Answers | None, dice: Dice) -> Answers:
        """Spin once a record, and stop at the ends."""
        (column,), top = truth, self.sizes[0] - 1
        step = dice.draw(self._spinner(), len(column)).astype(np.int64) - top
        return (np.clip(column + step, 0, top).astype(column.dtype),)

    def exact_columns(self) -> ExactColumns:
        """``c(r)·α^|r−x|``."""
        every, ends = range(self.sizes[0]), {0, self.sizes[0] - 1}
        scale = [(1 if r in ends else 1 - self.alpha) / (1 + self.alpha) for r in every]
        return tuple(tuple(scale[r] * self.alpha ** abs(r - x) for r in every) for x in every)

    def matrix(self, positions: Sequence[int]) -> Floats:
        """C itself, or 1 where the attribute is left out."""
        return np.array(self.exact_columns(), dtype=float).T if len(positions) else np.ones((1, 1))

    @property
    def change(self) -> Change:
        """Each truth has chances of its own."""
        return Change.TABLED

    def chance(self, reports: Codes, truths: Codes) -> Floats:
        """``c(r)·α^|r−x|``."""
        report, truth = reports[..., 0], truths[..., 0]
        chances: Floats = float(self.alpha) ** np.abs(report - truth) / self._inverse_scale[report]
        return chances

    def ratio(self) -> float:
        """An end of the scale, from itself or from the other end."""
        return float(self.alpha ** (1 - self.sizes[0])) if self.alpha else np.inf

    def marginal(self, positions: Sequence[int]) -> Self:
        """Leave nothing out: there is a single attribute."""
        return self

    def send(self, table: Floats, *, transposed: bool = False) -> Floats:
        """Multiply by C."""
        C = self.matrix([0])
        sent: Floats = (C.T if transposed else C) @ table
        return sent

    def guess(self, table: Floats) -> tuple[Floats, Codes]:
        """Look along the row of each report."""
        likely = [np.multiply(row, table.T).T for row in self.matrix([0])]
        truths = np.array([one.argmax(axis=0) for one in likely], dtype=np.int64)
        return np.array([one.max(axis=0) for one in likely]), truths

    # --- How it is undone ------------------------------------------------------------------------

    def undo(self, table: Floats, *, transposed: bool = False) -> Floats:
        """``A⁻¹·(t/c)``; transposed, ``(A⁻¹·t)/c``. A is symmetric."""
        per_row = self._inverse_scale.reshape(-1, *(1,) * (table.ndim - 1))
        return per_row * self._unslid(table) if transposed else self._unslid(per_row * table)

    def second_moment(self, codes: Codes) -> Floats:
        """Average the squares of the three weights."""
        value = np.arange(self.sizes[0])
        squares = self.undo(np.eye(len(value))) ** 2
        by_value = np.einsum("er,re->e", squares, self.matrix([0]))
        moments: Floats = np.append(by_value, 1.0)[codes[:, 0]]  # ANY = −1 reads the last: 1
        return moments

    def heaviest(self) -> float:
        """A match: in the middle of the scale, if it has one."""
        alpha = float(self.alpha)
        return 1 / (1 - alpha) if self.sizes[0] == BINARY else (1 + alpha**2) / (1 - alpha) ** 2

    def _expand(self, codes: Codes) -> Terms:
        value, top = codes[:, 0], self.sizes[0] - 1
        reports, powers = [], []
        for step, weight in ((0, self._diagonal[value]), (-1, -self._beside), (1, -self._beside)):
            beside = np.clip(value + step, 0, top)
            there = beside == value + step  # beyond an end is no report, so it weighs nothing
            reports.append(np.where(there, beside, value)[:, None])
            powers.append(raised(np.where(there, weight * self._inverse_scale[beside], 0.0)))
        return stack(reports, powers)

    # --- For planners and respondents ------------------------------------------------------------

    @classmethod
    def plan_range(cls, attributes: Sequence[Attribute]) -> tuple[Fraction, Fraction] | None:
        """From steps of any length, equally likely, to no step at all."""
        alone = len(attributes) == 1 and attributes[0].size >= BINARY
        return (Fraction(1), Fraction(0)) if alone else None

    @classmethod
    def plan_options(
        cls, attributes: Sequence[Attribute], theta: Fraction, hints: PlanHints
    ) -> dict[str, object]:
        """The planner's knob is α."""
        return {"alpha": exact(theta)}

    def outcomes(self) -> tuple[Outcome, ...]:
        """Of two values, the truth or its opposite; of more, it depends on the truth."""
        if self.sizes[0] > BINARY:
            return ()
        truth = 1 / (1 + self.alpha)
        return (Outcome(truth, "truth"), Outcome(1 - truth, "opposite"))

    def practice(self, attribute: Attribute) -> dict[str, object] | None:
        """The same spinner."""
        return {"alpha": exact(self.alpha)}

    # --- Its algebra -----------------------------------------------------------------------------

    def _spinner(self) -> list[Fraction]:
        """Chances of the steps from −(k−1) to k−1; the ends stand for all that is further."""
        top, alpha = self.sizes[0] - 1, self.alpha
        steps = [abs(step) for step in range(-top, top + 1)]
        return [(1 if step == top else 1 - alpha) * alpha**step / (1 + alpha) for step in steps]

    @property
    def _inverse_scale(self) -> Floats:
        """``1/c``."""
        scale = np.full(self.sizes[0], float((1 + self.alpha) / (1 - self.alpha)))
        scale[[0, -1]] = float(1 + self.alpha)
        return scale

    @property
    def _diagonal(self) -> Floats:
        """The diagonal of A⁻¹."""
        diagonal = np.full(self.sizes[0], float((1 + self.alpha**2) / (1 - self.alpha**2)))
        diagonal[[0, -1]] = float(1 / (1 - self.alpha**2))
        return diagonal

    @property
    def _beside(self) -> float:
        """What stands beside the diagonal of A⁻¹, but for its sign."""
        return float(self.alpha / (1 - self.alpha**2))

    def _unslid(self, table: Floats) -> Floats:
        """``A⁻¹·t``."""
        unslid: Floats = self._diagonal.reshape(-1, *(1,) * (table.ndim - 1)) * table
        unslid[1:] -= self._beside * table[:-1]
        unslid[:-1] -= self._beside * table[1:]
        return unslid
