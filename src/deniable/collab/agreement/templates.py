"""Files to start from: a party's own, and an agreement of two."""

from importlib.resources import files
from pathlib import Path

from deniable.base.files import write_new, write_whole


def start(path: Path, name: str, identity: Path) -> bool:
    """Write a party file with comments; one that is there is left alone."""
    if path.exists():
        return False
    text = _example("example-party.yaml").replace("{name}", name)
    write_whole(path, text.replace("{identity}", identity.resolve().name))
    return True


def start_agreement(path: Path) -> None:
    """Write an agreement with comments, to be changed by all parties together."""
    write_new(path, _example("example.yaml"))


def _example(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")
