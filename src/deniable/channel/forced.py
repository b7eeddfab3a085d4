"""Forced response (Boruch 1971): some outcomes of the die dictate an answer."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import ClassVar, Self

from deniable.base.errors import DesignError
from deniable.channel.channel import BINARY, exact
from deniable.channel.device import Outcome, PlanHints
from deniable.channel.group_options import alone, fraction, only, only_values, probability, split_of
from deniable.channel.matrix import OneAttribute
from deniable.schema import Attribute


class Forced(OneAttribute):
    """``w(r; e) = ([r = e] − p(e)) / θ``, with ``p`` the chance of each dictated answer."""

    kind: ClassVar[str] = "forced"
    plan_splits: ClassVar[tuple[Fraction, ...]] = tuple(
        map(Fraction, ("1/2", "1/4", "3/4", "1/10", "9/10"))
    )

    @classmethod
    def read(cls, attributes: Sequence[Attribute], options: Mapping[str, object]) -> Self:
        """Build from ``forced``: the chance of being told to give each answer.

        The rest, or ``theta`` if given, is the chance of being told to answer truthfully.
        """
        only(options, "theta", "forced")
        attribute = alone(attributes, cls.kind, binary=False)
        given = options.get("forced")
        if not isinstance(given, Mapping):
            raise DesignError(
                "Forced response needs the chance of each dictated answer.",
                hint=f"Write forced: {{{attribute.values[-1]}: 1/6, {attribute.values[0]}: 1/12}}.",
            )
        only_values(given, attribute, "forced")
        told = [fraction(given.get(v, 0), f"forced, {v}") for v in attribute.values]
        theta = 1 - sum(told, Fraction(0))
        if theta < 0 or ("theta" in options and probability(options) != theta):
            raise DesignError(
                f"The forced answers have probability {1 - theta} in all, which leaves "
                f"{theta} for the truth, not {options.get('theta', 'a probability')}.",
                hint="theta and the forced probabilities must sum to 1.",
            )
        columns = tuple(
            tuple(p + (theta if report == truth else 0) for report, p in enumerate(told))
            for truth in range(attribute.size)
        )
        return cls((attribute.size,), columns)

    def options(self, attributes: Sequence[Attribute]) -> dict[str, object]:
        """Write ``forced``."""
        return {"forced": dict(zip(attributes[0].values, map(exact, self._told()), strict=True))}

    @classmethod
    def plan_range(cls, attributes: Sequence[Attribute]) -> tuple[Fraction, Fraction] | None:
        """Yes/no only: with more values, equally likely forced answers are keep-or-uniform."""
        yes_no = [attribute.size for attribute in attributes] == [BINARY]
        return (Fraction(0), Fraction(1)) if yes_no else None

    @classmethod
    def plan_options(
        cls, attributes: Sequence[Attribute], theta: Fraction, hints: PlanHints
    ) -> dict[str, object]:
        """Split what is not the truth between the dictated answers."""
        told = split_of(attributes[0], hints.split)
        return {"forced": {v: exact((1 - theta) * Fraction(p)) for v, p in told.items()}}

    def outcomes(self) -> tuple[Outcome, ...]:
        """The truth, or a dictated answer."""
        told = self._told()
        says = (Outcome(chance, "say", code) for code, chance in enumerate(told))
        return (Outcome(1 - sum(told, Fraction(0)), "truth"), *says)

    def practice(self, attribute: Attribute) -> dict[str, object] | None:
        """Dictate no for the first value, and yes for the others."""
        no, *others = self._told()
        told = (no, sum(others, Fraction(0)))
        return {"forced": dict(zip(attribute.values, map(exact, told), strict=True))}

    def _told(self) -> list[Fraction]:
        """The smallest entry of each row is what everybody is told."""
        return [min(column[report] for column in self.columns) for report in range(self.sizes[0])]
