"""Whatever is particular to a channel is asked of it: nobody else asks which channel it is."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from deniable import channel
from deniable.channel import kinds
from parsed import parsed

WEB = Path(__file__).parents[2] / "web/src"

CLASSES = {name for name in channel.__all__ if isinstance(getattr(channel, name), type)} - {"Terms"}
"""Names of channels."""

KINDS = frozenset(kinds())


def asks_which(tree: ast.AST) -> Iterator[str]:
    """Find code that does one thing for this channel and another for that."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in {"isinstance", "issubclass"}:
            named = {one.id for one in ast.walk(node.args[1]) if isinstance(one, ast.Name)}
            named |= {one.attr for one in ast.walk(node.args[1]) if isinstance(one, ast.Attribute)}
            asked = bool(named & CLASSES)
        elif isinstance(node, ast.Compare):
            asked = any(map(names_one, [node.left, *node.comparators]))
        elif isinstance(node, ast.match_case):
            asked = names_one(node.pattern)
        elif isinstance(node, ast.Dict):
            asked = any(key is not None and names_one(key) for key in node.keys)
        else:
            asked = False
        if asked:
            yield ast.unparse(node)


def names_one(node: ast.AST) -> bool:
    """Whether a channel's name or class is among what is compared."""
    return any(
        (isinstance(one, ast.Constant) and one.value in KINDS)
        or (isinstance(one, ast.Name | ast.Attribute) and ast.unparse(one).split(".")[0] in CLASSES)
        or (isinstance(one, ast.MatchClass) and ast.unparse(one.cls).split(".")[-1] in CLASSES)
        for one in ast.walk(node)
    )


def test_no_module_asks_which_channel_it_is() -> None:
    asking = {
        where: found
        for where, tree in parsed().items()
        if not where.startswith("channel/") and (found := [*asks_which(tree)])
    }
    assert asking == {}


@pytest.mark.parametrize(
    "code",
    [
        "isinstance(group.channel, Related)",
        "isinstance(c, (channel.Related, Matrix))",
        "group.channel.kind == 'related'",
        "kind in ('forced', 'kuk')",
        "type(c) is Matrix",
        "{'mangat': 1}[c.kind]",
        "match c.kind:\n    case 'related': pass",
        "match c:\n    case Related(): pass",
    ],
)
def test_the_look_finds_such_questions(code: str) -> None:
    assert [*asks_which(ast.parse(code))]


def test_on_the_page_one_module_names_channels() -> None:
    names = re.compile("|".join(f"[\"'`]{kind}[\"'`]" for kind in kinds()))
    naming = {
        path.relative_to(WEB).as_posix()
        for path in WEB.rglob("*.ts")
        if names.search(path.read_text(encoding="utf-8"))
    }
    assert naming == {"disguise/devices.ts"}
