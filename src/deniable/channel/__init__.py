"""Channels: what a random device does to a group of attributes, and how to undo it."""

from deniable.channel.channel import Channel
from deniable.channel.crosswise import Crosswise
from deniable.channel.forced import Forced
from deniable.channel.keep_or_uniform import KeepOrUniform
from deniable.channel.kuk import Kuk
from deniable.channel.mangat import Mangat
from deniable.channel.matrix import Matrix
from deniable.channel.registry import kinds, named
from deniable.channel.related import Related
from deniable.channel.terms import Terms
from deniable.channel.triangular import Triangular
from deniable.channel.truthful import Truthful
from deniable.channel.unrelated import Unrelated

__all__ = [
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
    "kinds",
    "named",
]
