"""What all estimators share: reports in, a mined model, predictions for undisguised records."""

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, fields
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_consistent_length, check_random_state, column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from deniable.base.arrays import Codes, Floats
from deniable.base.errors import ModelError
from deniable.estimators.domains import Array, InputError, columns_of, typed
from deniable.estimators.input_columns import AnyDesign, InputColumns, as_design, chosen_target
from deniable.mine.model import Classifier
from deniable.mine.scores.confusion import Score
from deniable.mine.scores.score import score_function
from deniable.oracle.api import Target
from deniable.oracle.randomized import RandomizedOracle

Mined = TypeVar("Mined", bound=Classifier)


@dataclass(repr=False, eq=False)
class ReportClassifier(ClassifierMixin, BaseEstimator, Generic[Mined]):  # type: ignore[misc] # no types
    """A classifier that learns from disguised records and predicts for undisguised ones.

    `fit` takes reports: a data frame whose columns are attributes of the design (all or some), or
    an array of all of them but the target, in the design's order; values as the design writes them,
    or the numbers and booleans that they stand for. The class in y is disguised if the design says
    so. `predict` takes records as they are, with the same columns.

    Parameters of every estimator:

    - ``design``: a `Design`, the path of a design.yaml, or None: nothing is disguised. Then the
      domain of each column is the values it shows: whole numbers, booleans and words are
      categories; numbers with fractions are cut at quantiles into ``n_bins``. To predict, a number
      that fit has not seen is taken for the nearest that it has; an unseen word is refused. With a
      design every value that it does not list is refused.
    - ``target``: the attribute that y holds; by default the name of y, if it has one that is in the
      design, else the design's last attribute.

    Learned: ``model_`` (plain data; `save_model` writes it), ``design_`` (of the columns used),
    ``target_``, ``classes_`` (all that the design lists, sorted, in y's own type), and
    ``n_features_in_`` and ``feature_names_in_`` as usual.

    Each estimator is a miner: its fields are scikit-learn's parameters, and those that are not
    listed here go to the miner, by the same names.
    """

    design: AnyDesign = None
    _: KW_ONLY
    target: str | None = None
    n_bins: int = 10

    _miner: ClassVar[Callable[..., Any]]

    def fit(self, X: Any, y: Any) -> Self:
        """Learn from disguised records and classes."""
        labels = validate_data(self, y=y)
        columns = self._columns(X, reset=True)
        check_consistent_length(columns[0], labels)
        self._reading = self._read(y, columns, labels)
        self._reading.require_same_design(X)
        self.design_, self.target_ = self._reading.design, self._reading.target.name
        values = typed(self._reading.target.values, labels)
        # Sorted, as scikit-learn's own metrics take it for granted.
        self._order = np.argsort(values, kind="stable")
        self.classes_ = values[self._order]
        self.model_: Mined = self._mined(self._reading.oracle(columns, labels))
        return self

    def predict_proba(self, X: Any) -> Floats:
        """Give the chance of each class of ``classes_`` for undisguised records."""
        return self._chances(self._codes(X))

    def predict(self, X: Any) -> Array:
        """Give the likeliest class of undisguised records."""
        likeliest = self.predict_proba(X).argmax(axis=1)
        found: Array = self.classes_[likeliest]
        return found

    def score(self, X: Any, y: Any) -> float:
        """Estimate the accuracy on test records that are disguised as those of fit were.

        It is what `disguised_score` gives beside its standard error: unbiased, so it may exceed 1.
        For *undisguised* test records use ``accuracy_score(y, estimator.predict(X))``; without a
        design nothing is disguised, and that is what this gives.
        """
        if self.design is None:
            return float(super().score(X, y))
        return self.disguised_score(X, y).accuracy

    def disguised_score(self, X: Any, y: Any, *, of: Target = "population") -> Score:
        """Estimate accuracy and confusion matrix, with standard errors, on disguised test records.

        About the population that the test records are a sample of, or (``of="sample"``) about these
        very records, of which only the disguise is random.
        """
        check_is_fitted(self)
        columns = self._columns(X, reset=False)
        labels = column_or_1d(y)
        check_consistent_length(columns[0], labels)
        self._reading.require_same_design(X)
        return self._scored(self._reading.oracle(columns, labels), of)

    def _mined(self, oracle: RandomizedOracle) -> Mined:
        given = self.get_params(deep=False)
        options = {name: value for name, value in given.items() if name not in OF_ALL}
        if "random_state" in options:
            options["random_state"] = _seed(options["random_state"])
        found: Mined = self._miner(oracle, self.target_, **options)
        return found

    def _scored(self, oracle: RandomizedOracle, of: Target) -> Score:
        features = self.design_.schema.names[:-1]

        def predict(codes: Codes) -> Codes:
            likeliest: Codes = self._order[self._chances(codes).argmax(axis=1)]
            return likeliest

        asked = predict, features, self.target_, oracle
        return score_function(*asked, of=of, commonest=self.model_.commonest)

    def _chances(self, codes: Codes) -> Floats:
        return self.model_.probabilities(codes)[:, self._order]

    def _codes(self, X: Any) -> Codes:
        check_is_fitted(self)
        return self._reading.codes(self._columns(X, reset=False))

    def _columns(self, X: Any, *, reset: bool) -> list[Any]:
        """Validate X; a data frame keeps its columns, each of its own type."""
        shape = getattr(X, "shape", ())
        if hasattr(X, "__arrow_c_stream__") and len(shape) == 2:  # noqa: PLR2004
            validate_data(self, X, reset=reset, skip_check_array=True)
            if 0 in shape:
                raise InputError(f"X is empty: its shape is {shape}.", hint="Give some records.")
            return columns_of(X)
        return columns_of(validate_data(self, X, reset=reset, dtype=None))

    def _read(self, y: Any, columns: list[Any], labels: Array) -> InputColumns:
        names = getattr(self, "feature_names_in_", None)
        if self.design is not None:
            design = as_design(self.design)
            target = chosen_target(self.target, y, design)
            return InputColumns.given(design, target, names, len(columns))
        check_classification_targets(labels)
        bins: object = self.n_bins  # parameters may be set to anything
        if not isinstance(bins, int) or bins < 2:  # noqa: PLR2004
            raise ModelError(f"n_bins = {bins!r} are none.", hint="Use a whole number above 1.")
        target = chosen_target(self.target, y, None)
        return InputColumns.learned(columns, labels, names, target, bins)


OF_ALL = frozenset(field.name for field in fields(ReportClassifier))
"""Parameters of every estimator; the others are its miner's."""


def _seed(random_state: Any) -> int:
    """Make a miner's seed of what scikit-learn takes; a whole number stays what it is."""
    if isinstance(random_state, (int, np.integer)):
        return int(random_state)
    return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))
