"""Pieces of a document: one mistake raised, or all of them noted."""

import pytest

from deniable.base.documents import parse
from deniable.base.entries import Entry
from deniable.base.errors import CollabError, DesignError
from deniable.base.findings import Finding, Findings

TEXT = """\
names: [a, b, a, x]
size: 0
share: nine
on: perhaps
empty: []
odd: {}
"""


def root(findings: Findings) -> Entry:
    found = parse(TEXT)
    return Entry(found.value, findings, line=found.first_line, lines=found.lines)


def test_mistakes_are_noted_with_their_place_and_line_and_reading_goes_on() -> None:
    findings = Findings()
    found = root(findings).entries("", ("names", "size", "share", "on", "empty", "odd"), ("more",))
    assert found["names"].chosen(["a", "b"], "name") == ("a", "b", "a", "x")
    assert (found["size"].whole(1), found["share"].whole(1, 5), found["on"].switch()) == (
        0,
        1,
        False,
    )
    assert found["empty"].items("") == [] == found["empty"].items("", least=0)
    assert found["odd"].entries("") == {}
    assert [(each.line, each.message) for each in findings.in_order()] == [
        (1, "'more' is missing."),
        (1, "names.3: 'a' stands twice."),
        (1, "names.4: There is no name 'x'."),
        (2, "size: 0 is too small."),
        (3, "share: 'nine' is not a whole number."),
        (4, "on: 'perhaps' is neither yes nor no."),
        (5, "empty: The list is empty."),
        (6, "odd: There is nothing in it."),
    ]


def test_where_one_mistake_is_enough_it_is_raised() -> None:
    with pytest.raises(CollabError, match=r"^names\.3: 'a' stands twice\. Name it once\.$"):
        root(Findings(CollabError)).entries("")["names"].chosen(["a", "b", "x"], "name")
    with pytest.raises(CollabError, match=r"^There is no entry 'size' here\. Did you mean 'sizes'"):
        root(Findings(CollabError)).entries("", ("names", "sizes"))


def test_what_others_refuse_gets_its_place() -> None:
    findings = Findings()
    with root(findings).entries("")["size"].judged():
        raise DesignError("It is nothing.", hint="Give more.")
    assert list(findings) == [Finding(2, "mistake", "size: It is nothing.", "Give more.")]


def test_an_unknown_entry_is_noted_in_its_own_line() -> None:
    findings = Findings()
    root(findings).entries("", ("names", "size", "share", "on", "odd"))
    assert [(each.line, each.message) for each in findings] == [
        (5, "There is no entry 'empty' here.")
    ]


def test_a_document_of_pythons_own_has_no_lines() -> None:
    with pytest.raises(CollabError, match=r"^a\.1: This must be text\.") as caught:
        Entry({"a": [["b"]]}, Findings(CollabError)).entries("")["a"].items("")[0].text()
    assert caught.value.__cause__ is None
