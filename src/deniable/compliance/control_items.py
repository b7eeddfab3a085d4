"""Control items of a design: what is reported on them together, by people of each kind.

A *pattern* is one person's reports on all disguised control items. Their true shares are known, and
taken to be independent of each other (shares of 0 and 1 are), so that the chance of each pattern is
known for those who follow the device, and for those who do something else.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from deniable.base.arrays import AnyCodes, Codes, Floats
from deniable.compliance.behaviours import Behaviour, BehaviourKind, kinds, sent
from deniable.compliance.mixture import Mixture
from deniable.design import Design
from deniable.privacy.measures.single_answer import entry_matrix
from deniable.schema import Attribute

MOST_PATTERNS = 4096
"""Patterns up to which control items are read together; those beyond are left out."""

NOTICED = 0.15
"""Share of people who ignore the device that a check should notice."""


@dataclass(frozen=True)
class ControlItem:
    """A question whose true shares are known, and the disguise of its own answer."""

    attribute: Attribute
    known: tuple[float, ...]
    channel: tuple[tuple[float, ...], ...]
    """``C[report][truth]``."""

    def reports(self, behaviour: Behaviour | None) -> Floats:
        """Chance of each report, of those who behave so; None: who follow the device."""
        matrix = np.array(self.channel) if behaviour is None else sent(behaviour, self.attribute)
        found: Floats = matrix @ np.array(self.known)
        return found


@dataclass(frozen=True, eq=False)
class ControlItems:
    """All disguised control items, and the kinds of people who might ignore the device."""

    items: tuple[ControlItem, ...]
    kinds: tuple[BehaviourKind, ...]

    @classmethod
    def of(cls, design: Design, known: Mapping[str, Mapping[str, float]]) -> Self | None:
        """Find them in a design, by the true shares that are known; None: there are none."""
        items: list[ControlItem] = []
        patterns = 1
        for group in design.groups:
            for attribute in group.attributes:
                patterns *= attribute.size if attribute.name in known else 1
                if attribute.name in known and patterns <= MOST_PATTERNS:
                    shares = known[attribute.name]
                    items.append(
                        ControlItem(
                            attribute,
                            tuple(float(shares[value]) for value in attribute.values),
                            tuple(map(tuple, entry_matrix(group, attribute.name).tolist())),
                        )
                    )
        asked = tuple(a for group in design.groups for a in group.attributes)
        return cls(tuple(items), kinds(asked)) if items else None

    @property
    def names(self) -> tuple[str, ...]:
        """The items' names."""
        return tuple(item.attribute.name for item in self.items)

    def repeated(self, times: int) -> Self:
        """As many such items again, each by itself: what a check with more of them would see."""
        return type(self)(self.items * times, self.kinds)

    @property
    def size(self) -> int:
        """How many patterns there are."""
        return int(np.prod([item.attribute.size for item in self.items]))

    def patterns(self, columns: Mapping[str, AnyCodes]) -> Codes:
        """The number of each person's pattern, from the codes of their reports."""
        found: Codes = np.ravel_multi_index(
            tuple(columns[name] for name in self.names),
            tuple(item.attribute.size for item in self.items),
        ).astype(np.int64)
        return found

    def chances(self, kind: BehaviourKind | None) -> Floats:
        """Chance of each pattern, among people of a kind; None: of those who follow the device."""
        found = np.ones(1)
        for item in self.items:
            found = np.outer(found, item.reports(None if kind is None else kind.name)).ravel()
        return found

    @cached_property
    def each_alone(self) -> tuple[Mixture, ...]:
        """For each kind: those who follow the device, and people of this kind."""
        return tuple(self._mixture(kind) for kind in self.kinds)

    @cached_property
    def together(self) -> Mixture | None:
        """All kinds at once; None where the patterns cannot tell them apart."""
        found = self._mixture(*self.kinds)
        return found if found.identified else None

    def _mixture(self, *those: BehaviourKind) -> Mixture:
        planned = np.array([1 - NOTICED, *[NOTICED / len(those)] * len(those)])
        return Mixture(np.stack([self.chances(each) for each in (None, *those)]), planned)

    def alike(self) -> tuple[tuple[BehaviourKind, ...], ...]:
        """Kinds that these items cannot tell apart."""
        found: dict[bytes, list[BehaviourKind]] = {}
        for kind in self.kinds:
            found.setdefault(self.chances(kind).round(9).tobytes(), []).append(kind)
        return tuple(tuple(each) for each in found.values() if len(each) > 1)
