"""Several groups of unknown personal distribution: each by itself, and two at once."""

import json
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from commanding import Command
from deniable.base.errors import DesignError, EstimateError
from deniable.design import Design
from deniable.expression import Family
from deniable.oracle.randomized import RandomizedOracle
from deniable.oracle.two_samples import GreenbergOracle, samples_needed
from oracle.simulated import Floats, Reports

ASKED = ["a=1", "b=1", "a=1 & b=1", "a=1 & b=1 & c=1", "c=1", "a=1 & c=0"]
ALIKE = [("0.8", "0.8"), ("0.5", "0.5"), ("0.2", "0.2")]
CROSSED = list(product(("0.8", "0.3"), ("0.7", "0.2")))


def design(one: str, two: str) -> Design:
    unknown = {"channel": "unrelated", "personal": "unknown"}
    return Design.of(
        {
            "attributes": {name: ["0", "1"] for name in "abc"},
            "groups": [
                {"attributes": ["a"], "theta": one, **unknown},
                {"attributes": ["b"], "theta": two, **unknown},
                {"attributes": ["c"], "channel": "related", "theta": "0.8"},
            ],
        }
    )


def people() -> Floats:
    """Shares of private a, b, c and personal a, b, all of which depend on each other."""
    shares = np.zeros((2,) * 5)
    for a, b, c, personal_a, personal_b in np.ndindex(shares.shape):
        private = [[0.45, 0.25], [0.1, 0.2]][a][b]
        third = [[0.6, 0.4], [0.7, 0.3]][a][c]
        first = [0.2, 0.7][b]  # the personal answer to a goes with the private one to b
        second = [0.9, 0.4][personal_a]
        shares[a, b, c, personal_a, personal_b] = (
            private
            * third
            * (first if personal_a else 1 - first)
            * (second if personal_b else 1 - second)
        )
    return shares


def truth(asked: Sequence[str]) -> Floats:
    shares = people().sum(axis=(3, 4))
    found = []
    for each in asked:
        place: list[int | slice] = [slice(None)] * 3
        for term in each.split(" & "):
            place["abc".index(term[0])] = int(term[2])
        found.append(shares[tuple(place)].sum())
    return np.array(found)


def drawn(thetas: tuple[str, str], n: int, generator: np.random.Generator) -> RandomizedOracle:
    """Reports of one sample: each group's coin chooses the private or the personal answer."""
    used = design(*thetas)
    chances = np.zeros((2, 2, 2))
    one, two = (float(theta) for theta in thetas)
    whole = people()
    for private_a, private_b in product((True, False), repeat=2):
        chance = (one if private_a else 1 - one) * (two if private_b else 1 - two)
        hidden = (3 if private_a else 0, 4 if private_b else 1)
        told = whole.sum(axis=hidden)
        kept = [axis for axis in range(5) if axis not in hidden]
        order = [kept.index(0 if private_a else 3), kept.index(1 if private_b else 4)]
        chances += chance * told.transpose([*order, kept.index(2)])
    chances = 0.8 * chances + 0.2 * chances[:, :, ::-1]
    return RandomizedOracle(Reports(used.schema, generator.multinomial(n, chances.ravel())), used)


@pytest.mark.parametrize("thetas", [ALIKE, CROSSED], ids=["three alike", "four crossed"])
def test_two_groups_at_once_are_estimated_from_enough_samples(
    thetas: list[tuple[str, str]],
) -> None:
    repeats, generator = 200, np.random.default_rng(3)
    sizes = (4000, 3000, 5000, 4000)
    found, claimed, inside = [], [], []
    expected = truth(ASKED)
    for _ in range(repeats):
        pairs = zip(thetas, sizes[: len(thetas)], strict=True)
        oracle = GreenbergOracle(*(drawn(pair, n, generator) for pair, n in pairs))
        counts = oracle.count(ASKED)
        low, high = counts.interval()
        found.append(counts.share)
        claimed.append(counts.std_error / counts.n)
        inside.append((low <= expected * counts.n) & (expected * counts.n <= high))
    actual = np.std(found, axis=0)
    # The mean of 200 estimates has the s.d. actual/√200; 4 of them.
    assert (np.abs(np.mean(found, axis=0) - expected) < 4 * actual / np.sqrt(repeats)).all()
    # An s.d. of 200 repeats has the relative s.d. 1/√400 = 5 %; 4 of them.
    assert np.abs(np.mean(claimed, axis=0) / actual - 1).max() < 0.2
    # 95 % of 200 repeats have the s.d. 1.5 %; 4 of them.
    assert np.abs(np.mean(inside, axis=0) - 0.95).max() < 0.062


def test_two_samples_tell_of_each_group_by_itself_and_refuse_both_at_once() -> None:
    generator = np.random.default_rng(4)
    oracle = GreenbergOracle(*(drawn(pair, 20_000, generator) for pair in (ALIKE[0], ALIKE[2])))
    alone = ["a=1", "b=1", "a=1 & c=1", "b=0 & c=1", "c=1"]
    found = oracle.count(alone)
    # Four standard errors, for five questions.
    assert (np.abs(found.share - truth(alone)) * found.n < 4 * found.std_error).all()
    with pytest.raises(EstimateError, match=r"names 2 groups of unknown .* takes 3") as refused:
        oracle.count(["a=1", "a=1 & b=1"])
    assert "by itself" in refused.value.hint


def test_the_personal_answers_are_estimated_too_and_errors_go_together() -> None:
    generator = np.random.default_rng(5)
    oracle = GreenbergOracle(*(drawn(pair, 50_000, generator) for pair in ALIKE))
    asked = ["a=1", "b=1", "a=1 & b=1"]
    personal = oracle.personal(asked)
    shares = people().sum(axis=(0, 1, 2))
    expected = np.array([shares[1].sum(), shares[:, 1].sum(), shares[1, 1]])
    assert (np.abs(personal.share - expected) * personal.n < 4 * personal.std_error).all()
    counts = oracle.count(asked)
    together = oracle.covariance(Family.of(asked, oracle.schema))
    assert np.sqrt(np.diag(together)) == pytest.approx(counts.std_error, rel=1e-9)


def test_more_samples_than_unknowns_are_all_used() -> None:
    generator = np.random.default_rng(6)
    samples = [drawn(pair, 10_000, generator) for pair in (*ALIKE, ("0.9", "0.9"))]
    few, more = GreenbergOracle(*samples[:3]), GreenbergOracle(*samples)
    error, smaller = (each.count(ASKED[:3]).std_error / each.n for each in (few, more))
    assert (smaller < error).all()


def test_no_question_and_everyone_are_answered() -> None:
    generator = np.random.default_rng(7)
    oracle = GreenbergOracle(*(drawn(pair, 100, generator) for pair in ALIKE))
    assert len(oracle.count([])) == 0
    assert oracle.count(["*"]).value == pytest.approx(300)


def test_samples_that_leave_other_groups_unknown_or_use_one_theta_are_refused() -> None:
    generator = np.random.default_rng(8)
    one, two = drawn(ALIKE[0], 100, generator), drawn(("0.8", "0.2"), 100, generator)
    with pytest.raises(DesignError, match=r"All samples use theta = 0\.8 for 'a'") as refused:
        GreenbergOracle(one, two)
    assert "another theta" in refused.value.hint


# What `design check` promises.


@pytest.mark.parametrize(
    ("thetas", "many"), [(("0.8", "0.8"), "three samples"), (("0.8", "0.7"), "four samples")]
)
def test_a_check_promises_no_more_than_samples_tell(
    deniable: Command, tmp_path: Path, thetas: tuple[str, str], many: str
) -> None:
    path = tmp_path / "design.yaml"
    design(*thetas).save(path)
    shown = deniable("design", "check", path)
    assert shown.code == 0, shown.err
    told = " ".join(shown.out.split())
    assert f"by itself. What names two of them at once takes {many}" in told


def test_one_group_takes_a_second_sample() -> None:
    alone = design("0.8", "0.8").document()
    del alone["groups"][1]
    assert samples_needed(Design.of(alone)).endswith(
        "with a second sample that uses another theta."
    )


def test_three_files_answer_what_two_refuse(deniable: Command, tmp_path: Path) -> None:
    generator, n = np.random.default_rng(9), 5000
    files = []
    for number, thetas in enumerate(ALIKE):
        path, table = tmp_path / f"d{number}.yaml", tmp_path / f"t{number}.parquet"
        design(*thetas).save(path)
        cells = generator.choice(32, n, p=people().ravel())
        codes = np.array(np.unravel_index(cells, (2,) * 5)).astype(str)
        names = ("a", "b", "c", "personal.a", "personal.b")
        raw = tmp_path / f"raw{number}.parquet"
        pq.write_table(pa.table(dict(zip(names, codes, strict=True))), raw)
        done = deniable("disguise", raw, "--design", path, "--out", table, "--random-state", number)
        assert done.code == 0, done.err
        files.append((table, path))
    (table, path), *others = files
    ask = ["estimate", table, "--design", path, "a=1", "a=1 & b=1", "--json"]
    two, three = others[:1], others
    refused = deniable(*ask, *(word for t, d in two for word in ("--with", f"{t}:{d}")))
    assert refused.code == 1
    assert "do not tell them apart" in refused.err
    answered = deniable(*ask, *(word for t, d in three for word in ("--with", f"{t}:{d}")))
    assert answered.code == 0, answered.err
    for entry, share in zip(json.loads(answered.out), truth(["a=1", "a=1 & b=1"]), strict=True):
        assert abs(entry["share"] - share) * entry["n"] < 4 * entry["std_error"]
