"""Whether a computed count can be true.

A vector that holds anything but 0 and 1 (weights that read the other side's bits one by one) gives
counts that do not fit: its size is more than all records, or a count is more than a part of it.
"""

from deniable.base.errors import AnswerError
from deniable.collab.cells import Cell, written
from deniable.collab.policy import Noise
from deniable.schema import Schema

SCALES = 64
"""Scales of noise that a count may lie outside its range by: e⁻⁶⁴ a count."""


class PossibleCounts:
    """Checks counts out of n, with room for the noise that was agreed on."""

    def __init__(self, schema: Schema, n: int, noise: Noise | None) -> None:
        self._schema, self._n = schema, n
        self.slack = 0 if noise is None else int(SCALES / noise.epsilon)

    def read(self, value: int, modulus: int) -> int:
        """Take a count that noise drove below 0 for what it is; counts are known modulo t."""
        return value - modulus if value > self._n + self.slack else value

    def require(self, cell: Cell, value: int, most: int, least: int = 0) -> None:
        """Refuse a count outside its range; nothing is released then."""
        if not least - self.slack <= value <= most + self.slack:
            raise AnswerError(
                f"The count of {written(cell, self._schema)} cannot be true, so nothing is "
                "released.",
                hint="The other side's vector is not what it should be.",
            )
