"""Unrelated question: with probability θ the private answers, else the paired personal answers.

The personal answers (born in spring? house number even?) say nothing about the private ones, and
their distribution ``y`` is known, or, with two samples of different θ, estimated (Greenberg et al.
1969; see `deniable.oracle.two_samples`).

What leaks: a report is at most (θ + (1−θ)·y)/((1−θ)·y) times likelier under one truth than under
another, ``y`` its chance as a personal answer; where ``y`` is 0, a report is a proof.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import prod
from typing import ClassVar, Self, cast

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.base.errors import DesignError, EstimateError
from deniable.base.wording import as_chance
from deniable.channel.channel import Channel, ExactColumns, exact, names, patterns
from deniable.channel.device import (
    Answers,
    Change,
    Dice,
    Outcome,
    PairedQuestion,
    PlanHints,
    with_values,
)
from deniable.channel.group_options import only, probability, split_of
from deniable.channel.personal import UNKNOWN, Independent, Joint, joint_row, read_personal
from deniable.channel.terms import Terms, raised, stack
from deniable.expression import ANY
from deniable.schema import Attribute

LARGEST_FLOAT = Fraction(float(np.finfo(np.float64).max))
"""What is larger, a ratio of very many attributes' chances, counts as this."""


@dataclass(frozen=True)
class Unrelated(Channel):
    """``w(r; e) = ([r ⊨ e] − (1−θ)·y(e)) / θ``."""

    theta: Fraction
    personal: Independent | Joint | None
    """None while it is unknown: such a group can be counted only from two samples."""

    kind: ClassVar[str] = "unrelated"

    def __post_init__(self) -> None:
        if self.theta == 0:
            raise DesignError(
                "theta = 0 never reports the private answers, so nothing can be estimated.",
                hint="Use a theta above 0.",
            )

    @classmethod
    def read(cls, attributes: Sequence[Attribute], options: Mapping[str, object]) -> Self:
        """Build from ``theta`` and ``personal``."""
        only(options, "theta", "personal")
        theta = probability(options, why="the probability of answering the private question")
        sizes = tuple(attribute.size for attribute in attributes)
        return cls(sizes, theta, read_personal(attributes, options.get("personal")))

    def options(self, attributes: Sequence[Attribute]) -> dict[str, object]:
        """Write ``theta`` and ``personal``."""
        if self.personal is None:
            personal: object = UNKNOWN
        elif isinstance(self.personal, Joint):
            personal = {"joint": [joint_row(attributes, *cell) for cell in self.personal.cells]}
        else:
            personal = {
                attribute.name: dict(zip(attribute.values, map(exact, column), strict=True))
                for attribute, column in zip(attributes, self.personal, strict=True)
            }
        return {"theta": exact(self.theta), "personal": personal}

    def story(self, attributes: Sequence[Attribute]) -> str:
        """Say which of two answers is reported."""
        source = (
            "whose distribution is not known: a second sample with another theta is needed"
            if self.personal is None
            else "whose distribution is known"
        )
        together = " together" if len(attributes) > 1 else ""
        return (
            f"{names(attributes)}: with probability {as_chance(self.theta)} answered{together}, "
            f"otherwise replaced by the answer to an unrelated personal question, {source}."
        )

    def matrix(self, positions: Sequence[int]) -> Floats:
        """``θ·I + (1−θ)·y·1ᵀ``."""
        part = self.marginal(positions)
        return part.send(np.eye(prod(part.sizes)))

    def second_moment(self, codes: Codes) -> Floats:
        """Average over a match by truth or by chance, and a mismatch."""
        theta = float(self.theta)
        chance = (1 - theta) * self._chance(codes)
        match = theta + chance
        moments: Floats = (match * (1 - chance) ** 2 + (1 - match) * chance**2) / theta**2
        moments[(codes == ANY).all(axis=1)] = 1.0
        return moments

    def marginal(self, positions: Sequence[int]) -> Self:
        """Ask fewer questions of either kind."""
        sizes = tuple(self.sizes[p] for p in positions)
        if self.personal is None:
            return replace(self, sizes=sizes)
        if not isinstance(self.personal, Joint):
            columns = tuple(self.personal[p] for p in positions)
            return replace(self, sizes=sizes, personal=columns)
        chances: defaultdict[tuple[int, ...], Fraction] = defaultdict(Fraction)
        for cell, chance in self.personal.cells:
            chances[tuple(cell[p] for p in positions)] += chance
        return replace(self, sizes=sizes, personal=Joint(tuple(sorted(chances.items()))))

    def undo(self, table: Floats, *, transposed: bool = False) -> Floats:
        """``(t − (1−θ)·y·Σt)/θ``; transposed, ``(t − (1−θ)·Σyt)/θ``."""
        y = self._answers[:, None]
        by_chance = (y * table).sum(axis=0) if transposed else y * table.sum(axis=0)
        undone: Floats = (table - float(1 - self.theta) * by_chance) / float(self.theta)
        return undone

    def send(self, table: Floats, *, transposed: bool = False) -> Floats:
        """``θ·t + (1−θ)·y·Σt``; transposed, ``θ·t + (1−θ)·Σyt``."""
        y = self._answers.reshape(-1, *(1,) * (table.ndim - 1))
        by_chance = (y * table).sum(axis=0) if transposed else y * table.sum(axis=0)
        sent: Floats = float(self.theta) * table + float(1 - self.theta) * by_chance
        return sent

    def guess(self, table: Floats) -> tuple[Floats, Codes]:
        """Compare the report itself with the truth that is likeliest anyway."""
        places = np.arange(len(table)).reshape(-1, *(1,) * (table.ndim - 1))
        by_chance = float(1 - self.theta) * self._answers.reshape(places.shape)
        own, other = (float(self.theta) + by_chance) * table, by_chance * table.max(axis=0)
        truths = np.where(own >= other, places, table.argmax(axis=0))
        return np.maximum(own, other), truths

    def chance(self, reports: Codes, truths: Codes) -> Floats:
        """The truth, or the same by chance."""
        by_chance = float(1 - self.theta) * self._chance(reports.reshape(-1, len(self.sizes)))
        same = float(self.theta) * (reports == truths).all(axis=-1)
        chances: Floats = same + by_chance.reshape(reports.shape[:-1])
        return chances

    def ratio(self) -> float:
        """``1 + θ/((1−θ)·y)`` at the rarest personal answer.

        An unknown distribution promises nothing: some answer may never be given by chance.
        """
        if prod(self.sizes) == 1:
            return 1.0
        rarest = (1 - self.theta) * self._rarest()
        return float(min(1 + self.theta / rarest, LARGEST_FLOAT)) if rarest else np.inf

    def heaviest(self) -> float:
        """A match of the rarest pattern, or a miss of the commonest answer."""
        rarest = float((1 - self.theta) * self._rarest())
        each = (self.marginal([place])._answers for place in range(len(self.sizes)))  # noqa: SLF001
        commonest = float(1 - self.theta) * max(float(answers.max()) for answers in each)
        return max(1 - rarest, commonest) / float(self.theta)

    def exact_columns(self) -> ExactColumns:
        """``θ·[r = x] + (1−θ)·y(r)``."""
        (size,) = self.sizes
        personal, theta, every = self._known(), self.theta, range(size)
        if isinstance(personal, Joint):
            listed_cells = dict(personal.cells)
            y = tuple(listed_cells.get((r,), Fraction(0)) for r in every)
        else:
            (y,) = personal
        return tuple(tuple((1 - theta) * y[r] + theta * (r == x) for r in every) for x in every)

    @property
    def change(self) -> Change:
        """Replaced as a whole."""
        return Change.REPLACED

    @property
    def paired(self) -> PairedQuestion | None:
        """The personal question."""
        return PairedQuestion(self.theta, self.personal is not None)

    def disguised(self, truth: Answers, personal: Answers | None, dice: Dice) -> Answers:
        """Toss one coin a record; where it falls wrong, take the personal answers, or draw them."""
        those = np.flatnonzero(~dice.coin(self.theta, len(truth[0])))
        if personal is None:
            answers = self._drawn(len(those), dice)
        else:
            answers = tuple(column[those] for column in personal)
        return tuple(with_values(mine, those, o) for mine, o in zip(truth, answers, strict=True))

    def _drawn(self, n: int, dice: Dice) -> Answers:
        """Draw personal answers from their known distribution."""
        if self.personal is None:
            raise DesignError(
                "The distribution of the personal answers is unknown, so they must come with the "
                "data.",
                hint="Add a column 'personal.NAME' for each attribute NAME of the group.",
            )
        if not isinstance(self.personal, Joint):
            return tuple(dice.draw(chances, n) for chances in self.personal)
        cells = np.array([cell for cell, _ in self.personal.cells])
        return tuple(cells[dice.draw([chance for _, chance in self.personal.cells], n)].T)

    @classmethod
    def plan_range(cls, attributes: Sequence[Attribute]) -> tuple[Fraction, Fraction] | None:
        """From never to always the private question."""
        return Fraction(0), Fraction(1)

    @classmethod
    def plan_options(
        cls, attributes: Sequence[Attribute], theta: Fraction, hints: PlanHints
    ) -> dict[str, object]:
        """Take the hint for the personal answers."""
        return {
            "theta": exact(theta),
            "personal": {a.name: split_of(a, hints.personal) for a in attributes},
        }

    def outcomes(self) -> tuple[Outcome, ...]:
        """The private question, or the personal one."""
        return (Outcome(self.theta, "truth"), Outcome(1 - self.theta, "personal"))

    def practice(self, attribute: Attribute) -> dict[str, object] | None:
        """The same coin; the personal answers are even."""
        even = split_of(attribute, Fraction(1, 2))
        return {"theta": exact(self.theta), "personal": {attribute.name: even}}

    def by_matches(self, codes: Codes) -> Floats:
        """All of the answers match, or not."""
        chance = float(1 - self.theta) * self._chance(codes)
        matches = 1 << int((codes[0] != ANY).sum())
        weights = np.repeat(-chance[:, None], matches, axis=1)
        weights[:, -1] += 1.0
        weights /= float(self.theta)
        return weights

    def _rarest(self) -> Fraction:
        """How likely the personal answers are to be their rarest pattern."""
        if self.personal is None:
            return Fraction(0)
        if not isinstance(self.personal, Joint):
            return prod((min(column) for column in self.personal), start=Fraction(1))
        if len(self.personal.cells) < prod(self.sizes):
            return Fraction(0)
        return min(chance for _, chance in self.personal.cells)

    def _expand(self, codes: Codes) -> Terms:
        chance = float(1 - self.theta) * self._chance(codes)
        theta = float(self.theta)
        match, other = raised((1 - chance) / theta), raised(-chance / theta)
        return stack([codes, np.full_like(codes, ANY)], [match - other, other])

    def _known(self) -> Independent | Joint:
        if self.personal is None:
            raise EstimateError(
                "The distribution of a group's personal answers is unknown, so one sample cannot "
                "be undone.",
                hint="Add the second sample, with another theta: --with OTHER.parquet:other.yaml.",
            )
        return self.personal

    @cached_property
    def _answers(self) -> Floats:
        """How likely the personal answers are to be each pattern."""
        personal = self._known()
        if not isinstance(personal, Joint):
            return self._chance(patterns(self.sizes))
        answers = np.zeros(self.sizes)
        for cell, chance in personal.cells:
            answers[cell] = float(chance)
        return answers.ravel()

    def _chance(self, codes: Codes) -> Floats:
        """``y(e)``: how likely the personal answers are to satisfy each conjunction."""
        if isinstance(self._known(), Joint):
            return self._joint_chance(codes)
        chance = np.ones(len(codes))
        for column, open_distribution in zip(codes.T, self._open_columns, strict=True):
            chance *= open_distribution[column + 1]
        return chance

    @cached_property
    def _open_columns(self) -> list[Floats]:
        """Each attribute's distribution, with a 1 in front for "left open"."""
        columns = cast("Independent", self.personal)
        return [np.array([1.0, *map(float, column)]) for column in columns]

    def _joint_chance(self, codes: Codes) -> Floats:
        """Add up the listed combinations that satisfy each conjunction."""
        listed_cells = cast("Joint", self.personal).cells
        cells = np.array([cell for cell, _ in listed_cells])
        chances = np.array([float(chance) for _, chance in listed_cells])
        asked, row = np.unique(codes, axis=0, return_inverse=True)
        totals = [((one == ANY) | (cells == one)).all(axis=1) @ chances for one in asked]
        return np.array(totals, dtype=np.float64)[row]
