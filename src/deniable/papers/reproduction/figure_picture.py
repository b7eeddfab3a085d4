"""A figure as one SVG that needs nothing else, for documents: all panels, light or dark."""

from importlib.resources import files

from deniable.papers.reproduction.line_plot import CANVAS, LinePlot, common_heights
from deniable.papers.reproduction.paper_figures import Figure, repeats_of
from deniable.papers.reproduction.report_files import Report
from deniable.privacy.page.markup import Html, fragment, tag

PICTURE_STYLE = files(__package__).joinpath("picture.css").read_text(encoding="utf-8")

SIDE_BY_SIDE = 2
PICTURE_EDGE, HEADING_HEIGHT, TITLE_HEIGHT, FOOT = 16.0, 44.0, 24.0, 26.0
"""Pixels around the picture, above all panels, above each, and below them."""


def picture(figure: Figure, report: Report) -> str:
    """Draw all of it."""
    canvas = CANVAS["wide"]
    columns = min(SIDE_BY_SIDE, len(figure.panels))
    rows = -(-len(figure.panels) // columns)
    across, down = canvas.width, canvas.height + TITLE_HEIGHT
    width = columns * across + 2 * PICTURE_EDGE
    height = HEADING_HEIGHT + rows * down + FOOT + PICTURE_EDGE
    heights = common_heights(figure)
    parts: list[Html] = []
    for number, panel in enumerate(figure.panels):
        x = PICTURE_EDGE + number % columns * across
        y = HEADING_HEIGHT + number // columns * down
        parts.append(tag("text", panel.title, x=f"{x + 2:g}", y=f"{y + 16:g}", class_="panel"))
        parts.append(
            LinePlot(panel, "wide", heights if panel.statistic == "mean" else None).drawing(
                x=f"{x:g}", y=f"{y + TITLE_HEIGHT:g}", width=canvas.width, height=canvas.height
            )
        )
    made = f"{repeats_of(figure)}; seed {report.seed}; deniable {report.version}"
    title = report.title_of(figure)
    return tag(
        "svg",
        tag("title", title),
        tag("desc", figure.says),
        tag("style", Html(PICTURE_STYLE)),
        tag("rect", width="100%", height="100%", class_="ground"),
        tag("text", title, x=f"{PICTURE_EDGE:g}", y="28", class_="title"),
        fragment(parts),
        tag("text", made, x=f"{PICTURE_EDGE + 2:g}", y=f"{height - PICTURE_EDGE:g}"),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width:g} {height:g}",
        width=f"{width:g}",
        height=f"{height:g}",
        role="img",
    )
