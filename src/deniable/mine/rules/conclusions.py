"""What rules may conclude, and how many associations were looked at on the way.

A rule and the one whose premise and conclusion change places are the same association: one test of
the same counts.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, Self, get_args

import numpy as np

from deniable.base.arrays import Codes, Mask
from deniable.base.errors import ModelError
from deniable.expression import Expression
from deniable.mine.model import checked_target
from deniable.mine.rules.apriori import Items, Sets, joined
from deniable.mine.rules.item_sets import ItemSets

HowMany = Literal["any", "single"]
Conclusions = HowMany | Sequence[Expression]
"""How many items a rule concludes, or which: items or attributes, and perhaps ``single`` beside."""


@dataclass(frozen=True, eq=False)
class Concluded:
    """Which items may be concluded, and whether a rule concludes only one of them."""

    items: Items
    allowed: Mask
    single: bool

    @classmethod
    def of(cls, items: Items, conclusions: Conclusions, target: str | None) -> Self:
        """Read what was asked for; with a target, only its values are concluded."""
        if isinstance(conclusions, str) and conclusions not in get_args(HowMany):
            raise ModelError(
                f"There are no conclusions of kind {conclusions!r}.",
                hint="Use 'any' or 'single', or a list such as ['ill', 'smokes=yes'].",
            )
        words = [conclusions] if isinstance(conclusions, str) else list(conclusions)
        named = [word for word in words if word not in get_args(HowMany)]
        allowed = np.ones(len(items), dtype=bool)
        if named:
            allowed = items.among(Items.of(items.schema, named))
            if not allowed.any():
                raise ModelError(
                    "By this choice of items, none may be concluded.",
                    hint="Choose items of the conclusions too.",
                )
        if target is not None:
            checked_target(target, items.schema)
            own = items.attribute == items.schema.position(target)
            if not own.any():
                raise ModelError(
                    f"By this choice, no item is a value of the target {target!r}.",
                    hint="Choose items of the target too.",
                )
            allowed = allowed & own
            if not allowed.any():
                raise ModelError(
                    f"By these conclusions, no value of the target {target!r} is concluded.",
                    hint="Leave the target out, or name its values.",
                )
        return cls(items, allowed, "single" in words)

    def most(self, members: Codes) -> int:
        """How many items of one of these sets ``[set, place]`` a rule may conclude, at most."""
        many = int(self.allowed[members].sum(axis=1).max(initial=0))
        return min(many, int(members.shape[1]) - 1, 1 if self.single else many)

    def tried(self, found: ItemSets) -> Codes:
        """Count the associations that were looked at, by the size of their set, from 0 up."""
        size = np.arange(1, len(found.tried) + 1)
        attributes = np.unique(self.items.attribute[self.allowed])
        if self.allowed.all():
            ways = np.where(size > 2, size, size - 1) if self.single else 2 ** (size - 1) - 1  # noqa: PLR2004
            many = found.tried.sum(axis=1) // size * ways
        elif np.array_equal(self.items.attribute == attributes[0], self.allowed):
            many = found.tried[:, attributes[0]] * (size > 1)
        else:
            many = np.array([self._associations(each.members) for each in _candidates(found)])
        return np.concatenate([[0], many])

    def _associations(self, members: Codes) -> int:
        """Count them in sets of one size; those of which all may be concluded go both ways."""
        size, allowed = members.shape[1], self.allowed[members].sum(axis=1)
        if self.single:
            ways = np.where((allowed == size) & (size <= 2), size - 1, allowed)  # noqa: PLR2004
        else:
            ways = 2 ** np.minimum(allowed, size - 1) - 1
        return int(ways.sum()) if size > 1 else 0


def _candidates(found: ItemSets) -> Iterator[Sets]:
    """Every set that was counted, a size at a time: they follow from those that were kept."""
    yield Sets.single(found.items)
    for kept in found.kept[: len(found.tried) - 1]:
        yield joined(kept, found.items)
