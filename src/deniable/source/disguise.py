"""disguise(): from raw records to reports, in memory. No other code sees raw answers.

What the result keeps of the input: the number of records and their order, and every public
attribute as it is. Columns that the design does not name are left out.
"""

import warnings
from typing import Any

from deniable.base.errors import DataError
from deniable.channel.device import Answers
from deniable.design import PERSONAL_PREFIX, Design, Group, personal_schema
from deniable.engine.memory.records import (
    Records,
    as_arrow,
    fingerprint_of,
    same_kind,
    stamped,
)
from deniable.source.randomness import BitDice, Bits, SecureBits, SeededBits


class SeedWarning(UserWarning):
    """A seed makes the disguise reproducible, and so removable."""


def disguise(table: Any, design: Design, random_state: int | None = None) -> Any:
    """Disguise every record at once; gives back the kind of table that came in.

    >>> design = Design.of({
    ...     "attributes": {"smokes": ["no", "yes"]},
    ...     "groups": [{"attributes": ["smokes"], "channel": "related", "theta": "0"}],
    ... })
    >>> disguise({"smokes": ["no", "yes", "yes"], "name": ["A", "B", "C"]}, design).to_pydict()
    {'smokes': ['yes', 'no', 'no']}
    """
    design.require_device()
    if isinstance(table, Records):
        return disguise_records(table, None, design, bits_for(random_state))
    if fingerprint_of(table) is not None:
        raise DataError(
            "The table is disguised already.", hint="Disguise the raw one; twice cannot be undone."
        )
    arrow = as_arrow(table, design.schema)
    raw = Records.of(arrow, design.schema)
    personal = read_personal(arrow, design)
    reports = same_kind(disguise_records(raw, personal, design, bits_for(random_state)), like=table)
    # An Arrow table remembers its design.
    is_arrow = isinstance(reports, type(arrow))
    return stamped(reports, design.fingerprint) if is_arrow else reports


def bits_for(random_state: int | None) -> Bits:
    """Cryptographic randomness, or a seeded generator with a warning."""
    if random_state is None:
        return SecureBits()
    warnings.warn(
        "A seed was given: whoever knows it can undo the disguise. Use it for experiments only.",
        SeedWarning,
        stacklevel=3,
    )
    return SeededBits(random_state)


def disguise_records(raw: Records, personal: Records | None, design: Design, bits: Bits) -> Records:
    """Disguise group by group, each with randomness of its own: one throw a record and group."""
    reports, dice = list(raw.columns), BitDice(bits)
    for group in design.groups:
        places = [design.schema.position(name) for name in group.names]
        truth = tuple(raw.columns[place] for place in places)
        answers = _answers(group, personal)
        disguised = group.channel.disguised(truth, answers, dice)
        for place, column in zip(places, disguised, strict=True):
            reports[place] = column
    return Records(design.schema, tuple(reports))


def read_personal(
    arrow: Any, design: Design, *, where: str = "the table", start: int = 0
) -> Records | None:
    """Read the personal answers that came with the data, where the design needs them."""
    schema = personal_schema(design)
    return Records.of(arrow, schema, where=where, start=start) if len(schema) else None


def _answers(group: Group, personal: Records | None) -> Answers | None:
    if personal is None or PERSONAL_PREFIX + group.names[0] not in personal.schema:
        return None
    return tuple(
        personal.columns[personal.schema.position(PERSONAL_PREFIX + name)] for name in group.names
    )
