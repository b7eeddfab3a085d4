"""The researcher's pages: closed without the password, and behind it what the data allow."""

import io
import secrets
import zipfile
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from deniable.survey.protocol import Submission
from deniable.survey.questionnaire import EXAMPLE
from deniable.survey.server.logins import hash_password
from survey.serving import PASSWORD, Served, serving

pytestmark = pytest.mark.slow


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    path = tmp_path / "survey.yaml"
    path.write_text(EXAMPLE.replace("# direct: 1/10", "direct: 1/10"), encoding="utf-8")
    with serving(path) as found:
        yield found


@pytest.fixture
def visitor(served: Served) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=served.url) as client:
        yield client


@pytest.fixture
def researcher(visitor: httpx.Client) -> httpx.Client:
    assert visitor.post("/researcher/login", data={"password": PASSWORD}).status_code == 303
    return visitor


def answered(served: Served, people: int, arm: str = "disguised") -> None:
    survey = served.store.survey
    served.store.keep(
        [
            Submission(
                survey.fingerprint, secrets.token_hex(16), "", arm, "page", 2,
                "".join(str(number % size) for size in survey.design.schema.sizes),
            )
            for number in range(people)
        ]
    )  # fmt: skip


def test_results_are_hidden_at_first(served: Served, researcher: httpx.Client) -> None:
    answered(served, 195)
    page = researcher.get("/researcher").text
    assert "Hidden until 200 answers are in" in page
    assert "195" not in page
    assert "190 to 199" in page
    assert researcher.get("/researcher/export").status_code == 303
    assert "not enough answers" in researcher.get("/researcher/model?target=copied").text
    assert researcher.get("/researcher/model.svg?target=copied").status_code == 409


def test_estimates_come_with_intervals_and_doubts(served: Served, researcher: httpx.Client) -> None:
    answered(served, 40, "direct")
    answered(served, 400)
    page = researcher.get("/researcher").text
    for words in (
        "<strong>400</strong> people sent disguised answers",
        "<strong>40</strong> were asked directly",
        "Have you ever handed in work that you had copied from others?",
        "95 % interval",
        "The known share lies outside the interval",
        "120 of the 365.25 days of a year",
        "beside the direct ones",
    ):
        assert words in page, words


def test_a_tree_is_drawn_and_the_privacy_report_shown(
    served: Served, researcher: httpx.Client
) -> None:
    answered(served, 300)
    drawn = researcher.get("/researcher/model.svg?target=copied")
    assert drawn.headers["content-type"] == "image/svg+xml"
    assert "Decision tree for copied" in drawn.text
    shown = researcher.get("/researcher/model?target=copied").text
    assert "What it is worth" in shown
    # These answers all go together, so a tree is worth more than the commonest answer alone.
    assert "Chance: something here predicts" in shown
    assert "who always says" in shown
    assert "The difference: +" in shown
    assert researcher.get("/researcher/model?target=nothing").status_code == 404
    assert researcher.get("/researcher/model.svg?target=nothing").status_code == 409
    privacy = researcher.get("/researcher/privacy")
    assert "What the reports give away" in privacy.text
    assert "'unsafe-inline'" not in privacy.headers["content-security-policy"]


def test_the_export_is_an_archive(served: Served, researcher: httpx.Client) -> None:
    answered(served, 250)
    answered(served, 60, "direct")
    archive = zipfile.ZipFile(io.BytesIO(researcher.get("/researcher/export?language=de").content))
    names = {name.removeprefix("student-life/") for name in archive.namelist()}
    assert {"disguised.csv", "disguised.sav", "direct.dta", "design.yaml", "codebook.md"} <= names
    assert (
        "Waren Sie schon einmal auf dem Mond?" in archive.read("student-life/codebook.md").decode()
    )


def test_a_survey_is_closed_and_opened_again(served: Served, researcher: httpx.Client) -> None:
    researcher.post("/researcher/close")
    assert not researcher.get("/api/survey").json()["open"]
    assert "Closed" in researcher.get("/researcher").text
    assert "stay hidden: that was the promise" in researcher.get("/researcher").text
    researcher.post("/researcher/reopen")
    assert researcher.get("/api/survey").json()["open"]


def test_answers_wait_on_the_page_only_while_some_do(
    served: Served, researcher: httpx.Client
) -> None:
    answered(served, 210)
    assert "is shown with its batch" in researcher.get("/researcher").text
    researcher.post("/researcher/close")
    page = researcher.get("/researcher").text
    assert "none waits" in page
    assert '<dd>210</dd><dd class="small">answers that were kept' in page
    researcher.post("/researcher/reopen")
    researcher.post("/researcher/close")
    nobody_came = researcher.get("/researcher").text
    researcher.post("/researcher/reopen")
    answered(served, 1)
    researcher.post("/researcher/close")
    page = researcher.get("/researcher").text
    assert "are too few for a batch, and stay hidden" in page
    assert "210 to 219" in page
    assert page == nobody_came


def test_signing_out_ends_the_session(researcher: httpx.Client) -> None:
    cookies = dict(researcher.cookies)
    researcher.post("/researcher/logout")
    for name, value in cookies.items():
        researcher.cookies.set(name, value)
    assert "Sign in" in researcher.get("/researcher").text


def test_a_new_password_ends_open_sessions(served: Served, researcher: httpx.Client) -> None:
    served.store.set("password", hash_password("another-one-entirely"))
    assert "Sign in" in researcher.get("/researcher").text


def test_what_people_wrote_in_the_file_is_text_on_the_page(tmp_path: Path) -> None:
    path = tmp_path / "survey.yaml"
    odd = "<script>alert(1)</script>"
    path.write_text(EXAMPLE.replace("en: How old are you?", f'en: "{odd}"'), encoding="utf-8")
    with serving(path) as served, httpx.Client(base_url=served.url) as client:
        client.post("/researcher/login", data={"password": PASSWORD})
        answered(served, 300)
        page = client.get("/researcher").text
    assert odd not in page
    assert "&lt;script&gt;" in page


PARTLY = """\
survey: work
languages: [en]
title: Work
consent: We ask.
contact: a@b.example
invitations: no
results: {after: 10, every: 2}
questions:
  shop: {text: "Do you work in a shop?", options: {no: "No", yes: "Yes"}}
  theft: {text: "Taken goods?", options: {no: "No", yes: "Yes"}, may_skip: yes, if: {shop: yes}}
  hard: {text: "What is hard?", options: {work: Work, rest: Rest}, several: yes, may_skip: yes}
groups: [{attributes: [theft], channel: related, theta: 2/3}]
"""


def test_shares_among_those_who_say_and_of_those_who_were_asked_are_shown(tmp_path: Path) -> None:
    path = tmp_path / "survey.yaml"
    path.write_text(PARTLY, encoding="utf-8")
    with serving(path) as served, httpx.Client(base_url=served.url) as client:
        fingerprint = served.store.survey.fingerprint

        def sent(*reports: str) -> None:
            served.store.keep(
                [
                    Submission(fingerprint, secrets.token_hex(16), "", "disguised", "page", 2, each)
                    for each in reports
                ]
            )

        assert client.post("/researcher/login", data={"password": PASSWORD}).status_code == 303
        sent(*["0000"] * 30, *["1010"] * 5)
        few = " ".join(client.get("/researcher").text.split())
        assert "Asked only of people with shop = yes: fewer than ten, so nothing is shown." in few
        sent(*["1010"] * 40, *["1122"] * 15)
        page = " ".join(client.get("/researcher").text.split())
        assert "Asked only of people with shop = yes: 60 of those who sent disguised" in page
        assert page.count("Of those who would say</th>") == 2
        # 15 of 90 skipped the boxes, openly.
        assert "About 16.7 % did" in page
        # Of 60, 45 sent no, 15 yes: (3/4 − 1/6)·2 = 7/6, (1/4 − 1/6)·2 = 1/6, and −1/3 skip. Of
        # those who would say, 4/3 in all: 7/8 and 1/8.
        assert "87.5 %<br>" in page
        assert "12.5 %<br>" in page
