"""Files and folders that are written whole or not at all."""

import errno
import os
import secrets
import shutil
import stat
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from deniable.base.errors import DataError, OutputError

NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})
"""What the system says when a disk is full or broken."""

ERASED_AT_ONCE = 1 << 20


def refuse_to_overwrite(out: str | Path | None, inputs: Iterable[Path]) -> None:
    """Keep a result from being written over what it is made of."""
    if out is not None and Path(out).resolve() in {path.resolve() for path in inputs}:
        raise OutputError(f"{out} is read, so it is not written.", hint="Name another file.")


@contextmanager
def whole_file(path: str | Path, *, private: bool = False, new: bool = False) -> Iterator[Path]:
    """Give a temporary name beside the path; what is written there appears whole, or not at all.

    A private file is its owner's only, to read and to write, whatever stood there before. A new one
    takes no other's place, not even of one that has appeared meanwhile.
    """
    target = Path(path).resolve()
    temporary = _beside(target)
    with write_errors(path):
        if target.is_dir():
            raise OutputError(f"{path} is a directory.", hint="Name a file to write.")
        if target.exists() and not target.is_file():
            raise OutputError(f"{path} is not a regular file.", hint="Name a file to write.")
    try:  # from here on: an interruption may come between any two lines
        with write_errors(path):
            temporary.touch(0o600 if private else 0o666, exist_ok=False)
        with write_errors(path, only=NO_ROOM):
            yield temporary
        with write_errors(path):
            sync(temporary)
            if new:
                _take_a_free_name(target, temporary)
            else:
                _take_the_place_of(target, temporary, keep_mode=not private)
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def write_whole(path: str | Path, content: str | bytes, *, private: bool = False) -> None:
    """Write a small file, whole or not at all; text is UTF-8."""
    with whole_file(path, private=private) as temporary:
        temporary.write_bytes(content.encode() if isinstance(content, str) else content)


def write_new(path: Path, text: str) -> None:
    """Write a small file that is not there yet."""
    with whole_file(path) as temporary:
        if path.exists():
            raise OutputError(f"{path} exists already.", hint="Name a new file.")
        temporary.write_text(text, encoding="utf-8")


@contextmanager
def whole_folder(path: str | Path) -> Iterator[Path]:
    """Give a temporary folder beside the path; with all its files it appears whole, or not at all.

    Whoever writes the files syncs each, so that none is empty after a power cut.
    """
    target = Path(path).resolve()
    temporary = _beside(target)
    with write_errors(path):
        if target.exists() and not target.is_dir():
            raise OutputError(f"{path} is a file.", hint="Name a new folder.")
        if target.is_dir() and any(target.iterdir()):
            raise OutputError(
                f"{path} is a folder that is not empty.",
                hint="Name a new folder, or a file that ends in .parquet.",
            )
    try:
        with write_errors(path):
            temporary.mkdir()
            yield temporary
            sync(temporary)
            _take_the_place_of(target, temporary, keep_mode=True)
            sync(target.parent)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def sync(path: Path) -> None:
    """Wait until a file, or the list of a folder's files, is on the disk."""
    is_folder = path.is_dir()
    descriptor = os.open(path, os.O_RDONLY if is_folder else os.O_RDWR)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if not is_folder or error.errno not in {errno.EBADF, errno.EINVAL}:
            raise  # but for where folders cannot be synced
    finally:
        os.close(descriptor)


def erase(path: Path) -> None:
    """Write over a file, then remove it; whether its disk keeps an older copy, nobody can tell."""
    with path.open("r+b", buffering=0) as file:
        left = path.stat().st_size
        while left > 0:
            left -= file.write(bytes(min(left, ERASED_AT_ONCE)))
        os.fsync(file.fileno())
    path.unlink()


def lock(path: Path, *, wait: bool = True) -> int:
    """Hold a file or folder until what this opens is closed, or the process ends.

    Without waiting, a file that another process has is a BlockingIOError.
    """
    import fcntl  # not where there is no Unix

    opened = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(opened, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BaseException:
        os.close(opened)
        raise
    return opened


@contextmanager
def read_errors(path: str | Path, wanted: str) -> Iterator[None]:
    """Turn what can go wrong with an input into one sentence; `wanted` is what to name instead."""
    try:
        yield
    except FileNotFoundError:
        raise DataError(f"{path} does not exist.", hint="Check the name.") from None
    except IsADirectoryError:
        raise DataError(f"{path} is a directory.", hint=f"Name {wanted}.") from None
    except UnicodeDecodeError:
        raise DataError(f"{path} is not text in UTF-8.", hint="Save it as UTF-8.") from None
    except OSError as error:
        if not error.errno:  # a library's own, which its caller knows better
            raise
        raise DataError(f"{path} cannot be read: {os.strerror(error.errno).lower()}.") from None


@contextmanager
def write_errors(path: str | Path, only: Collection[int] | None = None) -> Iterator[None]:
    """Turn what can go wrong with an output, or only some of it, into one sentence."""
    try:
        yield
    except OSError as error:
        if only is not None and error.errno not in only:
            raise
        reason = os.strerror(error.errno).lower() if error.errno else str(error)
        raise OutputError(
            f"{path} cannot be written: {reason}.", hint="Choose another place for the output."
        ) from None


def _beside(target: Path) -> Path:
    return target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")


def _take_a_free_name(target: Path, temporary: Path) -> None:
    """Have the target's name, too, unless somebody has it."""
    try:
        target.hardlink_to(temporary)
    except FileExistsError:
        raise OutputError(f"{target} exists already.", hint="Name a new file.") from None
    except OSError:  # a disk on which a file has one name only
        temporary.replace(target)


def _take_the_place_of(target: Path, temporary: Path, *, keep_mode: bool) -> None:
    """Move to the target's name at once; if there is one already, its mode may stay."""
    if keep_mode and target.exists():
        temporary.chmod(stat.S_IMODE(target.stat().st_mode))
    temporary.replace(target)
