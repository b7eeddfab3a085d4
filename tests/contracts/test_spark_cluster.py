"""A cluster of two workers counts several shards; losing one of them changes nothing."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

from contracts.spark import cluster, eventually, fetched, free_port
from deniable.design import Design
from deniable.engine import Records
from deniable.source.disguise import disguise_records
from deniable.source.randomness import SeededBits
from deniable.source.stream import disguised_table

SHARDS = 12
TARGET = "q0"
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


def write_shards(folder: Path, records: int) -> Path:
    (shards := folder / "shards").mkdir()
    DESIGN.save(folder / "design.yaml")
    rng, bits = np.random.default_rng(8), SeededBits(8)
    for number in range(SHARDS):
        codes = [rng.integers(0, size, records) for size in DESIGN.schema.sizes]
        codes[0] = np.where(rng.random(records) < 0.8, codes[1] & codes[3] | codes[5], codes[0])
        reports = disguise_records(Records.from_codes(codes, DESIGN.schema), None, DESIGN, bits)
        pq.write_table(disguised_table(reports, DESIGN), shards / f"part-{number:02}.parquet")
    return shards


def started(folder: Path, name: str, out: str, *words: str) -> subprocess.Popen[str]:
    """Start a command that mines."""
    kind, *options = words
    command = [sys.executable, "-m", "deniable", "mine", kind, name, *options]
    command += ["--design", str(folder / "design.yaml"), "--out", str(folder / out)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def mined(folder: Path, name: str, *words: str) -> bytes:
    """The model file that a command writes."""
    process = started(folder, name, "model.json", *words)
    said = process.communicate()
    assert process.returncode == 0, said
    return (folder / "model.json").read_bytes()


TREE = ("tree", "--target", TARGET)

EVERY_MODEL = """
import sys
from pathlib import Path
from deniable import *
name, folder = sys.argv[1], Path(sys.argv[2])
oracle = RandomizedOracle(name, Design.load(folder / "design.yaml"))
save_model(mine_tree(oracle, "q0"), folder / "tree.json")
save_model(mine_bayes(oracle, "q0"), folder / "bayes.json")
save_model(mine_rules(oracle, support=0.2, confidence=0.5), folder / "rules.json")
"""


def test_two_workers_give_the_same_models_byte_for_byte(tmp_path: Path) -> None:
    shards = write_shards(tmp_path, records=2000)
    found = []
    with cluster(tmp_path) as spark:
        for name in (spark.url(shards), str(shards)):
            command = [sys.executable, "-W", "error", "-c", EVERY_MODEL, name, str(tmp_path)]
            subprocess.run(command, check=True, capture_output=True)
            models = ("tree.json", "bayes.json", "rules.json")
            found.append([(tmp_path / model).read_bytes() for model in models])
    assert found[0] == found[1]


def test_a_worker_lost_in_the_middle_changes_nothing(tmp_path: Path) -> None:
    shards = write_shards(tmp_path, records=250_000)
    log, web = tmp_path / "events", free_port()
    log.mkdir()
    settings = {
        "spark.ui.enabled": "true",
        "spark.ui.port": str(web),
        "spark.eventLog.enabled": "true",
        "spark.eventLog.compress": "false",
        "spark.eventLog.dir": f"file:{log}",
    }
    with cluster(tmp_path) as spark:
        process = started(tmp_path, spark.url(shards, **settings), "far.json", *TREE)
        try:
            address = f"http://127.0.0.1:{web}/api/v1/applications"

            def both_at_work() -> bool:
                application = fetched(address)[0]["id"]
                executors = fetched(f"{address}/{application}/executors")
                busy = [each for each in executors if each["activeTasks"] > 0]
                done = sum(each["completedTasks"] for each in executors)
                return len(busy) == 2 and 0 < done < SHARDS

            eventually(both_at_work)
            spark.lose(0)
            said = process.communicate(timeout=120)
        finally:
            process.kill()
            process.wait()
        assert process.returncode == 0, said
        assert spark.alive() == 1
    files = [file for file in log.rglob("*") if file.is_file() and file.suffix != ".crc"]
    events = [json.loads(line) for file in files for line in file.read_text().splitlines()]
    kinds = [event["Event"] for event in events]
    assert kinds.count("SparkListenerExecutorRemoved") >= 1
    ends = [event for event in events if event["Event"] == "SparkListenerTaskEnd"]
    assert any(event["Task End Reason"]["Reason"] != "Success" for event in ends)
    here = mined(tmp_path, str(shards), *TREE)
    assert (tmp_path / "far.json").read_bytes() == here
