"""The records of an experiment on disk: one JSON object in each line, appended as soon as the run ends.

The last two fields of a line are its number and a checksum of all that is before, so that a line that was altered,
removed, doubled or moved is noticed.
"""

import json
import os
import re
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import sha256
from io import BytesIO
from itertools import count
from pathlib import Path
from typing import Any

from ....csp.base.errors import InstanceError
from ....csp.base.extras import need_posix
from ....csp.base.safe_files import sync_folder, temporary_beside
from ....csp.base.strict_json import parsed
from .run_record import checked

NAME = "records.jsonl"
# The beginning of every record: a last line is removed as an incomplete record only if it begins like this.
_BEGINNING = b'{"experiment":'
_NUMBER, _CHECK = "line", "check"
_CHECKED = re.compile(rb'(\{.*),"check":"([0-9a-f]{16})"\}', re.DOTALL)
_MOST = 2**22
_REPAIR = "jigsat compare --repair keeps the other records"


class Journal:
    """The records in a folder.

    A line is written with one call and is on the disk before the next run starts, so that every record is complete or
    can be recognised as incomplete, whatever ends the program.  An incomplete last line is removed.

    Attributes
    ----------
    records
        All records, in the order in which they were written.
    torn
        The number of bytes that were removed.
    """

    def __init__(self, file: int, path: Path) -> None:
        self._file, self._path = file, path
        text = _bytes_of(file, path)
        whole, torn = text[: _end_of_last(text)], text[_end_of_last(text) :]
        self.records = _lines(whole, path)
        if any(found not in (0, expected) for found, expected in zip(torn, _BEGINNING, strict=False)):
            raise InstanceError(f"{path}: is not a file of records of jigsat compare; give another folder")
        self.torn = len(torn)
        if self.torn:
            os.ftruncate(file, len(whole))

    def append(self, record: dict[str, Any]) -> None:
        """Write one record.

        Raises
        ------
        InstanceError
            If it cannot be written; then nothing of it is in the file.
        """
        line = _line(record, len(self.records) + 1)
        size = os.fstat(self._file).st_size
        try:
            while line:
                line = line[os.write(self._file, line) :]
            os.fsync(self._file)
        except OSError as error:
            with suppress(OSError):
                os.ftruncate(self._file, size)
            raise InstanceError(f"{self._path}: cannot be written: {error.strerror}") from error
        self.records.append(record)


@contextmanager
def open_journal(folder: Path) -> Iterator[Journal]:
    """The journal of a folder, made if it does not exist and locked against other programs that write.

    Raises
    ------
    InstanceError
        If it cannot be written, contains something other than records, is damaged, or is in use.
    """
    with _locked(folder) as file:
        try:
            journal = Journal(file, folder / NAME)
        except OSError as error:
            raise InstanceError(f"{folder / NAME}: cannot be used: {error.strerror}") from error
        yield journal


@contextmanager
def _locked(folder: Path) -> Iterator[int]:
    """The descriptor of the file, locked until it is closed."""
    need_posix("experiments need")
    import fcntl

    path = folder / NAME
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
    except OSError as error:
        raise InstanceError(f"{path}: cannot be written: {error.strerror}") from error
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if not stat.S_ISREG(os.fstat(file).st_mode):
                raise InstanceError(f"{path}: is not a regular file")
            # A repair may have replaced the file before it could be locked.
            if not os.path.samestat(os.fstat(file), os.stat(path)):
                raise BlockingIOError
            sync_folder(folder)
        except BlockingIOError as error:
            raise InstanceError(f"{path}: another jigsat compare writes there; wait until it ends") from error
        except OSError as error:
            raise InstanceError(f"{path}: cannot be used: {error.strerror}") from error
        yield file
    finally:
        os.close(file)


def repair_journal(folder: Path) -> Path | None:
    """Rewrite a damaged file with the records that are intact, one for each run.

    Returns
    -------
    Path or None
        The file as it was, under another name; None if it was not damaged.

    Raises
    ------
    InstanceError
        If it cannot be written, is in use, or has no intact record.
    """
    path = folder / NAME
    if not path.exists():
        return None
    with _locked(folder) as file:
        text = _bytes_of(file, path)
        try:
            _lines(text[: _end_of_last(text)], path)
        except InstanceError:
            records = _intact(text)
        else:
            return None
        if not records:
            raise InstanceError(f"{path}: has no intact record of jigsat compare; give another folder")
        try:
            return _rewrite(path, records, os.fstat(file).st_mode)
        except OSError as error:
            raise InstanceError(f"{path}: cannot be repaired: {error.strerror}") from error


def _intact(text: bytes) -> list[dict[str, Any]]:
    """The first intact record of each run."""
    found: dict[str, dict[str, Any]] = {}
    for line in _each_line(text):
        with suppress(InstanceError):
            record, _ = _record(line, "")
            found.setdefault(record["fingerprint"], record)
    return list(found.values())


def _rewrite(path: Path, records: list[dict[str, Any]], mode: int) -> Path:
    """Replace the file by one with these records; return the new name of the old file."""
    kept = next(name for number in count(1) if not (name := path.with_name(f"{NAME}.damaged-{number}")).exists())
    with temporary_beside(path) as temporary:
        try:
            with temporary.open("wb") as file:
                file.writelines(_line(record, number) for number, record in enumerate(records, start=1))
                file.flush()
                os.fchmod(file.fileno(), mode & 0o777)
                os.fsync(file.fileno())
            os.link(path, kept)
            os.replace(temporary, path)
        except BaseException:
            if kept.exists() and kept.samefile(path):
                kept.unlink()
            raise
    sync_folder(path.parent)
    return kept


def has_journal(folder: Path) -> bool:
    """Whether a folder has records, or a file for them."""
    return (folder / NAME).is_file()


def read_journal(folder: Path) -> list[dict[str, Any]]:
    """The records in a folder; empty if the folder does not exist.  Nothing is written.

    Raises
    ------
    InstanceError
        If they cannot be read, or are damaged.
    """
    path = folder / NAME
    try:
        # Reading a pipe would wait for its writer.
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise InstanceError(f"{path}: is not a regular file")
        text = path.read_bytes()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise InstanceError(f"{path}: cannot be read: {error.strerror}") from error
    return _lines(text[: _end_of_last(text)], path)


def _lines(text: bytes, path: Path) -> list[dict[str, Any]]:
    """The records of complete lines.

    Raises
    ------
    InstanceError
        If a line is damaged, or is not where it was written.
    """
    found: list[dict[str, Any]] = []
    for number, line in enumerate(_each_line(text), start=1):
        place = f"{path}: line {number}"
        record, written = _record(line, place)
        if written != number:
            what = f"was line {written} when it was written: lines have been removed, doubled or moved"
            raise InstanceError(f"{place}: {what}; {_REPAIR}")
        found.append(record)
    return found


def _each_line(text: bytes) -> Iterator[bytes]:
    """The lines of a text, one by one: there may be millions of wrong ones."""
    return (line.removesuffix(b"\n") for line in BytesIO(text))


def _line(record: Mapping[str, Any], number: int) -> bytes:
    body = json.dumps({**record, _NUMBER: number}, separators=(",", ":"), allow_nan=False).encode()
    return body[:-1] + f',"{_CHECK}":"{_checksum(body[:-1])}"}}\n'.encode()


def _checksum(beginning: bytes) -> str:
    return sha256(beginning).hexdigest()[:16]


def _end_of_last(text: bytes) -> int:
    """The end of the last complete record.

    After a loss of power, the file can have its new length, but zeros in the place of parts of the last record.
    """
    end = text.rfind(b"\n") + 1
    start = text.rfind(b"\n", 0, max(end - 1, 0)) + 1
    return start if b"\0" in text[start:end] else end


def _bytes_of(file: int, path: Path) -> bytes:
    parts = []
    at = 0
    try:
        while part := os.pread(file, 2**20, at):
            parts.append(part)
            at += len(part)
    except OSError as error:
        raise InstanceError(f"{path}: cannot be read: {error.strerror}") from error
    return b"".join(parts)


def _record(line: bytes, place: str) -> tuple[dict[str, Any], int]:
    """The record in a line, and the number of the line."""
    if len(line) > _MOST:
        raise InstanceError(f"{place}: is longer than {_MOST // 2**20} MiB, the limit for a record; {_REPAIR}")
    parts = _CHECKED.fullmatch(line)
    if parts is not None and parts[2] != _checksum(parts[1]).encode():
        raise InstanceError(f"{place}: is damaged: its checksum is that of another text; {_REPAIR}")
    try:
        record = parsed(line.decode(), place)
    except (InstanceError, UnicodeDecodeError) as error:
        raise InstanceError(f"{place}: is not JSON; each line must be a record; {_REPAIR}") from error
    if not isinstance(record, dict) or not isinstance(record.get("fingerprint"), str):
        raise InstanceError(f"{place}: is not a record of jigsat compare; give another folder")
    number = record.pop(_NUMBER, None)
    if parts is None or record.pop(_CHECK, None) is None:
        raise InstanceError(f"{place}: is damaged: it has no checksum; {_REPAIR}")
    if type(number) is not int:
        raise InstanceError(f"{place}: is damaged: it has no number; {_REPAIR}")
    return checked(record, place), number
