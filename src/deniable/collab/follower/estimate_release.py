"""Counts that a follower estimates from its disguised records, which stay where they are."""

from collections.abc import Iterable, Mapping

from deniable.base.errors import PolicyError
from deniable.collab.cells import Cell, family_of, read, written
from deniable.collab.policy import Judge
from deniable.collab.protocol.verbs import EstimateCounts, EstimatedCounts
from deniable.collab.session.own_reports import own_reports
from deniable.collab.session.run import Run
from deniable.oracle.randomized import RandomizedOracle

BETWEEN = " · "
"""Between what is counted and about whom."""


class EstimateRelease:
    """Sends counts estimated from the disguised records, which stay here ("probability terms").

    All estimates together tell as much as the disguised records, so no smallest count applies to
    what is disguised. Counts of columns that are not disguised are exact, and the policy judges
    these: also where an estimate has other terms beside them, as over all values of a disguised
    column estimates add up to the exact count.
    """

    def __init__(self, run: Run, leader: str) -> None:
        self.run, self.leader = run, leader
        self.design = run.agreement.led_by(leader).sent(run.name)
        self.ledger = run.ledger(leader)
        self._oracle = RandomizedOracle(own_reports(run, self.design), self.design)
        self._judge = Judge(run.policy, self.design.schema, self._oracle.n, None)
        self._known: set[Cell] = {frozenset()}
        """What is told of columns that are not disguised."""
        rows = self.ledger.rows
        self._given = sum(row.kind in {"estimate", "refused"} for row in rows)
        told = [row.about.rpartition(BETWEEN)[0] for row in rows if row.kind == "estimate"]
        for part, size in self._exactly(read(each, self.design.schema) for each in told).items():
            self._learn(part, size)

    def answer(self, question: EstimateCounts) -> EstimatedCounts:
        """Estimate; a count that may not be told is null."""
        schema, cells, of = self.design.schema, question.cells, question.of
        names = [f"{written(cell, schema)}{BETWEEN}{of}" for cell in cells]
        fresh = {
            name: cell
            for name, cell in zip(names, cells, strict=True)
            if self.ledger.find("estimate", name) is None
            and self.ledger.find("refused", name) is None
        }
        self._require_room(len(fresh))
        found = self._oracle.count(family_of(cells, schema), of=of)
        value = dict(zip(names, found.value.tolist(), strict=True))
        sizes = self._exactly(fresh.values())
        withheld = {name: self._why_not(self._part(cell), sizes) for name, cell in fresh.items()}
        self.ledger.append(
            [
                self.run.entry("estimate", name, self.leader, value[name])
                if why is None
                else self.run.entry("refused", name, self.leader, why=why)
                for name, why in withheld.items()
            ]
        )
        self._given += len(fresh)
        arrays = [found.value, found.variance, found.tilt, found.bend]
        told = [self.ledger.find("refused", name) is None for name in names]
        return EstimatedCounts(
            n=found.n,
            arrays=[
                [v if shown else None for v, shown in zip(array.tolist(), told, strict=True)]
                for array in arrays
            ],
        )

    def _require_room(self, fresh: int) -> None:
        most = self.run.policy.estimates
        if self._given + fresh > most:
            raise PolicyError(
                f"{self.run.name} releases at most {most:,} counts, and {self._given:,} are "
                "released or refused.",
                hint="Ask for a smaller model, or agree on a higher limit.",
            )

    def _why_not(self, part: Cell, sizes: Mapping[Cell, int]) -> str | None:
        if part in self._known:
            return None
        why = self._judge.after(part, sizes[part])
        if why is None:
            self._learn(part, sizes[part])
        return why

    def _learn(self, part: Cell, size: int) -> None:
        self._known.add(part)
        self._judge.learn(part, size)

    def _part(self, cell: Cell) -> Cell:
        """The terms about columns that are not disguised."""
        return frozenset(term for term in cell if term[0] in self.design.public)

    def _exactly(self, cells: Iterable[Cell]) -> dict[Cell, int]:
        """How many records satisfy these terms of each cell."""
        parts = list(dict.fromkeys(part for cell in cells if (part := self._part(cell))))
        if not parts:
            return {}
        found = self._oracle.count(family_of(parts, self.design.schema))
        return dict(zip(parts, map(round, found.value.tolist()), strict=True))
