"""What each channel's random device does to a column of true codes.

One draw per record and group. This is the only code, with `deniable.source.disguise`, that sees
raw answers.
"""

from fractions import Fraction
from functools import singledispatch
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deniable.base.errors import DesignError
from deniable.channel import Channel, Matrix, Related, Truthful, Unrelated
from deniable.channel.personal import Joint
from deniable.engine.engine import Column
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
    those = np.flatnonzero(turned)
    reports = []
    for size, column in zip(channel.sizes, truth, strict=True):
        if size == 2:  # noqa: PLR2004 (the opposite of a bit)
            reports.append(column ^ turned)
        else:
            # The true value plus 1 … k−1, modulo k: an even draw among the others.
            step = draw((Fraction(1, size - 1),) * (size - 1), len(those), bits)
            reports.append(_with(column, those, (column[those].astype(np.int64) + step + 1) % size))
    return tuple(reports)


@randomize.register
def _(channel: Unrelated, truth: Columns, personal: Columns | None, bits: Bits) -> Columns:
    those = np.flatnonzero(~coin(channel.theta, len(truth[0]), bits))
    if personal is None:
        answers = _personal(channel, len(those), bits)
    else:
        answers = tuple(column[those] for column in personal)
    return tuple(_with(mine, those, other) for mine, other in zip(truth, answers, strict=True))


@randomize.register
def _(channel: Matrix, truth: Columns, personal: Columns | None, bits: Bits) -> Columns:
    (column,) = truth
    report = np.empty_like(column)
    for value, chances in enumerate(channel.columns):
        those = np.flatnonzero(column == value)
        report[those] = draw(chances, len(those), bits)
    return (report,)


def _with(column: Column, rows: NDArray[np.int64], values: NDArray[Any]) -> Column:
    """A copy of a column with other values in some rows."""
    changed = column.copy()
    changed[rows] = values
    return changed


def _personal(channel: Unrelated, n: int, bits: Bits) -> tuple[NDArray[Any], ...]:
    """Draw personal answers from their known distribution, on the device."""
    if channel.personal is None:
        raise DesignError(
            "The distribution of the personal answers is unknown, so they must come with the data.",
            hint="Add a column 'personal.NAME' for each attribute NAME of the group.",
        )
    if isinstance(channel.personal, Joint):
        cells = np.array([cell for cell, _ in channel.personal.cells])
        return tuple(cells[draw([chance for _, chance in channel.personal.cells], n, bits)].T)
    return tuple(draw(chances, n, bits) for chances in channel.personal)
