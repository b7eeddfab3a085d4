"""Finding miners by name: our own, and those of other packages, by their entry points.

A package adds a miner by an entry point of the group ``deniable.miners``, named as the miner is.
Its code is loaded only where that name is asked for.
"""

from deniable.base.errors import ExtensionError, ModelError, nearest
from deniable.base.extensions import UPDATE, load, offered
from deniable.mine.miner import Miner
from deniable.mine.models.own_miners import OWN_MINERS

MINER_GROUP = "deniable.miners"

_BY_NAME = {miner.name: miner for miner in OWN_MINERS}


def miner_names() -> tuple[str, ...]:
    """Names of all miners, our own first."""
    return (*_BY_NAME, *(name for name in offered(MINER_GROUP) if name not in _BY_NAME))


def find_miner(name: str) -> Miner:
    """Find a miner by its name, which is also the kind of its models."""
    if name in _BY_NAME:
        return _BY_NAME[name]
    if name not in offered(MINER_GROUP):
        raise ModelError(f"There is no miner {name!r}.", hint=nearest(name, miner_names()))
    found, whose = load(MINER_GROUP, name, f"the miner {name!r}")
    if not isinstance(found, Miner):
        raise ExtensionError(f"{whose} is no deniable.mine.miner.Miner.", hint=UPDATE)
    if found.name != name:
        raise ExtensionError(f"{whose} calls itself {found.name!r}.", hint=UPDATE)
    return found
