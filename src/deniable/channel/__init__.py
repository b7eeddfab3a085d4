"""Channels: what a random device does to a group of attributes, and how to undo it.

They are found by their names in design.yaml. A package adds one by an entry point of the group
``deniable.channels``; its code is loaded only where its name is asked for.
"""

import inspect
from functools import cache

from deniable.base.errors import DesignError, ExtensionError, nearest
from deniable.base.extensions import UPDATE, load, offered
from deniable.channel.channel import Channel
from deniable.channel.crosswise import Crosswise
from deniable.channel.forced import Forced
from deniable.channel.keep_or_uniform import KeepOrUniform
from deniable.channel.kuk import Kuk
from deniable.channel.mangat import Mangat
from deniable.channel.matrix import Matrix
from deniable.channel.one_attribute import OneAttribute
from deniable.channel.related import Related
from deniable.channel.terms import Terms
from deniable.channel.triangular import Triangular
from deniable.channel.truthful import Truthful
from deniable.channel.unrelated import Unrelated

CHANNEL_GROUP = "deniable.channels"

EASIEST_FIRST: tuple[type[Channel], ...] = (
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
"""Our own; the easiest to explain wins among equals."""

_OWN = {channel.kind: channel for channel in EASIEST_FIRST}

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
    return (*_OWN, *(name for name in offered(CHANNEL_GROUP) if name not in _OWN))


@cache
def named(kind: str) -> type[Channel]:
    """Find a channel by its name in design.yaml."""
    if kind in _OWN:
        return _OWN[kind]
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
