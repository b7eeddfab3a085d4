"""What to say when a request cannot be granted: what would be needed instead."""

from collections.abc import Sequence
from math import ceil, floor, log10

from deniable.base.errors import DesignError
from deniable.base.wording import given_percent, joined, points
from deniable.privacy.plan.design_option import DesignOption
from deniable.privacy.plan.group_signals import as_private
from deniable.privacy.plan.limits import Limits, PlannedPrivacy
from deniable.privacy.plan.plan_request import Goal
from deniable.privacy.plan.planned_group import GroupLayout

LOOSEST = 20.0
"""An ε beyond which nothing is disguised to speak of."""

USELESS = 0.5
"""A margin that holds every share."""


def required(
    options: Sequence[DesignOption], goal: Goal, n: int, within: Limits
) -> list[DesignOption]:
    """Give every layout's most private design that keeps the goal, if it is within limits."""
    found = []
    for layout in dict.fromkeys(option.layout for option in options):
        signals = as_private(layout.knobs, within, goal, n)
        option = None if signals is None else DesignOption.at(layout, signals)
        if option is not None and option.privacy.within(within):
            found.append(option)
    return found


def out_of_reach(options: Sequence[DesignOption], goal: Goal, n: int) -> DesignError:
    """Say how far designs within the limits get, and what would do."""
    request = options[0].request
    margin = min(option.margin(n) for option in options)
    reached, wanted = [], []
    if goal.margin is not None:
        reached.append(f"± {points(margin)} points")
        wanted.append(f"± {points(goal.margin)}")
    if goal.power is not None:
        reached.append(f"power {max(option.power(n) or 0 for option in options):.2f}")
        wanted.append(f"{goal.power:g}")
    limits = f" within {in_words(request.limits)}" if request.limits.are_given else ""
    needed = [people for option in options if (people := option.needed(goal)) is not None]
    ways = [f"ask {rounded_up(min(needed)):,} people"] if needed else []
    ways += _looser(required(options, goal, n, Limits()), request.limits)
    if goal.margin is not None and goal.power is None and margin < USELESS:
        ways.append(f"accept --margin {ceil(margin * 1000) / 1000:g}")
    if request.could_share_epsilon:
        ways.append("share one ε in one group: --together NAME,NAME")
    return DesignError(
        f"{n:,} respondents{limits} reach {joined(reached)} at best, not {joined(wanted)}.",
        hint=_either(ways or ["ask for less precision"]),
    )


def _either(ways: Sequence[str]) -> str:
    if len(ways) > 1:
        return f"Either {', or '.join(ways)}."
    return f"{ways[0][0].upper()}{ways[0][1:]}."


def _looser(able: Sequence[DesignOption], limits: Limits) -> list[str]:
    """The least loosening of a single limit that would do; nothing if there are more, or none."""
    if not able or not limits.are_given:
        return []
    each: list[PlannedPrivacy] = [option.privacy for option in able]
    if [limits.epsilon, limits.guess, limits.pse].count(None) < 2:  # noqa: PLR2004
        return ["loosen a limit"]
    if limits.epsilon is not None:
        spent = min(p.epsilon if limits.per == "record" else p.largest for p in each)
        return [f"allow --epsilon {ceil(spent * 100) / 100:g}"] if spent <= LOOSEST else []
    if limits.guess is not None:
        guess = ceil(min(p.guess for p in each) * 1000) / 1000
        return [f"allow --guess {guess:g}"] if guess < 1 else []
    pse = floor(max(p.pse for p in each) * 1000) / 1000
    return [f"allow --pse {pse:g}"] if pse > 0 else []


def too_strict(layout: GroupLayout) -> DesignError:
    """Say why no design is within the limits."""
    request = layout.request
    if request.compliance is not None:
        private = [knob.strongest(request.limits) for knob in layout.knobs]
        if None in private:
            return DesignError(
                "How people who do not follow the device answer gives away more than "
                f"{in_words(request.limits)} allows, whatever the device.",
                hint="Loosen the limit, or plan for more people who follow the device.",
            )
        return DesignError(
            "So few follow the device, within these limits, that some value is reported as often "
            "by others as by those whose truth it is.",
            hint="Loosen the limit, or plan for more people who follow the device.",
        )
    if not request.channels:
        return DesignError(
            f"No design within {in_words(request.limits)} tells anything at all.",
            hint="Loosen the limit.",
        )
    return DesignError(
        f"No {joined(request.channels, 'or')} design is within {in_words(request.limits)}.",
        hint="Leave --channel out, or loosen the limit; some channels have infinite ε.",
    )


def in_words(limits: Limits) -> str:
    """Write limits for a sentence."""
    words = []
    if limits.epsilon is not None:
        words.append(f"ε = {limits.epsilon:g} per {limits.per}")
    if limits.guess is not None:
        words.append(f"a best guess right {given_percent(limits.guess)} of the time")
    if limits.pse is not None:
        words.append(f"PSE of {limits.pse:g} or more")
    return joined(words)


def rounded_up(number: int) -> int:
    """Keep three digits, rounded up.

    >>> rounded_up(4321), rounded_up(98)
    (4330, 98)
    """
    step = int(10 ** max(int(log10(number)) - 2, 0))
    return -(-number // step) * step
