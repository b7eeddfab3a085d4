"""`deniable table`: the joint table of a few attributes."""

from dataclasses import asdict
from typing import Annotated

import typer

from deniable.base.errors import EstimateError
from deniable.base.wording import count, given_percent
from deniable.cli.disguised_tables import note_trust, open_sites
from deniable.cli.estimate import figures, rows, warn_of_noise
from deniable.cli.options import AsJson, DesignFile, Level, Of, ReportsArgument, With
from deniable.cli.show.output import print_json, print_table
from deniable.oracle.api import Target, about
from deniable.oracle.likelihood.joint_table import Independence, JointTable, joint_table

FEW_EXPECTED = 5


def table(
    reports: ReportsArgument,
    attributes: Annotated[list[str], typer.Argument(help="One to a handful.", metavar="ATTRIBUTE")],
    design: DesignFile,
    of: Of = None,
    level: Level = 0.95,
    others: With = None,
    json: AsJson = False,
) -> None:
    """Estimate a joint table by inversion and by maximum likelihood, and test independence.

    Inversion is unbiased, with negative cells if the noise says so; maximum likelihood has none.
    Attributes are named to the letter: only your shell's quotes stand around a name with spaces.
    """
    sites = open_sites(reports, design, others or [])
    if any(site.design.needs_second_sample for site in sites):
        raise EstimateError(
            "A group's personal distribution is unknown, and the likelihood needs it.",
            hint="Ask for the cells you need by deniable estimate, with both samples.",
        )
    target: Target = of or "sample"
    found = joint_table([site.asked(attributes) for site in sites], attributes, of=target)
    estimates, cells = found.estimates, figures(found.estimates, level)
    note_trust(sites)
    if json:
        print_json(_document(found, level))
        return
    interval = f"#{given_percent(level)} interval"
    print_table(
        about(target, estimates.n),
        [*attributes, "#Count", "#?Share", "#?Std. error", interval, "#Likeliest"],
        [
            [*cell, *four, count(likeliest)]
            for cell, four, likeliest in zip(found.cells, cells, found.maximum.counts, strict=True)
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
        "independence": test and asdict(test),
    }
