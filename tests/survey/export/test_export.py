"""Exports: every format read back, and fed to the command line as the README says."""

import json
import shlex
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.csv
import pyarrow.parquet as pq
import pyreadstat
import pytest

from commanding import Command
from deniable.base.errors import DataError, OutputError
from deniable.design import Design
from deniable.engine.memory.numpy_engine import MemoryEngine
from deniable.engine.memory.records import DESIGN_STAMP, Records
from deniable.oracle.randomized import RandomizedOracle
from deniable.survey.export import export
from deniable.survey.export import writers as export_tables
from deniable.survey.export.variables import variables_of
from deniable.survey.questionnaire import Survey, load

SURVEY = Path(__file__).with_name("habits.yaml")


@pytest.fixture
def survey() -> Survey:
    return load(SURVEY)


def answers(survey: Survey, n: int, seed: int) -> Records:
    """Any reports will do: what is written is what must be read."""
    generator = np.random.default_rng(seed)
    schema = survey.design.schema
    return Records.from_codes([generator.integers(0, a.size, n) for a in schema], schema)


@pytest.fixture
def arms(survey: Survey) -> dict[str, Records]:
    return {"disguised": answers(survey, 400, 1), "direct": answers(survey, 40, 2)}


@pytest.fixture
def folder(survey: Survey, arms: dict[str, Records], tmp_path: Path) -> Path:
    return export(survey, arms, tmp_path / "out", language="de").folder


def rows(records: Records) -> Counter[tuple[str, ...]]:
    columns = [
        [attribute.values[code] for code in column]
        for attribute, column in zip(records.schema, records.columns, strict=True)
    ]
    return Counter(zip(*columns, strict=True))


def rows_of_codes(frame: Any, survey: Survey) -> Counter[tuple[str, ...]]:
    columns = []
    for variable in variables_of(survey, "en"):
        words = dict(zip(variable.codes, variable.attribute.values, strict=True))
        columns.append([words[int(code)] for code in frame[variable.name]])
    return Counter(zip(*columns, strict=True))


@pytest.mark.parametrize("arm", ["disguised", "direct"])
def test_csv_and_parquet_hold_the_values_in_words(
    folder: Path, survey: Survey, arms: dict[str, Records], arm: str
) -> None:
    schema = survey.design.schema
    text = pyarrow.csv.read_csv(
        folder / f"{arm}.csv",
        convert_options=pyarrow.csv.ConvertOptions(
            column_types=dict.fromkeys(schema.names, "string")
        ),
    )
    for table in (text, pq.read_table(folder / f"{arm}.parquet")):
        assert tuple(table.column_names) == schema.names
        assert rows(Records.of(table, schema)) == rows(arms[arm])


@pytest.mark.parametrize("arm", ["disguised", "direct"])
@pytest.mark.parametrize(("ending", "read"), [("sav", "read_sav"), ("dta", "read_dta")])
def test_spss_and_stata_hold_labelled_numbers(
    folder: Path, survey: Survey, arms: dict[str, Records], arm: str, ending: str, read: str
) -> None:
    frame, about = getattr(pyreadstat, read)(folder / f"{arm}.{ending}")
    assert tuple(frame.columns) == survey.design.schema.names
    assert rows_of_codes(frame, survey) == rows(arms[arm])
    words = about.variable_value_labels
    assert words["drugs"] == {0: "Nein", 1: "Ja"}
    assert words["rating"] == {5: "Sehr", 3: "So lala", 1: "Gar nicht"}  # numbers stay themselves
    assert words["substances_alcohol"] == {0: "no", 1: "yes"}
    labels = about.column_names_to_labels
    assert labels["region"] == "Wo wohnen Sie?"
    marked = " [disguised]" if arm == "disguised" else ""
    assert labels["substances_alcohol"] == "Welche? Alkohol, wöchentlich" + marked
    # A long question is cut between characters, and stays marked as disguised.
    assert labels["drugs"].startswith("Wie häufig haben Sie wirklich")
    assert labels["drugs"].endswith("…" + marked)
    assert len(labels["drugs"].encode()) <= {"sav": 256, "dta": 80}[ending]
    design = survey.design if arm == "disguised" else Design.truthful(survey.design.schema)
    assert design.fingerprint[:12] in about.file_label
    if ending == "sav":
        assert about.notes == [f"deniable.design={design.fingerprint}"]
        assert set(about.variable_measure.values()) == {"nominal"}


def test_pandas_reads_the_stata_file_as_categories(folder: Path, arms: dict[str, Records]) -> None:
    frame = pd.read_stata(folder / "disguised.dta")
    yes = int((arms["disguised"].columns[0] == 1).sum())
    assert int((frame["drugs"] == "Ja").sum()) == yes


@pytest.mark.parametrize("ending", ["csv", "parquet", "sav", "dta"])
def test_exports_are_estimated_like_the_answers_themselves(
    folder: Path, survey: Survey, arms: dict[str, Records], deniable: Command, ending: str
) -> None:
    asked = ["drugs=yes & substances_alcohol=no", "cheated=yes", "region='north & west'"]
    done = deniable(
        "estimate",
        folder / f"disguised.{ending}",
        *asked,
        "--design",
        folder / "design.yaml",
        "--json",
    )
    assert done.code == 0, done.err
    expected = RandomizedOracle(MemoryEngine(arms["disguised"]), survey.design).count(asked)
    found = [row["value"] for row in json.loads(done.out)]
    assert found == pytest.approx(list(expected.value))
    assert ("no design fingerprint" in done.err) == (ending == "csv")


@pytest.mark.parametrize("ending", ["parquet", "sav", "dta"])
def test_direct_answers_are_never_undone(
    folder: Path, survey: Survey, deniable: Command, ending: str
) -> None:
    table = folder / f"direct.{ending}"
    refused = deniable("estimate", table, "drugs=yes", "--design", folder / "design.yaml")
    assert refused.code == 1
    assert "disguised by another design" in refused.err
    taken = deniable("estimate", table, "drugs=yes", "--design", folder / "direct.yaml")
    assert taken.code == 0, taken.err
    metadata = pq.read_schema(folder / "disguised.parquet").metadata
    assert metadata[DESIGN_STAMP].decode() == survey.design.fingerprint


def test_the_design_is_the_surveys_own(folder: Path, survey: Survey) -> None:
    assert Design.load(folder / "design.yaml").fingerprint == survey.design.fingerprint
    assert not Design.load(folder / "direct.yaml").groups


def test_every_command_of_the_readme_runs(
    folder: Path, deniable: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (folder / "README.md").read_text(encoding="utf-8")
    block = text.split("```sh\n")[1].split("```")[0]
    commands = [shlex.split(line, comments=True) for line in block.splitlines()]
    assert [words[1] for words in commands] == [
        "estimate",
        "table",
        "mine",
        "privacy",
        "estimate",
    ]
    monkeypatch.chdir(folder)
    for program, *words in commands:
        assert program == "deniable"
        done = deniable(*words)
        assert done.code == 0, (words, done.err)


def test_the_codebook_tells_what_was_asked_and_how_it_was_disguised(
    folder: Path, survey: Survey
) -> None:
    book = json.loads((folder / "codebook.json").read_text(encoding="utf-8"))
    assert book["answers"] == {"disguised": 400, "direct": 40}
    assert book["design_fingerprint"] == survey.design.fingerprint
    assert book["survey_fingerprint"] == survey.fingerprint
    asked = {question["name"]: question for question in book["questions"]}
    assert list(asked) == [question.name for question in survey.questions]
    columns = [column for question in book["questions"] for column in question["columns"]]
    assert [column["name"] for column in columns] == list(survey.design.schema.names)
    assert asked["region"]["columns"][0]["disguise"] is None
    assert "80 %" in asked["drugs"]["columns"][0]["disguise"]
    assert asked["cheated"]["personal"] == {
        "text": "Ist Ihre Mutter im Frühling geboren?",
        "source": "Births by month, Federal Statistics Office",
        "shares": {"cheated": {"no": "0.75", "yes": "0.25"}},
    }
    assert asked["moon"]["known"] == {"shares": {"no": "1", "yes": "0"}, "source": "Nobody has."}
    assert book["controls"]["items"] == ["moon"]
    text = (folder / "codebook.md").read_text(encoding="utf-8")
    assert "## Do people follow the device?" in text
    assert f"**{book['controls']['sentences'][0]}**" in text
    assert "not the person's answer" in text
    for part in (
        "Größeres verschwiegen?",
        "Births by month",
        "Nobody has.",
        "`substances_alcohol`",
    ):
        assert part in text


def test_a_table_cell_may_hold_a_bar(
    survey: Survey, arms: dict[str, Records], tmp_path: Path
) -> None:
    export(survey, arms, tmp_path / "english", formats=["csv"])
    text = (tmp_path / "english" / "codebook.md").read_text(encoding="utf-8")
    assert r"| 1 | `yes` | Yes \| ever |" in text


def test_no_place_in_a_file_says_when_an_answer_came(
    survey: Survey, arms: dict[str, Records], tmp_path: Path
) -> None:
    schema = survey.design.schema
    orders = []
    for name in ("one", "other"):
        folder = export(survey, arms, tmp_path / name, formats=["parquet"]).folder
        records = Records.of(pq.read_table(folder / "disguised.parquet"), schema)
        orders.append(np.stack(records.columns))
    came = np.stack(arms["disguised"].columns)
    # 400 records of 3·2^6 kinds: two of 400! orders agree by chance practically never.
    assert not np.array_equal(orders[0], orders[1])
    assert not np.array_equal(orders[0], came)


def test_only_the_chosen_formats_are_written(
    survey: Survey, arms: dict[str, Records], tmp_path: Path
) -> None:
    done = export(survey, {"disguised": arms["disguised"]}, tmp_path / "out", formats=["spss"])
    assert done.files == (
        "README.md",
        "codebook.json",
        "codebook.md",
        "design.yaml",
        "disguised.sav",
    )
    assert "Export CSV or Parquet" in (done.folder / "README.md").read_text()


def test_a_folder_appears_whole_or_not_at_all(
    survey: Survey, arms: dict[str, Records], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, *_: object) -> None:
        path.write_text("half")
        raise OSError(28, "No space left on device")

    monkeypatch.setitem(export_tables.WRITERS, "stata", ("dta", full))
    before = set(tmp_path.iterdir())
    with pytest.raises(OutputError, match="no space left"):
        export(survey, arms, tmp_path / "out")
    assert set(tmp_path.iterdir()) == before


def test_what_cannot_be_exported_is_said_and_nothing_is_written(
    survey: Survey, arms: dict[str, Records], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    nobody = {"disguised": answers(survey, 0, 1)}
    with pytest.raises(DataError, match="no answers to export yet"):
        export(survey, nobody, out)
    with pytest.raises(DataError, match="no format 'sas'"):
        export(survey, arms, out, formats=["sas"])
    with pytest.raises(DataError, match="not in 'fr'"):
        export(survey, arms, out, language="fr")
    assert not out.exists()
    out.mkdir()
    (out / "mine").touch()
    with pytest.raises(OutputError, match="not empty"):
        export(survey, arms, out)
    assert [path.name for path in out.iterdir()] == ["mine"]
