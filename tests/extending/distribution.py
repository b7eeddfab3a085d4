"""A package that another author would publish, as far as entry points are concerned."""

from pathlib import Path

import pytest


def installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, group: str, name: str, target: str
) -> str:
    """Install a package that offers one thing; give the package's name."""
    site = tmp_path / "site-packages"
    package = f"outside-{len(list(site.glob('*'))) + 1}"
    metadata = site / f"{package.replace('-', '_')}-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(f"[{group}]\n{name} = {target}\n")
    monkeypatch.syspath_prepend(site)
    return package
