"""`deniable mine …`: a command for every miner, those of other packages among them.

Each is made from the description of its miner.
"""

from collections.abc import Callable, Iterator
from inspect import Parameter, Signature
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any, Literal

import typer
from typer.core import TyperGroup
from typer.main import get_command

from deniable.base.errors import DataError, DeniableError, OutputError
from deniable.base.files import write_whole
from deniable.cli.disguised_tables import opened, parted
from deniable.cli.options import Of, With, command_group
from deniable.cli.show.output import note, print_json, progress
from deniable.cli.show.show_model import show_model
from deniable.design import Design
from deniable.engine.address import same_table
from deniable.mine.chance import with_evidence
from deniable.mine.miner import Miner, MinerKeyword
from deniable.mine.models.find_miner import find_miner, miner_names
from deniable.mine.models.model_files import save_model
from deniable.mine.models.own_miners import OWN_MINERS
from deniable.oracle.api import CountOracle

OTHER_PICTURES = {".png", ".jpg", ".jpeg", ".gif", ".pdf", ".webp"}


def command_of(miner: Miner) -> Callable[..., None]:
    """Make the function whose signature Typer reads: the miner's keywords among what all share."""
    keywords = [each for each in miner.keywords() if each.option.command]

    def run(**given: Any) -> None:
        _run(miner, keywords, given)

    run.__signature__ = Signature(list(_parameters(miner, keywords)))  # type: ignore[attr-defined]
    run.__annotations__ = {}
    run.__doc__ = miner.help
    return run


def _parameters(miner: Miner, keywords: list[MinerKeyword]) -> Iterator[Parameter]:
    yield _parameter("reports", str, typer.Argument(help="Disguised records.", metavar="DISGUISED"))
    yield _parameter("design", Path, _option("design", "The design.", "YAML"))
    for keyword in keywords:
        yield _keyword_parameter(keyword)
    yield Parameter("others", Parameter.KEYWORD_ONLY, annotation=With, default=None)
    if "svg" in miner.pictures:
        yield _parameter("svg", Path, _option("svg", "Draw it.", "FILE.svg", _drawing), None)
    if "dot" in miner.pictures:
        drawing = _option("dot", "Write it for Graphviz.", "FILE", _drawing)
        yield _parameter("dot", Path, drawing, None)
    yield _parameter("out", Path, _option("out", "Write the model.", "MODEL.json"), None)
    yield _parameter("json", bool, _option("json", "Print JSON."), False)


def _parameter(name: str, kind: Any, shown: Any, default: object = Parameter.empty) -> Parameter:
    hint = kind | None if default is None else kind
    return Parameter(
        name, Parameter.KEYWORD_ONLY, annotation=Annotated[hint, shown], default=default
    )


def _keyword_parameter(keyword: MinerKeyword) -> Parameter:
    name, default = keyword.name, keyword.default
    if name == "of":
        return Parameter(name, Parameter.KEYWORD_ONLY, annotation=Of, default=None)
    kind: Any = keyword.type
    metavar = keyword.option.metavar or {"target": "CLASS"}.get(name)
    if kind is list:
        name = name if keyword.choices else name.removesuffix("s")
        kind, metavar, default = list[str], metavar or "NAME", None
    elif kind is CountOracle:
        kind, metavar = str, metavar or "TABLE[:DESIGN]"
    elif keyword.choices and kind is str:
        kind = Literal[keyword.choices]
    elif default in keyword.choices:
        default = None
    least = None if keyword.option.above else keyword.option.least
    if keyword.required and default is None:
        default = Parameter.empty
    shown = _option(name.replace("_", "-"), keyword.option.help, metavar, least=least)
    return _parameter(keyword.name, kind, shown, default)


def _option(
    name: str,
    text: str,
    metavar: str | None = None,
    callback: Callable[..., Any] | None = None,
    *,
    least: float | None = None,
) -> Any:
    return typer.Option(f"--{name}", help=text, metavar=metavar, callback=callback, min=least)


def _drawing(path: Path | None) -> Path | None:
    """Refuse, before any work, a name that promises another kind of picture."""
    if path is not None and path.suffix.lower() in OTHER_PICTURES:
        raise OutputError(
            f"{path} would hold a drawing as text, whatever its name says.",
            hint="End its name in .svg, or .dot for Graphviz.",
        )
    return path


def _run(miner: Miner, keywords: list[MinerKeyword], given: dict[str, Any]) -> None:
    """Mine, write the model and its pictures where they are wanted, and print what was found."""
    reports, design, out, json = (given[name] for name in ("reports", "design", "out", "json"))
    pictures = {kind: given[kind] for kind in miner.pictures}
    outs = (out, *pictures.values())
    oracle, of = opened(reports, design, given["others"], of=given.get("of"), outs=outs)
    options = {each.name: given[each.name] for each in keywords if given[each.name] is not None}
    for each in keywords:
        if each.type is CountOracle and each.name in options:
            options[each.name] = _other(options[each.name], reports, design)
        elif each.type is list and [*options.get(each.name, ())] in [[w] for w in each.choices]:
            (options[each.name],) = options[each.name]  # a word of its own, and no list
    if "of" in miner.parameters:
        options["of"] = of
    with progress("Mining") as told:
        if "progress" in miner.parameters:
            options["progress"] = told
        begin = perf_counter()
        model = miner.mine(oracle, **options)
        seconds = perf_counter() - begin
        model = with_evidence(model, oracle)
    for kind, path in pictures.items():
        if path is not None:
            write_whole(path, miner.pictures[kind](model))
            note(f"wrote {path}")
    if out is not None:
        save_model(model, out)
    if json:
        print_json({**miner.sizes(model), "seconds": seconds, "model": model.document()})
    else:
        show_model(model)
    if out is not None:
        note(f"wrote {out}")
    if model.note and json:  # what is shown to people says it too
        note(f"note: {model.note}")


def _other(given: str, reports: str, design: Path) -> CountOracle:
    """Open a table to compare with, by its own design if one is named."""
    table, own = (given, "") if Path(given).exists() else parted(given)
    if same_table(table, reports):
        raise DataError(
            f"{table} is the table that the tree is mined from.",
            hint="Cut a tree back by records that it has not seen.",
        )
    by = Path(own) if own else design
    if Design.load(by).needs_second_sample:
        raise DataError(
            f"By {by}, one table cannot be counted: a personal distribution is unknown.",
            hint="Cut a tree back by a table of another design: TABLE:DESIGN.",
        )
    return opened(table, by, None, warn=False)[0]


class MiningGroup(TyperGroup):
    """Our own commands, and behind them whatever packages offer, loaded when it is named."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Names of all miners."""
        return list(miner_names())

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Find a command; one that cannot be loaded says so wherever it is shown or called."""
        own = super().get_command(ctx, cmd_name)
        if own is not None or cmd_name not in miner_names():
            return own
        alone = typer.Typer(add_completion=False, rich_markup_mode=None)
        try:
            alone.command(cmd_name)(command_of(find_miner(cmd_name)))
        except DeniableError as error:
            anything = {"ignore_unknown_options": True, "allow_extra_args": True}
            alone.command(cmd_name, help=str(error), context_settings=anything)(_refusing(error))
        return get_command(alone)


def _refusing(error: DeniableError) -> Callable[[], None]:
    def run() -> None:
        raise error

    return run


app = command_group("Mine a model from disguised records.", cls=MiningGroup)
for _miner in OWN_MINERS:
    app.command(_miner.name)(command_of(_miner))
