"""May people skip, and who is asked a question: what a survey file says, and what is refused."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from deniable.base.errors import SurveyError
from deniable.survey.questionnaire import Survey, check, load
from deniable.survey.questionnaire.conditions import stray
from deniable.survey.questionnaire.survey_story import story
from survey.questionnaire.surveys import SURVEY, with_line, written

AGE, AIDS, DRUGS, DEBTS, MOON = 10, 13, 17, 20, 24
"""The lines of the questions."""


def after(line: int, entry: str, text: str = SURVEY) -> str:
    """Add an entry to the question in a line."""
    lines = text.splitlines()
    lines.insert(line, f"    {entry}")
    return "\n".join(lines) + "\n"


def refused(folder: Path, text: str) -> tuple[str, str]:
    with pytest.raises(SurveyError) as found:
        load(written(folder, text))
    return found.value.message, found.value.hint or ""


# --- Skipping -------------------------------------------------------------------------------------


def test_skipping_is_the_last_value_of_a_question_and_disguised_like_the_others(
    tmp_path: Path,
) -> None:
    survey = load(written(tmp_path, after(DRUGS, "may_skip: yes")))
    assert survey.design.schema["drugs"].values == ("no", "yes", "skipped")
    (group,) = (group for group in survey.design.groups if group.names == ("drugs",))
    columns = group.channel.exact_columns()
    assert columns[2] == (Fraction(1, 10), Fraction(1, 10), Fraction(8, 10))
    (asked,) = (q for q in json.loads(survey.asked)["questions"] if q["name"] == "drugs")
    words = {"en": "I would rather not say", "de": "Das möchte ich nicht sagen"}
    assert asked["options"][-1] == {"value": "skipped", "text": words}
    assert asked["skip"] == words


def test_skipping_keeps_the_rule_by_hand(tmp_path: Path) -> None:
    survey = load(written(tmp_path, after(DRUGS, "may_skip: yes").replace("4/5", "2/3")))
    rule = survey.rules[0]
    assert rule is not None
    assert (rule["tool"], rule["outcomes"]) == ("die", ["1–4", "5", "6"])
    assert [part["do"] for part in rule["parts"]] == ["truth", "step", "step"]


def test_a_survey_without_skipping_keeps_its_fingerprint(tmp_path: Path) -> None:
    plain = load(written(tmp_path, SURVEY))
    assert not any({"skip", "if"} & set(q) for q in json.loads(plain.asked)["questions"])
    said = load(written(tmp_path, "may_skip: no\n" + SURVEY))
    assert said.fingerprint == plain.fingerprint


def test_one_entry_lets_every_question_be_skipped_but_control_items(tmp_path: Path) -> None:
    text = "may_skip: yes\n" + after(DEBTS, "may_skip: no")
    survey = load(written(tmp_path, text))
    skips = {question.name: question.skip is not None for question in survey.questions}
    assert skips == {"age": True, "aids": True, "drugs": True, "debts": False, "moon": False}
    assert survey.design.schema["aids_pills"].values == ("no", "yes", "skipped")


GROUP, REST = 29, "attributes: [drugs], channel: "


def with_group(group: str, *, aids: bool = False) -> str:
    """With another first group, and its question may be skipped."""
    return after(AIDS if aids else DRUGS, "may_skip: yes", with_line(GROUP, f"  - {{{group}}}"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (with_group(REST + "forced, forced: {no: 1/6, yes: 1/6}"), "drugs=skipped has said so"),
        (with_group(REST + "mangat, theta: 1/2"), "yes/no"),
        (with_group(REST + "kuk, red: {no: 1/5, yes: 4/5}"), "yes/no"),
        (
            with_group(
                REST + "unrelated, theta: 1/2, personal: {drugs: {no: 3/4, yes: 1/4, skipped: 0}}"
            ),
            "drugs=skipped has said so",
        ),
        (
            with_group("attributes: [aids], channel: related, theta: 4/5", aids=True),
            "Whoever skips 'aids' skips all of its boxes at once",
        ),
        (after(DEBTS, "may_skip: yes"), "nobody can say how often the personal question"),
        (after(MOON, "may_skip: yes"), "The true answers to a control item are known"),
        (
            after(DRUGS, "may_skip: yes").replace(
                'yes: {en: "Yes", de: Ja}}\n  debts', 'skipped: {en: "Yes", de: Ja}}\n  debts'
            ),
            "'skipped' is that of people",
        ),
    ],
)
def test_a_device_that_would_show_who_skips_is_refused_with_a_way_out(
    text: str, words: str, tmp_path: Path
) -> None:
    message, hint = refused(tmp_path, text)
    assert words in message.replace("yes-no", "yes/no") or words in hint
    assert hint


@pytest.mark.parametrize(
    "group",
    [
        REST + "forced, forced: {no: 1/12, yes: 1/12, skipped: 1/12}",
        REST + "keep-or-uniform, theta: 1/2",
        REST + "unrelated, theta: 1/2, personal: {drugs: {no: 1/2, yes: 1/4, skipped: 1/4}}",
        "attributes: [drugs, aids], channel: keep-or-uniform, theta: 1/2",
    ],
)
def test_a_device_that_sends_skipped_from_others_too_is_taken(group: str, tmp_path: Path) -> None:
    survey = load(written(tmp_path, with_group(group)))
    channel = survey.design.groups[0].channel
    assert (channel.marginal([0]).matrix([0])[2] > 0).all()


def test_check_says_what_skipping_costs(tmp_path: Path) -> None:
    told = "\n".join(story(load(written(tmp_path, after(DRUGS, "may_skip: yes")))))
    # θ = 4/5: .8 against .1 for each of the others, and .8 against .2 without skipping
    assert "at most 8 times likelier" in told
    assert "(at most 4 times if nobody could skip)" in told
    assert "shares among those who would say are known to ±" in told


# --- Who is asked ---------------------------------------------------------------------------------


def asked_if(condition: str, text: str = SURVEY) -> str:
    return after(DRUGS, f"if: {condition}", text)


def of(text: str, folder: Path) -> Survey:
    return load(written(folder, text))


def test_a_public_answer_decides_who_is_asked(tmp_path: Path) -> None:
    survey = of(asked_if("{age: old}"), tmp_path)
    (drugs,) = (q for q in survey.questions if q.name == "drugs")
    assert drugs.condition == {"age": ("old",)}
    (told,) = (q for q in json.loads(survey.asked)["questions"] if q["name"] == "drugs")
    assert told["if"] == {"age": ["old"]}
    assert survey.fingerprint != of(SURVEY, tmp_path).fingerprint
    assert "drugs: asked of people with age=old only" in "\n".join(story(survey))


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (asked_if("{height: old}"), 18, "There is no question 'height'"),
        (asked_if("{age: ancient}"), 18, "'age' has no value 'ancient'"),
        (asked_if("{debts: yes}"), 18, "'debts' is not asked before 'drugs'"),
        (asked_if("{drugs: yes}"), 18, "'drugs' is not asked before 'drugs'"),
        (asked_if("{aids: sport}"), 18, "must have one answer"),
        (after(DEBTS, "if: {drugs: yes}"), 21, "'drugs' cannot decide who is asked"),
        (after(MOON, "if: {age: old}"), 25, "A control item is asked of everybody"),
        (
            asked_if("{age: old}").replace("no: {en", "not_asked: {en", 1),
            20,
            "'not_asked' marks people",
        ),
        (
            asked_if("{age: old}").replace(
                "[drugs], channel: related, theta: 4/5}\n  - {attributes: [moon]",
                "[drugs]",
            ).replace("attributes: [drugs]", "attributes: [drugs, aids]"),
            18,
            "needs a group of its own",
        ),
        (
            after(AGE, "if: {aids: sport}"), 11, "'aids' is not asked before 'age'",
        ),
    ],
)  # fmt: skip
def test_what_may_not_decide_is_refused_in_its_line(
    text: str, line: int, words: str, tmp_path: Path
) -> None:
    found = [each for each in check(written(tmp_path, text)) if each.kind == "mistake"]
    assert [each.line for each in found] == [line], found
    assert words in found[0].message


def test_a_quota_is_for_a_question_that_everybody_is_asked(tmp_path: Path) -> None:
    text = with_line(AGE, "  sex:", "    text: {en: S, de: S}",
                     "    options: {f: {en: F, de: F}, m: {en: M, de: M}}", "  age:",
                     "    if: {sex: f}")  # fmt: skip
    message, _ = refused(tmp_path, "quotas: {age: {old: 5}}\n" + text)
    assert "that everybody is asked" in message


def test_a_report_that_answers_what_was_not_asked_does_not_fit(tmp_path: Path) -> None:
    survey = of(asked_if("{age: old}"), tmp_path)
    schema = survey.design.schema
    young, old = [0] * len(schema), [0] * len(schema)
    old[schema.position("age")] = 1
    for codes, strays in ((young, True), (old, False)):
        assert not stray(survey.reported, schema, codes)
        codes[schema.position("drugs")] = 1
        assert stray(survey.reported, schema, codes) is strays
