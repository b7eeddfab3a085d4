"""Totals of any function of the record, against the whole channel's dense inverse, and counts."""

from collections.abc import Callable
from math import prod
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deniable.base.errors import EstimateError, SchemaError
from deniable.design import Design
from deniable.engine.memory.records import Records
from deniable.engine.open_table import open_table
from deniable.expression import ANY, Family
from deniable.oracle import totals
from deniable.oracle.api import Function, Target
from deniable.oracle.exact import ExactOracle
from deniable.oracle.pooled import PooledOracle
from deniable.oracle.randomized import RandomizedOracle
from deniable.oracle.totals import DisguisedColumns, TotalPlan
from oracle.simulated import Counts, Floats, Reports, disguised_anew, drawn_anew, whole_matrix
from oracle.test_pooled_sites import FIRST, SECOND, site, table
from oracle.test_whole_records import designs, random_reports, wide_design

TARGETS: tuple[Target, ...] = ("sample", "population")
every_target = pytest.mark.parametrize("of", TARGETS)


def given_by(values: Floats, sizes: tuple[int, ...]) -> Function:
    """A function given by its values, the last column varying fastest."""

    def looked_up(codes: Counts) -> Floats:
        found: Floats = values[np.ravel_multi_index(tuple(codes.T), sizes)] if sizes else values
        return found

    return looked_up


def first_column(codes: Counts) -> Floats:
    return codes[:, :1].astype(np.float64)


def matching(family: Family) -> Function:
    """Indicators of conjunctions."""

    def values(codes: Counts) -> Floats:
        fits = (family.codes == ANY) | (family.codes == codes[:, None, :])
        satisfied: Floats = fits.all(axis=2).astype(np.float64)
        return satisfied

    return values


def every_plan(parts: list[DisguisedColumns]) -> list[TotalPlan]:
    """All ways to unroll some parts and lay out the others."""
    plans = []
    for chosen in np.ndindex((2,) * len(parts)):
        unrolled = tuple(part for part, unroll in zip(parts, chosen, strict=True) if unroll)
        laid_out = tuple(part for part, unroll in zip(parts, chosen, strict=True) if not unroll)
        if all(part.states for part in unrolled):
            plans.append(TotalPlan(unrolled, laid_out))
    return plans


def follow(plan: TotalPlan) -> Callable[..., TotalPlan]:
    return lambda *_: plan


# --- The numbers ------------------------------------------------------------------------------


@pytest.mark.slow
@given(design=designs(), seed=st.integers(0, 2**32), data=st.data())
@settings(derandomize=True, max_examples=100)
def test_totals_are_the_inverse_of_the_whole_channel_whatever_the_plan(
    design: Design, seed: int, data: st.DataObject
) -> None:
    generator = np.random.default_rng(seed)
    columns = data.draw(st.lists(st.sampled_from(design.schema.names), unique=True))
    schema = design.schema.select(columns)
    values = generator.normal(size=(prod(schema.sizes), 3))
    counts = generator.integers(0, 20, size=prod(design.schema.sizes)) + 1
    places = [design.schema.position(name) for name in columns]
    patterns = np.indices(design.schema.sizes).reshape(len(design.schema), -1)
    function = given_by(values, schema.sizes)
    f = function(patterns[places].T) if columns else np.tile(values, (patterns.shape[1], 1))
    inverse = np.linalg.inv(whole_matrix(design))
    w, truth = inverse.T @ f, inverse @ counts
    square = w.T @ (counts[:, None] * w)
    value = counts @ w
    expected = {
        "sample": square - f.T @ (truth[:, None] * f),
        "population": square - np.outer(value, value) / counts.sum(),
    }
    oracle = RandomizedOracle(Reports(design.schema, counts), design)
    close = 1e-9 * max(counts.sum(), np.abs(square).max())
    plans = every_plan(totals._parts(design, tuple(columns)))
    for of in TARGETS:
        for plan in plans:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(totals, "_plan", follow(plan))
                found = oracle.total(columns, function, of=of)
            assert found.n == counts.sum()
            assert found.of == of
            assert found.value == pytest.approx(value, abs=close)
            assert found.covariance == pytest.approx(expected[of], abs=close)


SIX = wide_design(
    [2] * 10,
    [("related", [0, 5]), ("related", [1]), ("keep-or-uniform", [2, 3, 4]), ("related", [6, 7, 8])],
)


@every_target
@pytest.mark.parametrize("chunk", [1, 100, 1 << 20])
def test_totals_of_indicators_are_counts_in_chunks_of_any_size(
    of: Target, chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(totals, "NUMBERS_AT_ONCE", chunk)
    reports = random_reports(SIX, np.random.default_rng(1), n=40)
    oracle = RandomizedOracle(Records.from_codes(reports, SIX.schema), SIX)
    columns = SIX.schema.names[::-1]
    codes = np.full((4, len(columns)), ANY)
    codes[0, 0] = codes[1, 2:4] = codes[2, 4:] = 0
    family = Family(columns, codes)
    found, counted = oracle.total(columns, matching(family), of=of), oracle.count(family, of=of)
    assert found.value == pytest.approx(counted.value, abs=1e-9)
    assert np.diagonal(found.covariance) == pytest.approx(counted.variance, abs=1e-8)
    assert found.covariance[3].tolist() == [0] * 4  # everybody: known exactly


WIDE = {
    "more columns than a machine integer has bits": (
        wide_design([2] * 90, [("related", range(40)), ("related", range(40, 60))]),
        range(90),
    ),
    "the same, with a small group of another kind": (
        wide_design([2] * 90, [("related", range(40)), ("keep-or-uniform", range(40, 48))]),
        range(90),
    ),
    "large domains": (
        wide_design([300, 200, 150, 2, 3], [("related", [0, 3]), ("keep-or-uniform", [2])]),
        range(1, 5),
    ),
    "a few columns of large groups": (
        wide_design([2] * 90, [("related", range(40)), ("keep-or-uniform", range(40, 90))]),
        range(36, 46),
    ),
    "more groups than an array has axes": (
        wide_design([1] * 100 + [2] * 100, [("keep-or-uniform", [place]) for place in range(101)]),
        range(200),
    ),
    "more columns than a float has exponents": (
        wide_design([2] * 1100, [("related", range(1000))]),
        range(1100),
    ),
}


@pytest.mark.slow
@every_target
@pytest.mark.parametrize(("design", "places"), WIDE.values(), ids=WIDE)
def test_wide_records_are_totalled_as_they_are_counted(
    design: Design, places: range, of: Target
) -> None:
    generator = np.random.default_rng(2)
    reports = random_reports(design, generator, n=200)
    oracle = RandomizedOracle(Records.from_codes(reports, design.schema), design)
    columns = tuple(design.schema.names[place] for place in places)
    codes = np.full((5, len(columns)), ANY)
    for row in codes:
        row[generator.choice(len(columns), size=4, replace=False)] = 0
    family = Family(columns, codes)
    found, counted = oracle.total(columns, matching(family), of=of), oracle.count(family, of=of)
    assert found.value == pytest.approx(counted.value, abs=1e-8)
    assert np.diagonal(found.covariance) == pytest.approx(counted.variance, abs=1e-6)


def test_without_disguise_a_total_is_exact_and_its_sampling_error_the_usual_one() -> None:
    reports = random_reports(SIX, np.random.default_rng(3), n=500)
    oracle = ExactOracle(Records.from_codes(reports, SIX.schema), SIX.schema)

    def weighted(codes: Counts) -> Floats:
        return np.stack([codes @ np.linspace(0.1, 1, 10), codes[:, 0] * 1.0], axis=1)

    each = weighted(reports)
    found = oracle.total(SIX.schema.names, weighted)
    assert found.value == pytest.approx(each.sum(axis=0))
    assert found.std_error.tolist() == [0, 0]
    sampled = oracle.total(SIX.schema.names, weighted, of="population")
    assert sampled.covariance == pytest.approx(500 * np.cov(each.T, bias=True))


# --- By simulation ----------------------------------------------------------------------------


@pytest.mark.slow
@every_target
def test_totals_are_unbiased_and_their_covariances_honest(of: Target) -> None:
    repeats, n = 2000, 600
    generator = np.random.default_rng([7, TARGETS.index(of)])
    shares = generator.dirichlet(np.ones(prod(FIRST.schema.sizes)))
    values = generator.normal(size=(len(shares), 2))
    truth = np.rint(n * shares).astype(np.int64)
    n = int(truth.sum())
    C = whole_matrix(FIRST)
    if of == "sample":
        tables = disguised_anew(truth, C, repeats, generator)
    else:
        tables = drawn_anew(truth / n, n, C, repeats, generator)
    function = given_by(values, FIRST.schema.sizes)
    found = [
        RandomizedOracle(Reports(FIRST.schema, each), FIRST).total(
            FIRST.schema.names, function, of=of
        )
        for each in tables
    ]
    errors = np.array([each.value for each in found]) - truth @ values
    stated = np.array([each.covariance for each in found])
    # A mean of r values has the s.d. of one over √r.
    assert (np.abs(errors.mean(axis=0)) < 4 * errors.std(axis=0) / np.sqrt(repeats)).all()
    # So has the mean of the products of errors, less the covariances stated with them.
    gaps = errors[:, :, None] * errors[:, None, :] - stated
    assert (np.abs(gaps.mean(axis=0)) < 4 * gaps.std(axis=0) / np.sqrt(repeats)).all()


# --- Sites ------------------------------------------------------------------------------------


@every_target
def test_pooled_totals_add_up_whatever_the_order_of_values(of: Target) -> None:
    sites = [site(FIRST, 1, 500), site(SECOND, 2, 700)]
    family = Family.of(["region=west & age=old", "smokes=yes & age=young"], FIRST.schema)
    pooled = PooledOracle(sites)
    found = pooled.total(family.columns, matching(family), of=of)
    counted = pooled.count(family, of=of)
    assert (found.n, found.of) == (1200, of)
    assert found.value == pytest.approx(counted.value)
    assert np.diagonal(found.covariance) == pytest.approx(counted.variance)


def unknown_sample(theta: str) -> RandomizedOracle:
    unknown = {"channel": "unrelated", "theta": theta, "personal": "unknown"}
    design = Design.of(
        {
            "attributes": {"smokes": ["no", "yes"]},
            "groups": [{"attributes": ["smokes"], **unknown}],
        }
    )
    return RandomizedOracle({"smokes": ["no", "yes"]}, design)


def test_a_site_that_only_counts_is_refused_with_a_hint() -> None:
    class CountsOnly:
        def __init__(self, oracle: RandomizedOracle) -> None:
            self.schema, self.n, self.count = oracle.schema, oracle.n, oracle.count

    with pytest.raises(EstimateError, match="conjunctions only") as refusal:
        PooledOracle([CountsOnly(site(FIRST, 1, 10))]).total(["smokes"], first_column)
    assert refusal.value.hint


def test_one_sample_of_unknown_personal_answers_has_no_totals() -> None:
    with pytest.raises(EstimateError, match="unknown"):
        unknown_sample("0.4").total(["smokes"], first_column)


# --- What is refused --------------------------------------------------------------------------


def test_a_function_of_too_many_patterns_is_refused_before_any_work() -> None:
    design = wide_design([2] * 60, [("keep-or-uniform", range(30)), ("related", [31])])
    oracle = RandomizedOracle(
        Records.from_codes(np.zeros((5, 60), dtype=int), design.schema), design
    )
    with pytest.raises(EstimateError, match="too many values to undo") as refusal:
        oracle.total(design.schema.names, first_column)
    assert "leaves" in refusal.value.hint


def test_a_file_of_very_wide_records_is_refused_with_a_hint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    design = wide_design([2] * 70, [("related", range(30))])
    path = tmp_path / "wide.csv"
    path.write_text(
        "\n".join([",".join(design.schema.names), ",".join(["v0"] * 70)]), encoding="utf-8"
    )
    monkeypatch.setattr("deniable.engine.files.file_tables.READ_CELLS", 0)  # as a large file is
    oracle = RandomizedOracle(open_table(path).engine(design.schema), design)
    with pytest.raises(EstimateError, match="too many joint patterns") as refusal:
        oracle.total(design.schema.names, first_column)
    assert "memory" in refusal.value.hint
    found = oracle.total(design.schema.names[:40], first_column)
    assert found.value == pytest.approx([-1 / 3])  # one report of no, at θ = 4/5


def test_wrong_questions_are_refused() -> None:
    oracle = ExactOracle(table(1, 20), FIRST.schema)
    with pytest.raises(SchemaError, match="'smoke'"):
        oracle.total(["smoke"], first_column)
    with pytest.raises(SchemaError, match="twice"):
        oracle.total(["smokes", "smokes"], first_column)
    with pytest.raises(EstimateError, match="no target"):
        oracle.total(["smokes"], first_column, of="sampel")  # type: ignore[arg-type]
    with pytest.raises(EstimateError, match=r"shape \(1,\)"):
        oracle.total(["smokes"], lambda codes: codes[:, 0].astype(np.float64))
    nobody = Records.from_codes(np.zeros((0, 3), dtype=int), FIRST.schema)
    with pytest.raises(EstimateError, match="no reports"):
        ExactOracle(nobody, FIRST.schema).total(["smokes"], first_column)
