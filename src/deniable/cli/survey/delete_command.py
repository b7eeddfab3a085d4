"""`deniable survey delete`: what is left of a survey, deleted point by point."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deniable.base.errors import DeniableError
from deniable.base.wording import joined
from deniable.cli.options import AsJson
from deniable.cli.show.output import note, print_items, print_json, say
from deniable.cli.survey.survey_database import Address, File

if TYPE_CHECKING:
    from deniable.survey.deletion import Remainder
    from deniable.survey.store.store import Store

ONLY_YOU = (
    "The links that were sent: mails, drafts, the mail program's copies, lists on other machines. "
    "With any copy of the database they tell who took part.",
    "Backups and copies elsewhere: of the machine, its disk and its snapshots, of whoever hosts "
    "it, on sticks and other folders than those looked into.",
    "Exports that were downloaded, sent to others or published, and what was computed from them.",
    "Logs of proxies and hosts, if they were not switched off.",
    "What the disk itself keeps: files were written over, but drives and file systems may have "
    "older copies of them. A disk that was encrypted needs its key only to be thrown away.",
)
OF_POSTGRESQL = (
    "PostgreSQL's own copies: its write-ahead log and its archive, replicas, dumps, and dead rows "
    "until the database itself is dropped (dropdb)."
)


@dataclass(frozen=True)
class Deletion:
    """One point of the list, and what became of it."""

    remainder: "Remainder"
    outcome: str
    """"deleted", "kept", or "failed"."""

    why: str = ""


def delete(
    file: File,
    database: Address = None,
    folder: Annotated[
        list[Path] | None,
        typer.Option(
            help="Look for copies, links and exports there, too. Repeatable.  [default: beside the "
            "survey]",
            metavar="FOLDER",
            exists=True,
            file_okay=False,
        ),
    ] = None,
    exports: Annotated[
        bool, typer.Option("--exports", help="Delete exports as well: they are kept otherwise.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    json: AsJson = False,
) -> None:
    """Delete a survey's database, backups, lists of links and, if wished, exports.

    Names what it finds and asks before it deletes; then says what it deleted, and what only you
    can delete. The survey must be closed, and its server stopped. Exits with 0 if all that was to
    be deleted is gone, else with 1.
    """
    from deniable.survey.deletion import remainders, require_closed
    from deniable.survey.questionnaire import load

    survey = load(file)
    store = _store_if_any(file, database)
    found = remainders(survey, store, [file.parent, *(folder or ())])
    chosen = [each for each in found if each.ours and (exports or each.kind != "export")]
    if not json:
        _show(found, chosen)
    try:
        if store is not None:
            require_closed(store)
        if chosen and not yes and not typer.confirm("Delete for good?", err=True):
            note("nothing was deleted")
            raise typer.Exit(1)
        done = [_deleted(each, store) if each in chosen else _kept(each) for each in found]
    finally:
        if store is not None:
            store.database.close()
    left = ONLY_YOU if store is None or store.database.is_sqlite else (*ONLY_YOU, OF_POSTGRESQL)
    if json:
        points = [
            {"kind": d.remainder.kind, "name": d.remainder.name, "outcome": d.outcome, "why": d.why}
            for d in done
        ]
        print_json({"found": points, "only_you": list(left)})
    else:
        _report(done, left)
    if any(each.outcome == "failed" for each in done):
        raise typer.Exit(1)


def _store_if_any(file: Path, database: str | None) -> "Store | None":
    """Open the database; None where there is none any more, unless it was named."""
    from deniable.survey.questionnaire import load
    from deniable.survey.store.database import SurveyDatabase
    from deniable.survey.store.store import Store

    if database is None and not file.with_suffix(".db").exists():
        return None
    return Store(SurveyDatabase.existing(database or file.with_suffix(".db")), load(file))


def _deleted(remainder: "Remainder", store: "Store | None") -> Deletion:
    from deniable.survey.deletion import delete as delete_files
    from deniable.survey.deletion import delete_database

    try:
        if remainder.kind == "database" and store is not None:
            delete_database(store)
            return Deletion(remainder, "deleted")
        left = delete_files(remainder)
    except DeniableError as error:
        return Deletion(remainder, "failed", str(error))
    except OSError as error:
        return Deletion(remainder, "failed", f"{error.strerror or error}.")
    if left:
        names = joined(path.name for path in left)
        return Deletion(remainder, "deleted", f"the folder stays: {names} is not of the export")
    return Deletion(remainder, "deleted")


def _kept(remainder: "Remainder") -> Deletion:
    if remainder.ours:
        return Deletion(remainder, "kept", "exports are deleted with --exports only")
    return Deletion(remainder, "kept", "not surely of this survey alone: look into it yourself")


def _show(found: "list[Remainder]", chosen: "list[Remainder]") -> None:
    if not found:
        say("Nothing of this survey was found here.")
        return
    say("Found of this survey:")
    print_items(
        f"{'delete' if each in chosen else 'keep'}: {each.kind} {each.name} ({each.about})"
        for each in found
    )


def _report(done: list[Deletion], left: tuple[str, ...]) -> None:
    if done:
        say("Done:")
        print_items(_lines(done))
    say("What only you can delete, if there is any:")
    print_items(left)


def _lines(done: list[Deletion]) -> Iterator[str]:
    for each in done:
        why = f": {each.why}" if each.why else ""
        yield f"{each.outcome}: {each.remainder.kind} {each.remainder.name}{why}"
