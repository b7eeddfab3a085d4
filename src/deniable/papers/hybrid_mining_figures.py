"""Figures 4 to 8 and Table 1 of paper D."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from deniable.base.arrays import Floats
from deniable.papers.datasets import SETS
from deniable.papers.electronic_surveys_figures import within_splits
from deniable.papers.hybrid_item_sets import (
    CHECKED,
    DERIVED,
    FOUND,
    NEAR_HALF,
    PRUNED,
    SET_THETAS,
    SUPPORT,
    SUPPORTS,
    TOLERANCES,
)
from deniable.papers.hybrid_trees import ALONE, HYBRID_SETS, TABLE_GROUPS, TABLE_THETA, WINDOWS
from deniable.papers.middle_of_range import CODINGS
from deniable.papers.one_coin_bayes import DISGUISES
from deniable.papers.reproduction.measurements import Measurements
from deniable.papers.reproduction.paper_figures import Figure, Panel, Series

TREE_THETAS = ("0", "0.1", "0.2", "0.3", "0.4", "0.45")
HYBRID_GROUPS = ("1", "2", "3", "4")

WINDOW_PLACES = {way: place for place, way in enumerate(WINDOWS, start=1)}
TICKS = {float(place): way.removeprefix("WS ") for way, place in WINDOW_PLACES.items()}

SHORT = {ALONE: "alone"}
"""Labels of lines that are shorter than what they are called."""

AROUND = 0.02
"""How far an axis goes below what hardly differs, so that it does not look as if it did."""

DERIVED_PLACE = 0.35
"""Where our tolerance is drawn, right of the papers'."""

TREES_ALIKE = (
    f"Trees are ID3 grown to the end, scored on undisguised test records; {DISGUISES} repeats "
    "share a split and a deal of the attributes to the parties, and deviations are those within."
)


def figures(found: Measurements) -> Sequence[Figure]:
    """Draw figures 4 to 8, and Table 1."""
    return [
        _by_groups(found),
        *_hybrid(found),
        _cost(found),
        _table_1(found),
        _plain_sets(found),
        _tolerated_sets(found),
    ]


def accuracy(found: Measurements, way: str, name: str, groups: str, theta: str) -> Floats:
    """Accuracy of one cell, a number for each repeat."""
    return found.values("trees", f"accuracy, {way}", set=name, groups=groups, theta=theta)


def gain(found: Measurements, way: str, name: str) -> Floats:
    """Δ of Table 1: how much better than randomization alone, repeat by repeat."""
    cell = name, TABLE_GROUPS, TABLE_THETA
    return accuracy(found, way, *cell) - accuracy(found, ALONE, *cell)


def share(found: Measurements, way: str, name: str) -> Floats:
    """C of Table 1: SMC computations beside those of secure counts alone, repeat by repeat."""
    used, all_of_them = (
        found.values(
            "trees", f"computations, {each}", set=name, groups=TABLE_GROUPS, theta=TABLE_THETA
        )
        for each in (way, "full")
    )
    shares: Floats = used / all_of_them
    return shares


def _lines(found: Measurements, name: str, ways: Mapping[str, Sequence[str]]) -> Iterator[Series]:
    """By θ, for each way and each of its numbers of groups."""
    for way, of_groups in ways.items():
        for groups in of_groups:
            points = [
                (float(theta), within_splits(accuracy(found, way, name, groups, theta)))
                for theta in TREE_THETAS
            ]
            of = {"set": name, "groups": groups, "scheme": way}
            label = "secure only" if way == "full" else f"{SHORT.get(way, way)}, {groups}G"
            yield Series(label, of, points, reference=way == "full")


def _by_groups(found: Measurements) -> Figure:
    lines = list(_lines(found, "adult", {ALONE: HYBRID_GROUPS}))
    says = (
        "Randomization alone on all of Adult, one coin for each of 1 to 4 groups of attributes; "
        f"the class is known. {TREES_ALIKE}"
    )
    panels = [Panel("Mean", lines), Panel("Standard deviation", lines, "standard deviation", low=0)]
    return Figure("D-4", "Figure 4: accuracy by number of groups, Adult", says, panels)


def _hybrid(found: Measurements) -> list[Figure]:
    """Draw means as the paper does, and deviations apart: its error bars hide the lines."""
    both, four = ("1", "4"), ("4",)
    ways = {"full": four, ALONE: both, "WS 1": both, "WS 3": both, "adaptive": four}
    means, deviations = [], []
    for name in HYBRID_SETS:
        title = SETS[name].title
        lines = list(_lines(found, name, ways))
        window = Series(
            "hybrid",
            {"set": name, "groups": TABLE_GROUPS, "scheme": "by window"},
            [
                (place, within_splits(accuracy(found, way, name, TABLE_GROUPS, TABLE_THETA)))
                for way, place in WINDOW_PLACES.items()
            ],
        )
        low = min(float(values.mean()) for _, values in window.points) - AROUND
        by_window = f"{title}: by window, {TABLE_GROUPS} groups, θ = {TABLE_THETA}"
        means += [
            Panel(f"{title}: by θ", lines),
            Panel(by_window, [window], x="window size", ticks=TICKS, low=round(low, 2)),
        ]
        deviations.append(Panel(title, lines[1:], "standard deviation", low=0))
    says = (
        "Hybrid-ID3 beside randomization alone; kG: k groups. WS k: the k candidates of highest "
        "estimated gain are counted exactly. adaptive (ours): those that are worth it; full: all "
        f"of them, which is secure counting alone. {TREES_ALIKE}"
    )
    return [
        Figure("D-5", "Figure 5: hybrid trees", says, means, main=True),
        Figure("D-5-deviations", "Figure 5: standard deviations", says, deviations),
    ]


def _by_window(found: Measurements, statistic: str, y: str) -> Panel:
    measured = gain if statistic == "gain" else share
    lines = [
        Series(
            f"{y}, {SETS[name].title}",
            {"set": name, "measure": statistic},
            [(place, measured(found, way, name)) for way, place in WINDOW_PLACES.items()],
        )
        for name in HYBRID_SETS
    ]
    return Panel(y, lines, x="window size", y=y, ticks=TICKS, low=0)


def _cost(found: Measurements) -> Figure:
    lines = [
        Series(
            SETS[name].title,
            {"set": name, "measure": "SMC computations"},
            [
                (
                    place,
                    found.values(
                        "trees",
                        f"computations, {way}",
                        set=name,
                        groups=TABLE_GROUPS,
                        theta=TABLE_THETA,
                    ),
                )
                for way, place in WINDOW_PLACES.items()
            ],
        )
        for name in HYBRID_SETS
    ]
    panels = [
        Panel(line.label, [line], x="window size", y="SMC computations", ticks=TICKS, low=0)
        for line in lines
    ]
    says = (
        "The text at hand describes no figure 6; here is what §6.4 is about. An SMC computation is "
        "one count of records by attributes of both parties; the class is known to both, and what "
        "a step before has counted is not counted again."
    )
    return Figure("D-6", "Cost: SMC computations by window size", says, panels)


def _table_1(found: Measurements) -> Figure:
    says = (
        f"Four groups, θ = {TABLE_THETA}. Δ: accuracy of the hybrid less that of randomization "
        "alone. C: its SMC computations as a share of those of secure counts alone."
    )
    panels = [_by_window(found, "gain", "Δ"), _by_window(found, "share", "C")]
    return Figure("D-table-1", "Table 1: what the hybrid gains and costs", says, panels, table=True)


def _plain_sets(found: Measurements) -> Figure:
    panels = []
    for coding, words in reversed(CODINGS.items()):
        lines = [
            Series(
                measure,
                {"coding": coding, "measure": measure},
                [
                    (
                        float(support),
                        found.values("plain sets", measure, coding=coding, support=support),
                    )
                    for support in SUPPORTS
                ],
            )
            for measure in (CHECKED, FOUND, PRUNED)
        ]
        panels.append(Panel(f"(a) secure only; {words}", lines, x="support", y="item sets", low=0))
        quality = [
            Series(
                measure,
                {"coding": coding, "measure": measure},
                [
                    (
                        float(theta),
                        found.values(
                            "disguised sets", f"alone: {measure}, 0", coding=coding, theta=theta
                        ),
                    )
                    for theta in SET_THETAS
                ],
            )
            for measure in ("valid", "missed")
        ]
        title = f"randomization only; {words}"
        panels.append(Panel(f"(b) {title}", quality, y="ratio", low=0))
        panels.append(Panel(f"(b) {title}: s.d.", quality, "standard deviation", y="ratio", low=0))
    says = (
        "All of Adult, an item for each attribute's upper value, one coin for all attributes; "
        f"support {SUPPORT} in (b). The paper does not say how it makes attributes binary; the "
        "number of frequent sets rests on that, so both readings are here. "
        "valid: share of the sets found that are frequent; missed: share of the frequent ones that "
        "are not found."
    )
    return Figure("D-7", "Figure 7: frequent item sets, either way alone", says, panels)


def _tolerated_sets(found: Measurements) -> Figure:
    panels = []
    for coding, words in reversed(CODINGS.items()):
        quality = [
            _by_tolerance(found, f"{way}: {measure}", f"{way}, {measure}", coding)
            for way in ("alone", "hybrid")
            for measure in ("valid", "missed")
        ]
        checked = [
            _by_tolerance(found, "hybrid: confirmed", "confirmed", coding),
            _by_tolerance(found, "hybrid: screened", "screened", coding),
            _alone_at(found, coding),
        ]
        alone = [_by_tolerance(found, "alone: checked", "alone", coding)]
        ticks = {float(t): t for t in ("0", "0.1", "0.2", "0.3")} | {DERIVED_PLACE: DERIVED}
        panels += [
            Panel(f"(a) {words}", quality, x="tolerance", y="ratio", ticks=ticks, low=0),
            Panel(f"(b) {words}", checked, x="tolerance", y="sets checked", ticks=ticks, low=0),
            Panel(
                f"(b) alone; {words}", alone, x="tolerance", y="sets checked", ticks=ticks, low=0
            ),
        ]
    says = (
        f"θ = {NEAR_HALF}, support {SUPPORT}. alone: randomization only. In (b), sets that the "
        "hybrid screens by estimates and confirms by secure counts. derived (ours): the tolerance "
        "follows from each count's standard error. What randomization alone checks has a "
        "scale of its own."
    )
    return Figure("D-8", "Figure 8: hybrid item sets by tolerance", says, panels)


def _by_tolerance(found: Measurements, measure: str, label: str, coding: str) -> Series:
    places = {**{t: float(t) for t in TOLERANCES}, DERIVED: DERIVED_PLACE}
    points = [
        (place, found.values("disguised sets", f"{measure}, {t}", coding=coding, theta=NEAR_HALF))
        for t, place in places.items()
    ]
    return Series(label, {"coding": coding, "measure": measure}, points)


def _alone_at(found: Measurements, coding: str) -> Series:
    checked = found.values("plain sets", CHECKED, coding=coding, support=str(SUPPORT))
    places = [*map(float, TOLERANCES), DERIVED_PLACE]
    points = [(place, np.asarray(checked)) for place in places]
    return Series("secure only", {"coding": coding, "measure": CHECKED}, points, reference=True)
