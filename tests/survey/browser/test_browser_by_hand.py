"""Questions of several options by hand, in a real browser: read the words, follow them, click.

A rule is taken from what stands on the screen, and every way in which coins and dice can fall is
gone through: whoever does what the page says does exactly what the channel says.
"""

import json
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator

from survey.browser.looks import LOOKS, fits, violations
from survey.browser.person import Person, Serve, Visit
from survey.browser.questioned import NO_YES, both
from survey.node import browser
from survey.test_by_hand import SIDES, falls

pytestmark = pytest.mark.slow

OFTEN = {
    "never": both("Never", "Nie"),
    "once": both("Once", "Einmal"),
    "twice": both("Twice", "Zweimal"),
    "often": both("More often", "Öfter"),
}
THREE = {name: OFTEN[name] for name in ("never", "once", "often")}

STOLEN = both("How often have you taken something home from work?", "Wie oft …?")
CHAIN = {
    "never": {"never": "5/6", "once": "1/6", "often": "0"},
    "once": {"never": "1/6", "once": "2/3", "often": "1/6"},
    "often": {"never": "0", "once": "1/6", "often": "5/6"},
}
QUESTIONS: dict[str, Any] = {
    "steps": {"text": STOLEN, "options": OFTEN},
    "twice": {"text": both("How often have you been late?", "Wie oft zu spät?"), "options": OFTEN},
    "table": {"text": both("How often have you been ill?", "Wie oft krank?"), "options": THREE},
    "first": {"text": both("How often have you lied?", "Wie oft gelogen?"), "options": THREE},
    "second": {"text": both("How often have you cheated?", "Wie oft betrogen?"), "options": THREE},
    "copied": {"text": both("Have you copied?", "Haben Sie abgeschrieben?"), "options": NO_YES},
}
GROUPS: list[dict[str, Any]] = [
    {"attributes": ["steps"], "channel": "related", "theta": "1/2"},
    {"attributes": ["twice"], "channel": "keep-or-uniform", "theta": "7/10"},
    {"attributes": ["table"], "channel": "matrix", "matrix": CHAIN},
    {"attributes": ["first", "second"], "channel": "related", "theta": "3/4"},
    {"attributes": ["copied"], "channel": "related", "theta": "5/7"},
]
TOOLS = {
    "Toss a coin.": "coin",
    "Roll a die.": "die",
    "Toss a coin twice.": "coins",
    "Roll two dice and add them up.": "dice",
    "digit.": "digit",
    "two digits.": "digits",
}

Told = list[tuple[Fraction, str]]


def table(of: Locator, tool: str) -> Told:
    """What a table says to do, and how likely each line is."""
    rows = [row.locator("th, td").all_inner_texts() for row in of.locator("tbody tr").all()]
    if tool == "coins":  # a line for each pair of tosses
        rows = [[re.sub(r"(\w)\w+, (\w)\w+", r"\1\2", outcome), todo] for outcome, todo in rows]
    told = [(Fraction(falls(tool, outcome), SIDES[tool]), todo) for outcome, todo in rows]
    assert sum(chance for chance, _ in told) == 1
    return told


def rule(person: Person) -> list[Told]:
    """What the screen says: one table, or a second one for the second throw."""
    card = person.page.locator(".byhand")
    said = [text for text in card.locator("p").all_inner_texts() if text.endswith(".")]
    tools = [name for text in said for end, name in TOOLS.items() if text.endswith(end)]
    tools = [t for t in tools if t != "digit" or "digits" not in tools]
    tables = card.locator("table").all()
    assert len(tools) == len(tables)
    return [table(one, tool) for one, tool in zip(tables, tools, strict=True)]


def clicks(told: Sequence[Told], truth: str, words: Sequence[str]) -> Mapping[str, Fraction]:
    """What somebody with this answer clicks who does what is said."""
    found: defaultdict[str, Fraction] = defaultdict(Fraction)
    for chance, todo in told[0]:
        if todo.startswith("nothing yet"):
            for answer, share in clicks(told[1:], truth, words).items():
                found[answer] += chance * share
        else:
            found[followed(todo, truth, words)] += chance
    return found


def followed(todo: str, truth: str, words: Sequence[str]) -> str:
    if todo in {"your real answer", "your real answers"}:
        return truth
    if todo == "the next answer in the list":
        return words[(words.index(truth) + 1) % len(words)]
    if steps := re.fullmatch(r"the answer (\d) places further down the list", todo):
        return words[(words.index(truth) + int(steps[1])) % len(words)]
    if said := re.fullmatch(r"“(.*)”, whatever your answer", todo):
        return said[1]
    lines = (
        re.fullmatch(r"if your real answer is “(.*)”: “(.*)”", line) for line in todo.splitlines()
    )
    return {line[1]: line[2] for line in lines if line}[truth]


@pytest.mark.parametrize("look", ["phone", "desktop, dark"])
def test_whoever_does_what_the_page_says_does_what_the_channel_says(
    look: str, serve: Serve, visit: Visit, screenshots: Path
) -> None:
    served = serve("related", questions=QUESTIONS, groups=GROUPS)
    survey = served.store.survey
    person = visit(served, **LOOKS[look]).open().agree()
    assert (
        "For one question this is too hard. There, the page draws."
        in person.page.locator("main").inner_text()
    )
    person.page.screenshot(path=screenshots / f"by-hand-{look}-how.png", full_page=True)
    person.choose("own").understand()
    for number, group in enumerate(survey.design.groups[:4], start=1):
        person.page.screenshot(path=screenshots / f"by-hand-{look}-{number}.png", full_page=True)
        assert violations(person.page) == []
        assert fits(person.page)
        told, name = rule(person), group.names[0]
        words = [OFTEN[value]["en"] for value in survey.design.schema[name].values]
        columns = group.channel.marginal([0]).exact_columns()
        for truth, column in zip(words, columns, strict=True):
            expected = {word: chance for word, chance in zip(words, column, strict=True) if chance}
            assert dict(clicks(told, truth, words)) == expected
        person.click(dict.fromkeys(group.names, "never"))
        person.next()
    assert "The page disguises your answers" in person.page.locator("main").inner_text()
    assert person.page.locator(".byhand").count() == 0


def test_what_was_thrown_is_sent_as_clicked_and_the_rest_goes_through_the_pages_coin(
    serve: Serve, visit: Visit
) -> None:
    served = serve("related", questions=QUESTIONS, groups=GROUPS)
    person = visit(served).open()
    person.plant(tosses=[[3], [0, 2], [0, 1, 2], [1, 1], [1], []])  # every answer would be changed
    person.introduced("own")
    clicked = dict.fromkeys(["steps", "twice", "table", "first", "second"], "once")
    person.answer({**clicked, "copied": "no"})
    assert (
        "Where you threw, the page sends what you clicked"
        in person.page.locator("main").inner_text()
    )
    person.send()
    assert person.arrived() == [person.written({**clicked, "copied": "yes"})]
    assert served.store.tallies()["device own"] == 1


def test_without_storage_hands_are_not_offered_where_the_page_must_draw(
    serve: Serve, visit: Visit
) -> None:
    served = serve("related", questions=QUESTIONS, groups=GROUPS)
    person = visit(served)
    person.page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('no'); } });"
    )
    person.open()
    assert person.heading.inner_text() == "This browser keeps nothing between visits"


def test_the_shipped_page_reports_groups_of_both_kinds_at_once(serve: Serve) -> None:
    survey = serve("related", questions=QUESTIONS, groups=GROUPS).store.survey
    rules = [browser("byHand", given=[json.loads(survey.asked), n]) for n in range(5)]
    assert rules == list(survey.rules)
    assert [rule is None for rule in rules] == [False] * 4 + [True]
