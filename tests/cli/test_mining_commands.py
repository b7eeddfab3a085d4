"""Mining, predicting and scoring from the command line."""

import json
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from pyarrow import csv

from commanding import Command
from deniable import Design, Records

N = 6000

DESIGN = """\
attributes:
  smokes: ["no", "yes"]
  drinks: ["no", "yes"]
  region: [north, south, west]
  ill: ["no", "yes"]
groups:
  - attributes: [smokes, drinks]
    channel: related
    theta: 0.85
  - attributes: [ill]
    channel: related
    theta: 0.9
"""


@pytest.fixture
def design_path(tmp_path: Path) -> Path:
    path = tmp_path / "design.yaml"
    path.write_text(DESIGN, encoding="utf-8")
    return path


def people(path: Path, design: Design, seed: int) -> Path:
    """Illness comes from smoking, and drinking goes with it."""
    rng = np.random.default_rng(seed)
    smokes = rng.random(N) < 0.4
    drinks = rng.random(N) < np.where(smokes, 0.7, 0.2)
    ill = rng.random(N) < np.where(smokes, 0.85, 0.1)
    region = rng.integers(3, size=N)
    codes = [column.astype(int) for column in (smokes, drinks, region, ill)]
    pq.write_table(Records.from_codes(codes, design.schema).to_arrow(), path)
    return path


@pytest.fixture
def raw(tmp_path: Path, design_path: Path) -> Path:
    return people(tmp_path / "raw.parquet", Design.load(design_path), 1)


@pytest.fixture
def reports(deniable: Command, raw: Path, design_path: Path, tmp_path: Path) -> Path:
    out = tmp_path / "reports.parquet"
    done = deniable("disguise", raw, "--design", design_path, "--out", out, "--random-state", 3)
    assert done.code == 0
    return out


def mined(
    deniable: Command, kind: str, reports: Path, design: Path, *more: object
) -> tuple[Path, dict[str, object]]:
    out = reports.with_name(f"{kind}.json")
    done = deniable("mine", kind, reports, "--design", design, "--out", out, "--json", *more)
    assert done.code == 0, done.err
    return out, json.loads(done.out)


CLASSIFIERS = {"tree": "leaves", "forest": "trees", "bayes": "features", "logistic": "coefficients"}


@pytest.mark.slow
@pytest.mark.parametrize("kind", CLASSIFIERS)
def test_a_classifier_is_mined_predicts_and_is_scored(
    deniable: Command, kind: str, reports: Path, raw: Path, design_path: Path, tmp_path: Path
) -> None:
    more = ["--n-estimators", 5] if kind == "forest" else []
    model, found = mined(deniable, kind, reports, design_path, "--target", "ill", *more)
    assert found["seconds"] >= 0  # type: ignore[operator]
    assert found[CLASSIFIERS[kind]]
    assert found["model"] == json.loads(model.read_text(encoding="utf-8"))

    plain = json.loads(deniable("score", model, raw, "--json").out)
    assert {"accuracy", "std_error", "n"} <= plain.keys()
    assert plain["n"] == N
    # Predicting by smoking alone is right with chance .4·.85 + .6·.9 = .88.
    assert abs(plain["accuracy"] - 0.88) < 4 * np.sqrt(0.88 * 0.12 / N)

    seen = deniable("score", model, reports, "--design", design_path, "--json", "--of", "sample")
    seen_score = json.loads(seen.out)
    assert abs(seen_score["accuracy"] - plain["accuracy"]) < 4 * seen_score["std_error"]

    answers = tmp_path / "answers.csv"
    assert deniable("predict", model, raw, "--out", answers).code == 0
    predicted = csv.read_csv(answers)
    truth = pq.read_table(raw)["ill"].to_pylist()
    right = np.mean([a == b for a, b in zip(predicted["ill"].to_pylist(), truth, strict=True)])
    assert right == pytest.approx(plain["accuracy"])
    chances = predicted["P(no)"].to_numpy() + predicted["P(yes)"].to_numpy()
    np.testing.assert_allclose(chances, 1, atol=1e-9)


def test_people_read_words_and_tables(
    deniable: Command, reports: Path, raw: Path, design_path: Path, tmp_path: Path
) -> None:
    ask = ("--design", design_path, "--target", "ill")
    tree = deniable("mine", "tree", reports, *ask, "--out", tmp_path / "t.json")
    assert "smokes" in tree.out
    assert "±" in tree.out
    assert "wrote" in tree.err
    for kind in ("bayes", "logistic"):
        shown = deniable("mine", kind, reports, *ask)
        assert shown.code == 0, shown.err
        assert "Std. error" in shown.out
    score = deniable("score", tmp_path / "t.json", raw)
    assert score.out.startswith("Accuracy 0.8")
    assert "Always answering no, the commonest class of the training records" in score.out
    assert "The model is better by 0." in score.out
    assert "Precision" in score.out
    predicted = deniable("predict", tmp_path / "t.json", raw)
    assert len(predicted.out.splitlines()) == N + 1
    dependence = deniable("mine", "dependence", reports, "--design", design_path)
    assert "smokes" in dependence.out


@pytest.mark.slow
def test_scripts_may_use_the_earlier_names_of_options(
    deniable: Command, reports: Path, design_path: Path
) -> None:
    def rules(*words: object) -> object:
        return mined(deniable, "rules", reports, design_path, *words)[1]["model"]

    now = ("--min-support", 0.2, "--min-confidence", 0.7, "--min-lift", 1, "--max-len", 2)
    earlier = ("--support", 0.2, "--confidence", 0.7, "--lift", 1, "--longest", 2)
    assert rules(*now) == rules(*earlier) != rules()

    def forest(*words: object) -> object:
        more = ("--target", "ill", *words)
        return mined(deniable, "forest", reports, design_path, *more)[1]["model"]

    now = ("--n-estimators", 2, "--max-features", 0.5, "--max-depth", 1, "--random-state", 7)
    earlier = ("--trees", 2, "--part", 0.5, "--deepest", 1, "--seed", 7)
    assert forest(*now) == forest(*earlier)


def test_rules_are_sorted_by_confidence(
    deniable: Command, reports: Path, design_path: Path
) -> None:
    ask = ("--min-support", 0.1, "--min-confidence", 0.6)
    _, found = mined(deniable, "rules", reports, design_path, *ask)
    rules = found["model"]["rules"]  # type: ignore[index]
    assert found["rules"] == len(rules) > 0
    confidences = [rule["confidence"]["value"] for rule in rules]
    assert confidences == sorted(confidences, reverse=True)
    shown = deniable("mine", "rules", reports, "--design", design_path, *ask)
    assert "Confidence" in shown.out


def test_item_sets_are_shown_with_what_the_noise_leaves_open(
    deniable: Command, reports: Path, design_path: Path
) -> None:
    ask = ("--min-support", 0.3, "--min-len", 2)
    _, found = mined(deniable, "itemsets", reports, design_path, *ask)
    assert found["itemsets"] == len(found["model"]["itemsets"]) > 0  # type: ignore[index]
    shown = deniable("mine", "itemsets", reports, "--design", design_path, *ask)
    assert "item sets that at least 30 % are estimated to hold" in shown.out
    unsure = sum(not each["significant"] for each in found["model"]["itemsets"])  # type: ignore[index]
    assert (f"Of {unsure} of them the errors leave open" in shown.out) == (unsure > 0)
    assert f"{found['model']['checked']} item sets looked at." in shown.out  # type: ignore[index]
    # By smoking, 60 % · 80 % do neither: far from the threshold.
    assert any("smokes=no & drinks=no" in line and "yes" in line for line in shown.out.splitlines())


def test_pictures_are_written_whole(
    deniable: Command, reports: Path, design_path: Path, tmp_path: Path
) -> None:
    for kind, more in (("tree", ["--target", "ill"]), ("dependence", [])):
        svg, dot = tmp_path / f"{kind}.svg", tmp_path / f"{kind}.dot"
        done = deniable(
            "mine", kind, reports, "--design", design_path, *more, "--svg", svg, "--dot", dot
        )
        assert done.code == 0, done.err
        assert svg.read_text(encoding="utf-8").startswith("<svg")
        assert "graph" in dot.read_text(encoding="utf-8").split("{")[0]


def test_a_tree_is_cut_back_by_a_validation_file(
    deniable: Command, reports: Path, design_path: Path, tmp_path: Path
) -> None:
    other = people(tmp_path / "other.parquet", Design.load(design_path), 9)
    held = tmp_path / "validation.parquet"
    deniable("disguise", other, "--design", design_path, "--out", held, "--random-state", 4)
    ask = ("--target", "ill", "--growth", "faithful")
    _, whole = mined(deniable, "tree", reports, design_path, *ask)
    _, cut = mined(deniable, "tree", reports, design_path, *ask, "--validation", held)
    assert cut["leaves"] < whole["leaves"]  # type: ignore[operator]
    assert cut["model"]["note"] == "Cut back by a validation set."  # type: ignore[index]


def test_two_files_are_mined_together(
    deniable: Command, reports: Path, raw: Path, design_path: Path, tmp_path: Path
) -> None:
    plain = tmp_path / "plain.yaml"
    plain.write_text(DESIGN.partition("groups:")[0], encoding="utf-8")
    ask = ("--target", "ill", "--with", f"{raw}:{plain}")
    _, found = mined(deniable, "tree", reports, design_path, *ask)
    assert found["model"]["n"] == 2 * N  # type: ignore[index]


def fails(deniable: Command, *words: object) -> str:
    done = deniable(*words)
    assert done.code == 1, done.out
    assert done.err.startswith("deniable: ")
    assert "Traceback" not in done.err
    return done.err


def test_bad_input_gets_one_sentence(
    deniable: Command, reports: Path, raw: Path, design_path: Path, tmp_path: Path
) -> None:
    ask = ("mine", "tree", reports, "--design", design_path)
    assert "Did you mean 'ill'?" in fails(deniable, *ask, "--target", "il")
    assert "cannot be a feature" in fails(deniable, *ask, "--target", "ill", "--feature", "ill")
    assert "not in the design" in fails(deniable, *ask, "--target", "ill", "--feature", "age")

    model, _ = mined(deniable, "tree", reports, design_path, "--target", "ill")
    assert "does not exist" in fails(deniable, "score", tmp_path / "none.json", raw)
    assert "not JSON" in fails(deniable, "score", raw, raw)
    other = tmp_path / "other.json"
    other.write_text('{"format": "other"}', encoding="utf-8")
    assert "not a model of deniable" in fails(deniable, "predict", other, raw)
    later = {**json.loads(model.read_text(encoding="utf-8")), "version": 99}
    other.write_text(json.dumps(later), encoding="utf-8")
    assert "version 99" in fails(deniable, "predict", other, raw)

    # A test set with unseen values, and one of another schema.
    strange = tmp_path / "strange.csv"
    strange.write_text("smokes,drinks,region,ill\nno,no,east,no\n", encoding="utf-8")
    assert "'east'" in fails(deniable, "score", model, strange)
    assert "'east'" in fails(deniable, "predict", model, strange)
    strange.write_text("smokes,drinks,ill\nno,no,no\n", encoding="utf-8")
    assert "'region'" in fails(deniable, "score", model, strange)
    elsewhere = tmp_path / "elsewhere.yaml"
    elsewhere.write_text('attributes:\n  smokes: ["no", "yes"]\n', encoding="utf-8")
    plain = tmp_path / "one.csv"
    plain.write_text("smokes\nno\nyes\n", encoding="utf-8")
    fails(deniable, "score", model, plain, "--design", elsewhere)

    rules, _ = mined(deniable, "rules", reports, design_path)
    assert "predict nothing" in fails(deniable, "predict", rules, raw)
    assert not (tmp_path / "x.json").exists()
    fails(deniable, *ask, "--target", "il", "--out", tmp_path / "x.json")
    assert not (tmp_path / "x.json").exists()


def test_too_few_records_give_an_honest_leaf(
    deniable: Command, design_path: Path, tmp_path: Path
) -> None:
    few = tmp_path / "few.csv"
    few.write_text("smokes,drinks,region,ill\nno,no,west,no\nyes,no,west,yes\n", encoding="utf-8")
    done = deniable("mine", "tree", few, "--design", design_path, "--target", "ill")
    assert done.code == 0, done.err
    assert "One leaf" in done.out


def test_reports_are_not_taken_for_records_as_they_are(
    deniable: Command, reports: Path, raw: Path, design_path: Path, tmp_path: Path
) -> None:
    model, _ = mined(deniable, "bayes", reports, design_path, "--target", "ill")
    assert "--design" in fails(deniable, "score", model, reports)
    assert "disguised" in fails(deniable, "predict", model, reports)
    ask = ("mine", "tree", reports, "--design", design_path, "--target", "ill")
    assert "not seen" in fails(deniable, *ask, "--validation", reports)
    assert "folds" in fails(deniable, *ask, "--growth", "noise-aware", "--cv", 100_000)
    assert "no use" in fails(deniable, *ask, "--growth", "shrunk", "--strength", 1)
    assert "one of them" in fails(
        deniable, "predict", model, raw, "--json", "--out", tmp_path / "p.csv"
    )
    empty = tmp_path / "empty.csv"
    empty.write_text("smokes,drinks,region,ill\n", encoding="utf-8")
    assert "no records" in fails(deniable, "predict", model, empty, "--out", tmp_path / "p.csv")
    assert not (tmp_path / "p.csv").exists()


def test_a_score_says_its_level(
    deniable: Command, reports: Path, raw: Path, design_path: Path
) -> None:
    model, _ = mined(deniable, "bayes", reports, design_path, "--target", "ill")
    wide = json.loads(deniable("score", model, raw, "--json").out)
    narrow = json.loads(deniable("score", model, raw, "--json", "--level", 0.5).out)
    assert (wide["level"], narrow["level"]) == (0.95, 0.5)
    assert wide["interval"][0] < narrow["interval"][0] < narrow["interval"][1]


def test_a_regression_of_several_classes_names_each(
    deniable: Command, reports: Path, design_path: Path
) -> None:
    shown = deniable("mine", "logistic", reports, "--design", design_path, "--target", "region")
    assert shown.code == 0, shown.err
    assert "against north" in shown.out
    assert shown.out.count("south") > 1
    assert shown.out.count("west") > 1


def test_a_regression_by_likelihood_says_that_it_converged(
    deniable: Command, reports: Path, design_path: Path
) -> None:
    ask = ("mine", "logistic", reports, "--design", design_path, "--target", "ill")
    shown = deniable(*ask, "--method", "likelihood")
    assert shown.code == 0, shown.err
    assert "Maximum likelihood converged after" in shown.out
    assert deniable(*ask, "--method", "guess").code != 0
    found = json.loads(deniable(*ask, "--method", "likelihood", "--json").out)["model"]
    assert found["method"] == "likelihood"
    assert found["log_likelihood"] < 0


def test_a_regression_with_a_ridge_prints_no_nan(deniable: Command, tmp_path: Path) -> None:
    design, data = tmp_path / "few.yaml", tmp_path / "few.csv"
    design.write_text(
        "attributes: {a: [no, yes], b: [no, yes]}\n"
        "groups: [{attributes: [a], channel: related, theta: 0.55}]\n",
        encoding="utf-8",
    )
    data.write_text("a,b\n" + "no,no\n" * 12 + "yes,no\n" * 8, encoding="utf-8")
    ask = ("mine", "logistic", data, "--design", design, "--target", "a", "--ridge", 1)
    for method in ("score", "likelihood"):
        shown = deniable(*ask, "--method", method)
        assert shown.code == 0, shown.err
        assert "nan" not in shown.out
        assert "The records do not tell about b=yes" in shown.out


def test_odd_names_survive(deniable: Command, tmp_path: Path) -> None:
    design, data = tmp_path / "odd.yaml", tmp_path / "odd.csv"
    design.write_text(
        'attributes:\n  "a = b": ["x", "[red]z"]\n  "P(yes)": ["no", "yes"]\n', encoding="utf-8"
    )
    data.write_text("a = b,P(yes)\n" + "x,no\n[red]z,yes\n" * 40, encoding="utf-8")
    out = tmp_path / "m.json"
    ask = ("--design", design, "--target", "P(yes)", "--out", out)
    assert deniable("mine", "tree", data, *ask).code == 0
    predicted = deniable("predict", out, data).out.splitlines()
    assert predicted[0] == '"P(yes)","chance of no","chance of yes"'
    assert predicted[1].startswith('"no"')
    turned = ("--design", design, "--target", "a = b", "--out", out)
    assert deniable("mine", "bayes", data, *turned).code == 0
    assert "predicted [red]z" in deniable("score", out, data).out


@pytest.mark.parametrize("is_ours", [True, False], ids=["ours", "planted"])
def test_a_prediction_runs_in_no_spreadsheet(
    is_ours: bool, deniable: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not is_ours:
        monkeypatch.setattr("deniable.cli.predict.plain_cell", str)
    design, data = tmp_path / "odd.yaml", tmp_path / "odd.csv"
    design.write_text('attributes: {a: [x, z], "@b": ["=1+1", "=2+2"]}', encoding="utf-8")
    data.write_text("a,@b\n" + "x,=1+1\nz,=2+2\n" * 40, encoding="utf-8")
    model, parquet, table = (tmp_path / name for name in ("m.json", "p.parquet", "p.csv"))
    words = ("mine", "bayes", data, "--design", design, "--target", "@b", "--out", model)
    assert deniable(*words).code == 0
    assert deniable("predict", model, data, "--out", table).code == 0
    for written in (deniable("predict", model, data).out, table.read_text(encoding="utf-8")):
        head, first, *_ = written.splitlines()
        assert head.startswith('"\'@b"') == is_ours
        assert first.startswith('"\'=1+1"') == is_ours
    # Programs read it as it is.
    assert deniable("predict", model, data, "--out", parquet).code == 0
    assert set(pq.read_table(parquet)["@b"].to_pylist()) == {"=1+1", "=2+2"}
    assert json.loads(deniable("predict", model, data, "--json").out)[0]["@b"] == "=1+1"


def test_a_drawing_is_not_written_under_another_name(
    deniable: Command, design_file: Path, tmp_path: Path
) -> None:
    picture = tmp_path / "tree.png"
    words = ("--design", design_file, "--target", "smokes", "--svg", picture)
    done = deniable("mine", "tree", tmp_path / "reports.parquet", *words)
    assert done.code == 1
    assert "whatever its name says" in done.err
    assert not picture.exists()
