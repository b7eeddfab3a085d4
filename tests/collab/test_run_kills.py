"""Parties that are killed at any moment: what was released stays, and nothing else does."""

import json
import re
import signal
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from collab.parties import EVERYTHING, Gathering, by_columns
from deniable.collab.counting.plain_twin import Twin
from deniable.collab.follower.dispatcher import Dispatcher
from deniable.collab.ledger import Ledger, compare, read
from deniable.collab.session.run_folder import RunFile
from deniable.collab.wire.connection import Connection
from deniable.schema import Schema
from forking import Command, Doom, Nursery, nursery_in
from mine.datasets import random_records

pytestmark = pytest.mark.slow

KILLED = {
    "north": [
        Doom(Connection.ask, 1, "after"),
        Doom("os:fsync", 3, "before"),
        Doom(Connection.ask, 6, "before"),
        Doom(Ledger.adopt, 3, "before"),
        Doom(Ledger.adopt, 3, "after"),
    ],
    "south": [
        Doom(Dispatcher.answer, 3, "after"),
        Doom(Ledger.append, 1, "before"),
        Doom(Ledger.append, 2, "after"),
        Doom("os:fsync", 4, "before"),
        Doom("os:fsync", 3, "after"),
    ],
}
"""Moments at which parties are killed, one after the other; each time they go on from there."""

SCHEMA = Schema.of(
    {
        **{f"mine{number}": ["no", "some", "yes"] for number in range(4)},
        **{f"yours{number}": ["no", "some", "yes"] for number in range(4)},
        "class": ["low", "high"],
    }
)
SHARES = {
    "north": [*(f"mine{number}" for number in range(4)), "class"],
    "south": [*(f"yours{number}" for number in range(4)), "class"],
}
GROUPS = {
    party: [
        {"attributes": columns[:2], "channel": "related", "theta": "0.9"},
        {"attributes": columns[2:4], "channel": "related", "theta": "0.9"},
    ]
    for party, columns in SHARES.items()
}
PAIRS = [("north", "south"), ("south", "north")]
SECRETS = {
    "a private key": re.compile(rb"PRIVATE KEY"),
    "an object of SEAL": re.compile(rb"\x5e\xa1\x10[\x04\x03]"),
    "an identifier": re.compile(rb"(north|south)-\d+"),
}


def made(folder: Path, mode: str) -> Gathering:
    return by_columns(
        folder,
        random_records(SCHEMA, 600, seed=5),
        SHARES,
        mode=mode,
        mine={"tree": {"target": "class", "growth": "faithful", "max_depth": "4"}},
        disguise=GROUPS if mode == "hybrid" else None,
        policy=EVERYTHING,
        strangers=20,
        seeds={"north": 1, "south": 2} if mode == "hybrid" else None,
    )


@pytest.fixture(scope="module")
def nursery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nursery]:
    """A nursery whose commands have a temporary folder of their own."""
    temporary = tmp_path_factory.mktemp("temporary")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", str(temporary))
        patch.setenv("PYTHONWARNINGS", "ignore")
        with nursery_in(
            tmp_path_factory.mktemp("outputs"),
            "deniable.collab.party_server",
            "deniable.collab.start_run",
        ) as opened:
            yield opened
    assert list(temporary.iterdir()) == [], "something was left in the system's temporary folder"


@dataclass
class Killing:
    """One run, and whoever is killed in it."""

    gathering: Gathering
    nursery: Nursery
    running: dict[str, Command] = field(default_factory=dict)
    copies: list[bytes] = field(default_factory=list)

    def start(self, name: str, doom: Doom | None = None) -> None:
        party = self.gathering.parties[name]
        if name == "north":
            file = self.gathering.folder / "collaboration.yaml"
            words = ["collaborate", "run", file, "--party", party, "--patience", "120"]
        else:
            words = ["party", "serve", party]
        self.running[name] = self.nursery.start(*words, doom=doom)

    def die(self, name: str) -> None:
        """Wait until a party has killed itself."""
        status = self.running[name].wait()
        assert status == -signal.SIGKILL, self.running[name].output.read_text()
        self.look()

    def look(self) -> None:
        """Copy the ledgers as they are, and look for secrets wherever there are files."""
        for name, peer in PAIRS:
            ledger = self.gathering.ledger(name, peer)
            if ledger.exists():
                content = ledger.read_bytes()
                self.copies.append(content[: content.rfind(b"\n") + 1])
            for path in self.gathering.party(name).state.rglob("*"):
                if path.is_file():
                    require_no_secret(path)

    @property
    def amid(self) -> int:
        """How many moments were looked at when some counts had been released, but not all."""
        last = max(map(len, self.copies))
        return len({copy for copy in self.copies if b'"count"' in copy and len(copy) < last})

    def check(self, wanted: bytes) -> None:
        """The right model, one history, each count once."""
        ledgers = [
            self.gathering.ledger(*pair) for pair in (("north", "south"), ("south", "north"))
        ]
        history = ledgers[0].read_bytes()
        assert compare(*ledgers).equal
        assert ledgers[1].read_bytes() == history
        assert len(read(ledgers[0])) == history.count(b"\n")
        for copy in self.copies:
            assert history.startswith(copy), "what was written once changed"
        counted = [row["about"] for row in map(json.loads, history.splitlines())
                   if row["kind"] in {"count", "refused"}]  # fmt: skip
        assert len(counted) == len(set(counted)) > 50
        for name in SHARES:
            assert (self.gathering.state(name) / RunFile.RESULT).read_bytes() == wanted
            assert list(self.gathering.party(name).state.rglob("*.part")) == []


def require_no_secret(path: Path) -> None:
    content = path.read_bytes()
    for what, pattern in SECRETS.items():
        assert not pattern.search(content), f"{what} in {path.name}"
    assert path.stat().st_mode & 0o077 == 0 or path.parent.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("mode", ["secure", "hybrid"])
@pytest.mark.filterwarnings("ignore::deniable.source.disguise.SeedWarning")
def test_killed_parties_go_on_where_they_were(tmp_path: Path, nursery: Nursery, mode: str) -> None:
    reference = made(tmp_path / "reference", mode)
    reference.lead_here(backend=Twin())
    wanted = (reference.state("north") / RunFile.RESULT).read_bytes()
    killing = Killing(made(tmp_path / "run", mode), nursery)
    try:
        killing.start("south")
        for doom in KILLED["north"]:
            killing.start("north", doom)
            killing.die("north")
        killing.running["south"].end(signal.SIGKILL)
        killing.start("south", KILLED["south"][0])
        killing.start("north")  # which waits for the other whenever it is gone
        for then in [*KILLED["south"][1:], None]:
            killing.die("south")
            killing.start("south", then)
        assert killing.running["north"].wait() == 0, killing.running["north"].output.read_text()
    finally:
        for command in killing.running.values():
            command.end(signal.SIGKILL)
    killing.look()
    killing.check(wanted)
    assert killing.amid > 3


def test_what_a_killed_process_had_not_finished_is_swept_away(tmp_path: Path) -> None:
    gathering = made(tmp_path, "secure")
    for name in SHARES:
        gathering.state(name).mkdir(mode=0o700)
        (gathering.state(name) / ".secret.0123abcd.part").write_bytes(b"half a secret")
    gathering.lead_here(backend=Twin())
    for name in SHARES:
        assert list(gathering.state(name).glob(".*")) == []


def test_a_secret_in_a_file_would_be_found(tmp_path: Path) -> None:
    import seal

    from deniable.collab.counting.parameters import parameters
    from deniable.collab.counting.ring import ring
    from deniable.collab.wire.identity import KEY, make

    gathering = made(tmp_path, "secure")
    make(tmp_path / "other", "other")
    key = seal.KeyGenerator(ring(parameters(9).lattice, parameters(9).t).context).secret_key()
    key.save(str(tmp_path / "key.seal"))
    (tmp_path / "list.part").write_bytes(b"north-3, north-4")
    for path in (tmp_path / "other" / KEY, tmp_path / "key.seal", tmp_path / "list.part"):
        with pytest.raises(AssertionError, match=" in "):
            require_no_secret(path)
    assert gathering.state("north").parent.stat().st_mode & 0o077 == 0
