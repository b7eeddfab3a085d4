"""Accuracy from respondents' one-bit answers about their personal data (Zhan & Matwin 2007, §3.4).

For one unrelated group that holds all features and the target. With probability θ a report is the
private record, else the personal answers, so that the share of reports that are classified
correctly is P* = θ·P + (1−θ)·P_Y, and the accuracy P = (P* − (1−θ)·P_Y)/θ. P_Y is known with the
distribution of the personal answers; or respondents run the classifier on their own personal
answers and send one bit, whether it was right.

What leaks: bits by themselves say nothing private. Beside the report of the same person they do.
Where the two disagree on whether the classifier is right, the report is the private record for
certain; `unmasked` counts those. So bits are to come from other people, or at least unlinked from
reports (`docs/decisions/0031-personal-bits.md`).
"""

from typing import Any

import numpy as np

from deniable.base.arrays import Codes, Mask
from deniable.base.errors import ModelError
from deniable.mine.model import Classifier
from deniable.mine.scores.confusion import Accuracy
from deniable.mine.scores.score import score
from deniable.oracle.api import Target, TotalOracle


def score_with_personal_bits(
    classifier: Classifier,
    reports: TotalOracle,
    bits: Any,
    *,
    theta: float,
    same_people: bool = True,
    of: Target = "population",
) -> Accuracy:
    """Score by respondents who tried the classifier on their personal answers.

    ``reports`` counts the reports as they are (an `ExactOracle` over them). ``bits`` holds a 1 from
    every respondent for whose personal answers the classifier is right, else a 0; or it is P_Y
    itself, one number, where the distribution of the personal answers is known.

    The standard error includes that of the bits. Where the same people sent reports and bits
    (``same_people``), the two share what the personal answers happened to be, with the covariance
    (1−θ)·P_Y(1−P_Y) per person, and the accuracy is *more* precise than with P_Y known.
    """
    if not 0 < theta <= 1:
        raise ModelError(
            f"theta = {theta} is not a probability above 0.",
            hint="Give the probability of a private report, as in the design.",
        )
    found = score(classifier, reports, of="sample")
    if found.covariance.any():
        raise ModelError(
            "These test records are counted through a disguise already.",
            hint="Count the reports as they are: ExactOracle(reports, schema).",
        )
    n, reported, other = found.n, found.accuracy, 1 - float(theta)
    personal, sent = _personal_share(bits)
    if same_people and sent and sent != n:
        raise ModelError(
            f"There are {sent} bits for {n} reports.",
            hint="If other people sent the bits: --other-people, or same_people=False.",
        )
    accuracy = (reported - other * personal) / theta
    of_bits = other**2 * personal * (1 - personal)
    variance = reported * (1 - reported) / n
    if sent:
        variance += -of_bits / n if same_people else of_bits / sent
    variance /= theta**2
    if of == "sample":
        variance -= accuracy * (1 - accuracy) / n
    return Accuracy(n, of, accuracy, float(np.sqrt(max(variance, 0.0))))


def _personal_share(bits: Any) -> tuple[float, int]:
    """P_Y, and how many bits say so; none where it is known."""
    found = np.asarray(bits, dtype=np.float64)
    known = found.ndim == 0 and 0 <= found <= 1
    if not known and not (found.ndim == 1 and found.size and np.isin(found, (0, 1)).all()):
        raise ModelError(
            "The bits are neither zeros and ones nor a probability.",
            hint="Give one 0 or 1 for each respondent, or the known share of ones.",
        )
    return float(found.mean()), 0 if known else found.size


def unmasked(classifier: Classifier, codes: Codes, bits: Mask) -> int:
    """Count the people whose report ``[record, attribute]`` and bit prove the report private.

    Columns of the codes are those of the model's schema.
    """
    place = classifier.schema.position(classifier.target)
    right = classifier.predict(np.delete(codes, place, axis=1)) == codes[:, place]
    return int((right != bits).sum())
