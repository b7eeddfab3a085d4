"""Finding channels by name: our own, and those of other packages, by their entry points.

A package adds a channel by an entry point of the group ``deniable.channels``, named as the channel
is in design.yaml. Other packages are looked through only where a name is not one of ours.
"""

import inspect
from functools import cache
from importlib.metadata import EntryPoint, entry_points

from deniable.base.errors import DesignError, nearest
from deniable.base.wording import joined
from deniable.channel.channel import Channel
from deniable.channel.crosswise import Crosswise
from deniable.channel.forced import Forced
from deniable.channel.keep_or_uniform import KeepOrUniform
from deniable.channel.kuk import Kuk
from deniable.channel.mangat import Mangat
from deniable.channel.matrix import Matrix
from deniable.channel.related import Related
from deniable.channel.triangular import Triangular
from deniable.channel.truthful import Truthful
from deniable.channel.unrelated import Unrelated

CHANNEL_GROUP = "deniable.channels"

OWN = (
    Truthful,
    Related,
    Crosswise,
    Forced,
    KeepOrUniform,
    Unrelated,
    Mangat,
    Triangular,
    Kuk,
    Matrix,
)
"""The easiest to explain first: it wins among equals."""


def kinds() -> tuple[str, ...]:
    """Names of all channels, our own first."""
    own = tuple(channel.kind for channel in OWN)
    return (*own, *sorted({entry.name for entry in _entries()} - set(own)))


@cache
def named(kind: str) -> type[Channel]:
    """Find a channel by its name in design.yaml."""
    for channel in OWN:
        if channel.kind == kind:
            return channel
    found = [entry for entry in _entries() if entry.name == kind]
    if not found:
        raise DesignError(f"there is no channel {kind!r}.", hint=nearest(kind, kinds()))
    if len(found) > 1:
        packages = joined(sorted(_package(entry) for entry in found))
        raise DesignError(
            f"the channel {kind!r} is offered by {packages}.", hint="Remove one of the packages."
        )
    return _loaded(found[0])


def _entries() -> tuple[EntryPoint, ...]:
    """What other packages offer; looked up each time, as packages may come while we run."""
    return tuple(entry_points(group=CHANNEL_GROUP))


def _package(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist else entry.value


def _loaded(entry: EntryPoint) -> type[Channel]:
    whose = f"the channel {entry.name!r} of the package {_package(entry)!r}"
    hint = "Update that package, or remove it."
    try:
        found = entry.load()
    except Exception as error:
        raise DesignError(f"{whose} cannot be loaded: {error}.", hint=hint) from error
    if not (isinstance(found, type) and issubclass(found, Channel)):
        raise DesignError(f"{whose} is no subclass of deniable.channel.Channel.", hint=hint)
    if inspect.isabstract(found):
        missing = ", ".join(sorted(found.__abstractmethods__))
        raise DesignError(f"{whose} does not say: {missing}.", hint=hint)
    if getattr(found, "kind", None) != entry.name:
        raise DesignError(f"{whose} calls itself {getattr(found, 'kind', None)!r}.", hint=hint)
    return found
