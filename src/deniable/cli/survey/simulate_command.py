"""`deniable survey simulate`: invented people answer a survey over HTTP."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deniable.base.errors import DataError
from deniable.base.wording import percent, plural
from deniable.cli.options import AsJson
from deniable.cli.show.output import note, print_json, print_table, progress

if TYPE_CHECKING:
    from deniable.respondents import SimulationOutcome


def simulate(
    url: Annotated[str, typer.Argument(help="Where the survey is served.", metavar="URL")],
    people: Annotated[
        int | None,
        typer.Option(min=1, help="How many answer.  [default: as many as there are invitations]"),
    ] = None,
    comply: Annotated[
        float,
        typer.Option(
            min=0,
            max=1,
            help="Share of people who follow the rules; the others always give the first option.",
        ),
    ] = 1.0,
    invitations: Annotated[
        Path | None, typer.Option(help="Links, as survey invite wrote them.", metavar="FILE.csv")
    ] = None,
    truth: Annotated[
        Path | None,
        typer.Option(
            help="True shares of some attributes, as 'moon: {no: 1, yes: 0}'.  [default: invented]",
            metavar="YAML",
        ),
    ] = None,
    connections: Annotated[
        int, typer.Option(min=1, max=1000, help="People who answer at once.")
    ] = 20,
    random_state: Annotated[
        int | None, typer.Option(min=0, help="Invent the same people again.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Let invented people answer a survey, as its page would: for trials, plans and load.

    Each disguises an invented truth, sends it and tries again until it is acknowledged. The truth
    is shown at the end, to compare the survey's estimates with. Use a database of its own: what
    simulated people sent cannot be told from real answers later.
    """
    from deniable.respondents import simulate as run
    from deniable.survey.invitation_links import read_invitations

    invited = None if invitations is None else read_invitations(invitations)
    number = people or len(invited or ())
    if not number:
        raise DataError("Say how many people answer.", hint="Give --people N, or --invitations.")
    shares = None if truth is None else _shares(truth)
    with progress("Answering …") as show:
        outcome = run(
            url,
            number,
            comply=comply,
            truth=shares,
            random_state=random_state,
            invitations=invited,
            connections=connections,
            progress=show,
        )
    if json:
        print_json(_document(outcome))
    else:
        _show(outcome)
    if outcome.acknowledged < number:
        raise typer.Exit(1)


def _shares(path: Path) -> dict[str, dict[str, float]]:
    from deniable.base.documents import read_yaml
    from deniable.channel.group_options import fraction

    found = read_yaml(path)
    try:
        return {
            name: {value: float(fraction(share, name)) for value, share in shares.items()}
            for name, shares in found.items()
        }
    except AttributeError:
        raise DataError(
            f"{path} is no list of shares.", hint='Write a line such as moon: {"no": 1, "yes": 0}.'
        ) from None


def _document(outcome: "SimulationOutcome") -> dict[str, object]:
    return {
        "people": len(outcome.crowd),
        "acknowledged": outcome.acknowledged,
        "refused": dict(outcome.refused),
        "gave_up": outcome.gave_up,
        "retried": outcome.retried,
        "direct": int(outcome.crowd.direct.sum()),
        "complied": int(outcome.crowd.complies.sum()),
        "seconds": outcome.seconds,
        "answers_per_second": outcome.acknowledged / outcome.seconds,
        "truth": _true_shares(outcome) if outcome.acknowledged else {},
    }


def _show(outcome: "SimulationOutcome") -> None:
    rate = outcome.acknowledged / outcome.seconds
    typer.echo(
        f"{outcome.acknowledged:,} of {plural(len(outcome.crowd), 'answer')} acknowledged in "
        f"{outcome.seconds:.1f} s: {rate:,.0f} a second."
    )
    if outcome.retried:
        note(f"{plural(outcome.retried, 'request')} had to be sent again")
    for problem, number in outcome.refused.items():
        note(f"{number:,} refused: {problem}")
    if outcome.gave_up:
        note(f"{outcome.gave_up:,} gave up: no answer came")
    if outcome.acknowledged:
        print_table(
            "What is true of these people, to compare the estimates with",
            ["Attribute", "Value", "#Share"],
            [
                [name, value, percent(share)]
                for name, shares in _true_shares(outcome).items()
                for value, share in shares.items()
            ],
        )


def _true_shares(outcome: "SimulationOutcome") -> dict[str, dict[str, float]]:
    truth = outcome.truth()
    return {
        each.name: {value: float((own == code).mean()) for code, value in enumerate(each.values)}
        for each, own in zip(truth.schema, truth.columns, strict=True)
    }
