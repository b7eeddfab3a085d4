"""The agreements that a party approved: copies in its state, and what it has disguised by them."""

from collections.abc import Iterator
from pathlib import Path

from deniable.base.files import write_whole
from deniable.collab.agreement.agreement import Agreement
from deniable.collab.agreement.party_file import PartyFile
from deniable.collab.party_documents import SAFE_DIGITS
from deniable.design import Group


def approve(party: PartyFile, agreement: Agreement) -> Path:
    """Keep a copy of an agreement that the party is willing to take part in; say where."""
    party.check(agreement)
    path = approval(party, agreement.digest)
    party.state.mkdir(mode=0o700, parents=True, exist_ok=True)  # parents are made for all to see
    path.parent.mkdir(mode=0o700, exist_ok=True)
    write_whole(path, agreement.text, private=True)
    return path


def is_approved(party: PartyFile, digest: str) -> Agreement | None:
    """Find the agreement of a digest among those approved."""
    path = approval(party, digest)
    if not path.is_file():
        return None
    agreement = Agreement.load(path)
    return agreement if agreement.digest == digest else None


def approval(party: PartyFile, digest: str) -> Path:
    """Where the copy of an agreement is that a party approved."""
    return party.state / "approved" / f"{digest[:SAFE_DIGITS]}.yaml"


def approved(party: PartyFile) -> Iterator[Agreement]:
    """All agreements that a party approved."""
    folder = approval(party, "").parent
    for path in sorted(folder.glob("*.yaml")) if folder.is_dir() else []:
        yield Agreement.load(path)


def disguised_otherwise(party: PartyFile, agreement: Agreement) -> list[tuple[str, str]]:
    """Columns that another collaboration had disguised by another device: (column, its name).

    Whoever holds both reports of a person knows more than by one. The same group of the same people
    is disguised the same, unless nobody is aligned: then there is nothing to know people by.
    """
    found = []
    now = dict(_devices(party.name, agreement))
    for other in approved(party):
        if other.digest == agreement.digest or party.name not in other.names:
            continue
        for column, group in _devices(party.name, other):
            fresh = not (agreement.vertical and other.vertical)
            if column in now and (fresh or now[column] != group):
                found.append((column, other.name))
    return found


def _devices(name: str, agreement: Agreement) -> Iterator[tuple[str, Group]]:
    """The groups in which a party's columns are disguised, by column, whoever leads."""
    for design in agreement.ways_of_sending(name):
        for group in design.groups:
            for column in group.names:
                yield column, group
