"""Conjunctions about the truth as signed sums of conjunctions about reports.

Each group's channel writes its part of a conjunction as signed terms, and the groups' are
multiplied out. A wide family, such as a level of a tree over hundreds of attributes, is cut into
pieces first: each names a few groups only, and is as narrow as what it names.
"""

from collections.abc import Iterable

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.base.errors import EstimateError
from deniable.channel.terms import POWERS, Terms
from deniable.design import Design, Group
from deniable.expression import ANY, Family
from deniable.oracle.tally import distinct_rows

MOST_TERMS = 1 << 24

NARROW = 16
"""Columns up to which a family is left in one piece."""


def pieces(family: Family, design: Design) -> list[tuple[Codes, Family]]:
    """Cut a family by the groups that its conjunctions name; give each piece's rows, and itself."""
    if len(family.columns) <= NARROW:
        return [(np.arange(len(family)), family)]
    owner = {name: number for number, group in enumerate(design.groups) for name in group.names}
    alone = len(design.groups)
    parts = {name: owner.get(name, alone + place) for place, name in enumerate(family.columns)}
    numbers = {part: number for number, part in enumerate(dict.fromkeys(parts.values()))}
    named = family.codes != ANY
    touched = np.zeros((len(family), len(numbers)), dtype=bool)
    for column, name in enumerate(family.columns):
        touched[:, numbers[parts[name]]] |= named[:, column]
    _, piece = distinct_rows(touched)
    order = np.argsort(piece, kind="stable")
    found = []
    for rows in np.split(order, np.flatnonzero(np.diff(piece[order])) + 1):
        columns = np.flatnonzero(named[rows].any(axis=0))
        narrow = Family(
            tuple(family.columns[column] for column in columns), family.codes[np.ix_(rows, columns)]
        )
        found.append((rows, narrow))
    return found


def expanded(family: Family, design: Design) -> Terms:
    """Replace each group's part by its signed terms, and multiply the groups out."""
    written = [
        (here, places, group.channel.terms(_part(family, group, places, here)))
        for group, places, here in _touched(family, design)
    ]
    many_by_group = [np.bincount(terms.rows, minlength=len(family)) for *_, terms in written]
    if np.prod([np.ones(len(family)), *many_by_group], axis=0).sum() > MOST_TERMS:
        raise EstimateError(
            f"These conjunctions make more than {MOST_TERMS:,} signed terms.",
            hint="Name fewer disguised groups at once, or ask in smaller batches.",
        )
    rows = np.arange(len(family))
    replaced: list[tuple[list[int], tuple[Terms, list[int]], Codes]] = []
    for (here, places, terms), many in zip(written, many_by_group, strict=True):
        # Terms of one conjunction together, then every row so far with each of its terms.
        order = np.argsort(terms.rows, kind="stable")
        first, own = np.cumsum(many) - many, many[rows]
        again = np.repeat(np.arange(len(rows)), own)
        offset = np.arange(len(again)) - np.repeat(np.cumsum(own) - own, own)
        rows = rows[again]
        replaced = [(there, old, chosen[again]) for there, old, chosen in replaced]
        replaced.append((here, (terms, places), order[first[rows] + offset]))
    codes, powers = family.codes[rows], np.ones((POWERS, len(rows)))
    for here, (terms, places), chosen in replaced:
        codes[:, here] = terms.codes[:, places][chosen]
        powers *= np.take(terms.powers, chosen, axis=1)
    return Terms(rows, codes, powers)


def _part(family: Family, group: Group, places: list[int], here: list[int]) -> Codes:
    """The family's codes of one group, ANY where the family has no such column."""
    part = np.full((len(family), len(group.names)), ANY, dtype=np.int64)
    part[:, places] = family.codes[:, here]
    return part


def second_moment(family: Family, design: Design) -> Floats:
    """``E[w² | x ⊨ E]``, a product over the groups."""
    moment = np.ones(len(family))
    for group, places, here in _touched(family, design):
        moment *= group.channel.second_moment(_part(family, group, places, here))
    return moment


def devices(family: Family, design: Design) -> Codes:
    """How many random devices each conjunction names."""
    many = np.zeros(len(family), dtype=np.int64)
    for group, _, here in _touched(family, design):
        if not group.channel.is_truthful:
            many += (family.codes[:, here] != ANY).any(axis=1)
    return many


def _touched(family: Family, design: Design) -> Iterable[tuple[Group, list[int], list[int]]]:
    """Groups that the family names; where its columns stand in the group, and in the family."""
    here = {name: column for column, name in enumerate(family.columns)}
    for group, places in design.touched(here):
        yield group, places, [here[group.names[place]] for place in places]
