"""Every kind of mistake is found in its line, with a hint, and brings no other one along."""

from itertools import pairwise
from pathlib import Path

import pytest

from deniable.base.errors import DataError, SurveyError
from deniable.survey.questionnaire import check, load
from survey.questionnaire.surveys import SURVEY, with_line, written

AB = "{en: a, de: b}"
MANY = ", ".join(f"v{number}: {AB}" for number in range(37))

LETTERS = "abcdefghijklmnopqr"
BOMB = "a: &a [1, 1]\n" + "".join(
    f"{after}: &{after} [*{before}, *{before}]\n" for before, after in pairwise(LETTERS)
)

MISTAKES = [
    # the line that is replaced, its replacement, and what is said about this very line
    (1, "survey: public health", "'public health' is no short name"),
    (1, f"survey: {'a' * 41}", "is no short name"),
    (1, "survey:", "There is no text here"),
    (2, "languages: [en, de, English]", "'English' is no code"),
    (2, "languages: [en, de, en]", "'en' stands twice"),
    (2, "languages: []", "The list is empty"),
    (2, "languages: en", "must be a list"),
    (3, "title: Health", "One text is given for 2 languages"),
    (3, "title: {en: Health}", "The text in 'de' is missing"),
    (3, "title: {en: Health, de: }", "title.de: There is no text here"),
    (3, "title: {en: Health, de: Gesundheit, fr: a}", "'fr' is no language of the survey"),
    (3, "title: {en: Healthy?, de: Gesund}", "not valid YAML"),
    (4, "contact: [research]", "This must be text"),
    (4, 'contact: "\\a"', "cannot be shown"),
    (4, 'contact: "\\ud800"', "cannot be shown"),
    (4, 'contact: "\\u202eon si sey"', "cannot be shown"),  # would be read from its end
    (4, 'contact: "\\ufffc"', "cannot be shown"),  # where the page puts a link
    (6, "invitations: maybe", "'maybe' is neither yes nor no"),
    (7, "devices: [page, onw]", "There is no device 'onw'"),
    (7, "devices: [page, page]", "'page' stands twice"),
    (7, "devices: []", "The list is empty"),
    (7, "direct: often", "'often' is not a number"),
    (7, "direct: 3/2", "not a probability"),
    (7, "direct: 1", "no share of the respondents"),
    (7, "direct: 0", "no share of the respondents"),
    (8, "results: {after: 9}", "9 is too small"),
    (8, "results: {every: 1}", "1 is too small"),
    (8, "results: {after: soon}", "'soon' is not a whole number"),
    (8, "results: {after: ²}", "'²' is not a whole number"),
    (8, "results: soon", "must be a mapping"),
    (8, "results: {}", "nothing in it"),
    (8, "results: {when: 100}", "results: There is no entry 'when' here"),
    (8, "quotas: {aeg: {young: 500}}", "quotas.aeg: There is no such question"),
    (8, "quotas: {drugs: {no: 500}}", "told as it is"),
    (8, "quotas: {aids: {sport: 500}}", "with one answer"),
    (8, "quotas: {age: {yuong: 500}}", "'age' has no such value"),
    (8, "quotas: {age: {young: 0}}", "0 is too small"),
    (8, "quotas: {age: 500}", "must be a mapping"),
    (10, "  your age:", "cannot be a column's name"),
    (10, "  with:", "SPSS or Stata"),
    (10, "  str8:", "SPSS or Stata"),
    (10, "  ID:", "a column that answers are kept with"),
    (10, f"  {'a' * 33}:", "too long"),
    (10, '  "":', "cannot be a column's name"),
    (10, "  [age]:", "A name must be a word"),
    (11, "    text: {}", "nothing in it"),
    (12, f"    options: {{young: {AB}}}", "only one option"),
    (12, f"    options: {{young: {{en: a}}, old: {AB}}}", "'de' is missing"),
    (12, f"    options: {{young: , old: {AB}}}", "There is no text here"),
    (12, f"    options: {{old: {AB}, old: {AB}, young: {AB}}}", "'old' stands twice"),
    (12, "    options: [young, old]", "must be a mapping"),
    (12, f"    options: {{{MANY}}}", "There are 37 options"),
    (12, f'    options: {{young: {AB}, " old": {AB}}}', "plain words"),
    (14, "    several: maybe", "neither yes nor no"),
    (16, f"    options: {{hot tea: {AB}, milk: {AB}}}", "'aids_hot tea' cannot be a column's name"),
    (16, f"    options: {{{'a' * 28}: {AB}, b: {AB}}}", "too long"),
    (23, f"    personal: {{text: {AB}}}", "'source' is missing"),
    (23, f"    personal: {{text: {AB}, source: }}", "There is no text here"),
    (23, "    personal: {source: Births by month.}", "'text' is missing"),
    (27, "    known: {shares: {no: 1, yes: 1}, source: s}", "sum to 2, not 1"),
    (27, "    known: {shares: {no: 1}, source: s}", "no probability for 'yes'"),
    (27, "    known: {shares: {no: 1, eys: 0}, source: s}", "not a value of 'moon'"),
    (27, "    known: {shares: {no: 1, yes: 0}}", "'source' is missing"),
    (27, "    known: {source: s}", "'shares' is missing"),
    (27, "    known: yes", "must be a mapping"),
    (29, "  - {attributes: [drgus], channel: related, theta: 4/5}", "no question 'drgus'"),
    (29, "  - {attributes: [aids_pills], channel: related, theta: 4/5}", "answers to 'aids'"),
    (29, "  - {attributes: [], channel: related, theta: 4/5}", "The list is empty"),
    (29, "  - {attributes: drugs, channel: related, theta: 4/5}", "must be a list"),
    (29, "  - {attributes: [drugs, drugs], channel: related, theta: 4/5}", "already"),
    (29, "  - {channel: related, theta: 4/5}", "'attributes' is missing"),
    (29, "  - {attributes: [drugs], theta: 4/5}", "No channel is given"),
    (29, "  - {attributes: [drugs], channel: relatd, theta: 4/5}", "no channel 'relatd'"),
    (29, "  - {attributes: [drugs], channel: related}", "'theta' is missing"),
    (29, "  - {attributes: [drugs], channel: related, theta: 1/2}", "a fair coin"),
    (29, "  - {attributes: [drugs], channel: related, theta: 2}", "not a probability"),
    (29, "  - {attributes: [drugs], channel: related, theta: 4/5, tehta: 1}", "no option 'tehta'"),
    (29, "  - {attributes: [drugs], channel: related, theta: 1}", "disguises nothing"),
    (29, "  - {attributes: [drugs], channel: related, theta: 0}", "disguises nothing"),
    (29, "  - {attributes: [drugs], channel: truthful}", "disguises nothing"),
    (29, "  - drugs", "must be a mapping"),
    (
        29,
        "  - {attributes: [drugs], channel: forced, forced: {no: 1/2}}",
        "sends drugs=yes has",
    ),
    (
        29,
        "  - {attributes: [drugs], channel: kuk, red: {no: 0, yes: 1/2}}",
        "sends drugs=yes has",
    ),
    (31, "  - {attributes: [moon, age], channel: related, theta: 4/5}", "how the coin fell"),
    (30, "  - {attributes: [debts], channel: unrelated, theta: 0.7}", "needs the distribution"),
    (
        30,
        "  - {attributes: [debts], channel: unrelated, theta: 1, personal: unknown}",
        "one sample",
    ),
    (31, "  - {attributes: [moon, drugs], channel: related, theta: 4/5}", "of line 29 already"),
]

ELSEWHERE = [
    # the same, with the line where the mistake is noticed
    (4, "", 1, "'contact' is missing"),
    (4, "contact: a\ncontact: b", 5, "'contact' stands twice, first in line 4"),
    (4, "contact: a\nquota: b", 5, "There is no entry 'quota' here"),
    (10, "  aids_Sport:", 13, "two columns 'aids_sport'"),
    (10, "  moon:", 24, "'moon' stands twice, first in line 10"),
    (11, f"    text: {AB}\n    hlep: {AB}", 12, "questions.age: There is no entry 'hlep' here"),
    (12, "", 10, "'options' is missing"),
    (14, f"    several: yes\n    personal: {{text: {AB}, source: c}}", 15, "cannot have this"),
    (14, "    several: yes\n    known: {shares: {}, source: c}", 15, "cannot have this"),
    (
        30,
        "  - {attributes: [debts], channel: related, theta: 4/5}",
        23,
        "asks no personal question",
    ),
    (30, "", 23, "The question is in no group"),
]


def test_the_survey_has_no_mistake_to_begin_with(tmp_path: Path) -> None:
    assert check(written(tmp_path, SURVEY)) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("replaced", "replacement", "line", "words"),
    [(line, new, line, words) for line, new, words in MISTAKES] + ELSEWHERE,
)
def test_a_mistake_is_found_in_its_line_and_alone(
    tmp_path: Path, replaced: int, replacement: str, line: int, words: str
) -> None:
    path = written(tmp_path, with_line(replaced, *replacement.splitlines()))
    (found,) = check(path)
    assert words in found.message
    assert (found.line, found.kind) == (line, "mistake")
    assert found.hint
    with pytest.raises(SurveyError, match=rf"survey\.yaml:{line}: "):
        load(path)


def test_every_mistake_is_found_not_only_the_first(tmp_path: Path) -> None:
    lines = SURVEY.splitlines()
    lines[0] = "survey: public health"
    lines[2] = "title: {en: Health}"
    lines[11] = f"    options: {{young: {AB}}}"
    lines[17] = "    text: {en: Drugs}"
    lines[28] = lines[28].replace("4/5", "1/2")
    lines[30] = lines[30].replace("moon", "mon")
    path = written(tmp_path, "\n".join(lines))
    assert [found.line for found in check(path)] == [1, 3, 12, 18, 29, 31]
    with pytest.raises(SurveyError, match=r"(?s)survey.yaml:1: .*5 more"):
        load(path)


def test_a_group_asks_personal_questions_beside_all_of_its_questions_or_none(
    tmp_path: Path,
) -> None:
    both = "personal: {drugs: {no: 1/2, yes: 1/2}, debts: {no: 3/4, yes: 1/4}}"
    group = f"  - {{attributes: [drugs, debts], channel: unrelated, theta: 0.7, {both}}}"
    lines = SURVEY.splitlines()
    lines[6] = "devices: [page]"
    lines[28:30] = [group]
    (found,) = check(written(tmp_path, "\n".join(lines)))
    assert (found.line, found.kind) == (29, "mistake")
    assert "'drugs' has no personal question" in found.message
    del lines[22]
    assert load(written(tmp_path, "\n".join(lines))).design.groups[0].names == ("drugs", "debts")


def test_a_personal_question_needs_a_group_also_where_there_is_none(tmp_path: Path) -> None:
    found = check(written(tmp_path, "\n".join(SURVEY.splitlines()[:27])))
    assert [each.line for each in found if each.kind == "mistake"] == [23]


def test_suggestions_name_what_was_meant(tmp_path: Path) -> None:
    hints = {
        "contct: a": "'contact'",
        "contact: a\ndevices: [pgae]": "'page'",
    }
    for replacement, meant in hints.items():
        found = check(written(tmp_path, with_line(4, *replacement.splitlines())))
        assert any(f"Did you mean {meant}?" == each.hint for each in found)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "The file is empty"),
        ("# nothing\n", "The file is empty"),
        ("yes", "must be a mapping"),
        ("[a, b]", "must be a mapping"),
        ("{}", "nothing in it"),
        ("a: 1\n---\nb: 2", "not valid YAML"),
        ("a: &a [*a]", "no end"),
        ("a: *b", "not valid YAML"),
        ("a: " + "[" * 60 + "]" * 60, "no end"),
        ("a: " + "[" * 5000, "nested too deeply"),
        (BOMB, "no end"),
        ("a: \x07", "not valid YAML"),
    ],
)
def test_what_is_no_survey_at_all_is_one_mistake(tmp_path: Path, text: str, words: str) -> None:
    found = check(written(tmp_path, text))
    assert words in found[0].message
    assert all(each.line >= 1 for each in found)


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="does not exist"):
        check(tmp_path / "nothing.yaml")
    with pytest.raises(DataError, match="directory"):
        load(tmp_path)
    (tmp_path / "bytes.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(DataError, match="not text"):
        check(tmp_path / "bytes.yaml")
