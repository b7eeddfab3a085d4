"""`deniable collaborate …`: one model from several organisations' records."""

from pathlib import Path
from shutil import copyfile
from typing import TYPE_CHECKING, Annotated, Any

import typer

from deniable.base.errors import CollabError
from deniable.base.files import whole_file
from deniable.base.wording import joined, plural
from deniable.cli.options import OWN_PARTY, AsJson, PartyOption, command_group
from deniable.cli.party import require_collab
from deniable.cli.show.output import (
    doing_now,
    note,
    print_items,
    print_json,
    print_lines,
    print_paragraph,
)
from deniable.cli.show.show_model import show_model

if TYPE_CHECKING:
    from deniable.collab.agreement.agreement import Agreement
    from deniable.collab.agreement.party_file import PartyFile
    from deniable.collab.start_run import StartedRun
    from deniable.mine.model import Model

app = command_group("Mine together with other organisations.", callback=require_collab)

REHEARSED = 1000

INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells have it."""

File = Annotated[
    Path, typer.Argument(help="What all parties approve.", metavar="COLLABORATION.yaml")
]
Yes = Annotated[bool, typer.Option("--yes", help="Approve without being asked.")]


@app.command()
def new(
    file: Annotated[Path, typer.Argument(help="The file to write.", metavar="COLLABORATION.yaml")],
) -> None:
    """Write a collaboration to start from, with comments; an existing file is left alone."""
    from deniable.collab.agreement.templates import start_agreement

    start_agreement(file)
    note(f"wrote {file}; change it together, then each runs: deniable collaborate approve {file}")


@app.command()
def approve(file: File, party: PartyOption = OWN_PARTY, yes: Yes = False) -> None:
    """Read what a collaboration does with your data, and agree to it.

    The party answers for approved collaborations only, and only while the file says the same.
    """
    from deniable.collab.agreement.agreement import SECURE_MODES
    from deniable.collab.agreement.approvals import approve as keep
    from deniable.collab.agreement.approvals import disguised_otherwise
    from deniable.collab.policy import Policy
    from deniable.collab.secure.cheater_bounds import CheaterBounds
    from deniable.collab.session.earlier_people import counted_before

    own, agreement = _read(party, file)
    own.check(agreement)
    print_lines(agreement.story())
    typer.echo("")
    if agreement.mode in SECURE_MODES:
        same = own.policy.settled() == agreement.policy.settled()
        print_paragraph(f"Your own policy: {'the same.' if same else own.policy.story()}")
    records = _own_records(own, agreement)
    said = "You bring no data."
    if records is not None:
        said = f"Your data: {plural(records, 'record')}, all as the file says."
    print_paragraph(said)
    if agreement.mode in SECURE_MODES and records is not None:
        policy = Policy.strictest([agreement.policy, own.policy], secure=True)
        print_paragraph("What the other side can learn of you by counting, at most:")
        print_items(CheaterBounds.of(policy, records).told())
    before = disguised_otherwise(own, agreement)
    for column, name in dict.fromkeys(before):
        print_paragraph(
            f"Careful: {name} has {column} disguised another time. Whoever sees both knows more "
            "than by one; the ε of both add up."
        )
    for earlier in counted_before(own, agreement):
        print_paragraph(
            f"Careful: {earlier.name} counts some of your columns with the same parties too. No "
            "policy looks at the counts of both: their differences may be about few people, and "
            "noise is drawn another time, so the budgets of both add up."
        )
    typer.echo(f"Hash: {agreement.digest}")
    print_paragraph("The others must see the same hash: read them a few digits of it.")
    if not yes and not typer.confirm(f"Approve for {own.name}?"):
        raise CollabError("Nothing was approved.", hint="Change the file together, and read again.")
    keep(own, agreement)
    given = "" if party == OWN_PARTY else f" --party {party}"
    note("approved; next:")
    steps = [
        f"see what it costs and discloses: deniable collaborate estimate {file}{given}",
        f"{_answering(own, agreement)}: deniable party serve {party}",
        f"once all have approved and serve, at {_starters(agreement)}: "
        f"deniable collaborate run {file}{given} (first with --dry-run)",
    ]
    print_items(steps, err=True)


@app.command()
def estimate(
    file: File,
    party: PartyOption = OWN_PARTY,
    records: Annotated[
        int | None, typer.Option(help="People in common.  [default: as many as you have]", min=1)
    ] = None,
    bandwidth: Annotated[
        float, typer.Option("--megabits", help="Of the connection, a second.", min=0.001)
    ] = 100.0,
    json: AsJson = False,
) -> None:
    """Say, before anything runs, what a collaboration costs and what it discloses.

    Counts are those of the same mining on invented records of the same shape; times come from one
    second of the real cryptography on this machine.
    """
    from deniable.collab.agreement.agreement import SECURE_MODES
    from deniable.collab.cost_estimate import estimated, told

    own, agreement = _read(party, file)
    own.check(agreement)
    found = estimated(own, agreement, records=records, megabits=bandwidth)
    if json:
        print_json(found.document())
        return
    typer.echo(f"For {found.records:,} records, as tried on {found.rehearsed:,} invented ones:")
    print_items(told(found, agreement))
    if agreement.mode in SECURE_MODES:
        print_paragraph(f"Policy: {found.policy}")
    if found.cheaters is not None:
        print_paragraph("What the other side can learn, at most:")
        print_items(found.cheaters.told())
    print_paragraph("Real data may make a larger or a smaller model than invented ones.")


@app.command()
def run(
    file: File,
    party: PartyOption = OWN_PARTY,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run", help="Everything over the network, on invented records of the same shape."
        ),
    ] = False,
    records: Annotated[int, typer.Option(help="Invented records of a dry run.", min=1)] = REHEARSED,
    patience: Annotated[
        float, typer.Option(help="Seconds to wait for a peer that is gone.", min=0)
    ] = 60.0,
    longest_answer: Annotated[
        float | None,
        typer.Option(
            help="Seconds for one answer of a peer that says it is working.  "
            "[default: an hour, and 0.02 for each person]",
            min=1,
            show_default=False,
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Write the model here too.", metavar="MODEL.json")
    ] = None,
    json: AsJson = False,
) -> None:
    """Run a collaboration that all parties approved, or go on with one that was interrupted.

    What was released before is in the ledger and is not asked for again.
    """
    from deniable.collab.agreement.approvals import is_approved
    from deniable.collab.party_server import Connections
    from deniable.collab.session.run_folder import RunFile, RunFolder
    from deniable.collab.start_run import start
    from deniable.mine.models.model_files import load_model

    own, agreement = _read(party, file)
    own.check(agreement)
    if is_approved(own, agreement.digest) is None:
        raise CollabError(
            f"{own.name} has not approved {file}.",
            hint=f"Run deniable collaborate approve {file} --party {party}.",
        )
    if out is not None and own.name not in agreement.results:
        raise CollabError(
            f"{own.name} gets no result of {agreement.name}, so there is none for --out.",
            hint=f"The result goes to {joined(agreement.results)}: ask there, or change 'results' "
            "together.",
        )
    rehearsal = records if dry_run else None
    try:
        with doing_now("beginning") as told, Connections(own, patience, longest_answer) as connect:
            started = start(own, agreement, connect, rehearsal=rehearsal, told=told)
    except KeyboardInterrupt:
        note("stopped; run it again, and it goes on where it was")
        raise typer.Exit(INTERRUPTED) from None
    folder = RunFolder(own, agreement, rehearsal)
    result = folder.file(RunFile.RESULT)
    model = load_model(result) if result.exists() else None
    if out is not None and model is not None:
        with whole_file(out) as temporary:
            copyfile(result, temporary)
    if json:
        print_json(_document(agreement, started.leader, started.outcome, model))
        return
    if dry_run:
        typer.echo("A dry run: every figure below is about invented records.")
    if model is not None:
        show_model(model)
    _tell(own, agreement, started, gets_none=model is None)
    note(f"ledgers and results are in {folder.path}")
    for ledger in folder.ledgers:
        note(f"what was released: deniable ledger show {ledger}")


def _tell(
    own: "PartyFile", agreement: "Agreement", started: "StartedRun", *, gets_none: bool
) -> None:
    """Say who was drawn to lead, and what it took, where that is known here."""
    from deniable.collab.agreement.agreement import DRAWN

    if agreement.leader == DRAWN:
        own_server = (
            ", from its own server; keep that running" if started.leader == own.name else ""
        )
        note(f"{started.leader} was drawn to lead, and led{own_server}")
    if started.outcome is not None:
        found = started.outcome
        said = plural(found.records, "record")
        if found.released or found.refused:
            said += f"; {plural(found.released, 'count')} released, {found.refused:,} withheld"
        if found.secure_counts:
            said += f"; {plural(found.secure_counts, 'secure count')} made now"
        note(said)
    elif gets_none:
        note(f"done; {own.name} gets no result")


def _own_records(own: "PartyFile", agreement: "Agreement") -> int | None:
    """Read the party's data, so that what is wrong with them is known before anybody waits."""
    from deniable.collab.session.own_records import Holding

    if own.name not in agreement.names:
        return None
    member = agreement.member(own.name)
    return Holding.open(own, member, aligned=agreement.vertical).n


def _answering(own: "PartyFile", agreement: "Agreement") -> str:
    """Why this party serves, and for how long."""
    from deniable.collab.agreement.agreement import DRAWN

    if agreement.leader == DRAWN:
        return "answer the others, and lead if you are drawn, until there is a result"
    if agreement.leader == own.name:
        return "if others shall start the run too, lead for them"
    return "answer the others"


def _starters(agreement: "Agreement") -> str:
    from deniable.collab.agreement.agreement import DRAWN

    return "any party" if agreement.leader == DRAWN else agreement.leader


def _read(party: Path, file: Path) -> "tuple[PartyFile, Agreement]":
    from deniable.collab.agreement.agreement import Agreement
    from deniable.collab.agreement.party_file import PartyFile

    return PartyFile.load(party), Agreement.load(file)


def _document(
    agreement: "Agreement", leader: str, outcome: Any, model: "Model | None"
) -> dict[str, Any]:
    found: dict[str, Any] = {"collaboration": agreement.digest, "leader": leader}
    if outcome is not None:
        found |= {
            "records": outcome.records,
            "released": outcome.released,
            "withheld": outcome.refused,
            "secure_counts": outcome.secure_counts,
        }
    return {**found, "model": None if model is None else model.document()}
