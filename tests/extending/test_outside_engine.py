"""An engine of another package, in one file, does what ours do; tests/contracts run over it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from commanding import Command
from contracts.engines import json_lines
from deniable.base.errors import DataError, ExtensionError
from deniable.design import Design
from deniable.engine import Engine, MemoryEngine, Records, Table
from deniable.engine.open_table import open_table
from deniable.source.disguise import disguise_records
from deniable.source.randomness import SeededBits
from extending.distribution import installed
from extending.outside_engine import JsonLines, JsonLinesEngine, open_json_lines
from mine.datasets import random_records

GROUP = "deniable.engines"
OPENER = "extending.outside_engine:open_json_lines"


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, design: Design) -> dict[str, Any]:
    """The same people and their reports, as JSON lines and as Parquet."""
    installed(tmp_path, monkeypatch, GROUP, "jsonl", OPENER)
    people = random_records(design.schema, 400, seed=7)
    found: dict[str, Any] = {}
    for kind, records in {
        "raw": people,
        "reports": disguise_records(people, None, design, SeededBits(7)),
    }.items():
        (tmp_path / kind).mkdir()
        found[f"{kind} far"] = json_lines(records.to_arrow(), tmp_path / kind)
        pq.write_table(records.to_arrow(), tmp_path / kind / "data.parquet")
        found[f"{kind} here"] = tmp_path / kind / "data.parquet"
    return found


COMMANDS: dict[str, Callable[[Any, Path, Path], tuple[Any, ...]]] = {
    "estimate": lambda name, design, _: (
        "estimate", name["reports"], "--design", design, "smokes=yes & region=west"
    ),
    "table": lambda name, design, _: (
        "table", name["reports"], "--design", design, "smokes", "income"
    ),
    "tree": lambda name, design, _: (
        "mine", "tree", name["reports"], "--design", design, "--target", "smokes"
    ),
    "bayes": lambda name, design, _: (
        "mine", "bayes", name["reports"], "--design", design, "--target", "smokes"
    ),
    "rules": lambda name, design, _: (
        "mine", "rules", name["reports"], "--design", design,
        "--support", "0.1", "--confidence", "0.3",
    ),
    "privacy": lambda name, design, _: ("privacy", design, "--population", name["raw"]),
    "score": lambda name, design, model: ("score", model, name["reports"], "--design", design),
    "score as they are": lambda name, _, model: ("score", model, name["raw"]),
    "predict": lambda name, _, model: ("predict", model, name["raw"]),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("words", COMMANDS.values(), ids=list(COMMANDS))
def test_every_command_answers_as_it_does_for_files(
    words: Callable[[Any, Path, Path], tuple[Any, ...]],
    places: dict[str, Any],
    design_file: Path,
    deniable: Command,
    tmp_path: Path,
) -> None:
    model = tmp_path / "model.json"
    reports = places["reports here"]
    mined = deniable(
        "mine", "bayes", reports, "--design", design_file, "--target", "smokes", "--out", model
    )
    assert mined.code == 0, mined.err
    said = []
    for where in ("far", "here"):
        names = {kind: places[f"{kind} {where}"] for kind in ("raw", "reports")}
        done = deniable(*words(names, design_file, model), "--json")
        assert done.code == 0, done.err
        answer = json.loads(done.out)
        if isinstance(answer, dict):
            answer.pop("seconds", None)
        said.append(answer)
    assert said[0] == said[1]


def test_its_records_are_disguised_and_counted_into_tables(
    places: dict[str, Any], design_file: Path, deniable: Command, tmp_path: Path
) -> None:
    out, counts = tmp_path / "out.parquet", tmp_path / "counts.parquet"
    done = deniable("disguise", places["raw far"], "--design", design_file, "--out", out)
    assert done.code == 0, done.err
    assert pq.read_metadata(out).num_rows == 400
    done = deniable("tabulate", places["reports far"], "--design", design_file, "--into", counts)
    assert done.code == 0, done.err
    assert "Added 400 records" in done.out


def test_a_file_that_is_read_is_never_written_over(
    places: dict[str, Any], design_file: Path, deniable: Command
) -> None:
    file = places["raw far"].removeprefix("jsonl://").partition("#")[0]
    done = deniable("privacy", design_file, "--population", places["raw far"], "--html", file)
    assert done.code == 1
    assert "is read, so it is not written" in done.err


class WithoutNames(JsonLines):
    names = Table.names


class WithoutBatches(JsonLines):
    batches = Table.batches


class WithoutEngine(JsonLines):
    engine = Table.engine


class CannotTabulate(JsonLinesEngine):
    tabulate = Engine.tabulate


class WithoutTabulate(JsonLines):
    def engine(self, schema: Any) -> Engine:
        return CannotTabulate(self, schema)


def without_names(address: Any) -> Table:
    return WithoutNames(Path(address.path), address.table)


def without_batches(address: Any) -> Table:
    return WithoutBatches(Path(address.path), address.table)


def without_engine(address: Any) -> Table:
    return WithoutEngine(Path(address.path), address.table)


def without_tabulate(address: Any) -> Table:
    return WithoutTabulate(Path(address.path), address.table)


def no_table(address: Any) -> Any:
    return str(address)


def failing(address: Any) -> Table:
    raise KeyError(address.table)


@pytest.mark.parametrize(
    ("target", "sentence"),
    [
        ("without_names", "WithoutNames does not say: names."),
        ("without_batches", "WithoutBatches does not say: batches."),
        ("without_engine", "WithoutEngine does not say: engine."),
        ("without_tabulate", "CannotTabulate does not say: tabulate."),
        ("no_table", "odd:// of the package outside-2 gave a str, no Table."),
        ("failing", "odd:// of the package outside-2 does not work: 'answers'."),
        ("not_there", "odd:// of the package outside-2 does not work: module"),
    ],
)
def test_what_lacks_a_part_or_breaks_is_named_in_one_sentence(
    target: str,
    sentence: str,
    places: dict[str, Any],
    design_file: Path,
    deniable: Command,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    installed(tmp_path, monkeypatch, GROUP, "odd", f"extending.test_outside_engine:{target}")
    name = places["reports far"].replace("jsonl://", "odd://")
    done = deniable("estimate", name, "--design", design_file, "smokes=yes")
    assert done.code == 1
    assert sentence in done.err
    assert done.err.count("\n") <= 2  # the sentence, and perhaps a note before it
    assert "Traceback" not in done.err


def test_a_kind_of_address_that_two_packages_offer_is_refused(
    places: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed(tmp_path, monkeypatch, GROUP, "jsonl", OPENER)
    with pytest.raises(ExtensionError, match=r"jsonl:// is offered by outside-1 and outside-2\."):
        open_table(places["raw far"])


def test_a_kind_of_address_of_ours_stays_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed(tmp_path, monkeypatch, GROUP, "sqlite", OPENER)
    with pytest.raises(DataError, match=r"none\.db does not exist"):
        open_table("sqlite:///none.db#t")


def test_a_misspelt_kind_of_address_is_told_the_nearest(places: dict[str, Any]) -> None:
    with pytest.raises(DataError, match=r"json:// is no kind .* Did you mean 'jsonl'\?"):
        open_table("json:///people.jsonl#answers")


def test_what_is_held_goes_through_the_same_door(design: Design) -> None:
    people = random_records(design.schema, 50, seed=1)
    expected = MemoryEngine(people).tabulate([design.schema.names])[0].dense()
    arrow = people.to_arrow()
    for given in (people, arrow, arrow.to_pandas(), arrow.to_pydict(), open_table(arrow)):
        table = open_table(given)
        assert table.names == design.schema.names
        assert sum(batch.num_rows for batch in table.batches(["smokes"])) == 50
        (found,) = table.held(design.schema).tabulate([design.schema.names])
        assert (found.dense() == expected).all()
        assert isinstance(table.read(design.schema), Records)


def test_the_opener_is_an_ordinary_function(places: dict[str, Any]) -> None:
    from deniable.engine import Address

    table = open_json_lines(Address.of(places["raw far"]))
    assert table.names == open_table(places["raw here"]).names
