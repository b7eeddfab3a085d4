"""The report as one page: what holds, figures, claims; nothing is loaded from elsewhere."""

from collections import Counter
from collections.abc import Iterator, Sequence
from importlib.resources import files

from deniable.base.wording import decimal, joined, plural
from deniable.papers.reproduction.line_plot import LinePlot, common_heights, y_title
from deniable.papers.reproduction.paper_claims import CheckedClaim, Outcome
from deniable.papers.reproduction.paper_figures import Figure, Panel, Series, repeats_of
from deniable.papers.reproduction.report_files import PaperResults, Report
from deniable.privacy.page.markup import Html, fragment, framed, table, tag

REPORT_TITLE = "Five papers on randomized response, reproduced"

STYLE_OF_REPORTS = files(__package__).joinpath("report.css").read_text(encoding="utf-8")

OUTCOME_WORDS: dict[Outcome, tuple[str, str]] = {
    "holds": ("✓ holds", "holds"),
    "holds after all": ("✓ holds here, though not expected to", "holds"),
    "does not hold": ("✗ does not hold", "unmet"),
    "fails": ("✗ fails: it should hold", "fails"),
}


def page(report: Report) -> str:
    """Write the whole page."""
    body = [
        tag("h1", REPORT_TITLE),
        tag("p", _opening(report), class_="lead"),
        _tally(report),
        _contents(report),
        *(_paper(each, report) for each in report.results),
        tag("footer", tag("p", _how_made(report))),
    ]
    return framed(REPORT_TITLE, fragment(body), STYLE_OF_REPORTS)


def _opening(report: Report) -> str:
    letters = [each.paper.letter for each in report.results if not each.paper.ours]
    ours = [each.paper.title for each in report.results if each.paper.ours]
    said = []
    if letters:
        said.append(
            f"Experiments of {joined(letters)}, done again on the same public data sets with "
            "deniable’s own disguise and miners, beside what deniable would do instead."
        )
    if ours:
        said.append(f"A comparison of our own: {ours[0][0].lower()}{ours[0][1:]}.")
    said.append("Every claim is checked by a program, against a tolerance that is stated.")
    return " ".join(said)


def _tally(report: Report) -> Html:
    counts = Counter(each.outcome for each in report.claims)
    holding = counts["holds"] + counts["holds after all"]
    items = [
        (holding, f"of {plural(len(report.claims), 'claim')} hold", "holds"),
        (counts["does not hold"], "do not, as far as is known, and why", "unmet"),
        (counts["fails"], "should hold and do not", "fails"),
    ]
    return tag(
        "ul",
        *(
            tag("li", tag("b", str(number), class_=kind if number else None), words)
            for number, words, kind in items
        ),
        class_="tally",
    )


def _contents(report: Report) -> Html:
    links = (
        tag(
            "li",
            tag("a", each.paper.heading, href=f"#{each.paper.letter}"),
        )
        for each in report.results
    )
    return tag("nav", tag("ul", *links), aria_label="Papers")


def _how_made(report: Report) -> str:
    """Say what every number rests on."""
    return (
        f"Made by deniable {report.version} with seed {report.seed}: {report.effort}. The same "
        "version and seed give the same numbers, whatever the number of processes. In the folder "
        "“figures” beside this page are a CSV and an SVG of each, claims.csv and claims.json."
    )


def _paper(each: PaperResults, report: Report) -> Html:
    return tag(
        "section",
        tag("h2", each.paper.heading),
        tag("p", f"{each.paper.authors}. {each.paper.about}"),
        tag("h3", "Claims"),
        _claims(each.claims),
        tag("h3", "Figures"),
        *(_figure(figure, report) for figure in each.figures),
        id=each.paper.letter,
    )


def _claims(claims: Sequence[CheckedClaim]) -> Html:
    head = ("Claim", "Measured", "Counts as holding", "Outcome")
    return tag(
        "table",
        tag("thead", tag("tr", *(tag("th", title, scope="col") for title in head))),
        tag("tbody", *map(_claim, claims)),
        class_="claims",
    )


def _claim(each: CheckedClaim) -> Html:
    words, kind = OUTCOME_WORDS[each.outcome]
    why = [tag("small", each.claim.unmet)] if each.claim.unmet else []
    return tag(
        "tr",
        tag("th", each.claim.says, scope="row"),
        tag("td", each.found.measured, data_title="Measured"),
        tag("td", each.claim.tolerance, data_title="Counts as holding"),
        tag("td", tag("span", words, class_=kind), *why),
    )


def _figure(figure: Figure, report: Report) -> Html:
    shown = _table(figure) if figure.table else _panels(figure)
    table_file = tag("a", f"{figure.name}.csv", href=f"figures/{figure.name}.csv")
    rests = f"{repeats_of(figure)}; seed {report.seed}; deniable {report.version}; "
    numbers = tag("details", tag("summary", "The numbers"), *_numbers(figure))
    return tag(
        "section",
        tag("h4", figure.title),
        tag("p", figure.says),
        shown,
        tag("p", rests, table_file, class_="madeof"),
        *([] if figure.table else [numbers]),
        class_="card",
    )


def _panels(figure: Figure) -> Html:
    drawn = []
    for panel in figure.panels:
        heights = common_heights(figure) if panel.statistic == "mean" else None
        plots = [LinePlot(panel, size, heights).drawing() for size in ("wide", "narrow")]
        drawn.append(tag("figure", tag("figcaption", panel.title), *plots, class_="curve"))
    return tag("div", *drawn, class_="panels")


def _numbers(figure: Figure) -> Iterator[Html]:
    """Give the numbers of each panel as a table."""
    for panel in figure.panels:
        yield tag("p", f"{panel.title}: {y_title(panel)} by {panel.x}")
        yield tag("div", _numbers_of(panel), class_="scroll")


def _numbers_of(panel: Panel) -> Html:
    found = [(each, each.places(panel.statistic)) for each in panel.series]
    xs = sorted({place.x for _, places in found for place in places})
    rows = [[series.label, *_cells(places_at(series, panel), xs)] for series, _ in found]
    return _figures_table([panel.x, *(panel.ticks.get(x, f"{x:g}") for x in xs)], rows)


def places_at(series: Series, panel: Panel) -> dict[float, str]:
    """Write each place's number, with its standard error if it is a mean of several."""
    return {
        place.x: decimal(place.y, 4) + (f" ± {place.error:.4f}" if place.error else "")
        for place in series.places(panel.statistic)
    }


def _cells(written: dict[float, str], xs: Sequence[float]) -> list[str]:
    return [written.get(x, "") for x in xs]


def _table(figure: Figure) -> Html:
    """Show a figure that is a table: a row for each series, a column for each place."""
    return tag("div", *(_numbers_of(panel) for panel in figure.panels), class_="scroll")


def _figures_table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> Html:
    return Html(table(titles, rows).replace("<table>", '<table class="numbers">', 1))
