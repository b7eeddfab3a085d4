"""What pictures are made of: words and how wide they are, branches, a frame; words for Graphviz."""

from collections.abc import Iterable
from html import escape
from unicodedata import east_asian_width

INK, GREY = "#1b1f24", "#57606a"

LETTER_WIDTH = 0.58
"""Width of a letter over its size, on the safe side."""

SMALL, HEADING = 12, 18
"""Sizes of letters."""

EDGE = 24
"""What is left free around a picture."""

THINNEST = 1.5
"""Width of a branch that nobody takes."""


def curve(
    start: tuple[float, float], bend: float, end: tuple[float, float], look: str, title: str
) -> str:
    """A branch that turns to the height of its end before it is at `bend`."""
    (x, y), (there, below), middle = start, end, (start[0] + bend) / 2
    return (
        f'<path d="M{x:.1f},{y:.1f} C{middle:.1f},{y:.1f} {middle:.1f},{below:.1f} '
        f'{bend:.1f},{below:.1f} L{there:.1f},{below:.1f}" fill="none" {look}>'
        f"<title>{escape(title)}</title></path>"
    )


def svg_picture(
    title: str, caption: str, spoken: str, size: tuple[float, float], parts: Iterable[str], top: int
) -> str:
    """A picture that needs nothing else; what is spoken is for those who do not see it."""
    width, height = size
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escape(title)}" '
            f'viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}" '
            f'font-family="Helvetica, Arial, sans-serif">',
            f"<title>{escape(title)}</title>",
            f"<desc>{escape(spoken)}</desc>",
            '<rect width="100%" height="100%" fill="#ffffff"/>',
            text_element(EDGE, top, title, HEADING, weight="bold"),
            text_element(EDGE, top + 20, caption, fill=GREY),
            *parts,
            "</svg>",
            "",
        ]
    )


def text_element(
    x: float,
    y: float,
    words: str,
    size: int = SMALL,
    fill: str = INK,
    *,
    weight: str = "normal",
    anchor: str = "start",
) -> str:
    """Words at a place, in SVG."""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{fill}" font-weight="{weight}" '
        f'text-anchor="{anchor}">{escape(words)}</text>'
    )


def text_width(words: str, size: int = SMALL) -> float:
    """About how wide words are."""
    letters = sum(2 if east_asian_width(letter) in "WF" else 1 for letter in words)
    return letters * LETTER_WIDTH * size


def clipped(words: str, most: int) -> str:
    """So many letters at most."""
    return words if len(words) <= most else words[: most - 1] + "…"


def dot_quoted(*lines: str) -> str:
    """A label of one or several lines, for Graphviz."""
    escaped = (line.replace("\\", "\\\\").replace('"', '\\"') for line in lines)
    return '"' + "\\n".join(escaped) + '"'
