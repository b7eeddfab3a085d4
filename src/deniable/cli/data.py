"""`deniable data …`: the data sets of the papers."""

from typing import Annotated, Any

import typer

from deniable.base.errors import DataError
from deniable.cli.options import AsJson, command_group
from deniable.cli.show.output import note, print_json, print_table

app = command_group("The data sets of the papers.")


@app.command(name="list")
def list_sets(json: AsJson = False) -> None:
    """Show every data set, where it is from, and where it is on this machine.

    They are looked for in the folder that DENIABLE_DATA names, or else in ../shared/data and in
    the cache of `deniable data fetch`.
    """
    from deniable.papers.datasets import SETS, SURVEYS, as_published, find

    rows: list[dict[str, Any]] = []
    for name, each in (SETS | SURVEYS).items():
        try:
            path = find(name)
            where, whole = str(path), as_published(path, each)
        except DataError:
            where, whole = None, False
        rows.append(
            {"name": name, "records": each.records, "origin": each.origin, "file": where}
            | {"fetchable": each.uci is not None, "as_published": whole}
        )
    if json:
        print_json(rows)
        return
    lines = [
        [row["name"], f"{row['records']:,}", row["origin"], row["file"] or "not here"]
        for row in rows
    ]
    print_table("Data sets", ["Name", "#Records", "From", "File"], lines)
    for row in rows:
        if row["file"] and not row["as_published"]:
            note(f"{row['file']} differs from the published set.")


@app.command()
def fetch(
    names: Annotated[
        list[str] | None, typer.Argument(help="Which; all that UCI has, unless named.")
    ] = None,
) -> None:
    """Fetch data sets from the UCI Machine Learning Repository.

    They go to the folder that DENIABLE_DATA names, or else to the user's cache. A set that is on
    this machine already is left alone; one that arrives other than expected is not written.
    """
    from deniable.papers import datasets

    for name in names or list(datasets.SETS):
        chosen = datasets.data_set(name)
        places = [folder / chosen.file for folder in datasets.folders()]
        here = [p for p in places if p.is_file() and datasets.as_published(p, chosen)]
        path = here[0] if here else datasets.fetch(name)
        typer.echo(f"{name}: {chosen.records:,} records in {path}{', as before' * bool(here)}.")
