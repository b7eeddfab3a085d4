"""A pilot: a small undisguised survey from which the large one is planned.

Its records give the domains, the shares and how attributes depend on each other; and, simulated
surveys of a planned size, what a tree mined through a planned disguise would be worth.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from time import perf_counter
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from deniable.base.arrays import Floats
from deniable.base.errors import DataError, DesignError
from deniable.base.wording import plus_minus
from deniable.engine.memory.records import Records
from deniable.engine.open_table import open_table
from deniable.engine.table import Table
from deniable.mine.tree.mine_tree import mine_tree
from deniable.oracle.api import CountOracle
from deniable.oracle.exact import ExactOracle
from deniable.oracle.randomized import RandomizedOracle
from deniable.privacy.plan.plan import Plan
from deniable.privacy.plan.read_request import MOST_PLANNED_VALUES
from deniable.schema import Attribute, Schema
from deniable.source.disguise import disguise_records
from deniable.source.randomness import SeededBits

FEWEST_IN_PILOT = 60
"""Records of a pilot from which a tree can be mined, and tested on others."""

MOST_SIMULATED = 10_000
"""Respondents of a simulated survey: more of them would take longer and change little."""

REPEATS = 4
TESTED_SHARE = 0.3
PILOT_SEED = 2026
PILOT_PATIENCE = 60.0

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class PilotAccuracy:
    """How often a tree is right on records it has not seen: mean and standard error."""

    mean: float
    std_error: float

    @classmethod
    def of(cls, found: Floats) -> "PilotAccuracy":
        """Average over simulated surveys."""
        return cls(float(found.mean()), float(found.std(ddof=1) / np.sqrt(len(found))))


@dataclass(frozen=True)
class TreeAccuracies:
    """Trees from simulated surveys, beside what needs no disguise, or no tree."""

    target: str
    respondents: int
    majority: float
    """Share of the commonest class: what is right without any tree."""

    undisguised: PilotAccuracy
    disguised: tuple[PilotAccuracy | None, ...]
    """In the order of the plan's trade-off; None where no survey was simulated."""

    def __str__(self) -> str:
        plain = self.undisguised
        return (
            f"Trees of {self.target}, mined from simulated surveys of {self.respondents:,} and "
            "tested on others of the pilot: mean accuracy ± standard error. Undisguised "
            f"{plus_minus(plain.mean, plain.std_error)}; the commonest class alone "
            f"{self.majority:.3f}."
        )

    def added_to(self, document: dict[str, object]) -> dict[str, object]:
        """Add what was found to a plan's JSON."""
        rows = document["tradeoff"]
        assert isinstance(rows, list)
        for row, accuracy in zip(rows, self.disguised, strict=True):
            row["accuracy"] = accuracy and asdict(accuracy)
        trees = asdict(self)
        del trees["disguised"]
        return {**document, "trees": trees}


def read_pilot(pilot: Any, names: Sequence[str] = (), target: str | None = None) -> Records:
    """Read some columns of a prepared table, or all of them; their values are the domains.

    Categories of a Parquet file keep their order; other values are sorted, numbers by size. With a
    target, its column is read, too, and there must be another to tell it from.
    """
    for name in names:
        if "=" in name:
            raise DesignError(
                f"{name!r} gives a share, and the pilot has its own.",
                hint="With --pilot, name columns only.",
            )
    file = open_table(pilot)
    if file.fingerprint is not None:
        raise DataError(
            f"{file.name} is disguised; shares of a pilot are read as they are.",
            hint="Name raw, prepared records.",
        )
    wanted = [*names, *([target] if names and target is not None else [])]
    columns = list(dict.fromkeys(wanted)) or list(file.names)
    file.require(columns)
    if [target] == columns:
        raise DataError(
            f"A tree of {target!r} needs another column.", hint="Name one or more beside it."
        )
    batches = [pa.Table.from_batches([batch]) for batch in file.batches(columns)]
    file.require_some(sum(batch.num_rows for batch in batches))
    table = pa.concat_tables(batches, promote_options="permissive").unify_dictionaries()
    ordered = _ordered(file)
    schema = Schema(
        tuple(_domain(name, table[name], file.name, in_order=name in ordered) for name in columns)
    )
    if target is not None:
        _ = schema[target]  # refuses what is no column
    return Records.of(table, schema, where=file.name)


def _ordered(table: Table) -> set[str]:
    """Columns that were written as categories, whose order means something."""
    return {field.name for field in table.types or () if pa.types.is_dictionary(field.type)}


def _domain(name: str, cells: "pa.ChunkedArray", where: str, *, in_order: bool) -> Attribute:
    if in_order and pa.types.is_dictionary(cells.type):
        found = cells.chunk(0).dictionary.cast(pa.string()).to_pylist()
    else:
        plain = cells.cast(cells.type.value_type) if pa.types.is_dictionary(cells.type) else cells
        found = pc.unique(plain).drop_null().cast(pa.string()).to_pylist()
        found.sort(key=_by_number)
    if len(found) > MOST_PLANNED_VALUES:
        raise DataError(
            f"{where}: {name!r} has {len(found):,} values; a plan is for up to "
            f"{MOST_PLANNED_VALUES}.",
            hint=f"Bin or join them first (deniable prepare {where} --out …), or leave it out.",
        )
    if "" in found:
        raise DataError(
            f"{where}: {name!r} has empty cells.",
            hint="Give missing values a value of their own (deniable prepare does), or drop them.",
        )
    return Attribute(name, tuple(found))


def _by_number(text: str) -> tuple[float, str]:
    try:
        return float(text), text
    except ValueError:
        return np.inf, text


def tree_accuracies(
    plan: Plan,
    pilot: Records,
    target: str,
    *,
    repeats: int = REPEATS,
    patience: float = PILOT_PATIENCE,
    progress: Progress = lambda done, total: None,
) -> TreeAccuracies:
    """Simulate surveys: draw respondents from a part of the pilot, disguise, mine, test on others.

    Every second line of the trade-off is simulated, and the recommended one. All meet the same
    respondents and are tested on the same others. Respondents are drawn with replacement, so a
    small pilot stands in for a large survey: the disguise is as noisy as it will be, but what a
    tree could learn from people unlike the pilot's is not foreseen. Seeds are fixed. Lines that
    would take longer than `patience` (seconds), all in all, are left out; never the recommended.
    """
    if len(pilot) < FEWEST_IN_PILOT:
        raise DataError(
            f"The pilot has {len(pilot)} records, too few to mine and test a tree.",
            hint=f"Leave --target out, or give {FEWEST_IN_PILOT} or more.",
        )
    n = min(plan.respondents, MOST_SIMULATED)
    surveys = [_survey(pilot, n, repeat) for repeat in range(repeats)]
    right = np.full((1 + len(plan.tradeoff), repeats), np.nan)
    right[0] = [_accuracy(ExactOracle(p, p.schema), target, others) for p, others in surveys]
    # The recommended line first: it is never left out.
    rows = sorted(enumerate(plan.tradeoff), key=lambda item: not item[1].recommended)
    chosen = [(place, row.design) for place, row in rows if row.recommended or place % 2]
    begun = spent = perf_counter()
    for done, (place, design) in enumerate(chosen):
        now = perf_counter()
        if done and 2 * now - spent - begun > patience:  # as long again as the line before
            break
        spent = now
        for repeat, (people, others) in enumerate(surveys):
            seed = np.random.default_rng([PILOT_SEED, repeat, place]).integers(1 << 62)
            reports = disguise_records(people, None, design, SeededBits(int(seed)))
            oracle = RandomizedOracle(reports, design)
            right[1 + place, repeat] = _accuracy(oracle, target, others)
            progress(done * repeats + repeat + 1, repeats * len(chosen))
    classes = np.bincount(pilot.columns[pilot.schema.position(target)])
    plain, *disguised = [None if np.isnan(line[0]) else PilotAccuracy.of(line) for line in right]
    assert plain is not None
    return TreeAccuracies(target, n, float(classes.max() / len(pilot)), plain, tuple(disguised))


def _survey(pilot: Records, n: int, repeat: int) -> tuple[Records, Records]:
    """Draw respondents from a part of the pilot; the others are to test on."""
    rng = np.random.default_rng([PILOT_SEED, repeat])
    order = rng.permutation(len(pilot))
    cut = int(len(pilot) * TESTED_SHARE)
    return pilot.among(rng.choice(order[cut:], n)), pilot.among(order[:cut])


def _accuracy(oracle: CountOracle, target: str, others: Records) -> float:
    """Mine a tree as `deniable mine tree` does, and see how often it is right about others."""
    tree = mine_tree(oracle, target)
    place = others.schema.position
    features = np.stack([others.columns[place(name)] for name in tree.features], axis=1)
    truth = others.columns[place(target)]
    return float((tree.predict(features.astype(np.int64)) == truth).mean())
