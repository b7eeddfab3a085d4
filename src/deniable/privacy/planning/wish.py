"""What is asked of a plan: expected shares, limits on privacy, and goals of precision.

- **ε** bounds, whatever a reader knows, how many times likelier a report is under one truth than
  under another (e^ε times). *Per record* it is for the whole report: groups add up. *Per attribute*
  it is for each group's report on its own, and so for each of the group's attributes.
- **guess**: how often the best guess of any one attribute is right for a reader who sees the report
  of its group and knows the expected shares. Without any report it is right as often as the
  commonest value occurs; no design can bring it below that.
- **pse**: the papers' PSE(PRE), the chance that a guess in proportion to the posterior is wrong;
  the smallest over the attributes, read as above.

All limits that are given hold. They speak of one report per person; a reader who also knows how
attributes in *different* groups depend on each other may guess better (`deniable privacy`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, isfinite, prod
from typing import Literal, get_args

from deniable.errors import DesignError, listed, nearest
from deniable.privacy.entry import guess_before
from deniable.privacy.planning.compliance import Compliance
from deniable.privacy.planning.families import HALF
from deniable.privacy.population import Population
from deniable.schema import Attribute

Per = Literal["record", "attribute"]

MOST_CELLS = 1024
"""Cells of a joint table that are planned for together."""


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
        return any(limit is not None for limit in (self.epsilon, self.guess, self.pse))

    @property
    def only_epsilon(self) -> bool:
        """Whether ε is limited, and nothing else."""
        return self.epsilon is not None and self.guess is None and self.pse is None

    def require_possible(self, population: Population) -> None:
        """Refuse what even a report that says nothing would break."""
        for name in population.schema.names:
            shares = population.table([name])
            before, pse = guess_before(shares), float(1 - (shares**2).sum())
            if self.guess is not None and before > self.guess:
                raise DesignError(
                    f"A reader who sees no report already guesses {name!r} right "
                    f"{before * 100:.4g} % of the time, so no design keeps {self.guess * 100:g} %.",
                    hint=f"Limit epsilon instead, or the guess to {ceil(before * 1000) / 1000:g} "
                    "or more.",
                )
            if self.pse is not None and pse <= self.pse:
                raise DesignError(
                    f"A reader who sees no report guesses {name!r} wrong with PSE {pse:.3g}, so no "
                    f"design reaches {self.pse:g}.",
                    hint=f"Limit epsilon instead, or PSE to less than {pse:.3g}.",
                )


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


@dataclass(frozen=True, eq=False)
class Wish:
    """Everything that a plan answers to; built from plain values by `reading.wished`."""

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
                f"{self.respondents:,} respondents are too {_few_or_many(self.respondents)} to "
                "plan for.",
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
        for names in self.together:
            self._require_joint(names)
        if not self.limits.are_given and not (self.goal.is_given and self.respondents):
            raise DesignError(
                "There is no limit on privacy, and nothing to trade it against.",
                hint="Add --epsilon 2, --guess 0.8 or --pse 0.3; or both --margin and "
                "--respondents, for the most private design that keeps them.",
            )
        self.limits.require_possible(self.asked)

    @property
    def asked(self) -> Population:
        """The population, of the attributes to be disguised."""
        schema = self.population.schema.select(self.names)
        shares = {name: self.population.table([name]) for name in schema.names}
        return Population.of_shares(schema, shares)

    @property
    def names(self) -> tuple[str, ...]:
        """The attributes to be disguised."""
        return tuple(name for name in self.population.schema.names if name not in self.public)

    @property
    def attributes(self) -> tuple[Attribute, ...]:
        """The same, with their values."""
        return tuple(self.population.schema[name] for name in self.names)

    def _require_joint(self, names: Sequence[str]) -> None:
        for name in names:
            _ = self.population.schema[name]
        if len(set(names)) < 2 or len(set(names)) < len(names):  # noqa: PLR2004
            raise DesignError(
                f"--together {','.join(names)} does not name two attributes or more, once each.",
                hint="Write --together drugs,cheated.",
            )
        size = prod(self.population.schema[name].size for name in names)
        if size > MOST_CELLS:
            raise DesignError(
                f"The joint table of {listed(names)} has {size:,} cells; a plan looks at "
                f"{MOST_CELLS:,} at most.",
                hint="Name those together that matter most, two to five of them.",
            )


def _few_or_many(number: int) -> str:
    return "few" if number < 30 else "many"  # noqa: PLR2004
