"""Whatever stands in the file: findings, never a crash."""

import copy
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from deniable.base.errors import SurveyError
from deniable.survey.questionnaire import EXAMPLE, check, load
from deniable.survey.questionnaire.survey_story import outlooks, story
from survey.questionnaire.surveys import SURVEY, written

pytestmark = pytest.mark.slow

TREES = [yaml.compose(text, Loader=yaml.BaseLoader) for text in (EXAMPLE, SURVEY)]

WORDS = re.findall(
    r"\S+",
    "no yes maybe 0 1 1/2 0.7 -1 1e999 1/0 nan ~ ? ä x_1 page own en de unknown joint probability "
    "related unrelated keep-or-uniform forced mangat kuk crosswise triangular matrix truthful "
    "text help several options personal known shares source attributes channel theta red",
)

STR, SEQ, MAP = (f"tag:yaml.org,2002:{kind}" for kind in ("str", "seq", "map"))

SCALARS = (
    st.sampled_from(["", "x y", "\ud800", "\x07", "a" * 300, *WORDS]) | st.text(max_size=5)
).map(lambda word: yaml.ScalarNode(STR, word))

NODES: st.SearchStrategy[yaml.Node] = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda items: yaml.SequenceNode(SEQ, items))
        | st.lists(st.tuples(SCALARS, inner), max_size=3).map(
            lambda pairs: yaml.MappingNode(MAP, pairs)
        )
    ),
    max_leaves=5,
)


def slots(node: yaml.Node) -> list[tuple[list[Any], int]]:
    """Every place of a tree that holds something: a list, and an index in it."""
    if isinstance(node, yaml.ScalarNode):
        return []
    own = [(node.value, index) for index in range(len(node.value))]
    inner = [each[1] if isinstance(each, tuple) else each for each in node.value]
    return own + [slot for child in inner for slot in slots(child)]


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A survey of which some places were dropped, repeated, renamed, replaced or exchanged."""
    tree = copy.deepcopy(draw(st.sampled_from(TREES)))
    for _ in range(draw(st.integers(1, 3))):
        places = slots(tree)
        if not places:
            break
        siblings, index = draw(st.sampled_from(places))
        others, other = draw(st.sampled_from(places))
        held = siblings[index]
        what = draw(st.sampled_from(["drop", "repeat", "rename", "replace", "graft"]))
        if what == "drop":
            del siblings[index]
        elif what == "repeat":
            siblings.append(held)
        elif what == "rename" and isinstance(held, tuple):
            siblings[index] = (draw(SCALARS), held[1])
        else:
            new = draw(NODES)
            if what == "graft":
                found = others[other]
                new = copy.deepcopy(found[1] if isinstance(found, tuple) else found)
            siblings[index] = (held[0], new) if isinstance(held, tuple) else new
    return str(yaml.serialize(tree, allow_unicode=True))


def check_both_ways(path: Path, text: str) -> None:
    """A file has mistakes, in lines that it has, or it can be loaded and told."""
    findings = check(written(path, text))
    lines = text.count("\n") + 1
    assert all(1 <= finding.line <= lines for finding in findings)
    assert all(str(finding).encode() for finding in findings)
    if any(finding.kind == "mistake" for finding in findings):
        with pytest.raises(SurveyError):
            load(path / "survey.yaml")
        return
    survey = load(path / "survey.yaml")
    assert len(survey.fingerprint) == 64
    assert survey.asked.isascii()
    assert "\n".join(story(survey)).encode()
    assert all(outlook.margin >= 0 for outlook in outlooks(survey))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("mutated")


@given(text=mutated())
@settings(max_examples=150)
def test_a_mutated_survey_has_findings_or_is_one(folder: Path, text: str) -> None:
    check_both_ways(folder, text)


@given(data=st.data())
@settings(max_examples=150)
def test_a_file_with_torn_lines_has_findings_or_is_a_survey(
    folder: Path, data: st.DataObject
) -> None:
    lines = data.draw(st.sampled_from([EXAMPLE, SURVEY])).splitlines()
    place = data.draw(st.integers(0, len(lines) - 1))
    column = data.draw(st.integers(0, len(lines[place])))
    torn = data.draw(
        st.sampled_from(
            ["", " ", "\t", ":", ": ", "[", "}", "'", "&a ", "*a", "? ", "- ", "#", "|"]
        )
    )
    lines[place] = (
        lines[place][:column] + torn + data.draw(st.sampled_from([lines[place][column:], ""]))
    )
    check_both_ways(folder, "\n".join(lines))
