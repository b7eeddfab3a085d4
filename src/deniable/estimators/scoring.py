"""The accuracy of any scikit-learn classifier, on disguised test records."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.utils import check_consistent_length, column_or_1d

from deniable.base.arrays import Codes
from deniable.base.errors import ModelError, listed
from deniable.design import Design
from deniable.estimators.domains import Array, InputError, columns_of, encoded, names_of, typed
from deniable.estimators.input_columns import AnyDesign, InputColumns, as_design, chosen_target
from deniable.estimators.report_classifier import ReportClassifier
from deniable.mine.scores.confusion import Score
from deniable.mine.scores.score import score_function
from deniable.oracle.api import Target
from deniable.schema import Attribute, Schema


def disguised_accuracy(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    design: Design | str | Path,
    target: str | None = None,
    of: Target = "population",
) -> Score:
    """Estimate what a fitted classifier's accuracy is, from disguised test records.

    The classifier may be any that predicts from undisguised records: however it was trained, it is
    asked about tables like X, of every record that the reports could stand for. X and y are read as
    `ReportClassifier` reads them. The estimate is unbiased; see `Score` for its standard error
    and the confusion matrix.
    """
    table = X if hasattr(X, "__arrow_c_stream__") else np.asarray(X)
    columns, labels = columns_of(table), column_or_1d(y)
    check_consistent_length(columns[0], labels)
    found = as_design(design)
    chosen = chosen_target(target, y, found)
    reading = InputColumns.given(found, chosen, names_of(table), len(columns))
    reading.require_same_design(X)
    *features, last = reading.design.schema.names
    rebuilt = _like(table, columns, reading.design.schema)

    def predict(codes: Codes) -> Codes:
        predicted = np.asarray(estimator.predict(rebuilt(codes)))
        return encoded(predicted, reading.domains[-1]).astype(np.int64)

    return score_function(predict, features, last, reading.oracle(columns, labels), of=of)


def disguised_scorer(
    design: AnyDesign = None, *, target: str | None = None
) -> Callable[[Any, Any, Any], float]:
    """Make a ``scoring=`` for cross_val_score, GridSearchCV and the like, on disguised data.

    Give the design to score estimators that know nothing of it. An estimator of this package, or a
    Pipeline that ends in one, knows its own.
    """
    return partial(_accuracy, design, target)  # which other processes can be sent


def _accuracy(design: AnyDesign, target: str | None, estimator: Any, X: Any, y: Any) -> float:
    if design is not None:
        return disguised_accuracy(estimator, X, y, design=design, target=target).accuracy
    last = estimator.steps[-1][1] if hasattr(estimator, "steps") else estimator
    if not isinstance(last, ReportClassifier):
        raise ModelError(
            f"A {type(last).__name__} has no design to undo the disguise of its test records.",
            hint="Say disguised_scorer(design=…).",
        )
    return float(estimator.score(X, y))


def _like(table: Any, columns: list[Any], schema: Schema) -> Callable[[Codes], Any]:
    """Build tables of the kind and types of a given one, from codes of its columns."""
    pairs = zip(schema, columns, strict=False)
    values = [_in_kind(attribute, column) for attribute, column in pairs]

    def rebuilt(codes: Codes) -> Any:
        parts = [own[place] for own, place in zip(values, codes.T, strict=True)]
        if isinstance(table, np.ndarray):
            whole = np.stack(parts, axis=1)
            return whole.astype(table.dtype) if table.dtype.kind in "biuf" else whole
        if hasattr(table, "from_pydict"):  # Arrow
            return table.from_pydict(dict(zip(table.column_names, parts, strict=True)))
        named = dict(zip(table.columns, parts, strict=True))
        if hasattr(table, "astype"):  # pandas
            return type(table)(named).astype(table.dtypes.to_dict())
        return type(table)(named, schema=table.schema)  # polars

    return rebuilt


def _in_kind(attribute: Attribute, column: Any) -> Array:
    """A domain's values as the kind of number, or the text, that a column holds."""
    numeric = isinstance(column, np.ndarray) and column.dtype.kind in "biuf"
    whole = numeric and column.dtype.kind in "iu"
    # A column that was read as bytes may have had wider numbers.
    values = typed(attribute.values, column[:1].astype(np.int64) if whole else column)
    if numeric and values.dtype.kind not in "biuf":
        raise InputError(
            f"{attribute.name!r} is a column of numbers, but the design lists "
            f"{listed(attribute.values)}.",
            hint="Give the column as text.",
        )
    return values
