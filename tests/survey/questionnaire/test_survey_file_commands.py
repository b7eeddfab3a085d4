"""`deniable survey new` and `check`, as people type them."""

import json
from pathlib import Path

from commanding import Command
from deniable.survey.questionnaire import EXAMPLE, load
from survey.questionnaire.surveys import SURVEY, with_line, written


def test_new_writes_a_survey_that_check_likes(deniable: Command, tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    done = deniable("survey", "new", path)
    assert (done.code, done.out) == (0, "")
    assert f"wrote {path}" in done.err
    assert path.read_text(encoding="utf-8") == EXAMPLE
    assert [each.name for each in tmp_path.iterdir()] == ["mine.yaml"]
    checked = deniable("survey", "check", path)
    assert (checked.code, checked.err) == (0, "")
    assert "5 questions, 3 groups, in en and de." in checked.out
    assert "copied: with probability 80 % reported as it is" in checked.out
    assert f"Fingerprint {load(path).fingerprint}" in checked.out


def test_new_leaves_what_is_there_alone(deniable: Command, tmp_path: Path) -> None:
    path = written(tmp_path, "mine: all mine")
    done = deniable("survey", "new", path)
    assert done.code == 1
    assert "exists already. Name a new file." in done.err
    assert path.read_text(encoding="utf-8") == "mine: all mine"
    assert deniable("survey", "new", tmp_path).code == 1
    assert "cannot be written" in deniable("survey", "new", tmp_path / "no" / "file.yaml").err
    assert "cannot be written" in deniable("survey", "new", tmp_path / ("a" * 300)).err
    assert [each.name for each in tmp_path.iterdir()] == ["survey.yaml"]


def test_check_lists_mistakes_with_file_and_line_and_fails(
    deniable: Command, tmp_path: Path
) -> None:
    text = with_line(2, "languages: [en, de, deutsch]").replace("theta: 4/5", "theta: 1/2")
    path = written(tmp_path, text)
    done = deniable("survey", "check", path)
    assert done.code == 1
    assert [line.split(" ")[0] for line in done.out.splitlines()] == [
        f"{path}:2:", f"{path}:29:", f"{path}:31:",
    ]  # fmt: skip
    assert done.err == f"deniable: {path} has 3 mistakes.\n"


def test_warnings_do_not_fail(deniable: Command, tmp_path: Path) -> None:
    path = written(tmp_path, with_line(7, "direct: 1/10"))
    done = deniable("survey", "check", path)
    assert (done.code, done.err) == (0, "")
    assert f"{path}:7: warning: direct: 10 of 100 people are asked directly" in done.out


def test_check_gives_programs_the_same(deniable: Command, tmp_path: Path) -> None:
    path = written(
        tmp_path, with_line(29, "  - {attributes: [drugs, aids], channel: related, theta: 4/5}")
    )
    done = deniable("survey", "check", path, "--json")
    found = json.loads(done.out)
    assert done.code == 0
    assert set(found) == {"survey", "fingerprint", "story", "outlook", "findings"}
    assert found["fingerprint"] == load(path).fingerprint
    assert found["outlook"][0]["epsilon"] == "inf"
    (finding,) = found["findings"]
    assert set(finding) == {"line", "kind", "message", "hint", "file"}
    assert (finding["line"], finding["kind"]) == (29, "warning")


def test_mistakes_as_json_fail_too(deniable: Command, tmp_path: Path) -> None:
    path = written(tmp_path, SURVEY.replace("contact:", "contct:"))
    done = deniable("survey", "check", path, "--json")
    assert done.code == 1
    assert [each["line"] for each in json.loads(done.out)["findings"]] == [1, 4]


def test_a_missing_file_is_one_sentence(deniable: Command, tmp_path: Path) -> None:
    done = deniable("survey", "check", tmp_path / "nothing.yaml")
    assert done.code == 1
    assert done.err == f"deniable: {tmp_path / 'nothing.yaml'} does not exist. Check the name.\n"


def test_check_shows_a_ratio_that_nobody_could_read(deniable: Command, tmp_path: Path) -> None:
    many = ", ".join(f"v{number}: {{en: a, de: b}}" for number in range(100))
    text = with_line(16, f"    options: {{{many}}}").replace("[page, own]", "[page]")
    group = "  - {attributes: [aids], channel: keep-or-uniform, theta: 1/2}"
    done = deniable("survey", "check", written(tmp_path, f"{text}{group}\n"))
    assert done.code == 0
    assert "over a million" in done.out
