"""Related question (Warner 1965): a group tells the truth, or its opposite, as a whole.

With probability θ the group is reported as it is. Otherwise every attribute of it is replaced,
independently, by a uniformly drawn *other* value; for a yes/no attribute that is the opposite.

What leaks: a report of two or more yes/no attributes excludes every pattern but itself and its
opposite, so ε is infinite, and whoever knows one attribute of the group knows all of it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import prod
from typing import ClassVar, Self

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.base.errors import DesignError
from deniable.base.wording import as_chance
from deniable.channel.channel import (
    BINARY,
    HALF,
    Channel,
    ExactColumns,
    exact,
    names,
    patterns,
)
from deniable.channel.deviations import (
    best_elsewhere,
    eigenvalue,
    inverse_eigenvalues,
    is_singular,
    match_terms,
    match_weights,
)
from deniable.channel.device import Answers, Change, Dice, Outcome, with_values
from deniable.channel.group_options import SMALLEST, only, probability
from deniable.channel.terms import Terms, by_positions, collected, raised, stack
from deniable.expression import ANY
from deniable.schema import Attribute

MOST_SUBSETS = 10
"""Attributes of a categorical group up to which all subsets are looked at, not only pairs."""


@dataclass(frozen=True)
class Related(Channel):
    """Binary: ``w(r; e) = (θ·[r ⊨ e] − (1−θ)·[r ⊨ ē]) / (2θ−1)``, ``ē`` the opposite of ``e``.

    >>> import numpy as np
    >>> warner = Related((2,), Fraction(4, 5))
    >>> warner.weights([1], np.array([[0], [1]]))  # reports no, yes; counting yes
    array([-0.33333333,  1.33333333])
    """

    theta: Fraction

    kind: ClassVar[str] = "related"

    def __post_init__(self) -> None:
        if 1 in self.sizes:
            raise DesignError(
                "A related group has an attribute with a single value, which has no opposite.",
                hint="Leave that attribute out of the group.",
            )
        if abs(2 * self.theta - 1) < SMALLEST and BINARY in self.sizes:
            makes = "makes" if self.theta == HALF else "is so close to 1/2 that it makes"
            raise DesignError(
                f"theta = {self.theta} {makes} every report a fair coin, so no count can be "
                "estimated from it.",
                hint="Use another theta, or the unrelated-question model (channel: unrelated).",
            )
        alone = (eigenvalue(self.theta, Fraction(-1, size - 1)) for size in self.sizes)
        if is_singular(self.theta, self.sizes) or any(abs(value) < SMALLEST for value in alone):
            raise DesignError(
                f"theta = {self.theta} makes some answers of this group equally likely whatever "
                "the truth, so they cannot be undone.",
                hint=f"Use another theta: for one attribute of {self.sizes[0]} values it must "
                f"differ from 1/{self.sizes[0]}.",
            )

    @classmethod
    def read(cls, attributes: Sequence[Attribute], options: Mapping[str, object]) -> Self:
        """Build from ``theta``."""
        only(options, "theta")
        theta = probability(options, why="the probability of a truthful report")
        return cls(tuple(attribute.size for attribute in attributes), theta)

    def options(self, attributes: Sequence[Attribute]) -> dict[str, object]:
        """Write ``theta``."""
        return {"theta": exact(self.theta)}

    def story(self, attributes: Sequence[Attribute]) -> str:
        """Say what the coin decides."""
        binary = all(attribute.size == BINARY for attribute in attributes)
        other = "its opposite" if binary else "another value, drawn evenly from the other ones"
        if len(attributes) == 1:
            return (
                f"{names(attributes)}: with probability {as_chance(self.theta)} reported as it "
                f"is, otherwise replaced by {other}."
            )
        return (
            f"{names(attributes)}: one coin for the group; with probability "
            f"{as_chance(self.theta)} all are reported as they are, otherwise each is replaced by "
            f"{other}."
        )

    def matrix(self, positions: Sequence[int]) -> Floats:
        """``θ·I + (1−θ)·⊗ (J − I)/(k−1)``."""
        part = self.marginal(positions)
        return part.send(np.eye(prod(part.sizes)))

    def second_moment(self, codes: Codes) -> Floats:
        """Average over the coin: all of ``e`` is reported, or none of it."""
        if self.flips:
            return np.where((codes != ANY).any(axis=1), self._moment((BINARY,)), 1.0)
        moments = np.empty(len(codes))
        for rows, positions in by_positions(codes):
            moments[rows] = self._moment(tuple(self.sizes[p] for p in positions))
        return moments

    def marginal(self, positions: Sequence[int]) -> Self:
        """Toss the same coin for fewer attributes; which they are makes no difference."""
        sizes = tuple(self.sizes[p] for p in positions)
        if sizes not in self._marginals:
            self._marginals[sizes] = replace(self, sizes=sizes)
        return self._marginals[sizes]

    @cached_property
    def _marginals(self) -> dict[tuple[int, ...], Self]:
        """Those that were asked for: thousands of pairs of attributes are one of them."""
        return {}

    def undo(self, table: Floats, *, transposed: bool = False) -> Floats:
        """Binary: ``a·t + b·t`` with every bit flipped. C⁻¹ is symmetric.

        Categorical: C⁻¹ is diagonal in the basis of means and deviations. An axis of k values is
        written there as its mean and k − 1 deviations; the first one is minus the others' sum.
        """
        if self.flips:
            match, clash = self._warner
            opposite: Floats = table[::-1]  # the last pattern has every bit set
            return match * table + clash * opposite
        cells = table
        for before, size in self._axes:
            axis = cells.reshape(before, size, -1)
            mean = axis.mean(axis=1, keepdims=True)
            cells = np.concatenate([mean, axis[:, 1:] - mean], axis=1)
        deviating = np.ix_(*(np.minimum(np.arange(size), 1) for size in self.sizes))
        inverse = inverse_eigenvalues(self.theta, self.sizes)[deviating]
        cells = cells.reshape(len(table), -1) * inverse.reshape(-1, 1)
        for before, size in self._axes:
            axis = cells.reshape(before, size, -1)
            mean, others = axis[:, :1], axis[:, 1:]
            first = mean - others.sum(axis=1, keepdims=True)
            cells = np.concatenate([first, others + mean], axis=1)
        return cells.reshape(table.shape)

    def send(self, table: Floats, *, transposed: bool = False) -> Floats:
        """``θ·t + (1−θ)·t`` spread evenly over the other values of every attribute. C is symmetric.

        Binary: the spread is t with every bit flipped.
        """
        if self.flips:
            spread: Floats = table[::-1]
        else:
            spread = table
            for before, size in self._axes:
                axis = spread.reshape(before, size, -1)
                spread = (axis.sum(axis=1, keepdims=True) - axis) / (size - 1)
            spread = spread.reshape(table.shape)
        sent: Floats = float(self.theta) * table + float(1 - self.theta) * spread
        return sent

    def guess(self, table: Floats) -> tuple[Floats, Codes]:
        """Compare the report itself with the best truth that differs from it everywhere."""
        flat = table.reshape(len(table), -1)
        truths = np.broadcast_to(np.arange(len(flat))[:, None], flat.shape)
        other, others = flat, truths
        if self.flips:
            other, others = flat[::-1], truths[::-1]
        else:
            for before, size in self._axes:
                axes = (before, size, -1)
                other, others = best_elsewhere(other.reshape(axes), others.reshape(axes))
            other, others = other.reshape(flat.shape), others.reshape(flat.shape)
        own = float(self.theta) * flat
        differing = float((1 - self.theta) / prod(size - 1 for size in self.sizes)) * other
        best = np.maximum(own, differing).reshape(table.shape)
        return best, np.where(own >= differing, truths, others).reshape(table.shape)

    def chance(self, reports: Codes, truths: Codes) -> Floats:
        """All attributes the same, or all of them different."""
        alike = reports == truths
        differing = float((1 - self.theta) / prod(size - 1 for size in self.sizes))
        turned = differing * (~alike).all(axis=-1)
        chances: Floats = float(self.theta) * alike.all(axis=-1) + turned
        return chances

    def ratio(self) -> float:
        """Infinite for two or more attributes: a report excludes what differs from it in part."""
        if len(self.sizes) > 1:
            return np.inf
        low, high = sorted(self.exact_columns()[0][:2])
        return float(high / low) if low else np.inf

    def heaviest(self) -> float:
        """Binary: by a match. Categorical: over the subsets of attributes that a question names."""
        if self.flips:
            return max(map(abs, self._warner))
        most = len(self.sizes) if len(self.sizes) <= MOST_SUBSETS else 2
        return max(
            float(np.abs(match_weights(self.theta, chosen)).max())
            for many in range(1, most + 1)
            for chosen in set(combinations(sorted(self.sizes), many))
        )

    def exact_columns(self) -> ExactColumns:
        """``θ`` for the truth, and the rest spread evenly."""
        (size,) = self.sizes
        other = (1 - self.theta) / (size - 1)
        every = range(size)
        return tuple(tuple(self.theta if r == x else other for r in every) for x in every)

    @property
    def change(self) -> Change:
        """Turned as a whole."""
        return Change.TURNED

    def disguised(self, truth: Answers, personal: Answers | None, dice: Dice) -> Answers:
        """Toss one coin a record; where it falls wrong, draw another value for each attribute."""
        turned = ~dice.coin(self.theta, len(truth[0]))
        those = np.flatnonzero(turned)
        reports = []
        for size, column in zip(self.sizes, truth, strict=True):
            if size == BINARY:
                reports.append(column ^ turned)
                continue
            # The true value plus 1 … k−1, modulo k: an even draw among the others.
            step = dice.draw((Fraction(1, size - 1),) * (size - 1), len(those))
            others = (column[those].astype(np.int64) + step + 1) % size
            reports.append(with_values(column, those, others))
        return tuple(reports)

    @classmethod
    def plan_range(cls, attributes: Sequence[Attribute]) -> tuple[Fraction, Fraction] | None:
        """From the smallest domain's even guess to the truth."""
        return Fraction(1, min(attribute.size for attribute in attributes)), Fraction(1)

    def outcomes(self) -> tuple[Outcome, ...]:
        """The truth, or for every answer its opposite or another one."""
        turned = Outcome(1 - self.theta, "opposite" if self.flips else "another")
        return (Outcome(self.theta, "truth"), turned)

    def practice(self, attribute: Attribute) -> dict[str, object] | None:
        """The same coin, unless it would be a fair one: then a no or yes would mean nothing."""
        return None if self.theta == HALF else {"theta": exact(self.theta)}

    @property
    def _axes(self) -> list[tuple[int, int]]:
        """For each attribute, the patterns of those before it, and its own size."""
        return [(prod(self.sizes[:place]), size) for place, size in enumerate(self.sizes)]

    def unrolled(self, reports: Codes) -> tuple[Codes, Floats] | None:
        """Binary: the report itself and its opposite."""
        if not self.flips:
            return super().unrolled(reports)
        weights = np.repeat(np.array(self._warner)[:, None], len(reports), axis=1)
        return np.stack([reports, 1 - reports]), weights

    def by_matches(self, codes: Codes) -> Floats:
        """Whatever the values are; binary: only a report that matches all or nothing counts."""
        sizes = [size for size, code in zip(self.sizes, codes[0], strict=True) if code != ANY]
        if set(sizes) != {BINARY}:
            return match_weights(self.theta, tuple(sizes)).reshape(1, -1)
        weights = np.zeros((1, BINARY ** len(sizes)))
        weights[0, -1], weights[0, 0] = self._warner
        return weights

    def _moment(self, sizes: tuple[int, ...]) -> float:
        """Average over a report that matches all of ``e``, and one that matches nothing."""
        if set(sizes) == {BINARY}:
            match, clash = self._warner
        else:
            match, clash = match_weights(self.theta, sizes).ravel()[[-1, 0]].tolist()
        return float(self.theta) * match**2 + float(1 - self.theta) * clash**2

    @cached_property
    def _warner(self) -> tuple[float, float]:
        spread = 2 * self.theta - 1
        return float(self.theta / spread), float((self.theta - 1) / spread)

    def _expand(self, codes: Codes) -> Terms:
        if self.flips:
            return self._opposites(codes)
        parts = []
        for rows, positions in by_positions(codes):
            part = codes[rows]
            if {self.sizes[p] for p in positions} == {BINARY}:
                found = self._opposites(part)
            else:
                found = self._matches(part, positions)
            parts.append(Terms(rows[found.rows], found.codes, found.powers))
        return collected(parts)

    def _opposites(self, codes: Codes) -> Terms:
        opposite = np.where(codes == ANY, ANY, 1 - codes)
        powers = raised(np.array(self._warner))
        return stack(
            [codes, opposite], [np.repeat(each[:, None], len(codes), axis=1) for each in powers.T]
        )

    def _matches(self, codes: Codes, positions: tuple[int, ...]) -> Terms:
        powers = match_terms(self.theta, tuple(self.sizes[p] for p in positions))
        kept = []
        for subset in patterns((2,) * len(positions)).astype(bool):
            part = np.full_like(codes, ANY)
            chosen = [p for p, keep in zip(positions, subset, strict=True) if keep]
            part[:, chosen] = codes[:, chosen]
            kept.append(part)
        return stack(kept, [np.repeat(power[:, None], len(codes), axis=1) for power in powers.T])
