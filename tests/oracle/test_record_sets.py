"""Sets of records are counted as if one by one, however they are packed, cut up or divided."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from deniable.oracle.frontier.record_bits import LARGEST_BLOCK, SMALLEST_BLOCK, RecordBits
from deniable.oracle.frontier.record_sets import EMPTY, UNDIVIDED, RecordSets, ReportColumns

SIZES = (2, 3, 2, 5, 2, 1)


def codes_of(sizes: tuple[int, ...], n: int, seed: int = 0) -> list[NDArray[np.uint8]]:
    rng = np.random.default_rng(seed)
    return [rng.integers(size, size=n).astype(np.uint8) for size in sizes]


def one_by_one(columns: list[NDArray[np.uint8]], sizes: tuple[int, ...], rows: Any) -> list[int]:
    """The naive twin: every value but the first of every column, a value at a time."""
    return [
        sum(int(column[row] == value) for row in rows)
        for column, size in zip(columns, sizes, strict=True)
        for value in range(1, size)
    ]


@pytest.mark.parametrize("sizes", [SIZES, (2,) * 65, (2,), (90, 40)], ids=str)
@pytest.mark.parametrize("lengths", [(1, 2, 40), (1, LARGEST_BLOCK, SMALLEST_BLOCK), (700, 1300)])
def test_sets_of_any_length_are_counted(sizes: tuple[int, ...], lengths: tuple[int, ...]) -> None:
    columns = codes_of(sizes, 2000)
    rng = np.random.default_rng(1)
    rows = rng.permutation(2000).astype(np.int32)
    size = np.array(lengths)
    start = np.cumsum(size) - size
    found = RecordBits(columns, sizes, 2000).counted(rows, start, size)
    twin = [one_by_one(columns, sizes, rows[a : a + b]) for a, b in zip(start, size, strict=True)]
    assert found.tolist() == twin


def test_a_record_that_is_drawn_again_counts_again() -> None:
    columns = codes_of(SIZES, 50)
    rows = np.random.default_rng(1).integers(50, size=3000).astype(np.int32)
    found = RecordBits(columns, SIZES, 50).counted(rows, np.array([0]), np.array([3000]))
    assert found.tolist() == [one_by_one(columns, SIZES, rows)]


@pytest.mark.parametrize("asked_before", [True, False])
def test_sets_are_divided_by_what_is_reported(asked_before: bool) -> None:
    columns = codes_of(SIZES, 400)
    sets = RecordSets.of(ReportColumns(columns, SIZES, 400), [np.arange(400)])
    for _ in range(3):
        if asked_before:
            assert len(sets.ones) == len(sets)
        whole = np.repeat(np.arange(len(sets)), 2)
        chosen = np.resize([0, 1, 3, UNDIVIDED, 4], len(whole))
        below, numbers, first = sets.divided(whole, chosen)
        assert (below.size > 0).all()
        for place, old, named in zip(first, whole.tolist(), chosen, strict=True):
            rows = sets.rows(old)
            for value in range(1 if named == UNDIVIDED else SIZES[named]):
                new = numbers[place + value]
                expected = rows if named == UNDIVIDED else rows[columns[named][rows] == value]
                if new == EMPTY:
                    assert not len(expected)
                    continue
                assert np.array_equal(below.rows(new), expected)
                assert below.ones[new].tolist() == one_by_one(columns, SIZES, expected)
        sets = below
