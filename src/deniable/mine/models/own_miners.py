"""The miners of this package, described as those of other packages are; what people read of each.

Trees and dependences are drawn (`deniable.mine.draw`), the others are sentences and tables.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from deniable.base.wording import decimal, given_p, given_percent, joined, plural, plus_minus
from deniable.mine.bayes import NaiveBayes, mine_bayes
from deniable.mine.best.best_classifier import LARGER_CLASS, BestClassifier
from deniable.mine.best.mine_best import mine_best
from deniable.mine.chance import Evidence
from deniable.mine.dependence import DependenceTree, mine_dependence
from deniable.mine.draw.drawn_nodes import largest_branches
from deniable.mine.draw.tree_drawing import MOST_LEAVES, dot, svg, text
from deniable.mine.forest import Forest, mine_forest
from deniable.mine.groupwise import GroupwiseBayes, mine_groupwise
from deniable.mine.logistic import Logistic, mine_logistic
from deniable.mine.miner import Miner, MinerOption, ModelTable
from deniable.mine.model import Model
from deniable.mine.models.bayes_tables import bayes_tables
from deniable.mine.rules.association_rules import mine_rules
from deniable.mine.rules.frequent_sets import FrequentSets, mine_itemsets
from deniable.mine.rules.rule_set import RuleSet
from deniable.mine.tree.decision_tree import DecisionTree
from deniable.mine.tree.mine_tree import mine_tree
from deniable.mine.tree.noise_rule import MOST_FOLDS
from deniable.oracle.api import about

MAX_DEPTH = MinerOption("Most questions on a path.", least=0)
RANDOM_STATE = MinerOption("Of the random folds or trees.")

MIN_SUPPORT = MinerOption(
    "Least share of records that hold all items.", least=0, most=1, above=True, default=0.1
)
MAX_LEN = MinerOption("Most items in a set.", least=1)
ITEMS = MinerOption(
    "What may be in a set: items (smokes=yes), attributes (all their values), or yes: of "
    "attributes with two values, the last one only. Repeatable.  [default: all]",
    metavar="all|yes|ITEM",
)
TOLERANCE = MinerOption(
    "How far below the support an estimate may fall and still be followed up.  "
    "[default: as far as its standard error explains]",
    least=0,
    most=1,
)
SUPPORTS_OF = MinerOption("What the supports are about.")
SUPPORT_LEVEL = MinerOption(
    "Confidence level of the intervals, and of the test of which sets are followed up.",
    least=0.5,
    most=1,
    above=True,
    below=True,
)

SHOWN_RULES = SHOWN_SETS = 50


def _tree_text(model: DecisionTree) -> Iterator[str]:
    """The leaves that most people reach."""
    yield text(model)
    yield from _chance(model.evidence)
    if not largest_branches(model, None, MOST_LEAVES).all():
        yield "--out or --json gives all of it, --dot draws all of it, and --svg more of it."


def _forest_text(model: Forest) -> Iterator[str]:
    """How large it is."""
    many, leaves = len(model.trees), sum(len(tree.leaves) for tree in model.trees)
    yield f"{plural(many, 'tree')}, {leaves / many:,.0f} leaves each."
    yield from _chance(model.evidence)


def _groupwise_text(model: GroupwiseBayes) -> Iterator[str | ModelTable]:
    """What its parts are."""
    yield ModelTable(
        f"{plural(len(model.parts), 'group')} for {model.target}, taken as independent given it; "
        f"{model.n:,} records.",
        ["Attributes", "#Trees", "#Leaves each"],
        [
            [
                ", ".join(part.features),
                str(len(part.trees)),
                f"{sum(len(tree.leaves) for tree in part.trees) / len(part.trees):,.0f}",
            ]
            for part in model.parts
        ],
    )
    yield from _chance(model.evidence)


def _best_text(model: BestClassifier) -> Iterator[str | ModelTable]:
    """The comparison, what was chosen and why, and the model itself."""
    if model.compared:
        yield ModelTable(
            f"Candidates for {model.target}, the simplest first, on held-out reports; "
            f"{model.n:,} records.",
            ["Candidate", "#Accuracy", f"#Ahead of the {model.compared[-1].name}"],
            [
                [
                    f"{each.name} (chosen)" if each.name == model.chosen else each.name,
                    plus_minus(each.accuracy, each.std_error, 4),
                    "" if each is model.compared[-1]
                    else plus_minus(each.ahead.value, each.ahead.std_error, 4),
                ]
                for each in model.compared
            ],
        )  # fmt: skip
    what = f", {model.commonest}" if model.chosen == LARGER_CLASS else ""
    yield f"Chosen: {model.chosen}{what}. {model.why}"
    for each in model.models:
        yield from SHOWN[type(each)](each)
    yield from _chance(model.evidence)


def _bayes_text(model: NaiveBayes) -> Iterator[str | ModelTable]:
    """Its tables, and whether chance could have made them."""
    yield from bayes_tables(model)
    yield from _chance(model.evidence)


def _chance(evidence: Evidence | None) -> Iterator[str]:
    """What the test against chance says, where there was one."""
    if evidence is not None:
        yield evidence.sentence


def _logistic_text(model: Logistic) -> Iterator[str | ModelTable]:
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
    if model.note:
        yield model.note
    if left_open := model.open:
        names = joined(dict.fromkeys(row.name for row in left_open))
        yield (
            f"The records do not tell about {names}: what is printed there is the penalty's, "
            f"0 ± {decimal(model.ridge**-0.5, 3)}, or hardly narrower."
        )


def _rules_table(model: RuleSet) -> Iterator[ModelTable | str]:
    """The rules of most confidence, and how many chance explains."""
    shown, more = model.rules[:SHOWN_RULES], len(model) - SHOWN_RULES
    yield ModelTable(
        f"{plural(len(model), 'rule')}, by confidence. {about(model.of, model.n)}",
        ["If", "then", "#Support", "#Confidence", "#?Lift", "#?Chance"],
        [
            [
                str(r.premise),
                str(r.conclusion),
                *(plus_minus(m.value, m.std_error) for m in (r.support, r.confidence, r.lift)),
                given_p(r.p_value),
            ]
            for r in shown
        ],
        f"{more:,} more rules; --out or --json gives them all." if more > 0 else "",
    )
    yield (
        f"Chance: p is of a lift of 1, adjusted for {plural(model.tried, 'association')} "
        f"looked at; {_unproven(model)}."
    )


def _unproven(model: RuleSet) -> str:
    """What became of rules that chance explains."""
    if model.max_false == 1:
        return "rules that chance explains are shown, too"
    many, them = plural(model.unproven, "more rule"), "it" if model.unproven == 1 else "them"
    return (
        f"{many} would reach the thresholds, and chance explains {them} "
        f"(--max-false {model.max_false:g}; 1 shows all)"
    )


def _itemsets_table(model: FrequentSets) -> Iterator[ModelTable | str]:
    """The sets of most support, and which of them may have less than was asked for."""
    shown, more = model.sets[:SHOWN_SETS], len(model) - SHOWN_SETS
    least, level = given_percent(model.support), given_percent(model.level)
    yield ModelTable(
        f"{plural(len(model), 'item set')} that at least {least} are estimated to hold, "
        f"by support. {about(model.of, model.n)}",
        ["Items", "#Support", f"#{level} interval", f"#?Above {least}"],
        [
            [
                str(each.items),
                plus_minus(each.support.value, each.support.std_error),
                f"{decimal(each.support.low, 3)} to {decimal(each.support.high, 3)}",
                "yes" if each.significant else "perhaps",
            ]
            for each in shown
        ],
        f"{more:,} more sets; --out or --json gives them all." if more > 0 else "",
    )
    if perhaps := sum(not each.significant for each in model):
        yield f"Of {perhaps:,} of them the errors leave open whether it is {least}."
    exact = f", {model.confirmed:,} of them by exact counts" if model.confirmed else ""
    yield f"{plural(model.checked, 'item set')} looked at{exact}."


SHOWN: Mapping[type[Model], Callable[[Any], Iterator[str | ModelTable]]] = {
    DecisionTree: _tree_text,
    Forest: _forest_text,
    GroupwiseBayes: _groupwise_text,
    NaiveBayes: _bayes_text,
}
"""Of the candidates of `best`."""

N_ESTIMATORS = MinerOption("How many trees.", least=1)
MAX_FEATURES = MinerOption("Share of the attributes a node may choose from.")

OWN_MINERS = (
    Miner(
        "best",
        "Compare several classifiers, and mine the best as far as the noise can tell.\n\n"
        "The larger class, naive Bayes, a tree, group-wise Bayes, a forest, and the average of the "
        "last two.",
        mine_best,
        BestClassifier,
        _best_text,
        noun="the best classifier",
        options={
            "n_estimators": N_ESTIMATORS,
            "max_features": MAX_FEATURES,
            "random_state": RANDOM_STATE,
        },
        sizes=lambda best: {"models": len(best.models)},
    ),
    Miner(
        "tree",
        "Mine a decision tree: ID3 on estimated counts.\n\n"
        "Every node shows its estimated count ± standard error, about the population.",
        mine_tree,
        DecisionTree,
        _tree_text,
        noun="a decision tree",
        options={
            "growth": MinerOption(
                "By shrunk counts, dropping what the noise explains, or as the papers do.  "
                "[default: shrunk, where records are disguised]"
            ),
            "window": MinerOption("Candidates that are confirmed.", least=1, command=False),
            "strength": MinerOption(
                "Standard errors that a split must stand out by.  [default: by cross-validation]",
                least=0,
            ),
            "cv": MinerOption("Folds of the cross-validation.", least=2, most=MOST_FOLDS),
            "validation": MinerOption(
                "Cut back by a separate table, disguised by the same design or by its own.",
                metavar="TABLE[:DESIGN]",
            ),
            "max_depth": MAX_DEPTH,
            "random_state": RANDOM_STATE,
        },
        sizes=lambda tree: {"leaves": len(tree.leaves), "depth": tree.depth},
        pictures={"svg": svg, "dot": dot},
        counts_only=True,
    ),
    Miner(
        "forest",
        "Mine a random forest: trees from reports drawn again, averaged.",
        mine_forest,
        Forest,
        _forest_text,
        noun="a random forest",
        options={
            "n_estimators": N_ESTIMATORS,
            "max_features": MAX_FEATURES,
            "max_depth": MAX_DEPTH,
            "random_state": RANDOM_STATE,
        },
        sizes=lambda forest: {
            "trees": len(forest.trees),
            "leaves": sum(len(tree.leaves) for tree in forest.trees),
        },
    ),
    Miner(
        "groupwise",
        "Mine group-wise Bayes: a forest for each disguised group.\n\n"
        "Given the target, groups are taken as independent. For strong disguise.",
        mine_groupwise,
        GroupwiseBayes,
        _groupwise_text,
        noun="a group-wise Bayes classifier",
        options={
            "n_estimators": MinerOption("How many trees for each group.", least=1),
            "max_features": MAX_FEATURES,
            "max_depth": MAX_DEPTH,
            "random_state": RANDOM_STATE,
        },
        sizes=lambda model: {
            "groups": len(model.parts),
            "trees": sum(len(part.trees) for part in model.parts),
        },
    ),
    Miner(
        "bayes",
        "Mine a naive Bayes classifier from constrained estimates.",
        mine_bayes,
        NaiveBayes,
        _bayes_text,
        noun="a naive Bayes classifier",
        options={
            "alpha": MinerOption("Laplace smoothing; 0 is none.", least=0),
            "constraint": MinerOption(
                "How counts become possible ones: expected, knowing that none is negative; "
                "projected: the nearest; inverted: those below 0 are 0; likelihood: the likeliest."
            ),
        },
        sizes=lambda bayes: {"features": len(bayes.features)},
        counts_only=True,
    ),
    Miner(
        "logistic",
        "Mine a logistic regression with standard errors, through the disguise.",
        mine_logistic,
        Logistic,
        _logistic_text,
        noun="a logistic regression",
        options={
            "ridge": MinerOption("Penalty, for few or noisy records.", least=0),
            "method": MinerOption("By score equations, or by the likelihood of the reports."),
        },
        sizes=lambda logistic: {"coefficients": len(logistic.rows())},
    ),
    Miner(
        "rules",
        "Mine association rules: Apriori on estimated supports.\n\n"
        "What is printed under If and then can be given to `deniable estimate`, in your shell's "
        "quotes; so can items be quoted here.",
        mine_rules,
        RuleSet,
        _rules_table,
        noun="association rules",
        options={
            "min_support": MIN_SUPPORT,
            "min_confidence": MinerOption(
                "Least share of the premise's holders.", least=0, most=1, default=0.5
            ),
            "min_lift": MinerOption("Least lift.", least=0),
            "target": MinerOption("Conclude this attribute only."),
            "max_false": MinerOption(
                "Share, at most, of the rules that chance alone has made; 1 shows all.",
                least=0,
                most=1,
                above=True,
            ),
            "conclusions": MinerOption(
                "What may be concluded: items, attributes (all their values), single: one item "
                "only. Repeatable.  [default: any]",
                metavar="any|single|ITEM",
            ),
            "max_len": MAX_LEN,
            "items": ITEMS,
            "tolerance": TOLERANCE,
            "of": SUPPORTS_OF,
            "level": SUPPORT_LEVEL,
        },
        sizes=lambda rules: {"rules": len(rules)},
        counts_only=True,
    ),
    Miner(
        "itemsets",
        "Mine frequent item sets: what many hold together, by Apriori on estimated supports.",
        mine_itemsets,
        FrequentSets,
        _itemsets_table,
        noun="frequent item sets",
        options={
            "min_support": MIN_SUPPORT,
            "min_len": MinerOption("Fewest items in a set.", least=1),
            "max_len": MAX_LEN,
            "items": ITEMS,
            "tolerance": TOLERANCE,
            "of": SUPPORTS_OF,
            "level": SUPPORT_LEVEL,
        },
        sizes=lambda sets: {"itemsets": len(sets)},
        counts_only=True,
    ),
    Miner(
        "dependence",
        "Find which attributes depend on each other: the Chow–Liu tree, as a picture.",
        mine_dependence,
        DependenceTree,
        lambda tree: [tree.text()],
        noun="a tree of dependences",
        options={
            "attributes": MinerOption("Repeatable.  [default: all]"),
            "level": MinerOption("Chance of a link between independent attributes."),
        },
        sizes=lambda tree: {"links": len(tree.edges)},
        pictures={"svg": DependenceTree.svg, "dot": DependenceTree.dot},
    ),
)
