"""Reading a group's options from design.yaml: exact probabilities, and errors that help."""

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

from deniable.base.errors import DesignError, listed, nearest, shortened
from deniable.schema import Attribute

SMALLEST = Fraction(1, 10**6)
"""Below this a weight exceeds a million: no survey is large enough, and powers lose digits."""

LARGEST_MATRIX = 500

LONGEST_NUMBER = 60


def only(options: Mapping[str, object], *known: str) -> None:
    """Refuse options that the channel does not have."""
    for name in options:
        if name not in known:
            raise DesignError(
                f"The channel has no option {name!r}.", hint=nearest(name, known) if known else ""
            )


def probability(options: Mapping[str, object], name: str = "theta", *, why: str = "") -> Fraction:
    """Read one probability, exactly as written."""
    if options.get(name) is None:
        raise DesignError(
            f"The option {name!r} is missing.",
            hint=f"Give {why or 'a probability'}, as a decimal or a fraction: {name}: 4/5.",
        )
    number = fraction(options[name], name)
    if 0 < number < SMALLEST:
        raise DesignError(
            f"{name} = {number} is so small that what it does cannot be undone.",
            hint=f"Use at least {float(SMALLEST):g}.",
        )
    return number


def fraction(value: object, what: str) -> Fraction:
    """Read a decimal, a fraction or a percentage without rounding it.

    >>> fraction("4/5", "theta"), fraction("0.7", "theta"), fraction("70%", "theta")
    (Fraction(4, 5), Fraction(7, 10), Fraction(7, 10))
    """
    text = str(value).replace(" ", "")
    if re.search(r"e[+-]?\d{4}", text, re.IGNORECASE) or len(text) > LONGEST_NUMBER:
        raise DesignError(f"{what} = {shortened(value)} is out of reach.", hint="Use fewer digits.")
    try:
        number = Fraction(text[:-1]) / 100 if text.endswith("%") else Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise DesignError(
            f"{what} = {shortened(value)} is not a number.",
            hint="Write a decimal or a fraction, as 4/5.",
        ) from None
    if not 0 <= number <= 1:
        raise DesignError(
            f"{what} = {value} is not a probability.", hint="It must lie between 0 and 1."
        )
    return number


def distribution(value: object, attribute: Attribute, what: str) -> tuple[Fraction, ...]:
    """Read a distribution over an attribute's values: all of them, summing to 1."""
    if not isinstance(value, Mapping):
        raise DesignError(
            f"{what} must give a probability for each value of {attribute.name!r}.",
            hint=f"Write {{{', '.join(f'{v}: …' for v in attribute.values[:3])}}}.",
        )
    only_values(value, attribute, what)
    missing = [name for name in attribute.values if name not in value]
    if missing:
        raise DesignError(
            f"{what} gives no probability for {listed(missing)}.",
            hint="Name every value of the attribute; 0 is allowed.",
        )
    numbers = tuple(fraction(value[name], f"{what}, {name}") for name in attribute.values)
    sums_to_one(numbers, what)
    return numbers


def split_of(attribute: Attribute, share: Fraction) -> dict[str, str]:
    """Write a share for the last of two values; more values are equally likely."""
    if attribute.size != 2:  # noqa: PLR2004 (yes and no)
        return dict.fromkeys(attribute.values, str(Fraction(1, attribute.size)))
    return dict(zip(attribute.values, (str(1 - share), str(share)), strict=True))


def only_values(given: Mapping[str, object], attribute: Attribute, what: str) -> None:
    """Refuse names that are no values of the attribute."""
    for name in given:
        if name not in attribute:
            raise DesignError(
                f"{what} names {name!r}, which is not a value of {attribute.name!r}.",
                hint=nearest(str(name), attribute.values),
            )


def sums_to_one(numbers: Sequence[Fraction], what: str) -> None:
    """Refuse probabilities that do not sum to exactly 1."""
    total = sum(numbers, Fraction(0))
    if total != 1:
        raise DesignError(
            f"{what}: the probabilities sum to {float(total):g}, not 1.",
            hint="Write fractions, such as 1/3, where decimals would round.",
        )


def alone(attributes: Sequence[Attribute], kind: str, *, binary: bool) -> Attribute:
    """Take the one attribute of a single-attribute design."""
    if len(attributes) != 1:
        raise DesignError(
            f"The {kind} design disguises one attribute, and this group has {len(attributes)}.",
            hint="Give each attribute a group of its own, or use related or unrelated.",
        )
    if binary and attributes[0].size != 2:  # noqa: PLR2004 (binary means two)
        raise DesignError(
            f"The {kind} design is for yes/no attributes, and {attributes[0].name!r} has "
            f"{attributes[0].size} values.",
            hint="Use keep-or-uniform, forced or a matrix for more values.",
        )
    if attributes[0].size > LARGEST_MATRIX:
        raise DesignError(
            f"{attributes[0].name!r} has {attributes[0].size} values; a matrix is for up to "
            f"{LARGEST_MATRIX}.",
            hint="Use keep-or-uniform, or unrelated with a personal distribution: forced response "
            "by another name.",
        )
    return attributes[0]
