"""Papers B and E: thousands of repeats at once are what a loop over records would have given."""

import random
from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb, prod

import numpy as np
import pytest
from scipy import stats

from deniable import RandomizedOracle, Records, Schema
from deniable.channel.related import Related
from deniable.channel.unrelated import Unrelated
from deniable.mine.bayes import mine_bayes
from deniable.papers.answer_privacy import entry_matrix, printed_pse
from deniable.papers.electronic_surveys_figures import within_splits
from deniable.papers.many_bayes import AnswerKey, answers, plain_estimates
from deniable.papers.one_bit_test import told_accuracy
from deniable.papers.one_coin_bayes import DISGUISES, bayes, one_group
from deniable.papers.record_patterns import PairCounts, RecordPatterns
from deniable.papers.reproduction.seeds import Seeds
from deniable.papers.shared_coin import Coin, RelatedCoin, UnrelatedCoin
from deniable.privacy.measures.single_answer import pse_before_mining
from deniable.source.disguise import disguise_records
from deniable.source.randomness import SeededBits
from papers.naive_surveys import (
    NaiveTwin,
    Share,
    plain_share,
    related_share,
    reported_by_related,
    reported_by_unrelated,
    split,
    unrelated_share,
)
from papers.naive_surveys import told_accuracy as told_accuracy_of_twin
from papersets import dataset

Rows = list[tuple[int, ...]]

HALF = Fraction(1, 2)
COINS: list[Coin] = [RelatedCoin(0.7), RelatedCoin(0.2), UnrelatedCoin(0.4), UnrelatedCoin(0.8)]


def people(n: int, features: int, seed: int) -> Rows:
    """Invent yes/no records whose attributes say something of the class, the last one."""
    rng = random.Random(seed)
    found = []
    for _ in range(n):
        label = int(rng.random() < 0.4)
        found.append(
            (
                *(
                    int(rng.random() < 0.3 + 0.4 * label * (j + 1) / features)
                    for j in range(features)
                ),
                label,
            )
        )
    return found


def as_records(rows: Rows) -> Records:
    names = [f"a{j}" for j in range(len(rows[0]) - 1)] + ["class"]
    schema = Schema.of({name: ["no", "yes"] for name in names})
    return Records.from_codes(np.array(rows, dtype=np.uint8), schema)


def as_patterns(rows: Rows) -> RecordPatterns:
    return RecordPatterns.of(as_records(rows), "class")


def share_of(coin: Coin, reports: Rows) -> Share:
    if isinstance(coin, RelatedCoin):
        return related_share(reports, coin.theta)
    return unrelated_share(reports, coin.theta, coin.personal)


def naively_reported(coin: Coin, rows: Rows, rng: random.Random) -> Rows:
    if isinstance(coin, RelatedCoin):
        return reported_by_related(rows, coin.theta, rng)
    return reported_by_unrelated(rows, coin.theta, coin.personal, rng)


@pytest.mark.parametrize("coin", COINS, ids=str)
def test_the_same_reports_give_the_twins_estimates_and_the_twins_accuracy(coin: Coin) -> None:
    rows, test = people(400, 9, 1), people(100, 9, 2)
    reports = naively_reported(coin, rows, random.Random(3))
    twin = NaiveTwin(share_of(coin, reports), 9)
    patterns = as_patterns(reports)
    estimates = coin.undone(PairCounts.of(patterns, patterns.counts[None]))
    assert estimates.value.classes[0] / 400 == pytest.approx(twin.classes, abs=1e-12)
    assert estimates.value.pairs[0] / 400 == pytest.approx(np.array(twin.pairs), abs=1e-12)
    asked = as_patterns(test)
    key = AnswerKey(asked)
    said = answers(estimates, "inversion", key.features)
    assert key.accuracy(said, asked.counts)[0] == pytest.approx(twin.accuracy(test), abs=1e-12)


def test_undisguised_records_give_the_twins_classifier() -> None:
    rows, test = people(300, 8, 4), people(200, 8, 5)
    patterns, asked = as_patterns(rows), as_patterns(test)
    key = AnswerKey(asked)
    said = answers(plain_estimates(patterns, patterns.counts), "inversion", key.features)
    twin = NaiveTwin(plain_share(rows), 8)
    assert key.accuracy(said, asked.counts)[0] == pytest.approx(twin.accuracy(test), abs=1e-12)


def channel_of(coin: Coin, attributes: int) -> Related | Unrelated:
    sizes, theta = (2,) * attributes, Fraction(str(coin.theta))
    if isinstance(coin, RelatedCoin):
        return Related(sizes, theta)
    return Unrelated(sizes, theta, ((1 - HALF, HALF),) * attributes)


def exact_chances(coin: Coin, rows: Rows) -> dict[tuple[float, ...], float]:
    """Every way that these people's reports can fall, by deniable's own channel."""
    attributes = len(rows[0])
    matrix = channel_of(coin, attributes).matrix(range(attributes))  # [report, truth]
    reports = list(product((0, 1), repeat=attributes))
    truths = [reports.index(row) for row in rows]
    chances: Counter[tuple[float, ...]] = Counter()
    for said in product(range(len(reports)), repeat=len(rows)):
        chance = prod(matrix[r, x] for r, x in zip(said, truths, strict=True))
        if chance:
            chances[key_of([reports[r] for r in said])] += chance
    return dict(chances)


def key_of(reports: Rows) -> tuple[float, ...]:
    """All that naive Bayes sees of them."""
    patterns = as_patterns(reports)
    counts = PairCounts.of(patterns, patterns.counts[None])
    return (*counts.classes[0], *counts.pairs[0].ravel())


def fit(drawn: Counter[tuple[float, ...]], chances: dict[tuple[float, ...], float]) -> float:
    """χ² of counts against chances; rare outcomes together."""
    total = sum(drawn.values())
    assert set(drawn) <= set(chances)
    common = [key for key, chance in chances.items() if chance * total >= 10]
    observed = [drawn[key] for key in common]
    expected = [chances[key] * total for key in common]
    observed.append(total - sum(observed))
    expected.append(total - sum(expected))
    if expected[-1] < 1e-6:
        observed, expected = observed[:-1], expected[:-1]
    return float(stats.chisquare(observed, expected, sum_check=False).pvalue)


TINY: Rows = [(1, 0, 1), (1, 0, 1), (0, 0, 0)]


@pytest.mark.parametrize("coin", COINS, ids=str)
def test_counts_of_reports_are_distributed_as_deniables_disguise(coin: Coin) -> None:
    """Enumerated by the channel's matrix, and drawn in both ways.

    Each p-value is uniform if the distribution is right; a wrong θ, or personal answers that are
    not drawn together, makes it 0.
    """
    chances, repeats = exact_chances(coin, TINY), 20_000
    assert sum(chances.values()) == pytest.approx(1)
    patterns = as_patterns(TINY)
    fast = coin.reported(patterns, patterns.counts, repeats, np.random.default_rng(7))
    rows = np.concatenate([fast.classes, fast.pairs.reshape(repeats, -1)], axis=1)
    assert fit(Counter(map(tuple, rows.tolist())), chances) > 0.001
    everybody = as_records(TINY * repeats)
    theta = str(coin.theta)
    model = "related" if isinstance(coin, RelatedCoin) else "unrelated"
    design = one_group(everybody, model, theta)
    reported = disguise_records(everybody, None, design, SeededBits(8))
    codes = np.stack(reported.columns, axis=1).reshape(repeats, len(TINY), -1)
    cache: dict[bytes, tuple[float, ...]] = {}
    drawn: Counter[tuple[float, ...]] = Counter()
    for three in codes:
        known = three.tobytes()
        if known not in cache:
            cache[known] = key_of([tuple(row) for row in three.tolist()])
        drawn[cache[known]] += 1
    assert fit(drawn, chances) > 0.001


def test_a_wrong_theta_would_be_noticed() -> None:
    """The χ² above finds a coin of .72 where .7 was promised: it can fail."""
    chances = exact_chances(RelatedCoin(0.7), TINY)
    patterns = as_patterns(TINY)
    wrong = RelatedCoin(0.72).reported(patterns, patterns.counts, 20_000, np.random.default_rng(7))
    rows = np.concatenate([wrong.classes, wrong.pairs.reshape(20_000, -1)], axis=1)
    assert fit(Counter(map(tuple, rows.tolist())), chances) < 1e-6


def test_a_split_of_patterns_is_a_split_of_records() -> None:
    """Of 4 + 6 records 8 are drawn: hypergeometric."""
    rows: Rows = [*[(0, 1)] * 4, *[(1, 0)] * 6]
    patterns = as_patterns(rows)
    first = int(np.flatnonzero(patterns.counts == 4)[0])
    rng, draws = np.random.default_rng(5), 5_000
    found = np.bincount([patterns.split(rng)[0][first] for _ in range(draws)], minlength=5)
    expected = [comb(4, k) * comb(6, 8 - k) / comb(10, 8) * draws for k in (2, 3, 4)]
    assert found[:2].sum() == 0
    assert stats.chisquare(found[2:], expected).pvalue > 0.001


@pytest.mark.parametrize("coin", COINS, ids=str)
def test_repeats_at_once_have_the_mean_and_variance_of_loops_over_records(coin: Coin) -> None:
    rows, few, many = people(200, 5, 6), 150, 4_000
    rng, slow = random.Random(9), []
    training, test = split(rows, rng)
    for _ in range(few):
        twin = NaiveTwin(share_of(coin, naively_reported(coin, training, rng)), 5)
        slow.append(twin.accuracy(test))
    patterns, asked = as_patterns(training), as_patterns(test)
    key = AnswerKey(asked)
    reports = coin.reported(patterns, patterns.counts, many, np.random.default_rng(10))
    fast = key.accuracy(answers(coin.undone(reports), "inversion", key.features), asked.counts)
    # Means of independent repeats: 4 standard errors of their difference.
    error = (np.var(slow) / few + fast.var() / many) ** 0.5
    assert abs(np.mean(slow) - fast.mean()) < 4 * error
    # A variance of n values has the standard error √((m₄ − σ⁴)/n), m₄ the fourth moment.
    fourth = np.mean((fast - fast.mean()) ** 4)
    assert abs(np.var(slow) - fast.var()) < 4 * ((fourth - fast.var() ** 2) / few) ** 0.5


@pytest.mark.parametrize("way", ["projected", "expected"])
@pytest.mark.parametrize(
    "coin", [RelatedCoin(0.55), UnrelatedCoin(0.1), UnrelatedCoin(0.6)], ids=str
)
def test_possible_counts_are_those_of_mine_bayes(coin: Coin, way: str) -> None:
    rows = people(300, 6, 11)
    raw = as_records(rows)
    model = "related" if isinstance(coin, RelatedCoin) else "unrelated"
    design = one_group(raw, model, str(coin.theta))
    reports = disguise_records(raw, None, design, SeededBits(12))
    mined = mine_bayes(RandomizedOracle(reports, design), "class", constraint=way)  # type: ignore[arg-type]
    patterns = RecordPatterns.of(reports, "class")
    estimates = coin.undone(PairCounts.of(patterns, patterns.counts[None]))
    counted = np.stack([table.value for table in mined.tables], axis=1)
    errors = np.stack([table.std_error for table in mined.tables], axis=1)
    assert estimates.value.pairs[0] == pytest.approx(counted, abs=1e-9)
    assert estimates.std_error.pairs[0] == pytest.approx(errors, abs=1e-9)
    questions = np.array(list(product((0, 1), repeat=6)))
    said = answers(estimates, way, questions)[0]  # type: ignore[arg-type]
    assert said.tolist() == mined.predict(questions).tolist()


def test_where_nothing_is_hidden_every_repeat_is_plain_naive_bayes() -> None:
    patterns = as_patterns(people(500, 7, 13))
    key = AnswerKey(patterns)
    plain = answers(plain_estimates(patterns, patterns.counts), "inversion", key.features)
    for coin in (RelatedCoin(1), RelatedCoin(0), UnrelatedCoin(1)):
        reports = coin.reported(patterns, patterns.counts, 3, np.random.default_rng(1))
        said = answers(coin.undone(reports), "inversion", key.features)
        assert (said == plain).all()


def test_accuracy_told_by_one_bit_answers_is_the_twins_on_average_and_as_noisy() -> None:
    theta, few, many = 0.4, 400, 20_000
    training, test = people(200, 5, 21), people(80, 5, 22)
    twin, rng = NaiveTwin(plain_share(training), 5), random.Random(23)
    slow = np.array([told_accuracy_of_twin(twin, test, theta, 0.5, rng) for _ in range(few)])
    asked, mined = as_patterns(test), as_patterns(training)
    key = AnswerKey(asked)
    said = answers(plain_estimates(mined, mined.counts), "inversion", key.features)
    right = np.repeat(key.right(said), many, axis=0)
    fast = told_accuracy(right, asked.counts, theta, np.random.default_rng(24))
    true = twin.accuracy(test)
    # Means of independent repeats: 4 standard errors. A variance's is √((m₄ − σ⁴)/n).
    assert abs(slow.mean() - true) < 4 * slow.std() / few**0.5
    assert abs(fast.mean() - true) < 4 * fast.std() / many**0.5
    fourth = np.mean((fast - fast.mean()) ** 4)
    assert abs(slow.var() - fast.var()) < 4 * ((fourth - fast.var() ** 2) / few) ** 0.5


def test_repeats_do_not_depend_on_the_pieces_they_are_done_in() -> None:
    dataset("breast-cancer-wisconsin")
    setting = {
        "set": "breast-cancer-wisconsin", "coding": "median", "model": "unrelated", "theta": "0.3",
    }  # fmt: skip
    seeds = Seeds(1, "E", setting)
    whole = bayes(setting, range(20), seeds)
    parts = [bayes(setting, some, seeds) for some in (range(10), range(10, 20))]
    for measure, values in whole.items():
        assert list(values) == [*parts[0][measure], *parts[1][measure]]


def test_one_answers_channel_is_deniables_own() -> None:
    for theta, share in product(("0.05", "0.5", "1"), ("0.5", "0.3")):
        personal = (1 - Fraction(share), Fraction(share))
        channel = Unrelated((2,), Fraction(theta), (personal,))
        found = entry_matrix(float(theta), float(share))
        assert found == pytest.approx(channel.matrix([0]), abs=1e-12)


def test_the_printed_pse_is_right_for_even_personal_answers_only() -> None:
    for theta, share in product((0.0, 0.3, 0.9, 1.0), (0.1, 0.5, 0.8)):
        by_channel = pse_before_mining(entry_matrix(theta, 0.5), [1 - share, share])
        assert printed_pse(share, theta, 0.5) == pytest.approx(by_channel, abs=1e-12)
    uneven = pse_before_mining(entry_matrix(0.3, 0.2), [0.6, 0.4])
    assert abs(printed_pse(0.4, 0.3, 0.2) - uneven) > 0.05


def test_a_share_and_its_complement_are_as_private_for_even_personal_answers_only() -> None:
    def pse(share: float, personal: float) -> float:
        return pse_before_mining(entry_matrix(0.4, personal), [1 - share, share])

    assert pse(0.2, 0.5) == pytest.approx(pse(0.8, 0.5), abs=1e-12)
    assert abs(pse(0.2, 0.3) - pse(0.8, 0.3)) > 1e-3


def test_the_variance_within_splits_leaves_out_their_luck() -> None:
    """Pooled: squares about each split's own mean, over repeats less splits."""
    rng = np.random.default_rng(1)
    luck = np.repeat(rng.normal(size=200 // DISGUISES), DISGUISES)
    values = luck + rng.normal(scale=0.1, size=200)
    moved = within_splits(values)
    parts = values.reshape(-1, DISGUISES)
    pooled = ((parts - parts.mean(axis=1, keepdims=True)) ** 2).sum() / (200 - len(parts))
    assert np.var(moved, ddof=1) == pytest.approx(pooled)
    assert moved.mean() == pytest.approx(values.mean())
