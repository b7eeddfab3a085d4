"""Measuring: from a design, and what is known of everybody, to a report."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import inf, sqrt
from typing import Any

from deniable.base.errors import DataError, DesignError
from deniable.design import Design, Group
from deniable.engine.memory.records import Records
from deniable.expression import Implication
from deniable.privacy.attack.attacker import Attack
from deniable.privacy.measures.breach import breach_is_impossible, checked_levels, suspicions
from deniable.privacy.measures.influence import RESPONDENTS, influences, most_influence
from deniable.privacy.measures.joint_groups import (
    MOST_JOINT_CELLS,
    JointGroups,
    LinkedGroups,
    linked_groups,
)
from deniable.privacy.measures.readers import (
    BestGuess,
    EvenReader,
    ExactReader,
    Reader,
    SampledReader,
)
from deniable.privacy.measures.rule_recovery import pse_after_mining, recovery
from deniable.privacy.measures.single_answer import (
    entry,
    entry_matrix,
    epsilon,
    gamma,
    guess_after,
    guess_after_repeats,
    posteriors,
    pse_before_mining,
    total_epsilon,
)
from deniable.privacy.population import Population
from deniable.privacy.report.figures import (
    AttributePrivacy,
    GroupPrivacy,
    PrivacyFigures,
    PrivacyReport,
    Repeated,
)
from deniable.privacy.report.report_warnings import report_warnings

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
    if everybody.schema != design.schema:
        raise DataError(
            "The population has other attributes, or lists their values in another order, than the "
            "design.",
            hint="Read it with the design's schema.",
        )
    known = dict(known or {})
    people = everybody.given(known) if known else everybody
    checked_levels(*breach)
    many = respondents or everybody.n or RESPONDENTS
    spent = total_epsilon(epsilon(group.channel) for group in design.groups)
    if not design.groups:
        spent = inf  # nothing is disguised
    parts = {part: _opened(part, people, reports) for part in linked_groups(design, people)}
    readers = {group.names: reader for part, reader in parts.items() for group in part.groups}
    attributes = {
        name: _attribute(group, name, people, readers[group.names], rules, attack, many)
        for group in design.groups
        for name in group.names
    }
    groups = tuple(
        GroupPrivacy(
            epsilon=epsilon(group.channel),
            **_smallest([attributes[name] for name in group.names]),
            **_figures(readers[group.names].group(group)),
            measured=attack.groups[number] if attack else None,
            names=group.names,
            kind=group.channel.kind,
            knowing=readers[group.names].knowing(group) if len(group.names) > 1 else {},
        )
        for number, group in enumerate(design.groups)
    )
    record = PrivacyFigures(
        epsilon=spent,
        **_smallest(list(attributes.values())),
        **_figures(_record(parts.values())),
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
        breach_is_impossible(*breach, gamma(spent)),
        most_influence(design),
        (),
    )
    return replace(report, warnings=tuple(report_warnings(report)))


def _attribute(
    group: Group,
    name: str,
    people: Population,
    reading: Reader,
    rules: Sequence[Sequence[Implication]],
    attack: Attack | None,
    respondents: int,
) -> AttributePrivacy:
    matrix, prior = entry_matrix(group, name), people.table([name])
    seen = reading.attribute(group, name)
    rec = recovery(name, rules, matrix, people)
    pse = pse_before_mining(matrix, prior)
    spent = epsilon(entry(group, name))
    values = people.schema[name].values
    return AttributePrivacy(
        epsilon=spent,
        pse=pse,
        pse_after=pse_after_mining(pse, rec),
        **_figures(seen),
        measured=attack.attributes[name] if attack else None,
        name=name,
        values=values,
        prior=prior,
        matrix=matrix,
        guess_alone=min(guess_after(matrix, prior) if seen.alone is None else seen.alone, 1.0),
        recovery=rec,
        suspicions=suspicions(
            values, prior, posteriors(matrix, prior) if seen.extremes is None else seen.extremes
        ),
        repeats=[Repeated(k, k * spent, guess_after_repeats(matrix, prior, k)) for k in TIMES],
        influences=influences(group, name, prior, respondents),
    )


def _record(parts: Iterable[Reader]) -> BestGuess:
    """The parts are independent: a record is guessed where each of them is."""
    before, right, variance = 1.0, 1.0, 0.0
    for seen in (part.record() for part in parts):
        if seen.guess is None or seen.before is None:
            return BestGuess(None, None)
        before *= seen.before
        right *= seen.guess
        variance += (seen.std_error / seen.guess) ** 2
    return BestGuess(before, right, right * sqrt(variance))


def _opened(together: LinkedGroups, people: Population, reports: Records | None) -> Reader:
    """List every pattern if that can be done, else the people that there are."""
    if together.cells <= MOST_JOINT_CELLS:
        return ExactReader(JointGroups.of(together, people))
    if reports is not None and any(set(together.names) <= set(b.names) for b in people.blocks):
        return SampledReader(together, people, reports)
    if people.is_even and len(together.groups) == 1 and not together.public:
        return EvenReader(together.groups[0])
    return Reader()


def _figures(seen: BestGuess) -> dict[str, Any]:
    """What attributes, groups and the record have in common; sums of shares may round above 1."""
    return {
        "before": None if seen.before is None else min(seen.before, 1.0),
        "guess": None if seen.guess is None else min(seen.guess, 1.0),
        "guess_std_error": seen.std_error,
    }


def _smallest(attributes: Sequence[AttributePrivacy]) -> dict[str, float]:
    """A group, or a record, is as private as its most exposed entry."""
    return {
        "pse": min((a.pse for a in attributes), default=0.0),
        "pse_after": min((a.pse_after for a in attributes), default=0.0),
    }
