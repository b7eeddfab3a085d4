"""Frequent item sets as a model: what people often hold together, how it is mined and written."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Self

import numpy as np

from deniable.base.errors import ModelError
from deniable.expression import conjunction
from deniable.mine.model import Model
from deniable.mine.rules.apriori import Choice
from deniable.mine.rules.item_sets import ItemSet, Measure, Tolerance, frequent, ranked
from deniable.oracle.api import CountOracle, Target
from deniable.schema import Schema


@dataclass(frozen=True)
class FrequentSets(Model):
    """Item sets by falling support, small ones first where it is equal; and how they were found.

    Supports are shares of the records, unbiased and not clipped. Each stands for itself: a set may
    be here while a part of it, by noise, is not.
    """

    kind: ClassVar[str] = "itemsets"

    schema: Schema
    n: int
    of: Target
    support: float
    level: float
    checked: int
    """Item sets that the screen counted."""

    confirmed: int
    """Item sets that the confirming oracle counted."""

    sets: Sequence[ItemSet]

    def __len__(self) -> int:
        return len(self.sets)

    def __iter__(self) -> Iterator[ItemSet]:
        return iter(self.sets)

    def rows(self) -> list[ItemSet]:
        """The sets, by falling support."""
        return list(self.sets)

    def body(self) -> dict[str, Any]:
        """Write settings and sets."""
        return {
            **{name: getattr(self, name) for name in _FOUND_BY},
            "itemsets": [
                {
                    "items": dict(each.items.terms),
                    "support": asdict(each.support),
                    "significant": each.significant,
                }
                for each in self.sets
            ],
        }

    @classmethod
    def read(cls, schema: Schema, body: Mapping[str, Any]) -> Self:
        """Build from what `body` gave."""
        sets = tuple(
            ItemSet(
                conjunction(entry["items"], schema),
                Measure(**{name: float(value) for name, value in entry["support"].items()}),
                bool(entry["significant"]),
            )
            for entry in body["itemsets"]
        )
        return cls(schema, **{name: body[name] for name in _FOUND_BY}, sets=sets)


_FOUND_BY = ("n", "of", "support", "level", "checked", "confirmed")


def mine_itemsets(
    oracle: CountOracle,
    *,
    min_support: float,
    min_len: int = 1,
    max_len: int | None = None,
    tolerance: Tolerance = "derived",
    confirm: CountOracle | None = None,
    items: Choice = "all",
    of: Target = "sample",
    level: float = 0.95,
) -> FrequentSets:
    """Find the frequent item sets of at least ``min_len`` items: see `frequent`.

    >>> from deniable.oracle.exact import ExactOracle
    >>> people = {"smokes": ["no", "no", "yes", "yes"], "ill": ["no", "no", "no", "yes"]}
    >>> schema = Schema.of({"smokes": ["no", "yes"], "ill": ["no", "yes"]})
    >>> for found in mine_itemsets(ExactOracle(people, schema), min_support=0.5):
    ...     print(found.items, found.support.value)
    ill=no 0.75
    smokes=no 0.5
    smokes=yes 0.5
    smokes=no & ill=no 0.5
    """
    if min_len < 1 or (max_len is not None and min_len > max_len):
        most = "" if max_len is None else f" and at most {max_len}"
        raise ModelError(
            f"No set has at least {min_len} items{most}.",
            hint="Use a min_len of 1 or more, and no more than max_len.",
        )
    found = frequent(
        oracle,
        min_support=min_support,
        tolerance=tolerance,
        confirm=confirm,
        max_len=max_len,
        items=items,
        of=of,
        level=level,
    )
    rows = found.rows()
    order = np.lexsort([rows.size, -ranked(rows.support)])
    sets = rows.among(order[rows.size[order] >= min_len])
    settings = (found.n, of, found.support, level, found.checked, found.confirmed)
    return FrequentSets(oracle.schema, *settings, sets)
