"""What files of others are called, and call their parts, is shown on a terminal and not obeyed."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import duckdb
import pytest

from commanding import Command
from deniable.cli.show import output

ORDER = "\x1b]0;mine\x07\x1b[2J\x9b2J"
"""Names the window, and empties it, in two ways."""

DESIGN = f"""\
attributes:
  {json.dumps("x" + ORDER)}: ["no", {json.dumps("yes" + ORDER)}]
  y: ["no", "yes"]
groups:
  - {{attributes: [{json.dumps("x" + ORDER)}], channel: related, theta: 4/5}}
"""

PLAIN = '{attributes: {y: ["no", "yes"]}, groups: []}'


def estimating(table: object, folder: Path) -> tuple[object, ...]:
    return ("estimate", table, "y=yes", "--design", folder / "plain.yaml")


def of_shards(folder: Path) -> tuple[object, ...]:
    shards = folder / "shards"
    shards.mkdir()
    (shards / f"a{ORDER}.csv").write_text("x,y\nyes,no\n")
    (shards / "b.csv").write_text("x,z\nyes,no\n")
    return estimating(shards, folder)


def of_sqlite(folder: Path) -> tuple[object, ...]:
    with closing(sqlite3.connect(folder / "it.db")) as made, made:
        made.execute('CREATE VIEW bad AS SELECT "ORDER"(1) AS y'.replace("ORDER", ORDER))
    return estimating(f"sqlite:///{folder}/it.db#bad", folder)


def of_duckdb(folder: Path) -> tuple[object, ...]:
    view = "CREATE VIEW bad AS SELECT error('ORDER') AS y FROM range(3)"
    with duckdb.connect(str(folder / "it.duckdb")) as made:
        made.execute(view.replace("ORDER", ORDER))
    return estimating(f"duckdb:///{folder}/it.duckdb#bad", folder)


def of_design(folder: Path) -> tuple[object, ...]:
    return ("design", "check", folder / "design.yaml")


def of_report(folder: Path) -> tuple[object, ...]:
    return ("privacy", folder / "design.yaml")


def of_json(folder: Path) -> tuple[object, ...]:
    return ("design", "check", folder / "design.yaml", "--json")


@pytest.mark.parametrize("words", [of_shards, of_sqlite, of_duckdb, of_design, of_report, of_json])
@pytest.mark.parametrize("is_ours", [True, False], ids=["ours", "planted"])
def test_a_terminal_obeys_no_name_in_a_file_of_somebody_elses(
    words: Callable[[Path], tuple[object, ...]],
    is_ours: bool,
    tmp_path: Path,
    deniable: Command,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "design.yaml").write_text(DESIGN, encoding="utf-8")
    (tmp_path / "plain.yaml").write_text(PLAIN, encoding="utf-8")
    if not is_ours:
        monkeypatch.setattr(output, "visible", str)
    done = deniable(*words(tmp_path))
    said = done.out + done.err
    assert any(sign in said for sign in "\x1b\x07\x9b") != is_ours, said
    if is_ours:
        assert "\\u001b" in said or "\\x1b" in said
    if words is of_json and is_ours:
        assert ORDER in next(iter(json.loads(done.out)["attributes"]))
