"""What a collaboration costs and discloses, before anybody consents.

How much is asked is found by a rehearsal on invented records of the same shape; real data may make
a larger or a smaller model. What the cryptography takes is measured on this machine for a second.
"""

import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from math import inf, log

import numpy as np

from deniable.collab.agreement import SECURE, Agreement
from deniable.collab.alignment import Giver, Identifiers, Seeker
from deniable.collab.counting import Bfv
from deniable.collab.counting.bfv import ANSWER_SIZE, BLOCK_SIZE, KEY_SIZE
from deniable.collab.counting.packing import DEGREE
from deniable.collab.holding import Holding
from deniable.collab.party import PartyFile
from deniable.collab.policy import Policy
from deniable.collab.rehearsing import Rehearsed, rehearse

MOST_REHEARSED = 5_000
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
    """To encrypt and load, per block of a vector."""

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


@dataclass(frozen=True)
class Cost:
    """An estimate."""

    records: int
    rehearsed: int
    secure_counts: int
    values: int
    """Counts and estimates that would be released, sizes of vectors among them."""

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
    rehearsed = min(n, MOST_REHEARSED)
    found = rehearse(party, agreement, rehearsed)
    speed = calibrate()
    ups, downs = (_bytes(found, way, n, rehearsed) for way in ("up", "down"))
    blocks = -(-n // DEGREE)
    traffic = found.traffic
    vectors, answers = traffic.vectors.total(), traffic.answers.total()
    seconds = {
        "alignment": n * speed.identifier if agreement.align == "psi" else 0.0,
        "cryptography": blocks * (vectors * speed.vector + answers * speed.answer),
        "connection": traffic.messages * ROUND_TRIP + (ups + downs) * 8 / (megabits * MEGA),
    }
    policy = Policy.strictest([agreement.policy, party.policy])
    return Cost(
        records=n,
        rehearsed=rehearsed,
        secure_counts=answers - vectors,
        values=found.rows["count"] + found.rows["estimate"],
        withheld=found.rows["refused"],
        most=policy.most,
        bytes_up=ups,
        bytes_down=downs,
        messages=traffic.messages,
        seconds={**seconds, "all": sum(seconds.values())},
        policy=policy.story(),
        leaks=tuple(_leaks(agreement)),
    )


def calibrate() -> Calibration:
    """Measure for about a second."""
    backend, generator = Bfv(), np.random.default_rng(1)
    n = BLOCKS * DEGREE
    vector, candidates = generator.random(n) < 1 / 2, generator.random((CANDIDATES, n)) < 1 / 2
    begin = time.perf_counter()
    holder = backend.hold(vector)
    evaluation = backend.evaluate(holder.sealed)
    middle = time.perf_counter()
    holder.open(evaluation.answer(candidates)[0])
    end = time.perf_counter()
    ids = Identifiers.of(range(IDENTIFIERS))
    seeker, giver = Seeker(ids), Giver(ids)
    seeker.common(giver.setup(IDENTIFIERS), giver.respond(seeker.request()))
    aligned = time.perf_counter() - end
    return Calibration(
        (middle - begin) / BLOCKS,
        (end - middle) / (BLOCKS * CANDIDATES),
        aligned / IDENTIFIERS,
    )


def _own_records(party: PartyFile, agreement: Agreement) -> int:
    if party.name not in agreement.names:
        return MOST_REHEARSED
    member = agreement.member(party.name)
    return Holding.open(party, member, aligned=agreement.vertical).n


def _bytes(found: Rehearsed, way: str, n: int, rehearsed: int) -> int:
    """Bytes of real ciphertexts, and of records and identifiers as many as there are."""
    traffic = found.traffic
    blocks = -(-n // DEGREE)
    sealed = traffic.vectors[way] * (KEY_SIZE + blocks * BLOCK_SIZE)
    grown = traffic.words[way] * (n / rehearsed if not traffic.vectors.total() else 1)
    return int(sealed + traffic.answers[way] * ANSWER_SIZE + grown)


def _leaks(agreement: Agreement) -> Iterator[Leak]:
    for leader in agreement.leaders[:1]:
        led = agreement.led_by(leader)
        for member in agreement.members:
            if member.name == leader or agreement.mode == "secure":
                continue
            sent = led.sent(member.name)
            for group in sent.groups:
                ratio = group.channel.ratio()
                yield Leak(member.name, group.names, log(ratio) if ratio < inf else inf)
            if sent.public:
                yield Leak(member.name, sent.public, inf)


def told(cost: Cost, agreement: Agreement) -> Iterator[str]:
    """Say it in words."""
    yield f"For {cost.records:,} records, by a rehearsal on {cost.rehearsed:,} invented ones:"
    if agreement.mode in SECURE:
        yield (
            f"{cost.secure_counts:,} secure counts; {cost.values:,} values released to both sides "
            f"(sizes of encrypted vectors among them), {cost.withheld:,} withheld."
        )
    elif cost.values:
        yield f"{cost.values:,} estimated counts are released."
    else:
        yield "Disguised records are sent once, and no counts besides."
    if cost.most is not None:
        yield f"The policy allows {cost.most:,} counts in all."
    yield (
        f"About {_duration(cost.seconds['all'])} ({_duration(cost.seconds['alignment'])} to align, "
        f"{_duration(cost.seconds['cryptography'])} of cryptography on a machine like this, "
        f"{_duration(cost.seconds['connection'])} for {cost.messages:,} messages), "
        f"{_size(cost.bytes_up)} from the leader and {_size(cost.bytes_down)} to it."
    )
    yield cost.policy
    for leak in cost.leaks:
        columns = ", ".join(leak.columns)
        if leak.epsilon == inf:
            yield (
                f"{leak.party} sends {columns} with no finite privacy bound: a report rules some "
                "records out, and a reader who knows the population may guess the rest."
            )
        else:
            yield f"{leak.party} sends {columns} with ε = {leak.epsilon:.2f} for each person."
    yield "Real data may make a larger or a smaller model than invented ones."


def _duration(seconds: float) -> str:
    if seconds < 60:  # noqa: PLR2004 (a minute)
        return f"{seconds:.1f} s"
    return f"{seconds / 60:.1f} min"


def _size(many: int) -> str:
    return f"{many / MEGA:.1f} MB"
