"""One run as a follower has it in memory: what it answers a leader with, and how far it leads."""

from collections.abc import Callable
from dataclasses import dataclass
from threading import RLock

from deniable.base.errors import AnswerError
from deniable.collab.counting import Backend
from deniable.collab.follower.record_answers import EstimateRelease
from deniable.collab.follower.secure_follower import SecureFollower
from deniable.collab.session.remote_party import Transport
from deniable.collab.session.run import Run

Lead = Callable[[Run, Callable[[str], None]], object]
"""Leads a run, and tells in a few words what is being done."""


def lead_nothing(run: Run, _: Callable[[str], None]) -> None:
    """What a process does that only answers."""
    raise AnswerError(f"{run.name} leads nothing from here.", hint="Run deniable party serve.")


@dataclass
class LeadProgress:
    """A run that this party leads, as others see it."""

    stage: str = "beginning"
    finished: bool = False
    error: str | None = None

    def tell(self, stage: str) -> None:
        """Take note of what is being done."""
        self.stage = stage


class FollowerSession:
    """A run, and what is in memory for the leader that it answers."""

    def __init__(
        self,
        run: Run,
        backend: Backend,
        connect: Callable[[str], Transport],
        lead: Lead = lead_nothing,
    ) -> None:
        self.run, self.backend, self.connect, self.lead = run, backend, connect, lead
        self.lock = RLock()
        self.leading: LeadProgress | None = None
        self.forget()

    def forget(self) -> None:
        """Drop what an interrupted leader left in memory."""
        self._secure: SecureFollower | None = None
        self._estimates: EstimateRelease | None = None

    @property
    def secure(self) -> SecureFollower:
        """Secure counting with the leader; answers and keys are in memory only."""
        if self._secure is None:
            self._secure = SecureFollower(self.run, self.run.leader, self.backend)
        return self._secure

    @property
    def estimates(self) -> EstimateRelease:
        """Estimated counts for the leader."""
        if self._estimates is None:
            self._estimates = EstimateRelease(self.run, self.run.leader)
        return self._estimates
