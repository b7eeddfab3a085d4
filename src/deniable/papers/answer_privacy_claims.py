"""What papers B and E claim of privacy before mining, checked."""

from itertools import product

import numpy as np

from deniable.papers.answer_privacy import PRIVACY_THETAS, PRIVATE_SHARES, printed_pse
from deniable.papers.reproduction.measurements import Measurements
from deniable.papers.reproduction.paper_claims import PaperClaim, Ruling
from deniable.papers.shared_coin import EVEN

ROUNDING_ERROR = 1e-12


def _privacy_ends(found: Measurements) -> Ruling:
    told, hidden = [], []
    for share in PRIVATE_SHARES:
        by_theta = [
            found.mean("privacy before mining", theta, share=share) for theta in PRIVACY_THETAS
        ]
        told.append(by_theta[-1])
        hidden.append(by_theta[0] == max(by_theta))
    return Ruling(max(told) <= ROUNDING_ERROR and all(hidden), f"PSE at θ = 1: {max(told):g}")


def _privacy_falls(found: Measurements) -> Ruling:
    table = np.array(
        [
            [found.mean("privacy before mining", theta, share=share) for theta in PRIVACY_THETAS]
            for share in PRIVATE_SHARES
        ]
    )
    by_theta = bool((np.diff(table, axis=1) < 0).all())
    by_share = bool((np.diff(table[:, :-1], axis=0) > 0).all())
    words = (
        f"{'falls' if by_theta else 'does not fall'} everywhere in θ, "
        f"{'rises' if by_share else 'does not rise'} everywhere in W_a"
    )
    return Ruling(by_theta and by_share, words)


def _as_printed(found: Measurements) -> Ruling:
    apart = max(
        abs(
            found.mean("privacy before mining", theta, share=share)
            - printed_pse(float(share), float(theta), EVEN)
        )
        for share, theta in product(PRIVATE_SHARES, PRIVACY_THETAS)
    )
    return Ruling(apart <= ROUNDING_ERROR, f"largest difference {apart:.1g}")


def privacy_claims(letter: str) -> tuple[PaperClaim, ...]:
    """Give the claims that both papers make."""
    return (
        PaperClaim(
            f"{letter}-privacy-ends",
            "Privacy before mining is 0 at θ = 1 and highest at θ = 0.",
            "exactly",
            _privacy_ends,
        ),
        PaperClaim(
            f"{letter}-privacy-falls",
            "It falls as θ rises, and rises as W_a goes to ½.",
            "strictly, everywhere",
            _privacy_falls,
        ),
        PaperClaim(
            f"{letter}-privacy-formula",
            "The printed expansion of PSE is right at W_y = ½ (its first component is misprinted "
            "for others).",
            f"{ROUNDING_ERROR:g}",
            _as_printed,
        ),
    )
