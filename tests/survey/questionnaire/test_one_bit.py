"""Surveys of one bit: what the page is told, what it makes of it, and what is refused."""

import json
from copy import deepcopy
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from commanding import Command
from deniable.base.errors import SurveyError
from deniable.mine.models.model_files import save_model
from deniable.mine.rules.frequent_sets import mine_itemsets
from deniable.mine.tree.mine_tree import mine_tree
from deniable.oracle.exact import ExactOracle
from deniable.survey.export import export
from deniable.survey.questionnaire import load
from deniable.survey.reports import records
from deniable.survey.results import results
from survey.node import browser
from survey.one_bit import BASE, SCHEMA, try_it

PATTERNS = [
    dict(zip(SCHEMA.names, each, strict=True)) for each in product(*(a.values for a in SCHEMA))
]


def right(model: Any, answers: dict[str, str]) -> str:
    codes = np.array([[SCHEMA[name].code(answers[name]) for name in model.features]])
    said = SCHEMA["spring"].values[model.predict(codes)[0]]
    return "yes" if said == answers["spring"] else "no"


def test_the_page_finds_the_bit_that_the_model_gives_for_every_pattern(tmp_path: Path) -> None:
    path, model = try_it(tmp_path)
    survey = load(path)
    assert survey.bit is not None
    asked = json.loads(survey.asked)
    told = [browser("bitOf", given=[asked, asked["bit"], answers]) for answers in PATTERNS]
    assert told == [{"right": right(model, answers)} for answers in PATTERNS]
    assert {each["right"] for each in told} == {"no", "yes"}


def test_only_the_bit_is_in_the_design_and_the_link_names_the_model(tmp_path: Path) -> None:
    path, model = try_it(tmp_path)
    survey = load(path)
    assert survey.design.schema.names == ("right",)
    assert survey.design.groups == ()
    assert [question.name for question in survey.reported] == ["right"]
    assert survey.bit is not None
    assert len(survey.bit.predicted) == 2 * 3
    # Another model is another survey: here, one that always says what most answer.
    people = {name: [SCHEMA[name].values[0]] * 9 for name in SCHEMA.names}
    save_model(mine_tree(ExactOracle(people, SCHEMA), "spring"), tmp_path / "model.json")
    other = load(path)
    assert other.bit is not None
    assert set(other.bit.predicted) == {"0"}
    assert other.fingerprint != survey.fingerprint
    assert (survey.bit.features, survey.bit.target) == (model.features, "spring")


def test_bits_that_come_in_are_shares_and_columns_like_any_other(
    deniable: Command, tmp_path: Path
) -> None:
    survey = load(try_it(tmp_path)[0])
    found = results(survey, {"0": 40, "1": 60}, {})
    assert [(s.attribute, s.value, s.estimate.share) for s in found.shares] == [
        ("right", "no", 0.4),
        ("right", "yes", 0.6),
    ]
    arms = {"disguised": records({"0": 40, "1": 60}, survey.design.schema)}
    export(survey, arms, tmp_path / "out", formats=["csv"])
    lines = (tmp_path / "out" / "disguised.csv").read_text().replace('"', "").split()
    assert lines[0] == "right"
    assert "Is the guess right?" in (tmp_path / "out" / "codebook.md").read_text()
    checked = deniable("survey", "check", tmp_path / "survey.yaml")
    assert checked.code == 0, checked.out
    assert "stay on the device" in " ".join(checked.out.split())
    assert "Nothing is disguised" not in checked.out


def test_exported_bits_score_a_model(deniable: Command, tmp_path: Path) -> None:
    path, model = try_it(tmp_path)
    survey = load(path)
    arms = {"disguised": records({"0": 40, "1": 60}, survey.design.schema)}
    export(survey, arms, tmp_path / "out", formats=["csv", "parquet"])
    design = tmp_path / "design.yaml"
    design.write_text(
        'attributes: {lake: ["no", "yes"], hair: [dark, fair, red], spring: ["no", "yes"]}\n'
        "groups: [{attributes: [lake, hair, spring], channel: unrelated, theta: 0.5, "
        "personal: unknown}]\n"
    )
    reports = tmp_path / "reports.csv"
    rows = [",".join(answers.values()) for answers in PATTERNS]
    reports.write_text("\n".join([",".join(SCHEMA.names), *rows]) + "\n")
    share = np.mean([right(model, answers) == "yes" for answers in PATTERNS])
    for kind in ("csv", "parquet"):
        done = deniable(
            "score", tmp_path / "model.json", reports, "--design", design,
            "--personal-bits", tmp_path / "out" / f"disguised.{kind}", "--other-people", "--json",
        )  # fmt: skip
        assert done.code == 0, done.err
        told = json.loads(done.out)
        assert told["accuracy"] == pytest.approx((share - 0.5 * 0.6) / 0.5)
        assert told["personal_bits"] == {"share": 0.6, "n": 100, "same_people": False}


def changed(part: str, value: Any) -> dict[str, Any]:
    document = deepcopy(BASE)
    *path, last = part.split(".")
    inner = document
    for name in path:
        inner = inner[name]
    if value is None:
        del inner[last]
    else:
        inner[last] = value
    return document


NO_YES = BASE["bit"]["options"]
AGE = {"text": {"en": "Age", "de": "Alter"}, "options": NO_YES}


@pytest.mark.parametrize(
    ("part", "value", "problem"),
    [
        ("groups", [{"attributes": ["lake"], "channel": "related", "theta": "0.8"}], "stay on the"),
        ("direct", "1/10", "stay on the device"),
        ("quotas", {"lake": {"no": "5"}}, "stay on the device"),
        ("questions.age", AGE, "does not read 'age'"),
        ("questions.lake", None, "reads 'lake', which is not asked"),
        ("questions.hair.options", NO_YES, "knows 'hair' as"),
        ("questions.lake.several", "yes", "more than a question"),
        ("questions.lake.known", {"shares": {"no": "1", "yes": "0"}, "source": "a"}, "more than a"),
        ("bit.model", "none.json", "does not exist"),
        ("bit.model", "sets.json", "predict nothing"),
        ("bit.model", None, "'model' is missing"),
        ("bit.options", {"no": NO_YES["no"]}, "'yes' is missing"),
        ("bit.text", {"en": "Right?"}, "The text in 'de' is missing"),
        ("bit", "model.json", "must be a mapping"),
    ],
)
def test_what_cannot_be_tried_is_refused_with_its_line(
    part: str, value: Any, problem: str, tmp_path: Path
) -> None:
    path, _ = try_it(tmp_path, **changed(part, value))
    people = {name: [SCHEMA[name].values[0]] * 9 for name in SCHEMA.names}
    save_model(mine_itemsets(ExactOracle(people, SCHEMA), min_support=0.1), tmp_path / "sets.json")
    with pytest.raises(SurveyError, match=problem) as refused:
        load(path)
    assert str(refused.value).startswith(f"{path}:")


def test_a_model_of_too_many_patterns_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("deniable.survey.questionnaire.personal_bit.MOST_PREDICTIONS", 5)
    with pytest.raises(SurveyError, match="2 features have 6 patterns"):
        load(try_it(tmp_path)[0])
