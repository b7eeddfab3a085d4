"""How good a classifier is, on test records that may themselves be disguised.

Whether a record is classified correctly is a function of the record, and an oracle adds up such
functions through the disguise: the whole confusion matrix is an unbiased total, with the covariance
of its errors. On undisguised records the same code gives the usual numbers.

Two targets, as everywhere. ``population``, the default, is what a standard error of an accuracy
usually means: the test records are a sample of the people that the classifier is for, and without
disguise it is √(p(1−p)/n). ``sample`` asks how many of *these* test records are classified
correctly: only the disguise is random, and without it the standard error is 0. The estimates
themselves are the same, unbiased for both, and not clipped: an accuracy may exceed 1.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deniable.base.arrays import Codes, Floats
from deniable.base.errors import EstimateError, ModelError, nearest
from deniable.expression import ANY, Family
from deniable.mine.model import Classifier, checked_target
from deniable.mine.scores.confusion import Score
from deniable.oracle.api import CountOracle, Target, TotalOracle
from deniable.schema import Schema

Predict = Callable[[Codes], Any]
"""Takes codes ``[record, feature]``, gives the code of the predicted class of each record."""

SCORED_AT_ONCE = 1 << 22
"""Matches of records and leaves that are held at once."""

COVERED = 1e-6
"""Share of the records by which leaves may miss or repeat some: more is no rounding."""


def score(classifier: Classifier, oracle: TotalOracle, *, of: Target = "population") -> Score:
    """Score a classifier on the oracle's records; values may be listed in another order there."""
    schema, names = classifier.schema, (*classifier.features, classifier.target)
    _require_known(schema, oracle.schema, names)
    known = classifier.commonest
    return _scored(classifier.predict, schema.select(names), oracle, of, known)


def score_function(
    predict: Predict,
    features: Sequence[str],
    target: str,
    oracle: TotalOracle,
    *,
    of: Target = "population",
    commonest: str | None = None,
) -> Score:
    """Score any function from codes of the features to codes of the target.

    Codes are positions in the oracle's schema. A scikit-learn classifier that was fitted to codes
    is scored by its own ``predict``. It is compared with always answering the ``commonest`` class;
    by default, of the oracle's records.

    >>> from deniable.oracle.exact import ExactOracle
    >>> schema = Schema.of({"smokes": ["no", "yes"], "ill": ["no", "yes"]})
    >>> people = {"smokes": ["no", "no", "yes", "yes"], "ill": ["no", "yes", "yes", "yes"]}
    >>> smokers = score_function(lambda codes: codes[:, 0], ["smokes"], "ill",
    ...     ExactOracle(people, schema))
    >>> smokers.accuracy, smokers.confusion.tolist()
    (0.75, [[1.0, 0.0], [1.0, 2.0]])
    """
    checked_target(target, oracle.schema)
    return _scored(predict, oracle.schema.select((*features, target)), oracle, of, commonest)


def score_leaves(
    leaves: Family,
    labels: Codes,
    target: str,
    oracle: CountOracle,
    *,
    of: Target = "population",
    exact_errors: bool = True,
    commonest: str | None = None,
) -> Score:
    """Score rules that split the records between them: ``labels[l]`` is predicted in leaf l.

    The matrix is made of plain counts, N̂(leaf ∧ class), which every oracle has and which stay cheap
    however wide the records are. Its covariances are exact where the oracle can add up functions of
    so many columns; otherwise, or where ``exact_errors`` is off, the disguise's errors of different
    counts are taken as uncorrelated, and the score says so. With a single disguised group, of the
    unrelated model or of yes/no attributes, they are never positively correlated, so that the
    accuracy's standard error is on the safe side; with several it is mostly a tenth too large, and
    may be a third too small (measured, for 16 leaves and up to six groups).
    """
    attribute = oracle.schema[checked_target(target, oracle.schema)]
    predicted = _checked_codes(labels, len(leaves), attribute.size)
    if exact_errors and isinstance(oracle, TotalOracle):
        try:
            used = _named(leaves)
            by_leaf = _by_leaf(used, predicted)
            return score_function(by_leaf, used.columns, target, oracle, of=of, commonest=commonest)
        except EstimateError:
            pass  # too many patterns, or nothing to count at all, which counting says as well
    k = attribute.size
    classes = np.tile(np.arange(k), len(leaves))
    codes = np.column_stack([leaves.codes.repeat(k, axis=0), classes])
    found = oracle.count(Family((*leaves.columns, target), codes), of=of)
    if abs(found.value.sum() - found.n) > COVERED * found.n:
        raise _not_a_partition()
    cells = classes * k + predicted.repeat(k)
    counts = _summed(cells, found.value, k * k)
    if of == "sample":
        covariance = np.diag(_summed(cells, found.variance, k * k))
    else:  # what sampling does to disjoint counts is known, covariances and all
        disguise = found.variance - found.value * (1 - found.value / found.n)
        sampling = np.diag(counts) - np.outer(counts, counts) / found.n
        covariance = np.diag(_summed(cells, disguise, k * k)) + sampling
    assumes = "the disguise's errors in different leaves and classes are uncorrelated"
    return Score.of_counts(found.n, of, attribute, counts, covariance, assumes, commonest)


def _scored(
    predict: Predict, schema: Schema, oracle: TotalOracle, of: Target, commonest: str | None
) -> Score:
    """Add up the cells of the confusion matrix; the target is the schema's last attribute."""
    target, k = schema.attributes[-1], schema.sizes[-1]

    def cells(codes: Codes) -> Floats:
        own = Family(schema.names, codes).recoded(oracle.schema, schema).codes
        predicted = _checked_codes(predict(own[:, :-1]), len(own), k)
        one_hot: Floats = np.eye(k * k)[own[:, -1] * k + predicted]
        return one_hot

    if not isinstance(oracle, TotalOracle):
        raise ModelError(
            "These test records can only be asked for counts of conjunctions.",
            hint="A tree can be scored by its leaves; or score on records of one known design.",
        )
    found = oracle.total(schema.names, cells, of=of)
    cells_found = found.value, found.covariance
    return Score.of_counts(found.n, of, target, *cells_found, commonest=commonest)


def _named(leaves: Family) -> Family:
    """Leave out columns that no leaf asks for."""
    named = (leaves.codes != ANY).any(axis=0)
    columns = (name for name, keep in zip(leaves.columns, named, strict=True) if keep)
    return Family(tuple(columns), leaves.codes[:, named])


def _by_leaf(leaves: Family, labels: Codes) -> Predict:
    """Find each record's leaf by counting, in one matrix product, how many of its terms hold."""
    sizes = leaves.codes.max(axis=0, initial=0) + 1
    asked = [
        np.equal.outer(np.arange(k), own) for k, own in zip(sizes, leaves.codes.T, strict=True)
    ]
    terms = np.concatenate([*asked, np.zeros((1, len(leaves)))]).astype(np.float32)
    length = (leaves.codes != ANY).sum(axis=1)

    def predict(codes: Codes) -> Codes:
        found = np.empty(len(codes), dtype=np.int64)
        step = max(1, SCORED_AT_ONCE // max(len(leaves), len(terms)))
        for start in range(0, len(codes), step):
            block = codes[start : start + step]
            held = [
                np.equal.outer(own, np.arange(k)) for k, own in zip(sizes, block.T, strict=True)
            ]
            given = np.concatenate([*held, np.zeros((len(block), 1))], axis=1).astype(np.float32)
            fits = given @ terms == length
            if (fits.sum(axis=1) != 1).any():
                raise _not_a_partition()
            found[start : start + step] = labels[fits.argmax(axis=1)]
        return found

    return predict


def _require_known(model: Schema, data: Schema, names: Sequence[str]) -> None:
    """Refuse records that lack an attribute of the model, or have values it has never seen."""
    for name in names:
        if name not in data:
            raise ModelError(
                f"The model needs {name!r}, which the test records do not have.",
                hint=nearest(name, data.names),
            )
        unseen = [value for value in data[name].values if value not in model[name]]
        if unseen:
            raise ModelError(
                f"The model has never seen {name}={unseen[0]}.",
                hint=nearest(unseen[0], model[name].values),
            )


def _checked_codes(predicted: Any, n: int, classes: int) -> Codes:
    """Refuse predictions that are no codes of the target."""
    found: NDArray[Any] = np.asarray(predicted)
    if found.shape != (n,) or not np.issubdtype(found.dtype, np.integer):
        raise ModelError(
            f"A classifier gave {found.dtype} of shape {found.shape} for {n} records.",
            hint="It must give one code of the target, an integer, for each.",
        )
    if n and (found.min() < 0 or found.max() >= classes):
        raise ModelError(
            f"A classifier predicted codes outside 0 … {classes - 1}.",
            hint="A code is a value's position in the target's list of values.",
        )
    return found.astype(np.int64, copy=False)


def _summed(cells: Codes, counts: Floats, size: int) -> Floats:
    return np.bincount(cells, counts, minlength=size).astype(np.float64)


def _not_a_partition() -> ModelError:
    return ModelError(
        "The leaves do not hold every record exactly once.",
        hint="Give all leaves of one tree.",
    )
