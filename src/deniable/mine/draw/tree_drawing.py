"""Decision trees drawn as text, for Graphviz, and as SVG.

All three show estimated counts ± one standard error about the population, unbiased and so perhaps
below 0, and the chances that the tree predicts; but words where too few people are to tell.
"""

from collections.abc import Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING

from deniable.base.wording import plural
from deniable.mine.draw import svg_parts as parts
from deniable.mine.draw.drawn_nodes import (
    DrawnNode,
    NodeWords,
    above,
    down_to,
    largest_branches,
    most_populous,
)
from deniable.mine.draw.node_layout import indented, laid_out

if TYPE_CHECKING:
    from deniable.mine.tree.decision_tree import DecisionTree

MOST_LEAVES = 20
"""Lines of a text that end, unless it is told how many."""

TOO_FEW = "too few people to tell"

MOST_QUESTIONS, MOST_ENDS = 5, 40
"""How deep a picture is drawn, and how many ends its branches have, unless its depth is given."""

BRANCH_COLOUR, NODE_COLOUR = "#b6c2cf", "#f6f8fa"

COLOURS = "#0f6cbd", "#c4562a", "#2e7d4f", "#7a4bb0", "#8a6d00", "#a8326e", "#00737a", "#57606a"
"""One per class; those beyond share the last."""

NODE_FONT = 13
LONGEST_CONDITION = 30
"""Letters of a name or value that are shown."""

NODE_HEIGHT, NODE_ROW, SHARES_HEIGHT, PAD = 50, 60, 6, 10
"""Heights of a node, of a row and of the bar of classes; what is left free beside words."""

BEND, TAIL = 36, 14
"""Width where a branch bends, and by how much it is longer than the value written on it."""

ABOVE_TREE, BELOW_TREE = 96, 56
"""Heights of what is written there."""

THICKEST = 9.0
"""Width of a branch that everybody takes."""

EXPLAINED = (
    "Counts are estimates ± one standard error.",
    "Bars and percentages: the predicted chance of each class.",
)


def text(
    tree: "DecisionTree", max_depth: int | None = None, max_leaves: int | None = MOST_LEAVES
) -> str:
    """Write a line per node, of at most so many leaves; with None, of all.

    A leaf says its answer and the predicted chance of it, then how many records are estimated to
    have that answer, of how many that reach it. Where there are more leaves, those that most
    records reach are shown, the largest branches first, and what is left of a question shares a
    line. Below `max_depth` questions, only how many leaves there are.
    """
    if max_leaves is None:
        words = NodeWords(tree, down_to(tree, max_depth))
    else:
        named = largest_branches(tree, max_depth, max_leaves)
        words = NodeWords(tree, above(tree, named), named)

    def answered(node: DrawnNode) -> str:
        if not words.tells(node):
            return f" → {words.answer(node)}? {TOO_FEW.capitalize()}{_more(node)}"
        own = words.of_class(node, words.label(node))
        said = f" → {words.answer(node)} {words.chance(node)} ({own} of {words.count(node)})"
        return said + _more(node)

    def reached(parent: DrawnNode, child: DrawnNode) -> str:
        if child.number == parent.number:
            left_out = plural(child.left_out, "leaf", "leaves")
            return f"{child.values:,} more values … {TOO_FEW if child.few else left_out}"
        return words.condition(parent, child) + ("" if child.children else answered(child))

    root = words.root
    first = words.target if root.children else words.target + answered(root)
    return "\n".join([first, *indented(root, reached), words.summary()])


def dot(tree: "DecisionTree", max_depth: int | None = None) -> str:
    """Write for Graphviz; a node's tooltip holds the counts of every class."""
    words = NodeWords(tree, down_to(tree, max_depth))
    lines = [
        f"  label={parts.dot_quoted(f'{words.target}: {words.summary()}')};",
        '  rankdir=LR; node [shape=box, style=rounded, fontname="Helvetica"];',
        '  edge [fontname="Helvetica"];',
    ]
    for _, node in words.root.by_depth():
        colour = parts.INK if node.children else _colour(words.label(node))
        lines.append(
            f"  n{node.number} [label={parts.dot_quoted(*_said(words, node))}, "
            f'tooltip={parts.dot_quoted(words.of_classes(node))}, color="{colour}"];'
        )
        lines += [
            f"  n{node.number} -> n{child.number} [label={parts.dot_quoted(child.value)}];"
            for child in node.children
        ]
    return "\n".join(["digraph tree {", *lines, "}", ""])


def svg(tree: "DecisionTree", max_depth: int | None = None) -> str:
    """Draw from left to right, branches as wide as the share of records that take them.

    Without `max_depth`, five questions deep at most and with 40 ends, the nodes first that most
    records reach. A node that is not drawn further has a dashed frame.
    """
    if max_depth is None:
        words = NodeWords(tree, most_populous(tree, MOST_QUESTIONS, MOST_ENDS))
    else:
        words = NodeWords(tree, down_to(tree, max_depth))
    drawing = _TreeDrawing(words)
    legend, legend_end = _legend(words.classes)
    title, said = f"Decision tree for {words.target}", words.summary()
    lines = max(
        parts.text_width(title, parts.HEADING),
        *(parts.text_width(line) for line in (said, *EXPLAINED)),
    )
    width = max(drawing.right, legend_end, parts.EDGE + lines) + parts.EDGE
    bottom = ABOVE_TREE + words.root.rows() * NODE_ROW
    footer = (
        parts.text_element(parts.EDGE, bottom + 22 + 17 * k, line, fill=parts.GREY)
        for k, line in enumerate(EXPLAINED)
    )
    drawn = [*legend, *drawing.branches, *drawing.boxes, *footer]
    spoken = " ".join([said, *EXPLAINED])
    return parts.svg_picture(title, said, spoken, (width, bottom + BELOW_TREE), drawn, top=34)


class _TreeDrawing:
    """Collects branches and, to be drawn over them, boxes; columns are as wide as their widest."""

    def __init__(self, words: NodeWords) -> None:
        self._words = words
        self.branches: list[str] = []
        self.boxes: list[str] = []
        wide: dict[int, float] = {}
        tail: dict[int, float] = {}
        for depth, node in words.root.by_depth():
            wide[depth] = max(wide.get(depth, 0.0), self._box_width(node))
            tail[depth] = max(tail.get(depth, 0.0), parts.text_width(_short(node.value)) + TAIL)
        self._wide, self._tail = wide, tail
        self._left = [float(parts.EDGE)]
        for depth in range(1, len(wide)):
            self._left.append(self._left[-1] + wide[depth - 1] + BEND + tail[depth])
        self.right = max(
            self._left[depth] + wide[depth] + parts.text_width(_more(node))
            for depth, node in words.root.by_depth()
        )

        for node, depth, y, heights in laid_out(words.root, ABOVE_TREE, NODE_ROW):
            for child, there in zip(node.children, heights, strict=True):
                self._line(node, child, depth, y, there)
            self._box(node, depth, y)

    def _box_width(self, node: DrawnNode) -> float:
        name, count = _said(self._words, node)
        return max(parts.text_width(_short(name), NODE_FONT), parts.text_width(count)) + 2 * PAD

    def _line(
        self, parent: DrawnNode, child: DrawnNode, depth: int, y: float, there: float
    ) -> None:
        share = self._words.total[child.number] / max(self._words.tree.n, 1)
        stroke = parts.THINNEST + (THICKEST - parts.THINNEST) * min(max(share, 0.0), 1.0)
        x, end = self._left[depth] + self._wide[depth], self._left[depth + 1]
        look = f'stroke="{BRANCH_COLOUR}" stroke-width="{stroke:.1f}"'
        title = self._words.condition(parent, child)
        self.branches.append(parts.curve((x, y), x + BEND, (end, there), look, title))
        above = there - stroke / 2 - 4
        self.boxes.append(
            parts.text_element(end - TAIL / 2, above, _short(child.value), anchor="end")
        )

    def _box(self, node: DrawnNode, depth: int, y: float) -> None:
        x, width = self._left[depth], self._wide[depth]
        words, top = self._words, y - NODE_HEIGHT / 2
        stroke, colour = (1, parts.INK) if node.children else (2, _colour(words.label(node)))
        dashes = ' stroke-dasharray="5 3"' if node.left_out else ""
        name, count = _said(words, node)
        shares = words.tree.shares[node.number].tolist() if words.tells(node) else []
        self.boxes += [
            f"<g><title>{escape(f'{name} {words.of_classes(node)}')}</title>",
            f'<rect x="{x:.1f}" y="{top:.1f}" width="{width:.1f}" height="{NODE_HEIGHT}" rx="6" '
            f'fill="{NODE_COLOUR}" stroke="{colour}" stroke-width="{stroke}"{dashes}/>',
            parts.text_element(x + PAD, top + 18, _short(name), NODE_FONT, weight="bold"),
            parts.text_element(x + PAD, top + 34, count, fill=parts.GREY),
            *_bar(x + PAD, top + NODE_HEIGHT - SHARES_HEIGHT - 5, width - 2 * PAD, shares),
            "</g>",
        ]
        if node.left_out:
            self.boxes.append(
                parts.text_element(x + width + 4, y + parts.SMALL / 3, _more(node), fill=parts.GREY)
            )


def _said(words: NodeWords, node: DrawnNode) -> tuple[str, str]:
    """The two lines of a node."""
    if node.children:
        return words.question(node) + "?", words.count(node) if words.reached(node) else TOO_FEW
    if not words.tells(node):
        return f"{words.answer(node)}?", TOO_FEW
    return words.answer(node), f"{words.chance(node)} of {words.count(node)}"


def _more(node: DrawnNode) -> str:
    return f" … {node.left_out:,} leaves below" if node.left_out else ""


def _bar(x: float, y: float, width: float, shares: Sequence[float]) -> Iterator[str]:
    """Classes side by side, as wide as their shares."""
    for label, share in enumerate(shares):
        if share > 0:
            yield (
                f'<rect x="{x:.1f}" y="{y:.1f}" width="{width * share:.1f}" '
                f'height="{SHARES_HEIGHT}" fill="{_colour(label)}"/>'
            )
        x += width * share


def _legend(classes: Sequence[str]) -> tuple[list[str], float]:
    """A coloured square for each class, and where they end."""
    if len(classes) > len(COLOURS):
        classes = [*classes[: len(COLOURS) - 1], "others"]
    marks, x = [], float(parts.EDGE)
    for label, name in enumerate(map(_short, classes)):
        marks.append(f'<rect x="{x:.1f}" y="68" width="12" height="12" fill="{_colour(label)}"/>')
        marks.append(parts.text_element(x + 18, 78, name))
        x += 38 + parts.text_width(name)
    return marks, x


def _colour(label: int) -> str:
    return COLOURS[min(label, len(COLOURS) - 1)]


def _short(words: str) -> str:
    return parts.clipped(words, LONGEST_CONDITION)
