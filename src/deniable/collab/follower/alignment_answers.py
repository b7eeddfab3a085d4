"""Finding the people in common, as a party that the seeker asks."""

import logging

from deniable.base.errors import AnswerError, CollabError
from deniable.collab.follower.follower_session import FollowerSession
from deniable.collab.protocol.alignment_verbs import (
    CompareIdentifiers,
    FindPeople,
    IdentifiersHash,
    IntersectIdentifiers,
    IntersectionPoints,
    OrderSettled,
    PeopleFound,
    SettleOrder,
)
from deniable.collab.session.alignment import align, enter_alignment, settle
from deniable.collab.session.intersection import IntersectionServer, same_identifiers
from deniable.collab.session.remote_party import RemoteParty

log = logging.getLogger(__name__)


def find_people(session: FollowerSession, _: FindPeople) -> PeopleFound:
    """Be the seeker, for a leader that has no records."""
    run = session.run
    others = [name for name in run.agreement.names if name != run.name]
    align(run, [RemoteParty(run, name, session.connect(name)) for name in others])
    enter_alignment(run, run.leader)
    return PeopleFound()


def intersect(session: FollowerSession, question: IntersectIdentifiers) -> IntersectionPoints:
    """Answer a request of private set intersection."""
    server = IntersectionServer(session.run.holding.ids)
    reply = IntersectionPoints(server.setup(question.records), server.respond(question.points))
    _note(session, f"an intersection with {question.records:,} identifiers of {session.run.seeker}")
    return reply


def compare(session: FollowerSession, question: CompareIdentifiers) -> IdentifiersHash:
    """Give a keyed hash of all identifiers, for parties that agree on them already."""
    return IdentifiersHash(same_identifiers(session.run.holding.ids, question.key))


def settle_order(session: FollowerSession, question: SettleOrder) -> OrderSettled:
    """Take over the people in common, and their order by a key that the parties share.

    A list that is refused is written down too, and the refusal says the same whatever is wrong
    with it: lists of guessed people would tell who is here.
    """
    run = session.run
    try:
        order = settle(run, question.key, question.named)
    except CollabError as error:
        log.info("%s", error)
        _note(session, f"a list of people by {run.seeker}, refused")
        raise AnswerError(
            f"{run.name} refuses the list of people in common.",
            hint="It must name enough people, all of them there, and the same every time; the "
            f"log at {run.name} says more.",
        ) from None
    enter_alignment(run, run.seeker)
    return OrderSettled(order)


def _note(session: FollowerSession, about: str) -> None:
    """Write down every request: whoever asks with guessed identifiers learns who is here."""
    run = session.run
    run.ledger(run.seeker).append([run.entry("aligned", about, run.seeker)])
