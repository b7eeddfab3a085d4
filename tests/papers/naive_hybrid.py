"""Paper D as its text has it: plain loops over records, the naive twin of the hybrid miners.

A record is a tuple of 0 and 1; in trees the class is the last one. Nothing here is shared with the
package.
"""

from collections.abc import Mapping, Sequence
from math import comb, log2
from random import Random

Record = tuple[int, ...]
Expression = Mapping[int, int]
"""A logical AND: attributes with their values."""

TIE = 1e-9
"""Gains this close are equal, and the first attribute is taken."""


def disguised(
    records: Sequence[Record], groups: Sequence[Sequence[int]], theta: float, random: Random
) -> list[Record]:
    """§5.1: one coin for each group; heads tells all of it, tails the inverse of all of it."""
    reports = []
    for record in records:
        report = list(record)
        for group in groups:
            if random.random() >= theta:
                for place in group:
                    report[place] = 1 - report[place]
        reports.append(tuple(report))
    return reports


def satisfies(record: Record, expression: Expression) -> bool:
    return all(record[place] == value for place, value in expression.items())


class Estimated:
    """§5.4: N(E) through the disguise, by the linear form: how many sub-patterns are satisfied."""

    def __init__(
        self, reports: Sequence[Record], groups: Sequence[Sequence[int]], theta: float
    ) -> None:
        self.reports, self.groups, self.theta = reports, groups, theta

    def number(self, expression: Expression) -> float:
        """Solve P* = A·P for P(m), with Theorem 3's matrix."""
        parts = [
            {place: expression[place] for place in group if place in expression}
            for group in self.groups
        ]
        parts = [part for part in parts if part]
        grouped = {place for group in self.groups for place in group}
        public = {place: value for place, value in expression.items() if place not in grouped}
        m = len(parts)
        observed = [0.0] * (m + 1)
        for report in self.reports:
            if not satisfies(report, public):
                continue
            satisfied = 0
            for part in parts:
                opposite = {place: 1 - value for place, value in part.items()}
                if satisfies(report, part):
                    satisfied += 1
                elif not satisfies(report, opposite):
                    break
            else:
                observed[satisfied] += 1
        matrix = [[self._moves(i, j, m) for i in range(m + 1)] for j in range(m + 1)]
        return solved(matrix, observed)[m]

    def _moves(self, i: int, j: int, m: int) -> float:
        """P(i → j): of i satisfied sub-patterns k stay, of the m − i others j − k become so."""
        total = 0.0
        for k in range(j + 1):
            if k > i or j - k > m - i:
                continue
            stay = comb(i, k) * self.theta**k * (1 - self.theta) ** (i - k)
            become = comb(m - i, j - k) * (1 - self.theta) ** (j - k)
            total += stay * become * self.theta ** (m - i - (j - k))
        return total


class Secure:
    """§3.2: N(E) as the dot product of two private vectors; counts those that need both parties."""

    def __init__(
        self, records: Sequence[Record], mine: Sequence[int], theirs: Sequence[int]
    ) -> None:
        self.records, self.mine, self.theirs = records, set(mine), set(theirs)
        self.computations = 0

    def number(self, expression: Expression) -> float:
        ours = {place: value for place, value in expression.items() if place not in self.theirs}
        others = {place: value for place, value in expression.items() if place not in self.mine}
        if set(expression) & self.mine and set(expression) & self.theirs:
            self.computations += 1
        product = 0
        for record in self.records:
            product += int(satisfies(record, ours)) * int(satisfies(record, others))
        return float(product)


def solved(matrix: list[list[float]], values: list[float]) -> list[float]:
    """Gauss and Jordan, with pivots."""
    rows = [[*row, value] for row, value in zip(matrix, values, strict=True)]
    for place in range(len(rows)):
        pivot = max(range(place, len(rows)), key=lambda r: abs(rows[r][place]))
        rows[place], rows[pivot] = rows[pivot], rows[place]
        rows[place] = [each / rows[place][place] for each in rows[place]]
        for other in range(len(rows)):
            if other != place:
                factor = rows[other][place]
                rows[other] = [
                    a - factor * b for a, b in zip(rows[other], rows[place], strict=True)
                ]
    return [row[-1] for row in rows]


class Node:
    def __init__(self, label: int) -> None:
        self.label = label
        self.attribute: int | None = None
        self.children: list[Node] = []

    def answer(self, record: Record) -> int:
        if self.attribute is None:
            return self.label
        return self.children[record[self.attribute]].answer(record)

    def size(self) -> int:
        return 1 + sum(child.size() for child in self.children)


def hybrid_id3(
    screen: Estimated, secure: Secure | None, attributes: Sequence[int], label: int, window: int
) -> Node:
    """§4.2. Without a secure side it is randomization alone: steps 2, 3 and 6.b by estimate.

    Counts of step 4 are kept for steps 2, 3 and 6.b of the children.
    """
    # A class that all know is in no group, and its estimates are its counts.
    root = [screen.number({label: c}) for c in (0, 1)]
    return _grown(screen, secure, {}, root, list(attributes), label, window, 0)


def _grown(
    screen: Estimated,
    secure: Secure | None,
    path: Expression,
    counts: list[float],
    attributes: list[int],
    label: int,
    window: int,
    otherwise: int,
) -> Node:
    # Step 6.b: a set that is estimated to be empty has its parent's majority.
    empty = sum(counts) <= TIE
    majority = otherwise if empty else counts.index(max(counts))
    node = Node(majority)
    if sum(count > TIE for count in counts) < 2 or empty or not attributes:
        return node
    estimated = {a: _table(screen, path, a, label) for a in attributes}
    best_first = sorted(attributes, key=lambda a: (-round(gain(estimated[a]), 9), a))
    if secure is None:
        tables = estimated
        chosen = _best(attributes, tables)
    else:
        tables = {a: _table(secure, path, a, label) for a in best_first[:window]}
        chosen = _best(sorted(tables), tables)
    node.attribute = chosen
    left = [a for a in attributes if a != chosen]
    for value in (0, 1):
        child = tables[chosen][value]
        node.children.append(
            _grown(screen, secure, {**path, chosen: value}, child, left, label, window, majority)
        )
    return node


def _table(
    oracle: Estimated | Secure, path: Expression, attribute: int, label: int
) -> list[list[float]]:
    return [
        [oracle.number({**path, attribute: value, label: c}) for c in (0, 1)] for value in (0, 1)
    ]


def _best(attributes: Sequence[int], tables: Mapping[int, list[list[float]]]) -> int:
    gains = {a: gain(tables[a]) for a in attributes}
    highest = max(gains.values())
    return next(a for a in attributes if gains[a] >= highest - TIE)


def gain(table: list[list[float]]) -> float:
    """Information gain; what is below 0 counts as 0 where a logarithm is taken."""
    cells = [[max(count, 0.0) for count in row] for row in table]
    total = sum(map(sum, cells))
    if total <= TIE:
        return 0.0
    before = entropy([cells[0][c] + cells[1][c] for c in (0, 1)])
    return before - sum(sum(row) / total * entropy(row) for row in cells)


def entropy(counts: Sequence[float]) -> float:
    total = sum(counts)
    return -sum(count / total * log2(count / total) for count in counts if count > 0)


def frequent_sets(
    screen: Estimated | Secure,
    n: int,
    items: Sequence[int],
    support: float,
    tolerance: float,
    secure: Secure | None = None,
) -> tuple[set[frozenset[int]], int, int]:
    """§7: sets of items (value 1) within the tolerance; confirmed, if there is a secure side.

    Gives the sets, and how many were screened and confirmed.
    """
    found: set[frozenset[int]] = set()
    screened = confirmed = 0
    candidates = [frozenset([item]) for item in items]
    while candidates:
        screened += len(candidates)
        kept = [
            c
            for c in candidates
            if screen.number(dict.fromkeys(c, 1)) / n >= support - tolerance - 1e-12
        ]
        if secure is not None:
            confirmed += len(kept)
            kept = [c for c in kept if secure.number(dict.fromkeys(c, 1)) / n >= support - 1e-12]
        found.update(kept)
        longer = {a | b for a in kept for b in kept if len(a | b) == len(a) + 1}
        candidates = [c for c in longer if all(c - {item} in kept for item in c)]
    return found, screened, confirmed
