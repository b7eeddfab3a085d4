"""Cards: what reports say about a group's whole pattern, and about each answer.

How often a guess is right is drawn as a hundred people, as many of them filled in.
"""

from collections.abc import Iterable, Iterator, Sequence
from math import ceil
from typing import Literal, NamedTuple

import numpy as np

from deniable.base.wording import given_percent, joined, of_100, people, three_digits, whole_people
from deniable.design import Group
from deniable.privacy.measures.single_answer import posteriors
from deniable.privacy.page.markup import Html, fragment, table, tag
from deniable.privacy.page.page_words import give_or_take, in_general, story, tilt
from deniable.privacy.report.figures import (
    AttributePrivacy,
    GroupPrivacy,
    PrivacyFigures,
    PrivacyReport,
)

MOST_CARD_VALUES = 6
"""Values up to which the likely truths behind every report are listed."""

SAME = 5e-4
"""Chances this close look the same in people of 100."""

SIDE = 10
ACROSS, DOWN = 10, 12
"""People to a row and to a column, and how much room each of them has."""

Role = Literal["before", "after", "attacker"]


def cards(report: PrivacyReport) -> Html:
    """First the groups that share a device, then the answers that have one each."""
    groups, alone = [], []
    for group, privacy in zip(report.design.groups, report.groups, strict=True):
        if len(group.names) > 1:
            groups.append(_group(group, privacy, report))
        else:
            answer = _answer(report.attributes[group.names[0]], report)
            alone.append((group.names[0], fragment([tag("p", story(group)), answer])))
    seen = tag("p", "Public: reported as it is, and known to every reader.")
    alone += [(name, seen) for name in report.design.public]
    return fragment([*groups, *([_together(alone, "h3")] if alone else [])])


def guesses(figures: PrivacyFigures, *, alone: float | None = None) -> Html:
    """How often readers are right: before, from the answer, from the report, by an attacker."""
    shown, missing = [], ""
    if figures.before is not None:
        shown.append(Hundred(figures.before, "before", "before any report"))
    if alone is not None:
        shown.append(Hundred(alone, "after", "from this answer"))
    if figures.guess is None:
        missing = "The best guess from the whole report: too many combinations to weigh here."
    elif alone is None or abs(figures.guess - alone) > SAME:
        note = give_or_take(figures.guess_std_error) if figures.guess_std_error else ""
        shown.append(Hundred(figures.guess, "after", "from the whole report", note))
    if figures.measured:
        note = give_or_take(figures.measured.std_error)
        real = figures.measured.error is None
        who = "by a real attacker" if real else "by an attacker, as estimated"
        shown.append(Hundred(figures.measured.success, "attacker", who, note))
    return fragment([pictures(shown), *([tag("p", missing, class_="small")] if missing else [])])


def _together(answers: Iterable[tuple[str, Html]], level: str) -> Html:
    """A card each; answers about which the same is said share one."""
    names: dict[Html, list[str]] = {}
    for name, body in answers:
        names.setdefault(body, []).append(name)
    return tag("div", *(_card(who, body, level) for body, who in names.items()), class_="cards")


def _card(names: list[str], body: Html, level: str) -> Html:
    each = [tag("span", " each", class_="each")] if len(names) > 1 else []
    return tag("article", tag(level, joined(names), *each), body, class_="card")


def _more(title: str, sentences: Iterable[str], table: Html | None = None) -> Html:
    """What not everybody wants to know: folded on screens, open on paper."""
    items = tag("ul", *(tag("li", sentence) for sentence in sentences))
    return tag("details", tag("summary", title), *([table] if table else []), items)


def _group(group: Group, privacy: GroupPrivacy, report: PrivacyReport) -> Html:
    """The group's pattern, then its answers."""
    answers = [(name, _answer(report.attributes[name], report)) for name in group.names]
    return tag(
        "section",
        tag("h3", joined(group.names), " ", tag("span", "share one device", class_="each")),
        tag("p", story(group)),
        *([] if len(report.groups) == 1 else _all_right(privacy)),
        *_knowing(privacy),
        _more("More about this group", _about_group(privacy)),
        _together(answers, "h4"),
        class_="group",
    )


def _all_right(privacy: GroupPrivacy) -> list[Html]:
    """Left out where the group is the whole record, of which the same was said above."""
    return [tag("p", "All of them guessed right, of 100 people:"), guesses(privacy)]


def _knowing(privacy: GroupPrivacy) -> Iterator[Html]:
    if privacy.knowing:
        most, least = max(privacy.knowing.values()), min(privacy.knowing.values())
        best = max(privacy.knowing, key=lambda name: privacy.knowing[name])
        which = "any one of them" if most - least < SAME else best
        yield tag(
            "p",
            f"Whoever already knows {which} guesses all of them right for ",
            tag("strong", of_100(most)),
            ".",
        )


def _about_group(privacy: GroupPrivacy) -> Iterator[str]:
    yield tilt(privacy.epsilon)
    if privacy.knowing and max(privacy.knowing.values()) - min(privacy.knowing.values()) >= SAME:
        known = [f"{name}: {of_100(share)}" for name, share in privacy.knowing.items()]
        yield f"All guessed right by whoever already knows … {'; '.join(known)}."
    yield f"PSE, the smallest of these answers: {three_digits(privacy.pse)}."


def _answer(attribute: AttributePrivacy, report: PrivacyReport) -> Html:
    """All about one answer, but for its name."""
    same = attribute.guess is not None and abs(attribute.guess - attribute.guess_alone) <= SAME
    rest = " The rest of the report does not improve the guess."
    adds = rest if same and len(report.attributes) > 1 else ""
    return fragment(
        [
            tag("p", "Guessed right, of 100 people:"),
            guesses(attribute, alone=attribute.guess_alone),
            tag("p", _lifted(attribute, in_general(report)) + adds),
            _more("More about this answer", _about(attribute, report), _behind(attribute)),
        ]
    )


def _lifted(attribute: AttributePrivacy, general: str) -> str:
    """The value that a report makes likelier by most, as people of 100."""
    after = posteriors(attribute.matrix, attribute.prior)
    lifts = (after - attribute.prior).round(9)
    most = lifts.max(axis=0)
    value = int(np.flatnonzero(most == most.max())[-1])  # of equals the last: no before yes
    report, other = int(lifts[:, value].argmax()), int(lifts[:, value].argmin())
    said, unsaid = (attribute.values[row] for row in (report, other))
    shares = (after[report, value], after[other, value], attribute.prior[value])
    lifted, lowered, before = map(people, shares)
    if lifted == lowered == before:
        return "Whatever is reported, what is likely hardly changes."
    return (
        f"Of 100 people who report “{said}”, {lifted} are “{attribute.values[value]}”; "
        f"of 100 who report “{unsaid}”, {lowered} are; of 100 people {general}, {before} are."
    )


def _behind(attribute: AttributePrivacy) -> Html | None:
    """Who is behind each report, of 100 who give it."""
    if len(attribute.values) > MOST_CARD_VALUES:
        return None
    after = posteriors(attribute.matrix, attribute.prior)
    given = attribute.matrix @ attribute.prior > 0
    titles = ["Of 100 who report …", *(f"are “{value}”" for value in attribute.values)]
    rows = [
        (f"“{said}”", *map(people, row))
        for said, row, some in zip(attribute.values, after, given, strict=True)
        if some
    ]
    return table(titles, rows)


def _about(attribute: AttributePrivacy, report: PrivacyReport) -> Iterator[str]:
    yield tilt(attribute.epsilon)
    low, high = report.breach
    if report.breach_impossible:
        yield (
            f"Whoever is asked, no report turns a suspicion of {given_percent(low)} into one of "
            f"{given_percent(high)}."
        )
    again = [r for r in attribute.repeats if r.times > 1 and r.guess is not None]
    if again and attribute.guess_alone < 1 - SAME:
        steps = [f"{people(r.guess or 0)} after {r.times}" for r in again]
        yield (
            "Answered again and again, each time with a fresh coin, it is guessed right for "
            f"{joined(steps)} answers (of 100 people)."
        )
    if attribute.influences:
        most = max(influence.most for influence in attribute.influences)
        forgers = min(influence.forgers for influence in attribute.influences)
        yield (
            f"One forged report counts for up to {three_digits(most)} people; {ceil(forgers):,} of "
            f"{report.respondents:,} respondents could move the result by one standard error."
        )
    yield (
        f"PSE {three_digits(attribute.pse)}: a reader who guesses each truth as often as it is "
        f"likely is wrong about {of_100(attribute.pse)}."
    )
    if attribute.recovery:
        yield (
            f"PSE after mining {three_digits(attribute.pse_after)}: less what the known rules "
            "recover (not a probability: it can fall below 0)."
        )


class Hundred(NamedTuple):
    """One picture: whom it counts, and what is said below."""

    share: float
    role: Role
    caption: str
    note: str = ""


def picture(hundred: Hundred) -> Html:
    """Draw people, ten to a row; the count is in the title and below, not in the colour alone."""
    filled = whole_people(hundred.share)
    label = f"{of_100(hundred.share)} people {hundred.caption}"
    drawing = tag(
        "svg",
        tag("title", label),
        *_crowd(range(filled), "in"),
        *_crowd(range(filled, SIDE * SIDE), "out"),
        viewBox=f"0 0 {SIDE * ACROSS} {SIDE * DOWN}",
        role="img",
        aria_label=label,
        data_people=filled,
    )
    count = [of_100(hundred.share), *([tag("small", f" {hundred.note}")] if hundred.note else [])]
    words = tag("figcaption", tag("strong", *count), f" {hundred.caption}")
    return tag("figure", drawing, words, class_=f"hundred {hundred.role}")


def pictures(hundreds: Sequence[Hundred]) -> Html:
    """Draw several side by side."""
    shown = fragment(picture(hundred) for hundred in hundreds)
    return tag("div", shown, class_=f"hundreds of-{len(hundreds)}")


def _crowd(places: range, kind: str) -> list[Html]:
    """Heads and shoulders: short strokes with round ends, which every browser draws small."""
    at = [(place % SIDE * ACROSS + ACROSS // 2, place // SIDE * DOWN) for place in places]
    heads = "".join(f"M{x} {y + 2.6}h.01" for x, y in at)
    bodies = "".join(f"M{x} {y + 7.2}v1.4" for x, y in at)
    if not at:
        return []
    return [
        tag("path", d=heads, class_=f"{kind} head"),
        tag("path", d=bodies, class_=f"{kind} body"),
    ]
