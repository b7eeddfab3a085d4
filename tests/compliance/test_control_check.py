"""What control items say: shares of those who ignore the device, and what is right despite them.

Surveys are drawn as counts through the channels themselves, hundreds at a time.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict

import numpy as np
import pytest

from deniable.base.arrays import Codes, Floats
from deniable.compliance.behaviours import Behaviour, sent
from deniable.compliance.check_sentences import HEADLINES, sentences
from deniable.compliance.control_check import ControlCheck, control_check
from deniable.compliance.control_items import ControlItems
from deniable.compliance.corrected_shares import corrected_shares
from deniable.design import Design
from deniable.privacy.measures.single_answer import entry_matrix

PI = 0.1
SURVEYS = 2000


def asked(known: Sequence[float], theta: str = "4/5") -> tuple[Design, dict[str, dict[str, float]]]:
    """One question and control items, each with a device of its own."""
    names = ["drugs", *(f"control{place}" for place in range(len(known)))]
    design = Design.of(
        {
            "attributes": {name: ["no", "yes"] for name in names},
            "groups": [
                {"attributes": [name], "channel": "related", "theta": theta} for name in names
            ],
        }
    )
    shares = zip(names[1:], known, strict=True)
    return design, {name: {"no": 1 - share, "yes": share} for name, share in shares}


def items_of(known: Sequence[float]) -> tuple[Design, ControlItems]:
    design, shares = asked(known)
    items = ControlItems.of(design, shares)
    assert items is not None
    return design, items


def surveys(
    design: Design, items: ControlItems, behaviour: Behaviour, rate: float, n: int, seed: int
) -> Floats:
    """Counts ``[survey, pattern, report]`` of people of whom some ignore the device."""
    device = entry_matrix(design.groups[0], "drugs")
    behave = sent(behaviour, design.schema["drugs"])
    truth = np.array([1 - PI, PI])
    kind = next(kind for kind in items.kinds if behaviour in kind.behaviours)
    chances = (1 - rate) * np.outer(items.chances(None), device @ truth)
    chances += rate * np.outer(items.chances(kind), behave @ truth)
    drawn = np.random.default_rng(seed).multinomial(n, chances.ravel(), SURVEYS)
    return drawn.reshape(SURVEYS, *chances.shape).astype(np.float64)


# Of 2,000 right intervals 95 % cover, with a standard deviation of .0049: 4 of them are .02. The
# normal approximation is allowed .01 more, which is what the issue asks for: 93 to 97 %.
LOW, HIGH = 0.93, 0.97


@pytest.mark.parametrize("behaviour", ["no", "random", "truth"])
@pytest.mark.parametrize("rate", [0.0, 0.05, 0.15, 0.3])
@pytest.mark.parametrize("known", [(0.0,), (0.0, 1.0, 0.0)])
def test_rates_and_corrected_shares_cover_what_is_true(
    behaviour: Behaviour, rate: float, known: tuple[float, ...]
) -> None:
    design, items = items_of(known)
    counts = surveys(design, items, behaviour, rate, 1000, 7)
    device = entry_matrix(design.groups[0], "drugs")
    names = [kind.name for kind in items.kinds]
    place = names.index(behaviour)
    alone = items.each_alone[place], 1, [behaviour]
    together = items.together, 1 + place, names
    assert (items.together is not None) == (len(known) > 1)
    for mixture, component, kinds in (alone, together):
        if mixture is not None:
            low, high = mixture.bounds(counts.sum(axis=2), component, 1.96)
            assert LOW < np.mean((low <= rate) & (rate <= high)) < HIGH
            others = [sent(kind, design.schema["drugs"]) for kind in kinds]
            found = corrected_shares(counts, mixture, [device, *others])
            inside = np.abs(found.shares[:, 1] - PI) <= 1.96 * found.std_errors[:, 1]
            assert LOW < inside.mean() < HIGH


def test_a_single_item_gives_wilsons_interval_mapped() -> None:
    _, items = items_of([0.0])
    yes, n, z = 37, 200, 1.96
    (mixture, *_) = items.each_alone
    low, high = mixture.bounds(np.array([n - yes, yes], dtype=float), 1, z)
    middle, reach = (yes + z**2 / 2) / (n + z**2), z / (n + z**2)
    reach *= np.sqrt(yes * (n - yes) / n + z**2 / 4)
    # Who always says no reports .2 fewer: a share φ of them leaves .2·(1 − φ) of yes.
    assert (1 - high) * 0.2 == pytest.approx(middle - reach)
    assert (1 - low) * 0.2 == pytest.approx(middle + reach)


def test_weights_tell_each_kind_apart_exactly() -> None:
    _, items = items_of([0.0, 1.0, 0.25])
    assert items.together is not None
    told = items.together.weights @ items.together.components.T
    assert told == pytest.approx(np.eye(len(items.kinds) + 1))
    assert items.together.weights.sum(axis=0) == pytest.approx(1)


def drawn(
    known: Sequence[float], behaviour: Behaviour, rate: float, n: int, seed: int
) -> ControlCheck:
    """One survey, person by person."""
    design, shares = asked(known)
    generator = np.random.default_rng(seed)
    yes = generator.random((n, 1 + len(known))) < np.array([PI, *known])
    truth = yes.astype(np.int64)
    told = np.where(generator.random(truth.shape) < 0.8, truth, 1 - truth)
    other = {
        "no": np.zeros_like(truth),
        "first": np.zeros_like(truth),
        "random": generator.integers(0, 2, truth.shape),
        "truth": truth,
    }[behaviour]
    reports = np.where(generator.random((n, 1)) < rate, other, told)
    columns: dict[str, Codes] = dict(zip(design.schema.names, reports.T, strict=True))
    check = control_check(design, shares, columns)
    assert check is not None
    return check


def test_each_verdict_says_what_it_saw_and_what_to_do() -> None:
    fine = drawn([0, 1, 0, 1], "no", 0.0, 1500, 1)
    assert fine.verdict == "fine"
    assert next(sentences(fine, 1500)) == HEADLINES["fine"]
    assert all(kind.notices >= 0.8 and kind.moved <= 1 for kind in fine.kinds)

    seen = drawn([0, 1, 0, 1], "no", 0.15, 1500, 2)
    said = " ".join(sentences(seen, 1500))
    assert seen.verdict == "seen"
    assert "If they always say no, or always give the first option, they are" in said
    assert seen.together
    assert seen.together["no"].holds(0.15)
    assert "corrected for all kinds at once" in said

    few = drawn([0, 1], "no", 0.0, 300, 1)
    said = " ".join(sentences(few, 300))
    assert few.verdict == "unclear"
    assert "306 more answers would make it 80 of 100" in said


def test_one_item_like_the_questions_never_vouches_for_them() -> None:
    check = drawn([0.0], "no", 0.0, 3000, 1)
    said = " ".join(sentences(check, 3000))
    assert check.verdict == "unclear"  # although it would notice 15 % nearly always
    assert min(kind.notices for kind in check.kinds) > 0.95
    assert check.more_items is not None
    assert check.more_items > 1
    assert f"about {check.more_items} like these, where there is 1 now" in said
    assert "cannot tell people who always say no" in said
    assert check.together is None


def test_what_a_control_item_cannot_see_is_said() -> None:
    design, known = asked([0.5])  # as many say yes by the device as by chance
    columns: dict[str, Codes] = dict.fromkeys(design.schema.names, np.arange(400) % 2)
    check = control_check(design, known, columns)
    assert check is not None
    assert check.unseen == ("answer at random", "tell the truth whatever the device says")
    assert check.verdict == "unclear"
    assert "do not show in these control items at all" in " ".join(sentences(check, 400))


def test_shares_are_left_out_where_next_to_nobody_follows_the_device() -> None:
    design, known = asked([0.0, 1.0])
    nobody: dict[str, Codes] = dict.fromkeys(design.schema.names, np.zeros(500, dtype=np.int64))
    check = control_check(design, known, nobody)
    assert check is not None
    assert check.verdict == "seen"
    assert all("no" not in share.alone for share in check.shares)


def test_without_disguised_control_items_there_is_nothing_to_say() -> None:
    design, known = asked([0.0])
    columns: dict[str, Codes] = dict.fromkeys(design.schema.names, np.zeros(9, dtype=np.int64))
    assert control_check(design, {}, columns) is None
    assert control_check(Design.truthful(design.schema), known, columns) is None
    nobody: dict[str, Codes] = {name: codes[:0] for name, codes in columns.items()}
    assert control_check(design, known, nobody) is None


def test_a_check_survives_being_written_down() -> None:
    for check in (drawn([0, 1], "random", 0.3, 200, 3), drawn([0], "no", 0, 200, 3)):
        assert ControlCheck.of(json.loads(json.dumps(asdict(check)))) == check


def test_the_promised_power_is_had() -> None:
    design, items = items_of([0.0, 1.0])
    for place, kind in enumerate(items.kinds):
        mixture = items.each_alone[place]
        n = round(mixture.people_for(1, 0.15, 0.8, 0.95))
        assert mixture.power(1, 0.15, n, 0.95) == pytest.approx(0.8, abs=0.005)
        counts = surveys(design, items, kind.name, 0.15, n, 11 + place).sum(axis=2)
        low, _ = mixture.bounds(counts, 1, 1.96)
        # s.d. √(.8·.2/2000) = .009, 4 of them; a normal approximation of some 76 to 600 people
        # adds up to .05.
        assert abs(np.mean(low > 0) - 0.8) < 0.036 + 0.05


def test_where_the_plain_interval_misses_often_hardly_any_survey_is_called_fine() -> None:
    # n = 1,500, 15 % who tell the truth: the plain interval misses in more than half of surveys.
    verdicts = [drawn([0, 1, 0], "truth", 0.15, 1500, seed).verdict for seed in range(60)]
    # At most 10 % are to be fine. 14 or more of 60 then happen once in 1,000.
    assert verdicts.count("fine") <= 13
    honest = [drawn([0, 1, 0, 1], "no", 0.0, 1500, seed).verdict for seed in range(60)]
    # Measured .92 of 400 (docs/decisions/0034-control-items.md): below 45 once in 100,000.
    assert honest.count("fine") >= 45
