"""Records kept as counts: what a tabulation holds, asked like any engine."""

from collections.abc import Sequence

import numpy as np

from deniable.base.arrays import Codes
from deniable.engine.engine import Columns, Engine, Tabulation
from deniable.schema import Schema

FEW_OF_A_KIND = 6
"""Records of a kind up to which drawing record after record is quicker than kind after kind."""


class CountedEngine(Engine):
    """A table of distinct records and their counts.

    Its records can be dealt out or drawn again without seeing one of them: a cell's count splits
    multinomially.
    """

    at_hand = True

    def __init__(self, schema: Schema, table: Tabulation) -> None:
        super().__init__(schema)
        self.table = table

    @property
    def n(self) -> int:
        """How many records there are."""
        return self.table.n

    def tabulate(self, column_sets: Sequence[Columns]) -> list[Tabulation]:
        """Count over fewer columns."""
        return [self.table.marginal(columns) for columns in column_sets]

    def recounted(self, counts: Codes) -> "CountedEngine":
        """The same distinct records with other counts."""
        table = self.table
        return CountedEngine(
            self.schema, Tabulation(table.columns, table.sizes, table.keys, counts)
        )

    def dealt(self, many: int, order: Codes, rng: np.random.Generator) -> list[Codes]:
        """Deal every record into one of so many folds, each equally likely, in a given order."""
        rest, folds = self.table.counts[order], []
        for left in range(many, 1, -1):
            fold = rng.binomial(rest, 1 / left)
            rest = rest - fold
            folds.append(fold)
        return [self._placed(fold, order) for fold in (*folds, rest)]

    def drawn(self, order: Codes, many: int, rng: np.random.Generator) -> list[Codes]:
        """Draw as many records with replacement, so many times, in a given order."""
        counts = self.table.counts[order]
        n, cells = int(counts.sum()), len(self.table.counts)
        if n > FEW_OF_A_KIND * len(counts):
            again = rng.multinomial(n, counts / n, size=many)
            return [self._placed(each, order) for each in again]
        kind = np.repeat(order, counts)
        return [np.bincount(kind[rng.integers(n, size=n)], minlength=cells) for _ in range(many)]

    def _placed(self, counts: Codes, order: Codes) -> Codes:
        placed = np.zeros_like(self.table.counts)
        placed[order] = counts
        return placed
