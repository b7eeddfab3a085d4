import json
import os
import random
import resource
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from deniable.base.errors import CollabError, DataError, OutputError
from deniable.collab.ledger import Ledger, LedgerEntry, compare, read

WRITER = """
import sys
from deniable.collab.ledger import Ledger, LedgerEntry, read
ledger = Ledger.open(sys.argv[1])
while True:
    many = len(ledger.rows) % 3 + 1
    for row in ledger.append([LedgerEntry("count", "x" * 500, "north", "p", 7)] * many):
        print(row.number, row.hash, flush=True)
"""


def count(about: str, value: int = 12) -> LedgerEntry:
    return LedgerEntry("count", about, "north", "0123456789abcdef", value)


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    made = Ledger.open(tmp_path / "ledger.jsonl")
    made.append([LedgerEntry("agreed", "readmission", "north", "0123456789abcdef")])
    refusal = LedgerEntry("refused", "a=ü & b=1", "north", "0123456789abcdef", why="fewer than 10")
    made.append([count("a=x"), refusal, count("a=x & b=1", 40)])
    return made


def test_rows_are_there_when_it_is_opened_again(ledger: Ledger) -> None:
    again = Ledger.open(ledger.path)
    assert again.rows == ledger.rows == read(ledger.path)
    assert again.rows[-1].hash == ledger.rows[-1].hash
    assert [row.number for row in again.rows[2:]] == [3, 4]
    assert len(read(ledger.path)) == 4
    again.append([count("b=1")])
    assert len(read(ledger.path)) == 5


def test_the_first_row_about_something_is_the_answer(ledger: Ledger) -> None:
    ledger.append([count("a=x", 99)])
    found = ledger.find("count", "a=x")
    assert found is not None
    assert found.value == 12
    assert ledger.find("refused", "a=x") is None
    assert ledger.find("refused", "a=ü & b=1") is not None


def test_a_ledger_is_for_its_owner_only(ledger: Ledger) -> None:
    assert stat.S_IMODE(ledger.path.stat().st_mode) == 0o600


def test_nothing_to_append_writes_nothing(ledger: Ledger) -> None:
    before = ledger.path.read_bytes()
    assert ledger.append([]) == []
    ledger.adopt([])
    assert ledger.path.read_bytes() == before


@pytest.mark.slow
def test_any_byte_that_is_changed_is_found_by_its_row(ledger: Ledger) -> None:
    whole = ledger.path.read_bytes()
    row = 1
    for place, byte in enumerate(whole):
        ledger.path.write_bytes(whole[:place] + bytes([byte ^ 1]) + whole[place + 1 :])
        with pytest.raises(CollabError, match=f"^Row {row} of "):
            read(ledger.path)
        row += byte == ord("\n")
    assert row == 5


@pytest.mark.parametrize("kept", [[0, 1, 3], [1, 2, 3], [0, 2, 1, 3], [0, 1, 1, 2, 3]])
def test_a_row_taken_out_put_in_or_moved_is_found(ledger: Ledger, kept: list[int]) -> None:
    lines = ledger.path.read_bytes().splitlines(keepends=True)
    ledger.path.write_bytes(b"".join(lines[place] for place in kept))
    wrong = next(place for place, row in enumerate(kept) if place != row)
    with pytest.raises(CollabError, match=f"^Row {wrong + 1} of .* does not follow the row before"):
        Ledger.open(ledger.path)


def test_a_row_rewritten_with_a_hash_of_its_own_breaks_the_chain(ledger: Ledger) -> None:
    rows = ledger.rows
    ledger.path.unlink()
    forged = Ledger.open(ledger.path)
    forged.adopt([rows[0].document()])
    forged.append([count("a=x", 13)])
    lines = [row.line() for row in (*forged.rows, *rows[2:])]
    ledger.path.write_bytes(b"".join(lines))
    with pytest.raises(CollabError, match=r"^Row 3 of "):
        read(ledger.path)


def test_a_line_that_was_never_finished_is_cut_off(ledger: Ledger) -> None:
    whole = ledger.path.read_bytes()
    ledger.path.write_bytes(whole + ledger.rows[0].line()[:-1])
    with pytest.raises(CollabError, match=r"Row 5 of .* is not finished"):
        read(ledger.path)
    assert Ledger.open(ledger.path).rows == ledger.rows
    assert ledger.path.read_bytes() == whole


def test_both_sides_files_become_the_same(ledger: Ledger, tmp_path: Path) -> None:
    other = Ledger.open(tmp_path / "other.jsonl")
    other.adopt([row.document() for row in ledger.rows[:2]])
    sent = json.loads(json.dumps([row.document() for row in ledger.rows[1:]]))
    other.adopt(sent)  # row 2 is there already
    assert other.path.read_bytes() == ledger.path.read_bytes()
    assert other.rows[-1].hash == ledger.rows[-1].hash
    assert compare(ledger.path, other.path).equal


@pytest.mark.parametrize(
    "change",
    [
        {"value": 41},
        {"number": 9},
        {"number": -1},
        {"number": True},
        {"kind": "gossip"},
        {"value": float("nan")},
        {"value": 10**400},
        {"about": "\ud800"},
        {"about": None},
        {"time": "today"},
        {"more": 1},
        {"previous": "0" * 64},
    ],
    ids=str,
)
def test_rows_that_do_not_continue_the_chain_are_not_adopted(
    ledger: Ledger, tmp_path: Path, change: dict[str, object]
) -> None:
    other = Ledger.open(tmp_path / "other.jsonl")
    rows = [row.document() for row in ledger.rows]
    with pytest.raises(CollabError, match="The other side's ledger does not continue this one"):
        other.adopt([*rows[:3], rows[3] | change])
    assert other.rows == []
    assert other.path.read_bytes() == b""


def test_a_row_that_differs_from_the_one_here_is_refused(ledger: Ledger, tmp_path: Path) -> None:
    other = Ledger.open(tmp_path / "other.jsonl")
    other.adopt([ledger.rows[0].document()])
    theirs = other.append([count("a=x", 13)])
    with pytest.raises(CollabError, match="another one stands here"):
        ledger.adopt([row.document() for row in theirs])


def test_two_ledgers_that_differ_are_told_apart(ledger: Ledger, tmp_path: Path) -> None:
    other = Ledger.open(tmp_path / "other.jsonl")
    other.adopt([row.document() for row in ledger.rows[:2]])
    shorter = compare(ledger.path, other.path)
    assert not shorter.equal
    assert (shorter.common, shorter.differing) == (2, ())
    assert [row.number for row in shorter.only_first] == [3, 4]
    other.append([count("c=1")])
    forked = compare(other.path, ledger.path)
    assert forked.common == 2
    assert [(one.about, two.about) for one, two in forked.differing] == [("c=1", "a=ü & b=1")]
    assert [row.number for row in forked.only_second] == [4]


def test_a_second_writer_is_noticed(ledger: Ledger) -> None:
    Ledger.open(ledger.path).append([count("b=1")])
    with pytest.raises(CollabError, match="was changed by another program"):
        ledger.append([count("b=0")])
    assert len(read(ledger.path)) == 5


def test_a_full_disk_leaves_the_rows_before(ledger: Ledger) -> None:
    whole = ledger.path.read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(whole) + 30, hard))
    try:
        with pytest.raises(OutputError, match="cannot be written: file too large"):
            ledger.append([count("b=1")])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, ignored)
    assert ledger.path.read_bytes() == whole
    ledger.append([count("b=1")])
    assert len(read(ledger.path)) == 5


def test_a_file_that_is_no_ledger_is_refused_in_one_sentence(tmp_path: Path) -> None:
    for content in (b"PAR1\n", b"[" * 100_000 + b"\n", b"{}\n", b'"\xff"\n'):
        path = tmp_path / "other"
        path.write_bytes(content)
        with pytest.raises(CollabError, match=r"^Row 1 of "):
            read(path)
    with pytest.raises(DataError, match="no such file"):
        read(tmp_path / "none")


@pytest.mark.slow
def test_whatever_was_acknowledged_survives_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    rng = random.Random(7)
    acknowledged: dict[int, str] = {}
    for _ in range(20):
        process = subprocess.Popen(
            [sys.executable, "-c", WRITER, path], stdout=subprocess.PIPE, text=True
        )
        try:
            assert process.stdout is not None
            lines = [process.stdout.readline() for _ in range(rng.randint(1, 20))]
        finally:
            os.kill(process.pid, signal.SIGKILL)
        rest, _ = process.communicate()
        lines += rest.splitlines(keepends=True)
        for line in lines:
            number, _, digest = line.rstrip("\n").partition(" ")
            if line.endswith("\n"):
                acknowledged[int(number)] = digest
        opened = Ledger.open(path)
        assert len(read(path)) == len(opened.rows)
        assert acknowledged.items() <= {row.number: row.hash for row in opened.rows}.items()
    assert len(acknowledged) >= 20
