"""What other packages add to this one, found by their entry points and loaded when it is needed."""

from importlib.metadata import EntryPoint, entry_points

from deniable.base.errors import DeniableError, listed

REMOVE = "Update that package, or remove it."


def offered(group: str) -> list[str]:
    """Names that packages offer in a group; looked up each time, as packages come and go."""
    return sorted({entry.name for entry in entry_points(group=group)})


def load_offered(group: str, name: str, what: str, wrong: type[DeniableError]) -> object | None:
    """Load what a package offers under a name, or give None where none does."""
    found = [entry for entry in entry_points(group=group) if entry.name == name]
    if not found:
        return None
    packages = sorted({_package(entry) for entry in found})
    if len(packages) > 1:
        raise wrong(f"The {what} {name!r} is in {listed(packages)}.", hint="Remove one of them.")
    try:
        loaded: object = found[0].load()
    except Exception as error:  # whatever a stranger's module does wrong
        reason = error.message if isinstance(error, DeniableError) else f"{error}."
        raise wrong(
            f"The {what} {name!r} of the package {packages[0]!r} cannot be loaded: {reason}",
            hint=REMOVE,
        ) from error
    return loaded


def _package(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist else entry.value
