"""Distributions of personal answers: independent by attribute, joint, or unknown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from deniable.base.errors import DesignError, nearest
from deniable.channel.channel import exact, names
from deniable.channel.group_options import distribution, fraction, sums_to_one
from deniable.schema import Attribute

UNKNOWN = "unknown"

Independent = tuple[tuple[Fraction, ...], ...]
"""One distribution per attribute."""


@dataclass(frozen=True)
class Joint:
    """A joint distribution of the personal answers: codes of a pattern, and its probability."""

    cells: tuple[tuple[tuple[int, ...], Fraction], ...]


def read_personal(attributes: Sequence[Attribute], given: object) -> Independent | Joint | None:
    """Read a group's ``personal``; None where it is unknown."""
    if given is None:
        raise DesignError(
            "The unrelated model needs the distribution of the personal answers.",
            hint=f"Add personal: {{{attributes[0].name}: {{{attributes[0].values[0]}: 0.5, …}}}}, "
            f"or personal: {UNKNOWN} for two samples with different theta.",
        )
    if given == UNKNOWN:
        return None
    if not isinstance(given, Mapping):
        raise DesignError(
            "personal must map each attribute of the group to a distribution.",
            hint=f"Write personal: {{{attributes[0].name}: {{VALUE: 0.5, …}}}}.",
        )
    if set(given) == {"joint"} and isinstance(given["joint"], list):
        return _read_joint(attributes, given["joint"])
    known = [attribute.name for attribute in attributes]
    for name in given:
        if name not in known:
            raise DesignError(
                f"personal names {name!r}, which is not in the group.", hint=nearest(name, known)
            )
    return tuple(
        distribution(given.get(attribute.name), attribute, f"personal, {attribute.name}")
        for attribute in attributes
    )


def _read_joint(attributes: Sequence[Attribute], rows: list[object]) -> Joint:
    known = {attribute.name for attribute in attributes}
    cells: dict[tuple[int, ...], Fraction] = {}
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, Mapping) or set(row) != known | {"probability"}:
            each = ", ".join(f"{name}: …" for name in (*sorted(known), "probability"))
            raise DesignError(
                f"personal, joint: line {number} must name {names(attributes)} and probability.",
                hint=f"Write - {{{each}}}.",
            )
        cell = tuple(attribute.code(str(row[attribute.name])) for attribute in attributes)
        if cell in cells:
            raise DesignError(
                f"personal, joint: line {number} repeats a combination.",
                hint="Give every combination once.",
            )
        cells[cell] = fraction(row["probability"], f"personal, joint, line {number}")
    sums_to_one(list(cells.values()), "personal, joint")
    return Joint(tuple((cell, chance) for cell, chance in sorted(cells.items()) if chance))


def joint_row(
    attributes: Sequence[Attribute], cell: tuple[int, ...], chance: Fraction
) -> dict[str, str]:
    """Write one line of a joint distribution."""
    values = {a.name: a.values[code] for a, code in zip(attributes, cell, strict=True)}
    return {**values, "probability": exact(chance)}
