"""What the survey field's named yes/no designs have in common: one of two reports is telling.

What leaks: in Mangat's and the triangular design the other report has probability 0 for those who
have the trait, so it proves that the respondent does *not* have it.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Self

from deniable.channel.channel import exact
from deniable.channel.group_options import alone, only, probability
from deniable.channel.one_attribute import OneAttribute
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


class YesNoByTheta(YesNo):
    """Its one option but for the sensitive value is theta."""

    device: ClassVar[str]
    """What theta is."""

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

    def practice(self, attribute: Attribute) -> dict[str, object] | None:
        """The same theta; yes is the sensitive answer."""
        return {"theta": exact(self._theta()), "sensitive": attribute.values[-1]}

    def options(self, attributes: Sequence[Attribute]) -> dict[str, object]:
        """Write ``theta`` and ``sensitive``."""
        return {"theta": exact(self._theta()), "sensitive": attributes[0].values[self.sensitive]}

    def story(self, attributes: Sequence[Attribute]) -> str:
        """Say which device it is, then what each truth reports."""
        return f"{super().story(attributes)} (theta is {self.device}.)"


def for_yes_no(
    attributes: Sequence[Attribute], useless: Fraction, plain: Fraction
) -> tuple[Fraction, Fraction] | None:
    """Give a range to plan in, for a single yes/no attribute only."""
    return (useless, plain) if [a.size for a in attributes] == [2] else None


def sensitive_code(attribute: Attribute, options: Mapping[str, object]) -> int:
    """Code of the value that is sensitive: the last, unless the design names it."""
    return attribute.code(str(options.get("sensitive", attribute.values[-1])))
