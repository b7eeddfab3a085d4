"""Channels: what a random device does to a group of attributes, and how to undo it.

They are found by their names in design.yaml. A package adds one by an entry point of the group
``deniable.channels``; its code is loaded only where its name is asked for.
"""

import inspect
from functools import cache

from deniable.base.errors import DesignError, ExtensionError, nearest
from deniable.base.extensions import UPDATE, load, offered
from deniable.channel.channel import Channel
from deniable.channel.forced import Forced
from deniable.channel.keep_or_uniform import KeepOrUniform
from deniable.channel.matrix import Matrix, OneAttribute
from deniable.channel.related import Related
from deniable.channel.terms import Terms
from deniable.channel.truthful import Truthful
from deniable.channel.unrelated import Unrelated
from deniable.channel.yes_no import Crosswise, Kuk, Mangat, Triangular

CHANNEL_GROUP = "deniable.channels"

OWN_CHANNELS: dict[str, type[Channel]] = {
    channel.kind: channel
    for channel in (
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
}
"""By name; the easiest to explain first: it wins among equals."""

__all__ = [
    "Channel",
    "Crosswise",
    "Forced",
    "KeepOrUniform",
    "Kuk",
    "Mangat",
    "Matrix",
    "OneAttribute",
    "Related",
    "Terms",
    "Triangular",
    "Truthful",
    "Unrelated",
    "kinds",
    "named",
]


def kinds() -> tuple[str, ...]:
    """Names of all channels, our own first."""
    return (*OWN_CHANNELS, *(name for name in offered(CHANNEL_GROUP) if name not in OWN_CHANNELS))


@cache
def named(kind: str) -> type[Channel]:
    """Find a channel by its name in design.yaml."""
    if kind in OWN_CHANNELS:
        return OWN_CHANNELS[kind]
    if kind not in offered(CHANNEL_GROUP):
        raise DesignError(f"there is no channel {kind!r}.", hint=nearest(kind, kinds()))
    found, whose = load(CHANNEL_GROUP, kind, f"the channel {kind!r}")
    if not (isinstance(found, type) and issubclass(found, Channel)):
        raise ExtensionError(f"{whose} is no subclass of deniable.channel.Channel.", hint=UPDATE)
    if inspect.isabstract(found):
        missing = ", ".join(sorted(found.__abstractmethods__))
        raise ExtensionError(f"{whose} does not say: {missing}.", hint=UPDATE)
    if getattr(found, "kind", None) != kind:
        raise ExtensionError(f"{whose} calls itself {getattr(found, 'kind', None)!r}.", hint=UPDATE)
    return found
