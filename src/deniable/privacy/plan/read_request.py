"""From plain values to the parts of a request: numbers, text, mappings in, checked and exact."""

from collections.abc import Iterable, Mapping, Sequence
from typing import get_args

from deniable.base.errors import DesignError, SchemaError, nearest, shortened
from deniable.channel.group_options import fraction
from deniable.engine.memory.records import Records
from deniable.privacy.plan.compliance import Compliance, Otherwise
from deniable.privacy.plan.families import YES_NO
from deniable.privacy.population import Population, read_shares
from deniable.schema import Attribute, Schema

MOST_PLANNED_VALUES = 50

HOW = "Write drugs=0.1, or income=low:0.5,middle:0.3,high:0.2."


def piloted(records: Records) -> Population:
    """Take the shares, and how attributes depend on each other, from pilot records."""
    for attribute in records.schema:
        if attribute.size > MOST_PLANNED_VALUES:
            raise DesignError(
                f"{attribute.name!r} has {attribute.size} values in the pilot; a plan is for up to "
                f"{MOST_PLANNED_VALUES}.",
                hint="Bin or join values first, with deniable prepare, or select other columns.",
            )
        if attribute.size < YES_NO:
            raise DesignError(
                f"{attribute.name!r} has a single value in the pilot.", hint="Leave it out."
            )
    return Population.of_records(records)


def expected(questions: Mapping[str, object]) -> Population:
    """Read expected shares: ``{"drugs": 0.1, "income": {"low": 0.5, "high": 0.5}}``.

    A single share is that of "yes", in a yes/no question. Attributes are taken to be independent.
    """
    attributes, shares = [], {}
    for name, given in questions.items():
        read = {str(v): p for v, p in given.items()} if isinstance(given, Mapping) else given
        attribute = Attribute(name, tuple(read) if isinstance(read, dict) else ("no", "yes"))
        shares[name] = read_shares(read, attribute)
        if attribute.size > MOST_PLANNED_VALUES:
            raise DesignError(
                f"{name!r} has {attribute.size} values; a plan is for up to {MOST_PLANNED_VALUES}.",
                hint="Join rare values.",
            )
        if shares[name].max() == 1 or shares[name].min() == 0:
            raise DesignError(
                f"{name!r} has a value that everybody has, or nobody.",
                hint="Expect a little, such as 0.01, or leave the value out.",
            )
        attributes.append(attribute)
    if not attributes:
        raise DesignError(
            "There is no question to plan for.", hint="Name one with its expected share: drugs=0.1."
        )
    return Population.of_shares(Schema(tuple(attributes)), shares)


def tested(against: object, population: Population, names: Iterable[str]) -> dict[str, float]:
    """Read what shares are tested against: one number for all yes/no questions, or by name."""
    yes_no = [name for name in names if population.schema[name].size == YES_NO]
    given = against if isinstance(against, Mapping) else dict.fromkeys(yes_no, against)
    found = {}
    for name, share in given.items():
        if name not in yes_no:
            raise SchemaError(f"{name!r} is no yes/no question here.", hint=nearest(name, yes_no))
        found[name] = float(fraction(share, "against"))
        if abs(found[name] - float(population.table([name])[1])) < 1e-9:  # noqa: PLR2004
            raise DesignError(
                f"{name!r} is expected to have just the share it is tested against.",
                hint="No survey tells equal shares apart; test against another one.",
            )
    if not found:
        raise DesignError("There is no yes/no question to test.", hint="Leave --against out.")
    return found


def complying(rates: object, otherwise: Otherwise) -> Compliance | None:
    """Read the share who follow the device: one for all, or (with the trait, without it).

    None if everybody does.
    """
    if otherwise not in get_args(Otherwise):
        raise DesignError(
            f"Who does not follow the device does not answer {shortened(otherwise)}.",
            hint=nearest(str(otherwise), get_args(Otherwise)),
        )
    pair = list(rates) if isinstance(rates, Sequence) and not isinstance(rates, str) else [rates]
    if len(pair) not in {1, 2}:
        raise DesignError(
            "Compliance is one share, or two: with and without the trait.", hint="Such as 0.9,1."
        )
    having, lacking = (fraction(rate, "comply") for rate in (pair[0], pair[-1]))
    if min(having, lacking) == 0:
        raise DesignError(
            "If nobody follows the device, nothing can be learned.", hint="Use a share above 0."
        )
    found = Compliance(having, lacking, otherwise)
    return None if found.is_full else found


def shares_in(questions: Sequence[str]) -> dict[str, object]:
    """Read NAME=SHARE and NAME=VALUE:SHARE,VALUE:SHARE."""
    found: dict[str, object] = {}
    for question in questions:
        name, sign, shares = (part.strip() for part in question.partition("="))
        if not sign or not name or not shares:
            raise DesignError(f"{question!r} does not give an expected share.", hint=HOW)
        if name in found:
            raise DesignError(f"{name!r} is asked about twice.", hint="Name each question once.")
        found[name] = _shares_of(name, shares) if ":" in shares else shares
    return found


def _shares_of(name: str, shares: str) -> Mapping[str, str]:
    values: dict[str, str] = {}
    for part in shares.split(","):
        value, sign, share = part.rpartition(":")
        if not sign or not value.strip():
            raise DesignError(f"{part!r} of {name!r} is no value with a share.", hint=HOW)
        if value.strip() in values:
            raise DesignError(f"{name!r} lists {value.strip()!r} twice.", hint="List it once.")
        values[value.strip()] = share
    return values


def against_in(given: Sequence[str]) -> object:
    """One share for all questions, or shares by name."""
    if not given:
        return None
    if len(given) == 1 and "=" not in given[0]:
        return given[0]
    pairs = [each.rpartition("=") for each in given]
    if not all(name for name, _, _ in pairs):
        raise DesignError(
            "--against gives several shares without saying of what.",
            hint="Write --against drugs=0.05 --against cheated=0.1.",
        )
    found: dict[str, str] = {}
    for name, _, share in pairs:
        if name.strip() in found:
            raise DesignError(
                f"{name.strip()!r} is tested against two shares.", hint="Give one of them."
            )
        found[name.strip()] = share
    return found


def words(text: str) -> list[str]:
    """Split at commas."""
    return [word.strip() for word in text.split(",")]
