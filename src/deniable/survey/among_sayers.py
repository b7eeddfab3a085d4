"""Shares among those who would say: of everybody but the people who would rather not.

Who skipped is disguised, and so estimated, too. The share among the others is a ratio of estimates,
p_v / (1 − p_s), over the same reports r; each report adds to it, to first order,

    u(r) = (w_v(r) − R·(1 − w_s(r))) / (1 − p_s)        with  R = p_v / (1 − p_s)

where w is the weight of a report (`deniable.channel`). The mean of u is 0, and its mean square
divided by n is the variance of R: the delta method, with the covariance of both estimates as the
counts have it. It is about the population that the respondents are a random sample of.
"""

import numpy as np

from deniable.base.arrays import AnyCodes, Floats
from deniable.compliance.interval import Interval
from deniable.design import Design
from deniable.oracle.api import standard_errors
from deniable.survey.protocol import SKIPPED

FAR_FROM_NONE = 4.0
"""Standard errors by which the share of those who say must differ from 0 for a ratio."""


def among_sayers(design: Design, name: str, column: AnyCodes) -> dict[str, Interval]:
    """Estimate the share of each value but skipping; nothing where hardly anybody would say."""
    attribute = design.schema[name]
    reported = np.bincount(column, minlength=attribute.size) / max(len(column), 1)
    weights = weights_of(design, name)
    found = ratios(weights, reported, attribute.code(SKIPPED), len(column))
    if found is None:
        return {}
    shares, errors = found
    reach = standard_errors(0.95) * errors
    return {
        value: Interval(*each)
        for value, *each in zip(
            attribute.values,
            shares.tolist(),
            (shares - reach).tolist(),
            (shares + reach).tolist(),
            strict=True,
        )
        if value != SKIPPED
    }


def weights_of(design: Design, name: str) -> Floats:
    """``w[value, report]`` of one attribute, whatever it shares its device with."""
    eye = np.eye(design.schema[name].size)
    for group in design.groups:
        if name in group.names:
            return group.channel.marginal([group.names.index(name)]).undo(eye)
    return eye


def ratios(weights: Floats, reported: Floats, skip: int, n: float) -> tuple[Floats, Floats] | None:
    """Shares among those who say, and their standard errors; None where hardly anybody does."""
    shares = weights @ reported
    says = 1.0 - shares[skip]
    spread = np.sqrt(max(weights[skip] ** 2 @ reported - shares[skip] ** 2, 0.0) / max(n, 1))
    if n == 0 or says <= FAR_FROM_NONE * spread or says <= 0:
        return None
    among = shares / says
    each = (weights - among[:, None] * (1.0 - weights[skip])) / says
    return among, np.sqrt(each**2 @ reported / n)
