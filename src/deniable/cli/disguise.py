"""`deniable disguise`: raw records in, reports out."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Annotated

import typer

from deniable.base.errors import OutputError
from deniable.base.wording import plural
from deniable.cli.options import AsJson, DesignFile
from deniable.cli.show.output import doing_now, note, print_json
from deniable.design import Design
from deniable.source.shards.disguise_shards import disguise_shards, names_folder
from deniable.source.shards.memory_limit import bytes_of
from deniable.source.stream import disguise_file


def disguise(
    raw: Annotated[str, typer.Argument(help="Raw records.", metavar="RAW")],
    design: DesignFile,
    out: Annotated[str, typer.Option(help="Where reports go.", metavar="PARQUET|FOLDER/")],
    workers: Annotated[
        int | None,
        typer.Option(min=1, help="Processes that fill a folder.  [default: one per core]"),
    ] = None,
    memory: Annotated[
        str | None,
        typer.Option(
            help="What they may take together, such as 1GiB.  [default: half of the machine's]",
            metavar="SIZE",
        ),
    ] = None,
    random_state: Annotated[
        int | None, typer.Option(min=0, help="Make the disguise reproducible, and so removable.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Disguise a table of any size, record by record.

    Only the design's attributes are written; every other column stays behind. The result carries
    the design's fingerprint. Randomness is the operating system's, unless a seed is given.

    Into a folder, reports are written as shards, by several processes at once: one shard for every
    input file, several for a large Parquet file, one for a table in a database. The folder appears
    when all of them are complete, and is read like a file by every other command.
    """
    found = Design.load(design)
    limit = bytes_of(memory) if memory is not None else None
    sharded = names_folder(out)
    if not sharded and (workers is not None or limit is not None):
        raise OutputError(
            f"{out} is one file, which one process writes.",
            hint="Leave out --workers and --memory, or end --out in / to write a folder.",
        )
    result: dict[str, object] = {"out": out, "fingerprint": found.fingerprint}
    with _said_if_stopped(), doing_now("Disguising …") as told:

        def progress(done: int) -> None:
            told(f"Disguising … {done:,} records")

        if sharded:
            done = disguise_shards(
                raw,
                found,
                out,
                workers=workers,
                memory=limit,
                random_state=random_state,
                progress=progress,
            )
            records, result = done.records, result | asdict(done)
            into = f"{plural(done.shards, 'shard')} in {out}"
        else:
            records, into = (
                disguise_file(raw, found, out, random_state=random_state, progress=progress),
                out,
            )
    if json:
        print_json({"records": records, **result})
    else:
        typer.echo(f"Disguised {records:,} records into {into}.")


@contextmanager
def _said_if_stopped() -> Iterator[None]:
    """Say, however the command was stopped, what that means."""
    try:
        yield
    except (KeyboardInterrupt, SystemExit):
        note("Stopped; nothing was written.")
        raise
