"""The report in a real browser: nothing runs off a phone's edge, and nothing is fetched."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error

from absence import leave_out
from chromium import REMEDY, chromium
from deniable.papers.reproduction.reproduce import PAGE
from papers.pretended_paper import FALLS_NOT, RISES, paper
from papers.test_reproduction import made

pytestmark = pytest.mark.slow

WIDTHS = (320, 390, 768, 1200)


@pytest.fixture
def browser() -> Iterator[Browser]:
    with ExitStack() as stack:
        try:
            opened = stack.enter_context(chromium())
        except Error:
            leave_out("Chromium is missing or does not start", REMEDY)
        yield opened


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_runs_off_the_edge_and_nothing_is_fetched(
    browser: Browser, tmp_path: Path, scheme: str
) -> None:
    folder = made(tmp_path / "report", paper(RISES, FALLS_NOT))
    page = browser.new_page(color_scheme="dark" if scheme == "dark" else "light")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto((folder / PAGE).as_uri())
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        shown = page.locator("figure > svg:visible")
        assert shown.count() == 2
        for place in range(2):
            box = shown.nth(place).bounding_box()
            assert box is not None
            assert box["x"] + box["width"] <= width
    assert asked == [(folder / PAGE).as_uri()]


def test_a_picture_of_a_figure_is_drawn_by_itself(browser: Browser, tmp_path: Path) -> None:
    picture = made(tmp_path / "report") / "figures" / "P-1.svg"
    page = browser.new_page(viewport={"width": 1000, "height": 800})
    page.goto(picture.as_uri())
    labels = page.locator("text.label").all_text_contents()
    assert labels == ["accuracy", "accuracy"]
    # A line is drawn only if the style within the picture is read.
    width = page.locator("polyline.line").first.evaluate("e => getComputedStyle(e).strokeWidth")
    assert width == "2px"
