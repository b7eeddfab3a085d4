"""What a design gives away, measured group by group."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, prod

from deniable.base.errors import DesignError
from deniable.base.wording import as_chance, given_percent, joined
from deniable.design import Group
from deniable.privacy.measures.joint_groups import JointGroups, LinkedGroups, public_group
from deniable.privacy.measures.single_answer import (
    best_guess,
    posterior,
    pse,
    total_epsilon,
)
from deniable.privacy.plan.limits import Limits
from deniable.privacy.population import Population
from deniable.schema import Attribute

MOST_SEEN = 1 << 22
"""Combinations of a group's answers with public ones that a reader is followed through."""


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
    """What a design gives away at most; see `deniable.privacy.plan.limits`."""

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
        before, after = best_guess(part.by_public(0, name)), part.attribute(0, name)
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
