"""The same records in every engine, each with the types that its users would give them."""

import csv
import json
import sqlite3
from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import quote

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from contracts.postgres import load, postgres_url
from deniable.engine.sql.pushed_engine import PushedEngine
from deniable.schema import Schema
from extending.outside_engine import JsonLinesEngine

SCHEMA = Schema.of(
    {
        "smokes daily": ["no", "yes"],
        'says "maybe"': ["0", "1"],
        "Größe": ["klein", "mittel", "groß"],
        "drinks": ["false", "true"],
        "o'clock": ["no", "yes"],
        "a.b": ["1", "2", "3"],
        "100 %": ["no", "yes"],
        "select": ["no", "yes"],
    }
)
"""Names that a careless query would trip over."""

TYPES: Mapping[str, pa.DataType] = {
    "smokes daily": pa.string(),
    'says "maybe"': pa.int8(),
    "Größe": pa.dictionary(pa.int32(), pa.string()),
    "drinks": pa.bool_(),
    "o'clock": pa.bool_(),  # its values are called no and yes
    "a.b": pa.float64(),
    "100 %": pa.string(),
    "select": pa.string(),
}

Place = Callable[[pa.Table, Path], str]


def typed(texts: pa.Table) -> pa.Table:
    """Give columns of text the types of this suite; other columns stay text."""
    columns = []
    for name, column in zip(texts.column_names, texts.columns, strict=True):
        kind = TYPES.get(name, pa.string())
        plain = column.cast(pa.string())
        if pa.types.is_boolean(kind):
            truths = [None if v is None else v in {"yes", "true"} for v in plain.to_pylist()]
            columns.append(pa.array(truths, kind))
        elif pa.types.is_dictionary(kind):
            columns.append(plain.dictionary_encode())
        else:
            columns.append(plain.cast(kind))
    return pa.table(columns, names=texts.column_names)


def _csv(table: pa.Table, folder: Path) -> str:
    path = folder / "data.csv"
    columns = [column.cast(pa.string()).to_pylist() for column in table.columns]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(table.column_names)
        for row in zip(*columns, strict=True):
            writer.writerow(["" if cell is None else cell for cell in row])
    return str(path)


def _parquet(table: pa.Table, folder: Path) -> str:
    path = folder / "data.parquet"
    pq.write_table(typed(table), path)
    return str(path)


def shards(table: pa.Table, folder: Path, many: int = 3) -> Path:
    """Several files of unequal size, the last one empty."""
    (place := folder / "shards").mkdir()
    cuts = [table.num_rows * n * n // (many * many) for n in range(many + 1)]
    for number, (start, end) in enumerate(zip(cuts, [*cuts[1:], cuts[-1]], strict=True)):
        pq.write_table(typed(table.slice(start, end - start)), place / f"part-{number}.parquet")
    return place


def _duckdb(table: pa.Table, folder: Path) -> str:
    import duckdb

    path = folder / "data.duckdb"
    arrow = typed(table)
    with duckdb.connect(str(path)) as connection:
        connection.register("arriving", arrow)
        connection.execute('CREATE TABLE "my table" AS SELECT * FROM arriving')
    return f"duckdb:///{path}#my table"


def _sqlite(table: pa.Table, folder: Path) -> str:
    path = folder / "data.sqlite"
    arrow = typed(table)
    kinds = {pa.string(): "TEXT", pa.bool_(): "BOOLEAN", pa.int8(): "INTEGER", pa.float64(): "REAL"}
    columns = ", ".join(
        f"{_quoted(field.name)} {kinds.get(field.type, 'TEXT')}" for field in arrow.schema
    )
    rows = zip(*(column.to_pylist() for column in arrow.columns), strict=True)
    connection = sqlite3.connect(path)
    connection.execute(f'CREATE TABLE "my table" ({columns})')
    marks = ", ".join("?" * arrow.num_columns)
    connection.executemany(f'INSERT INTO "my table" VALUES ({marks})', rows)  # noqa: S608
    connection.commit()
    connection.close()
    return f"sqlite:///{path}#my table"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _postgresql(table: pa.Table, folder: Path) -> str:
    url, name = postgres_url(), f"{folder.parent.name} {folder.name}"
    load(url, name, typed(table))
    return f"{url}#{quote(name)}"


def _spark(table: pa.Table, folder: Path) -> str:
    from contracts.spark import local_url

    return local_url(shards(table, folder))


def json_lines(table: pa.Table, folder: Path) -> str:
    """Put records where only a package from outside can read them."""
    path = folder / "data.jsonl"
    columns = [column.to_pylist() for column in typed(table).columns]
    rows = [table.column_names, *zip(*columns, strict=True)]
    path.write_text("".join(f"{json.dumps({'answers': row})}\n" for row in rows))
    return f"jsonl://{path}#answers"


PLACES: Mapping[str, Place] = {
    "csv": _csv,
    "parquet": _parquet,
    "shards": lambda table, folder: f"{shards(table, folder)}/*.parquet",
    "duckdb": _duckdb,
    "sqlite": _sqlite,
    "postgresql": _postgresql,
    "spark": _spark,
    "jsonl": json_lines,
}
"""Where records can be, beside memory: puts them there, and gives the table's name."""

EACH_PLACE = [
    pytest.param(name, marks=pytest.mark.slow) if name in {"postgresql", "spark"} else name
    for name in PLACES
]

FAR_AWAY = (PushedEngine, JsonLinesEngine)
"""What counts there, instead of reading everything into memory first."""
