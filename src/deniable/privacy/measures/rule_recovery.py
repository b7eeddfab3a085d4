"""What mined rules give away: the papers' REC, and PSE after mining (Zhan & Matwin 2007, §4.2).

A rule "premise ⇒ value" lets a reader of the premise guess the value. REC adds up, over a set of
rules about one attribute,

- premise known (vertically split data: the other party knows its own columns):
  ``Pr(premise) · confidence``;
- premise unknown (the reader has only disguised reports): ``confidence · Pr(value | reported so)``.

Of several sets the one with the largest REC counts, and PSE = PSE(PRE) − REC. Neither REC nor this
difference is a probability: the paper's own example has confidences that sum past 1, and PSE after
mining can fall below 0. They are reported as the paper defines them; what a reader can really do is
the best guess (`deniable.privacy.measures.joint_groups`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from deniable.base.arrays import Floats
from deniable.expression import Implication
from deniable.privacy.measures.single_answer import posteriors
from deniable.privacy.population import Population


@dataclass(frozen=True)
class Recovery:
    """REC of one attribute in the two scenarios."""

    premise_known: float
    premise_unknown: float

    @property
    def largest(self) -> float:
        """What counts for PSE after mining."""
        return max(self.premise_known, self.premise_unknown)


def pse_after_mining(pse: float, found: Recovery | None) -> float:
    """PSE(PRE) less REC, which is nothing where no rule is known."""
    return pse - (found.largest if found else 0.0)


def recovery(
    name: str, sets: Sequence[Sequence[Implication]], matrix: Floats, population: Population
) -> Recovery | None:
    """REC of one attribute: the largest over the sets of rules; None if no rule is about it.

    Premises that are unlikely by the population count little where they are known; where they are
    not, the paper counts every rule alike.
    """
    attribute = population.schema[name]
    after = posteriors(matrix, population.table([name]))
    known, unknown = [], []
    for rules in sets:
        about = [rule for rule in rules if rule.attribute == name]
        if not about:
            continue
        known.append(sum(population.share(dict(r.premise.terms)) * r.confidence for r in about))
        codes = [attribute.code(rule.value) for rule in about]
        unknown.append(
            sum(r.confidence * float(after[c, c]) for r, c in zip(about, codes, strict=True))
        )
    return Recovery(max(known), max(unknown)) if known else None
