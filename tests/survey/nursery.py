"""Surveys that are served by processes which start quickly."""

import signal
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

import httpx

import forking
from forking import Command, Nursery
from survey.visitors import stranger
from waiting import eventually


def nursery_in(folder: Path) -> AbstractContextManager[Nursery]:
    """Open a nursery for `deniable survey`."""
    return forking.nursery_in(folder, "deniable.survey.server.serve", "psycopg")


@contextmanager
def served(
    nursery: Nursery,
    survey: Path,
    database: object,
    port: int,
    *options: object,
    plant: str = "",
) -> Iterator[Command]:
    """Run `deniable survey serve` until the block ends; it may have ended before."""
    words = ("survey", "serve", survey, "--database", database, "--port", port, *options)
    command = nursery.start(*words, plant=plant)
    try:
        _wait_until_healthy(f"http://127.0.0.1:{port}", command)
        yield command
    finally:
        command.end(signal.SIGKILL)


def _wait_until_healthy(url: str, command: Command) -> None:
    with stranger(url) as client:

        def healthy() -> bool:
            with suppress(httpx.TransportError):
                return client.get("/api/health").status_code == httpx.codes.OK
            return False

        eventually(healthy, otherwise=command.output.read_text)
