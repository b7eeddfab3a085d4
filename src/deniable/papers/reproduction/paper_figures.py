"""A figure as numbers: series of repeated measurements, and the panels that they are drawn in."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import numpy as np

from deniable.base.arrays import Floats
from deniable.base.wording import joined, plural

Statistic = Literal["mean", "variance", "standard deviation"]

FIGURE_COLUMNS = ("x", "mean", "variance", "standard deviation", "standard error", "repeats")
"""Of every figure's table, after what names the series."""


class Place(NamedTuple):
    """A number at a place, and the standard error of a mean."""

    x: float
    y: float
    error: float


def _error(values: Floats) -> float:
    return (_variance(values) / len(values)) ** 0.5 if len(values) > 1 else 0.0


def _variance(values: Floats) -> float:
    """Give that of the repeats: of equal ones 0, and not what rounding leaves of it."""
    return float(np.var(values, ddof=1)) if np.ptp(values) else 0.0


@dataclass(frozen=True, eq=False)
class Series:
    """Repeated measurements at some places: a line of a figure."""

    label: str
    of: Mapping[str, str]
    """What it is of, for the table: set, groups, scheme, …"""

    points: Sequence[tuple[float, Floats]]
    """Each place with its repeats, in the order in which a line joins them."""

    reference: bool = False
    """Whether it is what others are compared with, and drawn as such: a thin grey line."""

    def places(self, statistic: Statistic) -> list[Place]:
        """Give a number for each place; no variance of a single repeat."""
        if statistic == "mean":
            return [Place(x, float(np.mean(v)), _error(v)) for x, v in self.points]
        power = 1.0 if statistic == "variance" else 0.5
        several = [(x, _variance(v)) for x, v in self.points if len(v) > 1]
        return [Place(x, variance**power, 0.0) for x, variance in several]

    @property
    def repeats(self) -> int:
        """How often it was measured, at the place where that was least."""
        return min((len(values) for _, values in self.points), default=0)

    def rows(self) -> Iterator[tuple[float, ...]]:
        """Give the figures of each place, as `FIGURE_COLUMNS` names them."""
        for x, values in self.points:
            many = len(values)
            variance = _variance(values) if many > 1 else float("nan")
            deviation = variance**0.5
            yield x, float(np.mean(values)), variance, deviation, deviation / many**0.5, many


@dataclass(frozen=True)
class Panel:
    """One plot of a figure."""

    title: str
    series: Sequence[Series]
    statistic: Statistic = "mean"
    x: str = "θ"
    y: str = "accuracy"
    ticks: Mapping[float, str] = field(default_factory=dict)
    """Words at places, where x is no number: windows, say."""

    gap: tuple[float, ...] = ()
    """Places across which no line is drawn: θ = ½ of the related model."""

    low: float | None = None
    """Where the y-axis begins at the latest, if not where the numbers suggest."""

    floor: float | None = None
    """Where it begins at the earliest: what is lower is drawn at its end."""


@dataclass(frozen=True)
class Figure:
    """A figure of a paper, done again, or one that stands beside it."""

    name: str
    """Of its files: ``A-3``."""

    title: str
    says: str
    """What it shows, and how it was made: a sentence or two."""

    panels: Sequence[Panel]
    main: bool = False
    """Whether it stands in the documentation, too."""

    compared: bool = False
    """Whether its panels of means have one y-axis, so that they can be compared."""

    table: bool = False
    """Whether it is shown as a table of its series instead of plots."""

    def series(self) -> list[Series]:
        """All series, each once."""
        found = {id(series): series for panel in self.panels for series in panel.series}
        return list(found.values())


def repeats_of(figure: Figure) -> str:
    """Say how often things were repeated; if not all alike, then by what."""
    by_repeats: dict[int, list[str]] = {}
    for series in figure.series():
        label = series.label
        if label not in by_repeats.setdefault(series.repeats, []):
            by_repeats[series.repeats].append(label)
    many = sorted(by_repeats, reverse=True)
    if len(many) == 1:
        return plural(many[0], "repeat")
    return "; ".join(f"{plural(number, 'repeat')}: {joined(by_repeats[number])}" for number in many)
