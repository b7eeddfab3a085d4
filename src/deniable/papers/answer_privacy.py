"""What one answer gives away in papers B and E: PSE before mining, REC, and PSE after mining."""

import numpy as np

from deniable.base.arrays import Floats
from deniable.mine.bayes import counted_bayes
from deniable.mine.implied_rules import implications
from deniable.oracle.exact import ExactOracle
from deniable.papers.datasets import SETS
from deniable.papers.middle_of_range import coded
from deniable.papers.reproduction.experiment import Measured, Setting
from deniable.papers.reproduction.seeds import Seeds
from deniable.papers.shared_coin import EVEN
from deniable.privacy.measures.rule_recovery import pse_after_mining, recovery
from deniable.privacy.measures.single_answer import pse_before_mining
from deniable.privacy.population import Population

PRIVACY_THETAS = ("0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1")
PRIVATE_SHARES = ("0.1", "0.2", "0.3", "0.4", "0.5")
"""W_a: shares of a 1 among the private answers, of figure 6."""

PRIVACY_MEASURES = (
    "PSE before mining", "REC, premise known", "REC, premise unknown", "PSE after mining",
)  # fmt: skip


def privacy_before(setting: Setting, repeats: range, seeds: Seeds) -> Measured:
    """PSE(PRE) of one answer, by its channel."""
    share = float(setting["share"])
    found: dict[str, list[float]] = {}
    for theta in PRIVACY_THETAS:
        matrix = entry_matrix(float(theta), EVEN)
        pse = pse_before_mining(matrix, [1 - share, share])
        found[theta] = [pse] * len(repeats)
    return found


def privacy_after(setting: Setting, repeats: range, seeds: Seeds) -> Measured:
    """PSE of a whole set: before mining, REC of naive Bayes, and what is left after."""
    name, target = setting["set"], SETS[setting["set"]].target
    people = coded(name, "median")
    population = Population.of_records(people)
    matrix = entry_matrix(float(setting["theta"]), EVEN)
    rules = implications(counted_bayes(ExactOracle(people, people.schema), target))
    before = {
        one: pse_before_mining(matrix, population.table([one])) for one in people.schema.names
    }
    recovered = {one: recovery(one, rules, matrix, population) for one in people.schema.names}
    of_class = recovered[target]
    after = [pse_after_mining(pse, recovered[one]) for one, pse in before.items()]
    numbers = (
        min(before.values()),
        of_class.premise_known if of_class else 0.0,
        of_class.premise_unknown if of_class else 0.0,
        min(after),
    )
    return {
        measure: [number] * len(repeats)
        for measure, number in zip(PRIVACY_MEASURES, numbers, strict=True)
    }


def entry_matrix(theta: float, personal: float) -> Floats:
    """One answer's channel ``[report, truth]``; also at θ = 0, where nothing can be undone."""
    chances = np.array([1 - personal, personal])
    matrix: Floats = theta * np.eye(2) + (1 - theta) * chances[:, None]
    return matrix


def printed_pse(share: float, theta: float, personal: float) -> float:
    """PSE(PRE) as §4.1 of the 2007 paper prints its four components.

    The first one has (1−θ)(1−W_y) where Pr(R=1|O=0) is (1−θ)·W_y; the same at W_y = ½ only.
    """
    one, zero = theta + (1 - theta) * personal, theta + (1 - theta) * (1 - personal)
    to_one, to_zero = (1 - theta) * personal, (1 - theta) * (1 - personal)
    both = share * (1 - share)
    first = both * one * to_zero / (one * share + to_zero * (1 - share))
    second = both * to_zero * zero / (zero * (1 - share) + to_zero * share)
    third = both * to_one * one / (one * share + to_one * (1 - share))
    return first + 2 * second + third
