"""Invented populations: latent classes, within which answers are independent of each other.

One class is a population whose answers have nothing to do with each other. With several, people of
a class resemble each other, so that answers depend on each other, as they do among real people.
Where an answer's shares are given *by* another answer ("drugs by sex"), it depends on that one, and
on nothing else.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.base.errors import DataError
from deniable.engine.memory.records import Records
from deniable.schema import Attribute, Schema

CLASSES = 2
DEPENDING_ON = " by "
"""Between an attribute and the one that its shares depend on."""

ShareTable = Mapping[str, Any]
"""Shares by value, or shares by value for each value of another attribute."""

RARE = (0.05, 0.4)
"""Between these shares lies an invented "yes"; what is asked in private is rarely common."""


@dataclass(frozen=True, eq=False)
class InventedPopulation:
    """How large each class is, and how its people answer."""

    schema: Schema
    sizes: Floats
    """Shares of the classes."""

    answers: tuple[Floats, ...]
    """For each attribute an array ``[class, value]`` of probabilities …"""

    given: Mapping[str, tuple[str, Floats]] = field(default_factory=dict)
    """… but for those that depend on another one: its name, and ``[its value, value]``."""

    @classmethod
    def invent(
        cls,
        schema: Schema,
        generator: np.random.Generator,
        *,
        classes: int = CLASSES,
        shares: Mapping[str, ShareTable] | None = None,
    ) -> "InventedPopulation":
        """Invent one; where shares are given, it has them, the same in every class.

        The shares of ``"drugs by sex"`` are those of drugs, for each value of sex.

        >>> schema = Schema.of({"smokes": ["no", "yes"], "moon": ["no", "yes"]})
        >>> known = {"moon": {"no": 1, "yes": 0}}
        >>> found = InventedPopulation.invent(schema, np.random.default_rng(1), shares=known)
        >>> found.shares("moon").tolist()
        [1.0, 0.0]
        >>> known = {"smokes by moon": {"no": {"no": 0.8, "yes": 0.2}, "yes": {"no": 0, "yes": 1}}}
        >>> found = InventedPopulation.invent(
        ...     schema, np.random.default_rng(1), shares={"moon": {"no": 0.5, "yes": 0.5}, **known})
        >>> found.shares("smokes").tolist()
        [0.4, 0.6]
        """
        given, dependent = _parted(shares or {}, schema)
        sizes = generator.dirichlet(np.full(classes, 5.0))
        answers = []
        for attribute in schema:
            if attribute.name in given:
                table = np.tile(_read(given[attribute.name], attribute), (classes, 1))
            elif attribute.values == ("no", "yes"):
                yes = generator.uniform(*RARE, classes)
                table = np.stack([1 - yes, yes], axis=1)
            else:
                table = generator.dirichlet(np.full(attribute.size, 2.0), classes)
            answers.append(table)
        return cls(schema, sizes, tuple(answers), dependent)

    def draw(self, n: int, generator: np.random.Generator) -> Records:
        """Draw people."""
        whose = generator.choice(len(self.sizes), n, p=self.sizes)
        columns: dict[str, Codes] = {}
        for name in self._order():
            if name in self.given:
                other, table = self.given[name]
                rows = columns[other]
            else:
                table, rows = self.answers[self.schema.position(name)], whose
            ends = np.cumsum(table, axis=1)
            ends[:, -1] = 1.0
            columns[name] = (generator.random((n, 1)) >= ends[rows]).sum(axis=1)
        return Records.from_codes([columns[name] for name in self.schema.names], self.schema)

    def _order(self) -> list[str]:
        """Attributes, each after the one that it depends on."""
        free = [name for name in self.schema.names if name not in self.given]
        return free + sorted(self.given, key=lambda name: len(_chain(name, self.given)))

    def shares(self, name: str) -> Floats:
        """The share of each value of an attribute."""
        if name in self.given:
            other, table = self.given[name]
            found: Floats = self.shares(other) @ table
            return found
        shares: Floats = self.sizes @ self.answers[self.schema.position(name)]
        return shares


def _parted(
    shares: Mapping[str, ShareTable], schema: Schema
) -> tuple[dict[str, Mapping[str, float]], dict[str, tuple[str, Floats]]]:
    """Part shares that hold for all from those that depend on another answer."""
    given: dict[str, Mapping[str, float]] = {}
    dependent: dict[str, tuple[str, Floats]] = {}
    for key, table in shares.items():
        name, _, other = key.partition(DEPENDING_ON)
        schema.position(name)
        if name in given or name in dependent:
            raise DataError(f"The shares of {name!r} are given twice.", hint="Leave one out.")
        if other:
            dependent[name] = other, _by_value(key, table, schema[name], schema[other])
        else:
            given[name] = table
    for name in dependent:
        if name in _chain(name, dependent):
            raise DataError(
                f"The shares of {name!r} depend on themselves.",
                hint=f"Give those of {dependent[name][0]!r} by themselves.",
            )
    return given, dependent


def _chain(name: str, given: Mapping[str, tuple[str, Floats]]) -> list[str]:
    """The attributes that one depends on, the nearest first; it itself, if they go in a circle."""
    found: list[str] = []
    while name in given and given[name][0] not in found:
        name = given[name][0]
        found.append(name)
    return found


def _by_value(
    key: str, table: Mapping[str, Mapping[str, float]], attribute: Attribute, other: Attribute
) -> Floats:
    if set(table) != set(other.values):
        raise DataError(
            f"{key!r} needs shares for each value of {other.name!r}: {', '.join(other.values)}.",
            hint=f"Write {key}: {{{other.values[0]}: {{…}}, …}}.",
        )
    return np.stack([_read(table[value], attribute) for value in other.values])


def _read(given: Mapping[str, float], attribute: Attribute) -> Floats:
    shares: Floats = np.zeros(attribute.size)
    for value, share in given.items():
        shares[attribute.code(value)] = float(share)
    if (shares < 0).any() or not np.isclose(shares.sum(), 1):
        raise DataError(
            f"The shares of {attribute.name!r} do not add up to 1.",
            hint=f"Give each value one, such as {attribute.name}: {{…: 0.9, …: 0.1}}.",
        )
    shares /= shares.sum()
    return shares
