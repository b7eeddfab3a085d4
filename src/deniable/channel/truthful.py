"""No disguise: the report is the record."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import prod
from typing import ClassVar, Self

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.channel.channel import Channel, ExactColumns, names
from deniable.channel.device import Answers, Change, Dice, Outcome
from deniable.channel.group_options import only
from deniable.channel.terms import POWERS, Terms, stack
from deniable.schema import Attribute


@dataclass(frozen=True)
class Truthful(Channel):
    """``w(r; e) = [r ⊨ e]``."""

    kind: ClassVar[str] = "truthful"

    @classmethod
    def read(cls, attributes: Sequence[Attribute], options: Mapping[str, object]) -> Self:
        """Build; there is nothing to choose."""
        only(options)
        return cls(tuple(attribute.size for attribute in attributes))

    def options(self, attributes: Sequence[Attribute]) -> dict[str, object]:
        """Nothing to write."""
        return {}

    def story(self, attributes: Sequence[Attribute]) -> str:
        """Say that nothing happens."""
        they = "they are" if len(attributes) > 1 else "it is"
        return f"{names(attributes)}: reported as {they}, without any disguise."

    def matrix(self, positions: Sequence[int]) -> Floats:
        """Identity."""
        return np.eye(prod(self.sizes[p] for p in positions))

    def second_moment(self, codes: Codes) -> Floats:
        """Find an indicator to be its own square."""
        return np.ones(len(codes))

    def marginal(self, positions: Sequence[int]) -> Self:
        """Do nothing to the others either."""
        return replace(self, sizes=tuple(self.sizes[p] for p in positions))

    def undo(self, table: Floats, *, transposed: bool = False) -> Floats:
        """Leave as it is."""
        return table

    def undo_squared(self, table: Floats) -> Floats:
        """Leave as it is."""
        return table

    def unrolled(self, reports: Codes) -> tuple[Codes, Floats]:
        """Take each report for the truth."""
        return reports[None], np.ones((1, len(reports)))

    def send(self, table: Floats, *, transposed: bool = False) -> Floats:
        """Leave as it is."""
        return table

    def guess(self, table: Floats) -> tuple[Floats, Codes]:
        """Take each report for the truth."""
        own = np.arange(len(table)).reshape(-1, *(1,) * (table.ndim - 1))
        return table, np.broadcast_to(own, table.shape)

    def chance(self, reports: Codes, truths: Codes) -> Floats:
        """1 where they are the same."""
        same: Floats = (reports == truths).all(axis=-1).astype(np.float64)
        return same

    def ratio(self) -> float:
        """Infinite: a report excludes every other truth."""
        return 1.0 if prod(self.sizes) == 1 else np.inf

    def heaviest(self) -> float:
        """Everybody counts once."""
        return 1.0

    def exact_columns(self) -> ExactColumns:
        """Each truth reports itself."""
        every = range(prod(self.sizes))
        return tuple(tuple(Fraction(report == truth) for report in every) for truth in every)

    @property
    def change(self) -> Change:
        """Replaced with probability 0."""
        return Change.REPLACED

    @property
    def is_truthful(self) -> bool:
        """Yes."""
        return True

    def disguised(self, truth: Answers, personal: Answers | None, dice: Dice) -> Answers:
        """Throw nothing."""
        return truth

    @classmethod
    def plan_range(cls, attributes: Sequence[Attribute]) -> tuple[Fraction, Fraction] | None:
        """It has no knob."""
        return None

    def outcomes(self) -> tuple[Outcome, ...]:
        """The truth, always."""
        return (Outcome(Fraction(1), "truth"),)

    def by_hand(self) -> bool:
        """There is nothing to throw."""
        return False

    def practice(self, attribute: Attribute) -> dict[str, object] | None:
        """There is nothing to practise."""
        return None

    def _expand(self, codes: Codes) -> Terms:
        return stack([codes], [np.ones((POWERS, len(codes)))])
