"""An older backup that is restored does not know what came after it; the command says so.

What these tests show is no promise but its limit: who answered since can answer twice, and what
was deleted since is there again.
"""

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from deniable.survey.invitations import invitations
from deniable.survey.tokens import PublicKey
from forking import Nursery
from survey.nursery import nursery_in, served
from survey.serving import open_store
from survey.visitors import everything, person, send, stranger, take_token, write_survey
from waiting import free_port

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def nursery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nursery]:
    with nursery_in(tmp_path_factory.mktemp("nursery")) as found:
        yield found


def test_after_a_restore_one_invitation_can_answer_twice_and_the_command_warns(
    nursery: Nursery, tmp_path: Path
) -> None:
    survey = write_survey(tmp_path, invitations=True)
    store = open_store(survey)
    codes, _ = invitations(store, "http://127.0.0.1", 2)
    store.invite(codes)
    store.database.close()
    backup, restored, port = tmp_path / "backup", tmp_path / "restored.db", free_port()
    url = f"http://127.0.0.1:{port}"
    with served(nursery, survey, tmp_path / "habits.db", port) as server, stranger(url) as client:
        described = client.get("/api/survey").json()
        public = PublicKey.of_jwk(described["key"])
        early = person(described, take_token(client, public, codes[0]))
        assert send(client, early.answer).status_code == 200
        assert nursery.run("survey", "backup", survey, "--out", backup)[0] == 0
        late = person(described, take_token(client, public, codes[1]))
        assert send(client, late.answer).status_code == 200
        deleted = client.post("/api/receipts/delete", json={"receipt": early.shown_receipt})
        assert deleted.json() == {"deleted": True}
        refused = send(client, person(described, late.answer.token).answer)
        assert refused.status_code == 409  # nothing is good twice while nothing is restored
        assert server.end(signal.SIGTERM) == 0
    words = ("survey", "restore", survey, "--from", backup, "--database", restored)
    status, output = nursery.run(*words)
    assert status == 0
    for warning in ("deleted since are back", "given since are gone", "can answer twice"):
        assert warning in output
    with served(nursery, survey, restored, port), stranger(url) as client:
        again = person(described, take_token(client, public, codes[1]))
        for answer in (late.answer, again.answer):
            assert send(client, answer).status_code == 200
        gone = {"id": early.answer.id}
        assert client.post("/api/receipts/check", json=gone).json() == {"included": True}
        deleted = client.post("/api/receipts/delete", json={"receipt": early.shown_receipt})
        assert deleted.json() == {"deleted": True}  # as often as they are there
    store = open_store(survey, restored)
    kept = {row[0] for row in everything(store)["waiting"]}
    store.database.close()
    assert kept == {late.answer.id, again.answer.id}
