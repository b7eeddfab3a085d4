"""Search the layouts: families, and how to cut the sets that are mined together.

A set's cut is chosen by itself, the others as they are, in turn until nothing improves, from the
better of all alone and every set in one group. With one set that is every cut there is.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import inf

import numpy as np

from deniable.base.errors import DesignError, listed
from deniable.privacy.plan.design_option import DesignOption
from deniable.privacy.plan.families import DesignFamily, families
from deniable.privacy.plan.group_signals import Cost, as_precise
from deniable.privacy.plan.plan_refusals import too_strict
from deniable.privacy.plan.plan_request import PlanRequest
from deniable.privacy.plan.planned_group import GroupLayout, Knob, Part

EQUAL = 1.01
"""Designs that are worse than the best by less than this factor are as good."""

NEARLY_AS_GOOD = 1.03
"""Designs that need so many more people, where ε is not limited, are better if their ε is less."""

SWEEPS = 4

Badness = Callable[[DesignOption], float]
Cut = tuple[int, ...]


def best_of(options: Sequence[DesignOption], badness: Badness) -> DesignOption:
    """The first of those that are as good as the best."""
    judged = [badness(option) for option in options]
    return options[next(i for i, bad in enumerate(judged) if bad <= min(judged) * EQUAL)]


def recommended(options: Sequence[DesignOption], badness: Badness) -> DesignOption:
    """The best; among close ones, where guesses are limited, that which gives away least.

    Channels with the same limit on guesses are about as precise, and far apart in ε. Where ε is
    the limit, all of them spend it.
    """
    if not options[0].request.limits.are_on_guesses:
        return best_of(options, badness)
    judged = [badness(option) for option in options]
    close = [
        o for o, bad in zip(options, judged, strict=True) if bad <= min(judged) * NEARLY_AS_GOOD
    ]
    return best_of(close, lambda option: option.privacy.epsilon)


def options(request: PlanRequest, cost: Cost, badness: Badness) -> list[DesignOption]:
    """Every layout that is worth a look, at the strongest signals that the limits allow."""
    by_epsilon = not request.limits.are_on_guesses
    kinds = families(request.channels, request.personal, by_epsilon=by_epsilon)
    knobs: dict[tuple[DesignFamily, Part], Knob] = {}
    searches = [_Search(request, family, cost, badness, knobs) for family in kinds]
    alone = tuple(map(len, request.pools))
    useful = [each for each in searches if each.layout(alone) is not None]
    if not useful:
        raise DesignError(
            f"{listed(request.channels)}: for yes/no questions only, and there is none.",
            hint="Use keep-or-uniform, related or unrelated.",
        )
    found: dict[Cut, list[DesignOption]] = {}
    for each in useful:
        for cut in each.descended():
            found.setdefault(cut, []).extend(each.at(cut))
    # Groupings in their order, from all alone to all in one; families as they are listed.
    ordered = [option for cut in sorted(found, reverse=True) for option in found[cut]]
    if not ordered:
        first = useful[0].layout(alone)
        assert first is not None
        raise too_strict(first)
    return ordered


def parts(request: PlanRequest, cut: Cut) -> tuple[Part, ...]:
    """The groups, if each pool is cut, in the order of its attributes, into so many."""
    found: list[Part] = []
    for pool, many in zip(request.pools, cut, strict=True):
        bounds = np.linspace(0, len(pool), many + 1).round().astype(int).tolist()
        found += [tuple(pool[a:b]) for a, b in pairwise(bounds)]
    order = request.attributes
    found += [(each,) for each in order if not any(each in pool for pool in request.pools)]
    return tuple(sorted(found, key=lambda part: order.index(part[0])))


@dataclass(frozen=True, eq=False)
class _Search:
    """One family's layouts, each tried once."""

    request: PlanRequest
    family: DesignFamily
    cost: Cost
    badness: Badness
    knobs: dict[tuple[DesignFamily, Part], Knob]
    """Of all families: what their layouts have in common is measured once."""

    tried: dict[Cut, list[DesignOption]] = field(default_factory=dict)
    judged: dict[Cut, float] = field(default_factory=dict)

    def layout(self, cut: Cut) -> GroupLayout | None:
        """Cut each pool into so many groups; None where the family has no use there."""
        pieces = parts(self.request, cut)
        fits = [self.family.suits(part) for part in pieces]
        wide = [fit for fit, part in zip(fits, pieces, strict=True) if len(part) > 1]
        if not any(fits) or not all(wide):
            return None
        others = DesignFamily("keep-or-uniform")
        wanted = [(self.family if fit else others, p) for fit, p in zip(fits, pieces, strict=True)]
        knobs = (self.knobs.setdefault(each, Knob(*each, self.request)) for each in wanted)
        return GroupLayout(self.family, tuple(knobs))

    def at(self, cut: Cut) -> list[DesignOption]:
        """The ways to share ε out over the groups of a cut."""
        if cut not in self.tried:
            layout, limits = self.layout(cut), self.request.limits
            ways = [] if layout is None else as_precise(layout.knobs, limits, self.cost)
            found = (DesignOption.at(layout, signals) for signals in ways if layout is not None)
            self.tried[cut] = [option for option in found if option is not None]
        return self.tried[cut]

    def descended(self) -> list[Cut]:
        """All alone, the best cut, and every cut that differs from it in one set."""
        sizes = tuple(len(pool) for pool in self.request.pools)
        here = min((sizes, (1,) * len(sizes)), key=self._bad)
        for _ in range(SWEEPS):
            there = here
            for place, size in enumerate(sizes):
                there = min((there, *_other_cuts(there, place, size)), key=self._bad)
            if there == here:
                break
            here = there
        near = (cut for place, size in enumerate(sizes) for cut in _other_cuts(here, place, size))
        return list(dict.fromkeys([sizes, here, *near]))

    def _bad(self, cut: Cut) -> float:
        if cut not in self.judged:
            self.judged[cut] = min(map(self.badness, self.at(cut)), default=inf)
        return self.judged[cut]


def _other_cuts(cut: Cut, place: int, size: int) -> list[Cut]:
    return [(*cut[:place], many, *cut[place + 1 :]) for many in range(size, 0, -1)]
