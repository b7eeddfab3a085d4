"""The papers' data sets for tests, each only where it is on this machine."""

from pathlib import Path

from absence import leave_out
from deniable.base.errors import DataError
from deniable.papers.datasets import FOLDER_VARIABLE, data_set, find


def dataset(name: str) -> Path:
    """Give the file of a set, or leave the running test out."""
    try:
        return find(name)
    except DataError:
        what = "data sets are missing" if data_set(name).uci else "surveys are missing"
        leave_out(
            what, f"Run `deniable data fetch`, or name a folder that has them in {FOLDER_VARIABLE}."
        )
