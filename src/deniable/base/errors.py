"""Every deliberate error, one tree.

A message is one sentence that names what is wrong and where; the hint says what to do next.
The command line prints both and exits non-zero; nothing else is caught there.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches


class DeniableError(Exception):
    """Something the user can mend.

    >>> print(DeniableError("theta=1/2 makes every report a fair coin.", hint="Use another theta."))
    theta=1/2 makes every report a fair coin. Use another theta.
    """

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


class SchemaError(DeniableError):
    """An attribute or a value that does not exist, or a domain that makes no sense."""


class ExpressionError(DeniableError):
    """A conjunction that cannot be read."""


class DesignError(DeniableError):
    """A design that cannot be read, or whose disguise cannot be undone."""


class SurveyError(DeniableError):
    """A survey file with mistakes, or a survey that cannot do what is asked of it."""


class DataError(DeniableError):
    """Records that do not fit: a missing column, an unknown value, a broken file."""


class UnknownValueError(DataError):
    """A value that the schema does not list; it is named, which is for whoever holds the data."""

    def __init__(self, message: str, *, hint: str = "", discreet: str = "") -> None:
        super().__init__(message, hint=hint)
        self.discreet = discreet
        """The same without the value, for logs."""


class FingerprintError(DataError):
    """Records that were disguised by another design than the one given."""


class EstimateError(DeniableError):
    """A question that these reports cannot answer."""


class ModelError(DeniableError):
    """A model that cannot be mined, read or used here."""


class CollabError(DeniableError):
    """A collaboration that cannot begin or go on: files that disagree, a rule that is broken."""


class AnswerError(CollabError):
    """What a party tells a peer that it cannot answer; it holds nothing of the party's own data."""


class PeerError(CollabError):
    """A peer that cannot be reached, or whose connection was lost; trying again may help."""


class LostSessionError(PeerError):
    """A peer that was started again meanwhile, and must be greeted again before it goes on."""


class PolicyError(CollabError):
    """A release that the agreed policy forbids."""


class ExtensionError(DeniableError):
    """A part of another package that is incomplete, or does not work."""


class OutputError(DeniableError):
    """A result that could not be written."""


@contextmanager
def placed(place: object, kind: type[DeniableError] | None = None) -> Iterator[None]:
    """Name the place in what is refused there, unless it is named already.

    >>> with placed("design.yaml"):
    ...     raise DesignError("groups must be a list.")
    Traceback (most recent call last):
    deniable.base.errors.DesignError: design.yaml: groups must be a list.
    """
    try:
        yield
    except DeniableError as error:
        named = error.message.startswith(str(place))
        message = error.message if named else f"{place}: {error.message}"
        raise (kind or type(error))(message, hint=error.hint) from None


def nearest(word: str, known: Iterable[str]) -> str:
    """Suggest the known name closest to a word, as a sentence to append to an error.

    >>> nearest("smoke", ["smokes", "drinks"])
    "Did you mean 'smokes'?"
    >>> nearest("xyz", ["smokes", "drinks"])
    "Known: 'smokes', 'drinks'."
    """
    names = list(known)
    folded = {name.casefold(): name for name in names}
    close = get_close_matches(word.casefold(), folded, n=1, cutoff=0.6)
    if close:
        return f"Did you mean {folded[close[0]]!r}?"
    return f"Known: {listed(names)}."


def shortened(value: object, most: int = 40) -> str:
    """Quote a value, but not a whole book of it.

    >>> shortened("abcdefgh", most=4)
    "'abcd…'"
    """
    text = str(value)
    return repr(text if len(text) <= most else text[:most] + "…")


def listed(names: Iterable[str], most: int = 8) -> str:
    """Join names for a sentence, without flooding it.

    >>> listed(["a", "b", "c"], most=2)
    "'a', 'b', … (3 in all)"
    """
    words = [shortened(name) for name in names]
    if len(words) <= most:
        return ", ".join(words) or "none"
    return f"{', '.join(words[:most])}, … ({len(words)} in all)"
