"""Group-wise Bayes: free within a disguised group, naive across groups.

    P(c | x) ∝ P(c)^(1 − m) · Π_g P_g(c | x_g)

over the m groups g, where each P_g is a forest that is mined from the attributes of its group
alone; all public attributes are a group of their own. The noise of a count grows with every group
that it touches, and P_g touches one (and the class's, where that is disguised elsewhere). So under
strong disguise this sees what a tree over all attributes cannot; what several groups say only
together it never sees.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.base.errors import ModelError
from deniable.mine.chance import Evidence, read_evidence, with_evidence
from deniable.mine.class_prior import class_prior, drawn_to_prior, normalized, read_prior
from deniable.mine.forest import PART, TREES, Forest, ForestOptions, grown_forest
from deniable.mine.model import (
    Classifier,
    checked_features,
    checked_random_state,
    checked_target,
    require_records,
)
from deniable.mine.tree.grow import Progress
from deniable.oracle.api import CountOracle, Grouped
from deniable.schema import Schema


@dataclass(frozen=True, eq=False)
class GroupwiseBayes(Classifier):
    """One forest for each group; given the class, groups are taken as independent."""

    schema: Schema
    target: str
    n: int
    prior: Floats
    """Share of each class."""

    parts: tuple[Forest, ...]
    evidence: Evidence | None = None
    """Whether anything here predicts the target more than chance would, if that was tested."""

    kind: ClassVar[str] = "groupwise"

    @property
    def commonest(self) -> str:
        """The commonest class of the training records, as estimated."""
        return self.schema[self.target].values[int(self.prior.argmax())]

    @classmethod
    def joined(cls, models: Sequence["GroupwiseBayes"], prior: Floats, n: int) -> "GroupwiseBayes":
        """Put models of the same groups together, of n records in all."""
        parts = zip(*(each.parts for each in models), strict=True)
        forests = tuple(Forest.joined(part, n) for part in parts)
        return cls(models[0].schema, models[0].target, n, prior, forests)

    def probabilities(self, codes: Codes) -> Floats:
        """Give the chance of each class, a row per record of codes ``[record, feature]``.

        A part's chances are drawn towards the prior by one person, so that none is 0.
        """
        place = {name: column for column, name in enumerate(self.features)}
        possible = self.prior > 0
        prior = np.where(possible, self.prior, 1.0)
        logs = np.zeros((len(codes), len(prior)))
        for part in self.parts:
            chances = part.probabilities(codes[:, [place[name] for name in part.features]])
            logs += np.log(drawn_to_prior(chances, prior, self.n) / prior)
        logs += np.log(prior)
        logs[:, ~possible] = -np.inf
        return normalized(logs)

    def body(self) -> dict[str, Any]:
        """Write every part: its attributes, and its forest."""
        return {
            "target": self.target,
            "n": self.n,
            "evidence": None if self.evidence is None else self.evidence.body(),
            "prior": self.prior.tolist(),
            "parts": [{"features": list(part.features), **part.body()} for part in self.parts],
        }

    @classmethod
    def read(cls, schema: Schema, body: Mapping[str, Any]) -> Self:
        """Build from what `body` gave."""
        target = checked_target(str(body["target"]), schema)
        prior = read_prior(body, schema[target].size)
        parts = []
        for part in body["parts"]:
            names = {*map(str, part["features"]), target}
            forest = Forest.read(schema.select(n for n in schema.names if n in names), part)
            if len(forest.features) != len(part["features"]) or forest.target != target:
                raise ValueError("a part is of other attributes")
            parts.append(forest)
        named = [name for part in parts for name in part.features]
        if sorted(named) != sorted(name for name in schema.names if name != target):
            raise ValueError("its parts do not share the features out")
        return cls(schema, target, int(body["n"]), prior, tuple(parts), read_evidence(body))


def mine_groupwise(
    oracle: CountOracle,
    target: str,
    *,
    features: Sequence[str] | None = None,
    n_estimators: int = TREES,
    max_features: float = PART,
    strength: float | None = None,
    max_depth: int | None = None,
    random_state: int = 0,
    progress: Progress | None = None,
) -> GroupwiseBayes:
    """Mine a forest from each disguised group, and one from what is public.

    >>> from deniable import Design, RandomizedOracle
    >>> yes_no = {"smokes": ["no", "yes"], "drinks": ["no", "yes"], "ill": ["no", "yes"]}
    >>> design = Design.of({"attributes": yes_no, "groups": [
    ...     {"attributes": [name], "channel": "related", "theta": "0.9"}
    ...     for name in ("smokes", "drinks")]})
    >>> reports = {"smokes": ["no"] * 60 + ["yes"] * 40, "drinks": ["no", "yes"] * 50,
    ...            "ill": ["no"] * 55 + ["yes"] * 45}
    >>> model = mine_groupwise(RandomizedOracle(reports, design), "ill", n_estimators=5)
    >>> [part.features for part in model.parts]
    [('smokes',), ('drinks',)]
    >>> model.predict(np.array([[0, 0], [1, 1]])).tolist()
    [0, 1]

    The model carries a test of whether anything predicts the target (`deniable.mine.chance`).
    """
    options = ForestOptions(n_estimators, max_features, strength, max_depth)
    grown = grown_groupwise(oracle, target, features, options, random_state, progress)
    return with_evidence(grown, oracle)


def grown_groupwise(
    oracle: CountOracle,
    target: str,
    features: Sequence[str] | None,
    options: ForestOptions,
    random_state: int,
    progress: Progress | None,
) -> GroupwiseBayes:
    """Do the same, without the test against chance."""
    names = checked_features(features, target, oracle.schema)
    require_records(oracle)
    chosen = [name for name in names if name != target]
    if not chosen:
        raise ModelError(
            f"There is no feature to predict {target!r} from.", hint="Name at least one."
        )
    prior = class_prior(oracle, target)
    rng = checked_random_state(random_state)
    groups = _parts(oracle, chosen)
    parts = []
    for number, group in enumerate(groups):

        def told(done: int, of: int, number: int = number) -> None:
            if progress is not None:
                progress(number * of + done, len(groups) * of)

        seed = int(rng.integers(1 << 31))
        parts.append(grown_forest(oracle, target, group, options, seed, told))
    return GroupwiseBayes(oracle.schema.select(names), target, oracle.n, prior, tuple(parts))


def _parts(oracle: CountOracle, features: Sequence[str]) -> list[list[str]]:
    """Features by group; what is public comes last."""
    groups = oracle.groups if isinstance(oracle, Grouped) else ()
    parts = [[name for name in features if name in group] for group in groups]
    disguised = {name for group in groups for name in group}
    return [part for part in (*parts, [n for n in features if n not in disguised]) if part]
