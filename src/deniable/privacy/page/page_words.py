"""Numbers as people say them."""

from math import isinf

from deniable.base.wording import NEARLY_WHOLE, at_most_times, epsilon_bound, joined, plural, points
from deniable.channel.channel import names as named
from deniable.design import Group
from deniable.privacy.measures.standard_error import margin
from deniable.privacy.report.figures import PrivacyReport


def give_or_take(std_error: float) -> str:
    """A 95 % margin, in people of 100.

    >>> give_or_take(0.0025)
    '± 0.5'
    """
    return f"± {points(margin(std_error))}"


def tilt(epsilon: float) -> str:
    """Say ε as a ratio.

    >>> tilt(1.386294361119891)
    'A report is at most 4 times likelier under one truth than under another (ε = 1.39).'
    """
    if isinf(epsilon):
        return "Some reports rule out some truths altogether (ε = ∞)."
    if epsilon < NEARLY_WHOLE:
        return "A report says nothing (ε = 0)."
    much = f"{at_most_times(epsilon)} likelier under one truth than under another"
    return f"A report is {much} (ε = {epsilon_bound(epsilon)})."


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
    opened = f"; {joined(public)} {'is' if len(public) == 1 else 'are'} public" if public else ""
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
    more = f" Of the person in question, the reader knows already that {joined(known)}."
    return f"We suppose a reader who knows this design{public}, and {knows}{more if known else ''}"


def in_general(report: PrivacyReport) -> str:
    """Who is meant where no report has been read yet."""
    return "of whom the same is known" if report.known else "in general"


def fitted(names: list[str], room: int) -> str:
    """As many names as fit into so many letters.

    >>> fitted(["smokes", "drinks", "gambles"], 17), fitted(["occupation"], 8)
    ('smokes and 2 more', 'occupat…')
    """
    whole = joined(names)
    if len(whole) <= room:
        return whole
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    first = names[0]
    left = max(room - len(more), 4)
    return (first if len(first) <= left else f"{first[: left - 1]}…") + more
