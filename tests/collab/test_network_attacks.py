"""A peer that breaks the rules of alignment, toss, terms and result; on the real server.

Every attack is tried a second time on a server in which what stops it was taken out.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from collab.intruder import around
from collab.network_intruder import NetworkIntruder
from collab.parties import PATIENTS, Gathering, by_columns, by_rows
from collab.processes import finished, running, serving
from deniable.base.errors import AnswerError, CollabError
from deniable.base.fingerprint import digest_of
from deniable.collab.ledger import read
from deniable.collab.session.intersection import (
    Identifiers,
    IntersectionClient,
    same_identifiers,
)
from deniable.collab.session.leader_draw import committed
from deniable.collab.wire.message import Message
from mine.datasets import random_records

pytestmark = pytest.mark.slow

TREE = {"tree": {"target": "ill", "growth": "faithful"}}
SECRET = b"s" * 32


def guesses(gathering: Gathering, *names: str) -> tuple[dict[str, Any], tuple[bytes]]:
    """A request of an intersection with guessed people."""
    ids = Identifiers.of(names)
    points = IntersectionClient(ids, SECRET, gathering.agreement.digest).request()
    return {"records": len(ids)}, (points,)


# --- one intersection in a run, of a limited size, and in the ledger first ------------------------

ONE_AFTER_THE_OTHER = """
from deniable.collab.follower.follower_session import FollowerSession
FollowerSession._require_only = lambda *_: None
"""
NO_LIMIT = """
import deniable.collab.follower.follower_session as session
session.FEW_SOUGHT = 10**9
"""


def found(intruder: NetworkIntruder, *names: str) -> list[str]:
    """Who of these is at south, as a seeker learns it."""
    fields, parts = guesses(intruder.gathering, *names)
    reply = intruder.say("intersect", fields, parts)
    ids = Identifiers.of(names)
    seeker = IntersectionClient(ids, SECRET, intruder.gathering.agreement.digest)
    return [ids[row] for row in seeker.common(*reply.parts)]


def test_a_seeker_may_guess_once(tmp_path: Path) -> None:
    gathering = around(tmp_path, 40)
    with serving(gathering, "south"), NetworkIntruder(gathering) as intruder:
        intruder.agree()
        assert found(intruder, "p1", "nobody") == ["p1"]
        assert "an intersection with 2 identifiers of north" in intruder.rows()
        before = len(intruder.rows().splitlines())
        assert found(intruder, "p1", "nobody") == ["p1"], "asking again gives the same"
        assert len(intruder.rows().splitlines()) == before
        with pytest.raises(AnswerError, match="with other identifiers before"):
            found(intruder, "p2", "nobody")
        assert "which is not the first, refused" in intruder.rows()


def test_if_it_might_again_it_would_learn_more(tmp_path: Path) -> None:
    gathering = around(tmp_path, 40)
    with (
        serving(gathering, "south", planted=ONE_AFTER_THE_OTHER),
        NetworkIntruder(gathering) as intruder,
    ):
        intruder.agree()
        assert found(intruder, "p1", "nobody") == ["p1"]
        assert found(intruder, "p2", "nobody") == ["p2"]


def test_a_seeker_may_not_try_all_numbers_there_are(tmp_path: Path) -> None:
    gathering = around(tmp_path, 40)
    many = [f"p{number}" for number in range(10_000 + 10 * 40 + 1)]
    with serving(gathering, "south"), NetworkIntruder(gathering) as intruder:
        intruder.agree()
        with pytest.raises(AnswerError, match="with 10,400 identifiers at most"):
            found(intruder, *many)
        assert "an intersection with 10,401 identifiers of north, refused" in intruder.rows()
        assert len(found(intruder, *many[:-1])) == 40


def test_without_a_limit_it_would(tmp_path: Path) -> None:
    gathering = around(tmp_path, 40)
    many = [f"p{number}" for number in range(10_000 + 10 * 40 + 1)]
    with serving(gathering, "south", planted=NO_LIMIT), NetworkIntruder(gathering) as intruder:
        intruder.agree()
        assert len(found(intruder, *many)) == 40


def test_a_comparison_is_in_the_ledger_and_by_one_key(tmp_path: Path) -> None:
    gathering = around(tmp_path, 40, align="key")
    everybody = Identifiers.of(f"p{number}" for number in range(40))
    with serving(gathering, "south"), NetworkIntruder(gathering) as intruder:
        intruder.agree()
        for _ in range(2):
            reply = intruder.say("compare", {}, (SECRET,))
            assert reply.fields["same"] == same_identifiers(everybody, SECRET)
            assert intruder.rows().count("a comparison of all identifiers by north") == 1
        with pytest.raises(AnswerError, match="by another key"):
            intruder.say("compare", {}, (b"t" * 32,))


def test_guessed_lists_fill_no_disk(tmp_path: Path) -> None:
    gathering = around(tmp_path, 40)
    with serving(gathering, "south"), NetworkIntruder(gathering) as intruder:
        intruder.agree()
        for number in range(60):
            with pytest.raises(AnswerError, match=r"refuses the list|refused too often"):
                intruder.say("settle", {}, (SECRET, bytes([number]) * 32))
        assert intruder.rows().count("a list of people by north, refused") == 50
        with pytest.raises(AnswerError, match="refused too often"):
            found(intruder, "p1")


# --- the result, and the terms --------------------------------------------------------------------

NO_DIGESTS = """
import deniable.collab.follower.follower_session as session
from deniable.collab.protocol.verbs import TakeResult
take = session.FollowerSession.take_result
session.FollowerSession.take_result = lambda self, asked: take(
    self, TakeResult(session.digest_of(asked.model), asked.model))
"""


@pytest.mark.parametrize("planted", ["", NO_DIGESTS], ids=["as it is", "unchecked"])
def test_a_result_must_be_the_one_that_its_digest_is_of(tmp_path: Path, planted: str) -> None:
    gathering = around(tmp_path, 40)
    with serving(gathering, "south", planted=planted), NetworkIntruder(gathering) as intruder:
        intruder.agree()
        other = "refused|no model" if planted else "not the one that its digest is of"
        with pytest.raises(AnswerError, match=other):
            intruder.say("result", {"digest": digest_of(b"another")}, (b"{}",))


WITHOUT_TERMS = """
from deniable.collab.follower.dispatcher import Dispatcher
from deniable.collab.wire.message import Message
replied = Dispatcher._replied
def without(self, *rest):
    told = replied(self, *rest)
    return Message(told.verb, {**told.fields, "terms": None}, told.parts)
Dispatcher._replied = without
"""


def test_a_follower_that_leaves_the_terms_out_is_left(tmp_path: Path) -> None:
    gathering = around(tmp_path, 40, mode="collect", own_columns="plain", disguise=GROUPS)
    with serving(gathering, "south", planted=WITHOUT_TERMS):
        code, _, errors = finished(running(gathering, "north"))
        assert code != 0
        assert "south answers under other terms than were agreed on." in errors


GROUPS = {
    "south": [{"attributes": ["region", "drinks"], "channel": "related", "theta": "0.9"}],
}
TAKES_ANY_TERMS = """
import deniable.collab.session.remote_party as remote
ask = remote.RemoteParty.ask
def trusting(self, question):
    real = self._transport
    class Filled:
        def ask(_, message):
            from deniable.collab.wire.message import Message
            told = real.ask(message)
            terms = self.run.terms
            return Message(told.verb, {**told.fields, "terms": terms and terms.digest}, told.parts)
    self._transport = Filled()
    try:
        return ask(self, question)
    finally:
        self._transport = real
remote.RemoteParty.ask = trusting
"""


def test_a_leader_that_takes_any_terms_would_go_on(tmp_path: Path) -> None:
    gathering = around(tmp_path, 40, mode="collect", own_columns="plain", disguise=GROUPS)
    with serving(gathering, "south", planted=WITHOUT_TERMS):
        code, _, errors = finished(running(gathering, "north", planted=TAKES_ANY_TERMS))
        assert code == 0, errors


@pytest.mark.parametrize(
    "policy", [{"minimum cell": "x"}, {"nonsense": 1}, [], None, {"minimum cell": {"a": []}}, "no"]
)
def test_a_policy_that_cannot_be_read_is_the_peers(tmp_path: Path, policy: Any) -> None:
    gathering = around(tmp_path, 40)
    with serving(gathering, "south"), NetworkIntruder(gathering) as intruder:
        terms = {
            "agreement": gathering.agreement.digest,
            "policies": {"north": policy, "south": {}},
            "commitments": {"north": "0" * 64, "south": "0" * 64},
        }
        with pytest.raises(AnswerError, match="policy that 'north' is said to have cannot be read"):
            intruder.say("agree", {"document": terms})


# --- the toss -------------------------------------------------------------------------------------

THREE = {"north": ["smokes", "ill"], "south": ["region"], "east": ["drinks", "age"]}
BY_HEARSAY = """
import deniable.collab.follower.follower_session as session
def reveal(self, question):
    self.bind_coin(session.verbs.BindCoin(question.commitments))
    return session.verbs.CoinNumber(session.leader_draw.number(self.run))
session.FollowerSession.reveal_coin = reveal
"""


def drawing(folder: Path) -> Gathering:
    groups = {
        name: [{"attributes": columns, "channel": "related", "theta": "0.9"}]
        for name, columns in THREE.items()
    }
    return by_columns(
        folder, random_records(PATIENTS, 40, seed=10), THREE, mode="collect", mine=TREE,
        disguise=groups, leader="drawn", policy={"people": "0"},
    )  # fmt: skip


def two_tosses(intruder: NetworkIntruder) -> dict[str, str]:
    """Show south and east other commitments of north's, and hear their numbers."""
    honest = {n: intruder.say("commit", to=n).fields["commitment"] for n in ("south", "east")}
    heard = {}
    for number, name in enumerate(honest):
        shown = {**honest, "north": committed("north", f"{number:064x}")}
        heard[name] = intruder.say("reveal", {"commitments": shown}, to=name).fields["number"]
    return heard


def agrees(_: str, message: Message) -> Message:
    """North tells everybody that it saw what they saw."""
    shown = json.dumps(message.fields["commitments"], sort_keys=True)
    return Message("bound", {"bound": digest_of(shown)})


def test_commitments_of_a_toss_are_the_same_for_all_or_nobody_reveals(tmp_path: Path) -> None:
    gathering = drawing(tmp_path)
    with (
        serving(gathering, "south", "east"),
        NetworkIntruder(gathering) as intruder,
        intruder.answering(agrees),
        pytest.raises(CollabError, match="toss the coin a second time"),
    ):
        two_tosses(intruder)


def test_by_hearsay_both_would_reveal(tmp_path: Path) -> None:
    gathering = drawing(tmp_path)
    with (
        serving(gathering, "south", "east", planted=BY_HEARSAY),
        NetworkIntruder(gathering) as intruder,
        intruder.answering(agrees),
    ):
        assert len(two_tosses(intruder)) == 2


def test_a_toss_among_three_servers_still_ends(tmp_path: Path) -> None:
    gathering = drawing(tmp_path)
    with serving(gathering, "north", "south", "east"):
        code, out, errors = finished(running(gathering, "east", "--json"))
        assert code == 0, errors
        assert json.loads(out)["leader"] in THREE


# --- estimated counts: what is refused is written, and charged after a restart too ----------------


def test_refused_estimates_are_rows_and_are_charged_after_a_restart(tmp_path: Path) -> None:
    sites = {
        name: random_records(PATIENTS, 60, seed=number)
        for number, name in enumerate(("north", "south"))
    }
    hidden = [{"attributes": ["ill", "smokes"], "channel": "related", "theta": "0.9"}]
    gathering = by_rows(
        tmp_path, sites, mode="counts", mine=TREE, disguise={"north": hidden, "south": hidden},
        undisguised=["age", "region", "drinks"],
        policy={"minimum cell": "30", "counts": "6"},
    )  # fmt: skip
    small = [{"age": age, "region": "coast"} for age in ("young", "middle", "old")]
    large = [{"region": "coast"}, {"region": "hills"}, {"smokes": "yes"}]
    with serving(gathering, "south") as servers, NetworkIntruder(gathering) as intruder:
        intruder.agree()

        def ask(cells: list[dict[str, str]]) -> list[float | None]:
            listed = [[[name, value] for name, value in cell.items()] for cell in cells]
            asked = {"cells": listed, "of": "sample", "have": 0}
            values: list[float | None] = intruder.say("estimates", asked).fields["arrays"][0]
            return values

        assert ask(small) == [None] * 3
        rows = [row for row in read(gathering.ledger("south", "north")) if row.kind == "refused"]
        assert len(rows) == 3
        servers.kill("south")
        servers.start("south")
        assert ask(small) == [None] * 3, "asking again gives the same, and costs nothing"
        assert None not in ask(large[2:])
        with pytest.raises(CollabError, match="at most 6 counts, and 4 are released or refused"):
            ask([*large, {"smokes": "no"}])
