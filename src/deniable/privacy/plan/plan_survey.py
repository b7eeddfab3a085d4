"""plan_survey(): a plan in one call."""

from collections.abc import Iterable, Mapping, Sequence

from deniable.base.errors import DesignError
from deniable.channel.channel import HALF
from deniable.channel.group_options import fraction
from deniable.engine.memory.records import Records
from deniable.privacy.plan.compliance import Otherwise
from deniable.privacy.plan.families import families
from deniable.privacy.plan.limits import Limits, Per
from deniable.privacy.plan.plan import Plan
from deniable.privacy.plan.plan_request import Goal, PlanRequest
from deniable.privacy.plan.planner import plan
from deniable.privacy.plan.read_request import complying, expected, piloted, tested


def plan_survey(
    questions: Mapping[str, object] | Records,
    *,
    epsilon: float | None = None,
    per: Per = "record",
    guess: float | None = None,
    pse: float | None = None,
    margin: float | None = None,
    power: float | None = None,
    against: object = None,
    respondents: int | None = None,
    together: Iterable[Sequence[str]] = (),
    channels: Sequence[str] = (),
    personal: object = "1/2",
    comply: object = None,
    otherwise: Otherwise = "no",
    level: float = 0.95,
    public: Sequence[str] = (),
) -> Plan:
    """Plan a survey: which channel, grouping and θ.

    `questions` gives expected shares: that of yes, or one for each value; or pilot records, whose
    shares and joint table are taken. Attributes in `public` are in the records, not disguised.

    Limits on privacy, all of which hold: `epsilon`, `per` record (groups add up) or per attribute;
    `guess`, how often a reader's best guess of an attribute may be right; `pse`, at least. With
    `comply` they hold whether all follow the device or only so many.

    Goals, about the population: `margin`, kept by the printed half-width and by the error of the
    estimate, each in a share `level` of surveys, for every value of every attribute; `power` of a
    two-sided test at 1 − level that a yes/no share is `against` (one number, or by name). With
    `respondents` too, the most private design that keeps the goal is recommended.

    `together`: attributes that are mined together. `channels`: those to try. `personal`: the share
    who say yes to the unrelated question. `comply`: the share who follow the device, or that of
    those with and without the trait; the rest answers "no", or the truth (`otherwise`).

    >>> found = plan_survey({"drugs": 0.1}, epsilon=1.5, margin=0.03)
    >>> found.recommended.channel, found.recommended.theta, found.respondents
    ('related', 0.817, 2067)
    """
    population = piloted(questions) if isinstance(questions, Records) else expected(questions)
    names = [name for name in population.schema.names if name not in public]
    if margin is not None and margin >= 1:
        raise DesignError(f"margin = {margin:g} is no share.", hint="Write ± 3 points as 0.03.")
    asks = any(family.heeds_personal for family in families(channels, HALF, by_epsilon=True))
    for option, used, need in (
        (f"per {per}", per == "record" or epsilon is not None, "--epsilon 2"),
        (f"otherwise {otherwise}", otherwise == "no" or comply is not None, "--comply 0.9"),
        ("personal", fraction(personal, "personal") == HALF or asks, "--channel unrelated"),
    ):
        if not used:
            raise DesignError(
                f"--{option} changes nothing here.", hint=f"Add {need}, or leave it out."
            )
    request = PlanRequest(
        population,
        Limits(epsilon, per, guess, pse),
        Goal(margin, power, {} if against is None else tested(against, population, names)),
        respondents,
        tuple(tuple(each) for each in together),
        tuple(channels),
        fraction(personal, "personal"),
        None if comply is None else complying(comply, otherwise),
        level,
        tuple(public),
    )
    return plan(request)
