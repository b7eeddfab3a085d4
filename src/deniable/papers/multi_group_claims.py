"""What paper A claims, and what we claim beside it, as code that can find it wrong."""

from collections.abc import Callable, Iterator
from itertools import product

import numpy as np

from deniable.base.arrays import Floats
from deniable.base.wording import decimal, given_p, plus_minus
from deniable.papers.datasets import SETS
from deniable.papers.multi_group_figures import EXPERIMENTS
from deniable.papers.multi_group_trees import GROUPS, MULTI_GROUP_SETS, SCORED
from deniable.papers.related_groups import LOWER, THETAS, UPPER
from deniable.papers.reproduction.measurements import Measurements
from deniable.papers.reproduction.paper_claims import PaperClaim, Ruling
from deniable.papers.reproduction.trends import (
    GAIN_TEST,
    PAGES_TEST,
    TEST_LEVEL,
    chi_square,
    gained,
    paired,
    rising,
)

FAIR = {"1": "0.55", "2": "0.7", "3": "0.7"}
"""By number of groups: where the paper's range of fairly accurate trees begins."""

FAIRLY = 0.1
"""What we read “fairly accurate” as: so far below plain ID3, on average over the sets."""

PROMISED, NEARLY = 0.95, 0.02
"""Of intervals: how many hold the truth, and by how much their share may differ."""

MIRRORED = [
    (theta, other) for theta in LOWER for other in UPPER if float(theta) + float(other) == 1
]


def accuracies(found: Measurements, name: str, groups: str, theta: str) -> Floats:
    """Give those of the paper's ID3 in one cell."""
    return found.values("faithful", "faithful", set=name, groups=groups, theta=theta)


def _variance(values: Floats) -> float:
    return float(np.var(values, ddof=1)) if len(values) > 1 else 0.0


def _ends(found: Measurements) -> Ruling:
    apart = max(
        float(np.abs(accuracies(found, name, groups, theta) - _plain(found, name, groups)).max())
        for name, groups, theta in product(MULTI_GROUP_SETS, GROUPS, ("0", "1"))
    )
    return Ruling(apart == 0, f"largest difference of any repeat: {apart:g}")


def _plain(found: Measurements, name: str, groups: str) -> float:
    """Give the benchmark: the same number in all repeats."""
    return float(found.values("faithful", "plain ID3", set=name, groups=groups, theta="1")[0])


def _towards_half(found: Measurements, statistic: str) -> Ruling:
    """Order θ from ½ outwards, on either side; variance falls where accuracy rises."""
    said, held = [], True
    for side, thetas in (("above ½", UPPER), ("below ½", LOWER[::-1])):
        blocks = [
            [_statistic(accuracies(found, name, groups, theta), statistic) for theta in thetas]
            for name, groups in product(MULTI_GROUP_SETS, GROUPS)
        ]
        trend = rising(blocks)
        held &= trend.found
        said.append(f"{side}: {trend}")
    return Ruling(held, "; ".join(said))


def _with_groups(found: Measurements, statistic: str) -> Ruling:
    blocks = [
        [_statistic(accuracies(found, name, groups, theta), statistic) for groups in GROUPS[::-1]]
        for name, theta in product(MULTI_GROUP_SETS, THETAS[1:-1])
    ]
    trend = rising(blocks)
    return Ruling(trend.found, str(trend))


def _statistic(values: Floats, statistic: str) -> float:
    return float(values.mean()) if statistic == "mean" else -_variance(values)


def _loss(found: Measurements, name: str, groups: str, theta: str) -> float:
    return _plain(found, name, groups) - float(accuracies(found, name, groups, theta).mean())


def _fair(found: Measurements) -> Ruling:
    inside: list[tuple[float, str, str]] = []
    outside: list[tuple[float, str, str]] = []
    for groups in GROUPS:
        for theta in UPPER:
            loss = float(np.mean([_loss(found, name, groups, theta) for name in MULTI_GROUP_SETS]))
            (inside if float(theta) >= float(FAIR[groups]) else outside).append(
                (loss, groups, theta)
            )
    worst, nearest = max(inside), min(outside)
    return Ruling(
        worst[0] <= FAIRLY < nearest[0],
        f"inside, at most {worst[0]:.3f} below plain ID3 ({_cell(worst)}); "
        f"outside, at least {nearest[0]:.3f} ({_cell(nearest)})",
    )


def _cell(found: tuple[float, str, str]) -> str:
    return f"{found[1]} groups, θ = {found[2]}" if found[1] != "1" else f"1 group, θ = {found[2]}"


def _worst_set(found: Measurements) -> Ruling:
    losses = {
        name: float(np.mean([_loss(found, name, g, t) for g, t in product(GROUPS, THETAS[1:-1])]))
        for name in MULTI_GROUP_SETS
    }
    said = ", ".join(f"{SETS[name].title} {loss:.3f}" for name, loss in losses.items())
    return Ruling(
        max(losses, key=lambda name: losses[name]) == "house-votes-84", f"{said} below plain ID3"
    )


def _mirrored(found: Measurements) -> Ruling:
    differences = [
        (accuracies(found, name, groups, low), accuracies(found, name, groups, high))
        for name, groups, (low, high) in product(MULTI_GROUP_SETS, GROUPS, MIRRORED)
    ]
    p = chi_square(differences)
    return Ruling(p > TEST_LEVEL, f"χ² over {len(differences)} cells: {given_p(p)}")


def _unbiased(found: Measurements) -> Ruling:
    scaled = np.concatenate(list(_scaled_errors(found)))
    mean, error = float(scaled.mean()), float(scaled.std(ddof=1) / len(scaled) ** 0.5)
    return Ruling(
        abs(mean) <= 3 * error,
        f"mean of (estimate − truth) / s.e.: {plus_minus(mean, error)}, {len(scaled):,} test sets",
    )


def _scaled_errors(found: Measurements) -> Iterator[Floats]:
    """Divide each error by its cell's own spread, so that noisy cells do not drown the others."""
    for name, groups, theta in product(MULTI_GROUP_SETS, GROUPS, SCORED):
        where = {"set": name, "groups": groups, "theta": theta}
        errors = found.values("scored", "error", **where)
        yield errors / max(float(np.sqrt(np.mean(errors**2))), 1e-12)


def _covered(found: Measurements) -> Ruling:
    covered = np.concatenate(
        [
            found.values("scored", "covered", set=name, groups=groups, theta=theta)
            for name, groups, theta in product(MULTI_GROUP_SETS, GROUPS, SCORED)
        ]
    )
    share = float(covered.mean())
    said = f"{decimal(100 * share)} % of {len(covered):,} intervals"
    return Ruling(abs(share - PROMISED) <= NEARLY, said)


def _better(scheme: str) -> Callable[[Measurements], Ruling]:
    """Compare a miner of ours with the paper's on the same reports, in all cells above ½."""

    def check(found: Measurements) -> Ruling:
        cells = []
        for name, groups, theta in product(MULTI_GROUP_SETS, GROUPS, UPPER[:-1]):
            where = {"set": name, "groups": groups, "theta": theta}
            if found.has(EXPERIMENTS[scheme], **where):
                ours = found.values(EXPERIMENTS[scheme], scheme, **where)
                cells.append(paired(ours, accuracies(found, name, groups, theta)))
        return gained(cells)

    return check


MULTI_GROUP_CLAIMS = (
    PaperClaim(
        "A-ends",
        "With θ = 0 or 1 the tree is as accurate as plain ID3, exactly.",
        "no difference in any repeat",
        _ends,
    ),
    PaperClaim(
        "A-theta-mean",
        "Mean accuracy falls as θ moves towards ½, from either side.",
        f"{PAGES_TEST} on each side; blocks are set and number of groups",
        lambda found: _towards_half(found, "mean"),
    ),
    PaperClaim(
        "A-theta-variance",
        "The variance of accuracy grows as θ moves towards ½, from either side.",
        f"{PAGES_TEST} on each side; blocks are set and number of groups",
        lambda found: _towards_half(found, "variance"),
    ),
    PaperClaim(
        "A-groups-mean",
        "Mean accuracy falls with more groups.",
        f"{PAGES_TEST}; blocks are set and θ",
        lambda found: _with_groups(found, "mean"),
    ),
    PaperClaim(
        "A-groups-variance",
        "The variance of accuracy grows with more groups.",
        f"{PAGES_TEST}; blocks are set and θ",
        lambda found: _with_groups(found, "variance"),
    ),
    PaperClaim(
        "A-fair",
        "Trees are fairly accurate for θ from .55 with one group and from .7 with two or three.",
        f"mean loss to plain ID3 over the sets at most {FAIRLY} inside, more outside",
        _fair,
    ),
    PaperClaim(
        "A-votes",
        "Votes, with 435 records, loses most accuracy.",
        "largest mean loss to plain ID3, over groups and θ",
        _worst_set,
    ),
    PaperClaim(
        "A-mirror",
        "θ and 1 − θ are the same disguise.",
        f"means of mirrored cells differ no more than chance, χ², p > {TEST_LEVEL}",
        _mirrored,
    ),
    PaperClaim(
        "A-scored",
        "Accuracy estimated from disguised test records is right on average.",
        "mean error within 3 standard errors of 0",
        _unbiased,
    ),
    PaperClaim(
        "A-scored-interval",
        "Ours: 95 % intervals of that accuracy hold the truth.",
        "95 ± 2 % of all test sets",
        _covered,
    ),
    *(
        PaperClaim(
            f"A-ours-{scheme}",
            f"Ours: {scheme} is more accurate than the paper’s tree from the same reports.",
            GAIN_TEST,
            _better(scheme),
        )
        for scheme in ("tree", "group-wise", "forest", "best")
    ),
)
