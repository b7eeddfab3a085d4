"""Papers B and E, Zhan and Matwin 2004 and 2007: naive Bayes from electronic surveys."""

from collections.abc import Iterator, Sequence
from itertools import product

from deniable.papers.answer_privacy import (
    PRIVACY_THETAS,
    PRIVATE_SHARES,
    privacy_after,
    privacy_before,
)
from deniable.papers.electronic_surveys_claims import CLAIMS_OF_2004, CLAIMS_OF_2007
from deniable.papers.electronic_surveys_figures import (
    PRINTED_MEANS,
    SURVEY_SETS,
    THETAS_OF,
    UNRELATED_THETAS,
    figures_of_2004,
    figures_of_2007,
)
from deniable.papers.one_bit_test import ONE_BIT_THETAS, one_bit_test
from deniable.papers.one_coin_bayes import DISGUISES, OUR_MINERS, bayes, our_miners
from deniable.papers.reproduction.experiment import Effort, Experiment, Paper, Setting
from deniable.papers.shared_coin import RELATED, UNRELATED

SURVEY_REPEATS, QUICK_REPEATS = 1000, 250
SURVEY_PIECE = 250

ALL_MINERS = ", ".join(OUR_MINERS)
OUR_THETAS = {UNRELATED: ("0.3", "0.6", "0.8"), RELATED: ("0.51", "0.6", "0.8")}
QUICK_THETA = "0.6"


def experiments_of_2004(effort: Effort) -> Sequence[Experiment]:
    """The unrelated question on both sets, and privacy before mining."""
    settings = [_cell(name, UNRELATED, theta) for name in SURVEY_SETS for theta in UNRELATED_THETAS]
    return [_bayes_experiment(settings, effort), _privacy_experiment()]


def experiments_of_2007(effort: Effort) -> Sequence[Experiment]:
    """Both questions on both sets, in both readings where numbers are printed; privacy; ours."""
    settings = [
        _cell(name, model, theta)
        for name, model in product(SURVEY_SETS, THETAS_OF)
        for theta in THETAS_OF[model]
    ]
    settings += [
        _cell("adult", model, theta, "range")
        for model, printed in PRINTED_MEANS.items()
        for theta in printed
    ]
    tests = [{"set": name, "theta": theta} for name, theta in product(SURVEY_SETS, ONE_BIT_THETAS)]
    after = [{"set": name, "theta": theta} for name, theta in product(SURVEY_SETS, PRIVACY_THETAS)]
    return [
        _bayes_experiment(settings, effort),
        _privacy_experiment(),
        Experiment("privacy after mining", privacy_after, after, 1, 1),
        Experiment("one-bit test", one_bit_test, tests, _repeats(effort), SURVEY_PIECE),
        *_our_experiments(effort),
    ]


def _our_experiments(effort: Effort) -> Iterator[Experiment]:
    """Mine by all; what takes minutes (a group of 15 replaced as a whole), seldom, at one θ."""
    adult, cancer = SURVEY_SETS
    costly = (("naive Bayes, tree", 4), ("forest, group-wise", 2), ("best", 1))
    plans = [
        (cancer, UNRELATED, ALL_MINERS, 5),
        (cancer, RELATED, ALL_MINERS, 5),
        (adult, RELATED, ALL_MINERS, 4),
        *((adult, UNRELATED, miners, many) for miners, many in costly),
    ]
    for name, model, miners, many in plans:
        slow = name == adult and model == UNRELATED and "tree" not in miners
        if slow and effort.quick:
            continue
        thetas = (QUICK_THETA,) if slow or effort.quick else OUR_THETAS[model]
        settings = [
            {"set": name, "model": model, "miners": miners, "theta": theta} for theta in thetas
        ]
        repeats = effort.repeats(full=many, quick=1, costly=True)
        yield Experiment("our miners", our_miners, settings, repeats, 1)


def _cell(name: str, model: str, theta: str, coding: str = "median") -> Setting:
    return {"set": name, "coding": coding, "model": model, "theta": theta}


def _bayes_experiment(settings: Sequence[Setting], effort: Effort) -> Experiment:
    return Experiment("bayes", bayes, settings, _repeats(effort), SURVEY_PIECE)


def _repeats(effort: Effort) -> int:
    return effort.repeats(full=SURVEY_REPEATS, quick=QUICK_REPEATS)


def _privacy_experiment() -> Experiment:
    shares = [{"share": share} for share in PRIVATE_SHARES]
    return Experiment("privacy before mining", privacy_before, shares, 1, 1)


_DECIDED = (
    "Adult is whole (48,842 records, a missing value being a value), Breast-Cancer without the 16 "
    "records that lack one. Numbers are split at the median; sorted nominal codes, too. Every "
    "repeat is tested on the undisguised test records, as in §5.1. Estimates enter the formula as "
    f"they come, even negative ones; {DISGUISES} repeats share a split. At θ = 0 of the unrelated "
    "question Equation 1 divides by 0: whatever was answered, nothing is learned, and the first "
    "class, the larger one, is the answer. The personal answers are independent even coins, as "
    "W_y = ½ says of each."
)

SURVEYS_OF_2004 = Paper(
    "B",
    "Privacy-preserving data mining in electronic surveys (2004)",
    "Zhan and Matwin",
    f"All answers and the class of a respondent are private or personal together. {_DECIDED}",
    SURVEY_SETS,
    experiments_of_2004,
    figures_of_2004,
    CLAIMS_OF_2004,
)

SURVEYS_OF_2007 = Paper(
    "E",
    "Privacy-preserving data mining in electronic surveys (2007)",
    "Zhan and Matwin",
    "As in 2004, with the related question beside the unrelated one, and privacy after mining. "
    f"{_DECIDED} The related question is left out at θ = ½, where every report is a fair coin.",
    SURVEY_SETS,
    experiments_of_2007,
    figures_of_2007,
    CLAIMS_OF_2007,
)
