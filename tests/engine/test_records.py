from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from deniable import Design, ExactOracle, RandomizedOracle, disguise
from deniable.base.errors import DataError, FingerprintError
from deniable.engine.engine import code_type
from deniable.engine.memory.records import Records
from deniable.schema import Attribute, Schema

SCHEMA = Schema.of({"smokes": ["no", "yes"], "age group": ["young", "old", "ältest"]})
DATA = {"age group": ["old", "ältest", "young"], "smokes": ["no", "yes", "yes"]}
CODES = [[0, 1, 1], [1, 2, 0]]


def codes(table: Any, schema: Schema = SCHEMA) -> list[list[int]]:
    return [column.tolist() for column in Records.of(table, schema).columns]


@pytest.mark.parametrize(
    "table",
    [
        DATA,
        pa.table(DATA),
        pa.table({name: pa.array(column).dictionary_encode() for name, column in DATA.items()}),
        pa.RecordBatch.from_pydict(DATA),
        pd.DataFrame(DATA),
        pd.DataFrame(DATA, dtype="category"),
        pd.DataFrame({**DATA, "name": ["A", "B", "C"]}),
        pl.DataFrame(DATA),
        pl.DataFrame(DATA).with_columns(pl.all().cast(pl.Categorical)),
        np.array([DATA["smokes"], DATA["age group"]]).T,
        np.array([DATA["smokes"], DATA["age group"]], dtype=object).T,
    ],
    ids=["dict", "arrow", "arrow-dictionary", "batch", "pandas", "pandas-category", "more-columns",
         "polars", "polars-categorical", "numpy", "numpy-object"],
)  # fmt: skip
def test_every_kind_of_table_is_read_alike(table: Any) -> None:
    assert codes(table) == CODES


@pytest.mark.parametrize(
    ("values", "column"),
    [
        (["0", "1"], [0, 1, 1]),
        (["0", "1"], [0.0, 1.0, 1.0]),
        (["0", "1"], [False, True, True]),
        (["false", "true"], [False, True, True]),
        (["no", "yes"], [False, True, True]),
        (["0.5", "1.5"], [0.5, 1.5, 1.5]),
        (["0", "1"], np.array([0, 1, 1], dtype=np.int8)),
        (["0", "1"], ["0", "1", "1"]),
    ],
)
def test_numbers_and_booleans_are_their_text(values: list[str], column: Any) -> None:
    assert codes({"a": column}, Schema.of({"a": values})) == [[0, 1, 1]]


def test_chunks_with_different_dictionaries_agree() -> None:
    chunks = [pa.array(["yes", "no"]).dictionary_encode(), pa.array(["no"]).dictionary_encode()]
    table = pa.table({"a": pa.chunked_array(chunks)})
    assert codes(table, Schema.of({"a": ["no", "yes"]})) == [[1, 0, 0]]


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ({"smokes": ["no"]}, "the table has no column 'age group'. Known: 'smokes'."),
        ({**DATA, "smokes": ["no", "maybe", "yes"]}, "row 2: 'smokes' has the value 'maybe'"),
        ({**DATA, "smokes": ["no", "Yes", "yes"]}, "Did you mean 'yes'?"),
        ({**DATA, "smokes": ["no", "yes", None]}, "row 3: 'smokes' is missing."),
        ({**DATA, "smokes": [0.0, float("nan"), 1.0]}, "row 2: 'smokes' is missing."),
        (np.zeros((3, 5)), "shape (3, 5), not (records, 2)"),
        (42, "cannot be read as a table of type int"),
    ],
)
def test_a_table_that_does_not_fit_is_refused_by_row_and_column(table: Any, sentence: str) -> None:
    schema = Schema.of({"smokes": ["no", "yes", "0", "1"], "age group": DATA["age group"]})
    with pytest.raises(DataError) as error:
        Records.of(table, schema)
    assert sentence in str(error.value)


def test_codes_are_taken_only_when_asked_and_in_range() -> None:
    records = Records.from_codes(np.array([[0, 1], [1, 2], [1, 0]]), SCHEMA)
    assert [column.tolist() for column in records.columns] == CODES
    with pytest.raises(DataError, match=r"'smokes' has codes outside 0 … 1"):
        Records.from_codes([[0, 2], [0, 0]], SCHEMA)
    with pytest.raises(DataError, match="3 columns of codes for 2 attributes"):
        Records.from_codes([[0], [0], [0]], SCHEMA)


def test_large_domains_keep_their_codes() -> None:
    schema = Schema.of({"zip": [str(number) for number in range(70_000)]})
    assert codes({"zip": ["69999", "256", "0"]}, schema) == [[69_999, 256, 0]]


def test_disguise_gives_back_the_kind_of_table_that_came_in() -> None:
    design = Design.truthful(SCHEMA)
    assert isinstance(disguise(pd.DataFrame(DATA), design), pd.DataFrame)
    assert isinstance(disguise(pl.DataFrame(DATA), design), pl.DataFrame)
    assert isinstance(disguise(pa.table(DATA), design), pa.Table)
    array = np.array([DATA["smokes"], DATA["age group"]]).T
    np.testing.assert_array_equal(disguise(array, design), array)
    integers = np.array([[0, 1], [1, 0]])
    again = disguise(integers, Design.truthful(Schema.of({"a": ["0", "1"], "b": ["0", "1"]})))
    assert again.dtype == integers.dtype
    np.testing.assert_array_equal(again, integers)


def test_reports_in_an_array_are_never_cut_to_what_came_in() -> None:
    turned = Design.of(
        {
            "attributes": {"s": ["no", "yes"]},
            "groups": [{"attributes": ["s"], "channel": "related", "theta": "0"}],
        }
    )
    assert disguise(np.array([["no"]]), turned).tolist() == [["yes"]]
    assert disguise(np.array([[True], [False]]), turned).tolist() == [["no"], ["yes"]]


def test_a_pandas_index_is_kept() -> None:
    frame = pd.DataFrame(DATA, index=[7, 5, 3])
    assert disguise(frame, Design.truthful(SCHEMA)).index.tolist() == [7, 5, 3]


def test_an_arrow_table_remembers_its_design(design: Design) -> None:
    raw = {"smokes": ["no"], "drinks": ["no"], "income": ["low"], "region": ["west"]}
    reports = disguise(raw, design)
    assert RandomizedOracle(reports, design).n == 1
    with pytest.raises(FingerprintError, match="The table was disguised by another design"):
        RandomizedOracle(reports, Design.truthful(design.schema))
    assert ExactOracle(reports, design.schema).n == 1  # the reports themselves
    with pytest.raises(DataError, match="disguised already"):
        disguise(reports, design)


def test_floats_match_numbers_however_they_are_written() -> None:
    schema = Schema.of({"a": ["1.0", "2", "none"]})
    assert codes({"a": [1.0, 2.0, 1.0]}, schema) == [[0, 1, 0]]


def test_records_of_another_schema_are_put_in_order_or_refused() -> None:
    records = Records.of(DATA, SCHEMA)
    assert codes(records, SCHEMA.select(["age group"])) == [CODES[1]]
    with pytest.raises(DataError, match="list other values of 'smokes'"):
        codes(records, Schema.of({"smokes": ["yes", "no"]}))


def test_values_are_looked_up_as_if_one_by_one() -> None:
    rng = np.random.default_rng(11)
    for size in (1, 2, 128, 129, 300, 33_000):
        values = [f"ä{number}" * (1 + number % 3) for number in range(size)]
        attribute = Attribute("a", tuple(values))
        chosen = rng.integers(0, size, 1_000)
        words = pa.array([values[code] for code in chosen])
        # A dictionary may list what no record has: another page of the file does, perhaps.
        listed = pa.array(["unused", *reversed(values)])
        indices = pa.array((size - chosen).astype(np.int32))
        chunks = [words.slice(100), words.slice(0, 0), words.slice(900)]
        dictionaries = [
            pa.DictionaryArray.from_arrays(indices, listed).slice(100),
            words.dictionary_encode().slice(900),
        ]
        one_by_one = [attribute.code(word) for word in words.to_pylist()]
        expected = one_by_one[100:] + one_by_one[900:]
        for parts in (chunks, dictionaries):
            kind = parts[0].type
            column = pa.chunked_array([part.cast(kind) for part in parts])
            found = Records.of(pa.table({"a": column}), Schema((attribute,)))
            assert found.columns[0].tolist() == expected
            assert found.columns[0].dtype == code_type(size)
            assert found.to_arrow()["a"].to_pylist() == column.to_pylist()


def test_no_records_have_no_codes() -> None:
    none = pa.table({"a": pa.chunked_array([], pa.string())})
    (column,) = Records.of(none, Schema.of({"a": ["no", "yes"]})).columns
    assert len(column) == 0
    assert column.dtype == np.uint8


def test_columns_take_one_byte_a_record_where_that_is_enough() -> None:
    for size, kind in ((1, pa.int8()), (128, pa.int8()), (129, pa.int16()), (32_769, pa.int32())):
        schema = Schema.of({"a": [str(number) for number in range(size)]})
        table = Records.from_codes([[0, size - 1]], schema).to_arrow()
        assert table["a"].type == pa.dictionary(kind, pa.string())
        assert table["a"].to_pylist() == ["0", str(size - 1)]
