"""A cluster of two workers counts several shards; losing one of them changes nothing."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from commanding import Command
from contracts.spark import Cluster, Worker, cluster, fetched
from deniable.design import Design
from deniable.engine import Records
from deniable.source.disguise import disguise_records
from deniable.source.randomness import SeededBits
from deniable.source.stream import disguised_table
from waiting import PATIENCE, eventually, free_port

pytestmark = pytest.mark.slow

SHARDS = 12
DESIGN = Design.of(
    {
        "attributes": {
            **{f"q{number}": ["no", "yes"] for number in range(8)},
            "region": ["north", "middle", "south"],
        },
        "groups": [
            {"attributes": ["q0", "q1", "q2"], "channel": "related", "theta": "4/5"},
            {"attributes": ["q3", "q4"], "channel": "related", "theta": "3/4"},
        ],
    }
)

MODELS = {
    "tree": ["--target", "q0"],
    "bayes": ["--target", "q0"],
    "rules": ["--min-support", "0.2", "--min-confidence", "0.5"],
}

SEVERAL = """
import json, sys
from deniable.cli import main
for words in json.loads(sys.argv[1]):
    sys.argv = ["deniable", *words]
    try:
        main()
    except SystemExit as stop:
        assert not stop.code
"""
"""Commands one after another, in one process."""

ONE_TASK_PER_SHARD = {"spark.sql.files.maxPartitionBytes": "100k"}
WAIT_FOR_BOTH = {"spark.cores.max": "2", "spark.scheduler.minRegisteredResourcesRatio": "1.0"}

IMPATIENT = """
import deniable.engine.spark.spark_session as session
assert session.SPARK_PATIENCE > 2
session.SPARK_PATIENCE = 2
import deniable.__main__
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Shards of disguised records, and their design."""
    folder = tmp_path_factory.mktemp("disguised")
    DESIGN.save(folder / "design.yaml")
    (folder / "shards").mkdir()
    rng, bits, many = np.random.default_rng(8), SeededBits(8), 20_000
    for number in range(SHARDS):
        codes = [rng.integers(0, size, many) for size in DESIGN.schema.sizes]
        codes[0] = np.where(rng.random(many) < 0.8, codes[1] & codes[3] | codes[5], codes[0])
        reports = disguise_records(Records.from_codes(codes, DESIGN.schema), None, DESIGN, bits)
        pq.write_table(disguised_table(reports, DESIGN), folder / f"shards/part-{number}.parquet")
    return folder


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with cluster(tmp_path_factory.mktemp("cluster")) as running:
        yield running


def words(kind: str, table: str, folder: Path, out: Path) -> list[str]:
    """What a user writes to mine a model."""
    design = str(folder / "design.yaml")
    return ["mine", kind, table, *MODELS[kind], "--design", design, "--out", str(out)]


@contextmanager
def running(*command: str) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, *command],
        env={**os.environ, "SPARK_LOCAL_IP": "127.0.0.1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def finished(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    said = process.communicate(timeout=PATIENCE)
    return process.returncode, *said


def test_two_workers_give_the_same_models_byte_for_byte(
    spark: Cluster, folder: Path, tmp_path: Path, deniable: Command
) -> None:
    table = spark.table(folder / "shards", **ONE_TASK_PER_SHARD)
    commands = [words(kind, table, folder, tmp_path / kind) for kind in MODELS]
    with running("-c", SEVERAL, json.dumps(commands)) as process:
        code, printed, noted = finished(process)
    assert code == 0, noted
    assert all(worker.executors() for worker in spark.workers)
    there = {kind: (tmp_path / kind).read_bytes() for kind in MODELS}
    here = [
        deniable(*words(kind, str(folder / "shards"), folder, tmp_path / kind)) for kind in there
    ]
    assert {kind: (tmp_path / kind).read_bytes() for kind in there} == there
    # Nothing else is printed: nothing of Java's, nothing of Spark's.
    assert printed == "".join(each.out for each in here)
    assert noted == "".join(each.err for each in here)


def test_a_worker_lost_in_the_middle_changes_nothing(
    spark: Cluster, folder: Path, tmp_path: Path, deniable: Command
) -> None:
    port, log = free_port(), tmp_path / "events"
    log.mkdir()
    settings = {
        **ONE_TASK_PER_SHARD,
        **WAIT_FOR_BOTH,
        "spark.ui.enabled": "true",
        "spark.ui.port": str(port),
        "spark.eventLog.enabled": "true",
        "spark.eventLog.compress": "false",
        "spark.eventLog.dir": log.as_uri(),
    }
    table, out = spark.table(folder / "shards", **settings), tmp_path / "there.json"
    worker = spark.workers[0]
    with running("-m", "deniable", *words("tree", table, folder, out)) as process:
        lost = stopped_at_work(worker, f"http://127.0.0.1:{port}/api/v1/applications")
        spark.lose(worker)
        code, _, noted = finished(process)
    assert code == 0, noted
    assert spark.alive() == 1
    here = tmp_path / "here.json"
    deniable(*words("tree", str(folder / "shards"), folder, here))
    assert out.read_bytes() == here.read_bytes()

    lines = [line for file in log.glob("*/events*") for line in file.read_text().splitlines()]
    events = list(map(json.loads, lines))
    assert lost in {each["Executor ID"] for each in of("SparkListenerExecutorRemoved", events)}
    ends = [each["Task End Reason"] for each in of("SparkListenerTaskEnd", events)]
    assert lost in {end.get("Executor ID") for end in ends if end["Reason"] != "Success"}
    asked = [each["physicalPlanDescription"] for each in of("SQLExecutionStart", events)]
    scans = [plan for plan in asked if "Scan parquet" in plan]
    assert scans
    assert all("HashAggregate" in plan for plan in scans)  # only counts come back


def stopped_at_work(worker: Worker, api: str) -> str:
    """Stop a worker's executor while a task of the large stage is on it; give its number.

    A task that the driver still waits for, although its executor no longer moves, is never done.
    """
    found = ""

    def at_work() -> bool:
        nonlocal found
        application = fetched(api)[0]["id"]
        (found,) = worker.executors(application)
        stages = fetched(f"{api}/{application}/stages?status=active")
        executors = fetched(f"{api}/{application}/executors")
        busy = [each["id"] for each in executors if each["activeTasks"]]
        return found in busy and any(stage["numTasks"] >= SHARDS for stage in stages)

    def stopped() -> bool:
        eventually(at_work)
        worker.send(signal.SIGSTOP)
        time.sleep(0.5)  # for what was already on its way to the driver
        if at_work():
            return True
        worker.send(signal.SIGCONT)
        return False

    eventually(stopped)
    return found


def of(kind: str, events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [event for event in events if event["Event"].endswith(kind)]


def test_a_cluster_that_loses_all_machines_is_given_up(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "model.json"
    with cluster(tmp_path, workers=1) as small:
        table = small.table(folder / "shards", **ONE_TASK_PER_SHARD)
        with running("-c", IMPATIENT, *words("tree", table, folder, out)) as process:
            eventually(small.workers[0].executors)
            small.lose(small.workers[0])
            code, printed, noted = finished(process)
    assert (code, printed) == (1, "")
    assert noted.splitlines()[-1].startswith(f"deniable: {small.url} has no machine for this work")
    assert not out.exists()
