"""Files of SPSS and Stata count as any table does, whoever wrote them."""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyreadstat
import pytest

from deniable.base.errors import DataError, FingerprintError
from deniable.design import Design
from deniable.engine import MemoryEngine
from deniable.engine.files.labelled_files import file_label
from deniable.engine.open_table import open_table
from deniable.mine.tree.mine_tree import mine_tree
from deniable.oracle.randomized import RandomizedOracle
from deniable.schema import Schema
from mine.datasets import random_records

SCHEMA = Schema.of(
    {"smokes": ["no", "yes"], "size": ["klein", "mittel", "groß"], "rating": ["5", "3", "1"]}
)
DESIGN = Design.of(
    {
        "attributes": {attribute.name: list(attribute.values) for attribute in SCHEMA},
        "groups": [{"attributes": ["smokes"], "channel": "related", "theta": "4/5"}],
    }
)
WORDS: Mapping[str, Mapping[int, str]] = {
    "smokes": {1: "no", 2: "yes"},
    "size": {10: "mittel", 20: "groß", 30: "klein"},
}
"""Labels that are the values, with numbers that are not their places; ratings have no labels."""

N = 3000

Write = Callable[[Path, Mapping[str, Any], Mapping[str, Any], str], Path]


def write(
    path: Path, columns: Mapping[str, Any], labels: Mapping[str, Any], label: str = ""
) -> Path:
    to = pyreadstat.write_sav if path.suffix == ".sav" else pyreadstat.write_dta
    frame = pd.DataFrame(dict(columns))
    to(frame, path, file_label=label, variable_value_labels=dict(labels))
    return path


def records() -> Any:
    return random_records(SCHEMA, N, seed=5)


def in_words(ending: str, folder: Path) -> Path:
    numbers = {
        name: {word: number for number, word in words.items()} for name, words in WORDS.items()
    }
    numbers["rating"] = {value: int(value) for value in SCHEMA["rating"].values}
    columns = {
        attribute.name: [numbers[attribute.name][attribute.values[code]] for code in column]
        for attribute, column in zip(SCHEMA, records().columns, strict=True)
    }
    return write(folder / f"data{ending}", columns, WORDS)


@pytest.fixture(params=[".sav", ".dta"])
def ending(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_labels_are_the_values_and_counts_are_those_of_the_records(
    ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("deniable.engine.files.labelled_files.BATCH_RECORDS", 700)
    table = open_table(in_words(ending, tmp_path))
    assert set(table.names) == set(SCHEMA.names)
    sets = [SCHEMA.names, (), *((name,) for name in SCHEMA.names), ("rating", "smokes")]
    expected = MemoryEngine(records()).tabulate(sets)
    for found, counted in zip(table.engine(SCHEMA).tabulate(sets), expected, strict=True):
        np.testing.assert_array_equal(found.dense(), counted.dense())
    assert sum(len(batch) for batch in table.batches(["smokes"])) == N
    mined = mine_tree(RandomizedOracle(table.held(SCHEMA), DESIGN), "smokes")
    assert mined.document() == mine_tree(RandomizedOracle(records(), DESIGN), "smokes").document()


def test_in_a_file_of_ours_numbers_are_places_whatever_the_labels_say(
    ending: str, tmp_path: Path
) -> None:
    label = file_label("disguised answers", DESIGN.fingerprint)
    columns = {"smokes": [0, 1, 1], "size": [0, 1, 2], "rating": [5, 5, 1]}
    labels = {"smokes": {0: "yes", 1: "no"}, "size": {0: "small", 1: "so-so", 2: "large"}}
    table = open_table(write(tmp_path / f"ours{ending}", columns, labels, label))
    table.check_fingerprint(DESIGN.fingerprint)
    (read,) = table.records(SCHEMA)
    assert [column.tolist() for column in read.columns] == [[0, 1, 1], [0, 1, 2], [0, 0, 2]]
    other = Design.truthful(SCHEMA)
    with pytest.raises(FingerprintError, match="disguised by another design"):
        table.check_fingerprint(other.fingerprint)


def test_words_for_people_leave_the_numbers_to_be_the_values(ending: str, tmp_path: Path) -> None:
    labels = {"rating": {5: "very", 3: "so-so", 1: "not at all"}}
    table = open_table(write(tmp_path / f"data{ending}", {"rating": [5, 3, 1, 1]}, labels))
    (counted,) = table.engine(Schema.of({"rating": ["1", "3", "5"]})).tabulate([("rating",)])
    assert counted.dense().tolist() == [2, 1, 1]


@pytest.mark.parametrize(
    ("column", "message"),
    [
        ([1, 2, None], "row 3: 'smokes' is missing"),
        ([1, 7, 2], "row 2: 'smokes' has the value '7', which is not one of"),
    ],
)
def test_what_is_no_value_is_named_with_its_row(
    column: list[Any], message: str, ending: str, tmp_path: Path
) -> None:
    columns = {"smokes": column}
    path = write(tmp_path / f"data{ending}", columns, {"smokes": WORDS["smokes"]})
    with pytest.raises(DataError, match=message):
        open_table(path).read(Schema.of({"smokes": ["no", "yes"]}))


def test_a_damaged_file_is_one_sentence(ending: str, tmp_path: Path) -> None:
    path = in_words(ending, tmp_path)
    whole = path.read_bytes()
    for content in (b"", b"no such thing at all", whole[:50], whole[: len(whole) * 2 // 3]):
        path.write_bytes(content)
        with pytest.raises(DataError, match=r"is empty|cannot be read") as error:
            open_table(path).read(SCHEMA)
        assert error.value.hint
    with pytest.raises(DataError, match="does not exist"):
        open_table(tmp_path / f"nothing{ending}")


def test_a_file_on_which_its_reader_breaks_down_is_one_sentence(tmp_path: Path) -> None:
    """Without another process that opens it first, this ends the whole program: signal 11."""
    labels = {"smokes": {0: "no", 1: "yes"}}
    whole = write(tmp_path / "whole.sav", {"smokes": [0.0, 1.0]}, labels).read_bytes()
    first_variable = 176
    assert whole[first_variable : first_variable + 8] == bytes([2, 0, 0, 0, 0, 0, 0, 0])
    damaged = bytearray(whole)
    damaged[first_variable + 5] = 255  # a text of 65,280 letters, in a record of eight bytes
    path = tmp_path / "damaged.sav"
    path.write_bytes(damaged)
    with pytest.raises(DataError, match="breaks down on it") as refused:
        open_table(path)
    assert refused.value.hint


def test_what_reads_them_is_an_extra(
    ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = in_words(ending, tmp_path)
    monkeypatch.setitem(sys.modules, "pyreadstat", None)
    with pytest.raises(DataError, match="need 'pyreadstat'") as error:
        open_table(path)
    assert "deniable[survey]" in error.value.hint


def test_several_files_are_refused(ending: str, tmp_path: Path) -> None:
    in_words(ending, tmp_path).rename(tmp_path / f"a{ending}")
    in_words(ending, tmp_path).rename(tmp_path / f"b{ending}")
    with pytest.raises(DataError, match="several files"):
        open_table(f"{tmp_path}/*{ending}")
