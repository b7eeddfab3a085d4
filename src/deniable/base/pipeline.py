"""Stages of a pipeline: each makes its items in a thread of its own, while others use them."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from queue import SimpleQueue
from threading import Event, Semaphore, Thread
from typing import Generic, TypeVar

Item = TypeVar("Item")

STAGE = "deniable stage"
"""What the threads are called."""


@contextmanager
def stage(items: Iterable[Item], *, ahead: int = 1, apart: bool = True) -> Iterator[Iterator[Item]]:
    """Make items in a thread of its own, at most so many before they are asked for.

    One is enough where items take about as long to be made as to be used.

    What fails there is raised where the items are taken. When the block ends, the thread has ended,
    at the latest with the item that it was making. Unless `apart`, no thread is started.

    >>> with stage(number**2 for number in range(4)) as squares:
    ...     list(squares)
    [0, 1, 4, 9]
    """
    if not apart:
        yield iter(items)
        return
    maker = _Maker(items, ahead)
    thread = Thread(target=maker.make, name=STAGE)
    try:  # from here on: an interruption may come between any two lines
        thread.start()
        yield maker.made()
    finally:
        maker.stop()
        if thread.ident is not None:
            thread.join()


class _Maker(Generic[Item]):
    """What the thread that makes items and the one that takes them have in common."""

    def __init__(self, items: Iterable[Item], ahead: int) -> None:
        self._items = iter(items)
        self._room = Semaphore(ahead)
        self._made: SimpleQueue[list[Item] | BaseException] = SimpleQueue()
        self._unwanted = Event()

    def make(self) -> None:
        """Make one item after the other, as long as there is room; an empty list is the end."""
        try:
            while self._room.acquire() and not self._unwanted.is_set():
                found = list(islice(self._items, 1))
                if not found:
                    break
                self._made.put(found)
        except BaseException as error:
            self._made.put(error)  # raised again where items are taken
        finally:
            self._made.put([])  # however it ended: nobody may wait for more
            close = getattr(self._items, "close", None)
            if close is not None:  # a generator, which may hold a file open
                close()

    def made(self) -> Iterator[Item]:
        """Take the items."""
        while found := self._made.get():
            if isinstance(found, BaseException):
                raise found
            self._room.release()
            yield from found

    def stop(self) -> None:
        """Have no more made."""
        self._unwanted.set()
        self._room.release()
