import re
import stat
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import yaml

from collab.party_folders import exchange, write_agreement, write_party
from deniable.base.errors import CollabError
from deniable.collab.agreement.agreement import Agreement
from deniable.collab.agreement.approvals import approve, disguised_otherwise, is_approved
from deniable.collab.agreement.party_file import PartyFile
from deniable.collab.policy import Noise, Policy
from deniable.collab.wire.identity import Certificate, Identity
from deniable.engine.open_table import open_table

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "collaboration-file.md"

YES = ["no", "yes"]
PEER = {"address": "10.0.0.1:7440", "certificate": "south.pem", "fingerprint": "ab" * 32}
MINIMAL: dict[str, Any] = {
    "party": "north",
    "listen": "127.0.0.1:7440",
    "data": "data.csv",
    "columns": {"smokes": YES},
}


def related(*names: str, theta: str = "0.8") -> dict[str, Any]:
    return {"attributes": list(names), "channel": "related", "theta": theta}


def loaded(folder: Path, **changes: Any) -> PartyFile:
    document = {**MINIMAL, **{key.replace("_", " "): value for key, value in changes.items()}}
    path = folder / "party.yaml"
    path.write_text(yaml.safe_dump({k: v for k, v in document.items() if v is not None}))
    return PartyFile.load(path)


@pytest.fixture
def parties(tmp_path: Path) -> Path:
    """North and south, who know each other, and have columns of the same people."""
    north, south = tmp_path / "north", tmp_path / "south"
    write_party(
        north, "north", id="patient", columns={"smokes": YES, "ill": YES},
        data={"patient": ["1", "2"], "smokes": YES, "ill": YES},
        disguise=[related("smokes"), related("smokes", theta="0.7")], undisguised=["ill"],
    )  # fmt: skip
    write_party(
        south, "south", id="patient", columns={"age": ["young", "old"]},
        data={"patient": ["1", "2"], "age": ["young", "old"]}, disguise=[related("age")],
    )  # fmt: skip
    exchange(north, south)
    return tmp_path


def agreed(folder: Path, leader: str = "south", **north: Any) -> Agreement:
    brought = {
        "columns": {"smokes": YES, "ill": YES},
        "disguise": [related("smokes")],
        "undisguised": ["ill"],
        **north,
    }
    south = {"columns": {"age": ["young", "old"]}, "disguise": [related("age")]}
    path = write_agreement(
        folder,
        parties={"north": brought, "south": south},
        leader=leader,
        mine={"tree": {"target": "age"}},
    )
    return Agreement.load(path)


def test_a_party_file_is_read_whole(tmp_path: Path) -> None:
    found = loaded(
        tmp_path,
        identity="keys",
        id="patient",
        disguise=[related("smokes", theta="4/5"), related("smokes", theta="0.7")],
        send_undisguised=["smokes"],
        policy={"minimum cell": "20", "noise": {"epsilon": "1/2", "budget": "20"}},
        peers={"south": {**PEER, "address": "[::1]:7441", "fingerprint": "AB:" * 31 + "AB"}},
        seed="7",
    )
    assert (found.name, found.listen) == ("north", ("127.0.0.1", 7440))
    assert (found.identity, found.state) == (tmp_path / "keys", tmp_path / "state")
    assert (found.data, found.id) == (str(tmp_path / "data.csv"), "patient")
    assert found.schema["smokes"].values == ("no", "yes")
    assert len(found.groups) == 2  # a party may be willing to use either
    assert found.undisguised == ("smokes",)
    assert found.policy == Policy(minimum=20, noise=Noise(Fraction(1, 2), Fraction(20)))
    peer = found.peers["south"]
    assert (peer.name, peer.host, peer.port) == ("south", "::1", 7441)
    assert (peer.certificate, peer.fingerprint) == (tmp_path / "south.pem", "ab" * 32)
    assert (found.seed, found.path) == (7, tmp_path / "party.yaml")


def test_an_outside_collector_needs_no_data(tmp_path: Path) -> None:
    found = loaded(tmp_path, data=None, columns=None)
    assert (found.data, found.id, found.schema.names, found.seed) == ("", None, (), None)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("shards/*.parquet", "{folder}/shards/*.parquet"),
        ("postgresql://me@host/clinic#t", "postgresql://me@host/clinic#t"),
        ("sqlite:///people.db#my%20table", "sqlite:///{folder}/people.db#my%20table"),
    ],
)
def test_data_are_looked_for_from_the_files_folder(name: str, meant: str, tmp_path: Path) -> None:
    assert loaded(tmp_path, data=name).data == meant.format(folder=tmp_path)


def test_an_embedded_database_beside_the_file_is_opened(tmp_path: Path) -> None:
    import sqlite3
    from contextlib import closing

    folder = tmp_path / "a folder"
    folder.mkdir()
    with closing(sqlite3.connect(folder / "people.db")) as database:
        database.execute("create table t (smokes text)")
        database.execute("insert into t values ('yes')")
        database.commit()
    table = open_table(loaded(folder, data="sqlite:///people.db#t").data)
    assert table.names == ("smokes",)


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "unknown": ({"column": {}}, "There is no entry 'column' here. Did you mean 'columns'?"),
    "no name": ({"party": None}, "'party' is missing."),
    "name": ({"party": "no/rth"}, "party: 'no/rth' is no short name."),
    "drawn": ({"party": "drawn"}, "party: No party can be called 'drawn'."),
    "listen": ({"listen": "7440"}, "listen: '7440' is no address. Write host:port"),
    "v6": ({"listen": "::1:7440"}, "listen: '::1:7440' is no address."),
    "port": ({"listen": "host:70000"}, "listen.port: 70000 is out of range. Give 1 to 65535."),
    "columns": ({"columns": {"smokes": "yes"}}, "columns.smokes: This must be a list."),
    "no data": ({"data": None}, "'data' is missing, and there are columns."),
    "address": ({"data": "nothing://x"}, "data: "),
    "id": ({"id": "smokes"}, "id: 'smokes' is among the columns too."),
    "group": ({"disguise": [related("age")]}, "disguise.1: There is no attribute 'age'."),
    "plain": ({"send_undisguised": ["age"]}, "send undisguised.1: There is no column 'age'."),
    "policy": ({"policy": {"minimum": "3"}}, "policy: "),
    "seed": ({"seed": "x"}, "seed: 'x' is not a whole number."),
    "peer": ({"peers": {"south": {"address": "a:1"}}}, "peers.south: 'certificate' is missing."),
    "own": ({"peers": {"north": PEER}}, "peers.north: This is the party itself."),
    "fingerprint": (
        {"peers": {"south": {**PEER, "fingerprint": "abc"}}},
        "peers.south.fingerprint: 'abc' is not a fingerprint",
    ),
    "no fingerprint": (
        {"peers": {"south": {**PEER, "fingerprint": []}}},
        "peers.south.fingerprint: This must be text.",
    ),
    "same": (
        {"peers": {"south": PEER, "west": PEER}},
        "peers.west.fingerprint: south has the same fingerprint.",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_mistake_is_one_sentence_with_its_file_and_place(case: str, tmp_path: Path) -> None:
    changes, message = WRONG[case]
    if case == "address":
        changes = {"data": "postgresql://a@b@c/d#e"}
    with pytest.raises(CollabError) as caught:
        loaded(tmp_path, **changes)
    assert str(caught.value).startswith(f"{tmp_path / 'party.yaml'}: {message}")


def test_exchanged_files_pin_each_others_certificates(parties: Path) -> None:
    north = PartyFile.load(parties / "north" / "party.yaml")
    south = PartyFile.load(parties / "south" / "party.yaml")
    assert north.listen[1] != south.listen[1]
    assert (north.peers["south"].host, north.peers["south"].port) == south.listen
    theirs = Identity.load(south.identity).fingerprint
    assert north.peers["south"].fingerprint == theirs
    assert Certificate.load(north.peers["south"].certificate).fingerprint == theirs


def test_a_willing_party_approves_and_finds_it_again(parties: Path) -> None:
    north = PartyFile.load(parties / "north" / "party.yaml")
    agreement = agreed(parties)
    assert is_approved(north, agreement.digest) is None
    path = approve(north, agreement)
    assert path == north.state / "approved" / f"{agreement.digest[:40]}.yaml"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(north.state.stat().st_mode) == 0o700
    assert is_approved(north, agreement.digest) == agreement
    assert is_approved(north, agreed(parties, leader="drawn").digest) is None
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("'0.8'", "'0.9'").replace("0.8", "0.9"), encoding="utf-8")
    assert is_approved(north, agreement.digest) is None


def test_either_disguise_that_a_party_offers_will_do(parties: Path) -> None:
    north = PartyFile.load(parties / "north" / "party.yaml")
    north.check(agreed(parties, disguise=[related("smokes", theta="4/5")]))
    north.check(agreed(parties, disguise=[related("smokes", theta="70%")]))


UNWILLING: dict[str, tuple[dict[str, Any], str]] = {
    "column": (
        {"columns": {"smoke": YES}, "disguise": [related("smoke")], "undisguised": []},
        "readmission asks north for the column 'smoke', which it does not offer. Did you mean "
        "'smokes'?",
    ),
    "values": (
        {"columns": {"smokes": ["no", "yes", "a bit"], "ill": YES}},
        "readmission gives 'smokes' the values 'no', 'yes', 'a bit', and north has 'no', 'yes'.",
    ),
    "theta": (
        {"disguise": [related("smokes", theta="0.9")]},
        "readmission disguises 'smokes' in a way that north does not offer: smokes: with "
        "probability 90 %",
    ),
    "channel": (
        {"disguise": [{**related("smokes"), "channel": "keep-or-uniform"}]},
        "readmission disguises 'smokes' in a way that north does not offer",
    ),
    "together": (
        {"disguise": [related("smokes", "ill")], "undisguised": []},
        "readmission disguises 'smokes', 'ill' in a way that north does not offer",
    ),
    "plain": (
        {"disguise": [], "undisguised": ["smokes", "ill"]},
        "readmission has north send 'smokes' as it is.",
    ),
}


@pytest.mark.parametrize("case", UNWILLING)
@pytest.mark.parametrize("leader", ["south", "drawn"])
def test_what_is_not_offered_is_not_approved(case: str, leader: str, parties: Path) -> None:
    brought, message = UNWILLING[case]
    north = PartyFile.load(parties / "north" / "party.yaml")
    with pytest.raises(CollabError, match=re.escape(message)):
        approve(north, agreed(parties, leader, **brought))
    assert not (north.state / "approved").exists()


def test_a_leader_need_not_offer_what_it_never_sends(parties: Path) -> None:
    north = PartyFile.load(parties / "north" / "party.yaml")
    north.check(agreed(parties, "north", disguise=[], undisguised=[]))


def test_a_party_refuses_what_it_is_not_able_to_do(parties: Path, tmp_path: Path) -> None:
    path = parties / "north" / "party.yaml"
    document = yaml.safe_load(path.read_text())

    def refusal(agreement: Agreement, **changes: Any) -> str:
        new = {k: v for k, v in {**document, **changes}.items() if v is not None}
        path.write_text(yaml.safe_dump(new))
        with pytest.raises(CollabError) as caught:
            PartyFile.load(path).check(agreement)
        return str(caught.value)

    asked = agreed(parties)
    assert refusal(asked, party="west").startswith("readmission has no part for west.")
    assert refusal(asked, peers=None).startswith("north does not know south, who leads readmission")
    assert "Add id: COLUMN to party.yaml." in refusal(asked, id=None)
    assert "has no column 'number'" in refusal(asked, id="number")
    assert "gone.parquet" in refusal(asked, data="gone.parquet")
    led = agreed(parties, "north", disguise=[], undisguised=[])
    known = document["peers"]["south"]
    assert "takes part in readmission" in refusal(led, peers={"west": known})
    outside = agreed(tmp_path / "other", "broker")
    assert refusal(outside).startswith("north does not know broker, who leads readmission.")


def test_an_outside_collector_must_know_all_parties(parties: Path) -> None:
    file = write_party(parties / "broker", "broker")
    agreement = agreed(parties, "broker")
    with pytest.raises(CollabError, match="broker does not know north, who takes part"):
        PartyFile.load(file).check(agreement)
    exchange(parties / "broker", parties / "north", parties / "south")
    for name in ("broker", "north", "south"):
        approve(PartyFile.load(parties / name / "party.yaml"), agreement)


def test_the_pages_files_fit_each_other(tmp_path: Path) -> None:
    blocks = re.findall(r"```yaml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    party, agreement = blocks
    (tmp_path / "party.yaml").write_text(party, encoding="utf-8")
    (tmp_path / "collaboration.yaml").write_text(agreement, encoding="utf-8")
    (tmp_path / "patients.csv").write_text("patient,age,region\n1,young,hills\n", encoding="utf-8")
    south = PartyFile.load(tmp_path / "party.yaml")
    south.check(Agreement.load(tmp_path / "collaboration.yaml"))
    page = PAGE.read_text(encoding="utf-8")
    assert all(f"| `{key}` |" in page for key in Policy().document())


def test_a_column_that_another_collaboration_disguises_otherwise_is_found(tmp_path: Path) -> None:
    columns = {"smokes": ["no", "yes"], "age": ["young", "old"]}
    groups = [
        {"attributes": ["smokes"], "channel": "related", "theta": theta} for theta in ("0.8", "0.7")
    ]
    data = {"id": ["1", "2"], "smokes": ["no", "yes"], "age": ["old", "young"]}
    offered = {"data": data, "id": "id", "columns": columns, "disguise": groups}
    for name in ("north", "south"):
        write_party(tmp_path / name, name, **offered)  # type: ignore[arg-type]
    exchange(tmp_path / "north", tmp_path / "south")
    party = PartyFile.load(tmp_path / "south" / "party.yaml")
    agreements = []
    for number, group in enumerate([groups[0], groups[0], groups[1]]):
        brought = {"columns": {"smokes": ["no", "yes"]}, "disguise": [group]}
        path = write_agreement(
            tmp_path / str(number),
            parties={"north": {"columns": {"age": ["young", "old"]}}, "south": brought},
            mine={"rules": {"min_support": "0.1", "min_confidence": "0.5"}},
            name=f"number-{number}",
        )
        agreements.append(Agreement.load(path))
    approve(party, agreements[0])
    assert disguised_otherwise(party, agreements[0]) == []
    assert disguised_otherwise(party, agreements[1]) == []
    assert disguised_otherwise(party, agreements[2]) == [("smokes", "number-0")]
