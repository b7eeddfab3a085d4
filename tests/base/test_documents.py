"""One reader of YAML for every kind of file: words stay words, lines are known, there is an end."""

import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from deniable.base import documents
from deniable.base.documents import (
    MOST_FILE_BYTES,
    MOST_LETTERS,
    MOST_LETTERS_IN_ALL,
    MOST_LEVELS,
    MOST_NODES,
    parse,
    read_text,
    read_yaml,
    strict_json,
    to_yaml,
)
from deniable.base.errors import CollabError, DataError, DeniableError, DesignError, SurveyError
from deniable.collab.agreement.agreement import Agreement
from deniable.collab.agreement.party_file import PartyFile
from deniable.design import Design
from deniable.source.prepare.preparation import Preparation
from deniable.survey.questionnaire import load

READERS: dict[str, tuple[Callable[[Path], object], type[DeniableError]]] = {
    "a design": (Design.load, DesignError),
    "a preparation": (Preparation.load, DesignError),
    "a collaboration": (Agreement.load, CollabError),
    "a party": (PartyFile.load, CollabError),
    "a survey": (load, SurveyError),
}

BOMB_LEVELS = 12
BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, BOMB_LEVELS)
)
"""13 lines that stand for 10^12 words."""

WRITTEN = 1 + BOMB_LEVELS * (1 + 1 + 10)
"""The mapping, and in each line a key, a list, and its ten items."""

MORE = {
    "itself": "a: &a [*a]",
    "itself further down": "a: &a {b: [x, {c: *a}]}",
    "deeper than anything": "a: " + "[" * 5000,
    "chained": "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}]\n" for n in range(1, 100)),
    "bomb": BOMB,
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", READERS)
@pytest.mark.parametrize("how", MORE)
def test_a_file_without_end_is_refused_by_every_reader(kind: str, how: str, tmp_path: Path) -> None:
    read, error = READERS[kind]
    path = tmp_path / "file.yaml"
    path.write_text(MORE[how])
    with pytest.raises(error, match=r"has no end: it is nested too deeply, or refers to itself\."):
        read(path)


@pytest.mark.parametrize("kind", READERS)
def test_an_alias_bomb_costs_no_more_than_what_is_written(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, error = READERS[kind]
    path = tmp_path / "file.yaml"
    path.write_text(BOMB)
    touched = {"composed": 0, "built": 0}
    compose, build = documents._Reader.compose_node, documents._Unfolded._of

    def composing(self: documents._Reader, parent: yaml.Node | None, index: object) -> yaml.Node:
        touched["composed"] += 1
        node = compose(self, parent, index)
        assert node is not None
        return node

    def building(self: documents._Unfolded, node: yaml.Node) -> documents._Built:
        touched["built"] += 1
        return build(self, node)

    monkeypatch.setattr(documents._Reader, "compose_node", composing)
    monkeypatch.setattr(documents._Unfolded, "_of", building)
    with pytest.raises(error):
        read(path)
    assert touched["composed"] == WRITTEN
    assert 0 < touched["built"] <= WRITTEN
    tracemalloc.start()
    try:
        with pytest.raises(error):
            read(path)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # A node with its marks is 0.6 kB, and its token and event as much again: 2 kB with room. The
    # parser's buffers, and the error with its traceback, are some 50 kB: 256 kB with room. Unfolded
    # to the 200,000 nodes that are allowed, it would be 1.6 MB of references alone.
    assert peak < WRITTEN * 2000 + 256_000 < 8 * MOST_NODES


def test_anchors_that_unfold_to_little_are_read_and_shared() -> None:
    found = parse("a: &a [no, yes]\nb: *a\nc: *a")
    assert found.value == {"a": ["no", "yes"], "b": ["no", "yes"], "c": ["no", "yes"]}
    assert found.value["a"] is found.value["c"]
    assert not found.problems


def test_scalars_stay_the_text_they_were_written_as() -> None:
    text = "no: [yes, 0.70, 1e3, ~, null, 2020-01-01, 0x10, '', !!int 5]\nempty:"
    words = ["yes", "0.70", "1e3", "~", "null", "2020-01-01", "0x10", "", "5"]
    assert parse(text).value == {"no": words, "empty": ""}


def test_keys_and_items_know_their_lines() -> None:
    found = parse("# comment\na:\n  - x\n  -\n    - y\nb: {c: 1,\n  d: 2}")
    assert found.first_line == 2
    assert found.lines[id(found.value)] == {"a": 2, "b": 6}
    assert found.lines[id(found.value["a"])] == {0: 3, 1: 5}
    assert found.lines[id(found.value["b"])] == {"c": 6, "d": 7}


def test_every_problem_is_found_with_its_line() -> None:
    found = parse("a: 1\n[b]: 2\na: 3\nc: x!y", unfit="!".__eq__)
    assert [(problem.line, problem.message) for problem in found.problems] == [
        (2, "A name must be a word."),
        (3, "'a' stands twice, first in line 1."),
        (4, "The text holds the character '!', which cannot be shown."),
    ]
    assert found.value == {"a": "1", "c": "x!y"}


@pytest.mark.parametrize("text", ["a: [", "a: b: c", "'", "\x07", "a: 1\n---\nb: 2", "a: *b"])
def test_what_is_no_yaml_is_one_problem(text: str) -> None:
    found = parse(text)
    assert found.value is None
    assert len(found.problems) == 1
    assert "is not valid YAML" in found.problems[0].message


def test_an_empty_file_has_no_value_and_no_problem() -> None:
    assert parse("# nothing\n").value is None
    assert not parse("").problems


def test_there_is_a_limit_to_nodes_and_levels() -> None:
    def nested(levels: int) -> str:
        return "[" * levels + "]" * levels

    assert not parse(nested(MOST_LEVELS)).problems
    assert "no end" in parse(nested(MOST_LEVELS + 1)).problems[0].message


def test_more_nodes_than_allowed_are_not_read_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "MOST_NODES", 100)
    assert len(parse(f"[{', '.join(['x'] * 99)}]").value) == 99  # and the list itself
    found = parse(f"[{', '.join(['x'] * 100)}]")
    assert found.value is None
    assert found.problems[0].message == "This has more than 100 words."


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "large.yaml"
    path.write_bytes(b" " * MOST_FILE_BYTES)
    assert len(read_text(path)) == MOST_FILE_BYTES
    path.write_bytes(b" " * (MOST_FILE_BYTES + 1))
    with pytest.raises(DataError, match="is larger than 4 MiB"):
        read_text(path)


def test_line_breaks_of_other_systems_are_line_breaks(tmp_path: Path) -> None:
    path = tmp_path / "windows.yaml"
    path.write_bytes(b"a: |\r\n  x\r\n  y\r\nb: z\r")
    assert read_text(path) == "a: |\n  x\n  y\nb: z\n"


def test_what_is_written_is_read_back_as_it_was() -> None:
    document = {"no": ["yes", "0.7", "", " x ", "a\u2028b", "a: b", "#", "\r\n"], "list": []}
    assert parse(to_yaml(document)).value == document
    assert yaml.safe_load(to_yaml(document)) == document


def test_a_text_without_end_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "long.yaml"
    path.write_text(f"a: {'x' * MOST_LETTERS}")
    assert read_yaml(path) == {"a": "x" * MOST_LETTERS}
    path.write_text(f"a: {'x' * (MOST_LETTERS + 1)}")
    with pytest.raises(DesignError, match="has a text of more than 100,000 letters"):
        read_yaml(path)


def test_a_text_that_is_named_often_counts_each_time() -> None:
    """A file of 266 KB made a survey of 892 million letters so, in 1.8 GB of memory."""
    fits = MOST_LETTERS_IN_ALL // MOST_LETTERS

    def named(times: int) -> str:
        return f"- &a {'x' * MOST_LETTERS}\n" + "- *a\n" * (times - 1)

    assert len(parse(named(fits)).value) == fits
    found = parse(named(fits + 1))
    assert found.value is None
    assert "more than 4,194,304 letters" in found.problems[0].message


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="a system without it")
def test_a_file_that_says_it_is_empty_and_never_ends_is_refused() -> None:
    with pytest.raises(DataError, match="/dev/zero is larger than 4 MiB"):
        read_text("/dev/zero")


@pytest.mark.parametrize(
    "text",
    ['{"a": 1, "a": 2}', "NaN", "[Infinity]", "1e999", "-1e999", "[" * 100_000, "9" * 10_000, ""],
)
def test_json_that_readers_could_take_for_different_things_is_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 (whoever asks says it in words)
        strict_json(text)


def test_json_is_read_as_it_is() -> None:
    document = {"a": [1, 2.5, None, True, "é"], "b": {"a": {}}}
    assert strict_json(json.dumps(document)) == strict_json(json.dumps(document).encode())
    assert strict_json(json.dumps(document)) == document
