"""Which scans answer many column sets: as few as can be.

A tree's level and naive Bayes ask for many sets that differ in one column: a path and the class,
with each attribute in turn. Such sets are *crossed*: one scan groups by what they share and counts,
beside, how many have each value of each attribute. Other sets that overlap are *bundled*: one
GROUP BY over their union, as long as its joint table stays small.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from math import prod
from typing import TYPE_CHECKING

from deniable.engine.engine import Columns
from deniable.engine.memory.arrow_codes import BOOLEANS
from deniable.schema import Attribute

if TYPE_CHECKING:
    import pyarrow as pa

FEWEST_CROSSED = 3
"""Sets that must share a base to be counted by one scan."""

MOST_SUMS_PER_SCAN = 100
"""Sums that one query asks for."""

FEW_VALUES = 16
"""Values of an attribute up to which each is counted by a sum of its own."""

BUNDLE_CELLS = 1 << 11
"""Cells of a joint table up to which column sets share it."""

OPEN_BUNDLES = 64
"""Bundles that a further column set may join."""

Literal = str | int | float | bool
Choice = tuple[str, Literal]
"""A column and one of its values, as the engine compares them."""


@dataclass(frozen=True)
class Crossed:
    """Columns that are grouped by, and for each set the one more column that it has."""

    base: Columns
    sets: Mapping[int, str]


def crossings(
    column_sets: Sequence[Columns], crossable: Collection[str]
) -> tuple[list[Crossed], list[int]]:
    """Find sets that share all columns but one; give these, and the places of all others.

    >>> crossings([("class", "a"), ("class", "b"), ("class", "c"), ("d",)], {"a", "b", "c"})
    ([Crossed(base=('class',), sets={0: 'a', 1: 'b', 2: 'c'})], [3])
    """
    bases = Counter(
        _without(columns, name) for columns in column_sets for name in columns if name in crossable
    )
    found: dict[Columns, dict[int, str]] = defaultdict(dict)
    rest = []
    for place, columns in enumerate(column_sets):
        names = [name for name in columns if name in crossable]
        best = max(names, key=lambda name: bases[_without(columns, name)], default=None)
        if best is None or bases[_without(columns, best)] < FEWEST_CROSSED:
            rest.append(place)
        else:
            found[_without(columns, best)][place] = best
    return [Crossed(base, sets) for base, sets in found.items()], rest


def _without(columns: Columns, name: str) -> Columns:
    return tuple(sorted(column for column in columns if column != name))


def bundled(
    column_sets: Sequence[Columns], sizes: Mapping[str, int], cells: int = BUNDLE_CELLS
) -> list[tuple[Columns, list[int]]]:
    """Join column sets while their union stays small; give each union, and which sets it answers.

    >>> sizes = {"class": 2, "a": 2, "b": 2, "c": 8}
    >>> bundled([("class", "a"), ("class", "b"), ("class", "c")], sizes, cells=8)
    [(('class', 'a', 'b'), [0, 1]), (('class', 'c'), [2])]
    """
    bundles: list[tuple[set[str], list[int]]] = []
    for place, columns in enumerate(column_sets):
        best: tuple[int, set[str], list[int]] | None = None
        for names, places in bundles[-OPEN_BUNDLES:]:
            growth = prod(sizes[name] for name in columns if name not in names)
            joint = growth * prod(sizes[name] for name in names)
            if (growth == 1 or joint <= cells) and (best is None or growth < best[0]):
                best = growth, names, places
        if best is None:
            bundles.append((set(columns), [place]))
        else:
            best[1].update(columns)
            best[2].append(place)
    return [(tuple(name for name in sizes if name in names), places) for names, places in bundles]


def literals(attribute: Attribute, kind: "pa.DataType | None") -> list[Literal] | None:
    """Write an attribute's values as a column of some type holds them, if each has one way only.

    >>> import pyarrow as pa
    >>> literals(Attribute("smokes", ("no", "yes")), pa.bool_())
    [False, True]
    >>> literals(Attribute("grade", ("1", "2", "none")), pa.int64()) is None
    True
    """
    import pyarrow.types as are

    values = attribute.values
    if kind is not None and are.is_dictionary(kind):
        kind = kind.value_type
    found: list[Literal] = []
    with suppress(ValueError):
        if kind is None or are.is_string(kind) or are.is_large_string(kind):
            found = list(values)
        elif are.is_boolean(kind):
            yes = next((yes for no, yes in BOOLEANS if {no, yes} == {*values}), None)
            found = [] if yes is None else [value == yes for value in values]
        elif are.is_floating(kind):
            found = [float(value) for value in values]
        elif are.is_integer(kind) and all(str(int(value)) == value for value in values):
            found = [int(value) for value in values]
    return found if 0 < len(found) <= FEW_VALUES else None


def portions(choices: Sequence[Sequence[Choice]], most: int = MOST_SUMS_PER_SCAN) -> list[slice]:
    """Cut attributes into runs with few enough sums, each at least one attribute long."""
    cuts, sums = [0], 0
    for place, each in enumerate(choices):
        if place > cuts[-1] and sums + len(each) > most:
            cuts.append(place)
            sums = 0
        sums += len(each)
    return [slice(*ends) for ends in pairwise([*cuts, len(choices)])]
