"""`deniable survey simulate`: invented people answer a survey."""

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any

import typer

from deniable.base.errors import DataError, nearest
from deniable.base.wording import percent, plural
from deniable.cli.options import AsJson
from deniable.cli.show.output import (
    note,
    print_items,
    print_json,
    print_paragraph,
    print_table,
    progress,
)

if TYPE_CHECKING:
    from deniable.compliance.behaviours import Behaviour
    from deniable.compliance.control_check import ControlCheck
    from deniable.compliance.interval import Interval
    from deniable.respondents import SimulationOutcome
    from deniable.survey.results import Results

SHARES_HINT = "Write a line such as moon: 0, or drugs by sex: {female: 0.05, male: 0.15}."


def simulate(
    where: Annotated[
        str,
        typer.Argument(
            help="The survey's file, for a pilot in this process; or where it is served.",
            metavar="SURVEY.yaml|URL",
        ),
    ],
    people: Annotated[
        int | None,
        typer.Option(min=1, help="How many answer.  [default: as many as there are invitations]"),
    ] = None,
    ignore: Annotated[
        list[str] | None,
        typer.Option(
            help="Share of people who ignore the device, and how: they always say no, always give "
            "the first option, answer at random, or tell the truth. Repeatable.",
            metavar="no|first|random|truth=SHARE",
        ),
    ] = None,
    comply: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=1,
            help="Share of people who follow the device; --ignore first= the others.",
        ),
    ] = None,
    invitations: Annotated[
        Path | None,
        typer.Option(
            help="With an address: links, as survey invite wrote them.", metavar="FILE.csv"
        ),
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(
            help="With a file: a new database that keeps the pilot.  [default: none]",
            metavar="NAME",
        ),
    ] = None,
    truth: Annotated[
        Path | None,
        typer.Option(
            help="True shares of some attributes, as 'moon: 0' or 'drugs by sex: {female: 0.05, "
            "male: 0.15}'. Control items have theirs.  [default: invented]",
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
    """Let invented people answer a survey, as its page would: for pilots, plans and load.

    Each disguises an invented truth, sends it and tries again until it is acknowledged. The truth
    is shown at the end, and for a pilot what the answers say beside it; people are invited where
    the survey has invitations. Use a database of its own: what simulated people sent cannot be told
    from real answers later.
    """
    options: dict[str, Any] = {
        "ignoring": _ignoring(ignore or [], comply),
        "truth": {} if truth is None else _shares(truth),
        "random_state": random_state,
        "connections": connections,
    }
    if where.startswith(("http://", "https://")) or not Path(where).is_file():
        if database is not None:
            raise DataError(
                "A survey that is served has its database.", hint="Leave --database out."
            )
        outcome, found = _over_the_network(where, people, invitations, options), None
    else:
        if invitations is not None:
            raise DataError(
                "In a pilot people are invited by itself.", hint="Leave --invitations out."
            )
        outcome, found = _pilot(Path(where), people, database, options)
    if json:
        print_json(_document(outcome, found))
    else:
        _show(outcome, found, options)
    if outcome.acknowledged < len(outcome.crowd):
        raise typer.Exit(1)


def _over_the_network(
    url: str, people: int | None, invitations: Path | None, options: dict[str, Any]
) -> "SimulationOutcome":
    from deniable.respondents import simulate as run
    from deniable.survey.invitation_links import read_invitations

    invited = None if invitations is None else read_invitations(invitations)
    number = people or len(invited or ())
    if not number:
        raise DataError("Say how many people answer.", hint="Give --people N, or --invitations.")
    with progress("Answering …") as show:
        return run(url, number, invitations=invited, progress=show, **options)


def _pilot(
    file: Path, people: int | None, database: str | None, options: dict[str, Any]
) -> "tuple[SimulationOutcome, Results]":
    from deniable.respondents.pilot_survey import pilot_survey
    from deniable.survey.questionnaire import load
    from deniable.survey.questionnaire.control_answers import known_shares
    from deniable.survey.store.database import SurveyDatabase
    from deniable.survey.store.store import Store

    if people is None:
        raise DataError("Say how many people answer.", hint="Give --people N.")
    survey = load(file)
    given = {name.partition(" by ")[0] for name in options["truth"]}
    known = {name: own for name, own in known_shares(survey).items() if name not in given}
    options["truth"] = {**options["truth"], **known}
    with TemporaryDirectory() as folder:
        address = database or str(Path(folder) / "pilot.db")
        with closing(SurveyDatabase(address)) as opened, progress("Answering …") as show:
            done = pilot_survey(Store(opened, survey), people, progress=show, **options)
    return done.outcome, done.results


def _ignoring(ignore: list[str], comply: float | None) -> "dict[Behaviour, float]":
    from deniable.channel.group_options import fraction
    from deniable.compliance.behaviours import BEHAVIOURS

    if ignore and comply is not None:
        raise DataError("--comply and --ignore say the same.", hint="Leave --comply out.")
    found: dict[Behaviour, float] = {}
    for each in ignore:
        kind, _, share = each.partition("=")
        behaviour = next((name for name in BEHAVIOURS if name == kind.strip()), None)
        if behaviour is None or not share:
            raise DataError(
                f"--ignore {each!r} names no way to ignore the device, with a share.",
                hint=f"Write --ignore no=0.15. {nearest(kind, BEHAVIOURS)}",
            )
        found[behaviour] = float(fraction(share.strip(), "--ignore"))
    if comply is not None and comply < 1:
        found["first"] = round(1 - comply, 9)
    return found


def _shares(path: Path) -> dict[str, Any]:
    """Read shares by attribute: by value, or a share of yes; by another attribute's values."""
    from deniable.base.documents import read_yaml
    from deniable.respondents.invented_population import DEPENDING_ON

    found = read_yaml(path)
    try:
        return {
            name: {value: _own(own, name) for value, own in shares.items()}
            if DEPENDING_ON in name
            else _own(shares, name)
            for name, shares in found.items()
        }
    except AttributeError:
        raise DataError(f"{path} is no list of shares.", hint=SHARES_HINT) from None


def _own(shares: object, name: str) -> dict[str, float]:
    from deniable.channel.group_options import fraction

    if isinstance(shares, Mapping):
        return {value: float(fraction(share, name)) for value, share in shares.items()}
    yes = fraction(shares, name)
    return {"no": float(1 - yes), "yes": float(yes)}


def _document(outcome: "SimulationOutcome", found: "Results | None") -> dict[str, object]:
    return {
        "people": len(outcome.crowd),
        "acknowledged": outcome.acknowledged,
        "refused": dict(outcome.refused),
        "gave_up": outcome.gave_up,
        "retried": outcome.retried,
        "direct": int(outcome.crowd.direct.sum()),
        "complied": int(outcome.crowd.complies.sum()),
        "kinds": outcome.crowd.kinds(),
        "seconds": outcome.seconds,
        "answers_per_second": outcome.acknowledged / outcome.seconds,
        "truth": _true_shares(outcome) if outcome.acknowledged else {},
        **({} if found is None else {"results": found.document()}),
    }


def _show(
    outcome: "SimulationOutcome", found: "Results | None", options: Mapping[str, Any]
) -> None:
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
        print_items(_invented(outcome, options))
        if found is None:
            _show_truth(outcome)
        else:
            _show_learnt(outcome, found)


def _invented(outcome: "SimulationOutcome", options: Mapping[str, Any]) -> list[str]:
    """Say what of all this was made up, and how."""
    from deniable.compliance.behaviours import BEHAVIOUR_WORDS, FOLLOWING

    kinds = outcome.crowd.kinds()
    lines = [f"{kinds.pop(FOLLOWING):,} follow the device."]
    lines += [f"{number:,} {BEHAVIOUR_WORDS[kind]}." for kind, number in kinds.items()]
    given = list(options["truth"])
    told = {name.partition(" by ")[0] for name in given}
    free = [name for name in outcome.crowd.truth.schema.names if name not in told]
    if given:
        lines.append(f"Shares as given: {', '.join(given)}.")
    if free:
        lines.append(
            f"Shares that are invented: {', '.join(free)}. The people are of two kinds, with "
            "shares of their own, so that these answers go together."
        )
    return lines


def _show_truth(outcome: "SimulationOutcome") -> None:
    print_table(
        "What is true of these people, to compare the estimates with",
        ["Attribute", "Value", "#Share"],
        [
            [name, value, percent(share)]
            for name, shares in _true_shares(outcome).items()
            for value, share in shares.items()
        ],
    )


def _show_learnt(outcome: "SimulationOutcome", found: "Results") -> None:
    from deniable.compliance.check_sentences import sentences

    check = found.controls
    true = _true_shares(outcome, "disguised")
    headings = ["Answer", "#True here", "#Estimate", "#95 % interval"]
    print_table(
        f"What {found.people:,} answers say, beside the invented truth",
        [*headings, "#Corrected"] if check else headings,
        [
            [
                f"{share.attribute}={share.value}",
                percent(true[share.attribute][share.value]),
                percent(share.estimate.share),
                _between(share.estimate),
                *([_corrected(check, share.attribute, share.value)] if check else []),
            ]
            for share in found.shares
        ],
    )
    if check is None:
        print_paragraph(
            "There is no disguised control item, so nothing shows whether people follow the device."
        )
    else:
        headline, *more = sentences(check, found.people)
        print_paragraph(headline)
        print_items(more)


def _corrected(check: "ControlCheck", attribute: str, value: str) -> str:
    """Shares for all kinds at once; or where they cannot be told apart, for the likeliest one."""
    for share in check.shares:
        if (share.attribute, share.value) == (attribute, value):
            found = share.together
            if found is None and check.kinds:
                kind = max(check.kinds, key=lambda each: each.rate.share)
                found = share.alone.get(kind.kind)
            return "–" if found is None else _between(found)
    return ""


def _between(found: "Interval") -> str:
    return f"{percent(found.low)} to {percent(found.high)}"


def _true_shares(
    outcome: "SimulationOutcome", arm: str | None = None
) -> dict[str, dict[str, float]]:
    """Shares among those who were asked."""
    truth = outcome.truth(arm)
    told = {
        each: own[outcome.asked(each.name, arm)]
        for each, own in zip(truth.schema, truth.columns, strict=True)
    }
    return {
        each.name: {
            value: float((own == code).sum()) / max(len(own), 1)
            for code, value in enumerate(each.values)
        }
        for each, own in told.items()
    }
