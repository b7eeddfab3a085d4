"""A real browser: Chromium, driven by Playwright."""

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Error

from absence import leave_out
from chromium import REMEDY
from chromium import chromium as opened
from survey.browser.person import Person, Serve, Visit, served_at
from survey.browser.questioned import survey_file
from survey.serving import Served


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with ExitStack() as stack:
        try:
            browser = stack.enter_context(opened())
        except Error as error:
            reason = str(error).strip().splitlines()[0]
            leave_out(f"Chromium is missing or does not start ({reason})", REMEDY)
        yield browser


@pytest.fixture
def screenshots(tmp_path: Path) -> Path:
    folder = Path(os.environ.get("DENIABLE_SCREENSHOTS", tmp_path / "screenshots"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Serve one of the surveys, for real."""
    with ExitStack() as running:

        def start(name: str, **changes: Any) -> Served:
            return running.enter_context(served_at(survey_file(tmp_path, name, **changes)))

        yield start


@pytest.fixture
def visit(chromium: Browser) -> Iterator[Visit]:
    """Open a browser of one's own, with nothing in it; complaints of the page fail the test."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def start(served: Served, context: BrowserContext | None = None, **options: Any) -> Person:
        if context is None:
            context = chromium.new_context(**{"locale": "en-GB", **options})
            context.set_default_timeout(10_000)
            contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text) if _is_ours(said) else None)
        return Person(page, served)

    yield start
    for context in contexts:
        context.close()
    assert complaints == []


def _is_ours(said: ConsoleMessage) -> bool:
    """Whether a line on the console is about the page, and not about a network that is away."""
    return said.type in {"error", "warning"} and "Failed to load resource" not in said.text
