"""One suite over every engine: the same counts, the same models, bit for bit."""

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from commanding import Command
from contracts.engines import EACH_PLACE, FAR_AWAY, PLACES, SCHEMA
from deniable.base.errors import DataError
from deniable.design import Design
from deniable.engine import MemoryEngine, Records
from deniable.engine.open_table import open_table
from deniable.mine.bayes import mine_bayes
from deniable.mine.rules.association_rules import mine_rules
from deniable.mine.tree.mine_tree import mine_tree
from deniable.oracle.randomized import RandomizedOracle
from deniable.schema import Schema
from deniable.source.disguise import disguise_records
from deniable.source.randomness import SeededBits
from mine.datasets import random_records

N = 3000
TARGET = "smokes daily"

DESIGN = Design.of(
    {
        "attributes": {attribute.name: list(attribute.values) for attribute in SCHEMA},
        "groups": [
            {"attributes": ["smokes daily", 'says "maybe"'], "channel": "related", "theta": "4/5"},
            {"attributes": ["drinks"], "channel": "related", "theta": "3/4"},
            {"attributes": ["Größe"], "channel": "keep-or-uniform", "theta": "2/3"},
        ],
    }
)

MODELS = {
    "tree": ("mine", "tree", "--target", TARGET),
    "bayes": ("mine", "bayes", "--target", TARGET),
    "rules": ("mine", "rules", "--min-support", "0.2", "--min-confidence", "0.5"),
    "estimate": ("estimate",),
}


def reports(n: int = N) -> Records:
    return disguise_records(random_records(SCHEMA, n, seed=5), None, DESIGN, SeededBits(5))


@pytest.fixture(params=EACH_PLACE)
def place(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(
        "deniable.engine.files.file_tables.READ_CELLS", 0
    )  # by DuckDB, as large files are
    return str(request.param)


def put(place: str, table: pa.Table, folder: Path) -> str:
    return PLACES[place](table, folder)


@pytest.mark.slow
def test_every_engine_counts_alike(place: str, tmp_path: Path) -> None:
    name = put(place, reports().to_arrow(), tmp_path)
    table = open_table(name)
    assert set(table.names) == set(SCHEMA.names)
    engine = table.engine(SCHEMA)
    assert isinstance(engine, FAR_AWAY)
    sets = [
        SCHEMA.names,
        (),
        *((column,) for column in SCHEMA.names),
        *((SCHEMA.names[0], column) for column in SCHEMA.names[1:]),
        ("select", "Größe", "a.b"),
        ("a.b", "Größe", "select"),
    ]
    expected = MemoryEngine(reports()).tabulate(sets)
    for found, counted in zip(engine.tabulate(sets), expected, strict=True):
        assert found.columns == counted.columns
        np.testing.assert_array_equal(found.dense(), counted.dense())
        assert found.n == N
    read = np.concatenate([np.stack(part.columns) for part in table.records(SCHEMA)], axis=1)
    kept = np.stack(reports().columns)
    np.testing.assert_array_equal(read[:, np.lexsort(read)], kept[:, np.lexsort(kept)])


@pytest.mark.slow
def test_every_engine_mines_the_same_models_bit_for_bit(place: str, tmp_path: Path) -> None:
    held = open_table(put(place, reports().to_arrow(), tmp_path)).held(SCHEMA)
    far, here = RandomizedOracle(held, DESIGN), RandomizedOracle(reports(), DESIGN)
    found, expected = mine_tree(far, TARGET), mine_tree(here, TARGET)
    assert found.depth > 0
    assert found.document() == expected.document()
    assert mine_bayes(far, TARGET).document() == mine_bayes(here, TARGET).document()
    rules = mine_rules(far, min_support=0.2, min_confidence=0.5)
    assert len(rules)
    assert rules.document() == mine_rules(here, min_support=0.2, min_confidence=0.5).document()


@pytest.mark.slow
@pytest.mark.parametrize("words", MODELS.values(), ids=list(MODELS))
def test_every_engine_answers_commands_alike(
    words: tuple[str, ...], place: str, deniable: Command, tmp_path: Path
) -> None:
    DESIGN.save(tmp_path / "design.yaml")
    name = put(place, reports(600).to_arrow(), tmp_path)
    (tmp_path / "here").mkdir()
    here = put("parquet", reports(600).to_arrow(), tmp_path / "here")
    asked = ("smokes daily=yes & Größe=groß",) if words == ("estimate",) else ()
    said = []
    for table in (name, here):
        done = deniable(
            *words[:2], table, *words[2:], "--design", tmp_path / "design.yaml", "--json", *asked
        )
        assert done.code == 0, done.err
        answer = json.loads(done.out)
        if isinstance(answer, dict):
            answer.pop("seconds", None)
        said.append(answer)
    assert said[0] == said[1]


@pytest.mark.slow
def test_a_missing_value_is_named_with_its_column(place: str, tmp_path: Path) -> None:
    table = reports(50).to_arrow()
    texts = {name: table.column(name).cast(pa.string()).to_pylist() for name in table.column_names}
    texts["Größe"][7] = None
    engine = open_table(put(place, pa.table(texts), tmp_path)).engine(SCHEMA)
    with pytest.raises(DataError, match=r"'Größe' (is missing|has the value '')"):
        engine.tabulate([("Größe",)])
    (fine,) = engine.tabulate([("drinks",)])
    assert fine.n == 50


@pytest.mark.slow
def test_an_unknown_value_is_named_with_its_column(place: str, tmp_path: Path) -> None:
    table = reports(50).to_arrow()
    texts = {name: table.column(name).cast(pa.string()).to_pylist() for name in table.column_names}
    texts["Größe"][7] = "riesig"
    engine = open_table(put(place, pa.table(texts), tmp_path)).engine(SCHEMA)
    for sets in ([("Größe",)], [("Größe", "drinks"), ("select",)]):
        with pytest.raises(DataError, match="'Größe' has the value 'riesig', which is not one of"):
            engine.tabulate(sets)


@pytest.mark.slow
def test_more_distinct_values_than_the_domain_has_are_refused(place: str, tmp_path: Path) -> None:
    people = pa.table({"id": [f"person {number}" for number in range(1000)]})
    engine = open_table(put(place, people, tmp_path)).engine(Schema.of({"id": ["no", "yes"]}))
    with pytest.raises(DataError, match="'id' has the value 'person"):
        engine.tabulate([("id",)])


@pytest.mark.slow
def test_an_empty_table_counts_nothing(place: str, deniable: Command, tmp_path: Path) -> None:
    DESIGN.save(tmp_path / "design.yaml")
    name = put(place, reports(5).to_arrow().slice(0, 0), tmp_path)
    (none, zero) = open_table(name).engine(SCHEMA).tabulate([(), ("Größe",)])
    assert none.n == 0
    assert zero.dense().tolist() == [0, 0, 0]
    done = deniable("mine", "bayes", name, "--design", tmp_path / "design.yaml", "--target", TARGET)
    assert done.code == 1
    assert "has no records. Collect some first." in done.err


def test_a_missing_column_is_named_with_the_nearest(place: str, tmp_path: Path) -> None:
    table = open_table(put(place, reports(5).to_arrow(), tmp_path))
    with pytest.raises(DataError, match=r"has no column 'selec'\. Did you mean 'select'\?"):
        table.engine(Schema.of({"selec": ["no", "yes"]}))
