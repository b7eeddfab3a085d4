"""What a miner is: a function that mines, its model, and how both are offered to people.

The function's signature is the first description: names, types and defaults of commands' options
and of a collaboration's are read from it, so that nothing is said twice.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from inspect import Parameter, get_annotations, signature
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from deniable.base.errors import ModelError, listed
from deniable.mine.model import Model
from deniable.oracle.api import CountOracle


@dataclass(frozen=True)
class MinerOption:
    """What a signature does not say about a keyword: what it is for, and within which limits."""

    help: str
    least: float | None = None
    most: float | None = None
    above: bool = False
    """Whether it must be more than `least`."""

    below: bool = False
    """Whether it must be less than `most`."""

    default: Any = None
    """What a command takes where the function has no default."""

    command: bool = True
    """Whether the command offers it; a collaboration does in any case."""

    metavar: str = ""
    """How the command writes what is to be given, where its type does not say it."""


@dataclass(frozen=True)
class MinerKeyword:
    """A keyword of a miner's function, with all that is known about it."""

    name: str
    option: MinerOption
    required: bool
    default: Any
    type: type
    """int, float, str, bool, list (of str), or CountOracle; None beside it is left out."""

    choices: tuple[str, ...]
    """Words that it may be, beside or instead of a value of its type."""


@dataclass(frozen=True)
class ModelTable:
    """A table about a model; columns headed by # are figures, those by #? can be left out."""

    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""
    """What is not shown."""


@dataclass(frozen=True)
class Miner:
    """A miner, ready for `deniable mine NAME`, model files and collaborations."""

    name: str
    """Of the command, of the entry point, and the kind of its models."""

    help: str
    mine: Callable[..., Model]
    """``mine(oracle, target, *, features=None, **options)``; without a target it predicts none."""

    model: type[Model]
    show: Callable[[Any], Iterable[str | ModelTable]]
    """What people read of a model."""

    noun: str = "a model"
    options: Mapping[str, MinerOption] = field(default_factory=dict)
    sizes: Callable[[Any], Mapping[str, int]] = lambda _: {}
    """Figures that stand beside a model in JSON."""

    pictures: Mapping[str, Callable[[Any], str]] = field(default_factory=dict)
    """Drawings by ``svg`` and ``dot``."""

    counts_only: bool = False
    """Whether `CountOracle.count` is all it needs, so that parties can mine together."""

    def __post_init__(self) -> None:
        functions: tuple[object, ...] = (self.mine, self.show)  # a stranger's may be none
        if not all(map(callable, functions)):
            raise ModelError(
                f"The miner {self.name!r} has no function that mines, or none to show."
            )
        strange = [name for name in self.options if name not in self.parameters]
        if strange:
            raise ModelError(
                f"The miner {self.name!r} has an option {strange[0]!r} it cannot take."
            )
        model: object = self.model
        if not (isinstance(model, type) and issubclass(model, Model)):
            raise ModelError(f"The model of the miner {self.name!r} is no subclass of Model.")
        owners = (each for each in self.model.__mro__ if each is not Model)
        said = {name for each in owners for name in (*vars(each), *get_annotations(each))}
        unsaid = {*self.model.__abstractmethods__, "schema"} - (said & {"schema"})
        if unsaid:
            missing = listed(sorted(unsaid))
            raise ModelError(f"The model of the miner {self.name!r} does not say {missing}.")
        if getattr(self.model, "kind", None) != self.name:
            raise ModelError(f"The model of the miner {self.name!r} is of another kind.")

    @cached_property
    def parameters(self) -> Mapping[str, Parameter]:
        """Of the function, by name."""
        return signature(self.mine).parameters

    def keywords(self) -> list[MinerKeyword]:
        """Everything that the miner can be told, the target and the features first."""
        known = {name: STANDARD[name] for name in STANDARD if name in self.parameters} | dict(
            self.options
        )
        hints = get_type_hints(self.mine)
        return [self._keyword(name, option, hints.get(name)) for name, option in known.items()]

    def _keyword(self, name: str, option: MinerOption, hint: object) -> MinerKeyword:
        several = get_args(hint) if get_origin(hint) in {Union, UnionType} else (hint,)
        parts = [part for part in several if part is not type(None)]
        choices = [word for part in parts if get_origin(part) is Literal for word in get_args(part)]
        plain = [part for part in parts if get_origin(part) is not Literal]
        kind: Any = plain[0] if plain else str
        if isinstance(get_origin(kind), type) and issubclass(get_origin(kind), Iterable):
            kind = list
        if kind not in KEYWORD_TYPES:
            known = listed(each.__name__ for each in KEYWORD_TYPES)
            raise ModelError(
                f"The miner {self.name!r} does not say which type {name!r} has.",
                hint=f"Write one of {known} in its signature.",
            )
        given = self.parameters[name].default
        required = given is Parameter.empty
        default = option.default if required else given
        return MinerKeyword(name, option, required, default, kind, tuple(choices))


KEYWORD_TYPES = (int, float, str, bool, list, CountOracle)

STANDARD = {
    "target": MinerOption("The attribute to predict."),
    "features": MinerOption("An attribute to predict from. Repeatable.  [default: all]"),
}
