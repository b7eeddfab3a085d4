"""`deniable survey …`: a survey from its file to its results."""

from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deniable.base.errors import DataError, OutputError
from deniable.base.extras import require_extra
from deniable.base.files import refuse_to_overwrite, whole_file
from deniable.base.wording import joined, plural
from deniable.cli.options import AsJson, command_group
from deniable.cli.show.output import note, print_json
from deniable.cli.survey import (
    delete_command,
    demo_command,
    file_commands,
    papers_command,
    simulate_command,
    status_command,
    translate_command,
)
from deniable.cli.survey.survey_database import Address, File, new_password_of, opened

if TYPE_CHECKING:
    from deniable.survey.store.store import Store

app = command_group("Run a survey whose page disguises and whose server cannot know.")


@app.callback()
def _require_survey(context: typer.Context) -> None:
    if context.invoked_subcommand not in {"new", "check", "translate"}:
        require_extra("survey", "Surveys need")


app.command()(file_commands.new)
app.command()(file_commands.check)
app.command()(translate_command.translate)

FORMAT_NAMES = "csv, parquet, spss, stata"

Host = Annotated[str, typer.Option("--host", help="Address to listen on.")]
Port = Annotated[int, typer.Option("--port", help="0: any that is free.", min=0, max=65535)]


@app.command()
def serve(
    file: File,
    database: Address = None,
    host: Host = "127.0.0.1",
    port: Port = 8000,
    certificate: Annotated[
        Path | None, typer.Option(help="For https, as PEM.", exists=True, dir_okay=False)
    ] = None,
    key: Annotated[
        Path | None, typer.Option(help="The certificate's key.", exists=True, dir_okay=False)
    ] = None,
    behind_proxy: Annotated[
        bool,
        typer.Option(
            "--behind-proxy",
            help="Believe the X-Forwarded headers of a proxy on this machine: it must set them.",
        ),
    ] = False,
) -> None:
    """Serve a survey: the respondent's page, and the researcher's.

    Browsers disguise only on https, or on this machine itself. No address, no time and no access
    is logged.
    """
    from deniable.survey.server.serve import is_loopback, listening, run

    if behind_proxy and not is_loopback(host):
        raise DataError(
            f"Behind a proxy, the survey must not be reached past it, and {host} may be.",
            hint="Run the proxy on this machine, and leave --host out.",
        )
    if (certificate is None) != (key is None):
        raise DataError("https needs both a certificate and its key.", hint="Give --key, too.")
    with opened(file, database, new=True) as store:
        if store.survey.invitations and store.setting("fingerprint") != store.survey.fingerprint:
            raise DataError(
                "The invitations of this survey were made by an earlier version of deniable, and "
                "the page of this one refuses their links.",
                hint="Serve it by that version until it ends; close, export and backup work here.",
            )
        sock = listening(host, port)
        scheme = "https" if certificate else "http"
        _warn(file)
        _welcome(store, f"{scheme}://{_named(host)}:{sock.getsockname()[1]}")
        run(store, sock, behind_proxy=behind_proxy, certificate=certificate, key=key)
    note("stopped; all answers are kept")


@app.command()
def invite(
    file: File,
    out: Annotated[Path, typer.Option(help="A link for each.", metavar="FILE.csv")],
    people: Annotated[
        Path | None, typer.Option(help="Whom to invite, one per line.", metavar="FILE.csv")
    ] = None,
    number: Annotated[int | None, typer.Option(help="Or how many.", min=1, max=1_000_000)] = None,
    replace: Annotated[
        Path | None,
        typer.Option(
            help="Or whose links to replace: lines of an earlier file.", metavar="FILE.csv"
        ),
    ] = None,
    url: Annotated[
        str, typer.Option(help="Where the survey will be served.")
    ] = "http://127.0.0.1:8000",
    database: Address = None,
) -> None:
    """Make invitations: a link for each person, good for one answer that nobody can link to it.

    The database keeps no link and no name. Send the links, then delete the file. A second wave
    has a file of its own. Who began on a device that is lost gets a new link by --replace; the old
    one ends. Whether they had answered nobody can tell, so as many as had begun could answer twice.
    """
    from deniable.survey.invitations import (
        invitations,
        read_people,
        read_replaced,
        write_invitations,
    )

    given = [path for path in (people, replace) if path is not None]
    refuse_to_overwrite(out, [file, *given])
    if out.exists():
        raise OutputError(
            f"{out} exists already, and its links are nowhere else.",
            hint="Name a new file for these people, or delete the old one once its links are sent.",
        )
    if len(given) + (number is not None) != 1:
        raise DataError(
            "Say whom to invite.", hint="Give one of --people FILE, --number N and --replace FILE."
        )
    rows = [{} for _ in range(number or 0)] if people is None else read_people(people)
    old: list[str] = []
    if replace is not None:
        rows, old = read_replaced(replace)
    with (
        opened(file, database, new=True) as store,
        whole_file(out, private=True, new=True) as temporary,  # another may be writing it now
    ):
        codes, links = invitations(store, url, len(rows))
        write_invitations(temporary, rows, links)
        begun = 0
        if old:
            begun = store.replace_invitations(old, codes)
        else:
            store.invite(codes)  # before the file appears: a link that was sent is good
    note(f"wrote {plural(len(rows), 'invitation')} to {out}")
    if begun:
        note(
            f"{begun} of the old ones had been begun, on a device where it can still be finished: "
            "as many people could answer twice"
        )


app.command()(status_command.status)
app.command()(status_command.close)
app.command()(status_command.remind)


@app.command()
def password(file: File, database: Address = None) -> None:
    """Set a new password for the researcher's pages, and show it once."""
    with opened(file, database) as store:
        typer.echo(new_password_of(store))


@app.command()
def export(
    file: File,
    out: Annotated[Path, typer.Option(help="A new folder.", metavar="FOLDER")],
    database: Address = None,
    formats: Annotated[
        list[str] | None,
        typer.Option("--format", help=f"One of {FORMAT_NAMES}. Repeatable.  [default: all]"),
    ] = None,
    language: Annotated[
        str | None, typer.Option(help="Of the labels.  [default: the survey's first]")
    ] = None,
    json: AsJson = False,
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


@app.command()
def backup(
    file: File,
    out: Annotated[Path, typer.Option(help="The backup.", metavar="FILE")],
    database: Address = None,
) -> None:
    """Write the whole database to one file, also while the survey is served."""
    from deniable.survey.store.backup import back_up

    with opened(file, database) as store:
        rows = back_up(store.database, out)
    note(
        f"wrote {plural(rows, 'row')} to {out}; keep it as safe as the database, and one only: two "
        "of different times show who answered between them, and how"
    )


@app.command()
def restore(
    file: File,
    backup: Annotated[Path, typer.Option("--from", help="The backup.", metavar="FILE")],
    database: Address = None,
) -> None:
    """Fill an empty database from a backup: what happened since then is unknown to it.

    Answers that were deleted since are there again. Those that were given since are not, and
    whoever gave one can answer again; with an invitation, even twice.
    """
    from deniable.survey.questionnaire import load
    from deniable.survey.store.backup import restore as fill
    from deniable.survey.store.database import SurveyDatabase
    from deniable.survey.store.store import Store

    survey = load(file)
    address = database or file.with_suffix(".db")
    with closing(SurveyDatabase(address)) as found:
        rows = fill(backup, found, survey)
        Store(found, survey)  # makes the views
    note(f"restored {plural(rows, 'row')}")
    note(
        "warning: whatever came after the backup is unknown here: answers that were deleted since "
        "are back, and must be deleted again; those that were given since are gone"
    )
    if survey.invitations:
        note(
            "warning: whoever answered since can answer twice: their invitation is good again, and "
            "so is the token that they have; the more so the older the backup is"
        )


app.command()(delete_command.delete)
app.command()(papers_command.papers)
app.command()(simulate_command.simulate)
app.command()(demo_command.demo)


def _warn(file: Path) -> None:
    """Repeat what `survey check` warns of: respondents are about to rely on it."""
    from deniable.survey.questionnaire import check

    for finding in check(file):
        note(f"warning: {finding.at(file.name)}: {finding.message}")


def _welcome(store: "Store", url: str) -> None:
    typer.echo(f"For respondents:    {url}/")
    typer.echo(f"For the researcher: {url}/researcher")
    if store.setting("password") is None:
        typer.echo(f"Password, shown once: {new_password_of(store)}")
    if store.survey.invitations:
        note("answers need an invitation: deniable survey invite")
    note("Ctrl-C stops it")


def _named(host: str) -> str:
    return f"[{host}]" if ":" in host else host
