"""What is not installed is said in one sentence, early, and nothing else needs it."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from commanding import Command
from deniable.base.errors import DataError
from deniable.base.extras import EXTRAS, require_extra

ROOT = Path(__file__).resolve().parents[2]


def test_every_extra_of_the_package_can_be_asked_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    everything = extras.pop("dev")[0]
    assert set(extras) == set(EXTRAS)
    assert everything == f"deniable[{','.join(sorted(EXTRAS))}]"


def test_every_extra_is_documented() -> None:
    text = (ROOT / "docs" / "reference" / "settings.md").read_text(encoding="utf-8")
    for extra in EXTRAS:
        assert f"| `{extra}` |" in text


@pytest.mark.parametrize("extra", EXTRAS)
def test_each_module_that_is_missing_is_named_with_its_remedy(
    extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    require_extra(extra, "These need")
    last = EXTRAS[extra][-1]
    monkeypatch.setitem(sys.modules, last, None)
    with pytest.raises(DataError) as refused:
        require_extra(extra, "These need")
    assert str(refused.value) == f"These need '{last}'. Run pip install 'deniable[{extra}]'."


@pytest.mark.parametrize("missing", EXTRAS["plot"])
@pytest.mark.parametrize("more", [(), ("--json",)])
def test_a_demo_without_plots_is_refused_before_anything_is_done(
    missing: str,
    more: tuple[str, ...],
    deniable: Command,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    done = deniable("demo", "--out", tmp_path / "demo", *more)
    sentence = f"The picture of estimates needs '{missing}'. Run pip install 'deniable[plot]'."
    assert (done.code, done.out, done.err) == (1, "", f"deniable: {sentence}\n")
    assert not (tmp_path / "demo").exists()


@pytest.mark.slow
def test_without_any_extra_the_rest_works(tmp_path: Path) -> None:
    blocked = sorted({module for own in EXTRAS.values() for module in own})
    block = f"import sys; sys.modules |= dict.fromkeys({blocked})"
    code = f"{block}; from deniable.cli import main; main()"
    design, people = ROOT / "examples" / "design.yaml", tmp_path / "people.csv"
    people.write_text("smokes,drinks,income,region\n" + "no,yes,low,north\n" * 30, "utf-8")
    reports, page = tmp_path / "reports.parquet", tmp_path / "page.html"
    for command in (
        ["disguise", people, "--design", design, "--out", reports],
        ["estimate", reports, "--design", design, "smokes=yes"],
        ["mine", "tree", reports, "--design", design, "--target", "region"],
        ["privacy", design, "--html", page],
    ):
        done = subprocess.run([sys.executable, "-c", code, *map(str, command)], check=False)
        assert done.returncode == 0, command
