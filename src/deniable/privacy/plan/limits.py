"""Limits on what a report may give away.

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

from dataclasses import dataclass, replace
from math import isfinite
from typing import Literal, get_args

from deniable.base.arrays import ROUNDING
from deniable.base.errors import DesignError, nearest

Per = Literal["record", "attribute"]


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
