"""The six classifiers; each names the parameters of one miner."""

from dataclasses import dataclass
from typing import Any

from deniable.estimators.report_classifier import ReportClassifier
from deniable.mine.bayes import Constraint, NaiveBayes, mine_bayes
from deniable.mine.best.best_classifier import BestClassifier
from deniable.mine.best.mine_best import mine_best
from deniable.mine.forest import PART, TREES, Forest, mine_forest
from deniable.mine.groupwise import GroupwiseBayes, mine_groupwise
from deniable.mine.logistic import Logistic, LogisticMethod, mine_logistic
from deniable.mine.scores.confusion import Score
from deniable.mine.scores.score import score_leaves
from deniable.mine.tree.decision_tree import DecisionTree
from deniable.mine.tree.grow import Window
from deniable.mine.tree.mine_tree import FOLDS, Growth, mine_tree
from deniable.oracle.api import CountOracle, Target
from deniable.oracle.randomized import RandomizedOracle


@dataclass(repr=False, eq=False, kw_only=True)
class DisguisedClassifier(ReportClassifier[BestClassifier]):
    """The best of several classifiers, as far as the disguise's noise can tell them apart.

    The larger class, naive Bayes, a tree, group-wise Bayes, a forest and the average of the last
    two are compared on reports that they have not seen; ``model_.compared`` holds what came out and
    ``model_.chosen`` the name of one. See `DisguisedForestClassifier` for the forests, and
    `ReportClassifier` for ``design``, ``target`` and ``n_bins``.

    >>> X, y = [[0, 1], [0, 0], [1, 1], [1, 0]] * 25, [0, 0, 1, 1] * 25
    >>> found = DisguisedClassifier(n_estimators=5).fit(X, y)
    >>> found.model_.chosen, found.predict([[1, 1], [0, 0]])
    ('naive Bayes', array([1, 0]))
    """

    n_estimators: int = TREES
    max_features: float = PART
    random_state: Any = 0

    _miner = staticmethod(mine_best)


@dataclass(repr=False, eq=False, kw_only=True)
class DisguisedTreeClassifier(ReportClassifier[DecisionTree]):
    """A decision tree from disguised records.

    ``growth`` is ``shrunk`` (grown on counts that are believed as far as they stand out from the
    disguise's noise; the default where there is a disguise), ``noise-aware`` (splits that the noise
    explains are dropped, how strictly is cross-validated by ``cv`` unless ``strength`` says; the
    default elsewhere) or ``faithful``, the papers' ID3. An exact oracle of the same people,
    ``confirm``, decides among the candidates within the ``window``: so many, ``adaptive``, or
    ``full``: all (`mine_tree`). See `ReportClassifier` for ``design``, ``target`` and ``n_bins``.

    >>> X, y = [["young"], ["young"], ["old"], ["old"]] * 5, ["no", "no", "yes", "yes"] * 5
    >>> DisguisedTreeClassifier().fit(X, y).predict([["old"], ["young"]])
    array(['yes', 'no'], dtype='<U3')
    """

    growth: Growth | None = None
    max_depth: int | None = None
    strength: float | None = None
    cv: int = FOLDS
    confirm: CountOracle | None = None
    window: Window = None
    random_state: Any = 0

    _miner = staticmethod(mine_tree)

    def _scored(self, oracle: RandomizedOracle, of: Target) -> Score:
        """Score by the leaves, which ask for the tree's own columns only."""
        tree, leaves = self.model_, self.model_.leaves
        labels = self._order[tree.shares[leaves][:, self._order].argmax(axis=1)]
        found = tree.paths(leaves), labels, self.target_, oracle
        return score_leaves(*found, of=of, commonest=tree.commonest)


@dataclass(repr=False, eq=False, kw_only=True)
class DisguisedForestClassifier(ReportClassifier[Forest]):
    """A forest of ``n_estimators`` trees, each mined from reports drawn again.

    ``max_features`` is the share of the attributes that a node may choose from. See
    `ReportClassifier` for ``design``, ``target`` and ``n_bins``.

    >>> X, y = [[0, 1], [0, 0], [1, 1], [1, 0]] * 9, [0, 0, 1, 1] * 9
    >>> DisguisedForestClassifier(n_estimators=9).fit(X, y).predict([[1, 1], [0, 0]])
    array([1, 0])
    """

    n_estimators: int = TREES
    max_features: float = PART
    max_depth: int | None = None
    strength: float | None = None
    random_state: Any = 0

    _miner = staticmethod(mine_forest)


@dataclass(repr=False, eq=False, kw_only=True)
class DisguisedGroupwiseClassifier(ReportClassifier[GroupwiseBayes]):
    """Group-wise Bayes: a forest of ``n_estimators`` trees for each disguised group.

    Given the target, groups are taken as independent; for strong disguise. See
    `DisguisedForestClassifier` for the forests, and `ReportClassifier` for ``design``,
    ``target`` and ``n_bins``.

    >>> X, y = [[0, 1], [0, 0], [1, 1], [1, 0]] * 9, [0, 0, 1, 1] * 9
    >>> DisguisedGroupwiseClassifier(n_estimators=9).fit(X, y).predict([[1, 1], [0, 0]])
    array([1, 0])
    """

    n_estimators: int = TREES
    max_features: float = PART
    max_depth: int | None = None
    strength: float | None = None
    random_state: Any = 0

    _miner = staticmethod(mine_groupwise)


@dataclass(repr=False, eq=False, kw_only=True)
class DisguisedNaiveBayes(ReportClassifier[NaiveBayes]):
    """Naive Bayes from disguised records; without disguise, the same as CategoricalNB.

    ``alpha`` is added to each value's count in each class; ``constraint`` says how unbiased counts
    become possible ones (`mine_bayes`). See `ReportClassifier` for ``design``, ``target`` and
    ``n_bins``.

    >>> model = DisguisedNaiveBayes().fit([[0], [0], [1], [1]], ["no", "no", "no", "yes"])
    >>> model.predict_proba([[0], [1]]).round(2)
    array([[0.84, 0.16],
           [0.64, 0.36]])
    """

    alpha: float = 1.0
    constraint: Constraint = "expected"

    _miner = staticmethod(mine_bayes)


@dataclass(repr=False, eq=False, kw_only=True)
class DisguisedLogisticRegression(ReportClassifier[Logistic]):
    """Logistic regression from disguised records, with standard errors.

    ``ridge`` is scikit-learn's 1/C, and as there 1 by default. For inference set it to 0: an
    estimate is drawn towards 0 by a penalty. ``method`` is ``score`` (equations that need no model
    of the features) or ``likelihood`` (of the reports). ``model_.rows()`` is the table of
    coefficients. See `ReportClassifier` for ``design``, ``target`` and ``n_bins``.

    >>> X, y = [["no"]] * 50 + [["yes"]] * 50, [0] * 40 + [1] * 10 + [0] * 20 + [1] * 30
    >>> for row in DisguisedLogisticRegression(ridge=0).fit(X, y).model_.rows():
    ...     print(f"{row.name}: {row.estimate:.2f} ± {row.std_error:.2f}")
    (intercept): -1.39 ± 0.35
    x0=yes: 1.79 ± 0.46
    """

    ridge: float = 1.0
    method: LogisticMethod = "score"

    _miner = staticmethod(mine_logistic)
