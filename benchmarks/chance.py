"""How often the test against chance finds anything, where nothing is and where something is.

    python -m benchmarks.chance level
    python -m benchmarks.chance power
    python -m benchmarks.chance time

Six features, correlated with each other: three in a group, two in another, one public, of three
values. Nothing is timed by `make bench`: these are simulations of some minutes.
"""

import sys
import time
from collections.abc import Callable, Sequence
from itertools import product

import numpy as np

from deniable.base.arrays import AnyCodes, Codes
from deniable.design import Design
from deniable.engine.memory.records import Records
from deniable.mine.chance import evidence
from deniable.oracle.randomized import RandomizedOracle
from deniable.source.disguise import disguise_records
from deniable.source.randomness import SeededBits

RUNS = 200

FEWER_RUNS = 100

LEVEL = 0.05

FEATURES = ("x0", "x1", "x2", "x3", "x4", "x5")

PLACES = ("public", "alone", "in a group")

CHANNELS = ("related", "unrelated", "keep-or-uniform")

Effect = Callable[[Codes], AnyCodes]


def design(channel: str, theta: float, place: str, features: Sequence[str] = FEATURES) -> Design:
    """Two groups and a public attribute; the class where it is told."""
    groups = [["x0", "x1", "x2"], ["x3", "x4"]]
    if place == "alone":
        groups.append(["y"])
    elif place == "in a group":
        groups[0].append("y")
    personal = {"0": "0.7", "1": "0.3"}
    return Design.of(
        {
            "attributes": {
                **{name: ["0", "1"] for name in features[:-1]},
                features[-1]: ["0", "1", "2"],
                "y": ["0", "1"],
            },
            "groups": [
                {
                    "attributes": names,
                    "channel": channel,
                    "theta": str(theta),
                    **(
                        {"personal": dict.fromkeys(names, personal)}
                        if channel == "unrelated"
                        else {}
                    ),
                }
                for names in groups
            ],
        }
    )


def people(n: int, rng: np.random.Generator) -> Codes:
    """Correlated features; the first and the fourth are even, so that they can interact alone."""
    common = rng.random(n)
    columns = [rng.random(n) < 0.5, *(rng.random(n) < 0.2 + 0.5 * common for _ in range(2))]
    columns += [rng.random(n) < 0.5, rng.random(n) < 0.1 + 0.5 * common]
    columns += [(3 * (0.6 * common + 0.4 * rng.random(n))).astype(np.int64)]
    return np.stack(columns).astype(np.int64)


def p_value(
    n: int, theta: float, share: float, place: str, channel: str, effect: Effect | None, run: int
) -> float:
    """What one survey says."""
    rng = np.random.default_rng([run, n, int(theta * 100), int(share * 100), len(place)])
    x = people(n, rng)
    chance = share + (0.0 if effect is None else effect(x))
    y = (rng.random(n) < chance).astype(np.int64)
    made = design(channel, theta, place)
    raw = Records(made.schema, tuple(column.astype(np.uint8) for column in (*x, y)))
    reports = disguise_records(raw, None, made, SeededBits(int(rng.integers(1 << 31))))
    p = evidence(RandomizedOracle(reports, made), "y", random_state=run).p
    return 1.0 if p is None else p


def share_found(values: Sequence[float]) -> float:
    """How often something was found."""
    return float(np.mean(np.array(values) <= LEVEL))


def level() -> None:
    """Where nothing predicts the class."""
    print("| n | θ | share | class | " + " | ".join(CHANNELS) + " |\n|" + " --- |" * 7)
    for n, theta, share, place in product((500, 2000, 10000), (0.6, 0.8), (0.5, 0.2), PLACES):
        rates = [
            share_found(
                [p_value(n, theta, share, place, channel, None, run) for run in range(RUNS)]
            )
            for channel in CHANNELS
        ]
        cells = " | ".join(f"{rate:.3f}" for rate in rates)
        print(f"| {n:,} | {theta} | {share} | {place} | {cells} |", flush=True)


EFFECTS: dict[str, Effect] = {
    "single (.35, .65)": lambda x: 0.3 * (x[0] - 0.5),
    "pair in a group (.35, .65)": lambda x: 0.3 * ((x[0] ^ x[1]) - 0.5),
    "pair across groups (.35, .65)": lambda x: 0.3 * ((x[0] ^ x[3]) - 0.5),
}


def power() -> None:
    """Where one thing does."""
    sizes = (500, 2000, 10000, 50000)
    print("| effect | θ | class | " + " | ".join(f"n = {n:,}" for n in sizes) + " |")
    print("|" + " --- |" * 7)
    for name, theta, place in product(EFFECTS, (0.6, 0.8), PLACES):
        rates = [
            share_found(
                [
                    p_value(n, theta, 0.5, place, "related", EFFECTS[name], run)
                    for run in range(FEWER_RUNS)
                ]
            )
            for n in sizes
        ]
        print(
            f"| {name} | {theta} | {place} | {' | '.join(f'{r:.2f}' for r in rates)} |", flush=True
        )


def seconds() -> None:
    """How long one test takes; yes/no attributes in three groups, the class public or in one."""
    rng = np.random.default_rng(1)
    print("| records | attributes | class public | in a group |\n|" + " --- |" * 4)
    for n, many in (
        (1000, 16),
        (10000, 16),
        (100000, 16),
        (1000000, 14),
        (1000, 200),
        (1000, 1000),
    ):
        names = [f"x{place}" for place in range(many)]
        thirds = [names[1 + place :: 3] for place in range(3)]
        made = Design.of(
            {
                "attributes": {name: ["0", "1"] for name in names},
                "groups": [
                    {"attributes": part, "channel": "related", "theta": "0.7"} for part in thirds
                ],
            }
        )
        columns = rng.integers(0, 2, (many, n), dtype=np.uint8)
        reports = disguise_records(Records(made.schema, tuple(columns)), None, made, SeededBits(1))
        oracle = RandomizedOracle(reports, made)
        spent = []
        for target in ("x0", "x1"):
            start = time.perf_counter()
            evidence(oracle, target)
            spent.append(f"{time.perf_counter() - start:.2f} s")
        print(f"| {n:,} | {many:,} | {' | '.join(spent)} |", flush=True)


if __name__ == "__main__":
    {"level": level, "power": power, "time": seconds}[sys.argv[1]]()
