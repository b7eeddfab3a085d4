"""A design: which attributes are disguised together, and how.

Groups are disguised independently of each other; attributes in no group are public. The class is
an attribute like any other. A design refuses, when it is read, whatever could not be undone later.
"""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from deniable.base.documents import read_yaml, to_yaml
from deniable.base.entries import Entry
from deniable.base.errors import DesignError, listed, nearest, placed
from deniable.base.files import write_whole
from deniable.base.findings import Findings
from deniable.base.fingerprint import digest_of_json
from deniable.channel import Channel, Truthful, kinds, named
from deniable.schema import Attribute, Schema

PERSONAL_PREFIX = "personal."
"""Prefix of a column with personal answers, for groups whose distribution is unknown."""


@dataclass(frozen=True)
class Group:
    """Attributes that one random device disguises together."""

    attributes: tuple[Attribute, ...]
    channel: Channel

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The group's attribute names."""
        return tuple(attribute.name for attribute in self.attributes)

    @property
    def needs_second_sample(self) -> bool:
        """Whether the distribution of its personal answers is unknown."""
        return self.channel.paired is not None and not self.channel.paired.known


@dataclass(frozen=True)
class Design:
    """Attributes and groups.

    >>> design = Design.of({
    ...     "attributes": {"smokes": ["no", "yes"], "region": ["north", "south"]},
    ...     "groups": [{"attributes": ["smokes"], "channel": "related", "theta": "4/5"}],
    ... })
    >>> print(design.story())
    smokes: with probability 80 % reported as it is, otherwise replaced by its opposite.
    region: public, reported as it is.
    """

    schema: Schema
    groups: tuple[Group, ...]
    reports_of: str | None = None
    """Fingerprint of the design that disguised the reports, if this one is only to count by: the
    same device as some people do not follow it."""

    def __post_init__(self) -> None:
        seen: dict[str, int] = {}
        for number, group in enumerate(self.groups, start=1):
            for name in group.names:
                if name in seen:
                    raise DesignError(
                        f"{name!r} is in group {seen[name]} and in group {number}.",
                        hint="An attribute is disguised once; take it out of one of them.",
                    )
                seen[name] = number

    @classmethod
    def load(cls, path: str | Path) -> "Design":
        """Read design.yaml."""
        document = read_yaml(path)
        with placed(path):
            return cls.of(document)

    @classmethod
    def of(cls, document: object) -> "Design":
        """Build from the document that design.yaml holds."""
        entries = Entry(_as_text(document), Findings(DesignError)).entries(
            "Start the file with a line 'attributes:'.",
            ("attributes", "groups", "reports_of"),
            ("attributes",),
        )
        schema = read_attributes(entries["attributes"])
        groups, given = [], entries.get("groups")
        if given is not None and given.value:  # nothing after the colon: none
            for number, each in enumerate(given.items("Begin each group with '- '."), start=1):
                with placed(f"Group {number}", DesignError):
                    groups.append(read_group(each.value, schema))
        return cls(schema, tuple(groups), entries.read("reports_of", Entry.text, None))

    @classmethod
    def truthful(cls, schema: Schema) -> "Design":
        """Disguise nothing: every attribute is public."""
        return cls(schema, ())

    @property
    def disguises(self) -> bool:
        """Whether anything is disguised."""
        return any(not group.channel.is_truthful for group in self.groups)

    @property
    def public(self) -> tuple[str, ...]:
        """Attributes in no group."""
        return tuple(name for name in self.schema.names if name not in self.disguised)

    @cached_property
    def disguised(self) -> frozenset[str]:
        """Attributes in some group."""
        return frozenset(name for group in self.groups for name in group.names)

    def touched(self, names: Container[str]) -> Iterator[tuple[Group, list[int]]]:
        """Groups that have some of the names, and the places of these within the group."""
        for group in self.groups:
            if places := [place for place, name in enumerate(group.names) if name in names]:
                yield group, places

    @property
    def needs_second_sample(self) -> bool:
        """Whether some group's personal distribution is unknown."""
        return any(group.needs_second_sample for group in self.groups)

    def as_reported(self) -> "Design":
        """Read groups of unknown personal distribution as if their reports were the truth."""
        groups = tuple(
            Group(group.attributes, Truthful.over(group.channel.sizes))
            if group.needs_second_sample
            else group
            for group in self.groups
        )
        return Design(self.schema, groups)

    def document(self) -> dict[str, Any]:
        """Return what design.yaml holds, exactly."""
        return {
            "attributes": {attribute.name: list(attribute.values) for attribute in self.schema},
            "groups": [
                {
                    "attributes": list(group.names),
                    "channel": group.channel.kind,
                    **group.channel.options(group.attributes),
                }
                for group in self.groups
            ],
            **({} if self.reports_of is None else {"reports_of": self.reports_of}),
        }

    def save(self, path: str | Path) -> None:
        """Write design.yaml."""
        write_whole(path, to_yaml(self.document()))

    @cached_property
    def fingerprint(self) -> str:
        """Hash of everything that matters for undoing the disguise.

        It does not depend on the order of the groups, or on how a probability is written.
        """
        document = self.document()
        document["attributes"] = list(document["attributes"].items())
        document["groups"] = sorted(document["groups"], key=lambda group: group["attributes"])
        return digest_of_json(document, spaced=True)

    @property
    def stamp(self) -> str:
        """The fingerprint that its reports carry: its own, unless it is only to count by."""
        return self.reports_of or self.fingerprint

    def require_device(self) -> None:
        """Refuse to disguise by a design that is only to count by."""
        if self.reports_of is not None:
            raise DesignError(
                "This design counts reports as some people do not follow the device; it is no "
                "device.",
                hint="Disguise by the design beside it, without -as-followed in its name.",
            )

    def story(self) -> str:
        """Say in plain words what happens to a record, a line per group."""
        lines = [group.channel.story(group.attributes) for group in self.groups]
        lines += [f"{name}: public, reported as it is." for name in self.public]
        return "\n".join(lines)


def personal_schema(design: Design) -> Schema:
    """Columns with personal answers that the data must bring: those of unknown distribution."""
    return Schema(
        tuple(
            Attribute(PERSONAL_PREFIX + attribute.name, attribute.values)
            for group in design.groups
            if group.needs_second_sample
            for attribute in group.attributes
        )
    )


def read_attributes(entry: Entry) -> Schema:
    """Read names with their values, of a design or of another document that has such."""
    attributes = []
    hint = f"Write {entry.place.rpartition('.')[2]}: {{smokes: [no, yes]}}."
    for name, each in entry.entries(hint).items():
        values = each.words(f"Write {name}: [value, value].")
        with each.judged():
            attributes.append(Attribute(name, values))
    return Schema(tuple(attributes))


def read_group(entry: object, schema: Schema) -> Group:
    """Read one entry of a design's groups, all of whose attributes are in the schema."""
    if not isinstance(entry, Mapping):
        raise DesignError(
            "a group must be a mapping.", hint="Write attributes, channel and theta under each '-'."
        )
    options = dict(entry)
    names = options.pop("attributes", None)
    kind = options.pop("channel", None)
    if isinstance(names, str) or not isinstance(names, Sequence) or not names:
        raise DesignError("it lists no attributes.", hint="Write attributes: [name, name].")
    if not isinstance(kind, str):
        what = "no channel is given." if kind is None else f"there is no channel {kind!r}."
        raise DesignError(what, hint=nearest(str(kind or ""), kinds()))
    channel = named(kind)
    repeated = [name for index, name in enumerate(names) if name in names[:index]]
    if repeated:
        raise DesignError(f"it names {listed(repeated)} twice.", hint="Name each attribute once.")
    attributes = tuple(schema[str(name)] for name in names)
    return Group(attributes, channel.read(attributes, options))


def _as_text(document: Any) -> Any:
    """Turn Python's own values into the text a YAML file would hold."""
    if isinstance(document, Mapping):
        return {_as_text(key): _as_text(value) for key, value in document.items()}
    if isinstance(document, (list, tuple)):
        return [_as_text(value) for value in document]
    if isinstance(document, bool):
        raise DesignError(
            f"The value {document} is a boolean, not text (YAML reads an unquoted no or yes so).",
            hint='Put it in quotes: "no", "yes".',
        )
    return document if document is None else str(document)
