"""One way in: any name of a table, whatever is behind it."""

from glob import has_magic
from pathlib import Path

from deniable.base.errors import DataError
from deniable.engine.address import Address, is_address
from deniable.engine.counts.count_table import CountTable, is_counted
from deniable.engine.files.file_tables import Files, TableFile
from deniable.engine.table import Table


def open_table(name: str | Path) -> Table:
    """Open files by a path, a folder or a pattern, or a table of a database by its address."""
    if isinstance(name, str) and is_address(name):
        address = Address.of(name)
        if address.scheme == "file":
            return _files(str(address.file))
        if address.scheme in {"spark", "spark+local"}:
            from deniable.engine.spark.spark_table import spark_table

            return spark_table(address)
        from deniable.engine.sql.databases import database_table

        return database_table(address)
    return _files(str(name))


def _files(name: str) -> Table:
    files = [TableFile(path) for path in paths_of(name)]
    if any(map(is_counted, files)):
        return CountTable(name, files)
    return Files(name, files)


def paths_of(name: str) -> list[Path]:
    """Files that a path, a folder or a pattern stands for, in order."""
    path = Path(name)
    if path.is_dir():
        found = sorted(each for each in path.iterdir() if _is_shard(each))
        if not found:
            raise DataError(
                f"{name} is a directory without tables.", hint="Name a CSV or Parquet file."
            )
        kinds = {each.suffix.lower() for each in found}
        if len(kinds) > 1:
            raise DataError(
                f"{name} holds files of several kinds.",
                hint=f"Choose by a pattern: '{name.rstrip('/')}/*{min(kinds)}'.",
            )
        return found
    if not path.exists() and has_magic(name):
        anchor = Path(path.anchor)
        fitting = anchor.glob(str(path.relative_to(anchor)))
        found = sorted(each for each in fitting if each.is_file() and each.name[0] not in "._")
        if not found:
            raise DataError(f"No file fits {name}.", hint="Check the pattern.")
        return found
    return [path]


def _is_shard(path: Path) -> bool:
    """Leave aside what tools leave in folders: hidden files, and marks such as _SUCCESS."""
    shown = not path.name.startswith((".", "_"))
    return shown and path.is_file() and path.suffix.lower() in {".parquet", ".csv", ".tsv"}
