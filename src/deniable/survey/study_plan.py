"""The plan of a whole study: of every question the most private device that keeps its margin.

Each question has a group of its own, expected shares and a margin. With so many answers (people
invited times those who respond) each gets the weakest signal that a device can have and that still
keeps the margin, as `deniable.privacy.plan.precision` promises margins. Devices are those that
people can do by hand, or in steps of a hundredth on the page; none hides next to nothing.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil

from deniable.base.errors import DesignError
from deniable.base.wording import epsilon_bound, points
from deniable.channel.channel import exact
from deniable.compliance.control_check import CHECK_LEVEL, NOTICED_OFTEN
from deniable.compliance.control_items import NOTICED, ControlItems
from deniable.design import Design, Group, read_group
from deniable.privacy.measures.single_answer import (
    best_guess,
    entry_matrix,
    epsilon,
    guess_after,
    total_epsilon,
)
from deniable.privacy.plan.limits import Per
from deniable.privacy.plan.precision import cells, fewest, first
from deniable.privacy.population import Population
from deniable.schema import Attribute, Schema
from deniable.survey.questionnaire.by_hand import group_by_hand

HAND_THETAS = ("3/5", "2/3", "7/10", "4/5", "5/6", "9/10")
"""Of yes/no questions, by a die or a digit."""

HAND_FORCED = ("1/6", "1/10", "1/5", "3/10", "1/12", "1/20", "1/4")
"""Chances at which a die or digits dictate each answer of a question with more of them."""

PAGE_STEPS = range(55, 96)
"""Hundredths: θ of yes/no questions on the page."""

PAGE_KEPT = range(10, 91)
"""The same of keep-or-uniform."""

LEAST_SIGNAL, MOST_SIGNAL = Fraction(1, 10), Fraction(9, 10)

YES_NO = 2
FEWEST_ITEMS, MOST_ITEMS = 2, 4

CONTROL_QUESTIONS = (
    ("moon", "Have you ever been to the moon?", False),
    ("water", "Have you ever drunk water?", True),
    ("mars", "Were you born on Mars?", False),
    ("slept", "Have you ever slept?", True),
)
"""Name, words, and whether it is true of everybody, or of nobody."""


@dataclass(frozen=True)
class PlannedQuestion:
    """A question with the device that it gets."""

    group: Group
    epsilon: float
    margin: float
    """Promised, for so many answers."""

    wanted: float
    before: float
    """How often a reader guesses right without a report …"""

    after: float
    """… and with it."""

    @property
    def name(self) -> str:
        """Its attribute."""
        return self.group.names[0]


@dataclass(frozen=True)
class StudyPlan:
    """All questions with their devices, control items, and how many answers they are for."""

    answers: int
    population: Population
    questions: tuple[PlannedQuestion, ...]
    controls: tuple[tuple[str, str, bool], ...]
    by_hand: bool

    @property
    def epsilon(self) -> float:
        """Of all sensitive answers of one person together."""
        return total_epsilon(question.epsilon for question in self.questions)

    @cached_property
    def design(self) -> Design:
        """Questions and control items, each with a device of its own."""
        groups = [question.group for question in self.questions]
        groups += [control_group(name, self.questions) for name, _, _ in self.controls]
        return Design(Schema(tuple(group.attributes[0] for group in groups)), tuple(groups))

    @property
    def items(self) -> ControlItems | None:
        """The control items."""
        known = {name: {"no": float(not yes), "yes": float(yes)} for name, _, yes in self.controls}
        return ControlItems.of(self.design, known)


@dataclass(frozen=True)
class Study:
    """What is to be planned."""

    population: Population
    margins: Mapping[str, float]
    by_hand: bool = True
    level: float = CHECK_LEVEL

    @cached_property
    def _devices(self) -> dict[str, list[Group]]:
        return {each.name: devices(each, by_hand=self.by_hand) for each in self.population.schema}

    def margin(self, group: Group, n: int) -> float:
        """Promise each share to within this."""
        return cells([group], group.names, self.population).margin(n, self.level)

    def weakest(self, name: str, n: int) -> Group | None:
        """The most private device that keeps the margin with so many answers, if one does."""
        known = self._devices[name]
        place = first(0, len(known), lambda at: self.margin(known[at], n) <= self.margins[name])
        return known[place] if place < len(known) else None

    def needed(self, name: str) -> int | None:
        """Fewest answers with which any device keeps the margin."""
        strongest = self._devices[name][-1]
        return fewest(lambda n: self.margin(strongest, n) <= self.margins[name])

    def chosen(self, n: int) -> list[Group]:
        """Of every question the weakest device; refused where there is none."""
        found = []
        for name in self.population.schema.names:
            group = self.weakest(name, n)
            if group is None:
                reached = self.margin(self._devices[name][-1], n)
                raise DesignError(
                    f"{n:,} answers tell the shares of {name!r} to ± {points(reached)} points at "
                    f"best, not ± {points(self.margins[name])}.",
                    hint=f"Ask for {self.needed(name):,} answers, or accept "
                    f"--margin {name}={_up(reached):g}.",
                )
            found.append(group)
        return found

    def answers_within(self, limit: float, per: Per) -> int:
        """Fewest answers with which all margins are kept within a limit on ε."""

        def enough(n: int) -> bool:
            groups = [self.weakest(name, n) for name in self.population.schema.names]
            return all(groups) and spent([group for group in groups if group], per) <= limit

        most = [known[0] for known in self._devices.values()]
        if spent(most, per) > limit:
            raise DesignError(
                f"The weakest of these devices give ε = {epsilon_bound(spent(most, per))} already.",
                hint="Ask fewer questions, raise --epsilon, or leave --by-hand out.",
            )
        found = fewest(enough)
        assert found is not None  # the weakest devices keep any margin with enough people
        return found


def plan_study(
    population: Population,
    margins: Mapping[str, float],
    *,
    answers: int | None,
    limit: float | None = None,
    per: Per = "record",
    by_hand: bool = True,
    level: float = CHECK_LEVEL,
    controls: int | None = None,
) -> StudyPlan:
    """Choose a device for every question; with a limit on ε and no number, how many it takes."""
    study = Study(population, margins, by_hand, level)
    if answers is None:
        if limit is None:
            raise DesignError(
                "Say how many people answer, or what privacy you promise.",
                hint="Add --invited 3000 --response 0.3, or --respondents 900, or --epsilon 2.",
            )
        answers = study.answers_within(limit, per)
    groups = study.chosen(answers)
    if limit is not None and spent(groups, per) > limit:
        raise DesignError(
            f"{answers:,} answers keep these margins with ε = {epsilon_bound(spent(groups, per))} "
            f"per {per}, not {limit:g}.",
            hint=f"Ask for {study.answers_within(limit, per):,} answers, or accept wider margins.",
        )
    questions = tuple(_planned(study, group, answers) for group in groups)
    asked = None if controls is None else CONTROL_QUESTIONS[:controls]
    return StudyPlan(
        answers,
        population,
        questions,
        control_items(questions, answers) if asked is None else asked,
        by_hand,
    )


def _planned(study: Study, group: Group, answers: int) -> PlannedQuestion:
    shares = study.population.table(group.names)
    return PlannedQuestion(
        group,
        epsilon(group.channel),
        study.margin(group, answers),
        study.margins[group.names[0]],
        best_guess(shares),
        guess_after(entry_matrix(group, group.names[0]), shares),
    )


def spent(groups: list[Group], per: Per) -> float:
    """ε of the whole record, or of the attribute that has most."""
    each = [epsilon(group.channel) for group in groups]
    return total_epsilon(each) if per == "record" else max(each)


def devices(attribute: Attribute, *, by_hand: bool) -> list[Group]:
    """Devices for a question, from the most private to the most precise."""
    found = [
        read_group({"attributes": [attribute.name], **options}, Schema((attribute,)))
        for options in (_hand(attribute) if by_hand else _page(attribute))
    ]
    if by_hand:
        found = [group for group in found if group_by_hand(group, beside=()) is not None]
    if not found:
        raise DesignError(
            f"{attribute.name!r} has {attribute.size} answers, too many for a rule by hand.",
            hint="Add --page-only, or join answers.",
        )
    return sorted(found, key=lambda group: epsilon(group.channel))


def _hand(attribute: Attribute) -> Iterator[Mapping[str, object]]:
    if attribute.size == YES_NO:
        yield from ({"channel": "related", "theta": theta} for theta in HAND_THETAS)
        return
    for chance in map(Fraction, HAND_FORCED):
        if LEAST_SIGNAL <= 1 - attribute.size * chance <= MOST_SIGNAL:
            kept = exact(1 - attribute.size * chance)
            yield {"channel": "keep-or-uniform", "theta": kept}


def _page(attribute: Attribute) -> Iterator[Mapping[str, object]]:
    binary = attribute.size == YES_NO
    for step in PAGE_STEPS if binary else PAGE_KEPT:
        theta = exact(Fraction(step, 100))
        yield {"channel": "related" if binary else "keep-or-uniform", "theta": theta}


def control_items(
    questions: tuple[PlannedQuestion, ...], answers: int
) -> tuple[tuple[str, str, bool], ...]:
    """Two to four: as many as it takes to notice 15 % of any kind in 80 of 100 surveys."""
    for number in range(FEWEST_ITEMS, MOST_ITEMS + 1):
        plan = StudyPlan(
            answers,
            Population.even(Schema(())),
            questions,
            CONTROL_QUESTIONS[:number],
            by_hand=False,
        )
        items = plan.items
        assert items is not None
        if all(
            mixture.identified and mixture.power(1, NOTICED, answers, CHECK_LEVEL) >= NOTICED_OFTEN
            for mixture in items.each_alone
        ):
            break
    return CONTROL_QUESTIONS[:number]


def control_group(name: str, questions: tuple[PlannedQuestion, ...]) -> Group:
    """The device of the first yes/no question, which the item stands for."""
    like = next((q.group for q in questions if q.group.attributes[0].size == YES_NO), None)
    attribute = Attribute(name, ("no", "yes"))
    options = {"theta": "4/5"} if like is None else like.channel.options(like.attributes)
    kind = "related" if like is None else like.channel.kind
    return read_group({"attributes": [name], "channel": kind, **options}, Schema((attribute,)))


def _up(margin: float) -> float:
    """Rounded up to a tenth of a point."""
    return ceil(margin * 1000) / 1000
