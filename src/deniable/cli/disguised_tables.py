"""Opening disguised tables with their designs, one or several."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from deniable.base.errors import DataError, EstimateError
from deniable.base.files import refuse_to_overwrite
from deniable.cli.show.output import note
from deniable.design import Design
from deniable.engine.address import is_address, same_table, shown
from deniable.engine.open_table import open_table
from deniable.engine.table import Table
from deniable.oracle.api import CountOracle, Target
from deniable.oracle.pooled import PooledOracle
from deniable.oracle.randomized import RandomizedOracle
from deniable.oracle.two_samples import GreenbergOracle
from deniable.privacy.report.design_warnings import most_serious

TWO = 2


@dataclass(frozen=True, eq=False)
class Site:
    """A table of reports, and the design that disguised them."""

    table: Table
    design: Design

    def __post_init__(self) -> None:
        if self.design.disguises:
            self.table.require_reports()

    def asked(self, names: Iterable[str]) -> RandomizedOracle:
        """Count through the disguise, for a few questions about these attributes: all we read."""
        self.table.require(self.design.schema.names)
        wanted = set(names)
        schema = self.design.schema
        # A count of everyone names no attribute; any one of them has as many records.
        read = [name for name in schema.names if name in wanted] or schema.names[:1]
        return self._checked(RandomizedOracle(self.table.engine(schema.select(read)), self.design))

    def held(self) -> RandomizedOracle:
        """The same for the many questions of a miner: the table is read once, where it can be."""
        return self._checked(RandomizedOracle(self.table.held(self.design.schema), self.design))

    def _checked(self, oracle: RandomizedOracle) -> RandomizedOracle:
        self.table.require_some(oracle.n)
        return oracle


def open_sites(reports: str, design: Path, others: Sequence[str]) -> list[Site]:
    """Open the first table and every ``TABLE:DESIGN`` given by --with."""
    pairs = [(reports, str(design))]
    for other in others:
        table, its_design = parted(other)
        if not table or not its_design:
            raise DataError(
                f"--with {shown(other)} does not name a table and its design.",
                hint="Write --with OTHER.parquet:other.yaml.",
            )
        if any(same_table(table, name) for name, _ in pairs):
            raise DataError(
                f"{shown(table)} is given twice.",
                hint="The same answers cannot be counted two times.",
            )
        pairs.append((table, its_design))
    return [_open(*pair) for pair in pairs]


def parted(other: str) -> tuple[str, str]:
    """Part a table from its design at the last colon; in an address, after the table's name."""
    start = other.find("#") if is_address(other) else 0
    colon = other.rfind(":", max(start, 0)) if start >= 0 else -1
    return (other[:colon], other[colon + 1 :]) if colon > 0 else (other, "")


def _open(reports: str, design_path: str) -> Site:
    design = Design.load(design_path)
    table = open_table(reports)
    table.check_fingerprint(design.stamp)
    return Site(table, design)


def note_trust(sites: Sequence[Site]) -> None:
    """Say which tables are taken to be disguised as their designs say, without a proof."""
    for site in sites:
        if site.table.fingerprint is None and site.design.groups:
            note(f"note: {site.table.name} carries no design fingerprint; it is taken on trust.")


def warn_of(*designs: Design) -> None:
    """Say the one most serious thing about each design, once, in one line."""
    for sentence in dict.fromkeys(map(most_serious, designs)):
        if sentence is not None:
            note(f"warning: {sentence}")


def pool(sites: Sequence[RandomizedOracle], of: Target | None) -> tuple[CountOracle, Target]:
    """Combine sites into one oracle, and settle what the estimates are about."""
    if not any(site.design.needs_second_sample for site in sites):
        return (PooledOracle(sites) if len(sites) > 1 else sites[0]), of or "sample"
    if len(sites) < TWO:
        raise EstimateError(
            "A group's personal distribution is unknown, which takes two samples; there is 1.",
            hint="Add the second sample, with another theta: --with OTHER.parquet:other.yaml.",
        )
    return GreenbergOracle(*sites), of or "population"


def opened(
    reports: str,
    design: Path,
    others: list[str] | None,
    *,
    of: Target | None = None,
    outs: Sequence[Path | None] = (),
    warn: bool = True,
) -> tuple[CountOracle, Target]:
    """Open one or several tables, and say what their counts are about.

    Each is read once, where it can be, and never written over.
    """
    sites = open_sites(reports, design, others or [])
    for out in outs:
        refuse_to_overwrite(out, [design, *(path for site in sites for path in site.table.paths)])
    note_trust(sites)
    if warn:
        warn_of(*(site.design for site in sites))
    return pool([site.held() for site in sites], of)
