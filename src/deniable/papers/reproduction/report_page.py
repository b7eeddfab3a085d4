"""The report as one page: plots, claims and what they rest on; nothing is loaded from elsewhere."""

from deniable.base.wording import joined, plural
from deniable.papers.reproduction.line_plot import LinePlot
from deniable.papers.reproduction.paper_figures import Figure
from deniable.papers.reproduction.report_files import PaperResults, Report
from deniable.privacy.page.markup import Html, fragment, framed, table, tag

TITLE = "The papers, reproduced"


def page(report: Report) -> str:
    """Write the whole page."""
    body = [
        tag("h1", TITLE),
        tag("p", _based_on(report), class_="lead"),
        *(_paper(each) for each in report.results),
        tag("footer", tag("p", _based_on(report))),
    ]
    return framed(TITLE, fragment(body))


def _based_on(report: Report) -> str:
    """Say what every number comes from."""
    effort = "a quick run, with fewer repeats than the papers" if report.quick else "a full run"
    letters = joined(each.paper.letter for each in report.results)
    return (
        f"Papers {letters}; {effort}; seed {report.seed}; deniable {report.version}. "
        f"{plural(len(report.claims), 'claim')} checked."
    )


def _paper(each: PaperResults) -> Html:
    return tag(
        "section",
        tag("h2", f"{each.paper.letter}. {each.paper.title}"),
        tag("p", each.paper.about),
        _claims(each),
        *map(_figure, each.figures),
    )


def _claims(each: PaperResults) -> Html:
    rows = (
        (
            claim.claim.says,
            claim.found.measured,
            claim.claim.tolerance,
            claim.outcome + (f": {claim.claim.unmet}" if claim.claim.unmet else ""),
        )
        for claim in each.claims
    )
    return table(("Claim", "Measured", "Tolerance", ""), rows)


def _figure(figure: Figure) -> Html:
    plots = [
        tag(
            "figure",
            tag("figcaption", panel.title),
            *(LinePlot(panel, size).drawing() for size in ("wide", "narrow")),
            class_="curve",
        )
        for panel in figure.panels
    ]
    return tag("section", tag("h3", figure.title), tag("p", figure.says), *plots, class_="card")
