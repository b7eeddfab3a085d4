"""A paper as one page of HTML that can be read, sent and printed; nothing is loaded or run."""

from collections.abc import Iterable
from importlib.resources import files

from deniable.privacy.page.markup import Html, fragment, tag
from deniable.survey.board_papers.markdown_blocks import (
    Block,
    Bullets,
    Code,
    Grid,
    Heading,
    Line,
    Paragraph,
)

PAPER_STYLE = files(__package__).joinpath("paper.css").read_text(encoding="utf-8")


def as_html(title: str, blocks: Iterable[Block], language: str) -> str:
    """Write a paper."""
    body = fragment(map(_block, blocks))
    return (
        f'<!DOCTYPE html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"{tag('title', title)}\n<style>\n{PAPER_STYLE}</style>\n</head>\n"
        f"<body>\n{tag('main', body)}\n</body>\n</html>\n"
    )


def _block(block: Block) -> Html:
    match block:
        case Heading(level, line):
            return _own_line(tag(f"h{min(level, 6)}", _line(line)))
        case Paragraph(line, quoted):
            paragraph = tag("p", _line(line))
            return _own_line(tag("blockquote", paragraph) if quoted else paragraph)
        case Bullets(items):
            return _own_line(tag("ul", *(tag("li", _line(item)) for item in items)))
        case Code(text):
            return _own_line(tag("pre", tag("code", text)))
        case Grid(rows):
            return _own_line(_table(rows))


def _table(rows: tuple[tuple[Line, ...], ...]) -> Html:
    first, *others = rows
    head = tag("tr", *(tag("th", _line(cell), scope="col") for cell in first))
    body = (
        tag("tr", tag("th", _line(lead), scope="row"), *(tag("td", _line(cell)) for cell in cells))
        for lead, *cells in others
    )
    inside = fragment([tag("thead", head), tag("tbody", *body)])
    return tag("div", tag("table", inside), class_="table", tabindex="0", role="group")


def _line(line: Line) -> Html:
    names = {"bold": "strong", "emphasis": "em", "code": "code", "fill": "mark"}
    return fragment(
        tag(names[run.style], run.text) if run.style in names else run.text for run in line
    )


def _own_line(html: Html) -> Html:
    return Html(f"{html}\n")
