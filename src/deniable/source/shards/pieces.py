"""Cutting raw files into pieces of work; each becomes a shard of reports.

The cut depends on the files alone, neither on workers nor on memory, so that a seed gives the same
reports everywhere.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pyarrow.parquet as pq

from deniable.engine.files.file_tables import TableFile

PIECE_CELLS = 1 << 23
"""Cells (records times columns) of a piece, at least: about a second of work."""

MOST_PIECES = 256
"""Into how many pieces one file is cut, at most, so that the shards of a huge one are not tiny."""

FIRST_SHARD = "part-00000.parquet"


@dataclass(frozen=True)
class FilePiece:
    """A file, or some row groups of it."""

    path: Path
    number: int = 0
    shard: str = FIRST_SHARD
    """The file that its reports go to."""

    groups: range | None = None
    start: int = 0
    """Records of the file before it, for messages that name a row."""

    footer: int = 0
    """Bytes of the footer that is read or, for text, of the one to be written."""


def cut(files: Sequence[TableFile], columns: int) -> list[FilePiece]:
    """Cut Parquet files between row groups; any other file is one piece."""
    pieces = [piece for file in files for piece in _cut(file, columns)]
    digits = max(5, len(str(len(pieces) - 1)))  # names sort in the order of the records
    return [
        replace(piece, number=number, shard=f"part-{number:0{digits}}.parquet")
        for number, piece in enumerate(pieces)
    ]


def _cut(file: TableFile, columns: int) -> Iterator[FilePiece]:
    if not file.is_parquet:
        # Its shard's own footer: 100 bytes for 2¹⁶ cells, of 2 bytes or more each in the text.
        yield FilePiece(file.path, footer=file.path.stat().st_size * 100 >> 17)
        return
    footer = pq.read_metadata(file.whole_path)
    enough = max(PIECE_CELLS // columns, footer.num_rows // MOST_PIECES)
    first = start = records = 0
    for group in range(footer.num_row_groups):
        records += footer.row_group(group).num_rows
        if records >= enough or group == footer.num_row_groups - 1:
            groups = range(first, group + 1)
            yield FilePiece(file.path, groups=groups, start=start, footer=footer.serialized_size)
            first, start, records = group + 1, start + records, 0
