"""A person in front of the respondent's page, in a real browser."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, expect
from sqlalchemy import text

from deniable.survey.invitations import invitations
from deniable.survey.questionnaire import load
from deniable.survey.server.serve import in_background, listening
from deniable.survey.store.database import SurveyDatabase
from deniable.survey.store.store import Store
from survey.serving import Served

Record = Mapping[str, str]
Serve = Callable[..., Served]
Visit = Callable[..., "Person"]


@contextmanager
def served_at(file: Path, port: int = 0) -> Iterator[Served]:
    """Serve at a free port, or where a server was before. Nobody logs in: a password takes time."""
    store = Store(SurveyDatabase(file.with_suffix(".db")), load(file))
    opened = listening("127.0.0.1", port)
    try:
        with in_background(store, opened):
            yield Served(f"http://127.0.0.1:{opened.getsockname()[1]}", store)
    finally:
        store.database.close()


def invited(served: Served) -> str:
    """The fragment of a new invitation's link; nothing where a survey is open to everybody."""
    if not served.store.survey.invitations:
        return ""
    codes, (link,) = invitations(served.store, served.url, 1)
    served.store.invite(codes)
    return "#" + link.partition("#")[2]


INTRODUCED = """(device) => {
  const click = (selector) => document.querySelector(selector).click();
  const next = () => click("form > .ways button.primary");
  const step = (selector) => document.querySelector(selector) !== null;
  next(); // read what it is about
  next(); // agreed
  if (step("input[name=device]")) {
    click(`input[name=device][value=${device}]`);
    next();
  }
  if (step("input[name=practice-practice]")) {
    for (const asked of document.querySelectorAll("fieldset")) asked.querySelector("input").click();
    click("p.ways button");
    next();
  }
  for (const number of [0, 1]) click(`input[name=q-check${number}][value="1"]`);
  next(); // feedback
  next();
}"""

CLICK = """([name, values]) => {
  for (const input of document.querySelectorAll(`input[name="${name}"]`)) {
    const wanted = values.includes(input.value);
    if (wanted !== input.checked && (wanted || input.type === "checkbox")) input.click();
  }
}"""


class Person:
    """Goes through the page as people do: reads, clicks, sends."""

    def __init__(self, page: Page, served: Served) -> None:
        self.page = page
        self.served = served
        self.survey: dict[str, Any] = json.loads(served.store.survey.asked)

    # --- Steps -----------------------------------------------------------------------------------

    def open(self, fragment: str = "") -> "Person":
        self.page.goto(f"{self.served.url}/{fragment}")
        self.heading.wait_for()
        return self

    @property
    def heading(self) -> Locator:
        return self.page.locator("h1")

    def next(self) -> None:
        self.page.locator("form > .ways button.primary").click()

    def read(self) -> "Person":
        """Read who asks, and go on to how it works."""
        self.next()
        return self

    def agree(self) -> "Person":
        """Read what there is to read, and agree."""
        self.next()
        self.next()
        return self

    def choose(self, device: str) -> "Person":
        self.page.check(f"input[name=device][value={device}]")
        self.next()
        return self

    def practise(self) -> "Person":
        for asked in self.page.locator("fieldset").all():
            asked.locator("input").first.check()
        self.page.locator("p.ways button").click()
        expect(self.page.locator(".result .sent")).to_be_visible()
        self.next()
        return self

    def understand(self, right: int = 2) -> "Person":
        for number in range(2):
            answer = 1 if number < right else 0
            self.page.check(f"input[name=q-check{number}][value='{answer}']")
        self.next()
        expect(self.page.locator(".feedback").first).not_to_be_empty()
        self.next()
        return self

    def introduced(self, device: str = "page", fragment: str = "") -> "Person":
        """Come to the questions, in one go."""
        self.open(fragment).page.evaluate(INTRODUCED, device)
        return self

    def click(self, answers: Record, *, second: bool = False) -> None:
        """Click all answers that are asked for on this screen."""
        prefix = "b" if second else "a"
        for question in self.survey["questions"]:
            first, *_ = names = question["attributes"]
            given = [answers.get(name, "") for name in names]
            values = [option["value"] for option in question["options"]]
            if question["several"]:
                given = [v for v, tick in zip(values, given, strict=True) if tick == "yes"] or [""]
            self.page.evaluate(CLICK, [f"{prefix}-{first}", given])

    def answer(self, answers: Record, personal: Record | None = None) -> "Person":
        """Answer screen by screen, up to the review."""
        while self.page.locator("fieldset").count():
            self.click(answers)
            self.click(personal or {}, second=True)
            self.next()
            expect(self.page.locator(".error:not(:empty)")).to_have_count(0)
        return self

    @property
    def literal(self) -> str:
        """The bytes that the page says it will send."""
        shown = self.page.locator("pre")
        expect(shown).not_to_be_empty()
        return shown.text_content() or ""

    def send(self) -> str:
        """Send; gives the receipt once the server has it."""
        assert self.literal
        self.next()
        return self.receipt

    @property
    def receipt(self) -> str:
        return self.page.locator("output.receipt").inner_text(timeout=15_000)

    # --- What is on the device -------------------------------------------------------------------

    @property
    def kept(self) -> dict[str, Any]:
        """Everything in localStorage, by the last part of its name."""
        items = self.page.evaluate("() => Object.entries(localStorage)")
        return {key.split(":")[-1]: json.loads(value) for key, value in items}

    def plant(self, **coins: Any) -> None:
        """Change the coins that are kept, as if they had fallen so, and load the page again."""
        self.page.evaluate(
            """(coins) => {
              const key = Object.keys(localStorage).find((name) => name.endsWith(":coins"));
              const kept = JSON.parse(localStorage.getItem(key));
              localStorage.setItem(key, JSON.stringify({ ...kept, ...coins }));
            }""",
            coins,
        )
        self.page.reload()
        self.heading.wait_for()

    def traces(self) -> str:
        """All that the page leaves behind on the device and in the browser's history."""
        found = self.page.evaluate(
            """async () => ({
              local: Object.entries(localStorage).sort(),
              session: Object.entries(sessionStorage),
              state: history.state,
              places: history.length,
              address: location.href,
              cookies: document.cookie,
              databases: await indexedDB.databases(),
              caches: await caches.keys(),
              workers: (await navigator.serviceWorker.getRegistrations()).length,
            })"""
        )
        return json.dumps(found)

    # --- What came of it -------------------------------------------------------------------------

    def arrived(self) -> list[str]:
        """The reports in the survey's database."""
        with self.served.store.database.reading() as connection:
            rows = connection.execute(
                text("SELECT report FROM waiting UNION ALL SELECT report FROM answers")
            )
            return [row.report for row in rows]

    def written(self, answers: Record) -> str:
        """A record as a report is written."""
        schema = self.served.store.survey.design.schema
        return "".join(str(a.values.index(answers[a.name])) for a in schema)
