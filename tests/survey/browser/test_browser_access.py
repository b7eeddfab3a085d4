"""Every step for everybody: axe-core finds nothing, by day and night, and the keyboard is enough.

Screenshots of every step are written into the folder that DENIABLE_SCREENSHOTS names.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from survey.browser.looks import LOOKS, fits, violations
from survey.browser.person import Person, Serve, Visit, invited
from survey.browser.questioned import TRUTH

pytestmark = pytest.mark.slow


def steps(person: Person, device: str, link: str) -> Iterator[str]:
    """Go through a survey, mistakes included, and stop wherever there is something to look at."""
    page = person.page
    person.open(link)
    yield "about"
    person.read()
    page.locator("summary").click()
    yield "consent"
    person.next()
    person.next()
    expect(page.get_by_role("alert")).to_have_text("Please choose one.")
    yield "choose"
    person.choose(device)
    person.next()
    expect(page.get_by_role("alert")).to_have_text("Please try it once before you go on.")
    for asked in page.locator("fieldset").all():
        asked.locator("input").last.check()
    page.locator("p.ways button").click()
    yield "practice"
    person.next()
    page.check("input[name=q-check0][value='0']")
    page.check("input[name=q-check1][value='1']")
    person.next()
    yield "check"
    person.next()
    for number in range(1, 4):
        if number == 2:
            person.next()
            yield "missing"
        person.click(TRUTH["two groups"])
        person.click({"pills": "yes"}, second=True)
        yield f"questions-{number}"
        person.next()
    assert person.literal
    page.locator("summary").click()
    yield "review"
    page.context.set_offline(True)
    person.next()
    expect(page.get_by_role("status")).to_contain_text("wait on this device")
    yield "waiting"
    page.context.set_offline(False)
    assert person.receipt
    yield "receipt"
    page.get_by_role("link", name="Check or delete your answers").click()
    page.get_by_role("button", name="Delete my answers").click()
    yield "receipts"
    page.goto("about:blank")
    person.open()
    yield "notice"


@pytest.mark.parametrize("look", LOOKS)
def test_axe_finds_nothing_on_any_step(
    look: str, serve: Serve, visit: Visit, screenshots: Path
) -> None:
    served = serve("two groups")
    options: dict[str, Any] = LOOKS[look]
    person = visit(served, **options)
    device = "own" if "phone" in look else "page"
    seen = []
    for number, step in enumerate(steps(person, device, invited(served)), start=1):
        name = f"{look.replace(', ', '-')}-{number:02}-{step}.png"
        person.page.screenshot(path=screenshots / name, full_page=True)
        assert violations(person.page) == [], step
        assert fits(person.page), f"{step} is wider than the screen"
        seen.append(step)
    assert len(seen) == 14


READ = """() => {
  const told = [...document.querySelectorAll(
    "main :is(h1, h2, h3, p, dt, dd, li, legend, figcaption, summary, label, tbody tr, button)")];
  const folded = "details:not([open]) > :not(summary)";
  const seen = told.filter(
    (one) => one.offsetParent && one.getClientRects().length > 0 && !one.closest(folded));
  const before = (one, other) =>
    one.getBoundingClientRect().top > other.getBoundingClientRect().bottom + 1;
  return {
    jumps: seen.slice(1).filter((one, place) => before(seen[place], one)).length,
    tabs: document.querySelectorAll("[tabindex]:not([tabindex='-1'], [tabindex='0'])").length,
    first: document.activeElement.tagName,
    parts: [...document.querySelector("#app").children].map(({ tagName }) => tagName),
    looks: seen.length,
  };
}"""


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_at_200_percent_nothing_runs_off_and_all_is_heard_in_the_order_it_is_seen(
    locale: str, serve: Serve, visit: Visit, screenshots: Path
) -> None:
    """A phone of 390 pixels that shows everything twice as large has room for 195."""
    served = serve("related")
    person = visit(served, locale=locale, viewport={"width": 195, "height": 422}).open()
    steps = 0
    while not person.page.locator("output.receipt").count():
        person.page.screenshot(
            path=screenshots / f"large-{locale[:2]}-{steps:02}.png", full_page=True
        )
        assert fits(person.page), person.heading.inner_text()
        read = person.page.evaluate(READ)
        assert (read["jumps"], read["tabs"]) == (0, 0), person.heading.inner_text()
        assert read["looks"] > 5
        assert read["parts"] == ["HEADER", "MAIN", "FOOTER"]
        assert read["first"] == "H1"  # whoever listens begins with the title
        _go_on(person)
        steps += 1
    assert steps == 7


def _go_on(person: Person) -> None:
    """Do what a step asks for."""
    page = person.page
    for asked in page.locator("fieldset").all():
        asked.locator("input").first.check()
    if page.locator("input[name=practice-practice]").count():
        page.locator("p.ways button").click()
    if page.locator("pre").count():
        page.locator("summary").click()
        assert person.literal
        assert fits(page)
    title = person.heading.inner_text()
    person.next()
    if page.locator(".feedback:not(:empty)").count():
        assert fits(page)
        person.next()
    expect(person.heading).not_to_have_text(title)
    if page.locator("[role=status]").count() and not page.locator("form > .ways").count():
        page.locator("output.receipt").wait_for()


def test_a_direct_question_is_as_accessible(serve: Serve, visit: Visit, screenshots: Path) -> None:
    served = serve("related", direct="1/10")
    person = visit(served, **LOOKS["phone"]).open()
    person.plant(arm="direct")
    person.read()
    person.page.screenshot(path=screenshots / "phone-direct.png", full_page=True)
    assert violations(person.page) == []


# --- The keyboard --------------------------------------------------------------------------------


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until an element has the focus."""
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"{selector} cannot be reached by Tab")


def test_the_keyboard_alone_is_enough(serve: Serve, visit: Visit) -> None:
    person = visit(serve("related")).open()
    page, press = person.page, person.page.keyboard.press
    expect(person.heading).to_be_focused()

    def go_on(title: str) -> None:
        tab_to(page, "button.primary")
        press("Enter")
        expect(person.heading).to_have_text(title)
        expect(person.heading).to_be_focused()

    go_on("How your answers are protected")
    go_on("Who makes the draw?")
    tab_to(page, "input[name=device]")
    press("Space")
    go_on("Try it out")
    tab_to(page, "input[name=practice-practice]")
    press("ArrowDown")
    tab_to(page, "p.ways button")
    press("Space")
    expect(page.locator(".result .sent")).to_be_visible()
    go_on("Two quick questions")
    for number in range(2):
        tab_to(page, f"input[name=q-check{number}]")
        press("ArrowDown")
    tab_to(page, "button.primary")
    press("Enter")
    expect(page.locator(".feedback").first).to_contain_text("Yes, that’s right.")
    press("Enter")
    expect(person.heading).to_have_text("Your answers")
    tab_to(page, "input[name=a-pills]")
    press("ArrowDown")
    tab_to(page, "input[name=a-hard_money][value=work]")
    press("Space")
    go_on("This is what will be sent")
    tab_to(page, "summary")
    press("Enter")
    tab_to(page, "pre")  # it scrolls, so it can be scrolled to
    tab_to(page, "button.primary")
    press("Enter")
    expect(person.heading).to_have_text("Thank you")
    assert len(person.arrived()) == 1


def test_focus_can_always_be_seen(serve: Serve, visit: Visit) -> None:
    person = visit(serve("related")).open().read()
    for selector in ("button.primary", "a", "summary", ".option input"):
        if "option" in selector:
            person.next()  # here one chooses
        tab_to(person.page, selector)
        widths = person.page.evaluate(
            """() => [document.activeElement, document.activeElement.closest(".option")]
              .filter(Boolean)
              .map((element) => parseFloat(getComputedStyle(element).outlineWidth))"""
        )
        assert max(widths) >= 2, selector


def test_without_motion_and_with_forced_colours_the_page_still_works(
    serve: Serve, visit: Visit
) -> None:
    person = visit(serve("related"), reduced_motion="reduce", forced_colors="active").introduced()
    option = person.page.locator(".option").first
    assert option.evaluate("one => getComputedStyle(one).transitionDuration") == "0s"
    person.answer(TRUTH["related"]).send()
