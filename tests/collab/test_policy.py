"""The release policy, judged by an attacker who was written without looking at the judge.

The attacker thinks in *regions*: sets of the joint table's atoms, as bits. It knows the counts of
released cells, adds up siblings, fills in the last of a family, and subtracts every region from
every region that holds it.
"""

import random
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from deniable.base.errors import CollabError
from deniable.collab.cells import Cell
from deniable.collab.policy import Judge, Noise, Policy
from deniable.collab.policy.noise import discrete_laplace
from deniable.collab.policy.policy import DEFAULT_COUNTS, DEFAULT_NOISE, LETS_ALL_PASS
from deniable.schema import Schema
from effort import calls_of

DOMAINS = {"a": "xyz", "b": "01", "c": "pqrs", "d": "01"}
SCHEMA = Schema.of({name: list(values) for name, values in DOMAINS.items()})
NORTH, SOUTH = frozenset("ab"), frozenset("cd")
ATOMS = [frozenset(zip(DOMAINS, values, strict=True)) for values in product(*DOMAINS.values())]
Region = int
WITHHELD = Policy(5, people_per_count=0)
RELEASED = replace(WITHHELD, zeros="released")


def cell(text: str = "") -> Cell:
    """``a=x b=0``: a cell, for short."""
    return frozenset((name, value) for name, value in (term.split("=") for term in text.split()))


class Table:
    """A joint table: how many people there are in each atom."""

    def __init__(self, people: Sequence[int]) -> None:
        self.people = people
        self.n = sum(people)

    @classmethod
    def drawn(cls, rng: random.Random) -> "Table":
        """Mostly a few people in an atom; some atoms empty, some crowded."""
        return cls([rng.choice((0, 0, 1, 2, 4, 9, 30)) for _ in ATOMS])

    @classmethod
    def of(cls, people: Mapping[str, int]) -> "Table":
        return cls([sum(k for c, k in people.items() if cell(c) == atom) for atom in ATOMS])

    def count(self, asked: Cell) -> int:
        return self.within(region(asked))

    def within(self, atoms: Region) -> int:
        return sum(people for atom, people in enumerate(self.people) if atoms >> atom & 1)

    def own(self, columns: Iterable[str]) -> Callable[[Cell], int]:
        names = set(columns)
        return lambda asked: self.count(frozenset(term for term in asked if term[0] in names))

    def judges(self, policy: Policy) -> list[Judge]:
        return [Judge(policy, SCHEMA, self.n, self.own(columns)) for columns in (NORTH, SOUTH)]


@cache
def region(asked: Cell) -> Region:
    return sum(1 << number for number, atom in enumerate(ATOMS) if asked <= atom)


def run(table: Table, judges: Sequence[Any], batches: Iterable[Sequence[Cell]]) -> set[Cell]:
    """Release all that both sides allow."""
    released = set()
    for batch in batches:
        reasons = zip(*(judge.before(batch) for judge in judges), strict=True)
        for asked, refused in zip(batch, reasons, strict=True):
            value = table.count(asked)
            if any(refused) or any(judge.after(asked, value) for judge in judges):
                continue
            for judge in judges:
                judge.learn(asked, value)
            released.add(asked)
    return released


def batches(rng: random.Random) -> Iterator[list[Cell]]:
    """Some questions at random, some about whole families, as miners ask."""
    for _ in range(12):
        atoms = [rng.choice(ATOMS) for _ in range(6)]
        batch = [frozenset(rng.sample(sorted(atom), rng.randint(1, 3))) for atom in atoms]
        name = rng.choice(list(DOMAINS))
        parent = frozenset(term for term in batch[0] if term[0] != name)
        batch += [parent, *(parent | {(name, value)} for value in DOMAINS[name])]
        rng.shuffle(batch)
        yield batch


def concluded(released: Iterable[Cell]) -> set[Cell]:
    """Add every cell whose count follows, until none does."""
    known = {*released, cell()}
    while True:
        families = {
            (parent, name)
            for each in known
            for parent in (each, *(each - {term} for term in each))
            for name in set(DOMAINS) - {name for name, _ in parent}
        }
        new = set()
        for parent, name in families:
            family = {parent | {(name, value)} for value in DOMAINS[name]}
            if family <= known:
                new.add(parent)
            elif parent in known and len(family - known) == 1:
                new |= family
        if new <= known:
            return known
        known |= new


def sums(known: Collection[Cell]) -> Iterator[tuple[Cell, str, Region]]:
    """Add up the siblings of every family, each with some of the others."""
    for parent, name in {(each - {term}, term[0]) for each in known for term in each}:
        family = [parent | {(name, value)} for value in DOMAINS[name]]
        there = [region(each) for each in family if each in known]
        for many in range(1, len(there) + 1):
            for some in combinations(there, many):
                yield parent, name, sum(some)  # they are disjoint


def disclosed(table: Table, released: Iterable[Cell], policy: Policy) -> bool:
    """Whether the counts tell anyone who sees them of too few people."""
    summed = {each for _, _, each in sums(concluded(released))}
    regions = np.array([*(summed | {region(cell()), 0})], dtype=np.uint64)
    people = np.array([table.within(int(each)) for each in regions])
    whole, part = np.nonzero(regions[:, None] & regions == regions)
    proper = whole != part
    return any_few(people[whole[proper]] - people[part[proper]], policy)


def disclosed_to(
    columns: Collection[str], table: Table, released: Iterable[Cell], policy: Policy
) -> bool:
    """Whether the counts tell it to those who know how many satisfy terms on their own columns."""
    differences = []
    for parent, name, summed in sums(concluded(released)):
        own = frozenset(term for term in parent if term[0] in columns)
        if (own != parent or name not in columns) and region(own) != summed:
            differences.append(table.count(own) - table.within(summed))
    return any_few(np.array(differences), policy)


def any_few(people: NDArray[np.int64], policy: Policy) -> bool:
    few = (people > 0) & (people < policy.minimum)
    return bool((few | (people == 0) if policy.zeros == "withheld" else few).any())


@pytest.mark.slow
@pytest.mark.parametrize("policy", [WITHHELD, RELEASED], ids=["withheld", "released"])
def test_no_attacker_learns_of_fewer_people_than_the_minimum(policy: Policy) -> None:
    told = 0
    for seed in range(40):
        rng = random.Random(seed)
        table = Table.drawn(rng)
        released = run(table, table.judges(policy), batches(rng))
        told += len(released)
        assert not disclosed(table, released, policy)
        assert not disclosed_to(NORTH, table, released, policy)
        assert not disclosed_to(SOUTH, table, released, policy)
    assert told > 200  # the judges are strict, not mute


class WithoutDifferences:
    """A planted weakness: looks at each count alone."""

    def __init__(self, policy: Policy, table: Table) -> None:
        self.policy, self.n = policy, table.n

    def before(self, cells: Sequence[Cell]) -> list[str | None]:
        return [None] * len(cells)

    def after(self, asked: Cell, value: int) -> str | None:
        del asked
        return "few" if self.policy.small(value) or self.policy.small(self.n - value) else None

    def learn(self, asked: Cell, value: int) -> None:
        pass


def test_the_attacker_finds_a_judge_that_forgets_differences() -> None:
    caught = 0
    for seed in range(10):
        rng = random.Random(seed)
        table = Table.drawn(rng)
        released = run(table, [WithoutDifferences(WITHHELD, table)], batches(rng))
        caught += disclosed(table, released, WITHHELD)
    assert caught == 10


def test_an_owner_finds_a_judge_that_forgets_what_owners_know() -> None:
    caught = 0
    for seed in range(10):
        rng = random.Random(seed)
        table = Table.drawn(rng)
        released = run(table, [Judge(WITHHELD, SCHEMA, table.n, None)], batches(rng))
        assert not disclosed(table, released, WITHHELD)
        caught += disclosed_to(NORTH, table, released, WITHHELD)
    assert caught > 0


@pytest.mark.slow
@pytest.mark.parametrize("weakened", ["_leaves_few_of", "_left_few_by"])
def test_the_attacker_finds_a_judge_that_forgets_what_families_leave(
    weakened: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Judge, weakened, lambda *_: False)
    caught = 0
    for seed in range(40):
        rng = random.Random(seed)
        table = Table.drawn(rng)
        released = run(table, table.judges(RELEASED), batches(rng))
        caught += disclosed(table, released, RELEASED)
    assert caught > 0


def alone(policy: Policy, n: int = 100, own: Callable[[Cell], int] | None = None) -> Judge:
    return Judge(policy, SCHEMA, n, own)


@pytest.mark.parametrize(
    ("value", "withheld", "released"),
    [
        (0, True, False),
        (1, True, True),
        (4, True, True),
        (5, False, False),
        (95, False, False),
        (96, True, True),
        (100, True, False),
    ],
)
def test_a_small_count_and_a_small_rest_are_refused(
    value: int, withheld: bool, released: bool
) -> None:
    assert (alone(WITHHELD).after(cell("a=x"), value) is not None) is withheld
    assert (alone(RELEASED).after(cell("a=x"), value) is not None) is released


def test_a_differencing_pair_is_refused_before_any_value_is_there() -> None:
    # Of north's people with a=x, all but two have b=0: N(a=x d=0) − N(a=x b=0 d=0) is 2 at most.
    table = Table.of({"a=x b=0 c=p d=0": 30, "a=x b=1 c=p d=0": 2, "a=y b=1 c=p d=1": 30})
    north = table.judges(WITHHELD)[0]
    wide, narrow = cell("a=x d=0"), cell("a=x b=0 d=0")
    assert north.before([wide]) == north.before([narrow]) == [None]
    assert [why is None for why in north.before([wide, narrow])] == [True, False]
    assert [why is None for why in north.before([narrow, wide])] == [True, False]
    north.learn(wide, 32)
    assert north.before([narrow]) != [None]


def test_what_few_own_records_bound_is_refused_before() -> None:
    table = Table.of({"a=x b=0 c=p d=0": 50, "a=y b=0 c=p d=1": 40, "a=z b=1 c=p d=0": 3})
    north, south = table.judges(WITHHELD)
    few, nearly_all = cell("a=z d=0"), cell("b=0 d=0")
    assert [north.before([few]), south.before([few])] == [
        ["alone or beside others, it tells of fewer than 5 people"],
        [None],
    ]
    # South knows how many have d=0; beside that, this count would tell of north's three with b=1.
    assert north.before([nearly_all]) == ["alone or beside others, it tells of fewer than 5 people"]
    assert south.before([nearly_all]) == [None]


def test_the_last_of_a_family_is_not_told_by_the_others() -> None:
    table = Table.of({"a=x b=0 c=p d=0": 50, "a=y b=0 c=p d=0": 40, "a=z b=0 c=p d=0": 3})
    judge = alone(WITHHELD, table.n)
    judge.learn(cell("a=x"), 50)
    assert judge.after(cell("a=y"), 40) is not None  # three would be left for a=z
    north = Table.of({"a=x b=0 c=p d=0": 50, "a=y b=1 c=p d=1": 40, "a=z b=0 c=p d=0": 3}).judges(
        WITHHELD
    )[0]
    asked = [cell("d=0 a=x"), cell("d=0 a=y")]
    assert [why is None for why in north.before(asked)] == [True, False]


def test_some_of_a_family_may_leave_few_of_a_wider_count() -> None:
    judge = alone(RELEASED, 100)
    judge.learn(cell("b=0 c=p"), 60)
    # Three people are neither c=p nor c=q among b=0, or have b=1.
    assert (
        judge.after(cell("b=0 c=q"), 37)
        == "alone or beside others, it tells of fewer than 5 people"
    )
    late = alone(RELEASED, 1000)
    late.learn(cell("a=x b=0 c=p"), 60)
    late.learn(cell("a=x b=0 c=q"), 37)
    assert late.after(cell("a=x"), 100) == "alone or beside others, it tells of fewer than 5 people"


def test_counts_that_follow_are_judged_as_if_they_were_asked() -> None:
    judge = alone(WITHHELD, 1000)
    judge.learn(cell("b=0 d=0"), 20)
    judge.learn(cell("a=x b=0"), 38)
    # N(b=0) would be 40, and so tell of 2 people with b=0 and another a.
    assert judge.after(cell("b=0 d=1"), 20) is not None
    assert judge.after(cell("b=0 d=1"), 60) is None


def test_inclusion_and_exclusion_over_yes_and_no_is_covered() -> None:
    judge = alone(WITHHELD, 100)
    for asked, value in ((cell("b=0"), 60), (cell("d=0"), 60)):
        assert judge.after(asked, value) is None
        judge.learn(asked, value)
    # 100 − 60 − 60 + 21 = 1 person has neither.
    assert judge.after(cell("b=0 d=0"), 21) is not None
    assert judge.after(cell("b=0 d=0"), 30) is None


@pytest.mark.parametrize("within", ["", "b=0"])
@pytest.mark.parametrize("order", [*permutations(("a=x", "c=p", "a=x c=p"))], ids=" then ".join)
def test_nobody_learns_that_few_have_neither_of_two_things(
    within: str, order: Sequence[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table.of(
        {
            "a=x b=0 c=p d=0": 20,
            "a=x b=0 c=q d=0": 40,
            "a=y b=0 c=p d=0": 39,
            "a=z b=0 c=r d=0": 1,
            "a=y b=1 c=q d=0": 70 if within else 0,
        }
    )
    asked = [[cell(f"{within} {each}")] for each in (order if not within else ("", *order))]
    everything = {each for (each,) in asked}
    assert run(table, [alone(WITHHELD, table.n)], asked) < everything
    monkeypatch.setattr(Judge, "_few_have_neither", lambda *_: False)
    assert run(table, [alone(WITHHELD, table.n)], asked) == everything
    counts = [table.count(cell(f"{within} {each}")) for each in ("", "a=x", "c=p", "a=x c=p")]
    assert counts[0] - counts[1] - counts[2] + counts[3] == 1  # with neither a=x nor c=p


def test_a_count_between_known_ones_that_leave_no_room_is_not_asked() -> None:
    judge = alone(WITHHELD, 1000)
    judge.learn(cell("a=x"), 9)
    assert judge.before([cell("a=x c=p")]) != [None]
    lenient = alone(RELEASED, 1000)
    lenient.learn(cell("a=x"), 9)
    assert lenient.before([cell("a=x c=p")]) == [None]  # it may be 0, or all 9
    assert lenient.after(cell("a=x c=p"), 9) is None
    assert lenient.after(cell("a=x c=p"), 6) is not None


def test_what_a_side_knows_by_itself_counts_as_known() -> None:
    table = Table.of(
        {"a=x b=0 c=p d=0": 50, "a=x b=0 c=q d=0": 2, "a=y b=0 c=q d=1": 60, "a=y b=0 c=p d=1": 20}
    )
    north, south = table.judges(WITHHELD)
    asked = cell("a=x c=p")
    assert north.before([asked]) == south.before([asked]) == [None]
    assert north.after(asked, 50) is not None  # north knows that 52 have a=x
    assert south.after(asked, 50) is None
    south.learn(cell("a=x"), 52, released=False)  # until it learns the size of north's vector
    assert south.after(asked, 50) is not None


def test_asking_again_reveals_and_costs_nothing() -> None:
    judge = alone(Policy(5, counts=1))
    judge.learn(cell("a=x"), 40)
    assert judge.before([cell("a=x"), cell()]) == [None, None]
    assert judge.after(cell("a=x"), 40) is None
    assert judge.after(cell("a=x"), 41) == "it does not fit the counts known already"


@pytest.mark.parametrize("minimum", [0, 5])
def test_no_more_counts_are_released_than_agreed(minimum: int) -> None:
    judge = alone(Policy(minimum, counts=2))
    asked = [cell("a=x"), cell("a=x"), cell("c=p"), cell("d=0")]
    no_more = "no more than 2 counts are released"
    assert judge.before(asked) == [None, None, None, no_more]
    judge.learn(cell("a=x"), 40)
    judge.learn(cell("d=0"), 30, released=False)  # known otherwise: not a release
    assert judge.before([cell("c=p")]) == [None]
    judge.learn(cell("c=p"), 50)
    assert judge.before([cell("c=q")]) == [no_more]


def test_the_budget_for_noise_is_a_limit_too() -> None:
    judge = alone(Policy(0, counts=9, noise=Noise(Fraction(1, 2), Fraction(1))))
    judge.learn(cell("a=x"), -3)
    judge.learn(cell("c=p"), 50)
    assert judge.before([cell("c=q"), cell("c=p")]) == ["the budget for noise is used up", None]


def test_minimum_0_releases_everything() -> None:
    table = Table.drawn(random.Random(1))
    cells = [frozenset(some) for atom in ATOMS for some in combinations(sorted(atom), 2)]
    assert run(table, table.judges(LETS_ALL_PASS), [cells]) == set(cells)


def test_noisy_counts_that_do_not_add_up_are_judged_without_a_crash() -> None:
    judge = alone(Policy(5, noise=Noise(Fraction(1), Fraction(50))))
    for asked, value in ((cell("b=0"), 48), (cell("b=1"), 57), (cell("b=1"), 51)):
        assert judge.after(asked, value) is None
        judge.learn(asked, value)
    assert judge.after(cell("b=0 d=0"), -2) is not None


@pytest.mark.slow
def test_cells_are_judged_without_looking_at_all_that_were_released() -> None:
    rng = random.Random(1)
    schema = Schema.of({f"{n}": [str(v) for v in range(2 + n % 4)] for n in range(24)})

    def drawn() -> Cell:
        names = rng.sample(schema.names, rng.randint(1, 14))
        return frozenset((name, rng.choice(schema[name].values)) for name in names)

    def size(asked: Cell) -> int:
        return int(1e9 * 0.7 ** sum(int(name) % 2 for name, _ in asked))

    judge = Judge(Policy(), schema, 10**9, size)
    for asked in {drawn() for _ in range(20_000)}:
        judge.learn(asked, int(1e9 * 0.7 ** len(asked)))
    batch = [drawn() for _ in range(200)]
    assert None in judge.before(batch)
    # About as many calls as beside 2,000 cells: 250 for each of the batch.
    assert calls_of(lambda: judge.before(batch)).total() < 500 * len(batch)


def test_a_policy_is_read_written_and_told() -> None:
    document = {"minimum cell": "20", "zeros": "released", "counts": "500"}
    policy = Policy.of({**document, "noise": {"epsilon": "1/2", "budget": "20"}})
    assert policy == Policy(20, "released", 500, Noise(Fraction(1, 2), Fraction(20)))
    assert Policy.of(policy.document()) == policy
    assert Policy.of(None) == Policy.of({}) == Policy(10, "withheld")
    assert policy.digest != Policy.of(document).digest
    assert policy.most == 40
    for said in ("20 people", "No more than 40 counts", "epsilon 1/2", "by 40 counts"):
        assert said in policy.story()


def test_secure_counts_have_noise_and_a_limit_unless_all_say_otherwise() -> None:
    exact = Policy.of({"noise": "none", "counts": "5000"})
    assert Policy.of(exact.document()) == exact
    assert exact.digest != Policy.of({"counts": "5000"}).digest
    assert exact.most == 5_000
    silent = Policy.of({})
    for policies in ([silent], [silent, exact], [exact, silent, exact]):
        found = Policy.strictest(policies)
        assert found.noise == DEFAULT_NOISE
        assert found.most == DEFAULT_COUNTS == DEFAULT_NOISE.counts
        assert Policy.of(found.document()) == found
    alone = Policy.strictest([exact, exact])
    assert (alone.noise, alone.most, alone.document()["noise"]) == (None, 5_000, "none")
    assert "They are exact." in alone.story()


def test_there_is_no_more_than_one_count_for_so_many_people() -> None:
    silent, many = Policy.of({}), Policy.of({"people per count": "0", "counts": "5000"})
    assert Policy.strictest([silent, many]).most_about(500) == 50
    assert Policy.strictest([silent, many]).most_about(50_000) == 1_000
    assert Policy.strictest([many, many]).most_about(500) == DEFAULT_NOISE.counts == 1_000
    assert Policy.strictest([replace(many, noiseless=True)]).most_about(500) == 5_000
    judge = alone(Policy(0), 25)
    found = judge.before([cell("a=x"), cell("c=p"), cell("c=q")])
    assert found == [None, None, "no more than 2 counts are released"]


def test_where_the_disguise_protects_there_is_no_noise_and_no_limit_that_nobody_wrote() -> None:
    found = Policy.strictest([Policy(), Policy()], secure=False)
    assert (found.noise, found.most) == (None, None)
    assert Policy.strictest([Policy(), Policy(counts=30)], secure=False).most == 30


def test_the_story_says_what_noise_does_to_a_model_and_what_it_is_for() -> None:
    told = Policy().story()
    for said in (
        "fewer than 10 people is withheld",
        "fewer than 100 people in common",
        "No more than 1,000 counts are opened in all, and one for 10 people.",
        "a count of 100 is off by about 4",
        "a leaf of fewer than about 24 people is little more than a guess",
        "at most 1.65 times likelier",
        "to epsilon 500",
    ):
        assert said in told
    # Each side's noise has the variance 2p / (1 − p)², p = exp(−1/2): 7.8; of both 15.7 = 4.0².
    noise = [
        discrete_laplace(Fraction(2), key, str(n)) for n in range(4_000) for key in (b"a", b"b")
    ]
    both = np.array(noise).reshape(-1, 2).sum(axis=1)
    assert abs(both.std() - DEFAULT_NOISE.off_by) < 0.3  # the error of the sd is about 0.06


def test_the_least_number_of_people_is_the_largest_that_anybody_wants() -> None:
    assert Policy().people == 100
    many, few = Policy.of({"people": "2000"}), Policy.of({"people": "0"})
    assert Policy.strictest([many, few, Policy()]).people == 2_000
    assert Policy.strictest([few, few]).people == 0


def test_the_strictest_policy_takes_the_strictest_of_each() -> None:
    one = Policy(5, "released", 900, Noise(Fraction(1), Fraction(5)))
    two = Policy(20, "released", None, Noise(Fraction(1, 4), Fraction(9)))
    both = Policy.strictest([one, two, Policy(0)])
    assert both == Policy(20, "released", 900, Noise(Fraction(1, 4), Fraction(5)))
    assert Policy.strictest([both, Policy()]).zeros == "withheld"
    assert Policy.strictest([]) == Policy().settled()


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        ({"minimum": "3"}, "There is no entry 'minimum' here. Did you mean 'minimum cell'?"),
        ({"minimum cell": "few"}, "minimum cell: 'few' is not a whole number."),
        ({"zeros": "hidden"}, "zeros: There is no 'hidden' here."),
        ({"counts": "-1"}, "counts: '-1' is not a whole number."),
        ({"noise": {"epsilon": "0", "budget": "1"}}, "noise.epsilon: '0' is no number above 0."),
        ({"noise": {"epsilon": "2", "budget": "1"}}, "noise: The budget is less than one count"),
        ({"noise": {"epsilon": "1e9999", "budget": "1"}}, "is no number above 0."),
        ({"noise": {"epsilon": "1"}}, "noise: 'budget' is missing."),
        ({"noise": "off"}, "or noise: none."),
        ({"people": "many"}, "people: 'many' is not a whole number."),
        (["10"], "This must be a mapping."),
    ],
)
def test_a_policy_with_a_mistake_is_refused_in_one_sentence(
    document: object, sentence: str
) -> None:
    with pytest.raises(CollabError) as refused:
        Policy.of(document)
    assert sentence in str(refused.value)
