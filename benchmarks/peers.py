"""The peers live in `.venv-bench`, beside `.venv`; all versions are in requirements.txt."""

import hashlib
import os
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HOME = ROOT / ".venv-bench"
REQUIREMENTS = Path(__file__).with_name("requirements.txt")


def at_home() -> bool:
    """Whether this process runs where the peers are installed."""
    return Path(sys.prefix).resolve() == HOME.resolve()


def install() -> Path:
    """Make the environment, unless it stands as requirements.txt wants it; return its Python."""
    python = HOME / "bin" / "python"
    ready = HOME / "ready"
    wanted = hashlib.sha256(REQUIREMENTS.read_bytes()).hexdigest()
    if not ready.exists() or ready.read_text(encoding="utf-8") != wanted:
        print("Installing the peers into .venv-bench …", file=sys.stderr)
        venv.create(HOME, clear=True, with_pip=True)
        # The variable, unlike -r, also holds for the tools that build multi-freq-ldpy; as an
        # address, because the variable is split at spaces.
        environment = {**os.environ, "PIP_CONSTRAINT": REQUIREMENTS.as_uri()}
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "--requirement", str(REQUIREMENTS)], check=True, env=environment)
        ready.write_text(wanted, encoding="utf-8")
    return python


def run_at_home(arguments: Sequence[str]) -> int:
    """Run the benchmarks again, where the peers are; return the exit code."""
    command = [str(install()), "-m", "benchmarks", *arguments]
    return subprocess.run(command, check=False, cwd=ROOT, env=environment()).returncode


def environment() -> dict[str, str]:
    """Let a child process find this checkout's deniable, and no other one."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
