"""The page with another package's channel, built as its author would: pictures, practice, answers.

All else that a channel does: tests/extending/test_outside_channel.py.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page
from scipy.stats import binom

from absence import leave_out
from deniable.channel import named
from deniable.design import Design
from deniable.survey.questionnaire import groups
from deniable.survey.questionnaire.group_on_page import page_channels
from deniable.survey.server import app
from extending import outside_channel
from extending.distribution import installed
from survey.browser.person import Serve, Visit
from survey.browser.questioned import NO_YES, both
from survey.node import MODULE, browser, node
from survey.test_browser_coin import all_records, every_throw

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
ENTRY = Path(outside_channel.__file__).with_suffix(".ts")
NEVER = 1e-9
"""Fresh randomness fails a test this rarely where all is well."""

DRINKS = {
    "text": both("How often do you drink?", "Wie oft trinken Sie?"),
    "options": {v: both(v.title(), v.title()) for v in ("never", "seldom", "weekly", "daily")},
}
SLIDING: dict[str, Any] = {
    "questions": {"drinks": DRINKS},
    "groups": [{"attributes": ["drinks"], "channel": "slide", "alpha": "1/2"}],
    "devices": ["page"],
}
TWO_VALUES: dict[str, Any] = {
    "questions": {"pills": {"text": both("Pills?", "Pillen?"), "options": NO_YES}},
    "groups": [{"attributes": ["pills"], "channel": "slide", "alpha": "1/5"}],
}

Build = Callable[[Path], subprocess.CompletedProcess[str]]


def run(folder: Path, *words: object) -> subprocess.CompletedProcess[str]:
    path = f"{Path(node()).parent}{os.pathsep}{os.environ['PATH']}"
    # What npm has fetched once, it has; so a second run needs no network.
    environment = {**os.environ, "PATH": path, "npm_config_prefer_offline": "true"}
    return subprocess.run(
        [*map(str, words)], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `make web` needs of this project, with all that it fetches."""
    if shutil.which("npm") is None:
        leave_out("the page is built by npm, which is missing", "Put npm 9 or newer on the PATH.")
    clone = tmp_path_factory.mktemp("checkout")
    shutil.copy(ROOT / "Makefile", clone)
    shutil.copytree(ROOT / "web", clone / "web", ignore=shutil.ignore_patterns("node_modules"))
    for folder in (MODULE.parent, MODULE.parent.parent / "words"):
        shutil.copytree(folder, clone / folder.relative_to(ROOT))
    (clone / "docs/reference").mkdir(parents=True)
    return clone


@pytest.fixture(scope="module")
def built(checkout: Path) -> Path:
    """The page with the device of outside_channel.ts, as its author builds it."""
    done = run(checkout, "make", "web", f"CHANNELS={ENTRY}")
    assert done.returncode == 0, done.stdout + done.stderr
    page = checkout.parent / "built"
    shutil.copytree(checkout / MODULE.parent.relative_to(ROOT), page)
    return page


@pytest.fixture(scope="module")
def build(checkout: Path, built: Path) -> Build:
    """Build the page with another entry; nothing is fetched anymore."""
    return lambda entry: run(checkout / "web", node(), "build.mjs", entry)


@pytest.fixture(autouse=True)
def _installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    named.cache_clear()
    installed(
        tmp_path, monkeypatch, "deniable.channels", "slide", "extending.outside_channel:Slide"
    )
    yield
    named.cache_clear()


@pytest.fixture
def _served_as_built(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Serve the page that was built."""
    monkeypatch.setattr(app, "BROWSER", built)
    monkeypatch.setattr(groups, "page_channels", lambda: page_channels(built))


def test_the_page_has_its_device_and_all_of_ours(built: Path) -> None:
    assert page_channels(built) == (*page_channels(), "slide")


@pytest.mark.parametrize(
    ("alpha", "size", "sides"), [("1/3", 4, 4 * 27), ("1/5", 2, 12 * 10), ("0", 3, 1)]
)
def test_going_through_every_throw_gives_the_channels_matrix(
    built: Path, alpha: str, size: int, sides: int
) -> None:
    group = {"attributes": ["it"], "channel": "slide", "alpha": alpha}
    document = {"attributes": {"it": [*map(str, range(size))]}, "groups": [group]}
    design = Design.of(document)
    law = browser(
        "reports",
        module=built / "respondent.js",
        design=design.document(),
        records=all_records(design),
        scripts=list(every_throw([sides])),
        personal={},
    )
    for reports, column in zip(law, design.groups[0].channel.exact_columns(), strict=True):
        told = [one["report"]["it"] for one in reports]
        assert [Fraction(told.count(str(r)), sides) for r in range(size)] == list(column)


@pytest.mark.usefixtures("_served_as_built")
def test_the_page_draws_it_rehearses_it_and_disguises_with_it(
    built: Path, serve: Serve, visit: Visit
) -> None:
    served = serve("related", **SLIDING)
    person = visit(served).open().read()
    told = person.page.locator(".card").first.inner_text()
    for sentence in (
        "Of 12 people whose answer is “answer 1”:\n8 send “answer 1”\n2 send “answer 2”\n1 sends",
        "Of 6 people whose answer is “answer 3”:\n2 send “answer 3”",
    ):
        assert sentence in told
    assert person.page.locator(".card .crowd .person").count() == 12 + 6 + 6 + 12
    person.next()
    kept = rehearsed(person.page)
    assert binom.cdf(kept, 600, 2 / 3) > NEVER
    assert binom.sf(kept - 1, 600, 2 / 3) > NEVER
    person.practise().understand()
    tosses, truth = person.kept["coins"]["tosses"], {"drinks": "weekly"}
    person.answer(truth)
    (report,) = browser(
        "applied",
        module=built / "respondent.js",
        design=served.store.survey.design.document(),
        records=[truth],
        tosses=tosses,
    )
    person.send()
    assert person.arrived() == [person.written(report)]


def rehearsed(page: Page) -> int:
    """Practise 600 times with a truth of yes; how often was yes sent?"""
    page.locator("fieldset input[value=yes]").check()
    sent = page.evaluate(
        """() => Array.from({ length: 600 }, () => {
          document.querySelector("p.ways button").click();
          return document.querySelector(".result .sent").textContent;
        })"""
    )
    return sum("Yes" in one for one in sent)


@pytest.mark.usefixtures("_served_as_built")
def test_with_two_values_the_page_says_how_to_do_it_by_hand(serve: Serve, visit: Visit) -> None:
    person = visit(serve("related", **TWO_VALUES)).open().agree().choose("own")
    rules = person.page.locator("main").inner_text()
    assert "1–5" in rules
    assert "6" in rules
    person.practise().understand()


# --- Leaving the entry, or a part of it, out fails ------------------------------------------------


def test_a_page_without_the_entry_shows_nothing_and_asks_nothing(
    serve: Serve, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The server would refuse the survey, too; here it believes that the page has the device.
    monkeypatch.setattr(groups, "page_channels", lambda: (*page_channels(), "slide"))
    person = visit(serve("related", **SLIDING)).open()
    assert person.heading.inner_text() == "Something is wrong with this survey"
    assert person.page.locator(".picture, fieldset").count() == 0
    assert person.kept == {}


@pytest.mark.parametrize("task", ["lawOf", "byHand", "rowsOf"])
def test_an_unknown_channel_is_neither_pictured_nor_explained(
    task: str, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(groups, "page_channels", lambda: (*page_channels(), "slide"))
    survey = json.loads(serve("related", **SLIDING).store.survey.asked)
    with pytest.raises(AssertionError, match='there is no channel "slide"'):
        browser(task, given=[survey, 0], language="en")


def test_an_unknown_channel_is_not_rehearsed_by_another_device(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(groups, "page_channels", lambda: (*page_channels(), "slide"))
    survey = json.loads(serve("related", **SLIDING).store.survey.asked)
    practised = browser("practiceSurvey", given=[survey])
    assert practised["design"]["groups"][0]["channel"] == "slide"
    with pytest.raises(AssertionError, match='Group 1: there is no channel "slide"'):
        browser("tosses", design=practised["design"], seed=1)


LEFT_OUT = {
    "toss": ("toss: ", "throw: ", "Property 'toss' is missing"),
    "apply": (
        "apply: ([truth], [face])",
        "use: ([truth, face]: number[])",
        "Property 'apply' is missing",
    ),
    "a name of its own": (
        '"slide"',
        '"related"',
        'The page does not start: There is a channel "related" already.',
    ),
}


@pytest.mark.parametrize("part", LEFT_OUT)
def test_an_entry_that_lacks_a_part_is_not_built(part: str, build: Build, tmp_path: Path) -> None:
    had, has, sentence = LEFT_OUT[part]
    done = build(changed(had, has, tmp_path))
    assert done.returncode != 0
    assert sentence in done.stdout + done.stderr


def test_an_option_that_the_entry_does_not_name_is_refused(
    build: Build, checkout: Path, tmp_path: Path
) -> None:
    done = build(changed('  "alpha",\n', "", tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    values = {"it": ["no", "yes"]}
    group = {"attributes": ["it"], "channel": "slide", "alpha": "0.5"}
    with pytest.raises(AssertionError, match='Group 1: slide has no option "alpha"'):
        browser(
            "tosses",
            module=checkout / MODULE.relative_to(ROOT),
            design={"attributes": values, "groups": [group]},
            seed=1,
        )


def changed(had: str, has: str, folder: Path) -> Path:
    """The entry, with something else in one place."""
    text = ENTRY.read_text(encoding="utf-8")
    assert text.count(had) == 1
    entry = folder / "entry.ts"
    entry.write_text(text.replace(had, has), encoding="utf-8")
    return entry
