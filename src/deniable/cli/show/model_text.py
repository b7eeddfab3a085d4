"""How mined models look in a terminal; trees draw themselves (`deniable.mine.draw`)."""

from deniable.cli.disguised_tables import about
from deniable.cli.show.output import note, plural, print_table
from deniable.mine.bayes import NaiveBayes
from deniable.mine.logistic import Logistic
from deniable.mine.rules.association_rules import RuleSet
from deniable.mine.rules.item_sets import Measure

SHOWN_RULES = 50


def show_bayes(model: NaiveBayes) -> None:
    """The classes: how common each is."""
    values = model.schema[model.target].values
    print_table(
        f"Naive Bayes for {model.target} from {plural(len(model.features), 'feature')}, "
        f"{model.n:,} records; standard errors are about these respondents.",
        [model.target, "#Prior", "#Estimated count", "#Std. error"],
        [
            [value, f"{prior:.3f}", f"{count:,.0f}", f"{error:,.0f}"]
            for value, prior, count, error in zip(
                values, model.prior, model.classes.value, model.classes.std_error, strict=True
            )
        ],
    )


def show_logistic(model: Logistic) -> None:
    """The coefficients of every class but the first, which they are compared with."""
    reference = model.schema[model.target].values[0]
    rows = model.rows()
    print_table(
        f"Log-odds of {model.target} against {reference}, {model.n:,} records; standard errors are "
        "about the population.",
        [
            model.target,
            "Term",
            "#Estimate",
            "#Std. error",
            "#?z",
            "#p",
            "#Odds ratio",
            "#?95 % interval",
        ],
        [
            [
                row.outcome,
                row.name,
                f"{row.estimate:.3f}",
                f"{row.std_error:.3f}",
                f"{row.z:.2f}",
                f"{row.p:.3g}",
                f"{row.odds_ratio:.3g}",
                f"{row.low:.3g} to {row.high:.3g}",
            ]
            for row in rows
        ],
    )


def show_rules(model: RuleSet) -> None:
    """The rules of most confidence."""
    shown = model.rows()[:SHOWN_RULES]
    print_table(
        f"{plural(len(model), 'rule')}, by confidence. {about(model.of, model.n)}",
        ["If", "then", "#Support", "#Confidence", "#?Lift"],
        [
            [
                str(r.premise),
                str(r.conclusion),
                *map(_plus_minus, (r.support, r.confidence, r.lift)),
            ]
            for r in shown
        ],
    )
    if len(model) > len(shown):
        note(f"note: {len(model) - len(shown):,} more rules; --out or --json gives them all.")


def _plus_minus(measure: Measure) -> str:
    return f"{measure.value:.3f} ± {measure.std_error:.3f}"
