"""What whoever prepares a table should know of it: what was decided, and what looks wrong."""

import shlex
from collections.abc import Iterator, Mapping, Sequence

from deniable.base.wording import joined, plural
from deniable.source.prepare.by_column import ByColumn
from deniable.source.prepare.column_values import ColumnValues, leave_out
from deniable.source.prepare.dates import Dates
from deniable.source.prepare.rare_values import Rare
from deniable.source.prepare.recipe import Bins, Groups, Recipe

MANY_VALUES = 50
"""With no more values than this, even different ones in every record are no identifier."""

NEARLY_UNIQUE = 0.9
"""Share of the records, from which on so many whole numbers look like an identifier."""

MOSTLY_UNIQUE = 0.5
"""The same of words, of which nobody can learn anything then."""

TWO = 2


def warnings_of(column: ColumnValues, recipe: Recipe, records: int) -> list[str]:
    """Say what looks wrong about a column, and how to leave it out."""
    perhaps = f"perhaps leave it out: {leave_out(column.name)}"
    if not column.counts:
        return [f"{column.name!r} is missing in every record; {perhaps}"]
    if len(recipe.values) == 1:
        only = str(next(iter(column.counts))) if len(column.counts) == 1 else recipe.values[0]
        return [f"{column.name!r} is {only} in every record; {perhaps}"]
    return [
        f"{column.name!r} has {found}; {perhaps}{also}"
        for found, also in _identifying(column, recipe, records - column.absent)
    ]


def _identifying(column: ColumnValues, recipe: Recipe, records: int) -> Iterator[tuple[str, str]]:
    """Say how far its values tell records apart, and what else could be done about it."""
    distinct, words = len(column.counts), isinstance(recipe, Groups)
    if distinct <= MANY_VALUES or not (words or _whole_numbers(column)):
        return
    there = plural(records, "record")
    if distinct == records:
        yield f"another value in each of {there}, as identifiers have", ""
    elif not words and distinct >= NEARLY_UNIQUE * records:
        yield f"{distinct:,} different whole numbers in {there}, nearly as identifiers have", ""
    elif words and len(recipe.values) >= MOSTLY_UNIQUE * records:
        merge = f", or merge the rare ones: --rare {shlex.quote(f'{column.name}=10')}"
        yield f"{distinct:,} different values in {there}, too many to learn from", merge


def _whole_numbers(column: ColumnValues) -> bool:
    return column.is_numeric and all(float(value).is_integer() for value in column.counts)


def notes_of(
    columns: Sequence[ColumnValues],
    recipes: Mapping[str, Recipe],
    nominal: str,
    rare: ByColumn[Rare | None],
) -> list[str]:
    """Say what was decided about missing answers and rare values."""
    absent = {column.name: column.absent for column in columns if column.absent and column.counts}
    first = [name for name in absent if isinstance(r := recipes[name], Groups) and r.joined]
    third = [
        name
        for name in absent
        if nominal == "binary" and name not in first and len(recipes[name].values) > TWO
    ]
    found = []
    if first:
        found.append(
            "A missing answer counts as a value that comes before all others, and is joined with "
            f"some of them, in {_missing_in(first, absent)}. --missing category makes it a value "
            "of its own, and --missing drop leaves such records out."
        )
    if third:
        found.append(
            "Missing is a value of its own beside two or more others in "
            f"{_missing_in(third, absent)}, so these are not binary. --missing drop leaves such "
            "records out."
        )
    found += [_merged(column, recipes[column.name], rare[column.name]) for column in columns]
    return [note for note in found if note]


def _merged(column: ColumnValues, recipe: Recipe, rare: Rare | None) -> str:
    """Say which values became one; nothing where none did."""
    if not isinstance(recipe, Groups) or recipe.other is None:
        return ""
    known = set(recipe.known)
    gone = [count for value, count in column.counts.items() if value not in known]
    return (
        f"{plural(len(gone), 'value')} of {column.name!r}, of {plural(sum(gone), 'record')}, "
        f"became {recipe.other!r}: {rare} each. Values that only new data has will, too."
    )


def _missing_in(names: Sequence[str], absent: Mapping[str, int]) -> str:
    """List columns with how many records miss each."""
    return joined(f"{name!r} ({plural(absent[name], 'record')})" for name in names)


def deed(recipe: Recipe) -> str:
    """Say in a word or two what was done to a column."""
    if isinstance(recipe, Bins):
        return f"in {plural(len(recipe.labels), 'bin')}" if recipe.splits else "constant"
    if isinstance(recipe, Dates):
        if recipe.by == "day":
            return f"in {plural(len(recipe.labels), 'span')} of days" if recipe.tops else "constant"
        return f"by {recipe.by}"
    kind = str(recipe.entry()["kind"])
    return kind if recipe.other is None else f"{kind}, rare ones {recipe.other}"
