"""What the respondent's page says a reader can guess: figures of the privacy report of the design.

As in `deniable privacy` without a population: every answer is taken for as likely as any other, and
the page says so. `guessed` (in `group_on_page`) has one answer by itself; this is what answers tell
together.
"""

from collections.abc import Mapping
from math import prod

from deniable.design import Design, Group
from deniable.privacy.measures.joint_groups import MOST_JOINT_CELLS, JointGroups, LinkedGroups
from deniable.privacy.measures.readers import EvenReader, ExactReader, Reader
from deniable.privacy.population import Population
from deniable.schema import Schema

FIGURE_DIGITS = 9
"""Of a figure: everybody is told the same text, whatever the machine rounds last."""


def reader_figures(design: Design) -> Mapping[str, object]:
    """How often all disguised answers are guessed at once, and by whom one of them is known.

    ``record`` is None where there is a single answer, or too much to weigh; ``knowing`` has an
    entry per group, None where it has a single answer.

    >>> design = Design.of({
    ...     "attributes": {"pills": ["no", "yes"], "debts": ["no", "yes"]},
    ...     "groups": [{"attributes": ["pills", "debts"], "channel": "related", "theta": "0.8"}],
    ... })
    >>> reader_figures(design)
    {'record': {'before': '0.25', 'after': '0.8'}, 'knowing': ['1']}
    """
    readers = [_reader(group) for group in design.groups]
    return {
        "record": _record(design, readers),
        "knowing": [
            _knowing(group, reader) for group, reader in zip(design.groups, readers, strict=True)
        ],
    }


def _reader(group: Group) -> Reader:
    """Where every answer is equally likely, each group is read by itself."""
    if prod(group.channel.sizes) > MOST_JOINT_CELLS:
        return EvenReader(group)
    even = Population.even(Schema(group.attributes))
    return ExactReader(JointGroups.of(LinkedGroups((group,), ()), even))


def _record(design: Design, readers: list[Reader]) -> Mapping[str, str] | None:
    if sum(len(group.names) for group in design.groups) <= 1:
        return None
    before = after = 1.0
    for reader in readers:
        found = reader.record()
        if found.before is None or found.guess is None:
            return None
        before, after = before * found.before, after * found.guess
    return {"before": _written(before), "after": _written(after)}


def _knowing(group: Group, reader: Reader) -> str | None:
    """How often a group's answers are guessed by who knows the one of them that tells most."""
    if len(group.names) == 1:
        return None
    if group.channel.flips:
        return "1"  # the known answer shows what the coin did, and it did the same to all
    found = reader.knowing(group)
    return _written(max(found.values())) if found else None


def _written(share: float) -> str:
    return f"{min(share, 1.0):.{FIGURE_DIGITS}g}"
