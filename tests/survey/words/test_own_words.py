"""Words that a survey brings: refused with their line, kept, and part of what is asked."""

import json
from pathlib import Path

import pytest

from commanding import Command
from deniable.base.documents import read_yaml, to_yaml
from deniable.base.errors import SurveyError
from deniable.survey.questionnaire import check, load
from deniable.survey.words.page_words import english, sentences
from survey.questionnaire.surveys import SURVEY, written
from survey.words.machine import empty_file, filled_in

POLISH = SURVEY.replace("[en, de]", "[en, pl]").replace("de: ", "pl: ")
WORDS = "words-pl.yaml"


def with_words(text: str, words: str) -> str:
    """The survey with an entry `words`, in its last line."""
    return f"{text}words: {words}\n"


def polish(folder: Path) -> Path:
    """A file of words in which nothing is missing."""
    path = folder / WORDS
    path.write_text(empty_file("pl"), encoding="utf-8")
    path.write_text(to_yaml(filled_in(read_yaml(path), english())), encoding="utf-8")
    return path


def changed(path: Path, before: str, after: str) -> int:
    """Change the only line that begins so; gives its number."""
    lines = path.read_text(encoding="utf-8").splitlines()
    (place,) = [n for n, line in enumerate(lines) if line.startswith(before)]
    lines[place] = after
    path.write_text("\n".join(lines), encoding="utf-8")
    return place + 1


def test_a_language_that_the_page_does_not_speak_is_refused(tmp_path: Path) -> None:
    (found,) = check(written(tmp_path, POLISH))
    assert (found.line, found.kind, found.file) == (2, "mistake", "")
    assert "not there in 'pl'" in found.message
    assert "survey translate SURVEY.yaml --language pl" in found.hint
    with pytest.raises(SurveyError, match="not there in 'pl'"):
        load(tmp_path / "survey.yaml")


def test_with_all_of_its_words_it_is_welcome(tmp_path: Path) -> None:
    polish(tmp_path)
    path = written(tmp_path, with_words(POLISH, f"{{pl: {WORDS}}}"))
    assert check(path) == []
    survey = load(path)
    assert len(dict(sentences(survey.words["pl"]))) == len(dict(sentences(english())))
    assert json.loads(survey.asked)["words"] == survey.words


def test_single_words_go_before_those_that_come_along(tmp_path: Path) -> None:
    plain = load(written(tmp_path, SURVEY))
    assert "words" not in json.loads(plain.asked)
    path = written(tmp_path, with_words(SURVEY, "{en: {next: Go on, consent: {agree: Yes!}}}"))
    assert check(path) == []
    survey = load(path)
    assert survey.words == {"en": {"next": "Go on", "consent": {"agree": "Yes!"}}}
    assert survey.fingerprint != plain.fingerprint
    turned = with_words(SURVEY, "{en: {consent: {agree: Yes!, title: ''}, next: Go on}}")
    assert load(written(tmp_path, turned)).fingerprint == survey.fingerprint


def test_those_that_nobody_has_read_are_warned_of_until_they_are_a_researchers(
    tmp_path: Path,
) -> None:
    text = SURVEY.replace("[en, de]", "[en, fr]").replace("de: ", "fr: ")
    (found,) = check(written(tmp_path, text))
    assert (found.line, found.kind) == (2, "warning")
    assert "'fr' were not read yet by anybody whose language it is" in found.message
    (tmp_path / "words-fr.yaml").write_text(empty_file("fr"), encoding="utf-8")
    assert check(written(tmp_path, with_words(text, "{fr: words-fr.yaml}"))) == []


MISTAKES = [
    # the line of the file that is replaced, its replacement, and what is said about it
    ("back:", "bakc: a", "There is no entry 'bakc' here. Did you mean 'back'?"),
    ("back:", "back: ''", "There is no text here. In English: 'Back'."),
    ("back:", "back: [a]", "must be text, or a text for each plural form"),
    ("back:", "back: {one: a, few: b, many: c}", "Nothing is counted here"),
    ("progress:", "progress: a {step} of {off}", "Nothing stands for {off} here"),
    ("progress:", "progress: a {step}", "{of} must stand in this text"),
    ("progress:", "progress: a {step} of {of", "A brace stands alone"),
    ("progress:", "progress: {one: '{step} {of}'}", "'count' is no number of this sentence"),
    (
        "progress:",
        "progress: {by: of, one: '{step}'}",
        "The plural forms 'few', 'many' are missing",
    ),
    ("progress:", "progress: {by: of, some: '{step}'}", "There is no entry 'some' here"),
    ("contact:", "contact: {by: contact, one: a}", "Nothing is counted here"),
    ("letters:", "letters: a\nleft:", "letters: This must be a mapping"),
]


@pytest.mark.parametrize(("before", "after", "said"), MISTAKES)
def test_a_mistake_is_named_with_its_file_and_line(
    before: str, after: str, said: str, tmp_path: Path
) -> None:
    path = polish(tmp_path)
    line = changed(path, before, after)
    found = check(written(tmp_path, with_words(POLISH, f"{{pl: {WORDS}}}")))
    assert any(
        said in str(each) and (each.line, each.file, each.kind) == (line, str(path), "mistake")
        for each in found
    ), [str(each) for each in found]


def test_what_is_not_there_at_all_is_named_too(tmp_path: Path) -> None:
    path = polish(tmp_path)
    changed(path, "back:", "")
    survey = written(tmp_path, with_words(POLISH, f"{{pl: {WORDS}}}"))
    (found,) = check(survey)
    assert (found.line, found.file) == (1, str(path))
    assert "'back' is missing." in found.message
    path.write_text("", encoding="utf-8")
    (found,) = check(survey)
    assert "are missing." in found.message
    path.write_text("a: [", encoding="utf-8")
    (found,) = check(survey)
    assert "not valid YAML" in found.message
    path.unlink()
    (found,) = check(survey)
    assert (found.line, found.file) == (len(POLISH.splitlines()) + 1, "")
    assert "does not exist" in found.message


def test_numbers_that_one_and_two_say_in_words_may_be_left_out(tmp_path: Path) -> None:
    text = with_words(SURVEY, "{en: {about: {count: {one: A single one., other: '{count}'}}}}")
    assert check(written(tmp_path, text)) == []
    (found,) = check(written(tmp_path, text.replace("'{count}'", "Some.")))
    assert "words.en.about.count.other: {count} must stand" in found.message


def test_forms_may_depend_on_two_numbers(tmp_path: Path) -> None:
    inner = "{by: of, one: '{of} is {some}', other: '{of} are {some}'}"
    text = f"{{en: {{consent: {{notDirect: {{by: some, one: a {{of}}, other: {inner}}}}}}}}}"
    path = written(tmp_path, with_words(SURVEY, text))
    assert "Nothing stands" not in str([str(found) for found in check(path)])


# --- deniable survey translate --------------------------------------------------------------------


def test_translate_writes_a_file_that_check_reads_and_keeps_what_is_in_it(
    deniable: Command, tmp_path: Path
) -> None:
    survey = written(tmp_path, POLISH)
    done = deniable("survey", "translate", survey, "--language", "pl")
    path = tmp_path / WORDS
    number = len(dict(sentences(english())))
    assert (done.code, done.out) == (0, "")
    assert f"wrote {number} sentences to {path}; {number} of them are empty" in done.err
    assert f"in {survey} write words: {{pl: {WORDS}}}" in done.err
    text = path.read_text(encoding="utf-8")
    assert "# Step {step} of {of}\n# {step}: which step" in text
    assert '    few: ""\n' in text

    survey = written(tmp_path, with_words(POLISH, f"{{pl: {WORDS}}}"))
    checked = deniable("survey", "check", survey)
    assert checked.code == 1
    assert len(checked.out.splitlines()) == number
    assert all(line.startswith(f"{path}:") for line in checked.out.splitlines())

    changed(path, "back:", 'back: "Wstecz"')
    changed(path, "next:", 'nexxt: "Dalej"')
    again = deniable("survey", "translate", survey, "--language", "pl")
    assert f"{number - 1} of them are empty" in again.err
    assert "1 sentence that the page no longer says" in again.err
    assert "write words:" not in again.err
    text = path.read_text(encoding="utf-8")
    assert 'back: "Wstecz"' in text
    assert 'next: ""' in text
    assert '#   nexxt: "Dalej"' in text


def test_what_comes_along_or_stands_in_the_survey_is_filled_in(
    deniable: Command, tmp_path: Path
) -> None:
    survey = written(tmp_path, with_words(SURVEY, "{de: {next: Los}}"))
    out = tmp_path / "mine.yaml"
    done = deniable("survey", "translate", survey, "--language", "de", "--out", out)
    assert "none of them is empty" in done.err
    found = read_yaml(out)
    assert (found["next"], found["back"]) == ("Los", "Zurück")
    assert "early" not in found


def test_translate_never_writes_over_something_else(deniable: Command, tmp_path: Path) -> None:
    survey = written(tmp_path, SURVEY)
    for out, said in [(survey, "is read"), (tmp_path, "cannot be read")]:
        done = deniable("survey", "translate", survey, "--language", "pl", "--out", out)
        assert done.code == 1, said
    assert survey.read_text(encoding="utf-8") == SURVEY
    notes = tmp_path / "notes.yaml"
    for text in ("- a list", "just text"):
        notes.write_text(text, encoding="utf-8")
        done = deniable("survey", "translate", survey, "--language", "pl", "--out", notes)
        assert "holds no words of the page" in done.err
        assert notes.read_text(encoding="utf-8") == text
    assert deniable("survey", "translate", survey, "--language", "Polish").code == 1
