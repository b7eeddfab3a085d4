"""Maximum likelihood of a logistic regression: reports put together, and an answer in words."""

from collections.abc import Sequence
from dataclasses import replace
from math import prod, sqrt

import numpy as np

from deniable.base.arrays import Floats
from deniable.base.errors import ModelError
from deniable.base.wording import decimal, plural
from deniable.expression import Family
from deniable.mine.logistic_coding import (
    LOOSE,
    Coding,
    LogisticAnswer,
    heaviest,
    indistinct,
    nobody_has,
    penalties,
    unsolved,
)
from deniable.mine.report_likelihood import (
    NEARLY_CLIMBED,
    NoSummit,
    ReportLikelihood,
    ReportsOfSite,
    SummitOfReports,
)
from deniable.mine.score_equations import Regression
from deniable.oracle.api import CountOracle, Designed, ReportedPatterns, Reporting, TotalOracle
from deniable.schema import Schema

MOST_PATTERNS = 4096
"""Patterns of features with a share of their own, where features are disguised."""

MOST_LIKELIHOOD_NUMBERS = 1 << 24
"""Numbers held at once: reports by patterns of features, or coefficients by those."""

MOST_SHARES = 7
"""Shares of hidden features beside public ones, over the root of the number of records as far as
the disguise leaves them whole. Shares that fit the noise shift coefficients by about
shares/records, in standard errors by shares/√records: by nothing that was seen up to 7, by half a
one at 10."""

LEAST_STARTING_SHARE = 0.02
"""Of a class, where climbing begins: a count below 0 has no logarithm."""


def likeliest_logistic(
    oracle: CountOracle, schema: Schema, target: str, ridge: float
) -> LogisticAnswer:
    """Maximise the likelihood of the reports about a target and its features."""
    if not (isinstance(oracle, Reporting) and isinstance(oracle, TotalOracle)):
        raise ModelError(
            "A likelihood needs reports whose disguise is known, and here a personal distribution "
            "is unknown, or there are counts only.",
            hint="Solve the score equations: --method score, or method='score'.",
        )
    coding = Coding(schema.select(name for name in schema.names if name != target))
    found = oracle.reported_patterns(schema, target)
    if thin := _too_thin(oracle, found, schema):
        if ridge == 0:
            raise ModelError(thin, hint="Leave public features out, or use method=score.")
        answer = Regression(oracle, schema, target, ridge).answered()
        return replace(answer, note=f"{thin} So the score equations were solved. {answer.note}")
    sites = [_site(each, coding, schema[target].size) for each in found]
    penalty = penalties(coding, schema[target].size - 1, ridge)
    counts = oracle.count([{target: value} for value in schema[target].values]).value
    start = _start(counts / oracle.n, len(coding.names))
    try:
        top = ReportLikelihood(sites, penalty).summit(start)
        return _answer(top, penalty)
    except NoSummit as why:
        if ridge == 0:
            raise _refusal(why, coding, schema, target, counts, oracle.n) from None
    penalty[:, 0] = LOOSE
    top = ReportLikelihood(sites, penalty).summit(start, whatever=True)
    loose = " Intercepts have no finite maximum; they were drawn towards 0 by ridge = 1/25."
    return _answer(top, penalty, loose)


def _too_thin(oracle: CountOracle, found: Sequence[ReportedPatterns], schema: Schema) -> str:
    """Say whether hidden features have more shares than so many records, so disguised, can tell."""
    shares, whole = 0, 1.0
    for site in found:
        hidden = site.hidden[:-1]
        if not hidden or len(site.codes) * len(found) == 1:
            continue
        shares += len(site.codes) * (prod(schema.select(hidden).sizes) - 1)
        if isinstance(oracle, Designed):
            whole = max(whole, float(oracle.second_moment(Family.table(hidden, schema)).mean()))
    if shares <= MOST_SHARES * sqrt(oracle.n / whole):
        return ""
    return (
        f"A likelihood estimates {shares:,} shares of hidden features, beside public ones, and "
        f"{oracle.n:,} records are too few for that: they would fit the noise."
    )


def _site(found: ReportedPatterns, coding: Coding, classes: int) -> ReportsOfSite:
    """Lay the features of a site's patterns out as numbers."""
    names = coding.schema.names
    sizes = [coding.schema[name].size for name in found.hidden[:-1]]
    inner = np.indices(sizes, dtype=np.int64).reshape(len(sizes), prod(sizes)).T
    many, cells = len(found.codes), len(inner)
    reports = found.counts.shape[1]
    if cells > 1 and many * cells > MOST_PATTERNS:
        raise ModelError(
            f"The features have {many * cells:,} patterns, each with a share to be estimated; a "
            f"likelihood takes {MOST_PATTERNS:,} at most where features are disguised.",
            hint="Leave features out, or use method=score.",
        )
    if many * cells * max(reports, len(coding.names)) > MOST_LIKELIHOOD_NUMBERS:
        raise ModelError(
            f"The features have {many * cells:,} patterns, too many for {reports:,} different "
            f"reports and {plural(len(coding.names), 'coefficient')}.",
            hint="Leave features out, or use method=score.",
        )
    codes = np.empty((many, cells, len(names)), dtype=np.int64)
    for place, name in enumerate(names):
        codes[:, :, place] = (
            found.codes[:, None, found.public.index(name)]
            if name in found.public
            else inner[None, :, found.hidden.index(name)]
        )
    x = coding.coded(codes.reshape(many * cells, -1)).reshape(many, cells, -1)
    return ReportsOfSite(x, found.counts, found.channel.reshape(reports, cells, classes))


def _start(shares: Floats, coefficients: int) -> Floats:
    """All coefficients 0 but the intercepts, which give about the shares of the classes."""
    shares = np.maximum(shares, LEAST_STARTING_SHARE)
    start = np.zeros((len(shares) - 1, coefficients))
    start[:, 0] = np.log(shares[1:] / shares[0])
    return start


def _answer(top: SummitOfReports, penalty: Floats, more: str = "") -> LogisticAnswer:
    """Errors from the information; a penalty counts as the prior that it stands for."""
    precision = top.information + np.diag(penalty.ravel())
    scale = 1 / np.sqrt(np.diagonal(precision))
    covariance = np.linalg.inv(precision * np.outer(scale, scale)) * np.outer(scale, scale)
    state = "converged" if top.gap < NEARLY_CLIMBED else "did NOT converge, and was stopped"
    return LogisticAnswer(
        top.estimates,
        covariance,
        f"Maximum likelihood {state} after {plural(top.steps, 'step')}; log-likelihood "
        f"{decimal(top.log_likelihood, 3)}.{more}",
        top.log_likelihood,
    )


def _refusal(
    why: NoSummit, coding: Coding, schema: Schema, target: str, counts: Floats, n: int
) -> ModelError:
    names = heaviest(coding, why.direction)
    if why.flat:
        return indistinct(names, n)
    if counts.min() <= 0:
        return nobody_has(target, schema[target].values[int(counts.argmin())])
    return unsolved(target, names, n)
