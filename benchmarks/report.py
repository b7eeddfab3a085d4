"""What a benchmark answers, and the page that is made of it."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Bar:
    """A promise about a ratio."""

    limit: float
    sign: str
    """``≥`` or ``<``."""

    def met(self, ratio: float) -> bool:
        """Whether the promise is kept."""
        return ratio >= self.limit if self.sign == "≥" else ratio < self.limit

    def __str__(self) -> str:
        return f"{self.sign} {self.limit:g}"


@dataclass(frozen=True)
class Row:
    """Ours beside a peer's; without a bar it is there to be read only."""

    question: str
    peer: str
    ours: str
    theirs: str
    ratio: float
    bar: Bar | None = None

    @property
    def missed(self) -> bool:
        """Whether a promise is broken."""
        return self.bar is not None and not self.bar.met(self.ratio)

    def __str__(self) -> str:
        result = "" if self.bar is None else "**missed**" if self.missed else "pass"
        cells = (self.question, self.peer, self.ours, self.theirs, f"{self.ratio:.3g}")
        return f"| {' | '.join(cells)} | {self.bar or ''} | {result} |"


@dataclass(frozen=True)
class Section:
    """One question's rows, and what a reader must know to trust them."""

    title: str
    ratio: str
    """What the ratio is of."""
    rows: Sequence[Row]
    notes: Sequence[str]
    details: Sequence[str] = ()
    """Lines of a table to be read only."""

    def __str__(self) -> str:
        head = f"| question | peer | ours | peer's | {self.ratio} | bar | result |"
        table = [head, "| --- | --- | ---: | ---: | ---: | --- | --- |", *map(str, self.rows)]
        notes = [f"- {note}" for note in self.notes]
        details = ["", *self.details] if self.details else []
        return "\n".join([f"## {self.title}", "", *table, "", *notes, *details])


def page(sections: Sequence[Section], facts: Sequence[str]) -> str:
    """Write the whole report."""
    missed = sum(row.missed for section in sections for row in section.rows)
    bars = sum(row.bar is not None for section in sections for row in section.rows)
    top = [
        "# Benchmarks",
        "",
        "Written by `make bench`; do not edit by hand. Both sides of a ratio come from one run:",
        "the same process and data, each by the best of several repeats, in CPU time (files and",
        "secure counts: wall time), because other work on the machine stretches wall time.",
        "",
        *(f"- {fact}" for fact in facts),
        f"- bars: {bars - missed} of {bars} met",
    ]
    return "\n".join(top) + "\n\n" + "\n\n".join(map(str, sections)) + "\n"


def milliseconds(seconds: float) -> str:
    """Write a time.

    >>> milliseconds(0.00123)
    '1.23 ms'
    """
    return f"{seconds * 1e3:.3g} ms" if seconds < 1 else f"{seconds * 1e3:.0f} ms"


def nanoseconds(seconds: float) -> str:
    """Write a time per value."""
    return f"{seconds * 1e9:.3g} ns" if seconds < 1e-6 else f"{seconds * 1e9:.0f} ns"


def megabytes(size: float) -> str:
    """Write a number of bytes.

    >>> megabytes(240_000_000)
    '240 MB'
    """
    return f"{size / 1e6:.0f} MB"
