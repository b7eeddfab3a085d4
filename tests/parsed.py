"""The package's own source, each file parsed once for all tests that look through it."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1] / "src" / "deniable"


def modules_in(source: Path) -> dict[str, ast.Module]:
    """Every module below a folder, by its path there."""
    return {
        path.relative_to(source).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(source.rglob("*.py"))
    }


@cache
def parsed() -> dict[str, ast.Module]:
    """Every module of the package."""
    return modules_in(SOURCE)


@cache
def _nodes() -> dict[str, list[ast.AST]]:
    return {where: list(ast.walk(tree)) for where, tree in parsed().items()}


def nodes(*kinds: type[ast.AST]) -> Iterator[tuple[str, ast.AST]]:
    """Every node of the package that is of one of these kinds, with the module it is in."""
    for where, all_of_it in _nodes().items():
        for node in all_of_it:
            if isinstance(node, kinds or ast.AST):
                yield where, node
