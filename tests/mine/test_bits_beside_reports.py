"""What a bit about personal answers gives away beside the report, by enumeration."""

from collections import defaultdict
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from deniable import ExactOracle, Schema, mine_tree
from deniable.mine.scores.personal_bits import unmasked

ILL, HALF = Fraction(1, 20), Fraction(1, 2)


def posterior(told_truly: Fraction | None) -> dict[tuple[int, ...], Fraction]:
    """Chance of being ill by what is seen: the report and the bit of a model that says "not ill".

    The bit is told truly with a chance; None: there is no bit.
    """
    seen: defaultdict[tuple[int, ...], list[Fraction]] = defaultdict(lambda: [Fraction(0)] * 2)
    for ill, personal, private, truly in product((0, 1), repeat=4):
        chance = (ILL if ill else 1 - ILL) * HALF * HALF
        chance *= (told_truly or HALF) if truly else 1 - (told_truly or HALF)
        bit = int((personal == 0) == bool(truly))
        key = (
            (ill if private else personal,)
            if told_truly is None
            else (ill if private else personal, bit)
        )
        seen[key] = [seen[key][0] + chance, seen[key][1] + chance * ill]
    return {key: ill / all_ for key, (all_, ill) in seen.items() if all_}


def test_a_bit_beside_the_report_makes_it_a_proof() -> None:
    assert float(posterior(None)[1,]) == pytest.approx(0.136, abs=5e-4)
    linked = posterior(Fraction(1))
    assert float(linked[1, 0]) == pytest.approx(0.095, abs=5e-4)
    assert linked[1, 1] == 1
    assert float(posterior(Fraction(3, 4))[1, 1]) == pytest.approx(0.208, abs=5e-4)


def test_half_of_the_private_answers_are_proven_with_a_coin_for_personal_answers() -> None:
    schema = Schema.of({"smokes": ["no", "yes"], "ill": ["no", "yes"]})
    learned = {"smokes": ["no"] * 50 + ["yes"] * 50, "ill": ["no"] * 45 + ["yes"] * 55}
    model = mine_tree(ExactOracle(learned, schema), "ill")
    rng, n = np.random.default_rng(8), 40_000
    smokes = rng.integers(2, size=n)
    private = np.column_stack([smokes, smokes ^ (rng.random(n) > 0.85)])
    personal = rng.integers(2, size=(n, 2))
    chosen = rng.random(n) < 0.5
    reports = np.where(chosen[:, None], private, personal)
    bits = personal[:, 0] == personal[:, 1]
    proven = unmasked(model, reports, bits)
    # Of n·θ private reports, half: a share of 1/4 has the s.d. √(3/16/n); 4 of them.
    assert abs(proven / n - 0.25) < 4 * np.sqrt(3 / 16 / n)
    disagree = (reports[:, 0] == reports[:, 1]) != bits
    assert proven == disagree.sum()
    assert chosen[disagree].all()
