"""Commands start quickly: what loads slowly is loaded by those who use it."""

import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from commanding import Command
from deniable import Records
from deniable.cli.commands import COMMANDS, load_command
from deniable.design import Design

HEAVY = ("pandas", "scipy", "sklearn", "duckdb", "ibis", "polars", "sqlalchemy", "fastapi")
"""Libraries that take as long to load as a command takes to count."""


def loaded(*words: object) -> set[str]:
    """The modules that a command has loaded when it ends, in a process of its own."""
    code = (
        "import atexit, sys\n"
        "atexit.register(lambda: print(*sys.modules, file=sys.stderr))\n"
        "from deniable.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, words)], capture_output=True, text=True, check=True
    )
    return set(done.stderr.split())


@pytest.fixture
def reports(tmp_path: Path, design: Design) -> Path:
    """Reports in Parquet, as `disguise` writes them."""
    path = tmp_path / "reports.parquet"
    records = Records.from_codes([[0, 1], [1, 1], [0, 1], [2, 0]], design.schema)
    pq.write_table(records.to_arrow(), path)
    return path


def test_the_list_of_commands_loads_no_library_that_reads_or_counts() -> None:
    found = loaded("--help")
    assert not found & {*HEAVY, "numpy", "pyarrow", "yaml", "rich", "pydantic"}
    assert not {name for name in found if name.startswith("deniable.cli.disguise")}


def test_estimating_loads_what_reads_and_counts_and_nothing_else(
    reports: Path, design_file: Path
) -> None:
    found = loaded("estimate", reports, "--design", design_file, "smokes=yes", "--json")
    assert "pyarrow.parquet" in found
    assert not found & {*HEAVY, "deniable.source", "deniable.mine"}


def test_disguising_loads_no_dataframes(reports: Path, design_file: Path) -> None:
    out = reports.with_name("out.parquet")
    found = loaded("disguise", reports, "--design", design_file, "--out", out)
    assert not found & {*HEAVY, "deniable.mine", "deniable.oracle.randomized"}


def test_a_mistyped_command_is_still_told_its_neighbours(deniable: Command) -> None:
    done = deniable("estimat")
    assert done.code == 2
    assert "No such command 'estimat'. Did you mean 'estimate'?" in done.err


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_says_of_each_command_what_its_own_help_begins_with(name: str) -> None:
    first, _, _ = load_command(name).help.partition("\n\n")
    assert COMMANDS[name][1] == " ".join(first.split())


def test_estimating_reads_the_columns_that_are_asked_about(
    deniable: Command, reports: Path, design_file: Path
) -> None:
    table = pq.read_table(reports)
    place = table.column_names.index("income")
    spoilt = table.set_column(place, "income", [["?", "?"]])
    pq.write_table(spoilt, reports)
    asked = deniable("estimate", reports, "--design", design_file, "smokes=yes", "*", "--json")
    assert asked.code == 0, asked.err
    about_it = deniable("estimate", reports, "--design", design_file, "income=low")
    assert "row 1: 'income' has the value '?'" in about_it.err


def test_a_count_of_everyone_reads_one_column(
    deniable: Command, reports: Path, design_file: Path
) -> None:
    asked = deniable("estimate", reports, "--design", design_file, "*")
    assert asked.code == 0, asked.err
    assert "About these 2 respondents" in asked.out
