"""The joint table: inversion, maximum likelihood and the test of independence."""

from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
import pytest

from deniable.base.errors import EstimateError, SchemaError
from deniable.design import Design
from deniable.oracle.likelihood.joint_table import MOST_TABLE_CELLS, JointTable, joint_table
from deniable.oracle.likelihood.mixture import CLOSE_ENOUGH
from deniable.oracle.pooled import PooledOracle
from deniable.oracle.randomized import RandomizedOracle
from deniable.schema import Schema
from oracle.simulated import Counts, Floats, Reports, drawn_anew, whole_matrix

YES_NO, SEVERAL = ["0", "1"], ["0", "1", "2"]


def designed(domains: dict[str, list[str]], *groups: tuple[list[str], str, str]) -> Design:
    return Design.of(
        {
            "attributes": domains,
            "groups": [
                {"attributes": names, "channel": channel, "theta": theta}
                for names, channel, theta in groups
            ],
        }
    )


DESIGNS = {
    "one group": designed({"a": YES_NO, "b": YES_NO}, (["a", "b"], "related", "0.7")),
    "two groups": designed(
        {"a": YES_NO, "b": YES_NO}, (["a"], "related", "0.7"), (["b"], "related", "0.8")
    ),
    "one categorical group": designed({"a": SEVERAL, "b": YES_NO}, (["a", "b"], "related", "0.8")),
    "two categorical groups": designed(
        {"a": SEVERAL, "b": SEVERAL},
        (["a"], "keep-or-uniform", "0.6"),
        (["b"], "keep-or-uniform", "0.7"),
    ),
    "three attributes, one of them public": designed(
        {"a": YES_NO, "b": SEVERAL, "c": YES_NO},
        (["c"], "mangat", "0.7"),
        (["b"], "keep-or-uniform", "0.7"),
    ),
}
every_design = pytest.mark.parametrize("design", DESIGNS.values(), ids=DESIGNS)


def table_of(design: Design, counts: Counts) -> JointTable:
    oracle = RandomizedOracle(Reports(design.schema, counts), design)
    return joint_table(oracle, design.schema.names)


@dataclass(frozen=True)
class Likelihood:
    """Of shares p given reports: Σ R·log(C p), with the dense C of the whole record."""

    reports: Counts
    C: Floats

    def height(self, shares: Floats) -> Floats:
        """Log-likelihood, of one table or of many in columns."""
        seen = self.reports > 0
        return (self.reports[seen] @ np.log(self.C[seen] @ shares)).astype(np.float64)

    def gap(self, shares: Floats) -> float:
        """How much higher the maximum can be: the log-likelihood lies below its tangent."""
        slopes = self.C.T @ (self.reports / (self.C @ shares))
        return float(slopes.max() - self.reports.sum())

    def climbed(self, steps: int) -> Floats:
        """Plain EM, from the uniform table."""
        shares = np.full(len(self.reports), 1 / len(self.reports))
        for _ in range(steps):
            shares = shares * (self.C.T @ (self.reports / (self.C @ shares)))
            shares /= shares.sum()
        return shares

    def distance(self, top: Floats, loss: float) -> float:
        """How far apart two tables may be of which one is lower by at most this loss.

        Near the top the log-likelihood falls by at least half the smallest curvature times the
        squared distance.
        """
        scaled = np.sqrt(self.reports)[:, None] / (self.C @ top)[:, None] * self.C
        flattest = np.linalg.svd(scaled, compute_uv=False).min() ** 2
        return float(np.sqrt(2 * loss / flattest))


@every_design
@pytest.mark.parametrize("seed", range(5))
def test_without_negative_cells_the_maximum_is_the_inversion(design: Design, seed: int) -> None:
    generator = np.random.default_rng(seed)
    cells = prod(design.schema.sizes)
    shares = 0.5 / cells + 0.5 * generator.dirichlet(np.ones(cells))
    (counts,) = drawn_anew(shares, 100_000, whole_matrix(design), 1, generator)
    found = table_of(design, counts)
    assert found.estimates.value.min() > 0
    assert found.maximum.counts.tolist() == found.estimates.value.tolist()
    assert found.maximum.converged
    likelihood = Likelihood(counts, whole_matrix(design))
    assert likelihood.gap(found.maximum.counts / 100_000) == pytest.approx(0, abs=1e-6)


def rare_table(design: Design, seed: int) -> Counts:
    """Reports whose inversion has negative cells: most of the truth is in two cells."""
    generator = np.random.default_rng(seed)
    cells = prod(design.schema.sizes)
    shares = np.full(cells, 0.02 / cells)
    shares[[0, -1]] += 0.49
    while True:
        counts: Counts = drawn_anew(shares, 1000, whole_matrix(design), 1, generator)[0]
        negative = (np.linalg.inv(whole_matrix(design)) @ counts).min() < -1
        if negative and counts.min() > 0:  # a report never seen would leave a direction flat
            return counts


@every_design
@pytest.mark.parametrize("seed", range(4))
def test_with_negative_cells_nothing_beats_the_maximum(design: Design, seed: int) -> None:
    counts = rare_table(design, seed)
    n = counts.sum()
    found = table_of(design, counts)
    assert found.estimates.value.min() < 0
    best = found.maximum
    assert best.converged
    assert best.gap <= CLOSE_ENOUGH
    assert best.counts.min() >= 0
    assert best.counts.sum() == pytest.approx(n)
    likelihood = Likelihood(counts, whole_matrix(design))
    assert likelihood.gap(best.counts / n) == pytest.approx(best.gap, abs=1e-8)
    # Tables from all over the simplex, from its edges, and from around the maximum.
    generator = np.random.default_rng(seed)
    cells = len(counts)
    rivals = np.concatenate(
        [
            generator.dirichlet(np.ones(cells), size=2000),
            generator.dirichlet(np.full(cells, 0.1), size=2000),
            generator.dirichlet(best.counts + 0.01, size=2000),
            generator.dirichlet(100 * best.counts + 0.01, size=2000),
        ]
    )
    top = likelihood.height(best.counts / n)
    assert likelihood.height(np.maximum(rivals, 1e-12).T).max() <= top + best.gap


@pytest.mark.slow
@pytest.mark.parametrize(
    ("theta", "groups", "n"),
    [("0.55", 3, 1000), ("0.6", 4, 2000), ("0.7", 6, 3000), ("0.8", 9, 800)],
)
def test_the_maximum_is_found_however_strong_the_disguise(theta: str, groups: int, n: int) -> None:
    names = [f"a{place}" for place in range(groups)]
    design = designed(dict.fromkeys(names, YES_NO), *(([a], "related", theta) for a in names))
    generator = np.random.default_rng(0)
    for _ in range(4):
        shares = generator.dirichlet(np.full(2**groups, 0.3))
        (counts,) = drawn_anew(shares, n, whole_matrix(design), 1, generator)
        best = table_of(design, counts).maximum
        assert best.converged
        assert Likelihood(counts, whole_matrix(design)).gap(best.counts / n) <= CLOSE_ENOUGH + 1e-8


@pytest.mark.slow
@every_design
def test_the_maximum_is_where_plain_em_arrives_in_the_end(design: Design) -> None:
    counts = rare_table(design, seed=1)
    n = counts.sum()
    likelihood = Likelihood(counts, whole_matrix(design))
    slow = likelihood.climbed(20_000)
    best = table_of(design, counts).maximum
    loss = best.gap + likelihood.gap(slow)
    assert abs(likelihood.height(slow) - likelihood.height(best.counts / n)) <= loss
    # Both lie within the loss of the maximum, hence within these distances of each other; the
    # curvature is that at the end of EM, and twice the distance allows for its change.
    assert np.linalg.norm(slow - best.counts / n) <= 2 * likelihood.distance(slow, 2 * loss)


@every_design
@pytest.mark.parametrize("seed", range(3))
def test_pooled_sites_have_the_maximum_of_their_common_likelihood(
    design: Design, seed: int
) -> None:
    other = DESIGNS["two groups"]
    if other.schema.sizes != design.schema.sizes:
        other = design
    reports = [rare_table(design, seed), rare_table(other, seed + 10)]
    sites = [
        RandomizedOracle(Reports(d.schema, counts), d)
        for d, counts in zip((design, other), reports, strict=True)
    ]
    best = joint_table(sites, design.schema.names).maximum
    assert best.converged
    both = Likelihood(
        np.concatenate(reports), np.concatenate([whole_matrix(design), whole_matrix(other)])
    )
    # The columns of the stacked matrix sum to 2, the reports are those of both sites: the tangent
    # argument holds with the gradient of each site scaled to its own reports.
    shares = best.counts / best.counts.sum()
    slopes = both.C.T @ (both.reports / (both.C @ shares))
    assert slopes.max() - both.reports.sum() <= CLOSE_ENOUGH
    generator = np.random.default_rng(seed)
    rivals = np.concatenate(
        [
            generator.dirichlet(np.ones(len(shares)), size=2000),
            generator.dirichlet(best.counts + 0.01, size=2000),
        ]
    )
    assert both.height(np.maximum(rivals, 1e-12).T).max() <= both.height(shares) + CLOSE_ENOUGH


# --- Independence -----------------------------------------------------------------------------


def p_values(design: Design, shares: Floats, n: int, repeats: int, seed: int) -> Floats:
    generator = np.random.default_rng(seed)
    tables = drawn_anew(shares, n, whole_matrix(design), repeats, generator)
    found = []
    for counts in tables:
        test = table_of(design, counts).independence
        assert test is not None
        found.append(test.p_value)
    return np.array(found)


def independent_shares(design: Design) -> Floats:
    shares = np.ones(1)
    for size in design.schema.sizes:
        one = np.arange(1, size + 1) / (size * (size + 1) / 2)
        shares = np.kron(shares, one).astype(np.float64)
    return shares


@pytest.mark.slow
@every_design
def test_true_independence_is_rejected_at_the_stated_rate(design: Design) -> None:
    repeats = 400
    found = p_values(design, independent_shares(design), 4000, repeats, seed=20)
    # 5 % of 400 have the s.d. 1.09 %: 4 s.d. are 4.4 %.
    assert abs(np.mean(found < 0.05) - 0.05) < 4 * np.sqrt(0.05 * 0.95 / repeats)
    # Uniform p-values have the s.d. 1/√12.
    assert abs(found.mean() - 0.5) < 4 / np.sqrt(12 * repeats)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "strength"), [("one group", 0.015), ("two groups", 0.03)])
def test_dependence_is_found_the_more_often_the_stronger_it_is_and_the_more_people(
    name: str, strength: float
) -> None:
    design = DESIGNS[name]
    independent = independent_shares(design)
    found = []
    for times, n in ((0, 1000), (1, 1000), (2, 1000), (2, 4000)):
        shares = independent + times * strength * np.array([1, -1, -1, 1])
        found.append(np.mean(p_values(design, shares, n, 100, seed=21) < 0.05))
    assert found[0] < found[1] < found[2] < found[3]
    assert found[3] > 0.9


def test_reports_depend_by_one_coin_where_the_truth_does_not() -> None:
    """Pearson's test of the reports themselves would reject; ours asks about the truth."""
    design = DESIGNS["one group"]
    shares = independent_shares(design)
    expected = np.rint(100_000 * whole_matrix(design) @ shares).astype(np.int64)
    table = expected.reshape(2, 2)
    product = table.sum(1, keepdims=True) * table.sum(0, keepdims=True) / table.sum()
    assert ((table - product) ** 2 / product).sum() > 100
    test = table_of(design, expected).independence
    assert test is not None
    assert test.df == 1
    assert test.statistic < 0.01
    assert test.p_value > 0.9


@pytest.mark.slow
def test_the_rate_holds_where_inverted_marginals_are_negative() -> None:
    yes_no = dict.fromkeys(("a", "b"), YES_NO)
    design = designed(yes_no, *(([name], "related", "0.55") for name in yes_no))
    repeats = 600  # with marginals held at 0 or above, 12 % were rejected
    shares = np.kron([0.95, 0.05], [0.95, 0.05]).astype(np.float64)
    found = p_values(design, shares, 500, repeats, seed=22)
    assert np.mean(found < 0.05) < 0.05 + 4 * np.sqrt(0.05 * 0.95 / repeats)


def test_undisguised_it_is_pearsons_test() -> None:
    design = designed({"a": YES_NO, "b": SEVERAL})
    counts = np.array([30, 14, 6, 20, 20, 10])
    table = counts.reshape(2, 3)
    product = table.sum(1, keepdims=True) * table.sum(0, keepdims=True) / table.sum()
    test = table_of(design, counts).independence
    assert test is not None
    assert test.df == 2
    assert test.statistic == pytest.approx(((table - product) ** 2 / product).sum())
    assert test.p_value == pytest.approx(np.exp(-test.statistic / 2))  # χ² of two degrees
    assert test.smallest_expected == pytest.approx(product.min())


# --- The table itself -------------------------------------------------------------------------


@every_design
def test_the_table_has_a_cell_for_every_combination_in_the_order_asked_for(design: Design) -> None:
    cells = prod(design.schema.sizes)
    counts = np.random.default_rng(3).integers(50, 100, size=cells)
    oracle = RandomizedOracle(Reports(design.schema, counts), design)
    names = design.schema.names[::-1]
    found = joint_table(oracle, names)
    assert len(found.cells) == len(found.estimates) == len(found.maximum.counts) == cells
    for cell, value in zip(found.cells, found.estimates.value, strict=True):
        asked = dict(zip(names, cell, strict=True))
        assert oracle.count([asked]).value[0] == pytest.approx(value, rel=1e-9)
    # The same truth, whichever way it is laid out.
    straight = joint_table(oracle, design.schema.names)
    turned = straight.maximum.counts.reshape(design.schema.sizes).T.ravel()
    n = counts.sum()
    likelihood = Likelihood(counts, whole_matrix(design))
    apart = likelihood.distance(straight.maximum.counts / n, 4 * CLOSE_ENOUGH)
    assert np.linalg.norm(found.maximum.counts - turned) <= 2 * n * apart


def test_one_attribute_alone_has_no_test_of_independence() -> None:
    design = DESIGNS["two groups"]
    oracle = RandomizedOracle(Reports(design.schema, np.array([40, 30, 20, 10])), design)
    assert joint_table(oracle, ["b"]).independence is None


@pytest.mark.parametrize("names", [[], ["a", "a"], ["a", "nobody"]])
def test_a_table_of_nothing_or_of_the_same_attribute_twice_is_refused_with_a_hint(
    names: list[str],
) -> None:
    design = DESIGNS["two groups"]
    oracle = RandomizedOracle(Reports(design.schema, np.array([40, 30, 20, 10])), design)
    with pytest.raises((EstimateError, SchemaError)) as refusal:
        joint_table(oracle, names)
    assert refusal.value.hint


def test_a_table_too_large_to_read_is_refused_with_a_hint() -> None:
    values = [f"v{code}" for code in range(70)]
    design = designed({"a": values, "b": values})
    assert prod(design.schema.sizes) > MOST_TABLE_CELLS
    reports: dict[str, Any] = {"a": ["v1", "v2"], "b": ["v3", "v4"]}
    with pytest.raises(EstimateError, match="4900 cells") as refusal:
        joint_table(RandomizedOracle(reports, design), ["a", "b"])
    assert "fewer attributes" in refusal.value.hint


def test_a_value_that_nobody_has_takes_no_part_in_the_test() -> None:
    design = Design.truthful(Schema.of({"a": ["x", "y", "never"], "b": ["u", "v"]}))
    counts = np.array([60, 40, 40, 60, 0, 0])
    test = joint_table(
        RandomizedOracle(Reports(design.schema, counts), design), ["a", "b"]
    ).independence
    assert test is not None
    assert test.statistic == pytest.approx(8)
    assert test.df == 1


def test_a_cell_that_nobody_reports_keeps_the_test_finite() -> None:
    design = designed(dict.fromkeys(("a", "b"), YES_NO), (["a"], "related", "0.9"))
    counts = np.array([50, 30, 20, 0])
    test = joint_table(
        RandomizedOracle(Reports(design.schema, counts), design), ["a", "b"]
    ).independence
    assert test is not None
    assert test.smallest_expected > 0
    assert 0 < test.statistic < 100


@pytest.mark.parametrize("counts", [[0, 0, 50, 50], [0, 0, 0, 1], [0, 0, 5000, 5000], [0, 0, 0, 9]])
@pytest.mark.parametrize("theta", ["0.9", "0.7"])
def test_reports_that_are_all_alike_give_a_finite_test_or_none(
    counts: list[int], theta: str
) -> None:
    design = designed(
        dict.fromkeys(("a", "b"), YES_NO), (["a"], "related", theta), (["b"], "related", "0.9")
    )
    oracle = RandomizedOracle(Reports(design.schema, np.array(counts)), design)
    found = joint_table(oracle, ["a", "b"])
    assert found.maximum.converged
    test = found.independence
    assert test is None or (0 <= test.statistic < 10 * sum(counts) + 10 and test.p_value > 0.001)


def test_values_that_nobody_has_or_could_report_take_no_part_either() -> None:
    values = ["v0", "v1", "v2", "v3"]
    personal = {"a": {"v0": "1/2", "v1": "1/2", "v2": "0", "v3": "0"}}
    group = {"attributes": ["a"], "channel": "unrelated", "theta": "0.7", "personal": personal}
    design = Design.of({"attributes": {"a": values, "b": ["x", "y", "z"]}, "groups": [group]})
    counts = np.array([30, 20, 10, 20, 30, 10, 0, 0, 0, 0, 0, 0])
    test = joint_table(RandomizedOracle(Reports(design.schema, counts), design), ["a", "b"])
    assert test.independence is not None
    assert test.independence.df == 2
    # Independence of the truth is independence of the reports here: Pearson's own statistic.
    assert test.independence.statistic == pytest.approx(4.0)


def test_a_pooled_oracle_is_taken_apart_and_others_are_refused() -> None:
    design = designed(dict.fromkeys(("a", "b"), YES_NO), (["a"], "related", "0.9"))
    oracle = RandomizedOracle(Reports(design.schema, np.array([50, 30, 20, 10])), design)
    pooled = joint_table(PooledOracle([oracle, oracle]), ["a", "b"])
    assert pooled.estimates.n == 220
    with pytest.raises(EstimateError, match="not dict"):
        joint_table({}, ["a"])  # type: ignore[arg-type]
