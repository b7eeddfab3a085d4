"""An invitation that was begun goes on where it was begun; one that was lost is replaced."""

import pytest
from playwright.sync_api import expect

from deniable.survey.invitations import invitations
from survey.browser.person import Person, Serve, Visit, invited
from survey.browser.questioned import TRUTH

pytestmark = pytest.mark.slow

NAME, BESIDE = "two groups", {"pills": "yes"}
BEGUN = "You began here before. Your invitation still works in this browser."


def finished(person: Person, link: str) -> Person:
    person.introduced(fragment=link).answer(TRUTH[NAME], BESIDE).send()
    return person


def test_an_unfinished_invitation_goes_on_in_its_browser_and_nowhere_else(
    serve: Serve, visit: Visit
) -> None:
    served = serve(NAME)
    link = invited(served)
    person = visit(served).open(link).read()
    expect(person.page.locator("main")).not_to_contain_text(BEGUN)
    person.next()
    person.page.wait_for_function("() => Object.keys(localStorage).join().includes(':token')")
    coins, token = person.kept["coins"], person.kept["token"]

    elsewhere = visit(served).open(link).agree()
    expect(elsewhere.heading).to_have_text("This invitation has been used")
    expect(elsewhere.page.locator("main")).to_contain_text("we send you a new link")

    asked: list[str] = []
    person.page.on("request", lambda one: asked.append(one.url) if one.method == "POST" else None)
    person.page.reload()
    person.heading.wait_for()
    person.read()
    expect(person.page.locator("main")).to_contain_text(BEGUN)
    assert (person.kept["coins"], person.kept["token"]) == (coins, token)
    assert asked == []
    finished(person, link)
    assert [url.rpartition("/")[2] for url in asked] == ["answers"]  # no second signature
    assert len(person.arrived()) == 1


def test_a_lost_invitation_is_replaced_and_the_old_link_ends(serve: Serve, visit: Visit) -> None:
    served = serve(NAME)
    lost = invited(served)
    visit(served).open(lost).agree().page.wait_for_function(
        "() => Object.keys(localStorage).join().includes(':token')"
    )
    old = lost.removeprefix("#i=").partition("&")[0]
    codes, (link,) = invitations(served.store, served.url, 1)
    assert served.store.replace_invitations([old], codes) == 1
    ended = visit(served).open(lost).agree()
    expect(ended.heading).to_have_text("This invitation has been used")
    expect(ended.page.locator("main")).to_contain_text("If you have a newer link, use that one")
    person = finished(visit(served), "#" + link.partition("#")[2])
    assert len(person.arrived()) == 1
    assert served.store.tallies()["replaced"] == 1


def test_who_can_still_go_on_after_all_answers_beside_the_replacement(
    serve: Serve, visit: Visit
) -> None:
    """What blinding hides nobody can call back; so it is counted, and said to the researcher."""
    served = serve(NAME)
    link = invited(served)
    person = visit(served).open(link).agree()
    person.page.wait_for_function("() => Object.keys(localStorage).join().includes(':token')")
    codes, (newer,) = invitations(served.store, served.url, 1)
    served.store.replace_invitations([link.removeprefix("#i=").partition("&")[0]], codes)
    finished(visit(served), "#" + newer.partition("#")[2])
    person.page.reload()
    person.heading.wait_for()
    finished(person, link)
    assert len(person.arrived()) == 2 == 1 + served.store.tallies()["replaced"]
