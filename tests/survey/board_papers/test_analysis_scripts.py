"""The scripts compute what `deniable estimate` does, from the export, by another way."""

import csv
import json
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rscript
from commanding import Command
from deniable.design import Design
from deniable.survey.board_papers.analysis_scripts import python_script, r_script
from deniable.survey.questionnaire import load
from survey.board_papers.sample_surveys import answered, survey_in

pytestmark = pytest.mark.slow


def by_script(script: Path, export: Path) -> list[dict[str, Any]]:
    """Run it as a researcher's Python would who has no libraries at all."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", script, export, "--json"],
        capture_output=True,
        text=True,
        check=True,
    )
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize(("disguised", "direct"), [(120, 15), (1500, 160)])
def test_the_python_script_reproduces_every_estimate(
    disguised: int, direct: int, tmp_path: Path, deniable: Command
) -> None:
    path = survey_in(tmp_path)
    answered(path, disguised, direct, invited=30, began=3)
    assert deniable("survey", "close", path).code == 0
    export, out = tmp_path / "answers", tmp_path / "papers"
    assert deniable("survey", "export", path, "--out", export).code == 0
    assert deniable("survey", "papers", path, "--out", out).code == 0
    found = by_script(out / "scripts" / "analysis.py", export)
    attributes = Design.load(export / "design.yaml").schema
    assert len(found) == 2 * sum(attributes.sizes)
    for arm, design in (("disguised", "design.yaml"), ("direct", "direct.yaml")):
        rows = [row for row in found if row["arm"] == arm]
        asked = [f'"{row["attribute"]}"="{row["value"]}"' for row in rows]
        done = deniable(
            *("estimate", export / f"{arm}.csv", *asked, "--design", export / design),
            *("--of", "population", "--json"),
        )
        for mine, theirs in zip(rows, json.loads(done.out), strict=True):
            n = theirs["n"]
            expected = [theirs[key] / n for key in ("value", "std_error", "low", "high")]
            got = [mine[key] for key in ("share", "std_error", "low", "high")]
            # The same numbers by other sums: they differ by rounding only.
            assert got == pytest.approx(expected, rel=1e-9, abs=1e-9), mine
            assert mine["n"] == n
    # The paper prints the same.
    methods = (out / "en" / "methods.md").read_text("utf-8")
    moon = next(r for r in found if (r["attribute"], r["value"]) == ("moon", "yes"))
    share, low, high = (
        f"{100 * moon[key]:.1f}".replace("-", "−") for key in ("share", "low", "high")
    )
    gap = "\N{NO-BREAK SPACE}"
    row = f"| The moon? | Yes | {disguised:,} | {share}{gap}% | {low} to {high}{gap}% |"
    assert row in methods


SKIPPED = """
survey: skipped
title: A survey
languages: [en]
consent: We ask you kindly.
contact: us@example.org
invitations: no
may_skip: yes
results: {after: 50, every: 20}
questions:
  job:
    text: "Do you have a job?"
    options: &no_yes {"no": "No", "yes": "Yes"}
    may_skip: no
  theft: {text: "Theft?", options: *no_yes, if: {job: yes}}
  aids: {text: "Aids?", several: yes, options: {a: Aid A, b: Aid B}}
groups:
  - {attributes: [theft], channel: related, theta: 4/5}
  - {attributes: [aids], channel: keep-or-uniform, theta: 3/4}
"""


def test_papers_and_script_are_about_those_who_were_asked(
    tmp_path: Path, deniable: Command
) -> None:
    path = survey_in(tmp_path, SKIPPED)
    answered(path, 400, 0, invited=0, began=0, job=0.5)
    deniable("survey", "close", path)
    export, out = tmp_path / "answers", tmp_path / "papers"
    assert deniable("survey", "export", path, "--out", export).code == 0
    assert deniable("survey", "papers", path, "--out", out).code == 0
    found = by_script(out / "scripts" / "analysis.py", export)
    with (export / "disguised.csv").open(encoding="utf-8", newline="") as file:
        asked = sum(person["job"] == "yes" for person in csv.DictReader(file))
    assert 100 < asked < 300
    methods = (out / "en" / "methods.md").read_text("utf-8")
    gap = "\N{NO-BREAK SPACE}"
    for name, value, row in (
        ("theft", "yes", "| Theft? | Yes |"),
        ("theft", "skipped", "| Theft? | I would rather not say |"),
        ("aids_b", "yes", "| Aids? Aid B | yes |"),
        ("aids_b", "skipped", "| Aids? Aid B | I would rather not say |"),
    ):
        share = next(r for r in found if (r["attribute"], r["value"]) == (name, value))
        assert share["n"] == (asked if name == "theft" else 400)
        said = f"{100 * share['share']:.1f}".replace("-", "−")
        assert f"{row} {share['n']} | {said}{gap}% |" in methods, methods
    sheet = (out / "en" / "information-sheet.md").read_text("utf-8")
    assert "You need not answer every question" in sheet
    assert "asked only of those who answered an earlier" in sheet


def test_the_table_of_the_python_script_is_for_people(tmp_path: Path, deniable: Command) -> None:
    path = survey_in(tmp_path)
    answered(path, 110, 0, invited=2, began=0)
    deniable("survey", "close", path)
    deniable("survey", "export", path, "--out", tmp_path / "answers")
    script = tmp_path / "analysis.py"
    script.write_text(python_script(load(path)), "utf-8")
    words: list[str | Path] = [sys.executable, "-I", "-S", script, tmp_path / "answers"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert "disguised  sport = '=often: " in done.stdout


def test_the_r_script_holds_the_exact_devices_and_is_whole(tmp_path: Path) -> None:
    survey = load(survey_in(tmp_path))
    script = r_script(survey)
    blocks = re.findall(r"  (\w+) = list\(\n    values = c\((.*)\),\n    p = matrix\(c\((.*)\), "
                        r"nrow = (\d+)\)\n  \)", script)  # fmt: skip
    assert [name for name, *_ in blocks] == list(survey.design.schema.names)
    for name, values, chances, size in blocks:
        given = [float(Fraction(chance)) for chance in chances.split(", ")]
        p = np.array(given).reshape(int(size), int(size)).T  # R fills column by column
        np.testing.assert_allclose(p.sum(axis=0), 1)  # p[i, j]: report i given truth j
        assert values.count('"') == 2 * int(size)
        if name in survey.design.disguised:
            (group,) = (g for g, _ in survey.design.touched([name]))
            own = group.channel.marginal([group.names.index(name)])
            np.testing.assert_allclose(p, own.matrix([0]))
    assert '"\'=often"' in script  # as the export has it
    # Quotes, then brackets come in pairs.
    code = re.sub(r'"(\\.|[^"\\])*"', "", re.sub(r"#.*", "", script))
    for opening, closing in ("()", "{}", "[]"):
        assert code.count(opening) == code.count(closing)
    assert '"@' not in script
    assert not re.search(r"@[A-Z]+@", script)
    assert 'RRuni(response = reports, model = "custom", p = p, MLest = FALSE)' in script
    assert 'RRlog(y ~ factor(age), data = disguised, model = "custom"' in script


R_LINE = re.compile(
    r"^(\w+) (\w+) = (.*): n (\S+), share (\S+), std_error (\S+), low (\S+), high (\S+) $",
    re.MULTILINE,
)


@pytest.mark.parametrize("people", [120, 1500])
def test_the_r_script_gives_the_figures_of_the_python_one(
    people: int, tmp_path: Path, deniable: Command
) -> None:
    path = survey_in(tmp_path)
    answered(path, people, people // 10, invited=9, began=0)
    deniable("survey", "close", path)
    deniable("survey", "export", path, "--out", tmp_path / "answers")
    (tmp_path / "analysis.R").write_text(r_script(load(path)), "utf-8")
    (tmp_path / "analysis.py").write_text(python_script(load(path)), "utf-8")
    shares = R_LINE.findall(rscript.run(tmp_path / "analysis.R", tmp_path / "answers"))
    expected = by_script(tmp_path / "analysis.py", tmp_path / "answers")
    assert [share[:3] for share in shares] == [
        (each["arm"], each["attribute"], each["value"]) for each in expected
    ]
    for share, each in zip(shares, expected, strict=True):
        wanted = [each[key] for key in ("n", "share", "std_error", "low", "high")]
        # R prints six digits, so half a unit of the sixth is lost: 5e-6. What is 0 is rounding.
        assert [float(x) for x in share[3:]] == pytest.approx(wanted, rel=5e-6, abs=1e-12), each
