"""`deniable privacy`: what a design's reports give away."""

from math import isinf
from pathlib import Path
from typing import Annotated

import typer

from deniable.cli.show import note, percent, plural, print_items, print_json, print_table
from deniable.design import Design, read_yaml
from deniable.engine.files import TableFile, whole_file
from deniable.engine.records import Records
from deniable.errors import (
    DataError,
    DeniableError,
    ExpressionError,
    ModelError,
    OutputError,
    listed,
)
from deniable.estimators.files import load_model
from deniable.experiments.attacked import privacy_report
from deniable.expression import Implication, parse, rule_sets
from deniable.mine.implied import implications
from deniable.privacy.attacker import Measured
from deniable.privacy.measure import BREACH
from deniable.privacy.population import Population
from deniable.privacy.report import AttributePrivacy, Figures, PrivacyReport

READERS = {
    "even": "A reader who takes every value for equally likely (give --population to do better)",
    "shares": "A reader who knows the given shares",
    "records": "A reader who knows how common every combination is among {n:,} people",
    "reports": "A reader who believes what can be estimated from {n:,} reports",
}


def privacy(
    design: Annotated[Path, typer.Argument(help="The design, a YAML file.", metavar="DESIGN")],
    population: Annotated[
        Path | None,
        typer.Option(
            "--population",
            help="What a reader knows of everybody: records as they are (CSV or Parquet, which are "
            "attacked too), reports of this design, or shares (YAML or JSON).",
            metavar="DATA|PRIORS",
        ),
    ] = None,
    known: Annotated[
        list[str] | None,
        typer.Option(
            "--known",
            help="Something that the reader knows of the respondent. Repeatable.",
            metavar="ATTR=VALUE",
        ),
    ] = None,
    model: Annotated[
        Path | None, typer.Option("--model", help="A mined model that the reader has.")
    ] = None,
    rules: Annotated[
        list[str] | None,
        typer.Option(
            "--rule",
            help="A rule that the reader knows, as 'smokes=yes => drinks=yes: 0.8'. Repeatable.",
            metavar="RULE",
        ),
    ] = None,
    breach: Annotated[
        str,
        typer.Option(
            "--breach",
            help="The jump in likelihood that counts as a breach.",
            metavar="LOW,HIGH",
        ),
    ] = ",".join(map(str, BREACH)),
    respondents: Annotated[
        int | None,
        typer.Option(
            "--respondents",
            help="How many, for the influence of forged reports.  [default: the population, or "
            "1,000]",
            min=1,
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Of the simulated reports.", min=0)] = 0,
    html: Annotated[
        Path | None,
        typer.Option("--html", help="Write a one-page report.", metavar="FILE"),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Say what a design's reports give away: measured, attacked, in numbers and in words.

    With records as the population, a real attacker reconstructs them from their reports; what it
    got right stands beside what theory says.
    """
    _refuse_inputs(html, [design, population, model])
    plan = Design.load(design)
    people, collected = (None, None) if population is None else _population(population, plan)
    report = privacy_report(
        plan,
        people,
        collected=collected,
        known=_known(known or [], plan),
        rules=_rules(model, rules or [], plan),
        respondents=respondents,
        breach=_breach(breach),
        seed=seed,
    )
    if html is not None:
        from deniable.privacy.page import page

        with whole_file(html) as temporary:
            temporary.write_text(page(report, str(design.name)), encoding="utf-8")
    if json:
        print_json(report.document())
    else:
        _show(report, design)
    if html is not None:
        note(f"wrote {html}")


def _refuse_inputs(out: Path | None, inputs: list[Path | None]) -> None:
    """Keep a report from being written over what it is made of."""
    if out is not None and out.resolve() in {path.resolve() for path in inputs if path}:
        raise OutputError(f"{out} is read, so it is not written.", hint="Name another file.")


def _population(path: Path, design: Design) -> tuple[Records | Population | None, Records | None]:
    """Read records or shares, or else reports, whatever the file holds."""
    if path.suffix.lower() in {".yaml", ".yml", ".json"}:  # JSON is YAML, too
        try:
            return Population.of_document(read_yaml(path), design.schema), None
        except DeniableError as error:
            where = "" if error.message.startswith(str(path)) else f"{path}: "
            raise type(error)(f"{where}{error.message}", hint=error.hint) from None
    file = TableFile(path)
    batches = list(file.records(design.schema))
    if not batches:
        raise DataError(f"{path} has no records.", hint="Collect some first.")
    records = Records.joined(batches)
    if file.fingerprint is None:
        return records, None
    file.check_fingerprint(design.fingerprint)
    return None, records


def _known(texts: list[str], design: Design) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in texts:
        for name, value in parse(text, design.schema).terms:
            if found.setdefault(name, value) != value:
                raise ExpressionError(
                    f"--known says that {name} is {found[name]!r} and that it is {value!r}.",
                    hint="Give one value for each attribute.",
                )
    return found


def _rules(model: Path | None, rules: list[str], design: Design) -> list[list[Implication]]:
    given = rule_sets(Implication.parse(rule, design.schema) for rule in rules)
    if model is not None:
        given += _implied(model, design)
    concluded = {rule.attribute for together in given for rule in together}
    for name in sorted(concluded & set(design.public)):
        note(f"note: {name} is public, so rules that conclude it give nothing away.")
    return given


def _implied(model: Path, design: Design) -> list[list[Implication]]:
    """Read a model as rules about this design's attributes."""
    found = load_model(model)
    strange = [
        attribute.name
        for attribute in found.schema
        if attribute.name not in design.schema
        or set(design.schema[attribute.name].values) != set(attribute.values)
    ]
    if strange:
        raise ModelError(
            f"{model} speaks of {listed(strange)}, which the design has not, or with other values.",
            hint="Give a model that was mined from reports of this design.",
        )
    return implications(found)


def _breach(text: str) -> tuple[float, float]:
    low, _, high = text.partition(",")
    try:
        return float(low), float(high)
    except ValueError:
        raise DataError(
            f"--breach {text} is not two shares.", hint="Write them as 0.05,0.5."
        ) from None


def _show(report: PrivacyReport, path: Path) -> None:
    disguised, public = len(report.attributes), len(report.design.public)
    typer.echo(
        f"{path}: {plural(disguised, 'attribute')} disguised in "
        f"{plural(len(report.groups), 'group')}, {public} public."
    )
    reader = READERS[report.population.source].format(n=report.population.n or 0)
    facts = ", who also knows that " + ", ".join(f"{n} is {v}" for n, v in report.known.items())
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
    typer.echo(_legend(report))
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


def _cells(figures: Figures, report: PrivacyReport) -> list[str]:
    guess = _share(figures.guess)
    if figures.guess_std_error:
        guess = f"{guess} ± {percent(figures.guess_std_error)}"
    mined = any(a.recovery for a in report.attributes.values())
    return [
        guess,
        *([_measured(figures.measured)] if report.record.measured else []),
        "∞" if isinf(figures.epsilon) else f"{figures.epsilon:.3f}",
        f"{figures.pse:.3f}",
        *([f"{figures.pse_after:.3f}"] if mined else []),
    ]


def _show_influence(report: PrivacyReport) -> None:
    def heaviest(attribute: AttributePrivacy) -> float:
        return max(influence.most for influence in attribute.influences)

    if not report.attributes:
        return
    worst = max(report.attributes.values(), key=heaviest)
    forgers = min(influence.forgers for influence in worst.influences)
    typer.echo(
        f"One forged report counts for up to {heaviest(worst):.3g} people in {worst.name}"
        + (f", {report.influence:.3g} in a count over all groups" if len(report.groups) > 1 else "")
        + f"; {forgers:.1f} of {report.respondents:,} respondents could move {worst.name} by one "
        "standard error."
    )


def _share(share: float | None) -> str:
    return "–" if share is None else percent(share)


def _measured(measured: Measured | None) -> str:
    if measured is None:
        return "–"
    return f"{percent(measured.success)} ± {percent(measured.std_error)}"
