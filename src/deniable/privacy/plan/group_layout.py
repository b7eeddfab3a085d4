"""Which attributes share a device, and of what kind."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np

from deniable.channel import KeepOrUniform
from deniable.privacy.plan.families import DesignFamily
from deniable.privacy.plan.plan_request import PlanRequest
from deniable.privacy.plan.planned_group import Knob, Part
from deniable.schema import Attribute


@dataclass(frozen=True, eq=False)
class GroupLayout:
    """Groups, each with its knob, and the family that disguises them.

    A family for yes/no questions leaves the others to keep-or-uniform.
    """

    family: DesignFamily
    knobs: tuple[Knob, ...]

    @property
    def request(self) -> PlanRequest:
        """What it answers to."""
        return self.knobs[0].request

    def under(self, request: PlanRequest) -> "GroupLayout":
        """The same for another request."""
        return GroupLayout(self.family, tuple(Knob(k.family, k.part, request) for k in self.knobs))


@dataclass(frozen=True, eq=False)
class GroupLayouts:
    """Every way to lay out a request's attributes; what they have in common is measured once."""

    request: PlanRequest
    _knobs: dict[tuple[DesignFamily, Part], Knob] = field(default_factory=dict)

    @cached_property
    def pools(self) -> list[list[Attribute]]:
        """Sets that may share a device: those mined together. Sets that touch are one.

        The channel of those who do not follow a device is a matrix, which is for one attribute.
        """
        if self.request.compliance is not None:
            return []
        sets: list[set[str]] = []
        for names in map(set, self.request.together):
            touching = [other for other in sets if not other.isdisjoint(names)]
            sets = [other for other in sets if other not in touching]
            sets.append(names.union(*touching))
        pools = [[a for a in self.request.attributes if a.name in names] for names in sets]
        return [pool for pool in pools if len(pool) > 1]

    def of(self, family: DesignFamily, many: Sequence[int]) -> GroupLayout | None:
        """Cut each pool into so many groups; None where the family has no use there."""
        parts = self.parts(many)
        fits = [family.suits(part) for part in parts]
        wide = [fit for fit, part in zip(fits, parts, strict=True) if len(part) > 1]
        if not any(fits) or not all(wide):
            return None
        others = DesignFamily(KeepOrUniform.kind)
        pairs = zip(fits, parts, strict=True)
        return GroupLayout(family, tuple(self._knob(family if f else others, p) for f, p in pairs))

    def parts(self, many: Sequence[int]) -> tuple[Part, ...]:
        """The groups, if each pool is cut, in the order of its attributes, into so many."""
        order = self.request.attributes
        alone = [(a,) for a in order if not any(a in pool for pool in self.pools)]
        cut = [part for pool, m in zip(self.pools, many, strict=True) for part in _cut(pool, m)]
        return tuple(sorted([*cut, *alone], key=lambda part: order.index(part[0])))

    def _knob(self, family: DesignFamily, part: Part) -> Knob:
        return self._knobs.setdefault((family, part), Knob(family, part, self.request))


def _cut(pool: Sequence[Attribute], many: int) -> list[Part]:
    bounds = np.linspace(0, len(pool), many + 1).round().astype(int).tolist()
    return [tuple(pool[a:b]) for a, b in pairwise(bounds)]
