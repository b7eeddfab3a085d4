"""Papers B and E as their text has it: plain loops over records, the naive twin of the fast path.

A record is a tuple of 0 and 1, the class last. Nothing here is shared with the package.
"""

from collections.abc import Callable, Sequence
from random import Random

Record = tuple[int, ...]
Share = Callable[[Sequence[int], Sequence[int]], float]
"""P(A) of a conjunction, given as attributes and their values."""


def reported_by_unrelated(
    records: Sequence[Record], theta: float, personal: float, random: Random
) -> list[Record]:
    """§5.1, step 1: copy the record if r < θ, else draw a record of Y."""
    reports = []
    for record in records:
        if random.random() < theta:
            reports.append(record)
        else:
            reports.append(tuple(int(random.random() < personal) for _ in record))
    return reports


def reported_by_related(records: Sequence[Record], theta: float, random: Random) -> list[Record]:
    """The related question: the record, or the opposite of all of it."""
    reports = []
    for record in records:
        if random.random() < theta:
            reports.append(record)
        else:
            reports.append(tuple(1 - value for value in record))
    return reports


def proportion(reports: Sequence[Record], places: Sequence[int], values: Sequence[int]) -> float:
    """P*(A): the proportion of reports that satisfy a conjunction."""
    satisfied = 0
    for report in reports:
        if all(report[place] == value for place, value in zip(places, values, strict=True)):
            satisfied += 1
    return satisfied / len(reports)


def unrelated_share(reports: Sequence[Record], theta: float, personal: float) -> Share:
    """Equation 1, solved: P(A) = (P*(A) − P(Y)·(1 − θ)) / θ."""

    def share(places: Sequence[int], values: Sequence[int]) -> float:
        by_chance = 1.0
        for value in values:
            by_chance *= personal if value else 1 - personal
        return (proportion(reports, places, values) - by_chance * (1 - theta)) / theta

    return share


def related_share(reports: Sequence[Record], theta: float) -> Share:
    """P*(A) = θ·P(A) + (1−θ)·P(Ā) and the same for Ā: two equations, solved for P(A)."""

    def share(places: Sequence[int], values: Sequence[int]) -> float:
        own = proportion(reports, places, values)
        opposite = proportion(reports, places, [1 - value for value in values])
        return (theta * own - (1 - theta) * opposite) / (2 * theta - 1)

    return share


def plain_share(records: Sequence[Record]) -> Share:
    """Nothing is disguised."""
    return lambda places, values: proportion(records, places, values)


class NaiveTwin:
    """§3.3: ``argmax P(v) · Π P(a ∧ v) / P(v)``, of estimates as they come."""

    def __init__(self, share: Share, attributes: int) -> None:
        label = attributes
        self.classes = [share([label], [v]) for v in (0, 1)]
        self.pairs = [
            [[share([place, label], [a, v]) for a in (0, 1)] for place in range(attributes)]
            for v in (0, 1)
        ]

    def answer(self, record: Record) -> int:
        scores = []
        for v in (0, 1):
            score = self.classes[v]
            for place, a in enumerate(record[:-1]):
                score *= self.pairs[v][place][a] / self.classes[v] if self.classes[v] else 0.0
            scores.append(score)
        return 1 if scores[1] > scores[0] else 0

    def accuracy(self, test: Sequence[Record]) -> float:
        right = 0
        for record in test:
            if self.answer(record) == record[-1]:
                right += 1
        return right / len(test)


def split(records: Sequence[Record], random: Random) -> tuple[list[Record], list[Record]]:
    """80 % of the records for training, at random; the others test."""
    order = list(records)
    random.shuffle(order)
    cut = int(0.8 * len(order))
    return order[:cut], order[cut:]


def told_accuracy(
    twin: NaiveTwin, test: Sequence[Record], theta: float, personal: float, random: Random
) -> float:
    """§3.4: test respondents report, and send a bit about their personal answers."""
    reported_right = personal_right = 0
    for record in test:
        own = tuple(int(random.random() < personal) for _ in record)
        report = record if random.random() < theta else own
        if twin.answer(report) == report[-1]:
            reported_right += 1
        if twin.answer(own) == own[-1]:
            personal_right += 1
    share, by_chance = reported_right / len(test), personal_right / len(test)
    return (share - by_chance * (1 - theta)) / theta
