"""Made-up measurements for claims: where all hold, and ways to spoil them one by one."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from deniable.base.arrays import Floats
from deniable.papers.reproduction.measurements import Measurements
from deniable.papers.reproduction.paper_claims import PaperClaim


@dataclass
class MadeUp:
    """Numbers by experiment and setting, which can be changed."""

    numbers: dict[tuple[str, frozenset[tuple[str, str]]], dict[str, Floats]]

    def put(self, experiment: str, measures: Mapping[str, Floats], **setting: str) -> None:
        place = self.numbers.setdefault((experiment, frozenset(setting.items())), {})
        place.update(measures)

    def change(
        self, experiment: str, measure: str, by: Callable[[Floats], Floats], **setting: str
    ) -> None:
        """Change a measure wherever the setting has these values."""
        wanted = set(setting.items())
        changed = 0
        for (name, of), measures in self.numbers.items():
            if name == experiment and wanted <= of and measure in measures:
                measures[measure] = by(measures[measure])
                changed += 1
        assert changed, f"nothing is called {experiment}, {measure}, {setting}"

    def measurements(self) -> Measurements:
        return Measurements(self.numbers)


Spoil = Callable[[MadeUp], None]


def holds(claim: PaperClaim, made_up: MadeUp) -> bool:
    return claim.check(made_up.measurements()).holds


def more(by: float) -> Callable[[Floats], Floats]:
    return lambda values: values + by


def always(number: float) -> Callable[[Floats], Floats]:
    return lambda values: np.full_like(values, number)
