"""Numbers, shares, ε and lists as people read them: each is worded here, and nowhere else.

Thousands are written by Python's own ``{n:,}``; names that an error quotes, by
`deniable.base.errors.listed`. What is a promise is rounded to the side that keeps it.
"""

import re
from collections.abc import Iterable
from fractions import Fraction
from math import ceil, exp, floor, inf, log

MANY_TIMES = 1e6
"""A ratio beyond which it does not matter how large it is."""

LEAST_P = 0.001

NEARLY_WHOLE = 1e-9
"""What rounding may leave of an exact 0 or 1."""


_OBEYED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""Control characters but for the tab and the end of a line."""


def visible(text: str) -> str:
    r"""Write out what a terminal would obey: names in files of others may hold anything.

    >>> print(visible("a\x1b[2Jb"))
    a\u001b[2Jb
    """
    return _OBEYED.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text)


def joined(words: Iterable[str], last: str = "and") -> str:
    """Join words for a sentence.

    >>> joined(["a", "b", "c"]), joined(["a", "b"], "or"), joined(["a"])
    ('a, b and c', 'a or b', 'a')
    """
    *first, end = list(words) or [""]
    return f"{', '.join(first)} {last} {end}" if first else end


def plural(number: int, word: str, several: str = "") -> str:
    """Count things.

    >>> plural(1, "group"), plural(2000, "group"), plural(2, "leaf", "leaves")
    ('1 group', '2,000 groups', '2 leaves')
    """
    return f"{number:,} {word if number == 1 else several or word + 's'}"


def decimal(number: float, digits: int = 1) -> str:
    """Write a number with so many decimals, and a minus sign only where some of it is left.

    >>> decimal(1234.56), decimal(-0.34), decimal(-0.04), decimal(-inf)
    ('1,234.6', '−0.3', '0.0', '−∞')
    """
    return f"{number:z,.{digits}f}".replace("-", "−").replace("inf", "∞")


def plus_minus(value: float, error: float, digits: int = 3) -> str:
    """Write an estimate with its standard error.

    >>> plus_minus(0.81234, 0.0123)
    '0.812 ± 0.012'
    """
    return f"{decimal(value, digits)} ± {decimal(error, digits)}"


def count(number: float) -> str:
    """Write a count; whole numbers without decimals.

    >>> count(1234.0), count(-3.26)
    ('1,234', '−3.3')
    """
    return decimal(number, 0 if float(number).is_integer() else 1)


def three_digits(number: float) -> str:
    """Write a figure with three digits that count, and no exponent.

    >>> three_digits(0.32), three_digits(1.3333), three_digits(12345.6), three_digits(0.0)
    ('0.32', '1.33', '12,346', '0')
    """
    return decimal(number, 0) if abs(number) >= 100 else f"{number:.3g}".replace("-", "−")  # noqa: PLR2004


def percent(share: float, digits: int = 1) -> str:
    """Write a share that was counted or estimated.

    >>> percent(0.12345), percent(-0.012), percent(0.5, 0)
    ('12.3 %', '−1.2 %', '50 %')
    """
    return f"{decimal(share * 100, digits)} %"


def given_percent(share: float) -> str:
    """Write a share that somebody chose, such as a confidence level, as it was given.

    >>> given_percent(0.95), given_percent(0.999)
    ('95 %', '99.9 %')
    """
    return f"{share * 100:g} %"


def as_chance(chance: Fraction | float, digits: int = 3) -> str:
    """Write a probability; never as 0 % or 100 % if it is not, for that would be a certainty.

    >>> as_chance(Fraction(1, 3)), as_chance(0.7), as_chance(0.9999), as_chance(1)
    ('33.3 %', '70 %', '99.99 %', '100 %')
    """
    exact = float(chance) * 100
    written = (f"{exact:.{enough}g}" for enough in (digits, 8, 15))
    return f"{next((text for text in written if 0 < float(text) < 100), f'{exact:g}')} %"  # noqa: PLR2004


def given_p(p: float, sign: str = "=") -> str:
    """Write a p-value; how small a tiny one is, tells nothing more.

    >>> given_p(0.0312), given_p(0.0002), given_p(0.04, "≤")
    ('p = 0.031', 'p < 0.001', 'p ≤ 0.040')
    """
    return f"p < {LEAST_P:g}" if p < LEAST_P else f"p {sign} {p:.3f}"


def points(margin: float) -> str:
    """Write a margin in percentage points, rounded up: a promise is not rounded down.

    >>> points(0.0301), points(0.03)
    ('3.1', '3')
    """
    return f"{_up(margin * 100, 1):g}"


def signed_points(difference: float) -> str:
    """Write a difference of two shares.

    >>> signed_points(0.012), signed_points(-0.2)
    ('+1.2 points', '−20.0 points')
    """
    return f"{difference * 100:+z.1f} points".replace("-", "−")


def at_least(chance: float) -> str:
    """Write a probability that is promised, rounded down to three decimals.

    >>> at_least(0.8999)
    '0.899'
    """
    return f"{floor(chance * 1000) / 1000:g}"


def epsilon_bound(epsilon: float) -> str:
    """Write ε, rounded up, as it bounds what a report gives away.

    >>> epsilon_bound(log(4)), epsilon_bound(0.001), epsilon_bound(inf)
    ('1.39', '0.01', '∞')
    """
    return "∞" if epsilon == inf else f"{_up(epsilon, 2):.2f}"


def times(epsilon: float) -> str:
    """Write e^ε, how many times likelier a report can be under one truth; rounded up.

    >>> times(log(4)), times(log(1.2345)), times(3.0), times(20.0), times(inf)
    ('4', '1.24', '21', 'over a million', 'no limit')
    """
    if epsilon > log(MANY_TIMES):
        return "no limit" if epsilon == inf else "over a million"
    ratio = exp(epsilon)
    return f"{_up(ratio, 0):,.0f}" if ratio >= 10 else f"{_up(ratio, 2):g}"  # noqa: PLR2004


def at_most_times(epsilon: float) -> str:
    """Write the same as a bound for a sentence.

    >>> at_most_times(log(4)), at_most_times(20.0)
    ('at most 4 times', 'possibly over a million times')
    """
    bound = "possibly" if epsilon > log(MANY_TIMES) else "at most"
    return f"{bound} {times(epsilon)} times"


def whole_people(share: float) -> int:
    """How many of 100, rounded, but never all or none of them where that is not so.

    >>> [whole_people(share) for share in (0.0, 0.008, 0.637, 0.996, 1.0)]
    [0, 0, 64, 99, 100]
    """
    if share < 0.01:  # noqa: PLR2004
        return 0
    return 100 if share > 1 - NEARLY_WHOLE else min(round(share * 100), 99)


def people(share: float) -> str:
    """How many of 100, in words.

    >>> [people(share) for share in (0.0, 0.003, 0.637, 0.996, 1.0)]
    ['none', 'fewer than 1', '64', 'more than 99', '100']
    """
    if share < NEARLY_WHOLE:
        return "none"
    if share < 0.01:  # noqa: PLR2004
        return "fewer than 1"
    return "more than 99" if 0.99 < share < 1 - NEARLY_WHOLE else str(whole_people(share))  # noqa: PLR2004


def of_100(share: float) -> str:
    """How many of 100, with the 100."""
    return f"{people(share)} of 100"


def _up(number: float, digits: int) -> float:
    """Round up, but for what is only rounding error."""
    return ceil(round(number * 10.0**digits, 6)) / 10.0**digits
