"""One run as a follower sees it: who may ask, what was agreed, what is held in memory."""

from collections.abc import Callable
from threading import RLock

from deniable.base.errors import AnswerError
from deniable.collab.agreement.agreement import DRAWN
from deniable.collab.counting import Backend
from deniable.collab.follower.secure_answers import SecureDesk
from deniable.collab.follower.send_records import EstimateDesk
from deniable.collab.leader.contact import Asking
from deniable.collab.session.message_fields import field
from deniable.collab.session.run import Run
from deniable.collab.wire.message import Message


class Session:
    """A run, and the leader that it answers."""

    def __init__(self, run: Run, backend: Backend, connect: Callable[[str], Asking]) -> None:
        self.run, self.backend, self.connect = run, backend, connect
        self.lock = RLock()
        self._desk: SecureDesk | None = None
        self._estimating: EstimateDesk | None = None

    @property
    def leader(self) -> str:
        """Who asks in this run: named in the agreement, or drawn by all."""
        named = self.run.agreement.leader
        if named != DRAWN:
            return named
        drawn = self.run.kept("drawn")
        if drawn is None:
            raise AnswerError("The leader has not been drawn yet.", hint="Begin the run again.")
        return drawn.decode()

    def require_leader(self, peer: str) -> None:
        """Refuse everybody else."""
        if peer != self.leader:
            raise AnswerError(
                f"{peer} does not lead this collaboration; {self.leader} does.",
                hint=f"Start the run at {self.leader}.",
            )

    def require_terms(self, message: Message) -> None:
        """Refuse a message that is not under the terms agreed on."""
        terms = self.run.terms
        if terms is None or field(message, "terms", str) != terms.digest:
            raise AnswerError(
                "The message is not under the terms that all agreed on.",
                hint="Begin the run again; what was answered is kept.",
            )

    @property
    def secure(self) -> SecureDesk:
        """Secure counting with the leader; answers and keys are in memory only."""
        if self._desk is None:
            self._desk = SecureDesk(self.run, self.leader, self.backend)
        return self._desk

    @property
    def estimating(self) -> EstimateDesk:
        """Estimated counts for the leader."""
        if self._estimating is None:
            self._estimating = EstimateDesk(self.run, self.leader)
        return self._estimating

    def forget(self) -> None:
        """Drop what an interrupted leader left in memory."""
        self._desk = self._estimating = None
