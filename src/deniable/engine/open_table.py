"""The one door to data: whatever a caller holds, or names, as a table or as an engine.

A name is a path, a pattern of paths, or an address, whose kind (what stands before ://) is opened
by a function from the address to a `Table`: one of ours, or one that another package offers by an
entry point of the group ``deniable.engines``, named as the kind of address.
"""

from collections.abc import Mapping
from glob import has_magic
from importlib import import_module
from pathlib import Path
from typing import Any

from deniable.base.errors import DataError, DeniableError, ExtensionError, nearest
from deniable.base.extensions import UPDATE, broken, load, offered
from deniable.engine.address import Address, is_address
from deniable.engine.counts.count_table import CountTable, is_counted
from deniable.engine.engine import Engine
from deniable.engine.files.file_tables import Files, TableFile
from deniable.engine.files.labelled_files import LABELLED, LabelledFile
from deniable.engine.table import MemoryTable, Table
from deniable.schema import Schema

ENGINE_GROUP = "deniable.engines"

DATABASES, SPARK = "sql.databases:database_table", "spark.spark_table:spark_table"

OWN_OPENERS: Mapping[str, str] = {
    "file": "open_table:file_table",
    "duckdb": DATABASES,
    "sqlite": DATABASES,
    "postgresql": DATABASES,
    "postgres": DATABASES,
    "spark": SPARK,
    "spark+local": SPARK,
}
"""Kinds of addresses that are opened here, and by what; loaded only when one is asked for."""


def open_table(given: Any) -> Table:
    """Open a table by its path, a folder or a pattern, or its address; or take what is held.

    That may be a table of pandas, polars, Arrow or Ibis, a mapping of columns, a NumPy array,
    records, or a table that is open already.
    """
    if isinstance(given, Table):
        return given
    if isinstance(given, str) and is_address(given):
        return _addressed(Address.of(given))
    if isinstance(given, str | Path):
        return _files(str(given))
    if type(given).__module__.startswith("ibis."):
        from deniable.engine.sql.relation import Relation

        return Relation(Table.name, given)
    return MemoryTable(given)


def open_engine(
    given: Any, schema: Schema, fingerprint: str | None = None, *, reports: bool = False
) -> Engine:
    """Take an engine as it is, and count anything else as a table, for many questions.

    Where a fingerprint is given, a table that carries another one is refused; and so is, where
    they must be `reports`, one that says it was never disguised.
    """
    if isinstance(given, Engine):
        return given
    table = open_table(given)
    if fingerprint is not None:
        table.check_fingerprint(fingerprint)
    if reports:
        table.require_reports()
    return table.held(schema)


def _addressed(address: Address) -> Table:
    """Open an address by what its kind is opened by; other packages are asked after ours."""
    scheme = address.scheme
    if scheme in OWN_OPENERS:
        return _own(OWN_OPENERS[scheme], address)
    if scheme in (others := offered(ENGINE_GROUP)):
        return _of_another_package(address)
    from deniable.engine.sql.databases import known_to_ibis

    if scheme in (known := known_to_ibis()):
        return _own(DATABASES, address)
    ours = [own for own in OWN_OPENERS if own not in {"file", "postgres"}]
    suggested = nearest(scheme, sorted({*ours, *others, *known}))
    schemes = ", ".join(f"{each}://" for each in (*ours, *others))
    other = f"Use a path, {schemes}, or what Ibis knows."
    raise DataError(
        f"{scheme}:// is no kind of table that deniable knows.",
        hint=suggested if suggested.startswith("Did") else other,
    )


def _own(opener: str, address: Address) -> Table:
    module, _, function = opener.partition(":")
    table: Table = vars(import_module(f"deniable.engine.{module}"))[function](address)
    return table


def _of_another_package(address: Address) -> Table:
    opener, whose = load(ENGINE_GROUP, address.scheme, f"{address.scheme}://")
    try:
        table = opener(address)
    except DeniableError:
        raise
    except Exception as error:
        raise broken(whose, error) from error
    if not isinstance(table, Table):
        raise ExtensionError(f"{whose} gave a {type(table).__name__}, no Table.", hint=UPDATE)
    return table


def file_table(address: Address) -> Table:
    """Open files by an address."""
    return _files(str(address.file))


def _files(name: str) -> Table:
    paths = paths_of(name)
    labelled = [path for path in paths if path.suffix.lower() in LABELLED]
    if labelled:
        if len(paths) > 1:
            raise DataError(
                f"{name} is several files, of SPSS or Stata among them.", hint="Name one file."
            )
        return LabelledFile(paths[0])
    files = [TableFile(path) for path in paths]
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
