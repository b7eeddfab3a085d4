"""How many were invited, began and finished: counts without times, roughly while it matters.

Invited: the invitations that were made, but for those that others replace. Begun: those for which a
token was signed, which happens when somebody agrees to take part. Finished: the answers that were
kept, also those that were deleted since. An open link tells neither who was invited nor who began.

What leaks: how many take part, never who. A count that may be watched is a span of ten: one person
more or fewer is not seen, nor that nobody, or everybody, has answered yet. Spans begin at the count
that was last told exactly, so that the next person does not end one. Exact are the counts of a
survey that is closed and whose answers are all released: its results say how many there are. If it
was opened again since, they are not: "all are released" would say that nobody came.
"""

import json
from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from deniable.survey.protocol import ARMS
from deniable.survey.store.rows import all_tallies, setting
from deniable.survey.store.tables import invitations

SPAN = 10
"""A watched count is only told to lie in a span of so many, or a few more where it ends."""

UNUSED = "-" * 64
"""Stands for what will be signed, and is as long: a row that grows moves, and tells when."""

REPLACED = "=" * 64
"""Stands there when a new invitation was made in its place; nothing more is signed for it."""


@dataclass(frozen=True)
class Span:
    """A count that lies between two numbers, both included; exact if they are one."""

    low: int
    high: int

    @property
    def exact(self) -> bool:
        """Whether it is told as it is."""
        return self.low == self.high

    def __str__(self) -> str:
        return f"{self.low:,}" if self.exact else f"{self.low:,} to {self.high:,}"


@dataclass(frozen=True)
class Participation:
    """How many take part; `invited` and `begun` are None where a link is open to everybody."""

    invited: int | None
    begun: Span | None
    finished: Span

    @property
    def over(self) -> bool:
        """Whether the counts are final."""
        return self.finished.exact


@dataclass(frozen=True)
class Closing:
    """What became of a survey that was closed."""

    again: bool
    """It was closed already."""

    shown: bool
    """There are results."""

    hidden: bool
    """Some answers may be in none of them: those that came after it was opened again."""


def participation(connection: Connection, *, invited_only: bool) -> Participation:
    """Count within a transaction; where nobody is invited, all that is known is who finished."""
    counts = all_tallies(connection)
    released = json.loads(setting(connection, "released") or "{}")
    reopened = setting(connection, "reopened")
    closed = setting(connection, "closed") and reopened is None
    over = closed and released and not counts["in waiting"]
    invited = _invited(connection) if invited_only else None
    shown = sum(released.get(f"arm {arm}", 0) for arm in ARMS)
    done = sum(counts[f"arm {arm}"] for arm in ARMS)
    finished = Span(shown, shown) if over else roughly_since(shown, done, invited)
    if invited is None:
        return Participation(None, None, finished)
    if over and "begun" in released:  # a version before did not note them
        return Participation(invited, Span(released["begun"], released["begun"]), finished)
    told = int(reopened) if reopened and reopened.isdigit() else 0
    return Participation(invited, roughly_since(told, begun(connection), invited), finished)


def begun(connection: Connection) -> int:
    """Invitations for which a token was signed."""
    used = invitations.c.blinded.not_in([UNUSED, REPLACED])  # nor where it is NULL
    return connection.execute(select(func.count()).where(used)).scalar_one()


def roughly(count: int, most: int | None) -> Span:
    """A count as the span it lies in; of a known most, the last span is never a short one.

    >>> str(roughly(0, 100)), str(roughly(57, 100)), str(roughly(100, 100)), str(roughly(3, 12))
    ('0 to 9', '50 to 59', '90 to 100', '0 to 12')
    >>> str(roughly(57, None)), str(roughly(27, 27)), str(roughly(14, 27))
    ('50 to 59', '10 to 27', '10 to 27')
    """
    low = count // SPAN * SPAN
    last = max(((most or 0) - SPAN) // SPAN * SPAN, 0)  # where the last span begins
    if most is not None and last <= low and count <= most:  # but for what a restored backup forgot
        return Span(last, max(most, last + SPAN - 1))
    return Span(low, low + SPAN - 1)


def roughly_since(told: int, count: int, most: int | None) -> Span:
    """The same, for whoever knows an earlier count: in spans that begin there.

    >>> str(roughly_since(29, 29, 100)), str(roughly_since(29, 30, 100))
    ('29 to 38', '29 to 38')
    """
    span = roughly(count - told, None if most is None else max(most - told, 0))
    return Span(span.low + told, span.high + told)


def _invited(connection: Connection) -> int:
    replaced = invitations.c.blinded == REPLACED
    count = select(func.count(), func.count().filter(replaced)).select_from(invitations)
    every, gone = connection.execute(count).one()
    return int(every) - int(gone)
