"""What leaves the device, and what stays on it: never the truth."""

import json
import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Request, expect

from deniable.survey.protocol import Submission, read_receipt, receipt_id, size_of
from survey.browser.person import Person, Serve, Visit, invited
from survey.browser.questioned import SURVEYS, TRUTH, TURNED

pytestmark = pytest.mark.slow

OPPOSITE = {"pills": "no", "hard_money": "yes", "hard_work": "no"}
"""Of the truth about the survey "related"."""

KEPT = [[0, 0, 0], []]
"""The tosses of its only coin that change nothing."""


def test_the_names_above_say_what_they_mean(serve: Serve) -> None:
    assert SURVEYS["related"]["groups"][0]["attributes"] == ["pills", "hard"]
    assert (
        [*OPPOSITE] == [*TRUTH["related"]] == [*serve("related").store.survey.design.schema.names]
    )
    assert all(OPPOSITE[name] != value for name, value in TRUTH["related"].items())


# --- The network ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["related", "two groups"])
def test_nothing_goes_out_but_one_body_of_fixed_length(
    name: str, serve: Serve, visit: Visit
) -> None:
    served = serve(name)
    person = visit(served)
    seen: list[Request] = []

    def note(request: Request) -> None:
        seen.append(request)

    person.page.context.on("request", note)  # of any page and frame
    person.introduced(fragment=invited(served)).answer(TRUTH[name], {"pills": "yes"})
    body = person.literal
    receipt = person.send()
    person.page.wait_for_load_state("networkidle")

    assert {urlsplit(request.url).netloc for request in seen} == {urlsplit(served.url).netloc}
    asked = [f"{request.method} {urlsplit(request.url).path}" for request in seen]
    token = ["POST /api/token"] if served.store.survey.invitations else []
    loaded = ["GET /", "GET /style.css", "GET /respondent.js", "GET /api/survey"]
    asked = [one for one in asked if one != "GET /favicon.ico"]  # at the browser's will
    assert sorted(asked) == sorted([*loaded, *token, "POST /api/answers"])
    assert not any(urlsplit(request.url).query for request in seen)
    assert not any("cookie" in request.all_headers() for request in seen)
    assert not any("referer" in request.all_headers() for request in seen[1:])

    (answer,) = (request for request in seen if request.url.endswith("/api/answers"))
    sent = answer.post_data_buffer
    assert sent == body.encode("ascii")  # the very bytes that were shown
    assert len(sent) == size_of(len(served.store.survey.design.schema)) == 2048
    submission = Submission.decode(sent)
    assert submission.id == receipt_id(read_receipt(receipt))
    assert (submission.arm, submission.device, submission.understood) == ("disguised", "page", 2)
    assert bool(submission.token) == served.store.survey.invitations
    asked_for = [request.post_data or "" for request in seen if "token" in request.url]
    assert not any(submission.token in text or submission.report in text for text in asked_for)


def test_the_token_asked_for_shows_nothing_of_the_token_used(serve: Serve, visit: Visit) -> None:
    served = serve("two groups")
    person = visit(served)
    asked: list[str] = []
    person.page.on("request", lambda request: asked.append(request.post_data or ""))
    link = invited(served)
    person.introduced(fragment=link).answer(TRUTH["two groups"], {"pills": "yes"})
    token = Submission.decode(person.literal.encode()).token
    (request,) = (json.loads(text) for text in asked if text)
    assert set(request) == {"invitation", "blinded"}
    assert request["invitation"] in link
    assert "blinding" not in person.kept
    parts = {token[start : start + 8] for start in range(len(token) - 7)}
    assert not any(part in request["blinded"] for part in parts)


def bodies_of(visit: Visit, serve: Serve, answers: dict[str, str], tosses: list[list[int]]) -> str:
    person = visit(serve("related")).open()
    person.plant(tosses=tosses)
    person.introduced().answer(answers)
    return person.literal


def test_different_truths_that_come_out_the_same_send_the_same_bytes(
    serve: Serve, visit: Visit
) -> None:
    one = bodies_of(visit, serve, TRUTH["related"], KEPT)
    other = bodies_of(visit, serve, OPPOSITE, TURNED["related"])
    third = bodies_of(visit, serve, OPPOSITE, KEPT)
    identity = re.compile('"id":"[0-9a-f]{32}"')
    assert one != other
    assert identity.sub("", one) == identity.sub("", other)
    assert identity.sub("", one) != identity.sub("", third)


# --- The device ----------------------------------------------------------------------------------


def left_behind(
    visit: Visit, serve: Serve, answers: dict[str, str], tosses: list[list[int]]
) -> list[str]:
    """All traces while answering, before sending, and after it; random names left out."""
    served = serve("related")
    person = visit(served).open()
    person.plant(tosses=tosses, arm="disguised")
    person.introduced()
    person.click(answers)
    found = [person.traces()]
    person.answer(answers)
    found.append(person.traces())
    person.page.go_back()
    found.append(person.traces())
    person.page.go_forward()
    receipt = person.send()
    found.append(person.traces())
    return [text.replace(receipt, "").replace(served.url, "") for text in found]


def test_the_device_shows_no_difference_between_two_truths(serve: Serve, visit: Visit) -> None:
    same_coin = [
        left_behind(visit, serve, answers, KEPT) for answers in (TRUTH["related"], OPPOSITE)
    ]
    assert same_coin[0] == same_coin[1]
    assert "coins" in same_coin[0][0]
    assert "coins" not in same_coin[0][-1]  # with the report, they would undo the disguise


def test_a_pending_answer_is_kept_disguised_and_without_its_coins(
    serve: Serve, visit: Visit
) -> None:
    served = serve("related")
    person = visit(served).introduced().answer(TRUTH["related"])
    body = person.literal
    person.page.context.set_offline(True)
    person.next()
    expect(person.page.locator("main")).to_contain_text("wait on this device")
    assert {name: value for name, value in person.kept.items() if name != "pending"} == {}
    assert person.kept["pending"]["body"] == body


def test_answers_are_gone_when_the_page_is_left(serve: Serve, visit: Visit) -> None:
    person = visit(serve("related")).introduced()
    person.click(TRUTH["related"])
    person.page.goto("about:blank")
    person.page.go_back()
    expect(person.heading).to_have_text("About this survey")
    assert person.page.locator("input:checked").count() == 0
    person.introduced()
    assert person.page.locator("input:checked").count() == 0


def test_answers_are_dropped_even_if_the_browser_keeps_the_page_in_memory(
    serve: Serve, visit: Visit
) -> None:
    person = visit(serve("related")).introduced()
    page = person.page
    person.click(TRUTH["related"])
    page.evaluate("() => dispatchEvent(new PopStateEvent('popstate', { state: history.state }))")
    assert page.locator("input:checked").count() == 2  # they are in memory …
    page.evaluate("() => dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
    assert page.locator("#app").inner_text() == ""
    page.evaluate("() => dispatchEvent(new PopStateEvent('popstate', { state: history.state }))")
    assert page.locator("input").count() > 0
    assert page.locator("input:checked").count() == 0  # … and are not any more
    page.evaluate("() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    expect(person.heading).to_have_text("About this survey")


def test_nothing_can_be_filled_in_or_suggested_by_the_browser(serve: Serve, visit: Visit) -> None:
    person = visit(serve("related")).introduced()
    forms = person.page.locator("form, input").evaluate_all(
        "all => all.map((one) => one.getAttribute('autocomplete'))"
    )
    assert set(forms) == {"off"}
    answer = person.page.request.get(person.served.url)
    assert answer.headers["cache-control"] == "no-store"


# --- One coin ------------------------------------------------------------------------------------


def report_of(person: Person) -> str:
    person.introduced().answer(TRUTH["related"])
    return Submission.decode(person.literal.encode()).report


def test_reload_back_and_a_second_tab_keep_the_coin(serve: Serve, visit: Visit) -> None:
    served = serve("related")
    person = visit(served).open()
    coins = person.kept["coins"]
    first = report_of(person)
    person.page.reload()
    person.heading.wait_for()
    assert person.kept["coins"] == coins
    assert report_of(person) == first
    person.page.go_back()
    person.next()
    assert Submission.decode(person.literal.encode()).report == first
    second = visit(served, person.page.context).open()
    assert second.kept["coins"] == coins
    assert report_of(second) == first
    # Whichever tab sends first, the other one follows, and nothing is sent twice.
    receipt = person.send()
    expect(second.heading).to_have_text("Thank you")
    assert second.receipt == receipt
    assert person.arrived() == [first]


RACE = """async ([survey, start]) => {
  const { keptCoins, keeperFor } = await import("/respondent.js");
  const rounds = Array.from({ length: 20 }, (_, round) => keeperFor(`race${round}`, true));
  const until = async (time) => {
    while (Date.now() < time) await new Promise((done) => setTimeout(done));
  };
  window.thrown = (async () => {
    for (const [round, keeper] of rounds.entries()) {
      await until(start + 20 * round);
      await keptCoins(survey, keeper);
    }
    await until(start + 2000); // nobody answers quicker
    return rounds.map((keeper) => keeper.get("coins").tosses[0][0]);
  })();
}"""


def test_tabs_that_toss_at_the_same_moment_agree_before_coins_are_used(
    serve: Serve, visit: Visit
) -> None:
    served = serve("related")
    first = visit(served).open("#receipt")
    pages = [first.page, *(visit(served, first.page.context).open("#receipt").page for _ in "23")]
    values = [f"v{number}" for number in range(1001)]
    group = {"attributes": ["it"], "channel": "related", "theta": "0"}  # one of a thousand others
    design = {"attributes": {"it": values}, "groups": [group]}
    start = first.page.evaluate("() => Date.now() + 500")
    for page in pages:
        page.evaluate(RACE, [{"design": design, "direct": None}, start])
    one, *others = (page.evaluate("() => window.thrown") for page in pages)
    assert len(set(one)) > 15  # fresh coins in each round
    assert others == [one, one]
