"""Every sentence on the page is true, for ten surveys as they are configured.

Each is gone through in a real browser and held to its design, to the privacy report, to what was
sent and when, and to what the server's database holds in the end (`claims.py`).
"""

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Request, expect
from sqlalchemy import text

from deniable.survey.words.page_words import ENGLISH, sentences, shipped
from survey.browser.claims import CLAIMS, false_claims, unclassified
from survey.browser.facts import Facts
from survey.browser.person import Person, Visit, invited, served_at
from survey.browser.questioned import AGE, COPIED, PILLS, SURVEYS, asking, both, survey_file
from survey.browser.shown_words import Reader, Said
from survey.one_bit import try_it

MARK = pytest.mark.slow

BLOCKED = "Object.defineProperty(window, 'localStorage', { get() { throw new Error(); } })"

FOUR = {f"v{n}": both(f"Number {n}", f"Nummer {n}") for n in range(4)}
OFTEN = {"text": both("How often?", "Wie oft?"), "options": FOUR}
WHERE = {"text": both("Where?", "Wo?"), "options": FOUR}
MOON = {**COPIED, "known": {"shares": {"no": "1", "yes": "0"}, "source": "Nobody."}}


@dataclass(frozen=True)
class Tried:
    """A survey, and how somebody goes through it."""

    name: str
    changes: Mapping[str, Any] = field(default_factory=dict)
    device: str = "page"
    direct: bool = False
    lasting: bool = True


TRIED = {
    "one coin for several questions": Tried("related"),
    "the same by one's own hand": Tried("related", device="own"),
    "public and personal questions": Tried("unrelated"),
    "by invitation": Tried("two groups"),
    "by invitation, and nothing is kept": Tried("two groups", device="own", lasting=False),
    "only the page's draw": Tried("related", {"devices": ["page"]}),
    "asked directly": Tried("related", {"direct": "1/10"}, direct=True),
    "others are asked directly": Tried("related", {"direct": "3/10"}),
    "forced answers": Tried("related", {**asking("forced"), "devices": ["own"]}, device="own"),
    "one question is too hard for hands": Tried(
        "related", {**asking("related", "crosswise"), "devices": ["page", "own"]}, device="own"
    ),
    "a harmless answer that is certain": Tried("related", asking("mangat")),
    "several options, kept or drawn": Tried(
        "related",
        {
            "questions": {"often": OFTEN, "where": WHERE, "age": AGE},
            "groups": [
                {"attributes": ["often", "where"], "channel": "keep-or-uniform", "theta": "1/3"}
            ],
            "devices": ["page"],
        },
    ),
    "a control item": Tried(
        "related",
        {
            "questions": {"pills": PILLS, "moon": MOON},
            "groups": [
                {"attributes": ["pills"], "channel": "related", "theta": "5/6"},
                {"attributes": ["moon"], "channel": "related", "theta": "5/6"},
            ],
        },
        device="own",
    ),
    "skipping, and questions for some": Tried(
        "related",
        {
            "may_skip": "yes",
            "questions": {
                "age": {**AGE, "may_skip": "no"},
                "pills": {**PILLS, "if": {"age": "old"}},
                "copied": COPIED,
            },
            "groups": [
                {"attributes": ["pills"], "channel": "related", "theta": "2/3"},
                {"attributes": ["copied"], "channel": "keep-or-uniform", "theta": "1/2"},
            ],
            "devices": ["page"],
        },
    ),
    "nothing is disguised": Tried("related", {"groups": None}),
    "one bit": Tried("one bit"),
}


def file_of(tried: Tried, folder: Path) -> Path:
    if tried.name == "one bit":
        return try_it(folder)[0]
    return survey_file(folder, tried.name, **deepcopy(dict(tried.changes)))


@dataclass
class Walk:
    """Somebody goes through a survey, and everything that is shown is written down."""

    person: Person
    tried: Tried
    said: list[Said] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    posted: list[tuple[str, bytes]] = field(default_factory=list)
    plant: str = ""
    """A sentence that is put on the page, to see whether that is noticed."""

    def __post_init__(self) -> None:
        self.person.page.on("request", self._note)
        self.reader = Reader(_own_words(self.person.survey))

    def _note(self, request: Request) -> None:
        if request.method == "POST":
            body = request.post_data_buffer or b""
            self.posted.append((urlsplit(request.url).path, body))

    def look(self) -> None:
        """Read all that this step says, also what is folded away."""
        lines = self.person.page.evaluate(
            """(plant) => {
              for (const one of document.querySelectorAll("details")) one.open = true;
              if (plant) document.querySelector("form").append(
                Object.assign(document.createElement("p"), { textContent: plant }));
              return document.querySelector("#app").innerText.split(/[\\n\\t]/);
            }""",
            self.plant,
        )
        said, unknown = self.reader.read(lines)
        self.said += said
        self.unknown += unknown

    def through(self, link: str) -> Facts:
        """Go from the first step to the receipt."""
        person, page, tried = self.person, self.person.page, self.tried
        if not tried.lasting:
            page.add_init_script(BLOCKED)
        person.open(link)
        survey = person.served.store.survey
        if tried.lasting and survey.direct is not None:
            person.plant(arm="direct" if tried.direct else "disguised")
        self.look()
        person.next()
        self.look()
        before_agreeing = list(self.posted)
        person.next()
        truth = {a.name: a.values[-1] for q in survey.questions for a in q.attributes}
        for _ in self._introduced():
            self.look()
        while page.locator("fieldset").count():
            person.click(truth)
            person.click(truth, second=True)
            self.look()
            person.next()
        assert person.literal
        self.look()
        kept_before, before_sending = self._kept(), list(self.posted)
        button = page.locator("form > .ways button.primary").inner_text()
        person.next()
        receipt = person.receipt
        self.look()
        with person.served.store.database.reading() as connection:
            rows = {
                name: [tuple(row) for row in connection.execute(text(f"SELECT * FROM {name}"))]  # noqa: S608
                for name in ("invitations", "spent", "waiting", "answers", "withdrawn", "tallies")
            }
        return Facts(
            survey,
            tried.direct,
            tried.device,
            tried.lasting,
            truth,
            before_agreeing,
            before_sending,
            self.posted,
            kept_before,
            self._kept(),
            receipt,
            rows,
            button,
        )

    def _kept(self) -> dict[str, Any]:
        return self.person.kept if self.tried.lasting else {}

    def _introduced(self) -> Iterator[None]:
        """Choose, practise and say what was understood, where that is asked for."""
        page = self.person.page
        if page.locator("input[name=device]").count():
            yield
            self.person.choose(self.tried.device)
        if page.locator("input[name=practice-practice]").count():
            for asked in page.locator("fieldset").all():
                asked.locator("input").last.check()
            page.locator("p.ways button").click()
            yield
            self.person.next()
        if page.locator("input[name=q-check0]").count():
            for number in range(2):
                page.check(f"input[name=q-check{number}][value='1']")
            self.person.next()
            expect(page.locator(".feedback").first).not_to_be_empty()
            yield
            self.person.next()


def _own_words(asked: Any) -> Iterator[str]:
    """Every word of the survey itself."""
    yield from ("Deutsch", "research@university.example")
    for part in asked.values() if isinstance(asked, dict) else asked:
        if isinstance(part, str):
            yield from part.splitlines()
        elif isinstance(part, dict | list):
            yield from _own_words(part)


@MARK
@pytest.mark.parametrize("name", TRIED)
def test_every_sentence_is_true_and_none_is_missing(
    name: str, visit: Visit, tmp_path: Path
) -> None:
    tried = TRIED[name]
    with served_at(file_of(tried, tmp_path)) as served:
        walk = Walk(visit(served), tried)
        facts = walk.through(invited(served))
    assert len(walk.said) > 30
    assert false_claims(facts, walk.said, walk.unknown) == []


FALSE = {
    "unknown: Nothing ever leaves this device.": "Nothing ever leaves this device.",
    "not true here: consent.device": "Until you send, and maybe longer, this device keeps what "
    "chance decided. If somebody might search it, open the survey on another device.",
    "wrong numbers: consent.rightAll {'after': '12', 'before': '13'}": "All of them are guessed "
    "right for about 12 of 100 people. Without what you send, for about 13.",
    "not true here: consent.partInvited": "The researchers can see that your invitation was used. "
    "The server does not store which answers came with it.",
}


@MARK
@pytest.mark.parametrize("wrong", FALSE)
def test_a_false_sentence_is_noticed(wrong: str, visit: Visit, tmp_path: Path) -> None:
    tried = TRIED["one coin for several questions"]
    with served_at(file_of(tried, tmp_path)) as served:
        walk = Walk(visit(served), tried, plant=FALSE[wrong])
        facts = walk.through(invited(served))
    assert false_claims(facts, walk.said, walk.unknown) == [wrong]


def test_each_sentence_of_the_page_is_a_claim_or_promises_nothing() -> None:
    keys = {key for key, _ in sentences(shipped(ENGLISH) or {})}
    assert unclassified(keys) == set()
    assert set(CLAIMS) <= keys


def test_the_surveys_tried_are_of_all_kinds() -> None:
    assert len(TRIED) >= 10
    assert {tried.name for tried in TRIED.values()} == {*SURVEYS, "one bit"}
