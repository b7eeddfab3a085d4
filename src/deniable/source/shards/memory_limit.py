"""Memory: how much there is, how much a process holds, and how many workers fit into a limit."""

import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path

from deniable.base.errors import DeniableError

MEBIBYTE = 1 << 20

# What a worker takes at most, as measured with Python 3.11, NumPy 2.4 and PyArrow 26. Together:
#   125 MiB  the interpreter, NumPy and Arrow, with the first records disguised;
#    13 MiB  a batch of 2¹⁹ cells, 25 bytes each: as read, as codes, as drawn, as reported;
#    70 MiB  what allocators keep in hand.
# For each column:
#   1.6 MiB  the page that is read, with its buffers: common writers end a page at 1 MiB;
#   0.1 MiB  2¹⁶ reports of a byte that wait until their row group is full.
# Peaks found: 178 to 209 MiB for 15 columns (238 allowed), the same after 4 and after 40 million
# records; 247 for 60 columns (328 allowed); 353 to 399 for 300 columns (808 allowed). Where pages
# are larger, a worker that exceeds its share is noticed at its next word: see crew.
WORKER_BYTES = 208 * MEBIBYTE
COLUMN_BYTES = 2 * MEBIBYTE

FOOTER_TIMES = 12
"""A Parquet footer takes 11 times its size on disk once it is read."""

GROWTH_BYTES = 32 * MEBIBYTE
"""What this process may still come to hold while it waits for its workers."""

STEP = 16 * MEBIBYTE
"""To this the least limit is rounded, so that it holds in the next run, too."""

UNITS = {"b": 1} | {
    prefix + unit: base ** (power + 1)
    for power, prefix in enumerate("kmgt")
    for unit, base in (("b", 1000), ("ib", 1024))
}


@dataclass(frozen=True)
class Crew:
    """How many workers there are, and what each may take, in bytes."""

    workers: int
    share: int


def crew_within(memory: int | None, most: int, *, columns: int, footer: int = 0) -> Crew:
    """Find how many workers, up to a number, fit into a memory limit beside this process.

    The limit is half of the machine's memory if none is given.
    """
    limit = memory if memory is not None else installed() // 2
    own = resident() + GROWTH_BYTES
    need = WORKER_BYTES + columns * COLUMN_BYTES + FOOTER_TIMES * footer
    if own + need > limit:
        least = ((own + need) // STEP + 2) * STEP
        raise DeniableError(
            f"{in_words(limit)} of memory is too little, even for one worker.",
            hint=f"Allow at least --memory {in_words(least)}.",
        )
    fitting = min(most, (limit - own) // need)
    return Crew(fitting, (limit - own) // fitting)


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def installed() -> int:
    """How much memory the machine has, or the container."""
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    container = Path("/sys/fs/cgroup/memory.max")
    said = container.read_text(encoding="ascii").strip() if container.is_file() else "max"
    return min(machine, int(said)) if said.isdigit() else machine


def resident() -> int:
    """How much memory this process holds."""
    return _status("VmRSS")


def peak() -> int:
    """The most that this process held so far."""
    return _status("VmHWM")


def _status(field: str) -> int:
    """Ask Linux; elsewhere there is only the peak."""
    status = Path("/proc/self/status")
    if status.exists():
        lines = status.read_text(encoding="ascii", errors="replace").splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(field))
    import resource  # not on every system

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def bytes_of(text: str) -> int:
    """Read a size.

    >>> bytes_of("1GiB"), bytes_of("1.5 MB")
    (1073741824, 1500000)
    """
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([a-z]+)\s*", text.lower())
    if found is None or found[2] not in UNITS:
        raise DeniableError(
            f"{text!r} is not an amount of memory.", hint="Write it like 512MiB or 2GiB."
        )
    return int(float(found[1]) * UNITS[found[2]])


def in_words(size: int) -> str:
    """Write a size.

    >>> in_words(1 << 30), in_words(300_000_000)
    ('1GiB', '287MiB')
    """
    if size % (1 << 30) == 0 and size:
        return f"{size >> 30}GiB"
    return f"{-(-size // MEBIBYTE)}MiB"
