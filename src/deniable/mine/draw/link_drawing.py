"""Forests of linked names, drawn as text, for Graphviz, and as SVG.

Each tree hangs from its centre, the name from which no other is far, only to be drawn: a link has
no direction.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import accumulate
from typing import TYPE_CHECKING

from deniable.base.wording import plus_minus
from deniable.mine.draw import svg_parts as parts
from deniable.mine.draw.node_layout import LayoutNode, indented, laid_out

if TYPE_CHECKING:  # drawings lie below what is drawn
    from deniable.mine.dependence import Edge

TITLE = "What depends on what"
LEGEND = "Line widths and numbers: mutual information in bits, ± standard error."

LINK_COLOUR, NAME_COLOUR = "#7aa7d4", "#eef4fb"

NAME_FONT = 14
LONG, LONGEST_LABEL = 18, 24
"""Letters from which a name is broken in two; letters of a line that are shown."""

NAME_HEIGHT, LEADING, NAME_ROW = 28, 16, 52
"""Height of a name's box; what a second line adds to it; height of a row."""

GAP, LEVEL = 108, 60
"""Width between two columns; the part of it where a link is level, and its strength written."""

ABOVE_NAMES, BELOW_NAMES = 64, 48
WIDEST = 720
"""Width at which names that stand alone begin a new line, if the trees are not wider."""

STRONGEST_LINK = 10.0
"""Width of the strongest link."""


@dataclass(frozen=True, eq=False)
class LinkNode(LayoutNode):
    """A name, how strongly it is linked to the one it hangs from, and what hangs from it."""

    name: str
    bits: float
    std_error: float
    children: tuple["LinkNode", ...]


def rooted(names: Sequence[str], links: "Sequence[Edge]") -> tuple[list[LinkNode], list[str]]:
    """Hang up each tree by its centre, largest first; and name those that stand alone."""
    near: dict[str, dict[str, tuple[float, float]]] = {name: {} for name in names}
    for link in links:
        near[link.a][link.b] = near[link.b][link.a] = link.bits, link.std_error

    def hung(name: str, parent: str | None, bits: float = 0.0, std_error: float = 0.0) -> LinkNode:
        below = sorted((n for n in near[name] if n != parent), key=lambda n: -near[name][n][0])
        return LinkNode(name, bits, std_error, tuple(hung(n, name, *near[name][n]) for n in below))

    trees, seen = [], set[str]()
    for name in names:
        if name not in seen and near[name]:
            members = [member.name for _, member in hung(name, None).by_depth()]
            seen.update(members)
            candidates = [hung(member, None) for member in members]
            trees.append(min(candidates, key=lambda c: (_depth(c), -len(c.children))))
    trees.sort(key=lambda tree: -sum(1 for _ in tree.by_depth()))
    return trees, [name for name in names if not near[name]]


def forest_text(names: Sequence[str], links: "Sequence[Edge]") -> str:
    """Draw with lines of box-drawing characters."""
    trees, alone = rooted(names, links)
    told = ["\n".join([tree.name, *indented(tree, _named)]) for tree in trees]
    if alone:
        told.append(f"alone: {', '.join(alone)}")
    return "\n\n".join(told)


def forest_dot(names: Sequence[str], links: "Sequence[Edge]", caption: str) -> str:
    """Write for Graphviz, widths by strength."""
    lines = [f"  label={parts.dot_quoted(caption)}; node [shape=box, style=rounded];"]
    lines += [f"  {parts.dot_quoted(name)};" for name in names]
    lines += [
        f"  {parts.dot_quoted(link.a)} -- {parts.dot_quoted(link.b)} "
        f'[label="{plus_minus(link.bits, link.std_error)}", penwidth={_width(link, links):.1f}];'
        for link in links
    ]
    return "\n".join(["graph dependence {", *lines, "}", ""])


def forest_svg(names: Sequence[str], links: "Sequence[Edge]", caption: str) -> str:
    """Draw each tree from left to right, links as wide as they are strong."""
    trees, alone = rooted(names, links)
    drawing = _LinkDrawing(trees, links)
    top = float(ABOVE_NAMES)
    for tree in trees:
        drawing.tree(tree, top)
        top += tree.rows() * NAME_ROW
    if alone:
        top = drawing.alone(alone, top + LEADING * bool(trees))
    width = max(drawing.right, 2 * parts.EDGE + parts.text_width(caption)) + parts.EDGE
    height = top + BELOW_NAMES
    spoken = "; ".join(f"{each.a} and {each.b}: {each.bits:.3f} bits" for each in links)
    footer = parts.text_element(parts.EDGE, height - 16, LEGEND, fill=parts.GREY)
    drawn = [*drawing.branches, *drawing.boxes, footer]
    spoken = f"{caption}. {spoken or 'no links'}."
    return parts.svg_picture(TITLE, caption, spoken, (width, height), drawn, top=30)


class _LinkDrawing:
    """Collects branches and, to be drawn over them, boxes; columns are as wide as their widest."""

    def __init__(self, trees: Sequence[LinkNode], links: "Sequence[Edge]") -> None:
        self._links = links
        self.branches: list[str] = []
        self.boxes: list[str] = []
        widest: dict[int, float] = {}
        for depth, each in (each for tree in trees for each in tree.by_depth()):
            widest[depth] = max(widest.get(depth, 0.0), _box_width(each.name))
        before = [0.0, *accumulate(widest[depth] + GAP for depth in range(len(widest)))]
        self._left = [parts.EDGE + each for each in before[: len(widest)]]
        self.right = self._left[-1] + widest[len(widest) - 1] if trees else 0.0

    def tree(self, root: LinkNode, top: float) -> None:
        """Draw a tree below a height."""
        for node, depth, y, heights in laid_out(root, top, NAME_ROW):
            for child, there in zip(node.children, heights, strict=True):
                self._link(node, child, depth, y, there)
            self._box(node.name, self._left[depth], y)

    def alone(self, names: Sequence[str], top: float) -> float:
        """Put names side by side, in lines; give the height below."""
        said = "Nothing beyond noise links these to any other:"
        self.branches.append(parts.text_element(parts.EDGE, top + 12, said, fill=parts.GREY))
        x, y = float(parts.EDGE), top + 44.0
        limit = max(self.right, WIDEST)
        for name in names:
            if x > parts.EDGE and x + _box_width(name) > limit:
                x, y = float(parts.EDGE), y + NAME_HEIGHT + LEADING + 8
            self._box(name, x, y)
            x += _box_width(name) + 12
            self.right = max(self.right, x - 12)
        return y + NAME_ROW / 2

    def _link(self, parent: LinkNode, child: LinkNode, depth: int, y: float, there: float) -> None:
        stroke, end = _width(child, self._links), self._left[depth + 1]
        look = f'stroke="{LINK_COLOUR}" stroke-width="{stroke:.1f}"'
        start = self._left[depth] + _box_width(parent.name), y
        title = f"{plus_minus(child.bits, child.std_error, 4)} bits"
        self.branches.append(parts.curve(start, end - LEVEL, (end, there), look, title))
        for words, at, fill in (
            (f"{child.bits:.3f}", there - stroke / 2 - 4, parts.INK),
            (f"±{child.std_error:.3f}", there + stroke / 2 + parts.SMALL, parts.GREY),
        ):
            self.boxes.append(parts.text_element(end - 4, at, words, fill=fill, anchor="end"))

    def _box(self, name: str, x: float, y: float) -> None:
        lines, width = _broken(name), _box_width(name)
        height = NAME_HEIGHT + LEADING * (len(lines) - 1)
        first = y + NAME_FONT / 3 - LEADING * (len(lines) - 1) / 2
        words = (
            parts.text_element(x + width / 2, first + k * LEADING, line, NAME_FONT, anchor="middle")
            for k, line in enumerate(lines)
        )
        self.boxes.append(
            f'<g><title>{escape(name)}</title><rect x="{x:.1f}" y="{y - height / 2:.1f}" '
            f'width="{width:.1f}" height="{height}" rx="8" fill="{NAME_COLOUR}" '
            f'stroke="{parts.INK}"/>{"".join(words)}</g>'
        )


def _width(link: "Edge | LinkNode", among: "Sequence[Edge]") -> float:
    """How wide a link is drawn, by its strength beside the strongest."""
    most = max(each.bits for each in among)
    share = max(link.bits, 0.0) / most if most > 0 else 0.0
    return parts.THINNEST + (STRONGEST_LINK - parts.THINNEST) * share


def _depth(branch: LinkNode) -> int:
    return max(depth for depth, _ in branch.by_depth())


def _named(_: LinkNode, child: LinkNode) -> str:
    return f"{child.name}  {plus_minus(child.bits, child.std_error)} bits"


def _broken(name: str) -> list[str]:
    """Break a long name in two, after a sign nearest to its middle if there is one."""
    if len(name) <= LONG:
        return [name]
    signs = [place + 1 for place, letter in enumerate(name) if not letter.isalnum()]
    cut = min(signs, key=lambda place: abs(place - len(name) / 2), default=LONG)
    return [parts.clipped(part.strip(), LONGEST_LABEL) for part in (name[:cut], name[cut:])]


def _box_width(name: str) -> float:
    return max(parts.text_width(line, NAME_FONT) for line in _broken(name)) + 20
