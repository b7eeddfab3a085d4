"""Slow and broken networks: an answer arrives once, or waits."""

from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from survey.browser.person import Serve, Visit, invited, served_at
from survey.browser.questioned import TRUTH, survey_file

pytestmark = pytest.mark.slow

WAITING = (
    "Your answers wait on this device, as you just saw them. "
    "They are sent as soon as the network is back."
)


def test_an_answer_waits_while_the_network_is_away_and_arrives_once(
    serve: Serve, visit: Visit
) -> None:
    person = visit(serve("related")).introduced().answer(TRUTH["related"])
    report = person.literal
    person.page.context.set_offline(True)
    person.next()
    expect(person.page.get_by_role("status")).to_have_text(WAITING)
    expect(person.heading).to_have_text("Sending …")  # no thanks yet
    assert person.arrived() == []
    person.page.context.set_offline(False)  # the page hears of it, and does not wait
    expect(person.heading).to_have_text("Thank you")
    assert [f'"report":"{one}"' in report for one in person.arrived()] == [True]


def test_an_answer_that_waits_is_sent_after_the_page_was_closed(serve: Serve, visit: Visit) -> None:
    served = serve("related")
    person = visit(served).introduced().answer(TRUTH["related"])
    person.page.context.set_offline(True)
    person.next()
    expect(person.page.get_by_role("status")).to_have_text(WAITING)
    person.page.close()
    again = visit(served, person.page.context)
    again.page.context.set_offline(False)
    again.open()
    expect(again.heading).to_have_text("Thank you")
    assert len(again.arrived()) == 1


def test_an_answer_outlives_a_server_that_goes_down(tmp_path: Path, visit: Visit) -> None:
    file = survey_file(tmp_path, "two groups")
    with served_at(file) as served:
        person = visit(served).introduced(fragment=invited(served))
        person.answer(TRUTH["two groups"], {"pills": "yes"})
        assert person.literal
        port = int(served.url.rpartition(":")[2])
    person.next()
    expect(person.page.get_by_role("status")).to_have_text(WAITING)
    with served_at(file, port) as served:
        person.served = served
        expect(person.heading).to_have_text("Thank you", timeout=15_000)
        assert len(person.arrived()) == 1
        assert served.store.tallies()["in waiting"] == 1


def test_an_answer_whose_acknowledgement_was_lost_is_sent_again_and_kept_once(
    serve: Serve, visit: Visit
) -> None:
    person = visit(serve("related")).introduced().answer(TRUTH["related"])
    lost: list[int] = []

    def lose(route: Route) -> None:
        lost.append(route.fetch().status)  # the server has it, and says so, but nobody hears it
        route.abort()

    person.page.route("**/api/answers", lose, times=1)
    person.send()
    assert lost == [200]
    assert len(person.arrived()) == 1


def test_a_token_whose_signature_was_lost_is_asked_for_again_with_the_same_number(
    serve: Serve, visit: Visit
) -> None:
    served = serve("two groups")
    person = visit(served)
    asked: list[str] = []

    def lose(route: Route) -> None:
        assert route.fetch().ok
        route.abort()

    person.page.on(
        "request", lambda one: asked.append(one.post_data or "") if "token" in one.url else None
    )
    person.page.route("**/api/token", lose, times=1)
    link = invited(served)
    person.open(link).agree()
    expect(person.heading).to_have_text("Who makes the draw?")
    person.page.wait_for_function("() => Object.keys(localStorage).join().includes(':blinding')")
    # The number is kept on the device until its signature is there.
    person.page.goto("about:blank")
    person.introduced(fragment=link)
    person.answer(TRUTH["two groups"], {"pills": "yes"}).send()
    assert len(asked) >= 2
    assert len(set(asked)) == 1
    assert len(person.arrived()) == 1


def test_a_busy_server_is_asked_again_later(serve: Serve, visit: Visit) -> None:
    person = visit(serve("related")).introduced().answer(TRUTH["related"])
    answers = [503, 429]

    def busy(route: Route) -> None:
        route.fulfill(status=answers.pop(), headers={"Retry-After": "1"})

    person.page.route("**/api/answers", busy, times=2)
    person.send()
    assert answers == []
    assert len(person.arrived()) == 1


def test_a_survey_that_cannot_be_loaded_is_tried_again(serve: Serve, visit: Visit) -> None:
    person = visit(serve("related"))
    person.page.route("**/api/survey", lambda route: route.abort(), times=1)
    person.open()
    assert person.heading.inner_text() == "No connection yet"
    expect(person.heading).to_have_text("About this survey")
