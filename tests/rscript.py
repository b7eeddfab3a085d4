"""R, which runs the scripts that a survey's papers bring: for the tests, and for `make test`."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from absence import leave_out
from packages import installed
from tiers import heavy

PACKAGE = "r-base-core"
REMEDY = f"Install the package {PACKAGE}."


def run(script: Path, *words: str | Path) -> str:
    """Run a script; what it prints."""
    found = shutil.which("Rscript")
    if found is None:
        leave_out("R", REMEDY)
    heavy("R")
    command = [found, "--vanilla", script, *words]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def provide() -> bool:
    """See to it that there is one."""
    if shutil.which("Rscript"):
        return True
    print("There is no R here; the package manager installs it.")  # noqa: T201
    return installed(PACKAGE) and shutil.which("Rscript") is not None


if __name__ == "__main__" and not provide():
    print(f"There is no R, so its tests will be left out. {REMEDY}")  # noqa: T201
    sys.exit(int("CI" in os.environ))
