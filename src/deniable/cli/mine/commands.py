"""`deniable mine …`: models from disguised records."""

from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any, TypeVar

import typer

from deniable.base.errors import DataError, OutputError
from deniable.base.files import write_whole
from deniable.cli.disguised_tables import opened, opened_about
from deniable.cli.estimate import With
from deniable.cli.show.model_text import show_bayes, show_logistic, show_rules
from deniable.cli.show.output import note, plural, print_json, progress
from deniable.engine.address import same_table
from deniable.mine.bayes import mine_bayes
from deniable.mine.dependence import mine_dependence
from deniable.mine.draw.tree_drawing import dot, svg, text
from deniable.mine.forest import PART, TREES, mine_forest
from deniable.mine.logistic import mine_logistic
from deniable.mine.models.model import Model
from deniable.mine.models.model_files import save_model
from deniable.mine.rules.association_rules import mine_rules
from deniable.mine.tree.decision_tree import FOLDS, DecisionTree, Growth, mine_tree

app = typer.Typer(
    help="Mine a model from disguised records.", no_args_is_help=True, rich_markup_mode=None
)

OTHER_PICTURES = {".png", ".jpg", ".jpeg", ".gif", ".pdf", ".webp"}

Reports = Annotated[str, typer.Argument(help="Disguised records.", metavar="DISGUISED")]
DesignFile = Annotated[Path, typer.Option("--design", help="The design.", metavar="YAML")]
Class = Annotated[str, typer.Option("--target", help="The attribute to predict.", metavar="CLASS")]
Features = Annotated[
    list[str] | None,
    typer.Option(
        "--feature",
        help="An attribute to predict from. Repeatable.  [default: all]",
        metavar="NAME",
    ),
]
Out = Annotated[Path | None, typer.Option("--out", help="Write the model.", metavar="MODEL.json")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
RandomState = Annotated[int, typer.Option("--random-state", help="Of the random folds or trees.")]
MaxDepth = Annotated[
    int | None, typer.Option("--max-depth", help="Most questions on a path.", min=0)
]


def _drawing(path: Path | None) -> Path | None:
    """Refuse, before any work, a name that promises another kind of picture."""
    if path is not None and path.suffix.lower() in OTHER_PICTURES:
        raise OutputError(
            f"{path} would hold a drawing as text, whatever its name says.",
            hint="End its name in .svg, or .dot for Graphviz.",
        )
    return path


Svg = Annotated[
    Path | None,
    typer.Option("--svg", help="Draw it.", metavar="FILE.svg", callback=_drawing),
]
Dot = Annotated[
    Path | None,
    typer.Option("--dot", help="Write it for Graphviz.", metavar="FILE", callback=_drawing),
]

M = TypeVar("M", bound=Model)


@app.command()
def tree(
    reports: Reports,
    design: DesignFile,
    target: Class,
    features: Features = None,
    growth: Annotated[
        Growth,
        typer.Option(
            "--growth",
            help="Drop what the noise explains, or grow as the papers do.",
        ),
    ] = "noise-aware",
    strength: Annotated[
        float | None,
        typer.Option(
            "--strength",
            help="Standard errors that a split must stand out by.  [default: by cross-validation]",
            min=0,
        ),
    ] = None,
    cv: Annotated[int, typer.Option("--cv", help="Folds of the cross-validation.", min=2)] = FOLDS,
    validation: Annotated[
        str | None,
        typer.Option(
            "--validation",
            help="Cut back by a separate table, disguised by the same design.",
            metavar="DISGUISED",
        ),
    ] = None,
    max_depth: MaxDepth = None,
    random_state: RandomState = 0,
    others: With = None,
    svg_file: Svg = None,
    dot_file: Dot = None,
    out: Out = None,
    json: AsJson = False,
) -> None:
    """Mine a decision tree: ID3 on estimated counts.

    Every node shows its estimated count ± standard error, about the population.
    """
    oracle = opened(reports, design, others, outs=(out, svg_file, dot_file))
    if validation is not None and same_table(validation, reports):
        raise DataError(
            f"{validation} is the table that the tree is mined from.",
            hint="Cut a tree back by records that it has not seen.",
        )
    check = None if validation is None else opened(validation, design, None, warn=False)

    def mined() -> DecisionTree:
        found = mine_tree(
            oracle,
            target,
            features=features,
            growth=growth,
            strength=strength,
            cv=cv,
            max_depth=max_depth,
            random_state=random_state,
            progress=told,
        )
        return found if check is None else found.pruned(check)

    with progress("Growing") as told:
        model, seconds = _timed(mined)
    _write(svg_file, lambda: svg(model))
    _write(dot_file, lambda: dot(model))
    sizes = {"leaves": len(model.leaves), "depth": model.depth}
    _finish(model, sizes, seconds, out, json=json, show=lambda: typer.echo(text(model)))
    if model.note and json:  # the drawing says it too
        note(f"note: {model.note}")


@app.command()
def forest(
    reports: Reports,
    design: DesignFile,
    target: Class,
    features: Features = None,
    n_estimators: Annotated[
        int, typer.Option("--n-estimators", help="How many trees.", min=1)
    ] = TREES,
    max_features: Annotated[
        float,
        typer.Option("--max-features", help="Share of the attributes a node may choose from."),
    ] = PART,
    max_depth: MaxDepth = None,
    random_state: RandomState = 0,
    others: With = None,
    out: Out = None,
    json: AsJson = False,
) -> None:
    """Mine a random forest: trees from reports drawn again, averaged."""
    oracle = opened(reports, design, others, outs=(out,))
    with progress("Growing") as told:
        model, seconds = _timed(
            lambda: mine_forest(
                oracle,
                target,
                features=features,
                n_estimators=n_estimators,
                max_features=max_features,
                max_depth=max_depth,
                random_state=random_state,
                progress=told,
            )
        )
    leaves = sum(len(tree.leaves) for tree in model.trees)
    sizes = {"trees": len(model.trees), "leaves": leaves}
    words = f"{plural(len(model.trees), 'tree')}, {leaves / len(model.trees):,.0f} leaves each."
    _finish(model, sizes, seconds, out, json=json, show=lambda: typer.echo(words))


@app.command()
def bayes(
    reports: Reports,
    design: DesignFile,
    target: Class,
    features: Features = None,
    alpha: Annotated[float, typer.Option("--alpha", help="Laplace smoothing.")] = 1.0,
    others: With = None,
    out: Out = None,
    json: AsJson = False,
) -> None:
    """Mine a naive Bayes classifier from constrained estimates."""
    oracle = opened(reports, design, others, outs=(out,))
    model, seconds = _timed(lambda: mine_bayes(oracle, target, features=features, alpha=alpha))
    sizes = {"features": len(model.features)}
    _finish(model, sizes, seconds, out, json=json, show=lambda: show_bayes(model))


@app.command()
def logistic(
    reports: Reports,
    design: DesignFile,
    target: Class,
    features: Features = None,
    ridge: Annotated[
        float, typer.Option("--ridge", help="Penalty, for few or noisy records.", min=0)
    ] = 0.0,
    others: With = None,
    out: Out = None,
    json: AsJson = False,
) -> None:
    """Mine a logistic regression with standard errors, by corrected score equations."""
    oracle: Any = opened(reports, design, others, outs=(out,))
    model, seconds = _timed(lambda: mine_logistic(oracle, target, features=features, ridge=ridge))
    sizes = {"coefficients": len(model.rows())}
    _finish(model, sizes, seconds, out, json=json, show=lambda: show_logistic(model))


@app.command()
def rules(
    reports: Reports,
    design: DesignFile,
    min_support: Annotated[
        float,
        typer.Option("--min-support", help="Least share of records that hold all items."),
    ] = 0.1,
    min_confidence: Annotated[
        float,
        typer.Option("--min-confidence", help="Least share of the premise's holders."),
    ] = 0.5,
    min_lift: Annotated[float, typer.Option("--min-lift", help="Least lift.")] = 0.0,
    target: Annotated[
        str | None,
        typer.Option("--target", help="Conclude this attribute only.", metavar="CLASS"),
    ] = None,
    max_len: Annotated[
        int | None, typer.Option("--max-len", help="Most items in a set.", min=1)
    ] = None,
    tolerance: Annotated[
        float | None,
        typer.Option(
            "--tolerance",
            help="How far below the support an estimate may fall and still be followed up.  "
            "[default: as far as its standard error explains]",
        ),
    ] = None,
    others: With = None,
    out: Out = None,
    json: AsJson = False,
) -> None:
    """Mine association rules: Apriori on estimated supports."""
    oracle, of = opened_about(reports, design, others, outs=(out,))
    with progress("Counting item sets"):
        model, seconds = _timed(
            lambda: mine_rules(
                oracle,
                min_support=min_support,
                min_confidence=min_confidence,
                min_lift=min_lift,
                target=target,
                max_len=max_len,
                of=of,
                tolerance="derived" if tolerance is None else tolerance,
            )
        )
    _finish(model, {"rules": len(model)}, seconds, out, json=json, show=lambda: show_rules(model))


@app.command()
def dependence(
    reports: Reports,
    design: DesignFile,
    attributes: Annotated[
        list[str] | None,
        typer.Option("--attribute", help="Repeatable.  [default: all]", metavar="NAME"),
    ] = None,
    level: Annotated[
        float, typer.Option("--level", help="Chance of a link between independent attributes.")
    ] = 0.05,
    others: With = None,
    svg_file: Svg = None,
    dot_file: Dot = None,
    out: Out = None,
    json: AsJson = False,
) -> None:
    """Find which attributes depend on each other: the Chow–Liu tree, as a picture."""
    oracle: Any = opened(reports, design, others, outs=(out, svg_file, dot_file))
    with progress("Comparing attributes"):
        model, seconds = _timed(lambda: mine_dependence(oracle, attributes=attributes, level=level))
    _write(svg_file, model.svg)
    _write(dot_file, model.dot)
    links = {"links": len(model.edges)}
    _finish(model, links, seconds, out, json=json, show=lambda: typer.echo(model.text()))


def _timed(work: Callable[[], M]) -> tuple[M, float]:
    begin = perf_counter()
    return work(), perf_counter() - begin


def _write(path: Path | None, picture: Callable[[], str]) -> None:
    if path is not None:
        write_whole(path, picture())
        note(f"wrote {path}")


def _finish(
    model: Model,
    sizes: dict[str, int],
    seconds: float,
    out: Path | None,
    *,
    json: bool,
    show: Callable[[], None],
) -> None:
    """Write the model where it is wanted, and print what was found."""
    if out is not None:
        save_model(model, out)
    if json:
        print_json({**sizes, "seconds": seconds, "model": model.document()})
    else:
        show()
    if out is not None:
        note(f"wrote {out}")
