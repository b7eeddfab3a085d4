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
    from deniable.design import Design
    from deniable.engine.opening import open_table
    from deniable.engine.records import Records
    from deniable.errors import DeniableError
    from deniable.estimators.classifiers import (
        DisguisedForestClassifier,
        DisguisedLogisticRegression,
        DisguisedNaiveBayes,
        DisguisedTreeClassifier,
    )
    from deniable.estimators.files import load_model, save_model
    from deniable.estimators.scoring import disguised_accuracy, disguised_scorer
    from deniable.experiments.attacked import privacy_report
    from deniable.expression import Conjunction, Family
    from deniable.mine.bayes import mine_bayes
    from deniable.mine.confusion import Score
    from deniable.mine.dependence import mine_dependence
    from deniable.mine.forest import mine_forest
    from deniable.mine.logistic import mine_logistic
    from deniable.mine.rules import mine_rules
    from deniable.mine.score import score
    from deniable.mine.tree import mine_tree
    from deniable.oracle.base import CountOracle, Estimates
    from deniable.oracle.exact import ExactOracle
    from deniable.oracle.greenberg import GreenbergOracle
    from deniable.oracle.joint import JointTable, joint_table
    from deniable.oracle.pooled import PooledOracle
    from deniable.oracle.randomized import RandomizedOracle
    from deniable.privacy.attacker import attack, reconstruct
    from deniable.privacy.audit import audited_epsilon
    from deniable.privacy.planning.survey import plan_survey
    from deniable.privacy.population import Population
    from deniable.privacy.report import PrivacyReport
    from deniable.schema import Attribute, Schema
    from deniable.source.disguise import disguise

__version__ = "0.1.0"

_HOME = {
    "Attribute": "schema",
    "Conjunction": "expression",
    "CountOracle": "oracle.base",
    "DeniableError": "errors",
    "Design": "design",
    "DisguisedForestClassifier": "estimators.classifiers",
    "DisguisedLogisticRegression": "estimators.classifiers",
    "DisguisedNaiveBayes": "estimators.classifiers",
    "DisguisedTreeClassifier": "estimators.classifiers",
    "Estimates": "oracle.base",
    "ExactOracle": "oracle.exact",
    "Family": "expression",
    "GreenbergOracle": "oracle.greenberg",
    "JointTable": "oracle.joint",
    "PooledOracle": "oracle.pooled",
    "Population": "privacy.population",
    "PrivacyReport": "privacy.report",
    "RandomizedOracle": "oracle.randomized",
    "Records": "engine.records",
    "Schema": "schema",
    "Score": "mine.confusion",
    "attack": "privacy.attacker",
    "audited_epsilon": "privacy.audit",
    "disguise": "source.disguise",
    "disguised_accuracy": "estimators.scoring",
    "disguised_scorer": "estimators.scoring",
    "joint_table": "oracle.joint",
    "load_model": "estimators.files",
    "mine_bayes": "mine.bayes",
    "mine_dependence": "mine.dependence",
    "mine_forest": "mine.forest",
    "mine_logistic": "mine.logistic",
    "mine_rules": "mine.rules",
    "mine_tree": "mine.tree",
    "open_table": "engine.opening",
    "plan_survey": "privacy.planning.survey",
    "privacy_report": "experiments.attacked",
    "reconstruct": "privacy.attacker",
    "save_model": "estimators.files",
    "score": "mine.score",
}

__all__ = [
    "Attribute",
    "Conjunction",
    "CountOracle",
    "DeniableError",
    "Design",
    "DisguisedForestClassifier",
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
    "joint_table",
    "load_model",
    "mine_bayes",
    "mine_dependence",
    "mine_forest",
    "mine_logistic",
    "mine_rules",
    "mine_tree",
    "open_table",
    "plan_survey",
    "privacy_report",
    "reconstruct",
    "save_model",
    "score",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'deniable' has no attribute {name!r}")
    return getattr(import_module(f"deniable.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
