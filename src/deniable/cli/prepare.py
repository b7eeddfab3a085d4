"""`deniable prepare`: raw tables in, attributes with few values out."""

from pathlib import Path
from typing import Annotated, Any

import typer

from deniable.base.errors import DeniableError, listed
from deniable.cli.options import AsJson
from deniable.cli.show.output import print_json, print_table, say
from deniable.source.prepare.preparation import Preparation, PreparedCount
from deniable.source.prepare.preparation_notes import deed
from deniable.source.prepare.raw_cells import DEFAULT_NA

_SHOWN = 4


def prepare(
    raw: Annotated[str, typer.Argument(help="Raw records.", metavar="RAW")],
    out: Annotated[Path, typer.Option(help="Where prepared records go.", metavar="PARQUET")],
    schema: Annotated[
        Path | None, typer.Option(help="Where the attributes and what was done go.", metavar="YAML")
    ] = None,
    like: Annotated[
        Path | None, typer.Option(help="Prepare as this schema file says.", metavar="YAML")
    ] = None,
    bins: Annotated[
        list[str] | None,
        typer.Option(
            help="Where numbers and dates are split: median, midrange, quantiles:K (or K), or "
            "none, which keeps each as a value; of one column as age=5; of dates also born=year, "
            "quarter, month or weekday. Repeatable.  [default: median]",
            metavar="[COL=]HOW",
        ),
    ] = None,
    nominal: Annotated[
        str | None,
        typer.Option(
            help="Keep nominal values, or join them to two.  [default: keep]", metavar="keep|binary"
        ),
    ] = None,
    missing: Annotated[
        str | None,
        typer.Option(
            help="Make missing a value of its own, join it with one of a binary column's two, or "
            "drop records that miss one.  [default: category; with --nominal binary: join]",
            metavar="category|join|drop",
        ),
    ] = None,
    na: Annotated[
        list[str] | None,
        typer.Option(
            help="A word that means missing in CSV, in the place of all default ones. Repeatable.  "
            f"[default: {', '.join(word or 'nothing' for word in DEFAULT_NA)}]",
            metavar="WORD",
        ),
    ] = None,
    rare: Annotated[
        list[str] | None,
        typer.Option(
            help="Merge values that fewer than N records have, or fewer than a share (1% or 0.01), "
            "into other; of one column as city=50. Repeatable.",
            metavar="[COL=]N|SHARE",
        ),
    ] = None,
    drop: Annotated[
        list[str] | None, typer.Option(help="Leave a column out. Repeatable.", metavar="COL")
    ] = None,
    json: AsJson = False,
) -> None:
    """Bin numbers and name values, and write down how, so that new data is prepared alike.

    A column is numeric if its Parquet type is, or if all its values in CSV are numbers (01234 is a
    code, not a number). Numbers are split at the median, at the middle between least and greatest,
    or at quantiles; one at the edge goes below it. No bin is empty: where the edge is the greatest
    number itself, that one gets its own bin. In new data, numbers out of range fall into the outer
    bins.

    A column is of dates if all its values are written as 2024-03-31, or are of such a type in
    Parquet; a time of day may follow and does not count. Dates are split as numbers are, or by what
    --bins born=year and the like say. In new data, years out of range fall into the outer ones.

    Binary: a column's values are sorted, coded by their position, and split at the median code over
    all records, with labels such as A..K and L..Z. Columns of at most two values stay as they are,
    and so do numbers and dates kept by --bins none.

    Missing are nulls and NaN in Parquet, and the words of --na in CSV, with or without spaces
    around them. Joined, missing comes first in the order of a binary column's values; numbers and
    dates that are missing have a value of their own. If records that miss a value are dropped, they
    do not count for the bins either.

    Values that only new data has are refused; where rare ones were merged, they become other.
    """
    given = {
        "bins": bins, "nominal": nominal, "missing": missing, "na": na, "rare": rare, "drop": drop,
    }  # fmt: skip
    chosen: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    if like is not None and chosen:
        raise DeniableError(
            f"--like and --{next(iter(chosen))} exclude each other.",
            hint=f"What {like} says is done.",
        )
    if like is None and schema is None:
        raise DeniableError(
            "There is no place for what was done.",
            hint="Add --schema YAML to write it, or --like YAML to repeat it.",
        )
    plan = Preparation.load(like) if like is not None else Preparation.learn(raw, **chosen)
    count = plan.apply(raw, out, schema)
    if json:
        print_json(_document(plan, count, out, schema))
    else:
        _show(plan, count, out, schema)


def _document(
    plan: Preparation, count: PreparedCount, out: Path, schema: Path | None
) -> dict[str, object]:
    return {
        "records": count.records,
        "dropped": count.dropped,
        "out": str(out),
        "schema": schema and str(schema),
        **plan.document(),
        "notes": list(plan.notes),
        "warnings": list(plan.warnings),
    }


def _show(plan: Preparation, count: PreparedCount, out: Path, schema: Path | None) -> None:
    print_table(
        f"Prepared {count.records:,} records into {out}",
        ["Attribute", "What was done", "#Values", "Such as"],
        [
            [name, deed(recipe), str(len(recipe.values)), listed(recipe.values, most=_SHOWN)]
            for name, recipe in plan.recipes.items()
        ],
    )
    if count.dropped:
        typer.echo(f"Dropped {count.dropped:,} records that miss a value.")
    for note in plan.notes:
        say(f"Note: {note}")
    for warning in plan.warnings:
        say(f"Warning: {warning}")
    if schema is not None:
        typer.echo(f"Attributes and recipes are in {schema}; repeat them by --like {schema}")
