"""Likelihood of the reports under a logistic model of the truth, and its maximum.

A record of public features u, hidden features z and class c is reported as r with a chance of
C[r; z, c]. With q_u(z) the shares of the hidden features among those with public features u, and
μ_c(x; β) the model's chance of a class,

    P(r | u) = Σ_z q_u(z) · Σ_c C[r; z, c] · μ_c(x(u, z); β)

and the log-likelihood is Σ n(u, r)·log P(r | u). Nothing is assumed about q: for each β it is the
most likely mixture, whose likelihood is concave (`most_likely`), so that what is climbed is the
likelihood of β alone. Where only the class is hidden there is no q, and this is the logistic
regression for randomized responses of Scheers and Dayton (1988).

Errors are those of the observed information, q profiled out by its Schur complement. That q sums to
1 need not be said: Poisson counts of reports have the same maximum, and the same profile.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from deniable.base.arrays import Floats, Mask
from deniable.oracle.likelihood.mixture import most_likely

SURELY_CLIMBED = 1e-9
"""What one more step would add to the log-likelihood when climbing stops."""

NEARLY_CLIMBED = 1e-4
"""The same where rounding lets no step lead up any more."""

CLOSE_SHARES, CLOSEST_SHARES = 1e-10, 1e-14
"""How near the shares of hidden features come to their most likely ones, in log-likelihood: in all,
or for each record, where rounding allows no more."""

MOST_CLIMBING_STEPS = 100
MOST_HALVINGS = 30

LARGEST_TURN = 4.0
"""By how much one step may change the log-odds of a record."""

STILL = 0.1
"""By how much the last step may; more would mean that the likelihood rises for ever, ever less."""

ENDLESS = 15.0
"""Log-odds of a report's class from which on there is no maximum to be found: e^15 to 1."""

PRESENT = 1e-3
"""Records that must be expected of a pattern for its log-odds to matter."""

NO_INFORMATION = 1e-9
"""Smallest part of an information matrix, scaled to a diagonal of 1, that is not rounding error."""


BEYOND_PENALTY = 1.25**2
"""Variance of a coefficient, over the penalty's own, that no records can bring about."""


@dataclass(frozen=True, eq=False)
class ReportsOfSite:
    """Reports of one site by pattern of public features."""

    x: Floats
    """``[u, z, coefficient]``."""

    counts: Floats
    """``[u, r]``."""

    channel: Floats
    """``[r, z, c]``."""


@dataclass(frozen=True, eq=False)
class SummitOfReports:
    """Where the likelihood is highest, how high it is, and what it says there."""

    estimates: Floats
    """``[class − 1, coefficient]``."""

    information: Floats
    """Of the coefficients, class after class, without the penalty."""

    log_likelihood: float
    """Without the penalty; constants of the reports' order are left out."""

    steps: int
    gap: float
    """What one more step would have added to the log-likelihood."""


class NoSummit(Exception):  # noqa: N818 # it is caught, and said in other words
    """The likelihood has no maximum; the coefficients along which it goes on."""

    def __init__(self, direction: Floats, *, flat: bool) -> None:
        super().__init__()
        self.direction, self.flat = direction, flat


@dataclass(frozen=True, eq=False)
class _Place:
    """One choice of coefficients with its most likely shares."""

    estimates: Floats
    shares: list[Floats]
    height: float
    """With the penalty."""

    bare: float


class ReportLikelihood:
    """Of the coefficients of one model, over the reports of some sites."""

    def __init__(self, sites: Sequence[ReportsOfSite], penalty: Floats) -> None:
        self._sites = tuple(sites)
        self._shape = penalty.shape
        self._penalty = penalty.ravel()

    def summit(self, start: Floats, *, whatever: bool = False) -> SummitOfReports:
        """Climb from some coefficients; ``whatever``: give what was reached in any case."""
        even = [np.full(site.x.shape[:2], 1 / site.x.shape[1]) for site in self._sites]
        place = self._placed(start, even)
        gap = np.inf
        for step in range(MOST_CLIMBING_STEPS):
            slope = self._slope(place) - self._penalty * place.estimates.ravel()
            aim = self._aim(place, slope, whatever=whatever)
            gap = float(slope @ aim)
            if gap < SURELY_CLIMBED:
                if not whatever and self._turn(aim) > STILL:
                    raise NoSummit(place.estimates, flat=False)
                return self._summit(place, step, gap)
            higher = self._climbed(place, aim, gap)
            if higher is None:
                if gap < NEARLY_CLIMBED or whatever:
                    return self._summit(place, step, gap)
                raise NoSummit(place.estimates, flat=False)
            place = higher
            if not whatever and self._steepest(place) > ENDLESS:
                raise NoSummit(place.estimates, flat=False)
        if whatever:
            return self._summit(place, MOST_CLIMBING_STEPS, gap)
        raise NoSummit(place.estimates, flat=False)

    def _summit(self, place: _Place, steps: int, gap: float) -> SummitOfReports:
        """Expect the information where the one observed would make errors exceed the penalty's."""
        information = self._information(place, observed=True)
        bend = information + np.diag(self._penalty)
        if _smallest(bend) <= NO_INFORMATION or (
            (self._penalty * np.diagonal(np.linalg.inv(bend)) > BEYOND_PENALTY).any()
        ):
            information = self._information(place, observed=False)
        return SummitOfReports(place.estimates, information, place.bare, steps, gap)

    def _aim(self, place: _Place, slope: Floats, *, whatever: bool) -> Floats:
        """Newton's step by the observed information or, where it bends upwards, the expected."""
        for observed in (True, False):
            bend = self._information(place, observed=observed, held=True)
            bend += np.diag(self._penalty)
            if _smallest(bend) > NO_INFORMATION:
                break
        else:
            if not whatever:
                scale = _scale(bend)
                direction = np.linalg.eigh(bend / np.outer(scale, scale))[1][:, 0] / scale
                raise NoSummit(direction.reshape(self._shape), flat=True)
            bend += NO_INFORMATION * 10 * np.diag(_scale(bend) ** 2)
        aim = np.asarray(np.linalg.solve(bend, slope), dtype=np.float64)
        return aim * min(1.0, LARGEST_TURN / max(self._turn(aim), LARGEST_TURN))

    def _turn(self, aim: Floats) -> float:
        """Largest change of a record's log-odds."""
        lines = aim.reshape(self._shape).T
        return max(float(np.abs(site.x @ lines).max()) for site in self._sites)

    def _climbed(self, place: _Place, aim: Floats, gap: float) -> _Place | None:
        """Go along the aim as far as it leads up."""
        ground = place.height - 1e-13 * abs(place.height)
        for halvings in range(MOST_HALVINGS):
            part = 0.5**halvings
            estimates = place.estimates + part * aim.reshape(self._shape)
            there = self._placed(estimates, place.shares)
            if there.height > ground + 1e-4 * part * gap * (gap > NEARLY_CLIMBED):
                return there
        return None

    def _steepest(self, place: _Place) -> float:
        """Largest log-odds between two classes, of a pattern that somebody has."""
        found = 0.0
        for site, shares in zip(self._sites, place.shares, strict=True):
            held: Mask = shares * site.counts.sum(axis=1, keepdims=True) > PRESENT
            odds = site.x @ place.estimates.T
            spread = np.maximum(odds.max(axis=2), 0) - np.minimum(odds.min(axis=2), 0)
            found = max(found, float(spread[held].max(initial=0.0)))
        return found

    def _placed(self, estimates: Floats, start: Sequence[Floats]) -> _Place:
        """Find the most likely shares, and how likely the reports are."""
        found, bare = [], 0.0
        for site, shares in zip(self._sites, start, strict=True):
            reported = _reported(site, _chances(site.x, estimates))
            if shares.shape[1] > 1:
                rows = [
                    most_likely(
                        reported[u],
                        counts,
                        shares[u],
                        close=max(CLOSE_SHARES, CLOSEST_SHARES * counts.sum()),
                    )[0]
                    for u, counts in enumerate(site.counts)
                ]
                shares = np.array(rows)  # noqa: PLW2901
            expected = np.einsum("urz,uz->ur", reported, shares)
            seen = site.counts > 0
            with np.errstate(divide="ignore"):
                bare += float(site.counts[seen] @ np.log(expected[seen]))
            found.append(shares)
        penalty = float(self._penalty @ estimates.ravel() ** 2) / 2
        return _Place(estimates, found, bare - penalty, bare)

    def _parts(self, place: _Place) -> Iterator[tuple[ReportsOfSite, Floats, "_Chances"]]:
        for site, shares in zip(self._sites, place.shares, strict=True):
            yield site, shares, _Chances(site, place.estimates, shares)

    def _slope(self, place: _Place) -> Floats:
        """The score: residuals of the counts that reports and model together let one expect."""
        total = np.zeros(self._shape)
        for site, shares, at in self._parts(place):
            counts = at.unmixed * shares[:, :, None]
            residual = counts[:, :, 1:] - counts.sum(axis=2, keepdims=True) * at.chances[:, :, 1:]
            total += np.einsum("uzk,uzp->kp", residual, site.x)
        return total.ravel()

    def _information(self, place: _Place, *, observed: bool, held: bool = False) -> Floats:
        """Minus the second derivative in the coefficients, the shares profiled out.

        ``held``: shares that are 0 stay there, as they do near by; for errors they do not, because
        noise alone brought them there.
        """
        size = self._penalty.size
        whole = np.zeros((size, size))
        for site, shares, at in self._parts(place):
            chances = at.chances[:, :, 1:]
            pull = site.channel[None, :, :, 1:] - at.reported[:, :, :, None]
            pull = chances[:, None] * pull  # [u, r, z, k]: what β moves, per x
            moved = np.einsum("urzk,uzp,uz->urkp", pull, site.x, shares, optimize=True)
            moved = moved.reshape(*moved.shape[:2], size)
            if observed:
                weight = at.weight**2 / np.where(site.counts > 0, site.counts, 1)
            else:
                many = site.counts.sum(axis=1, keepdims=True)
                weight = np.divide(
                    many, at.expected, out=np.zeros_like(at.expected), where=at.expected > 0
                )
            own = np.einsum("uri,ur,urj->ij", moved, weight, moved, optimize=True)
            if observed:
                own -= _curved(site, shares, at)
            whole += own
            if shares.shape[1] == 1:
                continue
            cross = np.einsum("uri,ur,urz->uiz", moved, weight, at.reported, optimize=True)
            if observed:
                pulled = at.unmixed[:, :, 1:] - at.unmixed.sum(axis=2, keepdims=True) * chances
                bent = np.einsum("uzk,uzp->ukpz", pulled, site.x)
                cross -= bent.reshape(len(bent), size, -1)
            if held:
                cross = cross * (shares > 0)[:, None]
            mixed = np.einsum("urz,ur,urw->uzw", at.reported, weight, at.reported, optimize=True)
            if held:
                mixed = mixed * (shares > 0)[:, None] * (shares > 0)[:, :, None]
            inverse = np.linalg.pinv(mixed, rcond=NO_INFORMATION, hermitian=True)
            whole -= np.einsum("uiz,uzw,ujw->ij", cross, inverse, cross, optimize=True)
        symmetric: Floats = (whole + whole.T) / 2
        return symmetric


class _Chances:
    """What one site's reports and a place together let one expect."""

    def __init__(self, site: ReportsOfSite, estimates: Floats, shares: Floats) -> None:
        self.chances = _chances(site.x, estimates)
        self.reported = _reported(site, self.chances)
        self.expected: Floats = np.einsum("urz,uz->ur", self.reported, shares)
        seen = site.counts > 0
        self.weight: Floats = np.zeros_like(self.expected)
        self.weight[seen] = site.counts[seen] / self.expected[seen]
        back = np.einsum("ur,rzc->uzc", self.weight, site.channel, optimize=True)
        self.unmixed: Floats = back * self.chances
        """``[u, z, c]``: counts to expect of the truth, over the shares."""


def _chances(x: Floats, estimates: Floats) -> Floats:
    """``[u, z, c]``."""
    odds = x @ estimates.T
    odds = np.concatenate([np.zeros((*odds.shape[:2], 1)), odds], axis=2)
    chances = np.exp(odds - odds.max(axis=2, keepdims=True))
    found: Floats = chances / chances.sum(axis=2, keepdims=True)
    return found


def _reported(site: ReportsOfSite, chances: Floats) -> Floats:
    """``[u, r, z]``: how likely each report is for each pattern of hidden features."""
    found: Floats = np.einsum("rzc,uzc->urz", site.channel, chances, optimize=True)
    return found


def _curved(site: ReportsOfSite, shares: Floats, at: _Chances) -> Floats:
    """Σ n/E times the second derivative of what is expected, in the coefficients."""
    counts = at.unmixed * shares[:, :, None]
    many, own = counts.sum(axis=2), counts[:, :, 1:]
    chances = at.chances[:, :, 1:]
    both = own[:, :, :, None] * chances[:, :, None, :]
    bend = -both - both.transpose(0, 1, 3, 2)
    bend += 2 * many[:, :, None, None] * chances[:, :, :, None] * chances[:, :, None, :]
    places = np.arange(chances.shape[2])
    bend[:, :, places, places] += own - many[:, :, None] * chances
    size = chances.shape[2] * site.x.shape[2]
    found = np.einsum("uzkl,uzp,uzq->kplq", bend, site.x, site.x, optimize=True)
    return np.asarray(found.reshape(size, size), dtype=np.float64)


def _scale(information: Floats) -> Floats:
    sizes = np.abs(np.diagonal(information))
    largest = float(sizes.max(initial=0.0)) or 1.0
    return np.asarray(np.sqrt(np.maximum(sizes, NO_INFORMATION * largest)))


def _smallest(information: Floats) -> float:
    scale = _scale(information)
    return float(np.linalg.eigvalsh(information / np.outer(scale, scale))[0])
