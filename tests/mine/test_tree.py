"""The tree miner against a naive ID3, through every path of counting, and with bad input."""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deniable.base.arrays import Codes, Floats
from deniable.base.errors import DeniableError, ModelError
from deniable.design import Design
from deniable.engine.memory.records import Records
from deniable.expression import Family
from deniable.mine.bayes import NaiveBayes, mine_bayes
from deniable.mine.models.model_files import read_model
from deniable.mine.scores.score import score
from deniable.mine.tree.decision_tree import DecisionTree
from deniable.mine.tree.grow import Window
from deniable.mine.tree.mine_tree import Growth, mine_tree
from deniable.oracle import resampling
from deniable.oracle.api import CountOracle, Estimates, Target
from deniable.oracle.exact import ExactOracle
from deniable.oracle.frontier import choose_frontier
from deniable.oracle.frontier.frontier import CLOSED
from deniable.oracle.pooled import PooledOracle
from deniable.oracle.randomized import RandomizedOracle
from deniable.papers.datasets import SETS
from deniable.schema import Schema
from deniable.source.disguise import disguise_records
from deniable.source.prepare.preparation import Preparation
from deniable.source.randomness import SeededBits
from mine.id3 import Node, Record, id3, pruned
from oracle.simulated import Reports, disguised_anew, whole_matrix
from papersets import dataset

ARRAYS = ("axis", "first", "parent", "counts", "errors", "shares")

Groups = Sequence[Mapping[str, Any]]


# --- Data -------------------------------------------------------------------------------------


@cache
def prepared(name: str, nominal: str) -> Records:
    """A data set of the papers with few values; of Adult, the first 10,000 records."""
    raw = dataset(name)
    with TemporaryDirectory() as folder:
        if name == "adult":
            lines = raw.read_text(encoding="utf-8").splitlines(keepends=True)
            raw = Path(folder, "adult.csv")
            raw.write_text("".join(lines[:10_001]), encoding="utf-8")
        drop = ["sample-code"] if name.startswith("breast") else []
        plan = Preparation.learn(raw, nominal=nominal, drop=drop)
        out = Path(folder, "prepared.parquet")
        plan.apply(raw, out)
        return Records.of(pq.read_table(out), plan.schema)


def named(sizes: Sequence[int]) -> Schema:
    return Schema.of({f"a{k}": [str(v) for v in range(size)] for k, size in enumerate(sizes)})


def dependent(sizes: Sequence[int], n: int, rng: np.random.Generator) -> Records:
    """Records whose attributes depend on each other through a hidden one."""
    hidden = (rng.random((n, 1)) + rng.random((n, len(sizes)))) / 2 * np.array(sizes)
    return Records.from_codes(hidden.astype(np.int64), named(sizes))


def interacting(n: int, seed: int, noise: float = 0.1, attributes: int = 6) -> Records:
    """Yes/no attributes a0 …; the class, last, is a0 ≠ a1 or a2 and a3, but for some noise."""
    rng = np.random.default_rng(seed)
    x = rng.integers(2, size=(n, attributes))
    y = ((x[:, 0] ^ x[:, 1]) | (x[:, 2] & x[:, 3])) ^ (rng.random(n) < noise)
    return Records.from_codes(np.column_stack([x, y]), named([2] * (attributes + 1)))


def designed(schema: Schema, groups: Groups) -> Design:
    attributes = {attribute.name: list(attribute.values) for attribute in schema}
    return Design.of({"attributes": attributes, "groups": list(groups)})


def related(*groups: Sequence[str], theta: str = "0.8") -> Groups:
    return [{"attributes": list(names), "channel": "related", "theta": theta} for names in groups]


def disguised(records: Records, groups: Groups, seed: int = 1) -> RandomizedOracle:
    design = designed(records.schema, groups)
    return RandomizedOracle(disguise_records(records, None, design, SeededBits(seed)), design)


def exact(records: Records) -> ExactOracle:
    return ExactOracle(records, records.schema)


def rows(records: Records, target: str) -> tuple[list[Record], list[int]]:
    """Records as tuples, the target last, and the sizes."""
    schema = records.schema
    names = [*(name for name in schema.names if name != target), target]
    columns = [records.columns[schema.position(name)].tolist() for name in names]
    return list(zip(*columns, strict=True)), [schema[name].size for name in names]


def require_same_tree(tree: DecisionTree, root: Node) -> None:
    nodes = list(root.by_level())
    assert tree.axis.tolist() == [CLOSED if n.attribute is None else n.attribute for n in nodes]
    assert tree.counts.tolist() == [node.counts for node in nodes]
    assert tree.labels.tolist() == [node.label for node in nodes]


def require_equal(one: DecisionTree, other: DecisionTree) -> None:
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)
    assert (one.n, one.note, one.strength) == (other.n, other.note, other.strength)


class CountsOnly:
    """An oracle that answers counts and nothing else."""

    def __init__(self, oracle: CountOracle) -> None:
        self._oracle, self.schema, self.n = oracle, oracle.schema, oracle.n

    def count(self, expressions: Any, *, of: Target = "sample") -> Estimates:
        return self._oracle.count(expressions, of=of)


# --- Without disguise: a naive ID3 ------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "nominal"),
    [(name, "binary") for name in SETS] + [(name, "keep") for name in SETS if name != "adult"],
)
def test_on_the_papers_data_the_tree_is_a_naive_id3s(name: str, nominal: str) -> None:
    records, target = prepared(name, nominal), SETS[name].target
    tree = mine_tree(exact(records), target, growth="faithful")
    require_same_tree(tree, id3(*rows(records, target)))


@st.composite
def tables(draw: st.DrawFn) -> tuple[Records, str]:
    """Few values, so that attributes are constant, records alike and gains tied."""
    sizes = draw(st.lists(st.integers(1, 4), min_size=1, max_size=5))
    target = draw(st.integers(0, len(sizes) - 1))
    sizes[target] = draw(st.integers(2, 3))
    record = st.tuples(*(st.integers(0, size - 1) for size in sizes))
    codes = draw(st.lists(record, min_size=1, max_size=40))
    return Records.from_codes(np.array(codes), named(sizes)), f"a{target}"


@pytest.mark.slow
@settings(max_examples=100)
@given(tables())
def test_on_random_tables_the_tree_is_a_naive_id3s(table: tuple[Records, str]) -> None:
    records, target = table
    expected = id3(*rows(records, target))
    require_same_tree(mine_tree(exact(records), target, growth="faithful"), expected)
    counted = mine_tree(CountsOnly(exact(records)), target, growth="faithful")
    require_same_tree(counted, expected)


# --- θ = 0 and θ = 1 --------------------------------------------------------------------------

PARTS = {
    1: [["a0", "a1", "a2", "a3", "a4", "a5"]],
    2: [["a0", "a3", "a5"], ["a1", "a2", "a4"]],
    3: [["a0", "a1"], ["a4", "a2"], ["a3", "a5"]],
}


def with_class(parts: Sequence[Sequence[str]], where: str) -> list[list[str]]:
    groups = [list(part) for part in parts]
    if where == "alone":
        groups.append(["a6"])
    elif where == "with others":
        groups[-1].append("a6")
    return groups


@pytest.mark.slow
@pytest.mark.parametrize(
    "options", [{"growth": "faithful"}, {"strength": 1.0}, {"random_state": 3}]
)
@pytest.mark.parametrize("where", ["public", "alone", "with others"])
@pytest.mark.parametrize("groups", PARTS)
@pytest.mark.parametrize("theta", ["0", "1"])
def test_a_sure_coin_gives_exactly_the_plain_tree(
    theta: str, groups: int, where: str, options: dict[str, Any]
) -> None:
    for seed in range(1 if "random_state" in options else 2):
        records = interacting(250, seed + groups, noise=0.15)
        oracle = disguised(records, related(*with_class(PARTS[groups], where), theta=theta))
        require_equal(
            mine_tree(oracle, "a6", **options), mine_tree(exact(records), "a6", **options)
        )


# --- Every way of counting gives the same tree ------------------------------------------------


def random_groups(sizes: Sequence[int], rng: np.random.Generator) -> Groups:
    """Related, unrelated and uniform groups of up to three attributes, and public ones."""
    groups: list[dict[str, Any]] = []
    left = rng.permutation([k for k, size in enumerate(sizes) if size > 1]).tolist()
    while left:
        many = int(rng.integers(1, 4))
        part, left = left[:many], left[many:]
        channel = str(rng.choice(["public", "related", "keep-or-uniform", "unrelated"]))
        group: dict[str, Any] = {
            "attributes": [f"a{k}" for k in part],
            "channel": channel,
            "theta": "0.8",
        }
        if channel == "unrelated":
            group["personal"] = {
                f"a{k}": {str(v): f"{2 * v + 1}/{sizes[k] ** 2}" for v in range(sizes[k])}
                for k in part
            }
        if channel != "public":
            groups.append(group)
    return groups


def random_oracle(seed: int) -> tuple[RandomizedOracle, str]:
    rng = np.random.default_rng(seed)
    sizes = rng.choice([1, 2, 2, 2, 3, 4], size=rng.integers(2, 8)).tolist()
    target = int(rng.integers(len(sizes)))
    sizes[target] = int(rng.choice([2, 2, 3]))
    n = int(rng.choice([1, 2, 5, 30, 200, 1000]))
    return disguised(dependent(sizes, n, rng), random_groups(sizes, rng), seed), f"a{target}"


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 80, 20))
def test_patterns_records_and_counts_give_the_same_tree(
    first: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in range(first, first + 20):
        oracle, target = random_oracle(seed)
        by_patterns = mine_tree(oracle, target, growth="faithful")
        by_counts = mine_tree(CountsOnly(oracle), target, growth="faithful")
        with monkeypatch.context() as patch:
            patch.setattr(choose_frontier, "FEW_PATTERNS", 0)
            patch.setattr(resampling, "DENSE_CELLS", 0)
            by_records = mine_tree(oracle, target, growth="faithful")
        for tree in (by_counts, by_records):
            np.testing.assert_array_equal(tree.axis, by_patterns.axis, err_msg=f"seed {seed}")
            np.testing.assert_allclose(tree.counts, by_patterns.counts, atol=1e-7)
            np.testing.assert_array_equal(tree.labels, by_patterns.labels, err_msg=f"seed {seed}")


def site(records: Records, chosen: Codes, order: Schema) -> Records:
    """Some of the records, in another schema's order of attributes and values."""
    part = Records(records.schema, tuple(column[chosen] for column in records.columns))
    return Records.of(part.to_arrow(), order)


def turned(schema: Schema) -> Schema:
    """The same attributes and values, all in the opposite order."""
    return Schema.of({a.name: a.values[::-1] for a in reversed(schema.attributes)})


def test_truthful_sites_grow_the_tree_of_all_records() -> None:
    records = interacting(600, 2)
    half = np.arange(600) < 250
    sites = [
        exact(site(records, np.flatnonzero(half), records.schema)),
        exact(site(records, np.flatnonzero(~half), turned(records.schema))),
    ]
    pooled = mine_tree(PooledOracle(sites), "a6", growth="faithful")
    plain = mine_tree(exact(records), "a6", growth="faithful")
    for name in ("axis", "first", "parent", "counts", "shares"):
        np.testing.assert_array_equal(getattr(pooled, name), getattr(plain, name))


def test_sites_with_designs_of_their_own_grow_one_tree() -> None:
    records = interacting(4000, 3)
    half = np.arange(4000) < 1500
    one = disguised(site(records, np.flatnonzero(half), records.schema), related(*PARTS[2]))
    other = disguised(
        site(records, np.flatnonzero(~half), turned(records.schema)),
        related(["a0", "a6"], ["a1", "a2", "a3"], theta="0.9"),
    )
    pooled = PooledOracle([one, other])
    tree = mine_tree(pooled, "a6", growth="faithful")
    require_counted_as_paths(tree, pooled, tree.counts, tree.errors**2)


# --- Screen and confirm -----------------------------------------------------------------------


@pytest.mark.parametrize("window", [None, "full", 6])
@pytest.mark.parametrize("growth", ["faithful", "noise-aware"])
def test_a_full_window_gives_exactly_the_exact_tree(window: Window, growth: Growth) -> None:
    records = interacting(500, 4)
    hybrid = mine_tree(
        disguised(records, related(*PARTS[3], theta="0.6")),
        "a6",
        growth=growth,
        strength=1.0,
        confirm=exact(records),
        window=window,
    )
    plain = mine_tree(exact(records), "a6", growth=growth, strength=1.0)
    require_equal(hybrid, plain)


def test_narrower_windows_confirm_fewer_counts() -> None:
    records = interacting(1000, 5, attributes=8)
    screen = disguised(records, related(["a0", "a1", "a2", "a3"], ["a4", "a5", "a6", "a7"]))
    full, three, one, adaptive = (
        mine_tree(screen, "a8", growth="faithful", confirm=exact(records), window=window)
        for window in (None, 3, 1, "adaptive")
    )
    assert one.confirmed < three.confirmed < full.confirmed
    assert adaptive.confirmed < full.confirmed
    # The classes at the root, and of each split node by its only candidate.
    assert one.confirmed == 2 + 4 * (len(one.axis) - len(one.leaves))
    # Whatever was screened, what was confirmed is exact.
    counts, _ = one.counted(exact(records))
    np.testing.assert_array_equal(one.counts, counts)


@pytest.mark.parametrize("seed", range(4))
def test_an_exact_screen_leaves_one_candidate_to_confirm(seed: int) -> None:
    records = interacting(300, seed)
    tree = mine_tree(
        exact(records), "a6", growth="faithful", confirm=exact(records), window="adaptive"
    )
    require_same_tree(tree, id3(*rows(records, "a6")))
    assert tree.confirmed == 2 + 4 * (len(tree.axis) - len(tree.leaves))


def test_confirming_reads_values_in_whatever_order() -> None:
    records = interacting(300, 7)
    other = ExactOracle(records.to_arrow(), turned(records.schema))
    screen = disguised(records, related(*PARTS[1]))
    for window in (None, 2):
        one, two = (
            mine_tree(screen, "a6", growth="faithful", confirm=confirm, window=window)
            for confirm in (exact(records), other)
        )
        require_equal(one, two)


# --- Noise ------------------------------------------------------------------------------------

NOISE = "One leaf: nothing here predicts it more than chance would."
EXPLAINED = "One leaf: no split changes the answer by more than the noise explains."


def pure_noise(n: int, features: int, seed: int) -> Records:
    """Yes/no answers, and a class, last, that nothing tells."""
    rng = np.random.default_rng(seed)
    codes = np.column_stack([rng.integers(2, size=(n, features)), rng.random(n) < 0.35])
    return Records.from_codes(codes.astype(np.int64), named([2] * (features + 1)))


@pytest.mark.slow
def test_what_noise_explains_is_one_leaf_that_says_so() -> None:
    """How often folds are fooled by the noise is measured: at 10,000 records, never in 40."""
    single = []
    for seed in range(40):
        oracle = disguised(pure_noise(10_000, 6, seed), related(*PARTS[2]), seed)
        tree = mine_tree(oracle, "a6", random_state=seed)
        single.append(len(tree.axis) == 1)
        # Chance finds something in one of twenty, and then the noise may still explain the split.
        assert tree.note in ((NOISE, EXPLAINED) if single[-1] else ("",))
    assert np.mean(single) >= 0.9


@pytest.mark.slow
def test_nothing_is_found_where_nothing_is() -> None:
    """At 3 %, in 60 surveys: .03 and 3 standard errors of .022 more."""
    grown = []
    for seed in range(60):
        oracle = disguised(pure_noise(500, 6, seed), related(*PARTS[2], theta="0.7"), seed)
        tree = mine_tree(oracle, "a6")
        assert tree.evidence is not None
        assert tree.evidence.found() or tree.note == NOISE
        grown.append(tree.evidence.found())
    assert np.mean(grown) <= 0.03 + 3 * 0.022


def test_a_faithful_tree_grows_all_the_same_and_says_it_too() -> None:
    oracle = disguised(pure_noise(500, 6, 1), related(*PARTS[2], theta="0.7"), 1)
    tree = mine_tree(oracle, "a6", growth="faithful")
    assert tree.evidence is not None
    assert not tree.evidence.found()
    assert len(tree.leaves) > 1


def test_an_association_is_shown_where_the_answer_is_the_same_everywhere() -> None:
    """6 % here and 21 % there: *no* is likelier in both, by 8 standard errors of the difference."""
    rng = np.random.default_rng(1)
    one, *others = rng.integers(2, size=(3, 3000))
    trait = rng.random(3000) < np.where(one, 0.21, 0.06)
    records = Records.from_codes(
        np.column_stack([one, *others, trait]).astype(np.int64), named([2] * 4)
    )
    tree = mine_tree(disguised(records, related(["a3"], ["a1", "a2"], theta="0.9")), "a3")
    assert tree.axis.tolist() == [0, CLOSED, CLOSED]
    assert tree.labels.tolist() == [0, 0, 0]
    np.testing.assert_allclose(tree.shares[1:, 1], [0.06, 0.21], atol=0.04)


def test_shrunk_trees_print_unbiased_counts() -> None:
    oracle = disguised(interacting(2000, 12), related(*PARTS[2]))
    tree = mine_tree(oracle, "a6")
    assert len(tree.leaves) > 1
    require_counted_as_paths(tree, oracle, tree.counts, tree.errors**2)


def test_what_a_shrunk_tree_cannot_use_is_refused() -> None:
    oracle = disguised(interacting(200, 13), related(*PARTS[2]))
    with pytest.raises(ModelError, match="no use for a strength"):
        mine_tree(oracle, "a6", growth="shrunk", strength=1.0)
    with pytest.raises(ModelError, match="no use for a second oracle"):
        mine_tree(oracle, "a6", growth="shrunk", confirm=oracle)


def test_a_node_where_nobody_reports_a_class_is_no_certainty() -> None:
    """One group of ten yes/no answers: most of its patterns hold a few reports, often of one class.

    A normal error exceeds 4 standard errors in 1 of 30,000 nodes; a tree here has up to 2,000.
    """
    leaves = []
    for seed in range(20):
        oracle = disguised(pure_noise(2000, 10, seed), related([f"a{k}" for k in range(10)]), seed)
        leaves.append(len(mine_tree(oracle, "a10", strength=4.0).leaves))
    assert np.mean(np.array(leaves) == 1) >= 0.9


def test_interactions_survive_where_no_attribute_tells_anything_alone() -> None:
    rng = np.random.default_rng(8)
    x = rng.integers(2, size=(5000, 4))
    truth = x[:, 0] ^ x[:, 1]
    records = Records.from_codes(np.column_stack([x, truth]), named([2] * 5))
    for seed in range(5):
        oracle = disguised(records, related(["a0", "a2"], ["a1", "a3"], theta="0.9"), seed)
        tree = mine_tree(oracle, "a4", random_state=seed)
        # At a leaf of a0 and a1 the class has 1,250 records against 0, with errors of about 30.
        np.testing.assert_array_equal(tree.predict(x), truth)


@pytest.mark.slow
def test_the_same_seed_gives_the_same_tree() -> None:
    oracle = disguised(interacting(1000, 9, noise=0.2), related(*PARTS[2]))
    again = disguised(interacting(1000, 9, noise=0.2), related(*PARTS[2]))
    chosen = set()
    for seed in range(6):
        tree, other = (
            mine_tree(each, "a6", growth="noise-aware", random_state=seed)
            for each in (oracle, again)
        )
        require_equal(tree, other)
        chosen.add(tree.strength)
    assert len(chosen) > 1, "folds are drawn by the seed"


def test_a_given_strength_is_used_and_more_of_it_keeps_less() -> None:
    oracle = disguised(interacting(2000, 10, noise=0.3), related(*PARTS[2]))
    trees = [mine_tree(oracle, "a6", strength=strength) for strength in (0, 1, 2, 4)]
    assert [tree.strength for tree in trees] == [0, 1, 2, 4]
    assert all(len(b.leaves) < len(a.leaves) for a, b in pairwise(trees))


# --- A tree laid over other data --------------------------------------------------------------


def require_counted_as_paths(
    tree: DecisionTree, oracle: CountOracle, counts: Floats, variances: Floats
) -> None:
    paths, classes = tree.paths(), tree.schema[tree.target].size
    family = Family(
        (*paths.columns, tree.target),
        np.column_stack(
            [
                np.repeat(paths.codes, classes, axis=0),
                np.tile(np.arange(classes), len(paths.codes)),
            ]
        ),
    )
    expected = oracle.count(family, of="population")
    np.testing.assert_allclose(counts.ravel(), expected.value, atol=1e-7)
    np.testing.assert_allclose(variances.ravel(), expected.variance, atol=1e-6)


@pytest.mark.parametrize(
    "groups",
    [
        [],
        related(*PARTS[3]),
        related(["a0", "a6"], ["a1", "a2"], theta="0.7"),
        [{"attributes": ["a0"], "channel": "keep-or-uniform", "theta": "0.6"}],
    ],
    ids=["public", "three groups", "class in a group", "uniform"],
)
def test_nodes_are_counted_as_their_paths_are(groups: Groups) -> None:
    tree = mine_tree(exact(interacting(500, 11)), "a6", growth="faithful", max_depth=4)
    oracle = disguised(interacting(400, 12), groups)
    require_counted_as_paths(tree, oracle, *tree.counted(oracle))


def test_other_data_may_list_values_in_another_order() -> None:
    tree = mine_tree(exact(interacting(500, 13)), "a6", growth="faithful")
    records = interacting(300, 14)
    same = ExactOracle(records.to_arrow(), turned(records.schema))
    np.testing.assert_array_equal(tree.counted(same)[0], tree.counted(exact(records))[0])
    require_equal(tree.pruned(same), tree.pruned(exact(records)))


def test_other_data_of_other_values_is_refused() -> None:
    tree = mine_tree(exact(interacting(100, 15)), "a6", growth="faithful")
    fewer = named([2] * 6)
    with pytest.raises(DeniableError, match="a6"):
        tree.counted(ExactOracle(Records.from_codes(np.zeros((3, 6), dtype=int), fewer), fewer))
    wider = named([3, 2, 2, 2, 2, 2, 2])
    with pytest.raises(DeniableError, match="a0"):
        tree.pruned(ExactOracle(Records.from_codes(np.zeros((3, 7), dtype=int), wider), wider))


@pytest.mark.parametrize("seed", range(12))
def test_pruning_by_exact_records_is_reduced_error_pruning(seed: int) -> None:
    records, validation = interacting(200, seed, noise=0.3), interacting(150, seed + 50, noise=0.3)
    tree = mine_tree(exact(records), "a6", growth="faithful")
    expected = pruned(id3(*rows(records, "a6")), rows(validation, "a6")[0])
    require_same_tree(tree.pruned(exact(validation)), expected)


def estimated_right(tree: DecisionTree, oracle: CountOracle) -> float:
    counts, _ = tree.counted(oracle)
    return float(counts[tree.leaves, tree.labels[tree.leaves]].sum())


@pytest.mark.parametrize("seed", range(8))
def test_pruning_never_lowers_the_estimated_accuracy(seed: int) -> None:
    tree = mine_tree(exact(interacting(400, seed, noise=0.3)), "a6", growth="faithful")
    validation = disguised(interacting(300, seed + 90, noise=0.3), related(*PARTS[2]), seed)
    cut = tree.pruned(validation)
    assert len(cut.leaves) < len(tree.leaves)
    assert estimated_right(cut, validation) >= estimated_right(tree, validation) - 1e-6
    assert len(cut.pruned(validation).axis) == len(cut.axis), "pruning twice is pruning once"


def test_leaves_hold_every_record_exactly_once() -> None:
    for seed in range(30):
        oracle, target = random_oracle(seed)
        tree = mine_tree(oracle, target, growth="faithful")
        sizes = tree.schema.select(tree.features).sizes
        cells = np.indices(sizes).reshape(len(sizes), -1).T
        leaves = tree.paths(tree.leaves).codes
        fits = ((leaves[:, None] < 0) | (leaves[:, None] == cells)).all(axis=2)
        np.testing.assert_array_equal(fits.sum(axis=0), np.ones(len(cells)))
        np.testing.assert_array_equal(tree.leaves[fits.argmax(axis=0)], tree.leaf_of(cells))
        np.testing.assert_allclose(tree.counts[tree.leaves].sum(), oracle.n, rtol=1e-9)
        assert tree.depth == (leaves >= 0).sum(axis=1).max(initial=0)


# --- Scores on disguised test records ---------------------------------------------------------

REPEATS = 500
TESTED = named([2, 2, 3, 2, 2])
TRUTH = np.random.default_rng(23).multinomial(
    1000, np.random.default_rng(24).dirichlet(np.ones(len(Family.table(TESTED.names, TESTED))))
)
"""Undisguised test records, as a table of counts."""

GROUPINGS: dict[str, list[list[str]]] = {
    "one group": [["a0", "a1", "a2", "a3", "a4"]],
    "two groups": [["a0", "a2", "a4"], ["a1", "a3"]],
    "three groups": [["a0", "a3"], ["a1", "a2"], ["a4"]],
}


def uneven(name: str) -> dict[str, str]:
    """A distribution of personal answers that is not uniform."""
    size = TESTED[name].size
    return {str(v): f"{2 * v + 1}/{size**2}" for v in range(size)}


@cache
def reported_anew(channel: str, grouping: str) -> list[RandomizedOracle]:
    groups: list[dict[str, Any]] = [
        {"attributes": names, "channel": channel, "theta": "0.8"} for names in GROUPINGS[grouping]
    ]
    if channel == "unrelated":
        for group in groups:
            group["personal"] = {name: uneven(name) for name in group["attributes"]}
    design = designed(TESTED, groups)
    rng = np.random.default_rng(25)
    tables = disguised_anew(TRUTH, whole_matrix(design), REPEATS, rng)
    return [RandomizedOracle(Reports(TESTED, table), design) for table in tables]


@pytest.mark.slow
@pytest.mark.parametrize("model", ["tree", "naive Bayes"])
@pytest.mark.parametrize("grouping", GROUPINGS)
@pytest.mark.parametrize("channel", ["related", "unrelated"])
def test_accuracy_on_disguised_records_is_unbiased(channel: str, grouping: str, model: str) -> None:
    plain = ExactOracle(Reports(TESTED, TRUTH), TESTED)
    mined: DecisionTree | NaiveBayes = (
        mine_tree(plain, "a4", strength=1.0) if model == "tree" else mine_bayes(plain, "a4")
    )
    cells = Family.table(TESTED.names, TESTED).codes
    truth = float(TRUTH @ (mined.predict(cells[:, :-1]) == cells[:, -1])) / TRUTH.sum()
    oracles = reported_anew(channel, grouping)
    found = [score(mined, oracle, of="sample") for oracle in oracles]
    errors = np.array([each.accuracy for each in found]) - truth
    # The mean of 500 errors: within 4 of its standard errors of 0.
    assert abs(errors.mean()) < 4 * errors.std() / np.sqrt(REPEATS)
    # A squared error less the variance stated with it is 0 on average, if that is honest.
    gaps = errors**2 - np.array([each.std_error for each in found]) ** 2
    assert abs(gaps.mean()) < 4 * gaps.std() / np.sqrt(REPEATS)
    if isinstance(mined, DecisionTree):
        counts, _ = mined.counted(oracles[0])
        by_leaves = counts[mined.leaves, mined.labels[mined.leaves]].sum() / TRUTH.sum()
        assert by_leaves == pytest.approx(found[0].accuracy)


# --- Shapes of data ---------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 2, 5])
@pytest.mark.parametrize("growth", ["faithful", "noise-aware"])
def test_a_single_class_is_one_leaf_that_says_so(n: int, growth: Growth) -> None:
    records = Records.from_codes(np.ones((n, 4), dtype=int), named([2, 3, 2, 2]))
    tree = mine_tree(exact(records), "a3", growth=growth)
    assert tree.axis.tolist() == [CLOSED]
    assert tree.note == "One leaf: a single class is estimated to occur."
    assert tree.predict(np.zeros((1, 3), dtype=int)).tolist() == [1]


@pytest.mark.parametrize("n", [1, 2, 5])
def test_a_handful_of_records_is_one_leaf_that_says_why(n: int) -> None:
    for seed in range(20):
        codes = np.random.default_rng(seed).integers(2, size=(n, 5))
        records = Records.from_codes(codes, named([2] * 5))
        for oracle in (exact(records), disguised(records, related(["a0", "a1"], ["a2"]), seed)):
            tree = mine_tree(oracle, "a4", random_state=seed)
            assert tree.axis.tolist() == [CLOSED]
            assert tree.note.startswith("One leaf: ")


def test_without_records_there_is_nothing_to_mine() -> None:
    nobody = exact(Records.from_codes(np.zeros((0, 3), dtype=int), named([2, 2, 2])))
    with pytest.raises(ModelError, match="no records"):
        mine_tree(nobody, "a2")
    some = exact(Records.from_codes(np.eye(3, dtype=int), named([2, 2, 2])))
    tree = mine_tree(some, "a2", growth="faithful")
    with pytest.raises(ModelError, match="no records"):
        tree.pruned(nobody)


@pytest.mark.parametrize("sizes", [[2], [1, 1, 2]])
def test_without_a_question_there_is_one_leaf(sizes: list[int]) -> None:
    codes = np.zeros((40, len(sizes)), dtype=int)
    codes[::4, -1] = 1
    tree = mine_tree(exact(Records.from_codes(codes, named(sizes))), f"a{len(sizes) - 1}")
    assert tree.note == "One leaf: there is no attribute to split by."
    assert tree.counts.tolist() == [[30, 10]]


def test_no_question_allowed_is_one_leaf_and_one_allowed_asks_one() -> None:
    oracle = exact(interacting(300, 16))
    assert mine_tree(oracle, "a6", max_depth=0).note == "One leaf: no question was allowed."
    for deepest in (1, 2, 3):
        assert mine_tree(oracle, "a6", growth="faithful", max_depth=deepest).depth == deepest


@pytest.mark.parametrize("target", [0, 3, 6])
def test_the_target_may_stand_anywhere(target: int) -> None:
    """Columns moved about give the same tree, its axes renamed."""
    records = interacting(500, 17)
    names = [name for name in records.schema.names if name != "a6"]
    names.insert(target, "a6")
    moved = records.select(records.schema.select(names))
    groups = related(["a0", "a6", "a4"], ["a1", "a2"])
    one, other = (
        mine_tree(disguised(each, groups), "a6", strength=1.0) for each in (records, moved)
    )
    assert other.schema.names == tuple(names)
    np.testing.assert_array_equal(other.axis, one.axis)
    np.testing.assert_array_equal(other.labels, one.labels)
    np.testing.assert_allclose(other.counts, one.counts, atol=1e-9)


def test_some_features_are_mined_as_if_there_were_no_others() -> None:
    records = interacting(500, 18)
    chosen = records.select(records.schema.select(["a1", "a2", "a4", "a6"]))
    few = mine_tree(exact(records), "a6", features=["a4", "a1", "a2"], growth="faithful")
    require_equal(few, mine_tree(exact(chosen), "a6", growth="faithful"))
    assert few.features == ("a1", "a2", "a4")
    through = disguised(records, related(["a0", "a1", "a2"], ["a3", "a4"]))
    tree = mine_tree(through, "a6", features=["a4", "a1", "a2"], growth="faithful")
    require_counted_as_paths(tree, through, tree.counts, tree.errors**2)


AWKWARD: dict[str, tuple[list[int], Groups]] = {
    "categories together": ([3, 4, 5, 2, 3], related(["a0", "a1", "a2"], ["a3"])),
    "the class with categories": ([3, 4, 2, 3, 2], related(["a0", "a4", "a1"], ["a2", "a3"])),
    "eight attributes in one unrelated group": (
        [2, 3, 2, 2, 2, 2, 2, 3, 2],
        [
            {
                "attributes": [f"a{k}" for k in range(8)],
                "channel": "keep-or-uniform",
                "theta": "0.7",
            }
        ],
    ),
    "twenty-four columns": (
        [2] * 25,
        related([f"a{k}" for k in range(12)], [f"a{k}" for k in range(12, 24)]),
    ),
    "forty values": (
        [40, 16, 2, 2, 2],
        [{"attributes": [f"a{k}"], "channel": "keep-or-uniform", "theta": "0.9"} for k in range(4)],
    ),
}


@pytest.mark.parametrize("name", AWKWARD)
def test_awkward_designs_grow_trees_of_honest_counts(name: str) -> None:
    sizes, groups = AWKWARD[name]
    target = f"a{len(sizes) - 1}"
    oracle = disguised(dependent(sizes, 800, np.random.default_rng(19)), groups)
    tree = mine_tree(oracle, target, growth="faithful", max_depth=3)
    paths = tree.paths().codes
    asked = [
        {name: tree.schema[name].values[v] for name, v in zip(tree.features, path, strict=True)
         if v >= 0} | {target: value}
        for path in paths
        for value in tree.schema[target].values
    ]  # fmt: skip
    np.testing.assert_allclose(tree.counts.ravel(), oracle.count(asked).value, atol=1e-6)
    stricter = mine_tree(oracle, target, max_depth=3, strength=2.0)
    assert len(stricter.leaves) < len(tree.leaves)


# --- Documents --------------------------------------------------------------------------------


@cache
def example() -> DecisionTree:
    records = dependent([2, 3, 2, 3], 300, np.random.default_rng(20))
    return mine_tree(disguised(records, related(["a0", "a1"])), "a3", growth="faithful")


def test_a_tree_is_read_as_it_was_written() -> None:
    for tree in (example(), mine_tree(exact(interacting(100, 21)), "a6", max_depth=0)):
        document = json.loads(json.dumps(tree.document(), allow_nan=False))
        read = read_model(document, "model.json")
        assert isinstance(read, DecisionTree)
        assert read.schema == tree.schema
        assert (read.target, read.confirmed) == (tree.target, tree.confirmed)
        require_equal(read, tree)
        assert read.document() == tree.document()


DAMAGE: dict[str, Any] = {
    "format": "another",
    "version": 99,
    "kind": "shrub",
    "schema": {"a0": ["0", "1"]},
    "target": "a9",
    "n": "many",
    "axis": [0, 0],
    "parent": [-1, 5],
    "counts": [[1, 2]],
    "errors": "none",
    "shares": None,
}


@pytest.mark.parametrize("key", DAMAGE)
def test_a_damaged_document_is_refused(key: str) -> None:
    document = example().document()
    with pytest.raises(DeniableError) as refusal:
        read_model({**document, key: DAMAGE[key]}, "model.json")
    assert refusal.value.hint
    del document[key]
    with pytest.raises(ModelError, match=r"model\.json"):
        read_model(document, "model.json")


def with_first(rows: list[Any], value: Any) -> list[Any]:
    return [value, *rows[1:]]


@pytest.mark.parametrize(
    ("key", "damaged"),
    [
        ("axis", lambda axis: [*axis[:-1], 3]),
        ("axis", lambda axis: [-2 if a == 2 else a for a in axis]),
        ("axis", lambda axis: with_first(axis, axis[0] + 0.5)),
        ("counts", lambda counts: with_first(counts, [float("nan"), 0, 0])),
        ("errors", lambda errors: with_first(errors, [-1, 1, 1])),
        ("shares", lambda shares: with_first(shares, [-1, 1, 1])),
        ("shares", lambda shares: with_first(shares, [0, 0, 0])),
    ],
)
def test_nodes_that_are_no_tree_are_refused(key: str, damaged: Any) -> None:
    document = example().document()
    document[key] = damaged(document[key])
    with pytest.raises(ModelError, match="damaged"):
        read_model(document, "model.json")


def test_a_tree_without_nodes_is_refused() -> None:
    document = example().document()
    empty: dict[str, Any] = {name: [] for name in ("axis", "parent", "counts", "errors", "shares")}
    with pytest.raises(ModelError, match="damaged"):
        read_model({**document, **empty}, "model.json")


# --- What is refused --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"growth": "wild"}, "'wild'"),
        ({"features": ["a9"]}, "'a9'"),
        ({"features": ["a6"]}, "the target"),
        ({"max_depth": -1}, "-1"),
        ({"strength": -1.0}, "-1"),
        ({"strength": float("nan")}, "nan"),
        ({"strength": float("inf")}, "inf"),
        ({"cv": 1}, "1 folds"),
        ({"random_state": -1}, "-1"),
        ({"window": 3}, "nothing to confirm"),
        ({"window": "full"}, "nothing to confirm"),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_hint(options: dict[str, Any], problem: str) -> None:
    with pytest.raises(ModelError, match=problem) as refusal:
        mine_tree(exact(interacting(50, 22)), "a6", **options)
    assert refusal.value.hint


@pytest.mark.parametrize("window", [0, -1, "adaptiv", 2.5])
def test_a_window_that_is_none_is_refused(window: Any) -> None:
    oracle = exact(interacting(50, 22))
    with pytest.raises(ModelError, match="window"):
        mine_tree(oracle, "a6", confirm=oracle, window=window)


def test_a_target_that_cannot_be_mined_is_refused() -> None:
    schema = Schema.of({"a": ["0", "1"], "b": ["only"]})
    oracle = ExactOracle({"a": ["0", "1"], "b": ["only", "only"]}, schema)
    with pytest.raises(ModelError, match="'c' is not in the design"):
        mine_tree(oracle, "c")
    with pytest.raises(ModelError, match="single value"):
        mine_tree(oracle, "b")
