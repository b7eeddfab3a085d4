"""What people can disguise by hand, with their own coin or dice, and which outcome means what.

A rule is something to throw and a line for each outcome. Most lines hold whatever the truth is:
give your real answer, say this, go on so many places in the list. Where the device depends on the
truth, a line names an answer for each truth. Where one throw has not the sides, or several answers
need a throw each, a line says to throw again. A rule of more lines than people follow is none.
"""

from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from deniable.channel.channel import BINARY, Channel
from deniable.channel.device import Outcome
from deniable.design import Group
from deniable.survey.questionnaire.throws import TOOLS, thrown

if TYPE_CHECKING:
    from deniable.survey.questionnaire.survey import Question

MOST_LINES = 10
"""Outcomes of one throw that people still look up."""

MOST_TABLED = 4
"""Values up to which a line may name an answer for each truth, and as many lines of that kind."""

MOST_AGAIN = 4
"""Answers up to which each may get a throw of its own."""

EARLIER_TOOLS = ("coin", "die", "digit", "dice", "digits")
"""What versions before had, and which was tried first."""

Part = dict[str, Any]
Parts = list[tuple[Fraction, Part]]
Rule = dict[str, Any]


def paired(questions: "Iterable[Question]") -> set[str]:
    """Questions that have a personal question beside them."""
    return {question.name for question in questions if question.personal is not None}


def ticked(questions: "Iterable[Question]") -> set[str]:
    """Attributes that are boxes of a question with several answers."""
    return {a.name for question in questions if question.several for a in question.attributes}


def group_by_hand(
    group: Group, beside: Collection[str], boxes: Collection[str] = ()
) -> Rule | None:
    """What to throw, which outcomes there are, and what each of them says; None: too hard.

    ``beside`` names the questions that are `paired`, ``boxes`` the attributes that are `ticked`.

    >>> from deniable.design import Design
    >>> def rule(values, **channel):
    ...     group = {"attributes": ["it"], **channel}
    ...     design = Design.of({"attributes": {"it": values}, "groups": [group]})
    ...     return group_by_hand(design.groups[0], beside=())
    >>> rule(["no", "yes"], channel="related", theta="5/6")
    {'tool': 'die', 'outcomes': ['1–5', '6'], 'parts': [{'do': 'truth'}, {'do': 'opposite'}]}
    >>> found = rule(["never", "once", "often"], channel="related", theta="2/3")
    >>> found["tool"], found["outcomes"], found["parts"]
    ('die', ['1–4', '5', '6'], [{'do': 'truth'}, {'do': 'step', 'by': 1}, {'do': 'step', 'by': 2}])
    """
    channel = group.channel
    outcomes = [outcome for outcome in channel.outcomes() if outcome.chance]
    if not channel.by_hand() or len(outcomes) == 1:
        return None
    asked = channel.paired is not None and set(group.names) <= set(beside)
    if _is_plain(outcomes) and (asked or channel.paired is None):
        return _thrown_once([(each.chance, told(each, group)) for each in outcomes])
    if len(group.names) > 1:
        return None if set(group.names) & set(boxes) else _each_again(group, outcomes)
    if outcomes:
        return _thrown_twice(_spread(group, outcomes))
    return _by_truth(group)


def earlier_by_hand(group: Group, beside: Collection[str]) -> Rule | None:
    """The rule of versions before: of one throw, and for what needs no list of answers."""
    channel = group.channel
    outcomes = [outcome for outcome in channel.outcomes() if outcome.chance]
    hard = channel.paired is not None and not set(group.names) <= set(beside)
    if hard or not channel.by_hand() or len(outcomes) < BINARY or not _is_plain(outcomes):
        return None
    return _thrown_once([(each.chance, told(each, group)) for each in outcomes], EARLIER_TOOLS)


def told(outcome: Outcome, group: Group) -> Part:
    """What an outcome tells to do, as the page reads it."""
    said = {"value": group.attributes[0].values[outcome.say]} if outcome.do == "say" else {}
    return {"do": outcome.do, **said}


def _is_plain(outcomes: Collection[Outcome]) -> bool:
    """Whether people can do what the outcomes say: nobody draws evenly in their head."""
    return bool(outcomes) and {each.do for each in outcomes}.isdisjoint({"another", "drawn"})


def _thrown_once(parts: Parts, tools: Iterable[str] = TOOLS) -> Rule | None:
    tool, faces = thrown([chance for chance, _ in parts], tools)
    if not tool or len(parts) > MOST_LINES:
        return None
    return {"tool": tool, "outcomes": faces, "parts": [part for _, part in parts]}


def _thrown_twice(parts: Parts) -> Rule | None:
    """One throw, if it has the sides; else one for whether it is the truth, one for what else."""
    (honest, truth), *others = parts
    once = _thrown_once(parts)
    left = 1 - honest
    if once is not None or not left or truth != {"do": "truth"}:
        return once
    again = _thrown_once([(chance / left, part) for chance, part in others])
    if again is None:
        return None
    return _thrown_once([(honest, truth), (left, {"do": "throw", "every": False, "then": again})])


def _spread(group: Group, outcomes: Iterable[Outcome]) -> Parts:
    """Say of one attribute what is drawn: how far to go on, or which answer to give."""
    (attribute,), size = group.attributes, group.attributes[0].size
    parts: Parts = []
    for outcome in outcomes:
        if outcome.do == "another":
            parts += [(outcome.chance / (size - 1), _step(by)) for by in range(1, size)]
        elif outcome.do in {"drawn", "personal"}:  # it does not depend on the truth
            columns = group.channel.exact_columns()
            drawn = [min(column[code] for column in columns) for code in range(size)]
            said = zip(drawn, attribute.values, strict=True)
            parts += [(chance, {"do": "say", "value": value}) for chance, value in said if chance]
        else:
            parts.append((outcome.chance, told(outcome, group)))
    return parts


def _step(by: int) -> Part:
    return {"do": "step", "by": by}


def _each_again(group: Group, outcomes: Iterable[Outcome]) -> Rule | None:
    """One throw for all of a group; where it says so, another one for each of the answers."""
    size = group.attributes[0].size
    same = all(attribute.size == size for attribute in group.attributes)
    if not same or len(group.names) > MOST_AGAIN:
        return None
    drawn: dict[str, list[Part]] = {
        "another": [_step(by) for by in range(1, size)],
        "drawn": [{"do": "nth", "place": place} for place in range(size)],
    }
    parts: Parts = []
    for outcome in outcomes:
        part = told(outcome, group)
        if outcome.do in drawn:
            some = drawn[outcome.do]
            again = _thrown_once([(Fraction(1, len(some)), each) for each in some])
            if again is None:
                return None
            part = {"do": "throw", "every": True, "then": again}
        elif outcome.do == "personal":  # drawn by the device, and not evenly
            return None
        parts.append((outcome.chance, part))
    return _thrown_once(parts)


def _by_truth(group: Group) -> Rule | None:
    """One throw that means something else for each truth, in as few lines as there can be."""
    if len(group.names) > 1 or group.attributes[0].size > MOST_TABLED:
        return None
    values, channel = group.attributes[0].values, group.channel
    found = min((_lines(channel, turn) for turn in (True, False)), key=len)
    parts = [(chance, _named(codes, values)) for chance, codes in found]
    return None if len(found) > MOST_TABLED else _thrown_once(parts)


def _lines(channel: Channel, turn: bool) -> list[tuple[Fraction, tuple[int, ...]]]:
    """Lay the truths' reports beside each other, each truth's own first; cut where any changes.

    The others follow in the order of the list, from the truth on (``turn``) or from its start.
    """
    columns = channel.exact_columns()
    every = range(len(columns))
    orders = [
        [(truth + step) % len(columns) for step in every]
        if turn
        else [truth, *(code for code in every if code != truth)]
        for truth in every
    ]
    ends = [
        list(accumulate(column[code] for code in order))
        for column, order in zip(columns, orders, strict=True)
    ]
    found, start = [], Fraction(0)
    for end in sorted({end for some in ends for end in some if end}):
        codes = tuple(
            order[next(place for place, last in enumerate(some) if last > start)]
            for order, some in zip(orders, ends, strict=True)
        )
        found.append((end - start, codes))
        start = end
    return found


def _named(codes: Sequence[int], values: Sequence[str]) -> Part:
    """Say what a line means in the fewest words."""
    size = len(values)
    steps = {(code - truth) % size for truth, code in enumerate(codes)}
    if len(set(codes)) == 1:
        return {"do": "say", "value": values[codes[0]]}
    if len(steps) > 1:
        return {"do": "each", "values": [values[code] for code in codes]}
    (by,) = steps
    if by == 0:
        return {"do": "truth"}
    return {"do": "opposite"} if size == BINARY else _step(by)
