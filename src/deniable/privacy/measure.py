"""Measuring: from a design, and what is known of everybody, to a report."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from deniable.design import Design, Group
from deniable.engine.records import Records
from deniable.errors import DesignError
from deniable.expression import Implication
from deniable.privacy.attacker import Attack
from deniable.privacy.breach import breach_is_impossible, checked_levels, suspicions
from deniable.privacy.candidates import Candidates, Sampled
from deniable.privacy.concerns import concerns
from deniable.privacy.entry import entry_matrix, epsilon, guess_after, pse_before_mining
from deniable.privacy.influence import RESPONDENTS, influences, most_influence
from deniable.privacy.part import MOST_CELLS, Part, Together, read_together
from deniable.privacy.population import Population
from deniable.privacy.recovery import recovery
from deniable.privacy.repeats import guess_after_repeats
from deniable.privacy.report import (
    AttributePrivacy,
    Figures,
    GroupPrivacy,
    PrivacyReport,
    Repeated,
)

TIMES = (1, 2, 5, 10)
"""How often somebody might answer the same question again."""

BREACH = (0.05, 0.5)
"""From a faint suspicion to more likely than not."""


def measure_privacy(
    design: Design,
    population: Population | None = None,
    *,
    known: Mapping[str, str] | None = None,
    rules: Sequence[Sequence[Implication]] = (),
    reports: Records | None = None,
    attack: Attack | None = None,
    respondents: int | None = None,
    breach: tuple[float, float] = BREACH,
) -> PrivacyReport:
    """Measure what reports of a design give away.

    Without a population every value counts as equally likely. `rules` are sets of mined rules that
    the reader knows as well. `reports` (a simulated collection from the population) are needed only
    where joint patterns are too many to list; `attack` is what a real attacker got right on them.
    """
    if design.needs_second_sample:
        raise DesignError(
            "The distribution of some personal answers is unknown, so what a report gives away "
            "cannot be measured.",
            hint="Write the distribution that you expect as personal, and measure that design.",
        )
    everybody = population or Population.even(design.schema)
    known = dict(known or {})
    people = everybody.given(known) if known else everybody
    checked_levels(*breach)
    many = respondents or everybody.n or RESPONDENTS
    found = _Guesses(design, people, reports)
    attributes = {
        name: _attribute(group, name, people, found, rules, attack, many, breach)
        for group in design.groups
        for name in group.names
    }
    groups = tuple(
        GroupPrivacy(
            epsilon=epsilon(group.channel),
            **_smallest([attributes[name] for name in group.names]),
            **found.group(group),
            measured=attack.groups[number] if attack else None,
            names=group.names,
            kind=group.channel.kind,
            knowing=found.knowing(group),
        )
        for number, group in enumerate(design.groups)
    )
    record = Figures(
        epsilon=sum(group.epsilon for group in groups),
        **_smallest(list(attributes.values())),
        **found.record(),
        measured=attack.record if attack else None,
    )
    report = PrivacyReport(
        design,
        everybody,
        known,
        many,
        breach,
        attributes,
        groups,
        record,
        most_influence(design),
        (),
    )
    return replace(report, warnings=tuple(concerns(report)))


def _attribute(
    group: Group,
    name: str,
    people: Population,
    found: "_Guesses",
    rules: Sequence[Sequence[Implication]],
    attack: Attack | None,
    respondents: int,
    breach: tuple[float, float],
) -> AttributePrivacy:
    matrix, prior = entry_matrix(group, name), people.table([name])
    position = group.names.index(name)
    channel = group.channel.marginal([position])
    rec = recovery(name, rules, matrix, people)
    pse = pse_before_mining(matrix, prior)
    spent = epsilon(channel)
    values = group.attributes[position].values
    return AttributePrivacy(
        epsilon=spent,
        pse=pse,
        pse_after=pse - (rec.largest if rec else 0.0),
        **found.attribute(group, name),
        measured=attack.attributes[name] if attack else None,
        name=name,
        values=values,
        prior=prior,
        matrix=matrix,
        guess_alone=guess_after(matrix, prior),
        recovery=rec,
        suspicions=suspicions(values, matrix, prior),
        breach_impossible=breach_is_impossible(*breach, channel.ratio()),
        repeats=[Repeated(k, k * spent, guess_after_repeats(matrix, prior, k)) for k in TIMES],
        influences=influences(group, name, prior, respondents),
    )


class _Guesses:
    """The best guesses from whole reports, part by part."""

    def __init__(self, design: Design, people: Population, reports: Records | None) -> None:
        self._where: dict[tuple[str, ...], Part | Candidates | None] = {}
        self._parts: list[Part | Candidates | None] = []
        for together in read_together(design, people):
            part = _opened(together, people, reports)
            self._parts.append(part)
            self._where |= {group.names: part for group in together.groups}

    def record(self) -> dict[str, Any]:
        """The parts are independent: a record is guessed where each of them is."""
        before, right, variance = 1.0, 1.0, 0.0
        for part in self._parts:
            if part is None:
                return _figures(None, None)
            if isinstance(part, Part):
                before *= part.record_before()
                right *= float(part.record()[0].sum())
            else:
                before *= part.record_before()
                right *= part.record.success
                variance += (part.record.std_error / part.record.success) ** 2
        return _figures(before, Sampled(right, right * float(np.sqrt(variance))))

    def group(self, group: Group) -> dict[str, Any]:
        part = self._where[group.names]
        if part is None:
            return _figures(None, None)
        if isinstance(part, Candidates):
            return _figures(part.before(group.names), part.groups[group.names])
        axis = part.groups.index(group)
        return _figures(part.group_before(axis), Sampled(part.group(axis).success, 0.0))

    def attribute(self, group: Group, name: str) -> dict[str, Any]:
        part = self._where[group.names]
        if part is None:
            return _figures(None, None)
        if isinstance(part, Candidates):
            return _figures(part.before((name,)), part.attributes[name])
        axis = part.groups.index(group)
        success = part.attribute(axis, name).success
        return _figures(part.attribute_before(axis, name), Sampled(success, 0.0))

    def knowing(self, group: Group) -> dict[str, float]:
        part = self._where[group.names]
        if part is None or len(group.names) == 1:
            return {}
        if isinstance(part, Candidates):
            return {name: part.knowing[name] for name in group.names}
        axis = part.groups.index(group)
        return {name: part.group_knowing(axis, name) for name in group.names}


def _opened(
    together: Together, people: Population, reports: Records | None
) -> Part | Candidates | None:
    """List every pattern if that can be done, else the people that there are."""
    if together.cells <= MOST_CELLS:
        return Part.of(together, people)
    listed = any(set(together.names) <= set(block.names) for block in people.blocks)
    return Candidates(together, people, reports) if listed and reports is not None else None


def _figures(before: float | None, guess: Sampled | None) -> dict[str, Any]:
    if guess is None:
        return {"before": before, "guess": None, "guess_std_error": 0.0}
    return {"before": before, "guess": guess.success, "guess_std_error": guess.std_error}


def _smallest(attributes: Sequence[AttributePrivacy]) -> dict[str, float]:
    """A group, or a record, is as private as its most exposed entry."""
    return {
        "pse": min((a.pse for a in attributes), default=0.0),
        "pse_after": min((a.pse_after for a in attributes), default=0.0),
    }
