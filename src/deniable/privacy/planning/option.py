"""One design on the table: what it gives away, and how precise it is."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf

from deniable.channel.base import patterns
from deniable.design import Group
from deniable.errors import DesignError
from deniable.expression import Conjunction
from deniable.privacy.planning.layout import GRID, WEAKEST, Layout, Privacy, privacy
from deniable.privacy.planning.precision import (
    Cells,
    Test,
    cell_names,
    cells,
    fewest,
    quantile,
    share_test,
)
from deniable.privacy.planning.wish import Goal, Wish

FINE = 20
"""Signals out of GRID that θ, with three decimals, hardly tells apart."""


@dataclass(frozen=True, eq=False)
class Precision:
    """How well each attribute, and each joint cell that is asked for, will be known."""

    single: Cells
    """Every value of every attribute."""

    joint: Cells | None
    """Every cell of the tables of attributes that are mined together."""

    tests: tuple[Test, ...]
    level: float

    @classmethod
    def of(cls, groups: Sequence[Group], wish: Wish) -> "Precision":
        """Foresee what counting through these groups gives."""
        people = wish.population
        home = {name: group for group in groups for name in group.names}
        return cls(
            Cells.joined(cells(groups, [name], people) for name in wish.names),
            Cells.joined(cells(groups, names, people) for names in wish.together)
            if wish.together
            else None,
            tuple(
                share_test(home[name], name, people, share)
                for name, share in wish.goal.against.items()
            ),
            wish.level,
        )

    def margin(self, n: int) -> float:
        """Promise every share to within this."""
        return float(self.single.margins(n, self.level).max())

    def joint_margin(self, n: int) -> float | None:
        """Promise every joint cell to within this."""
        return None if self.joint is None else float(self.joint.margins(n, self.level).max())

    def power(self, n: int) -> float | None:
        """Promise at least this power in every test."""
        return min((test.power(n, self.level) for test in self.tests), default=None)

    def keeps(self, goal: Goal, n: int) -> bool:
        """Whether so many respondents are enough."""
        power = self.power(n)
        return (goal.margin is None or self.margin(n) <= goal.margin) and (
            goal.power is None or power is None or power >= goal.power
        )

    def needed(self, goal: Goal) -> int | None:
        """Fewest respondents; None where a billion are not enough."""
        start = 0.0
        if goal.margin is not None:  # no fewer: the estimate itself must be within the margin
            z = quantile(self.level)
            start = float(self.single.variance.max()) * z**2 / goal.margin**2
        return fewest(lambda n: self.keeps(goal, n), start)


@dataclass(frozen=True, eq=False)
class Option:
    """A layout at given signals."""

    layout: Layout
    signals: tuple[int, ...]
    groups: tuple[Group, ...]
    """The device, as respondents are asked to follow it."""

    counted: tuple[Group, ...]
    """The channel by which reports are counted: the device, unless some do not follow it."""

    privacy: Privacy
    precision: Precision

    @classmethod
    def at(cls, layout: Layout, signals: tuple[int, ...], wish: Wish) -> "Option":
        """Measure a layout."""
        groups = layout.groups(signals)
        counted = groups
        if wish.compliance is not None:
            counted = tuple(wish.compliance.effective(group) for group in groups)
        return cls(
            layout,
            signals,
            groups,
            counted,
            privacy(groups, wish.population),
            Precision.of(counted, wish),
        )

    @classmethod
    def tried(cls, layout: Layout, signals: tuple[int, ...], wish: Wish) -> "Option | None":
        """Measure a layout; None where so few follow the device that its reports say nothing."""
        try:
            return cls.at(layout, signals, wish)
        except DesignError:
            return None

    @property
    def channel(self) -> str:
        """The family's name."""
        return self.layout.family.kind

    @property
    def thetas(self) -> tuple[Fraction, ...]:
        """Of every group."""
        return tuple(map(self.layout.theta, range(len(self.signals)), self.signals))

    @property
    def grouping(self) -> tuple[tuple[str, ...], ...]:
        """Names of the attributes, group by group."""
        return tuple(group.names for group in self.groups)

    def weakened(self, goal: Goal, n: int, wish: Wish) -> "Option":
        """Give the most private design that still keeps the goal: all signals shrunk alike."""

        def scaled(part: int) -> Option | None:
            signals = tuple(max(signal * part // GRID, WEAKEST) for signal in self.signals)
            return Option.tried(self.layout, signals, wish)

        low, high, best = 0, GRID, self
        while high - low > FINE:
            middle = (low + high) // 2
            tried = scaled(middle)
            if tried is not None and tried.precision.keeps(goal, n):
                high, best = middle, tried
            else:
                low = middle
        return best

    def figures(self, n: int, goal: Goal) -> "Figures":
        """Say what it is worth with n respondents, and how many the goal would take."""
        return Figures(
            self.channel,
            tuple(map(float, self.thetas)),
            self.grouping,
            self.privacy.epsilon,
            self.privacy.guess,
            self.privacy.pse,
            self.precision.margin(n),
            self.precision.needed(goal),
            self.precision.joint_margin(n),
            self.precision.power(n),
        )


@dataclass(frozen=True)
class Figures:
    """What a design promises."""

    channel: str
    thetas: tuple[float, ...]
    groups: tuple[tuple[str, ...], ...]
    epsilon: float
    guess: float
    pse: float
    margin: float
    """Promised with the plan's number of respondents."""

    respondents: int | None
    """Fewest who keep the plan's goal; None where a billion do not."""

    joint_margin: float | None
    power: float | None

    @property
    def theta(self) -> float | list[float]:
        """The one θ of all groups, or one for each."""
        return self.thetas[0] if len(set(self.thetas)) == 1 else list(self.thetas)

    def document(self) -> dict[str, object]:
        """Write it for JSON; an infinite ε is the word "inf"."""
        return {
            "channel": self.channel,
            "theta": self.theta,
            "groups": [list(names) for names in self.groups],
            "epsilon": "inf" if self.epsilon == inf else self.epsilon,
            "guess": self.guess,
            "pse": self.pse,
            "margin": self.margin,
            "respondents": self.respondents,
            **({} if self.joint_margin is None else {"joint_margin": self.joint_margin}),
            **({} if self.power is None else {"power": self.power}),
        }


def worst_cell(option: Option, n: int, wish: Wish) -> str:
    """Name the joint cell that is known worst."""
    assert option.precision.joint is not None
    place = int(option.precision.joint.margins(n, wish.level).argmax())
    schema = wish.population.schema
    for names in wish.together:
        order = cell_names(option.counted, names)
        table = patterns([schema[name].size for name in order])
        if place < len(table):
            codes = zip(order, table[place].tolist(), strict=True)
            return str(Conjunction.of({name: schema[name].values[code] for name, code in codes}))
        place -= len(table)
    raise AssertionError("every cell has a place")
