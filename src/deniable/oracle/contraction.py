"""Many conjunctions over a small joint table of reports, summed group by group.

    Σ_r N[r] · Π_g w_g(r; e)^p       for w, w² and w³

Conjunctions that say the same of the first groups share what is left of the table once those are
weighed, and so on; of the last ones, a product of two short rows is left. Small groups are weighed
together. A group of many reports is written as signed terms (`expanded`), like everywhere else,
and its attributes are then counted as they are.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.channel import Channel
from deniable.channel.channel import patterns
from deniable.channel.terms import POWERS
from deniable.design import Design, Group
from deniable.expression import ANY, Family, distinct_patterns
from deniable.oracle.expansion import expanded

BLOCK_REPORTS = 64
"""Joint reports that are weighed together, but for a single attribute of more values."""

MOST_LEFT = 1 << 18
"""Cells that are left of the table, of several patterns or rows, at once."""


@dataclass(frozen=True, eq=False)
class _Part:
    """Columns of a family with one device, or one column that is counted as it is."""

    columns: list[int]
    sizes: tuple[int, ...]
    channel: Channel | None = None

    def weights(self, asked: Codes) -> Floats:
        """``w^p``: ``[power, pattern, report]``; a single power where w is 0 or 1."""
        reports = patterns(self.sizes)
        if self.channel is None:
            return _fits(asked, reports)[None]
        terms = self.channel.terms(asked)
        order = np.argsort(terms.rows, kind="stable")
        first = np.searchsorted(terms.rows[order], np.arange(len(asked)))
        weighed = terms.powers[:, order, None] * _fits(terms.codes[order], reports)
        found: Floats = np.add.reduceat(weighed, first, axis=1)
        return found


@dataclass(frozen=True, eq=False)
class _Block:
    """Parts that are weighed together, as far as a family asks for them."""

    columns: list[int]
    weights: Floats
    """``[power, pattern, report]`` of the distinct patterns."""

    numbers: Codes
    """The pattern of each conjunction."""

    @classmethod
    def of(cls, parts: Sequence[_Part], codes: Codes) -> "_Block":
        """Give each pattern once."""
        columns = [column for part in parts for column in part.columns]
        sizes = [size for part in parts for size in part.sizes]
        distinct, numbers = distinct_patterns(codes[:, columns], sizes)
        weights, end = np.ones((1, len(distinct), 1)), 0
        for part in parts:
            start, end = end, end + len(part.columns)
            asked, which = distinct_patterns(distinct[:, start:end], part.sizes)
            own = part.weights(asked)[:, which, None]
            weights = weights[..., None] * own
            weights = weights.reshape(*weights.shape[:2], -1)
        return cls(columns, weights, numbers)


def contracted(family: Family, design: Design, counts: Codes) -> list[Floats]:
    """Σw, Σw² and Σw³ of each conjunction; ``counts`` has an axis per column of the family."""
    parts, wide = _parts(family, design, counts.shape)
    terms = expanded(family, Design(design.schema, wide)) if wide else None
    codes = family.codes if terms is None else terms.codes
    blocks = [_Block.of(together, codes) for together in _packed(parts)]
    # Few patterns first: what follows is done once for each of their combinations.
    blocks.sort(key=lambda block: block.weights.shape[1])
    powers = max((len(block.weights) for block in blocks), default=1)
    axes = [column for block in blocks for column in block.columns]
    table = np.transpose(counts, axes).astype(np.float64).reshape(1, -1)
    sums = np.empty((powers, len(codes)))
    rows = np.arange(len(codes))
    for some, values in _summed(np.repeat(table, powers, axis=0), blocks, rows):
        sums[:, some] = values
    sums = np.broadcast_to(sums, (POWERS, len(codes)))
    if terms is None:
        return [own.copy() for own in sums]
    return terms.summed(sums, len(family))


def _summed(table: Floats, blocks: list[_Block], rows: Codes) -> Iterator[tuple[Codes, Floats]]:
    """Sums of some rows at a time ``[power, row]``."""
    if not blocks:
        yield rows, np.repeat(table, len(rows), axis=1)
        return
    weights = blocks[0].weights
    order = np.argsort(blocks[0].numbers[rows], kind="stable")
    numbers = blocks[0].numbers[rows[order]]
    starts = np.flatnonzero(np.diff(numbers, prepend=-1))
    used, cells = numbers[starts], table.reshape(len(table), weights.shape[2], -1)
    if len(blocks) > 2:  # noqa: PLR2004 (more is shared below)
        together = max(1, MOST_LEFT // cells[0, 0].size)
        shared = np.split(rows[order], starts[1:])
        for start in range(0, len(used), together):
            left = weights[:, used[start : start + together]] @ cells
            for place, some in enumerate(shared[start : start + together]):
                yield from _summed(left[:, place], blocks[1:], some)
        return
    left = weights[:, used] @ cells
    which = np.empty(len(rows), dtype=np.int64)
    which[order] = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(rows)))
    together = max(1, MOST_LEFT // left[:, 0].size)
    for start in range(0, len(rows), together):
        piece = slice(start, start + together)
        found = left[:, which[piece]]
        if len(blocks) > 1:
            found *= blocks[1].weights[:, blocks[1].numbers[rows[piece]]]
        yield rows[piece], found.sum(axis=2)


def _parts(
    family: Family, design: Design, sizes: tuple[int, ...]
) -> tuple[list[_Part], tuple[Group, ...]]:
    """Cut the columns into parts; give the groups that must be written as terms, too."""
    here = {name: column for column, name in enumerate(family.columns)}
    found, wide, plain = list[_Part](), list[Group](), set(here.values())
    for group, places in design.touched(here):
        channel = group.channel.marginal(places)
        columns = [here[group.names[place]] for place in places]
        if channel.is_truthful:
            continue
        if prod(channel.sizes) <= BLOCK_REPORTS or len(columns) == 1:
            found.append(_Part(columns, channel.sizes, channel))
            plain -= set(columns)
        else:
            wide.append(group)
    found += [_Part([column], (sizes[column],)) for column in sorted(plain)]
    return found, tuple(wide)


def _packed(parts: list[_Part]) -> list[list[_Part]]:
    """Put small parts together, in order."""
    found: list[list[_Part]] = []
    room = 0
    for part in parts:
        size = prod(part.sizes)
        if size > room:
            found.append([])
            room = BLOCK_REPORTS
        found[-1].append(part)
        room //= size
    return found


def _fits(asked: Codes, reports: Codes) -> Floats:
    """Which reports satisfy which conjunction ``[conjunction, report]``."""
    found = np.ones((len(asked), len(reports)), dtype=bool)
    for own, reported in zip(asked.T, reports.T, strict=True):
        found &= (own[:, None] == ANY) | (own[:, None] == reported)
    return found.astype(np.float64)
