"""Accuracy against what an attacker recovers: a figure for each set, and one of our miners."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from deniable.base.arrays import Floats
from deniable.papers.datasets import SETS
from deniable.papers.equal_privacy import (
    ALONE,
    ATTACKED,
    COMPARED_SETS,
    MINED,
    SAMPLED,
    SHARED,
    SLOW,
    SLOW_MINERS,
    STRENGTHS,
    epsilon_of,
)
from deniable.papers.reproduction.measurements import Measurements
from deniable.papers.reproduction.paper_figures import Figure, Panel, Series


class Scheme(NamedTuple):
    """A design and a miner."""

    design: str
    miner: str


SCHEMES: Mapping[str, Scheme] = {
    "A: one group, ID3": Scheme("one group", "ID3"),
    "A: three groups, ID3": Scheme("three groups", "ID3"),
    "B, E: one coin, Bayes": Scheme(SHARED, "naive Bayes"),
    "LDP: each, Bayes": Scheme(ALONE, "naive Bayes"),
    "LDP: a pair, Bayes": Scheme(SAMPLED, "naive Bayes"),
    "ours: one coin, forest": Scheme(SHARED, "forest"),
    "ours: each, forest": Scheme(ALONE, "forest"),
}
"""What is compared, by the words beside its line."""

OUR_LINES = ("ID3", "naive Bayes", "tree", "group-wise", "forest", "best")

MEASURES: Mapping[str, str] = {
    "class": "the sensitive answer",
    "answer": "any answer, on average",
    "record": "the whole record",
}
"""What the attacker guesses; the first one is what schemes are compared by."""

UNSEEN = {"class": "class unseen", "answer": "answer unseen", "record": "record unseen"}
"""The share that is guessed without any report."""


def figures(found: Measurements) -> Sequence[Figure]:
    """Compare all schemes on each set; all miners through each design."""
    return [
        *(_compared(found, name) for name in COMPARED_SETS),
        *(_miners(found, name) for name in COMPARED_SETS),
    ]


def strengths(found: Measurements, name: str, design: str, experiment: str) -> list[str]:
    """Give those that were measured, from weak to strong."""
    return [
        theta
        for theta in STRENGTHS[design]
        if found.has(experiment, set=name, design=design, theta=theta)
    ]


def _compared(found: Measurements, name: str) -> Figure:
    panels = [
        Panel(
            f"({letter}) {words}",
            [
                *(_line(found, name, label, each, measure) for label, each in SCHEMES.items()),
                *_marks(found, name, measure),
            ],
            x="share guessed rightly",
        )
        for letter, (measure, words) in zip("abc", MEASURES.items(), strict=True)
    ]
    by_epsilon = [
        _line(found, name, label, each, None)
        for label, each in SCHEMES.items()
        if epsilon_of(each.design, "0.9") is not None
    ]
    panels.append(Panel("(d) ε of a report, where it is finite", by_epsilon, x="ε"))
    return Figure(
        f"Beyond-{name}",
        f"{SETS[name].title}: accuracy, by what an attacker recovers",
        "Further left is more private, further up more accurate. The sensitive answer is the "
        "class. The attacker knows the design and all reports. Related groups of several answers "
        "have no finite ε. Lines join growing strengths of one design.",
        panels,
        main=name == COMPARED_SETS[0],
        compared=True,
    )


def _line(
    found: Measurements, name: str, label: str, scheme: Scheme, measure: str | None
) -> Series:
    """Accuracy at each strength of a design, by what is recovered there, or by ε."""
    points: list[tuple[float, Floats]] = []
    experiment = SLOW if scheme.miner in SLOW_MINERS else MINED
    for theta in strengths(found, name, scheme.design, experiment):
        where = {"set": name, "design": scheme.design, "theta": theta}
        if measure is None:
            place = epsilon_of(scheme.design, theta)
            assert place is not None
        else:
            place = found.mean(ATTACKED, measure, **where)
        points.append((place, found.values(experiment, scheme.miner, **where)))
    of = {"set": name, "design": scheme.design, "scheme": scheme.miner, "by": measure or "epsilon"}
    return Series(label, of, sorted(points, key=lambda point: point[0]))


def _marks(found: Measurements, name: str, measure: str) -> list[Series]:
    """Draw what needs no report: guessing unseen, and trees of plain records."""
    where = {"set": name, "design": SHARED, "theta": strengths(found, name, SHARED, MINED)[0]}
    unseen = found.mean(ATTACKED, UNSEEN[measure], **where)
    marks = []
    for label in ("plain ID3", "larger class"):
        values = found.values(MINED, label, **where)
        points = [(unseen, values), (1.0, values)]
        marks.append(Series(label, {"set": name, "scheme": label, "by": measure}, points, True))
    return marks


def _miners(found: Measurements, name: str) -> Figure:
    panels = []
    for design, words in (
        ("three groups", "three related groups"),
        (ALONE, "a coin for each answer"),
        (SHARED, "one coin for all, unrelated"),
    ):
        lines = [_line(found, name, miner, Scheme(design, miner), "class") for miner in OUR_LINES]
        marks = _marks(found, name, "class")
        panels.append(Panel(words, [*lines, *marks], x="sensitive answers guessed rightly"))
    return Figure(
        f"Beyond-{name}-miners",
        f"{SETS[name].title}: every miner on the same reports",
        "“ID3” is paper A’s, naive Bayes ours with expected counts. Slow miners are tried less.",
        panels,
        compared=True,
    )
