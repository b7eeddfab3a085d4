"""What is worrying about a design whoever is asked: known before anybody is.

Each kind of flaw is said once, for the worst group that has it; how many others have it, too, is
added.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import inf, isinf

from deniable.base.arrays import Mask
from deniable.base.wording import MANY_TIMES, epsilon_bound, joined, of_100, plural, times
from deniable.channel.channel import names as named
from deniable.design import Design, Group
from deniable.privacy.measures.influence import most_influence
from deniable.privacy.measures.single_answer import (
    entry_matrix,
    epsilon,
    guess_if_even,
    tells_all,
    total_epsilon,
)
from deniable.schema import Attribute

WEAK = 3.0
"""ε above which a group is hardly disguised: e³ is a ratio of 20 to 1."""

OPEN = 0.9
"""An answer, or a whole record, that is guessed right so often is open."""

BARE = 0.99
"""So often guessed right, an answer might as well not be disguised."""

HEAVY = 25.0
"""Weight of one forged report above which a few forgers decide the result."""

MOST_NAMED = 5


@dataclass(frozen=True)
class PrivacyWarning:
    """A sentence, and how serious it is: the larger, the worse."""

    weight: float
    sentence: str
    remedy: str = ""
    """What can be done, where that is not to choose another device."""


def design_warnings(design: Design) -> list[PrivacyWarning]:
    """List what is worrying about a design, the most serious first."""
    return sorted(_found(design), key=lambda concern: -concern.weight)


def most_serious(design: Design) -> str | None:
    """The one thing that whoever uses this design should know, if there is one."""
    found = design_warnings(design)
    return found[0].sentence if found else None


def _found(design: Design) -> Iterator[PrivacyWarning]:
    if not design.groups:
        yield PrivacyWarning(100, "Nothing is disguised: every attribute is public.")
    by_kind: dict[Callable[[Group, str], PrivacyWarning], list[Group]] = {}
    for group in design.groups:
        kind = _kind(group)
        if kind is not None:
            by_kind.setdefault(kind, []).append(group)
    for kind, groups in by_kind.items():
        worst = max(groups, key=lambda group: (kind(group, "").weight, len(group.names)))
        yield kind(worst, _others(groups))
    yield from in_total(design)


def in_total(design: Design) -> Iterator[PrivacyWarning]:
    """What is worrying about all groups taken together, however sound each may be."""
    spent = total_epsilon(epsilon(group.channel) for group in design.groups)
    if len(design.groups) > 1 and WEAK * 2 < spent < inf:
        yield PrivacyWarning(
            30,
            f"The {len(design.groups)} groups add up: a whole report may be {times(spent)} "
            f"times likelier under one record than under another (ε = {epsilon_bound(spent)}).",
            "Ask fewer disguised questions, or accept wider margins: weaker devices keep those.",
        )
    heaviest = 0.0 if design.needs_second_sample else most_influence(design)
    if heaviest > HEAVY:
        often = f"{heaviest:,.0f}" if heaviest < MANY_TIMES else "over a million"
        yield PrivacyWarning(
            20,
            f"One forged report can move a count that touches every group by {often} people: a "
            "few forgers decide such counts.",
            "Invite people, so that each answers once; counts of single questions move less.",
        )


def _kind(group: Group) -> Callable[[Group, str], PrivacyWarning] | None:
    """The worst that can be said of a group, if anything."""
    attributes = _varying(group)
    channel = group.channel
    if not attributes:
        return None
    if channel.paired is not None and not channel.paired.known:
        return _bare if channel.paired.theta == 1 else _unknown
    if isinf(epsilon(channel)):
        if tells_all(group):
            return _bare
        return _one_coin if channel.shares_coin else _excluding
    if max(guess_if_even(group, attribute.name) for attribute in attributes) >= OPEN:
        return _open
    return _weak if epsilon(channel) > WEAK else None


def _bare(group: Group, others: str) -> PrivacyWarning:
    who, verb = _who(group)
    return PrivacyWarning(
        95, f"{who} {verb} not disguised at all{others}: the report gives it away."
    )


def _one_coin(group: Group, others: str) -> PrivacyWarning:
    binary = set(group.channel.sizes) == {2}
    left = "itself and its opposite" if binary else "itself and what differs from it everywhere"
    then = "knows them all" if binary else "rules out much more"
    return PrivacyWarning(
        90,
        f"{_who(group)[0]} share one coin{others}: a report leaves only {left} (ε = ∞), and "
        f"whoever knows one of them {then}.",
    )


def _excluding(group: Group, others: str) -> PrivacyWarning:
    """A report that some truth could never give; a proof is worse than an exclusion."""
    found = [
        (len(possible) == 1, attribute, report, possible, never)
        for attribute in _varying(group)
        for report, row in zip(attribute.values, entry_matrix(group, attribute.name), strict=True)
        if (possible := _values(attribute, row > 0)) and (never := _values(attribute, row == 0))
    ]
    if not found:
        return PrivacyWarning(
            80,
            f"Some reports of {_who(group)[0]} are never given by chance{others}, so they prove "
            "the truth (ε = ∞).",
        )
    proof, attribute, report, possible, never = max(found, key=lambda each: each[0])
    what = repr(possible[0]) if proof else f"not {never[0]!r}"
    return PrivacyWarning(
        80 if proof else 75,
        f"A report of {attribute.name}={report} proves that it is {what}{others} (ε = ∞).",
    )


def _unknown(group: Group, others: str) -> PrivacyWarning:
    return PrivacyWarning(
        60,
        f"{_who(group)[0]}: the distribution of the personal answers is unknown{others}, so nobody "
        "can say how well the private ones are disguised.",
    )


def _open(group: Group, others: str) -> PrivacyWarning:
    open_to = max(guess_if_even(group, attribute.name) for attribute in _varying(group))
    who, verb = _who(group)
    return PrivacyWarning(
        94 if open_to >= BARE else 62,
        f"{who} {verb} hardly disguised{others}: were all answers equally common, a reader would "
        f"be right for {of_100(open_to)} people.",
    )


def _weak(group: Group, others: str) -> PrivacyWarning:
    spent = epsilon(group.channel)
    who, verb = _who(group)
    return PrivacyWarning(
        50 + min(spent, 9.0),
        f"{who} {verb} weakly disguised{others}: a report may be {times(spent)} times likelier "
        f"under one truth than under another (ε = {epsilon_bound(spent)}).",
    )


def _who(group: Group) -> tuple[str, str]:
    if len(group.names) <= MOST_NAMED:
        return named(group.attributes), "is" if len(group.names) == 1 else "are"
    more = plural(len(group.names) - MOST_NAMED + 1, "more attribute")
    return joined([*group.names[: MOST_NAMED - 1], more]), "are"


def _others(groups: Sequence[Group]) -> str:
    more = len(groups) - 1
    return f" (the same in {plural(more, 'more group')})" if more else ""


def _varying(group: Group) -> list[Attribute]:
    """Attributes that have something to hide."""
    return [attribute for attribute in group.attributes if attribute.size > 1]


def _values(attribute: Attribute, which: Mask) -> list[str]:
    return [value for value, chosen in zip(attribute.values, which, strict=True) if chosen]
