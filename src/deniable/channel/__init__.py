"""Channels: what a random device does to a group of attributes, and how to undo it."""

from deniable.channel.channel import Channel, Terms
from deniable.channel.matrix import Matrix
from deniable.channel.one_attribute import Crosswise, Forced, Kuk, Mangat, Triangular
from deniable.channel.related import Related
from deniable.channel.truthful import Truthful
from deniable.channel.unrelated import KeepOrUniform, Unrelated

CHANNELS: dict[str, type[Channel]] = {
    channel.kind: channel
    for channel in (
        Truthful,
        Related,
        Unrelated,
        KeepOrUniform,
        Forced,
        Mangat,
        Kuk,
        Crosswise,
        Triangular,
        Matrix,
    )
}
"""Every channel by its name in design.yaml."""

__all__ = [
    "CHANNELS",
    "Channel",
    "Crosswise",
    "Forced",
    "KeepOrUniform",
    "Kuk",
    "Mangat",
    "Matrix",
    "Related",
    "Terms",
    "Triangular",
    "Truthful",
    "Unrelated",
]
