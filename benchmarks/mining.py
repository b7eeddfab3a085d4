"""Mining disguised records, beside scikit-learn on the undisguised ones.

Alone: ``python -m benchmarks.mining``, where the peers are.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.naive_bayes import BernoulliNB
from sklearn.tree import DecisionTreeClassifier

from benchmarks.report import Bar, Row, Section, milliseconds
from benchmarks.timing import alternating, best
from deniable import Design, RandomizedOracle, Records, Schema, disguise
from deniable.engine.memory.numpy_engine import MemoryEngine
from deniable.mine.bayes import mine_bayes
from deniable.mine.tree.decision_tree import DecisionTree
from deniable.mine.tree.mine_tree import Growth, mine_tree
from deniable.papers.related_groups import related

RECORDS, ATTRIBUTES = 1_000_000, 14
WIDE_RECORDS, WIDE_ATTRIBUTES, DEEPEST = 200_000, 100, 8
OTHERS = 100_000
TIMES = 4
THETA = "0.8"
GROUPS = 3
TARGET = "class"
REPEATS = 7
OUR_REPEATS = 20

KINDS: dict[str, Growth] = {"faithful": "faithful", "default": "shrunk"}
TREE_BARS = {"faithful": Bar(20, "≥"), "default": Bar(5, "≥")}
BAYES_BAR = Bar(20, "≥")
WIDE_BARS = {"faithful": Bar(5, "≥"), "default": Bar(1.5, "≥")}
GROWTH_BAR = Bar(1.3, "<")

Array = NDArray[Any]
Fit = Callable[[Array], Any]
Work = Callable[[], Any]

NOTES = (
    f"θ = {THETA}, {GROUPS} related groups. Ours begins with records of reports (codes of one "
    "byte): every repeat has a fresh engine and a fresh oracle, so that packing and counting are "
    "inside; *from an array* adds `Records.from_codes` on an array of records × attributes. The "
    "peers get the undisguised data, in bytes or floating point, whichever is quicker for them. "
    "They are slower if the array lies in memory by rows, as NumPy makes it, than by columns; "
    "naive Bayes and the wide tree are given their quicker layout. Best of "
    f"{OUR_REPEATS}, the wide trees and the peers of {REPEATS}.",
    f"Tree and naive Bayes: {RECORDS:,} records of {ATTRIBUTES} yes/no attributes that depend on "
    "three hidden traits; the class is public and depends on a noisy sum of five. The peer's tree "
    "has `criterion='entropy'`. *faithful* and *default* are `mine_tree(growth=…)`; the default "
    "is grown on shrunk counts, after a test against chance.",
    "The counts of naive Bayes are asserted to be within 5 standard errors of the peer's. "
    "`BernoulliNB` first compares every value with a threshold; `binarize=None` leaves that out, "
    "for reading only.",
    f"Wide tree: {WIDE_RECORDS:,} records of {WIDE_ATTRIBUTES} independent attributes, the class a "
    f"noisy sum of nine; {DEEPEST} levels on both sides.",
)


@dataclass(frozen=True, eq=False)
class People:
    """Yes/no attributes, and a public class that depends on some of them."""

    codes: NDArray[np.uint8]
    answer: NDArray[np.uint8]

    @cached_property
    def design(self) -> Design:
        """All attributes but the class in three groups."""
        names = [f"a{index}" for index in range(self.codes.shape[1])]
        schema = Schema.of({name: ["no", "yes"] for name in [*names, TARGET]})
        return related(schema, names, GROUPS, THETA)

    @cached_property
    def reports(self) -> Records:
        """What these people report."""
        people = Records.from_codes([*self.codes.T, self.answer], self.design.schema)
        reports: Records = disguise(people, self.design)
        return reports

    def oracle(self, reports: Records | None = None) -> RandomizedOracle:
        """Begin with nothing counted."""
        return RandomizedOracle(MemoryEngine(reports or self.reports), self.design)

    def right(self, answers: Array) -> float:
        """Share of these people whose class is answered right."""
        return float((answers == self.answer).mean())


def run() -> Section:
    """Mine by all sides."""
    people = narrow(RECORDS, seed=1)
    _agree(people)
    rows = [*_tree_rows(people), *_bayes_rows(people), *_wide_rows()]
    return Section("Mining", "times faster", rows, [*NOTES, _worth(people)])


def growth() -> Section:
    """Mine four times as many records; take off what counting them takes."""
    works: dict[str, Work] = {}
    for n in (RECORDS, TIMES * RECORDS):
        people = narrow(n, seed=1)
        works[f"counting {n}"] = partial(_counted, people.reports)
        works |= {f"{kind} {n}": partial(_tree, people, kind) for kind in KINDS}
    times = alternating(works, OUR_REPEATS)
    small, large = (
        {kind: times[f"{kind} {n}"] - times[f"counting {n}"] for kind in KINDS}
        for n in (RECORDS, TIMES * RECORDS)
    )
    rows = [
        Row(
            f"tree, {kind}, {TIMES * RECORDS:,} records",
            f"ourselves at {RECORDS:,}",
            milliseconds(large[kind]),
            milliseconds(small[kind]),
            large[kind] / small[kind],
            GROWTH_BAR,
        )
        for kind in small
    ]
    passes = [milliseconds(times[f"counting {n}"]) for n in (RECORDS, TIMES * RECORDS)]
    note = (
        "As above; what is beyond one counting pass: the time to mine, less the time to pack and "
        f"tabulate the same records, which is {passes[0]} and {passes[1]}. Of the "
        f"2^{ATTRIBUTES + 1} possible reports nearly all occur. Best of {OUR_REPEATS}, in turns."
    )
    return Section("Mining more records", "times as long", rows, [note])


def narrow(n: int, seed: int) -> People:
    """So many people of fourteen attributes, who differ by three hidden traits."""
    rng = np.random.default_rng(seed)
    traits = rng.random((n, 3))[:, np.arange(ATTRIBUTES) // 2 % 3]
    return _people(rng.random((n, ATTRIBUTES)) < 0.3 + 0.4 * traits, 5, rng)


def _people(codes: NDArray[np.bool_], many: int, rng: np.random.Generator) -> People:
    """Let the class be a noisy majority of the first attributes."""
    sums = codes[:, :many].sum(axis=1) + rng.normal(size=len(codes))
    return People(codes.astype(np.uint8), (sums > many / 2).astype(np.uint8))


def _row(question: str, peer: str, ours: float, theirs: float, bar: Bar | None) -> Row:
    return Row(question, peer, milliseconds(ours), milliseconds(theirs), theirs / ours, bar)


def _quickest(fit: Fit, forms: Sequence[Array]) -> float:
    """Time a peer on the form of the data that it is quickest with."""
    works = {str(at): partial(fit, form) for at, form in enumerate(forms)}
    return min(alternating(works, REPEATS).values())


def _tree(people: People, kind: str, max_depth: int | None = None) -> DecisionTree:
    return mine_tree(people.oracle(), TARGET, growth=KINDS[kind], max_depth=max_depth)


def _plain_tree(people: People, codes: Array, **options: Any) -> Any:
    return DecisionTreeClassifier(criterion="entropy", **options).fit(codes, people.answer)


def _layouts(codes: NDArray[np.uint8]) -> dict[str, list[Array]]:
    """Forms that a peer may like best, by how they lie in memory."""
    types = (np.uint8, np.float32)
    return {
        "by rows": [np.asarray(codes, dtype=each, order="C") for each in types],
        "by columns": [np.asarray(codes, dtype=each, order="F") for each in types],
    }


def _counted(reports: Records) -> object:
    return MemoryEngine(reports).tabulate([reports.schema.names])


def _agree(people: People) -> None:
    """Compare the counts of yes in each class with a peer's, which are exact."""
    exact = BernoulliNB().fit(people.codes, people.answer).feature_count_
    for feature, table in enumerate(mine_bayes(people.oracle(), TARGET).tables):
        apart = np.abs(table.value[:, 1] - exact[:, feature])
        # 5 s.d. in each of 28 counts: a false alarm once in sixty thousand runs.
        assert (apart < 5 * table.std_error[:, 1]).all(), feature


def _tree_rows(people: People) -> list[Row]:
    array = np.stack(people.reports.columns, axis=1)

    def from_array() -> object:
        reports = Records.from_codes(array, people.design.schema)
        return mine_tree(people.oracle(reports), TARGET, growth="faithful")

    peers = {
        f"DecisionTreeClassifier, {layout}": _quickest(partial(_plain_tree, people), forms)
        for layout, forms in _layouts(people.codes).items()
    }
    works: dict[str, Work] = {kind: partial(_tree, people, kind) for kind in KINDS}
    works["faithful, from an array"] = from_array
    times = {name: best(work, OUR_REPEATS) for name, work in works.items()}
    return [
        _row(f"tree, {name}", peer, ours, theirs, TREE_BARS.get(name))
        for name, ours in times.items()
        for peer, theirs in peers.items()
    ]


def _bayes_rows(people: People) -> list[Row]:
    ours = best(lambda: mine_bayes(people.oracle(), TARGET), OUR_REPEATS)
    columns = np.asfortranarray(people.codes, dtype=np.float64)
    forms: list[Array] = [people.codes, people.codes.astype(np.float64), columns]
    works: dict[str, tuple[Fit, Bar | None]] = {
        "BernoulliNB": (lambda codes: BernoulliNB().fit(codes, people.answer), BAYES_BAR),
        "BernoulliNB, binarize=None": (
            lambda codes: BernoulliNB(binarize=None).fit(codes, people.answer),
            None,
        ),
    }
    return [
        _row("naive Bayes", peer, ours, _quickest(fit, forms), bar)
        for peer, (fit, bar) in works.items()
    ]


def _wide_rows() -> list[Row]:
    rng = np.random.default_rng(2)
    people = _people(rng.random((WIDE_RECORDS, WIDE_ATTRIBUTES)) < 0.5, 9, rng)
    fit = partial(_plain_tree, people, max_depth=DEEPEST)
    theirs = _quickest(fit, _layouts(people.codes)["by columns"])
    times = {kind: best(partial(_tree, people, kind, DEEPEST), REPEATS) for kind in KINDS}
    return [
        _row(f"wide tree, {kind}", "DecisionTreeClassifier", ours, theirs, WIDE_BARS.get(kind))
        for kind, ours in times.items()
    ]


def _worth(people: People) -> str:
    """Say what the trees are worth, so that speed is not all."""
    others = narrow(OTHERS, seed=3)
    plain = _plain_tree(people, people.codes)
    found = [("the peer", plain.get_n_leaves(), others.right(plain.predict(others.codes)))]
    for kind in KINDS:
        tree = _tree(people, kind)
        answers = tree.predict(others.codes.astype(np.int64))
        found.append((kind, len(tree.leaves), others.right(answers)))
    told = "; ".join(f"{name}: {right:.3f}, {leaves:,} leaves" for name, leaves, right in found)
    return f"Share of {OTHERS:,} other undisguised people answered right: {told}."


if __name__ == "__main__":
    print(run())
    print()
    print(growth())
