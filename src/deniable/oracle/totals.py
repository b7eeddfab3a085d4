"""Totals of any function of the record, through the disguise.

For every function f of the truth there is one of the report with the same mean: f with C⁻¹,
transposed, applied to it,

    w(r) = Σ_x C⁻¹[x, r] · f(x)        with  E[w(R) | x] = f(x)

so that Σ over reports of w(r) is an unbiased total. C is a product over the groups, and each group
is undone in the way that asks for fewer values of f: *laid out*, f evaluated on all of its patterns
and undone as a table; or *unrolled*, each report replaced by the few signed truths that it stands
for (two, for a yes/no related group of any size). Both give the same numbers.

Covariances, by target:

- ``sample``: the truths are fixed, and the records' errors independent, each with covariance
  ``E[w wᵀ | x] − f(x) f(x)ᵀ``. ``Σ_r w wᵀ`` is unbiased for the sum of the first part; the sum of
  the second is itself a total of a function of the record, so it is undone like any other. With no
  disguise the two are the same and every standard error is 0.
- ``population``: the reports are independent draws, so ``Σ_r w wᵀ − (Σ_r w)(Σ_r w)ᵀ/n``.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from math import inf, log2, prod

import numpy as np

from deniable.base.arrays import ROUNDING, Codes, Floats, along
from deniable.base.errors import EstimateError
from deniable.channel import Channel, Truthful
from deniable.design import Design
from deniable.engine.engine import LARGEST_DOMAIN, Engine, HoldsRecords
from deniable.expression import strides
from deniable.oracle.api import Function, Target, Totals
from deniable.oracle.tally import Tally
from deniable.schema import Schema

MOST_EVALUATIONS = 1 << 28
"""Records that f is evaluated for in one total; a tree predicts as many in some minutes."""

MOST_TOTAL_VALUES = 1 << 24
"""Values of all functions that one report may need at once."""

NUMBERS_AT_ONCE = 1 << 20
"""Numbers that are held at once, unless a report needs more."""


@dataclass(frozen=True, eq=False)
class DisguisedColumns:
    """Columns that are disguised together, or all that are not disguised."""

    names: tuple[str, ...]
    channel: Channel

    @cached_property
    def cells(self) -> int:
        """How many patterns there are."""
        return prod(self.channel.sizes)

    @cached_property
    def states(self) -> int | None:
        """How many signed truths a report stands for, if they are few."""
        nobody = np.zeros((0, len(self.names)), dtype=np.int64)
        found = self.channel.unrolled(nobody)
        return None if found is None else len(found[1])


@dataclass(frozen=True, eq=False)
class TotalPlan:
    """Which parts are unrolled, report by report, and which are laid out, pattern by pattern."""

    unrolled: tuple[DisguisedColumns, ...]
    laid_out: tuple[DisguisedColumns, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """All columns: first those that are unrolled."""
        return tuple(name for part in (*self.unrolled, *self.laid_out) for name in part.names)

    @cached_property
    def cells(self) -> int:
        """Joint patterns of what is laid out."""
        return prod(part.cells for part in self.laid_out)

    @cached_property
    def states(self) -> int:
        """Signed truths of what is unrolled, per report."""
        return prod(part.states or 0 for part in self.unrolled)

    def evaluations(self, n: int) -> int:
        """How many records f is evaluated for, at most."""
        return min(n, prod(part.cells for part in self.unrolled)) * self.states * self.cells


@dataclass(frozen=True, eq=False)
class Reports:
    """Some reports: codes of the unrolled columns, and counts of the laid-out patterns of each."""

    codes: Codes
    rows: Codes
    cells: Codes
    counts: Codes


def total(
    design: Design, tally: Tally, columns: Sequence[str], function: Function, of: Target
) -> Totals:
    """Add up functions of the true records, from the reports."""
    names = tuple(columns)
    schema = design.schema.select(names)
    tally.require_reports()
    many = _values(function, np.zeros((1, len(schema)), dtype=np.int64)).shape[1]
    plan = _plan(_parts(design, names), tally.n, many)
    work = _Work(plan, names, schema, function, many)
    value, square, truth = np.zeros(many), np.zeros((many, many)), np.zeros((many, many))
    for reports in _reports(tally, plan, schema, max(1, NUMBERS_AT_ONCE // work.size)):
        weights, subtrahend = work.undone(reports, of)
        value += reports.counts @ weights
        square += weights.T @ (reports.counts[:, None] * weights)
        truth += subtrahend
    if of == "population":
        truth = np.outer(value, value) / tally.n
    covariance = square - truth
    scale = np.sqrt(np.outer(np.diagonal(square), np.diagonal(square)))
    covariance[np.abs(covariance) <= ROUNDING * scale] = 0.0
    return Totals(tally.n, of, value, covariance)


def _parts(design: Design, names: tuple[str, ...]) -> list[DisguisedColumns]:
    """Split the columns by group; a group of which some columns are asked for is marginalised."""
    disguised = []
    for group, places in design.touched(names):
        own = tuple(group.names[place] for place in places)
        single = all(design.schema[name].size == 1 for name in own)  # nothing to disguise
        if not single and not group.channel.is_truthful:
            whole = own == group.names
            disguised.append(
                DisguisedColumns(own, group.channel if whole else group.channel.marginal(places))
            )
    hidden = {name for part in disguised for name in part.names}
    plain = tuple(name for name in names if name not in hidden)
    return [*disguised, DisguisedColumns(plain, Truthful.over(design.schema.select(plain).sizes))]


def _plan(parts: list[DisguisedColumns], n: int, many: int) -> TotalPlan:
    """Unroll the parts for which it saves most, as far as that asks for fewer values of f."""
    by_saving = sorted(parts, key=lambda part: log2(part.states or inf) - log2(part.cells))
    can = sum(part.states is not None for part in parts)
    plans = (TotalPlan(tuple(by_saving[:k]), tuple(by_saving[k:])) for k in range(can + 1))
    fitting = [plan for plan in plans if plan.states * plan.cells * many <= MOST_TOTAL_VALUES]
    best = min(fitting, key=lambda plan: plan.evaluations(n), default=None)
    if best is None or best.evaluations(n) > MOST_EVALUATIONS:
        raise EstimateError(
            f"A function of {sum(len(part.names) for part in parts)} columns in {len(parts)} "
            "differently disguised parts has too many values to undo.",
            hint="Use fewer columns, or ask for counts of conjunctions, such as a tree's leaves.",
        )
    return best


class _Work:
    """One function, evaluated and undone as a plan says."""

    def __init__(
        self, plan: TotalPlan, names: Sequence[str], schema: Schema, function: Function, many: int
    ) -> None:
        self._plan, self._function, self._many = plan, function, many
        self._order = [plan.names.index(name) for name in names]
        self._inner = tuple(schema[n].size for part in plan.laid_out for n in part.names)
        unrolled = sum(len(part.names) for part in plan.unrolled)
        self.size = plan.states * max(plan.cells * many, unrolled)
        """Numbers that are held for each report."""

    def undone(self, reports: Reports, of: Target) -> tuple[Floats, Floats]:
        """Give w at every report, and the undone total of f·fᵀ where the target needs it."""
        plan, many, m = self._plan, self._many, len(reports.codes)
        codes, signs = self._unrolled(reports.codes)
        values = self._evaluated(codes.reshape(signs.size, codes.shape[2]))
        weights = np.einsum("sm,smv->mv", signs, values.reshape(len(signs), m, -1))
        weights = self._laid_out(weights.reshape(m, plan.cells, many), transposed=True)
        truth = np.zeros((many, many))
        if of == "sample":
            counts = np.zeros((m, plan.cells, 1))
            counts[reports.rows, reports.cells, 0] = reports.counts
            signed = signs[:, :, None] * self._laid_out(counts, transposed=False)[:, :, 0]
            truth = values.T @ (signed.reshape(-1, 1) * values)
        return weights[reports.rows, reports.cells], truth

    def _unrolled(self, codes: Codes) -> tuple[Codes, Floats]:
        """Multiply out what each report stands for: codes ``[s, report, column]``, and signs."""
        parts = self._plan.unrolled
        axes = [part.states or 0 for part in parts]
        truths = np.empty((*axes, *codes.shape), dtype=np.int64)
        signs = np.ones((*axes, len(codes)))
        start = 0
        for axis, part in enumerate(parts):
            columns = slice(start, start := start + len(part.names))
            found = part.channel.unrolled(codes[:, columns])
            assert found is not None  # the plan unrolls only what can be
            others = tuple(other for other in range(len(parts)) if other != axis)
            truths[..., columns] = np.expand_dims(found[0], others)
            signs *= np.expand_dims(found[1], others)
        states = self._plan.states
        return truths.reshape(states, *codes.shape), signs.reshape(states, len(codes))

    def _laid_out(self, table: Floats, *, transposed: bool) -> Floats:
        """Undo every laid-out part of a table ``[report, pattern, function]``."""
        undone = table.reshape(len(table), *(part.cells for part in self._plan.laid_out), -1)
        for axis, part in enumerate(self._plan.laid_out, start=1):
            undone = along(undone, [axis], partial(part.channel.undo, transposed=transposed))
        return undone.reshape(table.shape)

    def _evaluated(self, outer: Codes) -> Floats:
        """Values of f: every laid-out pattern of the first row, then of the second, and so on."""
        values = np.empty((len(outer) * self._plan.cells, self._many))
        step = max(1, NUMBERS_AT_ONCE // max(1, len(self._order)))
        for start in range(0, len(values), step):
            stop = min(start + step, len(values))
            row, cell = np.divmod(np.arange(start, stop), self._plan.cells)
            codes = np.concatenate([outer[row], _digits(cell, self._inner)], axis=1)
            values[start:stop] = _values(self._function, codes[:, self._order])
        return values


def _values(function: Function, codes: Codes) -> Floats:
    found = np.asarray(function(codes), dtype=np.float64)
    if found.ndim != 2 or len(found) != len(codes) or found.shape[1] == 0:  # noqa: PLR2004
        raise EstimateError(
            f"The function gave an array of shape {found.shape} for {len(codes)} records.",
            hint="Return one row per record and one column per function.",
        )
    return found


def _reports(tally: Tally, plan: TotalPlan, schema: Schema, step: int) -> Iterator[Reports]:
    """Distinct reports, with those that differ in laid-out columns only together; some at a time.

    Where joint patterns are too many to be numbered, the records themselves, if they are at hand.
    """
    outer = [schema[name].size for part in plan.unrolled for name in part.names]
    if prod(outer) * plan.cells > LARGEST_DOMAIN:
        yield from _records(tally.engine, plan, schema, step)
        return
    table = tally.tabulation(plan.names)
    keys, counts = table.occurring()
    numbers, cells = np.divmod(keys, plan.cells)
    distinct, first, row = np.unique(numbers, return_index=True, return_inverse=True)
    ends = np.append(first, len(keys))
    for start in range(0, len(distinct), step):
        stop = min(start + step, len(distinct))
        here = slice(ends[start], ends[stop])  # keys are sorted
        codes = _digits(distinct[start:stop], outer)
        yield Reports(codes, row[here] - start, cells[here], counts[here])


def _records(engine: Engine, plan: TotalPlan, schema: Schema, step: int) -> Iterator[Reports]:
    if not isinstance(engine, HoldsRecords):
        raise EstimateError(
            f"A function of {len(schema)} columns has too many joint patterns to tabulate.",
            hint="Use fewer columns, or read the records into memory.",
        )
    columns = engine.codes(plan.names)
    inner = [schema[name].size for part in plan.laid_out for name in part.names]
    for start in range(0, engine.n, step):
        here = np.stack([c[start : start + step] for c in columns], axis=1).astype(np.int64)
        codes, laid_out = np.split(here, [len(columns) - len(inner)], axis=1)
        cells = laid_out @ np.array(strides(inner), dtype=np.int64)
        yield Reports(codes, np.arange(len(here)), cells, np.ones(len(here), dtype=np.int64))


def _digits(keys: Codes, sizes: Sequence[int]) -> Codes:
    """Write keys as codes, the last column varying fastest."""
    places = np.array(strides(sizes), dtype=np.int64)
    codes: Codes = keys[:, None] // places % np.array(sizes, dtype=np.int64)
    return codes
