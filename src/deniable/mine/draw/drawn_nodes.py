"""What a drawing of a decision tree shows: some of its nodes, and the words beside them.

Counts are the tree's own estimates, of the records that reach a node, ± one standard error about
the population. They are unbiased, so a node may hold −3 ± 12 records. Percentages are what the tree
predicts: the chance of a class, softened by what the noise explains. Where the estimated number of
records is below its own standard error, no percentage is shown, but words: too few people to tell.
The numbers themselves stay in the model, as they are.
"""

import re
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import TYPE_CHECKING

import numpy as np

from deniable.base.arrays import Codes, Floats, Mask
from deniable.base.errors import ModelError
from deniable.base.wording import decimal, percent, plural, plus_minus
from deniable.mine.draw.node_layout import LayoutNode
from deniable.oracle.frontier.frontier import CLOSED

if TYPE_CHECKING:  # drawings lie below what is drawn
    from deniable.mine.tree.decision_tree import DecisionTree

EXACT, COARSEST = 1e-9, 2.0
"""Standard errors below which a count is exact, and from which its decimals mean nothing."""

STANDS_OUT = 2.0
"""Standard errors that a node's people must be above 0 for what lies below it to be shown."""

COMPARISON = re.compile(r"[<>]=?[-+.\d]")
"""Values such as ``<=37``, which say by themselves how they compare."""


@dataclass(frozen=True, eq=False)
class DrawnNode(LayoutNode):
    """A node to be drawn, the value that leads to it, and what hangs from it."""

    number: int
    value: str
    children: tuple["DrawnNode", ...]
    left_out: int
    """Leaves below that are not shown."""

    values: int = 1
    """How many values lead here: several where what is left of a question shares a line."""

    few: bool = False
    """Whether each of those is a leaf with too few people to tell."""


class NodeWords:
    """A tree hung up to be drawn, and what is written about its nodes."""

    def __init__(self, tree: "DecisionTree", shown: Mask, named: Mask | None = None) -> None:
        """Hang up the nodes below those `shown`; of them those `named`, if it is not all."""
        self.tree = tree
        self.target = printable(tree.target)
        self.classes = tuple(map(printable, tree.schema[tree.target].values))
        self.total: Floats = tree.counts.sum(axis=1)
        self._error = _total_errors(tree)
        self._labels, self._leaves = tree.labels, _leaves_below(tree)
        self._reached, self._telling = telling(tree)
        self._shown = shown
        self._named = np.ones(len(tree.axis), dtype=bool) if named is None else named
        self.root = self._hung(0, "")

    def _hung(self, node: int, value: str) -> DrawnNode:
        axis = self.tree.axis[node]
        if axis == CLOSED:
            return DrawnNode(node, value, (), 0)
        if not self._shown[node]:
            return DrawnNode(node, value, (), int(self._leaves[node]))
        values = map(printable, self.tree.schema[self.tree.features[axis]].values)
        below = list(enumerate(values, start=int(self.tree.first[node])))
        named = [each for each in below if self._named[each[0]]]
        others = [child for child, _ in below if not self._named[child]]
        if others:
            named.sort(key=lambda each: -self.total[each[0]])
        children = [self._hung(*each) for each in named]
        if others:
            few = not (self._telling[others] | (self.tree.axis[others] != CLOSED)).any()
            left_out = int(self._leaves[others].sum())
            children.append(DrawnNode(node, "", (), left_out, len(others), few))
        return DrawnNode(node, value, tuple(children), 0)

    def question(self, node: DrawnNode) -> str:
        """The attribute that splits a node."""
        return printable(self.tree.features[self.tree.axis[node.number]])

    def condition(self, parent: DrawnNode, child: DrawnNode) -> str:
        """Write what leads to a child, ``sex = Male`` or ``age <=37``."""
        equals = "" if COMPARISON.match(child.value) else "= "
        return f"{self.question(parent)} {equals}{child.value}"

    def label(self, node: DrawnNode) -> int:
        """The class that a node answers."""
        return int(self._labels[node.number])

    def answer(self, node: DrawnNode) -> str:
        """Its name."""
        return self.classes[self.label(node)]

    def reached(self, node: DrawnNode) -> bool:
        """Whether the estimated number of records there is above its own standard error."""
        return bool(self._reached[node.number])

    def tells(self, node: DrawnNode) -> bool:
        """Whether that is so, and as well of the records of the class that is answered."""
        return bool(self._telling[node.number])

    def chance(self, node: DrawnNode) -> str:
        """How likely the answer is, as predicted."""
        return percent(self.tree.shares[node.number].max(), 0)

    def count(self, node: DrawnNode) -> str:
        """How many records reach a node."""
        return estimate(self.total[node.number], self._error[node.number])

    def of_class(self, node: DrawnNode, label: int) -> str:
        """How many of them are of a class."""
        return estimate(self.tree.counts[node.number, label], self.tree.errors[node.number, label])

    def of_classes(self, node: DrawnNode) -> str:
        """How many of them are of each class."""
        return ", ".join(f"{name}: {self.of_class(node, k)}" for k, name in enumerate(self.classes))

    def summary(self) -> str:
        """Say how large the tree is, what is not drawn, and why it is no larger."""
        leaves, left_out = len(self.tree.leaves), sum(t.left_out for _, t in self.root.by_depth())
        said = f"{self.tree.n:,} records, {plural(leaves, 'leaf', 'leaves')}"
        if left_out:
            said += f", {left_out:,} of them not shown"
        return f"{said}. {printable(self.tree.note)}".strip()


def estimate(value: float, error: float) -> str:
    """Write a count ± its standard error, with as many decimals as mean something.

    >>> estimate(1204.2, 31.4), estimate(-0.34, 1.27), estimate(12, 0)
    ('1,204 ± 31', '−0.3 ± 1.3', '12')
    """
    decimals = 0 if error >= COARSEST else 1
    return decimal(value, 0) if error < EXACT else plus_minus(value, error, decimals)


def printable(words: str) -> str:
    """Blank out what no line of text, and no XML, can hold."""
    return "".join(letter if letter.isprintable() else " " for letter in words)


def down_to(tree: "DecisionTree", max_depth: int | None) -> Mask:
    """Which nodes are drawn with their children: all, or those above a depth."""
    if max_depth is None:
        return np.ones(len(tree.axis), dtype=bool)
    if max_depth < 0:
        raise ModelError(
            f"A tree cannot be drawn to a depth of {max_depth}.", hint="Use 0 or more."
        )
    return tree.depths < max_depth


def most_populous(tree: "DecisionTree", max_depth: int, most_ends: int) -> Mask:
    """Of the nodes above a depth, the root, and those of most records while ends are few enough.

    What lies below a node that is hardly anybody's is noise, or says so little that it is left out.
    """
    shown, ends = np.zeros(len(tree.axis), dtype=bool), 1
    total, allowed = tree.counts.sum(axis=1), down_to(tree, max_depth) & _stands_out(tree)
    waiting = [(0.0, 0)]
    while waiting:
        _, node = heappop(waiting)
        if tree.axis[node] == CLOSED or not allowed[node]:
            continue
        size = tree.schema[tree.features[tree.axis[node]]].size
        if node == 0 or ends + size - 1 <= most_ends:
            shown[node] = True
            ends += size - 1
            for child in range(tree.first[node], tree.first[node] + size):
                heappush(waiting, (-total[child], child))
    return shown


def largest_branches(tree: "DecisionTree", max_depth: int | None, most_ends: int) -> Mask:
    """Which nodes are named where so many lines may end; of any others only how many there are.

    The node that most records reach is named next. At the first of a question's values, the others
    share a line; so that every node adds one, until only one is left, which is then named instead.
    Nodes with too few people to tell are named only where they would be the only ones left.
    """
    named, ends = np.zeros(len(tree.axis), dtype=bool), 1
    total, (_, tells) = tree.counts.sum(axis=1), telling(tree)
    allowed = down_to(tree, max_depth) & _stands_out(tree)
    named[0] = True
    waiting = list[tuple[float, int]]()

    def open_below(node: int) -> None:
        if tree.axis[node] != CLOSED and allowed[node]:
            for child in _children(tree, node):
                if tells[child] or tree.axis[child] != CLOSED:
                    heappush(waiting, (-total[child], child))

    open_below(0)
    while waiting:
        _, node = heappop(waiting)
        if named[node]:
            continue
        unnamed = [each for each in _children(tree, int(tree.parent[node])) if not named[each]]
        ends += len(unnamed) > 1
        if ends > most_ends:
            break
        for each in unnamed if len(unnamed) == 2 else [node]:  # noqa: PLR2004 (it, and the last)
            named[each] = True
            open_below(each)
    return named


def above(tree: "DecisionTree", named: Mask) -> Mask:
    """Which nodes have children that are named."""
    shown = np.zeros(len(named), dtype=bool)
    shown[tree.parent[1:][named[1:]]] = True
    return shown


def telling(tree: "DecisionTree") -> tuple[Mask, Mask]:
    """Nodes with an estimated count above its standard error; those where the answer's is, too."""
    rows, labels, total = np.arange(len(tree.axis)), tree.labels, tree.counts.sum(axis=1)
    own, error = tree.counts[rows, labels], tree.errors[rows, labels]
    reached: Mask = (total > 0) & (total >= _total_errors(tree))
    return reached, reached & (own > 0) & (own >= error)


def _stands_out(tree: "DecisionTree") -> Mask:
    clear: Mask = tree.counts.sum(axis=1) >= STANDS_OUT * _total_errors(tree)
    clear[0] = True
    return clear


def _children(tree: "DecisionTree", node: int) -> range:
    first = int(tree.first[node])
    return range(first, first + tree.schema[tree.features[tree.axis[node]]].size)


def _total_errors(tree: "DecisionTree") -> Floats:
    """Standard errors of how many records reach each node; the root's number is known.

    From those of the classes: exact where the class is public. Where it is disguised, the errors of
    two classes cancel in part, which is not seen here, so these are on the safe side.
    """
    n = max(tree.n, 1)
    squares = (tree.errors**2 + tree.counts**2 / n).sum(axis=1)
    variance: Floats = squares - tree.counts.sum(axis=1) ** 2 / n
    variance[variance <= EXACT * squares] = 0.0
    variance[0] = 0.0
    return np.sqrt(variance)


def _leaves_below(tree: "DecisionTree") -> Codes:
    leaves: Codes = (tree.axis == CLOSED).astype(np.int64)
    for node in range(len(leaves) - 1, 0, -1):
        leaves[tree.parent[node]] += leaves[node]
    return leaves
