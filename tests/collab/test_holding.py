"""A party's own records: read from anywhere, disguised once."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq
import pytest

from deniable.base.errors import CollabError, DataError
from deniable.collab.agreement.agreement import Member
from deniable.collab.agreement.party_file import PartyFile
from deniable.collab.session.intersection import Rows
from deniable.collab.session.own_records import Holding
from deniable.design import Design
from deniable.engine.memory.records import Records
from deniable.mine.tree.mine_tree import mine_tree
from deniable.oracle.exact import ExactOracle
from deniable.source.disguise import SeedWarning

DOMAINS = {"smokes": ["no", "yes"], "region": ["north", "south", "west"]}
DESIGN = Design.of(
    {
        "attributes": DOMAINS,
        "groups": [
            {"attributes": ["smokes"], "channel": "related", "theta": "0.8"},
            {"attributes": ["region"], "channel": "related", "theta": "0.7"},
        ],
    }
)
MEMBER = Member("north", DESIGN.schema, DESIGN.groups)
PEOPLE = 2000
RNG = np.random.default_rng(7)
TABLE = pa.table(
    {
        "patient": RNG.permutation(PEOPLE),
        "region": RNG.choice(DOMAINS["region"], PEOPLE),
        "smokes": RNG.choice(DOMAINS["smokes"], PEOPLE, p=[0.7, 0.3]),
    }
)
SMOKER = {"smokes": "yes"}

Write = Callable[[pa.Table, Path], str]


def as_parquet(table: pa.Table, folder: Path) -> str:
    pq.write_table(table, folder / "people.parquet")
    return str(folder / "people.parquet")


def as_csv(table: pa.Table, folder: Path) -> str:
    pacsv.write_csv(table, folder / "people.csv")
    return str(folder / "people.csv")


def as_duckdb(table: pa.Table, folder: Path) -> str:
    with duckdb.connect(str(folder / "people.duckdb")) as connection:
        connection.register("given", table)
        connection.execute("CREATE TABLE people AS SELECT * FROM given")
    return f"duckdb:///{folder}/people.duckdb#people"


def party_of(data: str, folder: Path, identifier: str | None = "patient") -> PartyFile:
    return PartyFile(
        name="north", listen=("127.0.0.1", 7440), identity=folder, state=folder, data=data,
        id=identifier, schema=DESIGN.schema, groups=DESIGN.groups, path=folder / "party.yaml",
    )  # fmt: skip


def held(table: pa.Table, folder: Path, write: Write = as_parquet, aligned: bool = True) -> Holding:
    return Holding.open(party_of(write(table, folder), folder), MEMBER, aligned=aligned)


@pytest.fixture
def holding(tmp_path: Path) -> Holding:
    return held(TABLE, tmp_path)


def codes(records: Records) -> list[list[int]]:
    return [column.tolist() for column in records.columns]


@pytest.mark.parametrize("write", [as_parquet, as_csv, as_duckdb])
def test_records_are_the_same_wherever_they_are_kept(write: Write, tmp_path: Path) -> None:
    found = held(TABLE, tmp_path, write)
    assert found.n == PEOPLE
    assert found.schema == DESIGN.schema
    truth = {str(row["patient"]): row for row in TABLE.to_pylist()}
    for place, name in enumerate(found.ids):
        for attribute, column in zip(found.schema, found.records.columns, strict=True):
            assert attribute.values[column[place]] == truth[name][attribute.name]
    (tmp_path / "again").mkdir()
    assert found.digest == held(TABLE, tmp_path / "again").digest
    assert {column.dtype for column in found.records.columns} == {np.dtype(np.uint8)}


@pytest.mark.parametrize("aligned", [True, False])
def test_the_digest_knows_the_data_and_not_the_order_of_rows(aligned: bool, tmp_path: Path) -> None:
    first = held(TABLE, tmp_path, aligned=aligned)
    turned = held(TABLE.take(RNG.permutation(PEOPLE)), tmp_path, aligned=aligned)
    assert turned.digest == first.digest
    smokes = TABLE["smokes"].to_pylist()
    smokes[0] = "yes" if smokes[0] == "no" else "no"
    place = TABLE.column_names.index("smokes")
    assert held(TABLE.set_column(place, "smokes", [smokes]), tmp_path).digest != first.digest
    assert held(TABLE.slice(1), tmp_path, aligned=aligned).digest != first.digest
    other = TABLE.set_column(0, "patient", [np.arange(PEOPLE) + 1])
    assert (held(other, tmp_path, aligned=aligned).digest == first.digest) is not aligned


def test_row_numbers_mean_the_same_people_when_a_database_changes_their_order(
    tmp_path: Path,
) -> None:
    rows = np.array([5, 3, 1999])
    first = held(TABLE, tmp_path).taken(rows)
    again = held(TABLE.take(RNG.permutation(PEOPLE)), tmp_path).taken(rows)
    assert first.ids == again.ids
    assert codes(first.records) == codes(again.records)


def test_a_part_takes_own_terms_and_leaves_the_other_sides(holding: Holding) -> None:
    smokes, region = holding.records.columns
    cell = frozenset({("smokes", "yes"), ("region", "west"), ("income", "high")})
    assert (holding.part(cell) == ((smokes == 1) & (region == 2))).all()
    assert holding.part(frozenset({("income", "high")})).all()
    few = holding.taken(np.array([9, 4]))
    assert few.part(cell).tolist() == holding.part(cell)[[9, 4]].tolist()


def test_what_cannot_be_held_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CollabError, match="does not say how its records are aligned"):
        Holding.open(party_of(as_parquet(TABLE, tmp_path), tmp_path, None), MEMBER, aligned=True)
    twice = TABLE.set_column(0, "patient", [[7, *range(1, PEOPLE)]])
    with pytest.raises(CollabError, match=r"1 record has an identifier .* row 8"):
        held(twice, tmp_path)
    with pytest.raises(DataError, match="no column 'patient'"):
        held(TABLE.drop_columns("patient"), tmp_path)
    with pytest.raises(DataError, match="no records"):
        held(TABLE.slice(0, 0), tmp_path)
    marked = TABLE.replace_schema_metadata({b"deniable.design": b"abc"})
    with pytest.raises(DataError, match="disguised already"):
        held(marked, tmp_path)
    unaligned = held(TABLE.drop_columns("patient"), tmp_path, aligned=False)
    with pytest.raises(CollabError, match="without identifiers"):
        _ = unaligned.ids


def test_reports_are_made_once_and_belong_to_their_owner(holding: Holding, tmp_path: Path) -> None:
    store = tmp_path / "reports.parquet"
    first = holding.reports(DESIGN, store)
    kept = store.read_bytes()
    assert codes(holding.reports(DESIGN, store)) == codes(first)
    assert store.read_bytes() == kept
    assert store.stat().st_mode & 0o777 == 0o600
    assert codes(first) != codes(holding.records)
    assert not list(tmp_path.glob("*.part"))
    assert "patient" not in pq.read_schema(store).names


def test_reports_asked_for_at_once_are_the_same(holding: Holding, tmp_path: Path) -> None:
    store = tmp_path / "reports.parquet"
    with ThreadPoolExecutor(8) as pool:
        asked = [pool.submit(holding.reports, DESIGN, store) for _ in range(8)]
        first, *others = [codes(each.result()) for each in asked]
    assert all(each == first for each in others)


def test_whoever_takes_part_is_reported_as_before(holding: Holding, tmp_path: Path) -> None:
    store = tmp_path / "reports.parquet"
    rows: Rows = np.array([11, 2, 700])
    some = holding.taken(rows).reports(DESIGN, store)
    whole = holding.reports(DESIGN, store)
    assert codes(some) == [column[rows].tolist() for column in whole.columns]
    fewer = holding.taken(rows).taken(np.array([2, 0])).reports(DESIGN, store)
    assert codes(fewer) == [column[[700, 11]].tolist() for column in whole.columns]


def test_a_seed_repeats_the_disguise_with_a_warning(holding: Holding, tmp_path: Path) -> None:
    with pytest.warns(SeedWarning):
        first = holding.reports(DESIGN, tmp_path / "first.parquet", seed=7)
    with pytest.warns(SeedWarning):
        second = holding.reports(DESIGN, tmp_path / "second.parquet", seed=7)
    assert codes(first) == codes(second)


def test_reports_of_other_data_or_another_design_are_refused(
    holding: Holding, tmp_path: Path
) -> None:
    store = tmp_path / "reports.parquet"
    holding.reports(DESIGN, store)
    fewer = Design(DESIGN.schema, DESIGN.groups[:1])
    with pytest.raises(CollabError, match="another design"):
        holding.reports(fewer, store)
    changed = held(TABLE.slice(1), tmp_path)
    with pytest.raises(CollabError, match="The data changed since"):
        changed.reports(DESIGN, store)
    store.write_bytes(store.read_bytes()[:100])
    with pytest.raises(CollabError, match="cannot be read"):
        holding.reports(DESIGN, store)


def test_reports_without_identifiers_do_not_tell_the_order_of_rows(tmp_path: Path) -> None:
    by_value = TABLE.sort_by("smokes").drop_columns("patient")
    reports = held(by_value, tmp_path, aligned=False).reports(DESIGN, tmp_path / "r.parquet")
    sent = list(zip(*codes(reports), strict=True))
    assert sent == sorted(sent, key=lambda row: row[::-1])


class Forgetful(Holding):
    """A planted weakness: disguises anew whenever it is asked."""

    def reports(self, design: Design, store: Path, seed: int | None = None) -> Records:
        store.unlink(missing_ok=True)
        return super().reports(design, store, seed)


def averaged(holding: Holding, store: Path, times: int = 50) -> float:
    """Ask again and again; give the share of true answers that the average shows."""
    said = np.zeros(holding.n)
    for seed in range(times):
        said += holding.reports(DESIGN, store, seed).columns[0]
    return float(((said > times / 2) == holding.part(frozenset(SMOKER.items()))).mean())


@pytest.mark.filterwarnings("ignore::deniable.source.disguise.SeedWarning")
def test_averaging_finds_the_truth_only_where_records_are_disguised_anew(
    holding: Holding, tmp_path: Path
) -> None:
    weak = Forgetful(holding.records, holding.digest, holding.ids)
    # A majority of 50 reports, each true with probability 0.8, is wrong once in 10⁵ times.
    assert averaged(weak, tmp_path / "weak.parquet") > 0.999
    # Ours says what the first report said: true with probability 0.8, sd √(0.16/2000) = 0.009.
    assert averaged(holding, tmp_path / "ours.parquet") == pytest.approx(0.8, abs=4 * 0.009)


def test_rehearsals_are_of_one_crowd_with_something_to_find() -> None:
    columns = {"class": ["a", "b"], "x": ["0", "1", "2"], "y": ["no", "yes"], "z": ["no", "yes"]}
    whole = Design.of({"attributes": columns})
    north = Member("north", whole.schema.select(["class", "x"]), ())
    south = Member("south", whole.schema.select(["y", "class", "z"]), ())
    mine, theirs = (Holding.rehearse(each, 3000, seed=5) for each in (north, south))
    assert sorted(mine.ids, key=int) == [str(number) for number in range(1, 3001)]
    assert mine.ids == theirs.ids
    assert (mine.records.columns[0] == theirs.records.columns[1]).all(), "a shared column agrees"
    joint = Records(
        whole.schema,
        (*mine.records.columns, theirs.records.columns[0], theirs.records.columns[2]),
    )
    tree = mine_tree(ExactOracle(joint, whole.schema), target="class")
    assert len(tree.leaves) > 1
    assert Holding.rehearse(north, 3000, seed=6).digest != mine.digest
