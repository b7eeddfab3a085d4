"""A privacy report with a real attack on it: known records, disguised, handed to an attacker.

The records' reports are made here for the attack only, and thrown away.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from deniable.design import Design
from deniable.engine.memory.records import Records
from deniable.expression import Implication
from deniable.privacy.attack.attacker import attack, foreseen_attack
from deniable.privacy.attack.estimated_population import estimated_population
from deniable.privacy.population import Population
from deniable.privacy.report.figures import PrivacyReport
from deniable.privacy.report.measure_privacy import BREACH, measure_privacy
from deniable.source.disguise import disguise_records
from deniable.source.randomness import SeededBits

INVENTED_PEOPLE = 10_000
"""How many are invented, where nobody has answered yet."""


def privacy_report(
    design: Design,
    population: Records | Population | None = None,
    *,
    collected: Records | None = None,
    known: Mapping[str, str] | None = None,
    rules: Sequence[Sequence[Implication]] = (),
    respondents: int | None = None,
    breach: tuple[float, float] = BREACH,
    random_state: int = 0,
) -> PrivacyReport:
    """Measure what a design gives away; with records as the population, attack them as well.

    Instead of a population, reports of the design that were `collected` tell what a collector
    knows; what an attacker would get right is then estimated through the disguise.

    >>> design = Design.of({
    ...     "attributes": {"smokes": ["no", "yes"]},
    ...     "groups": [{"attributes": ["smokes"], "channel": "related", "theta": "4/5"}],
    ... })
    >>> report = privacy_report(design)
    >>> round(report.record.epsilon, 3), round(report.record.guess, 3), report.warnings
    (1.386, 0.8, ())
    """
    people: Population | None = None
    reports, found = None, None
    if collected is not None:
        people = estimated_population(collected, design)
        found = None if known else foreseen_attack(collected, design)
    elif isinstance(population, Population):
        people = population
    elif population is not None:
        records = population.select(design.schema)
        people = Population.of_records(records)
        if not design.needs_second_sample:
            reports = disguise_records(records, None, design, SeededBits(random_state))
            found = attack(records, reports, design, known)
            reports = reports.among(records.having(known or {}))
    return measure_privacy(
        design,
        people,
        known=known,
        rules=rules,
        reports=reports,
        attack=found,
        respondents=respondents,
        breach=breach,
    )


def rehearsed_report(
    design: Design,
    population: Population | None = None,
    *,
    people: int = INVENTED_PEOPLE,
    random_state: int = 0,
) -> PrivacyReport:
    """Measure a design before anybody was asked, and attack it on people who are invented.

    They are drawn from the population; where none is given, every value is as likely as any other.
    Their reports are disguised for real, and the attacker has these and the design, nothing else.

    >>> design = Design.of({
    ...     "attributes": {"smokes": ["no", "yes"]},
    ...     "groups": [{"attributes": ["smokes"], "channel": "related", "theta": "4/5"}],
    ... })
    >>> report = rehearsed_report(design, people=1000)
    >>> report.record.guess, abs(report.record.measured.success - 0.8) < 4 * 0.013
    (0.8, True)
    """
    drawn_from = population or Population.even(design.schema)
    rng = np.random.default_rng(random_state)
    columns = {}
    for block in drawn_from.blocks:
        chosen = block.codes[rng.choice(len(block.codes), size=people, p=block.shares)]
        columns.update({name: chosen[:, place] for place, name in enumerate(block.names)})
    records = Records.from_codes([columns[name] for name in design.schema.names], design.schema)
    reports = disguise_records(records, None, design, SeededBits(random_state))
    found = attack(records, reports, design)
    return measure_privacy(design, population, reports=reports, attack=found, respondents=people)
