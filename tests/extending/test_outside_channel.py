"""A channel of another package, in one file, does all that our own channels do.

Its page, in a real browser: tests/survey/browser/test_browser_outside_channel.py.
"""

import asyncio
import inspect
import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import log
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import numpy as np
import pyarrow.parquet as pq
import pytest
import yaml
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import chi2

from channel import test_channel_weights as weights
from channel import test_undo as undoing
from channel.test_channel_weights import Case, Chances, Pattern, Story
from commanding import Command
from deniable.base.errors import DesignError
from deniable.channel import Channel, OneAttribute, kinds, named
from deniable.design import Design
from deniable.engine import Records
from deniable.privacy.attack.audit import audited_epsilon
from deniable.privacy.measures.single_answer import epsilon
from deniable.respondents import simulation
from deniable.source.disguise import disguise_records
from deniable.source.randomness import BitDice, SeededBits
from deniable.survey.questionnaire import groups, load
from deniable.survey.questionnaire.group_on_page import page_channels
from deniable.survey.results import published
from deniable.survey.server.app import create
from deniable.survey.store.database import SurveyDatabase
from deniable.survey.store.store import Store
from extending.distribution import installed
from extending.outside_channel import Slide

GROUP = "deniable.channels"
RARELY = 1e-6
"""A chi-square test with a fixed seed fails this rarely where all is well."""

DOCUMENT = {
    "attributes": {
        "drinks": ["never", "seldom", "weekly", "daily"],
        "smokes": ["no", "yes"],
        "ill": ["no", "yes"],
    },
    "groups": [
        {"attributes": ["drinks"], "channel": "slide", "alpha": "1/3"},
        {"attributes": ["smokes"], "channel": "related", "theta": "4/5"},
    ],
}
N = 20_000
SHARES = (0.4, 0.3, 0.2, 0.1)
"""Of the answers never to daily."""


@pytest.fixture
def slide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Another author's package."""
    named.cache_clear()
    yield installed(tmp_path, monkeypatch, GROUP, "slide", "extending.outside_channel:Slide")
    named.cache_clear()


@pytest.fixture
def slid(slide: str, tmp_path: Path) -> Path:
    """A design with its channel."""
    path = tmp_path / "slid.yaml"
    path.write_text(yaml.safe_dump(DOCUMENT, sort_keys=False), encoding="utf-8")
    return path


@pytest.fixture
def people(slid: Path) -> Records:
    """Who drinks more is ill more often; smoking has nothing to do with it."""
    generator = np.random.default_rng(3)
    drinks = generator.choice(4, size=N, p=SHARES)
    ill = generator.random(N) < np.array([0.1, 0.2, 0.7, 0.9])[drinks]
    columns = [drinks, generator.integers(2, size=N), ill.astype(np.int64)]
    return Records.from_codes(columns, Design.load(slid).schema)


@pytest.fixture
def raw(people: Records, tmp_path: Path) -> Path:
    path = tmp_path / "raw.parquet"
    pq.write_table(people.to_arrow(), path)
    return path


@pytest.fixture
def reports(people: Records, slid: Path, tmp_path: Path) -> Path:
    path = tmp_path / "reports.parquet"
    reported = disguise_records(people, None, Design.load(slid), SeededBits(5))
    pq.write_table(reported.to_arrow(), path)
    return path


# --- Its algebra, by the suite of our own channels ------------------------------------------------


def sliding(size: int, alpha: Fraction) -> Story:
    """Go step by step: a coin for the direction, then on while another coin says so."""

    def story(truth: Pattern) -> Chances:
        yield truth, (1 - alpha) / (1 + alpha)
        for way, end in ((-1, 0), (1, size - 1)):
            place, still = truth[0], alpha / (1 + alpha)
            while place not in {end, end - way}:
                place += way
                yield (place,), still * (1 - alpha)
                still *= alpha
            yield (end,), still

    return story


@st.composite
def a_slide(draw: st.DrawFn) -> Case:
    size, alpha = draw(st.integers(2, 8)), Fraction(draw(st.integers(0, 95)), 100)
    return Case(Slide((size,), alpha), sliding(size, alpha))


def of_every_channel(test: Any) -> bool:
    """Whether a test of ours runs over all channels."""
    return any(mark.args[0] == "cases" for mark in getattr(test, "pytestmark", ()) if mark.args)


SUITE: dict[str, Callable[..., None]] = {
    name: test
    for name, test in {**vars(weights), **vars(undoing)}.items()
    if name.startswith("test_") and of_every_channel(test)
}


@pytest.mark.parametrize("check", SUITE.values(), ids=list(SUITE))
def test_it_passes_the_suite_of_our_own_channels(check: Callable[..., None]) -> None:
    check(cases=a_slide())


@pytest.mark.parametrize("alpha", [Fraction(0), Fraction(1, 3), Fraction(9, 10)])
@pytest.mark.parametrize("size", [2, 3, 6])
def test_what_a_reader_asks_has_the_answers_of_the_matrix(size: int, alpha: Fraction) -> None:
    channel = Slide((size,), alpha)
    matrix = np.array(channel.exact_columns(), dtype=float).T
    table = np.random.default_rng(1).random((size, 2))
    every = np.arange(size)[:, None]
    best, truths = channel.guess(table)
    for report in range(size):
        likely = matrix[report][:, None] * table
        assert best[report] == pytest.approx(likely.max(axis=0))
        assert truths[report].tolist() == likely.argmax(axis=0).tolist()
    assert channel.send(table) == pytest.approx(matrix @ table)
    assert channel.send(table, transposed=True) == pytest.approx(matrix.T @ table)
    assert channel.chance(every[:, None], every[None]) == pytest.approx(matrix)
    assert channel.heaviest() == pytest.approx(np.abs(np.linalg.inv(matrix)).max())
    with np.errstate(divide="ignore"):
        assert channel.ratio() == pytest.approx((matrix.max(axis=1) / matrix.min(axis=1)).max())


def thrown(channel: Channel, runs: int) -> NDArray[np.int64]:
    """Counts ``[truth, report]`` of as many runs of each truth."""
    (size,) = channel.sizes
    truth = np.repeat(np.arange(size), runs)
    (report,) = channel.disguised((truth,), None, BitDice(SeededBits(7)))
    counts = np.zeros((size, size), dtype=np.int64)
    np.add.at(counts, (truth, report), 1)
    return counts


def test_its_reports_come_as_often_as_it_says_and_give_no_more_away() -> None:
    channel, runs = Slide((4,), Fraction(1, 2)), 100_000
    counts = thrown(channel, runs)
    expected = runs * channel.matrix([0]).T
    off = float(((counts - expected) ** 2 / expected).sum())
    assert off < chi2.isf(RARELY, 4 * 3)
    audited = audited_epsilon(counts[0], counts[3])
    assert epsilon(channel) == pytest.approx(log(8))
    assert audited <= log(8)
    # The rarer report has 1/12 of the runs, so an sd of 1.1 % of itself. The bound lies some 3.4 of
    # them off (1 % shared by 16 tries), the count 4 at most; the commoner report adds little.
    assert audited > log(8) - 0.011 * (3.4 + 4) - 0.02


def test_a_device_for_one_attribute_needs_four_answers_beside_its_matrix() -> None:
    # As CONTRIBUTING.md says.
    assert OneAttribute.__abstractmethods__ == {"read", "options", "plan_range", "practice"}


# --- By every command -----------------------------------------------------------------------------


def test_a_design_is_checked_and_told(slid: Path, deniable: Command) -> None:
    done = deniable("design", "check", slid)
    assert done.code == 0, done.err
    assert "each further step is 33.3 % as likely" in " ".join(done.out.split())
    assert Design.of(Design.load(slid).document()) == Design.load(slid)
    assert kinds()[-1] == "slide"


def test_records_are_disguised_and_counted(
    slid: Path, raw: Path, deniable: Command, tmp_path: Path
) -> None:
    out = tmp_path / "out.parquet"
    done = deniable("disguise", raw, "--design", slid, "--out", out, "--random-state", 11)
    assert done.code == 0, done.err
    truth, told = (pq.read_table(path)["drinks"].to_pylist() for path in (raw, out))
    assert truth != told
    asked = [f"drinks={value}" for value in dict.fromkeys(truth)]
    found = json.loads(deniable("estimate", out, "--design", slid, *asked, "--json").out)
    for row, value in zip(found, dict.fromkeys(truth), strict=True):
        assert row["std_error"] > 0
        assert abs(row["value"] - truth.count(value)) < 4 * row["std_error"]


@pytest.mark.slow
@pytest.mark.parametrize("miner", ["tree", "bayes"])
def test_models_find_through_it_what_is_there(
    miner: str, slid: Path, raw: Path, reports: Path, deniable: Command, tmp_path: Path
) -> None:
    model = tmp_path / "model.json"
    ask = ("mine", miner, reports, "--design", slid, "--target", "ill", "--out", model)
    done = deniable(*ask)
    assert done.code == 0, done.err
    found = json.loads(deniable("score", model, raw, "--json").out)
    # Best is "ill" from weekly on: right for .4·.9 + .3·.8 + .2·.7 + .1·.9 = .83 of the people.
    assert abs(found["accuracy"] - 0.83) < 4 * np.sqrt(0.83 * 0.17 / N)
    seen = json.loads(deniable("score", model, reports, "--design", slid, "--json").out)
    assert abs(seen["accuracy"] - found["accuracy"]) < 4 * seen["std_error"]


def test_its_privacy_is_reported(slid: Path, raw: Path, deniable: Command, tmp_path: Path) -> None:
    page = tmp_path / "privacy.html"
    done = deniable("privacy", slid, "--population", raw, "--html", page, "--json")
    assert done.code == 0, done.err
    found = json.loads(done.out)
    # The ends of a scale of four: three steps of α = 1/3; a yes/no answer of θ = 4/5.
    assert [group["epsilon"] for group in found["groups"]] == pytest.approx([log(27), log(4)])
    guessed = found["attributes"]["drinks"]
    assert guessed["epsilon"] == pytest.approx(log(27))
    assert guessed["before"] < guessed["guess"] < 1
    assert "drinks" in page.read_text(encoding="utf-8")


def test_it_is_planned(slide: str, deniable: Command, tmp_path: Path) -> None:
    out = tmp_path / "planned.yaml"
    ask = ("plan", "drinks=a:0.4,b:0.3,c:0.2,d:0.1", "--epsilon", 2, "--respondents", 5000)
    done = deniable(*ask, "--channel", "slide", "--out", out)
    assert done.code == 0, done.err
    (group,) = Design.load(out).groups
    assert group.channel.kind == "slide"
    # ε = 3·ln(1/α), and α, some 0.51, is rounded up to three decimals: by 3·0.001/0.51 at most.
    assert 2 - 0.006 < epsilon(group.channel) <= 2
    tried = json.loads(deniable(*ask, "--json").out)
    assert "slide" in {option["channel"] for option in tried["alternatives"]}


# --- In a survey ----------------------------------------------------------------------------------

SURVEY = {
    "survey": "evenings",
    "languages": ["en"],
    "title": "Evenings",
    "contact": "research@university.example",
    "consent": "We ask, you answer.",
    "invitations": "no",
    "results": {"after": "100", "every": "100"},
    "questions": {
        "drinks": {
            "text": "How often do you drink?",
            "options": {v: v.title() for v in ("never", "seldom", "weekly", "daily")},
        },
    },
    "groups": [{"attributes": ["drinks"], "channel": "slide", "alpha": "1/2"}],
}


@pytest.fixture
def asked(slide: str, tmp_path: Path) -> Path:
    """A survey with its channel."""
    path = tmp_path / "survey.yaml"
    path.write_text(yaml.safe_dump(SURVEY, sort_keys=False), encoding="utf-8")
    return path


@pytest.fixture
def _page_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the page for one that was built with outside_channel.ts."""
    monkeypatch.setattr(groups, "page_channels", lambda: (*page_channels(), "slide"))


def test_a_page_without_its_device_is_found_out_before_anybody_is_asked(
    asked: Path, deniable: Command
) -> None:
    done = deniable("survey", "check", asked)
    assert done.code == 1
    said = " ".join((done.out + done.err).split())
    assert "The respondent's page has no device for the channel 'slide'." in said
    assert "make web CHANNELS=ENTRY.ts" in said


@pytest.mark.usefixtures("_page_has_it")
def test_the_page_is_told_its_law_its_practice_and_what_people_can_do_by_hand(
    asked: Path, deniable: Command
) -> None:
    done = deniable("survey", "check", asked)
    assert done.code == 0, done.err
    told = json.loads(load(asked).asked)
    (of_scale,) = told["shown"]
    sixths: list[list[Any]] = [
        [4, 1, "1/2", "1/2"],
        [2, 2, 1, 1],
        [1, 1, 2, 2],
        ["1/2", "1/2", 1, 4],
    ]
    expected = [[Fraction(p) / 6 for p in column] for column in sixths]
    assert [[Fraction(p) for p in column] for column in of_scale["law"]] == expected
    assert (of_scale["outcomes"], of_scale["byHand"]) == ([], None)
    # With two values it is a coin, which a die can do: 1/(1+α) = 2/3.
    practice = told["practice"]
    assert practice["group"]["channel"] == "slide"
    assert practice["shown"]["byHand"] == {
        "tool": "die",
        "outcomes": ["1–4", "5–6"],
        "parts": [{"do": "truth"}, {"do": "opposite"}],
    }
    assert told["devices"] == ["page"]


@pytest.mark.slow
@pytest.mark.usefixtures("_page_has_it")
def test_simulated_people_answer_and_their_truth_is_found(asked: Path, tmp_path: Path) -> None:
    store = Store(SurveyDatabase(tmp_path / "survey.db"), load(asked))
    transport = httpx.ASGITransport(create(store))
    truth = dict(zip(("never", "seldom", "weekly", "daily"), SHARES, strict=True))
    answered = simulation(
        "http://survey.test", 400, truth={"drinks": truth}, random_state=1, transport=transport
    )
    assert asyncio.run(answered).acknowledged == 400
    store.close()
    found = published(store)
    store.database.close()
    assert found is not None
    for share in found.results.shares:
        assert share.disguised
        # An interval of 95 % is about 2 standard errors to each side: 4 are twice as wide.
        half = (share.estimate.high - share.estimate.low) / 2
        assert abs(share.estimate.share - truth[share.value]) < 2 * half


# --- Leaving anything out fails, in one sentence --------------------------------------------------

PARTS = sorted(Channel.__abstractmethods__)

WITHOUT = SimpleNamespace(
    **{
        part: type("Without", (Slide,), {part: inspect.getattr_static(Channel, part)})
        for part in PARTS
    },
    kind=type("Nameless", (Slide,), {"kind": None}),
    base=type("Slide", (), {"kind": "slide"}),
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("part", "sentence"),
    [
        *((part, f"does not say: {part}.") for part in PARTS),
        ("kind", "calls itself None."),
        ("base", "is no subclass of deniable.channel.Channel."),
        ("nothing", "does not work: 'types.SimpleNamespace' object has no attribute 'nothing'."),
    ],
)
def test_a_channel_that_lacks_a_part_is_refused_before_it_is_used(
    part: str,
    sentence: str,
    tmp_path: Path,
    deniable: Command,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    named.cache_clear()
    target = f"extending.test_outside_channel:WITHOUT.{part}"
    package = installed(tmp_path, monkeypatch, GROUP, "slide", target)
    path = tmp_path / "slid.yaml"
    path.write_text(yaml.safe_dump(DOCUMENT, sort_keys=False), encoding="utf-8")
    done = deniable("design", "check", path)
    assert done.code == 1
    assert f"Group 1: the channel 'slide' of the package {package} {sentence}" in done.err
    assert done.err.count("\n") <= 2
    assert "Traceback" not in done.err


def test_where_it_is_not_installed_it_is_not_known() -> None:
    named.cache_clear()
    with pytest.raises(DesignError, match="there is no channel 'slide'"):
        Design.of(DOCUMENT)
    assert "slide" not in kinds()


def test_a_channel_that_two_packages_offer_is_refused(
    slide: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = installed(tmp_path, monkeypatch, GROUP, "slide", "extending.outside_channel:Slide")
    with pytest.raises(DesignError, match=f"'slide' is offered by {slide} and {other}."):
        Design.of(DOCUMENT)


def test_an_alpha_that_says_nothing_is_refused_with_a_hint() -> None:
    with pytest.raises(DesignError, match="whatever the truth"):
        Slide((4,), Fraction(1))
