"""What becomes of an answer that was sent: kept, known already, or refused."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import Connection, select

from deniable.base.fingerprint import digest_of
from deniable.survey.protocol import REPORT_LETTERS, Submission
from deniable.survey.questionnaire import Survey
from deniable.survey.store.rows import all_tallies, kept, setting
from deniable.survey.store.tables import spent, withdrawn


@dataclass(frozen=True)
class Quota:
    """At most so many answers that have one digit at one place."""

    tally: str
    place: int
    digit: str
    most: int


def quotas_of(survey: Survey) -> tuple[Quota, ...]:
    """Read the quotas of a survey as reports show them."""
    schema = survey.design.schema
    return tuple(
        Quota(
            f"quota {name}={value}",
            schema.position(name),
            REPORT_LETTERS[schema[name].code(value)],
            most,
        )
        for name, limits in survey.quotas.items()
        for value, most in limits.items()
    )


def filled(quotas: Sequence[Quota], report: str) -> list[Quota]:
    """The quotas that a report counts for."""
    return [quota for quota in quotas if report[quota.place] == quota.digit]


class Verdict(StrEnum):
    """What became of an answer that was sent."""

    KEPT = "kept"
    CLOSED = "closed"
    SPENT = "spent"
    TAKEN = "taken"
    FULL = "full"


class Intake:
    """Judges the answers of one transaction, one after the other."""

    def __init__(
        self, connection: Connection, submissions: Sequence[Submission], quotas: Sequence[Quota]
    ) -> None:
        self._closed = setting(connection, "closed") is not None
        self._withdrawn = set(
            connection.execute(
                select(withdrawn.c.id).where(withdrawn.c.id.in_([s.id for s in submissions]))
            ).scalars()
        )
        self._known = kept(connection, [submission.id for submission in submissions])
        hashes = {digest_of(submission.token) for submission in submissions if submission.token}
        used = select(spent.c.token).where(spent.c.token.in_(hashes))
        self._spent = set(connection.execute(used).scalars()) if hashes else set[str]()
        self._quotas = quotas
        self._full = all_tallies(connection) if quotas else {}
        self.rows: list[dict[str, str]] = []
        self.tokens: list[str] = []
        self.tally: Counter[str] = Counter()

    def judge(self, submission: Submission) -> Verdict:
        """Say what becomes of an answer, and note what is to be written."""
        content = (submission.arm, submission.report)
        found = self._known.get(submission.id)
        if found is not None:
            return Verdict.KEPT if found == content else Verdict.TAKEN
        if submission.id in self._withdrawn:
            return Verdict.KEPT  # a late retry: it was kept, and then deleted as its sender wished
        token = digest_of(submission.token) if submission.token else ""
        if token in self._spent:
            return Verdict.SPENT
        if self._closed:
            return Verdict.CLOSED
        counts_for = filled(self._quotas, submission.report)
        for quota in counts_for:
            if self._full[quota.tally] + self.tally[quota.tally] >= quota.most:
                return Verdict.FULL
        self._note(submission, token)
        self.tally.update(quota.tally for quota in counts_for)
        return Verdict.KEPT

    def _note(self, submission: Submission, token: str) -> None:
        self._known[submission.id] = (submission.arm, submission.report)
        if token:
            self._spent.add(token)
            self.tokens.append(token)
        self.rows.append({"id": submission.id, "arm": submission.arm, "report": submission.report})
        self.tally.update(["in waiting", f"arm {submission.arm}"])
        if submission.arm == "disguised":  # asked directly, there is no coin to choose or explain
            self.tally.update(
                [f"device {submission.device}", f"understood {submission.understood}"]
            )
