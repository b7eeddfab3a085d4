"""Keep or uniform (k-ary randomized response): the truth, or any pattern, evenly drawn.

It is the unrelated question with an even personal distribution, drawn by the device itself.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Self

from deniable.base.wording import as_chance
from deniable.channel.channel import exact, names
from deniable.channel.device import Outcome
from deniable.channel.group_options import only, probability
from deniable.channel.unrelated import Unrelated
from deniable.schema import Attribute


@dataclass(frozen=True)
class KeepOrUniform(Unrelated):
    """Keep the group's pattern with probability θ, else draw any pattern, evenly.

    >>> import numpy as np
    >>> channel = KeepOrUniform.over((4,), Fraction(1, 2))
    >>> channel.weights([2], np.array([[1], [2]]))
    array([-0.25,  1.75])
    """

    kind: ClassVar[str] = "keep-or-uniform"

    @classmethod
    def over(cls, sizes: tuple[int, ...], theta: Fraction) -> Self:
        """Build for given domain sizes."""
        return cls(sizes, theta, tuple((Fraction(1, size),) * size for size in sizes))

    @classmethod
    def read(cls, attributes: Sequence[Attribute], options: Mapping[str, object]) -> Self:
        """Build from ``theta``."""
        only(options, "theta")
        theta = probability(options, why="the probability of keeping the true values")
        return cls.over(tuple(attribute.size for attribute in attributes), theta)

    def options(self, attributes: Sequence[Attribute]) -> dict[str, object]:
        """Write ``theta``."""
        return {"theta": exact(self.theta)}

    def story(self, attributes: Sequence[Attribute]) -> str:
        """Say what is kept."""
        if len(attributes) == 1:
            drawn = "a value drawn evenly from all of its values"
        else:
            drawn = "values drawn evenly from all combinations"
        return (
            f"{names(attributes)}: with probability {as_chance(self.theta)} kept, otherwise "
            f"replaced by {drawn}."
        )

    @property
    def paired(self) -> None:
        """Nothing else is asked."""

    @classmethod
    def plan_options(
        cls,
        attributes: Sequence[Attribute],
        theta: Fraction,
        *,
        personal: Fraction,
        split: Fraction,
    ) -> dict[str, object]:
        """Take no hints."""
        return {"theta": exact(theta)}

    def outcomes(self) -> tuple[Outcome, ...]:
        """The truth, or what the device draws."""
        return (Outcome(self.theta, "truth"), Outcome(1 - self.theta, "drawn"))

    def by_hand(self) -> bool:
        """Nobody draws patterns evenly in their head."""
        return False

    def practice(self, attribute: Attribute) -> dict[str, object] | None:
        """The same coin."""
        return {"theta": exact(self.theta)}
