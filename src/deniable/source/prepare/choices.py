"""What may be chosen for a preparation, for all columns or for some, and what goes together."""

from collections.abc import Mapping, Sequence
from typing import Any

from deniable.base.errors import SchemaError, nearest
from deniable.source.prepare.binning import CALENDAR, checked_binning
from deniable.source.prepare.by_column import ByColumn
from deniable.source.prepare.rare_values import Rare

CHOICES = {"nominal": ("keep", "binary"), "missing": ("category", "join", "drop")}


def listed_words(given: str | Sequence[str]) -> tuple[str, ...]:
    """Take one word for a list of one."""
    return (given,) if isinstance(given, str) else tuple(given)


def read_by_column(
    bins: Sequence[str], rare: Sequence[str]
) -> tuple[ByColumn[str], ByColumn[Rare | None]]:
    """Read where each column is split, and what is rare in it."""
    binned = ByColumn.of(bins, checked_binning, "median", "bins")
    if binned.otherwise in CALENDAR:
        raise SchemaError(
            f"Only dates can be binned by {binned.otherwise}.",
            hint=f"Name their column: COLUMN={binned.otherwise}.",
        )
    nothing: Rare | None = None
    return binned, ByColumn.of(rare, Rare.of, nothing, "rare values")


def check_together(nominal: str, missing: str, rare: Sequence[str]) -> None:
    """Refuse what has no meaning together."""
    if nominal == "binary" and rare:
        raise SchemaError(
            "Binary columns have no rare values: all are joined to two.",
            hint="Leave rare out, or keep nominal values.",
        )
    if nominal != "binary" and missing == "join":
        raise SchemaError(
            "Where values are kept, there is nothing to join missing answers with.",
            hint="Use missing: category or drop, or make columns binary.",
        )


def require_kept(names: Sequence[str], chosen: Mapping[str, ByColumn[Any]]) -> None:
    """Refuse choices for columns that are left out."""
    for option, choices in chosen.items():
        for name in choices.named:
            if name not in names:
                raise SchemaError(
                    f"{name!r} is left out, and {option} are given for it.",
                    hint="Do one of the two.",
                )


def check_choices(given: Mapping[str, str]) -> None:
    """Refuse words that name no choice."""
    for option, choices in CHOICES.items():
        if given[option] not in choices:
            raise SchemaError(
                f"{option} cannot be {given[option]!r}.", hint=nearest(given[option], choices)
            )
