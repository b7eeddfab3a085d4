"""Trees as text, for Graphviz, and as pictures."""

import re
from dataclasses import replace
from itertools import combinations
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from deniable.base.errors import ModelError
from deniable.design import Design
from deniable.engine.memory.records import Records
from deniable.mine.draw.drawn_nodes import NodeWords, down_to, most_populous
from deniable.mine.draw.tree_drawing import MOST_ENDS, MOST_LEAVES, dot, svg, text
from deniable.mine.tree.decision_tree import DecisionTree
from deniable.mine.tree.mine_tree import mine_tree
from deniable.oracle.exact import ExactOracle
from deniable.oracle.frontier.frontier import CLOSED
from deniable.oracle.randomized import RandomizedOracle
from deniable.schema import Schema
from deniable.source.disguise import disguise_records
from deniable.source.randomness import SeededBits

SVG = "{http://www.w3.org/2000/svg}"

SMALL = DecisionTree(
    Schema.of({"age": ["<=37", ">37"], "job": ["none", "R&D", "other"], "pay": ["low", "high"]}),
    "pay",
    axis=np.array([0, CLOSED, 1, CLOSED, CLOSED, CLOSED]),
    first=np.array([1, CLOSED, 3, CLOSED, CLOSED, CLOSED]),
    parent=np.array([CLOSED, 0, 0, 2, 2, 2]),
    counts=np.array([[600.0, 400], [500, 100], [100, 300], [82.4, -3.2], [0.6, 298.2], [17, 5]]),
    errors=np.array([[15.5, 15.5], [20, 12], [11, 17], [10.6, 1.5], [1.2, 30], [5, 4]]),
    shares=np.array([[0.6, 0.4], [0.83, 0.17], [0.25, 0.75], [1, 0], [0.01, 0.99], [0.7, 0.3]]),
    n=1000,
)

TEXT = """\
pay
├─ age <=37 → low 83 % (500 ± 20 of 600 ± 21)
└─ age >37
   ├─ job = none → low 100 % (82 ± 11 of 79 ± 11)
   ├─ job = R&D → high 99 % (298 ± 30 of 299 ± 30)
   └─ job = other → low 70 % (17 ± 5 of 22 ± 6)
1,000 records, 4 leaves."""


def mined(schema: Schema, n: int = 2000, seed: int = 1) -> DecisionTree:
    """A tree that asks everything: the class is the sum of all codes."""
    rng = np.random.default_rng(seed)
    codes = np.stack([rng.integers(size, size=n) for size in schema.sizes[:-1]], axis=1)
    label = codes.sum(axis=1) % schema.sizes[-1]
    records = Records.from_codes(np.column_stack([codes, label]), schema)
    return mine_tree(ExactOracle(records, schema), schema.names[-1], growth="faithful")


WILD = mined(
    Schema.of(
        {
            'a < b & "c"': ["<x>", 'say "q"', "back\\slash"],
            "line\nbreak\x00": ["tab\there", ""],
            "名" * 40: ["v" * 60, "é"],
            "class": [f"<c{k}>" for k in range(10)],
        }
    )
)

DEEP = mined(Schema.of({f"a{k}": ["0", "1"] for k in range(8)} | {"y": ["0", "1"]}))
"""A parity: 256 leaves."""


def drawn(picture: str) -> ET.Element:
    return ET.fromstring(picture)  # noqa: S314 (our own)


def spoken(root: ET.Element) -> list[str]:
    return [element.text or "" for element in root.iter(f"{SVG}text")]


def test_a_tree_is_written_a_line_per_node() -> None:
    assert text(SMALL) == TEXT


def test_a_question_not_drawn_is_an_answer_with_leaves_below() -> None:
    assert text(SMALL, max_depth=1) == (
        "pay\n"
        "├─ age <=37 → low 83 % (500 ± 20 of 600 ± 21)\n"
        "└─ age >37 → high 75 % (300 ± 17 of 400 ± 19) … 3 leaves below\n"
        "1,000 records, 4 leaves, 3 of them not shown."
    )
    assert text(SMALL, max_depth=0) == (
        "pay → low 60 % (600 ± 16 of 1,000) … 4 leaves below\n"
        "1,000 records, 4 leaves, 4 of them not shown."
    )
    assert text(SMALL, max_depth=9) == text(SMALL)


def test_a_single_leaf_says_why() -> None:
    schema = Schema.of({"a": ["0", "1"], "y": ["0", "1"]})
    same = {"a": ["0", "1"] * 20, "y": ["1"] * 40}
    tree = mine_tree(ExactOracle(same, schema), "y")
    assert text(tree).splitlines() == [
        "y → 1 100 % (40 of 40)",
        "40 records, 1 leaf. One leaf: a single class is estimated to occur.",
    ]
    assert "1 leaf. One leaf: a single class" in dot(tree)
    assert any("1 leaf. One leaf: a single class" in words for words in spoken(drawn(svg(tree))))


def test_a_depth_below_nought_is_refused() -> None:
    for draw in (text, dot, svg):
        with pytest.raises(ModelError, match="-1"):
            draw(SMALL, -1)


def ends(tree: DecisionTree, **limits: int) -> list[str]:
    """Lines of a text from which no branch hangs."""
    lines = text(tree, **limits).splitlines()[1:-1]
    return [line for line in lines if "→" in line or "more values" in line]


@pytest.mark.parametrize("most", [1, 2, 3, 7, 20, 255, 256])
def test_a_text_has_so_many_ends_and_says_how_many_leaves_are_not_in_it(most: int) -> None:
    for tree in (DEEP, WILD):
        found = ends(tree, max_leaves=most)
        # A root that is not split is told beside the target's name.
        assert len(found) == (min(most, len(tree.leaves)) if most > 1 else 0)
        # A leaf's line ends with its counts.
        leaves = sum(line.endswith((")", "tell")) for line in found)
        left = len(tree.leaves) - leaves
        summary = text(tree, max_leaves=most).splitlines()[-1]
        assert (f"{left:,} of them not shown" in summary) == (left > 0)


def test_of_a_large_tree_the_leaves_that_most_people_reach_are_shown_most_people_first() -> None:
    schema = Schema.of({"a": [str(v) for v in range(60)], "y": ["0", "1"]})
    sizes = np.random.default_rng(5).permutation(np.arange(60) * 3 + 5)
    codes = np.repeat(np.arange(60), sizes)
    records = Records.from_codes(np.column_stack([codes, codes % 2]), schema)
    lines = text(mine_tree(ExactOracle(records, schema), "y", growth="faithful")).splitlines()
    largest = np.argsort(-sizes)[: MOST_LEAVES - 1]
    assert [line.split()[3] for line in lines[1:MOST_LEAVES]] == [str(v) for v in largest]
    assert lines[MOST_LEAVES] == f"└─ {61 - MOST_LEAVES} more values … {61 - MOST_LEAVES} leaves"
    assert lines[-1].endswith(f"60 leaves, {61 - MOST_LEAVES} of them not shown.")


FEW = replace(
    SMALL,
    counts=np.array(
        [[600.0, 400], [510, 92.0], [90, 308], [82.4, -3.2], [-35, 318.2], [42.6, -7.0]]
    ),
    errors=np.array([[15.5, 15.5], [20, 12], [11, 17], [10.6, 1.5], [33, 30], [45, 12]]),
)
"""In one leaf there are 36 ± 47 people."""


def test_where_too_few_people_are_to_tell_words_say_so() -> None:
    assert text(FEW).splitlines()[3:] == [
        "   ├─ job = none → low 100 % (82 ± 11 of 79 ± 11)",
        "   ├─ job = R&D → high 99 % (318 ± 30 of 283 ± 45)",
        "   └─ job = other → low? Too few people to tell",
        "1,000 records, 4 leaves.",
    ]
    assert (
        r'n5 [label="low?\ntoo few people to tell", tooltip="low: 43 ± 45, high: −7 ± 12"'
        in dot(FEW)
    )
    root = drawn(svg(FEW))
    assert "too few people to tell" in spoken(root)
    bars = [len(group.findall(f"{SVG}rect")) - 1 for group in root.iter(f"{SVG}g")]
    assert sorted(bars) == [0, 1, 2, 2, 2, 2], "nothing is predicted by a bar there"
    assert FEW.body()["counts"][5] == [42.6, -7.0]


def test_values_with_too_few_people_share_a_line() -> None:
    counts, errors = FEW.counts.copy(), FEW.errors.copy()
    counts[3], errors[3] = [-1.5, -0.2], [4, 2]
    tree = replace(FEW, counts=counts, errors=errors)
    assert text(tree).splitlines()[3:] == [
        "   ├─ job = R&D → high 99 % (318 ± 30 of 283 ± 45)",
        "   └─ 2 more values … too few people to tell",
        "1,000 records, 4 leaves, 2 of them not shown.",
    ]


@pytest.mark.parametrize("own", [False, True], ids=["public class", "disguised class"])
def test_node_totals_have_errors_that_are_exact_or_on_the_safe_side(own: bool) -> None:
    names = [f"a{k}" for k in range(4)]
    design = Design.of(
        {
            "attributes": {name: ["0", "1"] for name in [*names, "y"]},
            "groups": [
                {"attributes": group, "channel": "related", "theta": "0.8"}
                for group in [names[:2], names[2:], ["y"]][: 2 + own]
            ],
        }
    )
    rng = np.random.default_rng(2)
    x = rng.integers(2, size=(3000, 4))
    y = (x[:, 0] & x[:, 2]) ^ (rng.random(3000) < 0.2)
    records = Records.from_codes(np.column_stack([x, y]), design.schema)
    reports = disguise_records(records, None, design, SeededBits(3))
    oracle = RandomizedOracle(reports, design)
    tree = mine_tree(oracle, "y", growth="faithful")
    words = NodeWords(tree, down_to(tree, None))
    found = oracle.count(tree.paths(), of="population")
    np.testing.assert_allclose(words.total, found.value, atol=1e-7)
    if own:
        assert (words._error >= found.std_error - 1e-7).all()
    else:
        np.testing.assert_allclose(words._error, found.std_error, atol=1e-6)


# --- Graphviz ---------------------------------------------------------------------------------

QUOTED = r'"(?:[^"\\]|\\.)*"'
STATEMENT = re.compile(
    rf"  (?:label={QUOTED};|rankdir=LR; node \[.*\];|edge \[.*\];"
    rf"|n\d+ \[label={QUOTED}, tooltip={QUOTED}, color={QUOTED}\];"
    rf"|n\d+ -> n\d+ \[label={QUOTED}\];)"
)


@pytest.mark.parametrize("tree", [SMALL, WILD, DEEP], ids=["small", "wild", "deep"])
def test_graphviz_gets_every_node_and_branch_in_quotes(tree: DecisionTree) -> None:
    first, *statements, last = dot(tree).splitlines()
    assert (first, last) == ("digraph tree {", "}")
    assert all(STATEMENT.fullmatch(line) for line in statements)
    nodes = [line for line in statements if re.match(r"  n\d+ \[", line)]
    branches = [line for line in statements if "->" in line]
    assert len(nodes) == len(tree.axis)
    assert len(branches) == len(tree.axis) - 1


def test_graphviz_reads_quotes_and_backslashes_as_they_are() -> None:
    said = dot(WILD)
    assert r'label="a < b & \"c\"?\n2,000"' in said
    assert r'label="say \"q\""' in said
    assert r'label="back\\slash"' in said
    leaf = r'n1 [label="low\n83 % of 600 ± 21", tooltip="low: 500 ± 20, high: 100 ± 12"'
    assert leaf in dot(SMALL)
    assert "3 of them not shown" in dot(SMALL, max_depth=1)


# --- Pictures ---------------------------------------------------------------------------------

TREES = pytest.mark.parametrize("tree", [SMALL, WILD, DEEP], ids=["small", "wild", "deep"])


def frames(root: ET.Element) -> list[tuple[float, float, float, float]]:
    """Left, top, right and bottom of every node."""
    found = []
    for group in root.iter(f"{SVG}g"):
        rect = group.find(f"{SVG}rect")
        assert rect is not None
        x, y, width, height = (float(rect.attrib[k]) for k in ("x", "y", "width", "height"))
        found.append((x, y, x + width, y + height))
    return found


@TREES
def test_a_picture_stands_by_itself_and_can_be_read_aloud(tree: DecisionTree) -> None:
    picture = svg(tree)
    root = drawn(picture)
    assert root.attrib["role"] == "img"
    assert [child.tag for child in root][:2] == [f"{SVG}title", f"{SVG}desc"]
    assert tree.target in (root[0].text or "")
    assert f"{tree.n:,} records" in (root[1].text or "")
    assert "href" not in picture
    assert all(group.find(f"{SVG}title") is not None for group in root.iter(f"{SVG}g"))


@TREES
def test_no_two_nodes_meet_and_none_leaves_the_picture(tree: DecisionTree) -> None:
    root = drawn(svg(tree))
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    boxes = frames(root)
    for left, top, right, bottom in boxes:
        assert left >= 0
        assert top >= 0
        assert right <= width
        assert bottom <= height
    for one, other in combinations(boxes, 2):
        apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
        assert apart


@TREES
def test_words_fit_their_boxes(tree: DecisionTree) -> None:
    for group in drawn(svg(tree)).iter(f"{SVG}g"):
        rect = group.find(f"{SVG}rect")
        assert rect is not None
        inside = float(rect.attrib["width"]) - 20
        for words in group.iter(f"{SVG}text"):
            # A letter of Helvetica is on average about half as wide as it is high, bold a bit more.
            letters = sum(2 if ord(letter) > 0x2E80 else 1 for letter in words.text or "")
            assert letters * 0.5 * float(words.attrib["font-size"]) <= inside


def test_a_picture_shows_questions_answers_counts_and_values() -> None:
    said = spoken(drawn(svg(SMALL)))
    for words in ("age?", "job?", "<=37", "R&D", "low", "high", "83 % of 600 ± 21", "400 ± 19"):
        assert words in said
    assert "1,000" in said, "how many there are in all is known"


def test_bars_show_the_predicted_chances() -> None:
    root = drawn(svg(SMALL))
    for group, shares in zip(root.iter(f"{SVG}g"), (0.83, 1.0, 0.01, 0.7, 0.25, 0.6), strict=True):
        bars = [float(rect.attrib["width"]) for rect in group.findall(f"{SVG}rect")[1:]]
        # Widths are written to a tenth.
        assert bars[0] / sum(bars) == pytest.approx(shares, abs=0.1 / sum(bars) * 2)


def test_large_trees_are_drawn_where_most_records_are() -> None:
    schema = Schema.of({f"a{k}": [str(v) for v in range(6)] for k in range(3)} | {"y": ["0", "1"]})
    wide = mined(schema)
    shown = most_populous(wide, 5, MOST_ENDS)
    level = np.flatnonzero(wide.parent == 0)
    total = wide.counts.sum(axis=1)
    # Of six nodes below the root all are drawn (36 ends), and none of the 36 below them fits.
    assert shown[level].all()
    assert shown.sum() == 7
    fewer = most_populous(wide, 5, 20)
    assert set(np.flatnonzero(fewer[level])) == set(np.argsort(-total[level], kind="stable")[:2])
    assert len(frames(drawn(svg(wide)))) == 1 + 6 + 36


def test_large_trees_are_drawn_as_deep_as_can_be_read() -> None:
    said = spoken(drawn(svg(DEEP)))
    assert "2,000 records, 256 leaves, 256 of them not shown." in said
    assert sum("leaves below" in words for words in said) == 32 <= MOST_ENDS
    whole = svg(DEEP, max_depth=8)
    assert not any("below" in words for words in spoken(drawn(whole)))
    assert len(frames(drawn(whole))) == len(DEEP.axis)
    assert len(frames(drawn(svg(DEEP, max_depth=1)))) == 3


def test_one_question_is_drawn_whatever_its_values() -> None:
    wide = mined(Schema.of({"a": [str(v) for v in range(60)], "y": ["0", "1"]}))
    assert len(frames(drawn(svg(wide)))) == 61


def test_names_are_escaped_shortened_and_freed_of_what_xml_cannot_hold() -> None:
    picture = svg(WILD)
    said = spoken(drawn(picture))
    assert 'a < b & "c"?' in said
    assert "<c3>" in said
    assert "v" * 29 + "…" in said
    assert "\x00" not in picture
    assert "line break ?" in said
    assert "others" in said, "ten classes share eight colours"
    titles = [element.text or "" for element in drawn(picture).iter(f"{SVG}title")]
    assert any("v" * 60 in words for words in titles), "the whole name is in a tooltip"


def test_names_stay_on_their_line_of_text() -> None:
    assert len(text(WILD, max_leaves=None).splitlines()) == len(WILD.axis) + 1


def test_what_lies_below_hardly_anybody_is_counted_and_not_shown() -> None:
    # 25 people, and an error of 28: nobody can say what lies below.
    counts, errors = SMALL.counts.copy(), SMALL.errors.copy()
    counts[2], errors[2] = [10, 15], [20, 20]
    tree = replace(SMALL, counts=counts, errors=errors)
    assert text(tree).splitlines()[1:] == [
        TEXT.splitlines()[1],
        "└─ age >37 → high? Too few people to tell … 3 leaves below",
        "1,000 records, 4 leaves, 3 of them not shown.",
    ]
    assert "job" not in svg(tree)
    assert "job" in svg(tree, max_depth=9)
    assert len(text(tree, max_leaves=None).splitlines()) == len(TEXT.splitlines())
