"""Planning of secure counts: everything follows, nothing is asked in vain, vectors are fewest."""

from collections.abc import Sequence
from itertools import combinations, product
from math import isnan, nan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deniable.collab.cells import Cell
from deniable.collab.secure.count_plan import CountPlan, PlannedVector, cover, place, plan, split
from deniable.engine.memory.records import Records
from deniable.schema import Schema
from effort import calls_of

MOST = 63


def schema_of(sizes: Sequence[int]) -> Schema:
    return Schema.of({f"a{k}": [str(v) for v in range(size)] for k, size in enumerate(sizes)})


def people(schema: Schema, n: int, rng: np.random.Generator) -> Records:
    return Records.from_codes(rng.integers(schema.sizes, size=(n, len(schema))), schema)


def count(records: Records, cell: Cell) -> float:
    fits = np.ones(len(records), dtype=bool)
    for name, value in cell:
        position = records.schema.position(name)
        fits &= records.columns[position] == records.schema[name].code(value)
    return float(fits.sum())


def tables(schema: Schema, path: Cell, axes: Sequence[str], target: str) -> list[Cell]:
    """What a tree asks about one node."""
    return [
        path | {(axis, value), (target, label)}
        for axis in axes
        for value in schema[axis].values
        for label in schema[target].values
    ]


def classes(schema: Schema, path: Cell, target: str) -> list[Cell]:
    return [path | {(target, label)} for label in schema[target].values]


def resolved(planned: CountPlan, records: Records) -> dict[Cell, float]:
    return planned.resolve({cell: count(records, cell) for cell in planned.ask})


# --- What follows -----------------------------------------------------------------------------


SIZES = st.lists(st.integers(1, 4), min_size=2, max_size=5)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(SIZES, st.integers(0, 2**32), st.floats(0, 1), st.floats(0, 1))
def test_any_family_resolves_to_the_truth(
    sizes: list[int], seed: int, wanted: float, told: float
) -> None:
    schema, rng = schema_of(sizes), np.random.default_rng(seed)
    records = people(schema, 30, rng)
    choices = [[None, *((a.name, value) for value in a.values)] for a in schema]
    every = [frozenset(t for t in terms if t is not None) for terms in product(*choices)]
    cells = [cell for cell in every if rng.random() < wanted]
    known = {cell: count(records, cell) for cell in every if rng.random() < told * 0.5}
    planned = plan([*cells, *cells], schema, known)
    assert resolved(planned, records) == {cell: count(records, cell) for cell in cells}
    assert not set(planned.ask) & known.keys()
    assert len({*planned.ask, *(step.cell for step in planned.derive)}) == len(
        {*cells} - known.keys()
    )


@settings(max_examples=60, deadline=None)
@given(SIZES, st.integers(0, 2**32), st.integers(1, 4))
def test_a_tree_grown_level_by_level_resolves_to_the_truth(
    sizes: list[int], seed: int, shortlist: int
) -> None:
    schema, rng = schema_of(sizes), np.random.default_rng(seed)
    records, target = people(schema, 40, rng), schema.names[-1]
    known: dict[Cell, float] = {frozenset(): 40.0}
    known |= resolved(plan(classes(schema, frozenset(), target), schema, known), records)
    nodes: list[Cell] = [frozenset()]
    for _ in range(len(sizes) - 1):
        asked, below = [], []
        for path in nodes:
            free = [name for name in schema.names[:-1] if name not in dict(path)]
            axes = rng.permutation(free)[:shortlist].tolist()
            asked += tables(schema, path, axes, target)
            if axes and rng.random() < 0.8:
                below += [path | {(axes[0], value)} for value in schema[axes[0]].values]
        planned = plan(asked, schema, known)
        found = resolved(planned, records)
        assert found == {cell: count(records, cell) for cell in asked}
        # Of every table, a value of its axis follows from the class counts above.
        assert all(dict(cell)[a] != schema[a].values[-1] for cell in planned.ask
                   for a in dict(cell) if a != target and cell - {(a, dict(cell)[a])} in known
                   and set(siblings(schema, cell, a)) <= set(asked))  # fmt: skip
        known |= found
        nodes = below


def siblings(schema: Schema, cell: Cell, name: str) -> list[Cell]:
    rest = frozenset(term for term in cell if term[0] != name)
    return [rest | {(name, value)} for value in schema[name].values]


def test_two_children_cost_a_quarter_of_their_tables() -> None:
    schema = schema_of([2, 2, 2])
    records = people(schema, 50, np.random.default_rng(1))
    known: dict[Cell, float] = {frozenset(): 50.0}
    for cells, asked in (
        (classes(schema, frozenset(), "a2"), 1),
        (tables(schema, frozenset(), ["a0", "a1"], "a2"), 4),
        ([c for v in "01" for c in tables(schema, frozenset({("a0", v)}), ["a1"], "a2")], 2),
    ):
        planned = plan(cells, schema, known)
        assert len(planned.ask) == asked
        known |= resolved(planned, records)
    assert all(count(records, cell) == value for cell, value in known.items())


def test_a_derived_count_may_rest_on_another_one() -> None:
    schema = schema_of([2, 2])
    cells = [frozenset({("a0", x), ("a1", y)}) for x in "01" for y in "01"]
    margins = [frozenset({(name, value)}) for name in ("a0", "a1") for value in "01"]
    planned = plan([*cells, *margins], schema, {frozenset(): 9.0})
    assert planned.ask == [cells[0], margins[0], margins[2]]
    records = people(schema, 9, np.random.default_rng(2))
    assert resolved(planned, records) == {c: count(records, c) for c in (*cells, *margins)}


def test_what_rests_on_a_refused_count_is_refused() -> None:
    schema = schema_of([3, 2])
    cells = [frozenset({("a0", value)}) for value in "012"]
    other = frozenset({("a1", "0")})
    planned = plan([*cells, other], schema, {frozenset(): 30.0})
    found = planned.resolve({cells[0]: nan, cells[1]: 12.0, other: 4.0})
    assert isnan(found[cells[0]])
    assert isnan(found[cells[2]])
    assert (found[cells[1]], found[other]) == (12.0, 4.0)


def test_what_would_tell_a_refused_count_is_not_asked_later_either() -> None:
    """As in the batch that asked for both: a run that is begun again asks the same."""
    schema = schema_of([2])
    first, second = frozenset({("a0", "0")}), frozenset({("a0", "1")})
    together = plan([first, second], schema, {frozenset(): 30.0})
    assert together.ask == [first]
    later = plan([first, second], schema, {frozenset(): 30.0, first: nan})
    assert later.ask == []
    for found in (together.resolve({first: nan}), later.resolve({})):
        assert isnan(found[first])
        assert isnan(found[second])


def test_an_earlier_value_follows_where_the_last_one_is_known() -> None:
    schema = schema_of([2])
    first, second = frozenset({("a0", "0")}), frozenset({("a0", "1")})
    planned = plan([first], schema, {frozenset(): 30.0, second: 11.0})
    assert planned.ask == []
    assert planned.resolve({}) == {first: 19.0}


def test_thousands_of_cells_are_planned_with_a_few_calls_each() -> None:
    schema = schema_of([2] * 24)
    names = [f"a{k}" for k in range(8, 14)]
    nodes = [frozenset(zip(names, values, strict=True)) for values in product("01", repeat=6)]
    axes = [f"a{k}" for k in range(14, 23)]
    cells = [cell for node in nodes for cell in tables(schema, node, axes, "a23")]
    known = {cell: 1.0 for node in nodes for cell in classes(schema, node, "a23")}
    mine, theirs = {f"a{k}" for k in (*range(0, 24, 2), 23)}, {f"a{k}" for k in range(1, 24, 2)}
    assert len(cells) > 2000
    planned = plan(cells, schema, known)
    vectors = cover(place(planned.ask, mine, theirs).pairs)
    work = calls_of(lambda: cover(place(plan(cells, schema, known).ask, mine, theirs).pairs))
    assert work.total() < 40 * len(cells)  # 29 for each of 576, 32 for each of 2,304
    assert len(planned.ask) == len(cells) / 2
    # Of the paths, either side has eight parts, and each serves more than 63 but not 126 pairs.
    assert len(vectors) == 32


# --- Who counts what --------------------------------------------------------------------------

MINE, THEIRS = {"a0", "a1", "a4"}, {"a2", "a3", "a4"}  # both know a4


def cell(text: str) -> Cell:
    return frozenset(("a" + term[0], term[1]) for term in text.split())


def test_terms_are_parted_by_who_knows_them() -> None:
    assert split(cell("01 20 41"), MINE, THEIRS) == (cell("01"), cell("20"), cell("41"))


def test_only_what_is_about_both_sides_needs_cryptography() -> None:
    cells = [cell(""), cell("41"), cell("01 41"), cell("20"), cell("20 41"), cell("01 20")]
    placed = place(cells, MINE, THEIRS)
    assert placed.local == cells[:3]
    assert placed.remote == cells[3:5]
    assert placed.crossing == cells[5:]
    assert placed.pairs == [(cell("01"), cell("20"))]


def test_shared_terms_leave_the_hub_alone() -> None:
    at_mine = [cell(f"01 {b} 4{label}") for b in ("20", "30") for label in "01"]
    at_theirs = [cell(f"{a} 21 31 4{label}") for a in ("00", "10") for label in "01"]
    placed = place([*at_mine, *at_theirs], MINE, THEIRS)
    vectors = cover(placed.pairs)
    assert vectors == [
        PlannedVector("mine", cell("01"), [0, 1, 2, 3]),
        PlannedVector("theirs", cell("21 31"), [4, 5, 6, 7]),
    ] or vectors == [
        PlannedVector("theirs", cell("21 31"), [4, 5, 6, 7]),
        PlannedVector("mine", cell("01"), [0, 1, 2, 3]),
    ]


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 2**32))
def test_the_parts_of_a_pair_are_the_cell_and_each_side_knows_its_own(seed: int) -> None:
    rng, schema = np.random.default_rng(seed), schema_of([2] * 5)
    choices = [[None, (a.name, "0"), (a.name, "1")] for a in schema]
    every = [frozenset(t for t in terms if t is not None) for terms in product(*choices)]
    cells = [c for c in every if rng.random() < 0.3]
    placed = place(cells, MINE, THEIRS)
    assert sorted(map(sorted, cells)) == sorted(
        map(sorted, [*placed.local, *placed.remote, *placed.crossing])
    )
    for whole, (mine, theirs) in zip(placed.crossing, placed.pairs, strict=True):
        assert mine | theirs == whole
        assert dict(mine).keys() <= MINE
        assert dict(theirs).keys() <= THEIRS


# --- Fewest vectors ---------------------------------------------------------------------------


def pairs_of(edges: Sequence[tuple[int, int]]) -> list[tuple[Cell, Cell]]:
    return [(frozenset({("m", str(a))}), frozenset({("t", str(b))})) for a, b in edges]


def require_served_once(
    pairs: Sequence[tuple[Cell, Cell]], vectors: Sequence[PlannedVector]
) -> None:
    assert sorted(number for v in vectors for number in v.pairs) == list(range(len(pairs)))
    for side, part, numbers in vectors:
        assert 0 < len(numbers) <= MOST
        assert all(pairs[number][side == "theirs"] == part for number in numbers)


EDGES = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=14)


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(EDGES)
def test_every_pair_is_served_once_by_the_fewest_vectors(edges: list[tuple[int, int]]) -> None:
    pairs = pairs_of(edges)
    vectors = cover(pairs)
    require_served_once(pairs, vectors)
    ends = sorted({(0, a) for a, _ in edges} | {(1, b) for _, b in edges})
    fewest = next(
        size
        for size in range(len(ends) + 1)
        for chosen in combinations(ends, size)
        if all((0, a) in chosen or (1, b) in chosen for a, b in edges)
    )
    assert len(vectors) == fewest


@pytest.mark.parametrize(("edges", "vectors"), [(63, 1), (64, 2), (126, 2), (127, 3)])
def test_a_key_serves_no_more_pairs_than_it_may_answer(edges: int, vectors: int) -> None:
    pairs = pairs_of([(0, k) for k in range(edges)])
    found = cover(pairs)
    require_served_once(pairs, found)
    assert len(found) == vectors
    assert {v.part for v in found} == {pairs[0][0]}


def test_a_pair_between_two_hubs_goes_where_there_is_room() -> None:
    edges = [(0, k) for k in range(1, MOST + 1)] + [(k, 0) for k in range(1, 4)] + [(0, 0)]
    found = cover(pairs_of(edges))
    require_served_once(pairs_of(edges), found)
    assert sorted(len(v.pairs) for v in found) == [4, MOST]


def test_no_pairs_need_no_vectors() -> None:
    assert cover([]) == []
