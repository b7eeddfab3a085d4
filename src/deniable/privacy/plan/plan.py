"""A plan: the recommended design, what else there was, and the trade-off around it."""

from dataclasses import asdict, dataclass

from deniable.design import Design
from deniable.privacy.measures.single_answer import json_number
from deniable.privacy.plan.design_option import OptionFigures
from deniable.privacy.plan.limits import AttributeFigures
from deniable.privacy.plan.plan_request import Goal, PlanRequest
from deniable.privacy.plan.shared_coin import RuleOfThumb

TRADED = ("theta", "epsilon", "guess", "pse", "margin", "respondents")


@dataclass(frozen=True)
class PlanRow:
    """One line of the trade-off."""

    figures: OptionFigures
    within: bool
    """Whether the limits hold."""

    recommended: bool
    design: Design
    """As it is followed, and counted by."""

    @property
    def remark(self) -> str:
        """What a table says about it."""
        return "recommended" if self.recommended else "" if self.within else "too open"


@dataclass(frozen=True)
class Shortfall:
    """What people who do not follow the device do to the recommended design."""

    having: float
    lacking: float
    otherwise: str
    bias: dict[str, dict[str, float]]
    """Expected error of each share if everybody is taken to follow it."""

    followed: OptionFigures
    """What the same device would give if everybody did."""

    design: Design
    """Counts through the device as it is followed: the promised margin is for this one."""


@dataclass(frozen=True)
class Plan:
    """A recommended design, what else there was, and the trade-off around it."""

    request: PlanRequest
    goal: Goal
    """The request's, or the margin that was taken for granted or is reached."""

    respondents: int
    recommended: OptionFigures
    design: Design
    alternatives: tuple[OptionFigures, ...]
    """The best design of every channel and grouping within the limits, the recommended included."""

    tradeoff: tuple[PlanRow, ...]
    readings: dict[str, AttributeFigures]
    """What a reader makes of each attribute of the recommended design."""

    shortfall: Shortfall | None
    worst_cell: str | None
    rule: RuleOfThumb | None = None
    """What the rule of thumb says, where a model is to be mined."""

    @property
    def designs(self) -> list[Design]:
        """The design, and the one to count by if some do not follow the device."""
        return [self.design, *([self.shortfall.design] if self.shortfall else [])]

    def document(self) -> dict[str, object]:
        """Write everything for JSON."""
        document: dict[str, object] = {
            "asked": self.request.document(),
            "recommended": self.recommended.document(),
            "respondents": self.respondents,
            "level": self.request.level,
            "goal": self.goal.document(),
            "attributes": {name: asdict(reading) for name, reading in self.readings.items()},
            **({} if self.worst_cell is None else {"worst_cell": self.worst_cell}),
            **({} if self.rule is None else {"rule_of_thumb": self.rule.document()}),
            "design": self.design.document(),
            "alternatives": [each.document() for each in self.alternatives],
            "tradeoff": [
                {
                    **{key: row.figures.document()[key] for key in TRADED},
                    "within_limits": row.within,
                    "recommended": row.recommended,
                }
                for row in self.tradeoff
            ],
        }
        if self.shortfall is not None:
            short = self.shortfall
            document["compliance"] = {
                "with_trait": short.having,
                "without_trait": short.lacking,
                "otherwise": short.otherwise,
                "bias": short.bias,
                "epsilon_if_followed": json_number(short.followed.epsilon),
                "margin_if_followed": short.followed.margin,
                "respondents_if_followed": short.followed.respondents,
                "design": short.design.document(),
            }
        return document
