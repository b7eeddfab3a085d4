"""The planner: recommend a design, show what else there was, and the trade-off around it.

With a margin (or power) *and* a number of respondents, the most private design that keeps both is
recommended: of every layout the weakest signals that do, and of these the least ε. Otherwise it is
the most precise one within the limits. Attributes that are mined together choose their grouping by
the worst margin over the cells of their joint table; without a number of respondents, by how many
it would take to know those cells, too, to within the margin. Designs within one percent of the best
are equals, and the one that is easiest to explain wins.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import inf

from deniable.base.errors import DesignError
from deniable.design import Design
from deniable.privacy.plan.compliance import biases
from deniable.privacy.plan.design_option import DesignOption, OptionFigures, worst_cell
from deniable.privacy.plan.plan import Plan, PlanRow, Shortfall
from deniable.privacy.plan.plan_refusals import out_of_reach, required
from deniable.privacy.plan.plan_request import Goal, PlanRequest
from deniable.privacy.plan.planned_group import GRID
from deniable.privacy.plan.precision import MOST_RESPONDENTS
from deniable.privacy.plan.search import Badness, best_of, options, recommended

USUAL_MARGIN = 0.05

STEPS = tuple(range(GRID // 10, GRID, GRID // 10))
"""Signals of the trade-off table."""


def plan(request: PlanRequest) -> Plan:
    """Recommend a design; what cannot be had is refused with what would be needed instead."""
    n, goal = request.respondents, request.goal
    if n is not None and not goal.is_given:
        return _most_precise(request, n)
    goal = goal if goal.is_given else replace(goal, margin=USUAL_MARGIN)

    def people(option: DesignOption) -> float:
        return _people(option, goal)

    found = options(request, lambda piece: piece.needed(goal), people)
    if n is not None:
        able = required(found, goal, n, request.limits)
        if not able:
            raise out_of_reach(found, goal, n, request)
        return _whole(request, goal, n, _most_private(able), found, people)
    best = recommended(found, people)
    n = best.needed(goal)
    if n is None:
        raise DesignError(
            f"Within these limits even {MOST_RESPONDENTS:,} respondents are too few.",
            hint="Loosen a limit, or ask for less precision.",
        )
    return _whole(request, goal, n, best, found, people)


def _people(option: DesignOption, goal: Goal) -> float:
    """How many keep the goal, and know the joint cells about as well (margins go as 1/√n)."""
    n = option.needed(goal)
    if n is None:
        return inf
    joint = option.joint_margin(n) or 0.0
    return n * max(1.0, joint / (goal.margin or USUAL_MARGIN)) ** 2


def _most_precise(request: PlanRequest, n: int) -> Plan:
    """Within the limits, with so many respondents."""

    def error(option: DesignOption) -> float:
        return (option.joint_margin(n) or option.margin(n)) ** 2  # goes as people do

    found = options(request, lambda piece: piece.margin(n) ** 2, error)
    best = recommended(found, error)
    goal = replace(request.goal, margin=best.margin(n))
    return _whole(request, goal, n, best, found, error)


def _most_private(able: Sequence[DesignOption]) -> DesignOption:
    """The least ε, or else the least that a reader can guess."""
    finite = [option for option in able if option.privacy.epsilon < inf]
    if finite:
        return best_of(finite, lambda option: option.privacy.epsilon)
    return best_of(able, lambda option: option.privacy.guess)


def _whole(
    request: PlanRequest,
    goal: Goal,
    n: int,
    best: DesignOption,
    found: Sequence[DesignOption],
    badness: Badness,
) -> Plan:
    return Plan(
        request,
        goal,
        n,
        best.figures(n, goal),
        Design(request.population.schema, best.groups),
        _alternatives(found, n, goal, badness),
        _tradeoff(best, request, n, goal),
        best.readings,
        None if request.compliance is None else _shortfall(best, request, n, goal),
        worst_cell(best, n, request) if request.together else None,
    )


def _alternatives(
    found: Sequence[DesignOption], n: int, goal: Goal, badness: Badness
) -> tuple[OptionFigures, ...]:
    """Of each channel and grouping the best at the limit (forced ones come in several splits)."""
    kinds = dict.fromkeys((option.channel, option.grouping) for option in found)
    best = []
    for kind in kinds:
        same = [option for option in found if (option.channel, option.grouping) == kind]
        best.append(recommended(same, badness).figures(n, goal))
    return tuple(best)


def _tradeoff(best: DesignOption, request: PlanRequest, n: int, goal: Goal) -> tuple[PlanRow, ...]:
    """The same layout with all signals alike, from weak to strong, and the recommended one."""
    steps = (DesignOption.at(best.layout, (step,) * len(best.signals), request) for step in STEPS)
    others = [option for option in steps if option and option.pieces != best.pieces]
    rows = (
        PlanRow(
            option.figures(n, goal),
            option.privacy.within(request.limits),
            option is best,
            Design(request.population.schema, option.counted),
        )
        for option in [best, *others]
    )
    return tuple(sorted(rows, key=lambda row: -row.figures.margin))


def _shortfall(best: DesignOption, request: PlanRequest, n: int, goal: Goal) -> Shortfall:
    compliance = request.compliance
    assert compliance is not None
    off = {}
    for device, actual in zip(best.groups, best.counted, strict=True):
        (attribute,) = device.attributes
        wrong = biases(device, actual, request.population.table([attribute.name]))
        off[attribute.name] = dict(zip(attribute.values, wrong.tolist(), strict=True))
    all_follow = replace(request, compliance=None)
    everybody = DesignOption.at(best.layout.under(all_follow), best.signals, all_follow)
    assert everybody is not None
    return Shortfall(
        float(compliance.having),
        float(compliance.lacking),
        compliance.otherwise,
        off,
        everybody.figures(n, goal),
        Design(request.population.schema, best.counted),
    )
