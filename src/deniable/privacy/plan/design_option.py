"""One design on the table: what it gives away, and how precise it is."""

from dataclasses import dataclass
from functools import cached_property

from deniable.base.wording import percent
from deniable.channel.channel import HALF, patterns
from deniable.design import Group
from deniable.expression import Conjunction
from deniable.privacy.measures.single_answer import json_number
from deniable.privacy.plan.group_signals import Signals
from deniable.privacy.plan.limits import AttributeFigures, PlannedPrivacy
from deniable.privacy.plan.plan_request import Goal, PlanRequest
from deniable.privacy.plan.planned_group import GroupLayout, PlannedGroup
from deniable.privacy.plan.precision import Cells, cell_names, cells


@dataclass(frozen=True, eq=False)
class DesignOption:
    """A layout at given signals."""

    layout: GroupLayout
    signals: Signals
    pieces: tuple[PlannedGroup, ...]

    @classmethod
    def at(cls, layout: GroupLayout, signals: Signals) -> "DesignOption | None":
        """Set the knobs; None where so few follow the device that its reports say nothing."""
        found = [knob.at(signal) for knob, signal in zip(layout.knobs, signals, strict=True)]
        pieces = tuple(piece for piece in found if piece is not None)
        return cls(layout, signals, pieces) if len(pieces) == len(found) else None

    @property
    def request(self) -> PlanRequest:
        """What it answers to."""
        return self.layout.request

    @property
    def channel(self) -> str:
        """The family's name."""
        return self.layout.family.kind

    @property
    def groups(self) -> tuple[Group, ...]:
        """The devices, as respondents are asked to follow them."""
        return tuple(piece.group for piece in self.pieces)

    @property
    def counted(self) -> tuple[Group, ...]:
        """The channels by which reports are counted."""
        return tuple(piece.counted for piece in self.pieces)

    @property
    def grouping(self) -> tuple[tuple[str, ...], ...]:
        """Names of the attributes, group by group."""
        return tuple(group.names for group in self.groups)

    @cached_property
    def readings(self) -> dict[str, AttributeFigures]:
        """What a reader makes of each attribute."""
        return {name: each for piece in self.pieces for name, each in piece.readings.items()}

    @cached_property
    def privacy(self) -> PlannedPrivacy:
        """What it gives away at most."""
        return PlannedPrivacy.of([piece.epsilon for piece in self.pieces], self.readings.values())

    @cached_property
    def single(self) -> Cells:
        """Every value of every attribute."""
        return Cells.joined(piece.single for piece in self.pieces)

    @cached_property
    def joint(self) -> Cells | None:
        """Every cell of the tables of attributes that are mined together."""
        people, tables = self.request.population, self.request.together
        return Cells.joined(cells(self.counted, t, people) for t in tables) if tables else None

    def margin(self, n: int) -> float:
        """Promise each share to within this."""
        return self.single.margin(n, self.request.level)

    def joint_margin(self, n: int) -> float | None:
        """Promise each joint cell to within this."""
        return None if self.joint is None else self.joint.margin(n, self.request.level)

    def power(self, n: int) -> float | None:
        """Promise at least this power in every test."""
        tested = bool(self.request.goal.against)
        return min(piece.power(n) for piece in self.pieces) if tested else None

    def needed(self, goal: Goal) -> int | None:
        """Fewest respondents for every group's goal; None where a billion are not enough."""
        each = [piece.needed(goal) for piece in self.pieces]
        return None if None in each else max(n for n in each if n is not None)

    def figures(self, n: int, goal: Goal) -> "OptionFigures":
        """Say what it is worth with n respondents, and how many the goal would take."""
        family = self.layout.family
        return OptionFigures(
            self.channel,
            tuple(float(piece.theta) for piece in self.pieces),
            self.grouping,
            self.privacy.epsilon,
            self.privacy.guess,
            self.privacy.pse,
            self.margin(n),
            self.needed(goal),
            self.joint_margin(n),
            self.power(n),
            float(family.split) if family.split != HALF else None,
        )


@dataclass(frozen=True)
class OptionFigures:
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
    split: float | None = None
    """Share of forced answers that are a forced yes, where it is not one half."""

    @property
    def theta(self) -> float | list[float]:
        """The one θ of all groups, or one for each."""
        return self.thetas[0] if len(set(self.thetas)) == 1 else list(self.thetas)

    @property
    def label(self) -> str:
        """The channel, as a table names it."""
        return (
            self.channel if self.split is None else f"{self.channel}, {percent(self.split, 0)} yes"
        )

    def document(self) -> dict[str, object]:
        """Write it for JSON; an infinite ε is the word "inf"."""
        return {
            "channel": self.channel,
            "theta": self.theta,
            "groups": [list(names) for names in self.groups],
            "epsilon": json_number(self.epsilon),
            "guess": self.guess,
            "pse": self.pse,
            "margin": self.margin,
            "respondents": self.respondents,
            **({} if self.joint_margin is None else {"joint_margin": self.joint_margin}),
            **({} if self.power is None else {"power": self.power}),
            **({} if self.split is None else {"forced_yes": self.split}),
        }


def worst_cell(option: DesignOption, n: int) -> str:
    """Name the joint cell that is known worst."""
    assert option.joint is not None
    request = option.request
    place = int(option.joint.margins(n, request.level).argmax())
    schema = request.population.schema
    for names in request.together:
        order = cell_names(option.counted, names)
        table = patterns([schema[name].size for name in order])
        if place < len(table):
            codes = zip(order, table[place].tolist(), strict=True)
            return str(Conjunction.of({name: schema[name].values[code] for name, code in codes}))
        place -= len(table)
    raise AssertionError("every cell has a place")
