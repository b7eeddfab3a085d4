"""One batch of secure counts, as each side goes through it: secure-counting.md, step by step.

The *holder* seals vectors, the *evaluator* multiplies its own into them. Either may be the leader.

    holder                                   evaluator
    sealed          vectors            →
                                       ←     answered    masked counts, a question for bits, terms
    audit           a commitment to what the question opened to; counts to be audited
                                       →
                                       ←     reveal      what should have come out; own vectors
    answered        what did come out; a question about those vectors
                                       →
                                       ←     commit      to what that opened to
    expected        what should have   →
                                       ←     prove       what did
    values          of the counts      →
                                             counts      the masks are off
"""

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from deniable.collab.counting.backend import Bits, malformed
from deniable.collab.counting.parameters import Parameters
from deniable.collab.counting.proofs import Claim, Opened, PendingProofs, Questions
from deniable.collab.protocol.fields import AskedVector
from deniable.collab.secure.sealed_vectors import OwnVectors, PeerVectors

AUDITED = 10
"""One count in so many is audited, by a coin of the holder's for each."""


@dataclass(eq=False)
class CountingKeys:
    """Both sides' keys of a session, and what was sealed under them."""

    parameters: Parameters
    own: OwnVectors
    peer: PeerVectors
    pending: PendingProofs = field(default_factory=PendingProofs)


def _whole(asked: Questions | None) -> Questions:
    """What was asked for, by a step that was gone through to its end: else nothing is compared."""
    if asked is None:
        raise malformed("a step that was not finished")
    return asked


class HeldBatch:
    """A batch as its holder sees it. What it opens leaves this side when the audit has passed."""

    def __init__(self, keys: CountingKeys, vectors: Sequence[AskedVector]) -> None:
        self._keys, self.vectors = keys, vectors
        self._cells = [(vector.part, cell) for vector in vectors for cell in vector.all]
        self._values: list[int] = []
        self._audited: list[int] = []
        self._opened = Opened.of(())
        self._asked: Questions | None = None
        self._commitment = ""

    @property
    def _questions(self) -> Questions:
        return _whole(self._asked)

    def sealed(self) -> tuple[bytes, ...]:
        """Own vectors."""
        return tuple(self._keys.own.sealed(vector.part) for vector in self.vectors)

    def audit(
        self, answers: Sequence[bytes], commitments: Mapping[str, str]
    ) -> tuple[str, list[int]]:
        """Open the answers, and choose which counts are asked again with roles exchanged."""
        many = len(self._cells)
        if not many <= len(answers) <= many + len(self.vectors) + 1:
            raise malformed(f"{len(answers)} answers for {many} counts")
        self._keys.peer.commit(commitments, (cell - part for part, cell in self._cells))
        key = self._keys.own.key
        opened = [key.open(answer) for answer in answers]
        self._values, self._opened = opened[:many], Opened.of(opened[many:])
        self._audited = [place for place in range(many) if secrets.randbelow(AUDITED) == 0]
        if self._audited:
            self._keys.pending.ask()
        return self._opened.commitment, self._audited

    def answered(
        self, expected: Sequence[int], given: Mapping[str, bytes], masks: str
    ) -> tuple[Opened, list[bytes]]:
        """Show own proof, and ask for those of the audited counts."""
        self._opened.require_known(expected)
        p, peer = self._keys.parameters, self._keys.peer
        pairs = [self._cells[place] for place in self._audited]
        parts = [cell - part for part, cell in pairs]
        distinct = [part for part in dict.fromkeys(parts) if part]
        loaded, claims = peer.conjunctions(distinct, given)
        if pairs:
            if masks not in given:
                raise malformed("the masks of an audit are missing")
            sealed = peer.key.load(masks, given[masks], len(pairs))
            for number, (place, part) in enumerate(zip(self._audited, parts, strict=True)):
                held = self._keys.own.bits(pairs[number][0])
                claims.append(
                    self._same(number, held, loaded.get(part), sealed, self._values[place])
                )
        questions = Questions()
        questions.ask(peer.key, claims, p)
        self._asked = questions
        return self._opened, questions.answers

    def _same(self, number: int, held: Bits, other: object, masks: object, opened: int) -> Claim:
        """Claim that a count was N = Σ aᵢvᵢ: what was opened is N and the mask that is sealed."""
        p = self._keys.parameters
        factor = 1 + secrets.randbelow(p.t - 1)
        chosen = np.zeros(len(self._audited), np.int64)
        chosen[number] = factor
        if other is None:  # everybody: then N is the size of the held vector
            constant = factor * (int(np.count_nonzero(held)) - opened)
            return Claim(weighted=[(masks, chosen)], constant=constant)
        weights = held.astype(np.int64) * factor
        return Claim(weighted=[(other, weights), (masks, chosen)], constant=-factor * opened)

    def expected(self, commitment: str) -> list[int]:
        """Say what true claims open to, once the other side is bound to what they did."""
        self._commitment = commitment
        return self._questions.expected

    def values(self, opened: Opened) -> list[list[int]]:
        """The opened counts, still masked, by vector: now that the audit has passed."""
        opened.require_proof(self._commitment, self._questions.expected)
        if self._audited:
            self._keys.pending.came()
        self._keys.peer.prove(self._questions.about)
        left = iter(self._values)
        return [[next(left) for _ in vector.all] for vector in self.vectors]


class EvaluatedBatch:
    """A batch as its evaluator sees it."""

    def __init__(self, keys: CountingKeys, vectors: Sequence[AskedVector]) -> None:
        self._keys, self.vectors = keys, vectors
        self._cells = [(vector.part, cell) for vector in vectors for cell in vector.all]
        self._masks: list[int] = []
        self._asked: Questions | None = None
        self._commitment = ""
        self._opened = Opened.of(())

    @property
    def _questions(self) -> Questions:
        return _whole(self._asked)

    def answered(self, sealed: Sequence[bytes]) -> tuple[list[bytes], dict[str, str]]:
        """Masked counts, a question for the bits of what has come, and commitments to own terms."""
        p, peer, own = self._keys.parameters, self._keys.peer, self._keys.own
        parts = [vector.part for vector in self.vectors]
        if len(sealed) != len(parts):
            raise malformed(f"{len(sealed)} vectors in place of {len(parts)}")
        loaded, claims = peer.held(dict(zip(parts, sealed, strict=True)))
        commitments = own.commitments(cell - part for part, cell in self._cells)
        answers = []
        for part, cell in self._cells:
            self._masks.append(secrets.randbelow(p.t))
            candidate = own.bits(cell - part).astype(np.int64)
            answers.append(peer.key.masked([(loaded[part], candidate)], self._masks[-1]))
        questions = Questions()
        questions.ask(peer.key, claims, p)
        self._asked = questions
        return answers + questions.answers, commitments

    def reveal(
        self, commitment: str, audited: Sequence[int]
    ) -> tuple[list[int], dict[str, bytes], str]:
        """Say what the question should have opened to, and seal what the audit needs."""
        if list(audited) != sorted(set(audited)) or not all(
            0 <= place < len(self._cells) for place in audited
        ):
            raise malformed("an audit of counts that were not made")
        self._commitment = commitment
        if self._questions.expected:
            self._keys.pending.ask()
        pairs = [self._cells[place] for place in audited]
        own = self._keys.own
        found = own.material(dict.fromkeys(cell - part for part, cell in pairs))
        about = ""
        if audited:
            about, sealed = own.masks([self._masks[place] for place in audited])
            found[about] = sealed
        return self._questions.expected, found, about

    def commit(self, proof: Opened, answers: Sequence[bytes]) -> str:
        """See the holder's proof; open what the audit asks, and be bound to it."""
        proof.require_proof(self._commitment, self._questions.expected)
        if self._questions.expected:
            self._keys.pending.came()
        self._keys.peer.prove(self._questions.about)
        if len(answers) > 2 * len(self._cells) + 2:
            raise malformed("more questions than an audit has")
        self._opened = Opened.of(self._keys.own.key.open(answer) for answer in answers)
        return self._opened.commitment

    def prove(self, expected: Sequence[int]) -> Opened:
        """Show what was opened, to an auditor that knew it."""
        self._opened.require_known(expected)
        return self._opened

    def counts(
        self, values: Sequence[Sequence[int]], read: Callable[[int], int]
    ) -> list[list[int]]:
        """Take the masks off."""
        if [len(each) for each in values] != [len(vector.all) for vector in self.vectors]:
            raise malformed("opened counts that are missing")
        masks = iter(self._masks)
        t = self._keys.parameters.t
        return [[read((value - next(masks)) % t) for value in each] for each in values]
