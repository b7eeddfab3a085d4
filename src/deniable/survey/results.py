"""Shares of every answer, estimated through the disguise, with what may tell against them.

All shares are of the population that the respondents are a random sample of, with 95 % intervals
for one share at a time. They assume that everybody followed the device. Three things may show
that not everybody did: control items, whose true share is known (what they say of all questions
is in `ControlCheck`, with shares that are corrected for it); people who were asked directly; and,
for unrelated questions, how much a wrong distribution of the personal question would matter.

What is shown of them: nothing before there are enough answers, then batch by batch.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from deniable.compliance.control_check import ControlCheck
from deniable.compliance.interval import Interval
from deniable.design import Design
from deniable.engine.memory.records import Records
from deniable.expression import Conjunction
from deniable.oracle.randomized import RandomizedOracle
from deniable.survey.among_sayers import among_sayers
from deniable.survey.questionnaire import Question, Survey
from deniable.survey.questionnaire.conditions import masks
from deniable.survey.questionnaire.control_answers import checked, known_shares
from deniable.survey.questionnaire.survey import moved
from deniable.survey.reports import records
from deniable.survey.store.store import Store

FEWEST_ASKED = 10
"""People who were asked below whom nothing is shown of a question that not everybody is asked."""


@dataclass(frozen=True)
class Share:
    """One possible answer."""

    attribute: str
    value: str
    disguised: bool
    reported: float
    """The share among reports; says little by itself where they are disguised."""

    estimate: Interval
    direct: Interval | None
    """Among those who were asked directly."""

    difference: Interval | None
    """How much larger the estimate is than the direct share."""

    known: float | None
    """The true share of a control item."""

    moves: float | None
    """Change of the estimate if the personal question's share of this value were 1 larger."""

    among: Interval | None = None
    """Among those who would say, where people may skip: estimated, too."""

    asked: int | None = None
    """How many of the disguised were asked, where not everybody is; all is about these."""

    @property
    def contradicted(self) -> bool:
        """Whether the true share of a control item lies outside the interval."""
        return self.known is not None and not self.estimate.holds(self.known)


@dataclass(frozen=True)
class Results:
    """All shares, and how many people they rest on."""

    people: int
    directly: int
    shares: tuple[Share, ...]
    controls: ControlCheck | None
    """What disguised control items say about all the other questions, if there are any."""

    def document(self) -> dict[str, Any]:
        """Write as JSON."""
        return asdict(self)

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> "Results":
        """Read what `document` wrote."""
        shares = []
        for share in document["shares"]:
            intervals: dict[str, Any] = {
                name: Interval(**part) for name, part in share.items() if isinstance(part, dict)
            }
            shares.append(Share(**{**share, **intervals}))
        controls = document.get("controls")  # batches of earlier versions have none
        return cls(
            document["people"],
            document["directly"],
            tuple(shares),
            None if controls is None else ControlCheck.of(controls),
        )


@dataclass(frozen=True)
class Published:
    """Results of all batches that were released, and the tallies of that moment."""

    results: Results
    tallies: dict[str, int]


def published(store: Store) -> Published | None:
    """Give the results of the latest batch; they are computed once and then stay as they are."""
    released = store.released()
    if released is None:
        return None
    batch = released.pop("batch")

    def computed() -> dict[str, Any]:
        arms = (store.reports("disguised"), store.reports("direct"))
        return results(store.survey, *arms).document()

    document = store.frozen("results", batch, computed)
    return Published(Results.of(document), released)


def results(survey: Survey, disguised: Mapping[str, int], direct: Mapping[str, int]) -> Results:
    """Estimate from the reports of both arms, each with the number of people who sent it."""
    schema = survey.design.schema
    ours, theirs = (records(arm, schema) if arm else None for arm in (disguised, direct))
    everybody = [q for q in survey.reported if not q.condition]
    some = [q for q in survey.reported if q.condition]
    shares = [] if ours is None else _shares(survey, everybody, ours, theirs)
    for question in some if ours is not None else ():
        found = _shares(
            survey, [question], _asked(survey, question, ours), _asked(survey, question, theirs)
        )
        shares += found
    shares.sort(key=lambda share: schema.position(share.attribute))
    check = None if ours is None else checked(survey, ours)
    return Results(sum(disguised.values()), sum(direct.values()), tuple(shares), check)


def _asked(survey: Survey, question: Question, arm: Records | None) -> Records | None:
    """The reports of those who were asked a question; None if they are too few to be shown."""
    if arm is None:
        return None
    found = masks(survey.reported, survey.design.schema, arm.columns)
    those = found[question.attributes[0].name]
    return arm.among(those) if those.sum() >= FEWEST_ASKED else None


def _shares(
    survey: Survey, questions: Sequence[Question], ours: Records | None, theirs: Records | None
) -> list[Share]:
    """Estimate the shares of some questions from the reports of those who were asked them."""
    if ours is None:
        return []
    design, truthful = survey.design, Design.truthful(survey.design.schema)
    attributes = [attribute for question in questions for attribute in question.attributes]
    asked = [Conjunction.of({each.name: value}) for each in attributes for value in each.values]
    mine = _estimates(ours, design, asked)
    plain = _estimates(ours, truthful, asked)
    direct = [None] * len(asked) if theirs is None else _estimates(theirs, truthful, asked)
    known = known_shares(survey)
    personal = {question.name for question in questions if question.personal}
    columns = dict(zip(design.schema.names, ours.columns, strict=True))
    among = {
        each.name: among_sayers(design, each.name, columns[each.name])
        for question in questions
        for each in (question.attributes if question.skip else ())
    }
    partly = {each.name for q in questions for each in q.attributes if q.condition}
    shares = []
    for expression, estimate, reported, other in zip(asked, mine, plain, direct, strict=True):
        ((name, value),) = expression.terms
        hidden = name in design.disguised
        shares.append(
            Share(
                name,
                value,
                hidden,
                reported.share,
                estimate,
                other,
                _difference(estimate, other) if other and hidden else None,
                known.get(name, {}).get(value),
                moved(design, name) if name in personal else None,
                among.get(name, {}).get(value),
                len(ours) if name in partly else None,
            )
        )
    return shares


def _estimates(reports: Records, design: Design, asked: Sequence[Conjunction]) -> list[Interval]:
    """Estimate a share for each expression."""
    found = RandomizedOracle(reports, design).count(asked, of="population")
    bounds = np.stack([found.value, *found.interval()], axis=1) / found.n
    return [Interval(*each) for each in bounds.tolist()]


def _difference(ours: Interval, theirs: Interval) -> Interval:
    """Two independent samples: each side's distance to its bounds adds up in squares (MOVER).

    Standard errors would not do: that of a direct share of 0 % is 0.
    """
    gap = ours.share - theirs.share
    below = float(np.hypot(ours.share - ours.low, theirs.high - theirs.share))
    above = float(np.hypot(ours.high - ours.share, theirs.share - theirs.low))
    return Interval(gap, gap - below, gap + above)
