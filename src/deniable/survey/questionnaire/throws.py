"""What people throw, and which of its outcomes come up how often.

A coin, a die, a coin tossed twice, two dice, a digit or two digits of a stopwatch have 2, 6, 4, 36,
10 and 100 sides, all equally likely.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import accumulate, pairwise

TOOLS = {"coin": 2, "die": 6, "coins": 4, "dice": 36, "digit": 10, "digits": 100}
"""What people have at hand, the handiest first, and how many sides it has."""

TWO_TOSSES = ("HH", "HT", "TH", "TT")
"""A coin tossed twice: heads or tails first, then the other toss."""


def thrown(chances: Sequence[Fraction], tools: Iterable[str] = TOOLS) -> tuple[str, list[str]]:
    """Find the handiest tool that has exactly these chances, and the outcomes of each of them.

    The tool's name is empty where there is none.

    >>> thrown([Fraction(5, 6), Fraction(1, 6)])
    ('die', ['1–5', '6'])
    >>> thrown([Fraction(3, 4), Fraction(1, 4)])
    ('coins', ['HH, HT, TH', 'TT'])
    >>> thrown([Fraction(6, 7), Fraction(1, 7)])
    ('', [])
    """
    for tool in tools:
        counts = [chance * TOOLS[tool] for chance in chances]
        if all(count.denominator == 1 for count in counts):
            faces = _faces(tool, [int(count) for count in counts])
            if faces is not None:
                return tool, faces
    return "", []


def _faces(tool: str, counts: Sequence[int]) -> list[str] | None:
    """Share out the outcomes of something thrown; None where they do not come out."""
    if tool == "coin":
        return ["heads, tails"] if len(counts) == 1 else ["heads", "tails"]
    if tool == "dice":
        sums = _sums(counts)
        return None if sums is None else [_ranges(some) for some in sums]
    start, width = int(tool == "die"), 2 if tool == "digits" else 1
    ends = [start, *(start + end for end in accumulate(counts))]
    if tool == "coins":
        return [", ".join(TWO_TOSSES[a:b]) for a, b in pairwise(ends)]
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
