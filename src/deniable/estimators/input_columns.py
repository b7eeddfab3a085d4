"""How X and y are read: which column is which attribute of a design."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from deniable.base.arrays import Codes
from deniable.base.errors import DesignError, ModelError, nearest
from deniable.design import Design, Group
from deniable.engine.memory.records import Records, fingerprint_of, require_fingerprint
from deniable.estimators.domains import Array, Domain, InputError, ListedDomain, encoded, learned
from deniable.mine.model import checked_target
from deniable.oracle.randomized import RandomizedOracle
from deniable.schema import Attribute, Schema

AnyDesign = Design | str | Path | None

TARGET = "class"
"""What the target is called where nobody says."""


@dataclass(frozen=True, eq=False)
class InputColumns:
    """A design of X's columns, in their order, and then the target; and the domain of each."""

    design: Design
    domains: tuple[Domain, ...]
    whole: Design | None = None
    """The design that was given, of which X may hold some columns."""

    @classmethod
    def given(
        cls, design: Design, target: str, names: Sequence[str] | None, width: int
    ) -> "InputColumns":
        """Read by a design; columns without names are its attributes but the target, in order."""
        checked_target(target, design.schema)
        features = [name for name in design.schema.names if name != target]
        if names is None and width != len(features):
            raise InputError(
                f"X has {width} columns, but the design has {len(features)} attributes besides the "
                f"target {target!r}.",
                hint="Give them all, in order, or a data frame with some of them by name.",
            )
        for name in names if names is not None else ():
            if name == target:
                raise InputError(f"X holds the target {name!r}.", hint="Give it as y.")
            if name not in features:
                raise InputError(
                    f"X has a column {name!r}, which is not in the design.",
                    hint=nearest(name, features),
                )
        own = restricted(design, (*(features if names is None else names), target))
        return cls(own, tuple(ListedDomain(attribute) for attribute in own.schema), design)

    @classmethod
    def learned(
        cls, columns: Sequence[Any], y: Array, names: Sequence[str] | None, target: str, n_bins: int
    ) -> "InputColumns":
        """Read without a design: nothing is disguised, and values are those that there are."""
        features = [f"x{place}" for place in range(len(columns))] if names is None else names
        while target in features:
            target += "'"
        classes = np.unique(y).tolist()
        if len(classes) == 1:
            raise InputError(
                "y holds one class only, so there is nothing to predict.",
                hint="Give records of several classes.",
            )
        domains = (
            *(learned(name, own, n_bins) for name, own in zip(features, columns, strict=True)),
            ListedDomain(Attribute(target, tuple(str(value) for value in classes))),
        )
        schema = Schema(tuple(domain.attribute for domain in domains))
        return cls(Design.truthful(schema), domains)

    @property
    def target(self) -> Attribute:
        """What is predicted."""
        return self.design.schema.attributes[-1]

    def codes(self, columns: Sequence[Any]) -> Codes:
        """Codes ``[record, feature]``."""
        found = [encoded(own, domain) for own, domain in zip(columns, self.domains, strict=False)]
        return np.stack(found).astype(np.int64).T  # models go through it column by column

    def require_same_design(self, reports: Any) -> None:
        """Refuse reports that say they are of another design."""
        stamp = fingerprint_of(reports)
        if stamp is not None and self.whole is not None:
            require_fingerprint(stamp, self.whole.fingerprint, "X")

    def oracle(self, columns: Sequence[Any], y: Array) -> RandomizedOracle:
        """Count through the disguise."""
        pairs = zip((*columns, y), self.domains, strict=True)
        records = Records(self.design.schema, tuple(encoded(own, domain) for own, domain in pairs))
        return RandomizedOracle(records, self.design)


def as_design(design: Any) -> Design:
    """Take a design, or read its file."""
    found = Design.load(design) if isinstance(design, (str, Path)) else design
    if not isinstance(found, Design):
        raise DesignError(
            f"design is of type {type(design).__name__}.",
            hint="Give a Design, the path of a design.yaml, or None if nothing is disguised.",
        )
    return found


def chosen_target(target: Any, y: Any, design: Design | None) -> str:
    """Name the target: as told, or as y is named, or else the design's last attribute."""
    if target is not None and not isinstance(target, str):
        raise ModelError(f"The target {target!r} is no name.", hint="Give an attribute's name.")
    named = str(getattr(y, "name", None) or "")
    if design is None:
        return target or named or TARGET
    return target or (named if named in design.schema else design.schema.names[-1])


def restricted(design: Design, names: Sequence[str]) -> Design:
    """Keep some attributes, in the order given, as the same devices disguise them."""
    groups = []
    for group in design.groups:
        places = [place for place, name in enumerate(group.names) if name in names]
        if len(places) == len(group.names):
            groups.append(group)
        elif places:
            own = tuple(group.attributes[place] for place in places)
            groups.append(Group(own, group.channel.marginal(places)))
    return Design(design.schema.select(names), tuple(groups))
