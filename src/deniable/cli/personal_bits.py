"""`deniable score --personal-bits`: accuracy from one-bit answers about personal data."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import typer

from deniable.base.arrays import Mask
from deniable.base.errors import DataError, ModelError, listed
from deniable.base.wording import decimal, given_percent, plural, plus_minus
from deniable.cli.disguised_tables import note_trust, open_sites
from deniable.cli.show.output import note, print_json
from deniable.design import Design
from deniable.engine.memory.records import Records
from deniable.engine.open_table import open_table
from deniable.engine.table import Table
from deniable.mine.model import Classifier
from deniable.mine.scores.personal_bits import score_with_personal_bits, unmasked
from deniable.oracle.api import Target
from deniable.oracle.exact import ExactOracle

if TYPE_CHECKING:
    import pyarrow as pa

RIGHT, WRONG = {"yes", "true", "1", "right"}, {"no", "false", "0", "wrong"}


@dataclass(frozen=True, eq=False)
class GivenBits:
    """What was given: the bits of respondents, or the known share."""

    share: float
    of_people: Mask | None
    """None where the share is known without asking anybody."""

    beside: bool
    """Whether they stand beside the reports, person by person."""


def print_score_by_bits(
    classifier: Classifier,
    test: str,
    design: Path,
    given: str,
    *,
    same_people: bool,
    of: Target,
    level: float,
    json: bool,
) -> None:
    """Score by the bits, and say what they give away where they stand beside the reports."""
    site = open_sites(test, design, [])[0]
    theta = _theta(classifier, site.design)
    note_trust([site])
    table, schema = site.table, classifier.schema
    table.require(schema.names)
    bits = _read(given, table)
    if bits.beside and not same_people:
        raise ModelError(
            f"{given!r} is a column of {table.name}, so its bits are of the same people.",
            hint="Leave --other-people out, or name a table of other people's bits.",
        )
    found = score_with_personal_bits(
        classifier,
        ExactOracle(table.held(schema), schema),
        bits.share if bits.of_people is None else bits.of_people,
        theta=theta,
        same_people=same_people,
        of=of,
    )
    if bits.beside:
        _warn_of_linked_bits(classifier, table, given, found.n)
    low, high = found.interval(level)
    if json:
        sent = None if bits.of_people is None else len(bits.of_people)
        people = {"share": bits.share, "n": sent, "same_people": same_people if sent else None}
        print_json({**found.document(level), "personal_bits": people, "level": level})
        return
    typer.echo(
        f"Accuracy {plus_minus(found.accuracy, found.std_error, 4)} "
        f"({given_percent(level)}: {decimal(low, 4)} to {decimal(high, 4)}), "
        f"{found.n:,} disguised records; {_source(bits, same_people=same_people)}"
    )


def _theta(classifier: Classifier, design: Design) -> float:
    """Give θ of the unrelated group that holds all that a classifier reads; refuse others."""
    names = (*classifier.features, classifier.target)
    groups = [group for group in design.groups if set(group.names) & set(names)]
    paired = groups[0].channel.paired if groups else None
    inside = groups[0].names if paired is not None else ()
    outside = [name for name in names if name not in inside]
    if paired is None or outside:
        raise ModelError(
            "Bits about personal answers tell of one unrelated group that holds the model's "
            f"features and its target, which leaves out {listed(outside)}.",
            hint="Score on the disguised records themselves; with an unknown personal "
            "distribution, by a second sample: --with OTHER.parquet:other.yaml.",
        )
    return float(paired.theta)


def _source(bits: GivenBits, *, same_people: bool) -> str:
    share = decimal(bits.share, 4)
    if bits.of_people is None:
        return f"right on a known share {share} of personal answers."
    people = "these" if same_people else "other"
    number = len(bits.of_people)
    return f"right on {share} of personal answers, by {plural(number, 'bit')} of {people} people."


def _read(given: str, table: Table) -> GivenBits:
    """Read a number as the known share, a column's name as bits beside the reports, else a file."""
    with suppress(ValueError):
        return GivenBits(float(given), None, beside=False)
    if given in table.names:
        bits = np.concatenate([own for own, _ in _blocks(table, given, ())] or [_none()])
        return GivenBits(float(bits.mean()) if len(bits) else 0.0, bits, beside=True)
    other = open_table(given)
    if len(other.names) != 1:
        raise DataError(
            f"{other.name} has {plural(len(other.names), 'column')}, and bits are a single one.",
            hint="Write a table with one column of yes and no: whether the model is right on a "
            "respondent's personal answers.",
        )
    bits = np.concatenate([own for own, _ in _blocks(other, other.names[0], ())] or [_none()])
    other.require_some(len(bits))
    return GivenBits(float(bits.mean()), bits, beside=False)


def _none() -> Mask:
    return np.zeros(0, dtype=bool)


def _blocks(
    table: Table, column: str, more: tuple[str, ...]
) -> "Iterator[tuple[Mask, pa.RecordBatch]]":
    """Read a column of bits, a batch at a time, with other columns of the same records."""
    import pyarrow as pa

    for where, start, batch in table.numbered(tuple(dict.fromkeys((column, *more)))):
        words = batch.column(column).cast(pa.string()).to_pylist()
        yield (
            np.array([_bit(w, f"{where}, row {start + k}") for k, w in enumerate(words, 1)]),
            batch,
        )


def _bit(word: str | None, where: str) -> bool:
    told = "" if word is None else word.strip().lower()
    if told in RIGHT:
        return True
    if told in WRONG:
        return False
    raise DataError(
        f"{where}: {'a bit is missing' if not told else f'{word!r} is no bit'}.",
        hint="Write yes where the model is right on the respondent's personal answers, else no.",
    )


def _warn_of_linked_bits(classifier: Classifier, table: Table, column: str, n: int) -> None:
    """Say how many reports the bits beside them prove private."""
    schema = classifier.schema
    known = 0
    for bits, batch in _blocks(table, column, schema.names):
        records = Records.of(batch, schema, where=table.name)
        codes = np.array(records.columns, dtype=np.int64).reshape(len(schema), len(records)).T
        known += unmasked(classifier, codes, bits)
    note(
        f"warning: the bits stand beside the reports, and prove {known:,} of {n:,} of these to be "
        "the private answers: report and bit disagree on whether the model is right. Collect bits "
        "from other people (--other-people), or delete that column."
    )
