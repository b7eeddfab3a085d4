"""What is left of a survey on this machine, and how it is deleted, file by file.

Looked for in the folders that are named, not below them. What belongs to another survey is left
alone, and so is what only might belong to this one, or holds more than it: it is named. A link to a
file elsewhere is not followed: writing over it would destroy what it leads to.
"""

import csv
import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any
from zipfile import BadZipFile, ZipFile
from zlib import error as ZlibError  # noqa: N812 (a class)

from sqlalchemy import func, select, text

from deniable.base.errors import DataError
from deniable.base.files import erase
from deniable.base.wording import plural
from deniable.survey.export.folder import EXPORTED_NAMES
from deniable.survey.invitation_links import LINK, Invitation
from deniable.survey.invitations import signing_key
from deniable.survey.protocol import ARMS
from deniable.survey.questionnaire import Survey
from deniable.survey.store.store import Store
from deniable.survey.store.tables import answers, invitations, metadata, waiting

SQLITE_MAGIC = b"SQLite format 3\x00"

LONGEST_LIST = 1 << 26
"""Bytes of a file that is looked into for links."""

LONGEST_CODEBOOK = 1 << 24
"""Bytes of a codebook that is looked into."""

BESIDE_SQLITE = ("-wal", "-shm", "-journal")


@dataclass(frozen=True)
class Remainder:
    """Something that is left of a survey."""

    kind: str
    """"database", "copy" (a backup, or another database), "links" or "export"."""

    name: str
    about: str
    files: tuple[Path, ...] = ()
    folder: Path | None = None
    """What is removed after its files, if nothing else is in it."""

    ours: bool = True
    """Whether it is surely of this survey; otherwise it is only named."""


def remainders(survey: Survey, store: Store | None, folders: Iterable[Path]) -> list[Remainder]:
    """Find what is left of a survey: its database, if there is one, and files in some folders."""
    found = [] if store is None else [_database(store)]
    own = {path.resolve() for each in found for path in each.files}
    key = _print_of(store)
    for folder in dict.fromkeys(path.resolve() for path in folders):
        for path in sorted(folder.iterdir()):
            if path.resolve() not in own and not path.is_symlink():
                found += _looked_into(path, survey, key)
    return found


def require_closed(store: Store) -> None:
    """Refuse to delete a survey that takes answers."""
    if store.is_open:
        raise DataError(
            "The survey is open: somebody may be answering it.",
            hint="Close it first: deniable survey close.",
        )


def delete_database(store: Store) -> None:
    """Delete a survey's database, which must be closed and in nobody's use."""
    database = store.database
    require_closed(store)
    if database.is_sqlite:
        database.close()
        _require_unused(Path(database.url.database or ""))
        for path in _sqlite_files(Path(database.url.database or "").resolve()):
            erase(path)
        return
    with database.writing() as connection:
        others = connection.execute(text(_OTHERS)).scalar_one()
        if others:
            raise DataError("The database is in use.", hint="Stop the server first.")
        for arm in ARMS:
            connection.execute(text(f"DROP VIEW IF EXISTS {arm}"))
        metadata.drop_all(connection)
        connection.execute(text("DROP TABLE IF EXISTS alembic_version"))
    database.close()


def delete(remainder: Remainder) -> list[Path]:
    """Delete the files of a copy, a list or an export; give what is left in its folder."""
    for path in remainder.files:
        erase(path)
    if remainder.folder is None:
        return []
    with suppress(OSError):
        remainder.folder.rmdir()
        return []
    return sorted(remainder.folder.iterdir())


_OTHERS = """
SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
    AND pid <> pg_backend_pid() AND backend_type = 'client backend'
"""


def _database(store: Store) -> Remainder:
    with store.database.reading() as connection:
        kept, made = (
            sum(connection.execute(select(func.count()).select_from(t)).scalar_one() for t in some)
            for some in ((waiting, answers), (invitations,))
        )
    url = store.database.url
    about = f"{plural(kept, 'answer')}, {plural(made, 'invitation')}, the key, all results"
    if not store.database.is_sqlite:
        return Remainder("database", url.render_as_string(hide_password=True), about)
    file = Path(url.database or "")
    return Remainder("database", str(file), about, tuple(_sqlite_files(file.resolve())))


def _sqlite_files(file: Path) -> list[Path]:
    files = (file.with_name(file.name + ending) for ending in ("", *BESIDE_SQLITE))
    return [path for path in files if _is_plain(path)]


def _is_plain(path: Path) -> bool:
    """Whether it is a file and no link to one."""
    return path.is_file() and not path.is_symlink()


def _require_unused(file: Path) -> None:
    """Refuse while another process has the database open: it would go on, unseen."""
    with closing(sqlite3.connect(file, timeout=0.5)) as connection:
        try:
            connection.execute("PRAGMA journal_mode = delete")
        except sqlite3.OperationalError:
            raise DataError(
                f"{file.name} is in use.", hint="Stop the server first, and whatever reads it."
            ) from None


def _print_of(store: Store | None) -> str | None:
    """What the links of this survey carry; None if there are none."""
    if store is None or store.setting("signing key") is None:
        return None
    return signing_key(store).public.print_with(store.survey.asked)


def _looked_into(path: Path, survey: Survey, key: str | None) -> Iterator[Remainder]:
    if path.is_dir():
        book = path / "codebook.json"
        if _is_plain(book) and _tells_survey(_read_json(book.open("rb")), survey):
            files = tuple(path / name for name in EXPORTED_NAMES if _is_plain(path / name))
            yield Remainder("export", str(path), plural(len(files), "file"), files, path)
    elif path.is_file():
        with suppress(OSError), path.open("rb") as file:
            start = file.read(len(SQLITE_MAGIC))
            if start == SQLITE_MAGIC and _is_copy(path, survey):
                about = "a backup, or another database of this survey"
                yield Remainder("copy", str(path), about, tuple(_sqlite_files(path)))
            elif start.startswith(b"PK"):
                yield from _archived(path, survey)
            elif path.suffix.lower() == ".csv" and path.stat().st_size <= LONGEST_LIST:
                yield from _links(path, key)


def _links(path: Path, key: str | None) -> Iterator[Remainder]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            links = [row.get(LINK) or "" for row in csv.DictReader(file)]
        prints = {Invitation.of(link).print for link in links}
    except (OSError, UnicodeDecodeError, csv.Error, DataError):
        return
    if not prints:
        return
    ours = prints == {key}
    if ours or key is None:
        whose = "" if ours else "of this survey or another, which nothing here tells"
        about = ", ".join(filter(None, [plural(len(links), "link"), whose]))
        yield Remainder("links", str(path), about, (path,), ours=ours)


def _is_copy(path: Path, survey: Survey) -> bool:
    query = "SELECT name, value FROM settings WHERE name IN ('survey', 'fingerprint')"
    address = f"{path.resolve().as_uri()}?mode=ro&immutable=1"  # leaves no log beside it
    try:
        with closing(sqlite3.connect(address, uri=True)) as connection:
            found = dict(connection.execute(query))
    except sqlite3.Error:
        return False
    known = {survey.fingerprint, *survey.earlier_fingerprints}
    return found.get("survey") == survey.name and found.get("fingerprint") in known


def _archived(path: Path, survey: Survey) -> Iterator[Remainder]:
    """An export as it is downloaded; an archive with anything else in it is somebody's work."""
    try:
        with ZipFile(path) as archive:
            names = [each.filename for each in archive.infolist() if not each.is_dir()]
            book = next((name for name in names if name.endswith("/codebook.json")), None)
            told = {} if book is None else _read_json(archive.open(book))
    except (BadZipFile, OSError, ValueError, RuntimeError, NotImplementedError, ZlibError):
        return
    if book is not None and _tells_survey(told, survey):
        ours = {book.removesuffix("codebook.json") + name for name in EXPORTED_NAMES}
        other = sum(name not in ours for name in names)
        about = f"downloaded, with {plural(other, 'other file')}" if other else "downloaded"
        yield Remainder("export", str(path), about, (path,), ours=not other)


def _read_json(file: IO[bytes]) -> Any:
    """Read what may be anybody's: nothing where it has no end, or is nested too deeply."""
    with file, suppress(OSError, ValueError, RecursionError):
        start = file.read(LONGEST_CODEBOOK + 1)
        return json.loads(start) if len(start) <= LONGEST_CODEBOOK else None
    return None


def _tells_survey(book: Any, survey: Survey) -> bool:
    known = {survey.fingerprint, *survey.earlier_fingerprints}
    return isinstance(book, dict) and book.get("survey_fingerprint") in known
