"""What every person of a simulation will send, disguised all at once."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deniable.base.arrays import AnyCodes, Codes, Floats, Mask
from deniable.base.errors import DataError
from deniable.compliance.behaviours import BEHAVIOURS, FOLLOWING, Behaviour, sent
from deniable.design import Design
from deniable.engine.memory.records import Records
from deniable.source.disguise import disguise_records
from deniable.source.randomness import Bits, SecureBits, SeededBits, coin, draw
from deniable.survey.protocol import ARMS, REPORT_LETTERS
from deniable.survey.questionnaire.conditions import asked_of

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

    behaviours: Codes
    """What each does: 0 follows the device, and n is number n of `BEHAVIOURS`, counted from 1."""

    devices: NDArray[np.str_]
    understood: Codes

    asked: Mapping[str, Mask]
    """Who was asked for an attribute, where not everybody was: of the others the first value is
    sent."""

    @classmethod
    def gather(
        cls,
        document: Mapping[str, Any],
        truth: Records,
        *,
        ignoring: Mapping[Behaviour, float] | None = None,
        random_state: np.random.SeedSequence | None = None,
    ) -> "Crowd":
        """Let people answer the survey of a document, as GET /api/survey gives it.

        Some ignore the device, and do what is said of their kind in every disguised question, also
        when they are asked directly. What is told as it is, they tell.
        """
        design, n = Design.of(document["design"]), len(truth)
        # A seed for tests only: these people do not exist, so there is nobody to protect.
        bits: Bits = SecureBits() if random_state is None else SeededBits(random_state)
        share = document["direct"]
        direct = coin(Fraction(share), n, bits) if share is not None else np.zeros(n, dtype=bool)
        behaviours = draw(_chances(ignoring or {}), n, bits).astype(np.int64)
        reports = disguise_records(truth, None, design, bits)
        columns = []
        for attribute, true, told in zip(
            design.schema, truth.columns, reports.columns, strict=True
        ):
            column = np.where(direct, true, told)
            if attribute.name in design.disguised:
                for number, behaviour in enumerate(BEHAVIOURS, start=1):
                    those = behaviours == number
                    if those.any():
                        column[those] = _answers(sent(behaviour, attribute), true[those], bits)
            columns.append(column)
        asked = _asked(document, truth)
        for name, those in asked.items():
            columns[design.schema.position(name)][~those] = 0
        devices = np.array(document["devices"])
        evenly = [Fraction(1, len(devices))] * len(devices)
        return cls(
            truth,
            Records.from_codes(columns, design.schema),
            direct,
            behaviours,
            devices[draw(evenly, n, bits)],
            draw(UNDERSTOOD, n, bits),
            asked,
        )

    def __len__(self) -> int:
        return len(self.truth)

    @property
    def complies(self) -> Mask:
        """Who follows the rules."""
        follows: Mask = self.behaviours == 0
        return follows

    def kinds(self) -> dict[str, int]:
        """How many people there are of each kind, those who follow the device first."""
        counted = np.bincount(self.behaviours, minlength=1 + len(BEHAVIOURS)).tolist()
        found = dict(zip((FOLLOWING, *BEHAVIOURS), counted, strict=True))
        return {kind: number for kind, number in found.items() if number or kind == FOLLOWING}

    def written(self) -> list[str]:
        """Every person's report, as it is sent."""
        letters = np.stack([LETTER_BYTES[column] for column in self.reports.columns], axis=1)
        return [row.tobytes().decode() for row in letters]

    def arm(self, person: int) -> str:
        """How a person is asked."""
        return ARMS[int(self.direct[person])]


def _asked(document: Mapping[str, Any], truth: Records) -> dict[str, Mask]:
    columns = dict(zip(truth.schema.names, truth.columns, strict=True))
    questions = {question["name"]: question for question in document["questions"]}
    conditions = {name: each["if"] for name, each in questions.items() if "if" in each}
    found = asked_of(conditions, truth.schema, columns)
    return {part: those for name, those in found.items() for part in questions[name]["attributes"]}


def _chances(ignoring: Mapping[Behaviour, float]) -> list[Fraction]:
    """Chances of following the device, and of each behaviour."""
    others = [Fraction(str(ignoring.get(behaviour, 0))) for behaviour in BEHAVIOURS]
    if sum(others) > 1:
        raise DataError(
            "More people would ignore the device than there are.",
            hint="Let the shares of all kinds add up to 1 at most.",
        )
    return [1 - sum(others, Fraction(0)), *others]


def _answers(matrix: Floats, truth: AnyCodes, bits: Bits) -> Codes:
    """Answer by the chances in each truth's column: 0, 1, or the same for all."""
    found: Codes = np.zeros(len(truth), dtype=np.int64)
    for code, column in enumerate(matrix.T):
        those = truth == code
        chances = [Fraction(chance).limit_denominator(len(column)) for chance in column.tolist()]
        found[those] = draw(chances, int(those.sum()), bits)
    return found
