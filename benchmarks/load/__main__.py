"""Measure the survey server under load, beside the minimal handler, in turns.

    python -m benchmarks.load [--answers 20000] [--connections 50] [--long 200000]
    python -m benchmarks.load --attacks [--seconds 15]

Every answer carries a token of its own, which the server verifies. With --attacks, 50 answers a
second come while somebody attacks, in one way after the other. Exits with 1 if a bar is missed.
"""

import argparse
import os
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

import numpy as np
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from benchmarks.load.attacks import ATTACKS, under_attack
from benchmarks.load.clients import Load, send_all, send_at_rate
from deniable.survey.invitations import signing_key
from deniable.survey.protocol import REPORT_LETTERS, Submission, receipt_id
from deniable.survey.questionnaire import EXAMPLE, Survey, load
from deniable.survey.store.database import SurveyDatabase
from deniable.survey.store.store import Store
from deniable.survey.tokens import Token

SHARE = 0.5
RATE = 50
SLOWEST_UNDER_ATTACK = 250.0
SLOWEST = 100.0
GROWTH = 1.1


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    parser.add_argument("--answers", type=int, default=20_000)
    parser.add_argument("--connections", type=int, default=50)
    parser.add_argument("--long", type=int, default=200_000, help="answers of the memory run")
    parser.add_argument("--attacks", action="store_true", help="only what attacks do to answers")
    parser.add_argument("--seconds", type=int, default=15, help="of each attack")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        survey_file = folder / "survey.yaml"
        survey_file.write_text(EXAMPLE.replace("invitations: no", "invitations: yes"))
        survey = load(survey_file)
        if not survey.invitations:
            raise SystemExit("the example survey does not say 'invitations: no'")
        store = Store(SurveyDatabase(survey_file.with_suffix(".db")), survey)
        pem = signing_key(store).pem()
        store.database.close()
        if options.attacks:
            return _attacked(survey_file, survey, pem, options.seconds)
        print(f"making {options.answers:,} tokens …", flush=True)
        bodies = _bodies(survey, pem, options.answers)
        ours, peers = [], []
        half = len(bodies) // 2
        for turn, part in enumerate((bodies[:half], bodies[half:])):
            with _minimal(folder / f"minimal-{turn}.db") as (port, _):
                peers.append(send_all(port, part, options.connections))
            with _survey(survey_file) as (port, _):
                ours.append(send_all(port, part, options.connections))
        missed = _compare(ours, peers)
        if options.long:
            missed += _long(survey_file, survey, pem, options.long, options.connections)
    return int(bool(missed))


def _compare(ours: Sequence[Load], peers: Sequence[Load]) -> int:
    for name, loads in (("minimal handler", peers), ("survey", ours)):
        for found in loads:
            print(f"{name}: {found.rate:,.0f} answers/s, p99 {found.slowest:.0f} ms", flush=True)
    ratio = max(found.rate for found in ours) / max(found.rate for found in peers)
    slowest = min(found.slowest for found in ours)
    print(f"ratio {ratio:.2f} (bar {SHARE}), p99 {slowest:.0f} ms (bar {SLOWEST:.0f} ms)")
    return int(ratio < SHARE) + int(slowest > SLOWEST)


def _attacked(survey_file: Path, survey: Survey, pem: str, seconds: int) -> int:
    """Answers while each attack goes on, beside the same answers while none does."""
    print(f"making {RATE * seconds * (1 + len(ATTACKS)):,} tokens …", flush=True)
    bodies = iter(_bodies(survey, pem, RATE * seconds * (1 + len(ATTACKS))))
    missed = 0
    with _survey(survey_file) as (port, _):
        for name in ("no attack", *ATTACKS):
            with under_attack(name, port):
                found = send_at_rate(port, list(islice(bodies, RATE * seconds)), RATE)
            lost = int(np.isinf(found.milliseconds).sum())
            half = np.median(found.milliseconds)
            print(
                f"{name}: p50 {half:.0f} ms, p99 {found.slowest:.0f} ms, {lost} lost "
                f"of {found.answers:,} (bar {SLOWEST_UNDER_ATTACK:.0f} ms)",
                flush=True,
            )
            missed += int(found.slowest > SLOWEST_UNDER_ATTACK)
    return int(bool(missed))


def _long(survey_file: Path, survey: Survey, pem: str, answers: int, connections: int) -> int:
    """Memory after a tenth of the answers, and after all of them."""
    print(f"making {answers:,} tokens …", flush=True)
    bodies = _bodies(survey, pem, answers)
    parts = [bodies[start : start + answers // 10] for start in range(0, answers, answers // 10)]
    with _survey(survey_file) as (port, process):
        sizes = []
        for part in parts:
            found = send_all(port, part, connections)
            sizes.append(_mebibytes(process))
            print(f"{found.rate:,.0f} answers/s, {sizes[-1]:.0f} MiB", flush=True)
    growth = sizes[-1] / sizes[0]
    print(f"memory grew by a factor of {growth:.2f} (bar {GROWTH})")
    return int(growth > GROWTH)


def _bodies(survey: Survey, pem: str, number: int) -> list[bytes]:
    workers = os.cpu_count() or 1
    parts = [len(range(start, number, workers)) for start in range(workers)]
    with ProcessPoolExecutor(workers) as pool:
        made = pool.map(_tokens, [pem] * workers, parts)
        tokens = [token for part in made for token in part]
    report = REPORT_LETTERS[0] * len(survey.design.schema)
    fingerprint = survey.fingerprint
    return [
        Submission(
            fingerprint, receipt_id(secrets.token_bytes(10)), token, "disguised", "page", 2, report
        ).encode()
        for token in tokens
    ]


def _tokens(pem: str, number: int) -> list[str]:
    """Sign directly: a token that was never blinded verifies just the same."""
    key = serialization.load_pem_private_key(pem.encode(), None)
    assert isinstance(key, rsa.RSAPrivateKey)
    scheme = padding.PSS(padding.MGF1(hashes.SHA384()), 48)
    made = []
    for _ in range(number):
        prepared = secrets.token_bytes(48)
        made.append(Token(prepared, key.sign(prepared, scheme, hashes.SHA384())).encode())
    return made


@contextmanager
def _survey(file: Path) -> Iterator[tuple[int, int]]:
    port = _free_port()
    with _running([sys.executable, "-m", "deniable", "survey", "serve", file, "--port", port]) as p:
        yield port, _waited(p, port)


@contextmanager
def _minimal(database: Path) -> Iterator[tuple[int, int]]:
    port = _free_port()
    with _running([sys.executable, "-m", "benchmarks.load.minimal", database, port]) as process:
        yield port, _waited(process, port)


@contextmanager
def _running(command: Sequence[object]) -> Iterator["subprocess.Popen[bytes]"]:
    process = subprocess.Popen([*map(str, command)], stdout=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


def _waited(process: "subprocess.Popen[bytes]", port: int) -> int:
    while process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return process.pid
    raise RuntimeError("the server did not start")


def _mebibytes(process: int) -> float:
    """What it holds in memory, by /proc."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


if __name__ == "__main__":
    sys.exit(main())
