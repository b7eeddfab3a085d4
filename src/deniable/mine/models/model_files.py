"""Models on disk: JSON with a schema and a version, never pickles."""

import json
import os
from pathlib import Path

from deniable.base.errors import DataError, ModelError
from deniable.base.files import write_whole
from deniable.mine.bayes import NaiveBayes
from deniable.mine.dependence import DependenceTree
from deniable.mine.forest import Forest
from deniable.mine.logistic import Logistic
from deniable.mine.models.model import Model, read_document
from deniable.mine.rules.association_rules import RuleSet
from deniable.mine.tree.decision_tree import DecisionTree

MODEL_KINDS: dict[str, type[Model]] = {
    model.kind: model
    for model in (DecisionTree, Forest, NaiveBayes, Logistic, RuleSet, DependenceTree)
}


def save_model(model: Model, path: str | Path) -> None:
    """Write a model as JSON; the file appears whole, or not at all."""
    text = json.dumps(model.document(), ensure_ascii=False, allow_nan=False)
    write_whole(path, text + "\n")


def load_model(path: str | Path) -> Model:
    """Read a model of any kind, and say clearly what is wrong with a file that holds none."""
    try:
        document = json.loads(Path(path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise DataError(f"{path} does not exist.", hint="Check the name.") from None
    except IsADirectoryError:
        raise DataError(f"{path} is a directory.", hint="Name a model's file.") from None
    except OSError as error:
        reason = os.strerror(error.errno).lower() if error.errno else str(error)
        raise DataError(f"{path} cannot be read: {reason}.") from None
    except (ValueError, RecursionError):  # not UTF-8, not JSON, or JSON no model is written as
        raise ModelError(
            f"{path} is not JSON, so not a model.", hint="Write one by --out."
        ) from None
    return read_document(document, MODEL_KINDS, str(path))
