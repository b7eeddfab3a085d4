"""What people send who do not follow the device, as channels of one attribute.

Each is a matrix ``[report, truth]``, like the device's own, so that a mixture of people is a
mixture of matrices.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from deniable.base.arrays import Floats
from deniable.schema import Attribute

Behaviour = Literal["no", "first", "random", "truth"]

BEHAVIOURS: tuple[Behaviour, ...] = get_args(Behaviour)

FOLLOWING = "follow"
"""Those who do what the device says."""

BEHAVIOUR_WORDS: Mapping[str, str] = {
    "no": "always say no",
    "first": "always give the first option",
    "random": "answer at random",
    "truth": "tell the truth whatever the device says",
}


@dataclass(frozen=True)
class BehaviourKind:
    """Behaviours that come to the same in every disguised question."""

    behaviours: tuple[Behaviour, ...]

    @property
    def name(self) -> Behaviour:
        """The first of them."""
        return self.behaviours[0]

    @property
    def words(self) -> str:
        """What such people do.

        >>> BehaviourKind(("no", "first")).words
        'always say no, or always give the first option'
        """
        return ", or ".join(BEHAVIOUR_WORDS[each] for each in self.behaviours)


def sent(behaviour: Behaviour, attribute: Attribute) -> Floats:
    """Chance of each report under each truth, of people who behave so.

    >>> sent("no", Attribute("drugs", ("yes", "no"))).tolist()
    [[0.0, 0.0], [1.0, 1.0]]
    """
    size = attribute.size
    if behaviour == "truth":
        return np.eye(size)
    if behaviour == "random":
        return np.full((size, size), 1 / size)
    matrix: Floats = np.zeros((size, size))
    matrix[denied(attribute) if behaviour == "no" else 0] = 1
    return matrix


def denied(attribute: Attribute) -> int:
    """The code of "no": the answer of those who protect themselves; else the first value's."""
    return attribute.values.index("no") if "no" in attribute.values else 0


def kinds(attributes: tuple[Attribute, ...]) -> tuple[BehaviourKind, ...]:
    """Tell the behaviours apart that differ in some of these questions.

    >>> [kind.behaviours for kind in kinds((Attribute("drugs", ("no", "yes")),))]
    [('no', 'first'), ('random',), ('truth',)]
    """
    found: dict[bytes, list[Behaviour]] = {}
    for behaviour in BEHAVIOURS:
        key = b"".join(sent(behaviour, attribute).tobytes() for attribute in attributes)
        found.setdefault(key, []).append(behaviour)
    return tuple(BehaviourKind(tuple(each)) for each in found.values())
