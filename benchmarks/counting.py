"""Counts of a k-ary attribute from 1,000,000 reports, beside the peers' servers."""

from collections.abc import Callable

import numpy as np
from multi_freq_ldpy.pure_frequency_oracles.GRR import GRR_Aggregator_MI
from numpy.typing import NDArray
from pure_ldp.frequency_oracles.direct_encoding import DEServer

from benchmarks.designs import single
from benchmarks.report import Bar, Row, Section, milliseconds
from benchmarks.timing import alternating, best
from deniable import Design, Family, RandomizedOracle, Records
from deniable.engine.memory.numpy_engine import MemoryEngine

REPORTS = 1_000_000
SIZES = (2, 16, 128)
EPSILON = 2.0
BAR = Bar(50, "≥")
REPEATS = 7
OUR_REPEATS = 30
BARRED = "from codes"
COLD = "from codes, cold"

Floats = NDArray[np.float64]
Works = dict[str, Callable[[], Floats]]

NOTES = (
    f"{REPORTS:,} reports each, ε = {EPSILON:g}: k-ary randomized response, which peers call GRR "
    "or direct encoding. All sides' estimates are asserted to agree.",
    "Ours begins with the array of reported codes (int64): checking it, `Records.from_codes`, the "
    "engine, the oracle, all k estimates and their variances.",
    "The peers get the same reports twice: as that array, and as a list of Python's own integers, "
    "made before the clock starts. They loop over single values, so the list is quicker for them; "
    "the bar is asked of both.",
    "Rows without a bar compare with the peers' quicker form only. *Cold*: each repeat right after "
    "a peer's turn, which has emptied the caches; the peers' own times do not depend on that. "
    "*From records*: without `from_codes`, back to back.",
)


def run() -> Section:
    """Count by all sides, for every domain size."""
    rows = [row for size in SIZES for row in _rows(size)]
    return Section("Counting", "times faster", rows, NOTES)


def _rows(size: int) -> list[Row]:
    design, codes = single(size, EPSILON), _reports(size)
    peers, ours = _peers(size, codes), _ours(design, codes)
    _agree(peers, ours)
    theirs = alternating(peers | {COLD: ours[BARRED]}, REPEATS)
    times = {start: best(work, OUR_REPEATS) for start, work in ours.items()}
    times[COLD] = theirs.pop(COLD)
    return [
        Row(
            f"k = {size}, {start}",
            peer,
            milliseconds(time),
            milliseconds(theirs[peer]),
            theirs[peer] / time,
            BAR if start == BARRED else None,
        )
        for start, time in times.items()
        for peer in peers
        if start == BARRED or peer.endswith("list")
    ]


def _reports(size: int) -> NDArray[np.int64]:
    """Draw reports as k-ary randomized response gives them."""
    generator = np.random.default_rng(size)
    share = np.linspace(1, 3, size)
    truth = generator.choice(size, REPORTS, p=share / share.sum())
    kept = (np.exp(EPSILON) - 1) / (np.exp(EPSILON) + size - 1)
    drawn = generator.integers(0, size, REPORTS)
    return np.where(generator.random(REPORTS) < kept, truth, drawn)


def _ours(design: Design, codes: NDArray[np.int64]) -> Works:
    records = Records.from_codes([codes], design.schema)

    def count(records: Records) -> Floats:
        family = Family.table(["a"], design.schema)
        return RandomizedOracle(MemoryEngine(records), design).count(family).value

    return {
        BARRED: lambda: count(Records.from_codes([codes], design.schema)),
        "from records": lambda: count(records),
    }


def _peers(size: int, codes: NDArray[np.int64]) -> Works:
    numbers = codes.tolist()

    def pure(reports: object) -> Floats:
        server = DEServer(EPSILON, size)
        server.aggregate_all(reports)
        # Its data items are 1 … k, its reports 0 … k − 1.
        return np.asarray(server.estimate_all(range(1, size + 1)))

    def multi(reports: object) -> Floats:
        return np.asarray(GRR_Aggregator_MI(reports, size, EPSILON)) * REPORTS

    return {
        "multi-freq-ldpy, list": lambda: multi(numbers),
        "pure-ldp, list": lambda: pure(numbers),
        "multi-freq-ldpy, array": lambda: multi(codes),
        "pure-ldp, array": lambda: pure(codes),
    }


def _agree(peers: Works, ours: Works) -> None:
    """Compare all estimates. multi-freq-ldpy clips at 0, so no estimate may be negative here."""
    expected = ours[BARRED]()
    assert expected.min() > 0
    for name, work in (peers | ours).items():
        # θ is a fraction with denominator up to 10^12, and counts are up to 10^6.
        assert np.allclose(work(), expected, rtol=1e-6, atol=1e-3), name
