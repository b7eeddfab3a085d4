"""Everything a design gives away, put together: by attribute, by group, for the whole record.

Each figure says what it assumes. ε and γ assume nothing about the reader. PSE and the best guesses
hold for a reader who knows the population (`Population`), the design, and the public attributes;
`guess` is about the whole report, `guess_alone` about an attribute's own answer. Measured figures
are what a real attacker got right, who knew only the reports and the design.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from deniable.base.arrays import Floats
from deniable.design import Design
from deniable.privacy.attack.attacker import AttackSuccess
from deniable.privacy.measures.breach import Suspicion
from deniable.privacy.measures.influence import Influence
from deniable.privacy.measures.rule_recovery import Recovery
from deniable.privacy.measures.single_answer import gamma, json_number
from deniable.privacy.population import Population


@dataclass(frozen=True)
class Repeated:
    """What so many answers of the same person, each disguised anew, give away."""

    times: int
    epsilon: float
    guess: float | None


@dataclass(frozen=True, eq=False)
class PrivacyFigures:
    """What is said of an attribute, a group and the record alike."""

    epsilon: float
    pse: float
    """The papers' PSE(PRE); the smallest of the attributes."""

    pse_after: float
    """PSE(PRE) − REC; the smallest of the attributes. As PSE(PRE) where no rule is known."""

    before: float | None
    """How often a reader who has seen no report guesses right; None: too much to weigh."""

    guess: float | None
    """How often the best guess from the whole report is right."""

    guess_std_error: float
    """0 where the guess is exact; else it is an average over a sample of reports."""

    measured: AttackSuccess | None

    def document(self) -> dict[str, Any]:
        """Write as JSON."""
        found = {field.name: getattr(self, field.name) for field in fields(PrivacyFigures)}
        measured = self.measured and self.measured.document()
        return {**found, "epsilon": json_number(self.epsilon), "measured": measured}


@dataclass(frozen=True, eq=False)
class AttributePrivacy(PrivacyFigures):
    """One attribute."""

    name: str
    values: tuple[str, ...]
    prior: Floats
    matrix: Floats
    """Its own channel, ``[report, truth]``."""

    guess_alone: float
    recovery: Recovery | None
    suspicions: list[Suspicion]
    """How likely a whole report can make each value."""

    repeats: list[Repeated]
    influences: list[Influence]

    def document(self) -> dict[str, Any]:
        """Write as JSON."""
        rec = self.recovery
        return {
            **super().document(),
            "gamma": json_number(gamma(self.epsilon)),
            "guess_alone": self.guess_alone,
            "rec": rec and {"known": rec.premise_known, "unknown": rec.premise_unknown},
            "posterior": [vars(suspicion) for suspicion in self.suspicions],
            "repeats": [{**vars(r), "epsilon": json_number(r.epsilon)} for r in self.repeats],
            "influence": [vars(influence) for influence in self.influences],
        }


@dataclass(frozen=True, eq=False)
class GroupPrivacy(PrivacyFigures):
    """One group's pattern."""

    names: tuple[str, ...]
    kind: str
    knowing: Mapping[str, float]
    """How often the pattern is guessed by one who knows this attribute of it already."""

    def document(self) -> dict[str, Any]:
        """Write as JSON."""
        start = {"attributes": list(self.names), "channel": self.kind}
        return {**start, **super().document(), "knowing": dict(self.knowing)}


@dataclass(frozen=True, eq=False)
class PrivacyReport:
    """What a design gives away to a reader with certain knowledge."""

    design: Design
    population: Population
    known: Mapping[str, str]
    respondents: int
    breach: tuple[float, float]
    attributes: Mapping[str, AttributePrivacy]
    groups: tuple[GroupPrivacy, ...]
    record: PrivacyFigures
    breach_impossible: bool
    """Whether γ of the whole report rules out the breach asked about, whatever the population."""

    influence: float
    """By how many people one forged report moves a count that touches every group, at most."""

    warnings: tuple[str, ...]
    """The most serious first."""

    def document(self) -> dict[str, Any]:
        """Write as JSON; an infinite ε is the text "inf"."""
        public = {"epsilon": "inf", "pse": 0.0, "guess": 1.0, "public": True}
        return {
            "design": self.design.fingerprint,
            "population": self.population.source,
            "n": self.population.n,
            "known": dict(self.known),
            "respondents": self.respondents,
            "breach": list(self.breach),
            "attributes": {
                **{name: found.document() for name, found in self.attributes.items()},
                **dict.fromkeys(self.design.public, public),
            },
            "groups": [group.document() for group in self.groups],
            "record": {
                **self.record.document(),
                "influence": json_number(self.influence),
                "breach_impossible": self.breach_impossible,
            },
            "warnings": list(self.warnings),
        }
