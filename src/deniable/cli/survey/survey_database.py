"""What the commands about a running survey share: its file, and its database."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from deniable.survey.store.store import Store

File = Annotated[Path, typer.Argument(help="The survey.", metavar="SURVEY.yaml")]
Address = Annotated[
    str | None,
    typer.Option(
        "--database",
        help="A file of SQLite, or postgresql://user@host/database.  [default: beside the survey]",
        metavar="NAME",
    ),
]


@contextmanager
def opened(file: Path, database: str | None, *, new: bool = False) -> "Iterator[Store]":
    """Open a survey's database, which must be there unless it may be new."""
    from deniable.survey.questionnaire import load
    from deniable.survey.store.database import SurveyDatabase
    from deniable.survey.store.store import Store

    survey = load(file)
    address = database or file.with_suffix(".db")
    with closing(SurveyDatabase(address) if new else SurveyDatabase.existing(address)) as found:
        yield Store(found, survey)


def new_password_of(store: "Store") -> str:
    """Make a password for the researcher's pages; only its hash is kept."""
    from deniable.survey.server.logins import hash_password, new_password

    made = new_password()
    store.set("password", hash_password(made))
    return made
