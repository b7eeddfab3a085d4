"""Stated errors are the spread of what is estimated, of trees, rules and scores, by simulation.

A standard deviation over d draws of about normal estimates has the relative s.d. 1/√(2d): 3.2 %
over 500 draws, which cannot show 5 % at a safe margin, but 0.5 % over 20,000. So many are made at
once, as tables of reports times C⁻¹. Stated errors are averaged in squares over the first 100
draws; one of them is off by at most a fifth or so, their average by 2 %. Together 5 % is more than
2.4 s.d., and the seeds are fixed.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from deniable.base.arrays import Codes, Floats
from deniable.design import Design
from deniable.expression import Conjunction
from deniable.mine.rules.association_rules import mine_rules
from deniable.mine.scores.score import score_function
from deniable.oracle.api import CountOracle, Function, Target, TotalOracle, Totals
from deniable.oracle.counted_reports import reports_from_counts
from deniable.oracle.frontier.frontier import descend
from deniable.oracle.pooled import PooledOracle
from deniable.oracle.randomized import RandomizedOracle
from mine.test_count_errors import CountsOnly
from oracle.simulated import Reports, drawn_anew, whole_matrix

pytestmark = pytest.mark.slow

N, DRAWS, STATED = 4000, 20_000, 100
WITHIN = 0.05

VALUES: dict[str, Any] = {"a": ["0", "1"], "b": ["0", "1"], "y": ["0", "1"]}
SHARES = np.array([0.25, 0.05, 0.1, 0.1, 0.1, 0.1, 0.05, 0.25])
EVEN = {"0": "0.5", "1": "0.5"}
SKEWED = {"0": {"0": "0.9", "1": "0.1"}, "1": {"0": "0.2", "1": "0.8"}}


def alone(**entry: Any) -> list[dict[str, Any]]:
    return [{"attributes": [name], **entry} for name in VALUES]


GROUPS: dict[str, list[dict[str, Any]]] = {
    "public": [],
    "related": [
        {"attributes": ["a", "y"], "channel": "related", "theta": "0.8"},
        {"attributes": ["b"], "channel": "related", "theta": "0.85"},
    ],
    "unrelated": [
        {
            "attributes": ["a", "b", "y"],
            "channel": "unrelated",
            "theta": "0.6",
            "personal": dict.fromkeys("aby", EVEN),
        }
    ],
    "keep-or-uniform": [{"attributes": ["b", "y"], "channel": "keep-or-uniform", "theta": "0.7"}],
    "forced": alone(channel="forced", forced={"0": "1/12", "1": "1/6"}),
    "mangat": alone(channel="mangat", theta="0.8"),
    "kuk": alone(channel="kuk", red={"0": "0.1", "1": "0.9"}),
    "crosswise": alone(channel="crosswise", theta="0.15"),
    "triangular": alone(channel="triangular", theta="0.25"),
    "matrix": alone(channel="matrix", matrix=SKEWED),
}

RULE = (Conjunction.of(a="1"), Conjunction.of(y="1"))

Measured = tuple[Floats, Floats]
"""What is estimated, and the squares of the errors stated."""


class CountingSite(CountsOnly):
    """A site of known design that tells counts only, as in a collaboration of mode counts."""

    def __init__(self, oracle: RandomizedOracle) -> None:
        super().__init__(oracle)
        self._design = oracle.design

    def total(self, columns: Sequence[str], function: Function, *, of: Target = "sample") -> Totals:
        reports = reports_from_counts(self, self._design, columns, of)
        return reports.total(columns, function, of=of)


def nodes(oracle: CountOracle) -> Measured:
    """Classes at the nodes of a tree that splits by a, then by b."""
    front = descend(oracle, "y", ["a", "b"]).split(np.array([0])).split(np.array([1, 1]))
    value, variance = front.classes()
    return value.ravel(), variance.ravel()


def ratios(oracle: CountOracle) -> Measured:
    """Confidence and lift of a rule."""
    found = mine_rules(
        oracle, min_support=0.01, min_confidence=0, tolerance=1.0, items=["a=1", "y=1"],
        of="population",
    )  # fmt: skip
    (rule,) = [each for each in found if (each.premise, each.conclusion) == RULE]
    measures = rule.confidence, rule.lift
    return np.array([m.value for m in measures]), np.array([m.std_error**2 for m in measures])


def scored(oracle: CountOracle) -> Measured:
    """The confusion matrix of a rule of thumb, and its accuracy."""
    assert isinstance(oracle, TotalOracle)

    def both(codes: Codes) -> Codes:
        return codes[:, 0] & codes[:, 1]

    found = score_function(both, ["a", "b"], "y", oracle)
    value = np.append(found.confusion.ravel(), found.accuracy)
    return value, np.append(found.confusion_std_error.ravel() ** 2, found.std_error**2)


def estimated(cells: Floats) -> dict[Any, Floats]:
    """The same from estimates of all cells ``[draw, cell]``, all draws at once."""
    n = cells[0].sum()
    table = cells.reshape(-1, 2, 2, 2)
    both, premise = table[:, 1, :, 1].sum(axis=1), table[:, 1].sum(axis=(1, 2))
    conclusion = table[..., 1].sum(axis=(1, 2))
    yes = table[:, 1, 1]
    confusion = np.stack([table.sum(axis=(1, 2)) - yes, yes], axis=2).reshape(-1, 4)
    accuracy = (confusion[:, 0] + confusion[:, 3]) / n
    return {
        nodes: cells,
        ratios: np.stack([both / premise, both * n / (premise * conclusion)], axis=1),
        scored: np.column_stack([confusion, accuracy]),
    }


@pytest.mark.parametrize("name", GROUPS)
@pytest.mark.parametrize("kind", ["one site", "pool", "counts"])
def test_stated_errors_are_the_spread_of_the_estimates(name: str, kind: str) -> None:
    design = Design.of({"attributes": VALUES, "groups": GROUPS[name]})
    matrix = whole_matrix(design)
    generator = np.random.default_rng(sorted(GROUPS).index(name))
    sites = [
        drawn_anew(SHARES, n, matrix, DRAWS, generator) for n in ([N, N // 2], [N])[kind != "pool"]
    ]
    values = estimated(sum(sites) @ np.linalg.inv(matrix).T)
    for measure, spread in values.items():
        stated = []
        for draw, tables in enumerate(zip(*(site[:STATED] for site in sites), strict=True)):
            parts = [RandomizedOracle(Reports(design.schema, table), design) for table in tables]
            oracle: CountOracle = PooledOracle(parts) if kind == "pool" else parts[0]
            value, square = measure(CountingSite(parts[0]) if kind == "counts" else oracle)
            np.testing.assert_allclose(value, spread[draw], rtol=1e-6, atol=1e-6)
            stated.append(square)
        error = np.sqrt(np.mean(stated, axis=0))
        assert np.abs(error / spread.std(axis=0) - 1).max() < WITHIN, (measure, error)
