import pytest

from extending.distribution import installed


@pytest.fixture(autouse=True)
def _json_lines(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have an engine of another package, which must keep the same contract."""
    folder = tmp_path_factory.mktemp("outside")
    target = "extending.outside_engine:open_json_lines"
    installed(folder, monkeypatch, "deniable.engines", "jsonl", target)
