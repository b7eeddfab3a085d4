"""Sides that do not follow the protocol, through every message that a run takes."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from collab.counting.cheating import seal_weights
from collab.intruder import TREE, Intruder, around, cell, intruding, vector, weights_of_two
from collab.parties import PATIENTS, Gathering
from deniable.base.errors import AnswerError, CollabError, LostSessionError, PeerError
from deniable.collab.agreement.approvals import approve
from deniable.collab.cells import Cell, listed, written
from deniable.collab.counting.backend import Backend, Bits, EncryptedVector, Evaluation, Holder
from deniable.collab.counting.bfv import Bfv
from deniable.collab.counting.plain_twin import Twin
from deniable.collab.follower.dispatcher import Dispatcher
from deniable.collab.leader.lead import gathered, side_by_side
from deniable.collab.leader.plausibility import PlausibilityCheck
from deniable.collab.leader.secure_oracle import SecureOracle
from deniable.collab.ledger import Ledger
from deniable.collab.protocol.body import REQUESTS, Stamp
from deniable.collab.secure.count_party import PossibleCounts
from deniable.collab.session.remote_party import RemoteParty
from deniable.collab.session.run import Run
from deniable.collab.wire.message import Message
from deniable.oracle.randomized import RandomizedOracle

YOUNG, OLD = cell(age="young"), cell(age="old")
COAST, MUCH = cell(region="coast"), cell(drinks="much")
BITS = 20
"""As many as a count modulo 2²¹ can carry, and be more than all records."""


class Weighing:
    """A backend that seals weights in place of 0 and 1."""

    def __init__(self, real: Backend, weights: Callable[[Bits], Any]) -> None:
        self._real, self._weights = real, weights

    def hold(self, vector: Bits) -> Holder:
        return seal_weights(self._real, self._weights(vector))

    def evaluate(self, encrypted: EncryptedVector) -> Evaluation:
        return self._real.evaluate(encrypted)


def powers(vector: Bits) -> Any:
    """Weights that read twenty bits."""
    return weights_of_two(len(vector), BITS)


def powers_that_add_up(vector: Bits) -> Any:
    """The same, with one more record that makes their sum 100, as if nothing were wrong."""
    weights = weights_of_two(len(vector), BITS)
    weights[BITS] = 100 - weights.sum()
    return weights


def blind(patch: pytest.MonkeyPatch, *checks: type) -> None:
    """Switch checks off."""
    for check in checks:
        patch.setattr(check, "require", lambda *_, **__: None)


def counts_in(path: Path) -> dict[str, float | None]:
    return {row.about: row.value for row in Ledger.open(path).rows if row.kind == "count"}


def bits_of(value: float, many: int) -> list[bool]:
    """What a weighted count says of the first records."""
    return [bool(int(value) % (1 << 21) >> place & 1) for place in range(many)]


# --- (b) weights in place of 0 and 1 --------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("weights", [powers, powers_that_add_up])
@pytest.mark.parametrize("backend", [Bfv(), Twin()], ids=["bfv", "twin"])
def test_a_leader_that_weighs_records_reads_no_bits(
    tmp_path: Path, backend: Backend, weights: Callable[[Bits], Any]
) -> None:
    with intruding(around(tmp_path), backend) as intruder:
        oracle = SecureOracle(intruder.contact, Weighing(backend, weights))
        asked = [YOUNG | COAST, YOUNG | MUCH]
        with pytest.raises(CollabError, match="cannot be true, so nothing is released"):
            oracle.count([dict(each) for each in asked])
        assert counts_in(intruder.gathering.ledger("south", "north")) == {}


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
    tmp_path: Path, backend: Backend, weights: Callable[[Bits], Any]
) -> None:
    gathering = around(tmp_path)
    with honest_leader(gathering, Weighing(backend, weights)) as (_, contact):
        oracle = SecureOracle(contact, backend)
        with pytest.raises(CollabError, match="cannot be true, so nothing is released"):
            oracle.count([dict(each) for each in ASKED])
        about_crossing = [a for a in counts_in(gathering.ledger("south", "north")) if "age" in a]
        assert about_crossing == []


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


FEW = 7
GROUPS = {
    "north": [{"attributes": ["smokes"], "channel": "related", "theta": "0.9"}],
    "south": [{"attributes": ["region", "drinks"], "channel": "related", "theta": "0.9"}],
}


def few_powers(vector: Bits) -> Any:
    """Weights that add up to less than the records there are: no range tells them."""
    return weights_of_two(len(vector), FEW)


def hybrid(folder: Path) -> Gathering:
    return around(folder, 2000, mode="hybrid", disguise=GROUPS)


def screened(run: Run, contact: RemoteParty) -> PlausibilityCheck:
    joint, design = side_by_side(run.agreement, gathered(run, run.agreement, [contact], print))
    return PlausibilityCheck(RandomizedOracle(joint, design))


@pytest.mark.slow
def test_weights_that_fit_the_range_do_not_fit_the_disguised_records(tmp_path: Path) -> None:
    """The comparison comes before anything is released: afterwards would be too late."""
    gathering = hybrid(tmp_path)
    with honest_leader(gathering, Weighing(Twin(), few_powers)) as (run, contact):
        oracle = SecureOracle(contact, Twin(), plausible=screened(run, contact))
        with pytest.raises(CollabError, match="but the disguised records say"):
            oracle.count([dict(each) for each in ASKED])
        about_crossing = [a for a in counts_in(gathering.ledger("south", "north")) if "age" in a]
        assert about_crossing == []


@pytest.mark.slow
def test_without_the_comparison_they_read_bits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blind(monkeypatch, PlausibilityCheck)
    gathering = hybrid(tmp_path)
    with honest_leader(gathering, Weighing(Twin(), few_powers)) as (run, contact):
        oracle = SecureOracle(contact, Twin(), plausible=screened(run, contact))
        monkeypatch.setattr(oracle._own.possible, "require", lambda *_, **__: None)
        follower = gathering.dispatchers["south"].session("north", Stamp(**_stamp(run))).secure
        monkeypatch.setattr(follower.own.possible, "require", lambda *_, **__: None)
        oracle.count([dict(each) for each in ASKED])
        value = counts_in(gathering.ledger("south", "north"))["age=young & region=coast"]
        assert value is not None
        assert bits_of(value, FEW) == run.records.part(YOUNG)[:FEW].tolist()


def _stamp(run: Run) -> dict[str, Any]:
    assert run.terms is not None
    return {"collaboration": run.agreement.digest, "terms": run.terms.digest, "rehearsal": None}


# --- (c) more than 64 answers of a key ------------------------------------------------------------


def answered(intruder: Intruder, sealed: EncryptedVector, many: int) -> list[bytes]:
    evaluations = [Twin().evaluate(sealed) for _ in range(many // 64 + 1)]
    rows = np.ones((1, sealed.records), dtype=bool)
    return [evaluations[number // 64].answer(rows)[0][0] for number in range(many)]


def test_a_key_opens_no_more_than_was_agreed(tmp_path: Path) -> None:
    with intruding(around(tmp_path)) as intruder:
        intruder.permit(COAST, YOUNG | COAST)
        before = intruder.backend.used
        with pytest.raises(CollabError, match="described badly"):
            intruder.say("hold", {"vectors": [vector(COAST, *[YOUNG | COAST] * 64)]})
        assert intruder.backend.used == before, "no key was made"
        held = intruder.say("hold", {"vectors": [vector(COAST, *[YOUNG | COAST] * 63)]})
        sealed = EncryptedVector(held.parts[0], held.parts[1], intruder.run.records.n)
        tokens = {"tokens": held.fields["tokens"]}
        with pytest.raises(CollabError, match="More answers came than were asked for"):
            intruder.say("open", tokens, answered(intruder, sealed, 65))
        with pytest.raises(LostSessionError, match="nobody holds"):
            intruder.say("open", tokens, answered(intruder, sealed, 64))


def test_a_key_that_was_used_is_gone(tmp_path: Path) -> None:
    """Else 64 answers, and 64 more, and the key is known after about 316."""
    with intruding(around(tmp_path)) as intruder:
        intruder.permit(COAST, YOUNG | COAST)
        held = intruder.say("hold", {"vectors": [vector(COAST, *[YOUNG | COAST] * 63)]})
        sealed = EncryptedVector(held.parts[0], held.parts[1], intruder.run.records.n)
        tokens = {"tokens": held.fields["tokens"]}
        opened = intruder.say("open", tokens, answered(intruder, sealed, 64))
        assert len(opened.fields["values"][0]) == 64
        for _ in range(2):
            with pytest.raises(LostSessionError, match="nobody holds"):
                intruder.say("open", tokens, answered(intruder, sealed, 64))
        assert len(intruder.backend.held) == 1


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


def templates(intruder: Intruder) -> dict[str, tuple[dict[str, Any], tuple[bytes, ...]]]:
    """An honest message of every verb, at a moment when it would be answered."""
    ours, other = fresh(intruder)
    crossing = ours | other
    intruder.permit(ours, other, crossing)
    holder = Twin().hold(intruder.ours(ours))
    sealed = (holder.encrypted.key, holder.encrypted.blocks)
    mine = {"vectors": [vector(ours, crossing)]}
    theirs = {"vectors": [vector(other, crossing)]}
    answers = intruder.say("evaluate", mine, sealed)
    opened = [holder.open(answers.parts)]
    everyone = np.ones(intruder.run.records.n, dtype=bool)
    candidates = np.stack([everyone, intruder.ours(ours)])

    def held() -> tuple[list[str], list[bytes]]:
        reply = intruder.say("hold", theirs)
        evaluation = Twin().evaluate(EncryptedVector(reply.parts[0], reply.parts[1], len(everyone)))
        return reply.fields["tokens"], evaluation.answer(candidates)[0]

    known, found = held()
    intruder.say("open", {"tokens": known}, found)
    tokens, found = held()
    return {
        "hello": ({}, ()),
        "rows": ({}, ()),
        "agree": ({"document": intruder.terms.document()}, ()),
        "seek": ({}, ()),
        "intersect": ({"records": 3}, (b"x" * 99,)),
        "compare": ({}, (b"k" * 32,)),
        "settle": ({}, (b"k" * 32, b"t" * 64)),
        "records": ({}, ()),
        "estimates": ({"cells": [], "of": "sample"}, ()),
        "result": ({"digest": "x"}, (b'{"format": "deniable"}',)),
        "commit": ({}, ()),
        "reveal": ({"commitments": {"north": "x"}}, ()),
        "drawn": ({"numbers": {"north": "x"}}, ()),
        "lead": ({}, ()),
        "status": ({}, ()),
        "ask": ({"cells": listed([crossing]), "refused": {"0": "because"}}, ()),
        "evaluate": (mine, sealed),
        "opened": ({"tokens": answers.fields["tokens"], "values": opened}, ()),
        "hold": (theirs, ()),
        "open": ({"tokens": tokens}, tuple(found)),
        "release": ({"tokens": known, "values": [["no", "no"]]}, ()),
    }


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
    tmp_path: Path, verb: str
) -> None:
    """It is answered, or refused and nothing is told; there is no third."""
    with intruding(around(tmp_path, 40)) as intruder:
        fields, parts = templates(intruder)[verb]
        refused = 0
        for damage in damages({**intruder.stamp, **fields}, parts):
            if verb in {"opened", "open", "release"}:
                fields, parts = templates(intruder)[verb]  # a vector is waited for once
            message = Message(verb, *damage({**intruder.stamp, **fields}, parts))
            before = intruder.told()
            try:
                intruder.dispatcher.answer("north", message)
            except (CollabError, PeerError):
                refused += 1
                assert intruder.told() == before, message
        assert refused > len(JUNK), "no hash but one is answered"


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
        fields, _ = templates(intruder)["opened"]
        judged = intruder.say("opened", fields).fields["values"]
        intruder.say("release", {"tokens": fields["tokens"], "values": judged})
        released = intruder.written()
        assert value_of(intruder, BOTH) == [truth(intruder)]
        for change in (0, 1):
            again = {**fields, "values": [[value - change for value in fields["values"][0]]]}
            with pytest.raises(LostSessionError, match="nobody waits for"):
                intruder.say("opened", again)
            other = [[value - change for value in judged[0]]]
            with pytest.raises(LostSessionError, match="were not opened"):
                intruder.say("release", {"tokens": fields["tokens"], "values": other})
        assert intruder.written() == released


def test_a_leader_cannot_release_another_count_than_was_opened(tmp_path: Path) -> None:
    with intruding(around(tmp_path)) as intruder:
        fields, _ = templates(intruder)["opened"]
        ((size, value),) = intruder.say("opened", fields).fields["values"]
        released = {"tokens": fields["tokens"], "values": [[size, value + 1]]}
        with pytest.raises(CollabError, match="another count than was opened"):
            intruder.say("release", released)
        assert value_of(intruder, BOTH) == []


def test_a_second_way_to_a_count_leaves_the_first_value(tmp_path: Path) -> None:
    with intruding(around(tmp_path)) as intruder:
        ready = templates(intruder)
        fields, _ = ready["opened"]
        judged = intruder.say("opened", fields).fields["values"]
        intruder.say("release", {"tokens": fields["tokens"], "values": judged})
        size = int(np.count_nonzero(intruder.theirs(COAST)))
        released = intruder.written()
        with pytest.raises(LostSessionError, match="were not opened"):  # gone with the next opening
            intruder.say("release", {**ready["release"][0], "values": [[size, 0]]})
        assert value_of(intruder, BOTH) == [truth(intruder)]
        assert intruder.written() == released


@pytest.mark.slow
@pytest.mark.parametrize(("more", "count"), [(1, 1), (0, 10**6), (0, -1), (-1, 1)])
def test_a_value_that_cannot_be_true_is_not_released(tmp_path: Path, more: int, count: int) -> None:
    with intruding(around(tmp_path)) as intruder:
        fields, _ = templates(intruder)["release"]
        size = int(np.count_nonzero(intruder.theirs(COAST)))
        before = intruder.written()
        with pytest.raises(CollabError, match="cannot be true"):
            intruder.say("release", {**fields, "values": [[size + more, count]]})
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
            intruder.say("result", {"digest": "x"}, (result,))


def test_cells_that_were_never_permitted_are_not_computed(tmp_path: Path) -> None:
    with intruding(around(tmp_path)) as intruder:
        intruder.permit(COAST)
        holder = Twin().hold(intruder.ours(YOUNG))
        sealed = (holder.encrypted.key, holder.encrypted.blocks)
        before, used = intruder.written(), intruder.backend.used
        asked = {"vectors": [vector(YOUNG, YOUNG | COAST)]}
        turned = {"vectors": [vector(COAST, YOUNG | COAST)]}
        for verb, fields, parts in [("evaluate", asked, sealed), ("hold", turned, ())]:
            with pytest.raises(LostSessionError, match="not asked for first"):
                intruder.say(verb, fields, parts)
        with pytest.raises(LostSessionError, match="were not opened"):
            intruder.say("release", {"tokens": ["0" * 16], "values": [[1, 1]]})
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
def test_tokens_of_another_run_are_unknown(tmp_path: Path) -> None:
    with intruding(around(tmp_path / "one")) as one, intruding(around(tmp_path / "two")) as two:
        for verb in ("opened", "open"):
            fields, parts = templates(one)[verb]
            before = two.written()
            with pytest.raises(LostSessionError):
                two.say(verb, fields, parts)
            assert two.written() == before


BEFORE_TERMS = {"hello", "rows", "agree", "commit", "reveal", "drawn", "lead", "status"}

# --- who may ask, and under which terms -----------------------------------------------------------


def test_only_the_leader_is_answered_and_strangers_begin_nothing(tmp_path: Path) -> None:
    gathering = around(tmp_path)
    with intruding(gathering) as intruder:
        ready = templates(intruder)
        before, used = intruder.written(), intruder.backend.used
        for verb, (fields, parts) in ready.items():
            with pytest.raises(CollabError, match="has no part in this collaboration"):
                intruder.say(verb, fields, parts, by="east")
            if verb not in {"commit", "reveal", "drawn", "lead", "status"}:
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
        ready = templates(intruder)
        before = intruder.written()
        for verb, (fields, parts) in ready.items():
            elsewhere = {**fields, "collaboration": other.agreement.digest}
            with pytest.raises(CollabError, match="has not approved"):
                intruder.say(verb, elsewhere, parts)
            if verb not in BEFORE_TERMS:
                with pytest.raises(CollabError, match="not under the terms"):
                    intruder.say(verb, {**fields, "terms": "0" * 64}, parts)
        approve(gathering.party("south"), other.agreement)
        for verb, (fields, parts) in ready.items():  # approved, but nothing was agreed under it
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
    with intruding(around(tmp_path, policy={"minimum cell": "5"})) as intruder:
        document = intruder.terms.document()
        for key, value in change.items():
            document[key] = {**document[key], **value} if isinstance(value, dict) else value
        before = intruder.written()
        with pytest.raises(CollabError, match=sentence):
            intruder.say("agree", {"document": document})
        assert intruder.written() == before


@pytest.mark.slow
def test_a_follower_that_answers_nonsense_is_told_off_in_words(tmp_path: Path) -> None:
    """The other way round: whatever a follower answers, the leader stops with a sentence."""
    gathering = around(tmp_path, 40)
    wrong: list[tuple[dict[str, Any], tuple[bytes, ...] | None]] = [
        ({field: junk}, None) for field in ("tokens", "values", "rows") for junk in JUNK[1:]
    ]
    wrong += [({}, parts) for parts in [(), (b"",), (b"x",) * 7]]
    stopped = 0
    with intruding(gathering) as intruder:
        for fields, parts in wrong:
            contact = RemoteParty(
                intruder.run, "south", _Twisted(intruder.dispatcher, fields, parts)
            )
            oracle = SecureOracle(contact, Twin())
            try:
                oracle.count([dict(YOUNG | COAST), dict(OLD | COAST)])
                oracle.count([dict(YOUNG | MUCH), dict(YOUNG | cell(drinks="some"))])
            except (CollabError, PeerError):
                stopped += 1
    assert stopped > len(JUNK)


class _Twisted:
    """A way to a follower whose secure answers hold other things."""

    def __init__(
        self, dispatcher: Dispatcher, fields: dict[str, Any], parts: tuple[bytes, ...] | None
    ) -> None:
        self._desk, self._fields, self._parts = dispatcher, fields, parts

    def ask(self, message: Message) -> Message:
        reply = self._desk.answer("north", message)
        if message.verb not in {"ask", "evaluate", "opened", "hold", "open", "release"}:
            return reply
        parts = reply.parts if self._parts is None else self._parts
        changed = {k: v for k, v in self._fields.items() if k in reply.fields}
        return Message(reply.verb, {**reply.fields, **changed}, parts)
