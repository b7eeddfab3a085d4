"""Numbers as people say them."""

from math import ceil, exp, isinf

from deniable.channel.channel import names as named
from deniable.design import Group
from deniable.privacy.measures.standard_error import margin
from deniable.privacy.people_of_100 import NEARLY_WHOLE
from deniable.privacy.report.figures import PrivacyReport

MOST_TIMES = 1e6


def give_or_take(std_error: float) -> str:
    """A 95 % margin, in people of 100.

    >>> give_or_take(0.0025)
    '± 0.49'
    """
    return f"± {margin(std_error) * 100:.2g}"


def times(epsilon: float) -> str:
    """Say ε as a ratio.

    >>> times(1.386294361119891)
    'A report is at most 4 times likelier under one truth than under another (ε = 1.39).'
    """
    if isinf(epsilon):
        return "Some reports rule out some truths altogether (ε = ∞)."
    if epsilon < NEARLY_WHOLE:
        return "A report says nothing (ε = 0)."
    ratio = exp(min(epsilon, 50.0))
    # Rounded up: it is a bound.
    often = (
        f"{ceil(ratio - NEARLY_WHOLE):,}"
        if ratio >= 10  # noqa: PLR2004
        else f"{ceil(ratio * 100 - NEARLY_WHOLE) / 100:g}"
    )
    much = "A report may be over a million times"
    if ratio < MOST_TIMES:
        much = f"A report is at most {often} times"
    return f"{much} likelier under one truth than under another (ε = {epsilon:.3g})."


def plural(number: int, word: str) -> str:
    """Count things."""
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"


def listed(names: list[str] | tuple[str, ...]) -> str:
    """Join names for a sentence.

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else "".join(names)


def story(group: Group) -> str:
    """What the device does, without the names that the heading says already."""
    told = group.channel.story(group.attributes).removeprefix(f"{named(group.attributes)}: ")
    return told[:1].upper() + told[1:]


def looked_at(report: PrivacyReport) -> str:
    """What this page is about."""
    public = report.design.public
    answers, groups = len(report.attributes), len(report.groups)
    if not answers:
        return "This design disguises nothing: every answer is reported as it is."
    together = f" in {plural(groups, 'group')}, each group by itself" if groups > 1 else ""
    opened = f"; {listed(public)} {'is' if len(public) == 1 else 'are'} public" if public else ""
    return (
        f"This design disguises {plural(answers, 'answer')}{together}{opened}. This page says how "
        "much somebody who reads the reports could still find out about one person."
    )


def reader(report: PrivacyReport) -> str:
    """Who is supposed to read the reports."""
    n = report.population.n or 0
    knows = {
        "even": "takes every value for as likely as any other. Somebody who knows more guesses "
        "better: that can be looked at with --population.",
        "shares": "knows how common the values are, from the shares that were given.",
        "records": f"knows how common every combination of answers is among {n:,} people, but not "
        "who has which.",
        "reports": "believes what can be estimated from "
        f"{n:,} reports of how common combinations of answers are.",
    }[report.population.source]
    public = " and what is public" if report.design.public else ""
    known = [f"{name} is “{value}”" for name, value in report.known.items()]
    more = f" Of the person in question, the reader knows already that {listed(known)}."
    return f"We suppose a reader who knows this design{public}, and {knows}{more if known else ''}"


def in_general(report: PrivacyReport) -> str:
    """Who is meant where no report has been read yet."""
    return "of whom the same is known" if report.known else "in general"


def points(within: float) -> str:
    """A margin of a share.

    >>> points(0.0517), points(0.31)
    ('± 5.2 points', '± 31 points')
    """
    return f"± {within * 100:.2g} points"


def shortened(names: list[str], room: int) -> str:
    """As many names as fit into so many letters.

    >>> shortened(["smokes", "drinks", "gambles"], 17), shortened(["occupation"], 8)
    ('smokes and 2 more', 'occupat…')
    """
    whole = listed(names)
    if len(whole) <= room:
        return whole
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    first = names[0]
    left = max(room - len(more), 4)
    return (first if len(first) <= left else f"{first[: left - 1]}…") + more


def number(value: float) -> str:
    """A figure with three digits that count, and no exponent.

    >>> number(0.32), number(1.3333), number(12345.6), number(0.0)
    ('0.32', '1.33', '12,346', '0')
    """
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"  # noqa: PLR2004
