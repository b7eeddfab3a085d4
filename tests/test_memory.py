import pytest
from benchmarks.memory import peak_of_disguising

pytestmark = pytest.mark.slow

MEGABYTE = 1_000_000


def test_peak_memory_of_disguising_does_not_grow_with_the_file() -> None:
    small, large = peak_of_disguising(25 * MEGABYTE), peak_of_disguising(100 * MEGABYTE)
    assert large.records > 3.9 * small.records
    assert large.peak < 1.2 * small.peak
    assert large.peak < 400 * MEGABYTE
