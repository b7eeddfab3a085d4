"""Seeds of an experiment: each follows from the report's seed and the name of what it is for.

So nothing depends on the order in which the work is done, or on how many processes do it.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from deniable.base.fingerprint import digest_of_json

HEX_DIGITS = 8
"""Hexadecimal digits in 32 bits."""


@dataclass(frozen=True)
class Seeds:
    """Where the random numbers of one setting of one paper's experiments come from."""

    report: int
    """The seed of the whole report."""

    paper: str
    setting: Mapping[str, str]

    def repeat(self, number: int, use: str = "") -> np.random.Generator:
        """Give the generator of one repeat, the same one whoever asks.

        Experiments of a paper that have a setting in common meet the same disguise in a repeat, so
        that what they measure can be compared pair by pair. A `use` begins another stream.
        """
        return self._of_setting({"repeat": str(number), "use": use})

    def chunk(self, repeats: range, use: str = "") -> np.random.Generator:
        """Give one generator for several repeats at once."""
        span = f"{repeats.start}-{repeats.stop}"
        return self._of_setting({"repeats": span, "use": use})

    def shared(self, *names: str) -> np.random.Generator:
        """Give a generator that all papers and settings share: for the split of a set, say."""
        return _generator(self.report, {"shared": ", ".join(names)})

    def _of_setting(self, names: Mapping[str, str]) -> np.random.Generator:
        return _generator(self.report, {"paper": self.paper, **self.setting, **names})


def _generator(report: int, names: Mapping[str, str]) -> np.random.Generator:
    digest = digest_of_json(dict(names))
    words = [int(digest[at : at + HEX_DIGITS], 16) for at in range(0, len(digest), HEX_DIGITS)]
    return np.random.default_rng([report, *words])
