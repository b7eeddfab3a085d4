"""Simulated people against the real application: everyone ends acknowledged, refused or weary."""

import asyncio
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from starlette.requests import Request

from commanding import Command
from deniable.base.errors import DataError, SchemaError
from deniable.engine.memory.records import Records
from deniable.respondents import Crowd, InventedPopulation, SimulationOutcome, simulate, simulation
from deniable.schema import Schema
from deniable.survey.invitation_links import Invitation, read_invitations
from deniable.survey.invitations import invitations, write_invitations
from deniable.survey.protocol import REPORT_LETTERS, receipt_id, size_of
from deniable.survey.questionnaire import load
from deniable.survey.server.app import create
from deniable.survey.store.database import SurveyDatabase
from deniable.survey.store.store import Store
from deniable.survey.tokens import SigningKey
from survey.serving import serving

ASKED = Path(__file__).with_name("asked.yaml")
HOST = "http://survey.test"
HIDDEN = ("drugs", "substances_cannabis", "substances_cocaine", "cheated", "rating", "moon")


@pytest.fixture
def survey_file(tmp_path: Path) -> Path:
    path = tmp_path / "asked.yaml"
    path.write_text(ASKED.read_text(encoding="utf-8"), encoding="utf-8")
    return path


@pytest.fixture
def invited_file(survey_file: Path) -> Path:
    text = survey_file.read_text(encoding="utf-8").replace("invitations: no", "invitations: yes")
    survey_file.write_text(text, encoding="utf-8")
    return survey_file


@pytest.fixture
def store(survey_file: Path, tmp_path: Path) -> Iterator[Store]:
    opened = Store(SurveyDatabase(tmp_path / "answers.db"), load(survey_file))
    yield opened
    opened.database.close()


@pytest.fixture(scope="module")
def pem() -> str:
    """One key for all tests: making one takes a second."""
    return SigningKey.generate().pem()


@pytest.fixture
def invited(invited_file: Path, tmp_path: Path, pem: str) -> Iterator[Store]:
    opened = Store(SurveyDatabase(tmp_path / "answers.db"), load(invited_file))
    opened.set("signing key", pem)
    yield opened
    opened.database.close()


def run(app: Any, people: int, **options: Any) -> SimulationOutcome:
    transport = httpx.ASGITransport(app)
    return asyncio.run(simulation(HOST, people, transport=transport, **options))


def links_for(store: Store, number: int) -> list[str]:
    codes, links = invitations(store, HOST, number)
    store.invite(codes)
    return links


def sent(records: Records) -> Counter[str]:
    rows = zip(*(column.tolist() for column in records.columns), strict=True)
    return Counter("".join(REPORT_LETTERS[code] for code in row) for row in rows)


def test_every_answer_is_kept_as_it_was_sent(store: Store) -> None:
    outcome = run(create(store), 150, random_state=1)
    assert outcome.acknowledged == 150
    assert not outcome.refused
    store.close()
    for arm in ("disguised", "direct"):
        assert store.reports(arm) == sent(outcome.reports(arm))
        assert len(outcome.reports(arm)) > 0
    assert all(store.holds(receipt_id(receipt)) for receipt in outcome.receipts.values())
    disguised = len(outcome.reports("disguised"))  # asked directly, nobody is asked about coins
    assert sum(store.tallies()[f"understood {number}"] for number in range(3)) == disguised


@pytest.mark.slow
def test_people_answer_over_a_real_connection(survey_file: Path) -> None:
    with serving(survey_file) as served:
        outcome = simulate(served.url, 60, connections=5)
        assert outcome.acknowledged == 60
        served.store.close()
        kept = served.store.reports("disguised"), served.store.reports("direct")
        assert sum(map(Counter.total, map(Counter, kept))) == 60


@pytest.mark.slow
def test_each_invitation_counts_once(invited: Store) -> None:
    guests = [Invitation.of(link) for link in links_for(invited, 12)]
    app = create(invited)
    outcome = run(app, 12, invitations=guests)
    assert outcome.acknowledged == 12
    again = run(app, 12, invitations=guests)
    assert again.refused == {"This invitation was already used.": 12}
    invited.close()
    answers = Counter(invited.reports("disguised")) + Counter(invited.reports("direct"))
    assert answers.total() == 12


@pytest.mark.slow
def test_people_refuse_a_key_that_their_link_does_not_name(invited: Store) -> None:
    codes = [Invitation.of(link).code for link in links_for(invited, 3)]
    outcome = run(create(invited), 3, invitations=[Invitation(c, "0" * 16) for c in codes])
    assert outcome.refused == {"The survey's key or questions are not those in the link.": 3}
    # The server has not even heard of the invitations.
    ours = invitations(invited, HOST, 1)[1]
    good = [Invitation(code, Invitation.of(ours[0]).print) for code in codes]
    assert run(create(invited), 3, invitations=good).acknowledged == 3


@pytest.mark.slow
def test_an_unknown_invitation_is_refused(invited: Store) -> None:
    links = invitations(invited, HOST, 2)[1]  # made, but never kept
    outcome = run(create(invited), 2, invitations=[Invitation.of(link) for link in links])
    assert outcome.refused == {"There is no such invitation.": 2}


def test_without_an_invitation_nobody_is_let_in(invited: Store) -> None:
    with pytest.raises(DataError, match="2 people have 0"):
        run(create(invited), 2)


def test_who_does_not_comply_gives_the_first_value_of_what_is_disguised(store: Store) -> None:
    outcome = run(create(store), 80, ignoring={"first": 1.0}, random_state=3)
    reports, truth = outcome.reports(), outcome.truth()
    for name in HIDDEN:
        assert not reports.columns[reports.schema.position(name)].any()
    place = truth.schema.position("region")
    assert (reports.columns[place] == truth.columns[place]).all()


@pytest.mark.slow
def test_some_comply_as_often_as_said(store: Store) -> None:
    outcome = run(create(store), 400, ignoring={"no": 0.1}, random_state=4)
    complied = int(outcome.crowd.complies.sum())
    assert abs(complied - 360) < 4 * 6  # s.d. = √(400·0.9·0.1) = 6
    directly = int(outcome.crowd.direct.sum())
    assert abs(directly - 40) < 4 * 6


@pytest.mark.slow
def test_direct_answers_are_the_truth_and_the_others_are_disguised(store: Store) -> None:
    outcome = run(create(store), 300, random_state=5)
    assert sent(outcome.reports("direct")) == sent(outcome.truth("direct"))
    truth, reports = outcome.truth("disguised"), outcome.reports("disguised")
    place = truth.schema.position("drugs")
    kept = int((truth.columns[place] == reports.columns[place]).sum())
    n = len(truth)
    assert abs(kept - 0.8 * n) < 4 * np.sqrt(n * 0.16)


class Flaky:
    """A server that fails each request in three ways, in turn, before it serves it.

    It is out of reach, or its answer is lost after it has done its work, or it asks to come later.
    """

    def __init__(self, app: Any) -> None:
        self.app = app
        self.tries: Counter[bytes] = Counter()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        body = await Request(scope, receive).body()

        async def again() -> Any:
            return {"type": "http.request", "body": body, "more_body": False}

        self.tries[body] += 1
        failure = (len(self.tries) + self.tries[body]) % 3 if self.tries[body] <= 3 else None
        if failure == 0:
            raise httpx.ConnectError("the network is down")
        if failure == 1:
            await self.app(scope, again, _lost)
            raise httpx.ReadTimeout("the answer was lost")
        if failure == 2:
            await _say(send, 503, [])
        else:
            await self.app(scope, again, send)


async def _lost(message: Any) -> None:
    pass


async def _say(send: Any, status: int, headers: list[tuple[bytes, bytes]]) -> None:
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


@pytest.mark.slow
def test_on_a_broken_network_every_answer_is_kept_exactly_once(invited: Store) -> None:
    guests = [Invitation.of(link) for link in links_for(invited, 25)]
    flaky = Flaky(create(invited))
    outcome = run(flaky, 25, invitations=guests, connections=25)
    assert outcome.acknowledged == 25
    # The survey itself, a token and an answer each: whatever is sent again is the very same.
    assert set(flaky.tries.values()) == {4}
    assert len(flaky.tries) == 1 + 25 + 25
    assert outcome.retried == 3 * 50
    size = size_of(len(invited.survey.design.schema))
    answers = [body for body in flaky.tries if b"report" in body]
    assert [len(body) for body in answers] == [size] * 25
    invited.close()
    kept = Counter(invited.reports("disguised")) + Counter(invited.reports("direct"))
    assert kept == sent(outcome.reports())


@pytest.mark.slow
def test_a_server_that_says_when_to_come_back_is_heeded(store: Store) -> None:
    app, seen = create(store), []

    async def busy(scope: Any, receive: Any, send: Any) -> None:
        if scope["path"] == "/api/answers":
            seen.append(asyncio.get_running_loop().time())
            if len(seen) == 1:
                await _say(send, 429, [(b"retry-after", b"1")])
                return
        await app(scope, receive, send)

    assert run(busy, 1).acknowledged == 1
    assert seen[1] - seen[0] >= 1


def test_people_give_up_in_the_end(store: Store) -> None:
    app = create(store)

    async def down(scope: Any, receive: Any, send: Any) -> None:
        if scope["path"] == "/api/survey":
            await app(scope, receive, send)
        else:
            await _say(send, 503, [])

    outcome = run(down, 3, patience=0.2)
    assert (outcome.acknowledged, outcome.gave_up) == (0, 3)
    assert outcome.retried > 0


def test_where_no_survey_is_that_is_said(store: Store) -> None:
    with pytest.raises(DataError, match=r"no survey at http://127\.0\.0\.1:9"):
        simulate("http://127.0.0.1:9", 1, patience=0.1)
    with pytest.raises(DataError, match="is no address"):
        simulate("127.0.0.1:8000", 1)

    async def other(scope: Any, receive: Any, send: Any) -> None:
        await _say(send, 404, [])

    with pytest.raises(DataError, match=r"The server answered 404\)"):
        run(other, 1)
    store.close()
    with pytest.raises(DataError, match="closed"):
        run(create(store), 1)


def test_the_same_seed_invents_the_same_people(store: Store) -> None:
    one, other = run(create(store), 30, random_state=7), run(create(store), 30, random_state=7)
    stranger = run(create(store), 30, random_state=8)
    assert sent(one.truth()) == sent(other.truth())
    assert one.crowd.written() == other.crowd.written()
    assert one.crowd.written() != stranger.crowd.written()
    assert not set(one.receipts.values()) & set(other.receipts.values())


def test_a_given_truth_is_answered_from(store: Store) -> None:
    schema = store.survey.design.schema
    truth = Records.from_codes([[0, 1, 1]] * len(schema), schema)
    assert run(create(store), 3, truth=truth).truth().columns[0].tolist() == [0, 1, 1]
    with pytest.raises(DataError, match="truth of 3"):
        run(create(store), 4, truth=truth)


# --- Populations ---------------------------------------------------------------------------------

SCHEMA = Schema.of({"drugs": ["no", "yes"], "cheated": ["no", "yes"], "age": ["a", "b", "c"]})


def test_people_are_as_their_population() -> None:
    population = InventedPopulation.invent(SCHEMA, np.random.default_rng(1))
    people = population.draw(20_000, np.random.default_rng(2))
    for name, column in zip(SCHEMA.names, people.columns, strict=True):
        expected = population.shares(name)
        found = np.bincount(column, minlength=len(expected)) / 20_000
        # A share of 20,000 has an s.d. of at most √(1/4/20000) = 0.0035.
        assert np.abs(found - expected).max() < 4 * 0.0035
        assert expected.sum() == pytest.approx(1)


def test_answers_depend_on_each_other_unless_there_is_one_class() -> None:
    def association(classes: int) -> float:
        population = InventedPopulation.invent(SCHEMA, np.random.default_rng(3), classes=classes)
        drugs, cheated = population.answers[0][:, 1], population.answers[1][:, 1]
        both = float(population.sizes @ (drugs * cheated))
        return both - float(population.sizes @ drugs) * float(population.sizes @ cheated)

    assert association(1) == pytest.approx(0, abs=1e-12)
    assert abs(association(2)) > 0.001


@pytest.mark.parametrize(
    ("shares", "error"),
    [
        ({"drug": {"no": 1}}, SchemaError),
        ({"drugs": {"never": 1}}, SchemaError),
        ({"drugs": {"no": 0.5}}, DataError),
        ({"drugs": {"no": 1.5, "yes": -0.5}}, DataError),
    ],
)
def test_shares_that_make_no_sense_are_refused(
    shares: dict[str, dict[str, float]], error: type[Exception]
) -> None:
    with pytest.raises(error):
        InventedPopulation.invent(SCHEMA, np.random.default_rng(1), shares=shares)


# --- The command ---------------------------------------------------------------------------------


@pytest.fixture
def known(tmp_path: Path) -> Path:
    path = tmp_path / "known.yaml"
    path.write_text("moon: {no: 1, yes: 0}\ndrugs: {no: 3/4, yes: 25%}\n", encoding="utf-8")
    return path


@pytest.mark.slow
def test_the_command_tells_what_is_true(survey_file: Path, known: Path, deniable: Command) -> None:
    with serving(survey_file) as served:
        words = ("survey", "simulate", served.url, "--people", 40, "--truth", known)
        done = deniable(*words, "--json")
        assert done.code == 0, done.err
        found = json.loads(done.out)
        assert (found["people"], found["acknowledged"], found["refused"]) == (40, 40, {})
        assert found["truth"]["moon"] == {"no": 1.0, "yes": 0.0}
        assert found["answers_per_second"] > 0
        shown = deniable(*words, "--random-state", 1)
        assert "40 of 40 answers acknowledged" in shown.out
        assert "100.0 %" in shown.out


@pytest.mark.slow
def test_the_command_uses_each_link_of_a_file(
    invited: Store, invited_file: Path, tmp_path: Path, deniable: Command
) -> None:
    with serving(invited_file, tmp_path / "answers.db") as served:
        codes, links = invitations(served.store, served.url, 5)
        served.store.invite(codes)
        file = tmp_path / "invitations.csv"
        write_invitations(file, [{"email": f"{n}@x.example"} for n in range(5)], links)
        assert [each.code for each in read_invitations(file)] == codes
        done = deniable("survey", "simulate", served.url, "--invitations", file, "--json")
        assert done.code == 0, done.err
        assert json.loads(done.out)["acknowledged"] == 5
        again = deniable("survey", "simulate", served.url, "--invitations", file)
        assert again.code == 1
        assert "5 refused: This invitation was already used." in again.err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "cannot be read"),
        ("", "no column 'link'"),
        ("email\na@x.example\n", "no column 'link'"),
        ("link\nhttps://host/\n", "no code"),
    ],
)
def test_a_file_without_links_is_refused(tmp_path: Path, text: str | None, message: str) -> None:
    path = tmp_path / "invitations.csv"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=message):
        read_invitations(path)


def test_the_command_asks_how_many(deniable: Command) -> None:
    done = deniable("survey", "simulate", "http://127.0.0.1:9")
    assert done.code == 1
    assert "Say how many people answer." in done.err


# --- Truths that go together, and people who ignore the device ------------------------------------


def test_the_shares_of_one_answer_may_depend_on_another() -> None:
    shares: dict[str, dict[str, Any]] = {
        "sex": {"female": 0.5, "male": 0.5},
        "drugs by sex": {"female": {"no": 1.0, "yes": 0.0}, "male": {"no": 0.6, "yes": 0.4}},
        "cheated by drugs": {"no": {"no": 0.9, "yes": 0.1}, "yes": {"no": 0.0, "yes": 1.0}},
    }
    schema = Schema.of(
        {"cheated": ["no", "yes"], "drugs": ["no", "yes"], "sex": ["female", "male"]}
    )
    population = InventedPopulation.invent(schema, np.random.default_rng(1), shares=shares)
    assert population.shares("drugs") == pytest.approx([0.8, 0.2])
    assert population.shares("cheated") == pytest.approx([0.72, 0.28])
    drawn = population.draw(20_000, np.random.default_rng(2))
    assert not drawn.having({"sex": "female", "drugs": "yes"}).any()
    # s.d. √(20000·.2·.8) = 57
    assert abs(drawn.having({"sex": "male", "drugs": "yes"}).sum() - 4000) < 4 * 57
    assert drawn.having({"drugs": "yes", "cheated": "no"}).sum() == 0


@pytest.mark.parametrize(
    ("shares", "message"),
    [
        ({"drugs by sex": {"female": {"no": 1.0, "yes": 0.0}}}, "needs shares for each value"),
        (
            {"drugs by sex": {key: {"no": 1.0, "yes": 0.0} for key in ("female", "male")},
             "drugs": {"no": 1.0, "yes": 0.0}},
            "given twice",
        ),
        (
            {"drugs by sex": {key: {"no": 1.0, "yes": 0.0} for key in ("female", "male")},
             "sex by drugs": {key: {"female": 1.0, "male": 0.0} for key in ("no", "yes")}},
            "depend on themselves",
        ),
    ],
)  # fmt: skip
def test_joint_truths_that_cannot_be_are_refused(shares: dict[str, Any], message: str) -> None:
    schema = Schema.of({"drugs": ["no", "yes"], "sex": ["female", "male"]})
    with pytest.raises(DataError, match=message):
        InventedPopulation.invent(schema, np.random.default_rng(1), shares=shares)


def test_each_kind_of_people_does_what_is_said_of_it(store: Store) -> None:
    told = {}
    for behaviour in ("no", "first", "truth", "random"):
        document = json.loads(store.survey.asked)
        truth = InventedPopulation.invent(
            store.survey.design.schema, np.random.default_rng(1)
        ).draw(400, np.random.default_rng(2))
        seed = np.random.SeedSequence(3)
        crowd = Crowd.gather(document, truth, ignoring={behaviour: 1.0}, random_state=seed)
        assert crowd.kinds() == {"follow": 0, behaviour: 400}
        place = truth.schema.position("rating")
        told[behaviour] = crowd.reports.columns[place], truth.columns[place]
        shown = truth.schema.position("region")
        assert (crowd.reports.columns[shown] == truth.columns[shown]).all()
    for behaviour in ("no", "first"):  # "rating" has no "no": its first value is taken
        assert not told[behaviour][0].any()
    assert (told["truth"][0] == told["truth"][1]).all()
    # Each of three values 133 times, s.d. √(400·2/9) = 9.4
    assert np.abs(np.bincount(told["random"][0], minlength=3) - 400 / 3).max() < 4 * 9.4


def test_there_are_no_more_people_than_there_are(store: Store) -> None:
    with pytest.raises(DataError, match="More people would ignore the device"):
        run(create(store), 5, ignoring={"no": 0.7, "random": 0.5})


@pytest.mark.slow
def test_a_pilot_invites_by_itself_and_says_what_it_invented(
    invited_file: Path, tmp_path: Path, deniable: Command
) -> None:
    shares = tmp_path / "shares.yaml"
    shares.write_text("drugs by region: {north: 0, south: 1/2, west: 25%}\n", encoding="utf-8")
    words = ("survey", "simulate", invited_file, "--people", 60, "--truth", shares)
    kept = ("--database", tmp_path / "trial.db")
    done = deniable(*words, *kept, "--ignore", "no=0.2", "--ignore", "random=1/10")
    assert done.code == 0, done.err
    for said in (
        "60 of 60 answers acknowledged",
        "follow the device.",
        "always say no.",
        "answer at random.",
        "Shares as given: drugs by region, moon.",
        "Shares that are invented: region, substances_cannabis",
        "Whether people follow the device cannot be told yet.",
        "more answers would make it 80 of 100",
    ):
        assert said in done.out, said
    again = deniable(*words, *kept)
    assert again.code == 1
    assert "There are answers in this database already." in again.err
    told = json.loads(deniable(*words, "--json").out)
    assert told["results"]["controls"]["items"] == ["moon"]
    assert told["kinds"] == {"follow": 60}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--ignore", "maybe=0.1"), "names no way to ignore the device"),
        (("--ignore", "no"), "names no way to ignore the device"),
        (("--ignore", "no=0.1", "--comply", 0.9), "say the same"),
        (("--invitations", "links.csv"), "invited by itself"),
        ((), "Say how many people answer."),
    ],
)
def test_what_a_pilot_cannot_do_is_refused(
    survey_file: Path, words: tuple[object, ...], message: str, deniable: Command
) -> None:
    done = deniable("survey", "simulate", survey_file, *words)
    assert done.code == 1
    assert message in done.err
