"""The best of several repeats: what the code takes when nothing disturbs it.

The clock is this process's own CPU time (all threads, user and system), which other processes at
work on the machine do not stretch as they do wall time. In quiet the two agree.
"""

from collections.abc import Callable, Mapping
from math import inf
from resource import RUSAGE_CHILDREN, getrusage
from time import process_time


def best(work: Callable[[], object], repeats: int) -> float:
    """Seconds of the quickest repeat."""
    return alternating({"": work}, repeats)[""]


def time_of_children() -> float:
    """CPU time of all child processes that have ended."""
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def alternating(
    works: Mapping[str, Callable[[], object]],
    repeats: int,
    clock: Callable[[], float] = process_time,
) -> dict[str, float]:
    """Seconds of each one's quickest repeat, taking turns so that noise falls on all alike."""
    quickest = dict.fromkeys(works, inf)
    for _ in range(repeats):
        for name, work in works.items():
            begin = clock()
            work()
            quickest[name] = min(quickest[name], clock() - begin)
    return quickest
