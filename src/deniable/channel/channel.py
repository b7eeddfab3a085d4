"""A channel is what a random device does to one group of attributes, and how to undo it.

``C[report, truth]`` is the chance of a report. To undo it, a channel writes the indicator of a
conjunction ``e`` as a signed sum of indicators of *reports*:

    w(r; e) = Σ_t weight_t · [r ⊨ e_t]        with  E[w(R; e) | x] = 1 if x ⊨ e else 0

so that counting the reports that satisfy each ``e_t`` and adding up gives an unbiased count of the
records that satisfied ``e``. The powers ``w²`` and ``w³`` are sums over the same terms, which gives
standard errors, and the skewness that intervals need, from the same counts. No randomness here:
the dice that a device throws are made in `deniable.source`.

For functions that are no conjunctions there is C⁻¹ itself, applied to a whole table (`undo`) or
read off column by column (`unrolled`): ``Σ_x C⁻¹[x, r]·f(x)`` averages to ``f(x)``.

Whoever reads a report asks C itself: what to expect (`send`), which truth is likeliest (`guess`),
how likely one report is under one truth (`chance`), how far apart two truths can be (`ratio`).
All of these have closed forms that never build the matrix of a large group.

Whatever else is particular to a device is asked of its channel, too, so that nobody asks which
channel it is: how to disguise with given dice, how the planner turns its knob, what the
respondent's page shows and rehearses, what people can do by hand.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import ClassVar, Self

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.base.wording import joined
from deniable.channel.device import Answers, Change, Dice, Outcome, PairedQuestion, PlanHints
from deniable.channel.terms import POWERS, Terms, collected
from deniable.expression import ANY, strides
from deniable.schema import Attribute

BINARY = 2

HALF = Fraction(1, 2)

ExactColumns = tuple[tuple[Fraction, ...], ...]
"""``columns[truth][report]``, each summing to 1."""

MOST_UNROLLED = 64
"""Joint patterns up to which a report may be unrolled into every truth."""


@dataclass(frozen=True)
class Channel(ABC):
    """One group's random device. Codes are ``[conjunction, attribute of the group]``, or ANY."""

    sizes: tuple[int, ...]

    kind: ClassVar[str]
    """Its name in design.yaml, on the page and as an entry point."""

    plan_splits: ClassVar[tuple[Fraction, ...]] = (HALF,)
    """Shares of yes among dictated answers that the planner tries, the usual one first."""

    @classmethod
    @abstractmethod
    def read(cls, attributes: Sequence[Attribute], options: Mapping[str, object]) -> Self:
        """Build from a group's entry in design.yaml."""

    @abstractmethod
    def options(self, attributes: Sequence[Attribute]) -> dict[str, object]:
        """Write what `read` reads, exactly (probabilities as text)."""

    @abstractmethod
    def story(self, attributes: Sequence[Attribute]) -> str:
        """Say in plain words what happens to a record."""

    @abstractmethod
    def matrix(self, positions: Sequence[int]) -> Floats:
        """Chance of each report given each truth, over the joint patterns of some attributes."""

    @abstractmethod
    def second_moment(self, codes: Codes) -> Floats:
        """``E[w² | x ⊨ e]``: 1 where nothing is disguised, larger the stronger the disguise."""

    @abstractmethod
    def marginal(self, positions: Sequence[int]) -> "Channel":
        """Leave attributes out: what the same device does to the others, in the order given."""

    @abstractmethod
    def undo(self, table: Floats, *, transposed: bool = False) -> Floats:
        """Apply C⁻¹, or its transpose, to every column of a table over the group's `patterns`.

        C⁻¹ turns counts of reports into signed counts of truths; its transpose turns a function of
        the truth into a function of the report with the same mean.
        """

    @abstractmethod
    def send(self, table: Floats, *, transposed: bool = False) -> Floats:
        """Apply C, or its transpose, to every column of a table over the group's `patterns`."""

    @abstractmethod
    def guess(self, table: Floats) -> tuple[Floats, Codes]:
        """For every report the largest ``C[report, truth] · table[truth]``, and the truth it is at.

        With the shares of the truths as the table these are a reader's best guesses: the sum of
        the first is the chance that such a guess is right.
        """

    @abstractmethod
    def chance(self, reports: Codes, truths: Codes) -> Floats:
        """``C[report, truth]``; codes ``[…, attribute]`` are broadcast against each other."""

    @abstractmethod
    def ratio(self) -> float:
        """How many times likelier a report can be under one truth than under another: e^ε.

        Infinite where some report excludes a truth.
        """

    @abstractmethod
    def heaviest(self) -> float:
        """The largest |w(r; e)| over all reports and conjunctions: what one report can weigh."""

    @abstractmethod
    def exact_columns(self) -> ExactColumns:
        """``C`` in exact fractions, truth by truth, of a channel on one attribute."""

    @property
    @abstractmethod
    def change(self) -> Change:
        """How a report comes about that was not kept as it is."""

    @abstractmethod
    def disguised(self, truth: Answers, personal: Answers | None, dice: Dice) -> Answers:
        """Throw the device for each record; never changes the columns given.

        Personal answers are those that came with the data, where the device asks for them.
        """

    @classmethod
    @abstractmethod
    def plan_range(cls, attributes: Sequence[Attribute]) -> tuple[Fraction, Fraction] | None:
        """Give the θ that says nothing, and the θ that disguises nothing; None: not to be planned.

        In between, less of one must be more of the other, for these attributes as one group.
        """

    @classmethod
    def plan_options(
        cls, attributes: Sequence[Attribute], theta: Fraction, hints: PlanHints
    ) -> dict[str, object]:
        """Write what `read` reads, from the planner's knob and its hints for yes/no questions."""
        return {"theta": exact(theta)}

    @abstractmethod
    def outcomes(self) -> tuple[Outcome, ...]:
        """Say what a throw tells people to do; nothing where that depends on their truth."""

    def by_hand(self) -> bool:
        """Whether people may throw for it, if there is a rule that is short enough.

        What somebody has, such as a harmless trait, is not thrown.
        """
        return True

    @abstractmethod
    def practice(self, attribute: Attribute) -> dict[str, object] | None:
        """Write the same device's options for a no/yes question; None where that makes no sense."""

    @property
    def paired(self) -> PairedQuestion | None:
        """The personal question that is asked beside the private one, if one is."""
        return None

    @property
    def trait(self) -> int | None:
        """Code of the value that nobody should have to admit, if the design names one."""
        return None

    @property
    def clears(self) -> bool:
        """Whether a report without the trait proves that one does not have it."""
        return self.trait is not None and not self.matrix([0])[1 - self.trait, self.trait]

    @property
    def is_truthful(self) -> bool:
        """Whether it is no disguise at all, by its name."""
        return False

    @property
    def flips(self) -> bool:
        """Whether the signed truths of a report are itself and its opposite."""
        return self.change is Change.TURNED and set(self.sizes) == {BINARY}

    @property
    def mostly_flips(self) -> bool:
        """Whether it flips, and does so more often than not."""
        zeros = np.zeros((1, len(self.sizes)), np.int64)
        return self.flips and bool(self.chance(zeros, zeros)[0] < HALF)

    @property
    def shares_coin(self) -> bool:
        """Whether one coin turns several answers, so that who knows one learns about the others."""
        return self.change is Change.TURNED and len(self.sizes) > 1

    def even_guess(self) -> float:
        """How often a pattern is guessed from its report, all patterns being equally likely."""
        size = prod(self.sizes)
        if self.change is Change.TABLED:
            return float(self.guess(np.full(size, 1 / size))[0].sum())
        codes = np.zeros((2, len(self.sizes)), np.int64)
        codes[1] = 1
        same, other = self.chance(codes[:1], codes)
        if self.change is Change.TURNED:
            return float(max(same, other))
        return float(same - other + (1 - same + other) / size)  # kept, or right by chance only

    @abstractmethod
    def _expand(self, codes: Codes) -> Terms:
        """Write conjunctions, each with at least one term in this group, as signed reports."""

    def terms(self, codes: Codes) -> Terms:
        """Write conjunctions as signed reports; where the group is left open, a single 1."""
        touched = (codes != ANY).any(axis=1)
        if touched.all() and len(codes):
            return self._expand(codes)
        open_rows, touched_rows = np.flatnonzero(~touched), np.flatnonzero(touched)
        ones = Terms(open_rows, codes[open_rows], np.ones((POWERS, len(open_rows))))
        if len(touched_rows) == 0:
            return ones
        found = self._expand(codes[touched_rows])
        return collected([ones, Terms(touched_rows[found.rows], found.codes, found.powers)])

    def unrolled(self, reports: Codes) -> tuple[Codes, Floats] | None:
        """Write each report as signed truths: codes ``[s, report, attribute]``, weights ``[s, …]``.

        They are the entries of C⁻¹'s column at the report that may differ from 0; None where that
        would be too many. Adding up ``weight · f(codes)`` over s undoes the disguise for any f.
        """
        size = prod(self.sizes)
        if size > MOST_UNROLLED and len(self.sizes) > 1:
            return None
        columns = reports @ np.array(strides(self.sizes), dtype=np.int64)
        truths = np.broadcast_to(patterns(self.sizes)[:, None, :], (size, *reports.shape))
        return truths, self.undo(np.eye(size))[:, columns]

    def by_matches(self, codes: Codes) -> Floats | None:
        """Give ``w`` by which of the named attributes a report matches; None if more matters.

        ``[conjunction, matches]``, the first attribute's match being the highest bit; all of the
        conjunctions name the same attributes. A single row is that of all of them.
        """
        return None

    def weights(self, pattern: Sequence[int], reports: Codes) -> Floats:
        """Evaluate ``w(r; e)`` for one conjunction at given reports: for checks and for reading."""
        found = self.terms(np.array([pattern], dtype=np.int64))
        fits = ((found.codes[:, None, :] == ANY) | (found.codes[:, None, :] == reports)).all(axis=2)
        weights: Floats = found.weight @ fits
        return weights


def patterns(sizes: Sequence[int]) -> Codes:
    """All joint patterns of some attributes, the last one varying fastest."""
    return np.indices(tuple(sizes), dtype=np.int64).reshape(len(sizes), prod(sizes)).T


def exact(number: Fraction) -> str:
    """Write a probability so that it reads back unchanged.

    >>> exact(Fraction("0.7")), exact(Fraction(1, 3)), exact(Fraction(1))
    ('0.7', '1/3', '1')
    """
    digits = number.denominator
    for prime in (2, 5):
        while digits % prime == 0:
            digits //= prime
    short = format(float(number), ".12g")
    return short if digits == 1 and Fraction(short) == number else str(number)


def names(attributes: Sequence[Attribute]) -> str:
    """Join attribute names for a sentence.

    >>> names([Attribute("a", ("0",)), Attribute("b", ("0",)), Attribute("c", ("0",))])
    'a, b and c'
    """
    return joined(attribute.name for attribute in attributes)
