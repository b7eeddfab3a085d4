"""What we claim beyond the papers: who is more accurate where an attacker recovers as much."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from deniable.base.arrays import Floats
from deniable.base.wording import decimal, joined
from deniable.papers.accuracy_at_limits import EPSILON, at_limit
from deniable.papers.datasets import SETS
from deniable.papers.equal_privacy import ATTACKED, COIN_EACH, COIN_FOR_ALL, COMPARED_SETS, MINED
from deniable.papers.equal_privacy_figures import (
    COMPARED_SCHEMES,
    MEASURES,
    UNSEEN,
    Scheme,
    strengths,
)
from deniable.papers.reproduction.measurements import Measurements
from deniable.papers.reproduction.paper_claims import PaperClaim, Ruling
from deniable.papers.reproduction.trends import GAIN_TEST, gained, paired

LEARNED = (0.1, 0.25, 0.5, 0.75)
"""How far the attacker may get, of the way from guessing unseen to knowing it all."""

LARGE_EPSILON, SMALL_EPSILON = (5.0, 8.0), (1.0, 2.0)
"""ε of ten yes/no answers: where one coin for all keeps more than one report in twenty, or none."""

NEARLY_ALL = 0.9

OUR_SCHEME, COINS_SCHEME = "ours: 1 coin", "ours: each"

RIVALS = {
    "B, E: 1 coin": "B and E: one coin for all, naive Bayes",
    "LDP: each": "local differential privacy, a coin for each answer, naive Bayes",
    "LDP: a pair": "local differential privacy, a sampled pair, naive Bayes",
    "A: 1 group": "A: one related group, ID3",
    "A: 3 groups": "A: three related groups, ID3",
}
"""Whom ours is held against."""


def limits(found: Measurements, name: str, measure: str) -> Iterator[float]:
    """Give the attacker's success at each limit."""
    theta = strengths(found, name, COIN_FOR_ALL, ATTACKED)[0]
    unseen = found.mean(ATTACKED, UNSEEN[measure], set=name, design=COIN_FOR_ALL, theta=theta)
    for share in LEARNED:
        yield unseen + share * (1 - unseen)


def differences(
    found: Measurements,
    ours: Scheme,
    theirs: Scheme,
    measure: str,
    epsilons: Sequence[float] = (),
) -> dict[str, list[Floats]]:
    """Subtract accuracies at equal privacy: for each set and limit, repeat by repeat."""
    return {
        name: [
            paired(*(at_limit(found, name, each, measure, limit) for each in (ours, theirs)))
            for limit in (epsilons or limits(found, name, measure))
        ]
        for name in COMPARED_SETS
    }


def _better(
    ours: str, theirs: str, measure: str, epsilons: Sequence[float] = ()
) -> Callable[[Measurements], Ruling]:
    def check(found: Measurements) -> Ruling:
        apart = differences(
            found, COMPARED_SCHEMES[ours], COMPARED_SCHEMES[theirs], measure, epsilons
        )
        ruling = gained([cell for cells in apart.values() for cell in cells])
        by_set = joined(
            f"{SETS[name].title} {decimal(float(np.mean([c.mean() for c in cells])), 3)}"
            for name, cells in apart.items()
        )
        return Ruling(ruling.holds, f"{ruling.measured}; {by_set}")

    return check


def _same_reports(found: Measurements) -> Ruling:
    """Hold our forest against naive Bayes on the very reports that the packages would collect."""
    cells = []
    for name in COMPARED_SETS:
        for theta in strengths(found, name, COIN_EACH, MINED):
            where = {"set": name, "design": COIN_EACH, "theta": theta}
            ours, theirs = (found.values(MINED, m, **where) for m in ("forest", "naive Bayes"))
            cells.append(paired(ours, theirs))
    return gained(cells)


def _everything_told(found: Measurements) -> Ruling:
    """How much of Adult one related group gives away, at the θ that hides most."""
    told = {
        theta: found.mean(ATTACKED, "record", set="adult", design="one group", theta=theta)
        for theta in strengths(found, "adult", "one group", ATTACKED)
    }
    least = min(told, key=lambda theta: told[theta])
    return Ruling(
        told[least] >= NEARLY_ALL, f"{told[least]:.3f} of whole records at θ = {least}, the least"
    )


def _in_every_set(found: Measurements) -> Ruling:
    rivals = [label for label in COMPARED_SCHEMES if label != OUR_SCHEME]
    losses = []
    for label in rivals:
        apart = differences(found, COMPARED_SCHEMES[OUR_SCHEME], COMPARED_SCHEMES[label], "class")
        losses += [
            (float(np.mean([cell.mean() for cell in cells])), SETS[name].title, label)
            for name, cells in apart.items()
        ]
    worst, name, label = min(losses)
    return Ruling(worst >= 0, f"worst: {decimal(worst, 3)}, {name}, beside “{label}”")


def _against(measure: str) -> Iterator[PaperClaim]:
    for number, (label, words) in enumerate(RIVALS.items(), start=1):
        yield PaperClaim(
            f"beyond-{measure}-{number}",
            f"Ours (one coin for all, a forest) is more accurate than {words}, where the attacker "
            f"is right equally often about {MEASURES[measure]}.",
            f"{GAIN_TEST}, over sets and four limits",
            _better(OUR_SCHEME, label, measure),
        )


EQUAL_PRIVACY_CLAIMS = (
    PaperClaim(
        "beyond-told",
        "One related group hides next to nothing where records differ in how common they are: of "
        "Adult the attacker recovers nearly every whole record, whatever θ is.",
        f"at least {NEARLY_ALL} of whole records at every θ",
        _everything_told,
    ),
    *_against("class"),
    *_against("record"),
    PaperClaim(
        "beyond-coins",
        "One coin for all is more accurate than a coin for each answer where the attacker is right "
        "equally often about the sensitive answer; a forest from both.",
        f"{GAIN_TEST}, over sets and four limits",
        _better(OUR_SCHEME, COINS_SCHEME, "class"),
    ),
    PaperClaim(
        "beyond-same-reports",
        "From the reports that a package for local differential privacy collects, a coin for each "
        "answer, our forest is more accurate than naive Bayes.",
        f"{GAIN_TEST}, over sets and θ",
        _same_reports,
    ),
    PaperClaim(
        "beyond-large-epsilon",
        "At equal ε, where one coin for all keeps more than one report in twenty (ε = 5 and 8), it "
        "is more accurate than a coin for each answer; a forest from both.",
        f"{GAIN_TEST}, over sets and both ε",
        _better(OUR_SCHEME, COINS_SCHEME, EPSILON, LARGE_EPSILON),
    ),
    PaperClaim(
        "beyond-small-epsilon",
        "At equal and small ε (1 and 2) ours is more accurate than a sampled pair.",
        f"{GAIN_TEST}, over sets and both ε",
        _better(OUR_SCHEME, "LDP: a pair", EPSILON, SMALL_EPSILON),
        unmet="The coin for all then keeps one report in a hundred and sixty at most. Who samples "
        "spends all of ε on one pair. So where ε itself must be small, sample.",
    ),
    PaperClaim(
        "beyond-every-set",
        "Ours is at least as accurate as every other scheme on every set, where the attacker is "
        "right equally often about the sensitive answer.",
        "mean difference not below 0, each set and scheme",
        _in_every_set,
        unmet="On Breast cancer and Votes single answers tell nearly all of the class: naive Bayes "
        "is right there, and a forest has nothing to add.",
    ),
)
