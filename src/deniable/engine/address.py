"""How tables are named: a path, a pattern of paths, or an address with # and the table.

data.parquet    shards/    'shards/*.parquet'
duckdb:///file.db#table
sqlite:///file.db#table
postgresql://user@host/database#table
spark+local://#/data/shards    spark://host:7077#/data/shards
"""

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit


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
        parts = urlsplit(name)
        table = unquote(parts.fragment)
        bare = parts.netloc.rpartition("@")[2]
        user = f"{parts.username}@" if parts.username else ""
        options = parse_qsl(parts.query)
        query = "&".join(f"{key}={'…' if 'password' in key else value}" for key, value in options)
        plain = f"{parts.scheme}://{user}{bare}{parts.path}{'?' if query else ''}{query}"
        secret = parts.password or dict(options).get("password")
        return cls(
            scheme=parts.scheme.lower(),
            url=name.partition("#")[0],
            table=table,
            shown=f"{plain}#{table}" if table else plain,
            secret=unquote(secret) if secret else None,
            host=bare,
            path=unquote(parts.path),
            options=tuple(options),
        )

    @property
    def file(self) -> Path:
        """The file of an embedded database: after three slashes, from here or from the root.

        >>> Address.of("sqlite:///answers.db#reports").file
        PosixPath('answers.db')
        """
        near, far = Path(self.path.removeprefix("/")), Path(self.path)
        return far if far.is_file() and not near.is_file() else near


def is_address(name: str) -> bool:
    """Whether a name is an address rather than a path."""
    scheme, found, _ = name.partition("://")
    return bool(found) and scheme.replace("+", "").replace("-", "").isalnum()
