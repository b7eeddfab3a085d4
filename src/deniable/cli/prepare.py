"""`deniable prepare`: raw tables in, attributes with few values out."""

from pathlib import Path
from typing import Annotated, Any

import typer

from deniable.base.errors import DeniableError, listed
from deniable.cli.options import AsJson
from deniable.cli.show.output import print_json, print_table, say
from deniable.source.prepare.preparation import Preparation, PreparedCount
from deniable.source.prepare.raw_cells import DEFAULT_NA
from deniable.source.prepare.recipe import Bins, Recipe

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
        str | None,
        typer.Option(
            help="Where numbers are split; none keeps each as a value.  [default: median]",
            metavar="median|midrange|quantiles:K|none",
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
            help="Make missing a value of its own, or drop records that miss one.  "
            "[default: category]",
            metavar="category|drop",
        ),
    ] = None,
    na: Annotated[
        list[str] | None,
        typer.Option(
            help="A word that means missing in CSV. Repeatable.  "
            f"[default: {', '.join(word or 'nothing' for word in DEFAULT_NA)}]",
            metavar="WORD",
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

    Binary: a column's values are sorted, coded by their position, and split at the median code over
    all records, with labels such as A..K and L..Z. Columns of at most two values stay as they are,
    and so do numbers kept by --bins none.

    Missing are nulls and NaN in Parquet, and the words of --na in CSV. If records that miss a value
    are dropped, they do not count for the bins either.
    """
    given = {"bins": bins, "nominal": nominal, "missing": missing, "na": na, "drop": drop}
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
    }


def _show(plan: Preparation, count: PreparedCount, out: Path, schema: Path | None) -> None:
    print_table(
        f"Prepared {count.records:,} records into {out}",
        ["Attribute", "What was done", "#Values", "Such as"],
        [
            [name, _deed(recipe), str(len(recipe.values)), listed(recipe.values, most=_SHOWN)]
            for name, recipe in plan.recipes.items()
        ],
    )
    if count.dropped:
        typer.echo(f"Dropped {count.dropped:,} records that miss a value.")
    for note in plan.notes:
        say(f"Note: {note}")
    if schema is not None:
        typer.echo(f"Attributes and recipes are in {schema}; repeat them by --like {schema}")


def _deed(recipe: Recipe) -> str:
    if isinstance(recipe, Bins):
        return f"in {len(recipe.labels)} bins" if recipe.splits else "constant"
    return str(recipe.entry()["kind"])
