from collections.abc import Iterator
from threading import current_thread

import pytest

from deniable.base.pipeline import stage
from waiting import eventually, stages_under_way


class Source:
    """Numbers, and what became of whoever makes them."""

    def __init__(self, broken_at: int | None = None) -> None:
        self.made: list[int] = []
        self.thread = self.closed_in = ""
        self._broken_at = broken_at

    def numbers(self) -> Iterator[int]:
        self.thread = current_thread().name
        try:
            for number in range(1000):
                if number == self._broken_at:
                    raise ValueError("no such number")
                self.made.append(number)
                yield number
        finally:
            self.closed_in = current_thread().name


def test_items_come_in_order_from_another_thread() -> None:
    source = Source()
    with stage(source.numbers()) as numbers:
        assert list(numbers) == list(range(1000))
    assert source.thread != current_thread().name
    assert not stages_under_way()


def test_no_more_are_made_ahead_than_there_is_room_for() -> None:
    source = Source()
    with stage(source.numbers(), ahead=3) as numbers:
        assert next(numbers) == 0
        eventually(lambda: len(source.made) == 4)
    assert source.made == [0, 1, 2, 3]


def test_what_fails_is_raised_where_items_are_taken() -> None:
    with stage(Source(broken_at=5).numbers()) as numbers:
        assert [next(numbers) for _ in range(5)] == [0, 1, 2, 3, 4]
        with pytest.raises(ValueError, match="no such number"):
            next(numbers)
    assert not stages_under_way()


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, OSError])
def test_whoever_stops_in_the_middle_leaves_no_thread_and_nothing_open(
    error: type[BaseException],
) -> None:
    source = Source()

    def stopped() -> None:
        with stage(source.numbers()) as numbers, stage(2 * number for number in numbers) as even:
            assert next(even) == 0
            raise error

    with pytest.raises(error):
        stopped()
    assert not stages_under_way()
    assert source.closed_in == source.thread
    assert len(source.made) < 1000


def test_a_failure_passes_through_the_stages_behind_it() -> None:
    source = Source(broken_at=5)
    with (
        pytest.raises(ValueError, match="no such number"),
        stage(source.numbers()) as numbers,
        stage(2 * number for number in numbers) as doubled,
        stage(number + 1 for number in doubled) as odd,
    ):
        assert list(odd)
    assert not stages_under_way()


def test_a_stage_that_is_not_apart_is_no_thread() -> None:
    source = Source()
    with stage(source.numbers(), apart=False) as numbers:
        assert next(numbers) == 0
    assert source.thread == current_thread().name
    assert source.made == [0]


def test_nobody_waits_for_items_that_are_made_no_more() -> None:
    with stage(Source().numbers(), ahead=2) as numbers:
        assert next(numbers) == 0
    assert len(list(numbers)) <= 2
