"""What either party of a secure count has: own records, a judge, noise, and the ledger's word."""

import json
from collections.abc import Iterable, Sequence

import numpy as np

from deniable.base.errors import AnswerError, PolicyError
from deniable.base.fingerprint import digest_of_json
from deniable.collab.cells import Cell, read, within, written
from deniable.collab.counting.backend import Backend, CountingSession
from deniable.collab.counting.parameters import Parameters, parameters
from deniable.collab.counting.proofs import BrokenRulesError, PendingProofs
from deniable.collab.ledger import LedgerRow
from deniable.collab.policy import Judge, Noise
from deniable.collab.policy.noise import discrete_laplace
from deniable.collab.policy.own_people import OwnPeople
from deniable.collab.protocol.fields import AskedVector, Verdict
from deniable.collab.secure.batches import CountingKeys
from deniable.collab.secure.sealed_vectors import OwnVectors, PeerVectors
from deniable.collab.session.run import Run
from deniable.collab.session.run_folder import RunFile, RunFolder
from deniable.schema import Schema

UNCOUNTED = "its part may not be counted"

STOPPED = "Talk to each other before you begin a new collaboration."


class PossibleCounts:
    """Checks that counts out of n can be true, with room for the noise that was agreed on.

    Vectors are proven to be of zeros and ones; this is a second look, at what came of them.
    """

    def __init__(self, schema: Schema, n: int, noise: Noise | None) -> None:
        self._schema, self._n = schema, n
        self.slack = 0 if noise is None else noise.reach
        self.parameters: Parameters = parameters(n, 2 * self.slack)

    def read(self, value: int) -> int:
        """Take a count that noise drove below 0 for what it is; counts are known modulo t."""
        return value - self.parameters.t if value > self._n + 2 * self.slack else value

    def require(self, cell: Cell, value: int, most: int, least: int = 0) -> None:
        """Refuse a count outside its range; nothing is released then."""
        if not least - self.slack <= value <= most + self.slack:
            raise AnswerError(
                f"The count of {written(cell, self._schema)} cannot be true, so nothing is "
                "released.",
                hint="The other side's vector is not what it should be.",
            )


class KeptPendingProofs(PendingProofs):
    """Those of a run, on the disk before a proof is asked for: starting again forgets none."""

    def __init__(self, folder: RunFolder) -> None:
        self._folder = folder
        self.unfinished = int(folder.text(RunFile.UNFINISHED) or 0)

    def ask(self) -> None:
        """Note that a proof must come."""
        super().ask()
        self._keep()

    def came(self) -> None:
        """Note that it has come."""
        super().came()
        self._keep()

    def _keep(self) -> None:
        self._folder.write(RunFile.UNFINISHED, str(self.unfinished).encode())


class CountParty:
    """One of the two parties of secure counts."""

    def __init__(self, run: Run, peer: str, backend: Backend) -> None:
        self.run, self.peer, self._backend = run, peer, backend
        self.mine = frozenset(run.agreement.member(run.name).schema.names)
        self.theirs = frozenset(run.agreement.member(peer).schema.names)
        self._followers = self.theirs if run.name == run.leader else self.mine
        self.schema, self.n = run.agreement.schema, run.records.n
        self._people = OwnPeople(self.mine, run.records.part)
        self.judge = Judge(run.policy, self.schema, self.n, self.size, self._people)
        self.possible = PossibleCounts(self.schema, self.n, run.policy.noise)
        self.released: dict[Cell, int] = {}
        self.withheld: set[Cell] = set()
        self._learnt: set[Cell] = {frozenset()}
        self._opened = 0
        self._charged = int(run.folder.text(RunFile.CHARGED) or 0)
        self._spend(0)
        self.require_running()

    def session(self, leaders: str, followers: str) -> CountingSession:
        """A session whose randomness both sides have drawn, neither knowing the other's before."""
        terms = self.run.terms
        drawn = [self.run.agreement.digest, terms and terms.digest, leaders, followers]
        return CountingSession(self.possible.parameters, bytes.fromhex(digest_of_json(drawn)))

    def own_vectors(self, session: CountingSession) -> OwnVectors:
        """Own vectors, under a fresh key."""
        key = self._backend.own_key(session, self.run.name)
        return OwnVectors(key, self.schema, session, self.run.records.part)

    def keys(self, own: OwnVectors, public: bytes) -> CountingKeys:
        """Both sides' keys."""
        key = self._backend.peer_key(own.session, self.peer, public)
        p = own.session.parameters
        peer = PeerVectors(key, self.schema, p)
        return CountingKeys(p, own, peer, KeptPendingProofs(self.run.folder))

    def take(self, rows: Iterable[LedgerRow]) -> dict[Cell, int]:
        """Learn what rows of the ledger say; give the counts among them."""
        counted: dict[Cell, int] = {}
        for row in rows:
            if row.kind == "stopped":
                self.stop(str(row.why))
            elif row.kind == "opened":
                self._opened += int(row.value or 0)
            elif row.kind == "refused":
                self.withheld.add(read(row.about, self.schema))
            elif row.kind == "count" and row.value is not None:
                cell = read(row.about, self.schema)
                self.released[cell] = counted[cell] = int(row.value)
                # The follower counts its own columns without opening anything.
                self._opened += within(cell, self._followers)
                self.judge.learn(cell, counted[cell])
        self._spend(0)
        self.require_running()
        return counted

    def charge(self, vectors: Sequence[AskedVector]) -> int:
        """Charge counts to the limit before anything is computed for them; give how many.

        On the disk of each side: neither relies on what the other writes, or says it has lost.
        """
        many = sum(len(vector.all) for vector in vectors)
        if many > self.judge.left:
            raise PolicyError("So many counts are not left.", hint="Ask for a smaller model.")
        self._spend(many)
        self.run.folder.write(RunFile.CHARGED, str(self._charged).encode())
        return many

    def _spend(self, more: int) -> None:
        self._charged += more
        self.judge.spent = max(self._opened, self._charged)

    def stop(self, why: str) -> None:
        """Never count in this run again."""
        if self.run.folder.read(RunFile.STOPPED) is None:
            self.run.folder.write(RunFile.STOPPED, why.encode())

    def require_running(self) -> None:
        """Refuse to go on once somebody broke the rules."""
        why = self.run.folder.text(RunFile.STOPPED)
        if why is not None:
            raise BrokenRulesError(f"This run was stopped: {why}", hint=STOPPED)

    def before(self, cells: Sequence[Cell]) -> list[str | None]:
        """Judge cells before anything is computed.

        Counts of columns that both sides have are known to both, so they are learnt first.
        """
        for cell in cells:
            both = frozenset(term for term in cell if term[0] in self.mine & self.theirs)
            if both not in self._learnt:
                self._learnt.add(both)
                self.judge.learn(both, self.size(both), released=False)
        return self.judge.before(cells)

    def recorded(self, cell: Cell) -> bool:
        """Whether the ledger has a row about a cell."""
        return cell in self.released or cell in self.withheld

    def size(self, cell: Cell) -> int:
        """How many records satisfy the terms about own columns."""
        return int(np.count_nonzero(self.run.records.part(cell)))

    def noisy(
        self, vectors: Sequence[AskedVector], values: Sequence[Sequence[int]]
    ) -> list[list[int]]:
        """Opened counts, still masked, with own noise on each."""
        return [
            [v + self.noise(cell, vector.part) for cell, v in zip(vector.all, each, strict=True)]
            for vector, each in zip(vectors, values, strict=True)
        ]

    def require_possible(self, vector: AskedVector, counts: Sequence[int]) -> None:
        """Refuse all counts of a vector if anything in them cannot be true, with own noise.

        Without it, where the other side shifts a count it would see an exact threshold.
        """
        size, *found = self.noisy([vector], [counts])[0]
        self.possible.require(vector.part, size, self.n)
        for cell, value in zip(vector.cells, found, strict=True):
            self.possible.require(cell, value, min(size, self.size(cell - vector.part)))

    def verdicts(
        self, vector: AskedVector, values: Sequence[Verdict], *, noisy: bool = True
    ) -> list[Verdict]:
        """Judge a vector's size and its counts, one beside the other.

        What the other side refused stays refused. Where the size may not be told, nothing is.
        """
        first, *others = values
        within = vector.part if noisy else None
        size = first if isinstance(first, str) else self.judged(vector.part, first, within)
        if isinstance(size, str):
            return [size, *(UNCOUNTED for _ in vector.cells)]
        return [
            size,
            *(
                value if isinstance(value, str) else self.judged(cell, value, within)
                for cell, value in zip(vector.cells, others, strict=True)
            ),
        ]

    def judged(self, cell: Cell, value: int, part: Cell | None) -> Verdict:
        """Judge a value, with own noise as within a part; without one, it is in already.

        What was released stays so.
        """
        if cell in self.released:
            return self.released[cell]
        shown = value if part is None else value + self.noise(cell, part)
        why = self.judge.after(cell, shown)
        if why is not None:
            return why
        self.judge.learn(cell, shown, recorded=False)  # the next one is judged beside it
        return shown

    def noise(self, cell: Cell, part: Cell) -> int:
        """Noise of this side on a count within a part; 0 where none is agreed on.

        What this side counts alone, and the sizes of its own vectors, have the same noise for the
        same people, always. Else it is of one answer: of a batch, a vector and a cell, whoever its
        people are here. The other side's vector may be another one in the next, under the same name
        or that of a column that both have, and the difference of two counts with the same noise
        would be exact.
        """
        noise = self.run.policy.noise
        if noise is None:
            return 0
        if cell == part and not self._people.others(cell):
            about = self._people.name(cell)
        else:  # no two batches are charged from the same number on
            words = [written(each, self.schema) for each in (cell, part)]
            about = json.dumps([*words, self._charged])
        return discrete_laplace(1 / noise.epsilon, self.run.derived("noise"), about)
