"""Every weight against the matrix it inverts.

The matrix is written here from the story of the random device, in rational numbers and without the
package: what may happen to a true pattern, and with which chance.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from math import prod

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from deniable.base.errors import DesignError, EstimateError
from deniable.channel import Channel, KeepOrUniform, Matrix, Related, named
from deniable.expression import ANY
from deniable.schema import Attribute

Pattern = tuple[int, ...]
Chances = Iterable[tuple[Pattern, Fraction]]
Story = Callable[[Pattern], Chances]
Floats = NDArray[np.float64]

ROUNDING = 1e-12
"""A weight is a rational number rounded to a float: relative to the largest, some 1e-16 each."""

MOST_PATTERNS = 32
"""Of one group: its matrix is enumerated, entry by entry."""

random_cases = settings(derandomize=True, deadline=None, max_examples=30)


@dataclass(frozen=True)
class Case:
    """A channel of the package, and the story it should tell."""

    channel: Channel
    story: Story

    @property
    def patterns(self) -> list[Pattern]:
        return patterns(self.channel.sizes)

    def column(self, truth: Pattern) -> dict[Pattern, Fraction]:
        """Chances of the reports of one truth: a column of the matrix."""
        chances: defaultdict[Pattern, Fraction] = defaultdict(Fraction)
        for report, chance in self.story(truth):
            chances[report] += chance
        assert sum(chances.values()) == 1
        return chances


def patterns(sizes: Sequence[int]) -> list[Pattern]:
    return list(product(*(range(size) for size in sizes)))


def attributes(sizes: Sequence[int]) -> list[Attribute]:
    return [
        Attribute(f"a{place}", tuple(f"v{code}" for code in range(size)))
        for place, size in enumerate(sizes)
    ]


def read(kind: str, sizes: Sequence[int], **options: object) -> Channel:
    return named(kind).read(attributes(sizes), options)


def satisfies(pattern: Pattern, asked: Pattern) -> bool:
    return all(code in {ANY, own} for own, code in zip(pattern, asked, strict=True))


# --- What the random devices do ---------------------------------------------------------------


def truthful(truth: Pattern) -> Chances:
    yield truth, Fraction(1)


def related(sizes: Sequence[int], theta: Fraction) -> Story:
    """Tell the truth, or replace every value by an evenly drawn other one."""

    def story(truth: Pattern) -> Chances:
        yield truth, theta
        others = [set(range(size)) - {true} for size, true in zip(sizes, truth, strict=True)]
        lies = list(product(*others))
        for lie in lies:
            yield lie, (1 - theta) / len(lies)

    return story


def replaced(theta: Fraction, answers: Mapping[Pattern, Fraction]) -> Story:
    """Tell the truth, or give an answer that has nothing to do with it."""

    def story(truth: Pattern) -> Chances:
        yield truth, theta
        for answer, chance in answers.items():
            yield answer, (1 - theta) * chance

    return story


def forced(dictated: Sequence[Fraction]) -> Story:
    """Follow the die, which dictates an answer or asks for the truth."""

    def story(truth: Pattern) -> Chances:
        yield truth, 1 - sum(dictated, Fraction(0))
        for answer, chance in enumerate(dictated):
            yield (answer,), chance

    return story


def mangat(sensitive: int, theta: Fraction) -> Story:
    """Admit the trait if you have it; without it, deny it with probability θ only."""

    def story(truth: Pattern) -> Chances:
        if truth == (sensitive,):
            yield (sensitive,), Fraction(1)
        else:
            yield (1 - sensitive,), theta
            yield (sensitive,), 1 - theta

    return story


def kuk(sensitive: int, red: Sequence[Fraction]) -> Story:
    """Draw a card from the deck of your truth; red stands for the sensitive value."""

    def story(truth: Pattern) -> Chances:
        yield (sensitive,), red[truth[0]]
        yield (1 - sensitive,), 1 - red[truth[0]]

    return story


def harmless_trait(sensitive: int, theta: Fraction, telling: Callable[[bool, bool], bool]) -> Story:
    """Compare the private answer with a harmless one, which is yes with probability θ."""

    def story(truth: Pattern) -> Chances:
        for harmless, chance in ((True, theta), (False, 1 - theta)):
            tells = telling(truth == (sensitive,), harmless)
            yield (sensitive if tells else 1 - sensitive,), chance

    return story


def drawn_from(columns: Sequence[Sequence[Fraction]]) -> Story:
    def story(truth: Pattern) -> Chances:
        for report, chance in enumerate(columns[truth[0]]):
            yield (report,), chance

    return story


# --- Random channels, each with its story -----------------------------------------------------

chances = st.fractions(0, 1, max_denominator=20)
above_zero = chances.filter(lambda theta: theta > 0)
not_half = chances.filter(lambda theta: theta != Fraction(1, 2))


def groups(smallest: int, largest: int, most: int) -> st.SearchStrategy[tuple[int, ...]]:
    """Domain sizes of a group's attributes."""
    sizes = st.lists(st.integers(smallest, largest), min_size=1, max_size=most)
    return sizes.map(tuple).filter(lambda sizes: prod(sizes) <= MOST_PATTERNS)


@st.composite
def distributions(draw: st.DrawFn, size: int) -> list[Fraction]:
    parts = draw(st.lists(st.integers(0, 6), min_size=size, max_size=size).filter(any))
    return [Fraction(part, sum(parts)) for part in parts]


def by_value(numbers: Sequence[Fraction]) -> dict[str, Fraction]:
    return dict(zip(attributes([len(numbers)])[0].values, numbers, strict=True))


@st.composite
def a_truthful(draw: st.DrawFn) -> Case:
    return Case(read("truthful", draw(groups(1, 5, 3))), truthful)


@st.composite
def a_binary_related(draw: st.DrawFn) -> Case:
    sizes, theta = draw(groups(2, 2, 5)), draw(not_half)
    return Case(read("related", sizes, theta=theta), related(sizes, theta))


@st.composite
def a_categorical_related(draw: st.DrawFn) -> Case:
    sizes, theta = draw(groups(2, 5, 3)), draw(chances)
    assume(all(eigenvalue(theta, part) != 0 for part in subsets(sizes)))
    return Case(read("related", sizes, theta=theta), related(sizes, theta))


@st.composite
def an_unrelated(draw: st.DrawFn) -> Case:
    sizes, theta = draw(groups(1, 5, 3)), draw(above_zero)
    columns = [draw(distributions(size)) for size in sizes]
    answers = {
        cell: prod((y[code] for y, code in zip(columns, cell, strict=True)), start=Fraction(1))
        for cell in patterns(sizes)
    }
    personal = {f"a{place}": by_value(column) for place, column in enumerate(columns)}
    return Case(read("unrelated", sizes, theta=theta, personal=personal), replaced(theta, answers))


@st.composite
def an_unrelated_of_joint_answers(draw: st.DrawFn) -> Case:
    sizes, theta = draw(groups(1, 4, 3)), draw(above_zero)
    cells = patterns(sizes)
    answers = dict(zip(cells, draw(distributions(len(cells))), strict=True))
    rows = [
        {f"a{place}": f"v{code}" for place, code in enumerate(cell)} | {"probability": chance}
        for cell, chance in answers.items()
        if chance or draw(st.booleans())  # what never happens may be left out
    ]
    return Case(
        read("unrelated", sizes, theta=theta, personal={"joint": rows}), replaced(theta, answers)
    )


@st.composite
def a_keep_or_uniform(draw: st.DrawFn) -> Case:
    sizes, theta = draw(groups(1, 5, 3)), draw(above_zero)
    cells = patterns(sizes)
    evenly = dict.fromkeys(cells, Fraction(1, len(cells)))
    return Case(read("keep-or-uniform", sizes, theta=theta), replaced(theta, evenly))


@st.composite
def a_forced(draw: st.DrawFn) -> Case:
    size, theta = draw(st.integers(1, 5)), draw(above_zero)
    dictated = [(1 - theta) * share for share in draw(distributions(size))]
    return Case(read("forced", [size], forced=by_value(dictated)), forced(dictated))


@st.composite
def a_mangat(draw: st.DrawFn) -> Case:
    sensitive, theta = draw(st.integers(0, 1)), draw(above_zero)
    return Case(
        read("mangat", [2], theta=theta, sensitive=f"v{sensitive}"), mangat(sensitive, theta)
    )


@st.composite
def a_kuk(draw: st.DrawFn) -> Case:
    sensitive = draw(st.integers(0, 1))
    red = draw(st.lists(chances, min_size=2, max_size=2, unique=True))
    return Case(read("kuk", [2], red=by_value(red), sensitive=f"v{sensitive}"), kuk(sensitive, red))


@st.composite
def a_crosswise(draw: st.DrawFn) -> Case:
    sensitive, theta = draw(st.integers(0, 1)), draw(not_half)
    return Case(
        read("crosswise", [2], theta=theta, sensitive=f"v{sensitive}"),
        harmless_trait(sensitive, theta, lambda private, harmless: private == harmless),
    )


@st.composite
def a_triangular(draw: st.DrawFn) -> Case:
    sensitive, theta = draw(st.integers(0, 1)), draw(chances.filter(lambda theta: theta < 1))
    return Case(
        read("triangular", [2], theta=theta, sensitive=f"v{sensitive}"),
        harmless_trait(sensitive, theta, lambda private, harmless: private or harmless),
    )


@st.composite
def a_matrix(draw: st.DrawFn) -> Case:
    size = draw(st.integers(1, 5))
    columns = [draw(distributions(size)) for _ in range(size)]
    assume(is_regular(columns))
    matrix = dict(zip(attributes([size])[0].values, map(by_value, columns), strict=True))
    return Case(read("matrix", [size], matrix=matrix), drawn_from(columns))


CASES = {
    "truthful": a_truthful(),
    "related, binary": a_binary_related(),
    "related, categorical": a_categorical_related(),
    "unrelated, independent answers": an_unrelated(),
    "unrelated, joint answers": an_unrelated_of_joint_answers(),
    "keep or uniform": a_keep_or_uniform(),
    "forced": a_forced(),
    "mangat": a_mangat(),
    "kuk": a_kuk(),
    "crosswise": a_crosswise(),
    "triangular": a_triangular(),
    "matrix": a_matrix(),
}

every_channel = pytest.mark.parametrize("cases", CASES.values(), ids=CASES)


@st.composite
def conjunctions(draw: st.DrawFn, sizes: Sequence[int]) -> Pattern:
    return tuple(draw(st.integers(ANY, size - 1)) for size in sizes)


def is_regular(rows: Sequence[Sequence[Fraction]]) -> bool:
    """Whether a square matrix has an inverse, by elimination in rational numbers."""
    left = [list(row) for row in rows]
    while left:
        pivot = next((row for row in left if row[0] != 0), None)
        if pivot is None:
            return False
        left.remove(pivot)
        left = [
            [a - row[0] / pivot[0] * b for a, b in zip(row[1:], pivot[1:], strict=True)]
            for row in left
        ]
    return True


def subsets(items: Sequence[int]) -> Iterator[tuple[int, ...]]:
    for size in range(len(items) + 1):
        yield from combinations(items, size)


def eigenvalue(theta: Fraction, sizes: Sequence[int]) -> Fraction:
    """λ_T of mathematics.md, for the attributes of T."""
    return theta + (1 - theta) * prod((Fraction(-1, k - 1) for k in sizes), start=Fraction(1))


# --- The weights ------------------------------------------------------------------------------


@pytest.mark.slow
@every_channel
@given(data=st.data())
@random_cases
def test_a_weight_averages_to_the_indicator_of_the_truth(
    cases: st.SearchStrategy[Case], data: st.DataObject
) -> None:
    case = data.draw(cases)
    asked = data.draw(conjunctions(case.channel.sizes))
    weights = case.channel.weights(asked, np.array(case.patterns))
    weight = dict(zip(case.patterns, map(Fraction, weights.tolist()), strict=True))
    close = ROUNDING * max(1, np.abs(weights).max())
    for truth in case.patterns:
        mean = sum(chance * weight[report] for report, chance in case.column(truth).items())
        assert abs(mean - satisfies(truth, asked)) <= close


@pytest.mark.slow
@every_channel
@given(data=st.data())
@random_cases
def test_the_matrix_of_some_attributes_is_the_marginal_of_the_story(
    cases: st.SearchStrategy[Case], data: st.DataObject
) -> None:
    case = data.draw(cases)
    sizes = case.channel.sizes
    columns = {truth: case.column(truth) for truth in case.patterns}
    for chosen in subsets(range(len(sizes))):
        positions = data.draw(st.permutations(chosen))  # in any order
        cells = patterns([sizes[place] for place in positions])
        number = {cell: place for place, cell in enumerate(cells)}
        matrix = case.channel.matrix(positions)
        assert matrix.shape == (len(cells), len(cells))
        for truth, column in columns.items():
            marginal = [Fraction(0)] * len(cells)
            for report, chance in column.items():
                marginal[number[tuple(report[place] for place in positions)]] += chance
            known = tuple(truth[place] for place in positions)
            assert matrix[:, number[known]] == pytest.approx(
                np.array(marginal, dtype=float), abs=ROUNDING
            )


@pytest.mark.slow
@every_channel
@given(data=st.data())
@random_cases
def test_a_batch_has_the_weights_of_its_conjunctions_their_squares_and_their_cubes(
    cases: st.SearchStrategy[Case], data: st.DataObject
) -> None:
    case = data.draw(cases)
    batch = data.draw(st.lists(conjunctions(case.channel.sizes), min_size=1, max_size=6))
    reports = np.array(case.patterns)
    terms = case.channel.terms(np.array(batch, dtype=np.int64))
    fits = np.array([[satisfies(r, tuple(c)) for r in case.patterns] for c in terms.codes.tolist()])
    for row, asked in enumerate(batch):
        own = terms.rows == row
        weights = case.channel.weights(asked, reports)
        largest = max(1, np.abs(weights).max())
        assert terms.weight[own] @ fits[own] == pytest.approx(weights, abs=ROUNDING * largest)
        assert terms.square[own] @ fits[own] == pytest.approx(weights**2, abs=ROUNDING * largest**2)
        for power, coefficients in enumerate(terms.powers, start=1):
            assert coefficients[own] @ fits[own] == pytest.approx(
                weights**power, abs=ROUNDING * largest**power
            )


@pytest.mark.slow
@every_channel
@given(data=st.data())
@random_cases
def test_weights_by_matches_are_the_weights_of_whatever_matches(
    cases: st.SearchStrategy[Case], data: st.DataObject
) -> None:
    case = data.draw(cases)
    sizes = case.channel.sizes
    named = data.draw(st.lists(st.booleans(), min_size=len(sizes), max_size=len(sizes)))
    values = st.tuples(*(st.integers(0, size - 1) for size in sizes))
    batch = np.where(named, data.draw(st.lists(values, min_size=1, max_size=4)), ANY)
    found = case.channel.by_matches(batch)
    if found is None:  # a single attribute, whose values have chances of their own
        assert len(sizes) == 1
        return
    reports = np.array(case.patterns)
    matches = np.zeros((len(batch), len(reports)), dtype=np.int64)
    for place in np.flatnonzero(named):
        matches = 2 * matches + (reports[:, place] == batch[:, place, None])
    assert found.shape == (len(found), 2 ** sum(named))
    for asked, own, table in zip(
        batch, matches, np.resize(found, (len(batch), found.shape[1])), strict=True
    ):
        weights = case.channel.weights(asked.tolist(), reports)
        assert table[own] == pytest.approx(weights, abs=ROUNDING * max(1, np.abs(weights).max()))


@pytest.mark.slow
@every_channel
@given(data=st.data())
@random_cases
def test_the_second_moment_is_the_mean_square_of_those_who_satisfy_the_conjunction(
    cases: st.SearchStrategy[Case], data: st.DataObject
) -> None:
    case = data.draw(cases)
    batch = data.draw(st.lists(conjunctions(case.channel.sizes), min_size=1, max_size=4))
    moments = case.channel.second_moment(np.array(batch, dtype=np.int64))
    for asked, moment in zip(batch, moments.tolist(), strict=True):
        weights = case.channel.weights(asked, np.array(case.patterns))
        weight = dict(zip(case.patterns, map(Fraction, weights.tolist()), strict=True))
        close = ROUNDING * max(1, np.abs(weights).max() ** 2)
        for truth in case.patterns:
            if satisfies(truth, asked):
                column = case.column(truth).items()
                mean = sum(chance * weight[report] ** 2 for report, chance in column)
                assert abs(mean - Fraction(moment)) <= close


@pytest.mark.slow
@every_channel
@given(data=st.data())
@random_cases
def test_a_channel_is_read_back_from_what_it_writes(
    cases: st.SearchStrategy[Case], data: st.DataObject
) -> None:
    channel = data.draw(cases).channel
    named = attributes(channel.sizes)
    assert type(channel).read(named, channel.options(named)) == channel


# --- The closed forms of mathematics.md -------------------------------------------------------


def warner_weight(theta: Fraction, asked: Pattern, report: Pattern) -> Fraction:
    """(θ·[r ⊨ e] − (1−θ)·[r ⊨ ē]) / (2θ−1)."""
    opposite = tuple(code if code == ANY else 1 - code for code in asked)
    return (theta * satisfies(report, asked) - (1 - theta) * satisfies(report, opposite)) / (
        2 * theta - 1
    )


def categorical_weight(
    theta: Fraction, sizes: Sequence[int], asked: Pattern, report: Pattern
) -> Fraction:
    """Σ over T ⊆ S of (1/λ_T) · Π_{j∈T}([r_j = e_j] − 1/k_j) · Π_{j∈S∖T} 1/k_j."""
    S = [place for place, code in enumerate(asked) if code != ANY]
    total = Fraction(0)
    for T in subsets(S):
        term = 1 / eigenvalue(theta, [sizes[j] for j in T])
        for j in S:
            match = int(report[j] == asked[j]) if j in T else 0
            term *= match - Fraction(1, sizes[j]) if j in T else Fraction(1, sizes[j])
        total += term
    return total


@given(data=st.data())
@random_cases
def test_the_categorical_weight_is_the_sum_over_subsets(data: st.DataObject) -> None:
    case = data.draw(a_categorical_related())
    channel = case.channel
    assert isinstance(channel, Related)
    asked = data.draw(conjunctions(channel.sizes).filter(lambda asked: set(asked) != {ANY}))
    expected = [categorical_weight(channel.theta, channel.sizes, asked, r) for r in case.patterns]
    found = channel.weights(asked, np.array(case.patterns))
    close = ROUNDING * max(1, np.abs(found).max())
    assert found == pytest.approx(np.array(expected, dtype=float), abs=close)


@pytest.mark.slow
@given(data=st.data())
@random_cases
def test_with_two_values_each_the_categorical_weight_is_warners(data: st.DataObject) -> None:
    case = data.draw(a_binary_related())
    channel = case.channel
    assert isinstance(channel, Related)
    asked = data.draw(conjunctions(channel.sizes).filter(lambda asked: set(asked) != {ANY}))
    warner = [warner_weight(channel.theta, asked, report) for report in case.patterns]
    sizes = channel.sizes
    assert warner == [categorical_weight(channel.theta, sizes, asked, r) for r in case.patterns]
    found = channel.weights(asked, np.array(case.patterns))
    assert found == pytest.approx(np.array(warner, dtype=float), rel=ROUNDING)


@given(theta=above_zero, data=st.data())
@random_cases
def test_the_unrelated_weight_takes_off_the_chance_of_a_personal_match(
    theta: Fraction, data: st.DataObject
) -> None:
    sizes = data.draw(groups(1, 5, 3))
    asked = data.draw(conjunctions(sizes).filter(lambda asked: set(asked) != {ANY}))
    reports = patterns(sizes)
    chance = Fraction(sum(satisfies(cell, asked) for cell in reports), len(reports))
    expected = [(satisfies(r, asked) - (1 - theta) * chance) / theta for r in reports]
    found = KeepOrUniform.over(sizes, theta).weights(asked, np.array(reports))
    assert found == pytest.approx(np.array(expected, dtype=float), abs=ROUNDING / float(theta))


# --- What cannot be undone --------------------------------------------------------------------


def is_refused(kind: str, sizes: Sequence[int], **options: object) -> bool:
    try:
        read(kind, sizes, **options)
    except DesignError as refusal:
        return refusal.hint != ""
    return False


@pytest.mark.slow
@given(sizes=groups(2, 5, 3).filter(lambda sizes: prod(sizes) <= 27), theta=chances)
@settings(random_cases, max_examples=100)
def test_a_related_group_is_refused_just_when_its_matrix_has_no_inverse(
    sizes: tuple[int, ...], theta: Fraction
) -> None:
    story = related(sizes, theta)
    columns = []
    for truth in patterns(sizes):
        column = dict.fromkeys(patterns(sizes), Fraction(0))
        for report, chance in story(truth):
            column[report] += chance
        columns.append(list(column.values()))
    assert is_refused("related", sizes, theta=theta) != is_regular(columns)


@pytest.mark.slow
@given(size=st.integers(2, 4), data=st.data())
@settings(random_cases, max_examples=100)
def test_a_matrix_is_refused_just_when_it_has_no_inverse(size: int, data: st.DataObject) -> None:
    columns = [data.draw(distributions(size)) for _ in range(size)]
    matrix = {f"v{truth}": by_value(column) for truth, column in enumerate(columns)}
    assert is_refused("matrix", [size], matrix=matrix) != is_regular(columns)


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("related", {"theta": "1/2"}),
        ("unrelated", {"theta": "0", "personal": {"a0": {"v0": "1/2", "v1": "1/2"}}}),
        ("keep-or-uniform", {"theta": "0"}),
        ("forced", {"forced": {"v0": "1/2", "v1": "1/2"}}),
        ("mangat", {"theta": "0"}),
        ("kuk", {"red": {"v0": "0.3", "v1": "0.3"}}),
        ("crosswise", {"theta": "1/2"}),
        ("triangular", {"theta": "1"}),
    ],
)
def test_reports_that_say_nothing_about_the_truth_are_refused(
    kind: str, options: dict[str, object]
) -> None:
    assert is_refused(kind, [2], **options)


def test_a_matrix_too_large_for_rational_arithmetic_is_inverted_in_floats() -> None:
    size = 50
    columns = [
        [Fraction(1, 2) * (report == truth) + Fraction(1, 2 * size) for report in range(size)]
        for truth in range(size)
    ]
    channel = Matrix.of(columns)
    # Half kept, half drawn evenly: the inverse is that of keep-or-uniform.
    uniform = KeepOrUniform.over((size,), Fraction(1, 2))
    reports = np.arange(size)[:, None]
    assert channel.weights([7], reports) == pytest.approx(uniform.weights([7], reports), abs=1e-12)
    with pytest.raises(DesignError, match="singular"):
        Matrix.of([*columns[:-1], columns[0]])


def test_too_many_categorical_attributes_at_once_are_refused_with_a_hint() -> None:
    channel = Related((3,) * 15, Fraction(4, 5))
    with pytest.raises(EstimateError, match="15 attributes") as refusal:
        channel.terms(np.zeros((1, 15), dtype=np.int64))
    assert "at most 14" in refusal.value.hint
