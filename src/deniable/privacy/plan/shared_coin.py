"""A rule of thumb for what is mined together: one coin for everything, or a coin each.

Measured, not computed: `deniable reproduce beyond` holds both against a real attacker
(docs/reproduce.md, docs/decisions/0032). *One coin* keeps a whole report, or replaces all of it by
an even draw (keep-or-uniform; for yes/no answers the papers' unrelated question). Conjunctions of
many answers then come through as strongly as single ones, and the attacker cannot add up what
answers say of each other. But of a given ε little is left where patterns are many: almost no report
is kept. So: one coin, as long as it keeps at least one report in twenty.

The rule decides where nothing can be computed instead. For joint tables (``together``) margins are
known, and the planner compares those.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import prod

from deniable.channel import KeepOrUniform
from deniable.privacy.plan.design_option import DesignOption
from deniable.privacy.plan.families import DesignFamily
from deniable.privacy.plan.plan_request import MOST_TABLE_CELLS, PlanRequest
from deniable.privacy.plan.planned_group import GroupLayout, Knob

LEAST_KEPT = Fraction(1, 20)
"""Of reports: a coin that keeps fewer leaves nothing to mine."""

MOST_SHARED_PATTERNS = MOST_TABLE_CELLS
"""Patterns of answers up to which one coin for all is looked at."""

RULE_SOURCE = "deniable reproduce beyond"

ONE_COIN = DesignFamily(KeepOrUniform.kind)


@dataclass(frozen=True)
class RuleOfThumb:
    """What the rule says here."""

    kept: float
    """Share of reports that one coin for all would keep, at the limits."""

    shared: bool
    """Whether the recommended design has one."""

    dear: int | None = None
    """Respondents that one coin would take, where that is why it was not taken."""

    def document(self) -> dict[str, object]:
        """Write it for JSON."""
        more = {} if self.dear is None else {"respondents_if_shared": self.dear}
        return {
            "kept": self.kept,
            "least_kept": float(LEAST_KEPT),
            "one_coin": self.shared,
            **more,
            "source": RULE_SOURCE,
        }


def one_coin(request: PlanRequest) -> DesignOption | None:
    """Give the design with one coin, as strong as the limits allow; None where the rule is silent.

    It is silent where joint tables were asked for, where ε is limited for each answer by itself
    (measured was that of a whole report), where some do not follow the device, where other channels
    were named, and where patterns are too many.
    """
    limits = request.limits
    if (
        len(request.names) < 2  # noqa: PLR2004 (one answer has its coin to itself)
        or not limits.are_given
        or (limits.epsilon is not None and limits.per == "attribute")
        or request.together
        or request.compliance is not None
        or (request.channels and ONE_COIN.kind not in request.channels)
        or prod(attribute.size for attribute in request.attributes) > MOST_SHARED_PATTERNS
    ):
        return None
    knob = Knob(ONE_COIN, request.attributes, request)
    signal = knob.strongest(limits)
    return None if signal is None else DesignOption.at(GroupLayout(ONE_COIN, (knob,)), (signal,))


def kept(option: DesignOption) -> Fraction:
    """Share of reports that its coin keeps."""
    return option.pieces[0].theta
