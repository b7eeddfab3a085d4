"""Files that are written whole or not at all."""

import errno
import os
import secrets
import stat
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from deniable.errors import OutputError

GROUP_RECORDS = 1 << 16
"""Records of a row group, at least."""


def refuse_to_overwrite(out: str | Path | None, inputs: Iterable[Path]) -> None:
    """Keep a result from being written over what it is made of."""
    if out is not None and Path(out).resolve() in {path.resolve() for path in inputs}:
        raise OutputError(f"{out} is read, so it is not written.", hint="Name another file.")


def write_parquet(path: Path, tables: "Iterable[pa.Table]") -> int:
    """Write tables of one schema as they come, in row groups of a fair size; count the records."""
    with ExitStack() as stack:
        writer: pq.ParquetWriter | None = None
        records = 0
        for table in _gathered(tables):
            if writer is None:
                writer = stack.enter_context(pq.ParquetWriter(path, table.schema))
            writer.write_table(table)
            records += table.num_rows
    return records


def _gathered(tables: "Iterable[pa.Table]") -> "Iterator[pa.Table]":
    waiting: list[pa.Table] = []
    for table in tables:
        waiting.append(table)
        if sum(each.num_rows for each in waiting) >= GROUP_RECORDS:
            yield pa.concat_tables(waiting)
            waiting = []
    if waiting:
        yield pa.concat_tables(waiting)


@contextmanager
def whole_file(path: str | Path) -> Iterator[Path]:
    """Give a temporary name beside the path; what is written there appears whole, or not at all."""
    target = Path(path).resolve()
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        if target.is_dir():
            raise OutputError(f"{path} is a directory.", hint="Name a file to write.")
        if target.exists() and not target.is_file():
            raise OutputError(f"{path} is not a regular file.", hint="Name a file to write.")
        temporary.touch(exist_ok=False)
    except OSError as error:
        raise _cannot_write(path, error) from None
    try:
        yield temporary
        try:
            with temporary.open("rb+") as file:
                os.fsync(file.fileno())
            if target.exists():
                temporary.chmod(stat.S_IMODE(target.stat().st_mode))
            temporary.replace(target)
        except OSError as error:
            raise _cannot_write(path, error) from None
    except OSError as error:
        if error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}:
            raise _cannot_write(path, error) from None
        raise
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def _cannot_write(path: str | Path, error: OSError) -> OutputError:
    reason = os.strerror(error.errno).lower() if error.errno else str(error)
    return OutputError(
        f"{path} cannot be written: {reason}.", hint="Choose another place for the output."
    )
