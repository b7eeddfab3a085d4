"""What control items say, in words: the same on the researcher's page, in commands and exports."""

from collections.abc import Iterator, Mapping
from math import ceil

from deniable.base.wording import decimal, joined, percent
from deniable.compliance.behaviours import BEHAVIOUR_WORDS
from deniable.compliance.control_check import (
    CHECK_LEVEL,
    MOST_MOVED,
    NOTICED_OFTEN,
    ControlCheck,
    KindFound,
    Verdict,
)
from deniable.compliance.control_items import NOTICED, ControlItems
from deniable.compliance.interval import Interval

HEADLINES: Mapping[Verdict, str] = {
    "seen": "Some people seem not to follow the device.",
    "fine": "Nothing speaks against people following the device, and this check would know.",
    "unclear": "Whether people follow the device cannot be told yet.",
}

ASSUMED = (
    "This holds if following the device does not go along with the sensitive answer itself. People "
    "who deny only what is true of them pass a control item that is not true of them."
)


def sentences(check: ControlCheck, people: int) -> Iterator[str]:
    """Give the headline, then why, then what to do."""
    yield HEADLINES[check.verdict]
    if check.verdict == "seen":
        for kind in check.kinds:
            if kind.rate.low > 0:
                yield _seen(kind)
        if len([kind for kind in check.kinds if kind.rate.low > 0]) > 1:
            yield (
                "These are alternatives: each supposes that all others follow the device. Where "
                "two happen at once, shares that are corrected for one of them are still off."
            )
        if check.together:
            yield _at_once(check.together)
        corrected = "shares corrected for all kinds at once" if check.together else "corrected ones"
        yield f"Plain shares suppose that everybody follows the device: read the {corrected}."
    elif check.verdict == "fine":
        yield from _fine(check)
    else:
        yield from _unclear(check, people)
    for words in check.unseen:
        yield f"People who {words} do not show in these control items at all."
    for alike in check.alike:
        yield (
            f"These control items cannot tell people who {joined(alike, 'from people who')}; add "
            "one that is true of nobody, one that is true of everybody, or one more of each."
        )
    yield ASSUMED


def _seen(kind: KindFound) -> str:
    rate = kind.rate
    return (
        f"If they {kind.words}, they are {percent(rate.share)} of the people (95 % interval "
        f"{percent(rate.low)} to {percent(rate.high)})."
    )


def _at_once(together: Mapping[str, Interval]) -> str:
    told = (
        f"{percent(rate.share)} {BEHAVIOUR_WORDS[kind]} ({percent(rate.low)} to "
        f"{percent(rate.high)})"
        for kind, rate in together.items()
    )
    return f"All kinds at once: {joined(told)}."


def _fine(check: ControlCheck) -> Iterator[str]:
    least = min(kind.notices for kind in check.kinds)
    most = max(check.kinds, key=lambda kind: kind.most)
    yield (
        f"{percent(NOTICED, 0)} who ignore it in any of the ways below would have been noticed in "
        f"{_of_100(least)} such surveys or more. Up to {percent(most.most)} may {most.words} "
        "unnoticed; that would move no share by more than its standard error."
    )


def _unclear(check: ControlCheck, people: int) -> Iterator[str]:
    weak = [kind for kind in check.kinds if kind.notices < NOTICED_OFTEN]
    for kind in weak:
        yield (
            f"{percent(NOTICED, 0)} who {kind.words} would be noticed in {_of_100(kind.notices)} "
            f"such surveys; {kind.people - people:,} more answers would make it "
            f"{_of_100(NOTICED_OFTEN)}."
        )
    moved = max(check.kinds, key=lambda kind: kind.moved, default=None)
    if moved is not None and moved.moved > MOST_MOVED:
        yield (
            f"Up to {percent(moved.most)} may {moved.words} unnoticed, and so many would move a "
            f"share by {decimal(moved.moved)} standard errors: its interval may miss the truth "
            "more often than it says. Look at the corrected shares."
        )
        yield f"More answers do not change that, more control items do{_how_many(check)}."


def _how_many(check: ControlCheck) -> str:
    have = len(check.items)
    if check.more_items is None:
        return ": some that are true of nobody and some that are true of everybody"
    if check.more_items > have:
        return f": about {check.more_items} like these, where there {_are(have)} now"
    return ", if chance goes on like this: these are about as many as it takes"


def _are(number: int) -> str:
    return "is 1" if number == 1 else f"are {number}"


def foreseen(items: ControlItems, people: int) -> str:
    """Say what a check by these items will be able to notice, before anybody has answered."""
    told, most = [], 0.0
    for kind, mixture in zip(items.kinds, items.each_alone, strict=True):
        if mixture.identified:
            power = mixture.power(1, NOTICED, people, CHECK_LEVEL)
            told.append(f"{_of_100(power)} surveys if they {kind.words}")
            most = max(most, mixture.people_for(1, NOTICED, NOTICED_OFTEN, CHECK_LEVEL))
        else:
            told.append(f"none if they {kind.words}")
    more = f"; in {_of_100(NOTICED_OFTEN)} from {ceil(most):,} answers on" if most > people else ""
    return (
        f"Control {'item' if len(items.names) == 1 else 'items'} {joined(items.names)}: with "
        f"{people:,} answers, {percent(NOTICED, 0)} who ignore the device are noticed in "
        f"{joined(told)}{more}."
    )


def _of_100(chance: float) -> str:
    return f"{min(int(100 * chance), 99)} of 100"
