"""The commands of a collaboration: what people read before they agree, while it runs, and after."""

import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from collab.parties import Gathering, by_columns
from collab.party_folders import exchange, write_agreement, write_party
from commanding import Command
from deniable.collab.agreement.agreement import Agreement
from deniable.collab.ledger import compare, read
from deniable.collab.party_server import PartyServer
from deniable.engine.memory.records import Records
from deniable.schema import Schema
from mine.datasets import random_records

SCHEMA = Schema.of({name: ["no", "yes"] for name in ("smokes", "back", "old", "alone")})
SHARES = {"north": ["smokes", "back"], "south": ["old", "alone"]}
GROUPS = {
    "south": [
        {"attributes": [name], "channel": "keep-or-uniform", "theta": "1/2"}
        for name in SHARES["south"]
    ]
}
TREE = {"tree": {"target": "back", "max_depth": "2"}}


@pytest.fixture
def records() -> Records:
    return random_records(SCHEMA, 400, seed=5)


@pytest.fixture
def two(tmp_path: Path, records: Records) -> Gathering:
    return by_columns(tmp_path, records, SHARES, mode="hybrid", mine=TREE, disguise=GROUPS)


@pytest.fixture
def south(two: Gathering) -> Iterator[PartyServer]:
    server = PartyServer(two.party("south"))
    server.start()
    yield server
    server.close()


def words(two: Gathering, name: str) -> list[object]:
    return [two.folder / "collaboration.yaml", "--party", two.parties[name]]


def test_the_file_to_start_from_is_an_agreement_and_never_overwritten(
    deniable: Command, tmp_path: Path
) -> None:
    file = tmp_path / "collaboration.yaml"
    assert deniable("collaborate", "new", file).code == 0
    assert Agreement.load(file).names == ("north", "south")
    again = deniable("collaborate", "new", file)
    assert again.code == 1
    assert "exists already" in again.err


@pytest.mark.parametrize(("other", "mode"), [("rules", "hybrid"), ("bayes", "collect")])
def test_what_the_file_to_start_from_offers_instead_is_understood(
    other: str, mode: str, deniable: Command, tmp_path: Path
) -> None:
    file = tmp_path / "collaboration.yaml"
    deniable("collaborate", "new", file)
    text = file.read_text(encoding="utf-8")
    offered = re.search(rf" ({other}: \{{.*?\}})", text)
    assert offered
    task = offered[1].replace("…", "readmitted")
    text = re.sub(r"tree: \{.*\}", task, text).replace("mode: hybrid", f"mode: {mode}")
    file.write_text(text, encoding="utf-8")
    assert Agreement.load(file).names == ("north", "south")


def test_approving_says_what_is_sent_and_reads_the_data_first(
    deniable: Command, tmp_path: Path
) -> None:
    for name, values in (("north", ["no", "yes", "often"]), ("south", ["no", "yes", "yes"])):
        data = {"id": ["1", "2", "3"], f"smokes-{name}": values}
        write_party(
            tmp_path / name, name, data=data, id="id", columns={f"smokes-{name}": ["no", "yes"]}
        )
    exchange(tmp_path / "north", tmp_path / "south")
    parties = {name: {"columns": {f"smokes-{name}": ["no", "yes"]}} for name in ("north", "south")}
    mine = {"tree": {"target": "smokes-north"}}
    file = write_agreement(tmp_path, parties=parties, mine=mine, mode="secure")
    willing = deniable(
        "collaborate", "approve", file, "--party", tmp_path / "south" / "party.yaml", "--yes"
    )
    assert willing.code == 0
    assert "Your data: 3 records" in willing.out
    assert Agreement.load(file).digest in willing.out
    unable = deniable(
        "collaborate", "approve", file, "--party", tmp_path / "north" / "party.yaml", "--yes"
    )
    assert unable.code == 1
    assert "'often'" in unable.err
    assert not (tmp_path / "north" / "state" / "approved").exists()


@pytest.mark.slow
def test_an_estimate_adds_up_what_is_disguised(deniable: Command, two: Gathering) -> None:
    told = deniable("collaborate", "estimate", *words(two, "north"))
    assert told.code == 0
    # Keeping a yes/no answer half of the time: (1 + 1/2) / (1/2) = 3 times likelier, ln 3 = 1.10.
    assert "sends old disguised: a report is at most 3 times likelier" in told.out
    assert "all together: at most 9 times likelier (ε = 2.20)" in told.out
    found = json.loads(deniable("collaborate", "estimate", *words(two, "north"), "--json").out)
    assert found["values_at_most"] >= found["values"] > 0


@pytest.mark.slow
def test_a_run_ends_with_the_same_ledger_and_model_at_both(
    deniable: Command, two: Gathering, south: PartyServer
) -> None:
    done = deniable("collaborate", "run", *words(two, "north"))
    assert done.code == 0, done.err
    assert done.out.startswith("back")
    assert compare(two.ledger("north", "south"), two.ledger("south", "north")).equal
    ours, theirs = (two.state(name) / "model.json" for name in ("north", "south"))
    assert ours.read_bytes() == theirs.read_bytes()
    assert f"deniable ledger show {two.ledger('north', 'south')}" in done.err


@pytest.mark.slow
def test_a_leader_goes_on_with_a_run_that_its_own_server_has_open(
    deniable: Command, two: Gathering, south: PartyServer
) -> None:
    server = PartyServer(two.party("north"))
    server.start()
    try:
        asked = deniable("collaborate", "run", *words(two, "south"))
        again = deniable("collaborate", "run", *words(two, "north"))
    finally:
        server.close()
    assert (asked.code, again.code) == (0, 0), asked.err + again.err
    assert asked.out == again.out


@pytest.mark.slow
def test_the_log_of_a_server_tells_what_was_done_and_no_count(
    deniable: Command, two: Gathering, south: PartyServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, logger="deniable.collab")
    assert deniable("collaborate", "run", *words(two, "north")).code == 0
    rows = read(two.ledger("south", "north"))
    released = sum(row.kind == "count" for row in rows)
    told = [re.sub(r"\(\w{16}\)|in /\S+", "", line) for line in caplog.messages]
    assert told[0].startswith("north begins readmission")
    assert "sent to north: a record per person, of old, alone" in told
    assert any(line.startswith(f"north: {released} counts released") for line in told)
    counts = {int(row.value) for row in rows if row.kind == "count" and row.value is not None}
    said = {int(number) for line in told for number in re.findall(r"\d+", line)}
    assert not (counts - {released, 400}) & said


def test_a_refusal_is_told_on_both_sides(
    deniable: Command, tmp_path: Path, two: Gathering, south: PartyServer,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    for copy in (two.party("south").state / "approved").iterdir():
        copy.unlink()
    caplog.set_level(logging.INFO, logger="deniable.collab")
    done = deniable("collaborate", "run", *words(two, "north"))
    assert done.code == 1
    assert "south has not approved this collaboration" in done.err
    assert any(line.startswith("north was refused: south has not") for line in caplog.messages)


def test_approving_says_what_noise_does_and_what_was_counted_before(
    deniable: Command, two: Gathering
) -> None:
    file = two.folder / "collaboration.yaml"
    text = file.read_text(encoding="utf-8")
    first = deniable("collaborate", "approve", *words(two, "south"), "--yes")
    said = " ".join(first.out.split())
    assert "a count of 100 is off by about 4" in said
    assert "No more than 1,000 counts are opened in all, and one for 10 people." in said
    assert "noise is left out only if all say so" in said
    assert "Your own policy: the same." in said
    assert "Careful" not in said
    file.write_text(text.replace("readmission", "again"), encoding="utf-8")
    second = deniable("collaborate", "approve", *words(two, "south"), "--yes")
    assert second.code == 0
    said = " ".join(second.out.split())
    assert "Careful: readmission counts some of your columns with the same parties too." in said
