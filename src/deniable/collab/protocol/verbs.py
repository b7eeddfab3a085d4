"""Every verb of the wire, in the order of a run: what each says, and what answers it.

A run begins, maybe by a coin for its leader; the people in common are found; then the leader gets
disguised records, estimates or secure counts (`counting_verbs`), and hands out what it mined.
"""

from deniable.collab.protocol import fields
from deniable.collab.protocol.body import Asker, R, Reply, Request, RowsReply
from deniable.collab.wire.message_limits import MOST_ESTIMATED, MOST_IDENTIFIERS


class Welcome(RowsReply, verb="welcome"):
    """What a party brings, and how far the run has come there."""

    policy: fields.Document
    commitment: str
    aligned: str | None
    total: int
    """Rows of the ledger."""


class Hello(Request[Welcome], verb="hello", before_terms=True):
    """A leader begins, or begins again."""


class LedgerRows(RowsReply, verb="rows"):
    """Nothing but rows."""


class MoreRows(Request[LedgerRows], verb="rows", before_terms=True):
    """More of the ledger, for a leader that begins again."""


class TermsAccepted(RowsReply, verb="agreed"):
    """The terms say of this party what is true."""


class AcceptTerms(Request[TermsAccepted], verb="agree", before_terms=True):
    """What all parties bring, to be accepted by each."""

    document: fields.Terms


class ResultReceived(RowsReply, verb="received"):
    """The model is kept."""


class TakeResult(Request[ResultReceived], verb="result"):
    """The model that was mined, for a party that may have it."""

    digest: str
    model: fields.ModelPart


class CoinRequest(
    Request[R], asker=Asker.ANYBODY, before_terms=True, drawn_leader=True, meanwhile=True
):
    """A step of the toss, which comes before there is a leader."""

    of_no_use = "The leader is named, not drawn."


class CoinCommitment(Reply, verb="committed"):
    """A hash that binds a party to its number."""

    commitment: str


class CommitCoin(CoinRequest[CoinCommitment], verb="commit"):
    """Everybody commits to a number."""


class CoinBound(Reply, verb="bound"):
    """A hash of the commitments that a party holds everybody to."""

    bound: str


class BindCoin(CoinRequest[CoinBound], verb="bind"):
    """One party shows another what it was shown, before it reveals."""

    commitments: fields.Texts


class CoinNumber(Reply, verb="revealed"):
    """The number that was committed to."""

    number: str


class RevealCoin(CoinRequest[CoinNumber], verb="reveal"):
    """Everybody is bound; now the number."""

    commitments: fields.Texts


class DrawnLeader(Reply, verb="noted"):
    """Whom all numbers together fall on."""

    leader: str


class NoteDrawn(CoinRequest[DrawnLeader], verb="drawn"):
    """Everybody's number, to be checked."""

    numbers: fields.Texts


class LeadStatus(Reply, verb="status"):
    """How far a run is that the party leads."""

    stage: str = "beginning"
    finished: bool = False
    error: str | None = None


class LeadRequest(Request[R], asker=Asker.ANYBODY, before_terms=True, under_way=True):
    """Of anybody who would have a run started by the party that leads it."""


class StartLeading(LeadRequest[LeadStatus], verb="lead"):
    """Lead this run, or go on with it."""


class AskStatus(LeadRequest[LeadStatus], verb="status"):
    """Tell how far it is."""


class AlignmentRequest(Request[R], asker=Asker.SEEKER, align={"psi", "key"}):
    """A step of whoever finds the people in common."""

    of_no_use = "Records are not aligned in this way."


class PeopleFound(RowsReply, verb="sought"):
    """All parties have the same people in the same order."""


class FindPeople(AlignmentRequest[PeopleFound], verb="seek", asker=Asker.LEADER):
    """Be the seeker, for a leader that has no records."""


class IntersectionPoints(Reply, verb="intersected"):
    """Own identifiers, hidden, and the seeker's with the own key on top."""

    setup: fields.OwnersPoints
    response: fields.OwnersPoints


class IntersectIdentifiers(AlignmentRequest[IntersectionPoints], verb="intersect", align={"psi"}):
    """The seeker's identifiers, hidden, and how many there are."""

    records: int
    points: fields.SeekersPoints

    def __post_init__(self) -> None:
        if not 1 <= self.records <= MOST_IDENTIFIERS:
            raise ValueError


class IdentifiersHash(Reply, verb="compared"):
    """One value that is equal where all identifiers are."""

    same: str


class CompareIdentifiers(AlignmentRequest[IdentifiersHash], verb="compare", align={"key"}):
    """The key of such a value."""

    key: fields.Part


class OrderSettled(RowsReply, verb="settled"):
    """A hash of the people in common and their order."""

    order: str


class SettleOrder(AlignmentRequest[OrderSettled], verb="settle"):
    """The key of the order, and the people in common by keyed tags."""

    key: fields.Part
    named: fields.Tags


class DisguisedRecords(RowsReply, verb="records"):
    """A record per person, of the columns that the agreement names."""

    table: fields.TablePart


class SendRecords(Request[DisguisedRecords], verb="records", modes={"collect", "pool", "hybrid"}):
    """Disguise, once, and send."""

    of_no_use = "No records are sent in this collaboration."


class EstimatedCounts(RowsReply, verb="estimates"):
    """For each cell its value, variance, tilt and bend; null where a count may not be told."""

    n: int
    arrays: fields.Arrays

    def __post_init__(self) -> None:
        fits = len(self.arrays) == 4 and len({*map(len, self.arrays)}) == 1  # noqa: PLR2004
        if not (fits and 1 <= self.n <= MOST_ESTIMATED):
            raise ValueError


class EstimateCounts(Request[EstimatedCounts], verb="estimates", modes={"counts"}):
    """Estimate from the disguised records, which stay where they are."""

    of_no_use = "No estimates are sent in this collaboration."
    cells: fields.Cells
    of: fields.CountTarget
