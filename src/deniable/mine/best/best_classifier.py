"""A classifier that was chosen from several, with the comparison that chose it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.mine.bayes import NaiveBayes
from deniable.mine.best.comparison import Compared
from deniable.mine.chance import Evidence, read_evidence
from deniable.mine.class_prior import averaged, read_prior
from deniable.mine.forest import Forest
from deniable.mine.groupwise import GroupwiseBayes
from deniable.mine.model import Classifier, checked_target
from deniable.mine.tree.decision_tree import DecisionTree
from deniable.schema import Schema

LARGER_CLASS, BAYES, TREE, GROUPWISE, FOREST, AVERAGE = CONTENDERS = (
    "larger class", "naive Bayes", "tree", "group-wise", "forest", "average",
)  # fmt: skip
"""In the order of simplicity; the average is of the two before it."""

WEIGHTS = (0.2, 0.8)
"""Of group-wise Bayes and forest in their average; see docs/decisions/0025."""

KINDS: Mapping[str, type[Classifier]] = {
    each.kind: each for each in (NaiveBayes, DecisionTree, GroupwiseBayes, Forest)
}


@dataclass(frozen=True, eq=False)
class BestClassifier(Classifier):
    """One candidate, or the average of two: the weighted geometric mean of their chances."""

    schema: Schema
    target: str
    n: int
    prior: Floats
    """Share of each class."""

    chosen: str
    """One of `CONTENDERS`."""

    models: tuple[Classifier, ...]
    """What is averaged; none is the larger class."""

    why: str
    compared: tuple[Compared, ...] = ()
    """All candidates on held-out reports; none where they could not be compared."""

    evidence: Evidence | None = None
    """Whether anything here predicts the target more than chance would, if that was tested."""

    kind: ClassVar[str] = "best"

    @property
    def commonest(self) -> str:
        """The commonest class of the training records, as estimated."""
        return self.schema[self.target].values[int(self.prior.argmax())]

    def probabilities(self, codes: Codes) -> Floats:
        """Give the chance of each class, a row per record of codes ``[record, feature]``."""
        if not self.models:
            return np.tile(self.prior, (len(codes), 1))
        chances = [each.probabilities(codes) for each in self.models]
        weights = WEIGHTS if len(chances) > 1 else (1.0,)
        return averaged(chances, weights, self.prior, self.n)

    def body(self) -> dict[str, Any]:
        """Write the comparison, and every model that is used."""
        return {
            "target": self.target,
            "n": self.n,
            "evidence": None if self.evidence is None else self.evidence.body(),
            "prior": self.prior.tolist(),
            "chosen": self.chosen,
            "why": self.why,
            "compared": [each.body() for each in self.compared],
            "models": [{"kind": each.kind, **each.body()} for each in self.models],
        }

    @classmethod
    def read(cls, schema: Schema, body: Mapping[str, Any]) -> Self:
        """Build from what `body` gave."""
        target = checked_target(str(body["target"]), schema)
        prior = read_prior(body, schema[target].size)
        found, n = str(body["chosen"]), int(body["n"])
        if found not in CONTENDERS:
            raise ValueError(f"{found!r} is no candidate")
        models = tuple(KINDS[each["kind"]].read(schema, each) for each in body["models"])
        many = {LARGER_CLASS: 0, AVERAGE: 2}.get(found, 1)
        if len(models) != many or any(each.target != target for each in models):
            raise ValueError(f"it does not hold what {found!r} is made of")
        compared = tuple(Compared.read(each) for each in body["compared"])
        evidence = read_evidence(body)
        return cls(schema, target, n, prior, found, models, str(body["why"]), compared, evidence)
