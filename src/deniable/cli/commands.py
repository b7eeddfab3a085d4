"""All commands by name: where each is, and what the list of commands says of it.

The libraries behind a command take longer to load than most of the work: a command's module is
imported when that command is used. A test holds each line to the command's own help.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

COMMANDS: Mapping[str, tuple[str, str]] = {
    "prepare": (
        "prepare:prepare",
        "Bin numbers and name values, and write down how, so that new data is prepared alike.",
    ),
    "plan": (
        "plan:plan",
        "Recommend channel, grouping and θ for a survey, and show the trade-off around them.",
    ),
    "privacy": (
        "privacy:privacy",
        "Say what a design's reports give away: measured, attacked, in numbers and in words.",
    ),
    "disguise": ("disguise:disguise", "Disguise a table of any size, record by record."),
    "tabulate": (
        "tabulate:tabulate",
        "Count reports into a count table, which every command reads like the reports themselves.",
    ),
    "estimate": (
        "estimate:estimate",
        "Estimate how many records satisfy each expression, all in one pass.",
    ),
    "table": (
        "table:table",
        "Estimate a joint table by inversion and by maximum likelihood, and test independence.",
    ),
    "predict": (
        "predict:predict",
        "Predict the target of undisguised records: the answer, and the chance of each class.",
    ),
    "score": (
        "score:score",
        "Estimate how often a model is right: accuracy, confusion matrix, precision and recall.",
    ),
    "demo": (
        "demo:demo",
        "Simulate a survey: disguise it, estimate through the disguise, compare with the truth.",
    ),
    "reproduce": (
        "reproduce:reproduce",
        "Do the papers' experiments again: figures, tables, and claims checked by code.",
    ),
    "design": ("design:app", "Check a design."),
    "mine": ("mine:app", "Mine a model from disguised records."),
    "survey": (
        "survey.commands:app",
        "Run a survey whose page disguises and whose server cannot know.",
    ),
    "party": ("party:app", "Be one of several organisations that mine together."),
    "collaborate": ("collaborate:app", "Mine together with other organisations."),
    "ledger": ("ledger:app", "What was released in a collaboration, row by row."),
    "data": ("data:app", "The data sets of the papers."),
}
"""In the order of the list: a function of a module of `deniable.cli`, or its group of commands."""


class CommandsOnUse(TyperGroup):
    """Commands that are names and lines until one of them is called, or asked for its help."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        for name, (_, line) in COMMANDS.items():
            self.add_command(TyperCommand(name, help=line))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command that is called, and load it."""
        name, _, rest = super().resolve_command(ctx, args)
        return name, name and load_command(name), rest


def load_command(name: str) -> Any:
    """Import a command, with all its options and subcommands."""
    module, _, part = COMMANDS[name][0].partition(":")
    found = getattr(import_module(f"deniable.cli.{module}"), part)
    if not isinstance(found, typer.Typer):
        alone = typer.Typer(add_completion=False, rich_markup_mode=None)
        alone.command(name)(found)
        found = alone
    command = get_command(found)
    command.name = name
    return command
