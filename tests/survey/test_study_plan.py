"""The plan of a whole study: margins are kept, devices can be done by hand, and check agrees."""

import json
from pathlib import Path

import numpy as np
import pytest

from commanding import Command
from deniable.base.errors import DesignError
from deniable.oracle.randomized import estimated
from deniable.privacy.measures.single_answer import entry_matrix, epsilon
from deniable.privacy.plan.read_request import expected
from deniable.survey.planned_survey import survey_text
from deniable.survey.questionnaire import check, load
from deniable.survey.questionnaire.by_hand import group_by_hand
from deniable.survey.study_plan import devices, plan_study

THREE = expected({"drugs": 0.1, "copied": 0.2, "income": {"low": 0.5, "middle": 0.3, "high": 0.2}})
MARGINS = {"drugs": 0.04, "copied": 0.05, "income": 0.06}


def test_every_question_gets_the_most_private_device_that_keeps_its_margin() -> None:
    plan = plan_study(THREE, MARGINS, answers=1200)
    for question in plan.questions:
        assert question.margin <= question.wanted == MARGINS[question.name]
        known = devices(THREE.schema[question.name], by_hand=True)
        weaker = [each for each in known if epsilon(each.channel) < question.epsilon - 1e-9]
        for group in weaker:  # by the textbook's margin, which is never wider than the promised
            shares = THREE.table([question.name])
            reported = entry_matrix(group, question.name) @ shares
            inverse = np.linalg.inv(entry_matrix(group, question.name))
            errors = np.sqrt((inverse**2 @ reported - shares**2) / 1200)
            assert 1.96 * errors.max() > 0.95 * question.wanted


def test_a_planned_margin_is_kept_by_the_printed_interval() -> None:
    plan = plan_study(THREE, MARGINS, answers=1200)
    drugs = plan.questions[0]
    matrix = entry_matrix(drugs.group, "drugs")
    yes = np.random.default_rng(1).binomial(1200, (matrix @ [0.9, 0.1])[1], 4000)
    weights = np.linalg.inv(matrix)[1]
    sums = [weights[0] ** k * (1200 - yes) + weights[1] ** k * yes for k in (1, 2, 3)]
    second = float(weights**2 @ matrix[:, 1])
    found = estimated(1200, "population", sums, np.full(4000, second))
    low, high = found.interval()
    # Each is promised in 95 of 100; s.d. of 4,000 is .0034, 4 of them .014.
    assert np.mean((high - low) / 2400 <= drugs.wanted) > 0.936
    assert np.mean(np.abs(found.share - 0.1) <= drugs.wanted) > 0.936


def test_devices_can_be_done_by_hand_and_hide_something() -> None:
    for attribute in THREE.schema:
        for group in devices(attribute, by_hand=True):
            assert group_by_hand(group, beside=()) is not None
            assert 0.2 < epsilon(group.channel) < 3.5
        on_page = devices(attribute, by_hand=False)
        assert len(on_page) > 20
        assert all(epsilon(group.channel) < 4 for group in on_page)


def test_a_limit_on_epsilon_says_how_many_answers_it_takes() -> None:
    plan = plan_study(THREE, MARGINS, answers=None, limit=3.0)
    assert plan.epsilon <= 3.0
    with pytest.raises(DesignError, match=f"Ask for {plan.answers:,} answers"):
        plan_study(THREE, MARGINS, answers=plan.answers - 1, limit=3.0)
    assert plan_study(THREE, MARGINS, answers=plan.answers, limit=3.0).epsilon == plan.epsilon


def test_what_no_device_keeps_is_refused_with_what_would() -> None:
    with pytest.raises(DesignError, match=r"300 answers tell the shares of 'drugs' to ± 5.\d"):
        plan_study(THREE, MARGINS, answers=300)
    with pytest.raises(DesignError, match="Say how many people answer"):
        plan_study(THREE, MARGINS, answers=None)
    with pytest.raises(DesignError, match="already"):
        plan_study(THREE, MARGINS, answers=None, limit=0.5)


def test_control_items_are_as_many_as_notice(tmp_path: Path) -> None:
    many = plan_study(THREE, MARGINS, answers=2000)
    assert [name for name, _, _ in many.controls] == ["moon", "water"]
    few = plan_study(expected({"drugs": 0.1}), {"drugs": 0.12}, answers=200)
    assert len(few.controls) == 4
    assert plan_study(THREE, MARGINS, answers=2000, controls=0).items is None


@pytest.mark.parametrize("by_hand", [True, False])
@pytest.mark.parametrize("answers", [1200, 20_000])
def test_the_file_is_a_survey_that_check_accepts(
    tmp_path: Path, answers: int, *, by_hand: bool
) -> None:
    plan = plan_study(THREE, MARGINS, answers=answers, by_hand=by_hand)
    path = tmp_path / "survey.yaml"
    path.write_text(survey_text(plan), encoding="utf-8")
    survey = load(path)
    assert survey.design == plan.design
    assert survey.planned == answers
    assert survey.expected.margins["drugs"] == pytest.approx(0.04)
    assert survey.devices == (("page", "own") if by_hand else ("page",))
    for finding in check(path):
        assert finding.kind == "warning"
        assert finding.hint, finding.message


def test_the_command_plans_writes_and_says_so(deniable: Command, tmp_path: Path) -> None:
    out = tmp_path / "survey.yaml"
    words = ("plan", "drugs=0.1", "copied=0.2", "--margin", 0.05, "--margin", "drugs=0.04")
    people = ("--invited", 3000, "--response", 0.4)
    done = deniable(*words, *people, "--survey", out)
    assert done.code == 0, done.err
    for said in ("For 1,200 answers", "Control items moon and water", "ε = 1.61"):
        assert said in done.out, said
    checked = deniable("survey", "check", out)
    assert checked.code == 0
    assert "If answers are as common as expected, and 1,200 people answer" in checked.out
    other = tmp_path / "other.yaml"
    found = json.loads(deniable(*words, *people, "--survey", other, "--json").out)
    assert found["answers"] == 1200
    assert [each["wanted"] for each in found["questions"]] == [0.04, 0.05]
    for more, message in (
        (("--survey", out), "exists already"),
        (("--survey", tmp_path / "x.yaml", "--guess", 0.8), "not planned for with --survey"),
        ((), "Questions have margins of their own in a survey only"),
        (("--page-only",), "are for a survey"),
        (("--survey", tmp_path / "x.yaml", "--respondents", 5), "say the same"),
    ):
        refused = deniable(*words, *people, *more)
        assert refused.code == 1
        assert message in refused.err
    assert not (tmp_path / "x.yaml").exists()


def test_check_warns_where_a_planned_margin_is_not_kept(tmp_path: Path) -> None:
    text = survey_text(plan_study(THREE, MARGINS, answers=1200))
    path = tmp_path / "survey.yaml"
    path.write_text(text.replace("answers: '1200'", "answers: '600'"), encoding="utf-8")
    assert any("not to the ± 4 that are expected" in finding.message for finding in check(path))
    for old, new, message in (
        ("drugs: {'no': '0.9', 'yes': '0.1'}", "drogs: {'no': 1, 'yes': 0}", "no question 'drogs'"),
        ("margins: {drugs: '0.04'", "margins: {drugs: much", "is no"),
        ("'yes': '0.1'}", "'yes': '0.3'}", "expected shares"),
    ):
        path.write_text(text.replace(old, new), encoding="utf-8")
        assert any(message in finding.message for finding in check(path)), [*check(path)]
