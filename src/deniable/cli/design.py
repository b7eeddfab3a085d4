"""`deniable design`: check a design before anyone is asked anything."""

import typer

from deniable.base.wording import plural
from deniable.cli.options import AsJson, DesignArgument, command_group
from deniable.cli.show.output import print_items, print_json, say
from deniable.design import Design
from deniable.oracle.two_samples import samples_needed
from deniable.privacy.report.design_warnings import most_serious

app = command_group("Check a design.")


@app.callback()
def _root() -> None:
    """Check a design."""


@app.command()
def check(design: DesignArgument, json: AsJson = False) -> None:
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
        typer.echo(samples_needed(found))
    else:
        typer.echo("It can be undone: counts are estimable.")
    typer.echo(f"Fingerprint {found.fingerprint}")
    if (warning := most_serious(found)) is not None:
        say(f"Warning: {warning}")
