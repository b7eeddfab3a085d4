"""Leaders that ask sites for estimates only, and work out what is withheld.

Each attack is tried twice: with the weakness planted that it was found by, where it succeeds, and
on the program as it is.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Any, get_args

import pytest

from collab.intruder import TREE, agreed, cell
from collab.parties import PATIENTS, by_rows
from deniable.base.errors import AnswerError, PolicyError
from deniable.collab.cells import Cell
from deniable.collab.follower.estimate_release import EstimateRelease
from deniable.collab.policy import policy
from deniable.collab.protocol import verbs
from deniable.collab.session.remote_party import RemoteParty
from deniable.collab.session.run import Run
from deniable.collab.wire import message_limits as limits
from deniable.collab.wire.message import Message
from deniable.engine.memory.records import Records
from deniable.oracle.api import Target
from mine.datasets import random_records

planted_or_not = pytest.mark.parametrize("planted", [True, False], ids=["planted", "as it is"])

HIDDEN = [{"attributes": ["ill", "smokes"], "channel": "related", "theta": "0.9"}]
PLAIN = ("age", "region", "drinks")


@contextmanager
def leading(folder: Path, **others: Any) -> Iterator[tuple[RemoteParty, Records]]:
    """A leader of two sites in this process, at the defaults; and what one of them has."""
    sites = {
        name: random_records(PATIENTS, 60, seed=number)
        for number, name in enumerate(("north", "south"))
    }
    gathering = by_rows(
        folder, sites, mode="counts", mine=TREE, disguise={"north": HIDDEN, "south": HIDDEN},
        undisguised=PLAIN, **others,
    )  # fmt: skip
    run = Run(gathering.party("north"), gathering.agreement)
    try:
        contact = RemoteParty(run, "south", gathering.loop("north", "south"))
        agreed(run, contact)
        yield contact, sites["south"]
    finally:
        run.close()
        gathering.close()


def judged_alone_only(self: EstimateRelease, of: Cell) -> Cell:
    """As it was: a term about a disguised column made an estimate nobody's business."""
    return of if all(name in self.design.public for name, _ in of) else frozenset()


@planted_or_not
def test_a_withheld_count_is_not_the_sum_of_estimates_over_a_disguised_column(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, planted: bool
) -> None:
    """Ten times of ten, single patients among them: by unmodified programs, at the defaults."""
    if planted:
        monkeypatch.setattr(EstimateRelease, "_part", judged_alone_only)
    groups = [cell(age=a, drinks=d) for a in ("young", "old") for d in ("never", "some", "much")]
    groups = [each | cell(region=r) for each in groups for r in ("coast", "hills")]
    with leading(tmp_path) as (site, records):
        for again in (False, True):
            if again:
                site.greet()  # what was told is known after a restart too
            for group in groups:
                true = int(records.having(dict(group)).sum())
                asked = [group, *(group | cell(ill=each) for each in ("well", "sick"))]
                alone, *parts = site.ask(verbs.EstimateCounts(asked, "sample")).arrays[0]
                told = None if None in parts else sum(map(float, filter(None, parts)))
                if true < 10:
                    assert alone is None
                    assert told == (pytest.approx(true) if planted else None)
                elif alone is not None:
                    assert told == pytest.approx(alone)


HUGE: dict[str, dict[str, Any]] = {
    "people": {"n": 10**400},
    "values": {"arrays": [[1e308, 1e308]] * 4},
}


@planted_or_not
@pytest.mark.parametrize("what", HUGE)
def test_a_site_cannot_send_numbers_that_nobody_can_add_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str, planted: bool
) -> None:
    """They ended a leader's program in the middle of its arithmetic, and not in one sentence."""
    if planted:
        monkeypatch.setattr(limits, "MOST_ESTIMATED", inf)
        monkeypatch.setattr(verbs, "MOST_ESTIMATED", inf)
    with leading(tmp_path) as (site, _):
        honest = site._transport.ask

        def huge(question: Message) -> Message:
            answer = honest(question)
            return replace(answer, fields={**answer.fields, **HUGE[what]})

        monkeypatch.setattr(site._transport, "ask", huge)
        with ExitStack() as expected:
            if not planted:
                expected.enter_context(pytest.raises(AnswerError, match="as it should be"))
            elif what == "people":
                expected.enter_context(pytest.raises(OverflowError))
            reply = site.ask(verbs.EstimateCounts([cell(), cell(ill="sick")], "sample"))
            assert sum(filter(None, reply.arrays[0])) == inf or what == "people"
            float(reply.n)


@planted_or_not
def test_estimates_have_an_end_that_nobody_need_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, planted: bool
) -> None:
    """Each is a row: without a limit a leader that asks for all conjunctions fills the disk."""
    monkeypatch.setattr(policy, "DEFAULT_ESTIMATES", 10**9 if planted else 3)
    with leading(tmp_path) as (site, _), ExitStack() as expected:
        assert "No more than" in site.run.agreement.story()
        asked = [cell(ill="sick"), cell(smokes="yes"), cell(ill="sick", smokes="yes")]
        for of in get_args(Target):
            if of == "population" and not planted:
                expected.enter_context(pytest.raises(PolicyError, match="at most 3 counts"))
            site.ask(verbs.EstimateCounts(asked, of))
