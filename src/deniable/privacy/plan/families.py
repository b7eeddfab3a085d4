"""Families of designs, each with one knob: how much of the signal gets through.

A *signal* s between 0 (reports say nothing) and 1 (nothing is disguised) is the factor by which a
channel shrinks differences between truths: 2θ−1 for a related yes/no question, θ for an unrelated
one. Weaker signals are stronger ones disguised once more, so every measure of privacy is monotone
in s. θ is the family's own parameter, rounded *towards privacy* to three decimals (five where θ is
so close to either end that three would be coarse).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from deniable.base.errors import DesignError, nearest
from deniable.channel import kinds as all_kinds
from deniable.channel import named
from deniable.channel.channel import HALF
from deniable.design import Group
from deniable.schema import Attribute

NEAR_AN_END = Fraction(1, 20)
"""Nearer to useless, or to no disguise, than this, θ gets five decimals."""

YES_NO = 2

ASKED = tuple(Attribute("it", tuple(map(str, range(size)))) for size in (YES_NO, 3))
"""A channel that can be planned can be so for one of these."""


@dataclass(frozen=True)
class DesignFamily:
    """Designs of one kind for any group, by their signal."""

    kind: str
    personal: Fraction = HALF
    """Unrelated yes/no questions: the share of people whose personal answer is yes."""

    split: Fraction = HALF
    """Forced yes/no questions: the share of forced answers that are a forced yes."""

    def suits(self, attributes: Sequence[Attribute]) -> bool:
        """Whether there is such a design for these attributes as one group."""
        return named(self.kind).plan_range(attributes) is not None

    def ends(self, attributes: Sequence[Attribute]) -> tuple[Fraction, Fraction]:
        """Give the θ that says nothing, and the θ that disguises nothing."""
        found = named(self.kind).plan_range(attributes)
        assert found is not None
        return found

    @property
    def heeds_personal(self) -> bool:
        """Whether the share of yes among personal answers matters to it."""
        given = named(self.kind).plan_options
        one, other = (
            given(ASKED[:1], HALF, personal=personal, split=HALF) for personal in (HALF, HALF / 2)
        )
        return one != other

    def theta(self, signal: Fraction, attributes: Sequence[Attribute]) -> Fraction:
        """Turn a signal into θ, rounded towards privacy.

        >>> yes_no = [Attribute("drugs", ("no", "yes"))]
        >>> DesignFamily("related").theta(Fraction("0.4621"), yes_no)
        Fraction(731, 1000)
        """
        useless, plain = self.ends(attributes)
        theta = useless + signal * (plain - useless)
        near = min(abs(theta - useless), abs(theta - plain))
        scale = 1000 if near >= NEAR_AN_END else 100_000
        towards = floor if plain > useless else ceil
        return Fraction(towards(theta * scale), scale)

    def group(self, attributes: Sequence[Attribute], theta: Fraction) -> Group:
        """Disguise some attributes as one group."""
        channel = named(self.kind)
        options = channel.plan_options(attributes, theta, personal=self.personal, split=self.split)
        return Group(tuple(attributes), channel.read(attributes, options))


def planned_kinds() -> tuple[str, ...]:
    """Channels that are tried, the easiest to explain first: it wins among equals."""
    return tuple(
        kind for kind in all_kinds() if any(named(kind).plan_range([asked]) for asked in ASKED)
    )


def families(kinds: Sequence[str], personal: Fraction, *, by_epsilon: bool) -> list[DesignFamily]:
    """List the families to try: all of them, unless some are named.

    Where ε is the only limit, forced answers are best in equal shares: of all channels from yes/no
    to yes/no with a given ε the symmetric one has the least variance, whatever the truth.
    """
    planned = planned_kinds()
    for kind in kinds:
        if kind not in planned:
            raise DesignError(
                f"There is no plan for a channel {kind!r}.", hint=nearest(kind, planned)
            )
    return [
        DesignFamily(kind, personal, split)
        for kind in planned
        if not kinds or kind in kinds
        for split in named(kind).plan_splits[: 1 if by_epsilon else None]
    ]
