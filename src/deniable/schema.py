"""Attributes with named finite domains.

A record gives every attribute one value of its domain. Inside the package a value is its *code*,
its position in the domain; text appears only where people read and write.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from deniable.base.errors import SchemaError, listed, nearest


@dataclass(frozen=True)
class Attribute:
    """A name and the values it may take, in order.

    >>> smokes = Attribute("smokes", ("no", "yes"))
    >>> smokes.code("yes")
    1
    """

    name: str
    values: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.name:
            raise SchemaError("An attribute has no name.", hint="Give every attribute a name.")
        if not self.values:
            raise SchemaError(
                f"Attribute {self.name!r} has no values.", hint="List the values it may take."
            )
        if len(self._codes) < len(self.values):
            twice = next(value for value in self.values if self.values.count(value) > 1)
            raise SchemaError(
                f"Attribute {self.name!r} lists the value {twice!r} twice.",
                hint="List every value once.",
            )

    @cached_property
    def _codes(self) -> dict[str, int]:
        return {value: code for code, value in enumerate(self.values)}

    @property
    def size(self) -> int:
        """How many values there are."""
        return len(self.values)

    def __contains__(self, value: object) -> bool:
        return value in self._codes

    def code(self, value: str) -> int:
        """Position of a value in the domain."""
        try:
            return self._codes[value]
        except KeyError:
            raise SchemaError(
                f"{self.name!r} has no value {value!r}.", hint=nearest(value, self.values)
            ) from None


@dataclass(frozen=True)
class Schema:
    """The attributes of a record, in order.

    >>> schema = Schema.of({"smokes": ["no", "yes"], "region": ["north", "south", "west"]})
    >>> schema.names
    ('smokes', 'region')
    >>> schema["region"].size
    3
    """

    attributes: tuple[Attribute, ...]
    _positions: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        positions: dict[str, int] = {}
        for position, attribute in enumerate(self.attributes):
            if attribute.name in positions:
                raise SchemaError(
                    f"Attribute {attribute.name!r} is listed twice.", hint="Name it once."
                )
            positions[attribute.name] = position
        object.__setattr__(self, "_positions", positions)

    @classmethod
    def of(cls, domains: Mapping[str, Sequence[str]]) -> "Schema":
        """Build a schema from names and their values."""
        return cls(tuple(Attribute(name, tuple(values)) for name, values in domains.items()))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Attribute names, in order."""
        return tuple(attribute.name for attribute in self.attributes)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """Domain sizes, in order."""
        return tuple(attribute.size for attribute in self.attributes)

    def __len__(self) -> int:
        return len(self.attributes)

    def __iter__(self) -> Iterator[Attribute]:
        return iter(self.attributes)

    def __contains__(self, name: object) -> bool:
        return name in self._positions

    def __getitem__(self, name: str) -> Attribute:
        return self.attributes[self.position(name)]

    def position(self, name: str) -> int:
        """Where an attribute stands in the record."""
        try:
            return self._positions[name]
        except KeyError:
            raise SchemaError(
                f"There is no attribute {name!r}.", hint=nearest(name, self.names)
            ) from None

    def codes(self, values: Mapping[str, str]) -> dict[str, int]:
        """Codes of some attributes' values."""
        return {name: self[name].code(value) for name, value in values.items()}

    def select(self, names: Iterable[str]) -> "Schema":
        """Keep some attributes, in the order given."""
        return Schema(tuple(self[name] for name in names))

    def require_same_domains(self, other: "Schema", where: str) -> None:
        """Refuse records whose attributes or values differ from these."""
        if set(self.names) != set(other.names):
            odd = sorted(set(self.names) ^ set(other.names))
            raise SchemaError(
                f"{where} does not describe the same attributes: {listed(odd)} differ.",
                hint="Pooled sites must share attributes and values.",
            )
        for attribute in self:
            theirs = other[attribute.name].values
            if set(attribute.values) != set(theirs):
                raise SchemaError(
                    f"{where} gives {attribute.name!r} other values: {listed(theirs)} instead of "
                    f"{listed(attribute.values)}.",
                    hint="Pooled sites must share attributes and values.",
                )
