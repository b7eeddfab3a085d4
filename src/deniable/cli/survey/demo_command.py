"""`deniable survey demo`: the example survey, served, with invented people who have answered it."""

import json
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Annotated, Any

import typer

from deniable.base.documents import to_yaml
from deniable.base.errors import DataError, OutputError
from deniable.base.files import write_whole
from deniable.base.wording import percent
from deniable.cli.show.output import note, print_table
from deniable.cli.survey.survey_database import new_password_of

if TYPE_CHECKING:
    from socket import socket

    from deniable.survey.results import Share
    from deniable.survey.store.store import Store

PORTS_TRIED = 20
"""Ports to try, one after the other, where the first is taken."""


def demo(
    out: Annotated[Path, typer.Option(help="Folder for what it makes.")] = Path("demo"),
    people: Annotated[
        int, typer.Option(min=200, max=100_000, help="Simulated respondents.")
    ] = 2000,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Where to begin.")] = 8000,
) -> None:
    """Serve the example survey on this machine, answered by simulated people over the network.

    Begins anew each time it is started.
    """
    from deniable.survey.results import published
    from deniable.survey.server.serve import in_background

    store = _new_store(out)
    port_opened = _first_free(port)
    url = f"http://127.0.0.1:{port_opened.getsockname()[1]}"
    with in_background(store, port_opened):
        outcome = _answered(url, people, _known(store, out / "truth.yaml"))
        found = published(store)
        assert found is not None
        print_table(
            f"What {found.results.people:,} disguised answers say, beside the invented truth",
            ["Answer", "#Reported", "#Estimate", "#95 % interval", "#Truth"],
            [_row(share, outcome["truth"]) for share in found.results.shares if _is_yes(share)],
        )
        typer.echo(
            f"{outcome['acknowledged']:,} simulated people answered through the real endpoint, "
            f"{outcome['answers_per_second']:,.0f} a second{_waiting(store)}.\n\n"
            f"  Answer it yourself:    {url}/\n"
            f"  See what answers say:  {url}/researcher\n"
            f"  Password there:        {new_password_of(store)}\n"
        )
        note(f"the survey and its database are in {out}/; Ctrl-C stops it")
        with suppress(KeyboardInterrupt):
            Event().wait()
    store.database.close()


def _new_store(folder: Path) -> "Store":
    from deniable.survey.questionnaire import EXAMPLE, load
    from deniable.survey.store.database import SurveyDatabase
    from deniable.survey.store.store import Store

    survey, database = folder / "survey.yaml", folder / "survey.db"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for left in folder.glob("survey.db*"):
            left.unlink()
        write_whole(survey, EXAMPLE)
    except OSError as error:
        raise OutputError(f"{folder} cannot be written: {error.strerror}.") from None
    return Store(SurveyDatabase(database), load(survey))


def _known(store: "Store", file: Path) -> Path:
    """Write the shares of control items, which hold for simulated people, too."""
    known = {
        question.name: {value: str(share) for value, share in question.known.shares.items()}
        for question in store.survey.questions
        if question.known
    }
    write_whole(file, to_yaml(known))
    return file


def _answered(url: str, people: int, truth: Path) -> dict[str, Any]:
    """Let people answer, in a process of their own, not to slow the server down."""
    done = subprocess.run(  # noqa: S603 (our own command)
        [
            *(sys.executable, "-m", "deniable", "survey", "simulate", url, "--json"),
            *("--people", str(people), "--random-state", "2026", "--truth", str(truth)),
        ],
        stdout=subprocess.PIPE,
        check=False,
    )
    if done.returncode:
        raise DataError("The simulated people could not answer.", hint="See above.")
    outcome: dict[str, Any] = json.loads(done.stdout)
    return outcome


def _first_free(port: int) -> "socket":
    from deniable.survey.server.serve import listening

    for candidate in range(port, port + PORTS_TRIED):
        with suppress(DataError):
            return listening("127.0.0.1", candidate)
    return listening("127.0.0.1", 0)


def _waiting(store: "Store") -> str:
    """Say why fewer are shown than have answered."""
    waiting = store.tallies()["in waiting"]
    return f"; the last {waiting:,} wait for the next batch" if waiting else ""


def _is_yes(share: "Share") -> bool:
    return share.disguised and share.value == "yes"


def _row(share: "Share", truth: Mapping[str, Mapping[str, float]]) -> list[str]:
    true = truth[share.attribute][share.value]
    bounds = f"{percent(share.estimate.low)} to {percent(share.estimate.high)}"
    name = f"{share.attribute}={share.value}"
    return [name, percent(share.reported), percent(share.estimate.share), bounds, percent(true)]
