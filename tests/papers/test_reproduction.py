"""The frame of `deniable reproduce`: one seed, one result; what is done is kept; claims decide."""

import ast
import csv
import json
import os
import signal
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from commanding import Command
from deniable.base.errors import OutputError
from deniable.papers import every_paper
from deniable.papers.every_paper import PAPERS
from deniable.papers.reproduction import kept_pieces, workers
from deniable.papers.reproduction.experiment import Effort, Experiment, Paper
from deniable.papers.reproduction.kept_pieces import KeptPieces, papers_modules
from deniable.papers.reproduction.measurements import Measurements
from deniable.papers.reproduction.paper_claims import CheckedClaim, Ruling
from deniable.papers.reproduction.reproduce import PAGE, reproduce
from deniable.papers.reproduction.seeds import Seeds
from deniable.papers.reproduction.trends import TEST_LEVEL, chi_square, gained, rising
from papers import pretended_paper
from papers.pretended_paper import DIARY, FALLS, FALLS_NOT, RISES, SLOW, paper, work
from papersets import dataset
from parsed import SOURCE
from waiting import eventually

EVERY_PIECE = 12
"""Three θ, eight repeats, two at a time."""


def made(folder: Path, *papers: Paper, seed: int = 1, jobs: int = 1, fresh: bool = False) -> Path:
    chosen = papers or (paper(RISES),)
    reproduce(chosen, folder, effort=Effort(), seed=seed, jobs=jobs, fresh=fresh)
    return folder


def tables(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((folder / "figures").iterdir())}


def read(table: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(table.read_text(encoding="utf-8").splitlines()))


@pytest.fixture
def diary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which every piece of work leaves a trace."""
    folder = tmp_path / "diary"
    folder.mkdir()
    monkeypatch.setenv(DIARY, str(folder))
    return folder


def pieces_done(diary: Path) -> int:
    done = len(list(diary.iterdir()))
    for trace in diary.iterdir():
        trace.unlink()
    return done


@pytest.mark.slow
def test_one_seed_gives_the_same_bytes_whatever_the_number_of_processes(tmp_path: Path) -> None:
    one, three = made(tmp_path / "one"), made(tmp_path / "three", jobs=3)
    assert tables(one) == tables(three)
    assert set(tables(one)) == {"P-1.csv", "P-1.svg", "claims.csv", "claims.json"}
    assert (one / PAGE).read_bytes() == (three / PAGE).read_bytes()
    assert tables(made(tmp_path / "other", seed=2))["P-1.csv"] != tables(one)["P-1.csv"]


@pytest.mark.slow
def test_what_is_done_is_taken_up_only_with_the_same_seed_and_code(
    tmp_path: Path, diary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = made(tmp_path / "report")
    assert pieces_done(diary) == EVERY_PIECE
    first = tables(folder)
    assert tables(made(folder)) == first
    assert pieces_done(diary) == 0
    next((folder / "pieces").glob("*.json")).write_text('{"of": "something else"}')
    assert tables(made(folder)) == first
    assert pieces_done(diary) == 1
    made(folder, fresh=True)
    assert pieces_done(diary) == EVERY_PIECE
    assert tables(made(folder, seed=2)) != first
    assert pieces_done(diary) == EVERY_PIECE
    monkeypatch.setattr(kept_pieces, "_code", lambda module: "other code")
    made(folder)
    assert pieces_done(diary) == EVERY_PIECE


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_run_that_is_stopped_goes_on_and_leaves_no_worker(
    tmp_path: Path, diary: Path, monkeypatch: pytest.MonkeyPatch, how: signal.Signals
) -> None:
    folder = tmp_path / "report"
    monkeypatch.setenv(SLOW, "0.3")
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "from papers.test_reproduction import made\n"
        "if __name__ == '__main__': made(Path(sys.argv[1]), jobs=2)\n"
    )
    script = tmp_path / "stopped.py"
    script.write_text(code)
    search = os.pathsep.join([str(Path(__file__).parents[1]), *sys.path])
    process = subprocess.Popen(
        [sys.executable, script, folder],
        env={**os.environ, "PYTHONPATH": search},
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    eventually(lambda: len(list((folder / "pieces").glob("*.json"))) >= 2)
    process.send_signal(how)
    assert process.wait() != 0
    eventually(lambda: not alive_in(process.pid))
    before = pieces_done(diary)
    assert 2 <= before < EVERY_PIECE
    assert not (folder / PAGE).exists()
    kept = len(list((folder / "pieces").glob("*.json")))
    monkeypatch.setenv(SLOW, "0")
    made(folder)
    assert pieces_done(diary) == EVERY_PIECE - kept < EVERY_PIECE
    monkeypatch.delenv(DIARY)
    assert tables(folder) == tables(made(tmp_path / "undisturbed"))


def alive_in(session: int) -> list[str]:
    """Processes of a session that have not ended."""
    found = subprocess.run(
        ["ps", "-o", "stat=", "-s", str(session)], capture_output=True, text=True, check=False
    )
    return [line for line in found.stdout.split() if not line.startswith("Z")]


def test_repeats_are_the_same_in_whatever_chunks_they_are_done() -> None:
    seeds = Seeds(1, "P", {"theta": "0.8"})
    whole = work({"theta": "0.8"}, range(6), seeds)["accuracy"]
    parts = [work({"theta": "0.8"}, each, seeds)["accuracy"] for each in (range(4), range(4, 6))]
    assert [*parts[0], *parts[1]] == whole
    assert len(set(whole)) == len(whole)


def test_seeds_differ_by_all_that_names_them_but_shared_ones() -> None:
    several = [
        Seeds(seed, letter, {"set": name})
        for seed, letter, name in [(1, "A", "x"), (2, "A", "x"), (1, "B", "x"), (1, "A", "y")]
    ]
    first = several[0]
    drawn = [each.repeat(0).random() for each in several]
    drawn += [first.repeat(1).random(), first.repeat(0, "test").random()]
    drawn += [first.chunk(range(2)).random(), first.chunk(range(3)).random()]
    assert len(set(drawn)) == len(drawn)
    shared = [each.shared("split").random() for each in several]
    assert shared[0] == shared[2] == shared[3] != shared[1]


@pytest.mark.slow
def test_every_row_of_a_table_carries_repeats_seed_and_version(tmp_path: Path) -> None:
    folder = made(tmp_path / "report", paper(RISES, FALLS_NOT))
    rows = read(folder / "figures" / "P-1.csv")
    assert [row["x"] for row in rows] == ["0.6", "0.8", "1"]
    assert {(row["repeats"], row["seed"], row["version"]) for row in rows} == {("8", "1", "0.1.0")}
    values = work({"theta": "0.6"}, range(8), Seeds(1, "P", {"theta": "0.6"}))["accuracy"]
    assert float(rows[0]["mean"]) == pytest.approx(np.mean(values), rel=1e-9)
    assert float(rows[0]["variance"]) == pytest.approx(np.var(values, ddof=1), rel=1e-9)
    claims = json.loads((folder / "figures" / "claims.json").read_text())
    assert (claims["seed"], claims["version"]) == (1, "0.1.0")
    assert [each["outcome"] for each in claims["claims"]] == ["holds", "does not hold"]


@pytest.mark.slow
def test_the_page_needs_nothing_from_elsewhere_and_escapes_what_it_shows(tmp_path: Path) -> None:
    text = (made(tmp_path / "report", paper(RISES, FALLS_NOT)) / PAGE).read_text(encoding="utf-8")
    assert "<script" not in text
    assert "http" not in text
    assert "Figure 1 &lt;of&gt; nobody" in text
    assert "✗ does not hold" in text
    assert "It rises." in text
    assert "8 repeats; seed 1; deniable 0.1.0" in text
    assert "prefers-color-scheme: dark" in text


def test_a_claim_that_should_hold_and_does_not_is_a_failure_and_another_is_none() -> None:
    bad, good = Ruling(False, ""), Ruling(True, "")
    assert CheckedClaim(FALLS, bad).is_failure
    assert not CheckedClaim(FALLS_NOT, bad).is_failure
    assert CheckedClaim(FALLS_NOT, good).outcome == "holds after all"
    assert not CheckedClaim(FALLS_NOT, good).is_failure


@pytest.fixture
def pretended(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the command know the pretended paper only; its claim holds."""
    monkeypatch.setattr(every_paper, "PAPERS", {"P": paper(RISES, FALLS_NOT)})


@pytest.mark.slow
@pytest.mark.usefixtures("pretended")
def test_the_command_exits_with_1_only_if_a_claim_fails(
    deniable: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = deniable("reproduce", "p", "--out", tmp_path / "report", "--jobs", 1)
    assert (ended.code, ended.err) == (0, "")
    assert "report.html" in ended.out
    monkeypatch.setattr(every_paper, "PAPERS", {"P": paper(RISES, FALLS)})
    ended = deniable("reproduce", "--out", tmp_path / "report", "--jobs", 1)
    assert ended.code == 1
    assert "1 claim should hold and failed: P-falls." in ended.err
    ended = deniable("reproduce", "--json", "--out", tmp_path / "report", "--jobs", 1)
    assert ended.code == 1
    assert [each["outcome"] for each in json.loads(ended.out)] == ["holds", "fails"]


@pytest.mark.slow
@pytest.mark.usefixtures("pretended")
def test_repeats_that_are_asked_for_are_done(deniable: Command, tmp_path: Path) -> None:
    asked = ("reproduce", "--repeats", 3, "--jobs", 1, "--out", tmp_path / "report")
    assert deniable(*asked).code == 0
    rows = read(tmp_path / "report" / "figures" / "P-1.csv")
    assert {row["repeats"] for row in rows} == {"3"}


def test_effort_says_how_often() -> None:
    assert Effort().repeats(50, 5) == 50
    assert Effort(quick=True).repeats(50, 5) == 5
    assert Effort(quick=True, asked=9).repeats(50, 5) == 9
    assert Effort(quick=True, asked=9).repeats(50, 5, costly=True) == 5
    assert Effort(asked=9).repeats(50, 5, costly=True) == 9


def test_an_unknown_paper_is_one_sentence_with_a_hint(deniable: Command, tmp_path: Path) -> None:
    ended = deniable("reproduce", "F", "--out", tmp_path / "report")
    assert ended.code == 1
    assert "There is no paper 'F'." in ended.err
    assert not (tmp_path / "report").exists()


def test_without_the_data_sets_a_hint_says_where_to_get_them(
    deniable: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DENIABLE_DATA", str(tmp_path))
    ended = deniable("reproduce", "A", "--out", tmp_path / "report")
    assert ended.code == 1
    assert "deniable data fetch adult" in ended.err
    assert not (tmp_path / "report").exists()


@pytest.mark.usefixtures("pretended")
def test_a_folder_with_something_else_in_it_is_left_alone(
    deniable: Command, tmp_path: Path
) -> None:
    (tmp_path / "letter.txt").write_text("dear")
    ended = deniable("reproduce", "--out", tmp_path)
    assert ended.code == 1
    assert "something else in it" in ended.err
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]
    ended = deniable("reproduce", "--out", tmp_path / "letter.txt")
    assert ended.code == 1
    assert "is a file" in ended.err


@pytest.mark.slow
def test_whoever_waits_for_a_long_piece_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SLOW, "0.4")
    monkeypatch.setattr(workers, "SIGN_OF_LIFE", 0.05)
    told: list[tuple[int, int]] = []
    reproduce(
        [paper(RISES)],
        tmp_path / "report",
        effort=Effort(asked=1),
        seed=1,
        jobs=1,
        progress=lambda done, total: told.append((done, total)),
    )
    assert told[0] == (0, 3)
    assert told[-1] == (3, 3)
    # A piece takes eight signs; one that came late would leave several.
    assert sum(before == after for before, after in pairwise(told)) >= 3


@pytest.mark.slow
def test_a_worker_that_dies_is_one_sentence_and_nothing_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pretended_paper, "experiments", lambda _: [])
    settings = [{"theta": "0.6"}]
    doomed = Experiment("doomed", _die, settings, 1, 1)
    broken = Paper("P", "", "", "", (), lambda _: [doomed], lambda _: [], ())
    with pytest.raises(OutputError, match="A worker ended before its work was done"):
        reproduce([broken], tmp_path / "report", effort=Effort(), seed=1, jobs=1)


def _die(*_: object) -> dict[str, list[float]]:
    os._exit(3)


def test_kept_pieces_depend_on_every_module_that_work_takes_numbers_from() -> None:
    for letter, each in PAPERS.items():
        for experiment in each.experiments(Effort(quick=True)):
            modules = papers_modules(experiment.work.__module__)
            assert experiment.work.__module__ in modules, letter
            assert "deniable.papers.reproduction.seeds" in modules
    assert "deniable.papers.prepared_sets" in papers_modules("deniable.papers.multi_group_trees")


def test_papers_take_numbers_only_from_code_that_kept_pieces_look_at() -> None:
    looked_at = {*kept_pieces.NUMBERS_FROM, "papers", "design", "expression", "schema"}
    works = {e.work.__module__ for p in PAPERS.values() for e in p.experiments(Effort(quick=True))}
    for module in set.union(*map(papers_modules, works)):
        for name in imported_by(module):
            first, *rest = name.split(".")
            assert first != "deniable" or rest[0] in looked_at, f"{module} imports {name}"


def imported_by(module: str) -> list[str]:
    tree = ast.parse((SOURCE / Path(*module.split(".")[1:])).with_suffix(".py").read_bytes())
    return [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]


def test_all_settings_of_an_experiment_differ_and_their_pieces_cover_all_repeats() -> None:
    for each in PAPERS.values():
        for experiment in each.experiments(Effort()):
            settings = [tuple(sorted(setting.items())) for setting in experiment.settings]
            assert len(set(settings)) == len(settings)
            spans = [piece.repeats for piece in experiment.pieces("A")][
                : -(-experiment.repeats // experiment.chunk)
            ]
            assert spans[0].start == 0
            assert spans[-1].stop == experiment.repeats
            assert all(a.stop == b.start for a, b in pairwise(spans))


def test_claims_have_names_of_their_own_paper_and_say_what_counts() -> None:
    names = [claim.name for each in PAPERS.values() for claim in each.claims]
    assert len(set(names)) == len(names)
    for letter, each in PAPERS.items():
        for claim in each.claims:
            assert claim.name.startswith(f"{letter}-")
            assert claim.says
            assert claim.tolerance


def test_a_kept_piece_that_is_damaged_is_done_again(tmp_path: Path) -> None:
    kept = KeptPieces(tmp_path, 1)
    piece = next(paper().experiments(Effort())[0].pieces("P"))
    for damage in ("", "[]", '{"of": 1}', "null", "{"):
        kept.keep(piece, piece.run(1))
        (path,) = tmp_path.glob("*.json")
        assert kept.find(piece) is not None
        path.write_text(damage)
        assert kept.find(piece) is None
    kept.keep(piece, piece.run(1))
    whole = json.loads(path.read_text())
    changes: list[dict[str, object]] = [
        {"measured": None},
        {"measured": {}},
        {"measured": {"share": ["x"]}},
        {"measured": ["share"]},
        {"seconds": None},
        {"seconds": "soon"},
    ]
    for change in changes:
        path.write_text(json.dumps(whole | change))
        assert kept.find(piece) is None
    path.write_text("[" * 200_000)
    assert kept.find(piece) is None


def test_measurements_are_in_the_order_of_repeats_whichever_came_first() -> None:
    pieces = list(paper().experiments(Effort())[0].pieces("P"))
    done = [(piece, piece.run(1).measured) for piece in pieces]
    forwards, backwards = Measurements.of(done), Measurements.of(done[::-1])
    for theta in pretended_paper.THETAS:
        mine = forwards.values("pretended", "accuracy", theta=theta)
        theirs = backwards.values("pretended", "accuracy", theta=theta)
        assert mine.tolist() == theirs.tolist()
    assert not forwards.has("pretended", theta="0.7")


def test_tests_of_shapes_err_as_often_as_they_say() -> None:
    # 400 tables of pure noise: at level .01 about 4 are taken for a trend; 12 or more would be
    # by chance once in 1,300 times.
    rng = np.random.default_rng(1)
    assert TEST_LEVEL == 0.01
    trends = sum(rising(rng.normal(size=(9, 6))).found for _ in range(400))
    alike = sum(
        chi_square([(rng.normal(size=5), rng.normal(size=5)) for _ in range(30)]) < TEST_LEVEL
        for _ in range(400)
    )
    gains = sum(gained(list(rng.normal(size=(12, 3)))).holds for _ in range(400))
    assert max(trends, alike, gains) < 12


@pytest.mark.slow
def test_the_command_that_is_interrupted_says_so_and_goes_on(tmp_path: Path) -> None:
    for name in PAPERS["B"].data:
        dataset(name)
    folder = tmp_path / "report"
    command = [sys.executable, "-m", "deniable", "reproduce", "B", "--repeats", "2", "--jobs", "1"]
    asked = [*command, "--out", str(folder)]
    process = subprocess.Popen(
        asked, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, start_new_session=True
    )
    eventually(lambda: any((folder / "pieces").glob("*.json")))
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate()
    assert process.returncode == 130
    assert f"Interrupted; what was finished is kept in {folder}" in said
    assert not (folder / PAGE).exists()
    kept = {path.name for path in (folder / "pieces").glob("*.json")}
    ended = subprocess.run(asked, capture_output=True, text=True, check=False)
    # Two repeats are too few for some claims: what matters is that the report is whole.
    assert ended.returncode in {0, 1}
    assert (folder / PAGE).exists()
    assert kept < {path.name for path in (folder / "pieces").glob("*.json")}


@pytest.mark.slow
@pytest.mark.usefixtures("pretended")
def test_few_repeats_that_were_asked_for_are_named_where_a_claim_fails(
    deniable: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(every_paper, "PAPERS", {"P": paper(FALLS)})
    asked = ("reproduce", "--repeats", 2, "--out", tmp_path / "report", "--jobs", 1)
    assert "with few repeats" in deniable(*asked).err
    assert "with few repeats" not in deniable(*asked[:1], *asked[3:]).err
