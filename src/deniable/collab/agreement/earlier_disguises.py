"""What a party disguised before, in other collaborations that it approved."""

from collections.abc import Iterator

from deniable.collab.agreement.agreement import Agreement
from deniable.collab.agreement.party_file import PartyFile, approval
from deniable.design import Group


def disguised_otherwise(party: PartyFile, agreement: Agreement) -> list[tuple[str, str]]:
    """Columns that another collaboration had disguised by another device: (column, its name).

    Whoever holds both reports of a person knows more than by one. The same group of the same people
    is disguised the same, unless nobody is aligned: then there is nothing to know people by.
    """
    found = []
    now = dict(_devices(party.name, agreement))
    folder = approval(party, agreement.digest).parent
    for path in sorted(folder.glob("*.yaml")) if folder.is_dir() else []:
        other = Agreement.load(path)
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
