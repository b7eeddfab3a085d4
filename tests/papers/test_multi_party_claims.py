"""Each claim of paper C holds where its numbers are so, and fails where they are not."""

from itertools import product

import numpy as np
import pytest

from deniable.base.arrays import Floats
from deniable.papers.multi_party_claims import MULTI_PARTY_CLAIMS
from deniable.papers.multi_party_figures import figures
from deniable.papers.multi_party_trees import MULTI_PARTY_SETS, OWN_THETAS, SOLVED_FOR
from deniable.papers.related_groups import THETAS, UPPER
from deniable.papers.reproduction.paper_claims import PaperClaim
from papers.made_up_numbers import MadeUp, Spoil, always, holds, more

REPEATS = 20


def as_claimed() -> MadeUp:
    made_up, rng = MadeUp({}), np.random.default_rng(1)
    for name, theta in product(MULTI_PARTY_SETS, THETAS):
        setting = {"set": name, "theta": theta}
        loss = 0.4 * (1 - abs(2 * float(theta) - 1))
        right: Floats = 0.9 - loss + loss / 20 * rng.normal(size=REPEATS)
        made_up.put(
            "faithful",
            {
                "faithful": right,
                "plain ID3": np.full(REPEATS, 0.9),
                "larger class": np.full(REPEATS, 0.5),
            },
            **setting,
        )
        if theta in UPPER:
            made_up.put("tree", {"tree": right + loss / 3}, **setting)
            both = {"faithful": right[:5] + loss / 4, "tree": right[:5] + loss / 3}
            made_up.put("open collector", both, **setting)
    for name, (at, thetas) in product(MULTI_PARTY_SETS, enumerate(OWN_THETAS)):
        for way, scheme in product(("own θ", "own records"), ("faithful", "tree")):
            made_up.put(way, {scheme: np.full(REPEATS, 0.6 + at / 10)}, set=name, thetas=thetas)
    for parties in SOLVED_FOR:
        made_up.put(
            "aggregated",
            {"largest difference": np.full(3, 1e-15)},
            set=MULTI_PARTY_SETS[0],
            parties=parties,
            theta="0.7",
        )
    return made_up


def flat(made_up: MadeUp) -> None:
    """No θ matters."""
    made_up.change("faithful", "faithful", always(0.9))


def lawless(made_up: MadeUp) -> None:
    """The less is disguised, the worse the tree."""
    for way in ("own θ", "own records"):
        for at, thetas in enumerate(OWN_THETAS):
            for scheme in ("faithful", "tree"):
                made_up.change(way, scheme, always(0.9 - at / 10), thetas=thetas)


SPOILT: dict[str, Spoil] = {
    "C-ends": lambda m: m.change("faithful", "faithful", more(1e-6), theta="0"),
    "C-theta": flat,
    "C-half": lambda m: m.change("faithful", "faithful", always(0.85), set="adult", theta="0.51"),
    "C-bars": lambda m: m.change("aggregated", "largest difference", always(1e-6), parties="4"),
    "C-thetas": lawless,
    "C-collector": lambda m: m.change("open collector", "faithful", more(-0.2)),
    "C-ours-tree": lambda m: m.change("tree", "tree", more(-0.2)),
}


@pytest.mark.parametrize("claim", MULTI_PARTY_CLAIMS, ids=lambda claim: claim.name)
def test_a_claim_holds_where_numbers_are_as_claimed(claim: PaperClaim) -> None:
    found = claim.check(as_claimed().measurements())
    assert found.holds, found.measured


@pytest.mark.parametrize("claim", MULTI_PARTY_CLAIMS, ids=lambda claim: claim.name)
def test_a_claim_fails_where_its_numbers_are_spoilt(claim: PaperClaim) -> None:
    made_up = as_claimed()
    SPOILT[claim.name](made_up)
    assert not holds(claim, made_up)


def test_both_figures_of_the_paper_are_drawn() -> None:
    drawn = {figure.name: figure for figure in figures(as_claimed().measurements())}
    assert {"C-2", "C-3"} <= set(drawn)
    mean, variance = drawn["C-2"].panels
    assert [x for x, _ in mean.series[0].points] == [float(theta) for theta in THETAS]
    assert variance.statistic == "variance"
