"""`deniable design`: check a design before anyone is asked anything."""

from pathlib import Path
from typing import Annotated

import typer

from deniable.base.wording import plural
from deniable.cli.show.output import print_items, print_json
from deniable.design import Design
from deniable.privacy.report.design_warnings import most_serious

app = typer.Typer(
    help="Check a design.", no_args_is_help=True, rich_markup_mode=None, add_completion=False
)


@app.callback()
def _root() -> None:
    """Check a design."""


@app.command()
def check(
    design: Annotated[Path, typer.Argument(help="The design, a YAML file.", metavar="DESIGN")],
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Say in plain words what a design does to a record; refuse what cannot be undone."""
    found = Design.load(design)
    if json:
        document = found.document()
        story = found.story().splitlines()
        facts = {"fingerprint": found.fingerprint, "story": story, "warning": most_serious(found)}
        print_json({**document, **facts})
        return
    what = f"{plural(len(found.schema), 'attribute')}, {plural(len(found.groups), 'group')}"
    typer.echo(f"{design}: {what}.")
    print_items(found.story().splitlines())
    if found.needs_second_sample:
        typer.echo("It can be undone, with a second sample that uses another theta.")
    else:
        typer.echo("It can be undone: counts are estimable.")
    typer.echo(f"Fingerprint {found.fingerprint}")
    if (warning := most_serious(found)) is not None:
        typer.echo(f"Warning: {warning}")
