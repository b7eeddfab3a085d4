"""Files of SPSS and Stata as tables: numbers with labels, turned into the values of a schema.

An export of ours names its design, and its numbers are the places of the values in that design
(`value_codes`), whatever language its labels are in. In any other file the labels are the values,
unless the numbers are.

A damaged file may end the program that reads it: ReadStat, which is written in C, takes some for
what they say. So another process opens a file first.
"""

import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from deniable.base.errors import DataError
from deniable.base.extras import not_installed
from deniable.base.files import read_errors
from deniable.engine.engine import Engine
from deniable.engine.memory.numpy_engine import MemoryEngine
from deniable.engine.memory.records import DESIGN_STAMP, Records, require_fingerprint
from deniable.engine.table import BATCH_RECORDS, Table
from deniable.schema import Attribute, Schema

if TYPE_CHECKING:
    import pyarrow as pa

LABELLED = {".sav": "read_sav", ".zsav": "read_sav", ".dta": "read_dta"}
"""What reads a file, by the end of its name."""

MARK = 12
"""Digits of a design's fingerprint that an export has in its label: Stata's has no more room."""

OPENED_FIRST = """
import sys, pyreadstat
getattr(pyreadstat, sys.argv[1])(sys.argv[2], output_format="dict", row_limit=1)
"""
"""Costs a tenth of a second."""

_MARKED = re.compile(rf"design ([0-9a-f]{{{MARK}}})$")


def file_label(told: str, fingerprint: str) -> str:
    """The label of an exported file, which names its design.

    >>> file_label("disguised answers", "0123456789abcdef")
    'disguised answers, design 0123456789ab'
    """
    return f"{told}, design {fingerprint[:MARK]}"


def value_codes(values: Sequence[str]) -> tuple[int, ...]:
    """Numbers for values: the values themselves where they are whole numbers, else their places.

    >>> value_codes(("no", "yes")), value_codes(("5", "3", "1"))
    ((0, 1), (5, 3, 1))
    """
    if all(_is_whole(value) for value in values):
        return tuple(map(int, values))
    return tuple(range(len(values)))


class LabelledFile(Table):
    """One file of SPSS or Stata."""

    def __init__(self, path: Path) -> None:
        if find_spec("pyreadstat") is None:
            raise not_installed("Files of SPSS and Stata need", ["pyreadstat"], "deniable[survey]")
        self.name, self.paths, self._path = str(path), (path,), path
        with _errors(path):
            _require_harmless(path)
        _, about = self._read(metadataonly=True)
        self._names: tuple[str, ...] = tuple(about.column_names)
        self._labels: Mapping[str, Mapping[Any, str]] = about.variable_value_labels
        marked = _MARKED.search(about.file_label or "")
        self._mark = marked[1] if marked else None
        stamp = f"{DESIGN_STAMP.decode()}="
        notes = [note for note in about.notes or () if note.startswith(stamp)]
        self.fingerprint = notes[0].removeprefix(stamp) if notes else self._mark

    @property
    def names(self) -> tuple[str, ...]:
        """The columns."""
        return self._names

    @property
    def types(self) -> "pa.Schema":
        """Labels and numbers are read as text."""
        import pyarrow as pa

        return pa.schema([(name, pa.string()) for name in self._names])

    def check_fingerprint(self, expected: str) -> None:
        """Refuse a file of another design; Stata's know the beginning of their fingerprint."""
        known = self.fingerprint or ""
        require_fingerprint(self.fingerprint, expected[: len(known)], self.name)

    def batches(self, columns: Sequence[str]) -> "Iterator[pa.RecordBatch]":
        """Read some columns: of ours the numbers, of others the labels of those that have one."""
        for codes in self._coded(columns):
            labels = {name: {} if self._mark else self._labels.get(name, {}) for name in codes}
            yield _batch({name: _labelled(codes[name], labels[name]) for name in codes})

    def records(self, schema: Schema) -> Iterator[Records]:
        """Read records of a schema, a batch at a time; errors name the row."""
        self.require(schema.names)
        words = {attribute.name: self._words(attribute) for attribute in schema}
        start = 0
        for codes in self._coded(schema.names):
            batch = _batch({name: _labelled(codes[name], words[name]) for name in codes})
            yield Records.of(batch, schema, where=self.name, start=start)
            start += batch.num_rows

    def engine(self, schema: Schema) -> Engine:
        """Count in memory: who uses these programs has it all there, too."""
        return MemoryEngine(self.read(schema))

    def _words(self, attribute: Attribute) -> Mapping[Any, str]:
        """The value that each number of a column stands for."""
        if self._mark is not None:
            return dict(zip(value_codes(attribute.values), attribute.values, strict=True))
        labels = self._labels.get(attribute.name, {})
        if labels and not set(labels.values()) & set(attribute.values):
            return {}  # words for people; then the numbers are the values
        return labels

    def _coded(self, columns: Sequence[str]) -> "Iterator[dict[str, Any]]":
        present = [name for name in columns if name in self._names]
        start = 0
        while True:
            codes, _ = self._read(usecols=present, row_offset=start, row_limit=BATCH_RECORDS)
            many = len(next(iter(codes.values()), ()))
            if many:
                yield {name: codes[name] for name in present}
            if many < BATCH_RECORDS:
                return
            start += many

    def _read(self, **what: Any) -> Any:
        import pyreadstat

        read = getattr(pyreadstat, LABELLED[self._path.suffix.lower()])
        with _errors(self._path):
            return read(self._path, output_format="dict", disable_datetime_conversion=True, **what)


def _labelled(column: Any, words: Mapping[Any, str]) -> list[str | None]:
    """Values as text, by the words for them; None where one is missing."""
    values = np.asarray(column).tolist()
    texts = {value: _text(value, words) for value in set(values)}
    return [texts[value] for value in values]


def _text(value: Any, words: Mapping[Any, str]) -> str | None:
    if value is None or value != value:  # noqa: PLR0124 (not a number)
        return None
    if value in words:
        return words[value]
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _batch(columns: Mapping[str, list[str | None]]) -> "pa.RecordBatch":
    import pyarrow as pa

    arrays = [pa.array(column, pa.string()) for column in columns.values()]
    return pa.record_batch(arrays, names=list(columns))


def _require_harmless(path: Path) -> None:
    """Refuse a file on which its reader breaks down; what is wrong otherwise is said elsewhere."""
    reader = LABELLED[path.suffix.lower()]
    done = subprocess.run(  # noqa: S603 (this Python, and no shell)
        [sys.executable, "-I", "-c", OPENED_FIRST, reader, str(path.resolve())],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    if done.returncode < 0:
        raise DataError(
            f"{path} cannot be read: what reads such files breaks down on it.",
            hint="The file may be cut short or damaged; write it again.",
        )


@contextmanager
def _errors(path: Path) -> Iterator[None]:
    import pyreadstat

    try:
        with read_errors(path, "a file of SPSS or Stata"):
            if path.is_dir():
                raise IsADirectoryError
            if not path.stat().st_size:
                raise DataError(f"{path} is empty.", hint="Name a file with records.")
            yield
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError) as error:
        raise DataError(
            f"{path} cannot be read: {str(error).rstrip('.')}.",
            hint="The file may be cut short or damaged; write it again.",
        ) from None


def _is_whole(value: str) -> bool:
    digits = value.removeprefix("-")
    return digits.isascii() and digits.isdigit() and str(int(value)) == value
