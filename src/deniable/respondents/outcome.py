"""What became of simulated people's answers."""

from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from deniable.engine.memory.records import Records
from deniable.respondents.crowd import Crowd
from deniable.respondents.invented_population import InventedPopulation


@dataclass(eq=False, repr=False)
class SimulationOutcome:
    """A simulation's result, and the invented truth to compare estimates with."""

    crowd: Crowd
    population: InventedPopulation | None
    """Whom the people were drawn from; None where their truth was given."""

    receipts: dict[int, bytes] = field(default_factory=dict)
    """By the number of the person: the receipt of each answer that was acknowledged."""

    refused: Counter[str] = field(default_factory=Counter)
    """Answers that the server refused for good, by what it said."""

    gave_up: int = 0
    """People who ran out of patience."""

    retried: int = 0
    """Requests that were sent again."""

    seconds: float = 0.0

    @property
    def acknowledged(self) -> int:
        """Answers that the server said it has kept."""
        return len(self.receipts)

    @property
    def ended(self) -> int:
        """People who are done, one way or another."""
        return self.acknowledged + self.refused.total() + self.gave_up

    def truth(self, arm: str | None = None) -> Records:
        """What is true of those whose answers were acknowledged, of one arm or of both."""
        return self.crowd.truth.among(self._those(arm))

    def reports(self, arm: str | None = None) -> Records:
        """What they reported."""
        return self.crowd.reports.among(self._those(arm))

    def _those(self, arm: str | None) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
        those = np.zeros(len(self.crowd), dtype=bool)
        those[list(self.receipts)] = True
        return those if arm is None else those & (self.crowd.direct == (arm == "direct"))
