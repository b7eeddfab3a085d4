"""What is worrying about a design, in sentences, the most serious first.

A concern is about the design itself, so that it can be said before anyone is asked anything; with a
population, what a reader would find out comes with it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import exp, isinf

import numpy as np

from deniable.channel import Related, Unrelated
from deniable.channel.base import names as named
from deniable.design import Design, Group
from deniable.privacy.entry import entry_matrix, epsilon
from deniable.privacy.hundred import of_100, people
from deniable.privacy.influence import most_influence
from deniable.privacy.report import AttributePrivacy, PrivacyReport

WEAK = 3.0
"""ε above which one answer is hardly disguised: e³ is a ratio of 20 to 1."""

OPEN = 0.9
"""A whole record, or an answer, that is guessed so often is open."""

GAIN = 0.1
"""What a report must add to a guess to be called out."""

HEAVY = 25.0
"""Weight of one forged report above which a few forgers decide the result."""

UNIQUE = 0.05
"""Share of people alone with their public attributes, above which it is called out."""


@dataclass(frozen=True)
class Concern:
    """A sentence, and how serious it is: the larger, the worse."""

    weight: float
    sentence: str


def most_serious(design: Design) -> str | None:
    """The one thing that whoever uses this design should know, if there is one."""
    found = _sorted(_of_design(design))
    return found[0].sentence if found else None


def concerns(report: PrivacyReport) -> list[str]:
    """All that is worrying, by falling weight."""
    found = [*_of_design(report.design), *_of_readers(report)]
    return [concern.sentence for concern in _sorted(found)]


def _sorted(found: Iterable[Concern]) -> list[Concern]:
    return sorted(found, key=lambda concern: -concern.weight)


def _of_design(design: Design) -> Iterator[Concern]:
    """What is worrying whoever is asked."""
    if not design.groups:
        yield Concern(100, "Nothing is disguised: every attribute is public.")
    yield from _together([group for group in design.groups if _shares_a_coin(group)])
    for group in design.groups:
        if not _shares_a_coin(group):
            yield from _of_group(group)
    spent = sum(epsilon(group.channel) for group in design.groups)
    if len(design.groups) > 1 and WEAK * 2 < spent < np.inf:
        yield Concern(
            30,
            f"The {len(design.groups)} groups add up: a whole report may be "
            f"{_times(spent)} likelier under one record than under another (ε = {spent:.3g}).",
        )
    heaviest = 0.0 if design.needs_second_sample else most_influence(design)
    if heaviest > HEAVY:
        yield Concern(
            20,
            f"One forged report can move a count that touches every group by {heaviest:,.0f} "
            "people: a few forgers decide such counts.",
        )


def _shares_a_coin(group: Group) -> bool:
    """Whether a report excludes all patterns that differ from it in part."""
    return (
        isinstance(group.channel, Related) and len(group.names) > 1 and 0 < group.channel.theta < 1
    )


def _together(groups: Sequence[Group]) -> Iterator[Concern]:
    """Related groups of two or more attributes, in one sentence; the largest is named."""
    if not groups:
        return
    largest = max(groups, key=lambda group: len(group.names))
    binary = all(set(group.channel.sizes) == {2} for group in groups)
    left = "itself and its opposite" if binary else "itself and what differs from it everywhere"
    more = f", as do those of {len(groups) - 1} more groups" if len(groups) > 2 else ""  # noqa: PLR2004
    more = ", as do those of another group" if len(groups) == 2 else more  # noqa: PLR2004
    yield Concern(
        90,
        f"{named(largest.attributes)} share one coin{more}: a report leaves only {left} (ε = ∞), "
        f"and whoever knows one of them {'knows them all' if binary else 'rules out much more'}.",
    )


def _of_group(group: Group) -> Iterator[Concern]:
    """At most one concern about each group: the worst."""
    who, verb = named(group.attributes), "is" if len(group.names) == 1 else "are"
    if not _known(group):
        yield Concern(
            60,
            f"{who}: the distribution of the personal answers is unknown, so nobody can say how "
            "well the private ones are disguised.",
        )
    elif all(_is_certain(entry_matrix(group, name)) for name in group.names):
        yield Concern(95, f"{who} {verb} not disguised at all: the report tells the truth.")
    elif isinf(epsilon(group.channel)):
        yield _excluding(group)
    elif epsilon(group.channel) > WEAK:
        spent = epsilon(group.channel)
        yield Concern(
            50 + min(spent, 9.0),
            f"{who} {verb} weakly disguised: a report may be {_times(spent)} likelier under one "
            f"truth than under another (ε = {spent:.3g}).",
        )


def _excluding(group: Group) -> Concern:
    """A report that some truth could never give."""
    for attribute in group.attributes:
        matrix = entry_matrix(group, attribute.name)
        for report, row in zip(attribute.values, matrix, strict=True):
            possible = [v for v, p in zip(attribute.values, row, strict=True) if p > 0]
            if len(possible) == 1:
                return Concern(
                    80,
                    f"A report of {attribute.name}={report} proves that it is {possible[0]!r} "
                    "(ε = ∞).",
                )
        for report, row in zip(attribute.values, matrix, strict=True):
            never = [v for v, p in zip(attribute.values, row, strict=True) if p == 0]
            if never and row.max() > 0:
                return Concern(
                    75,
                    f"A report of {attribute.name}={report} proves that it is not {never[0]!r} "
                    "(ε = ∞).",
                )
    return Concern(
        80,
        f"Some reports of {named(group.attributes)} are never given by chance, so they prove the "
        "truth (ε = ∞).",
    )


def _of_readers(report: PrivacyReport) -> Iterator[Concern]:
    """What somebody who knows the population would find out."""
    if report.population.source == "even":
        return
    record = report.record
    several = len(report.attributes) > 1
    if several and record.guess and record.before is not None:
        if record.guess >= OPEN and record.guess > record.before + GAIN:
            weight = 97.0
        elif record.guess > max(2 * record.before, 0.5):
            weight = 93.0
        else:
            weight = 0.0
        if weight:
            yield Concern(
                weight,
                "Whoever knows how common each combination is reads the whole record of "
                f"{of_100(record.guess)} people right ({people(record.before)} without a report).",
            )
    exposed = [a for a in report.attributes.values() if _is_exposed(a)]
    if exposed:
        worst = max(exposed, key=lambda a: a.guess or 0.0)
        yield Concern(
            70,
            f"{worst.name} is guessed right for {of_100(worst.guess or 0)} people from the whole "
            f"report: {people(worst.guess_alone)} from its own answer, {people(worst.before or 0)} "
            "without any report.",
        )
    yield from _breaches(report)
    yield from _alone_in_public(report)


def _is_exposed(attribute: AttributePrivacy) -> bool:
    before, guess = attribute.before, attribute.guess
    return before is not None and guess is not None and guess >= OPEN and guess > before + GAIN


def _breaches(report: PrivacyReport) -> Iterator[Concern]:
    low, high = report.breach
    for attribute in report.attributes.values():
        found = [suspicion for suspicion in attribute.suspicions if suspicion.breached(low, high)]
        if not found:
            continue
        worst = max(found, key=lambda s: max(s.highest - s.before, s.before - s.lowest))
        up = worst.before <= low
        after = worst.highest if up else worst.lowest
        more = f" ({len(found) - 1} more of its values jump so)" if len(found) > 1 else ""
        yield Concern(
            45,
            f"A report can {'lift' if up else 'drop'} {attribute.name}={worst.value} from "
            f"{worst.before:.1%} to {after:.1%} likely{more}.",
        )


def _alone_in_public(report: PrivacyReport) -> Iterator[Concern]:
    """People whom their public attributes single out: their report is no secret, only disguised."""
    names, everybody = report.design.public, report.population
    blocks = [block for block in everybody.blocks if set(names) <= set(block.names)]
    if not names or not blocks or everybody.n is None:
        return
    columns = blocks[0].codes[:, [blocks[0].names.index(name) for name in names]]
    _, place = np.unique(columns, axis=0, return_inverse=True)
    counts = np.bincount(place.ravel(), blocks[0].shares * everybody.n)
    alone = float((counts.round() == 1).sum()) / everybody.n
    if alone > UNIQUE:
        yield Concern(
            55,
            f"{of_100(alone)} people are the only one with their public attributes: whoever knows "
            "these finds their report.",
        )


def _known(group: Group) -> bool:
    return not (isinstance(group.channel, Unrelated) and group.channel.personal is None)


def _is_certain(matrix: np.ndarray) -> bool:
    """Whether every report can come from one truth only."""
    return bool(((matrix > 0).sum(axis=1) <= 1).all())


def _times(epsilon_spent: float) -> str:
    return f"{exp(epsilon_spent):,.0f} times" if epsilon_spent < 14 else "a million times"  # noqa: PLR2004
