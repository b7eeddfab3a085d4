"""A paper that nobody wrote, for tests of the frame: its work is a few random numbers."""

import os
import time
from pathlib import Path

from deniable.papers.reproduction.experiment import Effort, Experiment, Measured, Paper, Setting
from deniable.papers.reproduction.measurements import Measurements
from deniable.papers.reproduction.paper_claims import PaperClaim, Ruling
from deniable.papers.reproduction.paper_figures import Figure, Panel, Series
from deniable.papers.reproduction.seeds import Seeds

THETAS = ("0.6", "0.8", "1")
DIARY = "PRETENDED_DIARY"
"""An environment variable that names a folder where each piece of work leaves a trace."""

SLOW = "PRETENDED_SLOWNESS"
"""And one that says how many seconds a piece takes."""


def work(setting: Setting, repeats: range, seeds: Seeds) -> Measured:
    if diary := os.environ.get(DIARY):
        Path(diary, f"{setting['theta']}-{repeats.start}-{time.time_ns()}").touch()
    time.sleep(float(os.environ.get(SLOW, "0")))
    noise = 1 - float(setting["theta"])
    right = [float(setting["theta"]) + noise * seeds.repeat(r).normal() / 50 for r in repeats]
    return {"accuracy": right, "shared": [float(seeds.shared("split").normal())] * len(repeats)}


def experiments(effort: Effort) -> list[Experiment]:
    settings = [{"theta": theta} for theta in THETAS]
    return [Experiment("pretended", work, settings, effort.repeats(8, 4), chunk=2)]


def line(found: Measurements) -> Series:
    points = [(float(t), found.values("pretended", "accuracy", theta=t)) for t in THETAS]
    return Series("accuracy", {"set": "none", "scheme": "pretended"}, points)


def figures(found: Measurements) -> list[Figure]:
    only = line(found)
    whole = [Panel("Mean", [only]), Panel("Variance", [only], "variance")]
    return [Figure("P-1", "Figure 1 <of> nobody", "A line.", whole)]


def rises(found: Measurements) -> Ruling:
    means = [found.mean("pretended", "accuracy", theta=theta) for theta in THETAS]
    return Ruling(means == sorted(means), ", ".join(f"{mean:.3f}" for mean in means))


def falls(found: Measurements) -> Ruling:
    return Ruling(not rises(found).holds, rises(found).measured)


RISES = PaperClaim("P-rises", "It rises.", "in order", rises)
FALLS = PaperClaim("P-falls", "It falls.", "in order", falls)
FALLS_NOT = PaperClaim(
    "P-falls-not", "It falls, says nobody.", "in order", falls, unmet="It rises."
)


def paper(*claims: PaperClaim) -> Paper:
    return Paper("P", "A pretended paper", "Nobody", "Not much.", (), experiments, figures, claims)
