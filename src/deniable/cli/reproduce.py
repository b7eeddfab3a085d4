"""`deniable reproduce`: the papers' experiments, done again."""

from pathlib import Path
from typing import Annotated

import typer

from deniable.base.errors import DataError, nearest
from deniable.base.wording import plural
from deniable.cli.options import AsJson
from deniable.cli.show.output import print_json, print_table, progress

SEED = 2026


def reproduce(
    papers: Annotated[
        list[str] | None,
        typer.Argument(help="A, B, C, D, E or all.  [default: all]", metavar="[PAPER]..."),
    ] = None,
    out: Annotated[Path, typer.Option(help="Folder for the report.", metavar="REPORT")] = Path(
        "report"
    ),
    quick: Annotated[
        bool, typer.Option("--quick", help="Few repeats: minutes instead of an hour.")
    ] = False,
    repeats: Annotated[
        int | None,
        typer.Option(min=1, help="Repeats of each cell.  [default: as in the paper]"),
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Processes at once.  [default: one for each core]")
    ] = None,
    random_state: Annotated[
        int, typer.Option(min=0, help="Seed; with the same one all numbers are the same.")
    ] = SEED,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Begin anew, whatever is finished already.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Do the papers' experiments again: figures, tables, and claims checked by code.

    The report is a folder: report.html, a CSV per figure, and claims.csv and claims.json. If it is
    interrupted, the same command goes on where it stopped. It exits with 1 if a claim that is
    expected to hold does not.
    """
    from deniable.papers.every_paper import PAPERS
    from deniable.papers.reproduction.experiment import Effort
    from deniable.papers.reproduction.report_files import claim_documents
    from deniable.papers.reproduction.reproduce import PAGE
    from deniable.papers.reproduction.reproduce import reproduce as run
    from deniable.papers.reproduction.workers import usable_cores

    chosen = papers or ["all"]
    for letter in chosen:
        if letter not in {*PAPERS, "all"}:
            raise DataError(f"There is no paper {letter!r}.", hint=nearest(letter, [*PAPERS]))
    wanted = [paper for key, paper in PAPERS.items() if {key, "all"} & set(chosen)]
    with progress("Doing the papers again") as bar:
        report = run(
            wanted,
            out,
            effort=Effort(quick, repeats),
            seed=random_state,
            jobs=jobs or usable_cores(),
            fresh=fresh,
            progress=bar,
        )
    failed = [each for each in report.claims if each.is_failure]
    if json:
        print_json(claim_documents(report))
    else:
        print_table(
            "Claims of the papers",
            ["Claim", "Measured", "Outcome"],
            [[each.claim.name, each.found.measured, each.outcome] for each in report.claims],
        )
        typer.echo(f"Wrote {out / PAGE}, with a table for each figure in {out / 'figures'}.")
        if failed:
            typer.echo(f"{plural(len(failed), 'claim')} that should hold did not.")
    if failed:
        raise typer.Exit(1)
