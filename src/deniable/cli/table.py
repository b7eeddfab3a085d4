"""`deniable table`: the joint table of a few attributes."""

from pathlib import Path
from typing import Annotated

import typer

from deniable.base.errors import EstimateError
from deniable.base.wording import count, given_percent, percent
from deniable.cli.disguised_tables import note_trust, open_sites
from deniable.cli.estimate import Level, Of, With, rows, warn_of_noise
from deniable.cli.show.output import print_json, print_table
from deniable.oracle.api import Target, about
from deniable.oracle.likelihood.joint_table import Independence, JointTable, joint_table

FEW_EXPECTED = 5


def table(
    reports: Annotated[str, typer.Argument(help="Disguised records.", metavar="DISGUISED")],
    attributes: Annotated[list[str], typer.Argument(help="One to a handful.", metavar="ATTRIBUTE")],
    design: Annotated[Path, typer.Option("--design", help="The design.", metavar="YAML")],
    of: Of = None,
    level: Level = 0.95,
    others: With = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Estimate a joint table by inversion and by maximum likelihood, and test independence.

    Inversion is unbiased, with negative cells if the noise says so; maximum likelihood has none.
    """
    sites = open_sites(reports, design, others or [])
    if any(site.design.needs_second_sample for site in sites):
        raise EstimateError(
            "A group's personal distribution is unknown, and the likelihood needs it.",
            hint="Ask for the cells you need by deniable estimate, with both samples.",
        )
    target: Target = of or "sample"
    found = joint_table([site.asked() for site in sites], attributes, of=target)
    low, high = found.estimates.interval(level)
    note_trust(sites)
    if json:
        print_json(_document(found, level))
        return
    estimates = found.estimates
    print_table(
        about(target, estimates.n),
        [
            *attributes,
            "#Count",
            "#?Share",
            "#?Std. error",
            f"#{given_percent(level)} interval",
            "#Likeliest",
        ],
        [
            [
                *cell,
                count(v),
                percent(v / estimates.n),
                count(s),
                f"{count(a)} to {count(b)}",
                count(m),
            ]
            for cell, v, s, a, b, m in zip(
                found.cells,
                estimates.value,
                estimates.std_error,
                low,
                high,
                found.maximum.counts,
                strict=True,
            )
        ],
    )
    typer.echo(_convergence(found))
    if found.independence is not None:
        typer.echo(_verdict(found.independence))
    elif len(attributes) > 1:
        typer.echo("Independence: these reports are too few, or too alike, to tell.")
    warn_of_noise(estimates)


def _convergence(found: JointTable) -> str:
    top = found.maximum
    if top.steps == 0:
        return "Likeliest table: the same as by inversion, which has no negative cell."
    state = "converged" if top.converged else "NOT converged"
    return (
        f"Likeliest table: {state} after {top.steps} steps; its log-likelihood is within "
        f"{top.gap:.1g} of the maximum."
    )


def _verdict(test: Independence) -> str:
    rough = (
        "" if test.smallest_expected >= FEW_EXPECTED else " (rough: some cells expect few reports)"
    )
    return (
        f"Independence: X² = {test.statistic:.2f} on {test.df} degrees of freedom, "
        f"p = {test.p_value:.3g}{rough}."
    )


def _document(found: JointTable, level: float) -> dict[str, object]:
    labels: list[dict[str, object]] = [
        {
            "values": dict(zip(found.schema.names, cell, strict=True)),
            "maximum_likelihood": float(likely),
        }
        for cell, likely in zip(found.cells, found.maximum.counts, strict=True)
    ]
    test = found.independence
    return {
        "attributes": list(found.schema.names),
        "n": found.estimates.n,
        "of": found.estimates.of,
        "cells": rows(found.estimates, labels, level),
        "likelihood": {
            "converged": bool(found.maximum.converged),
            "steps": found.maximum.steps,
            "gap": found.maximum.gap,
        },
        "independence": test
        and {
            "statistic": test.statistic,
            "df": test.df,
            "p_value": test.p_value,
            "smallest_expected": test.smallest_expected,
        },
    }
