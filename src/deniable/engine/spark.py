"""Spark: a cluster by its address, or this machine's cores; tables are Parquet or CSV files there.

`spark+local://#/data/shards` runs here, `spark+local://4#…` on four cores;
`spark://host:7077#/data/shards` on a cluster, whose machines must see the path. Spark's own
settings follow a question mark: `spark://host:7077?spark.executor.memory=4g#…`.
"""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from deniable.engine.address import Address
from deniable.engine.relation import Relation, faults
from deniable.errors import DataError

SETTINGS = {
    "spark.app.name": "deniable",
    "spark.sql.caseSensitive": "true",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "OFF",
}

LOCAL = {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
"""Work on this machine is nobody else's business."""


def spark_table(address: Address) -> Relation:
    """Open files, or a table of the catalogue, on Spark."""
    if not address.table:
        raise DataError(
            f"{address.shown} names no data.", hint="Put a path after #: …#/data/shards."
        )
    with faults(address.shown):
        connection = _connected(address)
        table = _table(connection, address.table)
    return Relation(address.shown, table)


def _connected(address: Address) -> Any:
    import ibis
    from pyspark.sql import SparkSession

    local = address.scheme == "spark+local"
    master = f"local[{address.host or '*'}]" if local else f"spark://{address.host}"
    settings = {**SETTINGS, **(LOCAL if local else {}), **dict(address.options)}
    builder = SparkSession.builder.master(master)
    for key, value in settings.items():
        builder = builder.config(key, value)
    with _quietly():
        session = builder.getOrCreate()
    return ibis.pyspark.connect(session)


def _table(connection: Any, name: str) -> Any:
    """Read what the path holds: CSV by its name, otherwise Parquet; or a table of the catalogue."""
    if "/" not in name and name in connection.list_tables():
        return connection.table(name)
    if name.lower().endswith((".csv", ".tsv")):
        return connection.read_csv(
            name, header=True, inferSchema=False, sep="\t" if name.endswith(".tsv") else ","
        )
    return connection.read_parquet(name)


@contextmanager
def _quietly() -> Iterator[None]:
    """Keep what the Java machine prints while it starts off the terminal; it inherits the file."""
    kept = os.dup(2)
    with tempfile.TemporaryFile() as aside:
        os.dup2(aside.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(kept, 2)
            os.close(kept)
