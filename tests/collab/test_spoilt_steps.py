"""Leaders that spoil a step of a batch, or have a count opened twice, and go on as if nothing were.

The follower is the real program's, and so is the cryptography. Each attack is tried twice: with the
weakness planted that it was found by, where it succeeds, and on the program as it is.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from collab.counting.two_sides import powers_of_two
from collab.intruder import TREE, Intruder, around, cell, intruding
from collab.parties import EXACT, Gathering, by_columns
from deniable.base.errors import (
    AnswerError,
    CollabError,
    LostSessionError,
    PeerError,
    PolicyError,
)
from deniable.collab.cells import Cell, written
from deniable.collab.counting.backend import Bits, SealedVector
from deniable.collab.counting.bfv import Bfv
from deniable.collab.counting.plain_twin import Twin
from deniable.collab.counting.proofs import Claim, Opened, Questions, of_bits
from deniable.collab.follower import secure_follower
from deniable.collab.follower.secure_follower import SecureFollower
from deniable.collab.ledger import Ledger
from deniable.collab.policy.noise import discrete_laplace
from deniable.collab.protocol import counting_verbs
from deniable.collab.protocol.body import Stamp
from deniable.collab.protocol.fields import AskedVector
from deniable.collab.secure import batches, count_party
from deniable.collab.secure.batches import CountingKeys, EvaluatedBatch
from deniable.collab.secure.count_party import CountParty
from deniable.collab.secure.sealed_vectors import PeerVectors, about_part
from deniable.engine.memory.records import Records
from deniable.schema import Schema
from mine.datasets import random_records

pytestmark = pytest.mark.slow

N = 200
YOUNG, OLD, COAST = cell(age="young"), cell(age="old"), cell(region="coast")
NO_MINIMUM = {**EXACT, "minimum cell": "0"}
READ = powers_of_two(N, 6)
"""Six people's bits in one count, which is not more than a count can be."""

planted_or_not = pytest.mark.parametrize("planted", [True, False], ids=["planted", "as it is"])


@contextmanager
def careless(self: SecureFollower, _: object, __: str, after: str) -> Iterator[Any]:
    """As it was: a step counted as taken before it was gone through."""
    self._next = after
    yield self._batch


def hasty(self: PeerVectors, about: str, vector: SealedVector, claims: list[Claim]) -> None:
    """As it was: what is claimed was proven, whether anybody asked for a proof or not."""
    if about not in self._proven:
        claims.append(of_bits(vector, self.parameters, about))
        self._proven.add(about)


def opened_without_an_audit(intruder: Intruder, keys: CountingKeys) -> int | str:
    """Tilt an answer, be audited, spoil the audit's material, and ask for what was opened."""
    asked = [AskedVector(COAST, [YOUNG | COAST])]
    intruder.permit(COAST, YOUNG | COAST)
    batch = EvaluatedBatch(keys, asked)
    held = intruder.asks(counting_verbs.HoldVectors(asked))
    answers, commitments = batch.answered(held.sealed)
    loaded = keys.peer.key.load("part region=coast", held.sealed[0], N)
    answers[1] = keys.peer.key.masked([(loaded, READ)], batch._masks[1])
    audit = intruder.asks(counting_verbs.AnswerVectors(commitments, tuple(answers)))
    assert audit.audited
    with pytest.raises(AnswerError):
        intruder.asks(counting_verbs.ShowMaterial(batch._questions.expected, [], "", ()))
    nothing = Opened.of(())
    intruder.asks(counting_verbs.CommitProof(nothing.commitment))
    values = intruder.asks(counting_verbs.ShowProof((), nothing.salt)).values
    return batch.counts(values, lambda value: value)[0][1]


def weighed_without_a_proof(intruder: Intruder, keys: CountingKeys) -> int | str:
    """Seal weights beside a vector that cannot be read; go on as if a proof had been asked for."""
    sealed = keys.own.key.seal(about_part(YOUNG, keys.own.schema), READ)
    asked = [AskedVector(YOUNG, [YOUNG | COAST]), AskedVector(OLD, [OLD | COAST])]
    intruder.permit(YOUNG, YOUNG | COAST, OLD, OLD | COAST)
    with pytest.raises(AnswerError):
        intruder.asks(counting_verbs.EvaluateVectors(asked, (sealed, b"no vector")))
    nothing = Opened.of(())
    intruder.asks(counting_verbs.AuditFollower(nothing.commitment, []))
    intruder.asks(counting_verbs.QuestionFollower((), nothing.salt, ()))
    intruder.permit(YOUNG, YOUNG | COAST)
    answers = intruder.asks(counting_verbs.EvaluateVectors(asked[:1], (sealed,))).answers
    values = [keys.own.key.open(answer) for answer in answers]
    intruder.asks(counting_verbs.AuditFollower(nothing.commitment, []))
    intruder.asks(counting_verbs.QuestionFollower((), nothing.salt, ()))
    intruder.asks(counting_verbs.ExpectProof(()))
    return intruder.asks(counting_verbs.UnmaskCounts([values])).values[0][1]


Attack = Callable[[Intruder, CountingKeys], int | str]

spoiling = pytest.mark.parametrize("attack", [opened_without_an_audit, weighed_without_a_proof])


@planted_or_not
@spoiling
def test_a_step_that_was_spoilt_ends_its_batch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, planted: bool, attack: Attack
) -> None:
    """The next one was waited for, and had nothing to compare with: no audit, and no proof."""
    monkeypatch.setattr(batches, "AUDITED", 1)  # every count
    if planted:
        monkeypatch.setattr(SecureFollower, "_step", careless)
        monkeypatch.setattr(batches, "_whole", lambda asked: asked or Questions())
        monkeypatch.setattr(PeerVectors, "_claim", hasty)
        monkeypatch.setattr(SecureFollower, "_session", property(lambda self: self._keys))
    with intruding(around(tmp_path, N, policy=NO_MINIMUM), Bfv()) as intruder:
        keys = intruder.begin()
        if planted:
            assert attack(intruder, keys) == int(intruder.theirs(COAST) @ READ)
            return
        with pytest.raises((CollabError, PeerError), match="nobody waits for"):
            attack(intruder, keys)


@spoiling
def test_a_batch_knows_by_itself_that_a_step_was_not_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, attack: Attack
) -> None:
    """Whoever leads it through its steps."""
    monkeypatch.setattr(batches, "AUDITED", 1)
    monkeypatch.setattr(SecureFollower, "_step", careless)
    with intruding(around(tmp_path, N, policy=NO_MINIMUM), Bfv()) as intruder:
        keys = intruder.begin()
        with pytest.raises(AnswerError, match="not finished"):
            attack(intruder, keys)


def test_who_walks_away_begins_a_session_of_its_own(tmp_path: Path) -> None:
    """A key that outlives an audit is told to whoever cheats until the sixth."""
    asked = [AskedVector(COAST, [YOUNG | COAST])]
    with intruding(around(tmp_path, N, policy=NO_MINIMUM)) as intruder:
        keys = intruder.begin()
        for _ in range(2):  # one batch after the other is fine
            intruder.permit(COAST, YOUNG | COAST)
            counted_with(intruder, keys, intruder.ours(YOUNG))
        intruder.permit(COAST, YOUNG | COAST)
        intruder.asks(counting_verbs.HoldVectors(asked))
        intruder.permit(COAST, YOUNG | COAST)
        with pytest.raises(LostSessionError, match="No keys"):
            intruder.asks(counting_verbs.HoldVectors(asked))


@pytest.mark.parametrize("right", [True, False])
def test_a_question_about_a_record_tells_whether_a_guess_is_right_and_a_wrong_one_ends_the_run(
    tmp_path: Path, right: bool
) -> None:
    """This is left: a guess may be put where a proof is asked for."""
    asked, person = [AskedVector(COAST, [YOUNG | COAST])], 3
    with intruding(around(tmp_path, N, policy=NO_MINIMUM), Bfv()) as intruder:
        keys = intruder.begin()
        guess = int(intruder.theirs(COAST)[person]) ^ (not right)
        intruder.permit(COAST, YOUNG | COAST)
        batch = EvaluatedBatch(keys, asked)
        held = intruder.asks(counting_verbs.HoldVectors(asked))
        answers, commitments = batch.answered(held.sealed)
        loaded = keys.peer.key.load("part region=coast", held.sealed[0], N)
        only = np.eye(1, N, person, dtype=np.int64)[0]
        answers.append(keys.peer.key.masked([(loaded, only)], 77))
        audit = intruder.asks(counting_verbs.AnswerVectors(commitments, tuple(answers)))
        expected, material, masks = batch.reveal(audit.commitment, audit.audited)
        shown = counting_verbs.ShowMaterial(
            [*expected, 77 + guess], list(material), masks, tuple(material.values())
        )
        if right:
            assert intruder.asks(shown).opened[-1] == 77 + guess
            return
        with pytest.raises(AnswerError, match="does not know"):
            intruder.asks(shown)
        with pytest.raises(CollabError, match="was stopped"):
            intruder.permit(COAST)


def test_refusals_have_an_end_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are charged to nothing, each is a row, and tells something."""
    monkeypatch.setattr(secure_follower, "MOST_REFUSALS", 3)
    own = [cell(region=r, drinks=d) for r in ("hills", "coast") for d in ("never", "some", "much")]
    with intruding(around(tmp_path, N, policy={"minimum cell": "100", "people": "0"})) as intruder:
        intruder.permit(*own)
        intruder.permit(*own)  # known
        with pytest.raises(PolicyError, match="refused"):
            intruder.permit(COAST | cell(ill="sick", drinks="much"))


def test_at_the_limit_nothing_is_told_of_sizes(tmp_path: Path) -> None:
    """It was: a count of few people was refused for that, whether any count was left or not."""
    few, many = cell(region="coast", drinks="much", ill="sick"), cell(drinks="some")
    policy = {**EXACT, "minimum cell": "60", "counts": "0"}
    with intruding(around(tmp_path, N, policy=policy)) as intruder:
        sizes = [int(intruder.theirs(each).sum()) for each in (few, many)]
        assert sizes[0] < 60 <= sizes[1]
        intruder.permit(few, many)
        rows = Ledger.open(intruder.gathering.ledger("south", "north")).rows
    assert len({row.why for row in rows if row.kind == "refused"}) == 1


# --- noise ---------------------------------------------------------------------------------------


def counted_with(intruder: Intruder, keys: CountingKeys, chosen: Bits) -> int:
    """Have one count opened, of people of the leader's choice, and do not release it."""
    asked = [AskedVector(COAST, [YOUNG | COAST])]
    keys.own.bits = lambda part: chosen if part else np.ones_like(chosen)
    intruder.permit(COAST, YOUNG | COAST)
    steps = intruder._evaluated(EvaluatedBatch(keys, asked), asked)
    question = next(steps)
    while not isinstance(question, counting_verbs.ReleaseCounts):
        question = steps.send(intruder.asks(question))
    return int(question.values[0][1])


def noise_of_a_session(scale: Fraction, key: bytes, about: str) -> int:
    """As it was: without what a batch is charged from on."""
    return discrete_laplace(scale, key, about.rpartition(" ")[0])


@planted_or_not
def test_two_counts_under_one_name_have_noise_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, planted: bool
) -> None:
    """A term is bound by its second answer: the first may have been about others, by one person.

    With the same noise on both, the difference was that person's diagnosis, at the defaults.
    """
    monkeypatch.setattr(batches, "AUDITED", 10**9)  # an audit of either finds nothing wrong
    if planted:
        monkeypatch.setattr(count_party, "discrete_laplace", noise_of_a_session)
    with intruding(around(tmp_path, 2_000, policy={}), Bfv()) as intruder:
        people = range(8)
        read: list[int] = []
        for person in people:
            keys, chosen = intruder.begin(), intruder.ours(YOUNG).copy()
            counts = []
            for there in (True, False):
                chosen = chosen.copy()
                chosen[person] = there
                counts.append(counted_with(intruder, keys, chosen))
            read.append(counts[0] - counts[1])
        truth = intruder.theirs(COAST)[: len(people)].astype(int).tolist()
    # Two draws are the same with a chance of .13: eight times with one of 10⁻⁷.
    assert (read == truth) is planted


def test_a_column_that_both_have_is_not_counted_alone_and_together(tmp_path: Path) -> None:
    """The follower counted its own coast and sick, and then coast with the leader's sick.

    Both with the same noise: whoever left one person out of its own column read that person.
    """
    sick = cell(ill="sick")
    with intruding(around(tmp_path, 2_000, policy={})) as intruder:
        intruder.permit(COAST, COAST | sick)
        intruder.begin()
        with pytest.raises(LostSessionError, match="not asked for first"):
            intruder.asks(counting_verbs.HoldVectors([AskedVector(COAST, [COAST | sick])]))
        own = intruder.dispatcher.session("north", Stamp(**intruder.stamp)).secure.own
        drinks = [cell(drinks=each) | sick for each in ("never", "some", "much")]
        cells = [COAST | sick, *drinks, *(COAST | each for each in drinks)]
        alone = [own.noise(each, each) for each in cells]
        together = [own.noise(each, each - sick) for each in cells]
        assert alone == [own.noise(each, each) for each in cells]
    # Seven draws are all the same with a chance of .13⁷.
    assert alone != together


def test_one_batch_counts_nothing_twice_with_the_same_noise(tmp_path: Path) -> None:
    """A size of one vector may be a count of another, by a column that both sides have."""
    with intruding(around(tmp_path, 2_000, policy={})) as intruder:
        own = intruder.dispatcher.session("north", Stamp(**intruder.stamp)).secure.own
        both = YOUNG | cell(ill="sick")
        cells = [
            both | cell(region=r, drinks=d) for r in ("hills", "coast") for d in ("some", "much")
        ]
        drawn = [[own.noise(each, part) for each in [both, *cells]] for part in (YOUNG, both)]
    # Five draws are all the same with a chance of .13⁵.
    assert drawn[0] != drawn[1]


def noise_of_own_people(self: CountParty, cell: Cell, part: Cell) -> int:
    """As it was: of the people who are behind a cell here, and of one vector in a batch."""
    assert self.run.policy.noise is not None
    others = self._people.others(cell)
    about = f"{self._people.name(cell)} {written(others, self.schema)}"
    if others or cell != part:
        about += f" {written(part, self.schema)} {self._charged}"
    return discrete_laplace(1 / self.run.policy.noise.epsilon, self.run.derived("noise"), about)


TWINS = Schema.of(
    {
        "age": ["young", "old"],
        "region": ["hills", "coast"],
        "born": ["here", "away"],
        "lives": ["here", "away"],
        "ill": ["well", "sick"],
    }
)
"""Where one is born and where one lives are the same people's: nobody ever moved."""


@planted_or_not
def test_two_columns_that_both_sides_have_do_not_share_their_noise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, planted: bool
) -> None:
    """One vector, two answers: who was born away is, at the follower, who lives away.

    The leader's own vectors for the two differed in one person; the noise on both was the same, so
    the difference was that person's diagnosis, at the defaults, with nothing to be caught by.
    """
    monkeypatch.setattr(batches, "AUDITED", 10**9)  # an audit of either finds nothing wrong
    if planted:
        monkeypatch.setattr(CountParty, "noise", noise_of_own_people)
    found = random_records(TWINS, 2_000, seed=1)
    born = TWINS.names.index("born")
    both = [found.columns[born if n == born + 1 else n] for n in range(len(TWINS.names))]
    shares = {
        name: [own, "born", "lives", "ill"] for name, own in (("north", "age"), ("south", "region"))
    }
    gathering = by_columns(
        tmp_path, Records.from_codes(both, TWINS), shares, mode="secure", mine=TREE, policy={}
    )  # fmt: skip
    sick, born_away, lives_away = cell(ill="sick"), cell(born="away"), cell(lives="away")
    asked = [AskedVector(sick, [sick | born_away, sick | lives_away])]
    with intruding(gathering, Bfv()) as intruder:
        people = range(8)
        read: list[int] = []
        for person in people:
            keys, chosen = intruder.begin(), intruder.ours(born_away).copy()
            chosen[person], without = True, chosen.copy()
            without[person] = False
            vectors = {born_away: chosen, lives_away: without, cell(): np.ones_like(chosen)}
            keys.own.bits = vectors.__getitem__
            intruder.permit(sick, *asked[0].cells)
            steps = intruder._evaluated(EvaluatedBatch(keys, asked), asked)
            question = next(steps)
            while not isinstance(question, counting_verbs.ReleaseCounts):
                question = steps.send(intruder.asks(question))
            _, first, second = map(int, question.values[0])
            read.append(first - second)
        truth = intruder.theirs(sick)[: len(people)].astype(int).tolist()
    # Two draws are the same with a chance of .13: eight times with one of 10⁻⁷.
    assert (read == truth) is planted


# --- the limit -----------------------------------------------------------------------------------


def opened(gathering: Gathering) -> int:
    """How many counts the follower says that it has opened."""
    rows = Ledger.open(gathering.ledger("south", "north")).rows
    return sum(int(row.value or 0) for row in rows if row.kind == "opened")


def test_sizes_that_are_opened_again_are_within_the_limit(tmp_path: Path) -> None:
    """18 were opened under `counts: 10`: one permission was for a count, and its batch has two."""
    ages = [cell(age=each) for each in ("young", "middle", "old")]
    cells = [a | cell(smokes=s) | COAST for a in ages for s in ("no", "yes")]
    gathering = around(tmp_path, N, policy={**NO_MINIMUM, "counts": "10"})
    with intruding(gathering) as intruder:
        intruder.permit(COAST)
        intruder.permit(*cells)
        for each in cells[:4]:
            intruder.evaluating([AskedVector(COAST, [each])])
        with pytest.raises(PolicyError, match="not left"):
            intruder.evaluating([AskedVector(COAST, [cells[4]])])
    assert opened(gathering) == 8  # and one that it counted alone


@pytest.mark.parametrize("counts", [0, 1, 2, 7, 12, 40])
def test_an_honest_leader_keeps_within_the_limit_and_ends_with_a_model(
    tmp_path: Path, counts: int
) -> None:
    gathering = around(tmp_path, N, policy={**NO_MINIMUM, "counts": str(counts)})
    assert gathering.lead_here(backend=Twin()).refused > 0
    assert opened(gathering) <= counts
