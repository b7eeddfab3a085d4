"""What a collaboration costs and discloses, before anybody consents.

How much is asked is found by a rehearsal on invented records of the same shape; real data may make
a larger or a smaller model. What the cryptography takes is measured on this machine for a second.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from math import inf

import numpy as np

from deniable.base.wording import at_most_times, epsilon_bound, joined
from deniable.collab.agreement.agreement import SECURE_MODES, Agreement
from deniable.collab.agreement.party_file import PartyFile
from deniable.collab.counting.backend import CountingSession
from deniable.collab.counting.bfv import Bfv
from deniable.collab.counting.parameters import parameters
from deniable.collab.counting.proofs import Questions, of_bits
from deniable.collab.policy import Policy
from deniable.collab.rehearsal import Rehearsed, rehearse
from deniable.collab.secure.cheater_bounds import CheaterBounds
from deniable.collab.session.intersection import Identifiers, IntersectionClient, IntersectionServer
from deniable.collab.session.own_records import Holding
from deniable.design import Design
from deniable.privacy.measures.single_answer import epsilon

REHEARSED_RECORDS = 5_000
"""Invented records; from here on the numbers of questions change little."""

BLOCKS, CANDIDATES = 4, 16
IDENTIFIERS = 500
ROUND_TRIP = 0.02
"""Seconds that a message takes besides its bytes."""

MEGA = 1_000_000


@dataclass(frozen=True)
class Calibration:
    """Seconds that the cryptography takes on this machine."""

    vector: float
    """To seal, to load and to prove, per block of a vector."""

    answer: float
    """To evaluate and open, per block of an answer."""

    identifier: float
    """To align, per identifier, both sides together."""


@dataclass(frozen=True)
class Leak:
    """What a group of disguised columns gives away about one person."""

    party: str
    columns: tuple[str, ...]
    epsilon: float
    """Local differential privacy: infinite where a report rules something out."""

    disguised: bool = True
    known: bool = True
    """Whether ε can be told: not where nobody knows how personal answers are distributed."""


@dataclass(frozen=True)
class Cost:
    """An estimate."""

    records: int
    rehearsed: int
    secure_counts: int
    values: int
    """Counts and estimates that would be released, sizes of vectors among them."""

    values_at_most: int
    """If a hybrid tree had to confirm every candidate; else as many as would be released."""

    withheld: int
    most: int | None
    """Counts that the policy allows."""

    bytes_up: int
    """From the leader."""

    bytes_down: int
    messages: int
    seconds: dict[str, float]
    policy: str
    leaks: tuple[Leak, ...]
    cheaters: CheaterBounds | None
    """What a partner who breaks the rules can still learn, where parties count together."""

    def document(self) -> dict[str, object]:
        """Write it for programs; an infinite ε is null."""
        found = asdict(self)
        for leak in found["leaks"]:
            leak["epsilon"] = None if leak["epsilon"] == inf else leak["epsilon"]
        return found


def estimated(
    party: PartyFile, agreement: Agreement, *, records: int | None, megabits: float
) -> Cost:
    """Estimate what a collaboration takes and tells."""
    n = records or _own_records(party, agreement)
    rehearsed = min(n, REHEARSED_RECORDS)
    found = rehearse(party, agreement, rehearsed)
    speed = calibrate()
    ups, downs = (_bytes(found, way, n, rehearsed) for way in ("up", "down"))
    blocks = parameters(n).blocks if agreement.mode in SECURE_MODES else 0
    vectors, answers = found.vectors.total(), found.answers.total()
    seconds = {
        "alignment": n * speed.identifier if agreement.align == "psi" else 0.0,
        "cryptography": blocks * (vectors * speed.vector + answers * speed.answer),
        "connection": found.messages * ROUND_TRIP + (ups + downs) * 8 / (megabits * MEGA),
    }
    secure = agreement.mode in SECURE_MODES
    policy = Policy.strictest([agreement.policy, party.policy], secure=secure)
    at_most = found.released
    if agreement.task.options.get("window") is not None:
        options = {**agreement.task.options, "window": None}
        everything = replace(agreement, task=replace(agreement.task, options=options))
        at_most = max(at_most, rehearse(party, everything, rehearsed).released)
    return Cost(
        records=n,
        rehearsed=rehearsed,
        secure_counts=found.secure_counts,
        values=found.released,
        values_at_most=at_most,
        withheld=found.withheld,
        most=policy.estimates if agreement.mode == "counts" else policy.most_about(n),
        bytes_up=ups,
        bytes_down=downs,
        messages=found.messages,
        seconds={**seconds, "all": sum(seconds.values())},
        policy=policy.story(),
        leaks=tuple(_leaks(agreement)),
        cheaters=CheaterBounds.of(policy, n) if agreement.mode in SECURE_MODES else None,
    )


def calibrate() -> Calibration:
    """Measure for about a second."""
    backend, generator = Bfv(), np.random.default_rng(1)
    shape = parameters(BLOCKS * parameters(1).lattice.degree)
    n, session = shape.records, CountingSession(shape, b"calibration")
    vector, candidates = generator.random(n) < 1 / 2, generator.random((CANDIDATES, n)) < 1 / 2
    own = backend.own_key(session, "holder")
    peer = backend.peer_key(session, "holder", own.public)
    begin = time.perf_counter()
    loaded = peer.load("vector", own.seal("vector", vector), n)
    Questions().ask(peer, [of_bits(loaded, shape)], shape)
    middle = time.perf_counter()
    for each in candidates:
        own.open(peer.masked([(loaded, each.astype(np.int64))], 0))
    end = time.perf_counter()
    ids = Identifiers.of(range(IDENTIFIERS))
    client, server = IntersectionClient(ids, b"1", ""), IntersectionServer(ids, b"2", "")
    client.common(server.setup, server.respond(client.request(), IDENTIFIERS))
    aligned = time.perf_counter() - end
    return Calibration(
        (middle - begin) / BLOCKS,
        (end - middle) / (BLOCKS * CANDIDATES),
        aligned / IDENTIFIERS,
    )


def _own_records(party: PartyFile, agreement: Agreement) -> int:
    if party.name not in agreement.names:
        return REHEARSED_RECORDS
    member = agreement.member(party.name)
    return Holding.open(party, member, aligned=agreement.vertical).n


def _bytes(found: Rehearsed, way: str, n: int, rehearsed: int) -> int:
    """Bytes of real ciphertexts, and of records and identifiers as many as there are."""
    if not found.vectors:
        return int(found.words[way] + found.people[way] * n / rehearsed)
    backend, shape = Bfv(), parameters(n)
    sealed = found.vectors[way] * backend.sealed_size(shape)
    answers = found.answers[way] * backend.answer_size(shape)
    return int(sealed + answers + found.words[way] + found.people[way] * n / rehearsed)


def _leaks(agreement: Agreement) -> Iterator[Leak]:
    """What each party may have to send, whoever comes to lead; each once."""
    if agreement.mode == "secure":
        return
    found: dict[Leak, None] = {}
    for name in agreement.names:
        for sent in agreement.ways_of_sending(name):
            found |= dict.fromkeys(_leaks_of(name, sent))
    yield from found


def _leaks_of(name: str, sent: Design) -> Iterator[Leak]:
    for group in sent.groups:
        if group.needs_second_sample:
            yield Leak(name, group.names, inf, known=False)
        else:
            yield Leak(name, group.names, epsilon(group.channel))
    if sent.public:
        yield Leak(name, sent.public, inf, disguised=False)


def told(cost: Cost, agreement: Agreement) -> Iterator[str]:
    """Say it in words."""
    yield (
        f"about {_duration(cost.seconds['all'])}: {_duration(cost.seconds['alignment'])} to find "
        f"the people in common, {_duration(cost.seconds['cryptography'])} of cryptography, "
        f"{_duration(cost.seconds['connection'])} for {cost.messages:,} messages"
    )
    yield f"{_size(cost.bytes_up)} from the leader, {_size(cost.bytes_down)} to it"
    yield from _counts(cost, agreement)
    if cost.most is not None:
        yield f"the policy allows {cost.most:,} counts in all"
    for party in agreement.names:
        yield from _sent(party, [leak for leak in cost.leaks if leak.party == party])


def _sent(party: str, leaks: Sequence[Leak]) -> Iterator[str]:
    """Say what the records of one party give away, column by column and together."""
    for leak in leaks:
        columns = joined(leak.columns)
        if not leak.disguised:
            yield f"{party} sends {columns} as it is, NOT disguised"
        elif not leak.known:
            yield (
                f"{party} sends {columns} disguised; what a report gives away depends on how the "
                "personal answers are distributed, which nobody knows yet"
            )
        elif leak.epsilon == inf:
            yield (
                f"{party} sends {columns} disguised, but with no bound on what a reader may guess: "
                "a report rules some records out (ε = ∞)"
            )
        else:
            yield (
                f"{party} sends {columns} disguised: a report is {at_most_times(leak.epsilon)} "
                f"likelier from one person than from another (ε = {epsilon_bound(leak.epsilon)})"
            )
    bounded = [leak.epsilon for leak in leaks if leak.epsilon < inf]
    if len(bounded) > 1:
        yield (
            f"what {party} disguises, all together: {at_most_times(sum(bounded))} likelier "
            f"(ε = {epsilon_bound(sum(bounded))})"
        )


def _counts(cost: Cost, agreement: Agreement) -> Iterator[str]:
    """Say how many counts are released, and of what."""
    if agreement.mode in SECURE_MODES:
        many = f"{cost.values:,}"
        if cost.values_at_most > cost.values:
            many += f" to {cost.values_at_most:,}"
        yield (
            f"about {many} counts released to both, {cost.withheld:,} withheld; "
            f"{cost.secure_counts:,} of them by joint encryption"
        )
    elif cost.values:
        yield f"{cost.values:,} estimated counts released"
    else:
        yield "disguised records are sent once, and no counts"
        return
    target, depth = agreement.task.target, agreement.task.options.get("max_depth")
    if agreement.task.kind == "tree":
        others = "all other columns" if depth is None else f"up to {depth} other columns"
        yield f"each counts people by {target} and {others}"
    elif agreement.task.kind == "bayes":
        yield f"each counts people by {target} and one other column"


def _duration(seconds: float) -> str:
    if seconds < 60:  # noqa: PLR2004 (a minute)
        return f"{seconds:.1f} s"
    return f"{seconds / 60:.1f} min"


def _size(many: int) -> str:
    return f"{many / MEGA:.1f} MB"
