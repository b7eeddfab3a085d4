"""The miners as scikit-learn estimators: the design is a parameter.

Names are imported when they are first used: reading a model from a file needs no scikit-learn.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from deniable.estimators.classifiers import (
        DisguisedForestClassifier,
        DisguisedLogisticRegression,
        DisguisedNaiveBayes,
        DisguisedTreeClassifier,
    )
    from deniable.estimators.files import load_model, save_model
    from deniable.estimators.scoring import disguised_accuracy, disguised_scorer

_HOME = {
    "DisguisedForestClassifier": "classifiers",
    "DisguisedLogisticRegression": "classifiers",
    "DisguisedNaiveBayes": "classifiers",
    "DisguisedTreeClassifier": "classifiers",
    "disguised_accuracy": "scoring",
    "disguised_scorer": "scoring",
    "load_model": "files",
    "save_model": "files",
}

__all__ = [
    "DisguisedForestClassifier",
    "DisguisedLogisticRegression",
    "DisguisedNaiveBayes",
    "DisguisedTreeClassifier",
    "disguised_accuracy",
    "disguised_scorer",
    "load_model",
    "save_model",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'deniable.estimators' has no attribute {name!r}")
    return getattr(import_module(f"deniable.estimators.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
