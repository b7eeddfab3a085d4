"""What a field of a message may hold: how each kind is read, checked, and written."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NamedTuple, get_args

from deniable.base.errors import AnswerError
from deniable.collab.agreement.run_terms import RunTerms
from deniable.collab.cells import Cell, listed, unlisted
from deniable.collab.wire import message_limits as limits
from deniable.oracle.api import Target
from deniable.schema import Schema

Verdict = int | str
"""A value that may be released, or why not."""

MOST_CELLS_PER_VECTOR = 63
"""Counted in one vector at a time, beside its size."""

Reader = Callable[[Any, Schema], Any]
"""Checks what came, and gives what it means; ValueError or TypeError if it is none of the kind."""


class AskedVector(NamedTuple):
    """A vector that one side encrypts, and the cells that are counted within it."""

    part: Cell
    cells: Sequence[Cell]

    @property
    def all(self) -> tuple[Cell, ...]:
        """What is counted: the size of the vector first, then its cells."""
        return (self.part, *self.cells)


@dataclass(frozen=True)
class FieldKind:
    """How a value is read and written."""

    read: Reader
    write: Callable[[Any], Any] = lambda value: value
    parts: Literal["none", "one", "rest"] = "none"
    """Whether it travels as a part of bytes, as all that are left, or among the JSON."""

    per_vector: bool = False
    """Whether it has an entry for each vector of the message."""

    most_bytes: int | None = None
    """Of what it holds whoever it is about; None: as usual for what travels so."""

    bytes_each: int = 0
    """More, for each person."""

    def room(self, people: int) -> int:
        """Bytes that it may have in a message that is about so many people."""
        usual = {"none": limits.MOST_JSON, "one": limits.SMALL_MESSAGE, "rest": limits.MOST_ANSWERS}
        fixed = usual[self.parts] if self.most_bytes is None else self.most_bytes
        return fixed + self.bytes_each * people


def kind_of(annotation: Any) -> FieldKind:
    """The kind of an annotated field; plain types are read as they are."""
    for extra in getattr(annotation, "__metadata__", ()):
        if isinstance(extra, FieldKind):
            return extra
    types = get_args(annotation) or (annotation,)  # of int | None, both
    return FieldKind(_of_type(*types), most_bytes=limits.SHORT_FIELD)


def _fitting(fits: Callable[[Any], bool]) -> Reader:
    """Read what fits, as it is."""

    def read(value: Any, _: Schema) -> Any:
        if not fits(value):
            raise ValueError
        return value

    return read


def _of_type(*wanted: type) -> Reader:
    """Read a value of exactly such a type: true is no number."""
    return _fitting(lambda value: type(value) in wanted)


def _list_of(each: Reader) -> Reader:
    return lambda value, schema: tuple(each(entry, schema) for entry in _list(value, schema))


def _mapping_of(each: Reader) -> Reader:
    return lambda value, schema: {
        key: each(entry, schema) for key, entry in _mapping(value, schema).items()
    }


def _is_reason(value: Any) -> bool:
    return type(value) is str and len(value) <= limits.MOST_REASON_LETTERS and value.isprintable()


def _is_number(value: Any) -> bool:
    return value is None or (type(value) in {int, float} and abs(value) <= limits.MOST_ESTIMATED)


_list = _of_type(list, tuple)
_mapping = _of_type(dict)
_text = _of_type(str)
_count = _of_type(int)
_reason = _fitting(_is_reason)
_verdict = _fitting(lambda value: type(value) is int or _is_reason(value))


def _few(value: Any, schema: Schema, most: int, what: str) -> Any:
    """Take a list that is not too long to be worked on."""
    if len(_list(value, schema)) > most:
        raise AnswerError(f"A message {what}.", hint="Ask for fewer at a time.")
    return value


def _per_vector(each: Reader, write: Callable[[Any], Any] = list) -> FieldKind:
    """A list with an entry for each vector, of which a message has only so many."""
    most = limits.MOST_VECTORS_TAKEN

    def read(value: Any, schema: Schema) -> tuple[Any, ...]:
        vectors = _few(value, schema, most, f"is about more than {most} vectors")
        return tuple(each(entry, schema) for entry in vectors)

    return FieldKind(read, write, per_vector=True)


def _cells(value: Any, schema: Schema) -> list[Cell]:
    most = limits.MOST_CELLS_TAKEN
    return unlisted(_few(value, schema, most, f"asks for more than {most:,} counts"), schema)


def _vector(value: Any, schema: Schema) -> AskedVector:
    """One part of its holder's, and what is counted within it: each once."""
    cells = value.get("cells") if isinstance(value, Mapping) else None
    if not isinstance(cells, list) or len(cells) > MOST_CELLS_PER_VECTOR:
        raise AnswerError("A vector is described badly.", hint="Use the same version.")
    part, *rest = unlisted([value.get("part"), *cells], schema)
    if len({part, *rest}) < len(cells) + 1:
        raise AnswerError("A vector names a count twice.", hint="Use the same version.")
    return AskedVector(part, rest)


def _part(most_bytes: int | None = None, bytes_each: int = 0) -> FieldKind:
    return FieldKind(
        lambda parts, _: parts[0],
        lambda part: [part],
        "one",
        most_bytes=most_bytes,
        bytes_each=bytes_each,
    )


Part = Annotated[bytes, _part()]
SeekersPoints = Annotated[
    bytes, _part(limits.FEW_SOUGHT * limits.POINT_BYTES, limits.SOUGHT_EACH * limits.POINT_BYTES)
]
"""Of a party that seeks people, at one that has so many."""

OwnersPoints = Annotated[bytes, _part(limits.MOST_IDENTIFIERS * limits.POINT_BYTES)]
Tags = Annotated[bytes, _part(bytes_each=limits.TAG_BYTES)]
ModelPart = Annotated[bytes, _part(limits.MOST_MODEL_BYTES)]
TablePart = Annotated[bytes, _part(limits.MOST_MODEL_BYTES, limits.RECORD_BYTES)]
KeyPart = Annotated[bytes, _part(limits.KEY_BYTES_SENT)]
Parts = Annotated[tuple[bytes, ...], FieldKind(lambda parts, _: tuple(parts), list, "rest")]
AuditParts = Annotated[
    tuple[bytes, ...],
    FieldKind(lambda parts, _: tuple(parts), list, "rest", bytes_each=limits.AUDIT_BYTES_EACH),
]
VectorParts = Annotated[
    tuple[bytes, ...],
    FieldKind(
        lambda parts, _: tuple(parts),
        list,
        "rest",
        per_vector=True,
        bytes_each=limits.VECTOR_BYTES_EACH,
    ),
]
"""One for each vector of the message."""

Document = Annotated[Mapping[str, Any], FieldKind(_mapping)]
LedgerDocuments = Annotated[Sequence[Mapping[str, Any]], FieldKind(_list_of(_mapping))]
Terms = Annotated[
    RunTerms,
    FieldKind(lambda value, schema: RunTerms.of(_mapping(value, schema)), RunTerms.document),
]
Texts = Annotated[Mapping[str, str], FieldKind(_mapping_of(_text))]
Reasons = Annotated[
    Mapping[int, str],
    FieldKind(
        lambda value, schema: {int(k): v for k, v in _mapping_of(_reason)(value, schema).items()},
        lambda reasons: {str(place): why for place, why in reasons.items()},
    ),
]
"""By the place of a cell in the question."""

Cells = Annotated[Sequence[Cell], FieldKind(_cells, listed)]
Vectors = Annotated[
    Sequence[AskedVector],
    _per_vector(
        _vector,
        lambda vectors: [
            {"part": listed([part])[0], "cells": listed(cells)} for part, cells in vectors
        ],
    ),
]
Whole = Annotated[Sequence[int], FieldKind(_list_of(_count), list)]
Reason = Annotated[str, FieldKind(_reason)]
Names = Annotated[Sequence[str], FieldKind(_list_of(_text), list)]
CountLists = Annotated[Sequence[Sequence[int]], _per_vector(_list_of(_count))]
VerdictLists = Annotated[Sequence[Sequence[Verdict]], _per_vector(_list_of(_verdict))]
Arrays = Annotated[
    Sequence[Sequence[float | None]], FieldKind(_list_of(_list_of(_fitting(_is_number))))
]
CountTarget = Annotated[Target, FieldKind(_fitting(lambda value: value in get_args(Target)))]
