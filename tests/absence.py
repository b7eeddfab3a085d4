"""What a test needs and a machine may lack: outside CI, tests are left out, and that is said."""

import os
from typing import NoReturn

import pytest

PREFIX = "left out: "
"""How the reason of every test begins that was skipped because something is missing."""

IN_CI = "CI" in os.environ


def leave_out(what: str, remedy: str) -> NoReturn:
    """Skip the running test; in CI, fail."""
    (pytest.fail if IN_CI else pytest.skip)(f"{PREFIX}{what}. {remedy}")


def summarize(reporter: pytest.TerminalReporter) -> None:
    """Say what was left out and what to do about it, where nobody can overlook it."""
    counts: dict[str, int] = {}
    for report in reporter.stats.get("skipped", []):
        _, found, reason = str(report.longrepr[2]).partition(PREFIX)
        if found:
            counts[reason] = counts.get(reason, 0) + 1
    if counts:
        reporter.section(f"{sum(counts.values())} TESTS WERE LEFT OUT", red=True)
        for reason, number in counts.items():
            reporter.line(f"{number}: {reason}")
