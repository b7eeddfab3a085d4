import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from deniable.base.errors import CollabError
from deniable.cli.ledger import app
from deniable.collab.ledger import Ledger, LedgerEntry


def run(*words: object) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    made = Ledger.open(tmp_path / "ledger.jsonl")
    made.append(
        [
            LedgerEntry("agreed", "readmission", "north", "0123456789abcdef"),
            LedgerEntry("count", "smokes=yes & age=[old]", "north", "0123456789abcdef", 1234),
            LedgerEntry(
                "refused", "age=old", "north", "0123456789abcdef", None, "fewer than 10 records"
            ),
        ]
    )
    return made


@pytest.fixture
def other(ledger: Ledger, tmp_path: Path) -> Ledger:
    made = Ledger.open(tmp_path / "other.jsonl")
    made.adopt([row.document() for row in ledger.rows[:2]])
    return made


def test_show_tells_every_value_and_every_refusal(ledger: Ledger) -> None:
    shown = run("show", ledger.path)
    assert shown.exit_code == 0
    lines = shown.output.splitlines()
    row = next(line for line in lines if "smokes=yes" in line)
    assert row.split()[0] == "2"
    assert "age=[old]" in row  # not taken for markup
    assert "1,234" in row
    refusal = next(line for line in lines if "refused" in line)
    assert "fewer than 10 records" in refusal
    assert lines[-1] == "3 rows, 1 count released, 1 refused. The chain is whole."


def test_show_as_json_gives_the_rows_as_they_are(ledger: Ledger) -> None:
    shown = json.loads(run("show", ledger.path, "--json").output)
    assert shown == [row.document() for row in ledger.rows]


def test_a_whole_chain_is_said_to_be_whole(ledger: Ledger) -> None:
    assert run("verify", ledger.path).output.replace("\n", " ").endswith("is whole: 3 rows. ")
    document = json.loads(run("verify", ledger.path, "--json").output)
    assert document == {"whole": True, "rows": 3, "head": ledger.rows[-1].hash}


@pytest.mark.parametrize("command", ["show", "verify"])
def test_a_changed_row_is_named(ledger: Ledger, command: str) -> None:
    text = ledger.path.read_text(encoding="utf-8")
    ledger.path.write_text(text.replace(":1234,", ":1235,"), encoding="utf-8")
    failed = run(command, ledger.path)
    assert failed.exit_code == 1
    assert isinstance(failed.exception, CollabError)
    assert failed.exception.message.startswith("Row 2 of ")


def test_two_sides_that_recorded_the_same(ledger: Ledger, other: Ledger) -> None:
    other.adopt([ledger.rows[2].document()])
    assert (
        run("verify", ledger.path, other.path).output == "Both sides recorded the same: 3 rows.\n"
    )
    assert json.loads(run("verify", ledger.path, other.path, "--json").output)["equal"] is True


def test_a_side_that_lacks_rows_is_named(ledger: Ledger, other: Ledger) -> None:
    for pair in ((ledger.path, other.path), (other.path, ledger.path)):
        failed = run("verify", *pair)
        assert failed.exit_code == 1
        assert isinstance(failed.exception, CollabError)
        assert failed.exception.message == (
            f"{ledger.path} has 1 row more, from row 3 on (refused age=old: fewer than 10 records)."
        )


def test_the_first_row_that_differs_is_told(ledger: Ledger, other: Ledger) -> None:
    other.append([LedgerEntry("count", "age=old", "north", "0123456789abcdef", 3)])
    failed = run("verify", ledger.path, other.path, "--json")
    assert failed.exit_code == 1
    assert isinstance(failed.exception, CollabError)
    assert failed.exception.message == (
        f"Row 3 is not the same: refused age=old: fewer than 10 records in {ledger.path}, "
        f"count age=old: 3 in {other.path}."
    )
    document = json.loads(failed.output)
    assert (document["equal"], document["common"]) == (False, 2)
    assert document["differing"][0][1]["value"] == 3


@pytest.mark.slow
def test_the_command_loads_no_collaboration_until_it_is_used() -> None:
    code = "import sys, deniable.cli.ledger; print('deniable.collab.ledger' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
