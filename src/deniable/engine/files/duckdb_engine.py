"""DuckDB inside this process, over files: all cores, and a limit on memory."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from deniable.engine.engine import Columns
from deniable.engine.files.file_tables import LONGEST_LINE, TableFile
from deniable.engine.sql.drivers import connect
from deniable.engine.sql.faults import interruptible
from deniable.engine.sql.relation import counting, faults
from deniable.engine.sql.scans import Choice

if TYPE_CHECKING:
    import pyarrow as pa


class Embedded:
    """Files as one table of DuckDB; its columns are numbered as the first file's are."""

    local = True

    def __init__(self, name: str, files: Sequence[TableFile]) -> None:
        self.name = name
        self._names = files[0].names
        self.types = files[0].types
        with faults(name):
            self._table = _parquet(files) if files[0].is_parquet else _csv(files)

    def counted(self, base: Columns, choices: Sequence[Choice], most: int) -> "pa.Table":
        """Fetch distinct values of the base, how often each occurs, and with each choice."""
        chosen = [(self._column(name), value) for name, value in choices]
        with faults(self.name):
            expression = counting(self._table, list(map(self._column, base)), chosen)
            stop = self._table.get_backend().con.interrupt
            return interruptible(expression.limit(most).to_pyarrow, stop)

    def _column(self, name: str) -> str:
        """By position: DuckDB does not tell A from a."""
        return str(self._table.columns[self._names.index(name)])


def _parquet(files: Sequence[TableFile]) -> Any:
    ordered = all(file.names == files[0].names for file in files)
    return connect().read_parquet(
        [_literally(file) for file in files], hive_partitioning=False, union_by_name=not ordered
    )


def _csv(files: Sequence[TableFile]) -> Any:
    columns = {f"c{place}": "VARCHAR" for place in range(len(files[0].names))}
    return connect().read_csv(
        [_literally(file) for file in files],
        columns=columns,
        delim=files[0].delimiter,
        quote='"',
        escape='"',
        force_not_null=list(columns),
        null_padding=False,
        max_line_size=LONGEST_LINE,
        buffer_size=2 * LONGEST_LINE,
    )


def _literally(file: TableFile) -> str:
    """A path in which no sign stands for others."""
    return re.sub(r"([*?\[])", r"[\1]", str(file.path.absolute()))
