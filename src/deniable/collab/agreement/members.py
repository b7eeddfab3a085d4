"""What each party brings to a collaboration: columns, and how they are disguised before they go."""

from dataclasses import dataclass, replace

from deniable.base.entries import Entry
from deniable.base.errors import DesignError, listed, shortened
from deniable.collab.agreement.tasks import Mode
from deniable.collab.party_documents import read_disguise, read_party_name
from deniable.design import Design, Group, personal_schema, read_attributes
from deniable.schema import Schema

VERTICAL: frozenset[Mode] = frozenset({"collect", "secure", "hybrid"})
"""Modes for different columns of the same people."""

SECURE_MODES: frozenset[Mode] = frozenset({"secure", "hybrid"})
PAIR = 2

OF_A_MEMBER = ("columns", "disguise", "undisguised")


@dataclass(frozen=True)
class Member:
    """What one party brings: its columns, and how they are disguised before they are sent."""

    name: str
    schema: Schema
    groups: tuple[Group, ...]
    undisguised: tuple[str, ...] = ()
    """Columns that are sent as they are, by intention."""

    @property
    def personal(self) -> tuple[str, ...]:
        """Columns of its data that hold personal answers of unknown distribution."""
        return personal_schema(Design(self.schema, self.groups)).names

    def design(self, *, plain: bool = False) -> Design:
        """What it may send: a column in no group only by intention. `plain`: all that it has."""
        if plain:
            return Design.truthful(self.schema)
        told = {*self.undisguised, *(name for group in self.groups for name in group.names)}
        sent = self.schema.select(name for name in self.schema.names if name in told)
        return Design(sent, self.groups)


def read_members(entry: Entry, mode: Mode) -> tuple[Member, ...]:
    """Read the parties, who fit each other in the mode."""
    entries = entry.entries("Write parties: {NAME: {columns: …, disguise: …}}.")
    if len(entries) < PAIR or (mode in SECURE_MODES and len(entries) > PAIR):
        number = "exactly two" if mode in SECURE_MODES else "at least two"
        raise entry.mistake(
            f"{mode} is for {number} parties, and there {'is' if len(entries) == 1 else 'are'} "
            f"{len(entries)}.",
            "Use mode: collect for more than two." if len(entries) > PAIR else "Name another one.",
        )
    members = tuple(_read_member(name, each, mode) for name, each in entries.items())
    if len({member.name.lower() for member in members}) < len(members):
        raise entry.mistake("Two names differ only in capitals.", "Choose another name for one.")
    for place, member in zip(entries.values(), members, strict=True):
        if mode in VERTICAL:
            _require_equal_domains(place, member, members)
        else:
            with place.judged():
                members[0].schema.require_same_domains(member.schema, member.name)
    return members


def _read_member(name: str, entry: Entry, mode: Mode) -> Member:
    read_party_name(replace(entry, value=name))
    entries = entry.entries("Write columns and disguise.", OF_A_MEMBER, ("columns",))
    if mode == "secure" and len(entries) > 1:
        unused = next(key for key in entries if key != "columns")
        raise entries[unused].mistake(
            "Where counts are secure only, no records are sent.",
            "Leave it out, or use mode: hybrid.",
        )
    schema = read_attributes(entries["columns"])
    for word in (word for attribute in schema for word in (attribute.name, *attribute.values)):
        if not word.isprintable():  # two might look the same; nor can a row of a ledger have it
            raise entries["columns"].mistake(
                f"{shortened(word)} has a character that is not seen.",
                "Prepare the data so that names and values have none, but plain spaces.",
            )
    member = Member(
        name,
        schema,
        entries.read("disguise", lambda each: read_disguise(each, schema), ()),
        entries.read("undisguised", lambda each: each.chosen(schema.names, "column"), ()),
    )
    try:
        member.design()
    except DesignError as error:
        raise entries["disguise"].mistake(error.message, error.hint) from None
    if mode != "pool" and any(group.needs_second_sample for group in member.groups):
        raise entries["disguise"].mistake(
            f"A personal distribution that is unknown needs samples of different people, and mode: "
            f"{mode} {'has the same people' if mode in VERTICAL else 'sends no reports of them'}.",
            "Write the distribution: personal: {column: {value: 1/2, …}}; or use mode: pool, where "
            "each site has a theta of its own.",
        )
    for column in member.undisguised:
        if any(column in group.names for group in member.groups):
            raise entries["undisguised"].mistake(
                f"{column!r} is in a group too.", "Disguise it, or send it undisguised."
            )
    return member


def _require_equal_domains(entry: Entry, member: Member, members: tuple[Member, ...]) -> None:
    for other in members[: members.index(member)]:
        for attribute in member.schema:
            name = attribute.name
            if name in other.schema and other.schema[name] != attribute:
                raise entry.mistake(
                    f"{other.name} has the column {name!r} too, with other values: "
                    f"{listed(other.schema[name].values)} instead of {listed(attribute.values)}.",
                    "List the same values in the same order, or give one column another name.",
                )


def joint_schema(members: tuple[Member, ...]) -> Schema:
    """All columns in the order of the file, shared ones once."""
    attributes = {each.name: each for member in reversed(members) for each in member.schema}
    order = dict.fromkeys(name for member in members for name in member.schema.names)
    return Schema(tuple(attributes[name] for name in order))
