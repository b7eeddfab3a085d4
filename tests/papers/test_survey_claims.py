"""Each claim of papers B and E holds where its numbers are so, and fails where they are not."""

from collections.abc import Iterator

import numpy as np
import pytest

from deniable.base.arrays import Floats
from deniable.papers.answer_privacy import (
    PRIVACY_MEASURES,
    PRIVACY_THETAS,
    PRIVATE_SHARES,
    privacy_before,
)
from deniable.papers.electronic_surveys_claims import CLAIMS_OF_2004, CLAIMS_OF_2007
from deniable.papers.electronic_surveys_figures import (
    PRINTED_MEANS,
    SURVEY_SETS,
    THETAS_OF,
    figures_of_2004,
    figures_of_2007,
)
from deniable.papers.one_bit_test import ONE_BIT_THETAS
from deniable.papers.one_coin_bayes import DISGUISES
from deniable.papers.reproduction.paper_claims import PaperClaim
from deniable.papers.reproduction.seeds import Seeds
from papers.made_up_numbers import MadeUp, Spoil, always, holds, more

SPLITS = 12


def cells() -> Iterator[tuple[str, str, str, str]]:
    for name in SURVEY_SETS:
        for model, thetas in THETAS_OF.items():
            yield from ((name, "median", model, theta) for theta in thetas)
    for model, printed in PRINTED_MEANS.items():
        yield from (("adult", "range", model, theta) for theta in printed)


def as_claimed() -> MadeUp:
    """The shapes that the papers describe: a loss, and a spread within splits, that θ decides."""
    made_up, rng = MadeUp({}), np.random.default_rng(1)
    by_split = np.linspace(-0.003, 0.003, SPLITS).repeat(DISGUISES)
    within = np.tile(np.linspace(-1, 1, DISGUISES), SPLITS)
    for name, coding, model, theta in cells():
        plain = (0.815 if name == "adult" else 0.955) + by_split
        hidden = 1 - float(theta) if model == "unrelated" else (1 - abs(2 * float(theta) - 1)) ** 20
        loss, spread = (0.03, 0.001) if model == "unrelated" else (0.25, 0.12)
        jitter = rng.normal(scale=1e-6, size=len(plain)) * (hidden > 0)
        lost = loss * hidden**2 if model == "unrelated" else loss * hidden
        measures: dict[str, Floats] = {
            "plain": plain,
            "inversion": plain - lost + spread * hidden * within + jitter,
            "expected": plain - lost / 4 + jitter,
        }
        measures["projected"] = measures["expected"]
        made_up.put("bayes", measures, set=name, coding=coding, model=model, theta=theta)
    for share in PRIVATE_SHARES:
        found = privacy_before({"share": share}, range(1), Seeds(1, "E", {}))
        measures = {theta: np.array(values) for theta, values in found.items()}
        made_up.put("privacy before mining", measures, share=share)
    for name in SURVEY_SETS:
        for theta in PRIVACY_THETAS:
            measures = {measure: np.array([0.1]) for measure in PRIVACY_MEASURES}
            made_up.put("privacy after mining", measures, set=name, theta=theta)
        for theta in ("0.6", "0.3"):
            setting = {"set": name, "model": "unrelated", "miners": "naive Bayes, tree"}
            measures = {miner: np.array([0.8, 0.9]) for miner in ("naive Bayes", "tree")}
            made_up.put("our miners", measures, **setting, theta=theta)
        for theta in ONE_BIT_THETAS:
            errors = rng.normal(scale=0.01, size=100)
            made_up.put("one-bit test", {"error": errors}, set=name, theta=theta)
    return made_up


def backwards(made_up: MadeUp) -> None:
    """Give each θ of the unrelated question what another had."""
    thetas = [theta for theta in THETAS_OF["unrelated"] if float(theta) > 0]
    for name in SURVEY_SETS:
        settings = [
            frozenset({"set": name, "coding": "median", "model": "unrelated", "theta": t}.items())
            for t in thetas
        ]
        values = [made_up.numbers["bayes", setting]["inversion"] for setting in settings]
        for setting, other in zip(settings, values[::-1], strict=True):
            made_up.numbers["bayes", setting]["inversion"] = other


def change(measure: str, to: float, **setting: str) -> Spoil:
    return lambda made_up: made_up.change("bayes", measure, more(to), **setting)


def pse(theta: str, number: float) -> Spoil:
    return lambda made_up: made_up.change("privacy before mining", theta, always(number))


def spread_out(made_up: MadeUp) -> None:
    def wider(values: Floats) -> Floats:
        return values + np.tile(np.linspace(-0.05, 0.05, DISGUISES), SPLITS)

    made_up.change("bayes", "inversion", wider, set="adult", model="unrelated", theta="0.6")


SPOILED: dict[str, Spoil] = {
    "whole": change("inversion", 1e-4, set="adult", theta="1", model="unrelated"),
    "mean": backwards,
    "variance": backwards,
    "close": change("inversion", -0.03, set="adult", theta="0.6", model="unrelated"),
    "privacy-ends": pse("1", 0.1),
    "privacy-falls": pse("0.4", 0.5),
    "privacy-formula": pse("0.4", 0.3),
    "figure-7": change("inversion", -0.03, coding="median", theta="0.7", model="related"),
    "figure-7-range": change("inversion", -0.03, coding="range", theta="0.7", model="related"),
    "figure-7-variance": spread_out,
    "near-half": change("inversion", 0.3, theta="0.51", model="related"),
    "mirror": change("inversion", 1e-3, theta="0.9", model="related"),
    "one-bit": lambda made_up: made_up.change("one-bit test", "error", more(0.01), theta="0.3"),
    "ours": change("expected", -0.3, theta="0.51", model="related"),
}


@pytest.mark.parametrize("claim", [*CLAIMS_OF_2004, *CLAIMS_OF_2007], ids=lambda claim: claim.name)
def test_a_claim_holds_as_the_paper_has_it_and_fails_when_spoiled(claim: PaperClaim) -> None:
    made_up = as_claimed()
    assert holds(claim, made_up)
    SPOILED[claim.name.partition("-")[2]](made_up)
    assert not holds(claim, made_up)


def test_the_figures_of_2004_hold_every_setting_that_was_measured() -> None:
    found = figures_of_2004(as_claimed().measurements())
    assert [figure.name for figure in found] == ["B-1", "B-2", "B-3", "B-4", "B-5"]
    means = next(line for line in found[0].series() if not line.reference)
    assert [place for place, _ in means.points] == [float(t) for t in THETAS_OF["unrelated"]]


def test_the_figures_of_2007_have_what_is_printed_beside_them_and_ours() -> None:
    found = {f.name: f for f in figures_of_2007(as_claimed().measurements())}
    assert list(found) == [
        "E-2", "E-3", "E-4", "E-5", "E-6", "E-7", "E-after-mining", "E-one-bit", "E-ours",
    ]  # fmt: skip
    printed = [line for line in found["E-7"].series() if line.reference]
    assert [len(line.points) for line in printed] == [5, 5, 6, 6]
    # Two numbers that have the variance that is printed for θ = .51 of the related question.
    assert np.var(printed[1].points[0][1], ddof=1) == pytest.approx(0.0054)
    ours = found["E-ours"].panels[0].series
    assert [place for place, _ in ours[0].points] == [0.3, 0.6]
