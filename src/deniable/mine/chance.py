"""Can chance alone have done it? The p-value of "nothing predicts the target".

A model must beat chance before it is shown. What is tested is not a model but the counts that all
models are made of: how every single attribute, and every pair, goes with the class
(`deniable.mine.contrasts`). Three ways, by what the oracle can give:

- ``permutation``: the class is public, or alone with its random device. If nothing predicts it,
  any of its reports could have come with any of the others; the level is exact.
- ``simulated``: the class shares its device with some features. Those are judged by reports that
  are drawn as if nothing predicted it, all others by permutation; each has half of the level.
  Pairs of one of these and one of the others are left out.
- ``bound``: only counts can be had. Each contrast by its standard error, adjusted for how many.

Where single attributes leave no doubt, nothing is permuted: a bound on what permutations would give
says so at once (`deniable.mine.permutations.certainty`).
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, Self, TypeVar, get_args

import numpy as np

from deniable.base.wording import given_p, given_percent, joined, plural
from deniable.mine.contrasts import Associations, p_value
from deniable.mine.drawn_reports import SIMULATED
from deniable.mine.model import Model, checked_features, checked_random_state
from deniable.mine.noise_bound import bounded, simulated
from deniable.mine.permutations import LARGEST_URN, arranged, certainty, looked_at
from deniable.oracle.api import (
    CountOracle,
    Permutable,
    SeveralSamples,
    TotalOracle,
    permutable,
)

SomeModel = TypeVar("SomeModel", bound=Model)

Method = Literal["permutation", "simulated", "bound", "none"]

EVIDENT = 0.03
"""Of a test, where a sentence has to say yes or no; why not .05: docs/decisions/0024."""

CERTAIN = 1e-4
"""A bound on p at which nothing need be permuted; the level grows by no more than this."""


@dataclass(frozen=True)
class Evidence:
    """How likely the counts would go with the class as much as they do, if nothing predicted it."""

    target: str
    p: float | None
    """None where nothing could be tested."""

    method: Method
    attributes: int
    """Single attributes that were looked at."""

    pairs: int
    """Pairs of attributes that were looked at."""

    left_out: int = 0
    """Pairs that would have taken too long, or can be judged in neither way."""

    draws: int = 0
    """Permutations, or simulated draws."""

    why: str = ""
    """Why nothing could be tested."""

    @property
    def tried(self) -> int:
        """How many associations were looked at."""
        return self.attributes + self.pairs

    def found(self, level: float = EVIDENT) -> bool:
        """Whether something predicts the target, at a level."""
        return self.p is not None and self.p <= level

    @property
    def sentence(self) -> str:
        """Say it to people."""
        if self.p is None:
            return f"Chance: not tested, because {self.why}."
        says = (
            f"something here predicts {self.target!r}"
            if self.found()
            else f"nothing here predicts {self.target!r} more than chance would"
        )
        how = f"at the {given_percent(EVIDENT)} level; {self._tried()}; {self._how()}"
        return f"Chance: {says} ({self._p()} {how})."

    def _p(self) -> str:
        assert self.p is not None
        return given_p(self.p, "≤" if self.method == "bound" else "=")

    def _tried(self) -> str:
        words = [plural(self.attributes, "attribute")]
        if self.pairs:
            words.append(plural(self.pairs, "pair"))
        missing = f", {plural(self.left_out, 'pair')} left out" if self.left_out else ""
        return f"{joined(words)} tried{missing}"

    def _how(self) -> str:
        if self.why:
            return self.why
        return {
            "permutation": f"{self.draws:,} permutations of the reports",
            "simulated": f"{self.draws:,} draws of reports where nothing does",
            "bound": "adjusted for all of them",
            "none": "",
        }[self.method]

    def body(self) -> dict[str, Any]:
        """Write as JSON."""
        return asdict(self)

    @classmethod
    def read(cls, body: Mapping[str, Any]) -> Self:
        """Build from what `body` gave."""
        method, p = body["method"], body["p"]
        if method not in get_args(Method):
            raise ValueError(f"{method!r} is no test against chance")
        if p is not None and not 0 <= float(p) <= 1:
            raise ValueError(f"{p} is no p-value")
        numbers = {name: int(body[name]) for name in ("attributes", "pairs", "left_out", "draws")}
        if min(numbers.values()) < 0:
            raise ValueError("a test against chance has a negative count")
        p = None if p is None else float(p)
        return cls(str(body["target"]), p, method, **numbers, why=str(body["why"]))


def tested(oracle: CountOracle, target: str, names: Iterable[str]) -> Evidence | None:
    """Test a model's features, where that takes no counts that are charged or refused.

    Of reports that stay in a database, single attributes are looked at.
    """
    if not isinstance(oracle, Permutable) or oracle.charges:
        return None
    return evidence(oracle, target, set(names) - {target})


def with_evidence(model: SomeModel, oracle: CountOracle) -> SomeModel:
    """Add the test to a model that has a place for it, and none yet."""
    place = getattr(model, "__dataclass_fields__", {})
    if "evidence" not in place or getattr(model, "evidence", None) is not None:
        return model
    found = tested(oracle, getattr(model, "target", ""), model.schema.names)
    again: Any = model
    told: SomeModel = replace(again, evidence=found)
    return told


def read_evidence(body: Mapping[str, Any]) -> Evidence | None:
    """Read what a model's file says of the test; earlier versions said nothing."""
    found = body.get("evidence")
    return None if found is None else Evidence.read(found)


def evidence(
    oracle: CountOracle,
    target: str,
    features: Iterable[str] | None = None,
    *,
    random_state: int = 0,
    pairs: bool | None = None,
) -> Evidence:
    """Test whether any of the features, or any pair of them, says something about the target.

    Pairs are looked at where reports are at hand, unless told otherwise. Where only counts can be
    had, each may be a pass over a cluster, a round of encryption, or forbidden.

    >>> from deniable import ExactOracle
    >>> from deniable.schema import Schema
    >>> people = {"smokes": ["no", "yes"] * 50, "coughs": ["no", "yes"] * 37 + ["yes", "no"] * 13,
    ...           "reads": ["no", "no", "yes", "yes"] * 25}
    >>> oracle = ExactOracle(people, Schema.of({name: ["no", "yes"] for name in people}))
    >>> print(evidence(oracle, "smokes").sentence)
    Chance: something here predicts 'smokes' (p = 0.005 at the 3 % level; 2 attributes and 1 pair
    tried; 199 permutations of the reports).
    """
    schema = oracle.schema
    rng = checked_random_state(random_state)
    if target in schema and schema[target].size == 1:
        return Evidence(target, None, "none", 0, 0, why="the target has a single value")
    names = [name for name in checked_features(features, target, schema) if name != target]
    sizes = {name: schema[name].size for name in names if schema[name].size > 1}
    if not sizes:
        return Evidence(target, None, "none", 0, 0, why="there is no feature of several values")
    if oracle.n == 0:
        return Evidence(target, None, "none", 0, 0, why="there are no records")
    if permutable(oracle) and oracle.n < LARGEST_URN:
        return _by_reports(oracle, target, sizes, rng, pairs=pairs is not False)
    return _by_counts(oracle, target, sizes, rng, pairs=bool(pairs))


def _by_reports(
    oracle: Permutable,
    target: str,
    sizes: dict[str, int],
    rng: np.random.Generator,
    *,
    pairs: bool,
) -> Evidence:
    shared = oracle.device(target)
    apart = {name: size for name, size in sizes.items() if name not in shared}
    beside = {name: size for name, size in sizes.items() if name in shared}
    # Of several samples, personal answers may go together where private ones do not.
    if beside and (not isinstance(oracle, TotalOracle) or isinstance(oracle, SeveralSamples)):
        return _by_counts(oracle, target, sizes, rng, pairs=False)
    p, draws, looked = [], 0, []
    why = ""
    if apart:
        strata = oracle.strata(target, tuple(apart))
        alone = (1 + bool(beside)) * certainty(strata, target, apart)
        if alone <= CERTAIN:
            single = Associations(apart, ())
            return _summed(target, alone, "bound", [single], 0, "")
        chosen, draws = looked_at(strata, target, apart, rng, pairs=pairs)
        looked.append(chosen)
        if all((stratum.classes.sum(axis=0) > 0).sum() <= 1 for stratum in strata):
            p.append(1.0)
            draws, why = 0, "every report has the same class"
        else:
            p.append(p_value(arranged(strata, target, chosen, draws, rng)))
    if beside:
        assert isinstance(oracle, TotalOracle)
        found, chosen = simulated(oracle, target, beside, rng, pairs=pairs)
        p.append(found)
        between = len(beside) * len(apart) if pairs else 0
        looked.append(replace(chosen, left_out=chosen.left_out + between))
        draws, why = SIMULATED, ""
    method: Method = "simulated" if beside else "permutation"
    return _summed(target, min(1.0, len(p) * min(p)), method, looked, draws, why)


def _by_counts(
    oracle: CountOracle,
    target: str,
    sizes: dict[str, int],
    rng: np.random.Generator,
    *,
    pairs: bool,
) -> Evidence:
    p, chosen = bounded(oracle, target, sizes, rng, pairs=pairs)
    why = "all counts that it needs are refused, or known beforehand" if p is None else ""
    return _summed(target, p, "bound" if p is not None else "none", [chosen], 0, why)


def _summed(
    target: str,
    p: float | None,
    method: Method,
    looked: list[Associations],
    draws: int,
    why: str,
) -> Evidence:
    return Evidence(
        target,
        p,
        method,
        sum(len(part.sizes) for part in looked),
        sum(len(part.pairs) for part in looked),
        sum(part.left_out for part in looked),
        draws,
        why,
    )
