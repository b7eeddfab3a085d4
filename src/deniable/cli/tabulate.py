"""`deniable tabulate`: reports into a count table, batch after batch."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from deniable.cli.disguised_tables import Site, note_trust
from deniable.cli.options import AsJson, DesignFile
from deniable.cli.show.output import print_json, progress
from deniable.design import Design
from deniable.engine.counts.append import append
from deniable.engine.open_table import open_table


def tabulate(
    tables: Annotated[
        list[str], typer.Argument(help="Disguised records, or count tables.", metavar="TABLE")
    ],
    design: DesignFile,
    into: Annotated[
        Path, typer.Option(help="The count table; made if it is not there.", metavar="PARQUET")
    ],
    again: Annotated[
        bool, typer.Option("--again", help="Also add what was counted before.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Count reports into a count table, which every command reads like the reports themselves.

    All tables are added, or none; others may add to the same count table meanwhile. A count table
    is added like any other table, which merges the two.

    A file is known by its contents: it is refused if it was counted before, also if that was into a
    count table that is added now. A table of a database has no such mark: counted twice, it is in
    the counts twice.
    """
    found = Design.load(design)
    sites = [Site(open_table(name), found) for name in tables]
    with progress("Counting"):
        done = append([site.table for site in sites], found.schema, found.stamp, into, again=again)
    note_trust(sites)
    if json:
        print_json({**asdict(done), "into": str(into), "fingerprint": found.stamp})
    else:
        typer.echo(
            f"Added {done.added:,} records to {into}, which holds {done.records:,} now: "
            f"{done.distinct:,} distinct reports."
        )
