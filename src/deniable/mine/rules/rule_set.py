"""Association rules as a model: what a rule says, and how rules are written and read."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from math import inf, isfinite
from typing import Any, ClassVar, Self

from deniable.base.wording import decimal, plus_minus
from deniable.expression import Conjunction, conjunction
from deniable.mine.model import Model
from deniable.mine.rules.item_sets import Measure
from deniable.oracle.api import Target
from deniable.schema import Schema


@dataclass(frozen=True)
class Rule:
    """Premise → conclusion. No number is clipped: noise may take a confidence above 1."""

    premise: Conjunction
    conclusion: Conjunction
    support: Measure
    confidence: Measure
    lift: Measure

    def __str__(self) -> str:
        return (
            f"{self.premise} → {self.conclusion}: support {_shown(self.support)}, "
            f"confidence {_shown(self.confidence)}, lift {_shown(self.lift)}"
        )


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

    rules: tuple[Rule, ...]

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
            **{name: getattr(self, name) for name in _SETTINGS},
            "rules": [
                {
                    "premise": dict(rule.premise.terms),
                    "conclusion": dict(rule.conclusion.terms),
                    **{name: _written(getattr(rule, name)) for name in _MEASURES},
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
                *(_read(entry[name]) for name in _MEASURES),
            )
            for entry in body["rules"]
        )
        return cls(schema, **{name: body[name] for name in _SETTINGS}, rules=rules)


_SETTINGS = ("n", "of", "support", "confidence", "lift", "level", "checked", "confirmed")
_MEASURES = ("support", "confidence", "lift")


def _written(measure: Measure) -> dict[str, float | None]:
    return {name: value if isfinite(value) else None for name, value in asdict(measure).items()}


def _read(entry: Mapping[str, Any]) -> Measure:
    unbounded = {"low": -inf, "high": inf}
    return Measure(**{n: unbounded[n] if v is None else float(v) for n, v in entry.items()})


def _shown(measure: Measure) -> str:
    return (
        f"{plus_minus(measure.value, measure.std_error)} "
        f"({decimal(measure.low, 3)} to {decimal(measure.high, 3)})"
    )
