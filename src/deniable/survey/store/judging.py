"""What becomes of an answer that was sent: kept, known already, or refused."""

from collections import Counter
from collections.abc import Mapping, Sequence
from enum import StrEnum

from sqlalchemy import Connection, select

from deniable.survey.protocol import DIGITS, Submission
from deniable.survey.questionnaire import Survey
from deniable.survey.store.rows import all_tallies, hashed, kept, setting
from deniable.survey.store.tables import spent

Quotas = Mapping[tuple[int, str], str]
"""From a place in reports and a digit there to the name of its tally, ``quota … of MOST``."""


def quotas_of(survey: Survey) -> Quotas:
    """Number the quotas of a survey by where reports show them."""
    schema = survey.design.schema
    return {
        (schema.position(name), DIGITS[schema[name].code(value)]): f"quota {name}={value} of {most}"
        for name, limits in survey.quotas.items()
        for value, most in limits.items()
    }


def filled(quotas: Quotas, report: str) -> list[str]:
    """Tallies of the quotas that a report counts for."""
    return [name for (place, digit), name in quotas.items() if report[place] == digit]


class Verdict(StrEnum):
    """What became of an answer that was sent."""

    KEPT = "kept"
    CLOSED = "closed"
    SPENT = "spent"
    TAKEN = "taken"
    FULL = "full"


class Desk:
    """Judges the answers of one transaction, one after the other."""

    def __init__(
        self, connection: Connection, submissions: Sequence[Submission], quotas: Quotas
    ) -> None:
        self._closed = setting(connection, "closed") is not None
        self._known = kept(connection, [submission.id for submission in submissions])
        hashes = {hashed(submission.token) for submission in submissions if submission.token}
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
        token = hashed(submission.token) if submission.token else ""
        if token in self._spent:
            return Verdict.SPENT
        if self._closed:
            return Verdict.CLOSED
        counts_for = filled(self._quotas, submission.report)
        for name in counts_for:
            most = int(name.rpartition(" of ")[2])
            if self._full[name] + self.tally[name] >= most:
                return Verdict.FULL
        self._known[submission.id] = content
        if token:
            self._spent.add(token)
            self.tokens.append(token)
        self.rows.append({"id": submission.id, "arm": submission.arm, "report": submission.report})
        self.tally.update(
            [
                "in waiting",
                f"arm {submission.arm}",
                f"device {submission.device}",
                f"understood {submission.understood}",
                *counts_for,
            ]
        )
        return Verdict.KEPT
