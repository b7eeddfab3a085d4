"""Questions and replies as dataclasses that read themselves from messages and write themselves.

Whatever else comes than the fields say is one `AnswerError`. A question also says who may ask it,
when, and in which collaborations; `follower.dispatcher` holds everybody to that.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import Enum, auto
from typing import (
    Any,
    ClassVar,
    Generic,
    Self,
    TypeVar,
    cast,
    dataclass_transform,
    get_args,
    get_type_hints,
)  # fmt: skip

from deniable.base.errors import AnswerError
from deniable.collab.agreement.agreement import DRAWN, Agreement, Align, Mode
from deniable.collab.protocol.fields import FieldKind, LedgerDocuments, kind_of
from deniable.collab.wire.message import Message
from deniable.collab.wire.message_limits import (
    ANSWER_SECONDS,
    MOST_MESSAGE_BYTES,
    MOST_REHEARSED,
    PERSON_SECONDS,
    SMALL_MESSAGE,
    Allowance,
)
from deniable.schema import Schema

DIGEST = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True)
class Stamp:
    """What every question says beside its own fields: of which run it is, and how far that is."""

    collaboration: str
    terms: str | None = None
    """Once all have agreed on them."""

    rehearsal: int | None = None
    have: int | None = None
    """How many rows of the ledger the asker has."""

    @classmethod
    def read(cls, fields: Mapping[str, Any]) -> "Stamp":
        """Take the stamp of a question; it becomes part of a file's name."""
        digest, terms, rehearsal, have = map(fields.get, cls.__dataclass_fields__)
        if not isinstance(digest, str) or not DIGEST.fullmatch(digest):
            raise AnswerError("A message names no collaboration.", hint="Use the same version.")
        if rehearsal is not None and (
            type(rehearsal) is not int or not 1 <= rehearsal <= MOST_REHEARSED
        ):
            raise AnswerError("A rehearsal needs a number of records.", hint="Use up to a million.")
        terms = terms if isinstance(terms, str) else None
        return cls(digest, terms, rehearsal, have if type(have) is int else None)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Body:
    """What a verb says; every subclass is a frozen dataclass."""

    verb: ClassVar[str]

    def __init_subclass__(cls, verb: str = "") -> None:
        super().__init_subclass__()
        dataclass(frozen=True)(cls)
        if verb:
            cls.verb = verb

    @classmethod
    def read(cls, message: Message, schema: Schema) -> Self:
        """Read the fields, every one checked; cells are of the collaboration's columns."""
        values: dict[str, Any] = {}
        parts, name, kinds = list(message.parts), "verb", cls._kinds()
        try:
            for name, kind in kinds.items():
                if kind.parts == "none":
                    values[name] = kind.read(message.fields.get(name), schema)
                else:
                    many = 1 if kind.parts == "one" else len(parts)
                    values[name], parts = kind.read(parts[:many], schema), parts[many:]
            vectors = {len(values[each]) for each, kind in kinds.items() if kind.per_vector}
            if message.verb == cls.verb and not parts and len(vectors) <= 1:
                return cls(**values)
        except (ValueError, TypeError, LookupError, OverflowError):
            pass
        raise AnswerError(
            f"The message {message.verb!r} has no {name!r} as it should be.",
            hint="All parties must use the same version.",
        )

    def message(self, **stamp: Any) -> Message:
        """Write the fields, and a stamp beside them."""
        written, parts = stamp, []
        for name, kind in self._kinds().items():
            value = kind.write(getattr(self, name))
            if kind.parts == "none":
                written[name] = value
            else:
                parts += value
        return Message(self.verb, written, tuple(parts))

    @classmethod
    def room(cls, people: int) -> int:
        """Bytes that may follow the opening of such a message, if it is about so many people."""
        fields = sum(kind.room(people) for kind in cls._kinds().values())
        return min(SMALL_MESSAGE + fields, MOST_MESSAGE_BYTES)

    @classmethod
    def _kinds(cls) -> dict[str, FieldKind]:
        hints = get_type_hints(cls, include_extras=True)
        return {each.name: kind_of(hints[each.name]) for each in fields(cls)}  # type: ignore[arg-type]


class Reply(Body):
    """What is answered."""


class RowsReply(Reply):
    """A reply that brings the rows of the ledger that the asker does not have yet."""

    rows: LedgerDocuments = field(default=(), kw_only=True)
    """The dispatcher fills them in."""


class Asker(Enum):
    """Who may ask a question."""

    LEADER = auto()
    SEEKER = auto()
    """Whoever finds the people in common."""

    ANYBODY = auto()
    """Everybody with a part in the collaboration."""


R = TypeVar("R", bound=Reply)

REQUESTS: dict[str, type["Request[Any]"]] = {}
"""Every question by its verb."""


class Request(Body, Generic[R]):
    """What is asked; the class that answers it is its type's argument."""

    reply: ClassVar[type[Reply]]
    asker: ClassVar[Asker] = Asker.LEADER
    before_terms: ClassVar[bool] = False
    """Whether it may come before all have agreed on the terms."""

    modes: ClassVar[Collection[Mode]] = get_args(Mode)
    align: ClassVar[Collection[Align]] = ()
    """The ways of alignment that it is for; none: whatever the way."""

    drawn_leader: ClassVar[bool] = False
    """Whether it is for leaders that are drawn only."""

    of_no_use: ClassVar[str] = "This is not asked in this collaboration."
    """What is told where mode, alignment or leader are others."""

    under_way: ClassVar[bool] = False
    """Whether it is about a run that goes on elsewhere, which looks at the party's files itself."""

    meanwhile: ClassVar[bool] = False
    """Whether it may be answered while another question of the run is: parties ask each other."""

    def __init_subclass__(cls, verb: str = "", **rules: Any) -> None:
        super().__init_subclass__(verb)
        for name, value in rules.items():
            if name not in Request.__annotations__:
                raise TypeError(f"a question has no {name!r}")
            setattr(cls, name, value)
        if verb:  # else it is what several questions have in common
            (cls.reply,) = get_args(cls.__orig_bases__[0])  # type: ignore[attr-defined]
            if REQUESTS.setdefault(verb, cls) is not cls:
                raise TypeError(f"{verb!r} is asked by two classes")

    @classmethod
    def allowed(cls, agreement: Agreement) -> bool:
        """Whether an agreement has a use for it."""
        return (
            agreement.mode in cls.modes
            and (not cls.align or agreement.align in cls.align)
            and (not cls.drawn_leader or agreement.leader == DRAWN)
        )

    def asking(self, stamp: Stamp, people: int) -> Message:
        """Write the question, and what its answer may cost where it is about so many people."""
        seconds = ANSWER_SECONDS + PERSON_SECONDS * people
        return replace(
            self.message(**vars(stamp)), allows=Allowance(self.reply.room(people), seconds)
        )

    def answered(self, message: Message, schema: Schema) -> R:
        """Read the reply."""
        return cast(R, self.reply.read(message, schema))
