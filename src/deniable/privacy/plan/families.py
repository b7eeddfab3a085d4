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
from deniable.channel import CHANNELS
from deniable.channel.channel import exact
from deniable.design import Group
from deniable.schema import Attribute

YES_NO = 2

HALF = Fraction(1, 2)

COARSE = Fraction(1, 20)
"""Nearer to useless, or to no disguise, than this, θ gets five decimals."""

FOR_GROUPS = ("related", "unrelated", "keep-or-uniform")
"""Families that disguise several attributes as one pattern."""

FOR_YES_NO = ("crosswise", "forced", "mangat", "triangular")
"""With more values, forced answers that are equally likely are keep-or-uniform."""

FAMILY_KINDS = (
    "related",
    "crosswise",
    "forced",
    "keep-or-uniform",
    "unrelated",
    "mangat",
    "triangular",
)
"""What is tried, the easiest to explain first: it wins among equals."""

SPLITS = (HALF, Fraction(1, 4), Fraction(3, 4), Fraction(1, 10), Fraction(9, 10))
"""Shares of the forced answers that are a forced yes, equal ones first."""


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
        if len(attributes) > 1:
            return self.kind in FOR_GROUPS
        return self.kind not in FOR_YES_NO or attributes[0].size == YES_NO

    def ends(self, attributes: Sequence[Attribute]) -> tuple[Fraction, Fraction]:
        """Give the θ that says nothing, and the θ that disguises nothing."""
        if self.kind == "triangular":
            return Fraction(1), Fraction(0)
        if self.kind in {"related", "crosswise"}:
            return Fraction(1, min(attribute.size for attribute in attributes)), Fraction(1)
        return Fraction(0), Fraction(1)

    def theta(self, signal: Fraction, attributes: Sequence[Attribute]) -> Fraction:
        """Turn a signal into θ, rounded towards privacy.

        >>> yes_no = [Attribute("drugs", ("no", "yes"))]
        >>> DesignFamily("related").theta(Fraction("0.4621"), yes_no)
        Fraction(731, 1000)
        """
        useless, plain = self.ends(attributes)
        theta = useless + signal * (plain - useless)
        near = min(abs(theta - useless), abs(theta - plain))
        scale = 1000 if near >= COARSE else 100_000
        towards = floor if plain > useless else ceil
        return Fraction(towards(theta * scale), scale)

    def group(self, attributes: Sequence[Attribute], theta: Fraction) -> Group:
        """Disguise some attributes as one group."""
        options = self._options(attributes, theta)
        return Group(tuple(attributes), CHANNELS[self.kind].read(attributes, options))

    def _options(self, attributes: Sequence[Attribute], theta: Fraction) -> dict[str, object]:
        if self.kind == "unrelated":
            personal = {a.name: _distribution(a, self.personal) for a in attributes}
            return {"theta": exact(theta), "personal": personal}
        if self.kind == "forced":
            told = _distribution(attributes[0], self.split)
            return {"forced": {v: exact((1 - theta) * Fraction(p)) for v, p in told.items()}}
        return {"theta": exact(theta)}


def _distribution(attribute: Attribute, share: Fraction) -> dict[str, str]:
    """A share for the last of two values; more values are equally likely."""
    if attribute.size != YES_NO:
        return dict.fromkeys(attribute.values, exact(Fraction(1, attribute.size)))
    return dict(zip(attribute.values, (exact(1 - share), exact(share)), strict=True))


def families(kinds: Sequence[str], personal: Fraction, *, by_epsilon: bool) -> list[DesignFamily]:
    """List the families to try: all of them, unless some are named.

    Where ε is the only limit, forced answers are best in equal shares: of all channels from yes/no
    to yes/no with a given ε the symmetric one has the least variance, whatever the truth.
    """
    for kind in kinds:
        if kind not in FAMILY_KINDS:
            raise DesignError(
                f"There is no plan for a channel {kind!r}.", hint=nearest(kind, FAMILY_KINDS)
            )
    found = [DesignFamily(kind, personal) for kind in FAMILY_KINDS if not kinds or kind in kinds]
    at = next((place for place, family in enumerate(found) if family.kind == "forced"), None)
    if at is not None and not by_epsilon:
        found[at + 1 : at + 1] = [DesignFamily("forced", personal, split) for split in SPLITS[1:]]
    return found
