"""One way to do a thing: what `deniable.base` does for everybody, no other module does by hand."""

import ast
from collections.abc import Callable, Iterator

import pytest

from parsed import SOURCE, nodes

CRYPTOGRAPHY = {
    "collab/session/hidden_points.py",  # from identifiers to points
    "collab/session/intersection.py",  # the two halves of an HMAC
    "survey/server/rate_limit.py",  # a keyed hash that is forgotten
    "survey/tokens/variants.py",  # what RSA signs
}

Rule = Callable[[ast.AST], bool]


def reads_yaml(node: ast.AST) -> bool:
    return "yaml" in _imported(node)


def hashes(node: ast.AST) -> bool:
    return "hashlib" in _imported(node)


def replaces_a_file(node: ast.AST) -> bool:
    """By `os` or `shutil`; or `Path.replace`, which takes one argument where a text's takes two."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="os"), attr="replace" | "rename")):
            return True
        case ast.Call(func=ast.Attribute(value=ast.Name(id="shutil"), attr="move")):
            return True
        case ast.Call(
            func=ast.Attribute(attr="replace" | "rename"), args=[ast.Name()], keywords=[]
        ):
            return True
    return False


def names_an_array(node: ast.AST) -> bool:
    """Spells out Codes, Floats or Mask."""
    match node:
        case ast.Subscript(value=ast.Name(id="NDArray"), slice=ast.Attribute(attr=kind)):
            return kind in {"int64", "float64", "bool_"}
    return False


def joins_by_hand(node: ast.AST) -> bool:
    """`" and ".join(words)`, or all but the last of them."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=between), attr="join")):
            return between in {" and ", " or "} or any(
                isinstance(part, ast.Slice) and part.upper and ast.unparse(part.upper) == "-1"
                for part in ast.walk(node)
            )
    return False


def counts_by_hand(node: ast.AST) -> bool:
    """An s for more than one."""
    match node:
        case ast.IfExp(body=ast.Constant(value=one), orelse=ast.Constant(value=other)):
            return {one, other} == {"", "s"}
        case ast.BinOp(left=ast.Constant(value="s"), op=ast.Mult()):
            return True
    return False


def writes_figures_by_hand(node: ast.AST) -> bool:
    """A percentage, or an estimate ± its error, by a format."""
    if not isinstance(node, ast.JoinedStr):
        return False
    formats = [_format(part) for part in node.values]
    pairs = [
        (spec, part.value if isinstance(part, ast.Constant) else "")
        for spec, part in zip(formats, node.values[1:], strict=False)
    ]
    percent = any(spec and str(said).startswith((" %", "%")) for spec, said in pairs)
    estimate = any(spec and said == " ± " for spec, said in pairs)
    return percent or estimate or any(spec.endswith("%") for spec in formats)


def says_infinity(node: ast.AST) -> bool:
    match node:
        case ast.IfExp(body=one, orelse=other):
            return any(isinstance(e, ast.Constant) and e.value == "∞" for e in (one, other))
    return False


WORDED = "base/wording.py"
RULES: list[tuple[Rule, set[str]]] = [
    (reads_yaml, {"base/documents.py"}),
    (hashes, {"base/fingerprint.py", *CRYPTOGRAPHY}),
    (replaces_a_file, {"base/files.py"}),
    (names_an_array, {"base/arrays.py"}),
    (joins_by_hand, {WORDED}),
    (counts_by_hand, {WORDED}),
    (writes_figures_by_hand, {WORDED}),
    (says_infinity, {WORDED}),
]


@pytest.mark.parametrize(("rule", "homes"), RULES, ids=lambda each: getattr(each, "__name__", ""))
def test_it_is_done_in_one_place(rule: Rule, homes: set[str]) -> None:
    found = {
        f"{where}:{getattr(node, 'lineno', 0)}"
        for where, node in nodes()
        if where not in homes and rule(node)
    }
    assert not found
    assert all((SOURCE / home).exists() for home in homes)


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (reads_yaml, "import yaml"),
        (reads_yaml, "from yaml import safe_load"),
        (hashes, "from hashlib import sha256"),
        (replaces_a_file, "os.replace(a, b)"),
        (replaces_a_file, "temporary.replace(target)"),
        (names_an_array, "Rows = NDArray[np.int64]"),
        (joins_by_hand, "' and '.join(words)"),
        (joins_by_hand, "', '.join(words[:-1])"),
        (counts_by_hand, "'' if n == 1 else 's'"),
        (counts_by_hand, "'s' * (n != 1)"),
        (writes_figures_by_hand, "f'{share:.1%} of them'"),
        (writes_figures_by_hand, "f'{share * 100:g} %'"),
        (writes_figures_by_hand, "f'{value:.3f} ± {error:.3f}'"),
        (says_infinity, "'∞' if epsilon == inf else str(epsilon)"),
    ],
)
def test_a_second_way_is_found(rule: Rule, text: str) -> None:
    assert any(map(rule, ast.walk(ast.parse(text))))


@pytest.mark.parametrize(
    "text",
    [
        "', '.join(names)",
        "words.replace('a', 'b')",
        "moment.replace(tzinfo=None)",
        "NDArray[np.uint8]",
        "f'{n:,} people, {day:%Y-%m-%d}'",
        "f'{n} % 2'",
    ],
)
def test_what_is_something_else_passes(text: str) -> None:
    assert not any(rule(node) for rule, _ in RULES for node in ast.walk(ast.parse(text)))


def _imported(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Import(names=names):
            yield from (name.name.partition(".")[0] for name in names)
        case ast.ImportFrom(module=str(module), level=0):
            yield module.partition(".")[0]


def _format(part: ast.expr) -> str:
    match part:
        case ast.FormattedValue(format_spec=ast.JoinedStr() as spec):
            return ast.unparse(spec).strip("f'\"")
    return ""
