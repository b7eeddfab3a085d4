"""What a party tells a peer that asks for more than it should have, or at a bad moment."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from collab.intruder import TREE, Intruder, around, cell, intruding, vector
from collab.parties import EXACT, PATIENTS, TWO_HOSPITALS, Gathering, by_columns, by_rows
from deniable.base.errors import AnswerError, CollabError, LostSessionError, PolicyError
from deniable.collab.agreement.agreement import Agreement
from deniable.collab.cells import listed
from deniable.collab.ledger import Ledger
from deniable.collab.party_server import PartyServer
from deniable.collab.protocol.body import Stamp
from deniable.collab.protocol.fields import AskedVector
from deniable.collab.session.intersection import Identifiers, IntersectionClient, tags
from deniable.collab.session.own_reports import own_reports
from deniable.collab.session.run import Run
from deniable.collab.wire.message import Message
from mine.datasets import random_records
from waiting import eventually

DIAGNOSIS = "HIV-positive, J. Smith"
YOUNG, COAST = cell(age="young"), cell(region="coast")
GROUP = {"attributes": ["region"], "channel": "related", "theta": "0.8"}


def spoiled(gathering: Gathering, name: str) -> None:
    """Put a value into a party's data that its file does not list."""
    path = gathering.folder / name / "data.parquet"
    data = pq.read_table(path).to_pydict()
    column = "region" if "region" in data else "age"
    data[column][3] = DIAGNOSIS
    pq.write_table(pa.table(data), path)


@pytest.mark.parametrize("verb", ["hello", "lead", "status"])
def test_an_error_about_own_data_stays_at_home(tmp_path: Path, verb: str) -> None:
    gathering = around(tmp_path)
    spoiled(gathering, "north")
    server = PartyServer(gathering.party("north"))
    try:
        asked = Message(verb, {"collaboration": gathering.agreement.digest, "have": 0})
        with pytest.raises(AnswerError, match="because of its own data or files") as told:
            server.dispatcher.answer("south", asked)
        assert DIAGNOSIS not in str(told.value)
        assert "data.parquet" not in str(told.value)
        assert "row" not in str(told.value)
    finally:
        server.close()


def test_a_lead_that_fails_at_home_does_not_say_why(tmp_path: Path) -> None:
    gathering = around(tmp_path)
    server = PartyServer(gathering.party("north"), patience=0)
    try:
        asked = Message("lead", {"collaboration": gathering.agreement.digest, "rehearsal": None})
        session = server.dispatcher.session("south", Stamp.read(asked.fields))
        spoiled(gathering, "north")
        server.dispatcher.answer("south", asked)
        told: list[str] = []

        def failed() -> bool:
            status = server.dispatcher.answer("south", Message("status", asked.fields)).fields
            told[:] = [status["error"]]
            return bool(status["error"])

        eventually(failed)
        assert DIAGNOSIS not in told[0]
        assert "because of its own data or files" in told[0]
        assert session.run.name == "north"
    finally:
        server.close()


@pytest.mark.parametrize("align", ["psi", "key"])
def test_guessed_people_are_refused_in_the_same_words_and_written_down(
    tmp_path: Path, align: str
) -> None:
    with intruding(
        around(tmp_path, align=align, policy={**EXACT, "minimum cell": "10"})
    ) as intruder:
        key = b"k" * 32
        for guess in ("p7", "nobody"):  # one who is there, one who is not
            rows = len(
                intruder.dispatcher.session("north", Stamp(**intruder.stamp))
                .run.ledger("north")
                .rows
            )
            named = tags(Identifiers.of([guess]), np.array([0]), key)
            with pytest.raises(AnswerError) as told:
                intruder.say("settle", {}, (key, named))
            assert told.value.message == "south refuses the list of people in common."
            after = (
                intruder.dispatcher.session("north", Stamp(**intruder.stamp))
                .run.ledger("north")
                .rows
            )
            assert len(after) == rows + 1
            assert "refused" in after[-1].about


def test_who_agreed_on_a_key_answers_no_intersection(tmp_path: Path) -> None:
    with intruding(around(tmp_path, align="key")) as intruder:
        guesses = IntersectionClient(Identifiers.of(["p1", "p2"]), b"1", "").request()
        with pytest.raises(AnswerError, match="not aligned in this way"):
            intruder.say("intersect", {"records": 2}, (guesses,))


def test_a_refused_count_is_not_opened_by_asking_for_it_all_the_same(tmp_path: Path) -> None:
    gathering = around(tmp_path, policy={**EXACT, "minimum cell": "190"})
    with intruding(gathering) as intruder:
        intruder.permit(COAST, YOUNG | COAST)
        assert all("tells of fewer" in str(r.why) for r in _refusals(intruder))
        before = intruder.backend.used
        with pytest.raises(LostSessionError, match="not asked for first"):
            intruder.say("hold", {"vectors": [vector(COAST, YOUNG | COAST)]})
        assert intruder.backend.used == before


def test_counts_that_are_opened_and_never_released_use_up_the_limit(tmp_path: Path) -> None:
    gathering = around(tmp_path, policy={**EXACT, "minimum cell": "0", "counts": "6"})
    with intruding(gathering) as intruder:
        opened = 0
        for age in PATIENTS["age"].values:
            for smokes in PATIENTS["smokes"].values:
                wanted = cell(age=age, smokes=smokes) | COAST
                intruder.permit(COAST, wanted)
                try:
                    intruder.evaluating([AskedVector(COAST, [wanted])], stop="release")
                except (LostSessionError, PolicyError):
                    continue
                opened += 1
        assert opened == 2  # of two counts each, and one that the follower counts alone
        charged = [r for r in _ledger(intruder).rows if r.kind == "opened"]
        assert sum(int(row.value or 0) for row in charged) == 2 * opened


def test_the_same_group_is_disguised_the_same_whatever_stands_beside_it(tmp_path: Path) -> None:
    """Whoever holds the reports of two collaborations must not hold two draws."""
    records = random_records(PATIENTS, 300, seed=3)
    reports = []
    for number, others in enumerate(([], ["drinks"])):
        extra = [{"attributes": others, "channel": "related", "theta": "0.7"}] if others else []
        gathering = by_columns(
            tmp_path / str(number),
            records,
            {"north": ["smokes", "age", "ill"], "south": ["region", *others]},
            mode="collect",
            mine=TREE,
            disguise={"south": [GROUP, *extra]},
            align="key",
        )
        if number:  # the same party in a second collaboration: it keeps its state
            (tmp_path / "1" / "south" / "state" / "disguised").symlink_to(
                tmp_path / "0" / "south" / "state" / "disguised"
            )
        gathering.lead_here()
        run = Run(gathering.party("south"), gathering.agreement)
        design = gathering.agreement.sent("south")
        column = own_reports(run, design).columns[design.schema.position("region")]
        order = run.order
        assert order is not None
        reports.append(dict(zip((run.holding.ids[row] for row in order), column, strict=True)))
        run.close()
    assert reports[0] == reports[1]


def test_exact_counts_among_estimates_are_withheld_below_the_minimum(tmp_path: Path) -> None:
    schema = PATIENTS.select(["smokes", "region", "ill"])
    sites = {name: random_records(schema, 40, seed=number) for number, name in enumerate("ab")}
    hidden = [{"attributes": ["smokes"], "channel": "related", "theta": "0.9"}]
    gathering = by_rows(
        tmp_path,
        sites,
        mode="counts",
        mine=TREE,
        disguise={"a": hidden, "b": hidden},
        undisguised=["region", "ill"],
        policy={**EXACT, "minimum cell": "15"},
    )
    gathering.lead_here()
    exact = {"region", "ill"}
    told = [
        row
        for row in Ledger.open(gathering.ledger("b", "a")).rows
        if row.kind == "estimate"
        and {term.split("=")[0] for term in row.about.split(" · ")[0].split(" & ")} <= exact
    ]
    assert told
    assert all(row.value is not None and row.value >= 15 for row in told)


def test_terms_must_name_everybody(tmp_path: Path) -> None:
    with intruding(around(tmp_path)) as intruder:
        document = intruder.terms.document()
        document["policies"].pop("north")
        document["commitments"].pop("north")
        with pytest.raises(AnswerError, match="do not say what south brings"):
            intruder.say("agree", {"document": document})


def test_one_rehearsal_at_a_time_is_held_in_memory(tmp_path: Path) -> None:
    with intruding(around(tmp_path)) as intruder:
        for records in (50, 60, 70):
            intruder.say("hello", {"rehearsal": records})
        held = [key for key in intruder.dispatcher._sessions if key[1] is not None]
        assert held == [(intruder.gathering.agreement.digest, 70)]


def test_whoever_seeks_for_an_outside_leader_must_know_everybody(tmp_path: Path) -> None:
    records = random_records(PATIENTS, 60, seed=3)
    groups = [
        {"attributes": TWO_HOSPITALS["north"], "channel": "related", "theta": "0.9"},
        {"attributes": ["region", "drinks"], "channel": "related", "theta": "0.9"},
    ]
    gathering = by_columns(
        tmp_path,
        records,
        {"north": TWO_HOSPITALS["north"], "south": ["region", "drinks"]},
        mode="collect",
        mine=TREE,
        disguise={"north": groups[:1], "south": groups[1:]},
        outside="university",
    )
    agreement: Agreement = gathering.agreement
    assert agreement.seekers == ("north",)
    for name in ("north", "south"):
        party = gathering.party(name)
        other = {"north": "south", "south": "north"}[name]
        known = {peer: it for peer, it in party.peers.items() if peer != other}
        object.__setattr__(party, "peers", known)
        with pytest.raises(CollabError, match=f"does not know {other}"):
            party.check(agreement)


def _ledger(intruder: Intruder) -> Ledger:
    return intruder.dispatcher.session("north", Stamp(**intruder.stamp)).run.ledger("north")


def _refusals(intruder: Intruder) -> list[Any]:
    found = [row for row in _ledger(intruder).rows if row.kind == "refused"]
    assert len(found) == len(listed([COAST, YOUNG | COAST]))
    return found
