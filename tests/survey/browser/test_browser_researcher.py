"""The researcher's pages, in a real browser: for everybody, and quiet on the console."""

import secrets
from pathlib import Path

import pytest

from deniable.survey.protocol import Submission
from deniable.survey.server.logins import hash_password
from survey.browser.looks import LOOKS, fits, violations
from survey.browser.person import Serve, Visit
from survey.serving import PASSWORD, Served

pytestmark = pytest.mark.slow


def answered(served: Served, people: int) -> None:
    survey = served.store.survey
    sizes = survey.design.schema.sizes
    served.store.keep(
        [
            Submission(
                survey.fingerprint,
                secrets.token_hex(16),
                "",
                "direct" if number % 10 == 0 else "disguised",
                "page",
                number % 3,
                "".join(str((number // (place + 1)) % size) for place, size in enumerate(sizes)),
            )
            for number in range(people)
        ]
    )


@pytest.mark.parametrize("look", LOOKS)
def test_axe_finds_nothing_on_the_researchers_pages(
    look: str, serve: Serve, visit: Visit, screenshots: Path
) -> None:
    served = serve("related", direct="1/10")
    served.store.set("password", hash_password(PASSWORD))
    answered(served, 400)
    page = visit(served, **LOOKS[look]).page
    name = look.replace(", ", "-")

    def looked_at(what: str) -> None:
        page.screenshot(path=screenshots / f"{name}-researcher-{what}.png", full_page=True)
        assert violations(page) == [], what
        assert fits(page), what

    page.goto(f"{served.url}/researcher")
    looked_at("login")
    page.fill("#password", "not this one")
    page.get_by_role("button", name="Sign in").click()
    looked_at("wrong")
    page.fill("#password", PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("link", name="Models").wait_for()
    looked_at("results")
    page.get_by_role("link", name="Models").click()
    page.get_by_role("button", name="Grow a tree").click()
    page.wait_for_function("() => [...document.images].every((image) => image.naturalWidth > 0)")
    looked_at("tree")
    page.goto(f"{served.url}/researcher")
    page.get_by_role("button", name="Close the survey").click()
    page.get_by_role("button", name="Open it again").wait_for()
    page.get_by_role("button", name="Sign out").click()
    page.get_by_label("Password").wait_for()
