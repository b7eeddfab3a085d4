"""What a drawing of a decision tree shows: some of its nodes, and the words beside them.

Counts are the tree's own estimates, of the records that reach a node, ± one standard error about
the population. They are unbiased, so a node may hold −3 ± 12 records. Percentages are what the tree
predicts: the chance of a class, softened by what the noise explains.
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

COMPARISON = re.compile(r"[<>]=?[-+.\d]")
"""Values such as ``<=37``, which say by themselves how they compare."""


@dataclass(frozen=True, eq=False)
class DrawnNode(LayoutNode):
    """A node to be drawn, the value that leads to it, and what hangs from it."""

    number: int
    value: str
    children: tuple["DrawnNode", ...]
    left_out: int
    """Leaves below that are not drawn."""


class NodeWords:
    """A tree hung up to be drawn, and what is written about its nodes."""

    def __init__(self, tree: "DecisionTree", shown: Mask) -> None:
        self.tree = tree
        self.target = printable(tree.target)
        self.classes = tuple(map(printable, tree.schema[tree.target].values))
        self.total: Floats = tree.counts.sum(axis=1)
        self._error = _total_errors(tree)
        self._labels, self._leaves = tree.labels, _leaves_below(tree)
        self._shown = shown
        self.root = self._hung(0, "")

    def _hung(self, node: int, value: str) -> DrawnNode:
        axis = self.tree.axis[node]
        if axis == CLOSED:
            return DrawnNode(node, value, (), 0)
        if not self._shown[node]:
            return DrawnNode(node, value, (), int(self._leaves[node]))
        values = map(printable, self.tree.schema[self.tree.features[axis]].values)
        numbered = enumerate(values, start=int(self.tree.first[node]))
        return DrawnNode(node, value, tuple(self._hung(child, v) for child, v in numbered), 0)

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
            said += f", {left_out:,} of them not drawn"
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
    """Of the nodes above a depth, the root, and those of most records while ends are few enough."""
    shown, ends = np.zeros(len(tree.axis), dtype=bool), 1
    total, allowed = tree.counts.sum(axis=1), down_to(tree, max_depth)
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
