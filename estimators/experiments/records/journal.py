"""The records of an experiment on disk: one JSON object in each line, appended as soon as the run ends."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ....csp.base.errors import InstanceError
from ....csp.base.extras import need_posix

NAME = "records.jsonl"
# The beginning of every record: a last line is removed as an incomplete record only if it begins like this.
_BEGINNING = b'{"experiment":'


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
        text = _bytes_of(file)
        whole, torn = text[: _end_of_last(text)], text[_end_of_last(text) :]
        self.records = _records(whole, path)
        if not (torn.startswith(_BEGINNING) or _BEGINNING.startswith(torn)):
            raise InstanceError(f"{path}: is not a file of records of jigsat compare; give another folder")
        self.torn = len(torn)
        if self.torn:
            os.ftruncate(file, len(whole))

    def append(self, record: dict[str, Any]) -> None:
        """Write one record."""
        line = json.dumps(record, separators=(",", ":"), allow_nan=False).encode() + b"\n"
        try:
            while line:
                line = line[os.write(self._file, line) :]
            os.fsync(self._file)
        except OSError as error:
            raise InstanceError(f"{self._path}: cannot be written: {error.strerror}") from error
        self.records.append(record)


@contextmanager
def open_journal(folder: Path) -> Iterator[Journal]:
    """The journal of a folder, made if it does not exist and locked against other programs that write.

    Raises
    ------
    InstanceError
        If it cannot be written, contains something other than records, or is in use.
    """
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
            journal = Journal(file, path)
        except BlockingIOError as error:
            raise InstanceError(f"{path}: another jigsat compare writes there; wait until it ends") from error
        except OSError as error:
            raise InstanceError(f"{path}: cannot be used: {error.strerror}") from error
        yield journal
    finally:
        os.close(file)


def has_journal(folder: Path) -> bool:
    """Whether a folder has records, or a file for them."""
    return (folder / NAME).is_file()


def read_journal(folder: Path) -> list[dict[str, Any]]:
    """The records in a folder; empty if the folder does not exist.  Nothing is written.

    Raises
    ------
    InstanceError
        If they cannot be read.
    """
    path = folder / NAME
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise InstanceError(f"{path}: cannot be read: {error.strerror}") from error
    return _records(text[: _end_of_last(text)], path)


def _records(text: bytes, path: Path) -> list[dict[str, Any]]:
    return [_record(line, f"{path}: line {number}") for number, line in enumerate(text.splitlines(), start=1)]


def _end_of_last(text: bytes) -> int:
    """The end of the last complete record."""
    return text.rfind(b"\n") + 1


def _bytes_of(file: int) -> bytes:
    parts = []
    at = 0
    while part := os.pread(file, 2**20, at):
        parts.append(part)
        at += len(part)
    return b"".join(parts)


def _record(line: bytes, place: str) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InstanceError(f"{place}: is not JSON; each line must be a record") from error
    if not isinstance(record, dict) or not isinstance(record.get("fingerprint"), str):
        raise InstanceError(f"{place}: is not a record of jigsat compare; give another folder")
    return record
