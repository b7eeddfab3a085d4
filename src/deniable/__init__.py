"""Randomized response, whole: disguise answers at the source, count through the disguise.

    design = Design.load("design.yaml")
    reports = disguise(people, design)
    RandomizedOracle(reports, design).count(["smokes=yes & region=north"])

Names are imported when they are first used, so that ``import deniable`` stays quick and a server
that never disguises never loads the code that does.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from deniable.base.errors import DeniableError
    from deniable.design import Design
    from deniable.engine.memory.records import Records
    from deniable.engine.open_table import open_table
    from deniable.estimators.classifiers import (
        DisguisedClassifier,
        DisguisedForestClassifier,
        DisguisedGroupwiseClassifier,
        DisguisedLogisticRegression,
        DisguisedNaiveBayes,
        DisguisedTreeClassifier,
    )
    from deniable.estimators.scoring import disguised_accuracy, disguised_scorer
    from deniable.expression import Conjunction, Family
    from deniable.mine.bayes import mine_bayes
    from deniable.mine.best.mine_best import mine_best
    from deniable.mine.chance import evidence
    from deniable.mine.dependence import mine_dependence
    from deniable.mine.forest import mine_forest
    from deniable.mine.groupwise import mine_groupwise
    from deniable.mine.logistic import mine_logistic
    from deniable.mine.models.model_files import load_model, save_model
    from deniable.mine.rules.association_rules import mine_rules
    from deniable.mine.rules.frequent_sets import mine_itemsets
    from deniable.mine.scores.confusion import Score
    from deniable.mine.scores.personal_bits import score_with_personal_bits
    from deniable.mine.scores.score import score
    from deniable.mine.tree.mine_tree import mine_tree
    from deniable.oracle.api import CountOracle, Estimates
    from deniable.oracle.exact import ExactOracle
    from deniable.oracle.likelihood.joint_table import JointTable, joint_table
    from deniable.oracle.pooled import PooledOracle
    from deniable.oracle.randomized import RandomizedOracle
    from deniable.oracle.two_samples import GreenbergOracle
    from deniable.privacy.attack.attacker import attack, reconstruct
    from deniable.privacy.attack.audit import audited_epsilon
    from deniable.privacy.plan.plan_survey import plan_survey
    from deniable.privacy.population import Population
    from deniable.privacy.report.figures import PrivacyReport
    from deniable.privacy.report.privacy_report import privacy_report
    from deniable.schema import Attribute, Schema
    from deniable.source.disguise import disguise

__version__ = "0.1.0"

_HOME = {
    "Attribute": "schema",
    "Conjunction": "expression",
    "CountOracle": "oracle.api",
    "DeniableError": "base.errors",
    "Design": "design",
    "DisguisedClassifier": "estimators.classifiers",
    "DisguisedForestClassifier": "estimators.classifiers",
    "DisguisedGroupwiseClassifier": "estimators.classifiers",
    "DisguisedLogisticRegression": "estimators.classifiers",
    "DisguisedNaiveBayes": "estimators.classifiers",
    "DisguisedTreeClassifier": "estimators.classifiers",
    "Estimates": "oracle.api",
    "ExactOracle": "oracle.exact",
    "Family": "expression",
    "GreenbergOracle": "oracle.two_samples",
    "JointTable": "oracle.likelihood.joint_table",
    "PooledOracle": "oracle.pooled",
    "Population": "privacy.population",
    "PrivacyReport": "privacy.report.figures",
    "RandomizedOracle": "oracle.randomized",
    "Records": "engine.memory.records",
    "Schema": "schema",
    "Score": "mine.scores.confusion",
    "attack": "privacy.attack.attacker",
    "audited_epsilon": "privacy.attack.audit",
    "disguise": "source.disguise",
    "disguised_accuracy": "estimators.scoring",
    "disguised_scorer": "estimators.scoring",
    "joint_table": "oracle.likelihood.joint_table",
    "load_model": "mine.models.model_files",
    "mine_bayes": "mine.bayes",
    "mine_dependence": "mine.dependence",
    "evidence": "mine.chance",
    "mine_forest": "mine.forest",
    "mine_best": "mine.best.mine_best",
    "mine_groupwise": "mine.groupwise",
    "mine_itemsets": "mine.rules.frequent_sets",
    "mine_logistic": "mine.logistic",
    "mine_rules": "mine.rules.association_rules",
    "mine_tree": "mine.tree.mine_tree",
    "open_table": "engine.open_table",
    "plan_survey": "privacy.plan.plan_survey",
    "privacy_report": "privacy.report.privacy_report",
    "reconstruct": "privacy.attack.attacker",
    "save_model": "mine.models.model_files",
    "score": "mine.scores.score",
    "score_with_personal_bits": "mine.scores.personal_bits",
}

__all__ = [
    "Attribute",
    "Conjunction",
    "CountOracle",
    "DeniableError",
    "Design",
    "DisguisedClassifier",
    "DisguisedForestClassifier",
    "DisguisedGroupwiseClassifier",
    "DisguisedLogisticRegression",
    "DisguisedNaiveBayes",
    "DisguisedTreeClassifier",
    "Estimates",
    "ExactOracle",
    "Family",
    "GreenbergOracle",
    "JointTable",
    "PooledOracle",
    "Population",
    "PrivacyReport",
    "RandomizedOracle",
    "Records",
    "Schema",
    "Score",
    "attack",
    "audited_epsilon",
    "disguise",
    "disguised_accuracy",
    "disguised_scorer",
    "evidence",
    "joint_table",
    "load_model",
    "mine_bayes",
    "mine_best",
    "mine_dependence",
    "mine_forest",
    "mine_groupwise",
    "mine_itemsets",
    "mine_logistic",
    "mine_rules",
    "mine_tree",
    "open_table",
    "plan_survey",
    "privacy_report",
    "reconstruct",
    "save_model",
    "score",
    "score_with_personal_bits",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'deniable' has no attribute {name!r}")
    return getattr(import_module(f"deniable.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
