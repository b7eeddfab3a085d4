"""How tables are named: a path, a pattern of paths, or an address with # and the table.

data.parquet    shards/    'shards/*.parquet'
duckdb:///file.db#table
sqlite:///file.db#table
postgresql://user@host/database#table
spark+local://#/data/shards    spark://host:7077#/data/shards
"""

import re
from dataclasses import dataclass
from pathlib import Path
from unicodedata import normalize
from urllib.parse import SplitResult, parse_qsl, unquote

from deniable.base.errors import DataError

FILES = frozenset({"file", "duckdb", "sqlite"})
"""Kinds of addresses that name a file of this machine."""

WITHOUT_PASSWORD = FILES | {"spark", "spark+local"}

SEPARATORS = frozenset("/?#@:")

SHOWN_OPTIONS = frozenset({"host", "port", "dbname", "user"})
"""What an address may say after ? about where the table is; the rest may be secret."""


@dataclass(frozen=True)
class Address:
    """A parsed address.

    >>> found = Address.of("postgresql://me:secret@host/clinic#my%20table")
    >>> found.scheme, found.table, found.shown, found.secret
    ('postgresql', 'my table', 'postgresql://me@host/clinic#my table', 'secret')
    """

    scheme: str
    url: str
    """Everything before #, as the engine wants it."""

    table: str
    shown: str
    """Without the password, for messages."""

    secret: str | None
    host: str
    path: str
    options: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, name: str) -> "Address":
        """Read an address."""
        scheme, _, rest = name.partition("://")
        scheme = scheme.lower()
        parts = _split(scheme, rest)
        table = unquote(parts.fragment)
        user, at, bare = parts.netloc.rpartition("@")
        options = parse_qsl(parts.query, keep_blank_values=True)
        query = "&".join(f"{key}={value}" for key, value in options if key in SHOWN_OPTIONS)
        user = user.partition(":")[0] + at
        place = f"{scheme}://{user}{bare}{unquote(parts.path)}{'?' if query else ''}{query}"
        shown = f"{place}#{table}" if table else place
        secret = dict(options).get("password") or unquote(parts.password or "")
        return cls(
            scheme=scheme,
            url=f"{scheme}://{rest.partition('#')[0]}",
            table=table,
            shown="".join(sign if sign.isprintable() else "·" for sign in shown),
            secret=secret or None,
            host=bare,
            path=unquote(parts.path),
            options=tuple(options),
        )

    @property
    def place(self) -> str:
        """Where the table is, for messages."""
        return self.shown[: -len(self.table) - 1] if self.table else self.shown

    @property
    def file(self) -> Path:
        """The file of an embedded database: after three slashes, from here or from the root.

        >>> Address.of("sqlite:///answers.db#reports").file
        PosixPath('answers.db')
        """
        if self.options:
            raise DataError(
                f"{self.place} takes no options.", hint="Write ? in a file's name as %3F."
            )
        if self.scheme == "file":
            if self.table:
                raise DataError(
                    f"{self.shown} names a file, which holds no tables.",
                    hint="Write # in a file's name as %23.",
                )
            return Path(self.path)
        near, far = Path(self.host + self.path.removeprefix("/" * (not self.host))), Path(self.path)
        return far if far.is_file() and not near.is_file() else near


def is_address(name: str) -> bool:
    r"""Whether a name is an address rather than a path.

    >>> is_address("postgresql://host/clinic#t"), is_address("C://data.csv"), is_address("a:b/c")
    (True, False, False)
    """
    return re.match(r"[A-Za-z][A-Za-z0-9+.-]+://", name) is not None


def shown(name: str) -> str:
    """A table's name without a password, for messages."""
    return Address.of(name).shown if is_address(name) else name


def same_table(one: str, other: str) -> bool:
    """Whether two names stand for the same table."""
    return _resolved(one) == _resolved(other)


def _resolved(name: str) -> str:
    if not is_address(name):
        return str(Path(name).resolve())
    address = Address.of(name)
    return f"{address.file.resolve()}#{address.table}" if address.scheme in FILES else name


def _split(scheme: str, rest: str) -> SplitResult:
    """Take an address apart, unless a sign in a password may have been taken for another.

    By hand: Pythons differ about brackets after the first of several hosts.
    """
    before, _, fragment = rest.partition("#")
    before, _, query = before.partition("?")
    netloc, slash, path = before.partition("/")
    user, _, hosts = netloc.rpartition("@")
    unclear = scheme not in WITHOUT_PASSWORD and (
        any(sign in user for sign in "@[]")
        or set(normalize("NFKC", netloc)) & SEPARATORS - set(netloc)  # drivers read it so
        or "@" in path
        or "#" in fragment
        or (not slash and "@" in query + fragment)
        or any(host.count("[") != host.count("]") for host in hosts.split(","))
    )
    if unclear:
        raise DataError(
            f"The address {scheme}://… can be read in several ways.",
            hint="In a password or a table's name, write # as %23, / as %2F, ? as %3F, @ as %40, "
            "[ as %5B and % as %25.",
        )
    return SplitResult(scheme, netloc, slash + path, query, fragment)
