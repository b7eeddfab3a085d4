"""What a design gives away, measured group by group."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, fsum, inf, prod

import numpy as np

from deniable.base.arrays import Floats
from deniable.base.errors import DesignError
from deniable.design import Group
from deniable.privacy.plan.limits import Limits
from deniable.privacy.population import Population

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
            inf if inf in epsilons else fsum(epsilons),
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
    sizes = group.channel.sizes
    truths = _seen(group.names, population, public).reshape(prod(sizes), -1)
    found = {}
    for name, size, codes in zip(group.names, sizes, np.indices(sizes), strict=True):
        is_value = codes.reshape(-1, 1) == np.arange(size)
        split = truths[:, None, :] * is_value[:, :, None]  # [truth, value, public]
        joint = group.channel.send(split.reshape(len(split), -1)).reshape(split.shape)
        before, _ = _guessed(split.sum(axis=0, keepdims=True))
        found[name] = AttributeFigures(before, *_guessed(joint))
    return found


def _guessed(joint: Floats) -> tuple[float, float]:
    """How often the best guess of the middle axis is right, and one by the odds wrong."""
    seen, squares = joint.sum(axis=1), (joint**2).sum(axis=1)
    alike = np.divide(squares, seen, where=seen > 0, out=np.zeros_like(seen))
    return float(joint.max(axis=1).sum()), float(1 - alike.sum())


def _seen(names: Sequence[str], population: Population, public: Sequence[str]) -> Floats:
    """Joint shares of some attributes and of the public ones that go along with any of them."""
    blocks = [block.names for block in population.blocks if {*names} & {*block.names}]
    near = {name for block in blocks for name in block}
    told = [name for name in public if name in near]
    cells = prod(population.schema[name].size for name in (*names, *told))
    if told and cells > MOST_SEEN:
        raise DesignError(
            f"{', '.join(told)} and {', '.join(names)} have {cells:,} combinations; a reader is "
            f"followed through {MOST_SEEN:,} at most.",
            hint="Leave public columns out of the pilot, or bin them.",
        )
    return population.table([*names, *told])


def require_possible(
    limits: Limits, population: Population, names: Sequence[str], public: Sequence[str]
) -> None:
    """Refuse limits that even a report that says nothing would break."""
    sees = "no report, but what is public," if public else "no report"
    for name in names:
        shares = _seen([name], population, public).reshape(1, population.schema[name].size, -1)
        before, pse = _guessed(shares)
        if limits.guess is not None and before > limits.guess:
            raise DesignError(
                f"A reader who sees {sees} already guesses {name!r} right {before * 100:.4g} % of "
                f"the time, so no design keeps {limits.guess * 100:g} %.",
                hint=f"Limit epsilon instead, or the guess to {ceil(before * 1000) / 1000:g} "
                "or more.",
            )
        if limits.pse is not None and pse <= limits.pse:
            raise DesignError(
                f"A reader who sees {sees} guesses {name!r} wrong with PSE {pse:.3g}, so no "
                f"design reaches {limits.pse:g}.",
                hint=f"Limit epsilon instead, or PSE to less than {pse:.3g}.",
            )
