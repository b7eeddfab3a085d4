"""A plan in sentences: what is promised, and what to mind."""

from collections.abc import Iterable, Sequence
from math import inf
from pathlib import Path
from shlex import quote

from deniable.base.wording import (
    as_chance,
    at_least,
    at_most_times,
    decimal,
    epsilon_bound,
    joined,
    percent,
    points,
)
from deniable.expression import Conjunction
from deniable.privacy.plan.design_option import OptionFigures
from deniable.privacy.plan.plan import Plan
from deniable.privacy.plan.plan_refusals import USELESS
from deniable.privacy.plan.plan_survey import USUAL_MARGIN
from deniable.privacy.plan.search import EQUAL
from deniable.privacy.plan.shared_coin import LEAST_KEPT, RULE_SOURCE, RuleOfThumb
from deniable.privacy.report.design_warnings import OPEN


def headline(plan: Plan) -> str:
    """Name the recommended channels."""
    mixed = any(g.channel.kind != plan.recommended.channel for g in plan.design.groups)
    others = " (keep-or-uniform where there are more than two values)" if mixed else ""
    return f"{plan.recommended.label}{others}"


def promises(plan: Plan) -> Iterable[str]:
    """Say what the recommended design keeps."""
    best, level = plan.recommended, plan.request.level
    in_100 = f"{level * 100:g} of 100 surveys"
    if best.epsilon < inf:
        yield (
            f"ε = {epsilon_bound(best.epsilon)} for the whole report: whatever a reader knows, a "
            f"report is {at_most_times(best.epsilon)} likelier under one truth than under another."
        )
    else:
        yield "No ε: some report excludes a truth (ε = ∞)."
    name, read = max(plan.readings.items(), key=lambda item: item[1].guess - item[1].before)
    any_other = f"; that of any answer, {percent(best.guess)} at most"
    yield (
        f"A reader's best guess of {name} is right {percent(read.guess)} of the time, "
        f"{percent(read.before)} without any report"
        f"{any_other if len(plan.readings) > 1 else ''}. PSE {best.pse:.3f} or more."
    )
    yield (
        f"Each share, taken by itself, to within ± {points(best.margin)} points, in {in_100}: so "
        "wide is the interval at most, and so far off the estimate."
    )
    if best.joint_margin is not None:
        yield (
            f"Each joint cell, too, to within ± {points(best.joint_margin)} points; the worst is "
            f"{plan.worst_cell}."
        )
    if best.power is not None:
        yield (
            f"Power {at_least(best.power)} of the test, at least, in which the interval at "
            f"{level:g} does not hold the share that is tested."
        )
    if plan.shortfall is not None:
        yield from _followed(plan)


def _followed(plan: Plan) -> Iterable[str]:
    short = plan.shortfall
    assert short is not None
    off = [(abs(b), b, f"{n}={v}") for n, by in short.bias.items() for v, b in by.items()]
    size, bias, cell = max(off)
    way = "high" if bias > 0 else "low"
    others = "the truth" if short.otherwise == "truth" else "no"
    yield (
        f"ε, the guess and PSE are the worse of two cases: all follow the device (its own ε is "
        f"{epsilon_bound(short.followed.epsilon)}); or {percent(short.having)} with the trait and "
        f"{percent(short.lacking)} without it do, and the others answer {others}."
    )
    yield (
        "Margins are for the second case, counted by the design as followed. Counted as if all "
        f"followed it, {cell} comes out {decimal(size * 100)} points too {way} on average."
    )
    if short.followed.respondents is not None and plan.recommended.respondents is not None:
        yield (
            f"If everybody followed it, that would take {short.followed.respondents:,} respondents "
            f"instead of {plan.recommended.respondents:,}."
        )


def warnings(plan: Plan) -> Iterable[str]:
    """Say what to mind about it, and what was assumed."""
    best, request = plan.recommended, plan.request
    for group in plan.design.groups:
        if group.channel.shares_coin:
            yield (
                f"One coin for {joined(group.names)} reveals their pattern up to the opposite; "
                "whoever knows one of the answers knows all. keep-or-uniform does not."
            )
    if best.margin >= USELESS:
        yield "So little gets through, from so few people, that the survey would tell nothing."
    else:
        yield from _unseen(plan)
    yield from _bare(plan)
    if any(group.channel.clears for group in plan.design.groups):
        yield "A report without the trait proves that the respondent does not have it."
    equals = [each.label for each in plan.alternatives if alike(each, best)]
    if len(equals) > 1:
        yield (f"{joined(equals)} do the same here; take the one that respondents understand best.")
    if request.respondents is None and not request.goal.is_given:
        yield f"Neither a margin nor respondents were given: ± {points(USUAL_MARGIN)} points it is."
    if plan.shortfall is not None and plan.shortfall.otherwise == "truth":
        yield "Who answers the truth instead of following the device is not protected by it."
    if request.together and plan.shortfall is not None:
        yield "With --comply every attribute has a group of its own; others were not compared."
    yield from _groupings(plan)
    if plan.rule is not None:
        yield rule_of_thumb(plan.rule)
    elif request.could_share_epsilon:
        yield "Each question has a group of its own; --together also tries groups that share one ε."
    if request.together and request.population.n is None:
        yield "Joint cells assume that the questions are independent; a --pilot would tell."


def _bare(plan: Plan) -> Iterable[str]:
    """Where a goal and so few people leave next to no disguise."""
    if plan.request.respondents is None or not plan.request.goal.is_given:
        return
    for name, reading in plan.readings.items():
        if reading.guess >= OPEN and reading.guess > reading.before:
            yield (
                f"{name} is hardly disguised: a guess is right {percent(reading.guess)} of the "
                "time. Ask more people, or accept a wider margin: the trade-off says how many."
            )


def rule_of_thumb(rule: RuleOfThumb) -> str:
    """Say what it is, what it says here, and where it comes from."""
    least = f"one report in {1 / LEAST_KEPT}"
    source = f"By rule of thumb ({RULE_SOURCE})"
    if rule.shared:
        return (
            f"{source} answers that are mined together share one coin while it keeps at least "
            f"{least}; here it keeps {percent(rule.kept)}. It also stops a reader from adding up "
            "what answers say of each other."
        )
    if rule.kept < LEAST_KEPT:
        return (
            f"{source} answers that are mined together share one coin only if it keeps at least "
            f"{least}; within these limits it would keep {percent(rule.kept)}. So each question "
            "has its own."
        )
    dear = "more than a billion" if rule.dear is None else f"{rule.dear:,}"
    return (
        f"{source} one coin for all would serve the tree as well or better, but shares as precise "
        f"as asked for would take {dear} respondents. Give --respondents and no margin to plan for "
        "the tree."
    )


def _unseen(plan: Plan) -> Iterable[str]:
    """Shares that are smaller than the margin, and so might be none at all."""
    people, schema = plan.request.population, plan.design.schema
    rare = [
        (share, f"{name}={value}")
        for name in plan.request.names
        for value, share in zip(schema[name].values, people.table([name]).tolist(), strict=True)
        if share < plan.recommended.margin
    ]
    if rare:
        share, cell = min(rare)
        others = f" (and {len(rare) - 1} more)" if len(rare) > 1 else ""
        yield (
            f"{cell}{others} is expected to be {as_chance(share)}, less than the margin: the "
            "survey could not tell it from none at all."
        )


def _groupings(plan: Plan) -> Iterable[str]:
    """What the joint cells cost, and what was not compared."""
    asked, fewest = (
        plan.recommended.respondents,
        min((each.respondents or inf for each in plan.alternatives), default=inf),
    )
    if plan.request.respondents is None and asked is not None and asked > fewest * EQUAL:
        yield (
            f"Other groups would do with {fewest:,} respondents; these know the joint cells better."
        )
    if len(plan.request.pools) > 1:
        yield "Sets were cut into groups one after the other: not every combination was compared."


def alike(one: OptionFigures, other: OptionFigures) -> bool:
    """Whether two designs give away the same and are as precise, but for rounding."""
    if one.groups != other.groups or one.respondents is None or other.respondents is None:
        return False
    ratio = one.respondents / other.respondents
    return 1 / EQUAL**2 < ratio < EQUAL**2 and abs(one.epsilon - other.epsilon) < 0.05  # noqa: PLR2004


def next_steps(plan: Plan, files: Sequence[Path]) -> Iterable[str]:
    """Say how to go on, with the files that were written."""
    if not files:
        yield "Next: add --out design.yaml to write the design."
        return
    name = plan.request.names[0]
    asked = str(Conjunction.of({name: plan.design.schema[name].values[-1]}))
    yield f"Wrote {joined(map(str, files))}. Next:"
    yield f"  deniable design check {quote(str(files[0]))}"
    if plan.shortfall is None:
        yield f"  deniable disguise RAW --design {quote(str(files[0]))} --out reports.parquet"
    reports = "reports.parquet" if plan.shortfall is None else "reports.csv"
    design = quote(str(files[-1]))
    yield f"  deniable estimate {reports} --design {design} {quote(asked)} --of population"


def thetas(each: OptionFigures) -> str:
    """Write θ: the one of all groups, two, or from least to greatest."""
    different = list(dict.fromkeys(each.thetas))
    if len(different) <= 2:  # noqa: PLR2004
        return ", ".join(f"{theta:g}" for theta in different)
    return f"{min(different):g} to {max(different):g}"
