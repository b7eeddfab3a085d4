"""What a leader gets besides secure counts: disguised records, or estimates from them."""

from deniable.collab.protocol.body import Question, RowsReply
from deniable.collab.protocol.fields import Arrays, Cells, CountTarget, Part


class DisguisedRecords(RowsReply, verb="records"):
    """A record per person, of the columns that the agreement names."""

    table: Part


class SendRecords(Question[DisguisedRecords], verb="records", modes={"collect", "pool", "hybrid"}):
    """Disguise, once, and send."""

    of_no_use = "No records are sent in this collaboration."


class EstimatedCounts(RowsReply, verb="estimates"):
    """For each cell its value, variance, tilt and bend; null where a count may not be told."""

    n: int
    arrays: Arrays

    def __post_init__(self) -> None:
        if self.n < 1 or len(self.arrays) != 4 or len({*map(len, self.arrays)}) > 1:  # noqa: PLR2004
            raise ValueError


class EstimateCounts(Question[EstimatedCounts], verb="estimates", modes={"counts"}):
    """Estimate from the disguised records, which stay where they are."""

    of_no_use = "No estimates are sent in this collaboration."
    cells: Cells
    of: CountTarget
