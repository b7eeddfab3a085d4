"""Every frontier counts what its oracle's conjunctions count, whatever the design."""

from collections.abc import Iterable
from typing import Any, cast

import numpy as np
import pytest

from deniable import Design, PooledOracle, RandomizedOracle, Records, mine_tree
from deniable.channel.keep_or_uniform import KeepOrUniform
from deniable.engine.engine import Columns
from deniable.engine.memory.numpy_engine import DrawnEngine, MemoryEngine
from deniable.expression import Expression, Family
from deniable.oracle import resampling
from deniable.oracle.api import Branching, CountOracle, Estimates, Frontier, Target
from deniable.oracle.frontier import choose_frontier
from deniable.oracle.frontier import record_frontier as branches
from deniable.oracle.frontier.cube_frontier import CubeFrontier
from deniable.oracle.frontier.frontier import CLOSED, STAY, CountedFrontier, children
from deniable.oracle.frontier.joined_frontier import JoinedFrontier
from deniable.oracle.frontier.matching_frontier import MatchingFrontier
from deniable.oracle.frontier.opened_frontier import OpenedFrontier
from deniable.oracle.frontier.pattern_frontier import PatternFrontier
from deniable.oracle.frontier.record_frontier import RecordFrontier
from deniable.oracle.frontier.record_sets import ReportColumns
from deniable.oracle.frontier.routed_frontier import ReportLayout
from deniable.oracle.frontier.yes_no_layout import YesNoLayout
from deniable.oracle.replicates import branch_each, descend_each
from deniable.oracle.tally import Tally

SIZES = {"a": 2, "b": 2, "c": 2, "d": 3, "e": 2, "y": 2, "z": 3}
RELATED = {"channel": "related", "theta": "0.7"}
UNIFORM = {"channel": "keep-or-uniform", "theta": "0.6"}

SKEWED = {"0": {"0": "0.9", "1": "0.1"}, "1": {"0": "0.3", "1": "0.7"}}

DESIGNS: dict[str, list[dict[str, Any]]] = {
    "public": [],
    "one related group": [{"attributes": ["a", "b", "c"], **RELATED}],
    "two related groups": [
        {"attributes": ["a", "e"], **RELATED},
        {"attributes": ["b", "c"], "channel": "related", "theta": "0.2"},
    ],
    "the class with others": [{"attributes": ["y", "b", "c"], **RELATED}],
    "the class alone": [{"attributes": ["y"], **RELATED}, {"attributes": ["a", "b"], **RELATED}],
    "single attributes": [
        {"attributes": ["a"], **UNIFORM},
        {"attributes": ["d"], **UNIFORM},
        {"attributes": ["e"], "channel": "matrix", "matrix": SKEWED},
        {"attributes": ["y"], "channel": "matrix", "matrix": SKEWED},
    ],
    "certain": [{"attributes": ["a", "b", "y"], "channel": "related", "theta": "1"}],
    "always opposite": [{"attributes": ["a", "b", "y"], "channel": "related", "theta": "0"}],
}
WIDE: dict[str, list[dict[str, Any]]] = {
    "unrelated together": [
        {
            "attributes": ["a", "b"],
            "channel": "unrelated",
            "theta": "0.6",
            "personal": {"a": {"0": "0.3", "1": "0.7"}, "b": {"0": "0.5", "1": "0.5"}},
        },
        {"attributes": ["y", "c"], **UNIFORM},
    ],
    "categorical together": [{"attributes": ["d", "a"], "channel": "related", "theta": "0.8"}],
    "beside others": [
        {"attributes": ["a", "d", "y"], **UNIFORM},
        {"attributes": ["b", "c"], **RELATED},
        {"attributes": ["e"], "channel": "matrix", "matrix": SKEWED},
    ],
}


def oracle_of(groups: list[dict[str, Any]], seed: int = 5, n: int = 300) -> RandomizedOracle:
    attributes = {name: [str(v) for v in range(size)] for name, size in SIZES.items()}
    design = Design.of({"attributes": attributes, "groups": groups})
    rng = np.random.default_rng(seed)
    codes = np.stack([rng.integers(size, size=n) for size in SIZES.values()], axis=1)
    return RandomizedOracle(MemoryEngine(Records.from_codes(codes, design.schema)), design)


def routed(kind: str, oracle: RandomizedOracle, target: str, axes: list[str]) -> Frontier:
    names = (*axes, target)
    layout = ReportLayout.of(oracle.design, names, oracle.n)
    counted = CountedFrontier.root(oracle, target, axes)
    if kind == "patterns":
        return PatternFrontier.root(layout, oracle.reported(names))
    if kind == "matches":
        return MatchingFrontier.root(layout, Tally(oracle.engine).reports(names), counted)
    if kind == "paths":
        return OpenedFrontier.roots(layout, oracle.reported(names)[np.newaxis])
    reports = ReportColumns(oracle.engine.codes(names), layout.sizes, oracle.n)
    return RecordFrontier.roots(layout, reports, [np.arange(oracle.n)], counted)


def yes_no(oracle: RandomizedOracle, target: str, axes: list[str]) -> CubeFrontier:
    names = (*axes, target)
    layout = ReportLayout.of(oracle.design, names, oracle.n)
    assert YesNoLayout.fits(layout)
    return CubeFrontier.roots(YesNoLayout(layout), oracle.reported(names))


class CountsOnly:
    """A party that tells estimated counts, and nothing else."""

    def __init__(self, oracle: CountOracle) -> None:
        self._oracle = oracle
        self.schema, self.n = oracle.schema, oracle.n

    def count(
        self, expressions: Iterable[Expression] | Family, *, of: Target = "sample"
    ) -> Estimates:
        return self._oracle.count(expressions, of=of)


def walk(mine: Frontier, counted: Frontier, axes: list[str]) -> None:
    rng = np.random.default_rng(7)
    used = np.zeros((len(mine.classes()[0]), len(axes)), dtype=bool)
    sizes = np.array([SIZES.get(name, 2) for name in axes])
    for _ in range(4):
        (count, error), (value, variance) = mine.classes(), counted.classes()
        np.testing.assert_allclose(count, value, atol=1e-8)
        np.testing.assert_allclose(error, variance, atol=1e-8, rtol=1e-9)
        wanted = ~used & (rng.random(used.shape) < 0.8)
        for found, truth in zip(mine.tables(wanted), counted.tables(wanted), strict=True):
            assert np.array_equal(found.node, truth.node)
            assert np.array_equal(found.axis, truth.axis)
            np.testing.assert_allclose(found.value, truth.value, atol=1e-8)
        for error, variance in zip(mine.variances(wanted), counted.variances(wanted), strict=True):
            np.testing.assert_allclose(error, variance, atol=1e-7, rtol=1e-9)
        choice = np.array([rng.choice(np.flatnonzero(~row)) for row in used])
        choice[rng.random(len(choice)) < 0.2] = CLOSED
        if (choice == CLOSED).all():
            return
        mine, counted = mine.split(choice), counted.split(choice)
        parent = np.repeat(np.arange(len(choice)), np.append(sizes, 0)[choice])
        used = used[parent]
        used[np.arange(len(parent)), choice[parent]] = True


@pytest.mark.slow
@pytest.mark.parametrize("target", ["y", "z"])
@pytest.mark.parametrize("kind", ["patterns", "records", "matches", "paths"])
@pytest.mark.parametrize("groups", DESIGNS.values(), ids=DESIGNS)
def test_routed_counts_are_the_oracles_counts(
    groups: list[dict[str, Any]], kind: str, target: str
) -> None:
    oracle = oracle_of(groups)
    axes = [name for name in SIZES if name != target]
    counted = CountedFrontier.root(oracle, target, axes)
    walk(routed(kind, oracle, target, axes), counted, axes)


@pytest.mark.parametrize("target", ["y", "z"])
@pytest.mark.parametrize("groups", DESIGNS.values(), ids=DESIGNS)
def test_cubes_of_yes_no_attributes_hold_the_oracles_counts(
    groups: list[dict[str, Any]], target: str
) -> None:
    oracle = oracle_of(groups)
    axes = ["a", "b", "c", "e", *(["y"] if target == "z" else [])]
    walk(yes_no(oracle, target, axes), CountedFrontier.root(oracle, target, axes), axes)


@pytest.mark.parametrize("groups", DESIGNS.values(), ids=DESIGNS)
def test_many_trees_in_one_array_are_those_trees(groups: list[dict[str, Any]]) -> None:
    trees = oracle_of(groups).resampled(3, np.random.default_rng(3))
    axes = ["a", "b", "c", "e"]
    one_by_one = JoinedFrontier([CountedFrontier.root(each, "y", axes) for each in trees])
    at_once = descend_each(trees, "y", axes)
    assert isinstance(at_once, CubeFrontier)
    walk(at_once, one_by_one, axes)


def walk_branching(mine: Branching, counted: CountedFrontier, axes: list[str]) -> None:
    """Nodes that are split by several axes each, and some that stay."""
    rng = np.random.default_rng(8)
    named = np.zeros((len(mine.classes()[0]), len(axes)), dtype=bool)
    sizes = [SIZES.get(name, 2) for name in axes]
    for _ in range(3):
        nodes = np.sort(rng.integers(len(named), size=2 * len(named) + 1))
        choice = np.array([rng.choice(np.flatnonzero(~named[node])) for node in nodes])
        choice[rng.random(len(nodes)) < 0.3] = STAY
        mine, counted = mine.branch(nodes, choice), counted.branch(nodes, choice)
        parent, _, _ = children(choice, sizes)
        named = named[nodes[parent]]
        split = np.flatnonzero(choice[parent] != STAY)
        named[split, choice[parent[split]]] = True
        wanted = ~named & (rng.random(named.shape) < 0.6)
        for found, truth in zip(mine.tables(wanted), counted.tables(wanted), strict=True):
            assert np.array_equal(found.node, truth.node)
            assert np.array_equal(found.axis, truth.axis)
            np.testing.assert_allclose(found.value, truth.value, atol=1e-8)
        for error, variance in zip(mine.variances(wanted), counted.variances(wanted), strict=True):
            np.testing.assert_allclose(error, variance, atol=1e-7, rtol=1e-9)
        for count, plain in zip(mine.classes(), counted.classes(), strict=True):
            np.testing.assert_allclose(count, plain, atol=1e-7, rtol=1e-9)


BRANCHING = [
    *((groups, kind) for groups in DESIGNS for kind in ("records", "matches", "paths")),
    *((groups, "matches") for groups in WIDE),
]


@pytest.mark.parametrize(("groups", "kind"), BRANCHING)
def test_nodes_are_split_by_several_axes_each(groups: str, kind: str) -> None:
    oracle = oracle_of((DESIGNS | WIDE)[groups])
    axes = [name for name in SIZES if name not in {"y", "z"}]
    front = routed(kind, oracle, "y", axes)
    walk_branching(cast(Branching, front), CountedFrontier.root(oracle, "y", axes), axes)


@pytest.mark.parametrize("groups", ["two related groups", "the class with others", "beside others"])
def test_many_trees_share_the_records_that_they_were_drawn_from(
    groups: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or put them together, where they were drawn from different ones."""
    monkeypatch.setattr(resampling, "DENSE_CELLS", 1)
    monkeypatch.setattr(choose_frontier, "FEW_PATTERNS", 0)
    monkeypatch.setattr(choose_frontier, "MOST_BRANCHES", 0)
    monkeypatch.setattr(choose_frontier, "MOST_PATHS", 0)
    design = (DESIGNS | WIDE)[groups]
    drawn = oracle_of(design).resampled(5, np.random.default_rng(3))
    assert all(isinstance(each.engine, DrawnEngine) for each in drawn)
    again = [each.resampled(1, np.random.default_rng(4))[0] for each in drawn[:2]]
    axes = ["a", "b", "c", "d", "e"]
    for samples in (drawn, [*again, *drawn[2:]], [drawn[0], oracle_of(design)]):
        trees = [RandomizedOracle(each.engine, drawn[0].design) for each in samples]
        counted = CountedFrontier.roots(trees, "y", axes)
        front = descend_each(trees, "y", axes)
        assert isinstance(front, RecordFrontier | JoinedFrontier)
        walk(front, counted, axes)
        walk_branching(branch_each(trees, "y", axes), counted, axes)
        monkeypatch.setattr(choose_frontier, "ROWS_TOGETHER", 700)
        walk_branching(branch_each(trees, "y", axes), counted, axes)


@pytest.mark.slow
@pytest.mark.parametrize("the_class", ["public", "alone", "with others"])
@pytest.mark.parametrize("channel", [RELATED, UNIFORM], ids=["related", "keep-or-uniform"])
def test_wide_tables_hold_the_oracles_counts(channel: dict[str, Any], the_class: str) -> None:
    """Seventy attributes: more than a word has bits, in groups too wide for tables of paths."""
    axes = [f"w{k}" for k in range(70)]
    groups = [axes[:22], axes[22:44], axes[44:66]]
    if the_class == "with others":
        groups[0] = [*groups[0], "y"]
    elif the_class == "alone":
        groups.append(["y"])
    design = Design.of(
        {
            "attributes": {name: ["no", "yes"] for name in (*axes, "y")},
            "groups": [{"attributes": names, **channel} for names in groups],
        }
    )
    codes = np.random.default_rng(9).integers(2, size=(250, 71))
    oracle = RandomizedOracle(MemoryEngine(Records.from_codes(codes, design.schema)), design)
    front = descend_each([oracle], "y", axes)
    assert isinstance(front, RecordFrontier | MatchingFrontier)
    walk(front, CountedFrontier.root(oracle, "y", axes), axes)
    branching = branch_each([oracle], "y", axes)
    walk_branching(branching, CountedFrontier.root(oracle, "y", axes), axes)


def test_trees_of_pooled_sites_go_down_together() -> None:
    first = oracle_of(DESIGNS["two related groups"])
    sites = PooledOracle([first, oracle_of(DESIGNS["single attributes"], seed=6)])
    trees = sites.resampled(3, np.random.default_rng(3))
    axes = ["a", "b", "d", "e"]
    counted = CountedFrontier.roots(trees, "y", axes)
    assert not isinstance(branch_each(trees, "y", axes), CountedFrontier)
    walk_branching(branch_each(trees, "y", axes), counted, axes)
    walk(descend_each(trees, "y", axes), counted, axes)


def test_groups_that_make_cells_too_large_are_undone_on_the_way() -> None:
    """Rounding of such cells would be seen in counts of a single group."""
    groups = [{"attributes": [name], "channel": "related", "theta": "0.501"} for name in "abc"]
    oracle = oracle_of(groups)
    axes = ["a", "b", "c", "e"]
    layout = ReportLayout.of(oracle.design, (*axes, "y"), oracle.n)
    assert not YesNoLayout.fits(layout)
    assert not isinstance(oracle.descend("y", axes), CubeFrontier)
    walk(oracle.descend("y", axes), CountedFrontier.root(oracle, "y", axes), axes)


@pytest.mark.parametrize(
    "channel",
    [
        {"channel": "triangular", "theta": "0.5"},
        {"channel": "mangat", "theta": "0.5"},
        {"channel": "kuk", "red": {"0": "0.5", "1": "0.8"}},
        {"channel": "kuk", "red": {"0": "0.4999999", "1": "0.8"}},
        {"channel": "kuk", "red": {"0": "0.45", "1": "0.8"}},
    ],
    ids=str,
)
def test_a_truth_that_is_reported_by_half_has_errors_on_cubes_too(channel: dict[str, Any]) -> None:
    """Both reports weigh the same square there, so that no weight makes one of squares."""
    oracle = oracle_of([{"attributes": ["a"], **channel}, {"attributes": ["y"], **RELATED}])
    axes = ["a", "b", "c", "e"]
    walk(oracle.descend("y", axes), CountedFrontier.root(oracle, "y", axes), axes)


def test_trees_that_differ_in_more_than_reports_are_joined_side_by_side() -> None:
    axes = ["a", "b", "c", "e"]
    alike = oracle_of(DESIGNS["one related group"])
    for other in (oracle_of([]), oracle_of(DESIGNS["one related group"], n=200)):
        both = descend_each([alike, other], "y", axes)
        assert isinstance(both, JoinedFrontier)


@pytest.mark.parametrize("target", ["y", "d"])
@pytest.mark.parametrize("groups", WIDE.values(), ids=WIDE)
def test_groups_of_several_values_together(groups: list[dict[str, Any]], target: str) -> None:
    oracle = oracle_of(groups)
    axes = [name for name in SIZES if name != target]
    counted = CountedFrontier.root(oracle, target, axes)
    walk(routed("matches", oracle, target, axes), counted, axes)


def test_what_is_truthful_is_routed_as_if_it_were_public() -> None:
    oracle = oracle_of([{"attributes": ["a", "d", "y"], "channel": "truthful"}])
    axes = [name for name in SIZES if name != "y"]
    assert isinstance(oracle.descend("y", axes), PatternFrontier)
    walk(oracle.descend("y", axes), CountedFrontier.root(oracle, "y", axes), axes)


def test_groups_that_matches_do_not_tell_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(KeepOrUniform, "by_matches", lambda *_: None)
    oracle = oracle_of(WIDE["beside others"])
    axes = [name for name in SIZES if name != "y"]
    assert isinstance(oracle.descend("y", axes), CountedFrontier)


def test_long_runs_of_rows_do_not_overflow_a_byte() -> None:
    oracle = oracle_of(DESIGNS["two related groups"], n=3000)
    axes = [name for name in SIZES if name != "y"]
    counted = CountedFrontier.root(oracle, "y", axes)
    walk(routed("records", oracle, "y", axes), counted, axes)


@pytest.mark.parametrize("groups", DESIGNS.values(), ids=DESIGNS)
def test_folds_are_all_the_reports(groups: list[dict[str, Any]]) -> None:
    oracle = oracle_of(groups)
    folds = oracle.folds(4, np.random.default_rng(1))
    asked = ["a=1 & y=0", "d=2", "*"]
    whole = oracle.count(asked).value
    np.testing.assert_allclose(sum(fold.count(asked).value for _, fold in folds), whole, atol=1e-9)
    for rest, fold in folds:
        together = rest.count(asked).value + fold.count(asked).value
        np.testing.assert_allclose(together, whole, atol=1e-9)
    assert oracle.resampled(1, np.random.default_rng(2))[0].n == oracle.n


def test_pooled_sites_go_down_together() -> None:
    first = oracle_of(DESIGNS["two related groups"])
    sites = PooledOracle([first, oracle_of(DESIGNS["single attributes"], seed=6)])
    axes = [name for name in SIZES if name != "y"]
    counted = CountedFrontier.root(sites, "y", axes)
    walk(sites.descend("y", axes), counted, axes)
    assert [rest.n + fold.n for rest, fold in sites.folds(3, np.random.default_rng(1))] == [600] * 3
    assert sites.resampled(1, np.random.default_rng(1))[0].n == sites.n


@pytest.mark.parametrize("groups", WIDE.values(), ids=WIDE)
def test_a_tree_prints_the_errors_that_estimates_have(groups: list[dict[str, Any]]) -> None:
    site = oracle_of(groups, n=2000)
    beside = oracle_of(DESIGNS["single attributes"], seed=6)
    for oracle in (site, PooledOracle([site, beside]), CountsOnly(site)):
        tree = mine_tree(oracle, "y", max_depth=2, strength=0)
        paths = tree.paths()
        codes = np.repeat(paths.codes, 2, axis=0)
        asked = np.column_stack([codes, np.tile([0, 1], len(paths))])
        found = oracle.count(Family((*paths.columns, "y"), asked), of="population")
        np.testing.assert_allclose(tree.errors.ravel(), found.std_error, rtol=1e-6)


@pytest.mark.parametrize("columns", [(), ("z", "a"), ("d", "c", "b"), tuple(SIZES)[::-1]])
def test_a_table_that_is_held_is_added_up_to_what_would_be_counted(columns: Columns) -> None:
    engine = oracle_of([]).engine
    (whole,) = engine.tabulate([tuple(SIZES)])
    (counted,) = engine.tabulate([columns])
    found = whole.marginal(columns)
    assert (found.columns, found.sizes) == (counted.columns, counted.sizes)
    assert np.array_equal(found.dense(), counted.dense())


def test_where_rows_would_be_too_many_counts_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(branches, "MOST_ROWS", 1100)
    oracle = oracle_of(DESIGNS["single attributes"])
    axes = [name for name in SIZES if name != "y"]
    found = routed("records", oracle, "y", axes)
    walk(found, CountedFrontier.root(oracle, "y", axes), axes)
