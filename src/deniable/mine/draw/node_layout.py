"""Nodes that hang from each other, laid out to be drawn from left to right.

Every end has a row of its own and every depth a column, so that no two labels can meet.
"""

from collections.abc import Callable, Generator, Iterator
from typing import Any, Self, TypeVar


class LayoutNode:
    """A node, and the nodes that hang from it."""

    children: tuple[Any, ...]

    def rows(self) -> int:
        """How many ends there are."""
        return sum(child.rows() for child in self.children) or 1

    def by_depth(self, depth: int = 0) -> Iterator[tuple[int, Self]]:
        """Every node with its distance from here."""
        yield depth, self
        for child in self.children:
            yield from child.by_depth(depth + 1)


Node = TypeVar("Node", bound=LayoutNode)


def indented(parent: Node, said: Callable[[Node, Node], str], indent: str = "") -> Iterator[str]:
    """Draw with box-drawing characters, a line for each parent and child, as `said`."""
    for child in parent.children:
        turn, below = ("└─ ", "   ") if child is parent.children[-1] else ("├─ ", "│  ")
        yield f"{indent}{turn}{said(parent, child)}"
        yield from indented(child, said, indent + below)


def laid_out(
    node: Node, top: float, row: int, depth: int = 0
) -> Generator[tuple[Node, int, float, list[float]], None, float]:
    """Every node below a height: its depth, its own height, and those of its children."""
    heights, start = list[float](), top
    for child in node.children:
        heights.append((yield from laid_out(child, start, row, depth + 1)))
        start += child.rows() * row
    y = (heights[0] + heights[-1]) / 2 if heights else top + row / 2
    yield node, depth, y, heights
    return y
