"""Undoing a whole table, or a report at a time, against the matrix it inverts."""

from fractions import Fraction
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from channel.test_channel_weights import Case, every_channel, random_cases, read
from deniable.base.errors import EstimateError
from deniable.channel import Channel, KeepOrUniform, Related, kinds
from deniable.channel.channel import MOST_UNROLLED, patterns

Floats = NDArray[np.float64]

ROUNDING = 1e-14
"""A product with a matrix and its inverse loses some 1e-16 per entry, times their condition."""


def matrix_of(channel: Channel) -> Floats:
    return channel.matrix(range(len(channel.sizes)))


def rounding(matrix: Floats, *largest: Floats) -> float:
    condition = float(np.linalg.cond(matrix))
    return ROUNDING * condition**2 * max([1.0, *(float(np.abs(one).max()) for one in largest)])


@pytest.mark.slow
@every_channel
@given(data=st.data())
@random_cases
def test_undoing_a_table_is_multiplying_by_the_inverse(
    cases: st.SearchStrategy[Case], data: st.DataObject
) -> None:
    channel = data.draw(cases).channel
    matrix = matrix_of(channel)
    inverse = np.linalg.inv(matrix)
    table = np.random.default_rng(1).normal(size=(len(matrix), 3))
    close = rounding(matrix, table)
    assert channel.undo(table) == pytest.approx(inverse @ table, abs=close)
    assert channel.undo(table, transposed=True) == pytest.approx(inverse.T @ table, abs=close)


@pytest.mark.slow
@every_channel
@given(data=st.data())
@random_cases
def test_a_report_unrolls_into_its_column_of_the_inverse(
    cases: st.SearchStrategy[Case], data: st.DataObject
) -> None:
    channel = data.draw(cases).channel
    matrix = matrix_of(channel)
    reports = patterns(channel.sizes)
    unrolled = channel.unrolled(reports)
    assert unrolled is not None  # these groups are small
    codes, weights = unrolled
    assert codes.shape == (len(weights), *reports.shape)
    columns = np.zeros_like(matrix)
    for truths, signed in zip(codes, weights, strict=True):
        truth = np.ravel_multi_index(tuple(truths.T), channel.sizes)
        np.add.at(columns, (truth, np.arange(len(reports))), signed)
    assert columns == pytest.approx(np.linalg.inv(matrix), abs=rounding(matrix))


@pytest.mark.slow
@every_channel
@given(data=st.data())
@random_cases
def test_a_marginal_channel_has_the_matrix_of_the_attributes_kept(
    cases: st.SearchStrategy[Case], data: st.DataObject
) -> None:
    channel = data.draw(cases).channel
    places = range(len(channel.sizes))
    kept = data.draw(st.lists(st.sampled_from(places), unique=True, min_size=1))
    marginal = channel.marginal(kept)
    assert type(marginal) is type(channel)
    assert marginal.sizes == tuple(channel.sizes[place] for place in kept)
    assert matrix_of(marginal) == pytest.approx(channel.matrix(kept), abs=1e-14)


@pytest.mark.parametrize(
    ("channel", "states"),
    [
        (read("truthful", [3, 50, 50]), 1),
        (Related((2,) * 40, Fraction(7, 10)), 2),
        (Related((100,), Fraction(7, 10)), 100),
        (KeepOrUniform.over((100,), Fraction(7, 10)), 100),
        (KeepOrUniform.over((2,) * 6, Fraction(7, 10)), MOST_UNROLLED),
        (KeepOrUniform.over((2,) * 7, Fraction(7, 10)), None),
        (Related((3,) * 4, Fraction(7, 10)), None),
    ],
    ids=lambda value: getattr(value, "kind", str(value)),
)
def test_a_report_unrolls_into_few_truths_or_not_at_all(
    channel: Channel, states: int | None
) -> None:
    found = channel.unrolled(np.zeros((5, len(channel.sizes)), dtype=np.int64))
    assert (None if found is None else len(found[1])) == states
    if found is not None:
        assert found[1].sum(axis=0) == pytest.approx(np.ones(5))


@pytest.mark.slow
@pytest.mark.parametrize(
    "channel",
    [
        Related((2,) * 16, Fraction(7, 10)),
        Related((3, 4, 5, 3, 4, 5, 3, 2), Fraction(7, 10)),
        KeepOrUniform.over((4,) * 8, Fraction(7, 10)),
    ],
    ids=lambda channel: channel.kind,
)
def test_a_large_group_is_undone_without_its_matrix(channel: Channel) -> None:
    generator = np.random.default_rng(2)
    size = prod(channel.sizes)
    table, other = generator.normal(size=(2, size, 1))
    undone = channel.undo(table)
    # What C⁻¹ keeps: the number of records, and the scalar product with its transpose.
    assert undone.sum() == pytest.approx(table.sum(), abs=1e-9)
    assert (undone * other).sum() == pytest.approx(
        (table * channel.undo(other, transposed=True)).sum(), abs=1e-9
    )
    corner = np.zeros((size, 1))
    corner[-1] = 1
    last = np.array([[k - 1 for k in channel.sizes]])
    weights = channel.weights([k - 1 for k in channel.sizes], np.array(patterns(channel.sizes)))
    assert channel.undo(corner, transposed=True)[:, 0] == pytest.approx(weights, abs=1e-12)
    assert channel.weights(last[0], last)[0] == pytest.approx(channel.undo(corner)[-1, 0])


def test_an_unknown_personal_distribution_cannot_be_undone() -> None:
    channel = read("unrelated", [2, 2], theta=Fraction(1, 2), personal="unknown")
    with pytest.raises(EstimateError, match="unknown"):
        channel.undo(np.ones((4, 1)))
    with pytest.raises(EstimateError, match="unknown"):
        channel.marginal([0]).unrolled(np.zeros((1, 1), dtype=np.int64))


def test_every_kind_of_channel_is_checked_here() -> None:
    found = {cases.split(",")[0].replace(" ", "-") for cases in every_channel.kwargs["ids"]}
    assert found == {*kinds()}
