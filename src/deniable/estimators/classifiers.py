"""The four classifiers; each names the parameters of one miner."""

from pathlib import Path
from typing import Any

from deniable.design import Design
from deniable.estimators.classifier import BINS, DisguisedClassifier, random_state_of
from deniable.mine.bayes import Constraint, NaiveBayes, mine_bayes
from deniable.mine.forest import PART, STRENGTH, TREES, Forest, mine_forest
from deniable.mine.logistic import Logistic, mine_logistic
from deniable.mine.scores.confusion import Score
from deniable.mine.scores.score import score_leaves
from deniable.mine.tree.decision_tree import FOLDS, DecisionTree, Growth, mine_tree
from deniable.oracle.api import Target
from deniable.oracle.randomized import RandomizedOracle

AnyDesign = Design | str | Path | None


class DisguisedTreeClassifier(DisguisedClassifier):
    """A decision tree from disguised records.

    ``growth`` is ``noise-aware`` (splits that the disguise's noise explains are dropped, how
    strictly is cross-validated by ``cv`` unless ``strength`` says) or ``faithful``, the papers'
    ID3. See `DisguisedClassifier` for ``design``, ``target`` and ``n_bins``.

    >>> X, y = [["young"], ["young"], ["old"], ["old"]] * 5, ["no", "no", "yes", "yes"] * 5
    >>> DisguisedTreeClassifier().fit(X, y).predict([["old"], ["young"]])
    array(['yes', 'no'], dtype='<U3')
    """

    model_: DecisionTree

    def __init__(
        self,
        design: AnyDesign = None,
        *,
        target: str | None = None,
        growth: Growth = "noise-aware",
        max_depth: int | None = None,
        strength: float | None = None,
        cv: int = FOLDS,
        n_bins: int = BINS,
        random_state: Any = 0,
    ) -> None:
        self.design = design
        self.target = target
        self.growth = growth
        self.max_depth = max_depth
        self.strength = strength
        self.cv = cv
        self.n_bins = n_bins
        self.random_state = random_state

    def _mine(self, oracle: RandomizedOracle, target: str) -> DecisionTree:
        return mine_tree(
            oracle,
            target,
            growth=self.growth,
            max_depth=self.max_depth,
            strength=self.strength,
            cv=self.cv,
            random_state=random_state_of(self.random_state),
        )

    def _scored(self, oracle: RandomizedOracle, of: Target) -> Score:
        """Score by the leaves, which ask for the tree's own columns only."""
        tree, leaves = self.model_, self.model_.leaves
        labels = self._order[tree.shares[leaves][:, self._order].argmax(axis=1)]
        return score_leaves(tree.paths(leaves), labels, self.target_, oracle, of=of)


class DisguisedForestClassifier(DisguisedClassifier):
    """A forest of ``n_estimators`` trees, each mined from reports drawn again.

    ``max_features`` is the share of the attributes that a node may choose from. See
    `DisguisedClassifier` for ``design``, ``target`` and ``n_bins``.

    >>> X, y = [[0, 1], [0, 0], [1, 1], [1, 0]] * 9, [0, 0, 1, 1] * 9
    >>> DisguisedForestClassifier(n_estimators=9).fit(X, y).predict([[1, 1], [0, 0]])
    array([1, 0])
    """

    model_: Forest

    def __init__(
        self,
        design: AnyDesign = None,
        *,
        target: str | None = None,
        n_estimators: int = TREES,
        max_features: float = PART,
        max_depth: int | None = None,
        strength: float = STRENGTH,
        n_bins: int = BINS,
        random_state: Any = 0,
    ) -> None:
        self.design = design
        self.target = target
        self.n_estimators = n_estimators
        self.max_features = max_features
        self.max_depth = max_depth
        self.strength = strength
        self.n_bins = n_bins
        self.random_state = random_state

    def _mine(self, oracle: RandomizedOracle, target: str) -> Forest:
        return mine_forest(
            oracle,
            target,
            n_estimators=self.n_estimators,
            max_features=self.max_features,
            strength=self.strength,
            max_depth=self.max_depth,
            random_state=random_state_of(self.random_state),
        )


class DisguisedNaiveBayes(DisguisedClassifier):
    """Naive Bayes from disguised records; without disguise, the same as CategoricalNB.

    ``alpha`` is added to each value's count in each class; ``constraint`` says how unbiased counts
    become possible ones (`mine_bayes`). See `DisguisedClassifier` for ``design``, ``target`` and
    ``n_bins``.

    >>> model = DisguisedNaiveBayes().fit([[0], [0], [1], [1]], ["no", "no", "no", "yes"])
    >>> model.predict_proba([[0], [1]]).round(2)
    array([[0.84, 0.16],
           [0.64, 0.36]])
    """

    model_: NaiveBayes

    def __init__(
        self,
        design: AnyDesign = None,
        *,
        target: str | None = None,
        alpha: float = 1.0,
        constraint: Constraint = "expected",
        n_bins: int = BINS,
    ) -> None:
        self.design = design
        self.target = target
        self.alpha = alpha
        self.constraint = constraint
        self.n_bins = n_bins

    def _mine(self, oracle: RandomizedOracle, target: str) -> NaiveBayes:
        return mine_bayes(oracle, target, alpha=self.alpha, constraint=self.constraint)


class DisguisedLogisticRegression(DisguisedClassifier):
    """Logistic regression from disguised records, with standard errors.

    ``ridge`` is scikit-learn's 1/C, and as there 1 by default. For inference set it to 0: standard
    errors do not include what a penalty shifts. ``model_.rows()`` is the table of coefficients. See
    `DisguisedClassifier` for ``design``, ``target`` and ``n_bins``.

    >>> X, y = [["no"]] * 50 + [["yes"]] * 50, [0] * 40 + [1] * 10 + [0] * 20 + [1] * 30
    >>> for row in DisguisedLogisticRegression(ridge=0).fit(X, y).model_.rows():
    ...     print(f"{row.name}: {row.estimate:.2f} ± {row.std_error:.2f}")
    (intercept): -1.39 ± 0.35
    x0=yes: 1.79 ± 0.46
    """

    model_: Logistic

    def __init__(
        self,
        design: AnyDesign = None,
        *,
        target: str | None = None,
        ridge: float = 1.0,
        n_bins: int = BINS,
    ) -> None:
        self.design = design
        self.target = target
        self.ridge = ridge
        self.n_bins = n_bins

    def _mine(self, oracle: RandomizedOracle, target: str) -> Logistic:
        return mine_logistic(oracle, target, ridge=self.ridge)
