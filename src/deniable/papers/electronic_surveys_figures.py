"""Figures of papers B and E: accuracy and its variance by θ, privacy, both questions compared."""

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np

from deniable.base.arrays import Floats
from deniable.papers.answer_privacy import PRIVACY_MEASURES, PRIVACY_THETAS, PRIVATE_SHARES
from deniable.papers.datasets import SETS
from deniable.papers.one_bit_test import ONE_BIT_THETAS, TOLD_ERROR
from deniable.papers.one_coin_bayes import DISGUISES, UNDISGUISED
from deniable.papers.reproduction.measurements import Measurements
from deniable.papers.reproduction.paper_figures import Figure, Panel, Series, Statistic
from deniable.papers.shared_coin import RELATED, UNRELATED

SURVEY_SETS = ("adult", "breast-cancer-wisconsin")
UNRELATED_THETAS = (
    "0", "0.05", "0.1", "0.2", "0.3", "0.4", "0.5", "0.51", "0.6", "0.7", "0.8", "0.9", "1",
)  # fmt: skip
RELATED_THETAS = ("0", "0.1", "0.2", "0.3", "0.4", "0.51", "0.6", "0.7", "0.8", "0.9", "1")
THETAS_OF = {UNRELATED: UNRELATED_THETAS, RELATED: RELATED_THETAS}

PRINTED_MEANS = {
    RELATED: {"0.51": 0.66, "0.6": 0.81, "0.7": 0.82, "0.8": 0.82, "0.9": 0.82},
    UNRELATED: {"0.5": 0.81, "0.51": 0.81, "0.6": 0.82, "0.7": 0.82, "0.8": 0.82, "0.9": 0.82},
}
"""Figure 7 of the 2007 paper, Adult."""

PRINTED_VARIANCES = {
    RELATED: {"0.51": 0.0054, "0.6": 0.0002, "0.7": 0.0001, "0.8": 0.0, "0.9": 0.0},
    UNRELATED: {
        "0.5": 0.0001, "0.51": 0.0001, "0.6": 0.0001, "0.7": 0.0001, "0.8": 0.0, "0.9": 0.0,
    },
}  # fmt: skip

SCHEMES = {
    "inversion": "formula",
    "projected": "nearest",
    "expected": "expected",
}
"""Labels: the papers' formula, and ours with the nearest or the expected possible counts."""

LABELS = (
    "formula: the paper’s, with estimates as they come. Ours, possible counts first: nearest ones, "
    "or expected ones (the default)."
)

OUR_SETTINGS = tuple(
    {"set": name, "model": model, "miners": miners}
    for name, model, miners in product(
        SURVEY_SETS,
        THETAS_OF,
        (
            "naive Bayes, tree, forest, group-wise, best",
            "naive Bayes, tree",
            "forest, group-wise",
            "best",
        ),
    )
)
"""What may have been measured of our miners, θ aside."""

SPLITS_SHARED = (
    f"{DISGUISES} disguises share a split; variances are those within a split, as in the papers, "
    "where there is one split."
)


def figures_of_2004(found: Measurements) -> Sequence[Figure]:
    """Draw figures 1 to 5."""
    return [
        *_of_sets(found, "B", (1, 2), "mean"),
        *_of_sets(found, "B", (3, 4), "variance"),
        _privacy(found, "B-5", "Figure 5: privacy before mining"),
    ]


def figures_of_2007(found: Measurements) -> Sequence[Figure]:
    """Draw figures 2 to 7, and what stands beside them."""
    return [
        *_of_sets(found, "E", (2, 3), "mean"),
        *_of_sets(found, "E", (4, 5), "variance"),
        _privacy(found, "E-6", "Figure 6: privacy before mining"),
        _compared(found),
        _after(found),
        _told(found),
        _ours(found),
    ]


def within_splits(values: Floats) -> Floats:
    """Move each split's repeats to the mean of all, so that their variance is that within a split.

    The mean stays. The variance (one less than the repeats in its denominator) becomes the pooled
    one: squares about the splits' own means, over repeats less splits.

    >>> luck_of_the_split = np.array([1.0, 1, 5, 5])
    >>> within_splits(luck_of_the_split).tolist()
    [3.0, 3.0, 3.0, 3.0]
    """
    starts = range(0, len(values), DISGUISES)
    if len(values) == len(starts):  # one repeat of each: nothing to tell the two apart by
        return values
    parts = [values[start : start + DISGUISES] for start in starts]
    apart = np.concatenate([part - part.mean() for part in parts])
    stretched: Floats = apart * ((len(values) - 1) / (len(values) - len(parts))) ** 0.5
    moved: Floats = values.mean() + stretched
    return moved


def line(
    found: Measurements,
    measure: str,
    label: str,
    *,
    name: str = "adult",
    model: str = UNRELATED,
    coding: str = "median",
    reference: bool = False,
) -> Series:
    """Take accuracy by θ."""
    points = [
        (float(theta), within_splits(found.values("bayes", measure, **cell)))
        for theta in THETAS_OF[model]
        if found.has(
            "bayes",
            **(cell := {"set": name, "coding": coding, "model": model, "theta": theta}),
        )
    ]
    of = {"set": name, "coding": coding, "model": model, "scheme": measure}
    return Series(label, of, points, reference)


def _of_sets(
    found: Measurements, letter: str, numbers: tuple[int, int], statistic: Statistic
) -> Iterator[Figure]:
    for number, name in zip(numbers, SURVEY_SETS, strict=True):
        title = f"Figure {number}: {statistic} of the accuracy, {SETS[name].title}"
        schemes = SCHEMES if letter == "E" else {"inversion": SCHEMES["inversion"]}
        lines = [line(found, measure, label, name=name) for measure, label in schemes.items()]
        if statistic == "mean":
            plain = line(found, UNDISGUISED, "undisguised", name=name, reference=True)
            lines = [plain, *lines]
        words = f"{LABELS} " if letter == "E" else ""
        says = (
            "Unrelated question, W_y = ½: all attributes and the class share one coin. Accuracy on "
            f"undisguised test records. {words}{SPLITS_SHARED}"
        )
        low = 0.0 if statistic == "variance" else None
        panel = Panel("Unrelated question", lines, statistic, low=low)
        yield Figure(f"{letter}-{number}", title, says, [panel])


def _privacy(found: Measurements, name: str, title: str) -> Figure:
    lines = [
        Series(
            f"W_a = {share}",
            {"private share": share},
            [
                (float(theta), found.values("privacy before mining", theta, share=share))
                for theta in PRIVACY_THETAS
            ],
        )
        for share in PRIVATE_SHARES
    ]
    says = (
        "PSE(PRE) of one answer at W_y = ½: how often a reader who guesses in proportion to the "
        "posterior is wrong. Derived from the channel; the papers' printed expansion agrees at "
        "W_y = ½ and only there: its first component has 1 − W_y for W_y. Only there, too, is a "
        "share W_a as private as 1 − W_a, which is why half of them are drawn. Nothing is random."
    )
    return Figure(name, title, says, [Panel("PSE before mining", lines, y="PSE", low=0)])


def _compared(found: Measurements) -> Figure:
    panels = []
    for model, printed in PRINTED_MEANS.items():
        variances = PRINTED_VARIANCES[model]
        as_printed = [(float(theta), np.array([mean])) for theta, mean in printed.items()]
        spread = [
            (float(theta), np.array(_with_variance(number))) for theta, number in variances.items()
        ]
        label, of = "printed", {"set": "adult", "coding": "printed", "model": model}
        lines = [
            line(found, "inversion", SCHEMES["inversion"], model=model),
            line(found, "inversion", "mid-range", model=model, coding="range"),
            line(found, "expected", SCHEMES["expected"], model=model),
        ]
        means = Series(label, {**of, "scheme": "printed mean"}, as_printed, reference=True)
        deviations = Series(label, {**of, "scheme": "printed variance"}, spread, reference=True)
        gap = (0.5,) if model == RELATED else ()
        panels += [
            Panel(f"{model.capitalize()} question: mean", [means, *lines], gap=gap),
            Panel(
                f"{model.capitalize()} question: variance",
                [deviations, *lines],
                "variance",
                gap=gap,
                low=0,
            ),
        ]
    says = (
        "Both questions on all of Adult, beside what the paper prints. It splits nominal codes at "
        "“the median point of the range”, which may be the median over the records (read so "
        f"throughout) or the middle of the codes (mid-range). {SPLITS_SHARED}"
    )
    return Figure("E-7", "Figure 7: the two questions compared, Adult", says, panels, main=True)


def _with_variance(variance: float) -> list[float]:
    """Two numbers that have it."""
    half = (variance / 2) ** 0.5
    return [-half, half]


def _after(found: Measurements) -> Figure:
    panels = [
        Panel(
            SETS[name].title,
            [
                Series(
                    measure.replace(" mining", "").replace("premise ", ""),
                    {"set": name, "measure": measure},
                    [
                        (
                            float(theta),
                            found.values("privacy after mining", measure, set=name, theta=theta),
                        )
                        for theta in PRIVACY_THETAS
                    ],
                )
                for measure in PRIVACY_MEASURES
            ],
            y="PSE, REC",
        )
        for name in SURVEY_SETS
    ]
    says = (
        "§4.2, beside the paper, which draws PSE before mining only. PSE is the least over the "
        "attributes; REC is of the class, by naive Bayes read as rules, a set for each attribute; "
        "the larger REC counts. Neither is a probability, and PSE after mining falls below 0: "
        "reported as the paper defines it. Nothing here is random."
    )
    return Figure("E-after-mining", "Privacy after mining (§4.2)", says, panels)


def _told(found: Measurements) -> Figure:
    lines = [
        Series(
            SETS[name].title,
            {"set": name, "measure": TOLD_ERROR},
            [
                (float(theta), found.values("one-bit test", TOLD_ERROR, set=name, theta=theta))
                for theta in ONE_BIT_THETAS
            ],
        )
        for name in SURVEY_SETS
    ]
    says = (
        "§3.4, beside the paper, which tests on undisguised records only: test records are "
        "disguised, too, and every respondent says in one bit whether the classifier is right "
        "about her personal answers. Shown is the accuracy so told, less the true one."
    )
    panels = [
        Panel("Mean error", lines, y="error"),
        Panel("Standard deviation", lines, "standard deviation", y="error", low=0),
    ]
    return Figure("E-one-bit", "Accuracy told from disguised test records (§3.4)", says, panels)


def _ours(found: Measurements) -> Figure:
    panels = []
    for name, model in product(SURVEY_SETS, THETAS_OF):
        lines: dict[str, list[tuple[float, Floats]]] = {}
        for setting in OUR_SETTINGS:
            if (setting["set"], setting["model"]) != (name, model):
                continue
            for theta in THETAS_OF[model]:
                if not found.has("our miners", **setting, theta=theta):
                    continue
                for miner in setting["miners"].split(", "):
                    values = found.values("our miners", miner, **setting, theta=theta)
                    lines.setdefault(miner, []).append((float(theta), values))
        series = [
            Series(
                miner,
                {"set": name, "model": model, "scheme": miner},
                sorted(points, key=lambda at: at[0]),
            )
            for miner, points in lines.items()
        ]
        panels.append(Panel(f"{SETS[name].title}, {model} question", series))
    says = (
        "deniable's defaults on reports of the same kind, with fewer repeats (in the table), split "
        "and disguised anew in each; of Adult the first 10,000 records. Forest, group-wise and "
        "best take long where a report of 15 attributes is replaced as a whole, and are there at "
        "one θ only."
    )
    return Figure("E-ours", "Beside the papers: deniable's classifiers", says, panels)
