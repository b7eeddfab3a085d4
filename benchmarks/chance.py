"""How often anything is found, where nothing is there and where something is.

    python -m benchmarks.chance level
    python -m benchmarks.chance power
    python -m benchmarks.chance picture docs/images/power.svg
    python -m benchmarks.chance time

Six features: three in a group, two in another, one public, of three values. Nothing is timed by
`make bench`: these are simulations of many minutes.
"""

import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import product

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.design import Design
from deniable.engine.memory.records import Records
from deniable.mine.chance import evidence
from deniable.mine.dependence import mine_dependence
from deniable.mine.rules.association_rules import mine_rules
from deniable.mine.tree.grow import SplitRule
from deniable.mine.tree.grown_trees import grown_tree
from deniable.mine.tree.mine_tree import mine_tree
from deniable.mine.tree.noise_rule import strength_by_folds
from deniable.oracle.randomized import RandomizedOracle
from deniable.source.disguise import disguise_records
from deniable.source.randomness import SeededBits

RUNS = 200

FEWER_RUNS = 100

WORKERS = 2

FEATURES = ("x0", "x1", "x2", "x3", "x4", "x5")

PLACES = ("public", "alone", "in a group")

CHANNELS = ("related", "unrelated", "keep-or-uniform")

SIZES = (500, 2000, 10_000, 50_000)

Effect = Callable[[Codes], Floats]


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


def surveyed(
    n: int,
    theta: float,
    share: float,
    place: str,
    channel: str,
    run: int,
    *,
    effect: Effect | None = None,
    apart: bool = False,
) -> RandomizedOracle:
    """One survey's reports; `apart`: features are independent of each other, too."""
    rng = np.random.default_rng([run, n, int(theta * 100), int(share * 100), len(place)])
    x = people(n, rng)
    chance = share + (0.0 if effect is None else effect(x))
    y = (rng.random(n) < chance).astype(np.int64)
    columns = [rng.permutation(column) for column in x] if apart else list(x)
    made = design(channel, theta, place)
    raw = Records(made.schema, tuple(column.astype(np.uint8) for column in (*columns, y)))
    reports = disguise_records(raw, None, made, SeededBits(int(rng.integers(1 << 31))))
    return RandomizedOracle(reports, made)


def level() -> None:
    """Where nothing predicts the class: test and tree; where nothing goes with anything: others."""
    print("| n | θ | share | class | channel | tree | any rule | any edge |\n|" + " --- |" * 8)
    cells = list(product((500, 2000, 10_000), (0.6, 0.8), (0.5, 0.2), PLACES, CHANNELS))
    with ProcessPoolExecutor(WORKERS) as workers:
        for cell, found in zip(cells, workers.map(_found_by_chance, cells), strict=True):
            n, *others = cell
            shown = [f"{n:,}", *map(str, others), *(f"{rate:.3f}" for rate in found)]
            print(f"| {' | '.join(shown)} |", flush=True)


def _found_by_chance(cell: tuple[int, float, float, str, str]) -> tuple[float, ...]:
    """Shares of surveys with a tree of several leaves, with any rule, and with any edge."""
    found = []
    for run in range(RUNS):
        nothing = surveyed(*cell, run, apart=True)
        found.append(
            (
                evidence(surveyed(*cell, run), "y", random_state=run).found(),
                len(mine_rules(nothing, min_support=0.05, min_confidence=0.5)) > 0,
                len(mine_dependence(nothing).edges) > 0,
            )
        )
    return tuple(np.mean(found, axis=0).tolist())


def _single(x: Codes) -> Floats:
    chance: Floats = 0.3 * (x[0] - 0.5)
    return chance


def _pair_within(x: Codes) -> Floats:
    chance: Floats = 0.3 * ((x[0] ^ x[1]) - 0.5)
    return chance


def _pair_across(x: Codes) -> Floats:
    chance: Floats = 0.3 * ((x[0] ^ x[3]) - 0.5)
    return chance


EFFECTS: dict[str, Effect] = {
    "single (.35, .65)": _single,
    "pair in a group (.35, .65)": _pair_within,
    "pair across groups (.35, .65)": _pair_across,
}


def power() -> None:
    """Where one thing does."""
    print("| effect | θ | class | " + " | ".join(f"n = {n:,}" for n in SIZES) + " |")
    print("|" + " --- |" * 7)
    for name, theta, place in product(EFFECTS, (0.6, 0.8), PLACES):
        rates = [
            np.mean(
                [
                    evidence(
                        surveyed(n, theta, 0.5, place, "related", run, effect=EFFECTS[name]),
                        "y",
                        random_state=run,
                    ).found()
                    for run in range(FEWER_RUNS)
                ]
            )
            for n in SIZES
        ]
        shown = " | ".join(f"{rate:.2f}" for rate in rates)
        print(f"| {name} | {theta} | {place} | {shown} |", flush=True)


SHOWN = {
    "nothing is there": None,
    "one attribute says something": _single,
    "two attributes of one group, only together": _pair_within,
}


def picture(path: str) -> None:
    """Draw how often a tree has more than one leaf, before and after; the class is public."""
    import altair as alt

    cells = list(product(SHOWN, (0.6, 0.8), SIZES))
    with ProcessPoolExecutor(WORKERS) as workers:
        found = list(workers.map(_split_at_all, cells))
    values = [
        {"what": what, "disguise": f"θ = {theta}", "n": n, "tree": tree, "share": share}
        for (what, theta, n), shares in zip(cells, found, strict=True)
        for tree, share in zip(("before", "now"), shares, strict=True)
    ]
    for value in values:
        print(*value.values(), sep=" | ")
    lines = alt.Chart(alt.InlineData(values=values)).mark_line(point=True)
    chart = lines.encode(
        x=alt.X(
            "n:Q",
            scale=alt.Scale(type="log"),
            title="people",
            axis=alt.Axis(format="~s", values=list(SIZES)),
        ),
        y=alt.Y("share:Q", scale=alt.Scale(domain=[0, 1]), title="surveys with a tree"),
        color=alt.Color("tree:N", title="θ = 0.6 (dashed: 0.8)", legend=alt.Legend(orient="top")),
        strokeDash=alt.StrokeDash("disguise:N", legend=None),
        column=alt.Column("what:N", title=None, sort=list(SHOWN)),
    ).properties(width=220, height=200)
    chart.save(path, format="svg")


def _split_at_all(cell: tuple[str, float, int]) -> tuple[float, float]:
    """Shares of surveys whose tree has more than one leaf: the earlier default, and today's."""
    what, theta, n = cell
    found = []
    for run in range(FEWER_RUNS):
        oracle = surveyed(n, theta, 0.5, "public", "related", run, effect=SHOWN[what])
        names, rule = oracle.schema.names, SplitRule()
        rng = np.random.default_rng(run)
        strength = strength_by_folds(oracle, "y", names[:-1], rule, cv=4, rng=rng)
        earlier = grown_tree(oracle, "y", names, rule, strength)
        found.append([len(tree.leaves) > 1 for tree in (earlier, mine_tree(oracle, "y"))])
    before, now = np.mean(found, axis=0).tolist()
    return before, now


def seconds() -> None:
    """How long one test takes; yes/no attributes in three groups, the class public or in one."""
    rng = np.random.default_rng(1)
    print("| records | attributes | class public | in a group |\n|" + " --- |" * 4)
    for n, many in (
        (1000, 16),
        (10_000, 16),
        (100_000, 16),
        (1_000_000, 14),
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
    works = {"level": level, "power": power, "time": seconds}
    works["picture"] = partial(picture, *sys.argv[2:3])
    works[sys.argv[1]]()
