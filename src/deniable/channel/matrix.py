"""A custom matrix: any distribution of reports for each truth of one attribute."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Self

from deniable.base.errors import DesignError, listed
from deniable.channel.channel import BINARY, exact
from deniable.channel.group_options import alone, distribution, fraction, only
from deniable.channel.one_attribute import OneAttribute
from deniable.schema import Attribute


@dataclass(frozen=True)
class Matrix(OneAttribute):
    """A custom matrix, given as what each truth reports.

    >>> import numpy as np
    >>> channel = Matrix.of([["0.9", "0.1"], ["0.2", "0.8"]])
    >>> channel.weights([1], np.array([[0], [1]])).round(3)
    array([-0.143,  1.286])
    """

    kind: ClassVar[str] = "matrix"

    @classmethod
    def of(cls, columns: Sequence[Sequence[object]]) -> Self:
        """Build from numbers or text, ``columns[truth][report]``."""
        exactly = tuple(tuple(fraction(p, "matrix") for p in column) for column in columns)
        return cls((len(columns),), exactly)

    @classmethod
    def read(cls, attributes: Sequence[Attribute], options: Mapping[str, object]) -> Self:
        """Build from ``matrix``: for each truth, the distribution of reports."""
        only(options, "matrix")
        attribute = alone(attributes, cls.kind, binary=False)
        given = options.get("matrix")
        if not isinstance(given, Mapping) or set(given) != set(attribute.values):
            raise DesignError(
                f"matrix must say for each of {listed(attribute.values)} what is reported.",
                hint="Write matrix: {truth: {report: probability, …}, …}.",
            )
        return cls.of([distribution(given[v], attribute, f"matrix, {v}") for v in attribute.values])

    def options(self, attributes: Sequence[Attribute]) -> dict[str, object]:
        """Write ``matrix``."""
        values = attributes[0].values
        return {
            "matrix": {
                truth: dict(zip(values, map(exact, column), strict=True))
                for truth, column in zip(values, self.columns, strict=True)
            }
        }

    @classmethod
    def plan_range(cls, attributes: Sequence[Attribute]) -> tuple[Fraction, Fraction] | None:
        """It has no knob."""
        return None

    def practice(self, attribute: Attribute) -> dict[str, object] | None:
        """The same chances, if there are two values."""
        return self.options([attribute]) if self.sizes == (BINARY,) else None
