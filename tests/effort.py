"""How much work something takes, in calls of functions: the same on every machine."""

import sys
from collections import Counter
from collections.abc import Callable
from types import FrameType
from typing import Any


def calls_of(action: Callable[[], object]) -> Counter[str]:
    """Count the calls, by name, of functions of Python and of its libraries."""
    count: Counter[str] = Counter()

    def note(frame: FrameType, event: str, arg: Any) -> None:
        if event == "call":
            count[frame.f_code.co_name] += 1
        elif event == "c_call":
            count[arg.__name__] += 1

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        action()
    finally:
        sys.setprofile(before)
    return count
