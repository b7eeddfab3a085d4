"""How strong a signal each group gets: as precise as limits allow, or as private as a goal allows.

An ε for the whole report is shared out in three ways: *evenly* over the groups; so that all
*signals* are the same; and so that all groups *need* the same number of respondents. The last takes
the fewest people to know every share, the others may know joint cells better.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from math import exp, inf, log

from deniable.privacy.measures.single_answer import total_epsilon
from deniable.privacy.plan.limits import Limits
from deniable.privacy.plan.plan_request import Goal
from deniable.privacy.plan.planned_group import STRONGEST, WEAKEST, Knob, PlannedGroup
from deniable.privacy.plan.precision import first

ROUNDS = 3
"""After these the groups' needs agree to a percent or so."""

NEARLY_SPENT = 1e-3
"""How close, in parts of itself, a level or a budget is met."""

LOWEST, HIGHEST, FIRST_STEP = -30.0, 60.0, 0.25
"""Levels (logarithms of variances) beyond those of any question, and how to search for one."""

Signals = tuple[int, ...]
Cost = Callable[[PlannedGroup], float | None]
"""What a group's lack of precision costs, about in proportion to its variance; None: nothing."""


def as_precise(knobs: Sequence[Knob], limits: Limits, cost: Cost) -> list[Signals]:
    """Find the strongest signals within the limits; none where there are none."""
    budget, alone = limits.budget, limits.alone
    highest = _each_within(knobs, alone)
    if highest is None:
        return []
    if budget is None or _spent(knobs, highest) <= budget:
        return [highest]
    ways = (
        _each_within(knobs, replace(alone, epsilon=budget / len(knobs))),
        _alike(knobs, highest, budget),
        _fair(knobs, highest, budget, cost) if len(knobs) > 1 else None,
    )
    return list(dict.fromkeys(way for way in ways if way is not None))


def as_private(knobs: Sequence[Knob], limits: Limits, goal: Goal, n: int) -> Signals | None:
    """Find the weakest signals that keep the goal, each group by itself; None where none do.

    If nothing is asked of a question (only others are tested), it is to be known as precisely as
    the least precise of those, or as what they leave of the limits allows.
    """
    highest = _each_within(knobs, limits.alone)
    if highest is None:
        return None
    least = [
        knob.weakest(lambda piece: piece.keeps(goal, n)) if _is_asked(knob, goal) else WEAKEST
        for knob in knobs
    ]
    signals = tuple(signal for signal in least if signal is not None)
    budget = inf if limits.budget is None else limits.budget
    if len(signals) < len(least) or _spent(knobs, signals) > budget:
        return None
    pieces = [knob.at(s) for knob, s in zip(knobs, signals, strict=True) if _is_asked(knob, goal)]
    if len(pieces) == len(knobs):
        return signals

    def others(level: float) -> Signals:
        wanted = _levelled(knobs, [1.0] * len(knobs), highest, level)
        triples = zip(knobs, signals, wanted, strict=True)
        return tuple(own if _is_asked(knob, goal) else rest for knob, own, rest in triples)

    lowest = log(max(piece.variance for piece in pieces if piece is not None))
    if _spent(knobs, others(lowest)) <= budget:
        return others(lowest)
    return others(_level(lowest, lambda level: _spent(knobs, others(level)), budget))


def _is_asked(knob: Knob, goal: Goal) -> bool:
    return goal.margin is not None or any(each.name in goal.against for each in knob.part)


def _each_within(knobs: Sequence[Knob], limits: Limits) -> Signals | None:
    found = [knob.strongest(limits) for knob in knobs]
    signals = tuple(signal for signal in found if signal is not None)
    return signals if len(signals) == len(found) else None


def _spent(knobs: Sequence[Knob], signals: Signals) -> float:
    pieces = (knob.at(signal) for knob, signal in zip(knobs, signals, strict=True))
    return total_epsilon(0.0 if piece is None else piece.epsilon for piece in pieces)


def _alike(knobs: Sequence[Knob], highest: Signals, budget: float) -> Signals | None:
    def alike(signal: int) -> Signals:
        return tuple(min(signal, most) for most in highest)

    found = first(WEAKEST, STRONGEST + 1, lambda signal: _spent(knobs, alike(signal)) > budget)
    return alike(found - 1) if found > WEAKEST else None


def _fair(knobs: Sequence[Knob], highest: Signals, budget: float, cost: Cost) -> Signals | None:
    """Make all groups cost the same.

    Costs are slow to find and nearly proportional to variances, so these are levelled, each times
    a weight that is what its cost turned out to be.
    """
    if _spent(knobs, _levelled(knobs, [1.0] * len(knobs), highest, HIGHEST)) > budget:
        return None
    weights, level, signals = [1.0] * len(knobs), 0.0, highest
    for _ in range(ROUNDS):
        at = partial(_levelled, knobs, weights, highest)
        level = _level(level, lambda level: _spent(knobs, at(level)), budget)  # noqa: B023
        signals = at(level)
        ratios = [_ratio(knob.at(s), cost) for knob, s in zip(knobs, signals, strict=True)]
        least = min((ratio for ratio in ratios if ratio is not None), default=1.0)
        weights = [1.0 if ratio is None else ratio / least for ratio in ratios]
    return signals if _spent(knobs, signals) <= budget else None


def _ratio(piece: PlannedGroup | None, cost: Cost) -> float | None:
    """What a unit of variance costs; None where it costs nothing."""
    costs = None if piece is None else cost(piece)
    return None if piece is None or not costs else costs / piece.variance


def _levelled(
    knobs: Sequence[Knob], weights: Sequence[float], highest: Signals, level: float
) -> Signals:
    """Bring all variances, each times its weight, down to e^level, if limits allow."""
    found = []
    for knob, weight, most in zip(knobs, weights, highest, strict=True):
        least = knob.weakest(lambda piece: piece.variance * weight <= exp(level))  # noqa: B023
        found.append(most if least is None else min(least, most))
    return tuple(found)


def _level(start: float, spent: Callable[[float], float], budget: float) -> float:
    """Find the lowest level that the budget allows, near where it was last."""
    low = high = start
    too_much = enough = spent(start)
    step = FIRST_STEP
    while enough > budget and high < HIGHEST:
        low, too_much, high, step = high, enough, high + step, 2 * step
        enough = spent(high)
    while too_much <= budget and low > LOWEST:
        high, enough, low, step = low, too_much, low - step, 2 * step
        too_much = spent(low)
    while (
        high - low > NEARLY_SPENT and budget - enough > NEARLY_SPENT * budget and too_much > budget
    ):
        part = (too_much - budget) / (too_much - enough)  # as if it went in a straight line
        middle = low + (high - low) * min(max(part, 0.1), 0.9)
        if (now := spent(middle)) > budget:
            low, too_much = middle, now
        else:
            high, enough = middle, now
    return high
