"""docs/architecture.md shows the house as it stands."""

import re
import tomllib

from citations import ROOT, Repository, leads_nowhere

PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
HERE = Repository.of(ROOT)
WALKS = 3
ROWS = 20


def section(title: str) -> str:
    return PAGE.split(f"\n## {title}\n")[1].split("\n## ")[0]


def test_every_path_and_name_on_the_page_exists() -> None:
    assert not leads_nowhere(PAGE, HERE, "docs", code=False)


def test_every_room_of_the_package_is_on_the_map() -> None:
    package = ROOT / "src" / "deniable"
    rooms = {f"{path.name}/" for path in package.iterdir() if (path / "__init__.py").exists()}
    rooms |= {path.name for path in package.glob("*.py") if not path.name.startswith("__")}
    shown = re.findall(r"^ {2}(\w+(?:/|\.py)) ", section("The map"), re.MULTILINE)
    assert set(shown) == rooms
    assert len(shown) == len(rooms)


def test_the_layers_are_those_that_are_kept() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    first = settings["tool"]["importlinter"]["contracts"][0]["layers"]
    shown = section("Who may import whom").split("```text\n")[1].split("```")[0].splitlines()
    assert shown == [layer for layer in first if layer != "__main__"]


def test_every_step_of_the_walks_names_what_it_passes() -> None:
    walks = section("Three walks").split("\n### ")[1:]
    assert len(walks) == WALKS
    for walk in walks:
        steps = re.findall(r"^\| (\d+) \| (.*?) \| (.*?) \|$", walk, re.MULTILINE)
        assert [int(number) for number, *_ in steps] == list(range(1, len(steps) + 1))
        for _, where, what in steps:
            assert re.fullmatch(r"`(deniable\.[\w.]+|web/src/[\w.]+)`", where), where
            assert what


def test_where_to_change_twenty_things_is_told_by_path() -> None:
    rows = re.findall(r"^\| (.*?) \| (.*?) \|$", section("Where do I change …?"), re.MULTILINE)[2:]
    assert len(rows) >= ROWS
    for what, where in rows:
        paths = re.findall(r"`([\w./-]+)`", where)
        assert paths, what
        assert all(path in HERE.places for path in paths), what
