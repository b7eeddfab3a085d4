"""A miner of another package: OneR, the single attribute that predicts best (Holte 1993)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.base.errors import ModelError
from deniable.mine.miner import Miner, MinerOption, ModelTable
from deniable.mine.model import Classifier, checked_features, checked_target, counted_tables
from deniable.oracle.api import CountOracle
from deniable.schema import Schema


@dataclass(frozen=True, eq=False)
class OneRule(Classifier):
    """The chance of each class for each value of one attribute."""

    kind: ClassVar[str] = "oner"

    schema: Schema
    target: str
    attribute: str
    chances: Floats
    """``[value, class]``."""

    def probabilities(self, codes: Codes) -> Floats:
        """Look the attribute's value up."""
        return self.chances[codes[:, self.features.index(self.attribute)]]

    def body(self) -> dict[str, Any]:
        """Write what `read` reads."""
        return {
            "target": self.target,
            "attribute": self.attribute,
            "chances": self.chances.tolist(),
        }

    @classmethod
    def read(cls, schema: Schema, body: Mapping[str, Any]) -> Self:
        """Build from what `body` gave."""
        target = checked_target(body["target"], schema)
        chances = np.array(body["chances"], dtype=np.float64)
        chances = chances.reshape(schema[body["attribute"]].size, schema[target].size)
        return cls(schema, target, body["attribute"], chances)


def mine_oner(
    oracle: CountOracle,
    target: str,
    *,
    features: Iterable[str] | None = None,
    alpha: float = 1.0,
) -> OneRule:
    """Choose the attribute whose values tell most records' class right, by estimated counts."""
    schema = oracle.schema.select(checked_features(features, target, oracle.schema))
    names = [name for name in schema.names if name != target]
    tables = counted_tables(oracle, [(name, target) for name in names])  # all at once: one pass
    right = [counts.max(axis=1).sum() for counts, _ in tables]  # NaN, if one of them was refused
    if np.isnan(right).all():
        raise ModelError("Every table has a refused count.", hint="Agree on a smaller minimum.")
    best = int(np.nanargmax(right))
    chances = np.maximum(tables[best][0], 0) + alpha
    return OneRule(schema, target, names[best], chances / chances.sum(axis=1, keepdims=True))


def shown(model: OneRule) -> Iterator[str | ModelTable]:
    """A line for each value."""
    yield f"{model.target} by {model.attribute}:"
    answers = model.schema[model.target].values
    yield ModelTable(
        "The rule",
        [model.attribute, model.target, "#Chance"],
        [
            [value, answers[chances.argmax()], f"{chances.max():.2f}"]
            for value, chances in zip(
                model.schema[model.attribute].values, model.chances, strict=True
            )
        ],
    )


ONER = Miner(
    "oner",
    "Mine the one attribute that predicts best.",
    mine_oner,
    OneRule,
    shown,
    noun="a rule of one attribute",
    options={"alpha": MinerOption("Added to every count.", least=0, above=True)},
    sizes=lambda model: {"values": len(model.chances)},
    counts_only=True,
)
