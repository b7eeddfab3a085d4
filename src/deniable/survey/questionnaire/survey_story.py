"""What a survey will do, in words and figures, before anybody is asked."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from deniable.base.errors import DeniableError
from deniable.base.wording import as_chance, at_most_times, decimal, joined, points
from deniable.channel import named
from deniable.compliance.check_sentences import foreseen
from deniable.compliance.control_items import ControlItems
from deniable.design import Group
from deniable.privacy.measures.influence import influences
from deniable.privacy.measures.single_answer import best_guess, entry_matrix, epsilon, guess_after
from deniable.privacy.measures.standard_error import margin
from deniable.schema import Attribute
from deniable.survey.among_sayers import ratios
from deniable.survey.protocol import DEVICES, SKIPPED
from deniable.survey.questionnaire.control_answers import known_shares
from deniable.survey.questionnaire.survey import PersonalBit, Question, Survey, moved

THROWN = {
    "coin": "a coin",
    "die": "a die",
    "coins": "a coin, tossed twice",
    "dice": "two dice",
    "digit": "a digit",
    "digits": "two digits",
}
"""What is thrown, in words."""

ONE_IN = Fraction(1, 10)
"""The share of people that is taken to skip, to show what that costs."""

OFF_POINTS = 5
"""By how much a personal distribution is taken to be wrong, to show what that does."""


_, OWN_DEVICE = DEVICES


@dataclass(frozen=True)
class Outlook:
    """What one report tells about a disguised attribute, and all of them about its shares.

    Both hold if its values are as common as the survey expects; where it expects nothing, if all
    are equally common.
    """

    attribute: str
    epsilon: float
    """Of its group."""

    before: float
    """How often a reader guesses right without a report …"""

    after: float
    """… and from its own answer in the report."""

    margin: float
    """Half the width of a 95 % interval of a share, from as many answers as are expected; or where
    none are, when results are first shown."""

    wanted: float | None
    """The margin that was planned."""


def outlooks(survey: Survey) -> Iterator[Outlook]:
    """Look ahead, for each disguised attribute."""
    disguised = disguised_of(survey)
    expected, known = survey.expected, known_shares(survey)
    for group in survey.design.groups:
        spent = epsilon(group.channel)
        for attribute in group.attributes:
            shares: Mapping[str, Fraction | float] | None = expected.shares.get(attribute.name)
            if shares is None and expected.shares:
                shares = known.get(attribute.name)
            common = np.full(attribute.size, 1 / attribute.size)
            if shares is not None:
                common = np.array([float(shares[value]) for value in attribute.values])
            errors = (
                each.std_error for each in influences(group, attribute.name, common, disguised)
            )
            wanted = expected.margins.get(attribute.name)
            yield Outlook(
                attribute.name,
                spent,
                best_guess(common),
                guess_after(entry_matrix(group, attribute.name), common),
                margin(max(errors)),
                None if wanted is None else float(wanted),
            )


def disguised_of(survey: Survey) -> int:
    """How many disguised answers are planned for, or there are when results are first shown."""
    return round(survey.planned * (1 - (survey.direct or 0)))


def story(survey: Survey) -> list[str]:
    """Say what happens to the answers, a sentence or two a line."""
    lines = survey.design.story().splitlines() if survey.bit is None else [_kept(survey.bit)]
    lines += _personal_questions(survey)
    lines += _by_hand(survey)
    lines += _skips(survey)
    lines += _conditions(survey)
    if survey.direct is not None:
        lines.append(
            f"{as_chance(survey.direct)} of the people are asked directly, as their own devices "
            "draw: their answers are sent as they are, and they are told so."
        )
    items = ControlItems.of(survey.design, known_shares(survey))
    if items is not None:
        lines.append(foreseen(items, round(survey.planned * (1 - (survey.direct or 0)))))
    lines.append(
        "By invitation: one answer for each, and nobody can tell whose it is."
        if survey.invitations
        else "By an open link: anybody may answer, and nobody can tell whether somebody does twice."
    )
    lines.append(
        f"Results are hidden until there are {survey.after} answers, and move by at least "
        f"{survey.every} at once."
    )
    return lines


def _kept(bit: PersonalBit) -> str:
    named = joined((*bit.features, bit.target))
    return (
        f"{named}: stay on the device. It tries the model on them, and sends one bit: whether the "
        f"model is right about {bit.target}."
    )


def _by_hand(survey: Survey) -> Iterator[str]:
    """Which answers are disguised by hand, where people may, and which are not even then."""
    if OWN_DEVICE not in survey.devices:
        return
    groups = zip(survey.design.groups, survey.rules, strict=True)
    rules = [(joined(group.names), rule) for group, rule in groups]
    if thrown := [f"{names} with {THROWN[rule['tool']]}" for names, rule in rules if rule]:
        yield f"By hand, for those who like to: {'; '.join(thrown)}."
    for names, rule in rules:
        if not rule:
            yield (
                f"{names}: a rule by hand would be too long or not exact, so the page's chance "
                "decides for everybody, and those with a coin of their own are told so."
            )


def _skips(survey: Survey) -> Iterator[str]:
    """What it costs that people may skip a disguised question, in privacy and in precision."""
    people = disguised_of(survey)
    if public := [q.name for q in survey.questions if q.skip and _group_of(survey, q) is None]:
        yield f"{joined(public)}: people may skip this, and then that is sent as it is."
    for question in survey.questions:
        group = _group_of(survey, question)
        if question.skip is None or group is None:
            continue
        skipping = SkipCost.of(group, question.attributes[0], people)
        without = skipping.without
        likelier = (
            "" if without is None else f" ({at_most_times(without.epsilon)} if nobody could skip)"
        )
        known = "" if without is None else f" (± {points(without.margin)} if nobody could skip)"
        yield (
            f"{question.name}: people may skip this: one more value, disguised like the others. A "
            f"report is {at_most_times(skipping.epsilon)} likelier under one truth than under "
            f"another{likelier}. If {as_chance(ONE_IN)} skip, shares among those who would say "
            f"are known to ± {points(skipping.margin)} points{known}."
        )


def _conditions(survey: Survey) -> Iterator[str]:
    """Who is asked, where not everybody is."""
    for question in survey.questions:
        if question.condition:
            terms = (f"{name}={joined(v, 'or')}" for name, v in question.condition.items())
            yield (
                f"{question.name}: asked of people with {joined(terms)} only. All about it is "
                "estimated from them, so it is known less well than from everybody."
            )


@dataclass(frozen=True)
class SkipCost:
    """What a question tells, and how well shares among those who would say are known."""

    epsilon: float
    margin: float
    without: "SkipCost | None"
    """The same device without skipping, where there is such a device."""

    @classmethod
    def of(cls, group: Group, attribute: Attribute, people: int) -> "SkipCost":
        """Count as if one in ten skipped, and the other answers were equally common."""
        place = group.names.index(attribute.name)
        alone = group.channel.marginal([place])
        skip = attribute.code(SKIPPED)
        truth = np.full(attribute.size, float((1 - ONE_IN) / (attribute.size - 1)))
        truth[skip] = float(ONE_IN)
        found = ratios(
            alone.undo(np.eye(attribute.size)), alone.send(truth[:, None])[:, 0], skip, people
        )
        most = np.inf if found is None else float(np.delete(found[1], skip).max())
        return cls(epsilon(alone), margin(most), _without(group, attribute, people))


def _without(group: Group, attribute: Attribute, people: int) -> SkipCost | None:
    """The same options for the other values; None where there is no such device."""
    others = Attribute(attribute.name, tuple(v for v in attribute.values if v != SKIPPED))
    place = group.names.index(attribute.name)
    alone = group.channel.marginal([place])
    try:
        channel = named(alone.kind).read([others], alone.options([attribute]))
    except DeniableError:
        return None
    even = np.full(others.size, 1 / others.size)
    errors = influences(Group((others,), channel), others.name, even, people)
    return SkipCost(epsilon(channel), margin(max(each.std_error for each in errors)), None)


def _group_of(survey: Survey, question: Question) -> Group | None:
    name = question.attributes[0].name
    return next((group for group in survey.design.groups if name in group.names), None)


def _personal_questions(survey: Survey) -> Iterator[str]:
    """Where the personal answers come from, and what it does if their distribution is wrong."""
    asked = {question.name: question for question in survey.questions if question.personal}
    for group in survey.design.groups:
        if group.channel.paired is None:
            continue
        paired = [asked[name] for name in group.names if name in asked]
        if not paired:
            yield f"{joined(group.names)}: the device draws the personal answers itself."
            continue
        for question in paired:
            source = question.personal.source if question.personal else ""
            off = abs(OFF_POINTS * (moved(survey.design, question.name) or 0.0))
            yield (
                f"{question.name}: the shares of the personal answers are taken from: "
                f"{source.rstrip('.')}. If one of them is {OFF_POINTS} points off, so is "
                f"the estimate by {decimal(off)}."
            )
