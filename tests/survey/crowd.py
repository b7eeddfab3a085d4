"""A crowd that answers a survey without a pause, and sends again whatever was not acknowledged."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import Event, Lock, Thread

import httpx

from deniable.survey.protocol import Submission
from survey.visitors import person, send, stranger
from waiting import PATIENCE, eventually

PAUSE = 0.05


class Crowd:
    """Clients that each send one answer after the other, and retry until it is acknowledged."""

    def __init__(self, url: str, survey: Mapping[str, object], clients: int) -> None:
        self._url = url
        self._survey = survey
        self._stop = Event()
        self._lock = Lock()
        self._threads = [Thread(target=self._answer) for _ in range(clients)]
        self.sent: dict[str, Submission] = {}
        self.acknowledged: dict[str, Submission] = {}
        self.refusals: list[str] = []
        self.retries = 0

    def start(self) -> None:
        """Begin to answer."""
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Send to the end what was begun, and begin nothing new."""
        self._stop.set()
        for thread in self._threads:
            thread.join(PATIENCE)
            assert not thread.is_alive(), "somebody was never acknowledged"

    def wait_for(self, *, acknowledged: int = 0, retries: int = 0) -> None:
        """Wait until so many more answers were acknowledged, and sent again."""
        enough = len(self.known()) + acknowledged
        felt = self.retries + retries
        eventually(lambda: len(self.known()) >= enough and self.retries >= felt)

    def known(self) -> dict[str, Submission]:
        """What has been acknowledged up to now."""
        with self._lock:
            return dict(self.acknowledged)

    def _answer(self) -> None:
        with stranger(self._url) as client:
            while not self._stop.is_set():
                answer = person(self._survey).answer
                with self._lock:
                    self.sent[answer.id] = answer
                if self._insist(client, answer):
                    with self._lock:
                        self.acknowledged[answer.id] = answer

    def _insist(self, client: httpx.Client, answer: Submission) -> bool:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                found = send(client, answer)
            except httpx.TransportError:
                found = None
            if found is not None and found.status_code == httpx.codes.OK:
                return True
            if found is not None and found.status_code != httpx.codes.SERVICE_UNAVAILABLE:
                self.refusals.append(f"{found.status_code}: {found.text}")
                return False
            self.retries += 1
            time.sleep(PAUSE)
        return False


@contextmanager
def crowd(url: str, survey: Mapping[str, object], clients: int = 4) -> Iterator[Crowd]:
    """Let a crowd answer while the block runs."""
    found = Crowd(url, survey, clients)
    found.start()
    try:
        yield found
    finally:
        found.stop()
