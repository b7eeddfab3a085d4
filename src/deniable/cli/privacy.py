"""`deniable privacy`: what a design's reports give away."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from deniable.base.documents import read_yaml
from deniable.base.errors import (
    DataError,
    DeniableError,
    ExpressionError,
    ModelError,
    listed,
)
from deniable.base.files import refuse_to_overwrite, write_whole
from deniable.cli.options import AsJson, DesignArgument
from deniable.cli.show.output import doing_now, note, print_json
from deniable.cli.show.privacy_report_text import show_report
from deniable.design import Design
from deniable.engine.memory.records import Records
from deniable.engine.open_table import open_table
from deniable.expression import Implication, parse, rule_sets
from deniable.mine.implied_rules import implications
from deniable.mine.models.model_files import load_model
from deniable.privacy.population import Population
from deniable.privacy.report.measure_privacy import BREACH
from deniable.privacy.report.privacy_report import privacy_report


def privacy(
    design: DesignArgument,
    population: Annotated[
        str | None,
        typer.Option(
            help="What a reader knows of everybody: records as they are (which are "
            "attacked too), reports of this design, or shares (YAML or JSON).",
            metavar="DATA|PRIORS",
        ),
    ] = None,
    known: Annotated[
        list[str] | None,
        typer.Option(
            help="Something that the reader knows of the respondent. Repeatable.",
            metavar="ATTR=VALUE",
        ),
    ] = None,
    model: Annotated[Path | None, typer.Option(help="A mined model that the reader has.")] = None,
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
        typer.Option(help="The jump in likelihood that counts as a breach.", metavar="LOW,HIGH"),
    ] = ",".join(map(str, BREACH)),
    respondents: Annotated[
        int | None,
        typer.Option(
            help="How many, for the influence of forged reports.  [default: the population, or "
            "1,000]",
            min=1,
        ),
    ] = None,
    random_state: Annotated[int, typer.Option(help="Of the simulated reports.", min=0)] = 0,
    html: Annotated[
        Path | None, typer.Option(help="Write a one-page report.", metavar="FILE")
    ] = None,
    json: AsJson = False,
) -> None:
    """Say what a design's reports give away: measured, attacked, in numbers and in words.

    With records as the population, a real attacker reconstructs them from their reports; what it
    got right stands beside what theory says.
    """
    if html is not None:
        refuse_to_overwrite(html, _inputs(design, population, model))
    plan = Design.load(design)
    people, collected = (None, None) if population is None else _population(population, plan)
    with doing_now("Measuring what reports give away …"):
        report = privacy_report(
            plan,
            people,
            collected=collected,
            known=_known(known or [], plan),
            rules=_rules(model, rules or [], plan),
            respondents=respondents,
            breach=_breach(breach),
            random_state=random_state,
        )
    if html is not None:
        from deniable.privacy.page import page

        write_whole(html, page(report, str(design.name)))
    if json:
        print_json(report.document())
    else:
        show_report(report, design)
    if html is not None:
        note(f"wrote {html}")


def _inputs(design: Path, population: str | None, model: Path | None) -> list[Path]:
    """Every file that is read."""
    people: Sequence[Path] = ()
    if population is not None:
        written = _is_document(population)
        people = [Path(population)] if written else open_table(population).paths
    return [path for path in (design, *people, model) if path is not None]


def _is_document(population: str) -> bool:
    """Whether shares are written down, rather than records; JSON is YAML, too."""
    return Path(population).suffix.lower() in {".yaml", ".yml", ".json"}


def _population(path: str, design: Design) -> tuple[Records | Population | None, Records | None]:
    """Read records or shares, or else reports, whatever the file holds."""
    if _is_document(path):
        return expected_shares(Path(path), design), None
    file = open_table(path)
    records = file.all_records(design.schema)
    if file.fingerprint is None:
        return records, None
    file.check_fingerprint(design.stamp)
    return None, records


def expected_shares(path: Path, design: Design) -> Population:
    """Read the shares of a population that are written down; what is wrong names the file."""
    try:
        return Population.of_document(read_yaml(path), design.schema)
    except DeniableError as error:
        where = "" if error.message.startswith(str(path)) else f"{path}: "
        raise type(error)(f"{where}{error.message}", hint=error.hint) from None


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
