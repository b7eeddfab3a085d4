"""Sides that do not follow the protocol, through every message that a run takes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from collab.counting.two_sides import powers_of_two
from collab.intruder import TREE, Intruder, around, cell, intruding, vector
from collab.parties import EXACT, PATIENTS, Gathering
from deniable.base.errors import AnswerError, CollabError, LostSessionError, PeerError
from deniable.base.fingerprint import digest_of
from deniable.collab.agreement.approvals import approve
from deniable.collab.cells import Cell, listed, written
from deniable.collab.counting.backend import Backend, CountingSession, OwnKey, PeerKey
from deniable.collab.counting.bfv import Bfv
from deniable.collab.counting.parameters import Parameters, parameters
from deniable.collab.counting.plain_twin import Twin
from deniable.collab.counting.proofs import Opened
from deniable.collab.follower.dispatcher import Dispatcher
from deniable.collab.leader.lead import gathered, side_by_side
from deniable.collab.leader.plausibility import PlausibilityCheck
from deniable.collab.leader.secure_oracle import SecureOracle
from deniable.collab.ledger import Ledger
from deniable.collab.protocol import counting_verbs
from deniable.collab.protocol.body import REQUESTS, Request, Stamp
from deniable.collab.protocol.fields import AskedVector
from deniable.collab.secure.batches import HeldBatch
from deniable.collab.secure.count_party import PossibleCounts
from deniable.collab.session.remote_party import RemoteParty, Transport
from deniable.collab.session.run import Run
from deniable.collab.wire.message import Message
from deniable.oracle.randomized import RandomizedOracle

YOUNG, OLD = cell(age="young"), cell(age="old")
COAST, MUCH = cell(region="coast"), cell(drinks="much")
BITS = 15
"""As many as a count modulo 65,537 can carry, and be more than all records."""


class Weighing:
    """A backend that seals weights in place of 0 and 1."""

    def __init__(self, real: Backend, weights: Callable[[int], Any]) -> None:
        self._real, self._weights = real, weights

    def own_key(self, session: CountingSession, side: str) -> OwnKey:
        key = self._real.own_key(session, side)
        seal = key.seal

        def weighed(about: str, values: Any) -> bytes:
            honest = not about.startswith("part ")
            return seal(about, values if honest else self._weights(len(values)))

        key.seal = weighed  # type: ignore[method-assign]
        return key

    def peer_key(self, session: CountingSession, side: str, public: bytes) -> PeerKey:
        return self._real.peer_key(session, side, public)

    def sealed_size(self, parameters: Parameters) -> int:
        return self._real.sealed_size(parameters)

    def answer_size(self, parameters: Parameters) -> int:
        return self._real.answer_size(parameters)


def powers(n: int) -> Any:
    """Weights that read fifteen bits."""
    return powers_of_two(n, BITS)


def powers_that_add_up(n: int) -> Any:
    """The same, with one more record that makes their sum 100, as if nothing were wrong."""
    weights = powers_of_two(n, BITS)
    weights[BITS] = 100 - weights.sum()
    return weights


def blind(patch: pytest.MonkeyPatch, *checks: type) -> None:
    """Switch checks off, and proofs with them."""
    for check in checks:
        patch.setattr(check, "require", lambda *_, **__: None)
    patch.setattr(Opened, "require_known", lambda *_: None)
    patch.setattr(Opened, "require_proof", lambda *_: None)


def counts_in(path: Path) -> dict[str, float | None]:
    return {row.about: row.value for row in Ledger.open(path).rows if row.kind == "count"}


def bits_of(value: float, many: int) -> list[bool]:
    """What a weighted count says of the first records."""
    return [bool(int(value) % parameters(200).t >> place & 1) for place in range(many)]


BROKEN = "not what was agreed on"


class Shameless(HeldBatch):
    """A holder that goes on where an honest program sees that it cannot prove anything."""

    def audit(
        self, answers: Sequence[bytes], commitments: Mapping[str, str]
    ) -> tuple[str, list[int]]:
        found = super().audit(answers, commitments)
        object.__setattr__(self._opened, "require_known", lambda _: None)
        return found


def assert_stopped(gathering: Gathering) -> None:
    """Both ledgers say why."""
    for name, peer in (("south", "north"), ("north", "south")):
        last = Ledger.open(gathering.ledger(name, peer)).rows[-1]
        assert last.kind == "stopped"
        assert BROKEN in str(last.why)


# --- (b) weights in place of 0 and 1 --------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("weights", [powers, powers_that_add_up])
@pytest.mark.parametrize("backend", [Bfv(), Twin()], ids=["bfv", "twin"])
def test_a_leader_that_weighs_records_reads_no_bits(
    tmp_path: Path,
    backend: Backend,
    weights: Callable[[int], Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("deniable.collab.leader.secure_oracle.HeldBatch", Shameless)
    with intruding(around(tmp_path), backend) as intruder:
        oracle = SecureOracle(intruder.contact, Weighing(backend, weights))
        asked = [YOUNG | COAST, YOUNG | MUCH]
        with pytest.raises(CollabError, match=BROKEN):
            oracle.count([dict(each) for each in asked])
        assert counts_in(intruder.gathering.ledger("south", "north")) == {}
        assert_stopped(intruder.gathering)
        with pytest.raises(CollabError, match="This run was stopped"):
            SecureOracle(intruder.contact, backend)


def test_without_the_checks_a_leader_reads_the_followers_bits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blind(monkeypatch, PossibleCounts)
    with intruding(around(tmp_path)) as intruder:
        oracle = SecureOracle(intruder.contact, Weighing(Twin(), powers))
        oracle.count([dict(YOUNG | COAST), dict(YOUNG | MUCH)])
        value = counts_in(intruder.gathering.ledger("north", "south"))["age=young & region=coast"]
        assert value is not None
        assert bits_of(value, BITS) == intruder.theirs(COAST)[:BITS].tolist()


@contextmanager
def honest_leader(gathering: Gathering, cheat: Backend) -> Iterator[tuple[Run, RemoteParty]]:
    """A leader that has begun a run with a follower that cheats."""
    with intruding(gathering, cheat) as intruder:
        yield intruder.run, intruder.contact


ASKED = [YOUNG | COAST, OLD | COAST]
"""One part of the follower's, two of the leader's: so the follower holds."""


@pytest.mark.slow
@pytest.mark.parametrize("weights", [powers, powers_that_add_up])
@pytest.mark.parametrize("backend", [Bfv(), Twin()], ids=["bfv", "twin"])
def test_a_follower_that_weighs_records_reads_no_bits(
    tmp_path: Path,
    backend: Backend,
    weights: Callable[[int], Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("deniable.collab.follower.secure_follower.HeldBatch", Shameless)
    gathering = around(tmp_path)
    with honest_leader(gathering, Weighing(backend, weights)) as (_, contact):
        oracle = SecureOracle(contact, backend)
        with pytest.raises(CollabError, match=BROKEN):
            oracle.count([dict(each) for each in ASKED])
        about_crossing = [a for a in counts_in(gathering.ledger("south", "north")) if "age" in a]
        assert about_crossing == []
        assert_stopped(gathering)


def test_without_the_checks_a_follower_reads_the_leaders_bits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blind(monkeypatch, PossibleCounts)
    gathering = around(tmp_path)
    with honest_leader(gathering, Weighing(Twin(), powers)) as (run, contact):
        SecureOracle(contact, Twin()).count([dict(each) for each in ASKED])
        value = counts_in(gathering.ledger("south", "north"))["age=young & region=coast"]
        assert value is not None
        assert bits_of(value, BITS) == run.records.part(YOUNG)[:BITS].tolist()


GROUPS = {
    "north": [{"attributes": ["smokes"], "channel": "related", "theta": "0.9"}],
    "south": [{"attributes": ["region", "drinks"], "channel": "related", "theta": "0.9"}],
}


def everybody(n: int) -> Any:
    """An invented column: zeros and ones, so no proof of bits tells it."""
    return np.ones(n, dtype=np.int64)


def hybrid(folder: Path) -> Gathering:
    return around(folder, 2000, mode="hybrid", disguise=GROUPS)


def screened(run: Run, contact: RemoteParty) -> PlausibilityCheck:
    joint, design = side_by_side(run.agreement, gathered(run, run.agreement, [contact], print))
    return PlausibilityCheck(RandomizedOracle(joint, design))


@pytest.mark.slow
@pytest.mark.parametrize("compared", [True, False])
def test_an_invented_column_does_not_fit_the_disguised_records(
    tmp_path: Path, compared: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The comparison comes before anything is released: afterwards would be too late."""
    gathering = hybrid(tmp_path)
    # An audit of the leader's by what the follower has would not fit what it invented.
    monkeypatch.setattr("deniable.collab.secure.batches.AUDITED", 10**9)
    with honest_leader(gathering, Weighing(Twin(), everybody)) as (run, contact):
        oracle = SecureOracle(contact, Twin(), plausible=screened(run, contact))
        follower = gathering.dispatchers["south"].session("north", Stamp(**_stamp(run))).secure
        monkeypatch.setattr(follower.own.possible, "require", lambda *_, **__: None)
        if compared:
            with pytest.raises(CollabError, match="but the disguised records say"):
                oracle.count([dict(each) for each in ASKED])
        else:
            monkeypatch.setattr(PlausibilityCheck, "require", lambda *_: None)
            oracle.count([dict(each) for each in ASKED])
        crossing = {
            a: v for a, v in counts_in(gathering.ledger("south", "north")).items() if "age" in a
        }
        young = run.records.part(YOUNG).sum()
        assert crossing.get("age=young & region=coast") == (None if compared else young)


def _stamp(run: Run) -> dict[str, Any]:
    assert run.terms is not None
    return {"collaboration": run.agreement.digest, "terms": run.terms.digest, "rehearsal": None}


# --- (c) one permission, opened often -------------------------------------------------------------

COUNTED = [AskedVector(COAST, [YOUNG | COAST])]


def opened_rows(intruder: Intruder) -> int:
    rows = Ledger.open(intruder.gathering.ledger("south", "north")).rows
    return sum(int(row.value or 0) for row in rows if row.kind == "opened")


def test_a_permission_is_used_once_and_charged_before_anything_leaves(tmp_path: Path) -> None:
    """As it was: one permission served 63 answers, and 384 counts were opened under `counts: 5`."""
    with intruding(around(tmp_path)) as intruder:
        intruder.permit(COAST, YOUNG | COAST)
        with pytest.raises(CollabError, match="names a count twice"):
            intruder.say("hold", {"vectors": [vector(COAST, *[YOUNG | COAST] * 2)]})
        intruder.evaluating(COUNTED, stop="answers")
        assert opened_rows(intruder) == 2, "a count, and the size of its vector"
        for _ in range(2):
            with pytest.raises(LostSessionError, match="not asked for first"):
                intruder.evaluating(COUNTED, stop="answers")
        intruder.permit(COAST, YOUNG | COAST)
        intruder.evaluating(COUNTED, stop="answers")
        assert opened_rows(intruder) == 4, "the same count again is charged again"


@pytest.mark.parametrize("verb", ["answers", "material", "prove", "proof"])
def test_every_step_is_taken_once_and_in_order(tmp_path: Path, verb: str) -> None:
    with intruding(around(tmp_path)) as intruder:
        intruder.permit(COAST, YOUNG | COAST)
        message = intruder.evaluating(COUNTED, stop=verb)
        intruder.say(verb, message.fields, message.parts)
        with pytest.raises(LostSessionError, match="nobody waits for"):
            intruder.say(verb, message.fields, message.parts)


def test_a_batch_that_is_not_released_uses_up_the_limit(tmp_path: Path) -> None:
    policy = {"minimum cell": "0", "counts": "5", "noise": "none"}
    with intruding(around(tmp_path, policy=policy)) as intruder:
        begun = 0
        for _ in range(50):
            intruder.permit(COAST, YOUNG | COAST)
            try:
                intruder.evaluating(COUNTED, stop="answers")
            except LostSessionError:
                break
            begun += 1
        assert begun == 2  # of two counts each, beside one of the follower's own column


def test_a_stopped_run_does_not_go_on_in_the_same_process(tmp_path: Path) -> None:
    with intruding(around(tmp_path)) as intruder:
        intruder.permit(COAST, YOUNG | COAST)
        intruder.asks(counting_verbs.StopCounting("because"))
        stopped = intruder.written()
        questions: list[Request[Any]] = [
            counting_verbs.PermitCounts([OLD | COAST], {}),
            counting_verbs.BeginCounting("0" * 64),
            counting_verbs.StopCounting("again"),
        ]
        for question in questions:
            with pytest.raises(CollabError, match="This run was stopped: north: because"):
                intruder.asks(question)
        assert intruder.written() == stopped


def test_nothing_is_opened_beside_permitted_counts(tmp_path: Path) -> None:
    """A vector without counts would open its size, as often as anybody likes, and free."""
    with intruding(around(tmp_path)) as intruder:
        intruder.permit(COAST, YOUNG | COAST, OLD | COAST)
        intruder.begin()
        with pytest.raises(LostSessionError, match="not asked for first"):
            intruder.say("hold", {"vectors": [vector(COAST)]})
        twice = [vector(COAST, YOUNG | COAST), vector(COAST, OLD | COAST)]
        with pytest.raises(LostSessionError, match="twice"):
            intruder.say("hold", {"vectors": twice})


def test_noise_is_of_one_batch(tmp_path: Path) -> None:
    """Counts over two vectors of the leader's choice, with the same noise, would differ exactly."""
    with intruding(around(tmp_path, policy={})) as intruder:
        own = intruder.dispatcher.session("north", Stamp(**intruder.stamp)).secure.own
        joint = [
            cell(age=a, smokes=s) | COAST for a in PATIENTS["age"].values for s in ("no", "yes")
        ]
        drawn, alone = [], own.noise(COAST, COAST)
        for _ in range(2):
            drawn.append([[own.noise(each, COAST) for each in joint] for _ in range(2)])
            own.charge([AskedVector(COAST, [YOUNG | COAST])])
        assert drawn[0][0] == drawn[0][1]
        # Six draws are all the same again with a chance below .15⁶ = 10⁻⁵.
        assert drawn[0][0] != drawn[1][0]
        assert own.noise(COAST, COAST) == alone


class _Deaf:
    """A way to a follower that loses every message of some verbs."""

    def __init__(self, line: Transport, *verbs: str) -> None:
        self._line, self._verbs, self.lost = line, verbs, 0

    def ask(self, message: Message) -> Message:
        reply = self._line.ask(message)
        if message.verb in self._verbs:
            self.lost += 1
            raise LostSessionError("I was started again.", hint="Begin again.")
        return reply


def test_a_follower_that_forgets_what_it_was_told_uses_up_the_limit(tmp_path: Path) -> None:
    """The leader has charges of its own; else it would count over as many vectors as it is sent."""
    policy = {**EXACT, "minimum cell": "0", "counts": "6"}
    with intruding(around(tmp_path, policy=policy)) as intruder:
        line = _Deaf(intruder.line, "hold")
        oracle = SecureOracle(RemoteParty(intruder.run, "south", line), Twin())
        assert np.isnan(oracle.count([dict(each) for each in ASKED]).value).any()
        assert line.lost <= 2


def test_a_leader_needs_nobody_to_stop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The follower is caught, and does not want to hear it."""
    monkeypatch.setattr("deniable.collab.follower.secure_follower.HeldBatch", Shameless)
    with intruding(around(tmp_path), Weighing(Twin(), powers)) as intruder:
        contact = RemoteParty(intruder.run, "south", _Deaf(intruder.line, "stop"))
        asked = [dict(each) for each in ASKED]
        with pytest.raises(CollabError, match=BROKEN):
            SecureOracle(contact, Twin()).count(asked)
        with pytest.raises(CollabError, match="This run was stopped: north"):
            SecureOracle(contact, Twin())


# --- (d) messages that are not as they should be --------------------------------------------------

Damage = Callable[..., tuple[dict[str, Any], tuple[bytes, ...]]]

JUNK: list[Any] = [
    None, True, -1, 1.5, 10**400, "", "x", "../../party", [], [[]], {}, {"x": 1}, [None], [1],
    ["ab"], ["abc"], [{}], [[["a"]]], {"0": {"a": []}}, {"0": 5}, "a" * 100_000, [["age"]],
    [0] * 300,
]  # fmt: skip


def fresh(intruder: Intruder) -> tuple[Cell, Cell]:
    """A part of each side whose count nobody has asked for."""
    rows = intruder.written().decode()
    drinks = [cell(), *(cell(drinks=value) for value in PATIENTS["drinks"].values)]
    for mine, region, more in product((YOUNG, OLD, cell(age="middle")), ("coast", "hills"), drinks):
        theirs = cell(region=region) | more
        if f'"{written(mine | theirs, PATIENTS)}"' not in rows:
            return mine, theirs
    pytest.fail("everything was asked for")


Sent = tuple[dict[str, Any], tuple[bytes, ...]]

HOLDING = ("evaluate", "audit", "question", "expect", "opened")
EVALUATING = ("hold", "answers", "material", "prove", "proof", "release")


def ready(intruder: Intruder, verb: str) -> Sent:
    """An honest message of a verb, at a moment when it would be answered."""
    if verb not in {"ask", "begin", "keys", *HOLDING, *EVALUATING}:
        return PLAIN[verb] if verb != "agree" else ({"document": intruder.terms.document()}, ())
    ours, other = fresh(intruder)
    crossing = ours | other
    if verb == "ask":
        return {"cells": listed([crossing]), "refused": {"0": "because"}}, ()
    nonce = Opened.of(())
    if verb in {"begin", "keys"}:
        if verb == "begin":
            return {"commitment": nonce.commitment}, ()
        intruder.say("begin", {"commitment": nonce.commitment})
        return {"nonce": nonce.salt}, (b"k" * 32,)
    intruder.permit(ours, other, crossing)
    if verb in HOLDING:
        message = intruder.holding([AskedVector(ours, [crossing])], verb)
    else:
        message = intruder.evaluating([AskedVector(other, [crossing])], verb)
    return dict(message.fields), message.parts


PLAIN: dict[str, Sent] = {
    "hello": ({}, ()),
    "rows": ({}, ()),
    "seek": ({}, ()),
    "intersect": ({"records": 3}, (b"x" * 99,)),
    "compare": ({}, (b"k" * 32,)),
    "settle": ({}, (b"k" * 32, b"t" * 64)),
    "records": ({}, ()),
    "estimates": ({"cells": [], "of": "sample"}, ()),
    "result": ({"digest": "x"}, (b'{"format": "deniable"}',)),
    "commit": ({}, ()),
    "bind": ({"commitments": {"north": "x"}}, ()),
    "reveal": ({"commitments": {"north": "x"}}, ()),
    "drawn": ({"numbers": {"north": "x"}}, ()),
    "lead": ({}, ()),
    "status": ({}, ()),
    "stop": ({"why": "because"}, ()),
}
"""Messages that need nothing before them."""


def templates(intruder: Intruder) -> dict[str, Sent]:
    """An honest message of every verb."""
    return {verb: ready(intruder, verb) for verb in REQUESTS}


def places(document: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where something in a message could be something else."""
    if at:
        yield at
    if isinstance(document, dict | list):
        inner = document.items() if isinstance(document, dict) else enumerate(document)
        for key, value in list(inner)[:5]:
            yield from places(value, (*at, key))


def replaced(document: Any, at: tuple[Any, ...], value: Any) -> Any:
    changed = deepcopy(document)
    spot = changed
    for key in at[:-1]:
        spot = spot[key]
    spot[at[-1]] = value
    return changed


def wrong_parts(parts: tuple[bytes, ...]) -> Iterator[tuple[bytes, ...]]:
    yield ()
    yield (b"",)
    yield (*parts, b"x")
    yield parts * 2
    yield parts[::-1]
    for damage in (
        lambda p: p[:-1],
        lambda p: p + b"x",
        lambda p: bytes(len(p)),
        lambda p: b"\xff" * len(p),
    ):
        yield tuple(damage(part) for part in parts)


def damages(fields: dict[str, Any], parts: tuple[bytes, ...]) -> Iterator[Damage]:
    """Every way to damage a message, as a function of the message."""
    for at in places(fields):
        if at[0] != "rehearsal":  # a run of its own: see below
            for junk in JUNK:
                yield lambda f, p, at=at, junk=junk: (replaced(f, at, junk), p)
    for missing in fields:
        yield lambda f, p, gone=missing: ({key: f[key] for key in f if key != gone}, p)
    for number, _ in enumerate(wrong_parts(parts)):
        yield lambda f, p, number=number: (f, list(wrong_parts(p))[number])


@pytest.mark.slow
@pytest.mark.parametrize("verb", sorted(REQUESTS))
def test_a_malformed_message_is_refused_in_words_and_releases_nothing(
    tmp_path: Path, verb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is answered, or refused and nothing is told; there is no third."""
    monkeypatch.setattr("deniable.collab.counting.proofs.MOST_UNFINISHED", 10**9)
    with intruding(around(tmp_path, 40)) as intruder:
        fields, parts = ready(intruder, verb)
        refused = 0
        for damage in damages({**intruder.stamp, **fields}, parts):
            if verb in {"keys", *HOLDING, *EVALUATING}:
                fields, parts = ready(intruder, verb)  # a step is waited for once
            message = Message(verb, *damage({**intruder.stamp, **fields}, parts))
            before = counts_in(intruder.gathering.ledger("south", "north"))
            try:
                intruder.dispatcher.answer("north", message)
            except (CollabError, PeerError):
                refused += 1
                after = counts_in(intruder.gathering.ledger("south", "north"))
                assert after == before, message
            if b'"stopped"' in intruder.written():
                break  # a proof that fails ends the run for good
        assert refused > 1


def test_every_verb_is_attacked(tmp_path: Path) -> None:
    with intruding(around(tmp_path, 40)) as intruder:
        assert set(templates(intruder)) == set(REQUESTS)


@pytest.mark.slow
@pytest.mark.parametrize("junk", [True, 0, -1, 1.5, 2**21, "3", [], {}])
def test_a_rehearsal_is_of_some_records(tmp_path: Path, junk: Any) -> None:
    wanted = pytest.raises(CollabError, match="rehearsal needs a number")
    with intruding(around(tmp_path, 40)) as intruder, wanted:
        intruder.say("hello", {"rehearsal": junk})


@pytest.mark.slow
@pytest.mark.parametrize("digest", ["../../party", "..", "", "x" * 64, "A" * 64])
def test_a_hash_that_is_none_names_no_file(tmp_path: Path, digest: str) -> None:
    wanted = pytest.raises(CollabError, match="names no collaboration")
    with intruding(around(tmp_path, 40)) as intruder, wanted:
        intruder.say("hello", {"collaboration": digest})


# --- replays, and values that change --------------------------------------------------------------


def value_of(intruder: Intruder, about: str) -> list[float | None]:
    rows = Ledger.open(intruder.gathering.ledger("south", "north")).rows
    return [row.value for row in rows if row.about == about and row.kind == "count"]


BOTH = "age=young & region=coast"


def truth(intruder: Intruder) -> int:
    return int(np.count_nonzero(intruder.ours(YOUNG) & intruder.theirs(COAST)))


def test_what_was_opened_cannot_be_opened_again_with_other_values(tmp_path: Path) -> None:
    with intruding(around(tmp_path)) as intruder:
        fields, _ = ready(intruder, "opened")
        judged = intruder.say("opened", fields).fields["values"]
        intruder.say("release", {"values": judged})
        released = intruder.written()
        assert value_of(intruder, BOTH) == [truth(intruder)]
        for change in (0, 1):
            again = {**fields, "values": [[value - change for value in fields["values"][0]]]}
            with pytest.raises(LostSessionError, match="nobody waits for"):
                intruder.say("opened", again)
            other = [[value - change for value in judged[0]]]
            with pytest.raises(LostSessionError, match="were not opened"):
                intruder.say("release", {"values": other})
        assert intruder.written() == released


def test_a_leader_cannot_release_another_count_than_was_opened(tmp_path: Path) -> None:
    with intruding(around(tmp_path)) as intruder:
        fields, _ = ready(intruder, "opened")
        ((size, value),) = intruder.say("opened", fields).fields["values"]
        with pytest.raises(CollabError, match="another count than was opened"):
            intruder.say("release", {"values": [[size, value + 1]]})
        assert value_of(intruder, BOTH) == []


@pytest.mark.slow
@pytest.mark.parametrize(("more", "count"), [(1, 1), (0, 10**6), (0, -1), (-1, 1)])
def test_a_value_that_cannot_be_true_is_not_released(tmp_path: Path, more: int, count: int) -> None:
    with intruding(around(tmp_path)) as intruder:
        ready(intruder, "release")
        size = int(np.count_nonzero(intruder.theirs(COAST)))
        before = intruder.written()
        with pytest.raises(CollabError, match="cannot be true"):
            intruder.say("release", {"values": [[size + more, count]]})
        assert intruder.written() == before


@pytest.mark.parametrize(
    ("result", "why"),
    [
        (b'{"format": "deniable-model", "kind": "rules"}', "of another kind"),
        (b'{"format": "deniable-model"}', "no model"),
        (b"[]", "no model"),
        (b"{", "no model"),
    ],
)
def test_a_result_of_another_kind_is_not_even_read(
    tmp_path: Path, result: bytes, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with intruding(around(tmp_path)) as intruder:
        monkeypatch.setattr("deniable.mine.models.model_files.find_miner", pytest.fail)
        with pytest.raises(AnswerError, match=why):
            intruder.say("result", {"digest": digest_of(result)}, (result,))


def test_cells_that_were_never_permitted_are_not_computed(tmp_path: Path) -> None:
    with intruding(around(tmp_path)) as intruder:
        intruder.permit(COAST)
        sealed = (intruder.begin().own.sealed(YOUNG),)
        before, used = intruder.written(), intruder.backend.used
        asked = {"vectors": [vector(YOUNG, YOUNG | COAST)]}
        turned = {"vectors": [vector(COAST, YOUNG | COAST)]}
        for verb, fields, parts in [("evaluate", asked, sealed), ("hold", turned, ())]:
            with pytest.raises(LostSessionError, match="not asked for first"):
                intruder.say(verb, fields, parts)
        with pytest.raises(LostSessionError, match="were not opened"):
            intruder.say("release", {"values": [[1, 1]]})
        # the own part of a vector must be the holder's, and each cell must lie within it
        intruder.permit(YOUNG, COAST, MUCH, YOUNG | COAST)
        before = intruder.written()
        for vectors in (
            [vector(COAST, YOUNG | COAST)],
            [vector(YOUNG, COAST)],
            [vector(cell(), YOUNG | COAST)],
        ):
            with pytest.raises(LostSessionError, match="not asked for first"):
                intruder.say("evaluate", {"vectors": vectors}, sealed)
        assert intruder.written() == before
        assert intruder.backend.used == used


@pytest.mark.slow
def test_a_step_of_another_run_is_not_waited_for(tmp_path: Path) -> None:
    with intruding(around(tmp_path / "one")) as one, intruding(around(tmp_path / "two")) as two:
        for verb in ("opened", "answers"):
            fields, parts = ready(one, verb)
            before = two.written()
            with pytest.raises(LostSessionError):
                two.say(verb, {**fields, **two.stamp}, parts)
            assert two.written() == before


BEFORE_TERMS = {"hello", "rows", "agree", "commit", "bind", "reveal", "drawn", "lead", "status"}

# --- who may ask, and under which terms -----------------------------------------------------------


def test_only_the_leader_is_answered_and_strangers_begin_nothing(tmp_path: Path) -> None:
    gathering = around(tmp_path)
    with intruding(gathering) as intruder:
        every = templates(intruder)
        before, used = intruder.written(), intruder.backend.used
        for verb, (fields, parts) in every.items():
            with pytest.raises(CollabError, match="has no part in this collaboration"):
                intruder.say(verb, fields, parts, by="east")
            if verb not in {"commit", "bind", "reveal", "drawn", "lead", "status"}:
                with pytest.raises(CollabError, match=r"does not lead|aligns the records"):
                    intruder.say(verb, fields, parts, by="south")
        assert intruder.written() == before
        assert intruder.backend.used == used
        with pytest.raises(CollabError, match="has no part"):
            intruder.say("hello", {"rehearsal": 5}, by="east")
        folders = [path.name for path in gathering.party("south").state.iterdir()]
        assert not any("rehearsal" in name for name in folders)


def test_a_message_under_another_agreement_or_other_terms_is_refused(tmp_path: Path) -> None:
    gathering = around(tmp_path / "one")
    other = around(tmp_path / "two", mine={"tree": {**TREE["tree"], "max_depth": "2"}})
    with intruding(gathering) as intruder:
        every = templates(intruder)
        before = intruder.written()
        for verb, (fields, parts) in every.items():
            elsewhere = {**fields, "collaboration": other.agreement.digest}
            with pytest.raises(CollabError, match="has not approved"):
                intruder.say(verb, elsewhere, parts)
            if verb not in BEFORE_TERMS:
                with pytest.raises(CollabError, match="not under the terms"):
                    intruder.say(verb, {**fields, "terms": "0" * 64}, parts)
        approve(gathering.party("south"), other.agreement)
        for verb, (fields, parts) in every.items():  # approved, but nothing was agreed under it
            if verb not in BEFORE_TERMS:
                elsewhere = {**fields, "collaboration": other.agreement.digest}
                with pytest.raises(CollabError, match="not under the terms"):
                    intruder.say(verb, elsewhere, parts)
        assert intruder.written() == before


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"policies": {"south": {"minimum cell": 0}}}, "do not say what south brings|cannot"),
        ({"policies": {"north": {"minimum cell": 3}}}, "north changed its policy"),
        ({"commitments": {"north": "0" * 64}}, "north changed its data"),
        ({"commitments": {"south": "0" * 64}}, "do not say what south brings"),
        ({"agreement": "0" * 64}, "do not say what south brings"),
    ],
)
def test_terms_are_accepted_once_and_only_if_true(
    tmp_path: Path, change: dict[str, Any], sentence: str
) -> None:
    with intruding(around(tmp_path, policy={**EXACT, "minimum cell": "5"})) as intruder:
        document = intruder.terms.document()
        for key, value in change.items():
            document[key] = {**document[key], **value} if isinstance(value, dict) else value
        before = intruder.written()
        with pytest.raises(CollabError, match=sentence):
            intruder.say("agree", {"document": document})
        assert intruder.written() == before


TWISTED = (
    "values", "rows", "commitments", "commitment", "audited", "expected", "names", "masks",
    "opened", "salt", "nonce",
)  # fmt: skip


@pytest.mark.slow
def test_a_follower_that_answers_nonsense_is_told_off_in_words(tmp_path: Path) -> None:
    """The other way round: whatever a follower answers, the leader stops with a sentence."""
    wrong: list[tuple[dict[str, Any], tuple[bytes, ...] | None]] = [
        ({field: junk}, None) for field in TWISTED for junk in JUNK[1::4]
    ]
    wrong += [({}, parts) for parts in [(), (b"",), (b"x",) * 7]]
    stopped = 0
    while wrong:
        with intruding(around(tmp_path / str(len(wrong)), 40)) as intruder:
            while wrong and not {"stopped", "opened"} & kinds(intruder):
                twisted = _Twisted(intruder.dispatcher, *wrong.pop())
                oracle = SecureOracle(RemoteParty(intruder.run, "south", twisted), Twin())
                try:
                    oracle.count([dict(YOUNG | COAST), dict(OLD | COAST)])
                    oracle.count([dict(YOUNG | MUCH), dict(YOUNG | cell(drinks="some"))])
                except (CollabError, PeerError):
                    stopped += 1
    assert stopped > len(TWISTED)


def kinds(intruder: Intruder) -> set[str]:
    return {row.kind for row in Ledger.open(intruder.gathering.ledger("south", "north")).rows}


class _Twisted:
    """A way to a follower whose secure answers hold other things."""

    def __init__(
        self, dispatcher: Dispatcher, fields: dict[str, Any], parts: tuple[bytes, ...] | None
    ) -> None:
        self._desk, self._fields, self._parts = dispatcher, fields, parts

    def ask(self, message: Message) -> Message:
        reply = self._desk.answer("north", message)
        if message.verb not in {"ask", "begin", "keys", *HOLDING, *EVALUATING}:
            return reply
        parts = reply.parts if self._parts is None else self._parts
        changed = {k: v for k, v in self._fields.items() if k in reply.fields}
        return Message(reply.verb, {**reply.fields, **changed}, parts)
