"""Counting whole records, against two twins that know no shortcut.

Small designs: the inverse of the full Kronecker matrix, built densely. Large ones, which go through
other paths of the tally: a loop over the reports that multiplies the groups' weights.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import prod
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from deniable.base.errors import EstimateError
from deniable.design import Design
from deniable.engine.engine import DENSE_CELLS
from deniable.engine.memory.numpy_engine import MemoryEngine
from deniable.engine.memory.records import Records
from deniable.expression import ANY, Family
from deniable.oracle.randomized import RandomizedOracle
from deniable.oracle.tally import MOST_NOES, Tally
from oracle.simulated import Counts, Floats, Reports, indicators, whole_matrix

MOST_PATTERNS = 120
THETAS = ["0.9", "4/5", "0.7", "2/3"]
"""Weights stay below 3 per attribute, so that a dense inverse is good to 1e-9."""


@st.composite
def channels(draw: st.DrawFn, domains: dict[str, list[str]]) -> dict[str, Any]:
    """A group's entry in design.yaml that fits its domains."""
    sizes = [len(values) for values in domains.values()]
    kinds = ["truthful", "unrelated", "keep-or-uniform"]
    if min(sizes) > 1:
        kinds.append("related")
    if len(sizes) == 1:
        kinds += ["forced", "matrix"]
        if sizes == [2]:
            kinds += ["mangat", "kuk", "crosswise", "triangular"]
    kind = draw(st.sampled_from(kinds))
    theta = draw(st.sampled_from(THETAS))
    entry: dict[str, Any] = {"attributes": list(domains), "channel": kind}
    values = next(iter(domains.values()))
    match kind:
        case "unrelated":
            personal = {
                name: {value: Fraction(2 * code + 1, len(own) ** 2) for code, value in own_codes}
                for name, own in domains.items()
                for own_codes in [list(enumerate(own))]
            }
            entry |= {"theta": theta, "personal": personal}
        case "forced":
            entry |= {"forced": {values[0]: "1/6", values[-1]: "1/4"}}
        case "kuk":
            entry |= {"red": {values[0]: "0.2", values[1]: "0.9"}}
        case "triangular":
            entry |= {"theta": "0.3"}
        case "matrix":
            kept, moved = Fraction(7, 10), Fraction(3, 10)
            entry["matrix"] = {
                truth: {
                    report: kept * (report == truth) + moved * (report == values[(code + 1) % size])
                    for report in values
                }
                for size in [len(values)]
                for code, truth in enumerate(values)
            }
        case "truthful":
            pass
        case _:
            entry |= {"theta": theta}
    return entry


@st.composite
def designs(draw: st.DrawFn) -> Design:
    """Several groups, in any order, and public attributes between them."""
    sizes = draw(
        st.lists(st.integers(1, 4), min_size=1, max_size=5).filter(
            lambda sizes: prod(sizes) <= MOST_PATTERNS
        )
    )
    domains = {f"a{i}": [f"v{code}" for code in range(size)] for i, size in enumerate(sizes)}
    order = draw(st.permutations(list(domains)))
    groups = []
    while order:
        names, order = order[: (cut := draw(st.integers(1, 3)))], order[cut:]
        if draw(st.integers(0, 3)):  # every fourth stays public
            groups.append(draw(channels({name: domains[name] for name in names})))
    return Design.of({"attributes": domains, "groups": groups})


@st.composite
def questions(draw: st.DrawFn, design: Design) -> list[dict[str, str]]:
    """Conjunctions over any of the attributes; the empty one asks for everybody."""
    term = st.fixed_dictionaries(
        {}, optional={a.name: st.sampled_from(a.values) for a in design.schema}
    )
    return draw(st.lists(term, min_size=1, max_size=8))


@pytest.mark.slow
@given(design=designs(), seed=st.integers(0, 2**32), data=st.data())
@settings(derandomize=True, max_examples=150)
def test_estimates_are_the_inverse_of_the_whole_channel_applied_to_the_reports(
    design: Design, seed: int, data: st.DataObject
) -> None:
    asked = data.draw(questions(design))
    cells = prod(design.schema.sizes)
    counts = np.random.default_rng(seed).integers(0, 50, size=cells) + 1
    n = counts.sum()
    weights = indicators(asked, design.schema) @ np.linalg.inv(whole_matrix(design))
    value, square = weights @ counts, weights**2 @ counts
    oracle = RandomizedOracle(Reports(design.schema, counts), design)
    about_them = oracle.count(asked)
    assert about_them.value == pytest.approx(value, rel=1e-9, abs=1e-9 * n)
    assert about_them.variance == pytest.approx(square - value, rel=1e-9, abs=1e-9 * square.max())
    about_all = oracle.count(asked, of="population")
    assert about_all.value == pytest.approx(value, rel=1e-9, abs=1e-9 * n)
    assert about_all.variance == pytest.approx(
        square - value**2 / n, rel=1e-9, abs=1e-9 * square.max()
    )


@given(design=designs(), seed=st.integers(0, 2**32))
@settings(derandomize=True, max_examples=50)
def test_the_estimates_of_all_cells_sum_to_the_number_of_reports(design: Design, seed: int) -> None:
    counts = np.random.default_rng(seed).integers(0, 50, size=prod(design.schema.sizes)) + 1
    oracle = RandomizedOracle(Reports(design.schema, counts), design)
    table = oracle.count(Family.table(design.schema.names, design.schema))
    assert table.value.sum() == pytest.approx(counts.sum(), rel=1e-9)


# --- Records too wide for one opened table ----------------------------------------------------


def naive(design: Design, reports: NDArray[Any], family: Family) -> tuple[Floats, Floats]:
    """N̂ and Σw², report by report, one group's weight after the other."""
    place = {name: column for column, name in enumerate(family.columns)}
    value, square = np.zeros((2, len(family)))
    for row, codes in enumerate(family.codes):
        weight = np.ones(len(reports))
        for group in design.groups:
            asked = [int(codes[place[name]]) if name in place else ANY for name in group.names]
            if set(asked) != {ANY}:
                columns = [design.schema.position(name) for name in group.names]
                weight *= group.channel.weights(asked, reports[:, columns])
        for name in design.public:
            if name in place and codes[place[name]] != ANY:
                weight *= reports[:, design.schema.position(name)] == codes[place[name]]
        value[row], square[row] = weight.sum(), (weight**2).sum()
    return value, square


def agrees_with_the_naive_twin(design: Design, reports: NDArray[Any], family: Family) -> None:
    records = Records.from_codes(reports, design.schema)
    found = RandomizedOracle(records, design).count(family)
    value, square = naive(design, reports, family)
    scale = np.sqrt(square.max() * len(reports)) + 1  # rounding is relative to Σ|w|
    assert found.value == pytest.approx(value, rel=1e-9, abs=1e-12 * scale)
    assert found.variance == pytest.approx(
        square - value, rel=1e-9, abs=1e-12 * square.max() + 1e-9
    )


def random_family(
    design: Design, generator: np.random.Generator, terms: int, size: int = 40
) -> Family:
    """Conjunctions of some terms each; value 0 is asked for more often than any other."""
    schema = design.schema
    codes = np.full((size, len(schema)), ANY)
    for row in codes:
        for place in generator.choice(len(schema), size=min(terms, len(schema)), replace=False):
            row[place] = generator.integers(schema.sizes[place]) * generator.integers(2)
    return Family(schema.names, codes)


def random_reports(design: Design, generator: np.random.Generator, n: int) -> NDArray[np.int64]:
    """Reports whose first values are common, so that long conjunctions are met at all."""
    sizes = np.array(design.schema.sizes)
    common = generator.random((n, len(sizes))) < 0.8
    codes: Counts = np.where(common, 0, generator.integers(0, sizes, size=(n, len(sizes))))
    return codes


def wide_design(sizes: Sequence[int], groups: Sequence[tuple[str, Sequence[int]]]) -> Design:
    names = [f"a{place}" for place in range(len(sizes))]
    domains = {
        name: [f"v{code}" for code in range(size)] for name, size in zip(names, sizes, strict=True)
    }
    entries = [
        {"attributes": [names[place] for place in places], "channel": channel, "theta": "4/5"}
        for channel, places in groups
    ]
    return Design.of({"attributes": domains, "groups": entries})


def is_opened(design: Design) -> bool:
    """Whether the whole table is opened on every axis."""
    empty = Records.from_codes(np.zeros((0, len(design.schema)), dtype=int), design.schema)
    return Tally(MemoryEngine(empty))._open(design.schema.names) is not None


WIDE = {
    "yes/no attributes, all in one table": (
        wide_design([2] * 12, [("related", range(8)), ("related", [8, 9])]),
        True,
        12,
    ),
    "yes/no attributes and others, all in one table": (
        wide_design(
            [2, 2, 3, 2, 2, 1, 4, 2, 2, 2, 2],
            [("related", [0, 2, 3]), ("keep-or-uniform", [4, 5, 6]), ("related", [7, 8, 9])],
        ),
        True,
        11,
    ),
    "too many yes/no attributes for one table": (
        wide_design([2] * 30, [("related", range(10)), ("related", range(10, 14))]),
        False,
        20,
    ),
    "more yes/no attributes than a machine integer has bits": (
        wide_design([2] * 90, [("related", range(40)), ("keep-or-uniform", range(40, 60))]),
        False,
        40,
    ),
    "domains too large for one table": (
        wide_design([300, 200, 150, 2, 3], [("related", [0, 3]), ("keep-or-uniform", [1, 2])]),
        False,
        5,
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize(("design", "opened", "terms"), WIDE.values(), ids=WIDE)
@pytest.mark.parametrize("seed", range(3))
def test_wide_records_are_counted_as_by_the_naive_twin(
    design: Design, opened: bool, terms: int, seed: int
) -> None:
    assert is_opened(design) == opened
    generator = np.random.default_rng(seed)
    reports = random_reports(design, generator, n=300)
    for asked in (1, 3, terms):
        agrees_with_the_naive_twin(design, reports, random_family(design, generator, asked))


def test_the_designs_above_reach_every_path_of_the_tally() -> None:
    design, *_ = WIDE["yes/no attributes, all in one table"]
    family = random_family(design, np.random.default_rng(0), 12)
    noes = (family.codes == 0).sum(axis=1)
    assert noes.max() > MOST_NOES  # counted by columns, though the table is opened
    assert noes.min() <= MOST_NOES
    large, *_ = WIDE["domains too large for one table"]
    assert prod(large.schema.sizes) > DENSE_CELLS  # counted by sorting


@pytest.mark.parametrize("noes", range(12))
def test_asking_many_attributes_for_no_changes_nothing(noes: int) -> None:
    design, *_ = WIDE["yes/no attributes, all in one table"]
    reports = random_reports(design, np.random.default_rng(noes), n=500)
    codes = np.full((2, 12), ANY)
    codes[0, :noes] = 0
    codes[1, 12 - noes :] = 0
    codes[1, 0] = 1
    agrees_with_the_naive_twin(design, reports, Family(design.schema.names, codes))


def test_a_conjunction_with_more_patterns_than_can_be_numbered_is_refused_with_a_hint() -> None:
    design, *_ = WIDE["more yes/no attributes than a machine integer has bits"]
    oracle = RandomizedOracle(
        Records.from_codes(np.zeros((5, 90), dtype=int), design.schema), design
    )
    with pytest.raises(EstimateError, match="joint patterns") as refusal:
        oracle.count([dict.fromkeys(design.schema.names[:63], "v0")])
    assert refusal.value.hint


# --- Questions that ask for nothing -----------------------------------------------------------


@pytest.mark.parametrize(("design", "opened", "terms"), WIDE.values(), ids=WIDE)
def test_everybody_is_counted_exactly(design: Design, opened: bool, terms: int) -> None:
    reports = random_reports(design, np.random.default_rng(1), n=20)
    found = RandomizedOracle(Records.from_codes(reports, design.schema), design).count(["*"])
    assert found.value == [20]
    assert found.std_error == [0]


@pytest.mark.parametrize(("design", "opened", "terms"), WIDE.values(), ids=WIDE)
def test_no_question_gets_no_answer(design: Design, opened: bool, terms: int) -> None:
    reports = random_reports(design, np.random.default_rng(1), n=20)
    oracle = RandomizedOracle(Records.from_codes(reports, design.schema), design)
    assert len(oracle.count([])) == 0
    columns = design.schema.names[:2]
    assert len(oracle.count(Family(columns, np.zeros((0, 2), dtype=np.int64)))) == 0


@pytest.mark.parametrize(("design", "opened", "terms"), WIDE.values(), ids=WIDE)
def test_columns_that_are_all_left_open_count_everybody(
    design: Design, opened: bool, terms: int
) -> None:
    reports = random_reports(design, np.random.default_rng(1), n=20)
    oracle = RandomizedOracle(Records.from_codes(reports, design.schema), design)
    columns = design.schema.names[:4]
    found = oracle.count(Family(columns, np.full((3, 4), ANY)))
    assert found.value.tolist() == [20, 20, 20]
    assert found.std_error.tolist() == [0, 0, 0]


def test_no_reports_are_refused_with_a_hint() -> None:
    design, *_ = WIDE["yes/no attributes, all in one table"]
    nobody = Records.from_codes(np.zeros((0, 12), dtype=int), design.schema)
    with pytest.raises(EstimateError, match="no reports") as refusal:
        RandomizedOracle(nobody, design).count(["a0=v1"])
    assert refusal.value.hint


def test_too_many_terms_are_refused_before_memory_is() -> None:
    names = [f"a{place}" for place in range(30)]
    groups = [([name], "keep-or-uniform") for name in names]
    design = Design.of(
        {
            "attributes": {name: ["x", "y", "z"] for name in names},
            "groups": [{"attributes": a, "channel": c, "theta": "1/2"} for a, c in groups],
        }
    )
    oracle = RandomizedOracle({name: ["x"] for name in names}, design)
    with pytest.raises(EstimateError, match="signed terms"):
        oracle.count([dict.fromkeys(names, "x")])


def test_a_conjunction_over_too_many_patterns_is_refused_at_once() -> None:
    names = [f"a{place}" for place in range(150)]
    design = Design.of(
        {
            "attributes": {name: ["x", "y", "z"] for name in names},
            "groups": [
                {"attributes": [name], "channel": "keep-or-uniform", "theta": "1/2"}
                for name in names
            ],
        }
    )
    oracle = RandomizedOracle({name: ["x"] for name in names}, design)
    with pytest.raises(EstimateError, match="Ask about fewer attributes"):
        oracle.count([dict.fromkeys(names[:60], "x")])
