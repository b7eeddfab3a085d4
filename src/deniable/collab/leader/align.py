"""Finding the people in common, as the seeker."""

import secrets
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from deniable.base.errors import AnswerError
from deniable.collab.follower.align import settled
from deniable.collab.leader.contact import Contact
from deniable.collab.session.alignment import KEY_BYTES, Seeker, same_identifiers, tags
from deniable.collab.session.run import Run


def align(run: Run, others: Sequence[Contact]) -> None:
    """Agree with all others on the same people in the same order; once for a run."""
    before = (run.kept("aligned") or b"").decode()
    if before and all(other.aligned == before for other in others):
        return
    key = _key(run)
    named = tags(run.holding.ids, _in_common(run, others, key), key)
    digest = settled(run, key, named)
    for other in others:
        reply = other.ask("settle", {}, (key, named))
        if reply.fields.get("order") != digest:
            raise AnswerError(
                f"{other.name} put the people in common into another order.",
                hint="All parties must use the same version.",
            )
        other.aligned = digest


def _key(run: Run) -> bytes:
    """The key of the order; drawn once, so that a run that is begun again keeps its order."""
    kept = run.kept("order.key")
    if kept is None:
        run.keep("order.key", secrets.token_bytes(KEY_BYTES))
    return run.kept("order.key") or b""


def _in_common(run: Run, others: Sequence[Contact], key: bytes) -> NDArray[np.int64]:
    ids = run.holding.ids
    if run.agreement.align == "key":
        mine = same_identifiers(ids, key)
        for other in others:
            if other.ask("compare", {}, (key,)).fields.get("same") != mine:
                raise AnswerError(
                    f"{other.name} does not have the same identifiers.",
                    hint="Use align: psi, which finds those in common.",
                )
        return np.arange(len(ids))
    everywhere = np.ones(len(ids), dtype=bool)
    for other in others:
        seeker = Seeker(ids)
        reply = other.ask("intersect", {"records": len(ids)}, (seeker.request(),))
        if len(reply.parts) != 2:  # noqa: PLR2004 (setup and response)
            raise AnswerError(f"{other.name} sent no intersection.", hint="Use one version.")
        here = np.zeros(len(ids), dtype=bool)
        here[seeker.common(*reply.parts)] = True
        everywhere &= here
    return np.flatnonzero(everywhere)
