"""Every verb of secure counting, in the order of a batch: what each says, and what answers it.

One side holds a vector (seals it) and the other evaluates; either may be the leader. So most of
what is said can be a question or an answer: `secure.batches` says what each is for. A vector's size
is counted first, then the cells within it.
"""

from deniable.collab.agreement.agreement import SECURE_MODES
from deniable.collab.protocol import fields
from deniable.collab.protocol.body import Body, R, Reply, Request
from deniable.collab.protocol.verbs import LedgerRows


class SecureRequest(Request[R], modes=SECURE_MODES):
    """A step of secure counting."""

    of_no_use = "No secure counts are made in this collaboration."


class PermitCounts(SecureRequest[LedgerRows], verb="ask"):
    """Which cells may be asked, before any ciphertext is made."""

    cells: fields.Cells
    refused: fields.Reasons
    """What the leader's own policy refuses."""


class CountingNonce(Reply, verb="nonce"):
    """The follower's part of the session's randomness."""

    nonce: str


class BeginCounting(SecureRequest[CountingNonce], verb="begin"):
    """A commitment to the leader's part, so that it cannot be chosen by the follower's."""

    commitment: str


class FollowerKey(Reply, verb="keys"):
    """The follower's public key of the session."""

    key: fields.KeyPart


class ShareKey(SecureRequest[FollowerKey], verb="keys"):
    """The leader's part of the randomness, as committed to, and its public key."""

    nonce: str
    key: fields.KeyPart


class Answers(Body):
    """Of an evaluator: a masked answer for each size and cell, then questions for bits."""

    commitments: fields.Texts
    """By term: a hash of its sealed vector."""

    answers: fields.Parts


class AuditedCounts(Body):
    """Of a holder: which counts are audited, and a commitment to what the questions opened to."""

    commitment: str
    audited: fields.Whole
    """By their places among all sizes and cells."""


class AuditMaterial(Body):
    """Of an evaluator: what its questions should have opened to, and its own vectors, sealed."""

    expected: fields.Whole
    names: fields.Names
    """What each part of the message is about."""

    masks: str
    """Which of them are the masks."""

    sealed: fields.AuditParts

    def __post_init__(self) -> None:
        if len(self.names) != len(self.sealed):
            raise ValueError

    @property
    def given(self) -> dict[str, bytes]:
        """What was sealed, by what it is about."""
        return dict(zip(self.names, self.sealed, strict=True))


class AuditQuestions(Body):
    """Of a holder: what the evaluator's questions opened to, and questions about its vectors."""

    opened: fields.Whole
    salt: str
    answers: fields.Parts


class ProofCommitment(Body):
    """Of an evaluator: a commitment to what those opened to."""

    commitment: str


class ProofExpected(Body):
    """Of a holder: what they should have opened to."""

    expected: fields.Whole


class ProofOpened(Body):
    """Of an evaluator: what they did open to."""

    opened: fields.Whole
    salt: str


class MaskedAnswers(Reply, Answers, verb="answers"):
    """The follower's."""


class EvaluateVectors(SecureRequest[MaskedAnswers], verb="evaluate"):
    """The leader holds: its vectors, sealed."""

    vectors: fields.Vectors
    sealed: fields.VectorParts


class EvaluatorMaterial(Reply, AuditMaterial, verb="material"):
    """The follower's."""


class AuditFollower(SecureRequest[EvaluatorMaterial], AuditedCounts, verb="audit"):
    """The leader holds, and audits."""


class EvaluatorCommitment(Reply, ProofCommitment, verb="bound"):
    """The follower's."""


class QuestionFollower(SecureRequest[EvaluatorCommitment], AuditQuestions, verb="question"):
    """The leader holds: its proof, and its questions."""


class EvaluatorProof(Reply, ProofOpened, verb="proof"):
    """The follower's."""


class ExpectProof(SecureRequest[EvaluatorProof], ProofExpected, verb="expect"):
    """The leader holds."""


class JudgedCounts(Reply, verb="judged"):
    """The masks are off: what the follower lets pass."""

    values: fields.VerdictLists


class UnmaskCounts(SecureRequest[JudgedCounts], verb="opened"):
    """The leader has opened the masked answers, and the audit has passed."""

    values: fields.CountLists


class HeldVectors(Reply, verb="held"):
    """The follower's vectors, sealed."""

    sealed: fields.AuditParts


class HoldVectors(SecureRequest[HeldVectors], verb="hold"):
    """The follower holds."""

    vectors: fields.Vectors


class HolderAudit(Reply, AuditedCounts, verb="audit"):
    """The follower's."""


class AnswerVectors(SecureRequest[HolderAudit], Answers, verb="answers"):
    """The leader evaluates."""


class HolderQuestions(Reply, AuditQuestions, verb="question"):
    """The follower's."""


class ShowMaterial(SecureRequest[HolderQuestions], AuditMaterial, verb="material"):
    """The leader evaluates, and is audited."""


class HolderExpectation(Reply, ProofExpected, verb="expect"):
    """The follower's."""


class CommitProof(SecureRequest[HolderExpectation], ProofCommitment, verb="prove"):
    """The leader evaluates."""


class OpenedAnswers(Reply, verb="opened"):
    """Opened, and still masked; the audit has passed."""

    values: fields.CountLists


class ShowProof(SecureRequest[OpenedAnswers], ProofOpened, verb="proof"):
    """The leader evaluates."""


class ReleaseCounts(SecureRequest[LedgerRows], verb="release"):
    """The leader has judged too: what both let pass is written, and so released."""

    values: fields.VerdictLists


class StopCounting(SecureRequest[LedgerRows], verb="stop"):
    """The follower broke the rules; nothing more is counted in this run."""

    why: fields.Reason
