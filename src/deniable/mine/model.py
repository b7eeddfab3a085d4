"""What every mined model is: plain data with a schema, written as JSON, never as a pickle."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from math import prod
from typing import Any, ClassVar, Self

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.base.errors import ModelError, nearest
from deniable.expression import ANY, Family
from deniable.oracle.api import CountOracle, Target, TotalOracle
from deniable.schema import Schema

FORMAT = "deniable model"
MODEL_VERSION = 1


class Model(ABC):
    """Something mined from counts."""

    kind: ClassVar[str]
    """The name by which a file says what it holds; that of its miner."""

    note: str = ""
    """What a reader must know beside the result."""

    schema: Schema
    """All attributes the model is about, the target among them."""

    @abstractmethod
    def body(self) -> dict[str, Any]:
        """Give what is particular to this kind, as JSON."""

    @classmethod
    @abstractmethod
    def read(cls, schema: Schema, body: Mapping[str, Any]) -> Self:
        """Build from what `body` gave."""

    def document(self) -> dict[str, Any]:
        """Write the whole model as JSON: format, version, kind, schema, body."""
        return {
            "format": FORMAT,
            "version": MODEL_VERSION,
            "kind": self.kind,
            "schema": {attribute.name: list(attribute.values) for attribute in self.schema},
            **self.body(),
        }


class Classifier(Model):
    """A model that predicts one attribute, its target, from the others, its features."""

    target: str

    @property
    def features(self) -> tuple[str, ...]:
        """Names of the attributes a prediction is made from, in the order of its columns."""
        return tuple(name for name in self.schema.names if name != self.target)

    @property
    def commonest(self) -> str | None:
        """The class of most training records, as estimated, if the model kept their counts."""
        return None

    @abstractmethod
    def probabilities(self, codes: Codes) -> Floats:
        """Give the chance of each class, a row per record of codes ``[record, feature]``."""

    def predict(self, codes: Codes) -> Codes:
        """Give the code of the likeliest class; the first one where several are."""
        likeliest: Codes = self.probabilities(codes).argmax(axis=1)
        return likeliest


def checked_target(target: str, schema: Schema) -> str:
    """Refuse a target that is not an attribute, or has nothing to tell apart."""
    if target not in schema:
        raise ModelError(
            f"The target {target!r} is not in the design.", hint=nearest(target, schema.names)
        )
    if schema[target].size == 1:
        raise ModelError(
            f"The target {target!r} has a single value, so there is nothing to predict.",
            hint="Choose an attribute with several values.",
        )
    return target


def checked_features(
    features: Iterable[str] | None, target: str, schema: Schema
) -> tuple[str, ...]:
    """Names of the features and the target, in the schema's order, all by default."""
    checked_target(target, schema)
    if features is None:
        return schema.names
    chosen = (features,) if isinstance(features, str) else tuple(features)
    for name in chosen:
        if name not in schema:
            raise ModelError(
                f"The feature {name!r} is not in the design.", hint=nearest(name, schema.names)
            )
        if name == target:
            raise ModelError(
                f"{name!r} is the target, so it cannot be a feature too.", hint="Leave it out."
            )
    return tuple(name for name in schema.names if name in {*chosen, target})


def checked_random_state(random_state: int) -> np.random.Generator:
    """Begin a reproducible sequence of draws; it decides folds and trees, never a disguise."""
    if random_state < 0:
        raise ModelError(f"{random_state} is no seed.", hint="Use a whole number, 0 or more.")
    return np.random.default_rng(random_state)


def require_totals(oracle: CountOracle, what: str) -> TotalOracle:
    """Refuse counts that cannot be added up over functions of the record."""
    if not isinstance(oracle, TotalOracle):
        raise ModelError(
            f"{what} needs more than counts, and these are counts only, as parties give them.",
            hint="Mine a tree, naive Bayes, rules or itemsets, which need counts only.",
        )
    return oracle


def counted_tables(
    oracle: CountOracle, tables: Sequence[Sequence[str]], of: Target = "sample"
) -> list[tuple[Floats, Floats]]:
    """Estimate several small joint tables, with standard errors, by one batch of counts."""
    columns = tuple(dict.fromkeys(chain.from_iterable(tables)))
    shapes = [oracle.schema.select(names).sizes for names in tables]
    ends = np.cumsum([0, *map(prod, shapes)])
    codes = np.full((ends[-1], len(columns)), ANY, dtype=np.int64)
    for names, start, stop in zip(tables, ends[:-1], ends[1:], strict=True):
        places = [columns.index(name) for name in names]
        codes[start:stop, places] = Family.table(names, oracle.schema).codes
    found = oracle.count(Family(columns, codes), of=of)
    parts = zip(
        *(np.split(all_, ends[1:-1]) for all_ in (found.value, found.std_error)), strict=True
    )
    return [(v.reshape(k), e.reshape(k)) for (v, e), k in zip(parts, shapes, strict=True)]


def require_same_people(screen: CountOracle, confirm: CountOracle) -> None:
    """Refuse to confirm counts by other people's."""
    if confirm.n != screen.n:
        raise ModelError(
            f"The confirming oracle has {confirm.n:,} records, the screen {screen.n:,}.",
            hint="Both must be about the same people.",
        )


def require_records(oracle: CountOracle) -> None:
    """Refuse to learn from nobody."""
    if oracle.n == 0:
        raise ModelError("There are no records to mine.", hint="Collect some first.")
