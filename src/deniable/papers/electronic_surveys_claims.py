"""What papers B and E claim, checked."""

from collections.abc import Callable, Sequence
from itertools import product

import numpy as np
from scipy import stats

from deniable.base.arrays import Floats
from deniable.base.wording import decimal, given_p
from deniable.papers.answer_privacy_claims import privacy_claims
from deniable.papers.datasets import SETS
from deniable.papers.electronic_surveys_figures import (
    PRINTED_MEANS,
    PRINTED_VARIANCES,
    SURVEY_SETS,
    THETAS_OF,
    within_splits,
)
from deniable.papers.one_bit_test import ONE_BIT_THETAS, TOLD_ERROR
from deniable.papers.one_coin_bayes import DISGUISES, UNDISGUISED
from deniable.papers.reproduction.measurements import Measurements
from deniable.papers.reproduction.paper_claims import PaperClaim, Ruling
from deniable.papers.reproduction.trends import PAGES_TEST, TEST_LEVEL, rising
from deniable.papers.shared_coin import RELATED, UNRELATED

NEAR_PRINTED = 0.02
FROM_THETA = 0.6
"""From here on figure 7's means must be met."""

NEAR_PLAIN = 0.02
ROUNDED = 0.00005
"""How far a variance may be from one printed with four digits."""

ERRORS_APART = 4
"""Standard errors that two means of the same may be apart: once in 16,000 times by chance."""


def accuracy(
    found: Measurements, measure: str, name: str, model: str, theta: str, coding: str = "median"
) -> Floats:
    """Give a measure of one cell, a number for each repeat."""
    return found.values("bayes", measure, set=name, coding=coding, model=model, theta=theta)


def _by_split(values: Floats, statistic: Callable[[Floats], float]) -> Floats:
    starts = range(0, len(values), DISGUISES)
    return np.array([statistic(values[start : start + DISGUISES]) for start in starts])


def _errors_apart(differences: Floats) -> float:
    """How many of its standard errors a mean is off 0; a single number says nothing."""
    if len(differences) < 2:  # noqa: PLR2004 (see above)
        return float("inf")
    error = float(differences.std(ddof=1)) / len(differences) ** 0.5
    return abs(float(differences.mean())) / error if error else 0.0


def _variance(values: Floats) -> float:
    return float(np.var(values, ddof=1)) if len(values) > 1 else 0.0


def _mean(values: Floats) -> float:
    return float(np.mean(values))


def _spread(values: Floats) -> float:
    return float(np.var(values))


def _told_all(models: Sequence[str]) -> Callable[[Measurements], Ruling]:
    """At θ = 1, and at 0 of the related question, nothing is hidden."""

    def check(found: Measurements) -> Ruling:
        cells = [
            (name, model, theta)
            for name, model in product(SURVEY_SETS, models)
            for theta in (("0", "1") if model == RELATED else ("1",))
        ]
        apart = max(
            float(np.abs(accuracy(found, "inversion", *c) - accuracy(found, UNDISGUISED, *c)).max())
            for c in cells
        )
        return Ruling(apart == 0, f"largest difference in any repeat {apart:g}")

    return check


def _mean_rises(found: Measurements) -> Ruling:
    return _trends(found, _mean, 1)


def _variance_falls(found: Measurements) -> Ruling:
    return _trends(found, _spread, -1)


def _trends(found: Measurements, statistic: Callable[[Floats], float], sign: int) -> Ruling:
    """Rank each split's numbers from θ = .05 to 1, by set."""
    thetas = [theta for theta in THETAS_OF[UNRELATED] if float(theta) > 0]
    words, holds = [], True
    for name in SURVEY_SETS:
        columns = [
            sign * _by_split(accuracy(found, "inversion", name, UNRELATED, theta), statistic)
            for theta in thetas
        ]
        trend = rising(np.stack(columns, axis=1))
        holds &= trend.found
        words.append(f"{SETS[name].title}: {trend}")
    return Ruling(holds, "; ".join(words))


def _figure_7(coding: str) -> Callable[[Measurements], Ruling]:
    def check(found: Measurements) -> Ruling:
        words, worst = [], 0.0
        for model, printed in PRINTED_MEANS.items():
            for theta, mean in printed.items():
                if float(theta) < FROM_THETA:
                    continue
                own = accuracy(found, "inversion", "adult", model, theta, coding).mean()
                worst = max(worst, abs(own - mean))
                words.append(f"{model} θ={theta}: {own:.4f} (printed {mean:.2f})")
        return Ruling(worst <= NEAR_PRINTED, f"at most {worst:.4f} apart; {', '.join(words)}")

    return check


def _variances(found: Measurements) -> Ruling:
    words, holds = [], True
    for model, printed in PRINTED_VARIANCES.items():
        for theta, variance in printed.items():
            values = within_splits(accuracy(found, "inversion", "adult", model, theta))
            own = _variance(values)
            if float(theta) >= FROM_THETA or model == UNRELATED:
                holds &= own <= variance + ROUNDED
            words.append(f"{model} θ={theta}: {own:.5f} (printed {variance:.4f})")
    near_half = within_splits(accuracy(found, "inversion", "adult", RELATED, "0.51"))
    holds &= _variance(near_half) >= PRINTED_VARIANCES[RELATED]["0.51"] / 2
    return Ruling(bool(holds), ", ".join(words))


def _better_near_half(found: Measurements) -> Ruling:
    return _better(found, ("inversion", UNRELATED), ("inversion", RELATED))


def _possible_counts(found: Measurements) -> Ruling:
    return _better(found, ("expected", RELATED), ("inversion", RELATED))


def _better(found: Measurements, ours: tuple[str, str], theirs: tuple[str, str]) -> Ruling:
    """Compare two ways at θ = .51, split by split."""
    words, holds = [], True
    for name in SURVEY_SETS:
        pair = [
            _by_split(accuracy(found, way, name, model, "0.51"), _mean)
            for way, model in (ours, theirs)
        ]
        test = stats.wilcoxon(*pair, alternative="greater")
        holds &= bool(test.pvalue < TEST_LEVEL)
        means = f"{pair[0].mean():.3f} against {pair[1].mean():.3f}"
        words.append(f"{SETS[name].title}: {means}, {given_p(float(test.pvalue))}")
    return Ruling(holds, "; ".join(words))


def _mirrored(found: Measurements) -> Ruling:
    """θ and 1−θ of the related question carry the same; splits are shared, so compare by them."""
    most = 0.0
    for name, theta, mirror in product(
        SURVEY_SETS, ("0.1", "0.2", "0.3", "0.4"), ("0.9", "0.8", "0.7")
    ):
        if float(theta) + float(mirror) != 1:
            continue
        ours, theirs = (
            _by_split(accuracy(found, "inversion", name, RELATED, t), _mean)
            for t in (theta, mirror)
        )
        most = max(most, _errors_apart(ours - theirs))
    return Ruling(most <= ERRORS_APART, f"at most {most:.1f} standard errors apart")


def _told_rightly(found: Measurements) -> Ruling:
    """Compare the mean error with its own standard error, in every cell."""
    words, most = [], 0.0
    for name in SURVEY_SETS:
        for theta in ONE_BIT_THETAS:
            errors = found.values("one-bit test", TOLD_ERROR, set=name, theta=theta)
            most = max(most, _errors_apart(errors))
        words.append(f"{SETS[name].title} {decimal(float(errors.mean()), 4)} at θ = {theta}")
    return Ruling(
        most <= ERRORS_APART, f"at most {most:.1f} standard errors; mean {', '.join(words)}"
    )


def _near_plain(found: Measurements) -> Ruling:
    words, worst = [], 0.0
    for name in SURVEY_SETS:
        cells = [(name, UNRELATED, t) for t in THETAS_OF[UNRELATED] if float(t) >= FROM_THETA]
        lost = [
            float((accuracy(found, UNDISGUISED, *c) - accuracy(found, "inversion", *c)).mean())
            for c in cells
        ]
        worst = max(worst, *lost)
        words.append(f"{SETS[name].title} {max(lost):.4f}")
    return Ruling(worst <= NEAR_PLAIN, f"largest loss, {', '.join(words)}")


def _shared_claims(letter: str) -> tuple[PaperClaim, ...]:
    models = (UNRELATED, RELATED) if letter == "E" else (UNRELATED,)
    return (
        PaperClaim(
            f"{letter}-whole",
            "At θ = 1 the result is exactly that of naive Bayes on undisguised records.",
            "no difference, in any repeat",
            _told_all(models),
        ),
        PaperClaim(
            f"{letter}-mean",
            "Mean accuracy falls as θ goes from 1 towards 0.",
            f"{PAGES_TEST}, over the splits, θ from .05 to 1, each set",
            _mean_rises,
        ),
        PaperClaim(
            f"{letter}-variance",
            "Its variance grows as θ goes from 1 towards 0.",
            f"{PAGES_TEST}, over the splits’ own variances, θ from .05 to 1, each set",
            _variance_falls,
        ),
        PaperClaim(
            f"{letter}-close",
            "With θ chosen fittingly (here ≥ .6) accuracy is close to that of undisguised records.",
            f"mean loss at most {NEAR_PLAIN}, each set",
            _near_plain,
        ),
        *privacy_claims(letter),
    )


CLAIMS_OF_2004 = _shared_claims("B")

CLAIMS_OF_2007 = (
    *_shared_claims("E"),
    PaperClaim(
        "E-figure-7",
        "Figure 7's means on Adult, both questions, θ ≥ .6.",
        f"within {NEAR_PRINTED} of what is printed",
        _figure_7("median"),
    ),
    PaperClaim(
        "E-figure-7-range",
        "The same, with nominal codes split at the middle of their range.",
        f"within {NEAR_PRINTED} of what is printed",
        _figure_7("range"),
    ),
    PaperClaim(
        "E-figure-7-variance",
        "Figure 7's variances: .0054 at θ = .51 of the related question, falling to 0; at most "
        ".0001 of the unrelated one.",
        f"no larger than printed by more than its rounding ({ROUNDED:g}); at θ = .51 of the "
        "related question at least half of what is printed",
        _variances,
    ),
    PaperClaim(
        "E-near-half",
        "Near θ = ½ (.51) the unrelated question does better than the related one.",
        f"Wilcoxon’s signed ranks, p < {TEST_LEVEL}, over the splits, each set",
        _better_near_half,
    ),
    PaperClaim(
        "E-mirror",
        "Results of the related question below ½ are like those above.",
        f"means at θ and 1−θ within {ERRORS_APART} standard errors of their difference",
        _mirrored,
    ),
    PaperClaim(
        "E-one-bit",
        "Accuracy can be told from disguised test records and respondents’ one-bit answers (§3.4).",
        f"mean error within {ERRORS_APART} standard errors of 0, each set and θ",
        _told_rightly,
    ),
    PaperClaim(
        "E-ours",
        "Ours: expected counts do better than the formula where it fails, at θ = .51 of the "
        "related question.",
        f"Wilcoxon’s signed ranks, p < {TEST_LEVEL}, over the splits, each set",
        _possible_counts,
    ),
)
