"""Choices for all columns, and others for some: ``median age=5 born=year``."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from deniable.base.errors import SchemaError

Choice = TypeVar("Choice")


@dataclass(frozen=True)
class ByColumn(Generic[Choice]):
    """What is chosen for a column, and what for those that are not named."""

    otherwise: Choice
    named: Mapping[str, Choice] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        words: Sequence[str],
        read: Callable[[str], Choice],
        otherwise: Choice,
        option: str,
    ) -> "ByColumn[Choice]":
        """Read words such as ``5`` and ``age=5``; the name ends at the last ``=``.

        >>> ByColumn.of(["3", "a=b=5"], int, 2, "bins")
        ByColumn(otherwise=3, named={'a=b': 5})
        """
        named: dict[str, Choice] = {}
        alone: list[Choice] = []
        for word in words:
            column, sign, choice = word.rpartition("=")
            if not sign:
                alone.append(read(choice))
            elif column in named:
                raise SchemaError(f"{option} are given twice for {column!r}.", hint="Keep one.")
            else:
                named[column] = read(choice)
        if len(alone) > 1:
            raise SchemaError(
                f"{option} are given twice for all columns.",
                hint=f"Name the column: {words[-1]!r} becomes 'COLUMN={words[-1]}'.",
            )
        return cls(alone[0] if alone else otherwise, named)

    def __getitem__(self, column: str) -> Choice:
        return self.named.get(column, self.otherwise)
