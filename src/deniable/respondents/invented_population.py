"""Invented populations: latent classes, within which answers are independent of each other.

One class is a population whose answers have nothing to do with each other. With several, people of
a class resemble each other, so that answers depend on each other, as they do among real people.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from deniable.base.arrays import Floats
from deniable.base.errors import DataError
from deniable.engine.memory.records import Records
from deniable.schema import Attribute, Schema

CLASSES = 2
RARE = (0.05, 0.4)
"""Between these shares lies an invented "yes"; what is asked in private is rarely common."""


@dataclass(frozen=True, eq=False)
class InventedPopulation:
    """How large each class is, and how its people answer."""

    schema: Schema
    sizes: Floats
    """Shares of the classes."""

    answers: tuple[Floats, ...]
    """For each attribute an array ``[class, value]`` of probabilities."""

    @classmethod
    def invent(
        cls,
        schema: Schema,
        generator: np.random.Generator,
        *,
        classes: int = CLASSES,
        shares: Mapping[str, Mapping[str, float]] | None = None,
    ) -> "InventedPopulation":
        """Invent one; where shares are given, it has them, the same in every class.

        >>> schema = Schema.of({"smokes": ["no", "yes"], "moon": ["no", "yes"]})
        >>> known = {"moon": {"no": 1, "yes": 0}}
        >>> found = InventedPopulation.invent(schema, np.random.default_rng(1), shares=known)
        >>> found.shares("moon").tolist()
        [1.0, 0.0]
        """
        given = shares or {}
        for name in given:
            schema.position(name)
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
        return cls(schema, sizes, tuple(answers))

    def draw(self, n: int, generator: np.random.Generator) -> Records:
        """Draw people."""
        whose = generator.choice(len(self.sizes), n, p=self.sizes)
        columns = []
        for table in self.answers:
            ends = np.cumsum(table, axis=1)
            ends[:, -1] = 1.0
            columns.append((generator.random((n, 1)) >= ends[whose]).sum(axis=1))
        return Records.from_codes(columns, self.schema)

    def shares(self, name: str) -> Floats:
        """The share of each value of an attribute."""
        shares: Floats = self.sizes @ self.answers[self.schema.position(name)]
        return shares


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
