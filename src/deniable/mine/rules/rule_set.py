"""Association rules as a model: what a rule says, and how rules are written and read."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import inf, isfinite
from typing import Any, ClassVar, Self

from deniable.base.arrays import Codes, Floats
from deniable.base.wording import decimal, given_p, plus_minus
from deniable.expression import Conjunction, conjunction
from deniable.mine.model import Model
from deniable.mine.rules.apriori import WrittenSets
from deniable.mine.rules.item_sets import Measure
from deniable.mine.rules.result_rows import ResultRows
from deniable.oracle.api import Target
from deniable.schema import Schema


@dataclass(frozen=True, slots=True)
class Rule:
    """Premise → conclusion. No number is clipped: noise may take a confidence above 1."""

    premise: Conjunction
    conclusion: Conjunction
    support: Measure
    confidence: Measure
    lift: Measure
    p_value: float
    """Of "lift is 1", adjusted for all that were tried."""

    def __str__(self) -> str:
        return (
            f"{self.premise} → {self.conclusion}: support {_shown(self.support)}, "
            f"confidence {_shown(self.confidence)}, lift {_shown(self.lift)}, "
            f"{given_p(self.p_value)}"
        )


class RuleRows(ResultRows[Rule]):
    """Association rules, and what is known of each."""

    def __init__(
        self, written: WrittenSets, sides: Codes, measures: Floats, p_values: Floats, chosen: Codes
    ) -> None:
        super().__init__(chosen)
        self._written, self._sides = written, sides
        """Numbers of premise and conclusion ``[rule, side]``."""
        self._measures = measures
        """``[rule, measure, figure]``."""
        self._p_values = p_values

    def among(self, places: Codes | slice) -> Self:
        """Give some of these rules."""
        rows = self._chosen[places]
        return type(self)(self._written, self._sides, self._measures, self._p_values, rows)

    def _made(self, chosen: Codes) -> Iterator[Rule]:
        told = zip(
            self._written.conjunctions(self._sides[chosen, 0]),
            self._written.conjunctions(self._sides[chosen, 1]),
            self._measures[chosen].tolist(),
            self._p_values[chosen].tolist(),
            strict=True,
        )
        for premise, conclusion, measures, p_value in told:
            support, confidence, lift = (Measure(*each) for each in measures)
            yield Rule(premise, conclusion, support, confidence, lift, p_value)


@dataclass(frozen=True)
class RuleSet(Model):
    """Rules by falling confidence, then support, and the settings they were found by."""

    kind: ClassVar[str] = "rules"

    schema: Schema
    n: int
    of: Target
    support: float
    confidence: float
    lift: float
    level: float
    checked: int
    """Item sets that the screen counted."""

    confirmed: int
    """Item sets that the confirming oracle counted."""

    rules: Sequence[Rule]
    max_false: float = 1.0
    """Share of the rules, in expectation and at most, that chance alone has made."""

    tried: int = 0
    """Associations that were looked at; premise and conclusion may change places."""

    unproven: int = 0
    """Rules that reach all thresholds, and that chance explains."""

    def __len__(self) -> int:
        return len(self.rules)

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    def rows(self) -> list[Rule]:
        """The rules, by falling confidence, then support."""
        return list(self.rules)

    def body(self) -> dict[str, Any]:
        """Write settings and rules; an unbounded side of an interval is null."""
        return {
            **{name: getattr(self, name) for name in (*_SETTINGS, *_CHANCE)},
            "rules": [
                {
                    "premise": dict(rule.premise.terms),
                    "conclusion": dict(rule.conclusion.terms),
                    **{name: _written(getattr(rule, name)) for name in _MEASURES},
                    "p_value": rule.p_value,
                }
                for rule in self.rules
            ],
        }

    @classmethod
    def read(cls, schema: Schema, body: Mapping[str, Any]) -> Self:
        """Build from what `body` gave."""
        rules = tuple(
            Rule(
                conjunction(entry["premise"], schema),
                conjunction(entry["conclusion"], schema),
                **{name: _read(entry[name]) for name in _MEASURES},
                p_value=_read_p(entry.get("p_value", 1.0)),
            )
            for entry in body["rules"]
        )
        chance = {name: body[name] for name in _CHANCE if name in body}
        return cls(schema, **{name: body[name] for name in _SETTINGS}, rules=rules, **chance)


_SETTINGS = ("n", "of", "support", "confidence", "lift", "level", "checked", "confirmed")
_CHANCE = ("max_false", "tried", "unproven")
"""Earlier files say nothing of chance: all that reached the thresholds were kept."""

_MEASURES = ("support", "confidence", "lift")


def _written(measure: Measure) -> dict[str, float | None]:
    return {name: value if isfinite(value) else None for name, value in asdict(measure).items()}


def _read(entry: Mapping[str, Any]) -> Measure:
    unbounded = {"low": -inf, "high": inf}
    return Measure(**{n: unbounded[n] if v is None else float(v) for n, v in entry.items()})


def _read_p(value: float) -> float:
    if not 0 <= float(value) <= 1:
        raise ValueError(f"{value} is no p-value")
    return float(value)


def _shown(measure: Measure) -> str:
    return (
        f"{plus_minus(measure.value, measure.std_error)} "
        f"({decimal(measure.low, 3)} to {decimal(measure.high, 3)})"
    )
