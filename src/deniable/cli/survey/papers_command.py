"""`deniable survey papers`: what an ethics board asks for, written from the survey's file."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deniable.base.errors import DataError
from deniable.base.wording import joined, plural
from deniable.cli.options import AsJson
from deniable.cli.show.output import doing_now, note, print_json
from deniable.cli.survey.survey_database import Address, File, opened

if TYPE_CHECKING:
    from deniable.survey.board_papers.fieldwork import Fieldwork


def papers(
    file: File,
    out: Annotated[Path, typer.Option(help="A new folder.", metavar="FOLDER")],
    population: Annotated[
        Path | None,
        typer.Option(
            help="Shares that are expected, for the measured risks (YAML).  [default: even]",
            metavar="SHARES",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    planned: Annotated[
        int | None,
        typer.Option(
            min=10, help="Answers, for the precision.  [default: when results are first shown]"
        ),
    ] = None,
    began: Annotated[
        str | None, typer.Option(help="When the survey opened, in your words.", metavar="DATE")
    ] = None,
    ended: Annotated[
        str | None, typer.Option(help="When it closed, in your words.", metavar="DATE")
    ] = None,
    random_state: Annotated[int, typer.Option(help="Of the invented people.", min=0)] = 0,
    database: Address = None,
    json: AsJson = False,
) -> None:
    """Write papers for an ethics board: each as HTML, Word and Markdown, in English and German.

    An information sheet, a data-protection statement, the risks with measured figures, the skeleton
    of a preregistration and a methods section, in those of the survey's languages. What the file
    does not know is marked, for you to fill in. Once the survey is closed, the methods have the
    response rate and all results, and scripts for Python and R compute them from the export.
    """
    from deniable.cli.privacy import expected_shares
    from deniable.privacy.report.privacy_report import rehearsed_report
    from deniable.survey.board_papers.folder import require_disguise, write_papers
    from deniable.survey.questionnaire import load

    survey = load(file)
    require_disguise(survey)
    if (began is None) != (ended is None):
        raise DataError("One date was given.", hint="Give both --began and --ended.")
    fieldwork = _fieldwork(file, database, began, ended)
    if fieldwork is None and (began or ended):
        raise DataError(
            "Dates belong to a survey that is over.", hint="Close it first: deniable survey close."
        )
    with doing_now("Attacking reports of invented people …"):
        shares = None if population is None else expected_shares(population, survey.design)
        report = rehearsed_report(survey.design, shares, random_state=random_state)
    done = write_papers(survey, report, out, planned=planned, fieldwork=fieldwork)
    if json:
        print_json({"folder": str(out), "files": done.files, "left_out": done.left_out})
        return
    after = ", with what came of the survey" if fieldwork else ""
    typer.echo(f"Wrote {plural(len(done.files), 'file')} to {out}{after}.")
    typer.echo("Fill in what is marked, and read every sentence: you answer for them, not we.")
    if done.left_out:
        note(f"there are no papers in {joined(done.left_out)}: translate those that are there")


def _fieldwork(
    file: Path, database: str | None, began: str | None, ended: str | None
) -> "Fieldwork | None":
    from deniable.survey.board_papers.fieldwork import fieldwork_of

    if database is None and not file.with_suffix(".db").exists():
        return None
    with opened(file, database) as store:
        return fieldwork_of(store, began, ended)
