"""The records of an experiment on disk: one JSON object a line, appended as soon as it is known."""

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ....csp.base.errors import InstanceError

NAME = "records.jsonl"
# So every record begins: only what does, however short, is taken for one that was not written to its end.
_BEGINNING = b'{"experiment":'


class Journal:
    """The records in a folder.

    A line is written with one call and is on the disk before the next run starts: whatever ends the program, each
    record is there whole or not at all.  A last line without its end is such a one, and is taken away.

    Attributes
    ----------
    records
        All records, in the order in which they were written.
    torn
        How many bytes were taken away.
    """

    def __init__(self, file: int, path: Path) -> None:
        self._file, self._path = file, path
        text = _bytes_of(file)
        whole, torn = text[: _end_of_last(text)], text[_end_of_last(text) :]
        self.records = _records(whole, path)
        if not (torn.startswith(_BEGINNING) or _BEGINNING.startswith(torn)):
            raise InstanceError(f"{path}: holds something else than records of jigsat compare; give another folder")
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
    """The journal of a folder, which is made if there is none; no second program may write to it meanwhile.

    Raises
    ------
    InstanceError
        If it cannot be written, holds something else than records, or is in use.
    """
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
            raise InstanceError(f"{path}: another jigsat compare is writing there; wait for its end") from error
        except OSError as error:
            raise InstanceError(f"{path}: cannot be used: {error.strerror}") from error
        yield journal
    finally:
        os.close(file)


def has_journal(folder: Path) -> bool:
    """Whether a folder has records, or a file for them."""
    return (folder / NAME).is_file()


def read_journal(folder: Path) -> list[dict[str, Any]]:
    """The records in a folder, none if there is no such folder; nothing is written.

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
    """Where the last record that was written to its end has it."""
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
        raise InstanceError(f"{place}: is no JSON; a record on each line is expected") from error
    if not isinstance(record, dict) or not isinstance(record.get("fingerprint"), str):
        raise InstanceError(f"{place}: is no record of jigsat compare; give another folder")
    return record
