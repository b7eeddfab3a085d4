"""party.yaml: what one organisation is willing to do, and with whom.

It is the party's own, and stays with it. An agreement is approved only if it asks for nothing that
this file does not offer: a column, its values, a disguise, a column sent as it is.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import quote

from deniable.base.documents import read_yaml
from deniable.base.entries import Entries, Entry
from deniable.base.errors import CollabError, DataError, listed, nearest
from deniable.collab.agreement.agreement import Agreement, Member, read_policy
from deniable.collab.party_documents import (
    entry_of,
    in_file,
    read_disguise,
    read_endpoint,
    read_party_name,
)
from deniable.collab.policy import Policy
from deniable.collab.wire.identity import Peer, heard
from deniable.design import Design, Group, read_attributes
from deniable.engine.address import Address, is_address
from deniable.engine.open_table import open_table
from deniable.schema import Schema

PARTY_REQUIRED = ("party", "listen")
PARTY_OPTIONAL = (
    "identity", "state", "data", "id", "columns", "disguise", "send undisguised", "policy", "peers",
    "seed",
)  # fmt: skip
OF_A_PEER = ("address", "certificate", "fingerprint")


@dataclass(frozen=True)
class PartyFile:
    """One organisation's own file; an outside collector's has no data and no columns."""

    name: str
    listen: tuple[str, int]
    identity: Path
    state: Path
    path: Path
    policy: Policy = field(default_factory=Policy)
    data: str = ""
    """As `open_table` takes it; empty where the party holds none."""

    id: str | None = None
    schema: Schema = field(default_factory=lambda: Schema(()))
    groups: tuple[Group, ...] = ()
    """Disguises it is willing to use; a column may be in several of them."""

    undisguised: tuple[str, ...] = ()
    peers: Mapping[str, Peer] = field(default_factory=dict)
    seed: int | None = None

    @classmethod
    def load(cls, path: str | Path) -> "PartyFile":
        """Read party.yaml; paths in it are meant from its folder."""
        with in_file(path):
            return cls._of(read_yaml(path), Path(path).resolve())

    @classmethod
    def _of(cls, document: object, path: Path) -> "PartyFile":
        hint = "Start with party: NAME and listen: 127.0.0.1:7440."
        known = *PARTY_REQUIRED, *PARTY_OPTIONAL
        entries = entry_of(document).entries(hint, known, PARTY_REQUIRED)
        name, folder = read_party_name(entries["party"]), path.parent
        schema = entries.read("columns", read_attributes, Schema(()))
        return cls(
            name=name,
            listen=read_endpoint(entries["listen"]),
            identity=folder / entries.read("identity", Entry.text, "identity"),
            state=folder / entries.read("state", Entry.text, "state"),
            data=_read_data(entries, folder),
            id=_read_id(entries, schema),
            schema=schema,
            groups=entries.read("disguise", lambda each: read_disguise(each, schema), ()),
            undisguised=entries.read(
                "send undisguised", lambda each: each.chosen(schema.names, "column"), ()
            ),
            policy=entries.read("policy", read_policy, Policy()),
            peers=entries.read("peers", lambda each: _read_peers(each, name, folder), {}),
            seed=entries.read("seed", lambda each: each.whole(0), None),
            path=path,
        )

    def check(self, agreement: Agreement) -> None:
        """Refuse an agreement that this party is not willing, or not able, to take part in."""
        if self.name not in agreement.everybody:
            raise CollabError(
                f"{agreement.name} has no part for {self.name}.",
                hint=f"Its parties are {listed(agreement.names)}.",
            )
        self._require_known(agreement)
        if self.name in agreement.names:
            member = agreement.member(self.name)
            self._require_offered(member, agreement)
            for design in agreement.ways_of_sending(self.name):
                self._require_disguise(member, design, agreement)
            self._require_no_noise(member, agreement)
            self._require_data(member, agreement)

    def _require_known(self, agreement: Agreement) -> None:
        """Whoever may ask, or may have to be asked, must be a peer."""
        others = agreement.everybody
        if self.name not in {*agreement.leaders, *agreement.seekers}:
            others = {*agreement.leaders, *agreement.seekers}
        for name in sorted(others - {self.name}):
            if name not in self.peers:
                role = "leads" if name in agreement.leaders else "takes part in"
                raise CollabError(
                    f"{self.name} does not know {name}, who {role} {agreement.name}.",
                    hint=f"Add {name} to peers in {self.path.name}, with address, certificate and "
                    "fingerprint.",
                )

    def _require_offered(self, member: Member, agreement: Agreement) -> None:
        for attribute in member.schema:
            if attribute.name not in self.schema:
                raise CollabError(
                    f"{agreement.name} asks {self.name} for the column {attribute.name!r}, which "
                    f"it does not offer.",
                    hint=f"{nearest(attribute.name, self.schema.names)} Offered columns stand in "
                    f"{self.path.name}.",
                )
            offered = self.schema[attribute.name].values
            if set(attribute.values) != set(offered):
                raise CollabError(
                    f"{agreement.name} gives {attribute.name!r} the values "
                    f"{listed(attribute.values)}, and {self.name} has {listed(offered)}.",
                    hint="Both files must list the same values.",
                )

    def _require_disguise(self, member: Member, sent: Design, agreement: Agreement) -> None:
        willing = [_described(group) for group in self.groups]
        for group in member.groups:
            used = any(name in sent.schema for name in group.names)
            if used and _described(group) not in willing:
                raise CollabError(
                    f"{agreement.name} disguises {listed(group.names)} in a way that {self.name} "
                    f"does not offer: {group.channel.story(group.attributes)}",
                    hint=f"Add the same group to disguise in {self.path.name}, or do not approve.",
                )
        for column in sent.public:
            if column not in self.undisguised:
                raise CollabError(
                    f"{agreement.name} has {self.name} send {column!r} as it is.",
                    hint=f"Do not approve, or add {column!r} to 'send undisguised' in "
                    f"{self.path.name}.",
                )

    def _require_no_noise(self, member: Member, agreement: Agreement) -> None:
        """Counts of undisguised columns are exact where records stay at home."""
        if agreement.mode == "counts" and member.undisguised and self.policy.noise is not None:
            raise CollabError(
                f"{agreement.name} counts {listed(member.undisguised)} as they are, and "
                f"{self.name}'s policy wants noise, which is for secure counts.",
                hint="Disguise these columns, or use the mode secure or hybrid.",
            )

    def _require_data(self, member: Member, agreement: Agreement) -> None:
        if not self.data:
            raise CollabError(
                f"{self.name} has no data for {agreement.name}.",
                hint=f"Add data: FILE to {self.path.name}.",
            )
        if agreement.vertical and self.id is None:
            raise CollabError(
                f"{agreement.name} is about people that several parties know, and {self.name} does "
                "not say which column tells them apart.",
                hint=f"Add id: COLUMN to {self.path.name}.",
            )
        identifier = [self.id] if agreement.vertical and self.id is not None else []
        try:
            open_table(self.data).require([*identifier, *member.schema.names, *member.personal])
        except DataError as error:
            raise CollabError(error.message, hint=error.hint) from None


def _described(group: Group) -> tuple[object, ...]:
    return frozenset(group.names), group.channel.kind, group.channel.options(group.attributes)


def _read_data(entries: Entries, folder: Path) -> str:
    """Read the name of a table; a file is looked for from the folder of party.yaml."""
    if "data" not in entries:
        if "columns" in entries:
            raise CollabError("'data' is missing, and there are columns.", hint="Add data: FILE.")
        return ""
    name = entries["data"].text("Name a table: data: patients.parquet.")
    if not is_address(name):
        return str(folder / name)
    with entries["data"].judged():
        address = Address.of(name)
        embedded = address.scheme in {"duckdb", "sqlite"}
        if not embedded or address.file.is_absolute():
            return name
        _, _, table = name.partition("#")
        return f"{address.scheme}:///{quote(str(folder / address.file))}#{table}"


def _read_id(entries: Entries, schema: Schema) -> str | None:
    if "id" not in entries:
        return None
    name = entries["id"].text("Name a column.")
    if name in schema:
        raise entries["id"].mistake(
            f"{name!r} is among the columns too.", "What tells people apart is never mined."
        )
    return name


def _read_peers(entry: Entry, own: str, folder: Path) -> dict[str, Peer]:
    hint = "Write NAME: {address: host:port, certificate: FILE, fingerprint: …}."
    peers: dict[str, Peer] = {}
    for name, each in entry.entries(hint).items():
        if read_party_name(replace(each, value=name)) == own:
            raise each.mistake("This is the party itself.", "List the others.")
        found = each.entries(hint, OF_A_PEER, OF_A_PEER)
        said = found["fingerprint"].text("Copy what `deniable party init` showed the other party.")
        with found["fingerprint"].judged():
            fingerprint = heard(said)
        host, port = read_endpoint(found["address"])
        certificate = folder / found["certificate"].text()
        peers[name] = Peer(name, host, port, certificate, fingerprint)
        same = [peer.name for peer in peers.values() if peer.fingerprint == fingerprint]
        if len(same) > 1:
            raise found["fingerprint"].mistake(
                f"{same[0]} has the same fingerprint.", "Every party has a certificate of its own."
            )
    return peers
