"""`deniable survey status`, `close` and `remind`: who takes part, the end, and a letter to all."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deniable.base.errors import OutputError
from deniable.base.files import refuse_to_overwrite, whole_file
from deniable.base.wording import percent, plural
from deniable.cli.options import AsJson
from deniable.cli.show.output import note, print_items, print_json, print_table
from deniable.cli.survey.survey_database import Address, File, opened

if TYPE_CHECKING:
    from deniable.survey.store.participation import Participation, Span
    from deniable.survey.store.store import Store


def status(file: File, database: Address = None, json: AsJson = False) -> None:
    """Say whether a survey takes answers, and how many were invited, began and finished.

    Counts only, no times and no names. While answers may still come, begun and finished are spans
    of ten, so that nobody's part is seen by watching them; when the survey is closed and all its
    answers are released, they are exact.
    """
    with opened(file, database) as store:
        is_open, found = store.is_open, store.participation()
        released = store.released()
        waits = not is_open and not found.over
        answers = _answers(store, is_open=is_open, shown=released is not None, waits=waits)
    if json:
        print_json(
            {
                "open": is_open,
                "results": released is not None,
                "invited": found.invited,
                "begun": found.begun and asdict(found.begun),
                "finished": asdict(found.finished),
            }
        )
        return
    typer.echo(f"The survey is {'open' if is_open else 'closed'}. {answers}")
    rows = [
        ["finished", str(found.finished), "answers that were kept, also those deleted since"],
    ]
    if found.invited is not None:
        began = "agreed to take part, and had a token signed"
        rows = [
            ["invited", f"{found.invited:,}", "invitations that were made"],
            ["begun", str(found.begun), began],
            *rows,
        ]
    print_table("Who takes part", ["", "#people", "that is"], rows)
    print_items(_remarks(found))


def _answers(store: "Store", *, is_open: bool, shown: bool, waits: bool) -> str:
    after = store.survey.after
    if not shown:
        return f"Its answers are fewer than {after} and stay hidden." if not is_open else (
            f"Results are hidden until {after} answers are in."
        )  # fmt: skip
    if is_open:
        return f"Results move in batches of at least {store.survey.every}."
    return (
        "All answers are released, but for any that came after it was opened again: too few for "
        "a batch, they would stay hidden."
        if waits
        else "All its answers are released."
    )


def _remarks(found: "Participation") -> list[str]:
    remarks = []
    if found.invited is None:
        remarks.append(
            "The link is open: nobody knows how many saw it or began, so there is no response rate."
        )
    elif found.begun and found.invited:
        rate = _share(found.finished, found.invited)
        remarks.append(
            f"Response rate, finished of invited: {rate}. Who has begun and not finished may have "
            "broken off, or may still send an answer."
            if not found.over
            else f"Response rate, finished of invited: {rate}."
        )
    if not found.over:
        remarks.append("Spans, not counts: exact figures come when the survey is closed.")
    return remarks


def _share(count: "Span", whole: int) -> str:
    if count.exact:
        return percent(count.low / whole)
    return f"{percent(count.low / whole, 0)} to {percent(count.high / whole, 0)}"


def close(
    file: File,
    database: Address = None,
    reopen: Annotated[bool, typer.Option("--reopen", help="Take answers again.")] = False,
) -> None:
    """Take no more answers, and release those that wait for a batch.

    If there are too few for results to be shown, they stay hidden: that was the promise.
    """
    with opened(file, database) as store:
        if reopen:
            note("the survey is open again" if store.reopen() else "the survey is open already")
            return
        found = store.close()
        least = store.survey.after
    closed = "the survey was closed already" if found.again else "the survey is closed"
    if not found.shown:
        note(f"{closed}; its answers are fewer than {least} and stay hidden")
    elif found.hidden:
        note(
            f"{closed}; if answers came after it was opened again, they are too few for a batch "
            "and stay hidden; all before them are released"
        )
    else:
        note(f"{closed}; all its answers are released")


def remind(
    links: Annotated[
        list[Path], typer.Argument(help="As survey invite wrote them.", metavar="LINKS.csv…")
    ],
    out: Annotated[Path, typer.Option(help="Everybody's link.", metavar="FILE.csv")],
) -> None:
    """Write the list of links for a reminder: to everybody, whether they have answered or not.

    No database is opened, so nothing is known of who has answered. A reminder only to those who
    have not would need just that; and who gets none would know that it is known. Say in it that
    whoever has answered need do nothing.
    """
    from deniable.survey.invitation_links import read_everybody, write_links

    refuse_to_overwrite(out, links)
    if out.exists():
        raise OutputError(f"{out} exists already.", hint="Name a new file.")
    people = read_everybody(links)
    with whole_file(out, private=True, new=True) as temporary:
        write_links(temporary, people)
    note(
        f"wrote {plural(len(people), 'link')} to {out}; deniable survey status says how many were "
        "invited: if there are more, a list is missing"
    )
