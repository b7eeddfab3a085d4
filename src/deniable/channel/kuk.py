"""Kuk (1990): draw a card from the deck of your truth and report its colour, never the truth."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import ClassVar, Self

from deniable.base.errors import DesignError, listed
from deniable.base.wording import as_chance, joined
from deniable.channel.channel import exact
from deniable.channel.group_options import alone, fraction, only
from deniable.channel.yes_no import YesNo, sensitive_code
from deniable.schema import Attribute


class Kuk(YesNo):
    """Red is the telling report, recorded as the sensitive value."""

    kind: ClassVar[str] = "kuk"

    @classmethod
    def read(cls, attributes: Sequence[Attribute], options: Mapping[str, object]) -> Self:
        """Build from ``red``: the share of red cards in the deck of each truth."""
        only(options, "red", "sensitive")
        attribute = alone(attributes, cls.kind, binary=True)
        red = options.get("red")
        if not isinstance(red, Mapping) or set(red) != set(attribute.values):
            raise DesignError(
                f"Kuk's design needs the share of red cards in the deck of each of "
                f"{listed(attribute.values)}.",
                hint=f"Write red: {{{attribute.values[0]}: 0.2, {attribute.values[1]}: 0.8}}.",
            )
        shares = [fraction(red[value], f"red, {value}") for value in attribute.values]
        sensitive = sensitive_code(attribute, options)
        return cls.telling(shares[sensitive], shares[1 - sensitive], sensitive)

    def options(self, attributes: Sequence[Attribute]) -> dict[str, object]:
        """Write ``red`` and ``sensitive``."""
        values = attributes[0].values
        red = {v: exact(self.columns[code][self.sensitive]) for code, v in enumerate(values)}
        return {"red": red, "sensitive": values[self.sensitive]}

    def story(self, attributes: Sequence[Attribute]) -> str:
        """Say what each deck holds."""
        values = attributes[0].values
        decks = joined(
            f"{as_chance(column[self.sensitive])} for {value!r}"
            for value, column in zip(values, self.columns, strict=True)
        )
        return (
            f"{attributes[0].name}: the colour of a card is reported instead; the share of red "
            f"cards is {decks}; red is recorded as {values[self.sensitive]!r}."
        )

    @classmethod
    def plan_range(cls, attributes: Sequence[Attribute]) -> tuple[Fraction, Fraction] | None:
        """It has two knobs."""
        return None

    def practice(self, attribute: Attribute) -> dict[str, object] | None:
        """The same decks; yes is the sensitive answer."""
        no, yes = attribute.values
        those, others = self.reported()
        return {"red": {no: exact(others), yes: exact(those)}, "sensitive": yes}
