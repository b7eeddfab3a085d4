"""The page on growth: exponents, limits, and no steep growth without a reason."""

from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks.growth.__main__ import LIMITS, PAGE, measured
from benchmarks.growth.cases import SWEEPS, Case
from benchmarks.growth.measured import Limits, Point, read, slope, write
from benchmarks.growth.miners import NAMES
from benchmarks.growth.page import UNEXPLAINED, page
from benchmarks.growth.reasons import REASONS

RECORDS = SWEEPS[0]
SMALL = Case(records=500, attributes=10)


def points(power: float, sizes: tuple[int, ...] = (1000, 10_000, 100_000)) -> list[Point]:
    return [
        Point(RECORDS.title, size, "tree", "measured", seconds=(size / 1e5) ** power)
        for size in sizes
    ]


def test_the_exponent_is_that_of_the_upper_half() -> None:
    flat = [replace(point, seconds=1e-10) for point in points(1, (10, 100))]
    assert slope([*flat, *points(2)[1:]], "seconds", 10).exponent == pytest.approx(2)


def test_a_point_over_the_limit_bounds_the_growth_from_below() -> None:
    over = Point(RECORDS.title, 1_000_000, "tree", "time")
    # From 1 s at 100,000 records to more than 100 s at ten times as many.
    found = slope([*points(1), over], "seconds", 100)
    assert found.exponent == pytest.approx(1)
    assert found.at_least == pytest.approx(2)
    assert found.steep


def test_steep_growth_without_a_reason_is_called_unexplained() -> None:
    for power, explained in ((1, True), (2, False)):
        text, told = page(points(power), SWEEPS, LIMITS, [], ("time.svg", "memory.svg"))
        assert told is explained
        assert (UNEXPLAINED in text) is not explained


def test_reasons_are_of_miners_and_sweeps_that_there_are() -> None:
    titles = [sweep.title for sweep in SWEEPS]
    assert all(name in NAMES and title in titles for name, title in REASONS)


def test_figures_are_read_as_they_were_written(tmp_path: Path) -> None:
    known = [*points(1), Point("values", 5, "logistic", "refused", note="Too many, alas.")]
    write(tmp_path / "growth.csv", known)
    assert read(tmp_path / "growth.csv") == known


def test_every_steep_growth_that_is_published_has_a_reason() -> None:
    known = read(PAGE.with_suffix(".csv"))
    assert page(known, SWEEPS, LIMITS, [], ("time.svg", "memory.svg"))[1]
    assert {point.miner for point in known} == set(NAMES)


@pytest.mark.slow
def test_a_point_is_measured_or_says_which_limit_it_passed(tmp_path: Path) -> None:
    found = measured("bayes", SMALL, LIMITS, tmp_path)
    assert found.outcome == "measured"
    assert found.seconds > 0
    assert found.memory > 0
    # The first look at the clock is after 0.1 s; fifty trees take about as long and more.
    assert measured("best", SMALL, Limits(1e-9, LIMITS.memory), tmp_path).outcome == "time"
    assert measured("best", SMALL, Limits(10, 1 << 20), tmp_path).outcome == "memory"
    many = replace(SMALL, attributes=15, values=10)
    refused = measured("logistic", many, LIMITS, tmp_path)
    assert refused.outcome == "refused"
    assert "too many values" in refused.note
