"""Whole surveys in a real browser, from consent to receipt."""

import re

import pytest
from playwright.sync_api import Route, expect

from deniable.channel import kinds
from deniable.survey.tokens import SigningKey
from survey.browser.person import Serve, Visit, invited
from survey.browser.questioned import CHANNELS as ASKED
from survey.browser.questioned import SURVEYS, TRUTH, TURNED, asking
from survey.node import browser

pytestmark = pytest.mark.slow

WORDS = {
    "en-GB": ("en", "About this survey", "Small things", "Thank you"),
    "de-AT": ("de", "Über diese Umfrage", "Kleinigkeiten", "Vielen Dank"),
}
BESIDE = {"pills": "yes"}
"""Answers to the personal questions, where there are some."""


@pytest.mark.parametrize("locale", WORDS)
@pytest.mark.parametrize("name", SURVEYS)
def test_a_survey_is_answered_disguised_and_kept(
    name: str, locale: str, serve: Serve, visit: Visit
) -> None:
    language, title, survey, thanks = WORDS[locale]
    served = serve(name)
    person = visit(served, locale=locale)
    person.open(invited(served))
    page = person.page
    assert page.get_attribute("html", "lang") == language
    assert person.heading.inner_text() == title
    assert page.title() == f"{title} · {survey}"
    person.agree().choose("page").practise().understand()
    tosses = person.kept["coins"]["tosses"]
    person.answer(TRUTH[name], BESIDE)
    personal = BESIDE if name != "related" else {}
    (report,) = browser(
        "applied",
        design=served.store.survey.design.document(),
        records=[TRUTH[name]],
        tosses=tosses,
        personal=personal,
    )
    assert f'"report":"{person.written(report)}"' in person.literal
    receipt = person.send()
    assert person.heading.inner_text() == thanks
    assert re.fullmatch(r"([0-9A-Z]{4}-){3}[0-9A-Z]{4}", receipt)
    assert person.arrived() == [person.written(report)]
    assert person.kept == {"sent": {"receipt": receipt}}


def test_every_channel_is_explained_and_disguises_in_the_page(serve: Serve, visit: Visit) -> None:
    assert {*ASKED, "truthful"} == {*kinds()}
    served = serve("related", **asking(*ASKED))
    person = visit(served).open().read()
    titles = person.page.locator(".card h2").all_inner_texts()
    assert titles[:-1] == [f"1 of the {len(ASKED)} questions"] * len(ASKED)
    told = person.page.locator(".card").nth([*ASKED].index("matrix")).inner_text()
    assert "Of 20 people whose answer is “No”:\n17 send “No”\n3 send “Yes”" in told
    assert "Of about 100 people whose answer is “Yes”:\n86 send “Yes”\n14 send “No”" in told
    person.next()
    person.practise().understand()
    coins = person.kept["coins"]
    truth = dict.fromkeys(served.store.survey.design.schema.names, "yes")
    person.answer(truth)
    (report,) = browser(
        "applied",
        design=served.store.survey.design.document(),
        records=[truth],
        tosses=coins["tosses"],
    )
    person.send()
    assert person.arrived() == [person.written(report)]


TRIES = """() => Array.from({ length: 200 }, () => {
  document.querySelector("p.ways button").click();
  return document.querySelector(".result .sent").textContent;
})"""


@pytest.mark.parametrize("channel", ASKED)
def test_every_channel_can_be_practised(channel: str, serve: Serve, visit: Visit) -> None:
    person = visit(serve("related", **asking(channel))).open("#preview").agree()
    for asked in person.page.locator("fieldset").all():
        asked.locator("input").last.check()  # yes
    # The rarest report of a yes has a chance of 3/20: never seen in 200 tries with (17/20)^200.
    seen = {
        text.removeprefix("This time the page would send: ") for text in person.page.evaluate(TRIES)
    }
    assert seen == ({"Yes"} if channel in {"mangat", "triangular"} else {"Yes", "No"})


def test_a_survey_without_a_disguise_says_so(serve: Serve, visit: Visit) -> None:
    person = visit(serve("related", groups=None)).open().read()
    expect(person.page.locator("main")).to_contain_text("your answers are sent as you give them")
    expect(person.page.locator(".consequences")).to_have_count(0)
    person.next()
    person.answer(TRUTH["related"]).send()
    assert person.arrived() == [person.written(TRUTH["related"])]


def test_the_language_can_be_changed_at_any_step_and_answers_stay(
    serve: Serve, visit: Visit
) -> None:
    person = visit(serve("related")).introduced()
    person.click(TRUTH["related"])
    person.page.get_by_role("button", name="Deutsch").click()
    assert person.page.get_attribute("html", "lang") == "de"
    expect(person.heading).to_have_text("Ihre Antworten")
    expect(person.heading).to_be_focused()
    person.next()
    expect(person.heading).to_have_text("Das wird gesendet")


@pytest.mark.parametrize("name", SURVEYS)
def test_with_a_coin_of_ones_own_what_was_clicked_is_sent(
    name: str, serve: Serve, visit: Visit
) -> None:
    served = serve(name)
    link = invited(served)
    person = visit(served).open(link)
    person.plant(tosses=TURNED[name])  # the page's coin has no say
    person.introduced("own", link)
    page = person.page
    assert page.locator("input[name^=b-]").count() == 0  # the second question has no answer here
    person.answer(TRUTH[name])
    person.send()
    assert person.arrived() == [person.written(TRUTH[name])]
    assert served.store.tallies()["device own"] == 1


def test_the_page_says_what_each_outcome_means_and_never_asks_for_it(
    serve: Serve, visit: Visit
) -> None:
    served = serve("two groups")
    person = visit(served).introduced("own", invited(served))
    told = []
    for _ in range(3):
        told.append(person.page.locator(".byhand tbody").all_inner_texts())
        inputs = person.page.locator("input").evaluate_all("all => all.map(({ name }) => name)")
        assert set(inputs) <= {"a-age", "a-pills", "a-copied"}
        person.click(TRUTH["two groups"])
        person.next()
    assert told == [
        [],
        ["Heads\tyour real answer to question A\nTails\tyour real answer to question B"],
        ["1–5\tyour real answer\n6\tthe opposite of your real answer"],
    ]


def test_changing_the_coin_drops_answers_that_it_would_have_disguised(
    serve: Serve, visit: Visit
) -> None:
    person = visit(serve("related")).introduced("page").answer(TRUTH["related"])
    person.page.evaluate("() => history.go(-4)")
    expect(person.heading).to_have_text("Who makes the draw?")
    person.page.check("input[name=device][value=own]")
    person.page.evaluate("() => history.go(4)")  # the review was reached before
    expect(person.heading).to_have_text("Your answers")
    assert person.page.locator("input:checked").count() == 0
    opposite = {"pills": "no", "hard_money": "yes", "hard_work": "no"}
    person.answer(opposite).send()
    assert person.arrived() == [person.written(opposite)]


def test_every_question_needs_an_answer_and_the_missing_ones_are_named(
    serve: Serve, visit: Visit
) -> None:
    person = visit(serve("related")).introduced()
    page = person.page
    person.next()
    expect(page.get_by_role("alert")).to_have_text("2 questions still need an answer.")
    expect(page.locator("input[name=a-pills]").first).to_be_focused()
    page.check("input[name=a-hard_money][value='']")  # none of these
    person.next()
    expect(page.get_by_role("alert")).to_have_text("One question still needs an answer.")
    page.check("input[name=a-hard_money][value=work]")
    assert not page.is_checked("input[name=a-hard_money][value='']")
    page.check("input[name=a-pills][value=no]")
    person.next()
    expect(person.heading).to_have_text("This is what will be sent")


def test_comprehension_is_counted_at_the_first_try_and_excludes_nobody(
    serve: Serve, visit: Visit
) -> None:
    served = serve("related")
    person = visit(served).open().agree().choose("page").practise()
    person.understand(right=1)
    person.page.go_back()
    for number in range(2):
        person.page.check(f"input[name=q-check{number}][value='1']")
    person.next()  # the second try goes on at once
    person.answer(TRUTH["related"])
    assert '"understood":1,' in person.literal
    person.send()
    assert served.store.tallies()["understood 1"] == 1


def test_those_who_are_asked_directly_are_told_so_and_send_their_answers(
    serve: Serve, visit: Visit
) -> None:
    served = serve("related", direct="1/10")
    person = visit(served).open()
    person.plant(arm="disguised")
    person.read()
    expect(person.page.locator("main")).to_contain_text("1 in 10 people is asked without the dis")
    person.plant(arm="direct")
    person.read()
    expect(person.page.locator("main")).to_contain_text("the answers are sent as you give them")
    expect(person.page.locator("main")).to_contain_text("You can stop now")
    expect(person.page.locator(".consequences")).to_have_count(0)
    person.next()
    person.answer(TRUTH["related"])
    assert '"arm":"direct"' in person.literal
    person.send()
    assert person.arrived() == [person.written(TRUTH["related"])]
    assert served.store.tallies()["arm direct"] == 1


def test_a_preview_keeps_and_sends_nothing(serve: Serve, visit: Visit) -> None:
    person = visit(serve("two groups"))
    asked: list[str] = []
    person.introduced(fragment="#preview")
    person.page.on("request", lambda request: asked.append(request.url))
    person.answer(TRUTH["two groups"], BESIDE)
    person.send()
    expect(person.page.locator(".banner")).to_be_visible()
    assert asked == []
    assert person.kept == {}
    assert person.arrived() == []


def test_a_receipt_shows_that_an_answer_is_kept_and_deletes_it(serve: Serve, visit: Visit) -> None:
    served = serve("related")
    person = visit(served).introduced().answer(TRUTH["related"])
    receipt = person.send()
    page = person.page
    page.get_by_role("link", name="Check or delete your answers").click()
    said = page.locator("#receipt-said")
    page.fill("#receipt", "K7QF")
    page.keyboard.press("Enter")
    expect(said).to_contain_text("This is not a receipt")
    page.fill("#receipt", receipt.lower().replace("-", " "))
    page.keyboard.press("Enter")
    expect(said).to_have_text("Yes: the answers with this receipt are stored.")
    page.get_by_role("button", name="Delete my answers").click()
    page.get_by_role("button", name="No, keep it").click()
    assert len(person.arrived()) == 1
    page.get_by_role("button", name="Delete my answers").click()
    page.get_by_role("button", name="Yes, delete it").click()
    expect(said).to_have_text("The answers with this receipt have been deleted.")
    assert person.arrived() == []
    page.get_by_role("link", name="Back to the survey").click()
    expect(person.heading).to_have_text("Thank you")
    page.get_by_role("button", name="Forget it on this device").click()
    assert person.kept == {}


def test_a_receipt_can_be_checked_without_the_survey(serve: Serve, visit: Visit) -> None:
    person = visit(serve("two groups")).open("#receipt")
    expect(person.heading).to_have_text("Check or delete your answers")
    person.page.fill("#receipt", "0000-0000-0000-0000")
    person.page.keyboard.press("Enter")
    expect(person.page.locator("#receipt-said")).to_contain_text("No answers with this receipt")


# --- A kind sentence where it cannot go on -------------------------------------------------------


def test_a_closed_survey_says_so(serve: Serve, visit: Visit) -> None:
    served = serve("related")
    served.store.close()
    assert visit(served).open().heading.inner_text() == "This survey is closed"


def test_a_survey_that_closes_meanwhile_keeps_the_answer_on_the_device(
    serve: Serve, visit: Visit
) -> None:
    served = serve("related")
    person = visit(served).introduced().answer(TRUTH["related"])
    body = person.literal
    served.store.close()
    person.next()
    expect(person.heading).to_have_text("This survey is closed")
    assert person.kept["pending"]["body"] == body  # the coin is not thrown anew
    served.store.reopen()
    person.page.get_by_role("button", name="Try once more").click()
    assert person.receipt
    assert len(person.arrived()) == 1


@pytest.mark.parametrize(
    ("fragment", "sentence"),
    [
        ("", "Please open the link from your invitation"),
        ("#i=abc&k=0", "Please open the link from your invitation"),
        (f"#i={'a' * 26}&k={'0' * 63}", "Please open the link from your invitation"),
        (f"#i={'a' * 26}&k={'0' * 64}", "This page stopped to protect you"),
    ],
)
def test_a_link_that_is_not_whole_or_names_another_key_is_refused(
    fragment: str, sentence: str, serve: Serve, visit: Visit
) -> None:
    person = visit(serve("two groups"))
    asked: list[str] = []
    person.page.on("request", lambda request: asked.append(request.method))
    assert person.open(fragment).heading.inner_text() == sentence
    assert set(asked) == {"GET"}


@pytest.mark.parametrize("part", ["asked", "key", "invitations"])
def test_a_survey_of_ones_own_is_refused(part: str, serve: Serve, visit: Visit) -> None:
    """Only a blank more in one person's survey would mark the answer that comes back."""
    served = serve("two groups")
    person = visit(served)
    asked: list[str] = []
    person.page.on("request", lambda request: asked.append(request.method))

    def marked(route: Route) -> None:
        told = route.fetch().json()
        other = SigningKey.generate().public.jwk()
        changes = {"asked": f" {told['asked']}", "key": other, "invitations": False}
        mark = {part: changes[part], **({"key": None} if part == "invitations" else {})}
        route.fulfill(json={**told, **mark})

    person.page.route("**/api/survey", marked)
    person.open(invited(served))
    expect(person.heading).to_have_text("This page stopped to protect you")
    assert set(asked) == {"GET"}


def test_a_refused_answer_that_is_forgotten_is_not_disguised_anew(
    serve: Serve, visit: Visit
) -> None:
    person = visit(serve("related")).introduced().answer(TRUTH["related"])
    person.page.route("**/api/answers", lambda route: route.fulfill(status=422, json={}))
    person.next()
    expect(person.heading).to_have_text("Your answers were not taken")
    person.page.get_by_role("button", name="Forget it on this device").click()
    expect(person.heading).to_have_text("You are done here")
    person.page.reload()
    expect(person.heading).to_have_text("You are done here")
    assert person.kept == {"givenUp": True}


def test_an_invitation_counts_once_and_an_unknown_one_not_at_all(
    serve: Serve, visit: Visit
) -> None:
    served = serve("two groups")
    link = invited(served)
    unknown = re.sub("i=[a-z2-7]+", f"i={'a' * 26}", link)
    stranger = visit(served).open(unknown).agree()
    expect(stranger.heading).to_have_text("This invitation is not known here")
    first = visit(served).introduced(fragment=link).answer(TRUTH["two groups"], BESIDE)
    second = visit(served).open(link).agree()
    expect(second.heading).to_have_text("This invitation has been used")
    first.send()
    assert len(first.arrived()) == 1


def test_two_invitations_on_one_device_are_two_people(serve: Serve, visit: Visit) -> None:
    served = serve("two groups")
    first = visit(served).introduced(fragment=invited(served))
    first.answer(TRUTH["two groups"], BESIDE).send()
    second = visit(served, first.page.context).introduced(fragment=invited(served))
    second.answer(TRUTH["two groups"], BESIDE).send()
    assert len(second.arrived()) == 2


def test_without_storage_only_ones_own_coin_is_offered(serve: Serve, visit: Visit) -> None:
    blocked = "Object.defineProperty(window, 'localStorage', { get() { throw new Error(); } })"
    person = visit(serve("related"))
    person.page.add_init_script(blocked)
    person.open().agree()
    expect(person.page.locator("input[name=device]")).to_have_count(1)
    expect(person.page.locator("main")).to_contain_text("This browser keeps nothing")
    person.choose("own").practise().understand().answer(TRUTH["related"]).send()
    assert person.arrived() == [person.written(TRUTH["related"])]
    other = visit(serve("unrelated", devices=["page"]))
    other.page.add_init_script(blocked)
    assert other.open().heading.inner_text() == "This browser keeps nothing between visits"


def test_without_a_secure_connection_nothing_is_asked(serve: Serve, visit: Visit) -> None:
    person = visit(serve("related"))
    person.page.add_init_script("Object.defineProperty(crypto, 'subtle', { value: undefined })")
    assert person.open().heading.inner_text() == "This connection is not secure"


def test_without_javascript_the_page_says_what_it_needs(serve: Serve, visit: Visit) -> None:
    person = visit(serve("related"), java_script_enabled=False)
    person.page.goto(person.served.url)
    assert "JavaScript" in person.page.locator("main").inner_text()
    assert not person.page.locator("#app").is_visible()


def test_a_page_that_does_not_start_says_what_to_do(serve: Serve, visit: Visit) -> None:
    person = visit(serve("related"))
    person.page.route("**/respondent.js", lambda route: route.abort())
    person.page.goto(person.served.url)
    expect(person.page.locator(".slow").first).to_be_visible()
