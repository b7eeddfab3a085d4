"""How a privacy report looks in a terminal; as a page it draws itself."""

from pathlib import Path

import typer

from deniable.base.wording import decimal, epsilon_bound, joined, percent, plural, three_digits
from deniable.cli.show.output import print_items, print_paragraph, print_table
from deniable.privacy.attack.attacker import AttackSuccess
from deniable.privacy.report.figures import AttributePrivacy, PrivacyFigures, PrivacyReport

READERS = {
    "even": "A reader who takes every value for equally likely (give --population to do better)",
    "shares": "A reader who knows the given shares",
    "records": "A reader who knows how common every combination is among {n:,} people",
    "reports": "A reader who believes what can be estimated from {n:,} reports",
}


def show_report(report: PrivacyReport, path: Path) -> None:
    """Tables of best guesses, what forgers can do, and the warnings."""
    disguised, public = len(report.attributes), len(report.design.public)
    typer.echo(
        f"{path}: {plural(disguised, 'attribute')} disguised in "
        f"{plural(len(report.groups), 'group')}, {public} public."
    )
    reader = READERS[report.population.source].format(n=report.population.n or 0)
    facts = ", who also knows that " + joined(f"{n} is {v}" for n, v in report.known.items())
    expects = "expects to guess" if report.population.source == "reports" else "guesses"
    print_table(
        f"{reader}{facts + ',' if report.known else ''} {expects} right …",
        ["Attribute", "#before", "#?own answer", *_headings(report)],
        [
            [name, _share(a.before), percent(a.guess_alone), *_cells(a, report)]
            for name, a in report.attributes.items()
        ],
    )
    if any(len(group.names) > 1 for group in report.groups):
        print_table(
            "… a group's whole pattern (one known: by one who knows one of its answers)",
            ["Group", "#before", "#?one known", *_headings(report)],
            [
                [
                    ", ".join(group.names),
                    _share(group.before),
                    _share(max(group.knowing.values(), default=None)),
                    *_cells(group, report),
                ]
                for group in report.groups
            ],
        )
    if len(report.attributes) > 1:
        print_table(
            "… the whole record",
            ["", "#before", *_headings(report)],
            [["record", _share(report.record.before), *_cells(report.record, report)]],
        )
    print_paragraph(_legend(report))
    _show_influence(report)
    if report.warnings:
        typer.echo("Warnings, the most serious first:")
        print_items(report.warnings)
    else:
        typer.echo("No warnings.")


def _legend(report: PrivacyReport) -> str:
    """What the columns mean."""
    columns = "before: without a report; own answer: from that alone; report: from all of it"
    if report.record.measured and report.population.source == "reports":
        columns += "; attacker: what one who learned from half of these reports gets right on the "
        columns += "others, estimated through the disguise"
    elif report.record.measured:
        columns += "; attacker: what a real one, who had only reports and design, got right"
    return f"({columns}.)"


def _headings(report: PrivacyReport) -> list[str]:
    """What attributes, groups and the record have in common."""
    attacked = ["#attacker"] if report.record.measured else []
    mined = any(a.recovery for a in report.attributes.values())
    return ["#report", *attacked, "#ε", "#?PSE", *(["#PSE after"] if mined else [])]


def _cells(figures: PrivacyFigures, report: PrivacyReport) -> list[str]:
    guess = _share(figures.guess)
    if figures.guess_std_error:
        guess = f"{guess} ± {percent(figures.guess_std_error)}"
    mined = any(a.recovery for a in report.attributes.values())
    return [
        guess,
        *([_measured(figures.measured)] if report.record.measured else []),
        epsilon_bound(figures.epsilon),
        f"{figures.pse:.3f}",
        *([decimal(figures.pse_after, 3)] if mined else []),
    ]


def _show_influence(report: PrivacyReport) -> None:
    def heaviest(attribute: AttributePrivacy) -> float:
        return max(influence.most for influence in attribute.influences)

    if not report.attributes:
        return
    worst = max(report.attributes.values(), key=heaviest)
    forgers = min(influence.forgers for influence in worst.influences)
    over_all = f", {three_digits(report.influence)} in a count over all groups"
    print_paragraph(
        f"One forged report counts for up to {three_digits(heaviest(worst))} people in {worst.name}"
        + (over_all if len(report.groups) > 1 else "")
        + f"; {forgers:.1f} of {report.respondents:,} respondents could move {worst.name} by one "
        "standard error."
    )


def _share(share: float | None) -> str:
    return "–" if share is None else percent(share)


def _measured(measured: AttackSuccess | None) -> str:
    if measured is None:
        return "–"
    return f"{percent(measured.success)} ± {percent(measured.std_error)}"
