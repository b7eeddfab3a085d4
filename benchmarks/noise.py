"""What noise and the rest of the default policy cost a tree that two parties mine together.

Whole runs in one process: messages, planning, policy, judges and ledgers are the real ones, and
vectors are counted by the plaintext twin, which gives the same counts.
Alone: ``python -m benchmarks.noise [--repeats 3] [--sets tic-tac-toe]``.
"""

import argparse
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.hybrid import (
    ACCURACY,
    FIRST,
    MORE,
    NAMES,
    THETA,
    TRAINING,
    Floats,
    accuracy,
    chosen,
    standard_error,
)
from benchmarks.report import Bar, Row, Section
from deniable import ExactOracle, Records
from deniable.collab.agreement.agreement import Agreement
from deniable.collab.agreement.approvals import approve
from deniable.collab.agreement.party_file import PartyFile
from deniable.collab.counting.plain_twin import Twin
from deniable.collab.follower.dispatcher import Dispatcher
from deniable.collab.leader.lead import RunOutcome, lead
from deniable.collab.policy import Policy
from deniable.collab.policy.policy import DEFAULT_NOISE, MOST_COUNTS
from deniable.collab.session.run import Run
from deniable.collab.wire.identity import Peer
from deniable.collab.wire.message import Message
from deniable.mine.tree.decision_tree import DecisionTree
from deniable.mine.tree.mine_tree import mine_tree
from deniable.papers.datasets import SETS
from deniable.papers.prepared_sets import binary
from deniable.source.disguise import SeedWarning

NOISE_REPEATS = 6
NOISE_SEED = 20261119
SIDES = ("north", "south")
MODES = ("secure", "hybrid")
WITHIN = 0.01

NOISE = {"epsilon": str(DEFAULT_NOISE.epsilon), "budget": str(MOST_COUNTS)}
EVERY = {"minimum cell": "0", "counts": str(MOST_COUNTS), "people per count": "0"}
POLICIES: Mapping[str, Mapping[str, Any]] = {
    "every count, exact": {**EVERY, "noise": "none"},
    "every count, noise": {**EVERY, "noise": NOISE},
    "default, but exact": {"noise": "none"},
    "default": {},
}
RUNS = [(mode, policy) for mode in MODES for policy in POLICIES]
OPENED, REFUSED = 1, 2


@dataclass(frozen=True, eq=False)
class _Loop:
    """A line to the follower in the same process."""

    follower: Dispatcher

    def ask(self, message: Message) -> Message:
        return self.follower.answer(SIDES[0], message)


def run(names: Sequence[str] = NAMES, repeats: int = NOISE_REPEATS) -> Section:
    """Grow every tree, over and over; compare the means."""
    found = {}
    for name in names:
        times = range(repeats * MORE.get(name, 1))
        found[name] = np.stack([_repeated(name, each) for each in times])
    title = "Noise, and the default policy"
    return Section(title, "difference", list(_bars(found)), _notes(found), list(_table(found)))


def _repeated(name: str, repeat: int) -> Floats:
    """Split and deal a set anew, and grow a tree in every way: ``[way, measure]``, plain first."""
    rng = np.random.default_rng([NOISE_SEED, NAMES.index(name), repeat])
    people, target = binary(name, FIRST.get(name)), SETS[name].target
    order = rng.permutation(len(people))
    cut = int(TRAINING * len(people))
    training, test = chosen(people, order[:cut]), chosen(people, order[cut:])
    dealt = rng.permutation([name for name in people.schema.names if name != target]).tolist()
    plain = mine_tree(ExactOracle(training, training.schema), target, growth="faithful")
    rows = [(accuracy(plain, test), 0, 0)]
    for mode, policy in RUNS:
        outcome = _mined(training, dealt, target, mode, POLICIES[policy])
        assert isinstance(outcome.model, DecisionTree)
        rows.append((accuracy(outcome.model, test), outcome.released, outcome.refused))
    return np.array(rows, dtype=np.float64)


def _mined(
    people: Records, dealt: Sequence[str], target: str, mode: str, policy: Mapping[str, Any]
) -> RunOutcome:
    """Two parties that both know the class mine a tree together."""
    columns = {side: [*dealt[at::2], target] for at, side in enumerate(SIDES)}
    brought: dict[str, dict[str, Any]] = {
        side: {"columns": {each: list(people.schema[each].values) for each in names}}
        for side, names in columns.items()
    }
    if mode == "hybrid":
        sent = dealt[1::2]
        brought[SIDES[1]]["disguise"] = [
            {"attributes": list(sent[at::2]), "channel": "related", "theta": THETA}
            for at in range(2)
        ]
    agreement = Agreement.of(
        {
            "collaboration": "noise",
            "mode": mode,
            "parties": brought,
            "leader": SIDES[0],
            "align": "key",
            "mine": {"tree": {"target": target}},
            "policy": dict(policy),
        }
    )
    with TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", SeedWarning)
        north, south = (
            _party(Path(folder), side, people.select(people.schema.select(names)), agreement)
            for side, names in columns.items()
        )
        with (
            closing(Dispatcher(south, lambda _: _Loop(follower), Twin())) as follower,
            closing(Run(north, agreement)) as leading,
        ):
            return lead(leading, lambda _: _Loop(follower), backend=Twin())


def _party(folder: Path, side: str, people: Records, agreement: Agreement) -> PartyFile:
    home = folder / side
    home.mkdir()
    (home / "party.yaml").touch()
    ids = pa.array([str(number) for number in range(len(people))])
    pq.write_table(people.to_arrow().append_column("id", ids), home / "data.parquet")
    peers = {
        other: Peer(other, "127.0.0.1", 1, home / "none.pem", "")
        for other in SIDES
        if other != side
    }
    member = agreement.member(side)
    party = PartyFile(
        side, ("127.0.0.1", 1), home / "identity", home / "state", home / "party.yaml",
        agreement.policy, data=str(home / "data.parquet"), id="id", schema=member.schema,
        groups=member.groups, peers=peers, seed=NOISE_SEED,
    )  # fmt: skip
    approve(party, agreement)
    return party


def _bars(found: Mapping[str, Floats]) -> Iterator[Row]:
    """Noise beside none: all else by default, and where every count is released."""
    for name, each in found.items():
        right = each[..., ACCURACY].mean(axis=0)
        for mode in MODES:
            for noisy, exact, bar in (
                ("default", "default, but exact", Bar(-WITHIN, "≥")),
                ("every count, noise", "every count, exact", None),
            ):
                ours, theirs = (right[1 + RUNS.index((mode, way))] for way in (noisy, exact))
                yield Row(
                    f"{SETS[name].title}, {mode}: accuracy, {noisy}", exact, f"{ours:.4f}",
                    f"{theirs:.4f}", ours - theirs, bar,
                )  # fmt: skip


def _table(found: Mapping[str, Floats]) -> Iterator[str]:
    yield "| set | mode | policy | accuracy | − plain ID3 | released | refused |"
    yield "| --- | --- | --- |" + " ---: |" * 4
    for name, each in found.items():
        right = each[..., ACCURACY]
        for at, (mode, policy) in enumerate([("", "plain ID3"), *RUNS]):
            apart = right[:, at] - right[:, 0]
            cells = (
                SETS[name].title,
                mode,
                policy,
                f"{right[:, at].mean():.4f} ± {standard_error(right[:, at]):.4f}",
                f"{apart.mean():+.4f} ± {standard_error(apart):.4f}",
                f"{each[:, at, OPENED].mean():,.0f}",
                f"{each[:, at, REFUSED].mean():,.0f}",
            )
            yield f"| {' | '.join(cells)} |"


def _notes(found: Mapping[str, Floats]) -> list[str]:
    repeats = ", ".join(f"{SETS[name].title} {len(each)}" for name, each in found.items())
    policy = Policy().settled()
    return [
        f"As in *Hybrid trees*: binary data (Adult: the first {FIRST['adult']:,} records), "
        f"{TRAINING:.0%} for training, columns dealt to two parties at random, both know the "
        f"class; repeats: {repeats}; ± is one standard error, of *− plain ID3* of paired "
        "differences.",
        f"*default*: what a policy means that says nothing: no count below {policy.minimum}, "
        f"{policy.counts:,} counts and one for {policy.people_per_count} people, noise of "
        f"ε = {DEFAULT_NOISE.epsilon} by each side. *every "
        "count*: no minimum and no limit. Trees are faithful, as they are by default.",
        "What the default policy costs beside plain ID3 it costs by its minimum, with noise or "
        "without: where a leaf is to hold one class only, a count is below 10, and the split is "
        "refused. Noise by itself costs most where leaves are small: Tic-tac-toe has 766 people.",
    ]


def main(arguments: list[str]) -> None:
    """Have a quick look."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.noise")
    parser.add_argument("--repeats", type=int, default=NOISE_REPEATS)
    parser.add_argument("--sets", nargs="+", choices=NAMES, default=list(NAMES))
    options = parser.parse_args(arguments)
    print(run(options.sets, options.repeats))


if __name__ == "__main__":
    main(sys.argv[1:])
