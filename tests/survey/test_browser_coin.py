"""The browser's coin does what the channels say, and asks for randomness before any answer."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom, chi2

from deniable.channel import kinds
from deniable.channel.channel import patterns
from deniable.design import Design
from deniable.survey.questionnaire.group_on_page import shown
from survey import node
from survey.node import MODULE, browser, browser_counts, browser_table

RARELY = 1e-6
"""A chi-square test with a fixed seed fails this rarely where all is well."""

NEVER = 1e-9
"""A test with fresh randomness fails this rarely where all is well."""

Document = dict[str, Any]
Script = list[int]


def design_of(sizes: Sequence[int], channel: str, **options: Any) -> Design:
    values = {f"a{place}": [*map(str, range(size))] for place, size in enumerate(sizes)}
    group = {"attributes": list(values), "channel": channel, **options}
    return Design.of({"attributes": values, "groups": [group]})


@dataclass(frozen=True)
class Case:
    design: Design
    throws: tuple[int, ...]
    """How many sides each die has, in the order in which they are thrown."""


JOINT = [
    {"a0": "0", "a1": "0", "probability": "0.5"},
    {"a0": "1", "a1": "2", "probability": "0.3"},
    {"a0": "0", "a1": "1", "probability": "0.2"},
]
PERSONAL = {"a0": {"0": "0.9", "1": "0.1"}, "a1": {"0": "1/4", "1": "1/4", "2": "1/2"}}
ANY_MATRIX = {
    "0": {"0": "0.8", "1": "0.15", "2": "0.05"},
    "1": {"0": "0", "1": "1", "2": "0"},
    "2": {"0": "1/3", "1": "1/3", "2": "1/3"},
}
CASES = {
    "truthful": Case(design_of([2, 3], "truthful"), ()),
    "related": Case(design_of([2], "related", theta="0.7"), (10,)),
    "related, always turned": Case(design_of([4], "related", theta="0"), (3,)),
    "related, a group": Case(design_of([2, 2, 2], "related", theta="1/3"), (3,)),
    "related, categorical": Case(design_of([3, 2, 4], "related", theta="0.6"), (10, 2, 3)),
    "related, many values": Case(design_of([20], "related", theta="0.6"), (10, 19)),
    "unrelated": Case(
        design_of([2, 3], "unrelated", theta="0.6", personal=PERSONAL), (10, 10, 100)
    ),
    "unrelated, joint answers": Case(
        design_of([2, 3], "unrelated", theta="0.4", personal={"joint": JOINT}), (10, 10)
    ),
    "keep or uniform": Case(design_of([5], "keep-or-uniform", theta="1/3"), (3, 5)),
    "keep or uniform, a group": Case(design_of([2, 3], "keep-or-uniform", theta="0.1"), (10, 2, 3)),
    "forced": Case(design_of([3], "forced", forced={"0": "1/6", "2": "1/4"}), (300,)),
    "mangat": Case(design_of([2], "mangat", theta="0.7"), (10,)),
    "mangat, of the first value": Case(design_of([2], "mangat", theta="0.7", sensitive="0"), (10,)),
    "kuk": Case(design_of([2], "kuk", red={"0": "0.2", "1": "0.7"}), (10,)),
    "kuk, of the first value": Case(
        design_of([2], "kuk", red={"0": "0.2", "1": "2/3"}, sensitive="0"), (30,)
    ),
    "crosswise": Case(design_of([2], "crosswise", theta="0.25"), (100,)),
    "crosswise, of the first value": Case(
        design_of([2], "crosswise", theta="0.2", sensitive="0"), (10,)
    ),
    "triangular": Case(design_of([2], "triangular", theta="2/7"), (7,)),
    "triangular, of the first value": Case(
        design_of([2], "triangular", theta="0.3", sensitive="0"), (10,)
    ),
    "matrix": Case(design_of([3], "matrix", matrix=ANY_MATRIX), (300,)),
}
every_case = pytest.mark.parametrize("case", CASES.values(), ids=CASES)


def all_records(design: Design) -> list[dict[str, str]]:
    """Every possible record, in the order of `patterns`."""
    return [
        {a.name: a.values[code] for a, code in zip(design.schema, cell, strict=True)}
        for cell in patterns(design.schema.sizes).tolist()
    ]


def reports(
    document: Document, records: Sequence[object], scripts: Sequence[Script], **personal: str
) -> list[list[Document]]:
    """One disguise of each record by each list of bytes."""
    found: list[list[Document]] = browser(
        "reports", design=document, records=records, personal=personal, scripts=scripts
    )
    return found


def every_throw(sides: Sequence[int]) -> Iterator[Script]:
    """The bytes of all the ways in which dice of so many sides can fall, once each."""
    for numbers in product(*map(range, sides)):
        yield [
            byte
            for number, most in zip(numbers, sides, strict=True)
            for byte in number.to_bytes(((most - 1).bit_length() + 7) // 8)
        ]


def law(design: Design, sides: Sequence[int]) -> NDArray[np.float64]:
    """The exact chances ``[report, truth]``, by going through every throw."""
    records = all_records(design)
    cells = {tuple(record.items()): number for number, record in enumerate(records)}
    chances = np.zeros((len(records), len(records)))
    scripts = list(every_throw(sides))
    for truth, row in enumerate(reports(design.document(), records, scripts)):
        for one in row:
            assert len(one["asked"]) == len(
                sides
            )  # each throw counted: none more, none thrown anew
            chances[cells[tuple(one["report"].items())], truth] += 1
    return chances / len(scripts)


# --- Exact chances ----------------------------------------------------------------------------


def test_every_channel_is_among_the_cases() -> None:
    assert {group.channel.kind for c in CASES.values() for group in c.design.groups} == set(kinds())


@pytest.mark.slow
@every_case
def test_going_through_every_throw_gives_the_channels_matrix(case: Case) -> None:
    (group,) = case.design.groups
    exact = group.channel.matrix(range(len(group.attributes)))
    assert law(case.design, case.throws) == pytest.approx(exact, abs=1e-12)


def test_groups_are_disguised_independently_and_public_attributes_not_at_all() -> None:
    design = Design.of(
        {
            "attributes": {"a": ["0", "1"], "b": ["x", "y"], "c": ["0", "1", "2"], "d": ["0", "1"]},
            "groups": [
                {"attributes": ["d", "a"], "channel": "related", "theta": "0.7"},
                {"attributes": ["c"], "channel": "keep-or-uniform", "theta": "1/2"},
            ],
        }
    )
    coin = design.groups[0].channel.matrix([0, 1]).reshape(2, 2, 2, 2)  # d a, d a
    die = design.groups[1].channel.matrix([0])
    expected = np.einsum("DAda,Cc,Bb->ABCDabcd", coin, die, np.eye(2)).reshape(24, 24)
    assert law(design, (10, 10, 3)) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("sides", [2, 3, 10, 128, 129, 255, 256])
def test_every_byte_is_taken_as_an_even_throw_or_thrown_anew(sides: int) -> None:
    design = design_of([sides + 1], "related", theta="0")  # one die, of as many sides
    (row,) = reports(design.document(), [{"a0": "0"}], [[byte] for byte in range(256)])
    taken = [one["report"]["a0"] for one in row if "report" in one]
    again = [one["error"] for one in row if "report" not in one]
    each = 256 >> (sides - 1).bit_length()  # spare bits are dropped
    assert [taken.count(str(face)) for face in range(1, sides + 1)] == [each] * sides
    assert again == ["Error: the script is too short"] * (256 - each * sides)
    assert len(again) < 128  # less than every second throw is thrown anew


def test_a_number_out_of_range_is_thrown_anew_and_not_folded_back() -> None:
    design = design_of([4], "related", theta="0")
    (row,) = reports(design.document(), [{"a0": "0"}], [[3, 7, 255, 2], [3, 0], [1, 3]])
    assert [one["report"]["a0"] for one in row] == ["3", "1", "2"]
    assert [one["asked"] for one in row] == [[1] * 4, [1] * 2, [1]]


@pytest.mark.parametrize(
    ("theta", "sides", "heads"),
    [
        ("5e-05", 10**5, 5),
        ("0.123456789012", 10**12, 123456789012),
        (f"1/{10**30 + 57}", 10**30 + 57, 1),
        ("12345678901/98765432109", 98765432109, 12345678901),
    ],
)
def test_a_probability_is_read_without_rounding(theta: str, sides: int, heads: int) -> None:
    document = design_of([2], "related", theta="0.7").document()
    document["groups"][0]["theta"] = theta
    width = ((sides - 1).bit_length() + 7) // 8
    scripts = [list(number.to_bytes(width)) for number in (0, heads - 1, heads, sides - 1, sides)]
    (row,) = reports(document, [{"a0": "0"}], scripts)
    assert [one.get("report", {}).get("a0") for one in row] == ["0", "0", "1", "1", None]


def test_small_probabilities_are_read_as_python_writes_them() -> None:
    personal = {"a0": {"0": "0.00005", "1": "0.99995"}}
    design = design_of([2], "unrelated", theta="0.5", personal=personal)
    assert design.document()["groups"][0]["personal"]["a0"]["0"] == "5e-05"
    low, high = ([9, *number.to_bytes(3)] for number in (4, 5))
    (row,) = reports(design.document(), [{"a0": "1"}], [low, high])
    assert [one["report"] for one in row] == [{"a0": "0"}, {"a0": "1"}]


@every_case
def test_what_the_page_says_about_a_disguise_is_what_the_channel_does(case: Case) -> None:
    (group,) = case.design.groups
    for place, name in enumerate(group.names):
        survey = {"design": case.design.document(), "shown": [shown(group, name, ())]}
        told = np.array(browser("lawOf", given=[survey, 0])).T
        assert told == pytest.approx(group.channel.matrix([place]), abs=1e-12)


# --- Many draws -------------------------------------------------------------------------------


@pytest.mark.slow
@every_case
def test_reports_of_every_truth_follow_the_channels_matrix(case: Case) -> None:
    (group,) = case.design.groups
    n = 5000
    counts = browser_table(case.design, all_records(case.design), n, seed=1)
    expected = n * group.channel.matrix(range(len(group.attributes)))
    possible = expected > 0
    assert not counts[~possible].any()
    off = np.where(possible, (counts - expected) ** 2 / np.where(possible, expected, 1), 0)
    freedom = possible.sum(axis=0) - 1
    assert (off.sum(axis=0) <= np.where(freedom, chi2.isf(RARELY, freedom), 0)).all()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["related", "keep or uniform, a group", "matrix"])
def test_a_respondents_own_randomness_follows_the_channels_matrix_too(name: str) -> None:
    case = CASES[name]
    (group,) = case.design.groups
    n, truth = 50_000, -1
    counts = browser_counts(case.design, all_records(case.design)[truth], n)
    chances = group.channel.matrix(range(len(group.attributes)))[:, truth]
    # Each count is binomial, exactly; three tests of up to six counts, each with two ends.
    rarely = NEVER / (3 * 6 * 2)
    assert (binom.cdf(counts, n, chances) > rarely).all()
    assert (binom.sf(counts - 1, n, chances) > rarely).all()


def test_a_seed_gives_the_same_counts_again_and_no_seed_gives_others() -> None:
    design = CASES["related, many values"].design
    counts = [browser_counts(design, {"a0": "3"}, 10_000, seed).tolist() for seed in (1, 1, 2)]
    assert counts[0] == counts[1] != counts[2]
    fresh = [browser_counts(design, {"a0": "3"}, 10_000).tolist() for _ in range(2)]
    # 19 counts with an s.d. of about 14 agree with a chance below (1/(14·√(4π)))¹⁸ < 1e-30.
    assert fresh[0] != fresh[1]


# --- Randomness does not look at the answers ----------------------------------------------------


@every_case
def test_the_bytes_asked_for_are_the_same_whatever_the_answers(case: Case) -> None:
    generator = np.random.default_rng(2)
    scripts = generator.integers(0, 256, size=(100, 200)).tolist()  # thrown anew 50 times: never
    rows = reports(case.design.document(), all_records(case.design), scripts)
    asked = [[one["asked"] for one in row] for row in rows]
    assert all("report" in one for row in rows for one in row)
    assert all(other == asked[0] for other in asked)
    assert all(len(calls) >= len(case.throws) for calls in asked[0])


def test_a_record_that_is_refused_has_asked_for_the_same_bytes() -> None:
    design = CASES["related, categorical"].design
    records = [all_records(design)[0], {"a0": "9", "a1": "0", "a2": "0"}, {}]
    good, bad, empty = (row[0] for row in reports(design.document(), records, [[1, 1, 1]]))
    assert "report" in good
    assert good["asked"] == bad["asked"] == empty["asked"] == [1, 1, 1]


@every_case
def test_kept_tosses_give_the_same_report_and_survive_being_written_down(case: Case) -> None:
    document, records = case.design.document(), all_records(case.design)
    tosses = browser("tosses", design=document, seed=3)
    assert all(isinstance(number, int) for toss in tosses for number in toss)
    first = browser("applied", design=document, records=records, tosses=tosses)
    assert browser("applied", design=document, records=records, tosses=tosses) == first
    assert all(set(report) == set(case.design.schema.names) for report in first)


# --- Personal answers of the respondent's own ----------------------------------------------------


UNKNOWN = design_of([2, 3], "unrelated", theta="0.3", personal="unknown")
HEADS, TAILS = [2], [3]  # of a coin with ten sides, three of them heads


def test_own_personal_answers_are_reported_together_or_not_at_all() -> None:
    mine = {"a0": "0", "a1": "0"}
    (row,) = reports(UNKNOWN.document(), [mine], [HEADS, TAILS], a0="1", a1="2")
    assert [one["report"] for one in row] == [mine, {"a0": "1", "a1": "2"}]
    counts = browser_counts(UNKNOWN, mine, 10_000, seed=4, personal={"a0": "1", "a1": "2"})
    assert set(np.flatnonzero(counts)) == {0, 5}
    assert abs(counts[0] - 3000) < 4 * 46  # s.d. = √(10000·0.3·0.7) = 46


def test_own_personal_answers_take_the_place_of_drawn_ones_and_of_no_coin() -> None:
    document = CASES["unrelated"].design.document()
    mine, bytes_of = {"a0": "0", "a1": "0"}, [6, 0, 0]
    (drawn,) = reports(document, [mine], [bytes_of])
    (own,) = reports(document, [mine], [bytes_of], a0="1", a1="2")
    assert own[0]["report"] == {"a0": "1", "a1": "2"}
    assert own[0]["asked"] == drawn[0]["asked"]


@pytest.mark.parametrize("coin", [HEADS, TAILS], ids=["heads", "tails"])
def test_personal_answers_that_are_missing_are_asked_for_however_the_coin_fell(
    coin: list[int],
) -> None:
    mine = {"a0": "0", "a1": "0"}
    (none,) = reports(UNKNOWN.document(), [mine], [coin])
    assert none[0]["error"] == 'Error: The personal question beside "a0" needs an answer.'
    (half,) = reports(UNKNOWN.document(), [mine], [coin], a0="1")
    assert half[0]["error"] == 'Error: There is no answer for "a1".'


# --- Input that does not fit ---------------------------------------------------------------------


GOOD: Document = {
    "attributes": {"smokes": ["no", "yes"], "region": ["north", "south", "west"]},
    "groups": [{"attributes": ["smokes"], "channel": "related", "theta": "0.7"}],
}
RECORD = {"smokes": "yes", "region": "west"}


def refusal(document: object, record: object = RECORD, **personal: str) -> str:
    ((only,),) = browser(
        "reports", design=document, records=[record], personal=personal, scripts=[[0] * 50]
    )
    assert "report" not in only
    return str(only["error"])


@pytest.mark.parametrize(
    ("record", "sentence"),
    [
        ({**RECORD, "drinks": "no"}, 'The design has no attribute "drinks".'),
        ({"smokes": "yes"}, 'There is no answer for "region".'),
        (None, 'There is no answer for "smokes".'),
        ({**RECORD, "smokes": "sometimes"}, 'The answer for "smokes" is none of "no", "yes".'),
        ({**RECORD, "smokes": 1}, 'The answer for "smokes" is none of "no", "yes".'),
        ({**RECORD, "smokes": None}, 'The answer for "smokes" is none of "no", "yes".'),
        ({**RECORD, "region": "constructor"}, 'The answer for "region" is none of "north", "so'),
    ],
)
def test_an_answer_that_does_not_fit_is_refused_without_repeating_it(
    record: Mapping[str, object] | None, sentence: str
) -> None:
    said = refusal(GOOD, record)
    assert said.startswith(f"Error: {sentence}")
    assert not re.search("sometimes|constructor|1|null", said)


def test_personal_answers_beside_no_personal_question_are_refused() -> None:
    for name in ("smokes", "region"):
        said = refusal(GOOD, **{name: RECORD[name]})
        assert said == f'Error: There is no personal question beside "{name}".'
    assert refusal(GOOD, drinks="no") == 'Error: The design has no attribute "drinks".'


def group_of(channel: object, *names: object, **options: object) -> Document:
    return {**GOOD, "groups": [{"attributes": [*names], "channel": channel, **options}]}


THIRDS = {"north": "1/3", "south": "1/3", "west": "1/3"}


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        (None, "A design has attributes and a list of groups."),
        ({"attributes": {}}, "A design has attributes and a list of groups."),
        ({**GOOD, "groups": {}}, "A design has attributes and a list of groups."),
        ({"attributes": {"a": []}, "groups": []}, '"a" must list its values, as text, each of the'),
        ({"attributes": {"a": ["1", "1"]}, "groups": []}, '"a" must list its values'),
        ({"attributes": {"a": [0, 1]}, "groups": []}, '"a" must list its values'),
        ({**GOOD, "groups": [None]}, "Group 1: there is no channel undefined."),
        (group_of("toString", "smokes"), 'Group 1: there is no channel "toString".'),
        (group_of("related", theta="0.7"), "Group 1: it lists no attributes."),
        (
            group_of("related", "drinks", theta="0.7"),
            'Group 1: "drinks" is unknown, or in a group already.',
        ),
        (
            group_of("related", "smokes", "smokes", theta="0.7"),
            'Group 1: "smokes" is unknown, or in a group already.',
        ),
        (
            {**GOOD, "groups": GOOD["groups"] * 2},
            'Group 2: "smokes" is unknown, or in a group already.',
        ),
        (group_of("related", "smokes", thet="0.7"), 'Group 1: related has no option "thet".'),
        (group_of("related", "smokes"), "Group 1: undefined is not a probability, such as"),
        (group_of("related", "smokes", theta=0.7), "Group 1: 0.7 is not a probability, such as"),
        (group_of("related", "smokes", theta="-1"), 'Group 1: "-1" is not a probability, such as'),
        (group_of("related", "smokes", theta="1.1"), 'Group 1: "1.1" is not between 0 and 1.'),
        (group_of("related", "smokes", theta="0/0"), 'Group 1: "0/0" is not between 0 and 1.'),
        (
            {
                "attributes": {"a": ["0"]},
                "groups": [{"attributes": ["a"], "channel": "related", "theta": "1"}],
            },
            "Group 1: an attribute with a single value has no other one.",
        ),
        (
            group_of("unrelated", "smokes", theta="0.7"),
            'Group 1: each value of "smokes" needs a probability.',
        ),
        (
            group_of(
                "unrelated", "smokes", theta="0.7", personal={"smokes": {"no": "0.5", "yes": "0.4"}}
            ),
            "Group 1: its probabilities do not sum to 1.",
        ),
        (
            group_of(
                "unrelated",
                "smokes",
                theta="0.7",
                personal={"joint": [{"smokes": "maybe", "probability": "1"}]},
            ),
            'Group 1: The answer for "smokes" is none of "no", "yes".',
        ),
        (
            group_of("matrix", "region", matrix={"north": THIRDS, "south": THIRDS}),
            'Group 1: each value of "region" needs a probability.',
        ),
        (
            group_of("forced", "smokes", forced={"no": "0.6", "yes": "0.6"}),
            "Group 1: its probabilities sum to more than 1.",
        ),
        (
            group_of("forced", "smokes", "region", forced={}),
            "Group 1: its channel is for one attribute.",
        ),
        (
            group_of("mangat", "region", theta="0.7", sensitive="west"),
            'Group 1: "region" must have two values.',
        ),
        (
            group_of("kuk", "smokes", red={"no": "0.1", "yes": "0.9"}, sensitive="maybe"),
            'Group 1: "maybe" is not a value of "smokes".',
        ),
    ],
)
def test_a_design_that_could_be_misread_is_refused(document: object, sentence: str) -> None:
    assert refusal(document).startswith(f"Error: {sentence}")


def test_tosses_of_another_design_are_refused() -> None:
    unfit: list[object] = [
        [],
        [[0]],
        [[0], [], []],
        [None, []],
        [[None], []],
        [[-1], []],
        [["0"], []],
    ]
    for tosses in unfit:
        (said,) = browser("applied", design=GOOD, records=[RECORD], tosses=tosses)
        assert said == "Error: These tosses do not belong to this design."


def test_names_that_mean_something_to_the_language_are_names_like_any_other() -> None:
    design = Design.of(
        {
            "attributes": {
                "__proto__": ["toString", "__proto__"],
                "constructor": ["10", "9", "length"],
                "7": ["", "“ü”"],
            },
            "groups": [
                {"attributes": ["constructor"], "channel": "keep-or-uniform", "theta": "0.2"},
                {
                    "attributes": ["__proto__"],
                    "channel": "unrelated",
                    "theta": "0.1",
                    "personal": {"__proto__": {"toString": "0.7", "__proto__": "0.3"}},
                },
            ],
        }
    )
    record = {"__proto__": "toString", "constructor": "length", "7": "“ü”"}
    counts = browser_counts(design, record, 20_000, seed=5, over=design.schema.names)
    chances = [
        group.channel.matrix([0])[:, code]
        for group, code in zip(design.groups, (2, 0), strict=True)
    ]
    expected = 20_000 * np.einsum("c,p,s->pcs", *chances, [0, 1]).ravel()
    possible = expected > 0
    off = (counts[possible] - expected[possible]) ** 2 / expected[possible]
    assert off.sum() < chi2.isf(RARELY, prod([2, 3]) - 1)
    assert not counts[~possible].any()


# --- The file, and what runs it ------------------------------------------------------------------


def parts() -> dict[str, str]:
    """The source files that the shipped file was built from, and what became of each."""
    _, *pieces = re.split(
        r"^// (\S+\.[jt]s)$", MODULE.read_text(encoding="utf-8"), flags=re.MULTILINE
    )
    return dict(zip(pieces[::2], pieces[1::2], strict=True))


def test_the_disguise_needs_nothing_else_sends_nothing_and_keeps_nothing() -> None:
    inside = {name: code for name, code in parts().items() if name.startswith("src/disguise/")}
    assert [*inside] == [
        f"src/disguise/{n}.ts" for n in ("reading", "chances", "devices", "disguise")
    ]
    code = re.sub(r"/\*.*?\*/|//[^\n]*", "", "".join(inside.values()), flags=re.DOTALL)
    assert code.count("getRandomValues") == 1
    words = "import|require|fetch|Math.random|Date|performance|Storage|cookie|console|eval|window"
    assert not re.search(rf"\b({words})\b", code)


def test_the_page_has_no_other_chance_no_clock_and_one_door() -> None:
    ours = "".join(code for name, code in parts().items() if name.startswith("src/"))
    assert not re.search(r"Math\.random|\bDate\b|performance|cookie|sessionStorage|indexedDB", ours)
    assert not re.search(
        r"innerHTML|\beval\b|new Function|console|XMLHttp|sendBeacon|WebSocket", ours
    )
    assert ours.count("fetch(") == 1
    assert set(re.findall(r"https?://\w[^\s\"'`]+", ours)) == {"http://www.w3.org/2000/svg"}


def test_a_machine_without_node_is_told_so_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(node, "_candidates", lambda: iter(()))
    with pytest.raises(
        RuntimeError, match=r"tested under Node 18 or newer, and there is none: put"
    ):
        node.node.__wrapped__()
