"""What each channel's random device does to a column of true codes.

One draw per record and group. This is the only code, with `deniable.source.disguise`, that sees
raw answers.
"""

from fractions import Fraction
from functools import singledispatch

import numpy as np

from deniable.channel import Channel, Matrix, Related, Truthful, Unrelated
from deniable.channel.unrelated import Joint
from deniable.engine.records import Column
from deniable.errors import DesignError
from deniable.source.randomness import Bits, coin, draw

Columns = tuple[Column, ...]


@singledispatch
def randomize(channel: Channel, truth: Columns, personal: Columns | None, bits: Bits) -> Columns:
    """Disguise the columns of one group; never changes the ones given."""
    raise DesignError(f"There is no random device for the channel {channel.kind!r}.")


@randomize.register
def _(channel: Truthful, truth: Columns, personal: Columns | None, bits: Bits) -> Columns:
    return truth


@randomize.register
def _(channel: Related, truth: Columns, personal: Columns | None, bits: Bits) -> Columns:
    turned = ~coin(channel.theta, len(truth[0]), bits)
    reports = []
    for size, column in zip(channel.sizes, truth, strict=True):
        if size == 2:  # noqa: PLR2004 (the opposite of a bit)
            reports.append(column ^ turned)
        else:
            # The true value plus 1 … k−1, modulo k: an even draw among the others.
            step = draw((Fraction(1, size - 1),) * (size - 1), len(column), bits) + 1
            reports.append(np.where(turned, (column + step) % size, column).astype(column.dtype))
    return tuple(reports)


@randomize.register
def _(channel: Unrelated, truth: Columns, personal: Columns | None, bits: Bits) -> Columns:
    private = coin(channel.theta, len(truth[0]), bits)
    if personal is None:
        personal = _personal(channel, truth, bits)
    return tuple(
        np.where(private, mine, other).astype(mine.dtype)
        for mine, other in zip(truth, personal, strict=True)
    )


@randomize.register
def _(channel: Matrix, truth: Columns, personal: Columns | None, bits: Bits) -> Columns:
    (column,) = truth
    report = np.empty_like(column)
    for value, chances in enumerate(channel.columns):
        those = np.flatnonzero(column == value)
        report[those] = draw(chances, len(those), bits)
    return (report,)


def _personal(channel: Unrelated, truth: Columns, bits: Bits) -> Columns:
    """Draw personal answers from their known distribution, on the device."""
    n = len(truth[0])
    if channel.personal is None:
        raise DesignError(
            "The distribution of the personal answers is unknown, so they must come with the data.",
            hint="Add a column 'personal.NAME' for each attribute NAME of the group.",
        )
    if isinstance(channel.personal, Joint):
        cells = np.array([cell for cell, _ in channel.personal.cells])
        drawn = cells[draw([chance for _, chance in channel.personal.cells], n, bits)]
        return tuple(drawn.T)
    return tuple(draw(chances, n, bits).astype(np.uint32) for chances in channel.personal)
