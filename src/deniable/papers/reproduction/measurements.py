"""What was measured: for each experiment, setting and measure a number for every repeat."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from deniable.base.arrays import Floats
from deniable.papers.reproduction.experiment import Measured, Piece, Setting

Key = tuple[str, frozenset[tuple[str, str]]]


@dataclass(frozen=True)
class Measurements:
    """All measurements of one paper."""

    found: Mapping[Key, Mapping[str, Floats]]

    @classmethod
    def of(cls, pieces: Iterable[tuple[Piece, Measured]]) -> "Measurements":
        """Put the repeats of each setting together, in their order."""
        parts: dict[Key, list[tuple[int, Measured]]] = {}
        for piece, measured in pieces:
            key = piece.experiment, frozenset(piece.setting.items())
            parts.setdefault(key, []).append((piece.repeats.start, measured))
        return cls({key: _joined(several) for key, several in parts.items()})

    @classmethod
    def from_numbers(
        cls, numbers: Iterable[tuple[str, Setting, Mapping[str, Sequence[float]]]]
    ) -> "Measurements":
        """Take numbers as they are; tests of claims make some up."""
        return cls(
            {
                (experiment, frozenset(setting.items())): {
                    name: np.asarray(values, dtype=np.float64) for name, values in measured.items()
                }
                for experiment, setting, measured in numbers
            }
        )

    def values(self, experiment: str, measure: str, **setting: str) -> Floats:
        """Give a measure in one setting, a number for each repeat."""
        return self.found[experiment, frozenset(setting.items())][measure]

    def mean(self, experiment: str, measure: str, **setting: str) -> float:
        """Give the mean over the repeats."""
        return float(self.values(experiment, measure, **setting).mean())

    def has(self, experiment: str, **setting: str) -> bool:
        """Whether a setting was measured."""
        return (experiment, frozenset(setting.items())) in self.found


def _joined(several: list[tuple[int, Measured]]) -> dict[str, Floats]:
    in_order = [measured for _, measured in sorted(several, key=lambda part: part[0])]
    return {
        name: np.concatenate([np.asarray(each[name], dtype=np.float64) for each in in_order])
        for name in in_order[0]
    }
