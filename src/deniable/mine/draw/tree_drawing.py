"""Decision trees drawn as text, for Graphviz, and as SVG.

All three show estimated counts ± one standard error about the population, unbiased and so perhaps
below 0, and the chances that the tree predicts.
"""

from collections.abc import Iterator, Sequence
from html import escape

from deniable.mine.draw.drawn_nodes import Twig, Words, down_to, most_populous
from deniable.mine.draw.text_width import INK, dot_quoted, text_element, text_width
from deniable.mine.tree.decision_tree import DecisionTree

MOST_QUESTIONS, MOST_ENDS = 5, 40
"""How deep a picture is drawn, and how many ends its branches have, unless its depth is given."""

GREY, LINE, FILL = "#57606a", "#b6c2cf", "#f6f8fa"

COLOURS = "#0f6cbd", "#c4562a", "#2e7d4f", "#7a4bb0", "#8a6d00", "#a8326e", "#00737a", "#57606a"
"""One per class; those beyond share the last."""

FONT, SMALL, HEADING = 13, 12, 18
LONGEST_CONDITION = 30
"""Letters of a name or value that are shown."""

BOX, ROW, BAR, PAD = 50, 60, 6, 10
"""Heights of a node, of a row and of the bar of classes; what is left free beside words."""

BEND, TAIL = 36, 14
"""Width where a branch bends, and by how much it is longer than the value written on it."""

MARGIN, HEAD, FOOT = 24, 96, 56
THIN, THICK = 1.5, 9.0

EXPLAINED = (
    "Counts are estimates ± one standard error.",
    "Bars and percentages: the predicted chance of each class.",
)


def text(tree: DecisionTree, max_depth: int | None = None) -> str:
    """Write a line per node; below `max_depth` questions, only how many leaves there are.

    A leaf says its answer and the predicted chance of it, then how many records are estimated to
    have that answer, of how many that reach it.
    """
    words = Words(tree, down_to(tree, max_depth))

    def answered(twig: Twig) -> str:
        own = words.of_class(twig, words.label(twig))
        said = f" → {words.answer(twig)} {words.chance(twig)} ({own} of {words.count(twig)})"
        return said + _more(twig)

    def below(parent: Twig, indent: str) -> Iterator[str]:
        for child in parent.children:
            turn, on = ("└─ ", "   ") if child is parent.children[-1] else ("├─ ", "│  ")
            end = "" if child.children else answered(child)
            yield f"{indent}{turn}{words.condition(parent, child)}{end}"
            yield from below(child, indent + on)

    root = words.root
    first = words.target if root.children else words.target + answered(root)
    return "\n".join([first, *below(root, ""), words.summary()])


def dot(tree: DecisionTree, max_depth: int | None = None) -> str:
    """Write for Graphviz; a node's tooltip holds the counts of every class."""
    words = Words(tree, down_to(tree, max_depth))
    lines = [
        f"  label={dot_quoted(f'{words.target}: {words.summary()}')};",
        '  rankdir=LR; node [shape=box, style=rounded, fontname="Helvetica"];',
        '  edge [fontname="Helvetica"];',
    ]
    for _, twig in words.root.by_depth():
        colour = INK if twig.children else _colour(words.label(twig))
        lines.append(
            f"  n{twig.node} [label={dot_quoted(*_said(words, twig))}, "
            f'tooltip={dot_quoted(words.of_classes(twig))}, color="{colour}"];'
        )
        lines += [
            f"  n{twig.node} -> n{child.node} [label={dot_quoted(child.value)}];"
            for child in twig.children
        ]
    return "\n".join(["digraph tree {", *lines, "}", ""])


def svg(tree: DecisionTree, max_depth: int | None = None) -> str:
    """Draw from left to right, branches as wide as the share of records that take them.

    Without `max_depth`, five questions deep at most and with 40 ends, the nodes first that most
    records reach. A node that is not drawn further has a dashed frame.
    """
    if max_depth is None:
        words = Words(tree, most_populous(tree, MOST_QUESTIONS, MOST_ENDS))
    else:
        words = Words(tree, down_to(tree, max_depth))
    drawing = _Drawing(words)
    drawing.tree(words.root, HEAD)
    legend, legend_end = _legend(words.classes)
    title, said = f"Decision tree for {words.target}", words.summary()
    lines = max(
        text_width(title, HEADING), *(text_width(line, SMALL) for line in (said, *EXPLAINED))
    )
    width = max(drawing.right, legend_end, MARGIN + lines) + MARGIN
    bottom = HEAD + words.root.rows() * ROW
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escape(title)}" '
            f'viewBox="0 0 {width:.0f} {bottom + FOOT}" width="{width:.0f}" '
            f'height="{bottom + FOOT}" font-family="Helvetica, Arial, sans-serif">',
            f"<title>{escape(title)}</title>",
            f"<desc>{escape(' '.join([said, *EXPLAINED]))}</desc>",
            '<rect width="100%" height="100%" fill="#ffffff"/>',
            text_element(MARGIN, 34, title, HEADING, weight="bold"),
            text_element(MARGIN, 54, said, SMALL, GREY),
            *legend,
            *drawing.branches,
            *drawing.boxes,
            *(
                text_element(MARGIN, bottom + 22 + 17 * k, line, SMALL, GREY)
                for k, line in enumerate(EXPLAINED)
            ),
            "</svg>",
            "",
        ]
    )


class _Drawing:
    """Collects branches and, to be drawn over them, boxes."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self.branches: list[str] = []
        self.boxes: list[str] = []
        wide: dict[int, float] = {}
        tail: dict[int, float] = {}
        for depth, twig in words.root.by_depth():
            wide[depth] = max(wide.get(depth, 0.0), self._box_width(twig))
            tail[depth] = max(tail.get(depth, 0.0), text_width(_short(twig.value), SMALL) + TAIL)
        self._wide, self._tail = wide, tail
        self._left = [float(MARGIN)]
        for depth in range(1, len(wide)):
            self._left.append(self._left[-1] + wide[depth - 1] + BEND + tail[depth])
        self.right = max(
            self._left[depth] + wide[depth] + text_width(_more(twig), SMALL)
            for depth, twig in words.root.by_depth()
        )

    def tree(self, twig: Twig, top: float, depth: int = 0) -> float:
        """Draw a tree below a height; give the height of its root."""
        heights, start = [], top
        for child in twig.children:
            heights.append(self.tree(child, start, depth + 1))
            start += child.rows() * ROW
        y = (heights[0] + heights[-1]) / 2 if heights else top + ROW / 2
        for child, there in zip(twig.children, heights, strict=True):
            self._branch(twig, child, depth, (y, there))
        self._box(twig, self._left[depth], y, self._wide[depth])
        return y

    def _box_width(self, twig: Twig) -> float:
        name, count = _said(self._words, twig)
        return max(text_width(_short(name), FONT), text_width(count, SMALL)) + 2 * PAD

    def _branch(self, parent: Twig, child: Twig, depth: int, heights: tuple[float, float]) -> None:
        share = self._words.total[child.node] / max(self._words.tree.n, 1)
        stroke = THIN + (THICK - THIN) * min(max(share, 0.0), 1.0)
        x, end = self._left[depth] + self._wide[depth], self._left[depth + 1]
        bend, middle = end - self._tail[depth + 1], x + BEND / 2
        y, there = heights
        self.branches.append(
            f'<path d="M{x:.1f},{y:.1f} C{middle:.1f},{y:.1f} {middle:.1f},{there:.1f} '
            f'{bend:.1f},{there:.1f} L{end:.1f},{there:.1f}" fill="none" stroke="{LINE}" '
            f'stroke-width="{stroke:.1f}"><title>{escape(self._words.condition(parent, child))}'
            "</title></path>"
        )
        above = there - stroke / 2 - 4
        self.boxes.append(
            text_element(end - TAIL / 2, above, _short(child.value), SMALL, anchor="end")
        )

    def _box(self, twig: Twig, x: float, y: float, width: float) -> None:
        words, top = self._words, y - BOX / 2
        stroke, colour = (1, INK) if twig.children else (2, _colour(words.label(twig)))
        dashes = ' stroke-dasharray="5 3"' if twig.left_out else ""
        name, count = _said(words, twig)
        shares = words.tree.shares[twig.node].tolist()
        self.boxes += [
            f"<g><title>{escape(f'{name} {words.of_classes(twig)}')}</title>",
            f'<rect x="{x:.1f}" y="{top:.1f}" width="{width:.1f}" height="{BOX}" rx="6" '
            f'fill="{FILL}" stroke="{colour}" stroke-width="{stroke}"{dashes}/>',
            text_element(x + PAD, top + 18, _short(name), FONT, weight="bold"),
            text_element(x + PAD, top + 34, count, SMALL, GREY),
            *_bar(x + PAD, top + BOX - BAR - 5, width - 2 * PAD, shares),
            "</g>",
        ]
        if twig.left_out:
            self.boxes.append(text_element(x + width + 4, y + SMALL / 3, _more(twig), SMALL, GREY))


def _said(words: Words, twig: Twig) -> tuple[str, str]:
    """The two lines of a node."""
    if twig.children:
        return words.question(twig) + "?", words.count(twig)
    return words.answer(twig), f"{words.chance(twig)} of {words.count(twig)}"


def _more(twig: Twig) -> str:
    return f" … {twig.left_out:,} leaves below" if twig.left_out else ""


def _bar(x: float, y: float, width: float, shares: Sequence[float]) -> Iterator[str]:
    """Classes side by side, as wide as their shares."""
    for label, share in enumerate(shares):
        if share > 0:
            yield (
                f'<rect x="{x:.1f}" y="{y:.1f}" width="{width * share:.1f}" height="{BAR}" '
                f'fill="{_colour(label)}"/>'
            )
        x += width * share


def _legend(classes: Sequence[str]) -> tuple[list[str], float]:
    """A coloured square for each class, and where they end."""
    if len(classes) > len(COLOURS):
        classes = [*classes[: len(COLOURS) - 1], "others"]
    marks, x = [], float(MARGIN)
    for label, name in enumerate(map(_short, classes)):
        marks.append(f'<rect x="{x:.1f}" y="68" width="12" height="12" fill="{_colour(label)}"/>')
        marks.append(text_element(x + 18, 78, name, SMALL))
        x += 38 + text_width(name, SMALL)
    return marks, x


def _colour(label: int) -> str:
    return COLOURS[min(label, len(COLOURS) - 1)]


def _short(words: str) -> str:
    return words if len(words) <= LONGEST_CONDITION else words[: LONGEST_CONDITION - 1] + "…"
