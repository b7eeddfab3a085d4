"""A whole collaboration in one process, on invented records: what would be asked, and how much.

Messages, planning, policy, ledgers and miners are the real ones; vectors are counted by the
plaintext twin, since there is nothing to hide in invented records.
"""

import json
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from deniable.collab.agreement.agreement import DRAWN, Agreement
from deniable.collab.agreement.party_file import PartyFile
from deniable.collab.counting.plain_twin import Twin
from deniable.collab.follower.dispatcher import Dispatcher
from deniable.collab.leader.lead import lead
from deniable.collab.ledger import tally
from deniable.collab.policy.policy import LETS_ALL_PASS
from deniable.collab.protocol import counting_verbs
from deniable.collab.session.remote_party import Transport
from deniable.collab.session.run import Run
from deniable.collab.wire.message import Message

WITH_VECTORS = frozenset(
    {
        ("up", counting_verbs.EvaluateVectors.verb),
        ("down", counting_verbs.HoldVectors.verb),
        ("down", counting_verbs.AuditFollower.verb),
        ("up", counting_verbs.ShowMaterial.verb),
    }
)
WITH_ANSWERS = frozenset(
    {
        ("down", counting_verbs.EvaluateVectors.verb),
        ("up", counting_verbs.AnswerVectors.verb),
        ("up", counting_verbs.QuestionFollower.verb),
        ("down", counting_verbs.ShowMaterial.verb),
    }
)
"""Which way ciphertexts go with a question, or with what answers it."""

KEYS = frozenset({counting_verbs.ShareKey.verb})
"""What is said once, and hardly counts."""


@dataclass
class Rehearsed:
    """What went over the lines of a rehearsal, by direction (up is from the leader), and was told.

    The numbers of vectors and answers are counted: their bytes are others in earnest.
    """

    messages: int = 0
    words: Counter[str] = field(default_factory=Counter)
    """Bytes of questions and rows, as many as in earnest."""

    people: Counter[str] = field(default_factory=Counter)
    """Bytes that grow with the number of people: identifiers and records."""

    vectors: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)
    secure_counts: int = 0
    released: int = 0
    withheld: int = 0


def rehearse(party: PartyFile, agreement: Agreement, records: int) -> Rehearsed:
    """Run a collaboration of invented parties with so many records; only policies are real."""
    found = Rehearsed()
    leader = agreement.names[0] if agreement.leader == DRAWN else agreement.leader
    with TemporaryDirectory() as folder, ExitStack() as stack:
        dispatchers: dict[str, Dispatcher] = {}
        names = {*agreement.names, leader}
        files = {name: _invented(Path(folder), name, party) for name in names}

        def connect(name: str, asker: str = leader) -> Transport:
            if name not in dispatchers:
                dispatchers[name] = Dispatcher(
                    files[name], lambda other: connect(other, name), Twin()
                )
                dispatchers[name].open(agreement.led_by(leader), records)
                stack.callback(dispatchers[name].close)
            return _Loop(asker, dispatchers[name], found)

        run = Run(files[leader], agreement.led_by(leader), records)
        stack.callback(run.close)
        found.secure_counts = lead(run, connect, backend=Twin()).secure_counts
        ledgers = [run.ledger(name) for name in agreement.names if name != leader]
        found.released, found.withheld = tally(row for each in ledgers for row in each.rows)
    return found


def _invented(folder: Path, name: str, party: PartyFile) -> PartyFile:
    """A party that exists for the rehearsal only; it has the policy that is known of it."""
    home = folder / name
    home.mkdir()
    path = home / "party.yaml"
    path.touch()
    own = party.policy if name == party.name else LETS_ALL_PASS
    return PartyFile(name, party.listen, party.identity, home / "state", path, own)


@dataclass(frozen=True, eq=False)
class _Loop:
    """A line to a party in the same process, which notes what goes over it."""

    asker: str
    dispatcher: Dispatcher
    found: Rehearsed

    def ask(self, message: Message) -> Message:
        reply = self.dispatcher.answer(self.asker, message)
        self.found.messages += 1
        self._note("up", message, message.verb)
        self._note("down", reply, message.verb)
        return reply

    def _note(self, way: str, message: Message, verb: str) -> None:
        self.found.words[way] += len(json.dumps(message.fields))
        if (way, verb) in WITH_VECTORS:
            self.found.vectors[way] += len(message.parts)
        elif (way, verb) in WITH_ANSWERS:
            self.found.answers[way] += len(message.parts)
        elif verb not in KEYS:
            self.found.people[way] += sum(map(len, message.parts))
