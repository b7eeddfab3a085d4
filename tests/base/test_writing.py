"""Files that are written whole or not at all, and locks that end with whoever has them."""

import os
import stat
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

import pytest

from deniable.base.errors import OutputError
from deniable.base.files import lock, whole_file, write_new, write_whole
from deniable.design import Design
from deniable.schema import Schema


def test_an_overwritten_file_keeps_its_mode(tmp_path: Path) -> None:
    target = tmp_path / "out.txt"
    target.write_text("old")
    target.chmod(0o600)
    with whole_file(target) as temporary:
        temporary.write_text("new")
    assert target.stat().st_mode & 0o777 == 0o600


def test_a_private_file_is_private_whatever_stood_there_before(tmp_path: Path) -> None:
    target = tmp_path / "out"
    target.write_text("for everybody")
    target.chmod(0o644)
    write_whole(target, "for me", private=True)
    assert target.stat().st_mode & 0o777 == 0o600


def test_a_file_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    target = tmp_path / "out.txt"
    target.write_text("old")
    with pytest.raises(ZeroDivisionError), whole_file(target) as temporary:
        _ = 1 / (temporary.write_text("half") - 4)
    assert [path.name for path in tmp_path.iterdir()] == ["out.txt"]
    assert target.read_text() == "old"
    with whole_file(target) as temporary:
        temporary.write_text("new")
    assert target.read_text() == "new"
    assert len(list(tmp_path.iterdir())) == 1


def test_outputs_that_cannot_be_are_refused_in_one_sentence(tmp_path: Path) -> None:
    for path, sentence in [
        (tmp_path, "is a directory"),
        (tmp_path / "no" / "such" / "folder.parquet", "no such file or directory"),
        (Path(os.devnull), "is not a regular file"),
    ]:
        with pytest.raises(OutputError, match=sentence), whole_file(path):
            pass


def in_a_process_of_its_own(code: str, *words: object) -> str:
    prologue = (
        "import os, resource, signal, sys; from pathlib import Path; "
        "from deniable.base.files import whole_file; from deniable.base.errors import OutputError\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", prologue + textwrap.dedent(code), *map(str, words)],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_no_permission_to_write_is_one_sentence() -> None:
    locked = Path(tempfile.mkdtemp())  # pytest's own folders are closed to other users
    locked.chmod(0o555)
    said = in_a_process_of_its_own(
        """
        if os.geteuid() == 0:
            os.setuid(65_534)  # root may write anywhere; nobody may not
        try:
            with whole_file(sys.argv[1] + "/out.parquet"):
                pass
        except OutputError as error:
            print(error)
        """,
        locked,
    )
    assert "out.parquet cannot be written: permission denied." in said
    assert not list(locked.iterdir())
    locked.rmdir()


def test_a_full_disk_is_one_sentence(tmp_path: Path) -> None:
    said = in_a_process_of_its_own(
        """
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
        try:
            with whole_file(sys.argv[1] + "/out.bin") as temporary:
                temporary.write_bytes(b"x" * 100_000)
        except OutputError as error:
            print(error)
        """,
        tmp_path,
    )
    assert "out.bin cannot be written: file too large." in said
    assert not list(tmp_path.iterdir())


def test_small_files_are_text_in_utf_8_or_bytes_and_may_be_private(tmp_path: Path) -> None:
    write_whole(tmp_path / "text", "ä\n")
    write_whole(tmp_path / "bytes", b"\x00\r\n", private=True)
    assert (tmp_path / "text").read_bytes() == "ä\n".encode()
    assert (tmp_path / "bytes").read_bytes() == b"\x00\r\n"
    assert stat.S_IMODE((tmp_path / "bytes").stat().st_mode) == 0o600


def test_a_new_file_takes_nobodys_place(tmp_path: Path) -> None:
    write_new(tmp_path / "new", "mine")
    with pytest.raises(OutputError, match="exists already"):
        write_new(tmp_path / "new", "yours")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("new", "mine")]


def test_a_design_is_saved_whole_or_not_at_all(tmp_path: Path) -> None:
    design = Design.truthful(Schema.of({"a": ["0", "1"]}))
    with pytest.raises(OutputError, match=r"cannot be written: no such file or directory\."):
        design.save(tmp_path / "no" / "design.yaml")
    said = in_a_process_of_its_own(
        """
        from deniable.design import Design
        from deniable.schema import Schema
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
        long = Design.truthful(Schema.of({"a": [str(n) for n in range(99)]}))
        try:
            long.save(sys.argv[1])
        except OutputError as error:
            print(error)
        """,
        write_path := tmp_path / "design.yaml",
    )
    assert "design.yaml cannot be written: file too large." in said
    assert not write_path.exists()
    design.save(write_path)
    assert [path.name for path in tmp_path.iterdir()] == ["design.yaml"]


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_a_lock_keeps_others_out_until_it_is_closed(kind: str, tmp_path: Path) -> None:
    path = tmp_path if kind == "folder" else tmp_path / "lock"
    path.touch()
    held = lock(path)
    with pytest.raises(BlockingIOError):
        lock(path, wait=False)
    os.close(held)
    os.close(lock(path, wait=False))


def test_a_lock_ends_with_its_process(tmp_path: Path) -> None:
    (tmp_path / "lock").touch()
    code = "from deniable.base.files import lock; lock(Path(sys.argv[1])); os._exit(0)"
    in_a_process_of_its_own(code, tmp_path / "lock")
    os.close(lock(tmp_path / "lock", wait=False))


def test_the_foundation_loads_no_library_of_tables() -> None:
    said = in_a_process_of_its_own("print([name for name in sys.modules if 'pyarrow' in name])")
    assert said == "[]\n"
