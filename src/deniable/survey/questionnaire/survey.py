"""A survey: what people are asked, in which languages, and how their answers are disguised.

A question with one answer is one attribute of the design; one with several answers is a yes/no
attribute for each of its options.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from deniable.base.fingerprint import digest_of
from deniable.channel.channel import exact
from deniable.design import Design
from deniable.schema import Attribute
from deniable.survey.protocol import SKIPPED
from deniable.survey.questionnaire.by_hand import earlier_by_hand, paired, ticked
from deniable.survey.questionnaire.group_on_page import (
    guessed,
    practised,
    practised_before,
    shown,
)
from deniable.survey.questionnaire.reader_figures import reader_figures
from deniable.survey.words.page_words import Words

Text = Mapping[str, str]
"""The same words in every language of the survey."""

NO_YES = ("no", "yes")
"""Values of each option of a question with several answers."""

Condition = Mapping[str, tuple[str, ...]]
"""Public questions, and the answers to them of those who are asked."""

ADDED_FOR_PAGE = (
    frozenset({"shown", "practice", "guesses", "reading"}),
    frozenset({"guesses", "reading"}),
    frozenset({"reading"}),
)
"""Parts of what is asked that follow from the others, and that versions before did not tell."""

PAGE_ONLY = ("page",)
"""The devices of versions before, where a group had no rule by hand."""


@dataclass(frozen=True)
class AnswerOption:
    """An answer: the value that is counted, and its words."""

    value: str
    text: Text


@dataclass(frozen=True)
class PersonalQuestion:
    """An unrelated question beside a private one; its answers are those of the private one."""

    text: Text
    source: str
    """Where the distribution of its answers is known from."""


@dataclass(frozen=True)
class Known:
    """True shares of a control item, and how they are known."""

    shares: Mapping[str, Fraction]
    source: str


@dataclass(frozen=True)
class Question:
    """What is asked, and what may be answered."""

    name: str
    text: Text
    options: tuple[AnswerOption, ...]
    several: bool = False
    help: Text | None = None
    personal: PersonalQuestion | None = None
    known: Known | None = None
    skip: Text | None = None
    """The words of whoever would rather not say: the last of the options, or a value of a box."""

    condition: Condition = field(default_factory=dict)
    """Of whom it is asked; of everybody where it is empty."""

    @property
    def attributes(self) -> tuple[Attribute, ...]:
        """What is reported: one value or, of several answers, a no or yes for each option."""
        values = tuple(option.value for option in self.options)
        if not self.several:
            return (Attribute(self.name, values),)
        each = NO_YES if self.skip is None else (*NO_YES, SKIPPED)
        return tuple(Attribute(f"{self.name}_{value}", each) for value in values)


@dataclass(frozen=True)
class PersonalBit:
    """All that is sent in a survey of one bit: whether a model is right about the answers."""

    question: Question
    """What the bit says, no or yes, in words; nobody is asked it."""

    features: tuple[str, ...]
    target: str
    predicted: str
    """A sign for each pattern of the features, the last one varying fastest: the place of the
    predicted value among the target's options."""

    def document(self) -> dict[str, Any]:
        """Write what the page needs as JSON."""
        return {
            "question": _document(self.question, {}),
            "features": list(self.features),
            "target": self.target,
            "predicted": self.predicted,
        }


@dataclass(frozen=True)
class Expected:
    """What the researcher plans with; nobody is asked or shown any of it."""

    answers: int | None
    """How many people will answer."""

    shares: Mapping[str, Mapping[str, Fraction]]
    """Of the values of some questions, by attribute."""

    margins: Mapping[str, Fraction]
    """Half the width that an interval may have, by attribute."""


@dataclass(frozen=True)
class Survey:
    """A survey as its file describes it."""

    name: str
    title: Text
    languages: tuple[str, ...]
    """The first is the one that people see who prefer none of them."""

    consent: Text
    contact: str
    questions: tuple[Question, ...]
    design: Design
    devices: tuple[str, ...]
    """Whose coin decides: "page", "own", or either."""

    direct: Fraction | None
    """The share of people who are asked directly, for comparison."""

    invitations: bool
    after: int
    """Results are hidden until there are so many answers …"""

    every: int
    """… and then move in batches of at least so many."""

    quotas: Mapping[str, Mapping[str, int]]

    expected: Expected = Expected(None, {}, {})

    bit: PersonalBit | None = None
    """Where there is one, answers stay on the device, and it is all that is sent."""

    words: Mapping[str, Words] = field(default_factory=dict)
    """The page's own words by language, where the survey brings some."""

    @property
    def reported(self) -> tuple[Question, ...]:
        """The questions that a report answers."""
        return self.questions if self.bit is None else (self.bit.question,)

    @property
    def planned(self) -> int:
        """How many answers figures are for: those expected, or those that results wait for."""
        return self.after if self.expected.answers is None else self.expected.answers

    @cached_property
    def asked(self) -> str:
        """Everything that people are asked, and how it is disguised: the same text for everybody.

        Whom to write to, who is invited and when results are shown may change while it runs.
        """
        return json.dumps(self._asked(), separators=(",", ":"))

    @cached_property
    def fingerprint(self) -> str:
        """Hash of what is asked. The page takes it itself; so it cannot be told another one."""
        return digest_of(self.asked)

    @cached_property
    def earlier_fingerprints(self) -> tuple[str, ...]:
        """The same without what versions before did not tell the page, the earliest first.

        Databases that they made hold answers to the same questions under the same disguise.
        """
        asked = self._asked()
        beside = paired(self.questions)
        rules = [earlier_by_hand(group, beside) for group in self.design.groups]
        asked["shown"] = [
            {**part, "byHand": rule} for part, rule in zip(asked["shown"], rules, strict=True)
        ]
        if asked["practice"] is not None:
            group, part = asked["practice"]["group"], asked["practice"]["shown"]
            rule = practised_before(group, personal=part["personal"])
            asked["practice"] = {"group": group, "shown": {**part, "byHand": rule}}
        if not all(rules):
            asked["devices"] = list(PAGE_ONLY)
        versions = [
            {name: part for name, part in asked.items() if name not in added}
            for added in ADDED_FOR_PAGE
        ]
        return tuple(digest_of(json.dumps(each, separators=(",", ":"))) for each in versions)

    def document(self) -> dict[str, Any]:
        """Write what the respondent's page needs as JSON; the server adds ``open`` and ``key``."""
        return {"asked": self.asked, "contact": self.contact, "invitations": self.invitations}

    def _asked(self) -> dict[str, Any]:
        groups = {name: n for n, group in enumerate(self.design.groups) for name in group.names}
        pictured = self._shown()
        return {
            "survey": self.name,
            "title": dict(self.title),
            "languages": list(self.languages),
            "consent": dict(self.consent),
            "devices": list(self.devices),
            "direct": None if self.direct is None else exact(self.direct),
            "questions": [_document(question, groups) for question in self.questions],
            "design": self.design.document(),
            "shown": pictured,
            "guesses": [guessed(group) for group in self.design.groups],
            "reading": reader_figures(self.design),
            "practice": practised(self.design.groups[0], personal=pictured[0]["personal"])
            if pictured
            else None,
            # Surveys without one keep the fingerprint that they have.
            **({} if self.bit is None else {"bit": self.bit.document()}),
            **({"words": self.words} if self.words else {}),
        }

    def _shown(self) -> list[dict[str, Any]]:
        """What the page shows of each group, by the first of its questions."""
        beside = paired(self.questions)
        order = [a.name for question in self.questions for a in question.attributes]
        boxes = ticked(self.questions)
        return [
            shown(group, min(group.names, key=order.index), beside, boxes)
            for group in self.design.groups
        ]

    @cached_property
    def rules(self) -> tuple[Mapping[str, Any] | None, ...]:
        """What people with a device of their own throw for each group; None: the page draws."""
        return tuple(each["byHand"] for each in self._shown())


def moved(design: Design, name: str) -> float | None:
    """Points by which the share of a value moves if the personal share is one point larger.

    The share of a report is θπ + (1−θ)w, so that dπ/dw = −(1−θ)/θ, whatever the value. A wrong
    distribution moves estimates a lot: taking 0.248 for 0.310 once turned 5.0 % into 16.1 %.

    >>> design = Design.of({
    ...     "attributes": {"fraud": ["no", "yes"]},
    ...     "groups": [{"attributes": ["fraud"], "channel": "unrelated", "theta": "0.7",
    ...                 "personal": {"fraud": {"no": "3/4", "yes": "1/4"}}}],
    ... })
    >>> round(moved(design, "fraud"), 3)
    -0.429
    """
    for group, _ in design.touched([name]):
        if group.channel.paired is not None:
            theta = float(group.channel.paired.theta)
            return -(1 - theta) / theta if theta else None
    return None


def _document(question: Question, groups: Mapping[str, int]) -> dict[str, Any]:
    attributes = [attribute.name for attribute in question.attributes]
    personal = question.personal
    return {
        "name": question.name,
        "several": question.several,
        "text": dict(question.text),
        "help": None if question.help is None else dict(question.help),
        "options": [{"value": o.value, "text": dict(o.text)} for o in question.options],
        "attributes": attributes,
        "group": groups.get(attributes[0]),
        "personal": personal and {"text": dict(personal.text), "source": personal.source},
        # Questions without these keep the fingerprint that they have.
        **({"skip": dict(question.skip)} if question.skip else {}),
        **({"if": _listed(question.condition)} if question.condition else {}),
    }


def _listed(condition: Condition) -> dict[str, list[str]]:
    return {name: list(values) for name, values in condition.items()}
