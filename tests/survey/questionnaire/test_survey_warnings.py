"""A survey that can be run, but should not be without a thought."""

from pathlib import Path

import pytest

from deniable.design import Design
from deniable.privacy.report.design_warnings import design_warnings
from deniable.survey.questionnaire import EXAMPLE, check, load
from survey.questionnaire.surveys import SURVEY, with_line, written

AB = "{en: a, de: b}"

WARNINGS = [
    # the line that is replaced, its replacement, the line that the warning is about, and its words
    (7, "direct: 1/10", 7, "10 of 100 people are asked directly"),
    (8, "results: {every: 9}", 8, "as few as 9 answers"),
    (8, "results: {after: 39}", 9, "in 8 combinations: of 39 people some are alone"),
    (16, f"    options: {{sport: {AB}}}", 16, "A single option"),
    (29, "  - {attributes: [drugs], channel: related, theta: 95/100}", 29, "hardly disguised"),
    (29, "  - {attributes: [drugs, aids], channel: related, theta: 4/5}", 29, "share one coin"),
    (29, "  - {attributes: [drugs], channel: forced, forced: {yes: 0.2}}", 29, "proves that it"),
    # half the width of the interval: 1.96 · ½ / (2·0.6 − 1) / √200 = 0.3465, rounded up
    (29, "  - {attributes: [drugs], channel: related, theta: 6/10}", 29, "to ± 34.7 points only"),
    (31, "  - {attributes: [aids], channel: related, theta: 4/5}", 27, "says nothing about"),
]


@pytest.mark.parametrize(("replaced", "replacement", "line", "words"), WARNINGS)
def test_a_worry_is_a_warning_at_its_line(
    tmp_path: Path, replaced: int, replacement: str, line: int, words: str
) -> None:
    path = written(tmp_path, with_line(replaced, replacement))
    found = check(path)
    assert {each.kind for each in found} == {"warning"}
    (worry,) = [each for each in found if words in each.message]
    assert worry.line == line
    load(path)


def test_a_survey_that_disguises_nothing_is_worrying(tmp_path: Path) -> None:
    without_groups = SURVEY.splitlines()[:27]
    del without_groups[22]  # the personal question
    found = check(written(tmp_path, "\n".join(without_groups)))
    assert {each.kind for each in found} == {"warning"}
    assert any("Nothing is disguised" in each.message for each in found)


def test_groups_that_add_up_are_worrying(tmp_path: Path) -> None:
    # ε = 2 ln 0.89/0.11 + ln 0.75/0.083 = 6.4: more than twice the 3 that is weak for one group
    text = SURVEY.replace("theta: 4/5", "theta: 0.89").replace("theta: 0.7", "theta: 2/3")
    found = check(written(tmp_path, text))
    assert [(each.line, each.kind) for each in found] == [(28, "warning")]
    assert "add up" in found[0].message


def test_a_ratio_beyond_all_floats_is_worrying_and_no_crash() -> None:
    names = [f"a{number}" for number in range(1100)]
    group = {"attributes": names, "channel": "keep-or-uniform", "theta": "1/2"}
    design = Design.of({"attributes": {name: ["no", "yes"] for name in names}, "groups": [group]})
    assert "over a million times likelier" in design_warnings(design)[0].sentence


def test_the_example_raises_no_worry(tmp_path: Path) -> None:
    assert check(written(tmp_path, EXAMPLE)) == []
