"""`deniable score`: how often a model is right, on plain or on disguised records."""

from contextlib import suppress
from math import isfinite
from pathlib import Path
from typing import Annotated

import typer

from deniable.base.errors import DataError, EstimateError
from deniable.base.wording import count, decimal, given_percent, plus_minus
from deniable.cli.disguised_tables import opened
from deniable.cli.options import AsJson, Level, ModelFile, With
from deniable.cli.personal_bits import print_score_by_bits
from deniable.cli.predict import load_classifier, refuse_disguised
from deniable.cli.show.output import note, print_json, print_paragraph, print_table, progress
from deniable.design import Design
from deniable.engine.open_table import open_table
from deniable.mine.model import Classifier, require_totals
from deniable.mine.scores.confusion import Score, Shares
from deniable.mine.scores.score import score as scored
from deniable.mine.scores.score import score_leaves
from deniable.mine.tree.decision_tree import DecisionTree
from deniable.oracle.api import CountOracle, Target, TotalOracle
from deniable.oracle.exact import ExactOracle


def score(
    model: ModelFile,
    test: Annotated[str, typer.Argument(help="Test records, with the target.", metavar="TEST")],
    design: Annotated[
        Path | None,
        typer.Option(
            help="The design that disguised the test records.  [default: they are not disguised]",
            metavar="YAML",
        ),
    ] = None,
    of: Annotated[
        Target,
        typer.Option(help="What the standard error is about: these records, or all such records."),
    ] = "population",
    level: Level = 0.95,
    others: With = None,
    personal_bits: Annotated[
        str | None,
        typer.Option(
            help="Whether the model is right on respondents' personal answers: a table of one "
            "column of yes and no, a column of TEST, or the known share.",
            metavar="BITS",
        ),
    ] = None,
    same_people: Annotated[
        bool,
        typer.Option(
            "--same-people/--other-people", help="Who sent the bits: those who sent the reports?"
        ),
    ] = True,
    json: AsJson = False,
) -> None:
    """Estimate how often a model is right: accuracy, confusion matrix, precision and recall.

    Beside it, how often the commonest class alone would be right, and by how much the model is
    better. Which class that is, the training records say; or the test records, where the model kept
    no counts.

    On disguised test records the same, through the disguise: unbiased, with a standard error.

    With --personal-bits, the accuracy alone, of one unrelated group that holds all of the model's
    attributes: where nobody knows how personal answers are distributed, and there is one sample.
    """
    classifier = load_classifier(model)
    if personal_bits is not None:
        if design is None or others:
            raise DataError(
                "--personal-bits tells of one table of disguised records, and "
                + ("its design is not named." if design is None else "--with names another."),
                hint="Name its design: --design YAML."
                if design is None
                else "Two samples with different theta need no bits: leave --personal-bits out.",
            )
        print_score_by_bits(
            classifier, test, design, personal_bits,
            same_people=same_people, of=of, level=level, json=json,
        )  # fmt: skip
        return
    with progress("Scoring"):
        found = _scored(classifier, _opened(classifier, test, design, others), of)
    low, high = found.interval(level)
    if json:
        print_json({**found.document(level), "level": level})
        return
    disguised = "undisguised" if design is None else "disguised"
    typer.echo(
        f"Accuracy {plus_minus(found.accuracy, found.std_error, 4)} "
        f"({given_percent(level)}: {decimal(low, 4)} to {decimal(high, 4)}), "
        f"{found.n:,} {disguised} records."
    )
    print_paragraph(_compared(found, level))
    _show(classifier, found)


def _opened(
    classifier: Classifier, test: str, design: Path | None, others: list[str] | None
) -> CountOracle:
    if design is None:
        if others:
            raise DataError(
                "--with adds disguised files, and the first one has no design.",
                hint="Name its design: --design YAML.",
            )
        table = open_table(test)
        refuse_disguised(table, "Name its design: --design YAML.")
        return ExactOracle(table.held(classifier.schema), classifier.schema)
    if not others and Design.load(design).needs_second_sample:
        raise DataError(
            "A personal distribution is unknown, which leaves open how often the model is right on "
            "personal answers.",
            hint="Add a second sample, with another theta (--with OTHER.parquet:other.yaml), or "
            "say how often: --personal-bits BITS.",
        )
    return opened(test, design, others, warn=False)[0]


def _scored(classifier: Classifier, oracle: CountOracle, of: Target) -> Score:
    if not isinstance(classifier, DecisionTree):
        return scored(classifier, require_totals(oracle, "This model's score"), of=of)
    if isinstance(oracle, TotalOracle):
        with suppress(EstimateError):  # too wide to add up; a tree can be counted by its leaves
            return scored(classifier, oracle, of=of)
    leaves = classifier.leaves
    found = score_leaves(
        classifier.paths(leaves),
        classifier.labels[leaves],
        classifier.target,
        oracle,
        of=of,
        commonest=classifier.commonest,
    )
    note(f"note: the standard error takes it that {found.assumes}.")
    return found


def _compared(found: Score, level: float) -> str:
    """Say how much better the model is than its commonest class alone."""
    alone, better = found.commonest_alone, found.better_by
    low, high = better.interval(level)
    said = (
        f"Always answering {found.commonest}, the commonest class of the {found.commonest_of} "
        f"records, would score {plus_minus(alone.accuracy, alone.std_error, 4)}. "
    )
    difference = (
        f"{plus_minus(better.value, better.std_error, 4)} "
        f"({given_percent(level)}: {decimal(low, 4)} to {decimal(high, 4)})"
    )
    if low > 0:
        return f"{said}The model is better by {difference}."
    if high < 0:
        return f"{said}The model is worse, by a difference of {difference}."
    if better.value == better.std_error == 0:
        return f"{said}The model is right exactly as often."
    return f"{said}The errors leave open which is better: the difference is {difference}."


def _show(classifier: Classifier, found: Score) -> None:
    values = classifier.schema[classifier.target].values
    predicted = [f"#predicted {value}" for value in values]
    print_table(
        "Confusion matrix ± standard error.",
        [classifier.target, *predicted, "#Precision", "#Recall"],
        [
            [
                value,
                *(
                    f"{count(round(c, 1))} ± {count(round(e, 1))}"
                    for c, e in zip(cells, errors, strict=True)
                ),
                _share(found.precision, k),
                _share(found.recall, k),
            ]
            for k, (value, cells, errors) in enumerate(
                zip(values, found.confusion, found.confusion_std_error, strict=True)
            )
        ],
    )


def _share(shares: Shares, k: int) -> str:
    """A share with its error; a dash where nobody is below the line."""
    value, error = shares.value[k], shares.std_error[k]
    return plus_minus(value, error) if isfinite(value) else "–"
