"""One group of a design and its knob: measured at whatever signal, once each.

Shares, and tests of shares, depend on the one group that the attribute is in. So what a group gives
away and how precise it is can be found by itself; only joint cells need several groups at once.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from deniable.base.errors import DesignError
from deniable.design import Group
from deniable.oracle.api import standard_errors
from deniable.privacy.measures.single_answer import epsilon
from deniable.privacy.plan.families import DesignFamily
from deniable.privacy.plan.limits import AttributeFigures, Limits, readings
from deniable.privacy.plan.plan_request import Goal, PlanRequest
from deniable.privacy.plan.precision import (
    Cells,
    ShareTest,
    cells,
    fewest,
    first,
    largest_variance,
    share_test,
)
from deniable.schema import Attribute

GRID = 10**5
WEAKEST, STRONGEST = 10, 99_998
"""Signals out of GRID: below, no survey is large enough; above, nothing is disguised."""

Part = tuple[Attribute, ...]


@dataclass(frozen=True, eq=False)
class PlannedGroup:
    """A group at one θ. What is not asked for is not computed."""

    theta: Fraction
    group: Group
    """The device, as respondents are asked to follow it."""

    counted: Group
    """The channel by which reports are counted: the device, unless some do not follow it."""

    request: PlanRequest
    _needed: dict[tuple[float | None, float | None], int | None] = field(default_factory=dict)

    @cached_property
    def epsilon(self) -> float:
        """Of the device, or of the device as it is followed, whichever is larger."""
        device = epsilon(self.group.channel)
        return device if self.counted is self.group else max(device, epsilon(self.counted.channel))

    @cached_property
    def readings(self) -> dict[str, AttributeFigures]:
        """What a reader makes of each attribute, whether all follow the device or only some."""
        people, public = self.request.population, self.request.public
        found = readings(self.counted, people, public)
        if self.counted is self.group:
            return found
        followed = readings(self.group, people, public)
        return {
            name: AttributeFigures(
                one.before,
                max(one.guess, followed[name].guess),
                min(one.pse, followed[name].pse),
            )
            for name, one in found.items()
        }

    @cached_property
    def single(self) -> Cells:
        """Every value of every attribute."""
        return Cells.joined(
            cells([self.counted], [name], self.request.population) for name in self.group.names
        )

    @cached_property
    def tests(self) -> tuple[ShareTest, ...]:
        """Those that are asked for."""
        return tuple(
            share_test(self.counted, name, self.request.population, share)
            for name, share in self.request.goal.against.items()
            if name in self.group.names
        )

    @cached_property
    def variance(self) -> float:
        """Of one respondent's weight, for the value that is known worst."""
        names, people = self.group.names, self.request.population
        return max(largest_variance(self.counted, name, people) for name in names)

    def within(self, limits: Limits) -> bool:
        """Whether limits hold for this group by itself."""
        return limits.allow_epsilon(self.epsilon) and (
            not limits.are_on_guesses
            or all(limits.allow_guesses(each.guess, each.pse) for each in self.readings.values())
        )

    def margin(self, n: int) -> float:
        """Promise each share to within this."""
        return self.single.margin(n, self.request.level)

    def power(self, n: int) -> float:
        """Promise at least this power in every test; 1 where there is none."""
        return min((test.power(n, self.request.level) for test in self.tests), default=1.0)

    def keeps(self, goal: Goal, n: int) -> bool:
        """Whether so many respondents are enough."""
        return (goal.power is None or self.power(n) >= goal.power) and (
            goal.margin is None or self.margin(n) <= goal.margin
        )

    def needed(self, goal: Goal) -> int | None:
        """Fewest respondents; None where a billion are not enough."""
        key = goal.margin, goal.power
        if key not in self._needed:
            start = 0.0
            if goal.margin is not None:  # no fewer: the estimate itself must be within the margin
                start = self.variance * standard_errors(self.request.level) ** 2 / goal.margin**2
            self._needed[key] = fewest(lambda n: self.keeps(goal, n), start)
        return self._needed[key]


@dataclass(frozen=True, eq=False)
class Knob:
    """A group at every signal."""

    family: DesignFamily
    part: Part
    request: PlanRequest
    _by_signal: dict[int, PlannedGroup | None] = field(default_factory=dict)
    _by_theta: dict[Fraction, PlannedGroup | None] = field(default_factory=dict)

    def at(self, signal: int) -> PlannedGroup | None:
        """Set it; None where so few follow the device that its reports say nothing."""
        if signal not in self._by_signal:
            theta = self.family.theta(Fraction(signal, GRID), self.part)
            if theta not in self._by_theta:
                self._by_theta[theta] = self._made(theta)
            self._by_signal[signal] = self._by_theta[theta]
        return self._by_signal[signal]

    def _made(self, theta: Fraction) -> PlannedGroup | None:
        group = self.family.group(self.part, theta)
        follow = self.request.compliance
        try:
            counted = group if follow is None else follow.effective(group)
        except DesignError:
            return None
        return PlannedGroup(theta, group, counted, self.request)

    def strongest(self, limits: Limits) -> int | None:
        """Find the strongest signal within limits; None where there is none.

        What is private enough makes every weaker signal so. One too weak to tell anything counts
        as private.
        """

        def broken(signal: int) -> bool:
            piece = self.at(signal)
            return piece is not None and not piece.within(limits)

        found = first(WEAKEST, STRONGEST + 1, broken)
        return found - 1 if found > WEAKEST else None

    def weakest(self, kept: Callable[[PlannedGroup], bool]) -> int | None:
        """Find the weakest signal that is precise enough; None where none is."""

        def enough(signal: int) -> bool:
            piece = self.at(signal)
            return piece is not None and kept(piece)

        found = first(WEAKEST, STRONGEST + 1, enough)
        return found if found <= STRONGEST else None


@dataclass(frozen=True, eq=False)
class GroupLayout:
    """Groups, each with its knob, and the family that disguises them.

    A family for yes/no questions leaves the others to keep-or-uniform.
    """

    family: DesignFamily
    knobs: tuple[Knob, ...]

    @property
    def request(self) -> PlanRequest:
        """What it answers to."""
        return self.knobs[0].request

    def under(self, request: PlanRequest) -> "GroupLayout":
        """The same for another request."""
        return GroupLayout(self.family, tuple(Knob(k.family, k.part, request) for k in self.knobs))
