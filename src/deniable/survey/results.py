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

from deniable.compliance.control_check import ControlCheck, control_check
from deniable.compliance.interval import Interval
from deniable.design import Design
from deniable.expression import Conjunction
from deniable.oracle.randomized import RandomizedOracle
from deniable.survey.questionnaire import Survey
from deniable.survey.questionnaire.survey import moved
from deniable.survey.reports import records
from deniable.survey.store.store import Store


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
    design = survey.design
    asked = [
        Conjunction.of({attribute.name: value})
        for attribute in design.schema
        for value in attribute.values
    ]
    ours = _estimates(disguised, design, asked)
    plain = _estimates(disguised, Design.truthful(design.schema), asked)
    theirs = _estimates(direct, Design.truthful(design.schema), asked)
    known = known_shares(survey)
    personal = {question.name for question in survey.reported if question.personal}
    shares = []
    for place, expression in enumerate(asked if ours else ()):
        ((name, value),) = expression.terms
        mine, other = ours[place], theirs[place] if theirs else None
        hidden = name in design.disguised
        shares.append(
            Share(
                name,
                value,
                hidden,
                plain[place].share,
                mine,
                other,
                _difference(mine, other) if other and hidden else None,
                known.get(name, {}).get(value),
                moved(design, name) if name in personal else None,
            )
        )
    return Results(
        sum(disguised.values()), sum(direct.values()), tuple(shares), checked(survey, disguised)
    )


def known_shares(survey: Survey) -> dict[str, dict[str, float]]:
    """The true shares of control items."""
    return {
        question.name: {value: float(share) for value, share in question.known.shares.items()}
        for question in survey.reported
        if question.known
    }


def checked(survey: Survey, disguised: Mapping[str, int]) -> ControlCheck | None:
    """What control items say, from the reports of those who were asked through the device."""
    if not disguised:
        return None
    schema = survey.design.schema
    columns = dict(zip(schema.names, records(disguised, schema).columns, strict=True))
    return control_check(survey.design, known_shares(survey), columns)


def _estimates(
    reports: Mapping[str, int], design: Design, asked: Sequence[Conjunction]
) -> list[Interval]:
    """Estimate a share for each expression; none where nobody answered."""
    if not reports:
        return []
    found = RandomizedOracle(records(reports, design.schema), design).count(asked, of="population")
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
