"""`deniable estimate`: counts of expressions, through the disguise."""

import shlex
from collections.abc import Sequence
from statistics import NormalDist
from typing import Annotated

import typer

from deniable.base.errors import ExpressionError
from deniable.base.wording import count, given_percent, percent, plus_minus
from deniable.cli.disguised_tables import note_trust, open_sites, pool
from deniable.cli.options import AsJson, DesignFile, Level, Of, ReportsArgument, With
from deniable.cli.show.output import note, print_json, print_table
from deniable.expression import Conjunction, conjunction
from deniable.oracle.api import Estimates, about
from deniable.quoting import meant_terms
from deniable.schema import Schema


def estimate(
    reports: ReportsArgument,
    expressions: Annotated[
        list[str],
        typer.Argument(help="Such as 'smokes=yes & region=north'; * is everyone.", metavar="EXPR"),
    ],
    design: DesignFile,
    of: Of = None,
    level: Level = 0.95,
    others: With = None,
    json: AsJson = False,
) -> None:
    """Estimate how many records satisfy each expression, all in one pass.

    Estimates are unbiased: one may be negative or exceed the number of records, and is not clipped.

    An expression is name=value, or several joined by &. Put each into your shell's single quotes:
    'smokes=yes & region=north'. A name or value stands in double quotes inside them if it holds an
    &, begins with a quote, or begins or ends in a space; a name also if it holds an = or begins
    with a dash. There, a backslash stands before a quote or backslash:
    'region="north & west" & "tea=milk"=no'. Spaces, commas, | and letters of any language need
    none.
    """
    sites = open_sites(reports, design, others or [])
    asked = _read(expressions, sites[0].design.schema)
    named = {name for each in asked for name, _ in each.terms}
    oracle, target = pool([site.asked(named) for site in sites], of)
    found = oracle.count(asked, of=target)
    cells = figures(found, level)
    note_trust(sites)
    warn_of_noise(found, quiet=json)
    if json:
        print_json(rows(found, [{"expression": expression} for expression in expressions], level))
        return
    print_table(
        about(target, found.n),
        ["Expression", "#Count", "#Share", "#Std. error", f"#{given_percent(level)} interval"],
        [[str(expression), *four] for expression, four in zip(asked, cells, strict=True)],
    )


def _read(expressions: list[str], schema: Schema) -> list[Conjunction]:
    """Read each; where the shell has taken one apart, say how it stays whole."""
    try:
        return [conjunction(expression, schema) for expression in expressions]
    except ExpressionError as error:
        meant = meant_terms(" ".join(expressions), schema) if len(expressions) > 1 else ()
        if not meant:
            raise
        whole = shlex.quote(str(Conjunction(meant)))
        hint = f"Keep one expression together by your shell's quotes: {whole}"
        raise ExpressionError(error.message, hint=hint) from None


ERRORS = 5
BEYOND_NOISE = 2 * NormalDist().cdf(ERRORS) - 1
"""Noise leaves five standard errors once in 1.7 million times."""


def figures(found: Estimates, level: float) -> list[list[str]]:
    """Write estimates for people: count, share, standard error and interval of each."""
    columns = (found.value, found.std_error, *found.interval(level))
    return [
        [count(value), percent(value / found.n), count(error), f"{count(low)} to {count(high)}"]
        for value, error, low, high in zip(*columns, strict=True)
    ]


def rows(
    found: Estimates, labels: Sequence[dict[str, object]], level: float
) -> list[dict[str, object]]:
    """Write estimates as JSON objects: counts over ``n``, except ``share``."""
    low, high = found.interval(level)
    return [
        {
            **label,
            "value": float(found.value[i]),
            "share": float(found.share[i]),
            "std_error": float(found.std_error[i]),
            "low": float(low[i]),
            "high": float(high[i]),
            "n": found.n,
            "of": found.of,
            "level": level,
        }
        for i, label in enumerate(labels)
    ]


def warn_of_noise(found: Estimates, *, quiet: bool = False) -> None:
    """Explain estimates below 0 or above n: beyond all noise, or (unless `quiet`) by noise."""
    low, high = found.interval(BEYOND_NOISE)
    impossible = (high < 0) | (low > found.n)
    if impossible.any():
        value, error = (array[impossible][0] for array in (found.value, found.std_error))
        note(
            f"warning: no truth allows {plus_minus(value, error, 1)} of {found.n:,}, by more than "
            f"{ERRORS} standard errors. These are hardly reports of this design: records as they "
            "are, perhaps, or disguised by another one."
        )
    elif not quiet and ((found.value < 0) | (found.value > found.n)).any():
        note(
            "note: a count below 0 or above the number of records is noise around a small or large "
            "true count. It is left as it is, so that sums stay right."
        )
