"""Accuracy against what an attacker recovers: a figure for each set, and one of our miners."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from deniable.base.arrays import Floats
from deniable.papers.datasets import SETS
from deniable.papers.equal_privacy import (
    ATTACKED,
    COIN_EACH,
    COIN_FOR_ALL,
    COMPARED_SETS,
    DESIGN_STRENGTHS,
    MINED,
    SAMPLED,
    SLOW,
    SLOW_MINERS,
    epsilon_of,
)
from deniable.papers.reproduction.measurements import Measurements
from deniable.papers.reproduction.paper_figures import Figure, Panel, Series


class Scheme(NamedTuple):
    """A design and a miner."""

    design: str
    miner: str


COMPARED_SCHEMES: Mapping[str, Scheme] = {
    "ours: 1 coin": Scheme(COIN_FOR_ALL, "forest"),
    "ours: each": Scheme(COIN_EACH, "forest"),
    "B, E: 1 coin": Scheme(COIN_FOR_ALL, "naive Bayes"),
    "LDP: each": Scheme(COIN_EACH, "naive Bayes"),
    "LDP: a pair": Scheme(SAMPLED, "naive Bayes"),
    "A: 1 group": Scheme("one group", "ID3"),
    "A: 3 groups": Scheme("three groups", "ID3"),
}
"""What is compared, by the words beside its line; those without a finite ε come last."""

MAIN_SET = "mushroom"

EVEN_GUESS = 0.5
"""Where drawings begin: an even guess."""

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
        for theta in DESIGN_STRENGTHS[design]
        if found.has(experiment, set=name, design=design, theta=theta)
    ]


def _compared(found: Measurements, name: str) -> Figure:
    panels = [
        Panel(
            f"({letter}) {words}",
            [
                *(
                    _line(found, name, label, each, measure)
                    for label, each in COMPARED_SCHEMES.items()
                ),
                *_marks(found, name, measure),
            ],
            x="share guessed rightly",
            floor=EVEN_GUESS,
        )
        for letter, (measure, words) in zip("abc", MEASURES.items(), strict=True)
    ]
    by_epsilon = [
        _line(found, name, label, each, None)
        for label, each in COMPARED_SCHEMES.items()
        if epsilon_of(each.design, "0.9") is not None
    ]
    panels.append(
        Panel("(d) ε of a report, where it is finite", by_epsilon, x="ε", floor=EVEN_GUESS)
    )
    return Figure(
        f"beyond-{name}",
        f"{SETS[name].title}: accuracy, by what an attacker recovers",
        "Further left is more private, further up more accurate; lines join growing strengths of "
        "a design. The sensitive answer is the class. “Ours” mines forests, through one coin for "
        "all answers or one for each; B and E naive Bayes through one coin; “LDP” naive Bayes from "
        "a coin for each answer, or from one sampled pair; A its trees through related groups, "
        "which have no finite ε, and nothing further left than is drawn. Accuracies "
        "below .5 are drawn at .5.",
        panels,
        main=name == MAIN_SET,
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
    return Series(label, of, points)


def _marks(found: Measurements, name: str, measure: str) -> list[Series]:
    """Draw what needs no report: guessing unseen, and trees of plain records."""
    where = {
        "set": name,
        "design": COIN_FOR_ALL,
        "theta": strengths(found, name, COIN_FOR_ALL, MINED)[0],
    }
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
        (COIN_EACH, "a coin for each answer"),
        (COIN_FOR_ALL, "one coin for all, unrelated"),
    ):
        lines = [_line(found, name, miner, Scheme(design, miner), "class") for miner in OUR_LINES]
        marks = _marks(found, name, "class")
        panels.append(Panel(words, [*lines, *marks], x="share guessed rightly", floor=EVEN_GUESS))
    return Figure(
        f"beyond-{name}-miners",
        f"{SETS[name].title}: every miner on the same reports",
        "By the share of sensitive answers that is guessed rightly. “ID3” is paper A’s, naive "
        "Bayes ours with expected counts. Slow miners are tried less.",
        panels,
        compared=True,
    )
