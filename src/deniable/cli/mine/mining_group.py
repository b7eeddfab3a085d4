"""`deniable mine …`: a command for every miner, those of other packages among them."""

from collections.abc import Callable
from typing import Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from deniable.base.errors import DeniableError
from deniable.cli.mine.miner_command import command_of
from deniable.mine.models.miners import find_miner, miner_names
from deniable.mine.models.own_miners import OWN_MINERS


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


app = typer.Typer(
    cls=MiningGroup,
    help="Mine a model from disguised records.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
for _miner in OWN_MINERS:
    app.command(_miner.name)(command_of(_miner))
