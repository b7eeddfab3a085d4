"""What people can disguise by hand, with their own coin or dice.

A coin, a die, two dice, a digit or two digits of a stopwatch have 2, 6, 36, 10 or 100 sides, and a
rule must be short enough to follow: turn all answers around, answer the other question, or say what
the die dictates.
"""

from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction

from deniable.design import Design, Group
from deniable.survey.questionnaire.survey import Question

TWO_DICE = 36
SIDES = (2, 6, 10, TWO_DICE, 100)
"""Of what people have at hand, the handiest first."""


def by_hand(design: Design, questions: Iterable[Question]) -> bool:
    """Whether every group can be done by hand."""
    beside = paired(questions)
    return all(group_by_hand(group, beside) for group in design.groups)


def paired(questions: Iterable[Question]) -> set[str]:
    """Questions that have a personal question beside them."""
    return {question.name for question in questions if question.personal is not None}


def group_by_hand(group: Group, beside: Collection[str]) -> bool:
    """Whether one group can; ``beside`` names the questions that are `paired`.

    >>> design = Design.of({
    ...     "attributes": {"smokes": ["no", "yes"]},
    ...     "groups": [{"attributes": ["smokes"], "channel": "related", "theta": "5/6"}],
    ... })
    >>> group_by_hand(design.groups[0], beside=())
    True
    """
    channel = group.channel
    if not channel.by_hand() or (channel.paired and not set(group.names) <= set(beside)):
        return False
    return _can_be_thrown([outcome.chance for outcome in channel.outcomes()])


def _can_be_thrown(parts: Sequence[Fraction]) -> bool:
    """Whether the outcomes of the first thing with the right number of sides can be shared out."""
    for sides in SIDES:
        counts = [part * sides for part in parts if part]
        if all(count.denominator == 1 for count in counts):
            return sides != TWO_DICE or _sums_fit([int(count) for count in counts])
    return False


def _sums_fit(counts: Sequence[int]) -> bool:
    """Whether each part can have sums of two dice, as the page takes them: the commonest first."""
    left = sorted(range(2, 13), key=lambda total: (-_ways(total), total))
    for count in counts[:-1]:
        taken: set[int] = set()
        for total in left:
            if sum(map(_ways, taken)) + _ways(total) <= count:
                taken.add(total)
        if sum(map(_ways, taken)) < count:
            return False
        left = [total for total in left if total not in taken]
    return True


def _ways(total: int) -> int:
    """In how many of 36 ways two dice show it together."""
    return 6 - abs(7 - total)
