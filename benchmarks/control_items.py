"""What control items' verdicts are worth, where known shares of people ignore the device.

    python -m benchmarks.control_items            # 400 surveys a cell: a few minutes
    python -m benchmarks.control_items 1000

Three questions (one of three values, one with "yes" as its first option), and one, two or four
control items, each with a device of its own. People of each kind are drawn, their answers sent
through the channels, and judged by what the researcher's page shows. Nothing is timed.
"""

import sys
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.compliance.behaviours import BEHAVIOURS, Behaviour, sent
from deniable.compliance.control_check import control_check
from deniable.compliance.interval import Interval
from deniable.design import Design
from deniable.engine.memory.records import Records
from deniable.expression import Conjunction
from deniable.oracle.randomized import RandomizedOracle
from deniable.privacy.measures.single_answer import entry_matrix

RUNS = 400
WORKERS = 2
PEOPLE = (300, 1000, 3000)
RATES = (0.05, 0.15, 0.3)
QUESTIONS = {
    "drugs": {"no": 0.9, "yes": 0.1},
    "copied": {"yes": 0.3, "no": 0.7},
    "rating": {"low": 0.5, "middle": 0.3, "high": 0.2},
}
CONTROLS = {
    "moon": {"no": 1.0, "yes": 0.0},
    "air": {"yes": 1.0, "no": 0.0},
    "mars": {"yes": 0.0, "no": 1.0},
    "water": {"no": 0.0, "yes": 1.0},
}
SETS = {1: ("moon",), 2: ("moon", "air"), 4: tuple(CONTROLS)}

Mix = tuple[tuple[Behaviour, float], ...]
"""Shares of people who ignore the device, by what they do."""

MIXED: tuple[tuple[Behaviour, float], ...] = (("no", 0.5), ("random", 0.25), ("truth", 0.25))
"""The same where all kinds are there at once, of those who ignore it."""

MISSES_OFTEN = 0.2
MOST_FINE = 0.1


@dataclass
class Cell:
    """What became of the surveys of one cell."""

    runs: int
    rate: int = 0
    """Intervals of the rate, of the kind that there is, that hold it."""

    rates_together: Counter[str] = field(default_factory=Counter)
    corrected: Counter[str] = field(default_factory=Counter)
    corrected_together: Counter[str] = field(default_factory=Counter)
    plain: Counter[str] = field(default_factory=Counter)
    """Intervals of each share that hold what is true."""

    verdicts: Counter[str] = field(default_factory=Counter)


def design(items: int) -> Design:
    """Questions and control items, each with a device of its own."""
    names = {**QUESTIONS, **{name: CONTROLS[name] for name in SETS[items]}}
    return Design.of(
        {
            "attributes": {name: list(shares) for name, shares in names.items()},
            "groups": [
                {
                    "attributes": [name],
                    "channel": "keep-or-uniform" if name == "rating" else "related",
                    "theta": "1/2" if name == "rating" else "4/5",
                }
                for name in names
            ],
        }
    )


def reports(
    asked: Design, people: int, mix: Mix, generator: np.random.Generator
) -> dict[str, Codes]:
    """Codes of what people send, of whom some ignore the device in all they are asked."""
    shares = [1 - sum(share for _, share in mix), *(share for _, share in mix)]
    whose = generator.choice(len(shares), people, p=shares)
    columns = {}
    for group in asked.groups:
        (attribute,) = group.attributes
        true = {**QUESTIONS, **CONTROLS}[attribute.name]
        truth = _drawn(np.array([list(true.values())]), np.zeros(people, np.int64), generator)
        column = _drawn(entry_matrix(group, attribute.name).T, truth, generator)
        for number, (behaviour, _) in enumerate(mix, start=1):
            those = whose == number
            column[those] = _drawn(sent(behaviour, attribute).T, truth[those], generator)
        columns[attribute.name] = column
    return columns


def _drawn(chances: Floats, rows: Codes, generator: np.random.Generator) -> Codes:
    ends = np.cumsum(chances, axis=1)
    ends[:, -1] = 1.0
    found: Codes = (generator.random((len(rows), 1)) >= ends[rows]).sum(axis=1)
    return found


def plain_intervals(asked: Design, columns: Mapping[str, Codes]) -> dict[tuple[str, str], Interval]:
    """What is printed if everybody is taken to follow the device."""
    records = Records.from_codes([columns[name] for name in asked.schema.names], asked.schema)
    keys = [(name, value) for name, shares in QUESTIONS.items() for value in shares]
    found = RandomizedOracle(records, asked).count(
        [Conjunction.of({name: value}) for name, value in keys], of="population"
    )
    bounds = np.stack([found.value, *found.interval()], axis=1) / found.n
    return {key: Interval(*each) for key, each in zip(keys, bounds.tolist(), strict=True)}


def cell(job: tuple[int, int, Mix], runs: int) -> Cell:
    """Hold surveys of so many control items and people."""
    items, people, mix = job
    generator = np.random.default_rng(jobs().index(job))
    asked = design(items)
    known = {name: CONTROLS[name] for name in SETS[items]}
    kind = mix[0][0]
    done = Cell(runs)
    for _ in range(runs):
        columns = reports(asked, people, mix, generator)
        check = control_check(asked, known, columns)
        assert check is not None
        done.verdicts[check.verdict] += 1
        for (name, value), plain in plain_intervals(asked, columns).items():
            done.plain[f"{name}={value}"] += plain.holds(QUESTIONS[name][value])
        done.rate += any(k.kind == kind and k.rate.holds(mix[0][1]) for k in check.kinds)
        for each, rate in (check.together or {}).items():
            done.rates_together[each] += rate.holds(dict(mix).get(each, 0.0))  # type: ignore[call-overload]
        for share in check.shares:
            true, key = QUESTIONS[share.attribute][share.value], f"{share.attribute}={share.value}"
            if kind in share.alone:
                done.corrected[key] += share.alone[kind].holds(true)
            if share.together is not None:
                done.corrected_together[key] += share.together.holds(true)
    return done


def jobs() -> list[tuple[int, int, Mix]]:
    """Every cell: control items, people, and who ignores the device."""
    mixes: list[Mix] = [(("no", 0.0),)]
    mixes += [((behaviour, rate),) for behaviour in BEHAVIOURS for rate in RATES]
    mixes += [tuple((kind, rate * part) for kind, part in MIXED) for rate in RATES]
    return [(items, people, mix) for items in SETS for people in PEOPLE for mix in mixes]


def main(arguments: list[str]) -> None:
    """Print a table, and what it comes to."""
    runs = int(arguments[0]) if arguments else RUNS
    todo = jobs()
    with ProcessPoolExecutor(WORKERS) as pool:
        cells = list(pool.map(partial(cell, runs=runs), todo))
    print(f"{runs} surveys a cell.\n")
    print(
        "| items | people | who ignores it | rate held | corrected held | all at once: rates | "
        "shares | plain misses | seen | fine |"
    )
    print("|" + " ---: |" * 2 + " --- |" + " ---: |" * 7)
    for (items, people, mix), found in zip(todo, cells, strict=True):
        who = " + ".join(f"{share:.1%} {kind}" for kind, share in mix if share) or "nobody"
        single = len(mix) == 1
        columns = [
            f"{found.rate / runs:.3f}" if single else "",
            _range(found.corrected, runs) if single else "",
            _range(found.rates_together, runs),
            _range(found.corrected_together, runs),
            f"{1 - min(found.plain.values()) / runs:.2f}",
            f"{found.verdicts['seen'] / runs:.2f}",
            f"{found.verdicts['fine'] / runs:.2f}",
        ]
        print(f"| {items} | {people:,} | {who} | {' | '.join(columns)} |")
    _sum_up(todo, cells)


def _range(held: Counter[str], runs: int) -> str:
    if not held:
        return ""
    return f"{min(held.values()) / runs:.3f}–{max(held.values()) / runs:.3f}"


def _sum_up(todo: list[tuple[int, int, Mix]], cells: list[Cell]) -> None:
    alone = [each for (_, _, mix), each in zip(todo, cells, strict=True) if len(mix) == 1]
    for name, shares in (
        ("rate", [each.rate / each.runs for each in alone]),
        ("corrected share", [n / each.runs for each in alone for n in each.corrected.values()]),
        ("rates, all at once", [n / e.runs for e in cells for n in e.rates_together.values()]),
        ("shares, all at once", [n / e.runs for e in cells for n in e.corrected_together.values()]),
    ):
        inside = np.mean([0.93 <= share <= 0.97 for share in shares])
        print(
            f"\n{name}: {len(shares)} cells, mean {np.mean(shares):.4f}, from {min(shares):.3f} to "
            f"{max(shares):.3f}, {inside:.1%} of them between .93 and .97."
        )
    often = [
        (job, each)
        for job, each in zip(todo, cells, strict=True)
        if 1 - min(each.plain.values()) / each.runs > MISSES_OFTEN
    ]
    fine = [each.verdicts["fine"] / each.runs for _, each in often]
    print(
        f"\nThe plain interval of some share misses in more than {MISSES_OFTEN:.0%} of surveys in "
        f"{len(often)} of {len(cells)} cells; there at most {max(fine):.3f} are called fine (bar: "
        f"{MOST_FINE})."
    )


if __name__ == "__main__":
    main(sys.argv[1:])
