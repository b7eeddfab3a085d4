"""The papers' design: groups of attributes, each of which tells the truth or lies as a whole."""

from collections.abc import Sequence

from deniable.design import Design
from deniable.schema import Schema


def related(schema: Schema, names: Sequence[str], groups: int, theta: str) -> Design:
    """Deal some attributes into related groups; the others stay public."""
    return Design.of(
        {
            "attributes": {attribute.name: list(attribute.values) for attribute in schema},
            "groups": [
                {"attributes": list(names[at::groups]), "channel": "related", "theta": theta}
                for at in range(groups)
            ],
        }
    )
