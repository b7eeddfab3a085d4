"""Markup that escapes whatever is not markup already, and the page around it."""

from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files

STYLE = files(__package__).joinpath("style.css").read_text(encoding="utf-8")
"""The page's looks: screens, small screens, dark ones, and paper."""

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


def table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> Html:
    """Write a table; each row begins with what it is about."""
    head = tag("tr", *(tag("th", title, scope="col") for title in titles))
    body = (
        tag("tr", tag("th", first, scope="row"), *(tag("td", cell) for cell in cells))
        for first, *cells in rows
    )
    return tag("table", tag("thead", head), tag("tbody", *body))


def framed(title: str, body: Html, more_style: str = "") -> str:
    """Put a page around its body; its style is that of all reports, and what one adds."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"{tag('title', title)}\n<style>\n{STYLE}{more_style}</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )
