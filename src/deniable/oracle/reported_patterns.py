"""Distinct reports with the chances that made them: what the likelihood of a model is made of.

Features that nothing disguises part the reports into patterns; within a pattern a report is a joint
value of what is hidden, and ``C[report, truth]`` is the product of the groups' channels.
"""

from collections.abc import Sequence
from math import prod

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.base.errors import EstimateError
from deniable.design import Design
from deniable.engine.engine import LARGEST_DOMAIN, HoldsRecords, coded
from deniable.expression import strides
from deniable.oracle.api import ReportedPatterns
from deniable.oracle.tally import Tally
from deniable.schema import Schema

MOST_HIDDEN_VALUES = 1024
"""Joint values of what is hidden; the matrix between reports and truths is dense."""


def reported_patterns(
    design: Design, tally: Tally, schema: Schema, target: str
) -> ReportedPatterns:
    """Read one site's reports about the attributes of a schema, in the schema's codes."""
    tally.require_reports()
    factors = _factors(design, schema)
    disguised = {name for names, _ in factors for name in names}
    hidden = (*(n for n in schema.names if n in disguised and n != target), target)
    public = tuple(name for name in schema.names if name not in hidden)
    cells = prod(schema.select(hidden).sizes)
    if cells > MOST_HIDDEN_VALUES:
        raise EstimateError(
            f"The disguised features and the target have {cells:,} joint values; a likelihood "
            f"takes {MOST_HIDDEN_VALUES:,} at most.",
            hint="Leave features out, or use method=score.",
        )
    if target not in disguised:
        factors.append(((target,), np.eye(schema[target].size)))
    codes, counts = _occurring(tally, (*public, *hidden))
    for column, name in enumerate((*public, *hidden)):
        own = tally.engine.schema[name].values
        codes[:, column] = np.array([schema[name].code(value) for value in own])[codes[:, column]]
    sizes = tuple(schema[name].size for name in hidden)
    reports = codes[:, len(public) :] @ np.array(strides(sizes), dtype=np.int64)
    distinct, row = np.unique(codes[:, : len(public)], axis=0, return_inverse=True)
    table = np.zeros((len(distinct), cells))
    np.add.at(table, (row.ravel(), reports), counts)
    return ReportedPatterns(public, hidden, distinct, table, _channel(factors, hidden, sizes))


def _factors(design: Design, schema: Schema) -> list[tuple[tuple[str, ...], Floats]]:
    """Each group's channel over its attributes in the schema, in the schema's order of values."""
    factors = []
    for group, places in design.touched(schema.names):
        matrix = group.channel.matrix(places)
        if np.array_equal(matrix, np.eye(len(matrix))):
            continue
        own = [group.attributes[place] for place in places]
        orders = [[each.code(value) for value in schema[each.name].values] for each in own]
        numbers = np.arange(len(matrix)).reshape([each.size for each in own])
        order = numbers[np.ix_(*orders)].ravel()
        factors.append((tuple(each.name for each in own), matrix[np.ix_(order, order)]))
    return factors


def _channel(
    factors: Sequence[tuple[tuple[str, ...], Floats]], hidden: tuple[str, ...], sizes: Sequence[int]
) -> Floats:
    """Multiply the groups out, and put what is hidden in order."""
    whole: Floats = np.ones((1, 1))
    for _, matrix in factors:
        whole = np.asarray(np.kron(whole, matrix), dtype=np.float64)
    order = [name for names, _ in factors for name in names]
    shape = [sizes[hidden.index(name)] for name in order]
    axes = [order.index(name) for name in hidden]
    both = whole.reshape(shape + shape).transpose(axes + [len(axes) + axis for axis in axes])
    channel: Floats = both.reshape(whole.shape)
    return channel


def _occurring(tally: Tally, names: tuple[str, ...]) -> tuple[Codes, Codes]:
    """Codes of joint reports that occur, and how often; records where they cannot be numbered."""
    engine = tally.engine
    sizes = engine.schema.select(names).sizes
    if prod(sizes) > LARGEST_DOMAIN and isinstance(engine, HoldsRecords):
        records = np.stack([column.astype(np.int64) for column in engine.codes(names)], axis=1)
        return records, np.ones(len(records), dtype=np.int64)
    keys, counts = tally.tabulation(names).occurring()
    columns = [column.astype(np.int64) for column in coded(keys, sizes)]
    return np.stack(columns, axis=1), counts
