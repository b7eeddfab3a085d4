"""`deniable reproduce`: the papers' experiments, done again."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deniable.base.errors import DataError, nearest
from deniable.base.wording import plural
from deniable.cli.options import AsJson
from deniable.cli.show.output import long_progress, note, print_json, print_table

if TYPE_CHECKING:
    from deniable.papers.reproduction.experiment import Paper
    from deniable.papers.reproduction.report_files import Report

SEED_OF_REPORTS = 2026
EVERYTHING = "all"


def reproduce(
    papers: Annotated[
        list[str] | None,
        typer.Argument(help="A, B, C, D, E, beyond, or all.  [default: all]", metavar="[PAPER]..."),
    ] = None,
    out: Annotated[Path, typer.Option(help="Folder for the report.", metavar="REPORT")] = Path(
        "report"
    ),
    quick: Annotated[
        bool, typer.Option("--quick", help="Fewer repeats: minutes instead of an hour.")
    ] = False,
    repeats: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Repeats of every cell; slow miners have fewer.  [default: as in the papers]",
        ),
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Processes at once.  [default: one for each core]")
    ] = None,
    random_state: Annotated[
        int, typer.Option(min=0, help="Seed: the same one gives the same numbers.")
    ] = SEED_OF_REPORTS,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Begin anew, whatever is finished in the folder.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Do the papers' experiments again: figures, tables, and claims checked by code.

    The report is a folder: report.html, a CSV for each figure, claims.csv and claims.json. An
    interrupted run goes on where it stopped when the same command is given again. It exits with 1
    if a claim that should hold does not.
    """
    from deniable.papers.reproduction.experiment import Effort
    from deniable.papers.reproduction.report_files import claim_documents
    from deniable.papers.reproduction.reproduce import reproduce as run
    from deniable.papers.reproduction.workers import usable_cores

    wanted = _wanted(papers or ["all"])
    try:
        with long_progress("Doing the papers’ experiments") as bar:
            report = run(
                wanted,
                out,
                effort=Effort(quick, repeats),
                seed=random_state,
                jobs=jobs or usable_cores(),
                fresh=fresh,
                progress=bar,
            )
    except KeyboardInterrupt:
        note(f"Interrupted; what was finished is kept in {out}, and the same command goes on.")
        raise typer.Exit(130) from None
    if json:
        print_json(claim_documents(report))
    else:
        _show(report, out)
    if any(each.is_failure for each in report.claims):
        raise typer.Exit(1)


def _wanted(asked: list[str]) -> "list[Paper]":
    from deniable.papers.every_paper import PAPERS

    known = {letter.casefold(): letter for letter in PAPERS}
    letters = {written.casefold(): written for written in asked}
    for letter, written in letters.items():
        if letter not in {*known, EVERYTHING}:
            raise DataError(
                f"There is no paper {written!r}.", hint=nearest(letter, [*PAPERS, EVERYTHING])
            )
    return [PAPERS[known[letter]] for letter in known if {letter, EVERYTHING} & set(letters)]


def _show(report: "Report", out: Path) -> None:
    from deniable.papers.reproduction.reproduce import FIGURES_FOLDER, PAGE

    print_table(
        "Claims of the papers",
        ["Claim", "Measured", "Outcome"],
        [[each.claim.name, each.found.measured, each.outcome] for each in report.claims],
    )
    failed = [each.claim.name for each in report.claims if each.is_failure]
    typer.echo(
        f"Wrote {out / PAGE}, and a table of every figure in {out / FIGURES_FOLDER}. "
        f"Seed {report.seed}; {report.seconds / 60:,.1f} minutes of one core."
    )
    if failed:
        few = " Claims are tested at a level: with few repeats they may not show." * bool(
            report.asked
        )
        note(f"{plural(len(failed), 'claim')} should hold and failed: {', '.join(failed)}.{few}")
