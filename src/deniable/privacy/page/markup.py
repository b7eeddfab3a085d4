"""Markup that escapes whatever is not markup already."""

from collections.abc import Iterable
from html import escape

SHAPES = ("circle", "path", "polyline")
"""Elements that hold nothing; any other, empty or not, has an end of its own in HTML."""


class Html(str):
    """Text that may stand in a page as it is."""

    __slots__ = ()


def tag(name: str, *children: str, **attributes: object) -> Html:
    """Write one element, well-formed as XML too; plain text is escaped, None left out.

    >>> tag("p", "a < b ", tag("b", "&"), class_="small", aria_label='"')
    '<p class="small" aria-label="&quot;">a &lt; b <b>&amp;</b></p>'
    >>> tag("path", d="M1 1")
    '<path d="M1 1"/>'
    """
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in SHAPES:
        return Html(f"<{name}{given}/>")
    return Html(f"<{name}{given}>{fragment(children)}</{name}>")


def fragment(parts: Iterable[str]) -> Html:
    """Put parts one after the other."""
    return Html("".join(part if isinstance(part, Html) else escape(part) for part in parts))
