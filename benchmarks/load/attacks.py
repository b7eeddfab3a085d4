"""What somebody on the net could do to a survey's server, in a process of their own."""

import asyncio
import multiprocessing
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress

from deniable.survey.server.open_connections import allow_files

LOGIN = (
    b"POST /researcher/login HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
    b"Content-Length: 18\r\n\r\npassword=%09d"
)
BEGUN = b"POST /api/answers HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2000\r\n\r\n"

BEGINNING = 3
"""Seconds in which they come, one after the other."""

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def _connected(port: int, number: int) -> Streams:
    """Connect from one of 400 addresses."""
    address = f"127.1.{number % 20}.{1 + number // 20 % 20}"
    return await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))


async def _endless_header(port: int, number: int) -> None:
    _, writer = await _connected(port, number)
    writer.write(b"GET / HTTP/1.1\r\nX-A: ")
    while True:
        writer.write(b"a" * 65_536)
        await writer.drain()


def _slow(first: bytes) -> Callable[[int, int], Awaitable[None]]:
    """Send something, then a byte from time to time."""

    async def slow(port: int, number: int) -> None:
        _, writer = await _connected(port, number)
        writer.write(first)
        while True:
            await asyncio.sleep(2)
            writer.write(b"a")
            await writer.drain()

    return slow


async def _flood(port: int, number: int) -> None:
    _, writer = await _connected(port, number)
    writer.close()
    await asyncio.sleep(0.1)


async def _wrong_password(port: int, number: int) -> None:
    """Try one, together with all others, once a second."""
    await asyncio.sleep(1 - time.time() % 1)
    reader, writer = await _connected(port, number)
    writer.write(LOGIN % (time.time_ns() % 10**9))
    await reader.read()
    writer.close()


async def _many_at_once(port: int, number: int) -> None:
    reader, writer = await _connected(port, number)
    writer.write(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 5_000)
    await reader.read()
    writer.close()
    await asyncio.sleep(0.5)


ATTACKS: dict[str, tuple[int, Callable[[int, int], Awaitable[None]]]] = {
    "10 headers without end": (10, _endless_header),
    "4,000 slow headers": (4_000, _slow(b"GET / HTTP/1.1\r\nX-A: ")),
    "4,000 slow bodies": (4_000, _slow(BEGUN)),
    "500 new connections a second": (50, _flood),
    "10 times 5,000 requests at once": (10, _many_at_once),
    "300 wrong passwords a second": (300, _wrong_password),
}
"""How many do what, again and again."""


@contextmanager
def under_attack(name: str, port: int) -> Iterator[None]:
    """Attack while the block runs, if there is an attack of this name."""
    if name not in ATTACKS:
        yield
        return
    begun = multiprocessing.Event()
    process = multiprocessing.Process(target=_attack, args=(name, port, begun), daemon=True)
    process.start()
    begun.wait(60)
    try:
        yield
    finally:
        process.terminate()
        process.join()


def _attack(name: str, port: int, begun: "multiprocessing.synchronize.Event") -> None:
    allow_files()
    asyncio.run(_all(name, port, begun))


async def _all(name: str, port: int, begun: "multiprocessing.synchronize.Event") -> None:
    number, attack = ATTACKS[name]

    async def again_and_again(which: int) -> None:
        await asyncio.sleep(which / number * BEGINNING)
        while True:
            with suppress(OSError):
                await attack(port, which)
            await asyncio.sleep(0)

    attackers = [asyncio.create_task(again_and_again(which)) for which in range(number)]
    await asyncio.sleep(BEGINNING + 1)
    begun.set()
    await asyncio.gather(*attackers)
