"""Leading a run that another party asked for: in the background, and telling how far it is."""

from threading import Thread

from deniable.base.errors import AnswerError, DeniableError
from deniable.collab.follower.follower_session import FollowerSession, LeadProgress
from deniable.collab.protocol.run_verbs import AskStatus, LeadStatus, StartLeading
from deniable.collab.session.peer_errors import only_peer_errors


def start_leading(session: FollowerSession, _: StartLeading) -> LeadStatus:
    """Lead, or go on; a run that is under way is left alone."""
    run = session.run
    if run.leader != run.name:
        raise AnswerError(
            f"{run.name} does not lead this collaboration; {run.leader} does.",
            hint=f"Start the run at {run.leader}.",
        )
    if session.leading is None or session.leading.error is not None:
        session.leading = LeadProgress()
        Thread(target=_lead, args=(session, session.leading), daemon=True).start()
    return _told(session.leading)


def lead_status(session: FollowerSession, _: AskStatus) -> LeadStatus:
    """Say how far it is."""
    if session.leading is None:
        raise AnswerError("Nothing was started here.", hint="Run deniable collaborate run.")
    return _told(session.leading)


def _told(state: LeadProgress) -> LeadStatus:
    return LeadStatus(state.stage, state.finished, state.error)


def _lead(session: FollowerSession, state: LeadProgress) -> None:
    try:
        with only_peer_errors(session.run.name):
            session.lead(session.run, state.tell)
    except DeniableError as error:
        state.error = str(error)
    except BaseException:
        state.error = f"{session.run.name} could not go on, and does not say why."
        raise
    state.finished = state.error is None
