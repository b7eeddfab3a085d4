"""Distinct reports with the devices that made them: what a permutation of the target needs."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from deniable.base.arrays import AnyCodes, Codes, Floats
from deniable.design import Design, Group
from deniable.engine.engine import LARGEST_DOMAIN, HoldsRecords, coded
from deniable.oracle.api import Stratum
from deniable.oracle.tally import Tally
from deniable.schema import Schema


def device(design: Design, name: str) -> frozenset[str]:
    """Attributes that share a random device with one; itself alone if nothing disguises it."""
    for group in design.groups:
        if name in group.names and _disguises(group):
            return frozenset(group.names)
    return frozenset({name})


def stratum(design: Design, tally: Tally, target: str, features: Sequence[str]) -> Stratum:
    """Give the distinct reports about some features, by what they say of the target."""
    names = (*features, target)
    columns, classes = _counted(tally, features, target)
    number: dict[str, int | None] = dict.fromkeys(names)
    for place, group in enumerate(design.groups):
        if _disguises(group):
            number.update({name: place for name in group.names if name in number})
    inverse = _Inverse(design)
    return Stratum(dict(zip(features, columns, strict=True)), classes, number, inverse)


def recoded_stratum(given: Stratum, old: Schema, new: Schema, target: str) -> Stratum:
    """Write the same reports in the codes of a schema that lists values in another order."""
    names = (*given.columns, target)
    place = {
        name: np.array([new[name].code(value) for value in old[name].values]) for name in names
    }
    if all((codes == np.arange(len(codes))).all() for codes in place.values()):
        return given
    columns = {name: place[name][codes] for name, codes in given.columns.items()}
    classes = np.empty_like(given.classes)
    classes[:, place[target]] = given.classes
    return Stratum(columns, classes, given.group, _Recoded(given, new, place))


@dataclass(frozen=True, eq=False)
class _Inverse:
    """C⁻¹ of a design over a few attributes: a product over the groups they are in."""

    design: Design

    def __call__(self, names: Sequence[str]) -> Floats:
        schema = self.design.schema
        sizes = [schema[name].size for name in names]
        table = np.eye(prod(sizes)).reshape(*sizes, -1)
        for group, _ in self.design.touched(names):
            if not _disguises(group):
                continue
            axes = [axis for axis, name in enumerate(names) if name in group.names]
            places = [group.names.index(names[axis]) for axis in axes]
            channel = group.channel.marginal(places)
            front = np.moveaxis(table, axes, range(len(axes)))
            undone = channel.undo(front.reshape(prod(channel.sizes), -1)).reshape(front.shape)
            table = np.moveaxis(undone, range(len(axes)), axes)
        return table.reshape(prod(sizes), -1)


@dataclass(frozen=True, eq=False)
class _Recoded:
    """C⁻¹ in other codes."""

    given: Stratum
    schema: Schema
    place: dict[str, Codes]

    def __call__(self, names: Sequence[str]) -> Floats:
        sizes = [self.schema[name].size for name in names]
        cells = np.arange(prod(sizes)).reshape(sizes)
        ours = cells[np.ix_(*(self.place[name] for name in names))].ravel()
        found = self.given.inverse(names)
        table = np.empty_like(found)
        table[np.ix_(ours, ours)] = found
        return table


def _disguises(group: Group) -> bool:
    return not group.channel.is_truthful and prod(group.channel.sizes) > 1


def _counted(
    tally: Tally, features: Sequence[str], target: str
) -> tuple[tuple[AnyCodes, ...], Codes]:
    """Codes of distinct reports, a column per feature, and their counts by reported class.

    Where joint patterns are too many to be numbered, records are left as they are.
    """
    names = (*features, target)
    engine = tally.engine
    sizes = engine.schema.select(names).sizes
    if prod(sizes) > LARGEST_DOMAIN and isinstance(engine, HoldsRecords):
        *columns, reported = engine.codes(names)
        return tuple(columns), (reported[:, None] == np.arange(sizes[-1])).astype(np.int64)
    keys, counts = tally.tabulation(names).occurring()
    numbers, values = np.divmod(keys, sizes[-1])  # the target varies fastest, and keys ascend
    first = np.flatnonzero(np.diff(numbers, prepend=-1))
    row = np.repeat(np.arange(len(first)), np.diff(first, append=len(keys)))
    classes = np.zeros((len(first), sizes[-1]), dtype=np.int64)
    classes[row, values] = counts
    return coded(numbers[first], sizes[:-1]), classes
