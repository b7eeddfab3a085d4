"""Forests of linked names, drawn as text, for Graphviz, and as SVG.

Each tree hangs from its centre, the name from which no other is far, only to be drawn: a link has
no direction. Every leaf has a line of its own and every generation a column, so that no two labels
can meet.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from deniable.base.wording import plus_minus
from deniable.mine.draw.text_width import INK, dot_quoted, text_element, text_width

Link = tuple[str, str, float, float]
"""Two names, the strength in bits, its standard error."""

GREY, LINE, FILL = "#57606a", "#7aa7d4", "#eef4fb"

FONT, SMALL = 14, 12
LONG, LONGEST_LABEL = 18, 24
"""Letters from which a name is broken in two; letters of a line that are shown."""

BOX, LEADING, ROW = 28, 16, 52
"""Height of a name's box; what a second line adds to it; height of a row."""

GAP, LEVEL = 108, 60
"""Width between two columns; the part of it where a link is level, and its strength written."""

MARGIN, HEAD, FOOT = 24, 64, 48
WIDEST = 720
"""Width at which names that stand alone begin a new line, if the trees are not wider."""

THIN, THICK = 1.5, 10.0


@dataclass(frozen=True, eq=False)
class Branch:
    """A name, how strongly it is linked to the one it hangs from, and what hangs from it."""

    name: str
    bits: float
    std_error: float
    children: tuple["Branch", ...]

    def lines(self) -> int:
        """How many leaves there are."""
        return sum(child.lines() for child in self.children) or 1

    def generations(self, depth: int = 0) -> Iterator[tuple[int, str]]:
        """Every name, with its distance from the root."""
        yield depth, self.name
        for child in self.children:
            yield from child.generations(depth + 1)


def rooted(names: Sequence[str], links: Sequence[Link]) -> tuple[list[Branch], list[str]]:
    """Hang up each tree by its centre, largest first; and name those that stand alone."""
    near: dict[str, dict[str, tuple[float, float]]] = {name: {} for name in names}
    for a, b, bits, std_error in links:
        near[a][b] = near[b][a] = bits, std_error

    def hung(name: str, parent: str | None, bits: float = 0.0, std_error: float = 0.0) -> Branch:
        below = sorted((n for n in near[name] if n != parent), key=lambda n: -near[name][n][0])
        return Branch(name, bits, std_error, tuple(hung(n, name, *near[name][n]) for n in below))

    trees, seen = [], set[str]()
    for name in names:
        if name not in seen and near[name]:
            members = [member for _, member in hung(name, None).generations()]
            seen.update(members)
            candidates = [hung(member, None) for member in members]
            trees.append(min(candidates, key=lambda c: (_depth(c), -len(c.children))))
    trees.sort(key=lambda tree: -sum(1 for _ in tree.generations()))
    return trees, [name for name in names if not near[name]]


def forest_text(names: Sequence[str], links: Sequence[Link]) -> str:
    """Draw with lines of box-drawing characters."""
    trees, alone = rooted(names, links)
    parts = ["\n".join([tree.name, *_indented(tree, "")]) for tree in trees]
    if alone:
        parts.append(f"alone: {', '.join(alone)}")
    return "\n\n".join(parts)


def forest_dot(names: Sequence[str], links: Sequence[Link], caption: str) -> str:
    """Write for Graphviz, widths by strength."""
    lines = [f"  label={dot_quoted(caption)}; node [shape=box, style=rounded];"]
    lines += [f"  {dot_quoted(name)};" for name in names]
    widths = _widths(links)
    for (a, b, bits, std_error), width in zip(links, widths, strict=True):
        label = plus_minus(bits, std_error)
        lines.append(
            f'  {dot_quoted(a)} -- {dot_quoted(b)} [label="{label}", penwidth={width:.1f}];'
        )
    return "\n".join(["graph dependence {", *lines, "}", ""])


def forest_svg(names: Sequence[str], links: Sequence[Link], caption: str) -> str:
    """Draw each tree from left to right, links as wide as they are strong."""
    trees, alone = rooted(names, links)
    drawing = _Drawing(trees, links)
    top = float(HEAD)
    for tree in trees:
        drawing.tree(tree, top)
        top += tree.lines() * ROW
    if alone:
        top = drawing.alone(alone, top + LEADING * bool(trees))
    width = max(drawing.right, 2 * MARGIN + text_width(caption, SMALL)) + MARGIN
    height = top + FOOT
    spoken = "; ".join(f"{a} and {b}: {bits:.3f} bits" for a, b, bits, _ in links) or "no links"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="What depends on what" '
            f'viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}" '
            f'font-family="Helvetica, Arial, sans-serif">',
            "<title>What depends on what</title>",
            f"<desc>{escape(caption)}. {escape(spoken)}.</desc>",
            '<rect width="100%" height="100%" fill="#ffffff"/>',
            text_element(MARGIN, 30, "What depends on what", 18, weight="bold"),
            text_element(MARGIN, 50, caption, SMALL, fill=GREY),
            *drawing.lines,
            *drawing.boxes,
            text_element(MARGIN, height - 16, drawing.legend, SMALL, fill=GREY),
            "</svg>",
            "",
        ]
    )


class _Drawing:
    """Collects lines and, to be drawn over them, boxes."""

    def __init__(self, trees: Sequence[Branch], links: Sequence[Link]) -> None:
        widest: dict[int, float] = {}
        for depth, name in (each for tree in trees for each in tree.generations()):
            widest[depth] = max(widest.get(depth, 0.0), _box_width(name))
        self._left = [MARGIN + sum(widest[d] + GAP for d in range(k)) for k in range(len(widest))]
        ends = zip(links, _widths(links), strict=True)
        self._strokes = {frozenset((a, b)): width for (a, b, _, _), width in ends}
        self.right = self._left[-1] + widest[len(widest) - 1] if trees else 0.0
        self.lines: list[str] = []
        self.boxes: list[str] = []
        self.legend = "Line widths and numbers: mutual information in bits, ± standard error."

    def tree(self, branch: Branch, top: float, depth: int = 0) -> float:
        """Draw a tree below a height; give the height of its root."""
        x, start = self._left[depth], top
        heights = []
        for child in branch.children:
            heights.append(self.tree(child, start, depth + 1))
            start += child.lines() * ROW
        y = (heights[0] + heights[-1]) / 2 if heights else top + ROW / 2
        for child, there in zip(branch.children, heights, strict=True):
            stroke = self._strokes[frozenset((branch.name, child.name))]
            self._link(
                (x + _box_width(branch.name), y), (self._left[depth + 1], there), child, stroke
            )
        self._box(x, y, branch.name)
        return y

    def alone(self, names: Sequence[str], top: float) -> float:
        """Put names side by side, in lines; give the height below."""
        self.lines.append(
            text_element(
                MARGIN, top + 12, "Nothing beyond noise links these to any other:", SMALL, GREY
            )
        )
        x, y = float(MARGIN), top + 44.0
        limit = max(self.right, WIDEST)
        for name in names:
            if x > MARGIN and x + _box_width(name) > limit:
                x, y = float(MARGIN), y + BOX + LEADING + 8
            self._box(x, y, name)
            x += _box_width(name) + 12
            self.right = max(self.right, x - 12)
        return y + ROW / 2

    def _link(
        self, start: tuple[float, float], stop: tuple[float, float], child: Branch, stroke: float
    ) -> None:
        (x, y), (there, below) = start, stop
        bend = there - LEVEL
        middle = (x + bend) / 2
        self.lines.append(
            f'<path d="M{x:.1f},{y:.1f} C{middle:.1f},{y:.1f} {middle:.1f},{below:.1f} '
            f'{bend:.1f},{below:.1f} L{there:.1f},{below:.1f}" fill="none" stroke="{LINE}" '
            f'stroke-width="{stroke:.1f}"><title>{plus_minus(child.bits, child.std_error, 4)} bits'
            "</title></path>"
        )
        for words, at, fill in (
            (f"{child.bits:.3f}", below - stroke / 2 - 4, INK),
            (f"±{child.std_error:.3f}", below + stroke / 2 + SMALL, GREY),
        ):
            self.boxes.append(text_element(there - 4, at, words, SMALL, fill, anchor="end"))

    def _box(self, x: float, y: float, name: str) -> None:
        lines, width = _broken(name), _box_width(name)
        height = BOX + LEADING * (len(lines) - 1)
        first = y + FONT / 3 - LEADING * (len(lines) - 1) / 2
        self.boxes.append(
            f'<g><title>{escape(name)}</title><rect x="{x:.1f}" y="{y - height / 2:.1f}" '
            f'width="{width:.1f}" height="{height}" rx="8" fill="{FILL}" stroke="{INK}"/>'
            + "".join(
                text_element(x + width / 2, first + place * LEADING, line, FONT, anchor="middle")
                for place, line in enumerate(lines)
            )
            + "</g>"
        )


def _widths(links: Sequence[Link]) -> list[float]:
    most = max((bits for _, _, bits, _ in links), default=0.0)
    shares = [max(bits, 0.0) / most if most > 0 else 0.0 for _, _, bits, _ in links]
    return [THIN + (THICK - THIN) * share for share in shares]


def _depth(branch: Branch) -> int:
    return max(depth for depth, _ in branch.generations())


def _indented(branch: Branch, indent: str) -> Iterator[str]:
    for place, child in enumerate(branch.children, start=1):
        last = place == len(branch.children)
        turn, below = ("└─ ", "   ") if last else ("├─ ", "│  ")
        yield f"{indent}{turn}{child.name}  {plus_minus(child.bits, child.std_error)} bits"
        yield from _indented(child, indent + below)


def _broken(name: str) -> list[str]:
    """Break a long name in two, after a sign nearest to its middle if there is one."""
    if len(name) <= LONG:
        return [name]
    signs = [place + 1 for place, letter in enumerate(name) if not letter.isalnum()]
    cut = min(signs, key=lambda place: abs(place - len(name) / 2), default=LONG)
    parts = (name[:cut].strip(), name[cut:].strip())
    return [
        part if len(part) <= LONGEST_LABEL else part[: LONGEST_LABEL - 1] + "…" for part in parts
    ]


def _box_width(name: str) -> float:
    return max(text_width(line, FONT) for line in _broken(name)) + 20
