"""Extras: libraries that only some of us need, refused in one sentence where they are missing."""

from collections.abc import Iterable
from importlib.util import find_spec

from deniable.base.errors import DataError, listed

EXTRAS = {
    "collab": ("cryptography", "seal"),
    "data": ("ucimlrepo",),
    "plot": ("altair", "vl_convert"),
    "postgres": ("psycopg",),
    "spark": ("pyspark",),
    "survey": (
        *("alembic", "argon2", "cryptography", "fastapi", "gmpy2"),
        *("httptools", "httpx", "jinja2", "sqlalchemy", "uvicorn"),
    ),
}
"""Modules that each extra of pyproject.toml brings, and without which its users cannot begin."""


def require_extra(extra: str, who_needs: str) -> None:
    """Refuse what an extra is needed for, such as "Surveys need", before any work is done."""
    missing = [module for module in EXTRAS[extra] if find_spec(module) is None]
    if missing:
        raise not_installed(who_needs, missing, f"deniable[{extra}]")


def not_installed(who_needs: str, missing: Iterable[str], package: str) -> DataError:
    """Name what is missing, and how to get it.

    >>> print(not_installed("Plots need", ["altair"], "deniable[plot]"))
    Plots need 'altair'. Run pip install 'deniable[plot]'.
    """
    return DataError(f"{who_needs} {listed(missing)}.", hint=f"Run pip install '{package}'.")


def package_of(module: str) -> str:
    """What to install for a module: the extra that brings it, if one does.

    >>> package_of("pyspark.sql"), package_of("ibis-framework[mysql]")
    ('deniable[spark]', 'ibis-framework[mysql]')
    """
    whole = module.partition(".")[0]
    return next((f"deniable[{extra}]" for extra, own in EXTRAS.items() if whole in own), module)
