"""The planner: search the designs, recommend one, show the trade-off.

With a margin (or power) *and* a number of respondents, the most private design that keeps both is
recommended: the signals of the best layout within the limits, shrunk until the goal is just kept.
Otherwise it is the most precise one within the limits. Attributes that are mined together choose
their grouping by the worst margin over the cells of their joint table. ε of a record is shared out
evenly over the groups, or so that their signals are the same, whichever is better. Designs within
one percent of the best are equals, and the one that is easiest to explain wins.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import inf

from deniable.design import Design
from deniable.errors import DesignError, listed
from deniable.privacy.planning.compliance import biases
from deniable.privacy.planning.families import families
from deniable.privacy.planning.layout import GRID, Layout, partitions
from deniable.privacy.planning.option import Figures, Option, worst_cell
from deniable.privacy.planning.precision import MOST
from deniable.privacy.planning.reach import out_of_reach, too_strict
from deniable.privacy.planning.wish import Goal, Wish

USUAL_MARGIN = 0.05

EQUAL = 1.01
"""Designs that are worse than the best by less than this factor are as good."""

STEPS = tuple(range(GRID // 10, GRID, GRID // 10))
"""Signals of the trade-off table."""


@dataclass(frozen=True)
class Row:
    """One line of the trade-off."""

    figures: Figures
    within: bool
    """Whether the limits hold."""

    recommended: bool
    design: Design


@dataclass(frozen=True)
class Shortfall:
    """What people who do not follow the device do to the recommended design."""

    having: float
    lacking: float
    otherwise: str
    bias: dict[str, dict[str, float]]
    """Expected error of each share if everybody is taken to follow it."""

    followed: Figures
    """What the same device would give if everybody did."""

    design: Design
    """Counts through the device as it is followed: the promised margin is for this one."""


@dataclass(frozen=True)
class Plan:
    """A recommended design, what else there was, and the trade-off around it."""

    wish: Wish
    goal: Goal
    """The wish's, or the margin that was taken for granted or is reached."""

    respondents: int
    recommended: Figures
    design: Design
    alternatives: tuple[Figures, ...]
    """The best design of every channel and grouping within the limits, the recommended included."""

    tradeoff: tuple[Row, ...]
    shortfall: Shortfall | None
    worst_cell: str | None

    def document(self) -> dict[str, object]:
        """Write everything for JSON."""
        document: dict[str, object] = {
            "recommended": self.recommended.document(),
            "respondents": self.respondents,
            "level": self.wish.level,
            "design": self.design.document(),
            "alternatives": [each.document() for each in self.alternatives],
            "tradeoff": [
                {
                    **{key: row.figures.document()[key] for key in TRADED},
                    "within_limits": row.within,
                    "recommended": row.recommended,
                }
                for row in self.tradeoff
            ],
        }
        if self.shortfall is not None:
            short = self.shortfall
            document["compliance"] = {
                "with_trait": short.having,
                "without_trait": short.lacking,
                "otherwise": short.otherwise,
                "bias": short.bias,
                "margin_if_followed": short.followed.margin,
                "respondents_if_followed": short.followed.respondents,
                "design": short.design.document(),
            }
        return document


TRADED = ("theta", "epsilon", "guess", "pse", "margin", "respondents")


def plan(wish: Wish) -> Plan:
    """Recommend a design; what cannot be had is refused with what would be needed instead."""
    options = _options(wish)
    n, goal = wish.respondents, wish.goal
    if n is None:
        goal = goal if goal.is_given else replace(goal, margin=USUAL_MARGIN)
        needed = {option: option.precision.needed(goal) for option in options}
        enough = {option: each for option, each in needed.items() if each is not None}
        if not enough:
            raise DesignError(
                f"Within these limits even {MOST:,} respondents are too few.",
                hint="Loosen a limit, or ask for less precision.",
            )
        fewest = min(enough.values())
        if wish.together:
            best = _best(list(enough), lambda option: option.precision.joint_margin(fewest) or inf)
        else:
            best = _best(list(enough), lambda option: enough[option])
        n = enough[best]
    elif goal.is_given:
        able = [option for option in options if option.precision.keeps(goal, n)]
        if not able:
            best = min(options, key=lambda option: option.precision.needed(goal) or inf)
            raise out_of_reach(best, goal, n, wish)
        best = _most_private(able, goal, n, wish)
    else:
        best = _best(options, lambda o: o.precision.joint_margin(n) or o.precision.margin(n))
        goal = replace(goal, margin=best.precision.margin(n))
    return _whole(wish, goal, n, best, options)


def _options(wish: Wish) -> list[Option]:
    """Every layout at the strongest signals that the limits allow."""
    # The channel of those who do not follow a device is a matrix, which is for one attribute.
    together = () if wish.compliance is not None else wish.together
    kinds = families(wish.channels, wish.personal, by_epsilon=wish.limits.only_epsilon)
    cuts = list(partitions(wish.attributes, together))
    layouts = [
        Layout(family, parts) for parts in cuts for family in kinds if _suits(Layout(family, parts))
    ]
    if not layouts:
        raise DesignError(
            f"{listed(wish.channels)}: for yes/no questions only, and there is none.",
            hint="Use keep-or-uniform, related or unrelated.",
        )
    tried = (
        Option.tried(layout, signals, wish)
        for layout in layouts
        for signals in sorted(layout.strongest(wish.limits, wish.population))
    )
    options = [option for option in tried if option is not None]
    if not options:
        raise too_strict(layouts[0], wish)
    return options


def _suits(layout: Layout) -> bool:
    """Whether the family disguises at least one of the groups, and all those of several."""
    fits = [layout.family.suits(part) for part in layout.parts]
    wide = [fit for fit, part in zip(fits, layout.parts, strict=True) if len(part) > 1]
    return any(fits) and all(wide)


def _best(options: Sequence[Option], badness: Callable[[Option], float]) -> Option:
    """The first of those that are as good as the best."""
    judged = [badness(option) for option in options]
    return options[next(i for i, bad in enumerate(judged) if bad <= min(judged) * EQUAL)]


def _most_private(able: Sequence[Option], goal: Goal, n: int, wish: Wish) -> Option:
    """Of the best grouping, the family that can be shrunk to the least ε, or else best guess.

    Without limits every grouping is as good as undisguised, and ε alone decides.
    """
    if wish.together and wish.limits.are_given:
        joint = [option.precision.joint_margin(n) or inf for option in able]
        best = able[joint.index(min(joint))].grouping
        able = [option for option in able if option.grouping == best]
    weakened = [option.weakened(goal, n, wish) for option in able]
    finite = [option for option in weakened if option.privacy.epsilon < inf]
    if finite:
        return _best(finite, lambda option: option.privacy.epsilon)
    return _best(weakened, lambda option: option.privacy.guess)


def _whole(wish: Wish, goal: Goal, n: int, best: Option, options: Sequence[Option]) -> Plan:
    schema = wish.population.schema
    found = best.figures(n, goal)
    return Plan(
        wish,
        goal,
        n,
        found,
        Design(schema, best.groups),
        _alternatives(options, n, goal),
        _tradeoff(best, wish, n, goal),
        None if wish.compliance is None else _shortfall(best, wish, n, goal),
        worst_cell(best, n, wish) if wish.together else None,
    )


def _alternatives(options: Sequence[Option], n: int, goal: Goal) -> tuple[Figures, ...]:
    """Of each channel and grouping the best at the limit (forced ones come in several splits)."""
    kinds = dict.fromkeys((option.channel, option.grouping) for option in options)
    found = []
    for kind in kinds:
        same = [option for option in options if (option.channel, option.grouping) == kind]
        found.append(_best(same, lambda option: option.precision.margin(n)).figures(n, goal))
    return tuple(found)


def _tradeoff(best: Option, wish: Wish, n: int, goal: Goal) -> tuple[Row, ...]:
    """The same layout with all signals alike, from weak to strong, and the recommended one."""
    steps = (Option.tried(best.layout, (step,) * len(best.signals), wish) for step in STEPS)
    others = [option for option in steps if option and option.thetas != best.thetas]
    rows = (
        Row(
            option.figures(n, goal),
            option.privacy.within(wish.limits),
            option is best,
            Design(wish.population.schema, option.groups),
        )
        for option in [best, *others]
    )
    return tuple(sorted(rows, key=lambda row: -row.figures.margin))


def _shortfall(best: Option, wish: Wish, n: int, goal: Goal) -> Shortfall:
    compliance = wish.compliance
    assert compliance is not None
    off = {}
    for device, actual in zip(best.groups, best.counted, strict=True):
        (attribute,) = device.attributes
        wrong = biases(device, actual, wish.population.table([attribute.name]))
        off[attribute.name] = dict(zip(attribute.values, wrong.tolist(), strict=True))
    everybody = Option.at(best.layout, best.signals, replace(wish, compliance=None))
    return Shortfall(
        float(compliance.having),
        float(compliance.lacking),
        compliance.otherwise,
        off,
        everybody.figures(n, goal),
        Design(wish.population.schema, best.counted),
    )
