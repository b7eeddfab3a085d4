"""What the consent page says about how sure a reader can be is what the privacy measures say."""

import json
from pathlib import Path
from typing import Any

import pytest

from deniable.base.errors import SurveyError
from deniable.base.wording import whole_people
from deniable.privacy.measures.single_answer import best_guess, entry_matrix, guess_if_even
from deniable.privacy.report.measure_privacy import measure_privacy
from deniable.survey.questionnaire import Survey, load
from survey.browser.questioned import CHANNELS, SURVEYS, asking, both, survey_file
from survey.node import browser

FIVE = {f"v{number}": both(f"V{number}", f"V{number}") for number in range(5)}
TWO = {"no": both("No", "Nein"), "yes": both("Yes", "Ja")}
SIZES: dict[str, Any] = {
    "questions": {
        "many": {"text": both("Which?", "Welche?"), "options": FIVE},
        "few": {"text": both("Really?", "Wirklich?"), "options": TWO},
    },
    "groups": [
        {
            "attributes": ["many", "few"],
            "channel": "unrelated",
            "theta": "1/2",
            "personal": {
                "many": dict.fromkeys(FIVE, "1/5"),
                "few": {"no": "3/4", "yes": "1/4"},
            },
        }
    ],
    "devices": ["page"],
}
"""A group whose first question is harder to guess than its second."""

DESIGNS: dict[str, tuple[str, dict[str, Any]]] = {
    **{name: (name, {}) for name in SURVEYS},
    **{f"only {channel}": ("related", asking(channel)) for channel in CHANNELS},
    "all channels": ("related", asking(*CHANNELS)),
    "two sizes": ("related", SIZES),
}


def survey_of(folder: Path, design: str) -> Survey:
    name, changes = DESIGNS[design]
    return load(survey_file(folder, name, **changes))


@pytest.mark.parametrize("design", DESIGNS)
def test_the_page_says_how_often_the_best_guess_is_right(design: str, tmp_path: Path) -> None:
    survey = survey_of(tmp_path, design)
    after, before = max(
        (guess_if_even(group, attribute.name), best_guess([1 / attribute.size] * attribute.size))
        for group in survey.design.groups
        for attribute in group.attributes
    )
    told = browser("guessesOf", given=[json.loads(survey.asked)])
    assert told == {"before": whole_people(before), "after": whole_people(after)}


def test_the_first_question_of_a_group_is_not_taken_for_all(tmp_path: Path) -> None:
    (group,) = survey_of(tmp_path, "two sizes").design.groups
    first, second = (guess_if_even(group, name) for name in group.names)
    assert first < second - 0.1


@pytest.mark.parametrize("design", DESIGNS)
def test_what_is_certain_is_said_to_be(design: str, tmp_path: Path) -> None:
    survey = survey_of(tmp_path, design)
    for group, told in zip(survey.design.groups, json.loads(survey.asked)["guesses"], strict=True):
        certain = {
            report
            for name in group.names
            for report, chances in enumerate(entry_matrix(group, name))
            if (chances > 0).sum() == 1
        }
        assert certain == (set() if told["certain"] is None else {told["certain"]})
        assert (told["certain"] is not None) == (group.channel.kind in {"mangat", "triangular"})


@pytest.mark.parametrize("design", DESIGNS)
def test_all_answers_together_are_guessed_as_the_privacy_report_says(
    design: str, tmp_path: Path
) -> None:
    survey = survey_of(tmp_path, design)
    report = measure_privacy(survey.design)
    told = json.loads(survey.asked)["reading"]
    if len(report.attributes) == 1:
        assert told["record"] is None
    else:
        found = {name: pytest.approx(float(share)) for name, share in told["record"].items()}
        assert {"before": report.record.before, "after": report.record.guess} == found
    for group, knowing in zip(report.groups, told["knowing"], strict=True):
        most = max(group.knowing.values(), default=None)
        assert most == (None if knowing is None else pytest.approx(float(knowing)))


def test_answers_that_prove_something_only_together_are_refused(tmp_path: Path) -> None:
    """Nobody's personal answers are both no: who sends that has sent the private ones."""
    question = {"text": both("Really?", "Wirklich?"), "options": TWO}
    rows = [
        {"one": "no", "two": "yes", "probability": "1/2"},
        {"one": "yes", "two": "no", "probability": "1/2"},
    ]
    group = {"attributes": ["one", "two"], "channel": "unrelated", "theta": "1/2"}
    changes = {"questions": dict.fromkeys(("one", "two"), question), "devices": ["page"]}
    path = survey_file(
        tmp_path, "related", **changes, groups=[{**group, "personal": {"joint": rows}}]
    )
    with pytest.raises(SurveyError, match="Whoever sends one=no and two=no has said so"):
        load(path)
