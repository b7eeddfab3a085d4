"""An engine of another package, in one file: JSON lines, counted as they go by.

`jsonl:///data/people.jsonl#answers` reads lines such as {"answers": ["yes", 7]}, the first of which
names the columns: {"answers": ["smokes", "age"]}. Other lines belong to other tables. The package
says in its pyproject.toml:

    [project.entry-points."deniable.engines"]
    jsonl = "outside_engine:open_json_lines"
"""

import json
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from deniable.base.errors import DataError
from deniable.engine import Address, Engine, MemoryEngine, Records, Table, Tabulation
from deniable.schema import Schema

LINES_AT_ONCE = 1000


def open_json_lines(address: Address) -> Table:
    """Open a table of a file."""
    path = Path(address.path)
    if not path.is_file():
        raise DataError(f"{path} does not exist.", hint="Check the name.")
    return JsonLines(path, address.table)


class JsonLines(Table):
    """One table of a file of JSON lines."""

    def __init__(self, path: Path, table: str) -> None:
        self.name, self.paths = f"jsonl://{path}#{table}", (path,)
        self._table = table

    @property
    def names(self) -> tuple[str, ...]:
        """The columns, as the first line names them."""
        return tuple(next(self._rows(), ()))

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Read some lines at a time."""
        names = self.names
        present = [name for name in columns if name in names]
        lines = islice(self._rows(), 1, None)
        while rows := list(islice(lines, LINES_AT_ONCE)):
            arrays = [pa.array([row[names.index(name)] for row in rows]) for name in present]
            yield pa.RecordBatch.from_arrays(arrays, present)

    def engine(self, schema: Schema) -> Engine:
        """Count without holding a record."""
        self.require(schema.names)
        return JsonLinesEngine(self, schema)

    def _rows(self) -> Iterator[list[Any]]:
        with self.paths[0].open(encoding="utf-8") as file:
            for line in file:
                row = json.loads(line)
                if self._table in row:
                    yield row[self._table]


class JsonLinesEngine(Engine):
    """Counts of each batch, added up."""

    def __init__(self, table: JsonLines, schema: Schema) -> None:
        super().__init__(schema)
        self._table = table

    @property
    def n(self) -> int:
        """How many records there are."""
        return sum(batch.num_rows for batch in self._table.batches(self._table.names[:1]))

    def tabulate(self, column_sets: Sequence[tuple[str, ...]]) -> list[Tabulation]:
        """Count in one pass; columns that nobody asks for are not looked at."""
        asked = self.schema.select(tuple(dict.fromkeys(chain(*column_sets))))
        if not len(asked):
            return [Tabulation((), (), None, np.array([self.n])) for _ in column_sets]
        nobody = Records.from_codes([[] for _ in asked], asked)
        parts = [
            [self._counted(records, columns) for columns in column_sets]
            for records in chain([nobody], self._table.records(asked))
        ]
        return [Tabulation.merged(found) for found in zip(*parts, strict=True)]

    def _counted(self, records: Records, columns: tuple[str, ...]) -> Tabulation:
        if not columns:
            return Tabulation((), (), None, np.array([len(records)]))
        return MemoryEngine(records).tabulate([columns])[0]
