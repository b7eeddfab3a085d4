"""collaboration.yaml: what several organisations agree to do, and what each of them sends.

The same file is read and approved by all; its digest stands in every message. What could make a run
fail later is refused when the file is read, in one sentence that names the place.
"""

from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Literal, cast, get_args

from deniable.base.documents import read_text, read_yaml, to_yaml
from deniable.base.entries import Entries, Entry
from deniable.base.errors import CollabError, DesignError, nearest
from deniable.collab.agreement.members import (
    SECURE_MODES,
    VERTICAL,
    Member,
    joint_schema,
    read_members,
)
from deniable.collab.agreement.tasks import Mode, Task, read_task
from deniable.collab.party_documents import DRAWN, digest, entry_of, in_file, read_name
from deniable.collab.policy import Policy
from deniable.design import Design, Group
from deniable.oracle.two_samples import require_solvable
from deniable.schema import Schema

__all__ = ["DRAWN", "SECURE_MODES", "Agreement", "Align", "Member", "Mode", "Task"]

Align = Literal["psi", "key"]

AGREEMENT_REQUIRED = ("collaboration", "mode", "parties", "leader", "mine")
AGREEMENT_OPTIONAL = ("purpose", "own columns", "align", "policy", "results")


@dataclass(frozen=True)
class Agreement:
    """What all parties approve."""

    name: str
    purpose: str
    mode: Mode
    members: tuple[Member, ...]
    leader: str
    """Who mines: a party, an outside collector, or DRAWN."""

    own_plain: bool
    align: Align | None
    task: Task
    policy: Policy
    results: tuple[str, ...]
    text: str = field(repr=False)
    digest: str
    """Of what the file says, however it is laid out."""

    @classmethod
    def load(cls, path: str | Path) -> "Agreement":
        """Read collaboration.yaml."""
        with in_file(path):
            return cls.of(read_yaml(path), read_text(path))

    @classmethod
    def of(cls, document: object, text: str = "") -> "Agreement":
        """Build from the document that collaboration.yaml holds, and its text."""
        root = entry_of(document)
        hint = "Start with collaboration, mode, parties, leader and mine."
        entries = root.entries(hint, (*AGREEMENT_REQUIRED, *AGREEMENT_OPTIONAL), AGREEMENT_REQUIRED)
        mode = cast(Mode, entries["mode"].choice(get_args(Mode)))
        members = read_members(entries["parties"], mode)
        leader = _read_leader(entries["leader"], mode, [member.name for member in members])
        found = cls(
            name=read_name(entries["collaboration"]),
            purpose=entries.read("purpose", Entry.text, ""),
            mode=mode,
            members=members,
            leader=leader,
            own_plain=_read_own_plain(entries, mode),
            align=_read_align(entries, mode),
            task=read_task(
                entries["mine"],
                mode,
                joint_schema(members),
                several_samples=any(g.needs_second_sample for m in members for g in m.groups),
            ),
            policy=entries.read("policy", read_policy, Policy()),
            results=_read_results(entries, members, leader),
            text=text or to_yaml(root.value),
            digest=digest(root.value),
        )
        if found.policy.noise is not None and mode not in SECURE_MODES:
            raise entries["policy"].mistake(
                f"In the mode {mode!r}, nothing gets noise: the disguise protects.",
                "Leave noise out, or use the mode secure or hybrid.",
            )
        _require_covered(found, entries["parties"])
        _require_samples(found, entries["parties"])
        return found

    @property
    def several_samples(self) -> bool:
        """Whether sites are samples that tell an unknown personal distribution together."""
        return any(group.needs_second_sample for each in self.members for group in each.groups)

    @property
    def vertical(self) -> bool:
        """Whether the parties have different columns of the same people."""
        return self.mode in VERTICAL

    @property
    def names(self) -> tuple[str, ...]:
        """The parties' names, in order."""
        return tuple(member.name for member in self.members)

    @property
    def outside(self) -> bool:
        """Whether the leader holds no data."""
        return self.leader not in {*self.names, DRAWN}

    @property
    def leaders(self) -> tuple[str, ...]:
        """Everybody who may come to lead: one, unless the leader is drawn."""
        return self.names if self.leader == DRAWN else (self.leader,)

    @property
    def everybody(self) -> set[str]:
        """All with a part in it: the parties, and a leader from outside."""
        return {*self.names, *self.leaders}

    @property
    def seekers(self) -> tuple[str, ...]:
        """Who finds the people in common, besides the leader: the first, if that one has none."""
        return self.names[:1] if self.vertical and self.outside else ()

    @cached_property
    def schema(self) -> Schema:
        """All columns, shared ones once; where people differ, the columns that all have."""
        return joint_schema(self.members)

    def led_by(self, leader: str) -> "Agreement":
        """The same agreement once the leader is drawn."""
        if leader not in self.leaders:
            raise CollabError(
                f"{leader} cannot lead {self.name}.", hint=nearest(leader, self.leaders)
            )
        return replace(self, leader=leader)

    def member(self, name: str) -> Member:
        """What a party brings."""
        for member in self.members:
            if member.name == name:
                return member
        raise CollabError(f"{self.name} has no party {name!r}.", hint=nearest(name, self.names))

    def giver(self, column: str) -> str:
        """Whose copy of a shared column is taken: the leader's, or else the first."""
        owners = [member.name for member in self.members if column in member.schema]
        return self.leader if self.leader in owners else owners[0]

    def sent(self, name: str) -> Design:
        """What the leader gets of a party's records, or has of its own: columns and disguise.

        Of shared columns it has one copy. Nothing of records is sent where counts are secure only.
        """
        member = self.member(name)
        if self.mode == "secure":
            return Design.truthful(Schema(()))
        design = member.design(plain=self.own_plain and name == self.leader)
        if not self.vertical:
            return design
        kept = [column for column in design.schema.names if self.giver(column) == name]
        groups = (_narrowed(group, kept) for group in design.groups)
        return Design(design.schema.select(kept), tuple(group for group in groups if group))

    def ways_of_sending(self, name: str) -> list[Design]:
        """What a party may have to send, whoever comes to lead."""
        return [self.led_by(leader).sent(name) for leader in self.leaders if leader != name]

    def story(self) -> str:
        """Say in plain words what is sent, by whom, to whom, and what each of them learns."""
        from deniable.collab.agreement.agreement_story import story  # which is about agreements

        return story(self)


def _narrowed(group: Group, kept: list[str]) -> Group | None:
    """What the same device does to some of its columns."""
    places = [place for place, name in enumerate(group.names) if name in kept]
    if len(places) in {0, len(group.names)}:
        return group if places else None
    return Group(tuple(group.attributes[n] for n in places), group.channel.marginal(places))


def _read_leader(entry: Entry, mode: Mode, members: list[str]) -> str:
    leader = read_name(entry)
    if mode in SECURE_MODES and leader not in {*members, DRAWN}:
        raise entry.mistake(
            f"{leader!r} is no party, and {mode} needs a leader with data.",
            nearest(leader, [*members, DRAWN]),
        )
    return leader


def _read_own_plain(entries: Entries, mode: Mode) -> bool:
    if "own columns" not in entries:
        return True
    plain = entries["own columns"].choice(("plain", "disguised")) == "plain"
    if mode == "secure" and not plain:
        raise entries["own columns"].mistake(
            "Where counts are secure only, nothing is disguised.", "Leave it out."
        )
    return plain


def _read_align(entries: Entries, mode: Mode) -> Align | None:
    if mode in VERTICAL:
        return cast(Align, entries.read("align", lambda each: each.choice(get_args(Align)), "psi"))
    if "align" in entries:
        raise entries["align"].mistake(
            f"In mode {mode} every party has people of its own, so there is nothing to align.",
            "Leave it out.",
        )
    return None


def read_policy(entry: Entry) -> Policy:
    """Read a release policy."""
    with entry.judged():
        return Policy.of(entry.value)


def _read_results(entries: Entries, members: tuple[Member, ...], leader: str) -> tuple[str, ...]:
    names = tuple(member.name for member in members)
    if "results" not in entries:
        return names if leader in {*names, DRAWN} else (*names, leader)
    entry = entries["results"]
    known = dict.fromkeys([*names, leader])
    known.pop(DRAWN, None)
    results = entry.chosen(known, "party")
    unavoidable = names if leader == DRAWN else (leader,)
    for name in unavoidable:
        if name not in results:
            how = "may be drawn to mine it" if leader == DRAWN else "mines it"
            raise entry.mistake(f"{name} {how}, and so sees the result.", f"List {name} too.")
    return results


def _require_samples(agreement: Agreement, entry: Entry) -> None:
    """Sites leave the same groups unknown, with different thetas, and none sends plain answers."""
    if not agreement.several_samples:
        return
    for led in map(agreement.led_by, agreement.leaders):
        if led.own_plain and led.leader in led.names:
            raise entry.mistake(
                f"{led.leader} leads, and leaves its own columns undisguised, while a personal "
                "distribution is unknown: all sites must leave the same groups unknown.",
                "Write own columns: disguised, or have a collector from outside lead.",
            )
        try:
            require_solvable([led.sent(name) for name in led.names])
        except DesignError as error:
            raise entry.mistake(error.message, error.hint) from None


def _require_covered(agreement: Agreement, entry: Entry) -> None:
    """Nobody sends a column as it is by forgetting to disguise it."""
    if agreement.mode == "secure":
        return
    for led in map(agreement.led_by, agreement.leaders):
        for member in led.members:
            told = member.design(plain=led.own_plain and member.name == led.leader).schema
            for column in member.schema.names:
                wanted = not led.vertical or led.giver(column) == member.name
                if wanted and column not in told:
                    raise entry.mistake(
                        f"{member.name} does not say how {column!r} is sent.",
                        f"Put it in a group of disguise, or list it: undisguised: [{column}].",
                    )
