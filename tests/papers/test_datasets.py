"""Data sets are found in one way, and fetched whole or not at all.

UCI's server plays no part: tables in the layout of ``ucimlrepo`` (ids, features and targets apart,
missing values as NaN, class names of its own) are made of the files that the papers used.
"""

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

from commanding import Command
from deniable.base.errors import DataError
from deniable.papers import datasets
from deniable.papers.datasets import SETS, SURVEYS, DataSet, fetch, find
from papersets import dataset

Download = Callable[..., Any]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of data sets, which is the only one."""
    monkeypatch.setenv("DENIABLE_DATA", str(tmp_path / "sets"))
    return tmp_path / "sets"


def layout(table: pd.DataFrame, chosen: DataSet) -> Any:
    """A table as ``fetch_ucirepo`` gives it."""
    ids = [name for name in table if name == "sample-code"]
    features = [name for name in table if name not in {*ids, chosen.target}]
    named = table.rename(columns=lambda name: f"{name}_of_UCI".replace("-", "_"))
    ids, features, targets = (
        [f"{name}_of_UCI".replace("-", "_") for name in part]
        for part in (ids, features, [chosen.target])
    )
    parts = {"ids": named[ids] if ids else None, "features": named[features]}
    return SimpleNamespace(data=SimpleNamespace(**parts, targets=named[targets]))


def of_uci(path: Path, chosen: DataSet) -> pd.DataFrame:
    """The file as UCI's own has it."""
    table = pd.read_csv(path, na_values=["?"], keep_default_na=False)
    if chosen.title == "Adult":  # whose second part is the test file, with classes like "<=50K."
        first = table.index < 32_561
        table.loc[first] = table.loc[first].fillna("?")
        table.loc[~first, "income"] += "."
    if chosen.title == "Breast cancer":
        table["class"] = table["class"].map({"benign": 2, "malignant": 4})
        assert table["bare-nuclei"].dtype == float
    return table


def sending(table: pd.DataFrame, chosen: DataSet) -> Download:
    def download(*, id: int) -> Any:  # noqa: A002, as the library calls it
        assert id == chosen.uci
        return layout(table, chosen)

    return download


@pytest.mark.slow
@pytest.mark.parametrize("name", SETS)
def test_what_is_fetched_is_the_file_of_the_papers_to_the_byte(name: str, tmp_path: Path) -> None:
    original, chosen = dataset(name), SETS[name]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DENIABLE_DATA", str(tmp_path / "sets"))
        path = fetch(name, sending(of_uci(original, chosen), chosen))
        assert path == find(name) == tmp_path / "sets" / chosen.file
    assert path.read_bytes() == original.read_bytes()
    assert [each.name for each in path.parent.iterdir()] == [chosen.file]


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda table: table[1:], "not 958 records"),
        (lambda table: table.drop(columns="top-left"), "not 958 records of top-left,"),
        (lambda table: table.replace({"top-left": "x"}, "o"), "but others or in another order"),
        (lambda table: table[::-1], "but others or in another order"),
    ],
)
def test_anything_else_is_refused_and_not_written(
    spoil: Callable[[pd.DataFrame], pd.DataFrame], sentence: str, folder: Path
) -> None:
    chosen, table = SETS["tic-tac-toe"], board_like()
    with pytest.raises(DataError, match=f"What UCI sent as tic-tac-toe is .*{sentence}") as caught:
        fetch("tic-tac-toe", sending(spoil(table), chosen))
    assert "nothing was written. Please name a folder that has tic-tac-toe.csv" in str(caught.value)
    assert not folder.exists() or not list(folder.iterdir())


def board_like() -> pd.DataFrame:
    """As many records as Tic-tac-toe has, none of which is one of its own."""
    names = SETS["tic-tac-toe"].columns.split(",")
    return pd.DataFrame({name: ["x", "o"] * 479 for name in names})


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (ConnectionError("Error connecting to server"), "Error connecting to server."),
        (TimeoutError("timed out"), "timed out."),
        (KeyError("data_url"), "'data_url'."),
    ],
)
def test_without_a_network_there_is_one_sentence(
    error: Exception,
    reason: str,
    deniable: Command,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(**_: object) -> None:
        raise error

    monkeypatch.setattr("ucimlrepo.fetch_ucirepo", fail)
    done = deniable("data", "fetch", "adult")
    assert done.code == 1
    assert done.err == (
        f"deniable: The data set adult could not be fetched from UCI: {reason} Try again with a "
        "network, or name a folder that has adult.csv in DENIABLE_DATA.\n"
    )
    assert not folder.exists()


def test_a_set_that_is_there_is_not_fetched_again(
    deniable: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = dataset("tic-tac-toe")
    monkeypatch.setattr(datasets, "fetch", None)
    done = deniable("data", "fetch", "tic-tac-toe")
    assert done.out == f"tic-tac-toe: 958 records in {path}, as before.\n"


def test_an_unknown_set_and_one_that_nobody_can_fetch_are_refused(
    deniable: Command, folder: Path
) -> None:
    assert "Did you mean 'adult'?" in deniable("data", "fetch", "adults").err
    said = deniable("data", "fetch", "nigeria").err
    assert "The survey nigeria cannot be fetched: it is from R package rr, GPL-3." in said
    assert not folder.exists()


def test_sets_are_looked_for_in_the_named_folder_or_beside_the_clone_and_in_the_cache(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert datasets.folders() == [folder]
    monkeypatch.delenv("DENIABLE_DATA")
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder.parent))
    clone = Path(__file__).resolve().parents[2]
    cache = folder.parent / "deniable" / "data"
    assert datasets.folders() == [clone.parent / "shared" / "data", cache]
    monkeypatch.setattr(datasets, "__file__", "/usr/lib/python3/deniable/papers/datasets.py")
    monkeypatch.chdir(folder.parent)
    assert datasets.folders() == [folder.parent.parent / "shared" / "data", cache]


def test_a_set_that_is_nowhere_is_named_with_what_to_do(folder: Path) -> None:
    with pytest.raises(DataError, match=r"adult is not on this machine. Run `deniable data fetch "):
        find("adult")
    with pytest.raises(DataError, match="It is from: R package RRreg, GPL-3; or name a folder"):
        find("minarets")


def test_the_list_says_where_each_set_is_and_whether_it_is_the_published_one(
    deniable: Command, folder: Path
) -> None:
    folder.mkdir()
    (folder / "adult.csv").write_text("age\n39\n")
    done = deniable("data", "list")
    assert "not here" in done.out
    assert "adult.csv differs from the published set." in done.err
    listed = json.loads(deniable("data", "list", "--json").out)
    assert [row["name"] for row in listed] == [*SETS, *SURVEYS]
    assert [row["file"] for row in listed] == [str(folder / "adult.csv"), *[None] * 7]


@pytest.mark.parametrize("name", SETS | SURVEYS)
def test_the_sets_of_this_machine_are_the_published_ones(name: str) -> None:
    path, chosen = dataset(name), datasets.data_set(name)
    assert datasets.as_published(path, chosen)
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) == chosen.records + 1
    assert lines[0] == chosen.columns or not chosen.uci
