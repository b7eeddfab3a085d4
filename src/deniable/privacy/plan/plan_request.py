"""What is asked of a plan: expected shares, limits on privacy, and goals of precision."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from functools import cached_property
from math import prod

from deniable.base.errors import DesignError, listed
from deniable.channel.channel import HALF
from deniable.privacy.plan.compliance import Compliance
from deniable.privacy.plan.limits import Limits, require_possible
from deniable.privacy.population import Population
from deniable.schema import Attribute

MOST_TABLE_CELLS = 1024
"""Cells of a joint table that are planned for together."""


@dataclass(frozen=True)
class Goal:
    """How precise the survey must be, about the population; None where nothing is asked."""

    margin: float | None = None
    power: float | None = None
    against: Mapping[str, float] = field(default_factory=dict)
    """For yes/no attributes: the share that the test should be able to reject."""

    def __post_init__(self) -> None:
        if self.margin is not None and not self.margin > 0:
            raise DesignError(
                f"margin = {self.margin:g} cannot be kept.", hint="0.03 is ± 3 points."
            )
        if self.power is not None and not 0 < self.power < 1:
            raise DesignError(f"power = {self.power:g} is not between 0 and 1.", hint="Use 0.9.")
        if self.power is not None and not self.against:
            raise DesignError(
                "Power needs a share to test against.", hint="Add --against 0.05, for example."
            )

    @property
    def is_given(self) -> bool:
        """Whether a number of respondents can follow from it."""
        return self.margin is not None or self.power is not None

    def document(self) -> dict[str, object]:
        """Write it for JSON."""
        return {"margin": self.margin, "power": self.power, "against": dict(self.against)}


@dataclass(frozen=True, eq=False)
class PlanRequest:
    """Everything that a plan answers to; built from plain values by `plan_survey`."""

    population: Population
    """Expected shares: attributes taken to be independent, or, with a pilot, as its records are."""

    limits: Limits = field(default_factory=Limits)
    goal: Goal = field(default_factory=Goal)
    respondents: int | None = None
    together: tuple[tuple[str, ...], ...] = ()
    channels: tuple[str, ...] = ()
    personal: Fraction = HALF
    compliance: Compliance | None = None
    level: float = 0.95
    public: tuple[str, ...] = ()
    """Attributes of a pilot that are not disguised: its class, if it is not asked about."""

    def __post_init__(self) -> None:
        if self.respondents is not None and not 30 <= self.respondents <= 10**9:  # noqa: PLR2004
            raise DesignError(
                f"{self.respondents:,} respondents are too "
                f"{'few' if self.respondents < 30 else 'many'} to plan for.",  # noqa: PLR2004
                hint="Give a number from 30 to a billion.",
            )
        if not 0.5 <= self.level < 0.9999:  # noqa: PLR2004
            raise DesignError(
                f"level = {self.level:g} is not a confidence level to plan with.", hint="Use 0.95."
            )
        if not 0 < self.personal < 1:
            raise DesignError(
                "Personal answers that are always the same disguise nothing.",
                hint="Choose a personal question that some answer by yes: --personal 0.5.",
            )
        if not self.names:
            raise DesignError(
                f"{listed(self.public)} is public, and nothing else is asked.",
                hint="A tree needs another column; name more of them.",
            )
        for names in self.together:
            self._require_joint(names)
        if not self.limits.are_given and not (self.goal.is_given and self.respondents):
            raise DesignError(
                "There is no limit on privacy, and nothing to trade it against.",
                hint="Add --epsilon 2, --guess 0.8 or --pse 0.3; or both --margin and "
                "--respondents, for the most private design that keeps them.",
            )
        require_possible(self.limits, self.population, self.names, self.public)

    @property
    def names(self) -> tuple[str, ...]:
        """The attributes to be disguised."""
        return tuple(name for name in self.population.schema.names if name not in self.public)

    @property
    def attributes(self) -> tuple[Attribute, ...]:
        """The same, with their values."""
        return tuple(self.population.schema[name] for name in self.names)

    @cached_property
    def pools(self) -> list[list[Attribute]]:
        """Sets that may share a device: those mined together. Sets that touch are one.

        The channel of those who do not follow a device is a matrix, which is for one attribute.
        """
        if self.compliance is not None:
            return []
        sets: list[set[str]] = []
        for names in map(set, self.together):
            touching = [other for other in sets if not other.isdisjoint(names)]
            sets = [other for other in sets if other not in touching]
            sets.append(names.union(*touching))
        pools = [[a for a in self.attributes if a.name in names] for names in sets]
        return [pool for pool in pools if len(pool) > 1]

    @property
    def could_share_epsilon(self) -> bool:
        """Whether groups of several attributes, which were not asked for, might do better."""
        several = len(self.names) > 1 and not self.together and not self.compliance
        return several and bool(self.limits.budget)

    def document(self) -> dict[str, object]:
        """Write what was asked for JSON."""
        return {
            **asdict(self.limits),
            **self.goal.document(),
            "respondents": self.respondents,
            "together": [list(names) for names in self.together],
        }

    def _require_joint(self, names: Sequence[str]) -> None:
        for name in names:
            _ = self.population.schema[name]
        if len(set(names)) < 2 or len(set(names)) < len(names):  # noqa: PLR2004
            raise DesignError(
                f"--together {','.join(names)} does not name two attributes or more, once each.",
                hint="Write --together drugs,cheated.",
            )
        size = prod(self.population.schema[name].size for name in names)
        if size > MOST_TABLE_CELLS:
            raise DesignError(
                f"The joint table of {listed(names)} has {size:,} cells; a plan looks at "
                f"{MOST_TABLE_CELLS:,} at most.",
                hint="Name those together that matter most, two to five of them.",
            )
