"""Disguising many files, or a large one, by several processes: a folder of shards or nothing."""

from dataclasses import dataclass
from pathlib import Path

from deniable.base.errors import OutputError
from deniable.base.files import sync, whole_folder
from deniable.design import Design
from deniable.engine.files.file_tables import Files
from deniable.engine.files.write_parquet import write_parquet
from deniable.engine.open_table import open_table
from deniable.engine.table import Table
from deniable.source.disguise import bits_for
from deniable.source.shards.memory_limit import cores, crew_within
from deniable.source.shards.pieces import FIRST_SHARD, cut
from deniable.source.shards.worker import Job, bits_of_piece
from deniable.source.shards.worker_pool import disguise_pieces
from deniable.source.stream import Progress, disguised, raw_columns, require_raw, together, told


@dataclass(frozen=True)
class Shards:
    """What was written, and by how many workers."""

    records: int
    shards: int
    workers: int


def names_folder(out: str | Path) -> bool:
    """Whether an output is a folder of shards rather than one file.

    >>> names_folder("reports/"), names_folder("reports"), names_folder("reports.parquet")
    (True, True, False)
    """
    return str(out).endswith("/") or Path(out).is_dir() or not Path(out).suffix


def disguise_shards(
    raw: str | Path,
    design: Design,
    out: str | Path,
    *,
    workers: int | None = None,
    memory: int | None = None,
    random_state: int | None = None,
    progress: Progress = lambda _: None,
) -> Shards:
    """Disguise a table into a new folder, in parallel, within so many bytes of memory.

    As many workers as there are cores, unless fewer are asked for or fit into the memory, which is
    half of the machine's if it is not given. A file becomes a shard, a large Parquet file becomes
    several; their names sort in the order of the records. A table in a database is one stream, and
    so one shard.
    """
    table = open_table(raw)
    require_raw(table, design)
    bits_for(random_state)  # it warns of a seed, once for all workers
    with whole_folder(out) as folder:
        job = Job(design, folder, random_state)
        if isinstance(table, Files):
            records, hands = _by_workers(table, job, workers, memory, progress)
        else:
            _require_no_crew(table, workers, memory)
            records, hands = _in_one_stream(table, job, progress), 1
        table.require_some(records)
        shards = len(list(folder.iterdir()))
    return Shards(records, shards, hands)


def _by_workers(
    table: Files, job: Job, workers: int | None, memory: int | None, progress: Progress
) -> tuple[int, int]:
    columns = len(raw_columns(job.design))
    pieces = cut(table.files, columns)
    table.require_some(len(pieces))
    footer = max(piece.footer for piece in pieces)
    most = min(workers or cores(), len(pieces))
    crew = crew_within(memory, most, columns=columns, footer=footer)
    return disguise_pieces(job, pieces, crew, progress), crew.workers


def _in_one_stream(table: Table, job: Job, progress: Progress) -> int:
    shard = job.folder / FIRST_SHARD
    batches = together(table.numbered(raw_columns(job.design)))
    reports = disguised(batches, job.design, bits_of_piece(job.random_state, 0))
    records = write_parquet(shard, told(reports, progress))
    if records:
        sync(shard)
    return records


def _require_no_crew(table: Table, workers: int | None, memory: int | None) -> None:
    if workers is not None or memory is not None:
        raise OutputError(
            f"{table.name} is read in one stream.", hint="Leave out --workers and --memory."
        )
