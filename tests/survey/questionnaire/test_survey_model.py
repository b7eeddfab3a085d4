"""What a survey file becomes: attributes, the page's document, a fingerprint."""

import hashlib
import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from deniable.base.errors import SurveyError
from deniable.design import Design
from deniable.survey.questionnaire import EXAMPLE, Survey, load
from deniable.survey.questionnaire.by_hand import group_by_hand, paired
from deniable.survey.questionnaire.questions import ENTRIES
from deniable.survey.questionnaire.read_survey import SURVEY_OPTIONAL, SURVEY_REQUIRED
from deniable.survey.questionnaire.survey_story import outlooks, story
from survey.questionnaire.surveys import SURVEY, with_line, written

Loaded = Callable[[str], Survey]


@pytest.fixture
def loaded(tmp_path: Path) -> Loaded:
    return lambda text: load(written(tmp_path, text))


def test_attributes_stand_in_the_order_of_the_questions(loaded: Loaded) -> None:
    survey = loaded(SURVEY)
    names = ("age", "aids_sport", "aids_pills", "drugs", "debts", "moon")
    assert survey.design.schema.names == names
    assert survey.design.schema["aids_pills"].values == ("no", "yes")
    assert survey.design.public == ("age", "aids_sport", "aids_pills")
    assert [group.names for group in survey.design.groups] == [("drugs",), ("debts",), ("moon",)]


def test_everything_in_the_file_arrives(loaded: Loaded) -> None:
    text = SURVEY.replace("contact:", "quotas: {age: {young: 500}}\ndirect: 1/8\ncontact:")
    survey = loaded(text)
    assert (survey.name, survey.languages, survey.title["de"]) == (
        "health", ("en", "de"), "Gesundheit",
    )  # fmt: skip
    assert (survey.contact, survey.invitations) == ("research@university.example", False)
    assert (survey.after, survey.every, survey.direct) == (200, 50, Fraction(1, 8))
    assert survey.quotas == {"age": {"young": 500}}
    age, aids, _, debts, moon = survey.questions
    assert [option.text["en"] for option in age.options] == ["Young", "Old"]
    assert aids.several
    assert debts.personal is not None
    assert debts.personal.source == "Births by month."
    assert moon.known is not None
    assert moon.known.shares == {"no": 1, "yes": 0}


def test_a_several_question_in_a_group_stands_for_all_of_its_attributes(loaded: Loaded) -> None:
    survey = loaded(with_line(29, "  - {attributes: [aids, drugs], channel: related, theta: 4/5}"))
    assert survey.design.groups[0].names == ("aids_sport", "aids_pills", "drugs")
    asked = {
        question["name"]: question["group"] for question in json.loads(survey.asked)["questions"]
    }
    assert asked == {"age": None, "aids": 0, "drugs": 0, "debts": 1, "moon": 2}


def test_defaults_are_filled_in(loaded: Loaded) -> None:
    survey = loaded("".join(line for line in SURVEY.splitlines(keepends=True)
                            if not line.startswith(("devices", "results"))))  # fmt: skip
    assert (survey.devices, survey.after, survey.every) == (("page", "own"), 100, 50)
    assert (survey.direct, survey.quotas) == (None, {})
    hard = with_line(7).replace("theta: 4/5", "theta: 5/7")
    assert loaded(hard).devices == ("page", "own")  # for debts
    assert loaded(hard.replace("theta: 0.7", "theta: 5/7")).devices == ("page",)


def test_a_group_that_hands_cannot_do_is_left_to_the_page_and_the_others_are_not(
    loaded: Loaded,
) -> None:
    survey = loaded(with_line(29, "  - {attributes: [drugs], channel: related, theta: 5/7}"))
    assert survey.devices == ("page", "own")
    assert [rule and rule["tool"] for rule in survey.rules] == [None, "digit", "digit"]
    told = "\n".join(story(survey))
    assert "By hand, for those who like to: debts with a digit; moon with a digit." in told
    assert "drugs: a rule by hand would be too long or not exact, so the page's chance" in told


@pytest.mark.parametrize(
    ("devices", "theta", "hint"),
    [
        ("[own]", "0.7", "Write devices: [page, own]"),
        ("[page, own]", "5/7", "Write devices: [page]"),
    ],
)
def test_hands_are_not_offered_alone_for_what_they_cannot_do(
    devices: str, theta: str, hint: str, loaded: Loaded
) -> None:
    hard = with_line(7, f"devices: {devices}").replace("theta: 4/5", "theta: 5/7")
    hard = hard.replace("theta: 0.7", f"theta: {theta}")
    with pytest.raises(SurveyError, match=r":7: .*line 29 cannot be done by hand") as refused:
        loaded(hard)
    assert hint in (refused.value.hint or "")


def test_one_language_needs_no_braces(loaded: Loaded) -> None:
    survey = loaded(
        "survey: s\nlanguages: [en]\ntitle: T\ncontact: c\nconsent: C\ninvitations: yes\n"
        "questions: {a: {text: A, options: {no: No, yes: Yes}}}\n"
        "groups: [{attributes: [a], channel: related, theta: 4/5}]\n"
    )
    assert survey.title == {"en": "T"}
    assert survey.questions[0].options[0].text == {"en": "No"}


DOCUMENT: dict[str, Any] = {
    "survey": "health",
    "title": {"en": "Health", "de": "Gesundheit"},
    "languages": ["en", "de"],
    "consent": {"en": "Please.", "de": "Bitte."},
    "contact": "research@university.example",
    "invitations": False,
    "devices": ["page", "own"],
    "direct": None,
}

AIDS = {
    "name": "aids",
    "several": True,
    "text": {"en": "Aids", "de": "Hilfen"},
    "help": None,
    "options": [
        {"value": "sport", "text": {"en": "Sport", "de": "Sport"}},
        {"value": "pills", "text": {"en": "Pills", "de": "Pillen"}},
    ],
    "attributes": ["aids_sport", "aids_pills"],
    "group": None,
    "personal": None,
}

DEBTS = {
    "name": "debts",
    "several": False,
    "text": {"en": "Debts", "de": "Schulden"},
    "help": None,
    "options": [
        {"value": "no", "text": {"en": "No", "de": "Nein"}},
        {"value": "yes", "text": {"en": "Yes", "de": "Ja"}},
    ],
    "attributes": ["debts"],
    "group": 1,
    "personal": {"text": {"en": "Mother", "de": "Mutter"}, "source": "Births by month."},
}

GROUPS = [
    {"attributes": ["drugs"], "channel": "related", "theta": "0.8"},
    {
        "attributes": ["debts"],
        "channel": "unrelated",
        "theta": "0.7",
        "personal": {"debts": {"no": "0.75", "yes": "0.25"}},
    },
    {"attributes": ["moon"], "channel": "related", "theta": "0.8"},
]


def test_the_document_is_what_the_page_was_promised(loaded: Loaded) -> None:
    survey = loaded(SURVEY)
    told = json.loads(json.dumps(survey.document()))
    assert set(told) == {"asked", "contact", "invitations"}
    assert hashlib.sha256(told["asked"].encode()).hexdigest() == survey.fingerprint
    asked = json.loads(told["asked"])
    document = {**told, **asked}
    further = {"questions", "design", "shown", "guesses", "reading", "practice"}
    assert set(asked) == {*DOCUMENT, *further} - {"contact", "invitations"}
    assert {key: document[key] for key in DOCUMENT} == DOCUMENT
    assert document["questions"][1] == AIDS
    assert document["questions"][3] == DEBTS
    assert list(document["design"]["attributes"]) == list(survey.design.schema.names)
    assert document["design"]["groups"] == GROUPS
    assert Design.of(document["design"]) == survey.design
    shown = json.dumps(document)
    assert "Nobody has been there" not in shown  # what is known of a control item stays here


CHANGES = [
    ("survey: health", "survey: wealth"),
    ("Gesundheit", "Wohlbefinden"),
    ("[en, de]", "[de, en]"),
    ("Bitte.", "Bitte!"),
    ("devices: [page, own]", "devices: [page]"),
    ("contact:", "direct: 1/10\ncontact:"),
    ("  age:", "  years:"),
    ("en: Age", "en: Your age"),
    ("    text: {en: Age", "    help: {en: a, de: b}\n    text: {en: Age"),
    ("de: Jung", "de: Klein"),
    ("{young: {en: Young", "{youth: {en: Young"),
    (
        "young: {en: Young, de: Jung}, old: {en: Old, de: Alt}",
        "old: {en: Old, de: Alt}, young: {en: Young, de: Jung}",
    ),
    ("    several: yes\n", ""),
    ("en: Mother", "en: Father"),
    ("Births by month.", "Births by day."),
    ("    personal: {text: {en: Mother, de: Mutter}, source: Births by month.}\n", ""),
    ("theta: 4/5", "theta: 9/10"),
    ("no: 3/4, yes: 1/4", "no: 2/4, yes: 2/4"),
    ("channel: related", "channel: keep-or-uniform"),
    ("[drugs]", "[aids, drugs]"),
]

SAME = [
    ("survey: health", "# a comment\nsurvey: health"),
    ("survey: health\nlanguages: [en, de]", "languages: [en, de]\nsurvey: health"),
    ("contact: research@university.example", "contact: somebody else"),
    ("invitations: no", "invitations: yes"),
    ("after: 200, every: 50", "after: 300, every: 60"),
    ("contact:", "quotas: {age: {young: 500}}\ncontact:"),
    ("theta: 4/5", "theta: 80%"),
    ("Nobody has been there.", "So we believe."),
    ("{en: Age, de: Alter}", "{de: Alter, en: Age}"),
    ("{en: Age, de: Alter}", '{en: "Age", de: "Alter"}'),
]


@pytest.mark.parametrize(("old", "new"), CHANGES)
def test_another_question_or_disguise_has_another_fingerprint(
    loaded: Loaded, old: str, new: str
) -> None:
    offered = SURVEY if "devices" in old else SURVEY.replace("[page, own]", "[page]")
    assert old in offered
    assert loaded(offered.replace(old, new, 1)).fingerprint != loaded(offered).fingerprint


@pytest.mark.parametrize(("old", "new"), SAME)
def test_what_nobody_is_asked_leaves_the_fingerprint(loaded: Loaded, old: str, new: str) -> None:
    assert old in SURVEY
    changed = loaded(SURVEY.replace(old, new, 1))
    assert changed.fingerprint == loaded(SURVEY).fingerprint


@pytest.mark.parametrize(
    ("group", "possible"),
    [
        ("channel: related, theta: 1/6", True),
        ("channel: related, theta: 0.83", True),
        ("channel: related, theta: 35/36", True),
        ("channel: related, theta: 5/7", False),
        ("channel: related, theta: 0.801", False),
        ("channel: forced, forced: {no: 1/12, yes: 1/6}", True),
        ("channel: forced, forced: {no: 1/10, yes: 1/6}", False),
        ("channel: keep-or-uniform, theta: 1/2", True),
        ("channel: keep-or-uniform, theta: 6/7", False),
        ("channel: unrelated, theta: 1/2, personal: {drugs: {no: 1/2, yes: 1/2}}", True),
        ("channel: crosswise, theta: 1/6", False),
        ("channel: mangat, theta: 1/2", True),
    ],
)
def test_what_can_be_done_by_hand(loaded: Loaded, group: str, possible: bool) -> None:
    text = with_line(29, f"  - {{attributes: [drugs], {group}}}").replace("[page, own]", "[page]")
    survey = loaded(text)
    beside = paired(survey.questions)
    assert all(group_by_hand(group, beside) for group in survey.design.groups) is possible


def test_sums_of_two_dice_must_be_shared_out_exactly() -> None:
    def possible(chances: str) -> bool:
        names = [f"v{number}" for number in range(len(chances.split()))]
        forced = dict(zip(names, chances.split(), strict=True))
        group = {"attributes": ["a"], "channel": "forced", "forced": forced}
        design = Design.of({"attributes": {"a": names}, "groups": [group]})
        return group_by_hand(design.groups[0], ()) is not None

    assert possible("1/36 0")
    assert possible("1/36 1/36")
    assert possible("1/12 1/6")
    assert not possible("1/36 1/36 1/36")  # only 2 and 12 come up in one way of 36
    assert possible("1/6 1/6 1/6")  # a single die will do


def test_the_story_tells_the_design_the_sources_and_the_thresholds(loaded: Loaded) -> None:
    told = "\n".join(story(loaded(SURVEY)))
    assert "drugs: with probability 80 % reported as it is" in told
    # (1 − 0.7)/0.7 · 5 points
    assert "Births by month. If one of them is 5 points off, so is the estimate by 2.1." in told
    assert "an open link" in told
    assert "until there are 200 answers" in told
    without = SURVEY.replace("    personal: {text: {en: Mother, de: Mutter}, source: Births by "
                             "month.}\n", "").replace("[page, own]", "[page]")  # fmt: skip
    told = "\n".join(story(loaded(without.replace("invitations: no", "invitations: yes"))))
    assert "debts: the device draws the personal answers itself." in told
    assert "By invitation" in told


def test_the_outlook_is_what_theory_says(loaded: Loaded) -> None:
    drugs, *_ = outlooks(loaded(SURVEY.replace("contact:", "direct: 1/4\ncontact:")))
    assert (drugs.attribute, drugs.before) == ("drugs", 0.5)
    assert drugs.after == pytest.approx(0.8)
    assert drugs.epsilon == pytest.approx(1.3862943611198906)  # ln 4
    # of 200, 150 are disguised; a report of yes has variance ¼, divided by (2θ − 1)² n
    assert drugs.margin == pytest.approx(1.959964 * 0.5 / 0.6 / 150**0.5, rel=1e-6)


def test_the_example_shows_what_a_survey_can_have(loaded: Loaded) -> None:
    survey = loaded(EXAMPLE)
    assert survey.languages == ("en", "de")
    assert survey.devices == ("page", "own")
    assert {group.channel.kind for group in survey.design.groups} == {"related", "unrelated"}
    assert any(question.several for question in survey.questions)
    assert any(question.personal for question in survey.questions)
    assert any(question.known for question in survey.questions)
    assert "age" in survey.design.public
    with_arm = EXAMPLE.replace("# direct: 1/10", "direct: 1/10").replace("# quotas", "quotas")
    assert loaded(with_arm).direct == Fraction(1, 10)
    assert loaded(with_arm).quotas == {"age": {"under 25": 1000}}
    assert loaded(EXAMPLE.replace("invitations: no", "invitations: yes")).invitations


def test_every_entry_is_documented() -> None:
    root = Path(__file__).resolve().parents[3]
    page = (root / "docs" / "reference" / "survey-file.md").read_text(encoding="utf-8")
    for entry in (*SURVEY_REQUIRED, *SURVEY_OPTIONAL, *ENTRIES):
        assert f"| `{entry}` |" in page
