"""`deniable plan`: which design keeps a promise of privacy and of precision."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from textwrap import fill
from typing import Annotated

import typer

from deniable.base.errors import DataError
from deniable.base.files import refuse_to_overwrite, whole_file
from deniable.base.wording import epsilon_bound, percent, plural, plus_minus, points
from deniable.channel.group_options import fraction
from deniable.cli.options import AsJson
from deniable.cli.show.output import (
    console,
    doing_now,
    print_items,
    print_json,
    print_table,
    progress,
)
from deniable.cli.study_plan_output import answers_of, plan_survey_file
from deniable.engine.memory.records import Records
from deniable.engine.open_table import open_table
from deniable.engine.table import Table
from deniable.privacy.plan.compliance import Otherwise
from deniable.privacy.plan.design_option import OptionFigures
from deniable.privacy.plan.limits import Per
from deniable.privacy.plan.pilot import TreeAccuracies, read_pilot, tree_accuracies
from deniable.privacy.plan.plan import Plan
from deniable.privacy.plan.plan_sentences import headline, next_steps, promises, thetas, warnings
from deniable.privacy.plan.plan_survey import plan_survey
from deniable.privacy.plan.read_request import against_in, shares_in, words
from deniable.privacy.plan.search import EQUAL


def plan(
    questions: Annotated[
        list[str] | None,
        typer.Argument(
            help="Sensitive questions with expected shares: drugs=0.1 is a yes/no question, "
            "income=low:0.5,middle:0.3,high:0.2 has other answers. With --pilot: names of columns, "
            "all by default.",
            metavar="NAME=SHARE",
        ),
    ] = None,
    epsilon: Annotated[
        float | None, typer.Option(help="Limit: ε at most this.", metavar="NUMBER")
    ] = None,
    per: Annotated[
        Per, typer.Option(help="ε of the whole report, where groups add up, or of each.")
    ] = "record",
    guess: Annotated[
        float | None,
        typer.Option(
            help="Limit: a reader's best guess of an answer is right at most this often.",
            metavar="CHANCE",
        ),
    ] = None,
    pse: Annotated[
        float | None,
        typer.Option(
            help="Limit: a guess in proportion to the odds is wrong at least this often.",
            metavar="CHANCE",
        ),
    ] = None,
    margin: Annotated[
        list[str] | None,
        typer.Option(
            help="Goal: each share to within this; 0.03 is ± 3 points. With --survey also by name, "
            "repeatable.",
            metavar="SHARE|NAME=SHARE",
        ),
    ] = None,
    power: Annotated[
        float | None, typer.Option(help="Goal: power of the test that --against asks for.")
    ] = None,
    against: Annotated[
        list[str] | None,
        typer.Option(
            help="Test, two-sided at 1 − level, that the share of yes is this. Repeatable by name.",
            metavar="SHARE|NAME=SHARE",
        ),
    ] = None,
    respondents: Annotated[
        int | None, typer.Option(help="How many people can be asked.", metavar="NUMBER")
    ] = None,
    invited: Annotated[
        int | None, typer.Option(min=1, help="Or: how many are invited, times --response.")
    ] = None,
    response: Annotated[
        str, typer.Option(help="Share of the invited who answer.", metavar="SHARE")
    ] = "1",
    together: Annotated[
        list[str] | None,
        typer.Option(help="Attributes to be mined together. Repeatable.", metavar="NAME,NAME,…"),
    ] = None,
    channel: Annotated[
        list[str] | None,
        typer.Option(
            help="Plan with this channel. Repeatable.  [default: try all]", metavar="CHANNEL"
        ),
    ] = None,
    personal: Annotated[
        str, typer.Option(help="Share of yes to the unrelated question.", metavar="SHARE")
    ] = "1/2",
    comply: Annotated[
        str | None,
        typer.Option(
            help="Share who follow the device; or two, of those with the trait and without it.",
            metavar="SHARE[,SHARE]",
        ),
    ] = None,
    otherwise: Annotated[
        Otherwise, typer.Option(help="What the others answer: no (the first value), or truth.")
    ] = "no",
    level: Annotated[float, typer.Option(help="Confidence of all promises.")] = 0.95,
    pilot: Annotated[
        str | None, typer.Option(help="Prepared records to take shares from.", metavar="DATA")
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(
            help="With --pilot: the class of a tree whose accuracy is to be foreseen. It is public "
            "unless it is among the NAMEs. A rule of thumb says whether answers share one coin.",
            metavar="COL",
        ),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Where the design goes.", metavar="YAML")] = None,
    survey: Annotated[
        Path | None,
        typer.Option(
            help="Plan a whole study, and write its survey file: a group and a margin for each "
            "question, devices that hands can do, control items.",
            metavar="SURVEY.yaml",
        ),
    ] = None,
    page_only: Annotated[
        bool,
        typer.Option("--page-only", help="With --survey: the page's coin only, in finer steps."),
    ] = False,
    controls: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=4,
            help="With --survey: control items.  [default: 2 to 4, as many as notice 15 % who "
            "ignore the device]",
        ),
    ] = None,
    json: AsJson = False,
) -> None:
    """Recommend channel, grouping and θ for a survey, and show the trade-off around them.

    Limits on privacy all hold. A margin is promised for every share about the population: in 95 of
    100 surveys the printed interval is no wider, and in 95 of 100 the estimate is that close. With
    --margin (or --power) and --respondents the most private design that keeps both is recommended,
    otherwise the most precise one within the limits. If it cannot be done, it says what could.
    """
    names = [name.strip() for name in questions or []]
    answers = answers_of(respondents, invited, response)
    if survey is not None:
        _refuse_with_survey(
            {"guess": guess, "pse": pse, "power": power, "against": against, "together": together,
             "channel": channel, "comply": comply, "pilot": pilot, "target": target, "out": out}
        )  # fmt: skip
        plan_survey_file(
            names,
            survey,
            margins=margin or [],
            answers=answers,
            epsilon=epsilon,
            per=per,
            level=level,
            by_hand=not page_only,
            controls=controls,
            as_json=json,
        )
        return
    if page_only or controls is not None:
        raise DataError("--page-only and --controls are for a survey.", hint="Add --survey FILE.")
    people = None if pilot is None else open_table(pilot)
    for file in _files(out):
        refuse_to_overwrite(file, () if people is None else people.paths)
    records = _pilot(people, names, target)
    with doing_now("Comparing designs …"):
        found = plan_survey(
            shares_in(names) if records is None else records,
            epsilon=epsilon,
            per=per,
            guess=guess,
            pse=pse,
            margin=_one_margin(margin),
            power=power,
            against=against_in(against or []),
            respondents=answers,
            together=[words(names) for names in together or []],
            channels=channel or [],
            personal=personal,
            comply=None if comply is None else words(comply),
            otherwise=otherwise,
            level=level,
            public=[target] if target is not None and target not in names else [],
            mined=target is not None,
        )
    trees = None
    if records is not None and target is not None:
        with progress("Simulating surveys") as bar:
            trees = tree_accuracies(found, records, target, progress=bar)
    files = _written(found, out)
    if json:
        document = {**found.document(), "warnings": list(warnings(found))}
        print_json(document if trees is None else trees.added_to(document))
    else:
        _show(found, trees, files)


def _refuse_with_survey(options: Mapping[str, object]) -> None:
    for name, given in options.items():
        if given:
            raise DataError(
                f"--{name} is not planned for with --survey.",
                hint="Leave it out; or leave --survey out, and write the design by --out.",
            )


def _one_margin(margins: Sequence[str] | None) -> float | None:
    if not margins:
        return None
    if len(margins) > 1 or "=" in margins[0]:
        raise DataError(
            "Questions have margins of their own in a survey only.", hint="Add --survey FILE."
        )
    return float(fraction(margins[0], "margin"))


def _pilot(table: Table | None, names: Sequence[str], target: str | None) -> Records | None:
    if table is None and target is not None:
        raise DataError(
            "A tree's accuracy is foreseen from pilot records, and there are none.",
            hint="Add --pilot DATA, or leave --target out.",
        )
    return None if table is None else read_pilot(table, names, target)


def _files(out: Path | None) -> list[Path]:
    """The design, and what counts through it if some do not follow the device."""
    return [out, out.with_name(f"{out.stem}-as-followed{out.suffix}")] if out else []


def _written(found: Plan, out: Path | None) -> list[Path]:
    designs = dict(zip(_files(out), found.designs, strict=False))
    with ExitStack() as stack:  # both files, or none
        for path, design in designs.items():
            design.save(stack.enter_context(whole_file(path)))
    return list(designs)


def _show(plan: Plan, trees: TreeAccuracies | None, files: Sequence[Path]) -> None:
    best = plan.recommended
    typer.echo(
        f"Recommended: {headline(plan)}, θ = {thetas(best)}, in "
        f"{plural(len(best.groups), 'group')}, for {plan.respondents:,} respondents."
    )
    print_items(group.channel.story(group.attributes) for group in plan.design.groups)
    print_items(f"{name}: public, reported as it is." for name in plan.design.public)
    typer.echo("What it promises:")
    print_items(promises(plan))
    if minded := list(warnings(plan)):
        typer.echo("Mind:")
        print_items(minded)
    typer.echo("")
    _show_channels(plan)
    if len({each.groups for each in plan.alternatives}) > 1:
        _show_groupings(plan)
    _show_tradeoff(plan, trees)
    typer.echo("\n".join(next_steps(plan, files)))


def _show_channels(plan: Plan) -> None:
    limit = "within the limits" if plan.request.limits.are_given else "as private as the goal lets"
    print_table(
        f"Channels, {limit}; margins at n = {plan.respondents:,}",
        ["Channel", *_headings(plan)],
        [[e.label, *_figures(e)] for e in plan.alternatives if e.groups == plan.recommended.groups],
    )


def _show_groupings(plan: Plan) -> None:
    """Of every grouping the best channel."""
    best: dict[tuple[tuple[str, ...], ...], OptionFigures] = {}
    for each in plan.alternatives:
        known = best.setdefault(each.groups, each)
        if (each.joint_margin or each.margin) * EQUAL < (known.joint_margin or known.margin):
            best[each.groups] = each
    last, shares = _headings(plan)[-1], plan.recommended.joint_margin is None
    print_table(
        f"Groupings, each by its best channel; margins at n = {plan.respondents:,}",
        ["Groups", "Channel", "#?θ", "#ε", "#Margin" if shares else "#Joint margin", last],
        [
            [
                ", ".join(" + ".join(g) for g in each.groups if len(g) > 1) or "each alone",
                each.label,
                *_figures(each)[:2],
                f"± {points(each.joint_margin or each.margin)}",
                _figures(each)[-1],
            ]
            for each in best.values()
        ],
    )


def _show_tradeoff(plan: Plan, trees: TreeAccuracies | None) -> None:
    headings = [*_headings(plan), "#"]
    rows = [[*_figures(row.figures), row.remark] for row in plan.tradeoff]
    if trees is not None:
        headings.insert(-1, "#Tree")
        for cells, tree in zip(rows, trees.disguised, strict=True):
            cells.insert(-1, plus_minus(tree.mean, tree.std_error) if tree else "")
    title = f"The trade-off of {plan.recommended.channel}; margins at n = {plan.respondents:,}"
    print_table(title, headings, rows)
    if trees is not None:
        typer.echo(fill(str(trees), console().width))


def _headings(plan: Plan) -> list[str]:
    wanted = []
    if plan.goal.margin is not None:
        wanted.append(f"± {points(plan.goal.margin)}")
    if plan.goal.power is not None:
        wanted.append(f"power {plan.goal.power:g}")
    return ["#θ", "#ε", "#Guess", "#?PSE", "#Margin", f"#n for {', '.join(wanted)}"]


def _figures(each: OptionFigures) -> list[str]:
    return [
        thetas(each),
        epsilon_bound(each.epsilon),
        percent(each.guess),
        f"{each.pse:.3f}",
        f"± {points(each.margin)}",
        "–" if each.respondents is None else f"{each.respondents:,}",
    ]
