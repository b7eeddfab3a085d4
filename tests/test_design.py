from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import yaml

from deniable import RandomizedOracle
from deniable.base.errors import DataError, DeniableError, DesignError
from deniable.channel import Related, kinds
from deniable.design import Design

TWO = {"a": ["no", "yes"], "b": ["no", "yes"], "c": ["x", "y", "z"]}

EVERY_CHANNEL: dict[str, dict[str, Any]] = {
    "truthful": {},
    "related": {"theta": "4/5"},
    "unrelated": {"theta": "0.7", "personal": {"a": {"no": "1/3", "yes": "2/3"}}},
    "keep-or-uniform": {"theta": "0.25"},
    "forced": {"forced": {"no": "1/12", "yes": "1/6"}},
    "mangat": {"theta": "0.7", "sensitive": "no"},
    "kuk": {"red": {"no": "0.2", "yes": "0.8"}},
    "crosswise": {"theta": "1/6"},
    "triangular": {"theta": "0.4"},
    "matrix": {"matrix": {"no": {"no": "0.9", "yes": "0.1"}, "yes": {"no": "0.2", "yes": "0.8"}}},
}


def of(*groups: dict[str, Any]) -> Design:
    return Design.of({"attributes": TWO, "groups": list(groups)})


def test_the_example_of_the_format_is_read_exactly(design: Design) -> None:
    related, unrelated = design.groups
    assert related.names == ("smokes", "drinks")
    assert isinstance(related.channel, Related)
    assert related.channel.theta == Fraction(4, 5)
    assert unrelated.channel.options(unrelated.attributes)["theta"] == "0.7"
    assert design.public == ("region",)


def test_an_unquoted_no_or_yes_stays_a_word(design: Design) -> None:
    assert design.schema["smokes"].values == ("no", "yes") == design.schema["drinks"].values


def test_a_boolean_from_another_yaml_reader_is_refused_with_a_hint() -> None:
    with pytest.raises(DesignError, match='Put it in quotes: "no", "yes"'):
        Design.of({"attributes": {"a": [False, True]}})


@pytest.mark.parametrize("kind", kinds())
def test_every_channel_can_be_written_and_read_back(kind: str, tmp_path: Path) -> None:
    design = of({"attributes": ["a"], "channel": kind, **EVERY_CHANNEL[kind]})
    design.save(tmp_path / "design.yaml")
    again = Design.load(tmp_path / "design.yaml")
    assert again == design
    assert again.fingerprint == design.fingerprint
    assert design.story().startswith("a: ")


def test_what_is_written_is_text_to_other_yaml_readers(design: Design, tmp_path: Path) -> None:
    design.save(tmp_path / "design.yaml")
    plain = yaml.safe_load((tmp_path / "design.yaml").read_text())
    assert plain["attributes"]["smokes"] == ["no", "yes"]


def test_a_joint_personal_table_is_written_and_read_back() -> None:
    cells = [
        {"a": "no", "b": "no", "probability": "1/2"},
        {"a": "yes", "b": "yes", "probability": "0.5"},
    ]
    design = of(
        {"attributes": ["a", "b"], "channel": "unrelated", "theta": "1/2",
         "personal": {"joint": cells}}
    )  # fmt: skip
    assert Design.of(design.document()) == design


def test_the_fingerprint_sees_what_matters_and_nothing_else() -> None:
    one = of(
        {"attributes": ["a"], "channel": "related", "theta": "0.8"},
        {"attributes": ["b"], "channel": "related", "theta": "0.9"},
    )
    same = of(
        {"attributes": ["b"], "channel": "related", "theta": "9/10"},
        {"attributes": ["a"], "channel": "related", "theta": "80%"},
    )
    other = of(
        {"attributes": ["a"], "channel": "related", "theta": "0.8"},
        {"attributes": ["b"], "channel": "related", "theta": "0.91"},
    )
    together = of({"attributes": ["a", "b"], "channel": "related", "theta": "0.8"})
    assert one.fingerprint == same.fingerprint
    assert len({one.fingerprint, other.fingerprint, together.fingerprint}) == 3


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"attributes": ["a"], "channel": "related", "theta": "1/2"}, "fair coin.*unrelated"),
    ({"attributes": ["a"], "channel": "related", "theta": "0.50"}, "fair coin"),
    ({"attributes": ["c"], "channel": "related", "theta": "1/3"}, "differ from 1/3"),
    ({"attributes": ["c"], "channel": "related", "theta": "0.33333333333"}, "differ from 1/3"),
    ({"attributes": ["a", "c"], "channel": "related", "theta": "1/3"}, "cannot be undone"),
    ({"attributes": ["a"], "channel": "related", "theta": "1.2"}, "between 0 and 1"),
    ({"attributes": ["a"], "channel": "related", "theta": "much"}, "not a number"),
    ({"attributes": ["a"], "channel": "related", "theta": "1e-99999999"}, "out of reach"),
    ({"attributes": ["a"], "channel": "related", "theta": "0.5000000001"}, "so close to 1/2"),
    ({"attributes": ["a"], "channel": "keep-or-uniform", "theta": "1e-400"}, "so small"),
    ({"attributes": ["a"], "channel": "mangat", "theta": "1e-320"}, "so small"),
    ({"attributes": ["a"], "channel": "kuk", "red": {"no": "0", "yes": "1e-99"}}, "singular"),
    ({"attributes": ["a"], "channel": ["related"]}, "no channel \\['related'\\]"),
    ({"attributes": ["a"], "channel": "related"}, "'theta' is missing"),
    ({"attributes": ["a"], "channel": "related", "teta": "0.8"}, "no option 'teta'.*'theta'"),
    ({"attributes": ["a"], "channel": "relatd", "theta": "0.8"}, "'relatd'.*mean 'related'"),
    ({"attributes": ["a"], "theta": "0.8"}, "no channel is given"),
    ({"attributes": ["x"], "channel": "truthful"}, "no attribute 'x'.*Known: 'a'"),
    ({"attributes": [], "channel": "truthful"}, "lists no attributes"),
    ({"attributes": ["a", "a"], "channel": "truthful"}, "names 'a' twice"),
    ({"attributes": ["a"], "channel": "unrelated", "theta": "0"}, "distribution"),
    (
        {"attributes": ["a"], "channel": "unrelated", "theta": "0", "personal": "unknown"},
        "theta = 0 never",
    ),
    (
        {"attributes": ["a"], "channel": "unrelated", "theta": "0.7",
         "personal": {"a": {"no": "0.5", "yes": "0.4"}}},
        "sum to 0.9, not 1",
    ),
    (
        {"attributes": ["a"], "channel": "unrelated", "theta": "0.7",
         "personal": {"a": {"no": "0.5", "yse": "0.5"}}},
        "'yse'.*mean 'yes'",
    ),
    (
        {"attributes": ["a"], "channel": "unrelated", "theta": "0.7",
         "personal": {"a": {"no": "1"}}},
        "no probability for 'yes'",
    ),
    (
        {"attributes": ["a"], "channel": "unrelated", "theta": "0.7",
         "personal": {"joint": [{"a": "no", "probability": "0.5"}]}},
        "sum to 0.5",
    ),
    ({"attributes": ["c"], "channel": "crosswise", "theta": "0.2"}, "yes/no attributes.*3 values"),
    ({"attributes": ["a", "b"], "channel": "forced", "forced": {}}, "one attribute.*has 2"),
    ({"attributes": ["a"], "channel": "crosswise", "theta": "1/2"}, "singular"),
    ({"attributes": ["a"], "channel": "mangat", "theta": "0"}, "singular"),
    ({"attributes": ["a"], "channel": "triangular", "theta": "1"}, "singular"),
    ({"attributes": ["a"], "channel": "kuk", "red": {"no": "0.3", "yes": "0.3"}}, "singular"),
    ({"attributes": ["a"], "channel": "forced", "forced": {"no": "0.5", "yes": "0.5"}}, "singular"),
    ({"attributes": ["a"], "channel": "forced", "forced": {"no": "0.9", "yes": "0.9"}}, "sum to 1"),
    (
        {"attributes": ["a"], "channel": "forced", "theta": "0.5", "forced": {"no": "0.1"}},
        "leaves 9/10 for the truth, not 0.5",
    ),
    ({"attributes": ["a"], "channel": "matrix", "matrix": {"no": {}}}, "for each of 'no', 'yes'"),
    (
        {"attributes": ["c"], "channel": "matrix", "matrix": {
            "x": {"x": "1", "y": "0", "z": "0"},
            "y": {"x": "0", "y": "1", "z": "0"},
            "z": {"x": "1/2", "y": "1/2", "z": "0"}}},
        "singular",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("group", "complaint"), REFUSED)
def test_what_cannot_be_undone_or_read_is_refused_with_a_hint(
    group: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(DesignError, match=complaint) as error:
        of(group)
    assert error.value.message.startswith("Group 1: ")
    assert error.value.hint


def test_an_attribute_in_two_groups_is_refused() -> None:
    group = {"attributes": ["a"], "channel": "related", "theta": "0.8"}
    with pytest.raises(DesignError, match="'a' is in group 1 and in group 2"):
        of(group, group)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "This must be a mapping.*'attributes:'"),
        ("attributes: {a: [no, yes]}\ngroup: []", "no entry 'group' here.*'groups'"),
        ("attributes: {a: yes}", "attributes.a: This must be a list.*a: "),
        ("attributes: {a: [[no], yes]}", "attributes.a.1: A value must be text"),
        ("groups: []", "'attributes' is missing"),
        ("attributes:\n  a: [0, 1]\n  a: [0, 1]", "'a' stands twice, the second time in line 3"),
        ("attributes: {a: [0, 1]", "line 1 is not valid YAML"),
        ("? [a]\n: b", "is not valid YAML"),
        ("[" * 3000, "nested too deeply|not valid YAML"),
        ("attributes: {a: [0, 1]}\ngroups: a", "groups: This must be a list"),
        ("attributes: {a: [0, 1]}\ngroups: [a]", "a group must be a mapping"),
    ],
)
def test_a_file_that_is_no_design_is_refused(text: str, complaint: str, tmp_path: Path) -> None:
    path = tmp_path / "design.yaml"
    path.write_text(text)
    with pytest.raises(DeniableError, match=complaint):
        Design.load(path)


def test_a_design_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"nothing\.yaml does not exist"):
        Design.load(tmp_path / "nothing.yaml")
    with pytest.raises(DataError, match="is a directory"):
        Design.load(tmp_path)


def test_many_attributes_of_many_sizes_are_checked_in_no_time() -> None:
    sizes = range(4, 70, 3)
    domains = {f"a{size}": [str(value) for value in range(size)] for size in sizes}
    group = {"attributes": list(domains), "channel": "related", "theta": "1/4"}  # Π (k−1) = 3
    with pytest.raises(DesignError, match="cannot be undone"):
        Design.of({"attributes": domains, "groups": [group]})
    kept = Design.of({"attributes": domains, "groups": [{**group, "theta": "4/5"}]})
    assert len(kept.groups) == 1


def test_a_joint_personal_table_over_many_attributes_needs_no_dense_table() -> None:
    names = [f"a{place}" for place in range(30)]
    rows = [
        {**dict.fromkeys(names, "no"), "probability": "0.5"},
        {**dict.fromkeys(names, "yes"), "probability": "0.5"},
    ]
    group = {
        "attributes": names,
        "channel": "unrelated",
        "theta": "0.5",
        "personal": {"joint": rows},
    }
    domains = {name: ["no", "yes"] for name in names}
    design = Design.of({"attributes": domains, "groups": [group]})
    reports = {name: ["no", "yes", "yes", "yes"] for name in names}
    found = RandomizedOracle(reports, design).count(["a0=yes & a29=yes"])
    assert found.value.tolist() == [4.0]  # (3 − 4·0.25) / 0.5


def test_a_matrix_over_thousands_of_values_is_refused_with_another_way() -> None:
    values = [str(value) for value in range(10_000)]
    group = {"attributes": ["a"], "channel": "forced", "forced": {"0": "0.1"}}
    with pytest.raises(DesignError, match="forced response by another name"):
        Design.of({"attributes": {"a": values}, "groups": [group]})
    kept = {"attributes": ["a"], "channel": "keep-or-uniform", "theta": "0.5"}
    assert Design.of({"attributes": {"a": values}, "groups": [kept]}).schema.sizes == (10_000,)
