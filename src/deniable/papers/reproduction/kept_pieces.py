"""Finished pieces of work on disk, so that a report that was interrupted goes on.

A piece is taken up again only if nothing that its numbers depend on is different: the version, the
code that makes numbers, the seed, the setting and the repeats.
"""

import ast
import importlib.util
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import deniable
from deniable.base.files import write_errors, write_whole
from deniable.base.fingerprint import digest_of, digest_of_json
from deniable.papers.reproduction.experiment import Done, Piece

NUMBERS_FROM = ("base", "channel", "engine", "mine", "oracle", "privacy", "source")
"""Folders of the package whose code the numbers depend on, beside a paper's own."""

PAPERS_PACKAGE, FRAME = "deniable.papers.", "deniable.papers.reproduction."
SEEDS = f"{FRAME}seeds"

NAME_LENGTH = 24


class KeptPieces:
    """A folder with a small file for each piece that is done."""

    def __init__(self, folder: Path, seed: int) -> None:
        self._folder = folder
        self._seed = seed

    def find(self, piece: Piece) -> Done | None:
        """Give what was measured, if it was measured just so."""
        path = self._path(piece)
        try:
            kept = json.loads(path.read_text(encoding="utf-8"))
            if kept["of"] != self._description(piece):
                return None
            return _read(kept)
        except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
            return None  # not there, or not one of ours

    def keep(self, piece: Piece, done: Done) -> None:
        """Write down what was measured."""
        document = {"of": self._description(piece), **done._asdict()}
        write_whole(self._path(piece), json.dumps(document))

    def forget(self) -> None:
        """Begin anew."""
        with write_errors(self._folder):
            for path in self._folder.glob("*.json"):
                path.unlink(missing_ok=True)  # another run may begin anew, too

    def _path(self, piece: Piece) -> Path:
        name = digest_of_json(self._description(piece))[:NAME_LENGTH]
        return self._folder / f"{piece.paper}-{name}.json"

    def _description(self, piece: Piece) -> dict[str, object]:
        return {
            "version": deniable.__version__,
            "code": _code(piece.work.__module__),
            "seed": self._seed,
            "paper": piece.paper,
            "work": piece.work.__qualname__,
            "setting": dict(piece.setting),
            "repeats": [piece.repeats.start, piece.repeats.stop],
        }


def _read(kept: Mapping[str, Any]) -> Done:
    """Take numbers only: what somebody changed by hand is measured again."""
    measured = {
        name: [float(value) for value in values] for name, values in kept["measured"].items()
    }
    if not measured:
        raise ValueError("it measured nothing")
    return Done(measured, float(kept["seconds"]))


@cache
def _code(module: str) -> str:
    """Hash the code that makes numbers, and what the work's module takes from the papers."""
    package = Path(deniable.__file__).parent
    paths = [path for name in NUMBERS_FROM for path in sorted((package / name).rglob("*.py"))]
    paths += sorted(package.glob("*.py"))
    own = [_path_of(name) for name in sorted(papers_modules(module))]
    return digest_of(path.read_bytes() for path in [*paths, *own])


def papers_modules(module: str) -> set[str]:
    """Name a module, and all modules of the papers that it imports, directly or not.

    The frame's own are left out, but for seeds: how numbers are drawn and kept is not what they
    are.
    """
    found, open_ = set[str](), [module]
    while open_:
        name = open_.pop()
        if name in found:
            continue
        found.add(name)
        tree = ast.parse(_path_of(name).read_bytes())
        taken = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        open_ += [each for each in taken if each == SEEDS or _is_work(each)]
    return found


def _is_work(module: str) -> bool:
    return module.startswith(PAPERS_PACKAGE) and not module.startswith(FRAME)


def _path_of(module: str) -> Path:
    found = importlib.util.find_spec(module)
    assert found is not None
    assert found.origin is not None
    return Path(found.origin)
