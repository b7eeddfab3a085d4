import copy
import inspect
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from collab.party_folders import write_agreement
from deniable.base.errors import CollabError
from deniable.collab.agreement.agreement import AGREEMENT_OPTIONAL, AGREEMENT_REQUIRED, Agreement
from deniable.collab.agreement.members import OF_A_MEMBER
from deniable.collab.agreement.party_file import OF_A_PEER
from deniable.collab.agreement.party_file import PARTY_OPTIONAL as OF_A_PARTY
from deniable.collab.agreement.party_file import PARTY_REQUIRED as NEEDED_OF_A_PARTY
from deniable.collab.agreement.tasks import task_readers
from deniable.collab.policy import Policy
from deniable.mine.models.find_miner import find_miner

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "collaboration-file.md"

YES = ["no", "yes"]


def related(*names: str) -> dict[str, Any]:
    return {"attributes": list(names), "channel": "related", "theta": "0.8"}


HYBRID: dict[str, Any] = {
    "collaboration": "readmission",
    "mode": "hybrid",
    "parties": {
        "north": {"columns": {"smokes": YES, "readmitted": YES}, "disguise": [related("smokes")]},
        "south": {"columns": {"age": ["young", "old"]}, "disguise": [related("age")]},
    },
    "leader": "north",
    "mine": {"tree": {"target": "readmitted"}},
}
SITE = {"columns": {"smokes": YES, "ill": YES}, "disguise": [related("smokes", "ill")]}
POOL: dict[str, Any] = {
    "collaboration": "sites",
    "mode": "pool",
    "parties": {"north": SITE, "south": SITE, "west": SITE},
    "leader": "broker",
    "mine": {"bayes": {"target": "ill"}},
}
SHARED: dict[str, Any] = {
    **HYBRID,
    "mode": "collect",
    "parties": {
        "north": {"columns": {"a": YES, "ill": YES}, "disguise": [related("a", "ill")]},
        "south": {"columns": {"b": YES, "ill": YES}, "disguise": [related("b", "ill")]},
        "west": {"columns": {"c": YES}, "disguise": [related("c")]},
    },
    "leader": "south",
    "mine": {"tree": {"target": "ill"}},
}
"""North and south both know who is ill."""


def changed(document: Mapping[str, Any], **changes: Any) -> dict[str, Any]:
    """Replace entries; ``parties__north__columns={…}`` reaches inside, None takes one out."""
    result: dict[str, Any] = copy.deepcopy(dict(document))
    for path, value in changes.items():
        *way, last = (key.replace("_", " ") for key in path.split("__"))
        inner = result
        for key in way:
            inner = inner[key]
        inner[last] = value
        if value is None:
            del inner[last]
    return result


def test_an_agreement_is_read_whole(tmp_path: Path) -> None:
    path = write_agreement(
        tmp_path,
        mode="hybrid",
        parties=HYBRID["parties"],
        mine={"tree": {"target": "readmitted", "window": "3", "max_depth": "6"}},
        purpose="Which patients come back?",
        policy={"minimum cell": "20"},
        results=["north"],
    )
    found = Agreement.load(path)
    assert (found.name, found.purpose) == ("readmission", "Which patients come back?")
    assert (found.mode, found.vertical, found.align) == ("hybrid", True, "psi")
    assert (found.leader, found.outside, found.own_plain) == ("north", False, True)
    assert found.names == ("north", "south")
    assert found.schema.names == ("smokes", "readmitted", "age")
    assert found.member("south").schema["age"].values == ("young", "old")
    assert found.member("south").groups[0].channel.kind == "related"
    assert found.member("north").design().schema.names == ("smokes",)  # the rest stays at home
    assert found.member("north").design(plain=True).public == ("smokes", "readmitted")
    assert found.task.kind == "tree"
    assert found.task.options == {
        "target": "readmitted",
        "window": 3,
        "max_depth": 6,
        "growth": "faithful",
    }
    assert found.policy == Policy(minimum=20)
    assert found.results == ("north",)
    assert found.text == path.read_text(encoding="utf-8")
    assert Agreement.of(HYBRID).results == ("north", "south")
    assert Agreement.of(HYBRID).policy == Policy()


def test_the_digest_is_of_what_is_said_not_of_how_it_is_laid_out(tmp_path: Path) -> None:
    first = Agreement.of(HYBRID)
    assert re.fullmatch("[0-9a-f]{64}", first.digest)
    path = tmp_path / "other.yaml"
    mixed = dict(reversed(HYBRID.items()))
    path.write_text(f"# as JSON\n{yaml.safe_dump(mixed, sort_keys=False, default_flow_style=True)}")
    assert Agreement.load(path).digest == first.digest
    path.write_text(first.text)
    assert Agreement.load(path).digest == first.digest
    columns = {"readmitted": YES, "smokes": YES}
    parties = dict(reversed(HYBRID["parties"].items()))
    others = [
        changed(HYBRID, parties=parties),
        changed(HYBRID, parties__north__columns=columns),
        changed(HYBRID, parties__south__disguise=[{**related("age"), "theta": "0.81"}]),
        changed(HYBRID, purpose="Another one."),
        changed(HYBRID, policy={"minimum cell": "9"}),
    ]
    digests = {Agreement.of(other).digest for other in others}
    assert len({first.digest, *digests}) == 6


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "unknown key": (changed(HYBRID, leder="north"), "There is no entry 'leder' here. Did you mean"),
    "no leader": (changed(HYBRID, leader=None), "'leader' is missing."),
    "long name": (changed(HYBRID, collaboration="a b"), "collaboration: 'a b' is no short name."),
    "mode": (changed(HYBRID, mode="hybird"), "mode: There is no 'hybird' here. Did you mean"),
    "one party": (
        changed(HYBRID, mode="collect", parties__south=None),
        "parties: collect is for at least two parties, and there is 1.",
    ),
    "three in secret": (
        changed(SHARED, mode="hybrid"),
        "parties: hybrid is for exactly two parties, and there are 3. Use mode: collect",
    ),
    "a mapping": (changed(HYBRID, parties=["north"]), "parties: This must be a mapping."),
    "a party's key": (
        changed(HYBRID, parties__north__disguised=[]),
        "parties.north: There is no entry 'disguised' here. Did you mean 'disguise'?",
    ),
    "a party's name": (
        changed(
            HYBRID,
            parties={"../x": HYBRID["parties"]["north"], **HYBRID["parties"]},
            mode="collect",
        ),
        "parties.../x: '../x' is no short name.",
    ),
    "drawn as a name": (
        changed(HYBRID, mode="collect", parties__drawn=HYBRID["parties"]["north"]),
        "parties.drawn: No party can be called 'drawn'.",
    ),
    "capitals": (
        changed(SHARED, parties__North=SHARED["parties"]["west"]),
        "parties: Two names differ only in capitals.",
    ),
    "no columns": (
        changed(HYBRID, parties__north__columns={}),
        "parties.north.columns: There is nothing in it.",
    ),
    "no values": (
        changed(HYBRID, parties__north__columns__smokes="yes"),
        "parties.north.columns.smokes: This must be a list. Write smokes: [value, value].",
    ),
    "a value twice": (
        changed(HYBRID, parties__north__columns__smokes=["no", "no"]),
        "parties.north.columns.smokes: Attribute 'smokes' lists the value 'no' twice.",
    ),
    "somebody else's column": (
        changed(HYBRID, parties__south__disguise=[related("smokes")]),
        "parties.south.disguise.1: There is no attribute 'smokes'. Known: 'age'.",
    ),
    "a fair coin": (
        changed(HYBRID, parties__south__disguise=[{**related("age"), "theta": "1/2"}]),
        "parties.south.disguise.1: ",
    ),
    "a second sample": (
        changed(
            HYBRID,
            parties__south__disguise=[
                {
                    "attributes": ["age"],
                    "channel": "unrelated",
                    "theta": "0.7",
                    "personal": "unknown",
                }
            ],
        ),
        "parties.south.disguise: A personal distribution that is unknown needs samples of "
        "different people, and mode: hybrid has the same people.",
    ),
    "in two groups": (
        changed(HYBRID, parties__south__disguise=[related("age"), related("age")]),
        "parties.south.disguise: 'age' is in group 1 and in group 2.",
    ),
    "disguised and not": (
        changed(HYBRID, parties__south__undisguised=["age"]),
        "parties.south.undisguised: 'age' is in a group too.",
    ),
    "forgotten": (
        changed(HYBRID, parties__south__disguise=None),
        "parties: south does not say how 'age' is sent. Put it in a group of disguise, or",
    ),
    "forgotten by a leader": (
        changed(HYBRID, own_columns="disguised"),
        "parties: north does not say how 'readmitted' is sent.",
    ),
    "forgotten by who may follow": (
        changed(HYBRID, leader="drawn"),
        "parties: north does not say how 'readmitted' is sent.",
    ),
    "forgotten in a pool": (
        changed(POOL, parties__west={**SITE, "disguise": [related("smokes")]}),
        "parties: west does not say how 'ill' is sent.",
    ),
    "undisguised nowhere": (
        changed(HYBRID, parties__south__undisguised=["agee"]),
        "parties.south.undisguised.1: There is no column 'agee'. Did you mean 'age'?",
    ),
    "a value that looks like another": (
        changed(HYBRID, parties__south__columns__age=["old", "old\u200b"]),
        r"parties.south.columns: 'old\u200b' has a character that is not seen.",
    ),
    "a line within a value": (
        changed(HYBRID, parties__south__columns__age=["young", "not\nyoung"]),
        r"parties.south.columns: 'not\nyoung' has a character that is not seen.",
    ),
    "a space that is none": (
        changed(HYBRID, parties__south__columns={"the\u00a0age": ["young", "old"]}),
        r"parties.south.columns: 'the\xa0age' has a character that is not seen.",
    ),
    "other values": (
        changed(SHARED, parties__south__columns__ill=["yes", "no"]),
        "parties.south: north has the column 'ill' too, with other values: 'no', 'yes' instead",
    ),
    "other columns": (
        changed(POOL, parties__west={"columns": {"smokes": YES}, "disguise": [related("smokes")]}),
        "parties.west: west does not describe the same attributes: 'ill' differ.",
    ),
    "a disguise that nobody uses": (
        changed(HYBRID, mode="secure"),
        "parties.north.disguise: Where counts are secure only, no records are sent.",
    ),
    "an outside leader": (
        changed(HYBRID, leader="nort"),
        "leader: 'nort' is no party, and hybrid needs a leader with data. Did you mean 'north'?",
    ),
    "own columns": (changed(HYBRID, own_columns="open"), "own columns: There is no 'open' here."),
    "align": (
        changed(HYBRID, align="name"),
        "align: There is no 'name' here. Known: 'psi', 'key'.",
    ),
    "align what": (
        changed(POOL, align="psi"),
        "align: In mode pool every party has people of its own",
    ),
    "two models": (
        changed(HYBRID, mine={"tree": {"target": "age"}, "bayes": {"target": "age"}}),
        "mine: A collaboration mines one model.",
    ),
    "no model": (
        changed(HYBRID, mine={}),
        "mine: There is nothing in it. Write one of tree, rules",
    ),
    "policy": (changed(HYBRID, policy={"minimum": "10"}), "policy: "),
    "results": (
        changed(HYBRID, results=["north", "west"]),
        "results.2: There is no party 'west'. Known: 'north', 'south'.",
    ),
    "results without the leader": (
        changed(HYBRID, results=["south"]),
        "results: north mines it, and so sees the result. List north too.",
    ),
    "results without a drawn leader": (
        changed(POOL, leader="drawn", results=["north", "west"]),
        "results: south may be drawn to mine it, and so sees the result.",
    ),
    "results for drawn": (
        changed(POOL, leader="drawn", results=["drawn"]),
        "results.1: There is no party 'drawn'.",
    ),
    "an escape": (changed(HYBRID, purpose="\x1b[2J"), "The text holds the character '\\x1b'"),
    "a turn": (changed(HYBRID, purpose="a \u202e b"), "The text holds the character '\\u202e'"),
    "a new line in a name": (
        changed(HYBRID, parties__south__columns={"age\nnorth sends nothing": YES}),
        "The text holds the character '\\n'",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_mistake_is_one_sentence_with_its_file_and_place(case: str, tmp_path: Path) -> None:
    document, message = WRONG[case]
    with pytest.raises(CollabError, match=re.escape(message)):
        Agreement.of(document)
    path = tmp_path / "collaboration.yaml"
    path.write_text(yaml.safe_dump(document, sort_keys=False))
    with pytest.raises(CollabError) as caught:
        Agreement.load(path)
    assert str(caught.value).startswith(f"{path}: {message}")


def test_in_a_file_no_is_a_word_and_elsewhere_false_is_a_mistake(tmp_path: Path) -> None:
    path = tmp_path / "collaboration.yaml"
    path.write_text(Agreement.of(HYBRID).text.replace("'no'", "no"))
    assert Agreement.load(path).schema["smokes"].values == ("no", "yes")
    with pytest.raises(CollabError, match="The value False is not text"):
        Agreement.of(changed(HYBRID, parties__north__columns__smokes=[False, True]))


MISTAKEN: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "target": (
        HYBRID,
        {"tree": {"target": "agee"}},
        "mine.tree.target: There is no column 'agee'.",
    ),
    "no target": (HYBRID, {"tree": {"max_depth": "2"}}, "mine.tree: 'target' is missing."),
    "confirm": (
        HYBRID,
        {"tree": {"target": "age", "confirm": "x"}},
        "mine.tree: There is no entry 'confirm'",
    ),
    "window": (
        HYBRID,
        {"tree": {"target": "age", "window": "0"}},
        "mine.tree.window: 0 is too small. Give at least 1.",
    ),
    "windows": (
        HYBRID,
        {"tree": {"target": "age", "window": "wide"}},
        "mine.tree.window: There is no 'wide'",
    ),
    "window alone": (POOL, {"tree": {"target": "ill", "window": "3"}}, "mine.tree: A window says"),
    "growth": (
        POOL,
        {"tree": {"target": "ill", "growth": "fast"}},
        "mine.tree.growth: There is no 'fast'",
    ),
    "max_depth": (
        POOL,
        {"tree": {"target": "ill", "max_depth": "-1"}},
        "mine.tree.max_depth: '-1' is not a whole",
    ),
    "strength": (
        POOL,
        {"tree": {"target": "ill", "strength": "-1"}},
        "mine.tree.strength: -1 is out of range.",
    ),
    "no number": (
        POOL,
        {"tree": {"target": "ill", "strength": "nan"}},
        "mine.tree.strength: nan is out of range.",
    ),
    "unused": (
        HYBRID,
        {"tree": {"target": "age", "strength": "1"}},
        "mine.tree: A faithful tree is not softened",
    ),
    "cv": (
        POOL,
        {"tree": {"target": "ill", "cv": "1"}},
        "mine.tree.cv: 1 is out of range. Give 2 to 50.",
    ),
    "no folds": (
        changed(POOL, mode="counts"),
        {"tree": {"target": "ill", "growth": "noise-aware"}},
        "mine.tree: Sites that give counts only cannot be divided",
    ),
    "not shrunk": (
        changed(POOL, mode="counts"),
        {"tree": {"target": "ill", "growth": "shrunk"}},
        "mine.tree: Shrunk counts are of disguised records",
    ),
    "a shrunk tree is not softened": (
        POOL,
        {"tree": {"target": "ill", "growth": "shrunk", "cv": "3"}},
        "mine.tree: A shrunk tree is not softened, so cv has no use.",
    ),
    "features": (
        POOL,
        {"bayes": {"target": "ill", "features": ["smoke"]}},
        "mine.bayes.features.1: There is no column",
    ),
    "no features": (
        POOL,
        {"bayes": {"target": "ill", "features": []}},
        "mine.bayes: There is no column to predict",
    ),
    "itself": (
        POOL,
        {"bayes": {"target": "ill", "features": ["ill"]}},
        "mine.bayes: 'ill' is the target",
    ),
    "alpha": (
        POOL,
        {"bayes": {"target": "ill", "alpha": "-1"}},
        "mine.bayes.alpha: -1 is out of range. Give at least 0.",
    ),
    "likeliest without reports": (
        changed(POOL, mode="counts"),
        {"bayes": {"target": "ill", "constraint": "likelihood"}},
        "mine.bayes: A likelihood is of disguised records at the leader, and mode: counts",
    ),
    "conclusions": (
        POOL,
        {"rules": {"min_support": "1", "min_confidence": "0", "conclusions": ["smoke"]}},
        "mine.rules.conclusions: ",
    ),
    "conclusions that are no items": (
        POOL,
        {
            "rules": {
                "min_support": "1",
                "min_confidence": "0",
                "items": ["smokes"],
                "conclusions": ["ill"],
            }
        },
        "mine.rules: By this choice of items, none may be concluded.",
    ),
    "confirmed bayes": (
        HYBRID,
        {"bayes": {"target": "age"}},
        "mine.bayes: A naive Bayes classifier has no candidates to confirm",
    ),
    "support": (
        POOL,
        {"rules": {"min_support": "2", "min_confidence": "0.5"}},
        "mine.rules.min_support: 2 is out of range.",
    ),
    "no support": (
        POOL,
        {"rules": {"min_confidence": "0.5"}},
        "mine.rules: 'min_support' is missing.",
    ),
    "a word": (
        POOL,
        {"rules": {"min_support": "some", "min_confidence": "0"}},
        "mine.rules.min_support: 'some' is not a number.",
    ),
    "items": (
        POOL,
        {"rules": {"min_support": "1", "min_confidence": "0", "items": ["ill=maybe"]}},
        "mine.rules.items: ",
    ),
    "no item": (
        POOL,
        {
            "rules": {
                "min_support": "1",
                "min_confidence": "0",
                "items": ["smokes=yes"],
                "target": "ill",
            }
        },
        "mine.rules: By this choice, no item is a value of the target 'ill'.",
    ),
}


@pytest.mark.parametrize("case", MISTAKEN)
def test_options_are_checked_before_anybody_approves(case: str) -> None:
    document, mine, message = MISTAKEN[case]
    with pytest.raises(CollabError, match=re.escape(message)):
        Agreement.of(changed(document, mine=mine))


def test_options_are_those_of_the_miners_but_for_what_the_mode_decides() -> None:
    decided = {"oracle", "confirm", "progress", "validation"}
    for miner in (find_miner(kind) for kind in ("tree", "rules", "bayes")):
        assert set(task_readers(miner)) == set(inspect.signature(miner.mine).parameters) - decided


@pytest.mark.parametrize(
    ("mode", "growth"),
    [
        ("collect", "shrunk"),
        ("pool", "shrunk"),
        ("counts", "faithful"),
        ("hybrid", "faithful"),
    ],
)
def test_growth_is_what_the_mode_can_do(mode: str, growth: str) -> None:
    document = POOL if mode in {"pool", "counts"} else HYBRID
    target = "ill" if document is POOL else "age"
    found = Agreement.of(changed(document, mode=mode, mine={"tree": {"target": target}}))
    assert found.task.options["growth"] == growth
    assert ("window" in found.task.options) == (mode == "hybrid")


def test_options_arrive_as_the_miners_take_them() -> None:
    tree = {
        "target": "ill",
        "strength": "1.5",
        "features": ["smokes"],
        "random_state": "7",
        "cv": "4",
    }
    assert Agreement.of(changed(POOL, mine={"tree": tree})).task.options == {
        "target": "ill",
        "strength": 1.5,
        "features": ["smokes"],
        "random_state": 7,
        "cv": 4,
        "growth": "noise-aware",
    }
    counts = changed(POOL, mode="counts", mine={"tree": {"target": "ill", "strength": "1"}})
    assert Agreement.of(counts).task.options["growth"] == "noise-aware"
    rules = {"min_support": "0.1", "min_confidence": ".5", "items": "yes", "tolerance": "derived"}
    found = Agreement.of(changed(POOL, mine={"rules": {**rules, "max_len": "3"}})).task.options
    assert found == {
        "min_support": 0.1, "min_confidence": 0.5, "items": "yes", "tolerance": "derived",
        "max_len": 3,
    }  # fmt: skip
    named = {"min_support": "0.1", "min_confidence": ".5", "conclusions": ["ill", "smokes=yes"]}
    found = Agreement.of(changed(POOL, mine={"rules": named})).task.options
    assert found["conclusions"] == ["ill", "smokes=yes"]
    full = Agreement.of(changed(HYBRID, mine={"tree": {"target": "age", "window": "full"}}))
    assert full.task.options["window"] is None
    default = Agreement.of(changed(HYBRID, mine={"tree": {"target": "age"}}))
    assert default.task.options["window"] == "adaptive"


def test_a_shared_column_is_the_leaders_or_else_the_first_ones() -> None:
    by_south = Agreement.of(SHARED)
    assert by_south.schema.names == ("a", "ill", "b", "c")
    assert by_south.giver("ill") == "south"
    assert by_south.sent("north").schema.names == ("a",)
    assert by_south.sent("south").groups == ()
    by_broker = Agreement.of(changed(SHARED, leader="broker"))
    assert by_broker.giver("ill") == "north"
    assert by_broker.sent("north").schema.names == ("a", "ill")
    assert by_broker.sent("south").schema.names == ("b",)
    # One coin for b and ill; of it, b alone is left, by the same coin.
    (group,) = by_broker.sent("south").groups
    assert group.names == ("b",)
    assert group.channel.options(group.attributes) == {"theta": "0.8"}


def test_a_shared_column_that_is_never_sent_needs_no_disguise() -> None:
    document = changed(SHARED, parties__north__disguise=[related("a")])
    assert Agreement.of(document).sent("north").public == ()
    with pytest.raises(CollabError, match="north does not say how 'ill' is sent"):
        Agreement.of(changed(document, leader="west"))
    with pytest.raises(CollabError, match="north does not say how 'ill' is sent"):
        Agreement.of(changed(document, leader="drawn"))


def test_a_drawn_leader_is_one_of_the_parties() -> None:
    drawn = Agreement.of(changed(SHARED, leader="drawn"))
    assert drawn.leaders == ("north", "south", "west")
    assert not drawn.outside
    led = drawn.led_by("west")
    assert (led.leader, led.digest) == ("west", drawn.digest)
    with pytest.raises(CollabError, match="broker cannot lead"):
        drawn.led_by("broker")


def test_an_outside_leader_has_the_result_too() -> None:
    found = Agreement.of(changed(POOL, results=["broker", "west"]))
    assert found.outside
    assert found.results == ("broker", "west")
    assert Agreement.of(POOL).results == ("north", "south", "west", "broker")
    assert "The result goes to north, south, west and broker." in Agreement.of(POOL).story()


def test_sites_may_differ_in_order_and_disguise() -> None:
    west = {"columns": {"ill": YES, "smokes": YES}, "undisguised": ["ill", "smokes"]}
    found = Agreement.of(changed(POOL, parties__west=west))
    assert found.schema.names == ("smokes", "ill")
    assert found.sent("west").schema.names == ("ill", "smokes")
    assert found.sent("west").groups == ()
    assert found.align is None


def test_a_leader_may_add_plain_records_of_its_own() -> None:
    plain = changed(POOL, leader="west", parties__west={"columns": SITE["columns"]})
    assert Agreement.of(plain).sent("west").groups == ()
    assert len(Agreement.of(plain).sent("north").groups) == 1


def test_a_document_without_end_is_refused() -> None:
    document: dict[str, Any] = changed(HYBRID)
    document["purpose"] = [document]
    with pytest.raises(CollabError, match="has no end"):
        Agreement.of(document)


def test_a_small_file_that_unfolds_to_a_huge_one_is_refused(tmp_path: Path) -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    path = tmp_path / "collaboration.yaml"
    path.write_text("\n".join(lines))
    with pytest.raises(CollabError, match="has no end"):
        Agreement.load(path)


@pytest.mark.parametrize(
    "text", ["", "[]", "a: b: c", "leader: x\nleader: y", "just words", "a: &a [*a]"]
)
def test_what_is_no_agreement_is_refused_by_its_name(text: str, tmp_path: Path) -> None:
    path = tmp_path / "collaboration.yaml"
    path.write_text(text)
    with pytest.raises(CollabError, match=re.escape(str(path))):
        Agreement.load(path)
    with pytest.raises(CollabError, match="does not exist"):
        Agreement.load(tmp_path / "none.yaml")


def test_the_story_says_who_sends_what_to_whom_and_who_learns_what() -> None:
    lines = Agreement.of(changed(HYBRID, purpose="Who comes\nback?")).story().splitlines()
    assert lines[0] == "readmission: Who comes back?"
    assert lines[1].startswith("north works out a decision tree about readmitted")
    south = lines.index("south has age.")
    assert lines[south + 1] == "  It sends a record for each of these people to north:"
    assert lines[south + 2].startswith("    age: with probability 80 % reported as it is")
    assert "every count that is released" in lines[south + 3]
    assert "  It leads, and sends no records to anybody." in lines
    assert any("breaking the rules ends the run" in line for line in lines)
    assert lines[-1] == "The result goes to north and south."


def test_the_story_tells_what_is_not_disguised_and_what_a_drawn_leader_gets() -> None:
    west = {"columns": SITE["columns"], "undisguised": ["ill"], "disguise": [related("smokes")]}
    told = Agreement.of(changed(POOL, leader="drawn", parties__west=west)).story()
    assert "ill: NOT disguised, sent as it is." in told
    assert "One of north, south and west, drawn by a joint coin," in told
    assert "If it does not lead, it sends a record for each of these people to the leader:" in told
    counts = Agreement.of(changed(POOL, mode="counts")).story()
    assert "sends no records to broker, only counts estimated from disguised ones:" in counts
    assert "It learns the estimated counts of each of the others and the result." in counts


def test_the_story_tells_what_policy_does_where_nothing_is_encrypted() -> None:
    few = "Nothing is sent about fewer than 100 people in common."
    mine = {"tree": {"target": "readmitted"}}
    assert few in Agreement.of(changed(HYBRID, mode="collect", mine=mine)).story()
    west = {"columns": SITE["columns"], "undisguised": ["ill"], "disguise": [related("smokes")]}
    counts = changed(POOL, mode="counts", parties__west=west)
    told = Agreement.of(counts).story()
    assert few not in told
    assert "undisguised columns: of fewer than 10 nothing is told." in told
    assert "No more than 250,000 of them are released." in told
    all_of_it = changed(counts, policy={"minimum cell": "0", "counts": "50"})
    told = Agreement.of(all_of_it).story()
    assert "undisguised columns:" not in told
    assert "No more than 50 of them are released." in told


def test_every_entry_is_documented() -> None:
    page = PAGE.read_text(encoding="utf-8")
    entries = {
        *AGREEMENT_REQUIRED,
        *AGREEMENT_OPTIONAL,
        *OF_A_MEMBER,
        *OF_A_PARTY,
        *NEEDED_OF_A_PARTY,
        *OF_A_PEER,
    }
    miners = [find_miner(kind) for kind in ("tree", "rules", "bayes")]
    for entry in (*entries, *(name for miner in miners for name in task_readers(miner))):
        assert f"| `{entry}` |" in page


def test_the_pages_agreement_is_one(tmp_path: Path) -> None:
    found = Agreement.load(page_example("collaboration", tmp_path))
    assert found.mode == "hybrid"
    assert found.names == ("north", "south")
    assert found.sent("south").public == ("region",)


def page_example(first_key: str, folder: Path) -> Path:
    """Take an example out of the reference page, by the key that it begins with."""
    blocks = re.findall(r"```yaml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    (text,) = [block for block in blocks if block.startswith(f"{first_key}:")]
    path = folder / f"{first_key}.yaml"
    path.write_text(text, encoding="utf-8")
    return path
