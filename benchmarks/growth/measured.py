"""What was measured, in a CSV file beside the page; and how steeply it grows."""

import csv
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from math import ceil, log
from pathlib import Path
from typing import Literal

Outcome = Literal["measured", "time", "memory", "smaller", "refused"]
"""``time`` and ``memory``: over that limit; ``smaller``: not tried, for a smaller one was over."""

STEEP = 1.1
"""Exponents above are worse than linear, and the page says why."""

LEAST_MEMORY = 20e6
"""Bytes below which memory is chance."""


@dataclass(frozen=True)
class Limits:
    """What mining one point may take."""

    seconds: float
    memory: int


@dataclass(frozen=True)
class Point:
    """A miner at one size of one sweep."""

    sweep: str
    size: int
    miner: str
    outcome: Outcome
    seconds: float = 0.0
    """CPU time of mining what is loaded."""

    load: float = 0.0
    """CPU time of loading."""

    memory: int = 0
    """Peak bytes while mining, what was loaded among it, the libraries not."""

    note: str = ""
    date: str = ""


@dataclass(frozen=True)
class Slope:
    """An exponent, and what is known of the way beyond the last measured point."""

    exponent: float | None
    at_least: float | None = None
    """Of the step to the first point over the limit."""

    @property
    def steep(self) -> bool:
        """Whether growth is worse than linear."""
        return any(each is not None and each > STEEP for each in (self.exponent, self.at_least))

    def __str__(self) -> str:
        parts = [] if self.exponent is None else [f"{self.exponent:.2f}"]
        if self.at_least is not None and self.at_least > STEEP:
            parts.append(f"then ≥ {self.at_least:.1f}" if parts else f"≥ {self.at_least:.1f}")
        return ", ".join(parts) or "–"


def slope(points: Sequence[Point], field: Literal["seconds", "memory"], limit: float) -> Slope:
    """Fit log size to log time over the upper half of what was measured, two points at least.

    >>> quadratic = [Point("records", n, "tree", "measured", n**2) for n in (1, 2, 4, 8)]
    >>> str(slope(quadratic, "seconds", 100))
    '2.00'
    >>> str(slope([*quadratic, Point("records", 16, "tree", "time")], "seconds", 1000))
    '2.00, then ≥ 4.0'
    """
    known = sorted((p for p in points if p.outcome == "measured"), key=lambda p: p.size)
    pairs = [(log(p.size), log(getattr(p, field))) for p in known if getattr(p, field) > 0]
    if field == "memory" and not any(p.memory >= LEAST_MEMORY for p in known):
        return Slope(None)
    upper = pairs[-max(2, ceil(len(pairs) / 2)) :]
    exponent = _least_squares(upper) if len(upper) > 1 else None
    over = [p.size for p in points if p.outcome == {"seconds": "time"}.get(field, field)]
    if not over or not pairs:
        return Slope(exponent)
    x, y = pairs[-1]
    return Slope(exponent, (log(limit) - y) / (log(min(over)) - x))


def _least_squares(pairs: Sequence[tuple[float, float]]) -> float:
    x_mean = sum(x for x, _ in pairs) / len(pairs)
    y_mean = sum(y for _, y in pairs) / len(pairs)
    above = sum((x - x_mean) * (y - y_mean) for x, y in pairs)
    return above / sum((x - x_mean) ** 2 for x, _ in pairs)


def read(path: Path) -> list[Point]:
    """Read what was measured before, if there is anything."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return [
            Point(
                row["sweep"], int(row["size"]), row["miner"],
                row["outcome"],  # type: ignore[arg-type]
                float(row["seconds"]), float(row["load"]), int(row["memory"]),
                row["note"], row["date"],
            )
            for row in csv.DictReader(file)
        ]  # fmt: skip


def write(path: Path, points: Iterable[Point]) -> None:
    """Write all of it."""
    with path.open("w", encoding="utf-8", newline="") as file:
        names = [field.name for field in fields(Point)]
        writer = csv.DictWriter(file, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows(asdict(point) for point in points)
