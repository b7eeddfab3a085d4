"""A plan in sentences: what is promised, and what to mind."""

from collections.abc import Iterable, Sequence
from math import exp, inf
from pathlib import Path
from shlex import quote

from deniable.expression import Conjunction
from deniable.privacy.planning.option import Figures
from deniable.privacy.planning.planner import EQUAL, USUAL_MARGIN, Plan
from deniable.privacy.planning.reach import points

USELESS = 0.5
"""A margin that holds every share."""


def promises(plan: Plan) -> Iterable[str]:
    """Say what the recommended design keeps."""
    best, level = plan.recommended, plan.wish.level
    in_100 = f"{level * 100:g} of 100 surveys"
    if best.epsilon < inf:
        yield (
            f"ε = {best.epsilon:.2f} for the whole report: whatever a reader knows, no report is "
            f"more than {_times(best.epsilon)} times likelier under one truth than another."
        )
    else:
        yield "No ε: some report excludes a truth (ε = ∞)."
    before = max(float(plan.wish.population.table([name]).max()) for name in plan.wish.names)
    yield (
        f"A reader's best guess of an answer is right {_percent(best.guess)} of the time at most; "
        f"without any report, {_percent(before)}. PSE {best.pse:.3f} or more."
    )
    yield (
        f"Every share to within ± {points(best.margin)} points, in {in_100}: so wide is the "
        "interval at most, and so far off the estimate."
    )
    if best.joint_margin is not None:
        yield (
            f"Joint cells to within ± {points(best.joint_margin)} points; the worst is "
            f"{plan.worst_cell}."
        )
    if best.power is not None:
        yield f"Power {best.power:.3f} of the test, at least, at the level {1 - level:.4g}."
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
        f"This holds if {_percent(short.having)} with the trait and {_percent(short.lacking)} "
        f"without it follow the device, the others answer {others}, and reports are counted by the "
        f"design as followed. Counted as if all followed it, {cell} comes out {size * 100:.1f} "
        f"points too {way} on average."
    )
    if short.followed.respondents is not None and plan.recommended.respondents is not None:
        yield (
            f"If everybody followed it, {short.followed.respondents:,} respondents would do, "
            f"instead of {plan.recommended.respondents:,}."
        )


def warnings(plan: Plan) -> Iterable[str]:
    """Say what to mind about it, and what was assumed."""
    best, wish = plan.recommended, plan.wish
    for names in best.groups:
        if best.channel == "related" and len(names) > 1:
            yield (
                f"One coin for {joined(names)} reveals their pattern up to the opposite; whoever "
                "knows one of the answers knows all. keep-or-uniform does not."
            )
    if best.margin >= USELESS:
        yield "So little gets through, from so few people, that the survey would tell nothing."
    if best.channel in {"mangat", "triangular"}:
        yield "A report without the trait proves that the respondent does not have it."
    equals = [each.channel for each in plan.alternatives if alike(each, best)]
    if len(equals) > 1:
        yield (f"{joined(equals)} do the same here; take the one that respondents understand best.")
    if wish.respondents is None and not wish.goal.is_given:
        yield f"Neither a margin nor respondents were given: ± {points(USUAL_MARGIN)} points it is."
    if wish.together and plan.shortfall is not None:
        yield "With --comply every attribute has a group of its own; others were not compared."
    if wish.together and wish.population.n is None:
        yield "Joint cells assume that the questions are independent; a --pilot would tell."


def alike(one: Figures, other: Figures) -> bool:
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
    name = plan.wish.names[0]
    asked = str(Conjunction.of({name: plan.design.schema[name].values[-1]}))
    yield f"Wrote {joined([str(file) for file in files])}. Next:"
    yield f"  deniable design check {quote(str(files[0]))}"
    if plan.shortfall is None:
        yield f"  deniable disguise RAW --design {quote(str(files[0]))} --out reports.parquet"
    reports = "reports.parquet" if plan.shortfall is None else "reports.csv"
    design = quote(str(files[-1]))
    yield f"  deniable estimate {reports} --design {design} {quote(asked)} --of population"


def thetas(each: Figures) -> str:
    """Write θ: the one of all groups, two, or from least to greatest."""
    different = list(dict.fromkeys(each.thetas))
    if len(different) <= 2:  # noqa: PLR2004
        return ", ".join(f"{theta:g}" for theta in different)
    return f"{min(different):g} to {max(different):g}"


def joined(words: Sequence[str]) -> str:
    """Join words for a sentence.

    >>> joined(["a", "b", "c"])
    'a, b and c'
    """
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else words[0]


def _times(log: float) -> str:
    times = exp(log)
    return f"{times:.1f}" if times < 100 else f"{times:,.0f}"  # noqa: PLR2004


def _percent(share: float) -> str:
    return f"{share * 100:.1f} %"
