"""plan_survey(): recommend a design, show what else there was, and the trade-off around it.

With a margin (or power) *and* a number of respondents, the most private design that keeps both is
recommended: of every layout the weakest signals that do, and of these the least ε. Otherwise it is
the most precise one within the limits. Attributes that are mined together choose their grouping by
the worst margin over the cells of their joint table; without a number of respondents, by how many
it would take to know those cells, too, to within the margin. Designs within one percent of the best
are equals, and the one that is easiest to explain wins.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import inf

from deniable.base.errors import DesignError
from deniable.channel.channel import HALF
from deniable.channel.group_options import fraction
from deniable.design import Design
from deniable.engine.memory.records import Records
from deniable.privacy.plan.compliance import Otherwise, biases
from deniable.privacy.plan.design_option import DesignOption, OptionFigures, worst_cell
from deniable.privacy.plan.families import families
from deniable.privacy.plan.limits import Limits, Per
from deniable.privacy.plan.plan import Plan, PlanRow, Shortfall
from deniable.privacy.plan.plan_refusals import out_of_reach, required
from deniable.privacy.plan.plan_request import Goal, PlanRequest
from deniable.privacy.plan.planned_group import GRID
from deniable.privacy.plan.precision import MOST_RESPONDENTS
from deniable.privacy.plan.read_request import complying, expected, piloted, tested
from deniable.privacy.plan.search import EQUAL, Badness, best_of, options, recommended
from deniable.privacy.plan.shared_coin import LEAST_KEPT, RuleOfThumb, kept, one_coin

USUAL_MARGIN = 0.05

TABLED_SIGNALS = tuple(range(GRID // 10, GRID, GRID // 10))
"""Signals of the trade-off table."""


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
    mined: bool = False,
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
    those with and without the trait; the rest answers "no", or the truth (`otherwise`). `mined`:
    a model is to be mined from all answers; then a rule of thumb chooses between one coin for all
    and a coin each (`deniable.privacy.plan.shared_coin`).

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
    if respondents is not None and not request.goal.is_given:
        return _most_precise(request, respondents, mined=mined)
    goal = request.goal
    usual = goal if goal.is_given else replace(goal, margin=USUAL_MARGIN)
    return _for_goal(request, usual, mined=mined)


def _for_goal(request: PlanRequest, goal: Goal, *, mined: bool) -> Plan:
    """With the fewest respondents, or with those given the most private one."""

    def people(option: DesignOption) -> float:
        """How many keep the goal, and know the joint cells about as well (margins go as 1/√n)."""
        n = option.needed(goal)
        if n is None:
            return inf
        joint = option.joint_margin(n) or 0.0
        return n * max(1.0, joint / (goal.margin or USUAL_MARGIN)) ** 2

    found = options(request, lambda piece: piece.needed(goal), people)
    n = request.respondents
    if n is not None:
        able = required(found, goal, n, request.limits)
        if not able:
            raise out_of_reach(found, goal, n)
        best = _most_private(able)
        if request.limits.are_given:
            return _whole(goal, n, best, found, people)
        # Without a limit the most precise of each channel would be no disguise at all.
        return _whole(goal, n, best, able, lambda option: option.privacy.epsilon)
    best = recommended(found, people)
    n = best.needed(goal)
    if n is None:
        raise DesignError(
            f"Within these limits even {MOST_RESPONDENTS:,} respondents are too few.",
            hint="Loosen a limit, or ask for less precision.",
        )
    plan = _whole(goal, n, best, found, people)
    return _by_rule(plan, best, found, people) if mined else plan


def _most_precise(request: PlanRequest, n: int, *, mined: bool) -> Plan:
    """Within the limits, with so many respondents."""

    def error(option: DesignOption) -> float:
        return (option.joint_margin(n) or option.margin(n)) ** 2  # goes as people do

    found = options(request, lambda piece: piece.margin(n) ** 2, error)
    best = recommended(found, error)
    goal = replace(request.goal, margin=best.margin(n))
    plan = _whole(goal, n, best, found, error)
    return _by_rule(plan, best, found, error) if mined else plan


def _by_rule(
    plan: Plan, best: DesignOption, found: Sequence[DesignOption], badness: Badness
) -> Plan:
    """Take one coin for all where the rule of thumb says so, and the goal is not dearer by it."""
    request, n = best.request, plan.respondents
    shared = one_coin(request)
    if shared is None:
        return plan
    share = kept(shared)
    if share < LEAST_KEPT:
        return replace(plan, rule=RuleOfThumb(float(share), shared=False))
    goal = plan.goal
    if request.respondents is not None:
        goal = replace(goal, margin=shared.margin(n))
    else:
        needed = shared.needed(goal)
        if needed is None or needed > n * EQUAL:
            return replace(plan, rule=RuleOfThumb(float(share), shared=False, dear=needed))
        n = needed
    whole = _whole(goal, n, shared, [shared, *found], badness)
    return replace(whole, rule=RuleOfThumb(float(share), shared=True))


def _most_private(able: Sequence[DesignOption]) -> DesignOption:
    """The least ε, or else the least that a reader can guess."""
    finite = [option for option in able if option.privacy.epsilon < inf]
    if finite:
        return best_of(finite, lambda option: option.privacy.epsilon)
    return best_of(able, lambda option: option.privacy.guess)


def _whole(
    goal: Goal, n: int, best: DesignOption, found: Sequence[DesignOption], badness: Badness
) -> Plan:
    request = best.request
    return Plan(
        request,
        goal,
        n,
        best.figures(n, goal),
        Design(request.population.schema, best.groups),
        _alternatives(found, n, goal, badness),
        _tradeoff(best, n, goal),
        best.readings,
        None if request.compliance is None else _shortfall(best, n, goal),
        worst_cell(best, n) if request.together else None,
    )


def _alternatives(
    found: Sequence[DesignOption], n: int, goal: Goal, badness: Badness
) -> tuple[OptionFigures, ...]:
    """Of each channel and grouping the best at the limit (forced ones come in several splits)."""
    kinds = dict.fromkeys((option.channel, option.grouping) for option in found)
    best = []
    for kind in kinds:
        same = [option for option in found if (option.channel, option.grouping) == kind]
        best.append(recommended(same, badness).figures(n, goal))
    return tuple(best)


def _tradeoff(best: DesignOption, n: int, goal: Goal) -> tuple[PlanRow, ...]:
    """The same layout with all signals alike, from weak to strong, and the recommended one."""
    steps = (DesignOption.at(best.layout, (step,) * len(best.signals)) for step in TABLED_SIGNALS)
    others = [option for option in steps if option and option.pieces != best.pieces]
    rows = (
        PlanRow(
            option.figures(n, goal),
            option.privacy.within(best.request.limits),
            option is best,
            Design(best.request.population.schema, option.counted),
        )
        for option in [best, *others]
    )
    return tuple(sorted(rows, key=lambda row: -row.figures.margin))


def _shortfall(best: DesignOption, n: int, goal: Goal) -> Shortfall:
    request, compliance = best.request, best.request.compliance
    assert compliance is not None
    device = Design(request.population.schema, best.groups)
    off = {}
    for group, actual in zip(best.groups, best.counted, strict=True):
        (attribute,) = group.attributes
        wrong = biases(group, actual, request.population.table([attribute.name]))
        off[attribute.name] = dict(zip(attribute.values, wrong.tolist(), strict=True))
    all_follow = best.layout.under(replace(request, compliance=None))
    everybody = DesignOption.at(all_follow, best.signals)
    assert everybody is not None
    return Shortfall(
        float(compliance.having),
        float(compliance.lacking),
        compliance.otherwise,
        off,
        everybody.figures(n, goal),
        Design(request.population.schema, best.counted, device.fingerprint),
    )
