"""What every person of a simulation will send, disguised all at once."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deniable.base.arrays import Codes, Mask
from deniable.design import Design
from deniable.engine.memory.records import Records
from deniable.source.disguise import disguise_records
from deniable.source.randomness import Bits, SecureBits, SeededBits, coin, draw
from deniable.survey.protocol import ARMS, REPORT_LETTERS

UNDERSTOOD = (Fraction(1, 10), Fraction(2, 10), Fraction(7, 10))
"""How many people get no, one and both comprehension questions right at first."""

LETTER_BYTES = np.frombuffer(REPORT_LETTERS.encode(), dtype="S1")


@dataclass(frozen=True, eq=False)
class Crowd:
    """People with a truth, what they report of it, and how."""

    truth: Records
    reports: Records
    direct: Mask
    """Who is asked directly."""

    complies: Mask
    """Who follows the rules."""

    devices: NDArray[np.str_]
    understood: Codes

    @classmethod
    def gather(
        cls,
        document: Mapping[str, Any],
        truth: Records,
        *,
        comply: float = 1.0,
        random_state: np.random.SeedSequence | None = None,
    ) -> "Crowd":
        """Let people answer the survey of a document, as GET /api/survey gives it.

        Whoever does not follow the rules protects themselves: whatever coin and truth say, they
        give the first value of every disguised attribute, which is most often "no", also when they
        are asked directly. What is told as it is, they tell.
        """
        design, n = Design.of(document["design"]), len(truth)
        # A seed for tests only: these people do not exist, so there is nobody to protect.
        bits: Bits = SecureBits() if random_state is None else SeededBits(random_state)
        share = document["direct"]
        direct = coin(Fraction(share), n, bits) if share is not None else np.zeros(n, dtype=bool)
        complies = coin(Fraction(str(comply)), n, bits)
        reports = disguise_records(truth, None, design, bits)
        columns = [
            np.where(complies | (name not in design.disguised), np.where(direct, true, sent), 0)
            for name, true, sent in zip(
                design.schema.names, truth.columns, reports.columns, strict=True
            )
        ]
        devices = np.array(document["devices"])
        evenly = [Fraction(1, len(devices))] * len(devices)
        return cls(
            truth,
            Records.from_codes(columns, design.schema),
            direct,
            complies,
            devices[draw(evenly, n, bits)],
            draw(UNDERSTOOD, n, bits),
        )

    def __len__(self) -> int:
        return len(self.truth)

    def written(self) -> list[str]:
        """Every person's report, as it is sent."""
        letters = np.stack([LETTER_BYTES[column] for column in self.reports.columns], axis=1)
        return [row.tobytes().decode() for row in letters]

    def arm(self, person: int) -> str:
        """How a person is asked."""
        return ARMS[int(self.direct[person])]
