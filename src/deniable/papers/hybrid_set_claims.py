"""What paper D claims of frequent item sets, checked."""

from collections.abc import Callable
from itertools import product

import numpy as np

from deniable.base.arrays import Floats
from deniable.base.wording import percent, points
from deniable.papers.hybrid_item_sets import CHECKED, NEAR_HALF, PRUNED, SUPPORT, TOLERANCES
from deniable.papers.middle_of_range import CODINGS
from deniable.papers.reproduction.measurements import Measurements
from deniable.papers.reproduction.paper_claims import PaperClaim, Ruling
from deniable.papers.reproduction.trends import PAGES_TEST, rising

PRINTED_VALID = 0.7
SAVED_AT_0, SAVED_AT_25 = 0.38, 0.23
PRINTED_CHECKS = (80, 130, 130)
"""At tolerance 0, at .3, and by secure counts alone."""

NEAR_SHARE, NEAR_CHECKS = 0.05, 15

GOOD_QUALITY, LOST_QUALITY = 0.8, 0.3
"""Valid less missed: what is good, and by how much it is worse where it is bad."""

STEADY = 0.2
"""What a number may vary by, as a share of the sets checked, and still count as constant."""

SAME_MISSED = 0.02


def _sets(found: Measurements, measure: str, tolerance: str, coding: str) -> Floats:
    return found.values("disguised sets", f"{measure}, {tolerance}", coding=coding, theta=NEAR_HALF)


def _all_valid(found: Measurements) -> Ruling:
    least = min(
        float(_sets(found, "hybrid: valid", t, coding).min())
        for t, coding in product(TOLERANCES, CODINGS)
    )
    return Ruling(least == 1, f"least valid ratio in any repeat, tolerance and reading: {least:g}")


def _alone_not_valid(found: Measurements) -> Ruling:
    means = {coding: float(_sets(found, "alone: valid", "0", coding).mean()) for coding in CODINGS}
    holds = all(mean < PRINTED_VALID for mean in means.values())
    return Ruling(holds, ", ".join(f"{coding} {mean:.3f}" for coding, mean in means.items()))


def _missed_alike(found: Measurements) -> Ruling:
    apart = max(
        abs(
            float(_sets(found, "alone: missed", tolerance, coding).mean())
            - float(_sets(found, "hybrid: missed", tolerance, coding).mean())
        )
        for tolerance, coding in product(TOLERANCES, CODINGS)
    )
    return Ruling(apart <= SAME_MISSED, f"largest difference of means {apart:.3f}")


def _checks(found: Measurements, coding: str) -> tuple[list[float], float]:
    confirmed = [float(_sets(found, "hybrid: confirmed", t, coding).mean()) for t in TOLERANCES]
    return confirmed, found.mean("plain sets", CHECKED, coding=coding, support=str(SUPPORT))


def _checks_rise(found: Measurements) -> Ruling:
    words, holds = [], True
    for coding in CODINGS:
        table = np.stack([_sets(found, "hybrid: confirmed", t, coding) for t in TOLERANCES], axis=1)
        trend = rising(table)
        confirmed, whole = _checks(found, coding)
        holds &= trend.found and max(confirmed) <= whole
        words.append(f"{coding}: {confirmed[0]:.0f} → {confirmed[-1]:.0f} of {whole:.0f}, {trend}")
    return Ruling(holds, "; ".join(words))


def _as_many_checks(found: Measurements) -> Ruling:
    confirmed, whole = _checks(found, "range")
    own = confirmed[0], confirmed[-1], whole
    apart = max(abs(a - b) for a, b in zip(own, PRINTED_CHECKS, strict=True))
    words = f"{own[0]:.0f} → {own[1]:.0f}, secure counts alone {own[2]:.0f}"
    return Ruling(apart <= NEAR_CHECKS, f"{words} (printed 80 → 130, 130)")


def _saved(tolerance: str, printed: float) -> Callable[[Measurements], Ruling]:
    def check(found: Measurements) -> Ruling:
        confirmed, whole = _checks(found, "range")
        own = 1 - confirmed[TOLERANCES.index(tolerance)] / whole
        return Ruling(abs(own - printed) <= NEAR_SHARE, f"{own:.2f} (printed {printed:.2f})")

    return check


def _good_below(found: Measurements) -> Ruling:
    words, holds = [], True
    for coding in CODINGS:
        values = {
            t: float(
                found.mean("disguised sets", "alone: valid, 0", coding=coding, theta=t)
                - found.mean("disguised sets", "alone: missed, 0", coding=coding, theta=t)
            )
            for t in ("0.4", "0.45", "0.48", "0.49", "0.495")
        }
        holds &= values["0.4"] >= GOOD_QUALITY
        holds &= values["0.495"] < values["0.45"] - LOST_QUALITY
        words.append(f"{coding}: " + ", ".join(f"θ={t} {v:.2f}" for t, v in values.items()))
    return Ruling(holds, f"valid less missed, {'; '.join(words)}")


def _pruned_steady(found: Measurements) -> Ruling:
    words, holds = [], True
    for coding in CODINGS:
        pruned = [
            found.mean("plain sets", PRUNED, coding=coding, support=s)
            for s in ("0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9")
        ]
        checked = found.mean("plain sets", CHECKED, coding=coding, support="0.3")
        holds &= max(pruned) - min(pruned) <= STEADY * checked
        words.append(f"{coding}: {pruned[0]:.0f} → {pruned[-1]:.0f}")
    return Ruling(holds, f"pruned from support .3 to .9, {'; '.join(words)}")


SET_CLAIMS = (
    PaperClaim(
        "D-pruned",
        "Secure counts alone prune about as many item sets whatever the support.",
        f"from support .3 to .9 they vary by at most {percent(STEADY, 0)} of those checked at .3",
        _pruned_steady,
        unmet="In either reading fewer pairs are pruned as fewer items are frequent. How the "
        "paper makes attributes binary, on which these numbers rest, it does not say.",
    ),
    PaperClaim(
        "D-good-below",
        "Randomization alone finds sets well up to θ = .45, and much worse beyond.",
        f"valid less missed at least {GOOD_QUALITY} at .4, and {LOST_QUALITY} less at .495 than at "
        ".45",
        _good_below,
    ),
    PaperClaim(
        "D-valid",
        "The hybrid’s sets are all frequent: valid ratio 1.",
        "exactly, in every repeat, at every tolerance, in both readings",
        _all_valid,
    ),
    PaperClaim(
        "D-alone-valid",
        f"Randomization alone stays below {PRINTED_VALID} at θ = .495.",
        "mean, both readings",
        _alone_not_valid,
    ),
    PaperClaim(
        "D-missed",
        "The hybrid does not change the ratio of missed sets much.",
        f"means within {SAME_MISSED} at every tolerance, both readings",
        _missed_alike,
    ),
    PaperClaim(
        "D-checks-rise",
        "The sets that are checked securely become more as the tolerance grows, up to all that "
        "secure counts alone would check.",
        f"{PAGES_TEST}, over the repeats, both readings",
        _checks_rise,
    ),
    PaperClaim(
        "D-checks",
        "They are about 80 at tolerance 0 and 130 at .3; secure counts alone check about 130.",
        f"within {NEAR_CHECKS}, codes split at the middle of their range",
        _as_many_checks,
    ),
    PaperClaim(
        "D-saved",
        "38 % are saved at tolerance 0.",
        f"within {points(NEAR_SHARE)} points, codes split at the middle of their range",
        _saved("0", SAVED_AT_0),
    ),
    PaperClaim(
        "D-saved-25",
        "23 % are saved at tolerance .25.",
        f"within {points(NEAR_SHARE)} points, codes split at the middle of their range",
        _saved("0.25", SAVED_AT_25),
        unmet="At that tolerance one coin's noise over 48,842 records lets nearly every frequent "
        "set pass. With Adult's first 10,000 records about a third would be saved, but more than "
        "half at tolerance 0, so that the number of records does not explain both printed figures.",
    ),
)
