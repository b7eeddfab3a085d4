"""Beyond the papers: what a real attacker recovers, and what is mined, from the same reports.

Designs of the papers, ours, and local differential privacy as its packages collect. All disguise
the same questions to the same people, the class among them, at several strengths. At each, the
attacker (`deniable.privacy.attack`) guesses every record and every single answer, and every miner
is tested on undisguised records. The figures hold one against the other.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import product

import numpy as np

from deniable.design import Design
from deniable.engine.memory.records import Records
from deniable.mine.bayes import mine_bayes
from deniable.mine.best.mine_best import mine_best
from deniable.mine.forest import mine_forest
from deniable.mine.groupwise import mine_groupwise
from deniable.mine.model import Classifier
from deniable.mine.tree.mine_tree import mine_tree
from deniable.oracle.api import CountOracle
from deniable.oracle.randomized import RandomizedOracle
from deniable.papers.datasets import SETS
from deniable.papers.few_questions import (
    QUESTIONS,
    commonest_class,
    commonest_record,
    commonest_values,
    survey_of,
)
from deniable.papers.related_groups import related
from deniable.papers.reproduction.experiment import Effort, Experiment, Measured, Setting
from deniable.papers.reproduction.seeds import Seeds
from deniable.papers.sampled_pairs import PairBayes, SampledPairs, collected
from deniable.papers.split_sets import SplitSet
from deniable.privacy.attack.attacker import attack
from deniable.schema import Schema
from deniable.source.disguise import disguise_records
from deniable.source.randomness import SeededBits

COMPARED_SETS = tuple(SETS)
"""All five."""

RELATED_GROUPS = {"one group": 1, "two groups": 2, "three groups": 3}
"""Paper A: attributes dealt at random into so many groups, the related question."""

COIN_EACH, COIN_FOR_ALL, SAMPLED = "each alone", "one coin", "sampled pair"
"""A coin for each answer: GRR with ε shared out. One for all: the unrelated question. One pair."""

DESIGN_STRENGTHS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(RELATED_GROUPS, ("0.55", "0.6", "0.7", "0.8", "0.9")),
    COIN_EACH: ("0.55", "0.6", "0.65", "0.7", "0.8", "0.9", "0.95"),
    COIN_FOR_ALL: ("0.05", "0.1", "0.2", "0.3", "0.4", "0.55", "0.7", "0.85"),
    SAMPLED: ("0.5", "1", "2", "3", "4", "6", "8"),
}
"""θ of each design; of sampled pairs ε."""

QUICK_STRENGTHS: Mapping[str, tuple[str, ...]] = {
    "one group": ("0.55", "0.7", "0.9"),
    "three groups": ("0.55", "0.7", "0.9"),
    COIN_EACH: ("0.6", "0.7", "0.8", "0.9"),
    COIN_FOR_ALL: ("0.1", "0.2", "0.4", "0.7", "0.85"),
    SAMPLED: DESIGN_STRENGTHS[SAMPLED],
}

QUICKLY_SLOW: Mapping[str, tuple[str, ...]] = {
    "three groups": ("0.7",),
    COIN_EACH: ("0.7",),
    COIN_FOR_ALL: ("0.2",),
}
"""Where slow miners are tried in a quick run."""

SLOW_STRENGTHS: Mapping[str, tuple[str, ...]] = {
    "three groups": ("0.55", "0.7", "0.9"),
    COIN_EACH: ("0.6", "0.7", "0.8", "0.9"),
    COIN_FOR_ALL: ("0.1", "0.2", "0.4", "0.7"),
}
"""And where in a full one."""

ATTACKED, MINED, SLOW = "attacked", "mined", "slow miners"
"""The experiments: the attacker differs less from repeat to repeat than what is mined."""

Miner = Callable[[CountOracle, str], Classifier]


def _faithful(oracle: CountOracle, target: str) -> Classifier:
    return mine_tree(oracle, target, growth="faithful")


MINERS: Mapping[str, Miner] = {
    "ID3": _faithful,
    "naive Bayes": mine_bayes,
    "tree": mine_tree,
    "forest": mine_forest,
}
SLOW_MINERS: Mapping[str, Miner] = {"group-wise": mine_groupwise, "best": mine_best}


def design_of(schema: Schema, name: str, theta: str, rng: np.random.Generator) -> Design:
    """Build a design by its name here."""
    if name == COIN_FOR_ALL:
        attributes = {attribute.name: list(attribute.values) for attribute in schema}
        group = {"attributes": list(schema.names), "channel": "keep-or-uniform", "theta": theta}
        return Design.of({"attributes": attributes, "groups": [group]})
    dealt = rng.permutation(list(schema.names)).tolist()
    return related(schema, dealt, RELATED_GROUPS.get(name, len(dealt)), theta)


def attacked(setting: Setting, repeats: range, seeds: Seeds) -> Measured:
    """Guess every record, every answer, and the class: shares of right guesses."""
    data = survey_of(setting["set"], seeds, QUESTIONS)
    found: dict[str, list[float]] = defaultdict(list)
    for repeat in repeats:
        if setting["design"] == SAMPLED:
            _guess_pairs(data, _pairs(data, setting, seeds, repeat), found)
            continue
        design, reports = _reports(data, setting, seeds, repeat)
        right = attack(data.training, reports, design)
        found["record"].append(right.record.success)
        found["answer"].append(float(np.mean([e.success for e in right.attributes.values()])))
        found["class"].append(right.attributes[data.target].success)
    unseen = {
        "answer unseen": commonest_values(data.training),
        "record unseen": commonest_record(data.training),
        "class unseen": commonest_class(data.training, data.target),
    }
    return {**found, **{name: [value] * len(repeats) for name, value in unseen.items()}}


def mined(setting: Setting, repeats: range, seeds: Seeds) -> Measured:
    """Mine the same reports, and test on undisguised records."""
    data = survey_of(setting["set"], seeds, QUESTIONS)
    if setting["design"] == SAMPLED:
        models = (PairBayes.of(_pairs(data, setting, seeds, repeat)) for repeat in repeats)
        right = {"naive Bayes": [model.accuracy(data.test, data.target) for model in models]}
    else:
        right = _accuracies(data, setting, repeats, seeds, MINERS)
    marks = {"plain ID3": data.plain, "larger class": data.larger_class}
    return {**right, **{name: [value] * len(repeats) for name, value in marks.items()}}


def slowly_mined(setting: Setting, repeats: range, seeds: Seeds) -> Measured:
    """Mine them by what takes longer."""
    data = survey_of(setting["set"], seeds, QUESTIONS)
    return _accuracies(data, setting, repeats, seeds, SLOW_MINERS)


def _accuracies(
    data: SplitSet,
    setting: Setting,
    repeats: range,
    seeds: Seeds,
    miners: Mapping[str, Miner],
) -> dict[str, list[float]]:
    found: dict[str, list[float]] = defaultdict(list)
    for repeat in repeats:
        design, reports = _reports(data, setting, seeds, repeat)
        oracle = RandomizedOracle(reports, design)
        for name, mine in miners.items():
            found[name].append(data.accuracy(mine(oracle, data.target)))
    return found


def _reports(data: SplitSet, setting: Setting, seeds: Seeds, repeat: int) -> tuple[Design, Records]:
    """Disguise, in each repeat in the same way for the attacker and all miners."""
    rng = seeds.repeat(repeat)
    design = design_of(data.training.schema, setting["design"], setting["theta"], rng)
    bits = SeededBits(int(rng.integers(1 << 62)))
    return design, disguise_records(data.training, None, design, bits)


def _pairs(data: SplitSet, setting: Setting, seeds: Seeds, repeat: int) -> SampledPairs:
    return collected(data.training, data.target, float(setting["theta"]), seeds.repeat(repeat))


def _guess_pairs(data: SplitSet, pairs: SampledPairs, found: dict[str, list[float]]) -> None:
    people, target = data.training, data.target
    single, whole = PairBayes.of(pairs).guesses()
    hits = [
        np.stack(
            [
                guesses["" if name == target else name] == column
                for name, column in zip(people.schema.names, people.columns, strict=True)
            ]
        )
        for guesses in (single, whole)
    ]
    found["record"].append(float(hits[1].all(axis=0).mean()))
    found["answer"].append(float(hits[0].mean()))
    found["class"].append(float(hits[0][people.schema.position(target)].mean()))


def settings(strengths: Mapping[str, Sequence[str]]) -> list[Setting]:
    """Every set through every design at some strengths."""
    return [
        {"set": name, "design": design, "theta": theta}
        for name, design in product(COMPARED_SETS, strengths)
        for theta in strengths[design]
    ]


def experiments(effort: Effort) -> Sequence[Experiment]:
    """Attack and mine; slow miners less often, and those of one large group."""
    strengths = QUICK_STRENGTHS if effort.quick else DESIGN_STRENGTHS
    slow = QUICKLY_SLOW if effort.quick else SLOW_STRENGTHS
    large = settings({design: s for design, s in strengths.items() if design == COIN_FOR_ALL})
    small = settings({design: s for design, s in strengths.items() if design != COIN_FOR_ALL})
    return [
        Experiment(
            ATTACKED, attacked, settings(strengths), effort.repeats(2, 1, costly=True), chunk=1
        ),
        Experiment(MINED, mined, small, effort.repeats(6, 3, costly=True), chunk=2),
        Experiment(MINED, mined, large, effort.repeats(4, 2, costly=True), chunk=2),
        Experiment(SLOW, slowly_mined, settings(slow), effort.repeats(1, 1, costly=True), chunk=1),
    ]


def epsilon_of(design: str, theta: str) -> float | None:
    """Give ε of a whole report of yes/no answers; None where it is infinite.

    A related group of several answers gives away its pattern up to the opposite: no ε is finite.
    """
    value = float(theta)
    if design in RELATED_GROUPS:
        return None
    if design == SAMPLED:
        return value
    if design == COIN_EACH:
        return QUESTIONS * float(abs(np.log(value / (1 - value))))
    patterns = 2**QUESTIONS
    return float(np.log1p(value * patterns / (1 - value)))
