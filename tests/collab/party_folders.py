"""Organisations for tests: files, identities and data, each in a folder of its own."""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from deniable.base.documents import read_yaml, to_yaml
from deniable.collab.wire.identity import CERTIFICATE, Identity, make
from waiting import free_port

FILE = "party.yaml"

Columns = Mapping[str, Sequence[str]]


def write_party(
    folder: Path,
    name: str,
    *,
    data: Mapping[str, Sequence[str]] | str | None = None,
    columns: Columns | None = None,
    id: str | None = None,  # noqa: A002 (as the file calls it)
    disguise: Sequence[Mapping[str, Any]] = (),
    undisguised: Sequence[str] = (),
    policy: Mapping[str, Any] | None = None,
    seed: int | None = None,
    port: int | None = None,
) -> Path:
    """Write party.yaml and an identity into a folder, and data given as columns beside them."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "identity").exists():
        make(folder / "identity", name)
    if isinstance(data, Mapping):
        table = pa.table({column: pa.array(values) for column, values in data.items()})
        pq.write_table(table, folder / "data.parquet")
        data = "data.parquet"
    document = {
        "party": name,
        "listen": f"127.0.0.1:{port or free_port()}",
        "identity": "identity",
        "state": "state",
        "data": data,
        "id": id,
        "columns": _lists(columns),
        "disguise": [dict(group) for group in disguise],
        "send undisguised": list(undisguised),
        "policy": dict(policy or {}),
        "seed": None if seed is None else str(seed),
    }
    return _write(folder / FILE, document)


def write_agreement(
    folder: Path,
    *,
    parties: Mapping[str, Mapping[str, Any]],
    mine: Mapping[str, Any],
    mode: str = "collect",
    name: str = "readmission",
    **others: Any,
) -> Path:
    """Write collaboration.yaml; ``own_columns="plain"`` becomes the key "own columns".

    A party is what it brings: ``{"columns": …, "disguise": …, "undisguised": …}``. The first one
    leads, unless a leader is given.
    """
    folder.mkdir(parents=True, exist_ok=True)
    document = {
        "collaboration": name,
        "mode": mode,
        "parties": {
            party: {**brought, "columns": _lists(brought["columns"])}
            for party, brought in parties.items()
        },
        "leader": next(iter(parties)),
        "mine": mine,
        **{key.replace("_", " "): value for key, value in others.items()},
    }
    return _write(folder / "collaboration.yaml", document)


def exchange(*parties: Path) -> None:
    """Make parties, by their folders or files, known to each other: addresses and certificates."""
    files = [path / FILE if path.is_dir() else path for path in parties]
    for file in files:
        document: Any = read_yaml(file)
        for other in files:
            if other == file:
                continue
            theirs: Any = read_yaml(other)
            name = theirs["party"]
            shutil.copy(other.parent / "identity" / CERTIFICATE, file.parent / f"{name}.pem")
            document.setdefault("peers", {})[name] = {
                "address": theirs["listen"],
                "certificate": f"{name}.pem",
                "fingerprint": Identity.load(other.parent / "identity").fingerprint,
            }
        _write(file, document)


def _lists(columns: Columns | None) -> dict[str, list[str]]:
    return {name: list(values) for name, values in (columns or {}).items()}


def _write(path: Path, document: Mapping[str, Any]) -> Path:
    """Write what there is; an empty entry is left out."""
    kept = {key: value for key, value in document.items() if value not in (None, [], {})}
    path.write_text(to_yaml(kept), encoding="utf-8")
    return path
