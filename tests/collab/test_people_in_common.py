"""Whom it is about: a party's own floor, and the people of earlier collaborations.

Hostile leaders over the network, against the program as it is served.
"""

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from collab.intruder import agreed
from collab.parties import EXACT, PATIENTS, TWO_HOSPITALS, Gathering, by_columns
from collab.processes import finished, running, serving
from deniable.base.documents import read_yaml, to_yaml
from deniable.base.errors import CollabError
from deniable.collab.agreement.agreement import Agreement
from deniable.collab.agreement.approvals import approve
from deniable.collab.agreement.run_terms import RunTerms
from deniable.collab.cells import Cell, read, within
from deniable.collab.ledger import Ledger
from deniable.collab.party_server import Connections
from deniable.collab.protocol.verbs import AcceptTerms, SettleOrder
from deniable.collab.session.intersection import tags
from deniable.collab.session.remote_party import RemoteParty
from deniable.collab.session.run import Run
from mine.datasets import random_records

pytestmark = pytest.mark.slow

N = 200
HANDFUL = 12
KEY = bytes(range(32))
TREE = {"tree": {"target": "ill", "max_depth": "1"}}


def hospitals(folder: Path, policy: dict[str, str]) -> Gathering:
    records = random_records(PATIENTS, N, seed=1)
    return by_columns(folder, records, TWO_HOSPITALS, mode="secure", mine=TREE, policy=policy)


def settled_on_a_handful(folder: Path, policy: dict[str, str]) -> int:
    """Lead by hand, and name a dozen chosen people; how many the follower then counts about."""
    gathering = hospitals(folder, policy)
    party = gathering.party("north")
    run = Run(party, gathering.agreement)
    with serving(gathering), Connections(party) as connect:
        try:
            contact = RemoteParty(run, "south", connect("south"))
            contact.greet()
            terms = RunTerms(
                gathering.agreement.digest,
                {"north": party.policy.document(), "south": contact.policy},
                {"north": run.commitment, "south": contact.commitment},
            )
            run.agree(terms)
            contact.ask(AcceptTerms(terms))
            contact.ask(SettleOrder(KEY, tags(run.holding.ids, np.arange(HANDFUL), KEY)))
            rows = Ledger.open(gathering.ledger("south", "north")).rows
            (found,) = [row.value for row in rows if row.about == "people in common"]
            return int(found or 0)
        finally:
            run.close()


def test_a_leader_cannot_settle_on_a_chosen_handful(tmp_path: Path) -> None:
    low = {"minimum cell": "10", "people": "0"}
    assert settled_on_a_handful(tmp_path / "planted", low) == HANDFUL
    with pytest.raises(CollabError, match="south refuses the list of people in common"):
        settled_on_a_handful(tmp_path / "by default", {})


def test_too_few_people_in_common_end_a_run_in_one_sentence(tmp_path: Path) -> None:
    gathering = hospitals(tmp_path, {"people": "201"})
    with serving(gathering):
        code, _, errors = finished(running(gathering, "north"))
    assert code == 1
    said = " ".join(errors.split())
    assert "200 people are in common, and nothing is released about fewer than 201." in said
    assert "policy: people" in said


# --- everybody but one ----------------------------------------------------------------------------

THEIRS = {"region", "drinks"}

PLANTED = """
import deniable.collab.session.alignment as alignment
alignment.require_unlike_earlier = lambda *_: None
"""


def second(first: Gathering, without: int) -> Gathering:
    """The same once more under another name, with a leader that left some people out."""
    data = first.parties["north"].parent / "data.parquet"
    pq.write_table(pq.read_table(data).slice(without), data)
    document = read_yaml(first.folder / "collaboration.yaml")
    assert isinstance(document, dict)
    document["collaboration"] = "again"
    folder = first.folder / "again"
    folder.mkdir()
    (folder / "collaboration.yaml").write_text(to_yaml(document), encoding="utf-8")
    agreement = Agreement.load(folder / "collaboration.yaml")
    again = Gathering(folder, agreement, first.parties)
    for name in first.parties:
        approve(again.party(name), agreement)
    return again


def counted(gathering: Gathering, planted: str = "") -> tuple[int, dict[Cell, int]]:
    """Run, both programs alike; the released counts."""
    with serving(gathering, planted=planted):
        code, _, _ = finished(running(gathering, "north", planted=planted))
    rows = Ledger.open(gathering.ledger("north", "south")).rows
    schema = gathering.agreement.schema
    counts = {read(row.about, schema): int(row.value or 0) for row in rows if row.kind == "count"}
    return code, counts


def test_everybody_but_one_is_refused_in_a_second_collaboration(tmp_path: Path) -> None:
    policy = {**EXACT, "minimum cell": "10"}
    for planted, code in ((PLANTED, 0), ("", 1)):
        first = hospitals(tmp_path / str(code), policy)
        mine, theirs = (
            pq.read_table(first.parties[name].parent / "data.parquet").to_pylist()
            for name in ("north", "south")
        )
        (person,) = [frozenset(row.items()) for row in theirs if row["id"] == mine[0]["id"]]
        own = frozenset(mine[0].items())
        begun, all_of = counted(first, planted)
        assert begun == 0
        ended, others = counted(second(first, without=1), planted)
        assert ended == code
        both = all_of.keys() & others.keys()
        about_them = {cell - own: all_of[cell] - others[cell] for cell in both}
        told = {cell: bool(left) for cell, left in about_them.items() if within(cell, THEIRS)}
        if planted:
            assert told
            assert all(answer == (cell <= person) for cell, answer in told.items())
        else:
            assert not told


SLOW = """
import time
import deniable.collab.session.alignment as alignment
keep = alignment.keep_people
def slowly(*given):
    time.sleep(1)
    keep(*given)
alignment.keep_people = slowly
"""
AT_ONCE = """
from contextlib import nullcontext
alignment.one_at_a_time = nullcontext
"""


def settled_at_once(folder: Path, planted: str) -> int:
    """Name everybody in one run, and everybody but one in another, at once; how many are taken."""
    first = hospitals(folder, {})
    party = first.party("north")
    with ExitStack() as left:
        both = [first, second(first, without=0)]
        left.enter_context(serving(first, planted=planted))
        contacts = []
        for gathering in both:
            run = left.enter_context(closing(Run(party, gathering.agreement)))
            connect = left.enter_context(Connections(party))
            contacts.append(RemoteParty(run, "south", connect("south")))
            agreed(run, contacts[-1])

        def settle(without: int) -> int:
            named = tags(contacts[0].run.holding.ids, np.arange(without, N), KEY)
            with suppress(CollabError):
                contacts[without].ask(SettleOrder(KEY, named))
                return 1
            return 0

        with ThreadPoolExecutor() as pool:
            return sum(pool.map(settle, range(2)))


def test_everybody_but_one_is_refused_also_of_two_who_come_at_once(tmp_path: Path) -> None:
    """Each was compared with earlier runs, and neither was earlier than the other."""
    assert settled_at_once(tmp_path / "planted", SLOW + AT_ONCE) == 2
    assert settled_at_once(tmp_path / "as it is", SLOW) == 1


def test_the_same_people_and_many_others_may_be_asked_about_again(tmp_path: Path) -> None:
    first = hospitals(tmp_path, {**EXACT, "minimum cell": "10"})
    assert counted(first)[0] == 0
    assert counted(second(first, without=0))[0] == 0
