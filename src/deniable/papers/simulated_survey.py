"""A simulated survey: invented people, a real disguise, estimates beside the truth."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

from deniable.base.errors import OutputError
from deniable.base.extras import require_extra
from deniable.base.files import whole_file
from deniable.design import Design
from deniable.engine import Engine
from deniable.engine.memory.records import Records
from deniable.engine.open_table import open_table
from deniable.oracle.exact import ExactOracle
from deniable.oracle.randomized import RandomizedOracle
from deniable.papers.plot import comparison
from deniable.source.stream import disguise_file

EXPRESSIONS = (
    "drugs=yes",
    "cheated=yes",
    "abortion=yes",
    "income=high",
    "drugs=yes & cheated=yes",
    "drugs=yes & age=under 30",
    "abortion=yes & income=low & age=30 to 60",
)


@dataclass(frozen=True)
class ComparedCount:
    """One question: what was reported, what is estimated, and what was true; counts."""

    expression: str
    reported: float
    estimate: float
    low: float
    high: float
    truth: float


def design() -> Design:
    """Two answers share a coin, two have devices of their own, age is public."""
    return Design.of(
        {
            "attributes": {
                "drugs": ["no", "yes"],
                "cheated": ["no", "yes"],
                "abortion": ["no", "yes"],
                "income": ["low", "middle", "high"],
                "age": ["under 30", "30 to 60", "over 60"],
            },
            "groups": [
                {"attributes": ["drugs", "cheated"], "channel": "related", "theta": "4/5"},
                {
                    "attributes": ["abortion"],
                    "channel": "unrelated",
                    "theta": "0.7",
                    "personal": {"abortion": {"no": "3/4", "yes": "1/4"}},
                },
                {"attributes": ["income"], "channel": "keep-or-uniform", "theta": "0.6"},
            ],
        }
    )


def population(people: int, random_state: int = 2026) -> Records:
    """Invent people whose answers depend on each other, the same ones every time."""
    rng = np.random.default_rng(random_state)
    age = rng.choice(3, people, p=[0.3, 0.5, 0.2])
    drugs = rng.random(people) < np.array([0.22, 0.10, 0.03])[age]
    cheated = rng.random(people) < np.where(drugs, 0.35, 0.12)
    income = (rng.random(people)[:, None] > np.array([0.45, 0.85])).sum(axis=1)
    abortion = rng.random(people) < np.array([0.09, 0.06, 0.04])[income]
    return Records.from_codes([drugs, cheated, abortion, income, age], design().schema)


def run(people: int, folder: Path) -> list[ComparedCount]:
    """Disguise, estimate, compare; leave the files and a plot in a folder."""
    require_extra("plot", "The picture of estimates needs")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{folder} cannot be made: {error.strerror}.") from None
    truth, plan = population(people), design()
    raw, reports = folder / "raw.parquet", folder / "reports.parquet"
    with whole_file(raw) as temporary:
        pq.write_table(truth.to_arrow(), temporary)
    plan.save(folder / "design.yaml")
    disguise_file(raw, plan, reports)
    lines = compare(truth, open_table(reports).engine(plan.schema), plan)
    chart = comparison(lines, people)
    for kind in ("svg", "png"):
        with whole_file(folder / f"estimates.{kind}") as temporary:
            chart.save(str(temporary), format=kind, ppi=144)
    return lines


def compare(truth: Records, reports: Engine, plan: Design) -> list[ComparedCount]:
    """Count the same expressions three ways: as reported, through the disguise, in truth."""
    estimates = RandomizedOracle(reports, plan).count(EXPRESSIONS, of="sample")
    naive = RandomizedOracle(reports, Design.truthful(plan.schema)).count(EXPRESSIONS)
    exact = ExactOracle(truth, plan.schema).count(EXPRESSIONS)
    low, high = estimates.interval()
    columns = (naive.value, estimates.value, low, high, exact.value)
    return [
        ComparedCount(expression, *(float(column[i]) for column in columns))
        for i, expression in enumerate(EXPRESSIONS)
    ]
