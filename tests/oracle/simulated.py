"""What the oracle tests share: reports given as a table of counts, and the whole record's channel.

Drawing the table of reports from its exact distribution is the same as disguising record by record
(tests/source shows that the devices follow the channel's matrix), and thousands of times quicker.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from deniable.design import Design
from deniable.engine.engine import Columns, Engine, Tabulation
from deniable.expression import ANY, Expression, Family
from deniable.schema import Schema

Counts = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Reports(Engine):
    """An engine over a table of counts, flat, the last attribute varying fastest."""

    schema: Schema
    counts: Counts
    at_hand: ClassVar[bool] = True

    def tabulate(self, column_sets: Sequence[Columns]) -> list[Tabulation]:
        whole = Tabulation(self.schema.names, self.schema.sizes, None, self.counts)
        return [whole.marginal(columns) for columns in column_sets]


def whole_matrix(design: Design) -> Floats:
    """The channel of the whole record: the Kronecker product that the package never builds."""
    parts = [(g.names, g.channel.matrix(range(len(g.names)))) for g in design.groups]
    parts += [((name,), np.eye(design.schema[name].size)) for name in design.public]
    matrix = np.ones((1, 1))
    for _, part in parts:
        matrix = np.kron(matrix, part).astype(np.float64)
    order = [name for names, _ in parts for name in names]
    sizes = [design.schema[name].size for name in order]
    axes = [order.index(name) for name in design.schema.names]
    both = matrix.reshape(sizes + sizes).transpose(axes + [len(axes) + axis for axis in axes])
    return both.reshape(matrix.shape)


def indicators(expressions: Sequence[Expression], schema: Schema) -> Floats:
    """``[conjunction, pattern]``: 1 where a pattern of the whole record satisfies it."""
    family = Family.of(expressions, schema)
    cells = np.indices(schema.sizes).reshape(len(schema), -1)[
        [schema.position(name) for name in family.columns]
    ]
    fits = (family.codes[:, :, None] == ANY) | (family.codes[:, :, None] == cells)
    satisfied: Floats = fits.all(axis=1).astype(np.float64)
    return satisfied


def disguised_anew(
    truth: Counts, matrix: Floats, repeats: int, generator: np.random.Generator
) -> Counts:
    """Tables of reports of the same records: those of one truth report independently."""
    tables = np.zeros((repeats, len(truth)), dtype=np.int64)
    for pattern, count in enumerate(truth):
        tables += generator.multinomial(count, matrix[:, pattern], size=repeats)
    return tables


def drawn_anew(
    shares: Floats, n: int, matrix: Floats, repeats: int, generator: np.random.Generator
) -> Counts:
    """Tables of reports of n new people each time: each report has the distribution C·p."""
    tables: Counts = generator.multinomial(n, matrix @ shares, size=repeats)
    return tables
