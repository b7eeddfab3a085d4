"""Counting through the disguise: N̂(E) = Σ over reports of Π over groups of w(r; e).

Each group's channel writes its part of a conjunction as signed terms over *reports*; multiplied
out, an estimate is a short signed sum of plain counts, which one tabulation answers. With m
yes/no related groups these are the 2^m counts of the papers' M_m system, solved in closed form.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import prod
from typing import Any

import numpy as np

from deniable.base.arrays import ROUNDING, Codes, Floats
from deniable.channel.terms import POWERS
from deniable.design import Design
from deniable.engine.engine import LARGEST_DOMAIN, Columns, joint_size
from deniable.engine.open_table import open_engine
from deniable.expression import ANY, Expression, Family
from deniable.oracle.api import (
    Branching,
    CountOracle,
    Estimates,
    Frontier,
    Function,
    ReportedPatterns,
    Stratum,
    Target,
    Totals,
    checked_target,
)
from deniable.oracle.contraction import contracted
from deniable.oracle.expansion import devices, expanded, pieces, second_moment
from deniable.oracle.frontier.choose_frontier import branching, routed
from deniable.oracle.frontier.frontier import CountedFrontier
from deniable.oracle.reported_patterns import reported_patterns
from deniable.oracle.resampling import can_divide, dealt, drawn
from deniable.oracle.strata import device, stratum
from deniable.oracle.tally import Tally
from deniable.oracle.totals import total
from deniable.schema import Schema

CELLS_PER_TERM = 4
"""Cells of a joint table that are summed in the time in which a signed term is."""

MANY_TERMS = 1 << 13
"""Signed terms up to which they are counted one by one."""

SURE = 4
"""Standard errors that a number must exceed to be divided by."""


class RandomizedOracle:
    """Estimates from disguised records and the design that disguised them.

    >>> design = Design.of({
    ...     "attributes": {"smokes": ["no", "yes"]},
    ...     "groups": [{"attributes": ["smokes"], "channel": "related", "theta": "4/5"}],
    ... })
    >>> reports = {"smokes": ["no"] * 60 + ["yes"] * 40}
    >>> found = RandomizedOracle(reports, design).count(["smokes=yes"])
    >>> found.value.round(1), found.std_error.round(1)
    (array([33.3]), array([6.7]))
    """

    def __init__(self, reports: Any, design: Design) -> None:
        """Take an engine, any table of reports, or its name; one of another design is refused."""
        self.design = design
        self.engine = open_engine(reports, design.schema, design.stamp, reports=design.disguises)
        self.tally = Tally(self.engine)

    @property
    def schema(self) -> Schema:
        """The attributes that can be asked about."""
        return self.design.schema

    @property
    def n(self) -> int:
        """How many reports there are."""
        return self.tally.n

    def count(
        self, expressions: Iterable[Expression] | Family, *, of: Target = "sample"
    ) -> Estimates:
        """Estimate how many records satisfy each conjunction, in one pass over the reports."""
        checked_target(of)
        family = Family.of(expressions, self.schema)
        _require_countable(family, self.schema)
        parts = pieces(family, self.design)
        counted = self._sums([part for _, part in parts])
        n = self.tally.require_reports()
        sums = [np.zeros(len(family)) for _ in range(POWERS)]
        moment = np.ones(len(family))
        for (rows, part), found_of in zip(parts, counted, strict=True):
            for sums_of, found_sums in zip(sums, found_of, strict=True):
                sums_of[rows] = found_sums
            moment[rows] = second_moment(part, self.design)
        found = estimated(n, of, sums, moment)
        found.tilt[(family.codes == ANY).all(axis=1)] = 0.0  # everyone: n is known exactly
        if of == "sample":
            return found
        several = devices(family, self.design) > 1
        return replace(found, one=np.where(several, found.tilt + 2 * found.value / n, 0.0))

    @property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """Attributes that one device disguised together."""
        return tuple(g.names for g in self.design.groups if not g.channel.is_truthful)

    def second_moment(self, family: Family) -> Floats:
        """Give what a record that satisfies E adds to Σw², on average."""
        return second_moment(family, self.design)

    def total(self, columns: Sequence[str], function: Function, *, of: Target = "sample") -> Totals:
        """Add up functions of the true records, which depend on the given columns only."""
        checked_target(of)
        return total(self.design, self.tally, columns, function, of)

    def descend(self, target: str, axes: Sequence[str]) -> Frontier:
        """Begin a tree at its root."""
        return routed(self.design, [self.tally], CountedFrontier.root(self, target, axes))

    def descend_each(
        self, oracles: Sequence[CountOracle], target: str, axes: Sequence[str]
    ) -> Frontier | None:
        """Begin a tree for each of some oracles, if they are alike."""
        alike = self._alike(oracles)
        if alike is None:
            return None
        return routed(self.design, alike, CountedFrontier.roots(oracles, target, axes))

    def branch_each(
        self, oracles: Sequence[CountOracle], target: str, axes: Sequence[str]
    ) -> Branching | None:
        """Begin the same where nodes will be split in several ways."""
        alike = self._alike(oracles)
        if alike is None:
            return None
        return branching(self.design, alike, CountedFrontier.roots(oracles, target, axes))

    def _alike(self, oracles: Sequence[CountOracle]) -> list[Tally] | None:
        """Their reports, if they are as many, of one design."""
        same = [each for each in oracles if isinstance(each, RandomizedOracle)]
        same = [each for each in same if each.design is self.design and each.n == self.n]
        return [each.tally for each in same] if len(same) == len(oracles) else None

    @property
    def divides(self) -> bool:
        """Whether reports can be dealt out: they are at hand, or few enough to be fetched."""
        return can_divide(self.engine)

    def folds(
        self, many: int, rng: np.random.Generator
    ) -> list[tuple["RandomizedOracle", "RandomizedOracle"]]:
        """Deal the reports into folds; give for each all the others, and itself."""
        return [
            (RandomizedOracle(rest, self.design), RandomizedOracle(fold, self.design))
            for rest, fold in dealt(self.design, self.tally, many, rng)
        ]

    def resampled(self, many: int, rng: np.random.Generator) -> list["RandomizedOracle"]:
        """Draw as many reports, with replacement, so many times."""
        again = drawn(self.design, self.tally, many, rng)
        return [RandomizedOracle(engine, self.design) for engine in again]

    @property
    def permutes(self) -> bool:
        """Whether distinct reports are at hand, or few enough to be fetched."""
        return can_divide(self.engine)

    @property
    def charges(self) -> bool:
        """Counts are free."""
        return False

    def device(self, name: str) -> frozenset[str]:
        """Attributes that share a random device with one; itself alone if it is public."""
        return device(self.design, name)

    def strata(self, target: str, features: Sequence[str]) -> list[Stratum]:
        """Give the distinct reports about the features and the target."""
        return [stratum(self.design, self.tally, target, features)]

    def reported_patterns(self, schema: Schema, target: str) -> list[ReportedPatterns]:
        """Give the distinct reports about the features and the target of a schema."""
        return [reported_patterns(self.design, self.tally, schema, target)]

    def as_reported(self) -> "RandomizedOracle":
        """Read groups of unknown personal distribution as if their reports were the truth."""
        return RandomizedOracle(self.engine, self.design.as_reported())

    def _sums(self, parts: list[Family]) -> list[list[Floats]]:
        """Σw, Σw² and Σw³: many at once from a joint table, few term by term."""
        many = [self._contracts(part) for part in parts]
        few = [part for part, are_many in zip(parts, many, strict=True) if not are_many]
        terms = [expanded(part, self.design) for part in few]
        counts = self.tally.count(
            [(part.columns, term.codes) for part, term in zip(few, terms, strict=True)]
        )
        summed = iter(
            term.summed(count, len(part))
            for part, term, count in zip(few, terms, counts, strict=True)
        )
        return [
            contracted(part, self.design, self.tally.table(part.columns))
            if are_many
            else next(summed)
            for part, are_many in zip(parts, many, strict=True)
        ]

    def _contracts(self, part: Family) -> bool:
        """Whether terms would be many, and a joint table is small beside them.

        Wherever records are: engines give the same numbers to the last bit.
        """
        cells = prod(self.schema[name].size for name in part.columns)
        groups = sum(1 for _ in self.design.touched(part.columns))
        if len(part) << groups < max(MANY_TERMS, cells / CELLS_PER_TERM):
            return False
        # A device makes two terms of one, or more.
        terms = np.exp2(devices(part, self.design)).sum()
        most = min(self.engine.most_cells, CELLS_PER_TERM * terms)
        return bool(terms >= MANY_TERMS and cells <= most)

    def reported(self, columns: Columns) -> Codes:
        """Give the joint table of the reports themselves, an axis per column."""
        return self.tally.table(columns)


def _require_countable(family: Family, schema: Schema) -> None:
    """Refuse, before any work, a conjunction over more joint patterns than can be numbered."""
    sizes = np.array([schema[name].size for name in family.columns])
    if prod(sizes.tolist()) > LARGEST_DOMAIN and len(family):
        named = family.codes != ANY
        joint_size(sizes[named[int(np.argmax(named @ np.log2(sizes)))]].tolist())


def estimated(n: int, of: Target, sums: list[Floats], moment: Floats) -> Estimates:
    """Give the variance of N̂ = Σw, and how it would change with the true count.

    An error of Σw comes with one of Σw², a slope times as large: their covariance over the variance
    of Σw, by the disguise alone or by sampling too. Few reports show it badly, and then the design
    knows better: a record that satisfies E contributes E[w² | x ⊨ E] = moment, seen or not, and the
    others what is left of Σw². All of these are the same where w takes two values.
    """
    value, square, cube = sums
    few = np.maximum(value, 0.0)
    by_design = moment - np.maximum(square - few * moment, 0.0) / np.maximum(n - few, 1.0)
    if of == "sample":
        variance = square - value
        slope = _ratio(cube - moment * value, variance, by_design)
        slope = np.maximum(slope, np.minimum(by_design, 1.0))
        tilt = np.where(variance > 0, slope - 1, 0.0)
        return Estimates(n, of, value, variance, tilt, np.zeros(len(value)))
    variance = square - value**2 / n
    variance[variance <= ROUNDING * square] = 0.0
    regression = _ratio(cube - square * value / n, variance, by_design)
    slope = np.where(n - few > SURE * np.sqrt(variance), by_design, regression)
    return Estimates(n, of, value, variance, slope - 2 * value / n, np.full(len(value), 1 / n))


def _ratio(above: Floats, below: Floats, otherwise: Floats) -> Floats:
    return np.divide(above, below, out=otherwise.copy(), where=below > 0)
