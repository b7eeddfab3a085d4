"""Before people agree they are told what can be shown: how often guesses are right."""

import pytest
from playwright.sync_api import expect

from survey.browser.person import Person, Serve, Visit
from survey.browser.questioned import asking

pytestmark = pytest.mark.slow

LOCALES = {
    "en-GB": ("Only a guess", "right for about 70 of 100", "for about 50."),
    "de-DE": ("Nur eine Vermutung", "bei etwa 70 von 100", "bei etwa 50."),
}
LEARNT = ".consequences"


@pytest.mark.parametrize("locale", LOCALES)
def test_the_page_says_how_often_a_guess_is_right(locale: str, serve: Serve, visit: Visit) -> None:
    never, after, before = LOCALES[locale]
    person = visit(serve("related"), locale=locale).open()  # a coin that tells 7 in 10 truly
    page = person.read().page
    for cell in page.locator(".never").all():
        expect(cell).to_have_text(never)
    for figure in (after, before):
        expect(page.locator(LEARNT)).to_contain_text(figure)


def test_all_answers_at_once_and_what_one_says_of_the_others(serve: Serve, visit: Visit) -> None:
    # One coin for three yes/no answers: all are right where it kept them, 70 %, and 1/8 before.
    page = visit(serve("related")).open().read().page
    expect(page.locator(LEARNT)).to_contain_text(
        "All of them are guessed right for about 70 of 100 people. "
        "Without what you send, for about 13."
    )
    expect(page.locator(LEARNT)).to_contain_text("knows your real answer to one of them can tell")
    apart = visit(serve("unrelated", **asking("related", "crosswise"))).open().read().page
    expect(apart.locator(LEARNT)).to_contain_text("guessed right for about 53 of 100")  # .7 · .75
    expect(apart.locator(LEARNT)).not_to_contain_text("share one draw")


def test_a_harmless_answer_that_is_certain_is_named(serve: Serve, visit: Visit) -> None:
    page = visit(serve("related", **asking("mangat"))).open().read().page
    expect(page.locator(LEARNT)).to_contain_text("Only this is sure: whoever sends “No” really has")


def test_what_is_sent_as_it_is_is_said_to_be_readable(serve: Serve, visit: Visit) -> None:
    openly = "Answers marked “sent as it is”"
    disguised = visit(serve("related")).open().read().page
    expect(disguised.locator(LEARNT)).not_to_contain_text(openly)
    partly = visit(serve("unrelated")).open().read().page
    expect(partly.locator(LEARNT)).to_contain_text(openly)
    # Whoever knows the answer to the second question can be sure of the first.
    expect(partly.locator(LEARNT)).to_contain_text("can sometimes tell the first")


def _step(person: Person) -> None:
    """Do what a step before the questions asks for."""
    page = person.page
    for asked in page.locator("fieldset").all():
        asked.locator("input").last.check()
    if page.locator("input[name=practice-practice]").count():
        page.locator("p.ways button").click()
    person.next()
    if page.locator(".feedback:not(:empty)").count():
        person.next()


def test_no_question_is_shown_before_it_was_practised(serve: Serve, visit: Visit) -> None:
    person = visit(serve("two groups")).open("#preview")
    words = [text for one in person.survey["questions"] for text in one["text"].values()]
    seen = []
    while not person.page.locator("input[name^=a-]").count():
        person.page.evaluate(
            "() => document.querySelectorAll('details').forEach((d) => d.open = true)"
        )
        told = person.page.locator("main").inner_text()
        assert [word for word in words if word in told] == []
        seen.append(person.heading.inner_text())
        _step(person)
    assert len(seen) == 5  # about, consent, choice, practice, comprehension
