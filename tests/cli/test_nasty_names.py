"""Names and values that expressions, shells and tables could stumble over, through the commands."""

import json
import re
import shlex
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import yaml

from commanding import Command
from deniable import Design
from deniable.expression import Conjunction, parse

N = 600
THETA = 0.8

DOMAINS = {
    "a = b": ["no", "x=y"],
    "tea & milk": ["a, b", '5" pipe'],
    "größe": ["süß & sauer", "日本"],
    'say "hi"': ["it's", '"all"', "x|y"],
    "p(x); $HOME": ["*", "back\\slash\\"],
    "-dash": ["--json", "a => b: 1"],
}
JAPAN = {"größe": "日本"}
DISGUISED = ["a = b", "tea & milk", "größe"]


@pytest.fixture
def design(tmp_path: Path) -> Path:
    path = tmp_path / "design.yaml"
    group = {"attributes": DISGUISED, "channel": "related", "theta": str(THETA)}
    document = {"attributes": DOMAINS, "groups": [group]}
    path.write_text(yaml.safe_dump(document, allow_unicode=True), encoding="utf-8")
    return path


@pytest.fixture
def told(tmp_path: Path) -> Path:
    """Reports as CSV; the first two go together."""
    rng = np.random.default_rng(1)
    table = pd.DataFrame({name: rng.choice(values, N) for name, values in DOMAINS.items()})
    table["tea & milk"] = np.where(
        rng.random(N) < 0.6, table["a = b"], rng.choice(["no", "x=y"], N)
    )
    table["tea & milk"] = table["tea & milk"].map(
        dict(zip(DOMAINS["a = b"], DOMAINS["tea & milk"], strict=True))
    )
    path = tmp_path / "told.csv"
    table.to_csv(path, index=False)
    return path


def inverted(told: Path, terms: dict[str, str]) -> float:
    """N̂(E) = (θ·n(E) − (1−θ)·n(Ē)) / (2θ−1), Ē with all disguised answers turned."""
    table = pd.read_csv(told, dtype=str, keep_default_na=False)
    as_told = (table[list(terms)] == pd.Series(terms)).all(axis=1).sum()
    if not set(terms) & set(DISGUISED):
        return float(as_told)
    turned = {
        n: next(other for other in DOMAINS[n] if other != v) if n in DISGUISED else v
        for n, v in terms.items()
    }
    opposite = (table[list(terms)] == pd.Series(turned)).all(axis=1).sum()
    return float((THETA * as_told - (1 - THETA) * opposite) / (2 * THETA - 1))


def asked(deniable: Command, *words: object) -> Any:
    done = deniable(*words, "--json")
    assert done.code == 0, done.err
    return json.loads(done.out)


def test_estimate_counts_them_as_they_are_written(
    deniable: Command, told: Path, design: Path
) -> None:
    singles = [{name: value} for name, values in DOMAINS.items() for value in values]
    pairs = [{**a, **b} for a, b in product(singles, singles) if {*a}.isdisjoint(b)]
    written = [str(Conjunction.of(terms)) for terms in (*singles, *pairs)]
    found = asked(deniable, "estimate", told, "--design", design, *written)
    assert [row["expression"] for row in found] == written
    expected = [inverted(told, terms) for terms in (*singles, *pairs)]
    assert [row["value"] for row in found] == pytest.approx(expected)


def test_a_shell_takes_what_is_shown_for_bad_quoting(
    deniable: Command, told: Path, design: Path
) -> None:
    ask = ("estimate", told, "--design", design)
    for wrong, terms in [
        ("tea & milk=a, b", {"tea & milk": "a, b"}),
        ("a = b=x=y and größe=süß & sauer", {"a = b": "x=y", "größe": "süß & sauer"}),
        ('say "hi"="all"', {'say "hi"': '"all"'}),
        ("p(x); $HOME=back\\slash\\, größe=日本", {"p(x); $HOME": "back\\slash\\", **JAPAN}),
    ]:
        done = deniable(*ask, wrong)
        assert done.code == 1
        (shown,) = shlex.split(re.split(r"Here: |needs it: ", done.err.strip())[-1])
        assert parse(shown, Design.load(design).schema).terms == tuple(terms.items())
        (row,) = asked(deniable, *ask, shown)
        assert row["value"] == pytest.approx(inverted(told, terms))


def test_an_expression_that_the_shell_took_apart_is_shown_whole(
    deniable: Command, told: Path, design: Path
) -> None:
    done = deniable(
        "estimate", told, "--design", design, "größe", "=", "日本", "and", "a", "=", "b=no"
    )
    assert done.code == 1
    assert "Keep one expression together by your shell's quotes: " in done.err
    (shown,) = shlex.split(done.err.strip().split("quotes: ")[1])
    assert shown == 'größe=日本 & "a = b"=no'
    # Several expressions of which one is wrong are not one.
    done = deniable("estimate", told, "--design", design, "größe=日本", "große=日本")
    assert "Did you mean 'größe'?" in done.err


def test_tables_are_of_attributes_to_the_letter(
    deniable: Command, told: Path, design: Path
) -> None:
    names = ["tea & milk", 'say "hi"']
    found = asked(deniable, "table", told, *names, "--design", design)
    cells = {tuple(cell["values"].values()): cell["value"] for cell in found["cells"]}
    assert cells == pytest.approx(
        {
            pair: inverted(told, dict(zip(names, pair, strict=True)))
            for pair in product(*(DOMAINS[name] for name in names))
        }
    )
    shown = deniable("table", told, *names, "--design", design)
    assert all(value in shown.out for name in names for value in DOMAINS[name])
    wrong = deniable("table", told, '"tea & milk"', "--design", design)
    assert "Did you mean 'tea & milk'?" in wrong.err


@pytest.mark.parametrize("kind", ["rules", "itemsets"])
def test_what_is_mined_reads_back_as_expressions(
    deniable: Command, told: Path, design: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    few = ["--min-confidence", 0.05, "--max-false", 1] if kind == "rules" else ["--min-len", 2]
    ask = ("mine", kind, told, "--design", design, "--min-support", 0.08, "--max-len", 2, *few)
    some = ('"tea & milk"', "größe", '"a = b"=x=y', 'say "hi"')
    chosen = [word for item in some for word in ("--items", item)]
    model = asked(deniable, *ask, *chosen)["model"]
    shown = deniable(*ask, *chosen).out
    schema = Design.load(design).schema
    lines = [re.split(r"\s{3,}", line.strip()) for line in shown.splitlines() if "±" in line]
    assert len(lines) == len(model[kind]) > 3
    for line, entry in zip(lines, model[kind], strict=True):
        written = line[:2] if kind == "rules" else line[:1]
        terms = [parse(text, schema).terms for text in written]
        sides = ("premise", "conclusion") if kind == "rules" else ("items",)
        assert [dict(each) for each in terms] == [entry[side] for side in sides]
        (row,) = asked(deniable, "estimate", told, " & ".join(written), "--design", design)
        both = dict(term for each in terms for term in each)
        assert row["value"] == pytest.approx(inverted(told, both))
        assert row["share"] == pytest.approx(entry["support"]["value"])
    if kind == "rules":
        # Each may be concluded alone, quoted as it was printed.
        concluded = {str(Conjunction.of(entry["conclusion"])) for entry in model["rules"]}
        for each in concluded:
            found = asked(deniable, *ask, *chosen, "--conclusions", each)["model"]["rules"]
            assert {str(Conjunction.of(entry["conclusion"])) for entry in found} == {each}
