"""A worker: a program of its own that disguises one piece after the other.

A fresh interpreter rather than a fork: Arrow's threads do not survive a fork, and two forks would
toss the same coins if their generator had a state. Here each asks the operating system itself.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

import numpy as np
import pyarrow as pa

from deniable.base.errors import DeniableError, OutputError
from deniable.base.files import sync
from deniable.design import Design
from deniable.engine.files.file_tables import TableFile
from deniable.engine.files.write_parquet import write_parquet
from deniable.engine.table import BATCH_RECORDS, numbered
from deniable.source.randomness import Bits, SecureBits, SeededBits
from deniable.source.shards.memory_limit import peak
from deniable.source.shards.pieces import FilePiece
from deniable.source.stream import BATCH_CELLS, disguised, raw_columns, together


@dataclass(frozen=True)
class Word:
    """What a worker says while it works."""

    records: int = 0
    """How many more are done."""

    peak: int = 0
    """The most memory it held so far."""

    finished: bool = False
    """Whether the piece is on the disk."""


@dataclass(frozen=True)
class Job:
    """What is the same for all pieces."""

    design: Design
    folder: Path
    random_state: int | None

    def disguise(self, piece: FilePiece, tell: Callable[[Word], None]) -> None:
        """Write the reports of one piece; without records there is no shard."""

        def told() -> Iterator[pa.Table]:
            bits = bits_of_piece(self.random_state, piece.number)
            placed = together(numbered(batches, str(piece.path), piece.start))
            for reports in disguised(placed, self.design, bits):
                yield reports
                tell(Word(records=reports.num_rows, peak=peak()))

        columns = raw_columns(self.design)
        most = max(min(BATCH_RECORDS, BATCH_CELLS // len(columns)), 1)
        batches = TableFile(piece.path).batches(columns, piece.groups, most)
        shard = self.folder / piece.shard
        if write_parquet(shard, told()):
            sync(shard)
        tell(Word(peak=peak(), finished=True))


def bits_of_piece(random_state: int | None, number: int) -> Bits:
    """Cryptographic randomness; or, of a seed, a stream that only this piece has."""
    if random_state is None:
        return SecureBits()
    return SeededBits(np.random.SeedSequence(random_state, spawn_key=(number,)))


def serve(descriptor: int) -> None:
    """Disguise pieces as they arrive, until whoever sends them wants no more, or is gone."""
    # As many workers as cores: threads within each would only take memory.
    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)
    with suppress(EOFError, ConnectionError), Connection(descriptor) as link:
        job: Job = link.recv()
        while True:
            piece = link.recv()
            try:
                job.disguise(piece, link.send)
            except (DeniableError, OSError) as error:
                link.send(error)
            except MemoryError:
                link.send(
                    OutputError(
                        f"Memory ran out while {piece.path} was disguised.",
                        hint="Run fewer --workers.",
                    )
                )
