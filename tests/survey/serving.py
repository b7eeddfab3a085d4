"""A survey served for real: uvicorn on a free port, in a thread of the test."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from deniable.survey.questionnaire import load
from deniable.survey.server.logins import hash_password
from deniable.survey.server.serve import in_background, listening
from deniable.survey.store.database import SurveyDatabase
from deniable.survey.store.store import Store

PASSWORD = "correct-horse-battery"  # noqa: S105 (a test's)


@dataclass(frozen=True)
class Served:
    """A survey that is being served."""

    url: str
    store: Store


def open_store(survey_file: Path, database: str | Path | None = None) -> Store:
    """Open the survey's database, by default a file beside it."""
    store = Store(SurveyDatabase(database or survey_file.with_suffix(".db")), load(survey_file))
    if store.setting("password") is None:
        store.set("password", hash_password(PASSWORD))
    return store


@contextmanager
def serving(
    survey_file: Path, database: str | Path | None = None, *, behind_proxy: bool = False
) -> Iterator[Served]:
    """Serve a survey while the test runs."""
    store = open_store(survey_file, database)
    port = listening("127.0.0.1", 0)
    url = f"http://127.0.0.1:{port.getsockname()[1]}"
    try:
        with in_background(store, port, behind_proxy=behind_proxy):
            yield Served(url, store)
    finally:
        store.database.close()
