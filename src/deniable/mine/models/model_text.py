"""What people read of a mined model: sentences and tables; `deniable.mine.draw` draws trees."""

from collections.abc import Iterator

from deniable.base.wording import decimal, plural, plus_minus
from deniable.mine.bayes import NaiveBayes
from deniable.mine.forest import Forest
from deniable.mine.logistic import Logistic
from deniable.mine.miner import ModelTable
from deniable.mine.rules.association_rules import RuleSet
from deniable.oracle.api import about

SHOWN_RULES = 50


def forest_text(model: Forest) -> Iterator[str]:
    """How large it is."""
    many, leaves = len(model.trees), sum(len(tree.leaves) for tree in model.trees)
    yield f"{plural(many, 'tree')}, {leaves / many:,.0f} leaves each."


def bayes_table(model: NaiveBayes) -> Iterator[ModelTable]:
    """The classes: how common each is."""
    yield ModelTable(
        f"Naive Bayes for {model.target} from {plural(len(model.features), 'feature')}, "
        f"{model.n:,} records; standard errors are about these respondents.",
        [model.target, "#Prior", "#Estimated count", "#Std. error"],
        [
            [value, f"{prior:.3f}", decimal(count, 0), decimal(error, 0)]
            for value, prior, count, error in zip(
                model.schema[model.target].values,
                model.prior,
                model.classes.value,
                model.classes.std_error,
                strict=True,
            )
        ],
    )


def logistic_table(model: Logistic) -> Iterator[ModelTable]:
    """The coefficients of every class but the first, which they are compared with."""
    figures = ["#Estimate", "#Std. error", "#?z", "#p", "#Odds ratio", "#?95 % interval"]
    yield ModelTable(
        f"Log-odds of {model.target} against {model.schema[model.target].values[0]}, "
        f"{model.n:,} records; standard errors are about the population.",
        [model.target, "Term", *figures],
        [
            [
                row.outcome,
                row.name,
                decimal(row.estimate, 3),
                decimal(row.std_error, 3),
                decimal(row.z, 2),
                f"{row.p:.3g}",
                f"{row.odds_ratio:.3g}",
                f"{row.low:.3g} to {row.high:.3g}",
            ]
            for row in model.rows()
        ],
    )


def rules_table(model: RuleSet) -> Iterator[ModelTable]:
    """The rules of most confidence."""
    shown, more = model.rows()[:SHOWN_RULES], len(model) - SHOWN_RULES
    yield ModelTable(
        f"{plural(len(model), 'rule')}, by confidence. {about(model.of, model.n)}",
        ["If", "then", "#Support", "#Confidence", "#?Lift"],
        [
            [
                str(r.premise),
                str(r.conclusion),
                *(plus_minus(m.value, m.std_error) for m in (r.support, r.confidence, r.lift)),
            ]
            for r in shown
        ],
        f"{more:,} more rules; --out or --json gives them all." if more > 0 else "",
    )
