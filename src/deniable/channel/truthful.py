"""No disguise: the report is the record, as if keep-or-uniform always kept it."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import ClassVar, Self

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.channel.channel import names
from deniable.channel.device import Answers, Dice
from deniable.channel.group_options import only
from deniable.channel.keep_or_uniform import KeepOrUniform
from deniable.channel.terms import POWERS, Terms, stack
from deniable.schema import Attribute


class Truthful(KeepOrUniform):
    """``w(r; e) = [r ⊨ e]``."""

    kind: ClassVar[str] = "truthful"

    @classmethod
    def read(cls, attributes: Sequence[Attribute], options: Mapping[str, object]) -> Self:
        """Build; there is nothing to choose."""
        only(options)
        return cls.over(tuple(attribute.size for attribute in attributes))

    def options(self, attributes: Sequence[Attribute]) -> dict[str, object]:
        """Nothing to write."""
        return {}

    def story(self, attributes: Sequence[Attribute]) -> str:
        """Say that nothing happens."""
        they = "they are" if len(attributes) > 1 else "it is"
        return f"{names(attributes)}: reported as {they}, without any disguise."

    @property
    def is_truthful(self) -> bool:
        """Yes."""
        return True

    def disguised(self, truth: Answers, personal: Answers | None, dice: Dice) -> Answers:
        """Throw nothing."""
        return truth

    # Public attributes are many and large, so what does nothing to them costs nothing.

    def undo(self, table: Floats, *, transposed: bool = False) -> Floats:
        """Leave as it is."""
        return table

    def send(self, table: Floats, *, transposed: bool = False) -> Floats:
        """Leave as it is."""
        return table

    def unrolled(self, reports: Codes) -> tuple[Codes, Floats]:
        """Take each report for the truth."""
        return reports[None], np.ones((1, len(reports)))

    def _expand(self, codes: Codes) -> Terms:
        return stack([codes], [np.ones((POWERS, len(codes)))])

    @classmethod
    def plan_range(cls, attributes: Sequence[Attribute]) -> tuple[Fraction, Fraction] | None:
        """It has no knob."""
        return None

    def practice(self, attribute: Attribute) -> dict[str, object] | None:
        """There is nothing to practise."""
        return None
