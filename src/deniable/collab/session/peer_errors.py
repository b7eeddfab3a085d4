"""What a party's peers are told when something goes wrong at home."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from deniable.base.errors import AnswerError, DeniableError, PeerError, PolicyError

log = logging.getLogger(__name__)


@contextmanager
def only_peer_errors(name: str) -> Iterator[None]:
    """Let through to a peer only what was written for peers.

    All other errors may name files, rows or values of the party's own; they go to its log.
    """
    try:
        yield
    except (AnswerError, PeerError, PolicyError):
        raise
    except DeniableError as error:
        log.error("%s", error)
        raise AnswerError(
            f"{name} cannot answer because of its own data or files.",
            hint=f"The log at {name} says why.",
        ) from None
