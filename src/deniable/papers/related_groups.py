"""The papers' design: groups of attributes, each of which tells the truth or lies as a whole."""

from collections.abc import Iterable, Sequence

from deniable.design import Design
from deniable.schema import Schema

THETAS = (
    "0", "0.1", "0.2", "0.3", "0.4", "0.45", "0.51", "0.55", "0.6", "0.7", "0.8", "0.9", "1",
)  # fmt: skip
"""What papers A and C try."""

LOWER, UPPER = THETAS[: THETAS.index("0.51")], THETAS[THETAS.index("0.51") :]
"""Either side of ½. θ and 1 − θ are the same disguise, so that ours are tried on one side only."""


def related(schema: Schema, names: Sequence[str], groups: int, theta: str) -> Design:
    """Deal some attributes into related groups; the others stay public."""
    return related_parts(schema, [(names[at::groups], theta) for at in range(groups)])


def related_parts(schema: Schema, parts: Iterable[tuple[Sequence[str], str]]) -> Design:
    """Have each part of the attributes tell the truth with a probability of its own."""
    return Design.of(
        {
            "attributes": {attribute.name: list(attribute.values) for attribute in schema},
            "groups": [
                {"attributes": list(names), "channel": "related", "theta": theta}
                for names, theta in parts
            ],
        }
    )
