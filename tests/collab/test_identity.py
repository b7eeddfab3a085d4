import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from deniable.base.errors import CollabError
from deniable.collab.wire.identity import (
    CERTIFICATE,
    KEY,
    Certificate,
    Identity,
    heard,
    make,
    spoken,
)


def test_an_identity_is_read_as_it_was_made(tmp_path: Path) -> None:
    made = make(tmp_path / "identity", "north", days=10)
    assert Identity.load(tmp_path / "identity") == made
    assert made.name == "north"
    assert made.fingerprint == Certificate.load(tmp_path / "identity" / CERTIFICATE).fingerprint
    assert made.certificate.ends - datetime.now(UTC) < timedelta(days=10)
    assert made.certificate.days_left == 9


def test_only_its_owner_may_read_the_key(tmp_path: Path) -> None:
    make(tmp_path / "identity", "north")
    assert stat.S_IMODE((tmp_path / "identity" / KEY).stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "identity").stat().st_mode) == 0o700


def test_a_key_is_never_overwritten(tmp_path: Path) -> None:
    make(tmp_path / "identity", "north")
    before = (tmp_path / "identity" / KEY).read_bytes()
    with pytest.raises(CollabError, match="exists already"):
        make(tmp_path / "identity", "north")
    assert (tmp_path / "identity" / KEY).read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["identity"]


def test_a_folder_of_other_things_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("mine")
    with pytest.raises(CollabError, match="is not empty"):
        make(tmp_path, "north")


@pytest.mark.parametrize("name", ["", "a b", "ü", "../up", "-", "x" * 64, "drawn", "a\n", "a.b"])
def test_a_name_that_no_file_or_certificate_takes_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(CollabError, match="cannot be called"):
        make(tmp_path / "identity", name)
    assert not list(tmp_path.iterdir())


def test_a_key_of_another_certificate_is_refused(tmp_path: Path) -> None:
    make(tmp_path / "north", "north")
    make(tmp_path / "south", "south")
    (tmp_path / "north" / KEY).write_bytes((tmp_path / "south" / KEY).read_bytes())
    with pytest.raises(CollabError, match="is not the key of"):
        Identity.load(tmp_path / "north")


def test_what_is_not_one_certificate_is_refused(tmp_path: Path) -> None:
    one = make(tmp_path / "north", "north").folder / CERTIFICATE
    two = tmp_path / "two.pem"
    for content in [b"", b"nothing", one.read_bytes() * 2, (tmp_path / "north" / KEY).read_bytes()]:
        two.write_bytes(content)
        with pytest.raises(CollabError, match="does not hold one certificate"):
            Certificate.load(two)
    with pytest.raises(CollabError, match="cannot be read"):
        Certificate.load(tmp_path / "none.pem")
    with pytest.raises(CollabError, match=r"no key\.pem"):
        Identity.load(tmp_path / "nowhere")


def test_a_fingerprint_survives_being_read_aloud() -> None:
    fingerprint = "0123456789abcdef" * 4
    assert heard(spoken(fingerprint)) == fingerprint
    assert heard(spoken(fingerprint).upper().replace(" ", ":")) == fingerprint
    for wrong in ["", fingerprint[:-1], fingerprint + "0", "g" + fingerprint[1:]]:
        with pytest.raises(CollabError, match="is not a fingerprint"):
            heard(wrong)
