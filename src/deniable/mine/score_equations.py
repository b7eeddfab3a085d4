"""Corrected score equations of a logistic regression: setting them up from totals, solving them.

With a ridge they are always answered. The penalty is the prior under which coefficients are
independent, normal and of variance 1/ridge, and where the noise leaves the equations without a root
the answer is linear in the score at the start, believed as far as it stands out from its noise:
with I the information there and B the covariance of the score,

    β = β₀ + (I B⁻¹ I + Λ)⁻¹ I B⁻¹ S(β₀),        covariance (I B⁻¹ I + Λ)⁻¹

which is finite whatever I is, and no wider than the prior.
"""

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.base.errors import ModelError
from deniable.expression import ANY, Family
from deniable.mine.logistic_coding import (
    LOOSE,
    Coding,
    LogisticAnswer,
    heaviest,
    indistinct,
    log_chances,
    nobody_has,
    penalties,
    unsolved,
)
from deniable.oracle.api import TotalOracle, weighed
from deniable.schema import Schema

SINGULAR = 1e-9
"""Smallest part of an information matrix, scaled to a diagonal of 1, that is not rounding error."""

NEAR = 1e-7
"""Mean score, in standard units, from which on Newton's steps finish what BFGS began."""

CONVERGED = 1e-9
"""Last step of Newton's, in standard units."""

FAR = 100
"""Distance from the start, in standard units, at which there is no root to be found any more: the
features would make the odds of one record e^200 times those of another."""

MOST_BFGS_STEPS, MOST_FINISHING = 200, 20

NO_BETTER = 1.25
"""Prior standard errors, 1/√ridge, above which a coefficient of a root is noise."""

HALF_A_RECORD = 0.5
"""What a class that nobody seems to have counts as, with a ridge."""

MOST_FUNCTIONS = 64
"""Functions of the record that are totalled at once, if a row of the information has no more."""


class Regression:
    """The equations of one regression, their root and its errors.

    Coefficients are laid out class after class. Units are those in which the information at the
    start, where all coefficients but the intercepts are 0, is the identity.
    """

    def __init__(self, oracle: TotalOracle, schema: Schema, target: str, ridge: float) -> None:
        self._oracle, self._schema, self._target = weighed(oracle, schema.names), schema, target
        self._features = tuple(name for name in schema.names if name != target)
        self._coding = Coding(schema.select(self._features))
        self._shape = (schema[target].size - 1, len(self._coding.names))
        self._ridge = penalties(self._coding, self._shape[0], ridge).ravel()
        self._penalised = ridge > 0
        moments = _moments(self._oracle, self._coding, target)
        p = self._shape[1]
        self._seen = moments[p:, :p].ravel()  # Σ 1[class = c]·x
        others = moments[p:, 0] / oracle.n
        shares = self._checked_shares(np.array([1 - others.sum(), *others]))
        self._start = self._starting(shares)
        others = shares[1:]
        spread = np.diag(others) - np.outer(others, others)
        self._begun: Floats = np.kron(spread, moments[:p, :p]).astype(np.float64)

    def answered(self) -> LogisticAnswer:
        """Give the root; with a ridge, where there is none, what the score at the start tells."""
        if not self._penalised:
            return self._solved(self._checked_units(self._begun))
        try:
            root = self._solved(self._checked_units(self._begun + np.diag(self._ridge)))
        except (ModelError, np.linalg.LinAlgError):
            return self._linear()
        return root if self._worth_more_than_its_prior(root) else self._linear()

    @property
    def _prior(self) -> Floats:
        """The precision that the penalty stands for, and a loose one of the intercepts."""
        return np.where(self._ridge > 0, self._ridge, LOOSE)

    def _worth_more_than_its_prior(self, root: LogisticAnswer) -> bool:
        """Whether no coefficient is known worse, by noise, than without any records."""
        known_worse = self._prior * np.diagonal(root.covariance) > NO_BETTER**2
        return not bool(known_worse.any())

    def _solved(self, units: Floats) -> LogisticAnswer:
        """Solve the equations, in units of the information at the start.

        From afar by BFGS, which needs no derivative of the score, the costliest of all totals;
        Newton's steps, with the derivative taken once, finish it.
        """
        from scipy.linalg import solve_triangular
        from scipy.optimize import minimize

        def depth(place: Floats) -> tuple[float, Floats]:
            here = solve_triangular(units.T, place)
            if np.abs(place).max() > FAR:
                raise self._unsolved(here)
            height, slope = self._height(here)
            return -height, -solve_triangular(units, slope, lower=True)

        options = {"gtol": NEAR, "maxiter": MOST_BFGS_STEPS}
        found = minimize(depth, units.T @ self._start, jac=True, method="BFGS", options=options)
        estimates = solve_triangular(units.T, found.x)
        information = self._information(estimates)
        scaled = solve_triangular(units, information, lower=True)
        smallest = np.linalg.eigvalsh(solve_triangular(units, scaled.T, lower=True))[0]
        for _ in range(MOST_FINISHING if smallest > SINGULAR else 0):
            step = np.linalg.solve(information, self._height(estimates)[1])
            estimates = estimates + step
            if np.abs(units.T @ step).max() < CONVERGED:
                covariance = self._covariance(estimates, information)
                return LogisticAnswer(estimates.reshape(self._shape), covariance)
        raise self._unsolved(estimates)

    def _height(self, estimates: Floats) -> tuple[float, Floats]:
        """The corrected log-likelihood, per record, and its slope."""
        lines = estimates.reshape(self._shape)

        def function(codes: Codes) -> Floats:
            x = self._coding.coded(codes)
            logs = log_chances(x, lines)
            return np.concatenate([-logs[:, :1], _outer(np.exp(logs[:, 1:]), x)], axis=1)

        n = self._oracle.n
        total = self._oracle.total(self._features, function, of="population").value
        height = estimates @ self._seen - total[0] - self._ridge @ estimates**2 / 2
        return float(height) / n, (self._seen - total[1:] - self._ridge * estimates) / n

    def _information(self, estimates: Floats) -> Floats:
        """Minus the second derivative, per record; some rows at a time, to hold few functions."""
        lines = estimates.reshape(self._shape)

        def rows(places: Codes) -> Floats:
            own, columns = np.divmod(places, self._shape[1])
            alike = own[:, np.newaxis] == np.arange(self._shape[0])

            def function(codes: Codes) -> Floats:
                x = self._coding.coded(codes)
                chances = np.exp(log_chances(x, lines)[:, 1:])
                weights = (chances[:, own] * x[:, columns])[:, :, np.newaxis]
                weights = weights * (alike - chances[:, np.newaxis])
                return _outer(weights.reshape(len(x), -1), x)

            found = self._oracle.total(self._features, function, of="population")
            return found.value.reshape(len(places), -1)

        size = estimates.size
        blocks = np.array_split(np.arange(size), -(-(size**2) // MOST_FUNCTIONS))
        found = np.concatenate([rows(places) for places in blocks if len(places)])
        return (found + np.diag(self._ridge)) / self._oracle.n

    def _linear(self) -> LogisticAnswer:
        """Believe the score at the start as far as it stands out from its noise."""
        slope, noise = self._score(self._start)
        information = self._begun
        few = _positive(information)
        noise = noise + _positive(few - noise)  # sampling alone leaves as much
        noise += SINGULAR * np.diag(np.maximum(np.diagonal(noise), SINGULAR))
        towards = np.linalg.solve(noise, information).T
        precision = towards @ information + np.diag(self._prior)
        scale = 1 / np.sqrt(np.diagonal(precision))
        scales = np.outer(scale, scale)
        covariance: Floats = scales * np.linalg.inv(precision * scales)
        estimates: Floats = self._start + covariance @ towards @ slope
        return LogisticAnswer(
            estimates.reshape(self._shape),
            covariance,
            f"The noise of {self._oracle.n:,} records leaves the score equations without a "
            "solution that is better than none. These estimates are linear: they believe the "
            "reports as far as they stand out from the noise, and the penalty for the rest.",
        )

    def _covariance(self, estimates: Floats, information: Floats) -> Floats:
        """The sandwich; what a penalty shifts, under the prior that it stands for, is noise too."""
        bread = np.linalg.inv(information) / self._oracle.n
        noise = self._score(estimates)[1] + np.diag(self._ridge)
        covariance: Floats = bread @ noise @ bread.T
        return covariance

    def _score(self, estimates: Floats) -> tuple[Floats, Floats]:
        """The score's total, without the penalty, and the covariance matrix of its error."""
        lines = estimates.reshape(self._shape)

        def score(codes: Codes) -> Floats:
            x = self._coding.coded(codes[:, :-1])
            chances = np.exp(log_chances(x, lines)[:, 1:])
            is_class = codes[:, -1:] == np.arange(1, 1 + self._shape[0])
            return _outer(is_class - chances, x)

        columns = (*self._features, self._target)
        found = self._oracle.total(columns, score, of="population")
        return found.value, found.covariance

    def _checked_shares(self, shares: Floats) -> Floats:
        """Shares of the classes; with a ridge nobody is taken for half a record."""
        if self._penalised:
            shares = np.maximum(shares, HALF_A_RECORD / (self._oracle.n + 1))
            return np.asarray(shares / shares.sum())
        for value, share in zip(self._schema[self._target].values, shares, strict=True):
            if share <= 0:
                raise nobody_has(self._target, value)
        return shares

    def _starting(self, shares: Floats) -> Floats:
        """All coefficients 0 but the intercepts, which give the shares of the classes."""
        start = np.zeros(self._shape)
        start[:, 0] = np.log(shares[1:] / shares[0])
        return start.ravel()

    def _checked_units(self, information: Floats) -> Floats:
        """The information's root; refused where it does not tell the features apart."""
        scale = np.sqrt(np.maximum(np.diagonal(information), SINGULAR))
        parts, directions = np.linalg.eigh(information / np.outer(scale, scale))
        if parts[0] <= SINGULAR:
            raise indistinct(heaviest(self._coding, directions[:, 0] / scale), self._oracle.n)
        return np.linalg.cholesky(information / self._oracle.n).astype(np.float64)

    def _unsolved(self, estimates: Floats) -> ModelError:
        return unsolved(self._target, heaviest(self._coding, estimates), self._oracle.n)


def _positive(matrix: Floats) -> Floats:
    """The part of a symmetric matrix that has positive eigenvalues."""
    parts, directions = np.linalg.eigh(matrix)
    positive: Floats = (directions * np.maximum(parts, 0)) @ directions.T
    return positive


def _moments(oracle: TotalOracle, coding: Coding, target: str) -> Floats:
    """Σ z·zᵀ over the records, z being x and then 1[class = c], from one batch of counts."""
    p, classes = len(coding.names), oracle.schema[target].size - 1
    columns = (*coding.schema.names, target)
    terms = np.full((p + classes, len(columns)), ANY, dtype=np.int64)
    for row, (place, code) in enumerate(coding.terms, start=1):
        terms[row, place] = code
    terms[p:, -1] = np.arange(1, 1 + classes)
    first, second = np.triu_indices(len(terms))
    one, other = terms[first], terms[second]
    possible = ~((one != other) & (one != ANY) & (other != ANY)).any(axis=1)
    both = Family(columns, np.where(one == ANY, other, one)[possible])
    moments = np.zeros((len(terms), len(terms)))
    moments[first[possible], second[possible]] = oracle.count(both).value
    whole: Floats = moments + np.triu(moments, 1).T
    return whole


def _outer(left: Floats, right: Floats) -> Floats:
    """All products of a row's numbers, flat."""
    return (left[:, :, np.newaxis] * right[:, np.newaxis, :]).reshape(len(left), -1)
