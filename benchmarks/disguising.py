"""Disguising 1,000,000 × 15 records, beside the peers' clients, per value."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib import import_module
from typing import Any, cast

import numpy as np
from multi_freq_ldpy.pure_frequency_oracles.GRR import GRR_Client
from numpy.typing import NDArray
from pure_ldp.frequency_oracles.direct_encoding import DEClient

from benchmarks.designs import ATTRIBUTES, epsilon_of, grouped
from benchmarks.report import Bar, Row, Section, nanoseconds
from benchmarks.timing import alternating, best
from deniable import Records, disguise

RECORDS = 1_000_000
PEER_VALUES = 20_000
THETA = Fraction(4, 5)
BAR = Bar(20, "≥")
REPEATS = 5
PEER_REPEATS = 30
COMPILED = "multi-freq-ldpy, in a Numba loop"

NOTES = (
    f"Ours: {RECORDS:,} records × {ATTRIBUTES} attributes in memory, θ = {THETA}, by "
    "`deniable.disguise` with the operating system's cryptographic randomness. A group of five "
    "shares one coin; the rows with each attribute alone toss one coin per value, as the peers do.",
    f"Peers: their clients called per value on {PEER_VALUES:,} Python integers of the same records "
    "(their standard use; a sample, because it is slow), time divided by the number of values. "
    "multi-freq-ldpy's client is compiled by Numba, and warm. Both draw from ordinary generators, "
    "not cryptographic ones.",
    "A caller can do better than multi-freq-ldpy's standard use by a compiled loop of their own "
    "around its client; those rows are for reading only.",
    "All sides keep a value with the same probability, asserted on what they gave.",
)


@dataclass(frozen=True)
class Case:
    """A design, and whether the bar is asked of it."""

    size: int
    channel: str
    together: int
    bar: Bar | None = None

    def __str__(self) -> str:
        groups = "in three groups of five" if self.together > 1 else "each attribute alone"
        return f"k = {self.size}, {self.channel}, {groups}"

    @property
    def kept(self) -> float:
        """Chance that a value is reported as it is."""
        theta = float(THETA)
        return theta if self.channel == "related" else theta + (1 - theta) / self.size


CASES = (
    Case(2, "related", 5, BAR),
    Case(2, "related", 1),
    Case(16, "keep-or-uniform", 5),
    Case(16, "keep-or-uniform", 1),
    Case(100, "keep-or-uniform", 1),
)


def run() -> Section:
    """Disguise by all sides, for every design."""
    rows = [row for case in CASES for row in _rows(case)]
    return Section("Disguising", "times faster", rows, NOTES)


def _rows(case: Case) -> list[Row]:
    design = grouped(case.size, case.channel, THETA, case.together)
    generator = np.random.default_rng(case.size)
    codes = [generator.integers(0, case.size, RECORDS) for _ in range(ATTRIBUTES)]
    people = Records.from_codes(codes, design.schema)
    ours = best(lambda: disguise(people, design), REPEATS) / (RECORDS * ATTRIBUTES)
    _keeps(case, np.stack(people.columns), np.stack(disguise(people, design).columns))
    return [
        Row(
            str(case),
            peer,
            nanoseconds(ours),
            nanoseconds(theirs),
            theirs / ours,
            None if peer == COMPILED else case.bar,
        )
        for peer, theirs in _peers(case, codes[0][:PEER_VALUES].tolist()).items()
    ]


def _peers(case: Case, truth: list[int]) -> dict[str, float]:
    """Seconds per value."""
    epsilon = epsilon_of(case.size, case.kept)
    client = DEClient(epsilon, case.size)
    array = np.array(truth)
    items = [value + 1 for value in truth]  # its data items are 1 … k, its reports 0 … k − 1

    def multi() -> list[int]:
        return [GRR_Client(value, case.size, epsilon) for value in truth]

    def pure() -> list[int]:
        return [client.privatise(item) for item in items]

    def compiled() -> NDArray[np.int64]:
        return _compiled_loop()(array, case.size, epsilon)

    works = {"multi-freq-ldpy": multi, "pure-ldp": pure, COMPILED: compiled}
    for work in works.values():  # compiles, too
        _keeps(case, array, np.array(work()))
    found = alternating(works, PEER_REPEATS)
    return {peer: seconds / len(truth) for peer, seconds in found.items()}


@cache
def _compiled_loop() -> Callable[[NDArray[np.int64], int, float], NDArray[np.int64]]:
    """Compile a loop around the client, as a caller who uses Numba could."""

    def loop(truth: NDArray[np.int64], size: int, epsilon: float) -> NDArray[np.int64]:
        reports = np.empty_like(truth)
        for index in range(len(truth)):
            reports[index] = GRR_Client(truth[index], size, epsilon)
        return reports

    return cast("Callable[..., NDArray[np.int64]]", import_module("numba").njit(loop))


def _keeps(case: Case, truth: NDArray[Any], reports: NDArray[Any]) -> None:
    """Check the share of values kept; values of a group are kept or replaced together."""
    same = truth == reports
    deviation = (case.kept * (1 - case.kept) / same.size * case.together) ** 0.5
    # 5 s.d.: a false alarm once in two million checks.
    assert abs(same.mean() - case.kept) < 5 * deviation, (case, same.mean())
