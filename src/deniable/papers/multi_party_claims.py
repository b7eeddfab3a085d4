"""What paper C claims, and what we claim beside it, as code that can find it wrong."""

from itertools import product

import numpy as np

from deniable.base.arrays import Floats
from deniable.papers.multi_party_trees import (
    MULTI_PARTY_SETS,
    OWN_THETAS,
    SOLVED_FOR,
)
from deniable.papers.related_groups import LOWER, UPPER
from deniable.papers.reproduction.measurements import Measurements
from deniable.papers.reproduction.paper_claims import PaperClaim, Ruling
from deniable.papers.reproduction.trends import (
    GAIN_TEST,
    PAGES_TEST,
    gained,
    paired,
    rising,
)

FAR_BELOW = 0.1
"""What we read “deviates a lot” as: so far below plain ID3."""

SOLVED = 1e-9
"""Share of the records by which two ways to solve the same equations may differ."""


def _accuracies(found: Measurements, name: str, theta: str) -> Floats:
    return found.values("faithful", "faithful", set=name, theta=theta)


def _ends(found: Measurements) -> Ruling:
    apart = max(
        float(
            np.abs(
                _accuracies(found, name, theta)
                - found.values("faithful", "plain ID3", set=name, theta=theta)
            ).max()
        )
        for name, theta in product(MULTI_PARTY_SETS, ("0", "1"))
    )
    return Ruling(apart == 0, f"largest difference of any repeat: {apart:g}")


def _towards_half(found: Measurements) -> Ruling:
    """Order θ from ½ outwards; both sides of a set are blocks of the same six places."""
    sides = (UPPER[1:], LOWER[::-1])
    blocks = [
        [float(_accuracies(found, name, theta).mean()) for theta in side]
        for name, side in product(MULTI_PARTY_SETS, sides)
    ]
    trend = rising(blocks)
    return Ruling(trend.found, str(trend))


def _near_half(found: Measurements) -> Ruling:
    """Nearest to ½, accuracy is far from plain ID3."""
    losses = [
        found.mean("faithful", "plain ID3", set=name, theta="0.51")
        - float(_accuracies(found, name, "0.51").mean())
        for name in MULTI_PARTY_SETS
    ]
    return Ruling(
        min(losses) > FAR_BELOW, "; ".join(f"{loss:.3f} below plain ID3" for loss in losses)
    )


def _aggregated(found: Measurements) -> Ruling:
    apart = max(
        float(
            found.values(
                "aggregated",
                "largest difference",
                set=MULTI_PARTY_SETS[0],
                parties=parties,
                theta="0.7",
            ).max()
        )
        for parties in SOLVED_FOR
    )
    return Ruling(apart < SOLVED, f"largest difference of any count: {apart:.1g} of the records")


def _own_thetas(found: Measurements) -> Ruling:
    blocks = [
        [found.mean(way, scheme, set=name, thetas=thetas) for thetas in OWN_THETAS]
        for way, scheme, name in product(
            ("own θ", "own records"), ("faithful", "tree"), MULTI_PARTY_SETS
        )
    ]
    trend = rising(blocks)
    return Ruling(trend.found, str(trend))


def _open_collector(found: Measurements) -> Ruling:
    cells = [
        paired(
            found.values("open collector", "faithful", set=name, theta=theta),
            _accuracies(found, name, theta),
        )
        for name, theta in product(MULTI_PARTY_SETS, UPPER[:-1])
    ]
    return gained(cells)


def _ours(found: Measurements) -> Ruling:
    cells = [
        paired(found.values("tree", "tree", set=name, theta=theta), _accuracies(found, name, theta))
        for name, theta in product(MULTI_PARTY_SETS, UPPER[:-1])
    ]
    return gained(cells)


MULTI_PARTY_CLAIMS = (
    PaperClaim(
        "C-ends",
        "With θ = 0 or 1 the tree is as accurate as plain ID3, exactly.",
        "no difference in any repeat",
        _ends,
    ),
    PaperClaim(
        "C-theta",
        "Mean accuracy falls as θ moves towards ½, from either side.",
        f"{PAGES_TEST}; blocks are set and side",
        _towards_half,
    ),
    PaperClaim(
        "C-half",
        "Near ½ the mean deviates a lot from plain ID3.",
        f"at θ = .51 more than {FAR_BELOW} below, on each set",
        _near_half,
    ),
    PaperClaim(
        "C-bars",
        "The n + 1 equations of “k bars” give what the 2ⁿ equations give.",
        f"for 2 to 5 parties, counts differ by less than {SOLVED:g} of the records",
        _aggregated,
    ),
    PaperClaim(
        "C-thetas",
        "Parties may have different θ, with columns or records of their own: the less they "
        "disguise, the more accurate the tree.",
        f"{PAGES_TEST}; blocks are set, way and miner",
        _own_thetas,
    ),
    PaperClaim(
        "C-collector",
        "The collector need not disguise its own columns, and the tree gains by it.",
        GAIN_TEST,
        _open_collector,
    ),
    PaperClaim(
        "C-ours-tree",
        "Ours: the default tree is more accurate than the paper’s from the same reports.",
        GAIN_TEST,
        _ours,
    ),
)
