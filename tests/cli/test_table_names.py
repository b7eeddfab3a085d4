"""Tables by name on the command line: told apart, never written over, passwords never shown."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from commanding import Command
from deniable.design import Design
from deniable.source.disguise import SeedWarning, disguise


@pytest.fixture
def reports(design: Design, tmp_path: Path) -> Path:
    people = {a.name: [a.values[n % a.size] for n in range(60)] for a in design.schema}
    with pytest.warns(SeedWarning):
        pq.write_table(disguise(people, design, random_state=1), tmp_path / "reports.parquet")
    return tmp_path / "reports.parquet"


@pytest.mark.parametrize("option", ["--out", "--svg", "--dot"])
def test_a_model_is_not_written_over_its_reports(
    option: str, reports: Path, design_file: Path, deniable: Command
) -> None:
    for precious in (reports, design_file):
        target = precious.rename(precious.with_suffix(f".{option.strip('-')}"))
        before = target.read_bytes()
        table, plan = (target, design_file) if precious == reports else (reports, target)
        done = deniable(
            "mine", "tree", table, "--design", plan, "--target", "smokes", option, target
        )
        assert done.code == 1
        assert "is read, so it is not written" in done.err
        assert target.read_bytes() == before
        target.rename(precious)


@pytest.mark.parametrize(
    "other",
    [
        "postgresql://me:hush@host/db#t",
        "postgresql://me:hush@host/db",
        "postgresql://me:hush@127.0.0.1:1/db#t:design.yaml",
    ],
)
def test_another_table_is_named_without_its_password(
    other: str, reports: Path, design_file: Path, deniable: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(design_file.parent)
    done = deniable("estimate", reports, "--design", design_file, "smokes=yes", "--with", other)
    assert done.code == 1
    assert "hush" not in done.out + done.err
    assert "postgresql://me@" in done.err


def test_the_same_table_is_known_by_its_file(
    design_file: Path, deniable: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sqlite3

    monkeypatch.chdir(tmp_path)
    sqlite3.connect("a.db").close()
    far = f"sqlite:///{tmp_path}/a.db#t:{design_file}"
    done = deniable("estimate", "sqlite:///a.db#t", "--design", design_file, "*", "--with", far)
    assert done.code == 1
    assert "is given twice" in done.err
