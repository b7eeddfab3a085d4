"""`deniable survey export`: a survey's answers as files."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from deniable.base.wording import joined, plural
from deniable.cli.show.output import print_json
from deniable.cli.survey.survey_database import Address, File, opened

FORMAT_NAMES = "csv, parquet, spss, stata"


def export(
    file: File,
    out: Annotated[Path, typer.Option("--out", help="A new folder.", metavar="FOLDER")],
    database: Address = None,
    formats: Annotated[
        list[str] | None,
        typer.Option("--format", help=f"One of {FORMAT_NAMES}. Repeatable.  [default: all]"),
    ] = None,
    language: Annotated[
        str | None,
        typer.Option("--language", help="Of the labels.  [default: the survey's first]"),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Write the released answers, the codebook and the design into a new folder.

    Values are as they were sent: disguised. CSV and Parquet feed estimate, table and mine as they
    are; SPSS and Stata get labelled numbers. Direct answers have files of their own.
    """
    from deniable.survey.export import FORMATS as ALL
    from deniable.survey.export import export as write
    from deniable.survey.protocol import ARMS

    with opened(file, database) as store:
        survey = store.survey
        arms = {arm: store.records(arm) for arm in ARMS}
    done = write(survey, arms, out, formats=formats or ALL, language=language)
    if json:
        print_json({**asdict(done), "folder": str(done.folder)})
    else:
        counted = joined(f"{number:,} {arm}" for arm, number in done.answers.items())
        answers = "answer" if sum(done.answers.values()) == 1 else "answers"
        typer.echo(f"Wrote {counted} {answers} to {out}, {plural(len(done.files), 'file')}.")
        typer.echo(f"What to do next is in {out / 'README.md'}.")
