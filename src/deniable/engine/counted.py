"""Records kept as counts: what a tabulation holds, asked like any engine."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from deniable.engine.base import Columns, Tabulation
from deniable.schema import Schema


class CountedEngine:
    """A table of distinct records and their counts.

    Its records can be dealt out or drawn again without seeing one of them: a cell's count splits
    multinomially.
    """

    def __init__(self, schema: Schema, table: Tabulation) -> None:
        self.schema = schema
        self.table = table

    def tabulate(self, column_sets: Sequence[Columns]) -> list[Tabulation]:
        """Count over fewer columns."""
        return [self.table.marginal(columns) for columns in column_sets]

    def recounted(self, counts: NDArray[np.int64]) -> "CountedEngine":
        """The same distinct records with other counts."""
        table = self.table
        return CountedEngine(
            self.schema, Tabulation(table.columns, table.sizes, table.keys, counts)
        )

    def dealt(self, many: int, rng: np.random.Generator) -> list[NDArray[np.int64]]:
        """Deal every record into one of so many folds, each equally likely."""
        rest, folds = self.table.counts, []
        for left in range(many, 1, -1):
            fold = rng.binomial(rest, 1 / left)
            rest = rest - fold
            folds.append(fold)
        return [*folds, rest]

    def drawn(self, rng: np.random.Generator) -> NDArray[np.int64]:
        """Draw as many records with replacement."""
        counts = self.table.counts
        filled = np.flatnonzero(counts)
        drawn = np.zeros_like(counts)
        drawn[filled] = rng.multinomial(counts.sum(), counts[filled] / counts.sum())
        return drawn
