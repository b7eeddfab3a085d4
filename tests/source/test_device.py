"""The devices do what the channels say, to each group on its own, and leave the input alone."""

import hashlib
import warnings
from collections.abc import Sequence
from fractions import Fraction
from math import prod
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import chi2

from deniable.base.errors import DesignError
from deniable.channel import Channel, Related, named
from deniable.design import Design
from deniable.engine.engine import Column
from deniable.engine.memory.records import Records
from deniable.schema import Attribute
from deniable.source.disguise import SeedWarning, disguise, disguise_records
from deniable.source.randomness import BitDice, Bits, SecureBits, SeededBits

RARELY = 1e-6
"""A chi-square test with a fixed seed fails this rarely where all is well."""

EACH = 4000
"""Records of every true pattern."""


def read(kind: str, sizes: Sequence[int], **options: Any) -> Channel:
    attributes = [
        Attribute(f"a{place}", tuple(map(str, range(size)))) for place, size in enumerate(sizes)
    ]
    return named(kind).read(attributes, options)


JOINT = [
    {"a0": "0", "a1": "0", "probability": "0.5"},
    {"a0": "1", "a1": "2", "probability": "0.3"},
    {"a0": "0", "a1": "1", "probability": "0.2"},
]
DEVICES = {
    "truthful": read("truthful", [2, 3]),
    "related": read("related", [2], theta="0.7"),
    "related, a group": read("related", [2, 2, 2], theta="0.3"),
    "related, categorical": read("related", [3, 2, 4], theta="0.6"),
    "related, many values": read("related", [20], theta="0.6"),
    "unrelated": read(
        "unrelated",
        [2, 3],
        theta="0.6",
        personal={"a0": {"0": "0.9", "1": "0.1"}, "a1": {"0": "0.2", "1": "0.3", "2": "0.5"}},
    ),
    "unrelated, joint answers": read("unrelated", [2, 3], theta="0.4", personal={"joint": JOINT}),
    "keep or uniform": read("keep-or-uniform", [5], theta="0.5"),
    "keep or uniform, a group": read("keep-or-uniform", [2, 3], theta="0.5"),
    "forced": read("forced", [3], forced={"0": "1/6", "2": "1/4"}),
    "mangat": read("mangat", [2], theta="0.7"),
    "mangat, of the first value": read("mangat", [2], theta="0.7", sensitive="0"),
    "kuk": read("kuk", [2], red={"0": "0.2", "1": "0.7"}),
    "crosswise": read("crosswise", [2], theta="0.25"),
    "triangular": read("triangular", [2], theta="0.25"),
    "matrix": read(
        "matrix",
        [3],
        matrix={
            "0": {"0": "0.8", "1": "0.15", "2": "0.05"},
            "1": {"0": "0", "1": "1", "2": "0"},
            "2": {"0": "1/3", "1": "1/3", "2": "1/3"},
        },
    ),
}
every_device = pytest.mark.parametrize("channel", DEVICES.values(), ids=DEVICES)


def randomize(
    channel: Channel, truth: tuple[Column, ...], personal: None, bits: Bits
) -> tuple[NDArray[Any], ...]:
    return channel.disguised(truth, personal, BitDice(bits))


def every_pattern(sizes: Sequence[int], each: int) -> tuple[NDArray[np.uint8], ...]:
    cells = np.indices(tuple(sizes)).reshape(len(sizes), -1)
    return tuple(np.repeat(cells, each, axis=1).astype(np.uint8))


def tabled(channel: Channel, reports: Sequence[NDArray[Any]]) -> NDArray[np.int64]:
    """Counts of reports by truth, ``[report, truth]``."""
    cells = prod(channel.sizes)
    numbers = np.ravel_multi_index([r.astype(np.int64) for r in reports], channel.sizes)
    counts = np.zeros((cells, cells), dtype=np.int64)
    np.add.at(counts, (numbers, np.repeat(np.arange(cells), EACH)), 1)
    return counts


def chi_square(counts: NDArray[np.int64], expected: NDArray[np.float64]) -> tuple[float, int]:
    """The statistic and its degrees of freedom; what cannot happen must not have happened."""
    possible = expected > 0
    assert not counts[~possible].any()
    off = (counts[possible] - expected[possible]) ** 2 / expected[possible]
    return float(off.sum()), int(possible.sum()) - 1


# --- What a device does -----------------------------------------------------------------------


@every_device
def test_a_device_follows_its_channels_matrix(channel: Channel) -> None:
    truth = every_pattern(channel.sizes, EACH)
    counts = tabled(channel, randomize(channel, truth, None, SeededBits(1)))
    expected = EACH * channel.matrix(range(len(channel.sizes)))
    for reported, chances in zip(counts.T, expected.T, strict=True):
        statistic, df = chi_square(reported, chances)
        assert statistic <= (chi2.isf(RARELY, df) if df else 0)


SAME_BYTES = {
    "truthful": "fa6aca798656a1e3",
    "related": "341ad39181cf650a",
    "related, a group": "77a05565c75ae9a6",
    "related, categorical": "b281bac9ee6da7af",
    "related, many values": "c5c890098e3b5ec8",
    "unrelated": "f4cf9db97dd50f62",
    "unrelated, joint answers": "ed360ba44a047108",
    "keep or uniform": "cae2ea97a91f1f33",
    "keep or uniform, a group": "bd07afc4c9c1adcc",
    "forced": "2af9076b3584225d",
    "mangat": "085d1ec924a8bb29",
    "mangat, of the first value": "b005da00e1765c7b",
    "kuk": "a85fca1685628f12",
    "crosswise": "5da5930df33b9971",
    "triangular": "8ebfe837f117726d",
    "matrix": "a19907c16c8cc0c9",
}
"""What a seed gives has been the same since the first version: experiments can be repeated."""


@pytest.mark.parametrize("name", DEVICES)
def test_a_seed_gives_the_bytes_that_it_always_gave(name: str) -> None:
    channel = DEVICES[name]
    reports = randomize(channel, every_pattern(channel.sizes, 500), None, SeededBits(1))
    found = hashlib.sha256(b"".join(column.tobytes() for column in reports)).hexdigest()
    assert found[:16] == SAME_BYTES[name]


@every_device
def test_a_device_leaves_the_truth_alone_and_keeps_its_kind(channel: Channel) -> None:
    truth = every_pattern(channel.sizes, 50)
    before = [column.copy() for column in truth]
    reports = randomize(channel, truth, None, SeededBits(2))
    assert len(reports) == len(truth)
    for column, copy, report, size in zip(truth, before, reports, channel.sizes, strict=True):
        assert (column == copy).all()
        assert report.dtype == column.dtype
        assert report.max(initial=0) < size


@every_device
def test_a_device_takes_read_only_columns(channel: Channel) -> None:
    truth = every_pattern(channel.sizes, 5)
    for column in truth:
        column.flags.writeable = False
    randomize(channel, truth, None, SeededBits(3))


@every_device
def test_nobody_needs_no_device(channel: Channel) -> None:
    nobody = tuple(np.zeros(0, dtype=np.uint8) for _ in channel.sizes)
    assert all(len(column) == 0 for column in randomize(channel, nobody, None, SecureBits()))


@pytest.mark.slow
def test_domains_beyond_one_byte_are_disguised_without_wrapping_round() -> None:
    for size, kind in ((300, np.uint16), (70_000, np.uint32)):
        truth: Column = (np.arange(3000) % size).astype(kind)
        channel = Related((size,), Fraction(1, 2))
        (report,) = randomize(channel, (truth,), None, SeededBits(4))
        assert report.dtype == kind
        assert report.max() < size
        # Half are lies, and a lie is never the truth: 1,500 of 3,000 with s.d. 27.
        assert abs(int((report != truth).sum()) - 1500) < 4 * 27.4
        lies = report[report != truth].astype(float) / size
        # Lies are spread evenly: their mean has the s.d. 1/√(12·1500) = 0.0075.
        assert abs(lies.mean() - 0.5) < 4 * 0.0075


# --- Groups are disguised independently -------------------------------------------------------


def design_of(*groups: dict[str, Any]) -> Design:
    return Design.of(
        {
            "attributes": {
                "a": ["0", "1"],
                "b": ["0", "1", "2"],
                "c": ["0", "1"],
                "public": ["0", "1"],
            },
            "groups": list(groups),
        }
    )


TWO_GROUPS = design_of(
    {"attributes": ["a", "c"], "channel": "related", "theta": "0.7"},
    {"attributes": ["b"], "channel": "keep-or-uniform", "theta": "0.6"},
)


def same_person(design: Design, n: int) -> Records:
    return Records.from_codes([np.full(n, code) for code in (1, 2, 0, 1)], design.schema)


def test_the_coins_of_two_groups_are_independent() -> None:
    n = 100_000
    a, b, c, public = disguise_records(
        same_person(TWO_GROUPS, n), None, TWO_GROUPS, SeededBits(5)
    ).columns
    counts = np.bincount(a.astype(int) * 3 + b, minlength=6)
    expected = n * np.outer([0.3, 0.7], [0.4 / 3, 0.4 / 3, 0.6 + 0.4 / 3]).ravel()
    statistic, df = chi_square(counts, expected)
    assert statistic < chi2.isf(RARELY, df)
    assert (a + c == 1).all()  # one coin for a group: both are kept or both are turned
    assert (public == 1).all()


def test_the_coins_of_two_groups_of_the_same_kind_are_independent_too() -> None:
    design = design_of(
        {"attributes": ["a"], "channel": "related", "theta": "0.6"},
        {"attributes": ["c"], "channel": "related", "theta": "0.6"},
    )
    n = 100_000
    a, _, c, _ = disguise_records(same_person(design, n), None, design, SeededBits(6)).columns
    counts = np.bincount(2 * a.astype(int) + c, minlength=4)
    expected = n * np.outer([0.4, 0.6], [0.6, 0.4]).ravel()
    statistic, df = chi_square(counts, expected)
    assert statistic < chi2.isf(RARELY, df)


def test_the_coins_of_two_records_are_independent() -> None:
    n = 100_000
    a = disguise_records(same_person(TWO_GROUPS, n), None, TWO_GROUPS, SeededBits(7)).columns[0]
    for apart in (1, 2, 3, 256):
        counts = np.bincount(2 * a[:-apart].astype(int) + a[apart:], minlength=4)
        expected = (n - apart) * np.outer([0.3, 0.7], [0.3, 0.7]).ravel()
        statistic, df = chi_square(counts, expected)
        # Pairs overlap, which leaves two degrees of freedom rather than three: a stricter bound
        # than needed.
        assert statistic < 2 * chi2.isf(RARELY, df)


# --- Personal answers that come with the data -------------------------------------------------


UNKNOWN = design_of(
    {"attributes": ["a", "b"], "channel": "unrelated", "theta": "0.3", "personal": "unknown"}
)


def test_personal_answers_that_came_with_the_data_are_reported_together() -> None:
    n = 20_000
    table = {
        "a": ["0"] * n,
        "b": ["0"] * n,
        "c": ["1"] * n,
        "public": ["0"] * n,
        "personal.a": ["1"] * n,
        "personal.b": ["2"] * n,
    }
    with pytest.warns(SeedWarning):
        reports = disguise(table, UNKNOWN, random_state=8).to_pydict()
    assert set(reports) == {"a", "b", "c", "public"}
    pairs = list(zip(reports["a"], reports["b"], strict=True))
    assert set(pairs) == {("0", "0"), ("1", "2")}
    # The s.d. of 30 % of 20,000 is 65.
    assert abs(pairs.count(("0", "0")) - 6000) < 4 * 65
    assert reports["c"] == table["c"]


def test_unknown_personal_answers_that_are_missing_are_asked_for_with_a_hint() -> None:
    raw = same_person(UNKNOWN, 10)
    with pytest.raises(DesignError, match="must come with the data") as refusal:
        disguise_records(raw, None, UNKNOWN, SecureBits())
    assert "personal.NAME" in refusal.value.hint


# --- Input, seeds -----------------------------------------------------------------------------


def test_disguising_changes_neither_the_records_nor_the_table() -> None:
    generator = np.random.default_rng(9)
    table = {a.name: generator.choice(a.values, size=500).tolist() for a in TWO_GROUPS.schema}
    kept = {name: list(column) for name, column in table.items()}
    with pytest.warns(SeedWarning):
        disguise(table, TWO_GROUPS, random_state=1)
    assert table == kept
    raw = Records.of(table, TWO_GROUPS.schema)
    before = [column.copy() for column in raw.columns]
    disguise_records(raw, None, TWO_GROUPS, SecureBits())
    for column, copy in zip(raw.columns, before, strict=True):
        assert column.tolist() == copy.tolist()


def test_a_seed_gives_the_same_reports_and_warns() -> None:
    raw = same_person(TWO_GROUPS, 200)
    reports = []
    for seed in (10, 10, 11):
        with pytest.warns(SeedWarning, match="undo the disguise"):
            reports.append(
                [c.tolist() for c in disguise(raw, TWO_GROUPS, random_state=seed).columns]
            )
    assert reports[0] == reports[1]
    assert reports[0] != reports[2]


def test_without_a_seed_nothing_warns_and_no_two_disguises_are_alike() -> None:
    raw = same_person(TWO_GROUPS, 500)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        reports = [[c.tolist() for c in disguise(raw, TWO_GROUPS).columns] for _ in range(2)]
    # Each of 500 coins falls alike with probability 0.58: all of them, never.
    assert reports[0] != reports[1]
