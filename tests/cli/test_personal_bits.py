"""`deniable score --personal-bits`, against a few lines of arithmetic."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from numpy.typing import NDArray

from commanding import Command
from deniable import ExactOracle, Schema, mine_tree, save_model

N, OTHERS, THETA = 6000, 900, 0.7
WORDS = np.array(["no", "yes"])

DESIGN = f"""\
attributes: {{smokes: ["no", "yes"], ill: ["no", "yes"], region: [north, south]}}
groups:
  - {{attributes: [smokes, ill], channel: unrelated, theta: {THETA}, personal: unknown}}
"""


@dataclass(frozen=True)
class Study:
    """Files of one survey, and what each person's classifier said of the personal answers."""

    model: Path
    design: Path
    reports: Path
    right_on_reports: NDArray[np.bool_]
    bits: NDArray[np.bool_]

    def score(self, deniable: Command, bits: object, *more: object) -> Any:
        done = deniable(
            "score", self.model, self.reports, "--design", self.design,
            "--personal-bits", bits, *more, "--json",
        )  # fmt: skip
        assert done.code == 0, done.err
        return json.loads(done.out)

    def refused(self, deniable: Command, *more: object) -> str:
        done = deniable("score", self.model, self.reports, "--design", self.design, *more)
        assert done.code == 1
        assert done.err.count("\n") <= 2
        return str(done.err)


def write(path: Path, **columns: Any) -> Path:
    pq.write_table(pa.table(columns), path)
    return path


@pytest.fixture
def study(deniable: Command, tmp_path: Path) -> Study:
    """Who smokes is ill, says the model; 85 % of the private answers agree, 40 % of the others."""
    rng = np.random.default_rng(5)
    smokes = rng.random(N) < 0.4
    ill = smokes ^ (rng.random(N) > 0.85)
    lake = rng.random(N) < 0.5
    spring = lake ^ (rng.random(N) > 0.4)
    bits = lake == spring
    raw = write(
        tmp_path / "raw.parquet",
        smokes=WORDS[smokes.astype(int)],
        ill=WORDS[ill.astype(int)],
        region=np.array(["north", "south"])[rng.integers(2, size=N)],
        **{"personal.smokes": WORDS[lake.astype(int)], "personal.ill": WORDS[spring.astype(int)]},
    )
    design, reports = tmp_path / "design.yaml", tmp_path / "reports.parquet"
    design.write_text(DESIGN, encoding="utf-8")
    done = deniable("disguise", raw, "--design", design, "--out", reports, "--random-state", 6)
    assert done.code == 0, done.err
    schema = Schema.of({"smokes": ["no", "yes"], "ill": ["no", "yes"]})
    learned = {"smokes": ["no"] * 50 + ["yes"] * 50, "ill": ["no"] * 45 + ["yes"] * 55}
    save_model(mine_tree(ExactOracle(learned, schema), "ill"), tmp_path / "model.json")
    told = pq.read_table(reports)
    right = told["smokes"].to_numpy() == told["ill"].to_numpy()
    return Study(tmp_path / "model.json", design, reports, right, bits)


def test_bits_of_the_same_people_give_the_accuracy_and_its_error(
    deniable: Command, study: Study, tmp_path: Path
) -> None:
    told = study.score(
        deniable, write(tmp_path / "bits.parquet", right=WORDS[study.bits.astype(int)])
    )
    each = (study.right_on_reports - (1 - THETA) * study.bits) / THETA
    assert told["accuracy"] == pytest.approx(each.mean(), abs=1e-12)
    # A variance of 6000 people's values is off by √(2/6000) = 2 %, its root by 1 %; 4 of them.
    assert told["std_error"] == pytest.approx(each.std() / np.sqrt(N), rel=0.04)
    assert abs(told["accuracy"] - 0.85) < 4 * told["std_error"]
    assert told["personal_bits"] == {"share": study.bits.mean(), "n": N, "same_people": True}


def test_bits_of_other_people_add_their_own_error(
    deniable: Command, study: Study, tmp_path: Path
) -> None:
    others = np.random.default_rng(7).random(OTHERS) < 0.4
    path = tmp_path / "bits.csv"
    path.write_text("right\n" + "\n".join("1" if bit else "0" for bit in others) + "\n")
    told = study.score(deniable, path, "--other-people")
    reported, personal = study.right_on_reports.mean(), others.mean()
    accuracy = (reported - (1 - THETA) * personal) / THETA
    assert told["accuracy"] == pytest.approx(accuracy, abs=1e-12)
    variance = reported * (1 - reported) / N
    variance += (1 - THETA) ** 2 * personal * (1 - personal) / OTHERS
    assert told["std_error"] == pytest.approx(np.sqrt(variance) / THETA, abs=1e-12)
    refused = study.refused(deniable, "--personal-bits", path)
    assert "900 bits for 6000 reports" in refused
    assert "--other-people" in refused


def test_a_known_share_takes_no_bits(deniable: Command, study: Study) -> None:
    told = study.score(deniable, 0.4)
    reported = study.right_on_reports.mean()
    assert told["accuracy"] == pytest.approx((reported - 0.3 * 0.4) / THETA, abs=1e-12)
    error = np.sqrt(reported * (1 - reported) / N) / THETA
    assert told["std_error"] == pytest.approx(error, abs=1e-12)
    shown = deniable(
        "score", study.model, study.reports, "--design", study.design, "--personal-bits", 0.4
    )
    assert f"Accuracy {told['accuracy']:.4f}" in shown.out
    assert "known share 0.4" in shown.out


def test_bits_beside_the_reports_are_used_and_what_they_prove_is_counted(
    deniable: Command, study: Study, tmp_path: Path
) -> None:
    together = tmp_path / "together.parquet"
    table = pq.read_table(study.reports).append_column("right", pa.array(study.bits))
    pq.write_table(table, together)
    done = deniable(
        "score", study.model, together, "--design", study.design, "--personal-bits", "right"
    )
    each = (study.right_on_reports - (1 - THETA) * study.bits) / THETA
    assert f"Accuracy {each.mean():.4f}" in done.out
    proven = int((study.right_on_reports != study.bits).sum())
    assert f"prove {proven:,} of 6,000" in done.err
    both = deniable(
        "score", study.model, together, "--design", study.design, "--personal-bits", "right",
        "--other-people",
    )  # fmt: skip
    assert both.code == 1
    assert "of the same people" in both.err


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("right\nyes\nmaybe\n", "row 2: 'maybe' is no bit"),
        ('right\nyes\n""\n', "row 2: a bit is missing"),
        ("right,who\nyes,me\n", "has 2 columns"),
        ("right\n", "has no records"),
    ],
)
def test_a_file_that_holds_no_bits_is_refused(
    deniable: Command, study: Study, tmp_path: Path, text: str, problem: str
) -> None:
    path = tmp_path / "bits.csv"
    path.write_text(text, encoding="utf-8")
    assert problem in study.refused(deniable, "--personal-bits", path, "--other-people")


def test_what_bits_cannot_tell_is_refused_with_a_way_out(
    deniable: Command, study: Study, tmp_path: Path
) -> None:
    assert "neither zeros and ones" in study.refused(deniable, "--personal-bits", 1.5)
    assert "does not exist" in study.refused(deniable, "--personal-bits", tmp_path / "no.csv")
    again = ("--with", f"{tmp_path / 'more.parquet'}:{study.design}")
    assert "need no bits" in study.refused(deniable, "--personal-bits", 0.5, *again)
    plain = deniable("score", study.model, study.reports, "--personal-bits", 0.5)
    assert plain.code == 1
    assert "--design" in plain.err
    schema = Schema.of({"region": ["north", "south"], "ill": ["no", "yes"]})
    learned = {"region": ["north", "south"] * 50, "ill": ["no", "yes"] * 50}
    save_model(mine_tree(ExactOracle(learned, schema), "ill"), tmp_path / "wide.json")
    done = deniable(
        "score", tmp_path / "wide.json", study.reports, "--design", study.design,
        "--personal-bits", 0.5,
    )  # fmt: skip
    assert done.code == 1
    assert "which leaves out 'region'" in done.err
    assert "--with" in done.err
