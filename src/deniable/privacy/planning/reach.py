"""What to say when a wish cannot be granted: what would be needed instead."""

from dataclasses import replace
from math import ceil, floor, log10

from deniable.errors import DesignError
from deniable.privacy.planning.layout import STRONGEST, Layout
from deniable.privacy.planning.option import Option
from deniable.privacy.planning.wish import Goal, Limits, Wish

LOOSEST = 20.0
"""An ε beyond which nothing is disguised to speak of."""

TRIES = 12


def out_of_reach(best: Option, goal: Goal, n: int, wish: Wish) -> DesignError:
    """Say how far the best design within the limits gets, and what would do."""
    reached = []
    if goal.margin is not None:
        reached.append(f"± {points(best.precision.margin(n))} points")
    if goal.power is not None:
        reached.append(f"power {best.precision.power(n):.2f}")
    wanted = []
    if goal.margin is not None:
        wanted.append(f"± {points(goal.margin)}")
    if goal.power is not None:
        wanted.append(f"{goal.power:g}")
    limits = f" within {in_words(wish.limits)}" if wish.limits.are_given else ""
    needed = best.precision.needed(goal)
    ways = [] if needed is None else [f"ask {rounded_up(needed):,} people"]
    ways += _looser(best.layout, goal, n, wish)
    if goal.margin is not None and goal.power is None:
        ways.append(f"accept --margin {ceil(best.precision.margin(n) * 1000) / 1000:g}")
    limited = wish.limits.epsilon is not None and wish.limits.per == "record"
    if limited and len(wish.names) > 1 and not wish.together and wish.compliance is None:
        ways.append("share one ε in one group: --together NAME,NAME")
    return DesignError(
        f"{n:,} respondents{limits} reach {' and '.join(reached)} at best, not "
        f"{' and '.join(wanted)}.",
        hint=f"Either {', or '.join(ways)}.",
    )


def too_strict(layout: Layout, wish: Wish) -> DesignError:
    """Say why no design is within the limits."""
    if wish.compliance is not None and layout.strongest(wish.limits, wish.population):
        return DesignError(
            "So few follow the device, within these limits, that some value is reported as often "
            "by others as by those whose truth it is.",
            hint="Loosen the limit, or plan for more people who follow the device.",
        )
    if not wish.channels:
        return DesignError(
            f"No design within {in_words(wish.limits)} tells anything at all.",
            hint="Loosen the limit.",
        )
    return DesignError(
        f"No {' or '.join(wish.channels)} design is within {in_words(wish.limits)}.",
        hint="Leave --channel out, or loosen the limit; some channels have infinite ε.",
    )


def in_words(limits: Limits) -> str:
    """Write limits for a sentence."""
    words = []
    if limits.epsilon is not None:
        words.append(f"ε = {limits.epsilon:g} per {limits.per}")
    if limits.guess is not None:
        words.append(f"a best guess right {limits.guess * 100:g} % of the time")
    if limits.pse is not None:
        words.append(f"PSE of {limits.pse:g} or more")
    return " and ".join(words)


def points(share: float) -> str:
    """Write a margin in percentage points, rounded up: a promise is not rounded down.

    >>> points(0.0301), points(0.03)
    ('3.1', '3')
    """
    return f"{ceil(round(share * 1000, 6)) / 10:g}"


def rounded_up(number: int) -> int:
    """Keep three digits, rounded up.

    >>> rounded_up(4321), rounded_up(98)
    (4330, 98)
    """
    step = int(10 ** max(int(log10(number)) - 2, 0))
    return -(-number // step) * step


def _looser(layout: Layout, goal: Goal, n: int, wish: Wish) -> list[str]:
    """The least loosening of a single limit that would do; nothing if there are more, or none."""
    limits = wish.limits
    given = [limit for limit in (limits.epsilon, limits.guess, limits.pse) if limit is not None]
    open_ = Option.tried(layout, (STRONGEST,) * len(layout.parts), wish)
    if open_ is None or not open_.precision.keeps(goal, n):
        return []
    if len(given) != 1:
        return ["loosen a limit"] if given else []

    def kept(part: float) -> bool:
        strongest = layout.strongest(_loosened(limits, part), wish.population)
        options = (Option.tried(layout, signals, wish) for signals in strongest)
        return any(option and option.precision.keeps(goal, n) for option in options)

    low, high = 0.0, 1.0
    if not kept(high):
        return []
    for _ in range(TRIES):
        middle = (low + high) / 2
        low, high = (low, middle) if kept(middle) else (middle, high)
    enough = _loosened(limits, high)
    if enough.epsilon is not None:
        return [f"allow --epsilon {ceil(enough.epsilon * 100) / 100:g}"]
    if enough.guess is not None:
        return [f"allow --guess {ceil(enough.guess * 1000) / 1000:g}"]
    assert enough.pse is not None
    return [f"allow --pse {floor(enough.pse * 1000) / 1000:g}"]


def _loosened(limits: Limits, part: float) -> Limits:
    """Move each limit towards none at all."""
    nearly = 1 - 1e-3
    return replace(
        limits,
        epsilon=limits.epsilon and limits.epsilon + part * max(LOOSEST - limits.epsilon, 0),
        guess=limits.guess and limits.guess + part * max(nearly - limits.guess, 0),
        pse=limits.pse and limits.pse * (1 - nearly * part),
    )
