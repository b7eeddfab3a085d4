"""How an attacker guesses: by weighing patterns, or, where these are too many, kinds of people."""

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np

from deniable.base.arrays import Codes
from deniable.design import Design, Group
from deniable.engine.memory.records import Records
from deniable.privacy.attack.estimated_population import MOST_GUESSED_CELLS, estimated_groups
from deniable.privacy.attack.latent_classes import (
    Classes,
    GroupReports,
    belonging,
    best_patterns,
    fitted,
)
from deniable.privacy.measures.joint_groups import JointGroups, public_groups
from deniable.privacy.measures.pattern_numbers import counted, numbered, pattern_count, unpacked


class Guesser(Protocol):
    """Guesses, for each report, codes by attribute."""

    def record(self) -> dict[str, Codes]:
        """All disguised attributes together."""

    def group(self, group: Group) -> dict[str, Codes]:
        """One group's attributes together."""

    def attribute(self, name: str) -> Codes:
        """One attribute."""


def guesser(reports: Records, design: Design, known: Mapping[str, str] | None = None) -> Guesser:
    """Learn from the reports; a known value is taken for everybody's."""
    reports = reports.select(design.schema)
    codes = design.schema.codes(known or {})
    everything = (*design.groups, *public_groups(design))
    if pattern_count(everything) <= MOST_GUESSED_CELLS:
        part = estimated_groups(everything, counted(reports, everything)).given(codes)
        return PatternGuesser(part, reports)
    return ClassGuesser(fitted(everything, reports).given(codes), everything, reports)


class PatternGuesser:
    """By the shares of all joint patterns."""

    def __init__(self, part: JointGroups, reports: Records) -> None:
        self._part = part
        self._reports = tuple(numbered(reports, group) for group in part.groups)

    def record(self) -> dict[str, Codes]:
        """All attributes together, the public ones as they are."""
        _, found = self._part.record()
        guesses: dict[str, Codes] = {}
        for group, truth in zip(self._part.groups, found, strict=True):
            guesses |= unpacked(group, truth[self._reports])
        return guesses

    def group(self, group: Group) -> dict[str, Codes]:
        """One group's attributes together."""
        found = self._part.group(self._part.groups.index(group))
        return unpacked(group, found.truth[self._reports])

    def attribute(self, name: str) -> Codes:
        """One attribute."""
        axis = next(a for a, group in enumerate(self._part.groups) if name in group.names)
        guess: Codes = self._part.attribute(axis, name).truth[self._reports]
        return guess


class ClassGuesser:
    """By the kinds of people that the reports show."""

    def __init__(self, classes: Classes, groups: Sequence[Group], reports: Records) -> None:
        self._classes = classes
        self._views = [GroupReports(group, reports) for group in groups]
        self._belongs = belonging(self._views, classes)

    def record(self) -> dict[str, Codes]:
        """All attributes together."""
        found = best_patterns(self._views, self._classes)
        return {
            name: codes
            for view, pattern in zip(self._views, found, strict=True)
            for name, codes in zip(view.group.names, pattern.T, strict=True)
        }

    def group(self, group: Group) -> dict[str, Codes]:
        """One group's attributes together, with the classes that the whole report suggests."""
        view = self._view(group.names[0])
        weights = self._belongs / np.maximum(view.chance(self._classes), np.finfo(float).tiny)
        (pattern,) = best_patterns([view], self._classes, weights)
        return dict(zip(group.names, pattern.T, strict=True))

    def attribute(self, name: str) -> Codes:
        """One attribute."""
        likely = self._view(name).values(name, self._classes, self._belongs)
        guess: Codes = likely.argmax(axis=1)
        return guess

    def _view(self, name: str) -> GroupReports:
        return next(view for view in self._views if name in view.group.names)
