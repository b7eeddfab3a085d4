"""One word means one thing: no class, constant or module name of the package stands for two."""

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

from parsed import modules_in, parsed

MOST_MODULES_OF_ONE_NAME = 2  # the two sides of a collaboration, say, may have an `align` each


def doubles(found: Mapping[str, ast.Module]) -> list[str]:
    """Every class name, constant and module name that has more than one meaning."""
    classes: dict[str, list[str]] = defaultdict(list)
    constants: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    modules: dict[str, list[str]] = defaultdict(list)
    for where, tree in found.items():
        stem = Path(where).stem
        if stem != "__init__":
            modules[stem].append(where)
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                classes[node.name].append(where)
        for name, value in _constants(tree.body):
            constants[name][value].append(where)
    return [
        *(
            f"class {name}: {', '.join(places)}"
            for name, places in sorted(classes.items())
            if len(places) > 1
        ),
        *(
            f"constant {name}: "
            + ", ".join(f"{value} in {' and '.join(where)}" for value, where in values.items())
            for name, values in sorted(constants.items())
            if len(values) > 1
        ),
        *(
            f"module {name}: {', '.join(places)}"
            for name, places in sorted(modules.items())
            if len(places) > MOST_MODULES_OF_ONE_NAME
        ),
    ]


def _constants(body: list[ast.stmt]) -> Iterator[tuple[str, str]]:
    """Uppercase names that a module binds, with their values; also below `if` and `try`."""
    for statement in body:
        match statement:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    yield from _bound(target, value)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                yield from _bound(target, value)
            case ast.If() | ast.Try() | ast.With():
                for field in ("body", "orelse", "finalbody"):
                    yield from _constants(getattr(statement, field, []))
                for handler in getattr(statement, "handlers", []):
                    yield from _constants(handler.body)


def _bound(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, str]]:
    """Each constant of `target` with the source of its value, however it is laid out."""
    match target, value:
        case ast.Name(id=name), _ if name.isupper():
            yield name, ast.unparse(value)
        case (
            (ast.Tuple(elts=names) | ast.List(elts=names)),
            (ast.Tuple(elts=values) | ast.List(elts=values)),
        ) if len(names) == len(values):
            for one, its_value in zip(names, values, strict=True):
                yield from _bound(one, its_value)
        case ((ast.Tuple(elts=names) | ast.List(elts=names)), _):
            for place, one in enumerate(names):
                for name, text in _bound(one, value):
                    yield name, f"({text})[{place}]"


def test_no_name_of_the_package_has_two_meanings() -> None:
    assert not doubles(parsed())


def tree(folder: Path, modules: dict[str, str]) -> Mapping[str, ast.Module]:
    for name, text in modules.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return modules_in(folder)


def test_two_public_classes_of_one_name_are_found(tmp_path: Path) -> None:
    planted = tree(tmp_path, {"one.py": "class Part: ...", "two.py": "class Part: ..."})
    assert doubles(planted) == ["class Part: one.py, two.py"]


def test_private_classes_may_share_a_name(tmp_path: Path) -> None:
    assert not doubles(tree(tmp_path, {"one.py": "class _Part: ...", "two.py": "class _Part: ..."}))


def test_a_constant_with_two_values_is_found_however_it_is_written(tmp_path: Path) -> None:
    ways = {
        "plain": "_MOST = 2",
        "annotated": "_MOST: int = 3",
        "tuple": "_LEAST, _MOST = 1, 4",
        "unpacked": "_LEAST, _MOST = pair()",
        "guarded": "try:\n    _MOST = 5\nexcept ImportError:\n    _MOST = 6",
    }
    for name, text in ways.items():
        planted = tree(tmp_path / name, {"one.py": "_MOST = 1", "two.py": text})
        assert doubles(planted)[0].startswith("constant _MOST: 1 in one.py, "), name


def test_a_constant_with_one_value_in_two_places_is_one_meaning(tmp_path: Path) -> None:
    one, two = "MOST = (1, 2)", "MOST: tuple[int, int] = (1,2)"
    assert not doubles(tree(tmp_path, {"one.py": one, "two.py": two}))


def test_a_module_name_is_found_the_third_time(tmp_path: Path) -> None:
    folders = ("a", "b", "c")
    tree(tmp_path, {f"{folder}/__init__.py": "" for folder in folders})
    assert not doubles(tree(tmp_path, {"a/align.py": "", "b/align.py": ""}))
    thrice = tree(tmp_path, {"c/align.py": ""})
    assert doubles(thrice) == ["module align: a/align.py, b/align.py, c/align.py"]
