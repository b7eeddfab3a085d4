"""1,000 conjunctions over three groups from 1,000,000 × 15 records, beside one pass of bincount."""

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from benchmarks.designs import ATTRIBUTES, grouped
from benchmarks.report import Bar, Row, Section, milliseconds
from benchmarks.timing import alternating, best
from deniable import Conjunction, Design, Family, RandomizedOracle, Records, disguise
from deniable.engine.memory.numpy_engine import MemoryEngine

RECORDS = 1_000_000
QUESTIONS = 1_000
MOST_TERMS = 4
BAR = Bar(3, "<")
REPEATS = 100
PACKING_REPEATS = 10

NOTES = (
    f"{RECORDS:,} disguised records of {ATTRIBUTES} yes/no attributes, three related groups of "
    f"five, θ = 0.8; {QUESTIONS:,} random conjunctions of 1 to {MOST_TERMS} attributes, each "
    "estimated with its variance.",
    f"The peer is `numpy.bincount(packed, minlength=2**{ATTRIBUTES})`, on the records that the "
    f"engine has packed, as int64. Best of {REPEATS}, taking turns; every repeat has a fresh "
    "oracle, so that nothing is remembered.",
    "The bar is for compiled conjunctions and packed records. Records are packed once per engine "
    "and conjunctions compiled once per family; the other rows add what that costs.",
    "Ten of the estimates are checked against the papers' weights, summed record by record.",
)


def run() -> Section:
    """Estimate, with and without what is done once."""
    design = grouped(2, "related", Fraction(4, 5), 5)
    records = _reports(design)
    questions = _questions(design)
    texts = [str(question) for question in questions]
    family = Family.of(texts, design.schema)
    engine = MemoryEngine(records)
    packed = engine.packed.astype(np.int64)  # the type that bincount takes quickest
    _agree(records, design, questions[:10])
    times = alternating(
        {
            "bincount": lambda: np.bincount(packed, minlength=1 << ATTRIBUTES),
            "packed and compiled": lambda: RandomizedOracle(engine, design).count(family),
            "parsing the texts too": lambda: RandomizedOracle(engine, design).count(texts),
        },
        REPEATS,
    )
    bincount = times.pop("bincount")
    times["packing too"] = best(
        lambda: RandomizedOracle(MemoryEngine(records), design).count(family), PACKING_REPEATS
    )
    times["parsing and packing too"] = best(
        lambda: RandomizedOracle(MemoryEngine(records), design).count(texts), PACKING_REPEATS
    )
    times["packing alone"] = best(lambda: MemoryEngine(records).packed, PACKING_REPEATS)
    rows = [
        Row(
            question,
            "one bincount",
            milliseconds(ours),
            milliseconds(bincount),
            ours / bincount,
            BAR if question == "packed and compiled" else None,
        )
        for question, ours in times.items()
    ]
    return Section("Estimating conjunctions", "times bincount", rows, NOTES)


def _reports(design: Design) -> Records:
    generator = np.random.default_rng(1)
    codes = generator.integers(0, 2, (ATTRIBUTES, RECORDS), dtype=np.uint8)
    reports: Records = disguise(Records(design.schema, tuple(codes)), design)
    return reports


def _questions(design: Design) -> list[Conjunction]:
    generator = np.random.default_rng(2)
    found = []
    for _ in range(QUESTIONS):
        terms = int(generator.integers(1, MOST_TERMS + 1))
        names = generator.choice(design.schema.names, terms, replace=False)
        found.append(Conjunction.of({str(name): str(generator.integers(2)) for name in names}))
    return found


def _agree(records: Records, design: Design, questions: list[Conjunction]) -> None:
    """Σ over records of Π over groups of (match, clash, or neither), by the papers' weights."""
    found = RandomizedOracle(MemoryEngine(records), design).count(questions).value
    for question, value in zip(questions, found, strict=True):
        assert np.isclose(value, _weights(records, design, question).sum()), question


def _weights(records: Records, design: Design, question: Conjunction) -> NDArray[np.float64]:
    asked = dict(question.terms)
    weight = np.ones(len(records))
    for group in design.groups:
        match, clash = np.ones(len(records), bool), np.ones(len(records), bool)
        for name in set(group.names) & set(asked):
            same = records.columns[design.schema.position(name)] == int(asked[name])
            match &= same
            clash &= ~same
        if set(group.names) & set(asked):
            weight *= (0.8 * match - 0.2 * clash) / 0.6
    return weight
