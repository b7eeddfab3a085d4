"""What a party's server does for its peers: a line of its log for each event worth knowing.

Who came and for what, what was sent, how many counts were released or withheld; never a count.
"""

import logging
import time
from typing import Any

from deniable.base.errors import DeniableError
from deniable.collab.ledger import tally
from deniable.collab.party_documents import DIGEST_DIGITS
from deniable.collab.protocol import counting_verbs, verbs
from deniable.collab.protocol.body import Request
from deniable.collab.session.run import Run
from deniable.collab.wire.refusal_log import RefusalLog

PAUSE = 10.0
"""Seconds between two lines about how many counts were released."""

log = logging.getLogger(__name__)


class ServerLog:
    """Tells what peers asked for, and how far it went."""

    def __init__(self) -> None:
        self._summed: dict[str, tuple[float, int]] = {}
        """By peer and collaboration: when its counts were last summed up, and how many rows."""

        self._refusals = RefusalLog(log, burst=20)

    def refused(self, peer: str, error: DeniableError) -> None:
        """A question that got no answer; the peer was told the same."""
        self._refusals.refused(peer, error.message, logging.INFO)

    def answered(self, peer: str, question: Request[Any], run: Run) -> None:
        """A question that was answered."""
        match question:
            case verbs.Hello():
                begins = "goes on with" if run.ledger(peer).rows else "begins"
                log.info("%s %s %s", peer, begins, _named(run))
            case verbs.IntersectIdentifiers():
                many = f"{question.records:,}"
                log.info("%s looks for people in common, with %s identifiers", peer, many)
            case verbs.SettleOrder():
                log.info("the people in common are found")
            case verbs.SendRecords():
                columns = run.agreement.led_by(peer).sent(run.name).schema.names
                log.info("sent to %s: a record per person, of %s", peer, ", ".join(columns))
            case verbs.NoteDrawn() if run.leader == run.name:
                log.info(
                    "%s was drawn to lead %s: keep this server running, for it mines here as soon "
                    "as anybody runs the collaboration",
                    run.name,
                    _named(run),
                )
            case verbs.NoteDrawn():
                log.info(
                    "%s was drawn to lead %s: %s answers it", run.leader, _named(run), run.name
                )
            case verbs.StartLeading():
                log.info("leading %s, as %s asked", _named(run), peer)
            case (
                counting_verbs.PermitCounts()
                | counting_verbs.UnmaskCounts()
                | counting_verbs.ReleaseCounts()
                | verbs.EstimateCounts()
            ):
                self._sum_up(peer, run, PAUSE)
            case verbs.TakeResult():
                self._sum_up(peer, run, pause=0.0)
                log.info("the model of %s is in %s", _named(run), run.folder.path)

    def _sum_up(self, peer: str, run: Run, pause: float) -> None:
        rows = run.ledger(peer).rows
        now, key = time.monotonic(), f"{peer} {run.folder.path}"
        last, many = self._summed.setdefault(key, (now, 0))
        if len(rows) == many or now - last < pause:
            return
        self._summed[key] = now, len(rows)
        released, withheld = tally(rows)
        if released or withheld:
            log.info("%s: %s counts released, %s withheld", peer, f"{released:,}", f"{withheld:,}")


def _named(run: Run) -> str:
    dry = "" if run.rehearsal is None else "a dry run of "
    return f"{dry}{run.agreement.name} ({run.agreement.digest[:DIGEST_DIGITS]})"
