"""Shares of a disguised question, if some people do not follow the device.

The channel as it is followed, ``C' = Σ_b φ̂_b·B_b``, is undone as any other channel:
``π̂ = C'⁻¹·λ̂``, λ̂ the shares of the reports. A person with pattern c and report r moves π̂ by

    C'⁻¹·(e_r − Σ_b A_b(c)·B_b·π̂) / n

(A the weights that estimate φ), which sums to 0. The spread of this over the people is the standard
error: of the answers, of φ, and of what goes with both, since the same people gave both.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from deniable.base.arrays import Floats
from deniable.compliance.mixture import Mixture


@dataclass(frozen=True, eq=False)
class CorrectedShares:
    """Shares with standard errors, ``[…, value]``; NaN where next to nobody follows the device."""

    shares: Floats
    std_errors: Floats


LEAST_LEFT = 1e-3
"""Of a difference between two answers, what must be left of it in the reports."""


def corrected_shares(
    counts: Floats, mixture: Mixture, channels: Sequence[Floats]
) -> CorrectedShares:
    """Undo the channel as it is followed, from counts ``[…, pattern, report]``.

    ``channels`` are matrices ``[report, truth]``, one for each component of the mixture, the
    device's own first.
    """
    n = counts.sum(axis=(-2, -1))
    matrices = np.stack(channels)
    rates = mixture.shares(counts.sum(axis=-1))
    followed = np.einsum("...b,brt->...rt", rates, matrices)
    weak = np.abs(np.linalg.det(followed)) < LEAST_LEFT
    inverse = np.linalg.inv(np.where(weak[..., None, None], np.eye(matrices.shape[1]), followed))
    shares = np.einsum("...vr,...r->...v", inverse, counts.sum(axis=-2) / n[..., None])
    told = np.einsum("...vr,brt,...t->...bv", inverse, matrices, shares)
    expected = np.einsum("bc,...bv->...cv", mixture.weights, told)
    moves = np.swapaxes(inverse, -1, -2)[..., None, :, :] - expected[..., :, None, :]
    variance = np.einsum("...cr,...crv->...v", counts, moves**2) / n[..., None] ** 2
    unknown = weak[..., None]
    return CorrectedShares(
        np.where(unknown, np.nan, shares), np.where(unknown, np.nan, np.sqrt(variance))
    )


def shares_if(reported: Floats, device: Floats, other: Floats, rate: float | Floats) -> Floats:
    """Shares from the shares of the reports, if exactly so many behave in the other way."""
    rates = np.asarray(rate, dtype=np.float64)[..., None, None]
    followed = (1 - rates) * device + rates * other
    return np.linalg.solve(followed, reported[..., None])[..., 0].astype(np.float64)
