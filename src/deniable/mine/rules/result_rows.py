"""Rows of a result that may be long: made of its columns when somebody looks at them.

A hundred thousand item sets are a few arrays; as objects they cost more than it takes to find them.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Generic, Self, TypeVar, overload

from deniable.base.arrays import Codes

MADE_AT_ONCE = 1 << 12
"""Rows that are made at once."""

Row = TypeVar("Row")


class ResultRows(Sequence[Row], ABC, Generic[Row]):
    """A sequence that is equal to any other one of the same rows."""

    def __init__(self, chosen: Codes) -> None:
        self._chosen = chosen

    @abstractmethod
    def _made(self, chosen: Codes) -> Iterator[Row]:
        """Make some rows, by their numbers in the columns."""

    @abstractmethod
    def among(self, places: Codes | slice) -> Self:
        """Give some of these rows, in the order of the places."""

    def __len__(self) -> int:
        return len(self._chosen)

    def __iter__(self) -> Iterator[Row]:
        for start in range(0, len(self), MADE_AT_ONCE):
            yield from self._made(self._chosen[start : start + MADE_AT_ONCE])

    @overload
    def __getitem__(self, place: int) -> Row: ...
    @overload
    def __getitem__(self, place: slice) -> Self: ...
    def __getitem__(self, place: int | slice) -> Row | Self:
        if isinstance(place, slice):
            return self.among(place)
        return next(self._made(self._chosen[[place]]))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or isinstance(other, str):
            return NotImplemented
        pairs = zip(self, other, strict=False)
        return len(self) == len(other) and all(one == another for one, another in pairs)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(list(self))
