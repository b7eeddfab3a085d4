"""Hybrid item sets beside secure counts alone and randomization alone (Teng & Du's figure 8).

Alone: ``python -m benchmarks.hybrid_sets``.
"""

from collections.abc import Iterator

import numpy as np

from benchmarks.hybrid import CountingOracle
from benchmarks.report import Bar, Row, Section
from deniable import RandomizedOracle, Records
from deniable.base.arrays import Floats
from deniable.mine.rules.item_sets import ItemSets, frequent
from deniable.papers.prepared_sets import binary
from deniable.papers.related_groups import related
from deniable.source.disguise import disguise_records
from deniable.source.randomness import SeededBits

SUPPORT, THETA = 0.3, "0.495"
TOLERANCES = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3)
LONGEST = 4
"""Randomization alone would go on for long, with sets that are not there."""
REPEATS = 20
SEED = 20261119

VALID, MISSED, HYBRID_VALID, HYBRID_MISSED, CHECKS, COUNTS = range(6)


def run() -> Section:
    """Find frequent sets at every tolerance, over and over."""
    people = binary("adult")
    names = people.schema.names
    secure = CountingOracle(people, names[0::2], names[1::2])
    exact = frequent(secure, min_support=SUPPORT, max_len=LONGEST)
    found = np.array([_tolerated(people, _sets(exact), repeat) for repeat in range(REPEATS)])
    mean: Floats = found.mean(axis=0)
    rows = [*_bars(mean, exact)]
    notes = _notes(people, exact, secure)
    return Section("Hybrid item sets", "ratio", rows, notes, list(_table(mean, exact, secure)))


def _bars(mean: Floats, exact: ItemSets) -> Iterator[Row]:
    for tolerance, row in zip(TOLERANCES, mean, strict=True):
        checks = f"{row[CHECKS]:.0f}", f"{exact.checked}"
        question = f"sets checked securely, tolerance {tolerance}"
        yield Row(question, "secure only", *checks, row[CHECKS] / exact.checked, Bar(1, "<"))
    worst = mean[:, HYBRID_VALID].min()
    best = mean[:, VALID].max()
    shares = f"{worst:.3f}", f"{best:.3f}"
    yield Row("valid sets, least", "randomization only, most", *shares, worst, Bar(1, "≥"))


def _tolerated(people: Records, truth: frozenset[str], repeat: int) -> list[list[float]]:
    """Disguise anew; ``[tolerance, measure]``."""
    rng = np.random.default_rng([SEED, repeat])
    dealt = rng.permutation(people.schema.names).tolist()
    design = related(people.schema, dealt, 1, THETA)
    bits = SeededBits(int(rng.integers(1 << 62)))
    screen = RandomizedOracle(disguise_records(people, None, design, bits), design)
    rows = []
    for tolerance in TOLERANCES:
        confirm = CountingOracle(people, dealt[0::2], dealt[1::2])
        alone = frequent(screen, min_support=SUPPORT, tolerance=tolerance, max_len=LONGEST)
        hybrid = frequent(
            screen, min_support=SUPPORT, tolerance=tolerance, max_len=LONGEST, confirm=confirm
        )
        quality = *_quality(_sets(alone), truth), *_quality(_sets(hybrid), truth)
        rows.append([*quality, float(hybrid.confirmed), float(confirm.counts)])
    return rows


def _sets(found: ItemSets) -> frozenset[str]:
    return frozenset(str(row.items) for row in found.rows())


def _quality(found: frozenset[str], truth: frozenset[str]) -> tuple[float, float]:
    """Share of what was found that is true, and of what is true that was missed."""
    return len(found & truth) / max(len(found), 1), 1 - len(found & truth) / len(truth)


def _table(mean: Floats, exact: ItemSets, secure: CountingOracle) -> Iterator[str]:
    yield (
        "| tolerance | randomization only: valid | missed | hybrid: valid | missed "
        "| sets checked securely | share | secure counts | share |"
    )
    yield "| ---: |" + " ---: |" * 8
    for tolerance, row in zip(TOLERANCES, mean, strict=True):
        shares = row[CHECKS] / exact.checked, row[COUNTS] / secure.counts
        quality = " | ".join(f"{value:.3f}" for value in row[:CHECKS])
        checks = f"{row[CHECKS]:.0f} | {shares[0]:.2f} | {row[COUNTS]:.0f} | {shares[1]:.2f}"
        yield f"| {tolerance} | {quality} | {checks} |"


def _notes(people: Records, exact: ItemSets, secure: CountingOracle) -> list[str]:
    return [
        f"All {len(people):,} records of Adult, {len(people.schema)} attributes in two values, "
        f"every value an item; support {SUPPORT}, sets of at most {LONGEST}; one related group "
        f"over all attributes, as in the paper, θ = {THETA}; means of {REPEATS} repeats.",
        f"Secure only checks {exact.checked} sets and finds {len(exact)}. Two parties, who have "
        f"every other attribute each, count {secure.counts} of them together; the others are about "
        "one party's items, or follow by subtraction.",
        "*valid*: share of the sets found that are truly frequent; *missed*: share of the frequent "
        "ones that are not found. What the hybrid finds is confirmed by an exact count.",
    ]


if __name__ == "__main__":
    print(run())
