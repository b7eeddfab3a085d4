"""Mangat (1994): the sensitive say so; the others deny it with probability θ only."""

from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar

from deniable.channel.yes_no import YesNoByTheta, for_yes_no
from deniable.schema import Attribute


class Mangat(YesNoByTheta):
    """The telling report is certain with the trait, and has the chance 1 − θ without it."""

    kind: ClassVar[str] = "mangat"
    device: ClassVar[str] = "the chance that those without the trait say so"

    @staticmethod
    def _chances(theta: Fraction) -> tuple[Fraction, Fraction]:
        return Fraction(1), 1 - theta

    def _theta(self) -> Fraction:
        return 1 - self.reported()[1]

    @classmethod
    def plan_range(cls, attributes: Sequence[Attribute]) -> tuple[Fraction, Fraction] | None:
        """From everybody saying so to a denial by all who can."""
        return for_yes_no(attributes, Fraction(0), Fraction(1))
