"""What a field of a message may hold: how each kind is read, checked, and written."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Annotated, Any, Literal, NamedTuple, get_args

from deniable.base.errors import AnswerError
from deniable.collab.agreement.run_terms import RunTerms
from deniable.collab.cells import Cell, listed, unlisted
from deniable.collab.counting import ANSWERS_PER_KEY
from deniable.collab.wire.message_limits import (
    MOST_CELLS_TAKEN,
    MOST_REASON_LETTERS,
    MOST_VECTORS_TAKEN,
)
from deniable.oracle.api import Target
from deniable.schema import Schema

Verdict = int | str
"""A value that may be released, or why not."""


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
    """How a value is read (ValueError or TypeError if it is none of the kind) and written."""

    read: Callable[[Any, Schema], Any]
    write: Callable[[Any], Any] = lambda value: value
    parts: Literal["none", "one", "rest"] = "none"
    """Whether it travels as a part of bytes, as all that are left, or among the JSON."""


def kind_of(annotation: Any) -> FieldKind:
    """The kind of an annotated field; plain types are read as they are."""
    for extra in getattr(annotation, "__metadata__", ()):
        if isinstance(extra, FieldKind):
            return extra
    wanted = get_args(annotation) or (annotation,)  # of int | None, both
    return FieldKind(lambda value, _: _required(value, type(value) in wanted))


def _required(value: Any, fits: bool) -> Any:
    if not fits:
        raise ValueError
    return value


def _every(kind: Callable[[Any], bool]) -> Callable[[Any, Schema], tuple[Any, ...]]:
    """Read a list whose entries are all of a kind."""
    return lambda value, _: tuple(_required(value, type(value) is list and all(map(kind, value))))


def _per_vector(kind: Callable[[Any], bool]) -> FieldKind:
    """A list of numbers or reasons for each vector."""

    def read(value: Any, _: Schema) -> tuple[tuple[Any, ...], ...]:
        lists = _few_vectors(value)
        fits = all(type(each) is list and all(map(kind, each)) for each in lists)
        return tuple(map(tuple, _required(lists, fits)))

    return FieldKind(read, lambda values: [list(each) for each in values])


def _few_vectors(value: Any) -> list[Any]:
    found: list[Any] = _required(value, type(value) is list)
    if len(found) > MOST_VECTORS_TAKEN:
        raise AnswerError(
            f"A message is about more than {MOST_VECTORS_TAKEN} vectors.",
            hint="Ask for fewer at a time.",
        )
    return found


def _is_text(value: Any) -> bool:
    return type(value) is str


def _is_count(value: Any) -> bool:
    return type(value) is int


def _is_reason(value: Any) -> bool:
    return _is_text(value) and len(value) <= MOST_REASON_LETTERS and value.isprintable()


def _cells(value: Any, schema: Schema) -> tuple[Cell, ...]:
    if len(_required(value, type(value) is list)) > MOST_CELLS_TAKEN:
        raise AnswerError(
            f"A message asks for more than {MOST_CELLS_TAKEN:,} counts.", hint="Ask for fewer."
        )
    return tuple(unlisted(value, schema))


def _vectors(value: Any, schema: Schema) -> tuple[AskedVector, ...]:
    """A key must be enough for each vector's size and its cells."""
    found = []
    for vector in _few_vectors(value):
        cells = vector.get("cells") if isinstance(vector, Mapping) else None
        if not isinstance(cells, list) or len(cells) >= ANSWERS_PER_KEY:
            raise AnswerError("A vector is described badly.", hint="Use the same version.")
        part, *rest = unlisted([vector.get("part"), *cells], schema)
        found.append(AskedVector(part, rest))
    return tuple(found)


def _texts(value: Any, _: Schema) -> dict[str, str]:
    found: dict[str, str] = _required(value, type(value) is dict)
    return _required(found, all(map(_is_text, found.values())))  # type: ignore[no-any-return]


def _reasons(value: Any, _: Schema) -> dict[int, str]:
    found = _required(value, type(value) is dict and all(map(_is_reason, value.values())))
    return {int(place): why for place, why in found.items()}


def _arrays(value: Any, _: Schema) -> tuple[tuple[float | None, ...], ...]:
    lists = _required(value, type(value) is list and all(type(each) is list for each in value))
    return tuple(
        tuple(
            _required(number, number is None or (type(number) in {int, float} and isfinite(number)))
            for number in each
        )
        for each in lists
    )


Part = Annotated[bytes, FieldKind(lambda parts, _: parts[0], lambda part: [part], "one")]
Parts = Annotated[tuple[bytes, ...], FieldKind(lambda parts, _: tuple(parts), list, "rest")]
PartPairs = Annotated[
    tuple[tuple[bytes, bytes], ...],
    FieldKind(
        lambda parts, _: tuple(zip(parts[::2], parts[1::2], strict=True)),
        lambda pairs: [part for pair in pairs for part in pair],
        "rest",
    ),
]
Document = Annotated[
    Mapping[str, Any], FieldKind(lambda value, _: _required(value, type(value) is dict))
]
LedgerDocuments = Annotated[
    Sequence[Mapping[str, Any]], FieldKind(_every(lambda row: type(row) is dict), list)
]
Terms = Annotated[
    RunTerms,
    FieldKind(
        lambda value, _: RunTerms.of(_required(value, type(value) is dict)), RunTerms.document
    ),
]
Texts = Annotated[Mapping[str, str], FieldKind(_texts)]
Reasons = Annotated[
    Mapping[int, str],
    FieldKind(_reasons, lambda reasons: {str(place): why for place, why in reasons.items()}),
]
"""By the place of a cell in the question."""

Cells = Annotated[Sequence[Cell], FieldKind(_cells, listed)]
Vectors = Annotated[
    Sequence[AskedVector],
    FieldKind(
        _vectors,
        lambda vectors: [
            {"part": listed([part])[0], "cells": listed(cells)} for part, cells in vectors
        ],
    ),
]
Tokens = Annotated[
    Sequence[str],
    FieldKind(lambda value, schema: _every(_is_text)(_few_vectors(value), schema), list),
]
CountLists = Annotated[Sequence[Sequence[int]], _per_vector(_is_count)]
VerdictLists = Annotated[
    Sequence[Sequence[Verdict]], _per_vector(lambda value: _is_count(value) or _is_reason(value))
]
Arrays = Annotated[
    Sequence[Sequence[float | None]], FieldKind(_arrays, lambda arrays: list(map(list, arrays)))
]
CountTarget = Annotated[
    Target, FieldKind(lambda value, _: _required(value, value in get_args(Target)))
]
