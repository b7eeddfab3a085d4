"""Apriori's candidates: items, sets of them, and joining sets to larger ones, all as arrays."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from deniable.base.arrays import Codes, Mask
from deniable.base.errors import ModelError
from deniable.expression import ANY, Conjunction, Expression, Family, items_named
from deniable.schema import Schema

MOST_CANDIDATES = 1 << 20
"""More at one level, and the threshold tells nothing apart."""

Choice = Literal["all", "yes"] | Sequence[Expression]


@dataclass(frozen=True, eq=False)
class Items:
    """The items that sets are made of, numbered in the order of the attributes."""

    schema: Schema
    attribute: Codes
    code: Codes

    @classmethod
    def of(cls, schema: Schema, choice: Choice) -> "Items":
        """``all``, ``yes``, or items such as ``smokes=yes``, or attributes, by all their values.

        With ``yes`` a two-valued attribute is an item by its last value only, as in a market
        basket; attributes with more values keep them all.

        >>> Items.of(Schema.of({"a": ["no", "yes"], "b": ["x", "y", "z"]}), ["b", "a=yes"]).terms
        [('a', 'yes'), ('b', 'x'), ('b', 'y'), ('b', 'z')]
        """
        if not isinstance(choice, str):
            terms = [term for expression in choice for term in items_named(expression, schema)]
            pairs = sorted({(schema.position(a), schema[a].code(value)) for a, value in terms})
        elif choice in {"all", "yes"}:
            pairs = [
                (place, code)
                for place, attribute in enumerate(schema)
                for code in range(attribute.size)
                if choice == "all" or code > 0 or attribute.size > 2  # noqa: PLR2004
            ]
        else:
            raise ModelError(
                f"There is no choice of items {choice!r}.",
                hint="Use 'all', 'yes', or a list such as ['smokes=yes', 'region=north'].",
            )
        if not pairs:
            raise ModelError("There are no items to make sets of.", hint="Name at least one.")
        attribute, code = np.array(pairs, dtype=np.int64).T
        return cls(schema, attribute, code)

    def __len__(self) -> int:
        return len(self.code)

    def among(self, others: "Items") -> Mask:
        """Which of these are among others."""
        theirs = set(zip(others.attribute.tolist(), others.code.tolist(), strict=True))
        own = zip(self.attribute.tolist(), self.code.tolist(), strict=True)
        return np.array([item in theirs for item in own], dtype=bool)

    def family(self, members: Codes) -> Family:
        """Write item sets ``[set, place]`` as conjunctions over the attributes that they name."""
        attributes = self.attribute[members]
        used = np.zeros(len(self.schema), dtype=bool)
        used[attributes] = True
        column = np.cumsum(used) - 1
        codes = np.full((len(members), column[-1] + 1), ANY, dtype=np.int64)
        codes[np.arange(len(members))[:, None], column[attributes]] = self.code[members]
        return Family(tuple(self.schema.names[place] for place in np.flatnonzero(used)), codes)

    def named(self, members: Codes) -> Codes:
        """How many item sets ``[set, place]`` name each attribute."""
        attributes = self.attribute[members].ravel()
        return np.bincount(attributes, minlength=len(self.schema))

    @cached_property
    def terms(self) -> list[tuple[str, str]]:
        """Every item's attribute and value, for people."""
        attributes = [self.schema.attributes[place] for place in self.attribute]
        return [(a.name, a.values[code]) for a, code in zip(attributes, self.code, strict=True)]


@dataclass(frozen=True, eq=False)
class Sets:
    """Item sets of one size, in lexicographic order, with the way down to their subsets.

    A *facet* is a set without one of its items; ``facets[set, place]`` is its row among the kept
    sets one level below.
    """

    members: Codes
    facets: Codes

    def __len__(self) -> int:
        return len(self.members)

    def __getitem__(self, rows: Mask) -> "Sets":
        return Sets(self.members[rows], self.facets[rows])

    @classmethod
    def single(cls, items: Items) -> "Sets":
        """Every item by itself; its facet is the empty set."""
        members = np.arange(len(items))[:, None]
        return cls(members, np.zeros_like(members))


class WrittenSets:
    """Item sets of all sizes under one numbering, small ones first, as people read them."""

    def __init__(self, items: Items, kept: Sequence[Sets]) -> None:
        self._terms = items.terms
        self._members = np.concatenate([np.empty(0, np.int64), *(s.members.ravel() for s in kept)])
        self.size = np.repeat(np.arange(1, len(kept) + 1), [len(sets) for sets in kept])
        self._ends = np.cumsum(self.size)

    def conjunction(self, number: int) -> Conjunction:
        """Write one set."""
        end = self._ends[number]
        members = self._members[end - self.size[number] : end]
        return Conjunction(tuple([self._terms[item] for item in members.tolist()]))

    def conjunctions(self, numbers: Codes) -> Iterator[Conjunction]:
        """Write many sets."""
        size = self.size[numbers]
        end = np.cumsum(size)
        place = np.arange(size.sum()) + np.repeat(self._ends[numbers] - end, size)
        terms = [self._terms[item] for item in self._members[place].tolist()]
        for start, stop in zip((end - size).tolist(), end.tolist(), strict=True):
            yield Conjunction(tuple(terms[start:stop]))


def joined(kept: Sets, items: Items) -> Sets:
    """Join sets that differ in their last item only; prune what has a facet that is not kept.

    >>> items = Items.of(Schema.of({name: ["no", "yes"] for name in "abc"}), "yes")
    >>> pairs = joined(Sets.single(items), items)
    >>> pairs.members.tolist(), joined(pairs, items).members.tolist()
    ([[0, 1], [0, 2], [1, 2]], [[0, 1, 2]])
    """
    rows, size = kept.members.shape
    prefix, last = kept.facets[:, -1], kept.members[:, -1]
    partners = np.searchsorted(prefix, prefix, side="right") - np.arange(rows) - 1
    if partners.sum() > MOST_CANDIDATES:
        raise ModelError(
            f"Noise, or a low support, leaves {partners.sum():,} sets of {size + 1} items open.",
            hint=f"Raise min_support, lower tolerance, name fewer items, or set max_len={size}.",
        )
    left = np.repeat(np.arange(rows), partners)
    right = left + 1 + np.arange(len(left)) - np.repeat(np.cumsum(partners) - partners, partners)
    apart = items.attribute[last[left]] != items.attribute[last[right]]
    facets = np.zeros((int(apart.sum()), size + 1), dtype=np.int64)
    facets[:, size], facets[:, size - 1] = left[apart], right[apart]
    # A set is its prefix and its last item; rows are in the order of this number.
    number = prefix * len(items) + last
    for place in range(size - 1):
        wanted = kept.facets[facets[:, size], place] * len(items) + last[facets[:, size - 1]]
        facets[:, place] = np.minimum(np.searchsorted(number, wanted), rows - 1)
        facets = facets[number[facets[:, place]] == wanted]
    members = np.column_stack([kept.members[facets[:, size]], last[facets[:, size - 1]]])
    return Sets(members, facets)
