"""Mining several classifiers, and keeping the best as far as the known errors can tell.

    larger class < naive Bayes < tree < group-wise < forest < average of the last two, weighted

Without evidence that anything predicts the target (`deniable.mine.chance`) it is the larger class.
Else all are mined from four fifths of the reports at a time, and scored on the fifth that they have
not seen (`comparison`). The forests of all folds together are the final ones, so that comparing
costs hardly more than mining.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from deniable.base.arrays import Codes
from deniable.base.errors import EstimateError, ModelError
from deniable.base.wording import given_percent
from deniable.mine.bayes import counted_bayes
from deniable.mine.best.best_classifier import (
    AVERAGE,
    CONTENDERS,
    FOREST,
    GROUPWISE,
    LARGER_CLASS,
    TREE,
    WEIGHTS,
    BestClassifier,
)
from deniable.mine.best.comparison import HELD_OUT_FOLDS, WORTH, Answers, HeldOut, chosen
from deniable.mine.chance import tested
from deniable.mine.class_prior import averaged, class_prior
from deniable.mine.forest import PART, TREES, Forest, ForestOptions, grown_forest
from deniable.mine.groupwise import GroupwiseBayes, grown_groupwise
from deniable.mine.model import (
    Classifier,
    checked_features,
    checked_random_state,
    require_records,
    require_totals,
)
from deniable.mine.tree.grow import Progress
from deniable.mine.tree.mine_tree import mine_tree
from deniable.oracle.api import CountOracle, Divisible, divisible
from deniable.oracle.shrunk.shrunk_oracle import has_noise

FEWEST = 50
"""Records below which nothing is held out."""

STEPS_EACH = 100
"""Of progress, for each forest of a fold."""

NO_EVIDENCE = "Nothing here predicts it more than chance would."


def mine_best(
    oracle: CountOracle,
    target: str,
    *,
    features: Sequence[str] | None = None,
    n_estimators: int = TREES,
    max_features: float = PART,
    random_state: int = 0,
    progress: Progress | None = None,
) -> BestClassifier:
    """Compare the larger class, naive Bayes, a tree, group-wise Bayes and a forest; take the best.

    Where the disguise's noise does not tell them apart, that is the average of group-wise Bayes and
    forest; where a simpler one is known to be about as good, that one.

    >>> from deniable import ExactOracle, Schema
    >>> people = {"smokes": ["no", "yes"] * 50, "coughs": ["no", "yes"] * 40 + ["yes", "no"] * 10}
    >>> oracle = ExactOracle(people, Schema.of({name: ["no", "yes"] for name in people}))
    >>> model = mine_best(oracle, "coughs", n_estimators=5)
    >>> model.chosen, model.predict(np.array([[0], [1]])).tolist()
    ('naive Bayes', [0, 1])
    """
    names = checked_features(features, target, oracle.schema)
    require_records(oracle)
    if names == (target,):
        raise ModelError(
            f"There is no feature to predict {target!r} from.", hint="Name at least one."
        )
    options = ForestOptions(n_estimators, max_features, strength=None, max_depth=None)
    if not divisible(oracle):
        raise ModelError(
            "Candidates are compared on reports that they have not seen, and these stay where "
            "they are.",
            hint="Mine a tree or naive Bayes, which need counts only, or read the reports first.",
        )
    trial = _Trial(oracle, target, names, options, random_state, progress)
    found = tested(oracle, target, names)
    model = BestClassifier(
        oracle.schema.select(names), target, oracle.n, class_prior(oracle, target),
        LARGER_CLASS, (), NO_EVIDENCE, evidence=found,
    )  # fmt: skip
    return trial.run(model) if found is None or found.found() else model


class _Trial:
    """All candidates, mined fold by fold."""

    def __init__(
        self,
        oracle: Divisible,
        target: str,
        names: Sequence[str],
        options: ForestOptions,
        random_state: int,
        progress: Progress | None,
    ) -> None:
        self._oracle, self._target = oracle, target
        self._features = [name for name in names if name != target]
        self._rng = checked_random_state(random_state)
        self._many = HELD_OUT_FOLDS if oracle.n >= FEWEST else 1
        self._options = replace(options, n_estimators=-(-options.n_estimators // self._many))
        self._progress, self._begun = progress, 0
        self._apart = has_noise(oracle)
        """Whether groups, each by itself, are another candidate."""

    def run(self, model: BestClassifier) -> BestClassifier:
        """Give the chosen one, mined from all reports."""
        names = [name for name in CONTENDERS if self._apart or name not in {GROUPWISE, AVERAGE}]
        whole = [(self._oracle, self._oracle)]
        folds = self._oracle.folds(self._many, self._rng) if self._many > 1 else whole
        grouped = [self._groupwise(rest) for rest, _ in folds] if self._apart else []
        forests = [self._forest(rest) for rest, _ in folds]
        rich: list[Classifier] = [Forest.joined(forests, model.n)]
        if self._apart:
            rich.insert(0, GroupwiseBayes.joined(grouped, model.prior, model.n))
        richest = replace(model, chosen=names[-1], models=tuple(rich))
        if self._many == 1:
            why = f"Fewer than {FEWEST} records are too few to compare candidates on."
            return replace(richest, why=why)
        comparison = HeldOut(names)
        try:
            for number, (rest, held) in enumerate(folds):
                asked = require_totals(held, "A comparison"), (*self._features, self._target)
                own = [*grouped[number : number + 1], forests[number]]
                comparison.add(*asked, self._answers(rest, own))
        except (EstimateError, ModelError) as error:
            return replace(richest, why=f"Candidates could not be compared. {error.message}")
        compared = comparison.results()
        best = chosen(compared).name
        within = given_percent(WORTH)
        if best == names[-1]:
            why = f"No simpler one is known to come within {within} of it."
            return replace(richest, why=why, compared=compared)
        models = self._models(best, rich)
        why = f"The simplest of those that are believed to be within {within} of the best."
        return replace(model, chosen=best, models=models, why=why, compared=compared)

    def _groupwise(self, rest: CountOracle) -> GroupwiseBayes:
        return grown_groupwise(rest, self._target, self._features, self._options, *self._next())

    def _forest(self, rest: CountOracle) -> Forest:
        return grown_forest(rest, self._target, self._features, self._options, *self._next())

    def _next(self) -> tuple[int, Progress]:
        """Draw the next forest's seed, and take its share of the progress."""
        begun, self._begun = self._begun, self._begun + 1
        total = self._many * (1 + self._apart)

        def told(done: int, of: int) -> None:
            if self._progress is not None:
                self._progress(round(STEPS_EACH * (begun + done / of)), STEPS_EACH * total)

        return int(self._rng.integers(1 << 31)), told

    def _answers(self, rest: CountOracle, rich: Sequence[Classifier]) -> Answers:
        """What each candidate answers, in their order."""
        prior = class_prior(rest, self._target)
        models = [*self._simple(rest), *rich]

        def answers(codes: Codes) -> list[Codes]:
            chances = [np.tile(prior, (len(codes), 1))]
            chances += [each.probabilities(codes) for each in models]
            if self._apart:
                chances.append(averaged(chances[-len(rich) :], WEIGHTS, prior, rest.n))
            return [each.argmax(axis=1) for each in chances]

        return answers

    def _simple(self, oracle: CountOracle) -> tuple[Classifier, Classifier]:
        own = oracle, self._target
        return counted_bayes(*own, features=self._features), mine_tree(
            *own, features=self._features
        )

    def _models(self, name: str, rich: Sequence[Classifier]) -> tuple[Classifier, ...]:
        """What a candidate is made of."""
        if name == LARGER_CLASS:
            return ()
        if name in {GROUPWISE, FOREST}:
            return (rich[0 if name == GROUPWISE else -1],)
        return (self._simple(self._oracle)[name == TREE],)
