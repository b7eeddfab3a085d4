"""Beginning a run, tossing for its leader, and taking its result, as a party that is asked."""

import json

from deniable.base.errors import AnswerError
from deniable.base.fingerprint import digest_of
from deniable.collab.follower.follower_session import FollowerSession
from deniable.collab.protocol.run_verbs import (
    AcceptTerms,
    CoinCommitment,
    CoinNumber,
    CommitCoin,
    DrawnLeader,
    Hello,
    LedgerRows,
    MoreRows,
    NoteDrawn,
    ResultReceived,
    RevealCoin,
    TakeResult,
    TermsAccepted,
    Welcome,
)
from deniable.collab.session.coin import CoinToss
from deniable.collab.session.run_folder import RunFile
from deniable.mine.models.model_files import read_model


def welcome(session: FollowerSession, _: Hello) -> Welcome:
    """Say what this party brings, and how far the run has come."""
    session.forget()
    run = session.run
    return Welcome(
        policy=run.party.policy.document(),
        commitment=run.commitment,
        aligned=run.folder.text(RunFile.ALIGNMENT),
        total=len(run.ledger(run.leader).rows),
    )


def more_rows(_: FollowerSession, __: MoreRows) -> LedgerRows:
    """Send more of the ledger, to a leader that begins again."""
    return LedgerRows()


def accept_terms(session: FollowerSession, question: AcceptTerms) -> TermsAccepted:
    """Accept the terms, and write them into the ledger once."""
    run, terms = session.run, question.document
    run.agree(terms)
    about = f"{run.agreement.name} {run.agreement.digest} · terms {terms.digest}"
    run.enter_once(run.leader, "agreed", about)
    return TermsAccepted()


def take_result(session: FollowerSession, question: TakeResult) -> ResultReceived:
    """Keep the model that was mined, if this party may have it."""
    run = session.run
    if run.name not in run.agreement.results:
        raise AnswerError(f"{run.name} gets no result.", hint="See 'results' in the agreement.")
    try:
        read_model(json.loads(question.model), "The result")
    except (ValueError, RecursionError):
        raise AnswerError("The result is no model.", hint="Use one version.") from None
    run.folder.write(RunFile.RESULT, question.model)
    run.enter_once(run.leader, "result", digest_of(question.model))
    return ResultReceived()


def commit_coin(session: FollowerSession, _: CommitCoin) -> CoinCommitment:
    """Bind this party to its number."""
    return CoinCommitment(CoinToss(session.run).commitment)


def reveal_coin(session: FollowerSession, question: RevealCoin) -> CoinNumber:
    """Give the number, once everybody is bound."""
    return CoinNumber(CoinToss(session.run).reveal(question.commitments))


def note_drawn(session: FollowerSession, question: NoteDrawn) -> DrawnLeader:
    """Check all numbers, and remember who was drawn."""
    return DrawnLeader(CoinToss(session.run).note(question.numbers))
