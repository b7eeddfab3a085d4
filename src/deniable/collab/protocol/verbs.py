"""Every verb of the wire, in the order of a run: what each says, and what answers it.

A run begins, maybe by a coin for its leader; the people in common are found; then the leader gets
disguised records, estimates or secure counts, and hands out what it mined.

Of a secure count, one side holds a vector (encrypts it) and the other evaluates. A vector's size is
counted first, then the cells within it. What waits in the follower's memory for the leader's next
message has a token.
"""

from deniable.collab.agreement.agreement import SECURE_MODES
from deniable.collab.protocol import fields
from deniable.collab.protocol.body import Asker, R, Reply, Request, RowsReply


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
    model: fields.Part


class CoinRequest(Request[R], asker=Asker.ANYBODY, before_terms=True, drawn_leader=True):
    """A step of the toss, which comes before there is a leader."""

    of_no_use = "The leader is named, not drawn."


class CoinCommitment(Reply, verb="committed"):
    """A hash that binds a party to its number."""

    commitment: str


class CommitCoin(CoinRequest[CoinCommitment], verb="commit"):
    """Everybody commits to a number."""


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

    setup: fields.Part
    response: fields.Part


class IntersectIdentifiers(AlignmentRequest[IntersectionPoints], verb="intersect", align={"psi"}):
    """The seeker's identifiers, hidden, and how many there are."""

    records: int
    points: fields.Part

    def __post_init__(self) -> None:
        if self.records < 1:
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
    named: fields.Part


class DisguisedRecords(RowsReply, verb="records"):
    """A record per person, of the columns that the agreement names."""

    table: fields.Part


class SendRecords(Request[DisguisedRecords], verb="records", modes={"collect", "pool", "hybrid"}):
    """Disguise, once, and send."""

    of_no_use = "No records are sent in this collaboration."


class EstimatedCounts(RowsReply, verb="estimates"):
    """For each cell its value, variance, tilt and bend; null where a count may not be told."""

    n: int
    arrays: fields.Arrays

    def __post_init__(self) -> None:
        if self.n < 1 or len(self.arrays) != 4 or len({*map(len, self.arrays)}) > 1:  # noqa: PLR2004
            raise ValueError


class EstimateCounts(Request[EstimatedCounts], verb="estimates", modes={"counts"}):
    """Estimate from the disguised records, which stay where they are."""

    of_no_use = "No estimates are sent in this collaboration."
    cells: fields.Cells
    of: fields.CountTarget


class SecureRequest(Request[R], modes=SECURE_MODES):
    """A step of secure counting."""

    of_no_use = "No secure counts are made in this collaboration."


class PermitCounts(SecureRequest[LedgerRows], verb="ask"):
    """Which cells may be asked, before any ciphertext is made."""

    cells: fields.Cells
    refused: fields.Reasons
    """What the leader's own policy refuses."""


class MaskedAnswers(Reply, verb="answers"):
    """A masked answer for each size and cell, one vector after the other."""

    tokens: fields.Tokens
    answers: fields.Parts


class EvaluateVectors(SecureRequest[MaskedAnswers], verb="evaluate"):
    """The leader holds: a key and ciphertexts of each vector."""

    vectors: fields.Vectors
    encrypted: fields.PartPairs


class JudgedCounts(Reply, verb="judged"):
    """The masks are off: what the follower lets pass."""

    values: fields.VerdictLists


class UnmaskCounts(SecureRequest[JudgedCounts], verb="opened"):
    """The leader has opened the masked answers."""

    tokens: fields.Tokens
    values: fields.CountLists


class HeldVectors(Reply, verb="held"):
    """A key and ciphertexts of each vector."""

    tokens: fields.Tokens
    encrypted: fields.PartPairs


class HoldVectors(SecureRequest[HeldVectors], verb="hold"):
    """The follower holds."""

    vectors: fields.Vectors


class OpenedAnswers(Reply, verb="opened"):
    """Opened, and still masked."""

    values: fields.CountLists


class OpenAnswers(SecureRequest[OpenedAnswers], verb="open"):
    """The leader's masked answers, one vector after the other."""

    tokens: fields.Tokens
    answers: fields.Parts


class ReleaseCounts(SecureRequest[LedgerRows], verb="release"):
    """The leader has judged too: what both let pass is written, and so released."""

    tokens: fields.Tokens
    values: fields.VerdictLists
