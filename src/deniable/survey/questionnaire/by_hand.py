"""What people can disguise by hand, with their own coin or dice, and which outcome means what.

A coin, a die, two dice, a digit or two digits of a stopwatch have 2, 6, 36, 10 or 100 sides, and a
rule must be short enough to follow: the channel says which is (`Channel.by_hand`).
"""

from collections.abc import Collection, Iterable, Sequence
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

from deniable.channel.device import Outcome
from deniable.design import Group

if TYPE_CHECKING:
    from deniable.survey.questionnaire.survey import Question

TOOLS = {"coin": 2, "die": 6, "digit": 10, "dice": 36, "digits": 100}
"""What people have at hand, the handiest first, and how many sides it has."""


def paired(questions: "Iterable[Question]") -> set[str]:
    """Questions that have a personal question beside them."""
    return {question.name for question in questions if question.personal is not None}


def group_by_hand(group: Group, beside: Collection[str]) -> dict[str, Any] | None:
    """What to throw, which outcomes there are, and what each of them says; None: too hard.

    ``beside`` names the questions that are `paired`.

    >>> from deniable.design import Design
    >>> design = Design.of({
    ...     "attributes": {"smokes": ["no", "yes"]},
    ...     "groups": [{"attributes": ["smokes"], "channel": "related", "theta": "5/6"}],
    ... })
    >>> group_by_hand(design.groups[0], beside=())
    {'tool': 'die', 'outcomes': ['1–5', '6'], 'parts': [{'do': 'truth'}, {'do': 'opposite'}]}
    """
    channel = group.channel
    if not channel.by_hand() or (channel.paired and not set(group.names) <= set(beside)):
        return None
    parts = [outcome for outcome in channel.outcomes() if outcome.chance]
    for tool, sides in TOOLS.items():
        counts = [part.chance * sides for part in parts]
        if all(count.denominator == 1 for count in counts):
            faces = _faces(tool, [int(count) for count in counts])
            said = [told(part, group) for part in parts]
            return {"tool": tool, "outcomes": faces, "parts": said} if faces else None
    return None


def told(outcome: Outcome, group: Group) -> dict[str, str]:
    """What an outcome tells to do, as the page reads it."""
    said = {"value": group.attributes[0].values[outcome.say]} if outcome.do == "say" else {}
    return {"do": outcome.do, **said}


def _faces(tool: str, counts: Sequence[int]) -> list[str] | None:
    """Share out the outcomes of something thrown; None where they do not come out."""
    if tool == "coin":
        return ["heads, tails"] if len(counts) == 1 else ["heads", "tails"]
    if tool == "dice":
        sums = _sums(counts)
        return None if sums is None else [_ranges(some) for some in sums]
    start, width = int(tool == "die"), 2 if tool == "digits" else 1
    ends = [start, *(start + end for end in accumulate(counts))]
    return [_ranges(range(a, b), width) for a, b in pairwise(ends)]


def _sums(counts: Sequence[int]) -> list[list[int]] | None:
    """Sums of two dice for each part, the commonest that still fit first; the last has the rest."""
    left = sorted(range(2, 13), key=lambda total: (-_ways(total), total))
    found = []
    for count in counts[:-1]:
        taken: list[int] = []
        for total in left:
            if sum(map(_ways, taken)) + _ways(total) <= count:
                taken.append(total)
        if sum(map(_ways, taken)) < count:
            return None
        left = [total for total in left if total not in taken]
        found.append(taken)
    return [*found, left]


def _ways(total: int) -> int:
    """In how many of 36 ways two dice show it together."""
    return 6 - abs(7 - total)


def _ranges(numbers: Iterable[int], width: int = 1) -> str:
    """Write numbers as short as they go: 2, 5–7, 12."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    ends = ([run[0], run[-1]] if len(run) > 1 else run for run in runs)
    return ", ".join("–".join(f"{end:0{width}}" for end in run) for run in ends)
