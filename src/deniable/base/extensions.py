"""Parts of other packages: found by their entry points, refused in one sentence where broken."""

from abc import ABCMeta
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Self

from deniable.base.errors import ExtensionError
from deniable.base.wording import joined

UPDATE = "Update that package, or remove it."


class Complete(metaclass=ABCMeta):  # noqa: B024 (its subclasses have the abstract methods)
    """What other packages may write: a class that leaves a part out is refused when it is used.

    >>> from abc import abstractmethod
    >>> class Verb(Complete):
    ...     @abstractmethod
    ...     def tabulate(self): ...
    >>> Verb()
    Traceback (most recent call last):
    deniable.base.errors.ExtensionError: Verb does not say: tabulate. Add it; see CONTRIBUTING.md.
    """

    def __new__(cls, *_args: Any, **_named: Any) -> Self:
        """Refuse what is not complete."""
        if cls.__abstractmethods__:
            missing = ", ".join(sorted(cls.__abstractmethods__))
            raise ExtensionError(
                f"{cls.__name__} does not say: {missing}.", hint="Add it; see CONTRIBUTING.md."
            )
        return super().__new__(cls)


def offered(group: str) -> list[str]:
    """Names of what other packages offer; looked up each time, as packages may come and go."""
    return sorted({entry.name for entry in entry_points(group=group)})


def load(group: str, name: str, what: str) -> tuple[Any, str]:
    """Load what a package offers by a name; also say what and whose it is, for messages."""
    found = tuple(entry_points(group=group, name=name))
    if len(found) > 1:
        packages = joined(sorted(map(_package, found)))
        raise ExtensionError(f"{what} is offered by {packages}.", hint="Remove one of them.")
    whose = f"{what} of the package {_package(found[0])}"
    try:
        return found[0].load(), whose
    except Exception as error:
        raise broken(whose, error) from error


def broken(whose: str, error: Exception) -> ExtensionError:
    """Say in one line what went wrong in another package."""
    said = (str(error).splitlines() or [""])[0].rstrip(".") or type(error).__name__
    return ExtensionError(f"{whose} does not work: {said}.", hint=UPDATE)


def _package(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist else entry.value
