"""Opening disguised files with their designs, one or several."""

from collections.abc import Sequence
from pathlib import Path

from deniable.cli.show import note
from deniable.design import Design
from deniable.engine.files import FileEngine
from deniable.errors import DataError, EstimateError
from deniable.oracle.base import CountOracle, Target
from deniable.oracle.greenberg import GreenbergOracle
from deniable.oracle.pooled import PooledOracle
from deniable.oracle.randomized import RandomizedOracle
from deniable.privacy.flaws import most_serious

TWO = 2


def open_sites(reports: Path, design: Path, others: Sequence[str]) -> list[RandomizedOracle]:
    """Open the first file and every ``FILE:DESIGN`` given by --with."""
    pairs = [(reports, design)]
    for other in others:
        file, colon, its_design = other.rpartition(":")
        if not colon or not file or not its_design:
            raise DataError(
                f"--with {other} does not name a file and its design.",
                hint="Write --with OTHER.parquet:other.yaml.",
            )
        if Path(file).resolve() in {path.resolve() for path, _ in pairs}:
            raise DataError(
                f"{file} is given twice.", hint="The same answers cannot be counted two times."
            )
        pairs.append((Path(file), Path(its_design)))
    return [_open(*pair) for pair in pairs]


def _open(reports: Path, design_path: Path) -> RandomizedOracle:
    design = Design.load(design_path)
    engine = FileEngine(reports, design.schema)
    engine.file.check_fingerprint(design.fingerprint)
    return RandomizedOracle(engine, design)


def held(site: RandomizedOracle) -> RandomizedOracle:
    """Read a site's file once, for the many questions of a miner."""
    engine = site.engine
    return RandomizedOracle(engine.held(), site.design) if isinstance(engine, FileEngine) else site


def note_trust(sites: Sequence[RandomizedOracle]) -> None:
    """Say which files are taken to be disguised as their designs say, without a proof."""
    for site in sites:
        file = site.engine.file if isinstance(site.engine, FileEngine) else None
        if file is not None and file.fingerprint is None and site.design.groups:
            note(f"note: {file.path} carries no design fingerprint; it is taken on trust.")


def warn_of(*designs: Design) -> None:
    """Say the one most serious thing about each design, once, in one line."""
    for sentence in dict.fromkeys(map(most_serious, designs)):
        if sentence is not None:
            note(f"warning: {sentence}")


def pool(sites: Sequence[RandomizedOracle], of: Target | None) -> tuple[CountOracle, Target]:
    """Combine sites into one oracle, and settle what the estimates are about."""
    if not any(site.design.needs_second_sample for site in sites):
        return (PooledOracle(sites) if len(sites) > 1 else sites[0]), of or "sample"
    if len(sites) != TWO:
        raise EstimateError(
            "A group's personal distribution is unknown, which takes exactly two samples; "
            f"there {'is' if len(sites) == 1 else 'are'} {len(sites)}.",
            hint="Add the second sample, with another theta: --with OTHER.parquet:other.yaml.",
        )
    return GreenbergOracle(*sites), of or "population"


def opened(
    reports: Path, design: Path, others: list[str] | None, *, warn: bool = True
) -> CountOracle:
    """Open one or several files; each is read once."""
    return opened_about(reports, design, others, warn=warn)[0]


def opened_about(
    reports: Path, design: Path, others: list[str] | None, *, warn: bool = True
) -> tuple[CountOracle, Target]:
    """The same, and what the counts are about."""
    sites = open_sites(reports, design, others or [])
    note_trust(sites)
    if warn:
        warn_of(*(site.design for site in sites))
    return pool([held(site) for site in sites], None)


def about(of: Target, n: int) -> str:
    """Say what an estimate is about."""
    if of == "sample":
        return f"About these {n:,} respondents; the only error is the disguise."
    return f"About the population these {n:,} respondents were drawn from; counts are per {n:,}."
