"""What a survey keeps: answers, invitations, tallies and results.

Answers wait until a batch is full, and are then moved together: neither the rows nor the results
show which of them is the newest. Only a committed answer spends a token.
"""

import json
import secrets
from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update

from deniable.base.errors import DataError
from deniable.base.fingerprint import digest_of
from deniable.engine.memory.records import Records
from deniable.survey.protocol import ARMS, DEVICES, MOST_UNDERSTOOD, Submission
from deniable.survey.questionnaire import Survey
from deniable.survey.reports import records
from deniable.survey.store.database import DatabaseError, SurveyDatabase
from deniable.survey.store.intake import Intake, Verdict, filled, quotas_of
from deniable.survey.store.participation import (
    REPLACED,
    UNUSED,
    Closing,
    Participation,
    begun,
    participation,
)
from deniable.survey.store.rows import (
    add_to_tallies,
    all_tallies,
    how_many,
    kept,
    put_setting,
    setting,
    shuffle,
)
from deniable.survey.store.tables import (
    answers,
    invitations,
    make_views,
    settings,
    spent,
    tallies,
    waiting,
    withdrawn,
)

GROWTH = 20
"""A batch is at least one in so many of the answers before it: batches stay few."""

MOST_WAITING = 1_000
"""… but no more than so many: those that wait are written anew with each commit."""

MOST_REWRITTEN = GROWTH * MOST_WAITING
"""Answers that SQLite writes anew after a batch; beyond, batches are too small beside them."""


class Store:
    """The database of one survey."""

    def __init__(self, database: SurveyDatabase, survey: Survey) -> None:
        self.database = database
        self.survey = survey
        self._quotas = quotas_of(survey)
        self._batches_show = database.is_sqlite  # a server before may have been killed
        self._came_alone = False
        with database.writing() as connection:
            self._claim(connection)
            make_views(connection, survey.design.schema)

    # --- Settings --------------------------------------------------------------------------------

    def setting(self, name: str) -> str | None:
        """Read a setting."""
        with self.database.reading() as connection:
            return setting(connection, name)

    def set(self, name: str, value: str) -> None:
        """Write a setting."""
        with self.database.writing() as connection:
            put_setting(connection, name, value)

    def set_once(self, name: str, value: str) -> str:
        """Write a setting unless it is there, and give the one that is there then."""
        with self.database.writing() as connection:
            found = setting(connection, name)
            if found is None:
                put_setting(connection, name, value)
        return value if found is None else found

    @property
    def is_open(self) -> bool:
        """Whether answers are taken."""
        return self.setting("closed") is None

    def close(self) -> Closing:
        """Take no more answers, release those that wait if they are enough; say what is shown.

        Once there are enough answers, any number of them may be the last batch; but only once:
        closing again and again would show each new answer by itself. Nor does it then tell whether
        there is a new one.
        """
        with self.database.writing() as connection:
            again = setting(connection, "closed") is not None
            put_setting(connection, "closed", "yes")
            counts = all_tallies(connection)
            new, old = counts["in waiting"], counts["in answers"]
            reopened = setting(connection, "reopened") is not None
            shown = setting(connection, "released") is not None
            enough = 1 if shown else self.survey.after - old
            least = self._least(old) if reopened else enough
            hidden = reopened or not shown  # whether or not somebody came: that would show
            if new and new >= least:
                self._release(connection)
                connection.execute(delete(settings).where(settings.c.name == "reopened"))
                hidden = False
            elif not (again or reopened):
                self._note_begun(connection)
            shown = setting(connection, "released") is not None
        self.database.tidy()
        return Closing(again, shown, hidden)

    def reopen(self) -> bool:
        """Take answers again; False if they are taken anyway."""
        with self.database.writing() as connection:
            if setting(connection, "closed") is None:
                return False
            connection.execute(delete(settings).where(settings.c.name == "closed"))
            if setting(connection, "reopened") is None:  # what was told exactly, as begun
                told = json.loads(setting(connection, "released") or "{}")
                put_setting(connection, "reopened", str(told.get("begun", 0)))
        return True

    def participation(self) -> Participation:
        """How many were invited, began and finished: exact once it is over, else roughly."""
        with self.database.reading() as connection:
            return participation(connection, invited_only=self.survey.invitations)

    # --- Invitations -----------------------------------------------------------------------------

    def invite(self, codes: Iterable[str]) -> None:
        """Keep invitations; of their codes only a hash."""
        rows = [{"code": code, "blinded": UNUSED} for code in sorted(map(digest_of, codes))]
        with self.database.writing() as connection:
            connection.execute(insert(invitations), rows)

    def knows_invitation(self, code: str) -> bool:
        """Whether there is such an invitation, used or not."""
        this = select(invitations.c.code).where(invitations.c.code == digest_of(code))
        with self.database.reading() as connection:
            return connection.execute(this).one_or_none() is not None

    def use_invitation(self, code: str, blinded: bytes) -> Verdict | None:
        """Note what an invitation is used for; None where there is no such invitation.

        A retry with the same blinded message is welcome; another one would be a second token.
        """
        this = invitations.c.code == digest_of(code)
        noted = digest_of(blinded)
        with self.database.writing() as connection:
            if setting(connection, "closed"):
                return Verdict.CLOSED
            found = connection.execute(select(invitations).where(this)).one_or_none()
            if found is None:
                return None
            if found.blinded in {None, UNUSED}:  # nothing at all: an earlier version's
                connection.execute(update(invitations).where(this).values(blinded=noted))
            elif not secrets.compare_digest(found.blinded, noted):
                return Verdict.SPENT
            return Verdict.KEPT

    def replace_invitations(self, codes: Sequence[str], new: Sequence[str]) -> int:
        """Make new invitations for people who cannot go on with theirs; how many had begun.

        What was signed for an invitation cannot be taken back, for nobody knows which token it
        became. But as many tokens as were signed and not used are all that can have been lost: more
        begun invitations than that are not replaced. So answers are never more than signatures, and
        people who answered twice at most as many as are counted here.
        """
        old = list(map(digest_of, codes))
        with self.database.writing() as connection:
            found = connection.execute(select(invitations).where(invitations.c.code.in_(old))).all()
            if len(found) < len(set(old)):
                raise DataError(
                    "Not all of these invitations are known here.",
                    hint="Give lines of a file that deniable survey invite wrote for this survey.",
                )
            if len(set(old)) < len(old) or any(row.blinded == REPLACED for row in found):
                raise DataError(
                    "One of these invitations has been replaced already.",
                    hint="Send the person their newer link, or give that one here.",
                )
            lost = sum(row.blinded not in {None, UNUSED} for row in found)
            answered = connection.execute(select(func.count()).select_from(spent)).scalar_one()
            unfinished = max(begun(connection) - answered, 0)
            if lost > unfinished:
                raise DataError(
                    f"Of those who have begun, {unfinished} have not answered yet, "
                    f"and {lost} of these invitations were begun.",
                    hint="Somebody here has answered already; nobody can say who.",
                )
            gone = update(invitations).where(invitations.c.code.in_(old))
            connection.execute(gone.values(blinded=REPLACED))
            rows = [{"code": code, "blinded": UNUSED} for code in sorted(map(digest_of, new))]
            connection.execute(insert(invitations), rows)
            add_to_tallies(connection, {"replaced": lost})
        return lost

    # --- Answers ---------------------------------------------------------------------------------

    def keep(self, submissions: Sequence[Submission]) -> list[Verdict]:
        """Commit answers, all in one transaction; one verdict each."""
        with self.database.writing() as connection:
            desk = Intake(connection, submissions, self._quotas)
            verdicts = [desk.judge(submission) for submission in submissions]
            if desk.rows:
                # By their random names: no page is ever written in the order of their arrival.
                connection.execute(insert(waiting), sorted(desk.rows, key=itemgetter("id")))
                if desk.tokens:
                    used = [{"token": token} for token in sorted(desk.tokens)]
                    connection.execute(insert(spent), used)
                add_to_tallies(connection, desk.tally)
                self._settle(connection)
            alone = len(submissions) == 1
            if self._batches_show and alone and self._came_alone:  # twice: there is time
                self._hide_batches(connection)
            self._came_alone = alone
        return verdicts

    def holds(self, id: str) -> bool:  # noqa: A002 (an answer's own name for it)
        """Whether an answer is kept."""
        with self.database.reading() as connection:
            return bool(kept(connection, [id]))

    def withdraw(self, id: str) -> bool:  # noqa: A002
        """Delete an answer. Its token stays spent, and results change with the next batch."""
        with self.database.writing() as connection:
            found = kept(connection, [id]).get(id)
            if found is None:
                return False
            for table in (waiting, answers):
                gone = connection.execute(delete(table).where(table.c.id == id)).rowcount
                add_to_tallies(connection, {f"in {table.name}": -gone})
            counted = {quota.tally: -1 for quota in filled(self._quotas, found[1])}
            add_to_tallies(connection, counted)
            connection.execute(insert(withdrawn).values(id=id))
        return True

    def reports(self, arm: str) -> dict[str, int]:
        """The released reports of an arm, and how many there are of each."""
        which = select(answers.c.report, func.count()).where(answers.c.arm == arm)
        with self.database.reading() as connection:
            found = connection.execute(which.group_by(answers.c.report))
            return {row.report: row[1] for row in found}

    def records(self, arm: str) -> Records:
        """The same as records."""
        return records(self.reports(arm), self.survey.design.schema)

    def released(self) -> dict[str, Any] | None:
        """The tallies when the latest batch was released, and the batch's name."""
        found = self.setting("released")
        return None if found is None else json.loads(found)

    def frozen(self, what: str, batch: str, make: Callable[[], Any]) -> Any:
        """What was made of a batch: made once, it never changes.

        Otherwise an answer that was withdrawn could be read off the difference.
        """
        with self.database.reading() as connection:
            found = json.loads(setting(connection, f"shown {what}") or "{}")
        if found.get("batch") == batch:
            return found["made"]
        made = make()
        with self.database.writing() as connection:
            found = json.loads(setting(connection, f"shown {what}") or "{}")
            if found.get("batch") != batch:
                found = {"batch": batch, "made": made}
                put_setting(connection, f"shown {what}", json.dumps(found))
        return found["made"]

    def tallies(self) -> dict[str, int]:
        """All tallies."""
        with self.database.reading() as connection:
            return all_tallies(connection)

    # --- Batches ---------------------------------------------------------------------------------

    def _settle(self, connection: Connection) -> None:
        counts = all_tallies(connection)
        if counts["in waiting"] >= self._least(counts["in answers"]):
            self._release(connection)
        else:
            shuffle(connection, "waiting")

    def _least(self, old: int) -> int:
        """How many new answers make a batch."""
        if not old:
            return self.survey.after
        # PostgreSQL writes all answers anew with each batch; SQLite only so many.
        most = MOST_WAITING if self.database.is_sqlite else old
        return max(self.survey.every, min(old // GROWTH, most))

    def _release(self, connection: Connection) -> None:
        """Move what waits among the answers, and freeze the tallies that are shown."""
        moved = select(waiting).order_by(waiting.c.id)
        connection.execute(insert(answers).from_select(["id", "arm", "report"], moved))
        count = connection.execute(delete(waiting)).rowcount
        add_to_tallies(connection, {"in waiting": -count, "in answers": count})
        shown = {**all_tallies(connection), "begun": begun(connection)}
        put_setting(connection, "released", json.dumps({**shown, "batch": secrets.token_hex(8)}))
        if self.database.is_sqlite:
            self._batches_show = True
        else:
            shuffle(connection, "answers")

    def _note_begun(self, connection: Connection) -> None:
        """Take those who began since the last batch into what is shown of it."""
        if (released := setting(connection, "released")) is not None:
            now = {**json.loads(released), "begun": begun(connection)}
            put_setting(connection, "released", json.dumps(now))

    def _hide_batches(self, connection: Connection) -> None:
        """Write released answers anew: in SQLite's file, their places told their batches."""
        if all_tallies(connection)["in answers"] <= MOST_REWRITTEN:
            shuffle(connection, "answers")
        self._batches_show = False

    def _claim(self, connection: Connection) -> None:
        """Make an empty database this survey's, or see that it is."""
        if not belongs_to(self.survey, connection):
            put_setting(connection, "survey", self.survey.name)
            put_setting(connection, "fingerprint", self.survey.fingerprint)
        names = [
            *("in waiting", "in answers", "replaced"),
            *(f"arm {arm}" for arm in ARMS),
            *(f"device {device}" for device in DEVICES),
            *(f"understood {number}" for number in range(MOST_UNDERSTOOD + 1)),
        ]
        known = all_tallies(connection)
        new = {name: 0 for name in names if name not in known}
        for quota in self._quotas:  # also one that was added later
            if quota.tally not in known:
                new[quota.tally] = how_many(connection, quota.place, quota.digit)
        if new:
            rows = [{"name": name, "count": count} for name, count in new.items()]
            connection.execute(insert(tallies), rows)


def belongs_to(survey: Survey, connection: Connection) -> bool:
    """Whether a database is a survey's; False while it is nobody's. Another's is refused."""
    found = {name: setting(connection, name) for name in ("survey", "fingerprint")}
    known = found["fingerprint"] in {survey.fingerprint, *survey.earlier_fingerprints}
    mine = known and found["survey"] == survey.name
    if any(found.values()) and not mine:
        same = found["survey"] == survey.name
        raise DatabaseError(
            "The survey was changed after its database was made."
            if same
            else f"The database holds another survey, {found['survey']!r}.",
            hint="Answers to two surveys do not mix: use another --database.",
        )
    return mine
