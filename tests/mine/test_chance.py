"""The test against chance finds what is there, and nothing else more often than it says."""

import json
from collections.abc import Iterable
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from deniable.base.arrays import Codes
from deniable.base.errors import ModelError
from deniable.design import Design
from deniable.engine.memory.records import Records
from deniable.expression import Expression, Family
from deniable.mine import permutations
from deniable.mine.bayes import mine_bayes
from deniable.mine.best.mine_best import mine_best
from deniable.mine.chance import Evidence, evidence
from deniable.mine.contrasts import Associations, Kind, Pair
from deniable.mine.forest import mine_forest
from deniable.mine.groupwise import mine_groupwise
from deniable.mine.permutations import arranged
from deniable.mine.tree.mine_tree import mine_tree
from deniable.oracle.api import CountOracle, Estimates, Target
from deniable.oracle.exact import ExactOracle
from deniable.oracle.pooled import PooledOracle
from deniable.oracle.randomized import RandomizedOracle
from deniable.oracle.two_samples import GreenbergOracle
from deniable.schema import Schema
from deniable.source.disguise import disguise_records
from deniable.source.randomness import SeededBits

GROUPS = (("a", "b"), ("c", "d"))


def designed(groups: Iterable[Iterable[str]], theta: float = 0.7, names: str = "abcdy") -> Design:
    return Design.of(
        {
            "attributes": {name: ["0", "1"] for name in names},
            "groups": [
                {"attributes": list(group), "channel": "related", "theta": str(theta)}
                for group in groups
            ],
        }
    )


def disguised(columns: Codes, design: Design, seed: int) -> RandomizedOracle:
    raw = Records(design.schema, tuple(columns.astype(np.uint8)))
    return RandomizedOracle(disguise_records(raw, None, design, SeededBits(seed)), design)


def unrelated_people(n: int, seed: int) -> Codes:
    """Features that depend on each other, and a class that depends on nothing."""
    rng = np.random.default_rng(seed)
    common = rng.random(n)
    features = [rng.random(n) < 0.2 + 0.6 * common for _ in range(4)]
    return np.stack([*features, rng.random(n) < 0.3]).astype(np.int64)


class CountsOnly:
    """What a collaboration gives: counts, some of them refused."""

    def __init__(self, oracle: CountOracle, refused: float = 0.0) -> None:
        self._oracle, self._refused = oracle, refused
        self.schema: Schema = oracle.schema
        self.n = oracle.n

    def count(
        self, expressions: Iterable[Expression] | Family, *, of: Target = "sample"
    ) -> Estimates:
        found = self._oracle.count(expressions, of=of)
        gone = np.arange(len(found)) < self._refused * len(found)
        value, variance = (np.where(gone, np.nan, x) for x in (found.value, found.variance))
        return Estimates(found.n, found.of, value, variance, found.tilt, found.bend)


# The statistic.


def test_without_a_disguise_z_is_that_of_pearson() -> None:
    x = unrelated_people(200, 1)
    schema = Schema.of({"a": ["0", "1"], "y": ["0", "1"]})
    oracle = ExactOracle(Records(schema, (x[0].astype(np.uint8), x[4].astype(np.uint8))), schema)
    strata = oracle.strata("y", ("a",))
    found = arranged(strata, "y", Associations({"a": 2}, ()), 5, np.random.default_rng(0))
    # Under permutation the variance of a 2×2 table has n − 1 where Pearson's χ² = n·r² has n.
    chi_square = 200 * np.corrcoef(x[0], x[4])[0, 1] ** 2
    assert np.allclose(found[0], chi_square * 199 / 200)
    assert found.shape == (6, 2)


def test_z_through_the_disguise_is_that_of_the_records_own_weights() -> None:
    design = designed([*GROUPS, "y"])
    oracle = disguised(unrelated_people(300, 2), design, 2)
    reports = np.stack(oracle.engine.codes(design.schema.names)).astype(np.int64)
    own, pair, public = 0.7 / 0.4, 0.3 / 0.4, {}
    for names in ("a", "ab", "ac"):
        groups = {"a": "a", "ab": "ab", "ac": "a c"}[names].split()
        cells = np.indices([2] * len(names)).reshape(len(names), -1).T
        public[names] = [
            np.prod(
                [
                    own * np.all([reports["abcd".index(k)] == cell[names.index(k)] for k in g], 0)
                    - pair
                    * np.all([reports["abcd".index(k)] != cell[names.index(k)] for k in g], 0)
                    for g in groups
                ],
                axis=0,
            )
            for cell in cells
        ]
    chosen = Associations(
        {"a": 2, "b": 2, "c": 2}, (Pair("a", "b", within=True), Pair("a", "c", within=False))
    )
    found = arranged(oracle.strata("y", ("a", "b", "c")), "y", chosen, 1, np.random.default_rng(0))

    def z_squares(names: str) -> list[float]:
        # Undoing the class only rescales it: y's reports have the same correlation.
        return [299 * np.corrcoef(w, reports[4])[0, 1] ** 2 for w in public[names]]

    kinds = list(np.unique(chosen.kinds()))
    within, across = 2 * kinds.index(Kind.WITHIN), 2 * kinds.index(Kind.ACROSS)
    assert np.allclose(found[0, [within, within + 1]], [max(z_squares("ab")), sum(z_squares("ab"))])
    assert np.allclose(found[0, [across, across + 1]], [max(z_squares("ac")), sum(z_squares("ac"))])
    # The parity of two answers that one coin turns is reported as it is.
    product = 299 * np.corrcoef(reports[0] ^ reports[1], reports[4])[0, 1] ** 2
    assert np.allclose(found[0, 2 * kinds.index(Kind.WITHIN_PRODUCT)], product)


def test_p_is_that_of_all_permutations() -> None:
    a = np.array([0, 0, 0, 0, 0, 1, 1, 1, 1, 1])
    y = np.array([0, 0, 0, 0, 1, 0, 1, 1, 1, 1])
    schema = Schema.of({"a": ["0", "1"], "y": ["0", "1"]})
    oracle = ExactOracle(Records(schema, (a.astype(np.uint8), y.astype(np.uint8))), schema)
    off = [abs(sum(chosen) - 2.5) for chosen in (a[list(k)] for k in combinations(range(10), 5))]
    exact = np.mean(np.array(off) >= abs((a * y).sum() - 2.5))
    found = evidence(oracle, "y").p
    assert found is not None
    # 199 permutations: the share of them has a standard error of √(p(1−p)/199).
    assert abs(found - exact) < 4 * np.sqrt(exact * (1 - exact) / 199)


@pytest.mark.parametrize("way", ["drawn", "shuffled", "turned"])
def test_each_way_to_permute_keeps_the_margins(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(permutations, "RING", 10 if way == "turned" else 1000)
    classes = np.random.default_rng(1).integers(0, 40 if way == "drawn" else 2, (50, 3))
    classes[classes.sum(axis=1) == 0, 0] = 1
    tables = permutations._arrangements(classes, 400, np.random.default_rng(2))
    assert (permutations._few_alike(classes), permutations._turns(classes)) == (
        way != "drawn",
        way == "turned",
    )
    tables = tables.reshape(401, 2, 50).astype(np.int64)
    assert np.array_equal(tables[0], classes.T[1:])
    assert (tables.sum(axis=2) == classes.sum(axis=0)[1:]).all()
    assert (tables.sum(axis=1) <= classes.sum(axis=1)).all()
    # A cell is hypergeometric; means of 400 such within 5 of their standard errors.
    n, margin, rows = classes.sum(), classes.sum(axis=0)[1:, None], classes.sum(axis=1)
    expected = margin * rows / n
    variance = expected * (n - margin) * (n - rows) / n / (n - 1)
    assert (np.abs(tables[1:].mean(axis=0) - expected) < 5 * np.sqrt(variance / 400)).all()


# Nothing from nothing.


@pytest.mark.parametrize("groups", [GROUPS, (*GROUPS, "y"), (("a", "b", "y"), ("c", "d"))])
def test_nothing_is_found_where_nothing_is(groups: tuple[Iterable[str], ...]) -> None:
    design = designed(groups)
    runs = 60
    found = sum(
        evidence(disguised(unrelated_people(300, run), design, run), "y", random_state=run).found()
        for run in range(runs)
    )
    # At a level of 3 %, 1.8 of 60; more than 6 have a chance of 0.3 % (binomial).
    assert found <= 6


@pytest.mark.parametrize("pairs", [True, False])
def test_counts_alone_find_nothing_where_nothing_is(pairs: bool) -> None:
    design = designed([*GROUPS, "y"])
    found = [
        evidence(CountsOnly(disguised(unrelated_people(300, run), design, run)), "y", pairs=pairs)
        for run in range(60)
    ]
    assert sum(each.found() for each in found) <= 6  # as above
    assert {each.tried for each in found} == {10 if pairs else 4}


@pytest.mark.parametrize("way", ["simulated", "bound"])
def test_rare_values_prove_nothing(way: str) -> None:
    """Independent answers, some of them rare, of one device: by normal noise most were found."""
    design = Design.of(
        {
            "attributes": {"a": list("01234567"), "b": ["0", "1"], "y": list("0123")},
            "groups": [
                {"attributes": ["a", "b", "y"], "channel": "keep-or-uniform", "theta": "0.9"}
            ],
        }
    )
    found = 0
    for run in range(60):
        rng = np.random.default_rng(run)
        a = np.minimum(rng.geometric(0.4, 500) - 1, 7)
        y = np.minimum(rng.geometric(0.6, 500) - 1, 3)
        oracle = disguised(np.stack([a, rng.random(500) < 0.1, y]), design, run)
        asked: CountOracle = CountsOnly(oracle) if way == "bound" else oracle
        told = evidence(asked, "y", random_state=run)
        assert told.method == way
        found += told.found()
    # At a level of 3 %, 1.8 of 60; more than 6 have a chance of 0.3 % (binomial).
    assert found <= 6


def test_devices_of_many_answers_are_judged_where_enough_people_are_expected() -> None:
    names = [f"a{k}" for k in range(10)]
    design = Design.of(
        {
            "attributes": {name: ["0", "1"] for name in [*names, "y"]},
            "groups": [{"attributes": [*names, "y"], "channel": "related", "theta": "0.9"}],
        }
    )
    x = np.random.default_rng(5).integers(0, 2, (11, 3000))
    assert not evidence(disguised(x, design, 1), "y").found()
    x[10] = np.where(np.random.default_rng(6).random(3000) < 0.2, x[3], x[10])
    assert evidence(disguised(x, design, 1), "y").found()


# Something from something.


def effect(of: Codes, strength: float, x: Codes, seed: int) -> Codes:
    chance = 0.5 + strength * (of - 0.5)
    y = np.random.default_rng(seed).random(x.shape[1]) < chance
    return np.concatenate([x[:4], y[None].astype(np.int64)])


@pytest.mark.parametrize("groups", [GROUPS, (*GROUPS, "y"), (("a", "b", "y"), ("c", "d"))])
@pytest.mark.parametrize("kind", ["single", "within", "across"])
def test_what_is_there_is_found(groups: tuple[Iterable[str], ...], kind: str) -> None:
    rng = np.random.default_rng(5)
    x = rng.integers(0, 2, (4, 20_000))
    of = {"single": x[2], "within": x[2] ^ x[3], "across": x[0] ^ x[3]}[kind]
    oracle = disguised(effect(of, 0.6, x, 6), designed(groups), 7)
    found = evidence(oracle, "y")
    if kind == "across" and "y" in tuple(groups[0]):
        # The class is disguised together with a: pairs of a and another group are not looked at.
        assert (found.pairs, found.left_out) == (2, 4)
    else:
        assert found.p is not None
        assert found.p <= 0.01


def test_one_coin_hides_no_interaction_of_what_it_turns() -> None:
    # At θ = .55 the parity of two answers is there as if it were public: z = √n·2·(.75 − .5).
    x = np.random.default_rng(8).integers(0, 2, (4, 500))
    oracle = disguised(effect(x[0] ^ x[1], 0.5, x, 9), designed(GROUPS, 0.55), 10)
    assert evidence(oracle, "y").p == 1 / 200


def test_counts_alone_show_a_strong_effect() -> None:
    x = np.random.default_rng(5).integers(0, 2, (4, 5000))
    oracle = CountsOnly(disguised(effect(x[2], 0.6, x, 6), designed(GROUPS), 7))
    found = evidence(oracle, "y")
    assert found.method == "bound"
    assert found.p is not None
    assert found.p < 0.001
    assert "p < 0.001" in found.sentence


def test_sites_are_permuted_each_by_itself() -> None:
    # Nothing predicts y at either site, but at one both a and y are common: together they go along.
    rng = np.random.default_rng(11)
    design = designed(GROUPS)
    sites = []
    for site, share in enumerate((0.2, 0.8)):
        columns = (rng.random((5, 2000)) < share).astype(np.int64)
        sites.append(disguised(columns, design, site))
    pooled = PooledOracle(sites)
    assert evidence(pooled, "y").method == "permutation"
    found = evidence(pooled, "y").p
    assert found is not None
    assert found > 0.05
    every = [
        np.concatenate(c)
        for c in zip(*(s.engine.codes(tuple("abcdy")) for s in sites), strict=True)
    ]
    together = RandomizedOracle(Records(design.schema, tuple(every)), design)
    confounded = evidence(together, "y").p
    assert confounded is not None
    assert confounded <= 1 / 200


# How it is done, and said.


def test_the_method_follows_from_what_the_oracle_can_give() -> None:
    x = unrelated_people(200, 12)
    exact = ExactOracle(
        Records(designed([]).schema, tuple(x.astype(np.uint8))), designed([]).schema
    )
    assert evidence(exact, "y").method == "permutation"
    assert evidence(disguised(x, designed(GROUPS), 1), "y").method == "permutation"
    assert evidence(disguised(x, designed([*GROUPS, "y"]), 1), "y").method == "permutation"
    shared = disguised(x, designed([("a", "b", "y"), ("c", "d")]), 1)
    assert evidence(shared, "y").method == "simulated"
    assert evidence(shared, "y", ["c", "d"]).method == "permutation"
    assert evidence(shared, "y", ["a"]).tried == 1
    assert evidence(CountsOnly(shared), "y").method == "bound"


def two_samples(x: Codes, group: str, seed: int) -> GreenbergOracle:
    """Each half of the people by a θ of its own, personal answers unknown."""
    samples = []
    for half, theta in ((x[:, ::2], "0.8"), (x[:, 1::2], "0.3")):
        groups = [{"attributes": list(group), "channel": "unrelated", "theta": theta}]
        told = {"attributes": {name: ["0", "1"] for name in "abcdy"}}
        even = {name: {"0": "0.5", "1": "0.5"} for name in group}
        known = Design.of({**told, "groups": [{**groups[0], "personal": even}]})
        unknown = Design.of({**told, "groups": [{**groups[0], "personal": "unknown"}]})
        reports = disguised(half, known, seed).engine
        samples.append(RandomizedOracle(reports, unknown))
    return GreenbergOracle(*samples)


@pytest.mark.parametrize("group", ["y", "ab"])
def test_two_samples_are_permuted_each_by_itself(group: str) -> None:
    found = [evidence(two_samples(unrelated_people(600, k), group, k), "y") for k in range(60)]
    assert {each.method for each in found} == {"permutation"}
    # At a level of 3 %, 1.8 of 60; more than 6 have a chance of 0.3 % (binomial).
    assert sum(each.found() for each in found) <= 6
    x = np.random.default_rng(13).integers(0, 2, (4, 4000))
    assert evidence(two_samples(effect(x[0], 0.6, x, 6), group, 7), "y").p == pytest.approx(
        0, abs=0.01
    )


def test_two_samples_whose_class_shares_a_device_are_judged_by_counts() -> None:
    found = evidence(two_samples(unrelated_people(600, 3), "ay", 3), "y", ["a", "c"])
    assert (found.method, found.attributes) == ("bound", 2)
    assert found.p is not None
    assert found.p > 0.03


def test_the_same_seed_gives_the_same_answer() -> None:
    oracle = disguised(unrelated_people(300, 14), designed(GROUPS), 1)
    assert evidence(oracle, "y", random_state=3) == evidence(oracle, "y", random_state=3)
    others = {evidence(oracle, "y", random_state=seed).p for seed in range(5)}
    assert len(others) > 1


def test_pairs_that_would_take_too_long_are_left_out_and_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(permutations, "MOST_PAIRS", 3)
    oracle = disguised(unrelated_people(300, 15), designed(GROUPS), 1)
    found = evidence(oracle, "y")
    assert (found.pairs, found.left_out, found.tried) == (3, 3, 7)
    assert "4 attributes and 3 pairs tried, 3 pairs left out" in found.sentence
    assert evidence(oracle, "y", pairs=False).tried == 4


def test_fewer_permutations_are_made_of_more_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(permutations, "WORK", 1e-6)
    found = evidence(disguised(unrelated_people(300, 15), designed(GROUPS), 1), "y")
    assert (found.draws, found.pairs) == (49, 0)
    assert "49 permutations" in found.sentence


# At the edge.


def plain(**columns: list[str]) -> ExactOracle:
    schema = Schema.of({name: sorted({*values, "0"}) for name, values in columns.items()})
    return ExactOracle(columns, schema)


def test_a_class_that_everybody_has_is_no_evidence() -> None:
    oracle = ExactOracle(
        {"a": ["0", "1"] * 5, "y": ["0"] * 10}, Schema.of({"a": ["0", "1"], "y": ["0", "1"]})
    )
    found = evidence(oracle, "y")
    assert found.p == 1
    assert "every report has the same class" in found.sentence
    assert evidence(CountsOnly(oracle), "y").p is None


def test_a_feature_that_everybody_has_is_no_evidence() -> None:
    schema = Schema.of({"a": ["0", "1"], "y": ["0", "1"]})
    oracle = ExactOracle({"a": ["1"] * 10, "y": ["0", "1"] * 5}, schema)
    assert evidence(oracle, "y").p == 1
    assert evidence(CountsOnly(oracle), "y").p == 1


@pytest.mark.parametrize(
    ("oracle", "features", "why"),
    [
        (plain(a=["0", "1"], y=["0", "0"]), None, "the target has a single value"),
        (plain(a=["0", "0"], y=["0", "1"]), None, "there is no feature of several values"),
        (plain(a=["0", "1"], y=["0", "1"]), [], "there is no feature of several values"),
    ],
)
def test_what_cannot_be_tested_is_said(
    oracle: ExactOracle, features: list[str] | None, why: str
) -> None:
    found = evidence(oracle, "y", features)
    assert found.p is None
    assert not found.found()
    assert found.sentence == f"Chance: not tested, because {why}."


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("groups", [(), (*GROUPS, "y"), (("a", "b", "y"), ("c", "d"))])
def test_a_handful_of_records_proves_nothing(n: int, groups: tuple[Iterable[str], ...]) -> None:
    oracle = disguised(unrelated_people(n, 16), designed(groups), 1)
    found = evidence(oracle, "y").p
    assert found is not None
    assert found > 0.05
    bound = evidence(CountsOnly(oracle), "y").p
    assert bound is None or 0 <= bound <= 1


def test_counts_that_are_refused_are_left_aside() -> None:
    x = np.random.default_rng(5).integers(0, 2, (4, 5000))
    oracle = disguised(effect(x[3], 0.6, x, 6), designed(GROUPS), 7)
    # The class's own counts are the first that are asked for: without them nothing is known.
    assert evidence(CountsOnly(oracle, 0.3), "y").p is None
    assert "refused" in evidence(CountsOnly(oracle, 0.3), "y").sentence


def test_a_bad_question_is_one_sentence() -> None:
    oracle = plain(a=["0", "1"], y=["0", "1"])
    with pytest.raises(ModelError, match="'z' is not in the design"):
        evidence(oracle, "z")
    with pytest.raises(ModelError, match="no seed"):
        evidence(oracle, "y", random_state=-1)


def test_evidence_is_written_and_read() -> None:
    found = evidence(disguised(unrelated_people(300, 14), designed(GROUPS), 1), "y")
    body = json.loads(json.dumps(found.body()))
    assert Evidence.read(body) == found
    for damage in ({"method": "guess"}, {"p": 2}, {"draws": -1}):
        with pytest.raises(ValueError, match=r"chance|p-value"):
            Evidence.read({**body, **damage})


@pytest.mark.parametrize(
    "mine",
    [
        mine_bayes,
        partial(mine_forest, n_estimators=2),
        partial(mine_groupwise, n_estimators=2),
        partial(mine_tree, growth="faithful"),
        partial(mine_tree, growth="noise-aware", strength=1.0),
        mine_tree,
        partial(mine_best, n_estimators=2),
    ],
)
def test_every_model_carries_its_test(mine: Any) -> None:
    oracle = disguised(unrelated_people(300, 3), designed(GROUPS), 3)
    assert mine(oracle, "y").evidence == evidence(oracle, "y")


def test_counts_that_cost_something_are_not_spent_on_a_test() -> None:
    oracle = disguised(unrelated_people(300, 3), designed(GROUPS), 3)
    assert mine_bayes(CountsOnly(oracle), "y").evidence is None
    assert mine_bayes(PooledOracle([oracle, CountsOnly(oracle)]), "y").evidence is None
    assert mine_bayes(PooledOracle([oracle, oracle]), "y").evidence is not None
