"""Crosswise (Yu, Tian & Tang 2008): say only whether two statements have the same answer."""

from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar

from deniable.channel.device import Outcome
from deniable.channel.yes_no import YesNoByTheta, for_yes_no
from deniable.schema import Attribute


class Crosswise(YesNoByTheta):
    """The telling report is "the same"; it is recorded as the sensitive value."""

    kind: ClassVar[str] = "crosswise"
    device: ClassVar[str] = "the share of people with the harmless trait"

    @staticmethod
    def _chances(theta: Fraction) -> tuple[Fraction, Fraction]:
        return theta, 1 - theta

    def _theta(self) -> Fraction:
        return self.reported()[0]

    @classmethod
    def plan_range(cls, attributes: Sequence[Attribute]) -> tuple[Fraction, Fraction] | None:
        """From a harmless trait that half have to one that all have."""
        return for_yes_no(attributes, Fraction(1, 2), Fraction(1))

    def outcomes(self) -> tuple[Outcome, ...]:
        """Having the harmless trait, the truth is reported; not having it, the opposite."""
        return (Outcome(self._theta(), "truth"), Outcome(1 - self._theta(), "opposite"))
