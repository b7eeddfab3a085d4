"""A language that a researcher adds, without code: written from right to left, with no English."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from commanding import Command
from deniable.base.documents import read_yaml, to_yaml
from deniable.survey.questionnaire import check
from deniable.survey.words.page_words import english
from survey.browser.looks import LOOKS, fits, violations
from survey.browser.person import Person, Serve, Visit
from survey.browser.questioned import SURVEYS, survey_file
from survey.words.machine import LETTERS, filled_in, hebrew

pytestmark = pytest.mark.slow

WORDS = "words-he.yaml"
CONTACT = "חוקר"

SAID = """() => {
  const hidden = (node) => node.closest("noscript, pre, output, .example, svg") !== null;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const said = [document.title];
  while (walker.nextNode()) {
    if (!hidden(walker.currentNode.parentElement)) said.push(walker.currentNode.data);
  }
  for (const element of document.querySelectorAll("[aria-label]")) {
    said.push(element.getAttribute("aria-label"));
  }
  return said.join(" ");
}"""
"""All that the page says, but for codes and the message itself."""


def translated(part: Any, language: str = "he") -> Any:
    """Say all texts of a survey in the language by machine."""
    if not isinstance(part, dict):
        return part
    if set(part) == {"en", "de"}:
        return {language: hebrew(part["en"])}
    return {key: translated(each, language) for key, each in part.items()}


def asked(name: str) -> dict[str, Any]:
    document: dict[str, Any] = translated(SURVEYS[name])
    return {**document, "languages": ["he"], "contact": CONTACT, "words": {"he": WORDS}}


def kinds(survey: Path) -> set[str]:
    return {finding.kind for finding in check(survey)}


def steps(person: Person, fragment: str, device: str) -> Iterator[None]:
    person.open(fragment)
    yield
    person.read()
    yield
    person.next()
    yield
    person.choose(device)
    yield
    person.practise()
    yield
    person.understand()
    while person.page.locator("fieldset").count():
        yield
        person.click({"pills": "yes", "hard_money": "no", "hard_work": "yes"})
        person.next()
    assert person.literal
    yield
    person.send()
    yield
    person.page.goto(f"{person.served.url}/#receipt")
    person.page.reload()
    person.heading.wait_for()
    yield


@pytest.mark.parametrize("device", ["page", "own"])
def test_a_new_language_needs_no_code_and_leaves_no_word_of_english(
    device: str, deniable: Command, serve: Serve, visit: Visit, tmp_path: Path
) -> None:
    survey = survey_file(tmp_path, "related", **asked("related"))
    done = deniable("survey", "translate", survey, "--language", "he")
    assert done.code == 0
    path = tmp_path / WORDS
    assert "mistake" in kinds(survey)
    path.write_text(to_yaml(filled_in(read_yaml(path), english())), encoding="utf-8")
    assert "mistake" not in kinds(survey)
    served = serve("related", **asked("related"))
    person = visit(served, locale="he-IL", **LOOKS["phone"])
    page, seen = person.page, 0
    for _ in steps(person, "", device):
        said = page.evaluate(SAID)
        assert re.findall(r"[A-Za-z]+", said) == []
        assert set(said) & set(LETTERS)
        assert page.get_attribute("html", "dir") == "rtl"
        assert page.get_attribute("html", "lang") == "he"
        assert "{" not in said
        assert violations(page) == []
        assert fits(page)
        seen += 1
    assert seen >= 8


def shown_from_the_right(page: Page) -> bool:
    """Whether rows begin at the right: the progress bar stands right of its words."""
    bar, words = (page.locator(f".progress {each}").bounding_box() for each in ("progress", "span"))
    assert bar
    assert words
    return bar["x"] > words["x"]


@pytest.mark.parametrize(("language", "right"), [("ar", True), ("de", False)])
def test_words_that_come_along_are_shown_from_their_side(
    language: str, right: bool, serve: Serve, visit: Visit
) -> None:
    document = {**translated(SURVEYS["related"], language), "languages": [language]}
    person = visit(serve("related", **document), locale=language)
    person.open()
    assert shown_from_the_right(person.page) == right


def test_early_words_are_in_the_browsers_language(chromium: Browser, serve: Serve) -> None:
    served = serve("related")
    for locale, lang in [("de-DE", "de"), ("pl-PL", "en"), ("ar-EG", "ar")]:
        with chromium.new_context(locale=locale) as context:
            page = context.new_page()
            page.route("**/api/survey", lambda route: route.abort())
            page.goto(served.url)
            page.locator("h1").wait_for()
            assert page.get_attribute("html", "lang") == lang
            assert page.get_attribute("html", "dir") == ("rtl" if lang == "ar" else "ltr")
