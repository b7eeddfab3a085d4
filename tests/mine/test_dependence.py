"""The dependence tree finds what is there, and no more than noise allows, disguised or not."""

import json
from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from deniable.base.errors import ModelError, SchemaError
from deniable.design import Design
from deniable.engine.memory.records import Records
from deniable.mine.dependence import DependenceTree, Edge, mine_dependence
from deniable.mine.models.model_files import read_model
from deniable.oracle.exact import ExactOracle
from deniable.oracle.pooled import PooledOracle
from deniable.oracle.randomized import RandomizedOracle
from deniable.schema import Schema
from deniable.source.disguise import disguise_records
from deniable.source.prepare import Preparation
from deniable.source.randomness import SeededBits
from oracle.simulated import Floats, Reports, drawn_anew, whole_matrix
from papersets import dataset

SVG = "{http://www.w3.org/2000/svg}"

Links = set[frozenset[str]]


def designed(sizes: Sequence[int], groups: Sequence[Sequence[int]], **options: Any) -> Design:
    names = [f"x{place}" for place in range(len(sizes))]
    return Design.of(
        {
            "attributes": {
                name: [str(code) for code in range(size)]
                for name, size in zip(names, sizes, strict=True)
            },
            "groups": [
                {"attributes": [names[place] for place in group], **options} for group in groups
            ],
        }
    )


def links(tree: DependenceTree) -> Links:
    return {frozenset((edge.a, edge.b)) for edge in tree.edges}


# A naive Chow & Liu, to compare with.


def chow_liu(records: Records) -> Links:
    """Plug-in mutual information, and Kruskal's algorithm by hand."""
    columns = dict(zip(records.schema.names, records.columns, strict=True))
    weights = {}
    for a, b in combinations(columns, 2):
        joint = np.zeros((records.schema[a].size, records.schema[b].size))
        np.add.at(joint, (columns[a], columns[b]), 1 / len(records))
        weights[a, b] = sum(
            p * np.log(p / (joint[i].sum() * joint[:, j].sum()))
            for (i, j), p in np.ndenumerate(joint)
            if p > 0
        )
    home = {name: name for name in columns}
    chosen = set()
    for a, b in sorted(weights, key=lambda pair: -weights[pair]):
        if home[a] != home[b]:
            chosen.add(frozenset((a, b)))
            old = home[b]
            home = {name: home[a] if place == old else place for name, place in home.items()}
    return chosen


# A planted tree: x0 with two children, each with children of its own.

PARENTS = {1: 0, 2: 0, 3: 1, 4: 1, 5: 2}
PLANTED: Links = {frozenset((f"x{child}", f"x{parent}")) for child, parent in PARENTS.items()}


def planted(sizes: Sequence[int], same: float) -> Floats:
    """Shares of all patterns: a child's code is its parent's (modulo its size) more often."""
    codes = np.indices(sizes)
    shares: Floats = np.full(tuple(sizes), 1 / sizes[0])
    for child, parent in PARENTS.items():
        follows = codes[child] == codes[parent] % sizes[child]
        shares = shares * np.where(follows, same, (1 - same) / (sizes[child] - 1))
    return shares.ravel()


def oracles(design: Design, shares: Floats, n: int, repeats: int, seed: int) -> list[Any]:
    tables = drawn_anew(shares, n, whole_matrix(design), repeats, np.random.default_rng(seed))
    return [RandomizedOracle(Reports(design.schema, table), design) for table in tables]


@pytest.mark.parametrize("sizes", [[2] * 6, [3, 2, 3, 4, 2, 2]])
def test_a_planted_tree_is_recovered_exactly_without_disguise(sizes: list[int]) -> None:
    # 20,000 records: an edge has at least 0.08 bits ± 0.003, a path of two less than half of it.
    for oracle in oracles(designed(sizes, []), planted(sizes, 0.7), 20_000, 5, seed=1):
        assert links(mine_dependence(oracle)) == PLANTED


@pytest.mark.slow
@pytest.mark.parametrize(
    "groups", [[[0], [1], [2], [3], [4], [5]], [[0, 1, 2], [3, 4, 5]], [[0, 3, 5]]]
)
def test_a_planted_tree_is_recovered_the_more_surely_the_more_records(
    groups: list[list[int]],
) -> None:
    design = designed([2] * 6, groups, channel="related", theta="0.75")
    shares = planted([2] * 6, 0.75)
    found = [
        np.mean([len(links(mine_dependence(oracle)) & PLANTED) / 5 for oracle in sample])
        for sample in (oracles(design, shares, n, 30, seed=2) for n in (200, 1000, 20_000))
    ]
    assert found[0] < found[1] <= found[2]
    assert found[2] > 0.98


@pytest.mark.slow
@pytest.mark.parametrize("name", ["adult", "breast-cancer-wisconsin"])
def test_without_disguise_and_with_yes_no_attributes_it_is_chow_lius_tree(
    name: str, tmp_path: Path
) -> None:
    drop = ["sample-code"] if name.startswith("breast") else []
    preparation = Preparation.learn(dataset(name), nominal="binary", missing="drop", drop=drop)
    preparation.apply(dataset(name), tmp_path / "binary.parquet")
    import pyarrow.parquet as pq

    records = Records.of(pq.read_table(tmp_path / "binary.parquet"), preparation.schema)
    found = links(mine_dependence(ExactOracle(records, records.schema)))
    assert found <= chow_liu(records)
    # Each edge that is left out is one that sampling explains.
    alone = [name for name in records.schema.names if not any(name in link for link in found)]
    assert len(chow_liu(records)) - len(found) == len(alone)


# Noise.

INDEPENDENT: dict[str, tuple[Design, list[list[float]], int]] = {
    "truthful, rare values": (
        designed([2, 2, 2, 2, 3], []),
        [[0.98, 0.02], [0.95, 0.05], [0.9, 0.1], [0.5, 0.5], [0.6, 0.38, 0.02]],
        400,
    ),
    "related, each alone": (
        designed([2] * 5, [[0], [1], [2], [3], [4]], channel="related", theta="0.7"),
        [[0.98, 0.02], [0.9, 0.1], [0.8, 0.2], [0.7, 0.3], [0.5, 0.5]],
        1000,
    ),
    "related, two groups": (
        designed([2] * 5, [[0, 1, 2], [3, 4]], channel="related", theta="0.65"),
        [[0.98, 0.02], [0.9, 0.1], [0.8, 0.2], [0.7, 0.3], [0.5, 0.5]],
        1000,
    ),
    "keep or uniform, some public": (
        designed([4, 3, 2, 3], [[0], [1, 2]], channel="keep-or-uniform", theta="0.4"),
        [[0.7, 0.2, 0.05, 0.05], [0.6, 0.3, 0.1], [0.7, 0.3], [0.5, 0.4, 0.1]],
        2000,
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", INDEPENDENT)
def test_independent_attributes_get_an_edge_no_more_often_than_the_level(case: str) -> None:
    design, marginals, n = INDEPENDENT[case]
    shares = np.ones(1)
    for marginal in marginals:
        shares = np.outer(shares, marginal).ravel()
    repeats, level = 300, 0.1
    samples = oracles(design, shares, n, repeats, seed=3)
    wrong = np.mean([bool(mine_dependence(oracle, level=level).edges) for oracle in samples])
    # s.d. of a rate of 10 % over 300 repeats: 1.7 %; 3 of them.
    assert wrong < level + 3 * np.sqrt(level * (1 - level) / repeats)


@pytest.mark.slow
def test_bits_and_their_standard_errors_are_right_over_repeats() -> None:
    sizes = [3, 2, 2, 2, 2, 2]
    design = designed(sizes, [[0], [1]], channel="keep-or-uniform", theta="0.7")
    shares = planted(sizes, 0.8)
    joint = shares.reshape(sizes).sum(axis=(2, 3, 4, 5))
    expected = np.outer(joint.sum(axis=1), joint.sum(axis=0))
    truth = (joint * np.log2(joint / expected)).sum()
    repeats = 300
    samples = oracles(design, shares, 5000, repeats, seed=4)
    (edges,) = zip(
        *(mine_dependence(each, attributes=["x0", "x1"]).edges for each in samples), strict=True
    )
    bits, errors = np.array([[edge.bits, edge.std_error] for edge in edges]).T
    # An s.d. of 300 repeats has itself the relative s.d. 1/√600 = 4 %; 3 of them.
    assert abs(bits.std() / errors.mean() - 1) < 3 / np.sqrt(2 * repeats)
    # What is subtracted is the noise under independence: right to a tenth of a standard error.
    assert abs(bits.mean() - truth) < 3 * bits.std() / np.sqrt(repeats) + 0.1 * bits.std()


def test_no_disguise_by_theta_of_0_or_1_is_the_plain_forest_exactly() -> None:
    sizes, generator = [2] * 6, np.random.default_rng(5)
    truth = drawn_anew(planted(sizes, 0.8), 500, np.eye(64), 1, generator)[0]
    plain = mine_dependence(
        ExactOracle(Reports(designed(sizes, []).schema, truth), designed(sizes, []).schema)
    )
    for theta, reports in (("1", truth), ("0", truth[::-1].copy())):
        design = designed(sizes, [[0, 1], [2], [3, 4, 5]], channel="related", theta=theta)
        found = mine_dependence(RandomizedOracle(Reports(design.schema, reports), design))
        assert links(found) == links(plain)
        assert [edge.bits for edge in found.edges] == pytest.approx(
            [edge.bits for edge in plain.edges], rel=1e-12
        )


def test_a_strong_edge_wins_over_a_noisy_one_between_many_values() -> None:
    """Ten values each, x0 and x2 seem to share 0.09 bits, nearly all noise: it is subtracted."""
    design = designed([10, 2, 10], [[0], [2]], channel="keep-or-uniform", theta="0.3")
    shares = np.zeros((10, 2, 10))
    for a, b in np.ndindex(10, 2):
        shares[a, b] = (0.75 if a % 2 == b else 0.25) / 100
    # x2 depends on x1 weakly, and on x0 through it only.
    shares[:, 1, :5] *= 1.5
    shares[:, 1, 5:] *= 0.5
    for oracle in oracles(design, shares.ravel() / shares.sum(), 100_000, 10, seed=6):
        assert links(mine_dependence(oracle)) == {
            frozenset(("x0", "x1")),
            frozenset(("x1", "x2")),
        }


def test_sites_are_pooled() -> None:
    design = designed([2] * 6, [[0], [1], [2]], channel="related", theta="0.8")
    sites = oracles(design, planted([2] * 6, 0.8), 4000, 3, seed=7)
    assert links(mine_dependence(PooledOracle(sites))) == PLANTED


# The model.


@pytest.fixture
def forest() -> DependenceTree:
    names = ["age", "sex", "income & <wealth>", "x" * 60, "hours per week and weekend", "alone"]
    schema = Schema.of({name: ["0", "1"] for name in names})
    edges = [Edge("age", "sex", 0.5, 0.01, 1e-9), Edge("age", names[2], 0.2, 0.01, 1e-4)]
    edges += [Edge(names[3], names[4], 0.01, 0.004, 0.04)]
    return DependenceTree(schema, 1000, 0.05, tuple(edges))


def test_a_forest_comes_back_from_json(forest: DependenceTree) -> None:
    again = read_model(json.loads(json.dumps(forest.document())), "it")
    assert isinstance(again, DependenceTree)
    assert again.document() == forest.document()
    assert again.edges == forest.edges
    assert again.svg() == forest.svg()


def test_an_edge_to_an_unknown_attribute_is_refused(forest: DependenceTree) -> None:
    document = forest.document()
    document["edges"][0]["a"] = "agee"
    with pytest.raises(SchemaError, match="'agee'"):
        read_model(document, "it")


def test_the_text_hangs_each_tree_from_its_centre(forest: DependenceTree) -> None:
    assert forest.text().splitlines()[2:] == [
        "age",
        "├─ sex  0.500 ± 0.010 bits",
        "└─ income & <wealth>  0.200 ± 0.010 bits",
        "",
        "x" * 60,
        "└─ hours per week and weekend  0.010 ± 0.004 bits",
        "",
        "alone: alone",
    ]


def test_the_picture_names_everything_and_no_two_boxes_meet(forest: DependenceTree) -> None:
    root = ET.fromstring(forest.svg())  # noqa: S314 (our own)
    titles = [group.findtext(f"{SVG}title") for group in root.iter(f"{SVG}g")]
    assert set(titles) == set(forest.schema.names)
    assert root.findtext(f"{SVG}title") == "What depends on what"
    assert "age and sex: 0.500 bits" in str(root.findtext(f"{SVG}desc"))
    places = ("x", "y", "width", "height")
    rects = [
        [float(rect.attrib[place]) for place in places]
        for group in root.iter(f"{SVG}g")
        for rect in group.iter(f"{SVG}rect")
    ]
    for (x, y, width, height), (left, top, across, down) in combinations(rects, 2):
        assert x + width < left or left + across < x or y + height < top or top + down < y
    _, _, right, bottom = map(float, root.attrib["viewBox"].split())
    assert all(x + width < right and y + height < bottom for x, y, width, height in rects)
    strokes = [float(path.attrib["stroke-width"]) for path in root.iter(f"{SVG}path")]
    assert max(strokes) == strokes[0]
    assert "href" not in forest.svg()


def test_graphviz_gets_every_name_and_edge(forest: DependenceTree) -> None:
    dot = forest.dot()
    assert dot.count(" -- ") == 3
    assert '"age" -- "income & <wealth>"' in dot
    assert '"alone";' in dot


def test_a_forest_without_edges_is_drawn_too(forest: DependenceTree) -> None:
    bare = DependenceTree(forest.schema, 10, 0.05, ())
    assert "0 dependences among 6 attributes" in bare.text()
    assert "Nothing beyond noise" in bare.svg()


# Bad input.


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"level": 0}, "level = 0 is not a level of a test"),
        ({"level": 1.5}, "level = 1.5 is not a level of a test"),
        ({"attributes": ["x0"]}, "needs two attributes"),
    ],
)
def test_what_makes_no_sense_is_refused(change: dict[str, Any], message: str) -> None:
    oracle = ExactOracle({"x0": ["0"], "x1": ["1"]}, designed([2, 2], []).schema)
    with pytest.raises(ModelError, match=message):
        mine_dependence(oracle, **change)


def test_an_oracle_that_only_counts_is_refused() -> None:
    counts_only: Any = SimpleNamespace(schema=designed([2, 2], []).schema, n=5)
    with pytest.raises(ModelError, match="counts only"):
        mine_dependence(counts_only)


def test_a_few_records_or_constant_attributes_give_no_edge() -> None:
    schema = designed([2, 2, 1], []).schema
    oracle = ExactOracle({"x0": ["0", "1"], "x1": ["0", "1"], "x2": ["0", "0"]}, schema)
    assert mine_dependence(oracle).edges == ()


@pytest.mark.slow
def test_many_attributes_are_one_batch_of_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(8)
    design = designed([2] * 30, [[place] for place in range(30)], channel="related", theta="0.8")
    columns = [generator.integers(0, 2, 2000) for _ in range(30)]
    raw = Records.from_codes(columns, design.schema)
    oracle = RandomizedOracle(disguise_records(raw, None, design, SeededBits(9)), design)
    asked: list[int] = []
    count: Callable[..., Any] = oracle.count

    def counted(family: Any, **options: Any) -> Any:
        asked.append(len(family))
        return count(family, **options)

    monkeypatch.setattr(oracle, "count", counted)
    assert len(mine_dependence(oracle, level=0.001).edges) == 0
    assert asked == [30 * 29 // 2 * 4]
