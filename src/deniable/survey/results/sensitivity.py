"""How much an estimate would move if a personal question's distribution were a little different.

A wrong distribution moves estimates a lot: taking 0.248 for 0.310 once turned 5.0 % into 16.1 %.
"""

from deniable.design import Design


def moved(design: Design, name: str) -> float | None:
    """Points by which the share of a value moves if the personal share is one point larger.

    The share of a report is θπ + (1−θ)w, so that dπ/dw = −(1−θ)/θ, whatever the value.

    >>> design = Design.of({
    ...     "attributes": {"fraud": ["no", "yes"]},
    ...     "groups": [{"attributes": ["fraud"], "channel": "unrelated", "theta": "0.7",
    ...                 "personal": {"fraud": {"no": "3/4", "yes": "1/4"}}}],
    ... })
    >>> round(moved(design, "fraud"), 3)
    -0.429
    """
    for group in design.groups:
        if name in group.names and group.channel.paired is not None:
            theta = float(group.channel.paired.theta)
            return -(1 - theta) / theta if theta else None
    return None
