"""Fingerprints stand in files, ledgers and links of others: none of these may ever change."""

import numpy as np
import pytest

from deniable.base.fingerprint import canonical_json, digest_of, digest_of_json
from deniable.collab.agreement.run_terms import RunTerms
from deniable.collab.ledger import LedgerEntry, LedgerRow
from deniable.collab.party_documents import digest
from deniable.collab.policy import Policy
from deniable.collab.session.intersection import Identifiers
from deniable.collab.session.leader_draw import committed
from deniable.collab.session.own_records import _digest
from deniable.design import Design
from deniable.engine.memory.records import Records, stamp_in, stamped
from deniable.source.stream import disguised_table
from deniable.survey.protocol import receipt_id

DESIGN = Design.of(
    {
        "attributes": {"süß": ["no", "yes"], "b": ["0", "1"]},
        "groups": [{"attributes": ["süß"], "channel": "related", "theta": "0.80"}],
    }
)
RECORDS = Records.from_codes([np.array([0, 1]), np.array([1, 0])], DESIGN.schema)


def test_a_design_keeps_its_fingerprint() -> None:
    assert DESIGN.fingerprint == "5837c2d2c326b4117ee332dc2b3d6dd87212412e3f3f44a0531755a1bfa65831"


def test_an_agreement_keeps_its_digest() -> None:
    found = digest({"b": "ü", "a": ["1"], "columns": {"z": [], "y": []}})
    assert found == "1381efc5d7709055c43909297a696c08e1ded24f5b09c1498fb4cb69da0f7a3c"


def test_a_policy_keeps_its_digest() -> None:
    assert Policy().digest == "90fba86c990853b7bf59479d6eff116b47c0258391fd6e369a6bc4df0a2211b5"


def test_terms_keep_their_digest() -> None:
    policies = {"south": Policy(3).document(), "north": Policy().document()}
    terms = RunTerms("a" * 64, policies, {"north": "ü", "south": "2"})
    assert terms.digest == "8fe61c1f0458ce277ef5bd0ea58c76d55a6ebceac2f21075cbe8543125256d59"


def test_a_row_of_a_ledger_keeps_its_hash() -> None:
    entry = LedgerEntry(kind="count", about="süß=yes", value=3.5, why=None, by="north", policy="p")
    row = LedgerRow.after([], entry, "2026-01-01T00:00:00Z")
    assert row.hash == "87161ff96c88d5d525e84ee5d4d3101c834b934dcd5de34648f7fb1605b4507d"
    assert "süß=yes".encode() in row.line()


def test_surveys_receipts_and_invitations_keep_their_hashes() -> None:
    asked = digest_of('{"a":"ü"}')
    assert asked == "fd621823002706e24604cb868a9f4f8850d6f01fb5040d49ba050482e1472437"
    assert receipt_id(bytes(range(16))) == "5acf0271a97e7900e68f1a7a15dfd41b"
    invitation = digest_of("ü")
    assert invitation == "607474ca475a9724d7360aba71a56d5df77e61350e3f724cfa1f46e857e2d85f"


def test_certificates_and_commitments_keep_theirs() -> None:
    der = digest_of(b"der")
    assert der == "5050d80d22ecd471ea55df7034042c1e041341ff4066e7f6ff38e20b720df8ea"
    coin = committed("north", "7")
    assert coin == digest_of(b"deniable coin\nnorth\n7")


def test_records_keep_their_digest() -> None:
    alone, named = _digest(RECORDS, None), _digest(RECORDS, Identifiers(["ü", "b"]))
    assert alone == "c89f1d7549411fef5b1a95e857a7de99ec5ad40e7b637fd5d64830d295fc35c8"
    assert named == "d849174778270512da1189686f560421fd2052abdfe4a855e810d1a2d24f342c"


def test_a_table_carries_its_designs_fingerprint() -> None:
    metadata = disguised_table(RECORDS, DESIGN).schema.metadata
    assert metadata == {b"deniable.design": DESIGN.fingerprint.encode()}
    assert stamp_in(metadata) == DESIGN.fingerprint
    more = stamped(RECORDS.to_arrow(), "f00d", {b"deniable.data": "beef"}).schema.metadata
    assert more == {b"deniable.design": b"f00d", b"deniable.data": b"beef"}
    assert stamp_in({}) is None


def test_json_is_written_in_one_way() -> None:
    document = {"b": 1, "a": ["ü"]}
    assert canonical_json(document) == b'{"a":["\\u00fc"],"b":1}'
    assert canonical_json(document, spaced=True) == b'{"a": ["\\u00fc"], "b": 1}'
    assert canonical_json(document, ascii_only=False) == '{"a":["ü"],"b":1}'.encode()
    assert digest_of_json(document) == digest_of(canonical_json(document))
    with pytest.raises(ValueError, match="JSON"):
        canonical_json(float("nan"))
