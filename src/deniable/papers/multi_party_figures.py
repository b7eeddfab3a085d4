"""The figures of paper C, and ours beside them."""

from collections.abc import Sequence
from itertools import product

from deniable.papers.datasets import SETS
from deniable.papers.multi_party_trees import MULTI_PARTY_SETS, OWN_THETAS
from deniable.papers.related_groups import THETAS, UPPER
from deniable.papers.reproduction.measurements import Measurements
from deniable.papers.reproduction.paper_figures import Figure, Panel, Series

HALF_GAP = (0.5,)

OURS_OF_PARTIES = (
    ("faithful", "faithful", "faithful"),
    ("open collector", "faithful", "faithful, open"),
    ("tree", "tree", "tree"),
    ("open collector", "tree", "tree, open"),
    ("faithful", "plain ID3", "plain ID3"),
    ("faithful", "larger class", "larger class"),
)
"""Experiment, scheme and label of each line."""


def figures(found: Measurements) -> Sequence[Figure]:
    """Figures 2 and 3, ours for the same sets, and what section 7 proposes."""
    return [
        *(_of_set(found, number, name) for number, name in enumerate(MULTI_PARTY_SETS, start=2)),
        _ours(found),
        _proposed(found),
    ]


def _line(
    found: Measurements,
    experiment: str,
    scheme: str,
    name: str,
    label: str,
    thetas: Sequence[str] = THETAS,
) -> Series:
    points = [
        (float(theta), found.values(experiment, scheme, set=name, theta=theta))
        for theta in thetas
        if found.has(experiment, set=name, theta=theta)
    ]
    of = {"set": name, "scheme": scheme, "parties": experiment}
    reference = scheme in {"plain ID3", "larger class"}
    return Series(label, of, points, reference)


def _of_set(found: Measurements, number: int, name: str) -> Figure:
    theirs = _line(found, "faithful", "faithful", name, "three parties")
    plain = _line(found, "faithful", "plain ID3", name, "plain ID3")
    return Figure(
        f"C-{number}",
        f"Figure {number}: {SETS[name].title}",
        "Three parties hold the attributes, dealt at random; each disguises its own as one group "
        "and sends them to a collector. All know the class. The paper’s ID3, tested on "
        "undisguised records.",
        [
            Panel("(a) Mean of accuracy", [theirs, plain], gap=HALF_GAP),
            Panel("(b) Variance of accuracy", [theirs], "variance", gap=HALF_GAP, low=0),
        ],
    )


def _ours(found: Measurements) -> Figure:
    panels = []
    for name in MULTI_PARTY_SETS:
        lines = [
            _line(found, experiment, scheme, name, label, UPPER)
            for experiment, scheme, label in OURS_OF_PARTIES
        ]
        panels.append(Panel(SETS[name].title, lines))
    return Figure(
        "C-ours",
        "The paper’s tree and ours, and a collector who disguises nothing",
        "“Tree” is what “mine tree” grows by default, from the same reports. “Open”: the "
        "collector is one of the parties and keeps its own columns as they are, which only it "
        "sees anyway.",
        panels,
        main=True,
    )


def _proposed(found: Measurements) -> Figure:
    """Section 7: a θ for each party, of columns or of records."""
    ticks = {float(at): each.replace(" ", "/") for at, each in enumerate(OWN_THETAS)}
    ways = {"own θ": "columns", "own records": "records"}
    panels = []
    for name in MULTI_PARTY_SETS:
        lines = [
            Series(
                f"{scheme}, {ways[way]}",
                {"set": name, "scheme": scheme, "parties": way},
                [
                    (float(at), found.values(way, scheme, set=name, thetas=thetas))
                    for at, thetas in enumerate(OWN_THETAS)
                ],
            )
            for way, scheme in product(ways, ("faithful", "tree"))
        ]
        panels.append(Panel(SETS[name].title, lines, x="θ of the three parties", ticks=ticks))
    return Figure(
        "C-proposed",
        "Section 7: every party with a θ of its own",
        "Parties hold different columns of all records, or all columns of different records "
        "(what the paper calls homogeneous). From left to right one more party disguises less.",
        panels,
    )
