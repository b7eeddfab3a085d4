"""Shrunk counts: plain ones without noise, possible ones with it, and nearer the truth."""

from collections.abc import Sequence

import numpy as np
import pytest
from scipy.stats import norm

from deniable import Design, ExactOracle, PooledOracle, RandomizedOracle, Records
from deniable.base.arrays import Codes, Floats
from deniable.expression import Family
from deniable.oracle import resampling
from deniable.oracle.api import CountOracle, Frontier
from deniable.oracle.frontier import choose_frontier
from deniable.oracle.frontier.frontier import CLOSED, CountedFrontier, descend
from deniable.oracle.shrunk import adaptive_shrinkage
from deniable.oracle.shrunk.adaptive_shrinkage import LARGEST_FAMILY, Differences, learnt
from deniable.oracle.shrunk.shrunk_oracle import ShrunkOracle, has_noise
from deniable.source.disguise import disguise_records
from deniable.source.randomness import SeededBits
from oracle.test_frontiers import DESIGNS, SIZES, WIDE, oracle_of

NAMES = ("a0", "a1", "a2", "a3", "a4", "a5", "y")
AXES = NAMES[:-1]
TWO = (("a0", "a1", "a2"), ("a3", "a4", "a5"))


def designed(groups: tuple[tuple[str, ...], ...], theta: str) -> Design:
    return Design.of(
        {
            "attributes": {name: ["0", "1"] for name in NAMES},
            "groups": [
                {"attributes": list(names), "channel": "related", "theta": theta}
                for names in groups
            ],
        }
    )


def answers(n: int, seed: int, kind: str) -> Codes:
    """Six yes/no answers and a class: of each alone (additive), or of a0 ≠ a1 or a0 ≠ a3."""
    rng = np.random.default_rng(seed)
    x = rng.integers(2, size=(n, 6))
    if kind == "additive":
        log_odds = 0.8 * (2 * x - 1).sum(axis=1)
    else:
        log_odds = 4.0 * (2 * (x[:, 0] ^ x[:, 1 if kind == "within" else 3]) - 1)
    y = rng.random(n) < 1 / (1 + np.exp(-log_odds))
    return np.column_stack([x, y]).astype(np.int64)


def oracles(codes: Codes, design: Design, seed: int) -> tuple[ExactOracle, RandomizedOracle]:
    records = Records.from_codes(codes, design.schema)
    reports = disguise_records(records, None, design, SeededBits(seed))
    return ExactOracle(records, design.schema), RandomizedOracle(reports, design)


def walked(oracle: CountOracle, path: list[int]) -> list[list[Floats]]:
    """Tables by every axis that is left, at each level of a tree that splits all nodes alike."""
    front: Frontier = descend(oracle, "y", AXES)
    found = []
    nodes = 1
    for level, axis in enumerate([*path, CLOSED]):
        wanted = np.ones((nodes, len(AXES)), dtype=bool)
        wanted[:, path[:level]] = False
        tables = front.tables(wanted)
        found.append([table.value for table in tables])
        if axis != CLOSED:
            front = front.split(np.full(nodes, axis))
            nodes *= 2
    return found


def errors(ours: list[list[Floats]], truth: list[list[Floats]]) -> list[float]:
    """Root mean squared errors, level by level."""
    pairs = zip(ours, truth, strict=True)
    return [
        float(
            np.sqrt(
                np.mean(
                    np.concatenate([a.ravel() - b.ravel() for a, b in zip(one, other, strict=True)])
                    ** 2
                )
            )
        )
        for one, other in pairs
    ]


@pytest.mark.parametrize("groups", ["public", "certain", "always opposite"])
def test_without_noise_every_count_is_the_plain_one(groups: str) -> None:
    plain = oracle_of(DESIGNS[groups])
    axes = [name for name in SIZES if name != "y"]
    ours, theirs = (descend(each, "y", axes) for each in (ShrunkOracle(plain), plain))
    rng = np.random.default_rng(1)
    for _ in range(3):
        nodes = len(theirs.classes()[0])
        np.testing.assert_allclose(ours.classes()[0], theirs.classes()[0], atol=1e-9)
        wanted = np.ones((nodes, len(axes)), dtype=bool)
        for one, other in zip(ours.tables(wanted), theirs.tables(wanted), strict=True):
            # A table of somebody who is not there is shared out evenly; of nobody, so is 0.
            np.testing.assert_allclose(one.value, other.value, atol=1e-9)
        choice = rng.integers(len(axes), size=nodes)
        ours, theirs = ours.split(choice), theirs.split(choice)


@pytest.mark.parametrize("groups", [*DESIGNS, *WIDE])
def test_shrunk_counts_are_possible_and_add_up(groups: str) -> None:
    oracle = oracle_of((DESIGNS | WIDE)[groups])
    axes = [name for name in SIZES if name != "y"]
    front = descend(ShrunkOracle(oracle), "y", axes)
    rng = np.random.default_rng(2)
    for _ in range(3):
        counts, _ = front.classes()
        assert counts.sum() == pytest.approx(oracle.n)
        for table in front.tables(np.ones((len(counts), len(axes)), dtype=bool)):
            assert (table.value >= 0).all()
            np.testing.assert_allclose(table.value.sum(axis=1), counts[table.node], atol=1e-9)
        splits = np.where(
            counts.sum(axis=1) >= 1, rng.integers(len(axes), size=len(counts)), CLOSED
        )
        front = front.split(splits)


def test_what_groups_say_independently_is_much_nearer_the_truth() -> None:
    """At θ = .6 the weights of one group square to 7 on average, those of two to 49.

    What is left is the noise of one group in each factor, so about √7/7 of the unbiased counts' and
    as much again for the second factor: well below a half wherever two groups meet.
    """
    ratios = []
    for seed in range(10):
        exact, noisy = oracles(answers(4000, seed, "additive"), designed(TWO, "0.6"), seed)
        truth = walked(exact, [0, 3])
        unbiased = errors(walked(noisy, [0, 3]), truth)
        shrunk = errors(walked(ShrunkOracle(noisy), [0, 3]), truth)
        ratios.append(np.array(shrunk) / unbiased)
    first, second, third = np.mean(ratios, axis=0)
    assert first < 1.1, "single attributes are a little drawn in, and possible"
    assert second < 0.5
    assert third < 0.5


@pytest.mark.parametrize(("kind", "theta"), [("within", "0.7"), ("across", "0.8")])
def test_an_interaction_that_stands_out_is_believed(kind: str, theta: str) -> None:
    """20,000 records: the classes differ by about 2,400 of 2,500, with errors of 120 to 200."""
    exact, noisy = oracles(answers(20_000, 3, kind), designed(TWO, theta), 3)
    other = 1 if kind == "within" else 3
    wanted = np.zeros((2, len(AXES)), dtype=bool)
    wanted[:, other] = True
    tables = []
    for oracle in (exact, ShrunkOracle(noisy)):
        root = descend(oracle, "y", AXES)
        root.tables(np.ones((1, len(AXES)), dtype=bool))
        (table,) = root.split(np.array([0])).tables(wanted)
        tables.append(table.value)
    truth, shrunk = tables
    np.testing.assert_array_equal(truth.argmax(axis=2), shrunk.argmax(axis=2))
    np.testing.assert_allclose(shrunk, truth, atol=5 * 200)


def test_records_patterns_parts_and_bare_counts_shrink_alike(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _, noisy = oracles(answers(2000, 4, "additive"), designed(TWO, "0.7"), 4)
    by_patterns = walked(ShrunkOracle(noisy), [1, 4])
    with monkeypatch.context() as patch:
        patch.setattr(choose_frontier, "FEW_PATTERNS", 0)
        by_records = walked(ShrunkOracle(noisy), [1, 4])
    with monkeypatch.context() as patch:
        patch.setattr(choose_frontier, "MOST_PATHS", 0)
        as_asked = walked(ShrunkOracle(noisy), [1, 4])

    by_counts = walked(ShrunkOracle(Bare(noisy.engine, noisy.design)), [1, 4])
    for others in (by_records, as_asked, by_counts):
        for one, other in zip(by_patterns, others, strict=True):
            for a, b in zip(one, other, strict=True):
                np.testing.assert_allclose(a, b, atol=1e-6)


class Bare(RandomizedOracle):
    """Counts, and nothing quicker."""

    def descend(self, target: str, axes: Sequence[str]) -> Frontier:
        return CountedFrontier.root(self, target, axes)

    def descend_each(self, *_: object) -> None:
        return None

    def branch_each(self, *_: object) -> None:
        return None


@pytest.mark.parametrize("drawn_as", ["counts", "records"])
@pytest.mark.parametrize("groups", [*DESIGNS, *WIDE])
def test_trees_of_a_forest_shrink_as_bare_counts_do(
    groups: str, drawn_as: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if drawn_as == "records":
        monkeypatch.setattr(resampling, "DENSE_CELLS", 1)
        monkeypatch.setattr(choose_frontier, "FEW_PATTERNS", 0)
        monkeypatch.setattr(choose_frontier, "MOST_BRANCHES", 0)
        monkeypatch.setattr(choose_frontier, "MOST_PATHS", 0)
    trees = oracle_of((DESIGNS | WIDE)[groups]).resampled(3, np.random.default_rng(3))
    bare = [Bare(each.engine, each.design) for each in trees]
    axes = [name for name in SIZES if name not in {"y", "z"}]
    ours, theirs = (
        descend(ShrunkOracle(several[0], several), "y", axes) for several in (trees, bare)
    )
    rng, named = np.random.default_rng(4), np.zeros((3, len(axes)), dtype=bool)
    for _ in range(3):
        wanted = ~named & (rng.random(named.shape) < 0.8)
        for one, other in zip(ours.tables(wanted), theirs.tables(wanted), strict=True):
            np.testing.assert_allclose(one.value, other.value, atol=1e-6)
        choice = np.array(
            [rng.choice(np.flatnonzero(row)) if row.any() else CLOSED for row in wanted]
        )
        ours, theirs = ours.split(choice), theirs.split(choice)
        parent = np.repeat(
            np.arange(len(choice)), np.append([SIZES[name] for name in axes], 0)[choice]
        )
        named = named[parent]
        named[np.arange(len(parent)), choice[parent]] = True


def test_counts_stay_unbiased() -> None:
    _, noisy = oracles(answers(500, 5, "additive"), designed(TWO, "0.6"), 5)
    asked = ["a0=1 & a3=1 & y=1", "a1=0"]
    found, plain = ShrunkOracle(noisy).count(asked), noisy.count(asked)
    np.testing.assert_array_equal(found.value, plain.value)
    np.testing.assert_array_equal(found.variance, plain.variance)


def test_sites_that_group_alike_are_shrunk_as_one() -> None:
    design = designed(TWO, "0.7")
    sites = [oracles(answers(1000, seed, "additive"), design, seed)[1] for seed in (6, 7)]
    pooled = PooledOracle(sites)
    assert pooled.groups == sites[0].groups
    family = ["a0=1 & a3=1 & y=1"]
    np.testing.assert_allclose(
        pooled.second_moment(_family(pooled, family)),
        sites[0].second_moment(_family(sites[0], family)),
    )
    other = oracles(answers(1000, 8, "additive"), designed((("a0", "a3"), ("a1",)), "0.9"), 8)[1]
    mixed = PooledOracle([sites[0], other])
    together = {frozenset(group) for group in mixed.groups}
    assert together == {frozenset(g) for g in (["a0"], ["a1"], ["a2"], ["a3"], ["a4", "a5"])}
    (table,) = walked(ShrunkOracle(mixed), [])[0]
    np.testing.assert_allclose(table.sum(axis=(1, 2)), 2000)


def _family(oracle: CountOracle, asked: list[str]) -> Family:
    return Family.of(asked, oracle.schema)


def test_noise_is_known_where_a_disguise_makes_it() -> None:
    exact, noisy = oracles(answers(50, 9, "additive"), designed(TWO, "0.7"), 9)
    assert has_noise(noisy)
    assert not has_noise(exact)
    assert not has_noise(RandomizedOracle(noisy.engine, designed(TWO, "0")))


def believed(*family: Floats) -> Floats:
    differences = Differences(*family)
    return learnt(differences).share(differences)


def test_a_family_without_differences_is_hardly_believed() -> None:
    """1,000 differences of noise alone: what stands out by chance, by 3 errors, is drawn back."""
    rng = np.random.default_rng(10)
    noise = 10 * rng.standard_normal(1000)
    share = believed(noise, np.full(1000, 100.0), np.full(1000, 100.0))
    assert np.abs(share * noise).mean() < 0.1 * np.abs(noise).mean()


def test_a_large_family_is_learnt_from_a_part_of_it() -> None:
    rng = np.random.default_rng(11)
    n = 3 * LARGEST_FAMILY
    difference = 30 * rng.standard_normal(n)
    large = believed(difference, np.full(n, 100.0), np.full(n, 100.0))
    small = believed(difference[::3], np.full(n // 3, 100.0), np.full(n // 3, 100.0))
    np.testing.assert_allclose(large[::3], small)


def test_what_has_no_noise_is_believed() -> None:
    share = believed(np.array([5.0, -1.0]), np.zeros(2), np.array([10.0, 10.0]))
    np.testing.assert_array_equal(share, [1.0, 1.0])


def test_shares_are_means_over_the_sizes() -> None:
    """The naive twin: weights of the sizes times normal densities, difference by difference."""
    rng = np.random.default_rng(12)
    n = 10_000
    found = Differences(
        100 * rng.standard_normal(n), rng.exponential(50, n), rng.exponential(200, n)
    )
    sizes = learnt(found)
    spread = adaptive_shrinkage.SIZES[:, None] * found.expected**2
    density = norm.pdf(found.difference, scale=np.sqrt(spread + found.variance))
    weight = sizes.weights[:, None] * density
    told = weight.sum(axis=0) > 0  # a density may be too small to be written
    twin = (weight * spread / (spread + found.variance)).sum(axis=0)[told]
    assert told.mean() > 0.9
    np.testing.assert_allclose(sizes.share(found)[told], twin / weight.sum(axis=0)[told], rtol=1e-9)
