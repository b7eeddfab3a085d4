"""Nothing is cited that whoever has only the repository cannot open."""

from pathlib import Path

import pytest

from citations import ROOT, Repository, comments, leads_nowhere

HERE = Repository.of(ROOT)
CODE = (".py", ".ts", ".mjs")


def documents(ending: str | tuple[str, ...]) -> list[str]:
    return sorted(name for name in HERE.files if name.endswith(ending))


def test_pages_cite_what_is_there() -> None:
    wrong = {
        name: found
        for name in documents(".md")
        if (found := leads_nowhere(read(name), HERE, folder(name), code=False))
    }
    assert not wrong


def test_comments_cite_what_is_there() -> None:
    wrong = {
        name: found
        for name in (*documents(CODE), "Makefile", "pyproject.toml", ".ci/run")
        if (found := leads_nowhere(comments(ROOT / name), HERE, folder(name), code=True))
    }
    assert not wrong


def test_the_index_names_every_page() -> None:
    index = read("docs/README.md")
    pages = [name.removeprefix("docs/") for name in documents(".md") if name.startswith("docs/")]
    decided = "decisions/README.md"  # has an index of its own, and its own test
    wanted = [p for p in pages if p == decided or not p.startswith("decisions/")]
    assert not [page for page in wanted if page != "README.md" and f"]({page})" not in index]
    listed = read(f"docs/{decided}")
    each = [page for page in pages if page.startswith("decisions/0")]
    assert not [page for page in each if f"]({Path(page).name})" not in listed]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("as in MATH, and SECURE-COUNT", ["MATH", "SECURE-COUNT"]),
        ("see STYLE.md", ["STYLE.md", "STYLE"]),
        ("which issue 5 brings", ["issue 5"]),
        ("`make help`, then `make nothing`", ["make nothing"]),
        ("`FileEngine` reads", ["FileEngine"]),
        ("in `oracle/branches.py`", ["oracle/branches.py"]),
        ("in docs/nowhere and tests/oracle", ["docs/nowhere"]),
        ("by `deniable.engine.nothing`", ["deniable.engine.nothing"]),
        ("by `deniable.design.Design.no_such`", ["deniable.design.Design.no_such"]),
        ("by docs/decisions/0099 or docs/decisions/0001", ["docs/decisions/0099"]),
        ("[a page](../nowhere.md)", ["../nowhere.md"]),
        ("[a part](#none)\n# Another", ["#none"]),
        ("[a part](caveats.md#nowhere)", ["caveats.md#nowhere"]),
    ],
)
def test_a_planted_citation_is_found(text: str, found: list[str]) -> None:
    assert leads_nowhere(text, HERE, "docs", code=False) == found


@pytest.mark.parametrize(
    "text",
    [
        "see `deniable.design`, `deniable.design.Design.load` and `deniable.oracle`",
        "in `oracle/tally.py`, src/deniable/oracle and docs/decisions/0001",
        "your own `design.yaml`, `people.csv`, `results.after` and `privacy.html`",
        "[a page](caveats.md), [its top](caveats.md#caveats), [there](https://example.org/a.md)",
        "`RandomizedOracle` and `oracle.count`",
    ],
)
def test_what_is_there_may_be_cited(text: str) -> None:
    assert not leads_nowhere(text, HERE, "docs", code=False)


def test_a_planted_comment_is_found(tmp_path: Path) -> None:
    planted = tmp_path / "planted.py"
    quotes = '"' * 3
    planted.write_text(
        f"{quotes}See `follower.nothing`.{quotes}\n"
        f"X = 'as in MATH'  {'#'} as in KERNELS\n"
        f"{quotes}Of issue 7.{quotes}\n"
    )
    found = leads_nowhere(comments(planted), HERE, code=True)
    assert set(found) == {
        "KERNELS",
        "issue 7",
        "follower.nothing",
    }
    script = tmp_path / "planted.ts"
    script.write_text('/** As in MATH. */\nconst a = "issue 5"; // see steps/gone.ts\n')
    assert set(leads_nowhere(comments(script), HERE, code=True)) == {"MATH", "steps/gone.ts"}


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def folder(name: str) -> str:
    return "" if "/" not in name else str(Path(name).parent)
