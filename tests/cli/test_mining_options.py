"""Options of `deniable mine`, each compared with a few lines of arithmetic on the reports."""

import json
from collections.abc import Mapping
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

from commanding import Command
from deniable import Design, ExactOracle, RandomizedOracle, Records, mine_tree
from deniable.engine.open_table import open_table
from deniable.expression import Conjunction

N = 800
THETA = 0.7

ATTRIBUTES = """\
attributes:
  smokes: ["no", "yes"]
  drinks: ["no", "yes"]
  region: [north, south, west]
  ill: ["no", "yes"]
"""
GROUPS = """\
groups:
  - {attributes: [smokes, drinks, ill], channel: related, theta: 0.7}
"""


@pytest.fixture
def design(tmp_path: Path) -> Path:
    path = tmp_path / "design.yaml"
    path.write_text(ATTRIBUTES + GROUPS, encoding="utf-8")
    return path


def people(path: Path, design: Path, seed: int) -> Path:
    rng = np.random.default_rng(seed)
    smokes = rng.random(N) < 0.3
    drinks = rng.random(N) < np.where(smokes, 0.8, 0.3)
    ill = rng.random(N) < np.where(smokes, 0.4, 0.02)
    codes = [column.astype(int) for column in (smokes, drinks, rng.integers(3, size=N), ill)]
    records = Records.from_codes(codes, Design.load(design).schema)
    pq.write_table(records.to_arrow(), path)
    return path


@pytest.fixture
def raw(tmp_path: Path, design: Path) -> Path:
    return people(tmp_path / "raw.parquet", design, 1)


@pytest.fixture
def reports(deniable: Command, raw: Path, design: Path, tmp_path: Path) -> Path:
    out = tmp_path / "reports.parquet"
    ask = ("disguise", raw, "--design", design, "--out", out, "--random-state", 3)
    assert deniable(*ask).code == 0
    return out


def asked(deniable: Command, *words: object) -> Any:
    done = deniable(*words, "--json")
    assert done.code == 0, done.err
    return json.loads(done.out)


def inverted(reports: Path, terms: Mapping[str, str]) -> tuple[float, float]:
    """N̂(E) = (θ·n(E) − (1−θ)·n(Ē)) / (2θ−1), Ē with all disguised answers turned; and Σw²."""
    table = pq.read_table(reports).to_pandas().astype(str)
    turned = {"no": "yes", "yes": "no"}
    if not {"smokes", "drinks", "ill"} & set(terms):
        return (found := float((table[list(terms)] == pd.Series(terms)).all(axis=1).sum())), found
    told = (table[list(terms)] == pd.Series(terms)).all(axis=1).sum()
    opposite = {n: v if n == "region" else turned[v] for n, v in terms.items()}
    other = (table[list(terms)] == pd.Series(opposite)).all(axis=1).sum()
    w, v = THETA / (2 * THETA - 1), -(1 - THETA) / (2 * THETA - 1)
    return float(w * told + v * other), float(w**2 * told + v**2 * other)


# Item sets and rules


def test_item_sets_of_some_items_have_supports_and_intervals_about_the_population(
    deniable: Command, reports: Path, design: Path
) -> None:
    which = ("--items", "smokes", "--items", "drinks=yes", "--items", "region=west")
    about = ("--of", "population", "--level", 0.9)
    ask = ("mine", "itemsets", reports, "--design", design, "--min-support", 0.1)
    model = asked(deniable, *ask, *which, *about)["model"]
    assert (model["of"], model["level"]) == ("population", 0.9)
    items = [{n: v} for n, v in (("smokes", "no"), ("smokes", "yes"), ("drinks", "yes"))]
    items.append({"region": "west"})
    everything = [
        {**a, **b, **c} for a in ({}, *items[:2]) for b in ({}, items[2]) for c in ({}, items[3])
    ]
    expected = {
        tuple(terms.items()): inverted(reports, terms)
        for terms in everything
        if terms and inverted(reports, terms)[0] >= 0.1 * N
    }
    assert {tuple(each["items"].items()) for each in model["itemsets"]} == expected.keys()
    for each in model["itemsets"]:
        count, squares = expected[tuple(each["items"].items())]
        support = each["support"]
        assert support["value"] == pytest.approx(count / N)
        assert support["std_error"] == pytest.approx(sqrt(squares - count**2 / N) / N)
        written = str(Conjunction.of(each["items"]))
        (row,) = asked(deniable, "estimate", reports, written, "--design", design, *about)
        interval = [support["low"] * N, support["high"] * N]
        assert interval == pytest.approx([row["low"], row["high"]])
    shown = deniable(*ask, *which, *about)
    assert "About the population" in shown.out
    assert "90 % interval" in shown.out


def test_rules_conclude_what_is_named_about_whom_and_at_which_level(
    deniable: Command, reports: Path, design: Path
) -> None:
    kept = ("--min-support", 0.05, "--min-confidence", 0.3, "--max-false", 1)
    items = ("--items", "smokes", "--items", "ill", "--items", "region=west")
    about = ("--of", "population", "--level", 0.8)
    ask = ("mine", "rules", reports, "--design", design, *kept, *items, *about)
    concluded = ("--conclusions", "ill=yes", "--conclusions", "region")
    model = asked(deniable, *ask, *concluded)["model"]
    assert (model["of"], model["level"]) == ("population", 0.8)
    assert model["rules"]
    for rule in model["rules"]:
        premise, conclusion = rule["premise"], rule["conclusion"]
        assert {*conclusion.items()} <= {("ill", "yes"), ("region", "west")}
        assert {*premise} <= {"smokes", "ill", "region"}
        both, squares = inverted(reports, {**premise, **conclusion})
        assert rule["support"]["value"] == pytest.approx(both / N)
        assert rule["support"]["std_error"] == pytest.approx(sqrt(squares - both**2 / N) / N)
        if_true = inverted(reports, premise)[0]
        assert rule["confidence"]["value"] == pytest.approx(both / if_true)
    # Nothing is lost: the same rules as without --conclusions, those of other conclusions left out.
    free = asked(deniable, *ask)["model"]["rules"]
    wanted = [
        (rule["premise"], rule["conclusion"])
        for rule in free
        if {*rule["conclusion"].items()} <= {("ill", "yes"), ("region", "west")}
    ]
    assert [(rule["premise"], rule["conclusion"]) for rule in model["rules"]] == wanted
    assert len(wanted) < len(free)


def test_one_word_chooses_items_or_conclusions_as_in_a_collaboration(
    deniable: Command, reports: Path, design: Path
) -> None:
    ask = ("mine", "rules", reports, "--design", design, "--max-false", 1)
    model = asked(deniable, *ask, "--items", "yes", "--conclusions", "single")["model"]
    assert model["rules"]
    for rule in model["rules"]:
        assert len(rule["conclusion"]) == 1
        named = {**rule["premise"], **rule["conclusion"]}
        assert {value for name, value in named.items() if name != "region"} <= {"yes"}
    wrong = deniable(*ask, "--items", "yess")
    assert wrong.code == 1
    assert "yess" in wrong.err
    none = deniable(*ask, "--items", "smokes", "--conclusions", "ill")
    assert "none may be concluded. Choose items of the conclusions too." in none.err


# Naive Bayes


def smoking_and_illness(reports: Path) -> np.ndarray[Any, Any]:
    """Inverted counts ``[ill, smokes]``."""
    return np.array(
        [
            [inverted(reports, {"ill": c, "smokes": v})[0] for v in ("no", "yes")]
            for c in ("no", "yes")
        ]
    )


def likeliest(reports: Path) -> np.ndarray[Any, Any]:
    """Shares ``[ill, smokes]`` by many steps of expectation and maximization."""
    table = pq.read_table(reports).to_pandas().astype(str)
    told = pd.crosstab(table["ill"], table["smokes"]).to_numpy().ravel() / N
    channel = THETA * np.eye(4) + (1 - THETA) * np.eye(4)[::-1]  # all answers turned, or none
    shares = np.full(4, 0.25)
    for _ in range(20_000):
        shares = shares * (channel.T @ (told / (channel @ shares)))
    return shares.reshape(2, 2)


@pytest.mark.parametrize("constraint", ["projected", "inverted", "likelihood"])
def test_impossible_counts_become_possible_as_asked_and_nothing_is_smoothed(
    deniable: Command, reports: Path, design: Path, constraint: str
) -> None:
    # Chosen for a count below 0: hardly any who are ill do not smoke, and the disguise is strong.
    counts = smoking_and_illness(reports)
    ask = ("mine", "bayes", reports, "--design", design, "--target", "ill", "--feature", "smokes")
    model = asked(deniable, *ask, "--constraint", constraint, "--alpha", 0)["model"]
    assert model["features"]["smokes"]["count"] == pytest.approx(counts)
    found = np.array(model["features"]["smokes"]["probability"])
    sizes = counts.sum(axis=1, keepdims=True)
    if constraint == "inverted":
        expected = np.maximum(counts, 0)
        expected /= expected.sum(axis=1, keepdims=True)
    elif constraint == "projected":  # of two values: half the total, and half the difference
        off = (sizes[:, 0] - counts.sum(axis=1)) / 2
        expected = np.clip(counts + off[:, None], 0, sizes) / sizes
    else:
        expected = likeliest(reports)
        expected /= expected.sum(axis=1, keepdims=True)
    # The most likely table is within 1e-4 of the highest log-likelihood, which is flat: 800 reports
    # tell a share of about 80 ill to sqrt(2e-4 / 80) = .0016 in standard units of half a share.
    tolerance = 5e-3 if constraint == "likelihood" else 1e-9
    assert found == pytest.approx(expected, abs=tolerance)
    assert (counts < 0).any()
    assert (found == 0).any() or constraint == "likelihood"


def test_a_class_with_a_zero_is_impossible_and_no_answer_is_nan(
    deniable: Command, raw: Path, tmp_path: Path
) -> None:
    plain, data = tmp_path / "plain.yaml", tmp_path / "few.csv"
    plain.write_text(ATTRIBUTES, encoding="utf-8")
    rows = ["no,no,north,no"] * 3 + ["no,yes,south,no"] * 2 + ["yes,yes,south,yes"] * 2
    data.write_text("\n".join(["smokes,drinks,region,ill", *rows, ""]), encoding="utf-8")
    model, answers = tmp_path / "bayes.json", tmp_path / "answers.csv"
    ask = ("mine", "bayes", data, "--design", plain, "--target", "ill", "--alpha", 0)
    done = deniable(*ask, "--out", model)
    assert done.code == 0, done.err
    assert "nan" not in done.out
    assert deniable("predict", model, raw, "--out", answers).code == 0
    found, asked_of = pd.read_csv(answers), pq.read_table(raw).to_pandas().astype(str)
    seen = pd.read_csv(data)
    for row, answer in zip(asked_of.itertuples(), found.itertuples(), strict=True):
        product = []
        for label in ("no", "yes"):
            own = seen[seen["ill"] == label]
            factors = [(own[n] == getattr(row, n)).mean() for n in ("smokes", "drinks", "region")]
            product.append(len(own) / len(seen) * np.prod(factors))
        chance = product[1] / sum(product) if sum(product) else 2 / 7  # as common as the class is
        assert answer[-1] == pytest.approx(chance)
    assert {0, 1} <= set(found["P(yes)"])
    refused = deniable(*ask[:-1], -1)
    assert refused.code != 0


# A tree's validation file


def test_a_tree_is_cut_back_by_a_table_of_another_design(
    deniable: Command, reports: Path, design: Path, tmp_path: Path
) -> None:
    plain, cut_file = tmp_path / "plain.yaml", tmp_path / "cut.json"
    plain.write_text(ATTRIBUTES, encoding="utf-8")
    other = people(tmp_path / "other.parquet", design, 9)
    faithful = ("--target", "drinks", "--growth", "faithful")
    ask = ("mine", "tree", reports, "--design", design, *faithful)
    whole = asked(deniable, *ask, "--out", tmp_path / "whole.json")
    cut = asked(deniable, *ask, "--validation", f"{other}:{plain}", "--out", cut_file)
    assert 1 < cut["leaves"] < whole["leaves"]
    # The other records are as they are, so whoever a tree is right about can be counted.
    right = {}
    for name in ("whole", "cut"):
        answers = tmp_path / f"{name}.csv"
        assert deniable("predict", tmp_path / f"{name}.json", other, "--out", answers).code == 0
        truth = pq.read_table(other)["drinks"].to_pylist()
        right[name] = (pd.read_csv(answers)["drinks"] == truth).sum()
    assert right["cut"] >= right["whole"]
    # Reduced-error pruning, as it is tested elsewhere, by the exact counts of these very records.
    first, own = Design.load(design), Design.load(plain)
    screen = RandomizedOracle(open_table(str(reports)).held(first.schema), first)
    held = ExactOracle(Records.of(pq.read_table(other), own.schema), own.schema)
    tree = mine_tree(screen, "drinks", growth="faithful").pruned(held)
    assert tree.axis.tolist() == cut["model"]["axis"]


def test_a_table_whose_name_has_a_colon_is_no_table_and_design(
    deniable: Command, reports: Path, design: Path, tmp_path: Path
) -> None:
    odd = tmp_path / "other:1.parquet"
    other = people(tmp_path / "plain.parquet", design, 9)
    seeded = ("--design", design, "--out", odd, "--random-state", 4)
    assert deniable("disguise", other, *seeded).code == 0
    faithful = ("--target", "ill", "--growth", "faithful")
    ask = ("mine", "tree", reports, "--design", design, *faithful)
    assert asked(deniable, *ask, "--validation", odd)["model"]["note"]
    same = asked(deniable, *ask, "--validation", f"{odd}:{design}")
    assert same["model"] == asked(deniable, *ask, "--validation", odd)["model"]


def test_a_table_that_needs_a_second_one_does_not_cut_a_tree_back(
    deniable: Command, reports: Path, design: Path, tmp_path: Path
) -> None:
    unknown, other = tmp_path / "unknown.yaml", people(tmp_path / "other.parquet", design, 9)
    group = "{attributes: [ill], channel: unrelated, theta: 0.8, personal: unknown}"
    unknown.write_text(f"{ATTRIBUTES}groups:\n  - {group}\n", encoding="utf-8")
    ask = ("mine", "tree", reports, "--design", design, "--target", "ill")
    done = deniable(*ask, "--validation", f"{other}:{unknown}")
    assert done.code == 1
    assert "one table cannot be counted: a personal distribution is unknown." in done.err
    assert "TABLE:DESIGN" in done.err
