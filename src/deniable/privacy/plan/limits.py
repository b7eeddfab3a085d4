"""Limits on what a report may give away, and what a design gives away of it.

- **ε** bounds, whatever a reader knows, how many times likelier a report is under one truth than
  under another (e^ε times). *Per record* it is for the whole report: groups add up. *Per attribute*
  it is for each group's report on its own, and so for each of the group's attributes.
- **guess**: how often the best guess of any one attribute is right for a reader who sees the report
  of its group and all public answers, and knows the expected shares. Without any report it is right
  as often as the commonest value occurs; no design can bring it below that.
- **pse**: the papers' PSE(PRE), the chance that a guess in proportion to the posterior is wrong;
  the smallest over the attributes, read as above.

All limits that are given hold. Where some do not follow the device, ε is the larger of the device's
and of that which a reader sees who knows how many follow it; guess and PSE are that reader's. They
speak of one report per person; a reader who also knows how attributes in *different* groups depend
on each other may guess better (`deniable privacy`).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import ceil, isfinite, prod
from typing import Literal, get_args

from deniable.base.arrays import ROUNDING
from deniable.base.errors import DesignError, nearest
from deniable.base.wording import as_chance, given_percent, joined
from deniable.design import Group
from deniable.privacy.measures.joint_groups import JointGroups, LinkedGroups, public_group
from deniable.privacy.measures.single_answer import best_guess, posterior, pse, total_epsilon
from deniable.privacy.population import Population
from deniable.schema import Attribute

Per = Literal["record", "attribute"]

MOST_SEEN = 1 << 22
"""Combinations of a group's answers with public ones that a reader is followed through."""


@dataclass(frozen=True)
class Limits:
    """What no report may exceed; None where nothing is asked."""

    epsilon: float | None = None
    per: Per = "record"
    guess: float | None = None
    pse: float | None = None

    def __post_init__(self) -> None:
        if self.epsilon is not None and not (isfinite(self.epsilon) and self.epsilon > 0):
            raise DesignError(
                f"epsilon = {self.epsilon:g} is no limit.",
                hint="Use a number above 0: 1 is strict, 3 is loose.",
            )
        if self.per not in get_args(Per):
            raise DesignError(
                f"A limit is not per {self.per!r}.", hint=nearest(self.per, get_args(Per))
            )
        for name, value in (("guess", self.guess), ("pse", self.pse)):
            if value is not None and not 0 < value < 1:
                raise DesignError(
                    f"{name} = {value:g} is not between 0 and 1.",
                    hint="It is a chance, such as 0.8." if name == "guess" else "Such as 0.3.",
                )

    @property
    def are_given(self) -> bool:
        """Whether anything is asked at all."""
        return self.epsilon is not None or self.are_on_guesses

    @property
    def are_on_guesses(self) -> bool:
        """Whether more than ε is limited, or something else."""
        return self.guess is not None or self.pse is not None

    @property
    def budget(self) -> float | None:
        """The ε that all groups share, if there is one."""
        return self.epsilon if self.per == "record" else None

    @property
    def alone(self) -> "Limits":
        """What holds for each group by itself, whatever the others spend."""
        return replace(self, per="attribute", epsilon=None if self.budget else self.epsilon)

    def allow_epsilon(self, epsilon: float) -> bool:
        """Whether this ε is small enough."""
        return self.epsilon is None or epsilon <= self.epsilon * (1 + ROUNDING)

    def allow_guesses(self, guess: float, pse: float) -> bool:
        """Whether guesses are wrong often enough."""
        return (self.guess is None or guess <= self.guess + ROUNDING) and (
            self.pse is None or pse >= self.pse - ROUNDING
        )


@dataclass(frozen=True)
class AttributeFigures:
    """One attribute, for a reader of its group's report and of all public answers."""

    before: float
    """How often the best guess is right without the report."""

    guess: float
    """The same with it."""

    pse: float


@dataclass(frozen=True)
class PlannedPrivacy:
    """What a design gives away at most."""

    epsilon: float
    """Of the whole report."""

    guess: float
    pse: float

    largest: float
    """The largest ε of a single group."""

    @classmethod
    def of(cls, epsilons: Sequence[float], read: Iterable[AttributeFigures]) -> "PlannedPrivacy":
        """Put groups together: their ε add up."""
        every = list(read)
        return cls(
            total_epsilon(epsilons),
            max(reading.guess for reading in every),
            min(reading.pse for reading in every),
            max(epsilons),
        )

    def within(self, limits: Limits) -> bool:
        """Whether all limits hold."""
        mine = self.epsilon if limits.per == "record" else self.largest
        return limits.allow_epsilon(mine) and limits.allow_guesses(self.guess, self.pse)


def readings(
    group: Group, population: Population, public: Sequence[str] = ()
) -> dict[str, AttributeFigures]:
    """Read every attribute of a group from the whole of its report."""
    told = tuple(map(public_group, _told(group.names, population, public)))
    part = JointGroups.of(LinkedGroups((group,), told), population)
    found = {}
    for name in group.names:
        before, after = best_guess(part.values_by_public(0, name)), part.attribute(0, name)
        found[name] = AttributeFigures(before, after.success, after.pse)
    return found


def _told(names: Sequence[str], population: Population, public: Sequence[str]) -> list[Attribute]:
    """Public attributes that go along with any of some others."""
    blocks = [block.names for block in population.blocks if {*names} & {*block.names}]
    near = {name for block in blocks for name in block}
    told = [name for name in public if name in near]
    cells = prod(population.schema[name].size for name in (*names, *told))
    if told and cells > MOST_SEEN:
        raise DesignError(
            f"{joined([*told, *names])} have {cells:,} combinations; a reader is "
            f"followed through {MOST_SEEN:,} at most.",
            hint="Leave public columns out of the pilot, or bin them.",
        )
    return [population.schema[name] for name in told]


def require_possible(
    limits: Limits, population: Population, names: Sequence[str], public: Sequence[str]
) -> None:
    """Refuse limits that even a report that says nothing would break."""
    sees = "no report, but what is public," if public else "no report"
    for name in names:
        told = [attribute.name for attribute in _told([name], population, public)]
        shares = population.table([name, *told])
        before, wrong = best_guess(shares), pse(shares, posterior(shares, shares.sum(axis=0)))
        if limits.guess is not None and before > limits.guess:
            raise DesignError(
                f"A reader who sees {sees} already guesses {name!r} right {as_chance(before, 4)} "
                f"of the time, so no design keeps {given_percent(limits.guess)}.",
                hint=f"Limit epsilon instead, or the guess to {ceil(before * 1000) / 1000:g} "
                "or more.",
            )
        if limits.pse is not None and wrong <= limits.pse:
            raise DesignError(
                f"A reader who sees {sees} guesses {name!r} wrong with PSE {wrong:.3g}, so no "
                f"design reaches {limits.pse:g}.",
                hint=f"Limit epsilon instead, or PSE to less than {wrong:.3g}.",
            )
