"""Finding the people in common."""

from deniable.collab.protocol.body import Asker, Question, R, Reply, RowsReply
from deniable.collab.protocol.fields import Part


class AlignmentQuestion(Question[R], asker=Asker.SEEKER, align={"psi", "key"}):
    """A step of whoever finds the people in common."""

    of_no_use = "Records are not aligned in this way."


class PeopleFound(RowsReply, verb="sought"):
    """All parties have the same people in the same order."""


class FindPeople(AlignmentQuestion[PeopleFound], verb="seek", asker=Asker.LEADER):
    """Be the seeker, for a leader that has no records."""


class IntersectionPoints(Reply, verb="intersected"):
    """Own identifiers, hidden, and the seeker's with the own key on top."""

    setup: Part
    response: Part


class IntersectIdentifiers(AlignmentQuestion[IntersectionPoints], verb="intersect", align={"psi"}):
    """The seeker's identifiers, hidden, and how many there are."""

    records: int
    points: Part

    def __post_init__(self) -> None:
        if self.records < 1:
            raise ValueError


class IdentifiersHash(Reply, verb="compared"):
    """One value that is equal where all identifiers are."""

    same: str


class CompareIdentifiers(AlignmentQuestion[IdentifiersHash], verb="compare", align={"key"}):
    """The key of such a value."""

    key: Part


class OrderSettled(RowsReply, verb="settled"):
    """A hash of the people in common and their order."""

    order: str


class SettleOrder(AlignmentQuestion[OrderSettled], verb="settle"):
    """The key of the order, and the people in common by keyed tags."""

    key: Part
    named: Part
