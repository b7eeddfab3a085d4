"""An empirical audit of every randomizer: none spends more ε than its channel promises."""

from fractions import Fraction
from math import inf, log

import numpy as np
import pytest
from numpy.typing import NDArray

from deniable.channel import (
    Channel,
    Crosswise,
    Forced,
    KeepOrUniform,
    Kuk,
    Mangat,
    Matrix,
    Related,
    Triangular,
    Truthful,
    Unrelated,
    kinds,
)
from deniable.channel.channel import patterns
from deniable.channel.personal import Joint
from deniable.design import Design, Group
from deniable.privacy.attack.audit import audited_epsilon
from deniable.schema import Attribute, Schema
from deniable.source.randomness import BitDice, SecureBits
from survey.node import browser_counts

RUNS = 100_000
BROWSER_RUNS = 15_000
"""Node's cryptographic generator takes a few microseconds a call."""

LEVEL = 1 - 1e-7
"""The coins are the real ones, so an honest randomizer may fail; this seldom."""

YES_NO = [Attribute("a", ("no", "yes"))]
HALF = (Fraction(1, 2), Fraction(1, 2))
UNEVEN = (Fraction(3, 4), Fraction(1, 4))

CHANNELS: dict[str, Channel] = {
    "related": Related((2,), Fraction(7, 10)),
    "related, five values": Related((5,), Fraction(1, 2)),
    "related pair": Related((2, 2), Fraction(7, 10)),
    "related, mixed": Related((2, 3), Fraction(3, 5)),
    "unrelated": Unrelated((2,), Fraction(7, 10), (UNEVEN,)),
    "unrelated pair": Unrelated((2, 2), Fraction(1, 2), (HALF, UNEVEN)),
    "unrelated, joint": Unrelated(
        (2, 2),
        Fraction(1, 2),
        Joint(tuple((cell, Fraction(1, 4)) for cell in [(0, 0), (0, 1), (1, 0), (1, 1)])),
    ),
    "keep-or-uniform": KeepOrUniform.over((4,), Fraction(3, 5)),
    "keep-or-uniform pair": KeepOrUniform.over((2, 3), Fraction(2, 5)),
    "forced": Forced.read(YES_NO, {"forced": {"yes": "1/6", "no": "1/6"}}),
    "mangat": Mangat.read(YES_NO, {"theta": "0.6"}),
    "kuk": Kuk.read(YES_NO, {"red": {"no": "1/5", "yes": "4/5"}}),
    "crosswise": Crosswise.read(YES_NO, {"theta": "1/4"}),
    "triangular": Triangular.read(YES_NO, {"theta": "0.3"}),
    "matrix": Matrix.of([["0.8", "0.1", "0.1"], ["0.2", "0.7", "0.1"], ["0.3", "0.1", "0.6"]]),
    "truthful": Truthful.over((2,)),
}


def counted(channel: Channel, truth: NDArray[np.int64]) -> NDArray[np.int64]:
    """How often each report comes out when one record is disguised again and again."""
    columns = tuple(np.full(RUNS, code, dtype=np.uint8) for code in truth)
    reports = channel.disguised(columns, None, BitDice(SecureBits()))
    keys = np.zeros(RUNS, dtype=np.int64)
    for size, column in zip(channel.sizes, reports, strict=True):
        keys = keys * size + column
    return np.bincount(keys, minlength=len(patterns(channel.sizes)))


def audited(counts: list[NDArray[np.int64]], level: float) -> float:
    """The largest ε seen between any two truths; the level is shared among the pairs."""
    pairs = [(a, b) for a in range(len(counts)) for b in range(a)]
    each = 1 - (1 - level) / len(pairs)
    return max(audited_epsilon(counts[a], counts[b], each) for a, b in pairs)


def test_every_channel_is_audited() -> None:
    assert {channel.kind for channel in CHANNELS.values()} == {*kinds()}


@pytest.mark.parametrize("name", CHANNELS)
def test_no_randomizer_spends_more_than_it_promises(name: str) -> None:
    channel = CHANNELS[name]
    seen = audited([counted(channel, truth) for truth in patterns(channel.sizes)], LEVEL)
    promised = log(channel.ratio())
    assert seen <= promised
    # And the audit has teeth: it sees most of what is spent, much of what is without limit.
    assert seen > (4.5 if promised == inf else promised - 0.25)


@pytest.mark.slow
@pytest.mark.parametrize("name", CHANNELS)
def test_the_browser_s_randomizer_keeps_the_same_promises(name: str) -> None:
    """The module that the survey page ships, by its own cryptographic coin."""
    channel = CHANNELS[name]
    attributes = tuple(
        Attribute(f"a{place}", tuple(f"v{code}" for code in range(size)))
        for place, size in enumerate(channel.sizes)
    )
    if channel.kind in {"forced", "mangat", "kuk", "crosswise", "triangular"}:
        attributes = tuple(YES_NO)
    design = Design(Schema(attributes), (Group(attributes, channel),))
    counts = [
        browser_counts(
            design,
            {a.name: a.values[code] for a, code in zip(attributes, truth, strict=True)},
            BROWSER_RUNS,
        )
        for truth in patterns(channel.sizes)
    ]
    seen, promised = audited(counts, LEVEL), log(channel.ratio())
    assert seen <= promised
    assert seen > (3.5 if promised == inf else promised - 0.6)


def test_a_coin_that_is_slightly_off_is_convicted() -> None:
    """θ = .75 where .7 was promised."""
    promised = log(Related((2,), Fraction(7, 10)).ratio())
    crooked = Related((2,), Fraction(3, 4))
    counts = [counted(crooked, truth) for truth in patterns((2,))]
    assert audited(counts, LEVEL) > promised


@pytest.mark.slow
def test_the_bound_holds_as_often_as_it_says() -> None:
    """At 90 % the bound exceeds the true ε in at most a tenth of many audits of a fair device."""
    rng = np.random.default_rng(2026)
    chances, true = np.array([0.7, 0.3]), log(7 / 3)
    audits = 2000
    first = rng.multinomial(400, chances, size=audits)
    second = rng.multinomial(400, chances[::-1], size=audits)
    beyond = sum(audited_epsilon(a, b, 0.9) > true for a, b in zip(first, second, strict=True))
    assert beyond / audits <= 0.1 + 3 * np.sqrt(0.1 * 0.9 / audits)


def test_equal_counts_show_nothing() -> None:
    assert audited_epsilon([500, 500], [500, 500]) == 0.0
