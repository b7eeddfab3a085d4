"""What a leader's messages may hold; whatever else comes is one clear error."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from deniable.base.errors import AnswerError, LostSessionError
from deniable.collab.cells import Cell, unlisted
from deniable.collab.counting import ANSWERS_PER_KEY
from deniable.collab.ledger import Ledger
from deniable.collab.wire.message import Message
from deniable.schema import Schema

MOST_LEDGER_ROWS = 5_000
"""Of a ledger in one message."""

MOST_ASKED = 10_000
"""Cells in one question; each may become a row of the ledger."""

MOST_VECTORS = 256
"""Of one leader, in a message or waiting for its next one."""

MOST_REASON_LETTERS = 200
"""Of a reason: it goes into the ledger, and from there to people's screens."""

T = TypeVar("T")


class AskedVector(NamedTuple):
    """A vector that one side encrypts, and the cells that are counted within it."""

    part: Cell
    cells: Sequence[Cell]


def field(message: Message, name: str, kind: type[T]) -> T:
    """Take a field of a message, of the kind that it must have."""
    value = message.fields.get(name)
    if not isinstance(value, kind):
        raise AnswerError(
            f"The message {message.verb!r} has no {name!r} as it should be.",
            hint="All parties must use the same version.",
        )
    return value


def several(message: Message, name: str) -> list[Any]:
    """Take a list of a message, one entry for each vector."""
    found = field(message, name, list)
    if len(found) > MOST_VECTORS:
        raise AnswerError(
            f"A message is about more than {MOST_VECTORS} vectors.", hint="Ask for fewer at a time."
        )
    return found


def vectors_of(message: Message, schema: Schema) -> list[AskedVector]:
    """Read vectors' parts and cells; a key must be enough for each."""
    found = []
    for vector in several(message, "vectors"):
        cells = vector.get("cells") if isinstance(vector, Mapping) else None
        if not isinstance(cells, list) or len(cells) >= ANSWERS_PER_KEY:
            raise AnswerError("A vector is described badly.", hint="Use the same version.")
        part, *rest = unlisted([vector.get("part"), *cells], schema)
        found.append(AskedVector(part, rest))
    return found


def reasons_of(message: Message, places: Collection[int]) -> dict[int, str]:
    """Read why the leader refuses cells, by their places."""
    given = field(message, "refused", dict)
    found = {place: given[str(place)] for place in places if str(place) in given}
    if not all(is_reason(why) for why in found.values()):
        raise AnswerError("The leader's reasons cannot be read.", hint="Use the same version.")
    return found


def is_reason(value: Any) -> bool:
    """Whether a value is a few words."""
    return isinstance(value, str) and len(value) <= MOST_REASON_LETTERS and value.isprintable()


def are_counts(values: Any, many: int, *, or_reasons: bool = False) -> bool:
    """Whether a message's values are so many whole numbers (or reasons, where they may be)."""
    return (
        isinstance(values, list)
        and len(values) == many
        and all(type(value) is int or (or_reasons and is_reason(value)) for value in values)
    )


def rows_since(ledger: Ledger, have: Any) -> list[dict[str, Any]]:
    """Rows of a ledger for a peer that has so many."""
    if not isinstance(have, int) or not 0 <= have <= len(ledger.rows):
        raise AnswerError(
            "The other side's ledger holds rows that this one does not have.",
            hint="Compare both with 'deniable ledger verify'.",
        )
    return [row.document() for row in ledger.since(have)[:MOST_LEDGER_ROWS]]


def lost(what: str) -> LostSessionError:
    """What is in memory only is gone after a restart; the leader greets again and goes on."""
    return LostSessionError(what, hint="Begin the run again; what was answered is kept.")
