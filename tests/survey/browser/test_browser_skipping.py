"""Skipping and questions that not everybody is asked, in a real browser: with each device.

Whatever is answered, skipped, asked or drawn, the page asks the server for the same things in the
same order, and sends a message of the same length.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Request, expect

from survey.browser.looks import LOOKS, fits, violations
from survey.browser.person import Person, Serve, Visit
from survey.browser.questioned import AGE, COPIED, HARD, NO_YES, PILLS, both
from survey.browser.test_browser_access import tab_to

pytestmark = pytest.mark.slow

SHOPS = {"text": both("Do you work in a shop?", "Arbeiten Sie in einem Laden?"), "options": NO_YES}
TAKEN = {"text": both("Have you taken goods?", "Haben Sie Waren genommen?"), "options": NO_YES}
ASKING: dict[str, Any] = {
    "may_skip": "yes",
    "questions": {
        "age": {**AGE, "may_skip": "no"},
        "shop": {**SHOPS, "may_skip": "no", "if": {"age": "old"}},
        "taken": {**TAKEN, "if": {"shop": "yes"}},
        "pills": PILLS,
        "copied": COPIED,
        "hard": HARD,
    },
    "groups": [
        {"attributes": ["pills"], "channel": "related", "theta": "2/3"},
        {"attributes": ["taken"], "channel": "related", "theta": "2/3"},
        {"attributes": ["copied"], "channel": "forced",
         "forced": {"no": "1/6", "yes": "1/6", "skipped": "1/6"}},
        {"attributes": ["hard"], "channel": "keep-or-uniform", "theta": "1/2"},
    ],
}  # fmt: skip
SKIPPED = dict.fromkeys(["pills", "taken", "copied", "hard_money", "hard_work"], "skipped")
ANSWERED = {"pills": "yes", "taken": "no", "copied": "yes", "hard_money": "yes", "hard_work": "no"}
OLD, YOUNG = {"age": "old", "shop": "yes"}, {"age": "young", "shop": "no"}
KEPT: list[list[int]] = [[0], [0], [0, 1, 2], [1, 0, 0], []]
TURNED: list[list[int]] = [[2], [2], [0, 0, 0], [0, 0, 2], []]
"""What the page's coins may show: everything as it is; or another answer, and one skip more."""


def click(person: Person, answers: dict[str, str]) -> None:
    """Click like `Person.click`; of boxes that are skipped, the one that skips them."""
    person.click(answers)
    if answers.get("hard_money") == "skipped":
        for box in person.page.locator("input[name=a-hard_money][value=skipped]").all():
            if not box.is_checked():
                box.check()


def answered(person: Person, answers: dict[str, str]) -> list[str]:
    """Answer screen by screen; gives the questions that were shown."""
    shown: list[str] = []
    while person.page.locator("fieldset").count():
        shown += [line.splitlines()[-1] for line in person.page.locator("legend").all_inner_texts()]
        click(person, answers)
        person.next()
        expect(person.page.locator(".error:not(:empty)")).to_have_count(0)
    return shown


def reported(person: Person) -> str:
    found: str = json.loads(person.literal)["report"]
    return found


@pytest.mark.parametrize("device", ["page", "own"])
@pytest.mark.parametrize("answers", [SKIPPED, ANSWERED], ids=["skipped", "answered"])
def test_whatever_is_skipped_asked_or_drawn_the_requests_and_lengths_are_the_same(
    device: str, answers: dict[str, str], serve: Serve, visit: Visit
) -> None:
    served = serve("related", **ASKING)
    schema = served.store.survey.design.schema
    patterns, seen = set(), set()
    for public in (OLD, YOUNG):
        for tosses in (KEPT, TURNED):
            person = visit(served)
            asked: list[tuple[str, str, int]] = []

            def note(request: Request, asked: list[tuple[str, str, int]] = asked) -> None:
                body = request.post_data or ""
                asked.append((request.method, request.url.split("?")[0], len(body)))

            person.open()
            person.plant(tosses=tosses)
            person.page.on("request", note)
            person.introduced(device)
            shown = answered(person, {**public, **answers})
            assert ("Have you taken goods?" in shown) is (public is OLD)
            report = reported(person)
            values = dict(zip(schema.names, (int(sign) for sign in report), strict=True))
            expect(person.page.get_by_text("not asked")).to_have_count(0 if public is OLD else 2)
            if public is YOUNG:
                assert (values["shop"], values["taken"]) == (0, 0)
            told = {name: schema[name].values[code] for name, code in values.items()}
            if tosses is KEPT or device == "own":
                by_page = () if tosses is KEPT else ("hard_money", "hard_work")
                for name, value in answers.items():
                    if name not in by_page and (public is OLD or name != "taken"):
                        assert told[name] == value
            elif public is OLD:
                assert told["pills"] != answers["pills"]
            person.send()
            patterns.add(tuple(asked))
            seen.add(report)
    assert len(patterns) == 1, patterns
    assert len(seen) > 1


def test_answers_to_a_question_that_is_no_longer_asked_are_not_sent(
    serve: Serve, visit: Visit
) -> None:
    served = serve("related", **ASKING)
    person = visit(served).open()
    person.plant(tosses=KEPT)
    person.introduced("page")
    answered(person, {**OLD, **ANSWERED, "taken": "yes"})
    assert reported(person)[:3] == "111"
    person.page.evaluate("() => history.go(-6)")
    expect(person.page.locator("legend")).to_contain_text("How old are you?")
    assert answered(person, {**YOUNG, **ANSWERED})[0].startswith("How old")
    assert reported(person)[:3] == "000"
    person.send()
    assert person.arrived()[0][:3] == "000"


def test_who_is_asked_directly_may_skip_too(serve: Serve, visit: Visit) -> None:
    person = visit(serve("related", **ASKING, direct="1/10")).open()
    person.plant(arm="direct")
    person.agree()
    answered(person, {**OLD, **SKIPPED})
    report = reported(person)
    schema = person.served.store.survey.design.schema
    told = {a.name: a.values[int(sign)] for a, sign in zip(schema, report, strict=True)}
    assert told == {**OLD, **SKIPPED}
    row = person.page.get_by_role("row").filter(has_text="What makes it hard?")
    expect(row).to_contain_text("I would rather not say")


@pytest.mark.parametrize("look", ["phone", "desktop, dark"])
def test_axe_finds_nothing_where_people_may_skip(
    look: str, serve: Serve, visit: Visit, screenshots: Path
) -> None:
    person = visit(serve("related", **ASKING), locale="de-DE" if "dark" in look else "en-GB",
                   **LOOKS[look]).introduced("own")  # fmt: skip
    for number in range(1, 8):
        click(person, {**OLD, **SKIPPED})
        person.page.screenshot(path=screenshots / f"skipping-{look}-{number}.png", full_page=True)
        assert violations(person.page) == []
        assert fits(person.page)
        if not person.page.locator("fieldset").count():
            return
        person.next()
    raise AssertionError("the questions do not end")


def test_the_keyboard_skips(serve: Serve, visit: Visit) -> None:
    served = serve("related", **ASKING)
    person = visit(served).open()
    person.plant(tosses=KEPT)
    page = person.introduced("page").page
    tab_to(page, "input[name=a-age]")
    page.keyboard.press("Space")  # the first: young
    tab_to(page, "button.primary")
    page.keyboard.press("Enter")
    expect(page.locator("legend").first).to_contain_text("pills")
    for name in ("a-pills", "a-copied"):
        if page.locator(f"input[name={name}]").count() == 0:
            tab_to(page, "button.primary")
            page.keyboard.press("Enter")
        tab_to(page, f"input[name={name}]")
        page.keyboard.press("ArrowUp")  # from the first to the last: to skip
        expect(page.locator(f"input[name={name}][value=skipped]")).to_be_checked()
    tab_to(page, "button.primary")
    page.keyboard.press("Enter")
    tab_to(page, "input[name=a-hard_money][value=money]")
    page.keyboard.press("Space")
    tab_to(page, "input[name=a-hard_money][value=skipped]")
    page.keyboard.press("Space")  # takes the tick away
    expect(page.locator("input[name=a-hard_money][value=money]")).not_to_be_checked()
    tab_to(page, "button.primary")
    page.keyboard.press("Enter")
    person.send()
    assert person.arrived() == ["0002222"]
