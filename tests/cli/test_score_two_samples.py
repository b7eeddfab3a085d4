"""Scores on two samples of unknown personal distribution, against a few lines of arithmetic."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from commanding import Command

N = 8000
THETAS = (0.8, 0.3)
WORDS = np.array(["no", "yes"])


@pytest.fixture
def samples(deniable: Command, tmp_path: Path) -> list[tuple[Path, Path]]:
    """Reports and designs: who smokes is ill for 85 % of private answers, 60 % of personal ones."""
    rng = np.random.default_rng(11)
    found = []
    for number, theta in enumerate(THETAS):
        design = tmp_path / f"{number}.yaml"
        design.write_text(
            'attributes: {smokes: ["no", "yes"], ill: ["no", "yes"]}\n'
            "groups: [{attributes: [smokes, ill], channel: unrelated, personal: unknown, "
            f"theta: {theta}}}]\n"
        )
        smokes, lake = rng.integers(2, size=(2, N))
        columns = {
            "smokes": WORDS[smokes],
            "ill": WORDS[smokes ^ (rng.random(N) > 0.85)],
            "personal.smokes": WORDS[lake],
            "personal.ill": WORDS[lake ^ (rng.random(N) > 0.6)],
        }
        raw, out = tmp_path / f"raw{number}.parquet", tmp_path / f"{number}.parquet"
        pq.write_table(pa.table(columns), raw)
        done = deniable("disguise", raw, "--design", design, "--out", out, "--random-state", number)
        assert done.code == 0, done.err
        found.append((out, design))
    return found


def asked(samples: list[tuple[Path, Path]]) -> list[object]:
    (one, first), (two, second) = samples
    return [one, "--design", first, "--with", f"{two}:{second}"]


@pytest.mark.parametrize("kind", ["bayes", "logistic", "tree"])
def test_a_classifier_of_two_samples_is_scored_on_two_samples(
    deniable: Command, samples: list[tuple[Path, Path]], tmp_path: Path, kind: str
) -> None:
    model = tmp_path / "model.json"
    done = deniable("mine", kind, *asked(samples), "--target", "ill", "--out", model)
    assert done.code == 0, done.err
    told: Any = json.loads(deniable("score", model, *asked(samples), "--json").out)
    right = []
    for path, _ in samples:
        table = pq.read_table(path)
        right.append((table["smokes"].to_numpy() == table["ill"].to_numpy()).astype(float))
    one, two = THETAS
    factors = np.array([1 - two, one - 1]) / (one - two)
    assert told["accuracy"] == pytest.approx(factors @ [r.mean() for r in right], abs=1e-12)
    variance = sum(f**2 * r.var() / N for f, r in zip(factors, right, strict=True))
    assert told["std_error"] == pytest.approx(np.sqrt(variance), abs=1e-12)
    assert abs(told["accuracy"] - 0.85) < 4 * told["std_error"]
    assert (told["of"], told["n"]) == ("population", 2 * N)
    assert "assumes" not in told
    (one_file, its_design), _ = samples
    alone = deniable("score", model, one_file, "--design", its_design)
    assert alone.code == 1
    assert "--with" in alone.err
    assert "--personal-bits" in alone.err
    sample = deniable("score", model, *asked(samples), "--of", "sample")
    assert sample.code == 1
    assert "--of population" in sample.err


def test_naive_bayes_of_two_samples_says_what_its_errors_are_about(
    deniable: Command, samples: list[tuple[Path, Path]]
) -> None:
    done = deniable("mine", "bayes", *asked(samples), "--target", "ill")
    assert done.code == 0, done.err
    assert "standard errors are about the population." in done.out
    assert "these respondents" not in done.out
