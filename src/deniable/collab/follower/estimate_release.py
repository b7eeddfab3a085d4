"""Counts that a follower estimates from its disguised records, which stay where they are."""

from deniable.base.errors import PolicyError
from deniable.collab.cells import Cell, family_of, read, within, written
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
    them. Counts of columns that are not disguised are exact, and the policy judges these.
    """

    def __init__(self, run: Run, leader: str) -> None:
        self.run, self.leader = run, leader
        self.design = run.agreement.led_by(leader).sent(run.name)
        self.ledger = run.ledger(leader)
        self._oracle = RandomizedOracle(own_reports(run, self.design), self.design)
        self._judge = Judge(run.policy, self.design.schema, self._oracle.n, None)
        self._given = 0
        for row in self.ledger.rows:
            self._given += row.kind in {"estimate", "refused"}
            if row.kind == "estimate":
                cell = read(row.about.rpartition(BETWEEN)[0], self.design.schema)
                if self._is_exact(cell) and row.value is not None:
                    self._judge.learn(cell, round(row.value))

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
        withheld = {name: self._why_not(cell, value[name]) for name, cell in fresh.items()}
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
        most = self.run.policy.counts
        if most is not None and self._given + fresh > most:
            raise PolicyError(
                f"{self.run.name} releases at most {most:,} counts, and {self._given:,} are "
                "released or refused.",
                hint="Ask for a smaller model, or agree on a higher limit.",
            )

    def _why_not(self, cell: Cell, value: float) -> str | None:
        if not cell or not self._is_exact(cell):
            return None
        why = self._judge.after(cell, round(value))
        if why is None:
            self._judge.learn(cell, round(value))
        return why

    def _is_exact(self, cell: Cell) -> bool:
        return within(cell, self.design.public)
