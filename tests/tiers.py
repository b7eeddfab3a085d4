"""Two tiers of tests: `make test` runs all, `make quick` leaves out those that are marked slow.

What starts something large asks here first, so that no test that does can forget its mark.
"""

import pytest

_running: list[pytest.Item] = []


def begin(item: pytest.Item) -> None:
    """Note which test runs, before its fixtures are made."""
    _running[:] = [item]


def heavy(what: str) -> None:
    """Allow what is slow to start in slow tests only."""
    for item in _running:
        assert item.get_closest_marker("slow"), f"it starts {what}: mark it with pytest.mark.slow"
