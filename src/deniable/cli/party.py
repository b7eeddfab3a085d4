"""`deniable party …`: one organisation among several."""

import logging
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deniable.base.errors import CollabError, DataError, nearest
from deniable.base.extras import require_extra
from deniable.base.wording import plural
from deniable.cli.options import OWN_PARTY, AsJson, PartyOption, command_group
from deniable.cli.show.output import note, print_items, print_json

if TYPE_CHECKING:
    from deniable.collab.party_server import PartyServer
    from deniable.collab.wire.connection import Check
    from deniable.collab.wire.identity import Certificate

app = command_group("Be one of several organisations that mine together.")

CLOCKS = 60
"""Seconds that two clocks may differ without a word."""

SOON = 30
"""Days before a certificate expires in which that is mentioned."""


@app.callback()
def require_collab() -> None:
    """Refuse, in one sentence, what is not installed."""
    if sys.platform == "win32":
        raise DataError(
            "Collaborations run on Linux and macOS.", hint="On Windows, use its Linux subsystem."
        )
    require_extra("collab", "Collaborations need")


@app.command()
def init(
    name: Annotated[str, typer.Argument(help="What the others will call you.")],
    folder: Annotated[
        Path, typer.Option(help="Where key and certificate are kept.", metavar="FOLDER")
    ] = Path("identity"),
) -> None:
    """Make a key and a certificate, and a party.yaml to start from.

    The key stays here. Give certificate.pem to the others, and read them the fingerprint by phone:
    it is how they know that the certificate is yours. Nothing that exists is overwritten.
    """
    from deniable.collab.agreement.templates import start
    from deniable.collab.wire.identity import CERTIFICATE, make, spoken

    made = make(folder, name)
    typer.echo(f"Fingerprint of {name}:")
    typer.echo(f"  {spoken(made.fingerprint)}")
    party = folder.parent / "party.yaml"
    fresh = start(party, name, folder)
    note(f"wrote {folder}{f' and {party}' if fresh else ''}")
    note("next:")
    print_items(
        [
            f"say in {party} which data and columns you offer, and how they may be sent",
            f"send {folder / CERTIFICATE} to the others, and read them the fingerprint by phone",
            f"pin their certificates and fingerprints under peers in {party}",
            f"all answer: deniable party serve {party}",
            "each sees whether it reaches the others: deniable party check PEER",
            "write together what you will do: deniable collaborate new collaboration.yaml",
        ],
        err=True,
    )


@app.command()
def check(
    peer: Annotated[str, typer.Argument(help="Its name in the party file.")],
    party: PartyOption = OWN_PARTY,
    timeout: Annotated[float, typer.Option(help="Seconds to wait, at most.", min=0.1, max=600)] = 5,
    json: AsJson = False,
) -> None:
    """See whether a peer can be reached: connection, certificates, versions, clocks.

    The peer must be serving. Exits with 1 and one sentence if anything stands in the way.
    """
    from deniable.collab.agreement.party_file import PartyFile
    from deniable.collab.wire.connection import check as look_at
    from deniable.collab.wire.identity import Identity

    own = PartyFile.load(party)
    if peer not in own.peers:
        raise CollabError(
            f"{peer!r} is not among the peers of {party}.",
            hint=nearest(peer, own.peers) if own.peers else "Add it under peers.",
        )
    found = look_at(Identity.load(own.identity), own.peers[peer], timeout)
    warnings = list(_concerns(own.name, found))
    if json:
        print_json({**asdict(found), **_certificates(found), "warnings": warnings})
        return
    typer.echo(f"{peer} answers in {1000 * found.round_trip:.1f} ms.")
    print_items(_facts(found))
    for warning in warnings:
        note(f"warning: {warning}")


@app.command()
def serve(
    party: Annotated[Path, typer.Argument(help="Your party file.", metavar="PARTY.yaml")],
) -> None:
    """Answer the peers, within what the party file offers and you have approved.

    Only pinned peers are let in, by mutual TLS 1.3. It tells who asks for what, and how many counts
    were released, never a count. Ctrl-C stops it; what was under way goes on when it is served
    again.
    """
    from deniable.collab.party_server import serve as run

    logging.basicConfig(format="deniable: %(asctime)s %(message)s", datefmt="%Y-%m-%d %H:%M:%S")
    logging.getLogger("deniable.collab").setLevel(logging.INFO)
    try:
        run(party, _welcome)
    except KeyboardInterrupt:
        note("stopped; what was under way goes on when it is served again")


def _welcome(server: "PartyServer") -> None:
    from deniable.engine.open_table import open_table

    party = server.party
    if party.data:
        open_table(party.data).require(
            [*([] if party.id is None else [party.id]), *party.schema.names]
        )
    note(f"{party.name} listens at {party.listen[0]}, port {server.port}; Ctrl-C stops it")
    if not party.peers:
        note(f"warning: {party.path.name} lists no peers, so nobody can connect")
    if party.seed is not None:
        note("warning: whoever knows the seed can undo the disguise; use it for experiments only")


def _facts(found: "Check") -> list[str]:
    return [
        f"{found.tls}, both certificates as pinned",
        f"their certificate: {_validity(found.theirs)}",
        f"our certificate: {_validity(found.ours)}",
        f"deniable {found.version}, protocol {found.protocol}",
        f"clocks: {abs(found.clock):.1f} s apart",
    ]


def _concerns(own: str, found: "Check") -> "list[str]":
    import deniable

    concerns = []
    if abs(found.clock) > CLOCKS:
        ahead = "ahead of" if found.clock > 0 else "behind"
        concerns.append(f"the clock of {found.peer} is {abs(found.clock):.0f} s {ahead} ours")
    if found.version != deniable.__version__:
        concerns.append(f"{found.peer} runs deniable {found.version}, we {deniable.__version__}")
    if found.known_as != own:
        concerns.append(f"{found.peer} knows us as {found.known_as!r}, and we are {own!r}")
    for whose, certificate in ((f"of {found.peer}", found.theirs), ("of our own", found.ours)):
        if certificate.days_left < SOON:
            concerns.append(f"the certificate {whose} expires on {certificate.ends:%Y-%m-%d}")
    return concerns


def _validity(certificate: "Certificate") -> str:
    return f"{plural(certificate.days_left, 'day')} left, until {certificate.ends:%Y-%m-%d}"


def _certificates(found: "Check") -> dict[str, object]:
    return {
        whose: {
            "name": certificate.name,
            "fingerprint": certificate.fingerprint,
            "expires": certificate.ends.isoformat(),
            "days_left": certificate.days_left,
        }
        for whose, certificate in (("ours", found.ours), ("theirs", found.theirs))
    }
