import os
import sys
import warnings
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

import tiers
from absence import summarize
from commanding import Command, Outcome
from deniable.cli import main
from deniable.design import Design

# Two cores are shared by several workers: a slow example is not a bug. Examples are the same in
# every run: a failure is a failure.
settings.register_profile(
    "deniable", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("deniable")

SWAYING = ("COLUMNS", "LINES", "FORCE_COLOR", "NO_COLOR", "PYTHON", "PG", "SPARK_")
"""How the names of those variables begin that a shell may set and a test would feel."""

for name in [name for name in os.environ if name.startswith(SWAYING)]:
    if name != "PYTHONPATH":
        del os.environ[name]

DESIGN = """\
attributes:
  smokes: [no, yes]
  drinks: ["no", "yes"]
  income: [low, high]
  region: [north, south, west]
groups:
  - attributes: [smokes, drinks]
    channel: related
    theta: 4/5
  - attributes: [income]
    channel: unrelated
    theta: 0.7
    personal: {income: {low: 0.5, high: 0.5}}
"""


@pytest.fixture
def deniable(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Run the command line in this process."""

    def run(*words: object) -> Outcome:
        monkeypatch.setattr(sys, "argv", ["deniable", *map(str, words)])
        capsys.readouterr()
        with warnings.catch_warnings():
            warnings.simplefilter("always", UserWarning)
            try:
                main()
                code = 0
            except SystemExit as stop:
                code = int(stop.code or 0)
        captured = capsys.readouterr()
        return Outcome(code, captured.out, captured.err)

    return run


@pytest.fixture
def design_file(tmp_path: Path) -> Path:
    path = tmp_path / "design.yaml"
    path.write_text(DESIGN, encoding="utf-8")
    return path


@pytest.fixture
def design(design_file: Path) -> Design:
    return Design.load(design_file)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Let what is large know whose it would be."""
    tiers.begin(item)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what was left out."""
    summarize(terminalreporter)
