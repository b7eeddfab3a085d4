"""`deniable disguise`: raw records in, reports out."""

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from deniable.cli.show import print_json
from deniable.design import Design
from deniable.source.stream import disguise_file


def disguise(
    raw: Annotated[str, typer.Argument(help="Raw records.", metavar="RAW")],
    design: Annotated[Path, typer.Option("--design", help="The design.", metavar="YAML")],
    out: Annotated[Path, typer.Option("--out", help="Where reports go.", metavar="PARQUET")],
    seed: Annotated[
        int | None,
        typer.Option("--seed", min=0, help="Make the disguise reproducible, and so removable."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Disguise a file of any size, record by record.

    Only the design's attributes are written; every other column stays behind. The result carries
    the design's fingerprint. Randomness is the operating system's, unless a seed is given.
    """
    found = Design.load(design)
    with Console(stderr=True).status("Disguising …") as status:
        quiet = not sys.stderr.isatty()
        n = disguise_file(
            raw,
            found,
            out,
            seed=seed,
            progress=lambda done: (
                None if quiet else status.update(f"Disguising … {done:,} records")
            ),
        )
    if json:
        print_json({"records": n, "out": str(out), "fingerprint": found.fingerprint})
    else:
        typer.echo(f"Disguised {n:,} records into {out}.")
