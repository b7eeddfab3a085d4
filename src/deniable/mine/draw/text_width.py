"""Words in pictures: how wide they are, and how SVG and Graphviz write them."""

from html import escape
from unicodedata import east_asian_width

INK = "#1b1f24"

LETTER_WIDTH = 0.58
"""Width of a letter over its size, on the safe side."""


def text_element(
    x: float,
    y: float,
    words: str,
    size: int,
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


def text_width(words: str, size: int) -> float:
    """About how wide words are."""
    letters = sum(2 if east_asian_width(letter) in "WF" else 1 for letter in words)
    return letters * LETTER_WIDTH * size


def dot_quoted(*lines: str) -> str:
    """A label of one or several lines, for Graphviz."""
    escaped = (line.replace("\\", "\\\\").replace('"', '\\"') for line in lines)
    return '"' + "\\n".join(escaped) + '"'
