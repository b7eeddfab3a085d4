"""Joint patterns of groups as numbers, and back."""

from collections.abc import Sequence
from math import prod

import numpy as np

from deniable.base.arrays import Codes
from deniable.design import Group
from deniable.engine.memory.numpy_engine import pack
from deniable.engine.memory.records import Records
from deniable.expression import strides


def attribute_sizes(groups: Sequence[Group]) -> list[int]:
    """How many values each attribute of some groups has."""
    return [size for group in groups for size in group.channel.sizes]


def pattern_count(groups: Sequence[Group]) -> int:
    """How many joint patterns some groups have."""
    return prod(attribute_sizes(groups))


def shape(groups: Sequence[Group]) -> tuple[int, ...]:
    """How many patterns each group has."""
    return tuple(prod(group.channel.sizes) for group in groups)


def numbered(records: Records, group: Group) -> Codes:
    """Number each record's pattern in one group."""
    columns = [records.columns[records.schema.position(name)] for name in group.names]
    return pack(columns, group.channel.sizes, len(records)).astype(np.int64)


def counted(records: Records, groups: Sequence[Group]) -> Codes:
    """Count joint patterns, an axis per group."""
    keys = np.ravel_multi_index(tuple(numbered(records, g) for g in groups), shape(groups))
    return np.bincount(keys, minlength=pattern_count(groups)).reshape(shape(groups))


def unpacked(group: Group, numbers: Codes) -> dict[str, Codes]:
    """Each attribute's code, from the number of the pattern."""
    sizes = group.channel.sizes
    steps = zip(group.names, sizes, strides(sizes), strict=True)
    return {name: numbers // step % size for name, size, step in steps}


def codes_of(group: Group, name: str) -> Codes:
    """One attribute's value in every pattern of its group."""
    return unpacked(group, np.arange(prod(group.channel.sizes)))[name]
