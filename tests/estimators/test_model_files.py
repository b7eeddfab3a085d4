"""Models on disk."""

import json
from pathlib import Path
from typing import Any

import pytest

from deniable.base.errors import DataError, ModelError, OutputError
from deniable.mine.bayes import mine_bayes
from deniable.mine.best.mine_best import mine_best
from deniable.mine.dependence import mine_dependence
from deniable.mine.forest import mine_forest
from deniable.mine.groupwise import mine_groupwise
from deniable.mine.logistic import mine_logistic
from deniable.mine.model import Model
from deniable.mine.models.find_miner import find_miner, miner_names
from deniable.mine.models.model_files import load_model, save_model
from deniable.mine.rules.association_rules import mine_rules
from deniable.mine.rules.frequent_sets import mine_itemsets
from deniable.mine.tree.mine_tree import mine_tree
from deniable.oracle.randomized import RandomizedOracle
from estimators.people import DESIGN, TARGET, disguised, people

ORACLE = RandomizedOracle(disguised(people(2000, seed=1), seed=2), DESIGN)

MODELS: dict[str, Model] = {
    "tree": mine_tree(ORACLE, TARGET),
    "forest": mine_forest(ORACLE, TARGET, n_estimators=3),
    "bayes": mine_bayes(ORACLE, TARGET),
    "logistic": mine_logistic(ORACLE, TARGET),
    "best": mine_best(ORACLE, TARGET, n_estimators=5),
    "groupwise": mine_groupwise(ORACLE, TARGET, n_estimators=2),
    "rules": mine_rules(ORACLE, min_support=0.1, min_confidence=0.5),
    "itemsets": mine_itemsets(ORACLE, min_support=0.1),
    "dependence": mine_dependence(ORACLE),
}


@pytest.mark.parametrize("kind", MODELS)
def test_what_is_read_is_what_was_written(kind: str, tmp_path: Path) -> None:
    save_model(MODELS[kind], tmp_path / "model.json")
    found = load_model(tmp_path / "model.json")
    assert type(found) is find_miner(kind).model is type(MODELS[kind])
    assert found.document() == MODELS[kind].document()


def test_every_kind_is_known() -> None:
    assert set(miner_names()) == set(MODELS)


def test_an_old_model_stays_where_a_new_one_cannot_be_written(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    save_model(MODELS["bayes"], path)
    before = path.read_bytes()

    class Broken(type(MODELS["bayes"])):  # type: ignore[misc]
        def __init__(self) -> None:
            pass

        def document(self) -> dict[str, Any]:
            return {"chance": float("nan")}  # JSON has no such number

    with pytest.raises(ModelError, match="holds what is no number"):
        save_model(Broken(), path)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["model.json"]


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="directory"):
        save_model(MODELS["bayes"], tmp_path)
    with pytest.raises(OutputError, match="cannot be written"):
        save_model(MODELS["bayes"], tmp_path / "nowhere" / "model.json")


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="does not exist"):
        load_model(tmp_path / "nothing.json")
    with pytest.raises(DataError, match="is a directory"):
        load_model(tmp_path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not JSON"),
        (b'{"format": ', "not JSON"),
        (b"\xff\xfe\x00", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"[1, 2]", "not a model of deniable"),
        (b'{"format": "pickle"}', "not a model of deniable"),
        (b'{"format": "deniable model", "version": 99}', "version 99"),
        (b'{"format": "deniable model", "version": 1, "kind": "three"}', "kind 'three'"),
        (b'{"format": "deniable model", "version": 1, "kind": "tree"}', "damaged"),
    ],
)
def test_a_file_that_holds_no_model_is_refused(
    content: bytes, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "model.json"
    path.write_bytes(content)
    with pytest.raises(ModelError, match=message) as refused:
        load_model(path)
    assert str(path) in str(refused.value)
    assert refused.value.hint


def test_a_model_is_plain_json_with_a_schema(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    save_model(MODELS["tree"], path)
    document = json.loads(path.read_text(encoding="utf-8"))
    assert document["kind"] == "tree"
    assert document["schema"]["region"] == ["north", "south", "west"]


@pytest.mark.parametrize("kind", ["bayes", "dependence", "tree"])
def test_a_number_without_end_is_a_damaged_model(kind: str, tmp_path: Path) -> None:
    document = {**MODELS[kind].document(), "n": float("inf")}
    (tmp_path / "model.json").write_text(json.dumps(document))
    with pytest.raises(ModelError, match="damaged"):
        load_model(tmp_path / "model.json")
