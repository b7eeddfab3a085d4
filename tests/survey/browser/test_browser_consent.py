"""The first page promises what can be shown: how often a guess is right, and what is certain."""

import pytest
from playwright.sync_api import expect

from survey.browser.person import Serve, Visit
from survey.browser.questioned import asking

pytestmark = pytest.mark.slow

LOCALES = {
    "en-GB": ("Never for certain", "right for about 70 of 100", "for about 50."),
    "de-DE": ("Nie mit Sicherheit", "bei etwa 70 von 100", "bei etwa 50."),
}


@pytest.mark.parametrize("locale", LOCALES)
def test_the_page_says_how_often_a_guess_is_right(locale: str, serve: Serve, visit: Visit) -> None:
    never, after, before = LOCALES[locale]
    page = visit(serve("related"), locale=locale).open().page  # a coin that tells 7 in 10 truly
    for cell in page.locator("td.never").all():
        expect(cell).to_have_text(never)
    for figure in (after, before):
        expect(page.locator("main")).to_contain_text(figure)


def test_a_harmless_answer_that_is_certain_is_named(serve: Serve, visit: Visit) -> None:
    page = visit(serve("related", **asking("mangat"))).open().page
    expect(page.locator("td.never").first).to_have_text("Never for certain, but for “No”")


def test_what_is_told_as_it_is_is_left_out_of_the_promise(serve: Serve, visit: Visit) -> None:
    headings = "table.consequences thead"
    disguised = visit(serve("related")).open().page
    expect(disguised.locator(headings)).to_contain_text("Your own answer?")
    partly = visit(serve("unrelated")).open().page
    expect(partly.locator(headings)).to_contain_text("where it is disguised")
