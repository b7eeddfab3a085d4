"""Connections that send prepared bodies, one after the other, and note how long each took."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

HEAD = (
    "POST /api/answers HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    "Content-Length: {}\r\n\r\n"
)

PATIENCE = 30
"""Seconds after which an answer is given up."""


@dataclass(frozen=True)
class Load:
    """What so many connections saw."""

    answers: int
    seconds: float
    milliseconds: np.ndarray

    @property
    def rate(self) -> float:
        """Answers a second."""
        return self.answers / self.seconds

    @property
    def slowest(self) -> float:
        """The 99th percentile, in milliseconds; of those that were lost, without end."""
        return float(np.percentile(self.milliseconds, 99, method="higher"))


def send_all(port: int, bodies: Sequence[bytes], connections: int) -> Load:
    """Send every body once."""
    return asyncio.run(_send_all(port, bodies, connections))


def send_at_rate(port: int, bodies: Sequence[bytes], rate: float) -> Load:
    """Send so many a second, each by a connection of its own, as people come.

    Each is timed from the moment at which it was due: who is held up holds up nobody else.
    """
    return asyncio.run(_send_at_rate(port, bodies, rate))


async def _send_at_rate(port: int, bodies: Sequence[bytes], rate: float) -> Load:
    begin = time.perf_counter()
    took: list[float] = []

    async def person(due: float, body: bytes) -> None:
        await asyncio.sleep(begin + due - time.perf_counter())
        try:
            async with asyncio.timeout(PATIENCE):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                await _answer(reader, writer, body)
                writer.close()
        except (OSError, asyncio.IncompleteReadError, TimeoutError):
            took.append(float("inf"))
        else:
            took.append(1000 * (time.perf_counter() - begin - due))

    await asyncio.gather(*(person(n / rate, body) for n, body in enumerate(bodies)))
    return Load(len(took), time.perf_counter() - begin, np.array(took))


async def _send_all(port: int, bodies: Sequence[bytes], connections: int) -> Load:
    left = iter(bodies)
    took: list[float] = []

    async def client() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for body in left:
            begin = time.perf_counter()
            await _answer(reader, writer, body)
            took.append(1000 * (time.perf_counter() - begin))
        writer.close()

    begin = time.perf_counter()
    await asyncio.gather(*(client() for _ in range(connections)))
    return Load(len(took), time.perf_counter() - begin, np.array(took))


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, body: bytes) -> None:
    writer.write(HEAD.format(len(body)).encode() + body)
    head = await reader.readuntil(b"\r\n\r\n")
    if not head.startswith(b"HTTP/1.1 200"):
        raise RuntimeError(head.decode() + (await reader.read(300)).decode())
    length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r")[0])
    await reader.readexactly(length)
