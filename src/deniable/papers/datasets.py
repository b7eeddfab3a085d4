"""The papers' data sets: what is in them, where they are found, and how they are fetched.

None of them is part of this package. Tests, benchmarks and commands find them here.
"""

import os
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deniable.base.errors import DataError, nearest
from deniable.base.extras import require_extra
from deniable.base.files import whole_file
from deniable.base.fingerprint import digest_of

if TYPE_CHECKING:
    import pandas as pd

FOLDER_VARIABLE = "DENIABLE_DATA"
"""The environment variable that names a folder of data sets."""

NETWORK_PATIENCE = 60.0
"""Seconds of silence after which a download is given up."""


@dataclass(frozen=True)
class DataSet:
    """A CSV file: what it must hold, where it is from, and how it is used."""

    title: str
    file: str
    records: int
    sha256: str
    origin: str
    uci: int | None = None
    """Its number in the UCI Machine Learning Repository, from which it can be fetched."""
    columns: str = ""
    """The header of the file; UCI's own names differ, its order does not."""
    target: str = ""
    """The class."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """How classes are written here that UCI writes otherwise."""
    drop: tuple[str, ...] = ()
    """What names a record, or has a single value."""
    na: tuple[str, ...] = ()
    """What marks a value as missing, and its record to be dropped."""


UCI = "UCI Machine Learning Repository, CC BY 4.0"

SETS = {
    "adult": DataSet(
        "Adult",
        "adult.csv",
        48_842,
        "6f8f2babc5ee744afd03f6d978d8d6b3e3b0aae240d931c4976a9cce7af0d347",
        UCI,
        uci=2,
        columns="age,workclass,fnlwgt,education,education-num,marital-status,occupation,"
        "relationship,race,sex,capital-gain,capital-loss,hours-per-week,native-country,income",
        target="income",
        labels={"<=50K.": "<=50K", ">50K.": ">50K"},  # as in the original test file
    ),
    "breast-cancer-wisconsin": DataSet(
        "Breast cancer",
        "breast-cancer-wisconsin.csv",
        699,
        "a620a3a444c220cfaf6ecec87960c701f5d8f5ba51846a3bfd48f13d32a07888",
        UCI,
        uci=15,
        columns="sample-code,clump-thickness,cell-size-uniformity,cell-shape-uniformity,"
        "marginal-adhesion,epithelial-cell-size,bare-nuclei,bland-chromatin,normal-nucleoli,"
        "mitoses,class",
        target="class",
        labels={"2": "benign", "4": "malignant"},
        drop=("sample-code",),
        na=("?",),
    ),
    "house-votes-84": DataSet(
        "Votes",
        "house-votes-84.csv",
        435,
        "403595ecfde59868dc519759c05cd81ffcd9a9e5c96eac14c40f517c52437419",
        UCI,
        uci=105,
        columns="party,handicapped-infants,water-project-cost-sharing,"
        "adoption-of-the-budget-resolution,physician-fee-freeze,el-salvador-aid,"
        "religious-groups-in-schools,anti-satellite-test-ban,aid-to-nicaraguan-contras,mx-missile,"
        "immigration,synfuels-corporation-cutback,education-spending,superfund-right-to-sue,crime,"
        "duty-free-exports,export-administration-act-south-africa",
        target="party",
    ),
    "mushroom": DataSet(
        "Mushroom",
        "mushroom.csv",
        8_124,
        "68657d8de6e182d15482c053e29c5acc916de7a711a20659a5e4ac7fcd3cddab",
        UCI,
        uci=73,
        columns="edibility,cap-shape,cap-surface,cap-color,bruises,odor,gill-attachment,"
        "gill-spacing,gill-size,gill-color,stalk-shape,stalk-root,stalk-surface-above-ring,"
        "stalk-surface-below-ring,stalk-color-above-ring,stalk-color-below-ring,veil-type,"
        "veil-color,ring-number,ring-type,spore-print-color,population,habitat",
        target="edibility",
        drop=("veil-type",),
    ),
    "tic-tac-toe": DataSet(
        "Tic-tac-toe",
        "tic-tac-toe.csv",
        958,
        "37bcb0334feab4ce409f95f15e46b7c80cc437cdc33c3cd1dc17e0beebf9b362",
        UCI,
        uci=101,
        columns="top-left,top-middle,top-right,middle-left,middle-middle,middle-right,bottom-left,"
        "bottom-middle,bottom-right,x-wins",
        target="x-wins",
    ),
}
"""The sets that the papers mine."""

SURVEYS = {
    "crosswise-anchor": DataSet(
        "Crosswise model with an anchor, simulated",
        "surveys/crosswise-anchor.csv",
        2_000,
        "4583555b4c51c7ebb11ae37df7e3a719fbf96a47c6e917b29a24335814bab597",
        "R package cWise, GPL-3",
    ),
    "minarets": DataSet(
        "Minarets",
        "surveys/minarets.csv",
        1_621,
        "ddfb64fa56c3722e535f59c233170975f402a920637fc579b92fe1457b9f6186",
        "R package RRreg, GPL-3",
    ),
    "nigeria": DataSet(
        "Nigeria",
        "surveys/nigeria.csv",
        2_457,
        "f6cb49979347eec634f5f9b90f1bd3ff4051aacbb74143baf19036d53269cb2c",
        "R package rr, GPL-3",
    ),
}
"""Surveys with published results; they come with packages for R, and cannot be fetched."""


def data_set(name: str) -> DataSet:
    """Give a set by its name, the file's without its ending."""
    known = SETS | SURVEYS
    if name not in known:
        raise DataError(f"There is no data set {name!r}.", hint=nearest(name, known))
    return known[name]


def cache_folder() -> Path:
    """Where sets go that are fetched: the named folder, or else the user's cache."""
    named = os.environ.get(FOLDER_VARIABLE)
    cache = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(named or f"{cache}/deniable/data").expanduser()


def folders() -> list[Path]:
    """Where sets are looked for: the named folder only, or else ``../shared/data`` and the cache.

    ``..`` is where the clone is, for whoever works in one, or else the current directory's parent.
    """
    if os.environ.get(FOLDER_VARIABLE):
        return [cache_folder()]
    root = Path(__file__).resolve().parents[3]
    here = root if (root / "pyproject.toml").is_file() else Path.cwd()
    return [here.parent / "shared" / "data", cache_folder()]


def find(name: str) -> Path:
    """Give the file of a set."""
    chosen = data_set(name)
    for folder in folders():
        if (folder / chosen.file).is_file():
            return folder / chosen.file
    way = f"Run `deniable data fetch {name}`" if chosen.uci else f"It is from: {chosen.origin}"
    raise DataError(
        f"The data set {name} is not on this machine.", hint=f"{way}; or {_own_folder(chosen)}."
    )


def as_published(path: Path, chosen: DataSet) -> bool:
    """Whether a file is, to the byte, what the tests and the benchmarks were written against."""
    return digest_of(path.read_bytes()) == chosen.sha256


def fetch(name: str, download: Callable[..., Any] | None = None) -> Path:
    """Fetch a set from UCI into the cache; unless it is what it should be, nothing is written.

    ``download`` is ``ucimlrepo.fetch_ucirepo``, or what stands in for it in a test.
    """
    chosen = data_set(name)
    if chosen.uci is None:
        raise DataError(
            f"The survey {name} cannot be fetched: it is from {chosen.origin}.",
            hint=f"Please {_own_folder(chosen)}.",
        )
    with _download_errors(name):
        answer = (download or _downloader())(id=chosen.uci)
    table = _as_in_the_papers(answer.data, chosen)
    if table is None or len(table) != chosen.records:
        raise _other(name, f"not {chosen.records:,} records of {chosen.columns}")
    path = cache_folder() / chosen.file
    with suppress(OSError):  # which the next line puts into words
        path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as written:
        table.to_csv(written, index=False, na_rep="?", lineterminator="\n")
        if not as_published(written, chosen):
            raise _other(name, "as many records, but others or in another order")
    return path


def _as_in_the_papers(data: Any, chosen: DataSet) -> "pd.DataFrame | None":
    """Put UCI's parts together under our names, the class where it stands in the original file.

    Its missing values are NaN (and some ``?``), which makes whole numbers floats.
    """
    import pandas as pd

    parts = [part for part in (data.ids, data.features, data.targets) if part is not None]
    table = pd.concat(parts, axis="columns").convert_dtypes()
    names = chosen.columns.split(",")
    others = [name for name in names if name != chosen.target]
    if len(table.columns) != len(names):
        return None
    table.columns = [*others, chosen.target]
    table[chosen.target] = table[chosen.target].astype(str).replace(dict(chosen.labels))
    return table[names]


def _downloader() -> Callable[..., Any]:
    require_extra("data", "Downloads of data sets need")
    from ucimlrepo import fetch_ucirepo

    fetcher: Callable[..., Any] = fetch_ucirepo
    return fetcher


@contextmanager
def _download_errors(name: str) -> Iterator[None]:
    """Turn what can go wrong on the way into one sentence; silence ends, too."""
    before = socket.getdefaulttimeout()
    socket.setdefaulttimeout(NETWORK_PATIENCE)
    try:
        yield
    except DataError:
        raise
    except Exception as error:  # ucimlrepo's own errors are bare ones
        raise DataError(
            f"The data set {name} could not be fetched from UCI: {str(error).rstrip('.')}.",
            hint=f"Try again with a network, or {_own_folder(data_set(name))}.",
        ) from error
    finally:
        socket.setdefaulttimeout(before)


def _other(name: str, what: str) -> DataError:
    return DataError(
        f"What UCI sent as {name} is not what the papers used: {what}; nothing was written.",
        hint=f"Please {_own_folder(data_set(name))}.",
    )


def _own_folder(chosen: DataSet) -> str:
    return f"name a folder that has {chosen.file} in {FOLDER_VARIABLE}"
