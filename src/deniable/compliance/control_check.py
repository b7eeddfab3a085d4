"""What control items say about a survey: who ignores the device, what that does, and how sure.

Three verdicts, and each is about what was *not* seen as much as about what was:

- *seen*: the interval of some kind leaves 0 out. The corrected shares are the ones to read;
- *fine*: nothing is seen; 15 % of any kind would have been, in 80 of 100 surveys or more; and the
  most that may ignore the device unseen (a 90 % upper bound) would move no share by more than its
  standard error. With a bias of 1.12 standard errors a 95 % interval misses in 20 of 100 surveys;
  so where it misses as often as that, at most one survey in ten is called fine;
- *unclear*: anything else, with what would settle it: more answers, or more control items. The
  last condition does not get easier with n, because the noise of a control item shrinks as that of
  the questions does.

Each kind is looked at by itself, everybody else following the device. Where there are enough
control items the kinds are told apart, too, and shares are corrected for all of them at once.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist
from typing import Any, Literal

import numpy as np

from deniable.base.arrays import AnyCodes, Codes, Floats
from deniable.compliance.behaviours import BehaviourKind, sent
from deniable.compliance.control_items import MOST_PATTERNS, NOTICED, ControlItems
from deniable.compliance.corrected_shares import corrected_shares, shares_if
from deniable.compliance.interval import Interval
from deniable.compliance.mixture import Mixture
from deniable.design import Design
from deniable.oracle.api import standard_errors
from deniable.privacy.measures.single_answer import entry_matrix
from deniable.privacy.measures.standard_error import share_variances

Verdict = Literal["seen", "fine", "unclear"]

CHECK_LEVEL = 0.95
NOTICED_OFTEN = 0.8
"""Power at which a check counts as able to notice."""

BOUND_LEVEL = 0.8
"""Two-sided: 10 % above the upper bound."""

MOST_MOVED = 1.0
"""Standard errors by which a share may be moved unseen."""

MOST_TIMES = 6
"""Times as many control items, up to which it is tried whether they would do."""

MOST_IGNORING = 0.95
"""Share up to which what those do who ignore the device is still undone."""


@dataclass(frozen=True)
class KindFound:
    """One kind of people who ignore the device, as far as control items show."""

    kind: str
    words: str
    rate: Interval
    """Their share, if everybody else follows the device."""

    notices: float
    """How often a survey of this size notices 15 % of them."""

    people: int
    """How many answers it takes to notice them in 80 of 100 surveys."""

    most: float
    """Upper bound of their share, 90 %."""

    moved: float
    """Standard errors by which so many of them would move the share that they move most."""


@dataclass(frozen=True)
class SharesIf:
    """Corrected shares of one answer."""

    attribute: str
    value: str
    alone: Mapping[str, Interval]
    """By kind: if only such people ignore the device. Kinds that cannot be seen are left out."""

    together: Interval | None
    """For all kinds at once, where the control items tell them apart."""


@dataclass(frozen=True)
class ControlCheck:
    """All that control items say."""

    items: tuple[str, ...]
    verdict: Verdict
    kinds: tuple[KindFound, ...]
    unseen: tuple[str, ...]
    """Kinds that these items cannot see at all, in words."""

    alike: tuple[tuple[str, ...], ...]
    """Kinds that they see, but cannot tell apart."""

    together: Mapping[str, Interval] | None
    """Shares of all kinds at once, where they can be told apart."""

    shares: tuple[SharesIf, ...]
    more_items: int | None
    """Where it is unclear: how many control items like these would rule out too many of a kind, in
    80 of 100 surveys that everybody follows. None: more than are tried, or only other ones."""

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> "ControlCheck":
        """Read what ``dataclasses.asdict`` wrote, also if JSON was between."""
        together = document["together"]
        return cls(
            tuple(document["items"]),
            document["verdict"],
            tuple(
                KindFound(**{**each, "rate": Interval(**each["rate"])})
                for each in document["kinds"]
            ),
            tuple(document["unseen"]),
            tuple(map(tuple, document["alike"])),
            None if together is None else _read(together),
            tuple(
                SharesIf(
                    each["attribute"],
                    each["value"],
                    _read(each["alone"]),
                    None if each["together"] is None else Interval(**each["together"]),
                )
                for each in document["shares"]
            ),
            document["more_items"],
        )


def _read(intervals: Mapping[str, Mapping[str, float]]) -> dict[str, Interval]:
    return {name: Interval(**each) for name, each in intervals.items()}


def control_check(
    design: Design,
    known: Mapping[str, Mapping[str, float]],
    columns: Mapping[str, AnyCodes],
    counts: Codes | None = None,
) -> ControlCheck | None:
    """Check the reports of those who were asked through the device; None without control items.

    ``known`` are the true shares of control items, ``columns`` the codes of the reports by
    attribute, ``counts`` how many people sent each row (one, where they are left out).
    """
    items = ControlItems.of(design, known)
    if items is None:
        return None
    if counts is None:
        counts = np.ones(len(next(iter(columns.values()))), dtype=np.int64)
    return _Reports(items, design, columns, counts).checked() if counts.sum() else None


class _Reports:
    """The reports of one survey, by pattern."""

    def __init__(
        self, items: ControlItems, design: Design, columns: Mapping[str, AnyCodes], counts: Codes
    ) -> None:
        self._items = items
        self._design = design
        self._columns, self._counts = columns, counts
        self._patterns = items.patterns(columns)
        self._seen = self._tabulated(np.zeros_like(self._patterns), 1)[:, 0]
        self._n = float(self._seen.sum())
        self._visible = [
            (kind, mixture)
            for kind, mixture in zip(items.kinds, items.each_alone, strict=True)
            if mixture.identified
        ]

    def checked(self) -> ControlCheck:
        found = tuple(self._found(kind, mixture) for kind, mixture in self._visible)
        together = self._items.together
        visible = {kind for kind, _ in self._visible}
        verdict = self._verdict(found)
        return ControlCheck(
            self._items.names,
            verdict,
            found,
            tuple(kind.words for kind in self._items.kinds if kind not in visible),
            tuple(
                tuple(kind.words for kind in kinds)
                for kinds in self._items.alike()
                if kinds[0] in visible
            ),
            None
            if together is None
            else {
                kind.name: self._rate(together, place, standard_errors(CHECK_LEVEL))
                for place, kind in enumerate(self._items.kinds, start=1)
            },
            tuple(self._corrected()),
            self._more_items() if verdict == "unclear" else None,
        )

    def _verdict(self, found: tuple[KindFound, ...]) -> Verdict:
        if any(each.rate.low > 0 for each in found):
            return "seen"
        if len(found) == len(self._items.kinds) and all(
            each.notices >= NOTICED_OFTEN and each.moved <= MOST_MOVED for each in found
        ):
            return "fine"
        return "unclear"

    def _found(self, kind: BehaviourKind, mixture: Mixture) -> KindFound:
        most = self._rate(mixture, 1, standard_errors(BOUND_LEVEL)).high
        return KindFound(
            kind.name,
            kind.words,
            self._rate(mixture, 1, standard_errors(CHECK_LEVEL)),
            mixture.power(1, NOTICED, self._n, CHECK_LEVEL),
            int(np.ceil(mixture.people_for(1, NOTICED, NOTICED_OFTEN, CHECK_LEVEL))),
            most,
            self._moved(kind, most),
        )

    def _rate(self, mixture: Mixture, component: int, z: float) -> Interval:
        low, high = mixture.bounds(self._seen, component, z)
        return Interval(float(mixture.shares(self._seen)[component]), float(low), float(high))

    def _moved(self, kind: BehaviourKind, rate: float) -> float:
        """Standard errors by which some share is off, if so many people are of a kind."""
        moves = [0.0]
        for name, device, reported in self._questions:
            behave = sent(kind.name, self._design.schema[name])
            inverse = np.linalg.inv(device).astype(np.float64)
            errors = np.sqrt(share_variances(inverse, reported) / self._n)
            plain = shares_if(reported, device, device, 0.0)
            truth = shares_if(reported, device, behave, min(max(rate, 0.0), MOST_IGNORING))
            away = np.abs(plain - truth)
            # Where nothing varies nothing is known of the error: any bias is too large.
            far = np.divide(away, errors, out=np.full_like(away, np.inf), where=errors > 0)
            moves.append(float(np.where(away > 0, far, 0.0).max()))
        return max(moves)

    @cached_property
    def _questions(self) -> list[tuple[str, Floats, Floats]]:
        """Disguised questions that are no control items: name, device, shares of the reports."""
        return [
            (name, entry_matrix(group, name), self._table(name).sum(axis=0) / self._n)
            for group in self._design.groups
            for name in group.names
            if name not in self._items.names
        ]

    def _table(self, name: str) -> Floats:
        return self._tabulated(self._columns[name], self._design.schema[name].size)

    def _tabulated(self, codes: AnyCodes, size: int) -> Floats:
        """Counts of people by pattern and report."""
        flat = np.bincount(
            self._patterns * size + codes,
            weights=self._counts,
            minlength=self._items.size * size,
        )
        return flat.astype(np.float64).reshape(self._items.size, size)

    def _corrected(self) -> list[SharesIf]:
        found = []
        for name, device, _ in self._questions:
            attribute, table = self._design.schema[name], self._table(name)
            alone = {
                kind.name: _intervals(table, mixture, [device, sent(kind.name, attribute)])
                for kind, mixture in self._visible
            }
            together: list[Interval] = []
            if self._items.together is not None:
                behave = [sent(kind.name, attribute) for kind in self._items.kinds]
                together = _intervals(table, self._items.together, [device, *behave])
            found += [
                SharesIf(
                    name,
                    value,
                    {kind: each[code] for kind, each in alone.items() if each},
                    together[code] if together else None,
                )
                for code, value in enumerate(attribute.values)
            ]
        return found

    def _more_items(self) -> int | None:
        """Control items that would vouch for the shares in 80 of 100 surveys that people follow."""
        for times in range(1, MOST_TIMES + 1):
            if self._items.size**times > MOST_PATTERNS:
                return None
            more = self._items.repeated(times)
            if all(
                mixture.identified and self._vouches(kind, mixture)
                for kind, mixture in zip(more.kinds, more.each_alone, strict=True)
            ):
                return len(more.items)
        return None

    def _vouches(self, kind: BehaviourKind, mixture: Mixture) -> bool:
        error = (mixture.variance(np.array([1.0, 0.0]), 1) / self._n) ** 0.5
        bound = standard_errors(BOUND_LEVEL) + NormalDist().inv_cdf(NOTICED_OFTEN)
        return self._moved(kind, bound * error) <= MOST_MOVED


def _intervals(table: Floats, mixture: Mixture, channels: list[Floats]) -> list[Interval]:
    """Of each value; none at all where next to nobody seems to follow the device."""
    found = corrected_shares(table, mixture, channels)
    if np.isnan(found.shares).any():
        return []
    reach = standard_errors(CHECK_LEVEL) * found.std_errors
    return [
        Interval(*map(float, each))
        for each in zip(found.shares, found.shares - reach, found.shares + reach, strict=True)
    ]
