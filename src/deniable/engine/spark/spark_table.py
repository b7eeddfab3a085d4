"""Spark: a cluster by its address, or this machine's cores; tables are Parquet or CSV files there.

`spark+local://#/data/shards` runs here, `spark+local://4#…` on four cores;
`spark://host:7077#/data/shards` on a cluster, whose machines must see the path. Spark's own
settings follow a question mark: `spark://host:7077?spark.executor.memory=4g#…`.

Machines that count need neither Python nor deniable: what they are given is a query.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from deniable.base.errors import DataError
from deniable.engine.address import Address
from deniable.engine.counts.count_table import is_counted
from deniable.engine.files.file_tables import Files, TableFile
from deniable.engine.sql.relation import Relation, faults

CSV = {
    "header": "true",
    "quote": '"',
    "escape": '"',
    "multiLine": "true",
    # Every line has all columns, and every file the same ones, whichever are asked for.
    "mode": "FAILFAST",
    "enforceSchema": "false",
    "columnPruning": "false",
}

CSV_NAME = r"\.[ct]sv(\.\w+)?$"
PACKED = r"\.(gz|bz2|zst|lz4|snappy|deflate)$"


def spark_table(address: Address) -> Relation:
    """Open files, or a table of the catalogue; files on this machine's disks are also seen here."""
    _require_sense(address)
    with faults(address.shown):
        from deniable.engine.spark.spark_session import Spark

        spark = Spark(address)
        table, files = spark.run(lambda: _opened(spark, address.table))
        found = Relation(address.shown, table, spark, secret=address.secret)
        if files is not None:
            found.paths, found.fingerprint = files.paths, files.fingerprint
        return found


def _require_sense(address: Address) -> None:
    """Refuse what no Spark could mean, before one is started."""
    for key, _ in address.options:
        if not key.startswith("spark."):
            raise DataError(
                f"{key!r} is no setting of Spark.",
                hint="They begin with spark., as in ?spark.executor.memory=4g.",
            )
    if not address.table or address.path.strip("/"):
        raise DataError(
            f"{address.shown} names no data.",
            hint=f"Put a path after #: {address.scheme}://{address.host}#/data/shards.",
        )
    if address.scheme == "spark+local" and not re.fullmatch(r"\*|[1-9]\d*|", address.host):
        raise DataError(
            f"{address.place} names no number of cores.",
            hint="Write spark+local://4#/data/shards.",
        )


def _opened(spark: Any, path: str) -> tuple[Any, Files | None]:
    """Read a table of the catalogue, or what a path holds."""
    read = spark.session.read
    if re.fullmatch(r"[\w.]+", path) and spark.session.catalog.tableExists(path):
        return spark.table(spark.session.table(path)), None
    if Path(path).exists():  # then no sign in it stands for others
        path = re.sub(r"([\\*?\[\]{}])", r"\\\1", path)
    places = read.format("binaryFile").load(path).inputFiles()
    if not places:
        raise DataError(f"{spark.name} holds no files.", hint="Name CSV or Parquet files.")
    files = _seen(places, spark.name)
    first = files.files[0] if files else None
    if first.is_parquet if first else not re.search(CSV_NAME, places[0]):
        return spark.table(read.parquet(path)), files
    separator = first.delimiter if first else _separator(read, places[0])
    table = spark.table(read.options(**CSV, sep=separator).csv(path))
    if len(table.columns) == 1:
        raise DataError(
            f"{spark.name} is CSV with one column, of which Spark loses empty lines.",
            hint="Make it Parquet.",
        )
    return table.fill_null(""), files


def _separator(read: Any, place: str) -> str:
    """Find what separates values, as `TableFile` does, in a file that only Spark sees."""
    header = read.text(place).first()
    signs = "\t" if ".tsv" in place else ",;\t"
    return next((sign for sign in signs if header and sign in header.value), signs[0])


def _seen(places: Sequence[str], name: str) -> Files | None:
    """Look at files on this machine's disks, which must be of one kind, and of one design."""
    if any(urlsplit(place).scheme != "file" or re.search(PACKED, place) for place in places):
        return None
    paths = (Path(unquote(urlsplit(place).path)) for place in places)
    files = Files(name, [TableFile(path) for path in sorted(paths) if path.stat().st_size])
    if any(map(is_counted, files.files)):
        raise DataError(f"{name} holds counts of reports.", hint="Name it by its path alone.")
    return files
