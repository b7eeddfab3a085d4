"""Finding the people in common: the seeker's steps, and what every party does with the outcome.

The seeker (the leader, or for a collector from outside the first party) learns which of its own
identifiers the other has too, and tells it; both learn how many the other has. Identifiers that
only one side has stay with it. By ``align: key`` all have the same identifiers already, and only a
keyed hash of all of them is compared.
"""

from collections.abc import Sequence

import numpy as np

from deniable.base.arrays import Codes
from deniable.base.errors import AnswerError
from deniable.base.fingerprint import digest_of
from deniable.collab.protocol import verbs
from deniable.collab.session.earlier_people import (
    keep_people,
    one_at_a_time,
    require_unlike_earlier,
)
from deniable.collab.session.intersection import (
    IntersectionClient,
    found,
    same_identifiers,
    tags,
)
from deniable.collab.session.remote_party import RemoteParty
from deniable.collab.session.run import Run
from deniable.collab.session.run_folder import RunFile


def align(run: Run, others: Sequence[RemoteParty]) -> None:
    """Agree with all others on the same people in the same order; once for a run."""
    before = run.folder.text(RunFile.ALIGNMENT)
    if before and all(other.aligned == before for other in others):
        return
    key = run.drawn_once(RunFile.ORDER_KEY)
    named = tags(run.holding.ids, _in_common(run, others, key), key)
    digest = settle(run, key, named)
    for other in others:
        if other.ask(verbs.SettleOrder(key, named)).order != digest:
            raise AnswerError(
                f"{other.name} put the people in common into another order.",
                hint="All parties must use the same version.",
            )
        other.aligned = digest


def _in_common(run: Run, others: Sequence[RemoteParty], key: bytes) -> Codes:
    ids = run.holding.ids
    if run.agreement.align == "key":
        mine = same_identifiers(ids, key)
        for other in others:
            if other.ask(verbs.CompareIdentifiers(key)).same != mine:
                raise AnswerError(
                    f"{other.name} does not have the same identifiers.",
                    hint="Use align: psi, which finds those in common.",
                )
        return np.arange(len(ids))
    everywhere = np.ones(len(ids), dtype=bool)
    for other in others:
        secret = run.derived("seeking", other.name)
        client = IntersectionClient(ids, secret, run.agreement.digest)
        reply = other.ask(verbs.IntersectIdentifiers(len(ids), client.request()))
        here = np.zeros(len(ids), dtype=bool)
        here[client.common(reply.setup, reply.response)] = True
        everywhere &= here
    return np.flatnonzero(everywhere)


def settle(run: Run, key: bytes, named: bytes) -> str:
    """Keep the rows of the people named, in their order; give a hash that all parties' must equal.

    Names are keyed tags, so that nothing but the people in common can be told by them.
    """
    rows = found(run.holding.ids, named, key)
    if run.agreement.align == "key" and len(rows) < run.holding.n:
        raise AnswerError("Not all people are named.", hint="By a key, all are the same.")
    least = max(run.policy.people, run.policy.minimum, 1)
    if len(rows) < least:
        raise AnswerError(
            f"{len(rows):,} people are in common, and nothing is released about fewer than "
            f"{least:,}.",
            hint="Check that all parties know people by the same identifiers; the least number is "
            "policy: people.",
        )
    before = run.order
    if before is not None and not np.array_equal(before, rows):
        raise AnswerError(
            "The people in common are others than when the run began.",
            hint="Begin a new collaboration.",
        )
    if before is None:
        with one_at_a_time(run):
            require_unlike_earlier(run, rows)
            keep_people(run, key, named)
        run.keep_order(rows)
    digest = digest_of(key + named)
    run.folder.write(RunFile.ALIGNMENT, digest.encode())
    return digest
