"""A model read as rules: what its holder can conclude about one person.

Each set of rules is one way to guess: its premises exclude each other, and each concludes the
likeliest value. For measuring what a published model gives away
(`deniable.privacy.measures.rule_recovery`).
"""

from functools import singledispatch
from math import prod

from deniable.base.arrays import Floats
from deniable.base.errors import ModelError
from deniable.expression import ANY, Conjunction, Family, Implication, rule_sets
from deniable.mine.bayes import NaiveBayes
from deniable.mine.forest import Forest
from deniable.mine.model import Classifier, Model
from deniable.mine.rules.rule_set import RuleSet
from deniable.mine.tree.decision_tree import DecisionTree

MOST_PATTERNS = 4096

Sets = list[list[Implication]]


@singledispatch
def implications(model: Model) -> Sets:
    """Give the sets of rules that a model amounts to."""
    raise ModelError(
        f"A {model.kind} model holds no rules about single people.",
        hint="Give a tree, forest, bayes, logistic or rules model.",
    )


@implications.register
def _(model: DecisionTree) -> Sets:
    """One rule per leaf."""
    return [_concluded(model, model.paths(model.leaves), model.shares[model.leaves])]


@implications.register
def _(model: Forest) -> Sets:
    """Each tree is a way to guess."""
    return [rules for tree in model.trees for rules in implications(tree)]


@implications.register
def _(model: NaiveBayes) -> Sets:
    """Each feature alone is a way to guess."""
    found = []
    for name, conditional in zip(model.features, model.conditionals, strict=True):
        joint = model.prior[:, None] * conditional
        shares = (joint / joint.sum(axis=0)).T
        found.append(_concluded(model, Family.table([name], model.schema), shares))
    return found


@implications.register
def _(model: Classifier) -> Sets:
    """Every pattern of the features is a premise."""
    patterns = prod(model.schema[name].size for name in model.features)
    if patterns > MOST_PATTERNS:
        raise ModelError(
            f"The {model.kind} model has {patterns:,} patterns of features, too many to read as "
            "rules.",
            hint="Give a tree or a rules model.",
        )
    family = Family.table(model.features, model.schema)
    return [_concluded(model, family, model.probabilities(family.codes))]


@implications.register
def _(model: RuleSet) -> Sets:
    """Rules with premises about the same attributes, together; those that conclude one value."""
    return rule_sets(
        Implication(rule.premise, *rule.conclusion.terms[0], rule.confidence.value)
        for rule in model
        if len(rule.conclusion.terms) == 1
    )


def _concluded(model: Classifier, premises: Family, shares: Floats) -> list[Implication]:
    """From each premise, the likeliest class."""
    values = model.schema[model.target].values
    found = []
    for codes, own in zip(premises.codes, shares, strict=True):
        terms = (
            (name, model.schema[name].values[code])
            for name, code in zip(premises.columns, codes, strict=True)
            if code != ANY
        )
        likeliest = values[own.argmax()]
        found.append(
            Implication(Conjunction(tuple(terms)), model.target, likeliest, float(own.max()))
        )
    return found
