"""Shares of every answer, estimated through the disguise, with what may tell against them.

All shares are of the population that the respondents are a random sample of, with 95 % intervals
for one share at a time. They assume that everybody followed the device. Three things may show
that not everybody did: control items, whose true share is known; people who were asked directly;
and, for unrelated questions, how much a wrong distribution of the personal question would matter.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from deniable.design import Design
from deniable.expression import Conjunction
from deniable.oracle.api import Estimates
from deniable.oracle.randomized import RandomizedOracle
from deniable.survey.questionnaire import Survey
from deniable.survey.questionnaire.sensitivity import moved
from deniable.survey.reports import records


@dataclass(frozen=True)
class Interval:
    """A share, between two bounds."""

    share: float
    low: float
    high: float


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
        return self.known is not None and not (
            self.estimate.low <= self.known <= self.estimate.high
        )


@dataclass(frozen=True)
class Results:
    """All shares, and how many people they rest on."""

    people: int
    directly: int
    shares: tuple[Share, ...]

    def document(self) -> dict[str, Any]:
        """Write as JSON."""
        return asdict(self)

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> "Results":
        """Read what `document` wrote."""
        shares = tuple(
            Share(**{**share, **{name: _interval(share[name]) for name in _INTERVALS}})
            for share in document["shares"]
        )
        return cls(document["people"], document["directly"], shares)


_INTERVALS = ("estimate", "direct", "difference")


def _interval(found: Mapping[str, float] | None) -> Any:
    return None if found is None else Interval(**found)


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
    known = {
        (question.name, value): float(share)
        for question in survey.questions
        if question.known
        for value, share in question.known.shares.items()
    }
    personal = {question.name for question in survey.questions if question.personal}
    hidden = {name for group in design.groups for name in group.names}
    shares = []
    if ours is None or plain is None:
        return Results(0, sum(direct.values()), ())
    for place, expression in enumerate(asked):
        ((name, value),) = expression.terms
        mine = _at(ours, place)
        other = None if theirs is None else _at(theirs, place)
        shares.append(
            Share(
                name,
                value,
                name in hidden,
                float(plain.share[place]),
                mine,
                other,
                _difference(mine, other) if other and name in hidden else None,
                known.get((name, value)),
                moved(design, name) if name in personal else None,
            )
        )
    return Results(ours.n, sum(direct.values()), tuple(shares))


def _estimates(
    reports: Mapping[str, int], design: Design, asked: list[Conjunction]
) -> Estimates | None:
    if not reports:
        return None
    oracle = RandomizedOracle(records(reports, design.schema), design)
    return oracle.count(asked, of="population")


def _at(estimates: Estimates, place: int) -> Interval:
    low, high = estimates.interval()
    numbers = (estimates.value[place], low[place], high[place])
    return Interval(*(float(number) / estimates.n for number in numbers))


def _difference(ours: Interval, theirs: Interval) -> Interval:
    """Two independent samples: each side's distance to its bounds adds up in squares (MOVER).

    Standard errors would not do: that of a direct share of 0 % is 0.
    """
    gap = ours.share - theirs.share
    below = float(np.hypot(ours.share - ours.low, theirs.high - theirs.share))
    above = float(np.hypot(ours.high - ours.share, theirs.share - theirs.low))
    return Interval(gap, gap - below, gap + above)
