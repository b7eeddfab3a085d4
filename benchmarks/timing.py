"""The best of several repeats: what the code takes when nothing else runs."""

from collections.abc import Callable, Mapping
from math import inf
from time import perf_counter


def best(work: Callable[[], object], repeats: int) -> float:
    """Seconds of the quickest repeat."""
    return alternating({"": work}, repeats)[""]


def alternating(works: Mapping[str, Callable[[], object]], repeats: int) -> dict[str, float]:
    """Seconds of each one's quickest repeat, taking turns so that noise falls on all alike."""
    quickest = dict.fromkeys(works, inf)
    for _ in range(repeats):
        for name, work in works.items():
            begin = perf_counter()
            work()
            quickest[name] = min(quickest[name], perf_counter() - begin)
    return quickest
