"""Arguments and options that several commands share."""

from pathlib import Path
from typing import Annotated, Any

import typer

from deniable.oracle.api import Target

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
ReportsArgument = Annotated[str, typer.Argument(help="Disguised records.", metavar="DISGUISED")]
DesignFile = Annotated[Path, typer.Option("--design", help="The design.", metavar="YAML")]
DesignArgument = Annotated[Path, typer.Argument(help="The design, a YAML file.", metavar="DESIGN")]
ModelFile = Annotated[Path, typer.Argument(help="A mined classifier.", metavar="MODEL")]
Of = Annotated[
    Target | None,
    typer.Option(
        "--of",
        help="What the estimates are about: these respondents (only the disguise is random), or "
        "the population they were drawn from.  [default: sample]",
    ),
]
Level = Annotated[float, typer.Option("--level", help="Confidence level of the intervals.")]
With = Annotated[
    list[str] | None,
    typer.Option(
        "--with", metavar="TABLE:DESIGN", help="Another table and its design, to pool. Repeatable."
    ),
]
PartyOption = Annotated[
    Path, typer.Option("--party", help="Your party file.", metavar="PARTY.yaml")
]
OWN_PARTY = Path("party.yaml")


def command_group(text: str, **more: Any) -> typer.Typer:
    """Make a group of commands, which says what there is when it is called alone."""
    plain: dict[str, Any] = {"add_completion": False, "rich_markup_mode": None}
    return typer.Typer(help=text, no_args_is_help=True, **plain, **more)
