"""Beginning a run, tossing for its leader, handing out its result, and asking another to lead."""

from deniable.collab.protocol.body import Asker, Question, R, Reply, RowsReply
from deniable.collab.protocol.fields import Document, Part, Terms, Texts


class Welcome(RowsReply, verb="welcome"):
    """What a party brings, and how far the run has come there."""

    policy: Document
    commitment: str
    aligned: str | None
    total: int
    """Rows of the ledger."""


class Hello(Question[Welcome], verb="hello", before_terms=True):
    """A leader begins, or begins again."""


class LedgerRows(RowsReply, verb="rows"):
    """Nothing but rows."""


class MoreRows(Question[LedgerRows], verb="rows", before_terms=True):
    """More of the ledger, for a leader that begins again."""


class TermsAccepted(RowsReply, verb="agreed"):
    """The terms say of this party what is true."""


class AcceptTerms(Question[TermsAccepted], verb="agree", before_terms=True):
    """What all parties bring, to be accepted by each."""

    document: Terms


class ResultReceived(RowsReply, verb="received"):
    """The model is kept."""


class TakeResult(Question[ResultReceived], verb="result"):
    """The model that was mined, for a party that may have it."""

    digest: str
    model: Part


class CoinQuestion(Question[R], asker=Asker.ANYBODY, before_terms=True, drawn_leader=True):
    """A step of the toss, which comes before there is a leader."""

    of_no_use = "The leader is named, not drawn."


class CoinCommitment(Reply, verb="committed"):
    """A hash that binds a party to its number."""

    commitment: str


class CommitCoin(CoinQuestion[CoinCommitment], verb="commit"):
    """Everybody commits to a number."""


class CoinNumber(Reply, verb="revealed"):
    """The number that was committed to."""

    number: str


class RevealCoin(CoinQuestion[CoinNumber], verb="reveal"):
    """Everybody is bound; now the number."""

    commitments: Texts


class DrawnLeader(Reply, verb="noted"):
    """Whom all numbers together fall on."""

    leader: str


class NoteDrawn(CoinQuestion[DrawnLeader], verb="drawn"):
    """Everybody's number, to be checked."""

    numbers: Texts


class LeadStatus(Reply, verb="status"):
    """How far a run is that the party leads."""

    stage: str
    finished: bool
    error: str | None


class LeadQuestion(Question[R], asker=Asker.ANYBODY, before_terms=True, under_way=True):
    """Of anybody who would have a run started by the party that leads it."""


class StartLeading(LeadQuestion[LeadStatus], verb="lead"):
    """Lead this run, or go on with it."""


class AskStatus(LeadQuestion[LeadStatus], verb="status"):
    """Tell how far it is."""
