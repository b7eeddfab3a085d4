"""Sealed vectors of one session: a side's own, and what it has seen of the other's.

A vector stands for a conjunction of terms about its side's columns. Each is sealed about its own
words, so it is the same bytes whenever it is sent. Before a *term* (a column and a value) is in a
second answer, its side commits to it by a hash of what it would send. From then on its columns are
what they are: a conjunction is proven to be one of those terms.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from deniable.base.fingerprint import digest_of
from deniable.collab.cells import Cell, written
from deniable.collab.counting.backend import (
    Bits,
    CountingSession,
    OwnKey,
    PeerKey,
    SealedVector,
    malformed,
)
from deniable.collab.counting.parameters import Parameters
from deniable.collab.counting.proofs import (
    BrokenRulesError,
    Claim,
    inverses,
    of_bits,
    of_conjunction,
)
from deniable.schema import Schema

KEPT_BYTES = 1 << 26
"""Of own terms, sealed; the others are sealed again when they are needed."""


def terms_of(part: Cell) -> list[Cell]:
    """The terms of a part, each as a part of its own."""
    return [frozenset({term}) for term in sorted(part)]


def about_part(part: Cell, schema: Schema) -> str:
    """What a part is sealed about. Two things with the same words would be hidden by the same."""
    return f"part {written(part, schema)}"


def about_inverses(part: Cell, schema: Schema) -> str:
    """What the inverses of a conjunction are sealed about."""
    return f"inverses {written(part, schema)}"


@dataclass
class UsedTerms:
    """How many answers each term was in: one that was in a single answer cannot have changed."""

    _times: Counter[Cell] = field(default_factory=Counter)

    def again(self, parts: Iterable[Cell]) -> list[Cell]:
        """Count the terms of some parts; give those that are used for a second time, or more."""
        used = [term for part in parts for term in terms_of(part)]
        self._times.update(used)
        return [term for term in dict.fromkeys(used) if self._times[term] > 1]


@dataclass(eq=False)
class OwnVectors:
    """A side's own vectors, sealed under its key."""

    key: OwnKey
    schema: Schema
    session: CountingSession
    bits: Callable[[Cell], Bits]
    _terms: dict[str, bytes] = field(default_factory=dict)
    _used: UsedTerms = field(default_factory=UsedTerms)
    _committed: set[str] = field(default_factory=set)
    _sent: set[str] = field(default_factory=set)
    _masks: int = 0

    def sealed(self, part: Cell) -> bytes:
        """A part's vector; those of terms are kept, as they are needed again."""
        about = about_part(part, self.schema)
        if about in self._terms:
            return self._terms[about]
        sealed = self.key.seal(about, self.bits(part))
        if len(part) == 1 and len(sealed) * (len(self._terms) + 1) <= KEPT_BYTES:
            self._terms[about] = sealed
        return sealed

    def commitments(self, parts: Iterable[Cell]) -> dict[str, str]:
        """Hashes of the terms that parts of answers have had before, each once."""
        found = {}
        for term in self._used.again(parts):
            about = about_part(term, self.schema)
            if about not in self._committed:
                self._committed.add(about)
                found[about] = digest_of(self.sealed(term))
        return found

    def material(self, parts: Iterable[Cell]) -> dict[str, bytes]:
        """What proves that parts are what they are called: vectors, inverses, and terms, once."""
        found: dict[str, bytes] = {}
        for part in parts:
            terms = terms_of(part)
            if not terms:  # everybody: nothing to prove
                continue
            found[about_part(part, self.schema)] = self.sealed(part)
            if len(terms) > 1:
                values = inverses([self.bits(term) for term in terms], self.session.parameters.t)
                about = about_inverses(part, self.schema)
                found[about] = self.key.seal(about, values)
                for term in terms:
                    name = about_part(term, self.schema)
                    if name not in self._sent:
                        self._sent.add(name)
                        found.setdefault(name, self.sealed(term))
        return found

    def masks(self, masks: Sequence[int]) -> tuple[str, bytes]:
        """Masks of answers, sealed about words that are used once."""
        self._masks += 1
        about = f"masks {self._masks}"
        return about, self.key.seal(about, np.array(masks, np.int64))


@dataclass(eq=False)
class PeerVectors:
    """What has been seen of the other side's vectors, and what is proven of them."""

    key: PeerKey
    schema: Schema
    parameters: Parameters
    _used: UsedTerms = field(default_factory=UsedTerms)
    _bound: dict[str, str] = field(default_factory=dict)
    _terms: dict[str, bytes] = field(default_factory=dict)
    _proven: set[str] = field(default_factory=set)

    def commit(self, commitments: Mapping[str, str], parts: Iterable[Cell]) -> None:
        """Take commitments to the terms that parts of answers have had before: to all of them."""
        needed = {about_part(term, self.schema) for term in self._used.again(parts)}
        if not commitments.keys() <= needed:
            raise malformed("a commitment to something that is not asked for")
        for about, digest in commitments.items():
            self._bind(about, digest)
        if not needed <= self._bound.keys():
            raise malformed("a term that is not committed to")

    def take(self, about: str, sealed: bytes) -> SealedVector:
        """Load a vector, which must be the same as ever."""
        self._bind(about, digest_of(sealed))
        return self.key.load(about, sealed, self.parameters.records)

    def held(self, vectors: Mapping[Cell, bytes]) -> tuple[dict[Cell, SealedVector], list[Claim]]:
        """Load vectors to be counted in, and claim that those not seen before are of bits."""
        loaded: dict[Cell, SealedVector] = {}
        claims: list[Claim] = []
        for part, sealed in vectors.items():
            about = about_part(part, self.schema)
            loaded[part] = self.take(about, sealed)
            self._claim(about, loaded[part], claims)
        return loaded, claims

    def conjunctions(
        self, parts: Iterable[Cell], given: Mapping[str, bytes]
    ) -> tuple[dict[Cell, SealedVector], list[Claim]]:
        """Load parts for an audit, and claim that each is the conjunction of its terms."""
        loaded: dict[Cell, SealedVector] = {}
        claims: list[Claim] = []
        fresh: dict[str, SealedVector] = {}
        for part in parts:
            about, terms = about_part(part, self.schema), terms_of(part)
            vector = loaded[part] = self.take(about, _given(given, about))
            if len(terms) == 1:
                self._claim(about, vector, claims)
                continue
            names = [about_part(term, self.schema) for term in terms]
            columns = [self._term(name, given, fresh, claims) for name in names]
            name = about_inverses(part, self.schema)
            inverse = self.take(name, _given(given, name))
            claims.append(of_conjunction(vector, inverse, columns, self.parameters))
        return loaded, claims

    def prove(self, about: Iterable[str]) -> None:
        """Remember what is proven, now that the proof has come."""
        self._proven.update(about)

    def _claim(self, about: str, vector: SealedVector, claims: list[Claim]) -> None:
        """Claim that a vector is of bits, unless that is proven or claimed already."""
        if about not in self._proven and all(claim.about != about for claim in claims):
            claims.append(of_bits(vector, self.parameters, about))

    def _term(
        self,
        name: str,
        given: Mapping[str, bytes],
        fresh: dict[str, SealedVector],
        claims: list[Claim],
    ) -> SealedVector:
        """A term's vector, kept from an earlier audit or sent now; its bits are claimed once."""
        if name not in fresh:
            if name not in self._terms:
                self._terms[name] = _given(given, name)
            fresh[name] = self.take(name, self._terms[name])
            self._claim(name, fresh[name], claims)
        return fresh[name]

    def _bind(self, about: str, digest: str) -> None:
        if self._bound.setdefault(about, digest) != digest:
            raise BrokenRulesError(
                f"The other side's vector ({about}) is another one than before.",
                hint="Nothing of this batch is released, and the run is stopped.",
            )


def _given(given: Mapping[str, bytes], about: str) -> bytes:
    if about not in given:
        raise malformed("a vector of an audit that is missing")
    return given[about]
