"""Accuracy told from disguised test records (B §2.4, E §3.4): each respondent sends one bit more.

The classifier is given to the test respondents. Their reports are right with probability P*; each
also tries it on her personal answers and says whether it was right, which gives P(Y). Then
``P*(cc) = θ·P(A(cc)) + (1−θ)·P(Y(cc))`` is solved for P(A(cc)), the accuracy.

The personal answer to the class is an even coin of its own, so any classifier is right about
personal answers with probability ½: it suffices to toss for that.
"""

from collections import defaultdict

import numpy as np

from deniable.base.arrays import Codes, Floats, Mask
from deniable.papers.many_bayes import answers
from deniable.papers.one_coin_bayes import distinct_patterns, splits
from deniable.papers.reproduction.experiment import Measured, Setting
from deniable.papers.reproduction.seeds import Seeds
from deniable.papers.shared_coin import EVEN, UnrelatedCoin

ONE_BIT_THETAS = ("0.1", "0.3", "0.5", "0.7", "0.9")

TOLD, TOLD_ERROR = "told", "error"


def one_bit_test(setting: Setting, repeats: range, seeds: Seeds) -> Measured:
    """Mine from disguised records, and be tested by disguised ones; how far that is off."""
    name, coin = setting["set"], UnrelatedCoin(float(setting["theta"]))
    patterns, key = distinct_patterns(name, "median")
    found: dict[str, list[float]] = defaultdict(list)
    for number, of_split in splits(repeats):
        training, test = patterns.split(seeds.shared("split", name, str(number)))
        rng = seeds.chunk(of_split)
        reports = coin.reported(patterns, training, len(of_split), rng)
        said = answers(coin.undone(reports), "inversion", key.features)
        told = told_accuracy(key.right(said), test, coin.theta, rng)
        found[TOLD] += told.tolist()
        found[TOLD_ERROR] += (told - key.accuracy(said, test)).tolist()
    return found


def told_accuracy(right: Mask, test: Codes, theta: float, rng: np.random.Generator) -> Floats:
    """Estimate the accuracy in each repeat, ``right[repeat, pattern]``; not clipped."""
    people = test.sum()
    kept = rng.binomial(test, theta, right.shape)
    private, reported = kept.sum(axis=1), (kept * right).sum(axis=1)
    personal = rng.binomial(people - private, EVEN)  # right, and reported so
    aside = rng.binomial(private, EVEN)  # right about personal answers that were not reported
    share = (reported + personal) / people
    told: Floats = (share - (1 - theta) * (personal + aside) / people) / theta
    return told
