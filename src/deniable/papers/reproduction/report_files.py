"""A report's tables: a CSV per figure, and the claims as CSV and JSON."""

import csv
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import deniable
from deniable.base.files import write_whole
from deniable.base.wording import plural
from deniable.papers.reproduction.experiment import Paper
from deniable.papers.reproduction.paper_claims import CheckedClaim
from deniable.papers.reproduction.paper_figures import FIGURE_COLUMNS, Figure

DIGITS = 10
"""Significant ones in tables: enough to compute with, and beyond rounding."""


@dataclass(frozen=True)
class PaperResults:
    """What came of one paper."""

    paper: Paper
    figures: Sequence[Figure]
    claims: Sequence[CheckedClaim]


@dataclass(frozen=True)
class Report:
    """What came of all papers, and what it rests on."""

    results: Sequence[PaperResults]
    seed: int
    quick: bool
    asked: int | None
    """Repeats that were asked for instead of the papers'."""

    seconds: float
    """Of processors, all together, when the work was done."""

    @property
    def version(self) -> str:
        """Which version of this package made it."""
        return deniable.__version__

    @property
    def effort(self) -> str:
        """Say how often things were repeated, compared with the papers."""
        if self.asked is not None:
            return f"{plural(self.asked, 'repeat')} of each cell, as asked for"
        return "a quick run, with fewer repeats than the papers" if self.quick else "a full run"

    def title_of(self, figure: Figure) -> str:
        """Name a figure by itself, with the paper that it belongs to."""
        paper = next(each.paper for each in self.results if figure in each.figures)
        return figure.title if paper.ours else f"{paper.letter}: {figure.title}"

    @property
    def claims(self) -> list[CheckedClaim]:
        """Claims of all papers."""
        return [claim for each in self.results for claim in each.claims]


def write_tables(report: Report, folder: Path) -> None:
    """Write them all."""
    for each in report.results:
        for figure in each.figures:
            write_whole(folder / f"{figure.name}.csv", figure_csv(figure, report))
    write_whole(folder / "claims.csv", _csv(_claim_rows(report)))
    document = {
        "version": report.version,
        "seed": report.seed,
        "effort": report.effort,
        "claims": claim_documents(report),
    }
    write_whole(folder / "claims.json", json.dumps(document, ensure_ascii=False, indent=2) + "\n")


def figure_csv(figure: Figure, report: Report) -> str:
    """Write every series of a figure, a row for each place."""
    series = figure.series()
    names = list(dict.fromkeys(name for each in series for name in each.of))
    head = ["figure", "series", *names, *FIGURE_COLUMNS, "seed", "version"]
    rows = [
        [figure.name, each.label, *(each.of.get(name, "") for name in names)]
        + [_number(value) for value in row]
        + [str(report.seed), report.version]
        for each in series
        for row in each.rows()
    ]
    return _csv([head, *rows])


def claim_documents(report: Report) -> list[dict[str, str]]:
    """Give each claim as a mapping of texts."""
    return [
        {
            "claim": each.claim.name,
            "says": each.claim.says,
            "measured": each.found.measured,
            "tolerance": each.claim.tolerance,
            "outcome": each.outcome,
            "why": each.claim.unmet,
        }
        for each in report.claims
    ]


def _claim_rows(report: Report) -> Iterable[Sequence[str]]:
    documents = claim_documents(report)
    yield [*(documents[0] if documents else {"claim": ""}), "seed", "version"]
    for document in documents:
        yield [*document.values(), str(report.seed), report.version]


def _number(value: float) -> str:
    return "" if value != value else f"{value:.{DIGITS}g}"  # noqa: PLR0124 (not a number)


def _csv(rows: Iterable[Sequence[str]]) -> str:
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()
