"""JSON files that grow while a program works: after every write, and if the program is killed, they are complete.

A growing file is one JSON object: first fields, a list with one entry per line, and perhaps a state, the last field,
with which the work can be continued.  New entries, the state and the end of the file are written at once, in place of
the former state and end.  If even that write is cut off, every entry before it is still in place, see `read_grown`.
"""

import json
import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any
from zlib import crc32

from ...base.errors import InstanceError
from ...base.safe_files import lock, writing
from ...base.strict_json import header_lines
from ..streams import is_plain

#: Entries are written at least so often, whether more are added or not.
FLUSH_SECONDS = 0.5
# The number of first entries that are written one by one; later ones are written together.
_AT_ONCE = 32
_MOST_WAITING = 2**20
# The largest number of bytes of a line of the first fields, of an entry with its end, and of a state.
_MOST_HEAD, _MOST_LINE, _MOST_STATE = 2**20, 2**25, 2**26
# No state has more lists; each takes much more memory than text.
_MOST_LISTS = 2**20
#: The ending of the name of a file that is not complete.
PART = ".part"
_INDENT = b"\n    "
# No entry ends like a state: the beginning of a new entry with the rest of a former state never looks like an entry.
# The checksum shows whether a state is from one write.
_STATE, _STATE_END = b'  "checksum": "%08x", "state": ', b" \n"
_START_OF_STATE = len(_STATE % 0)


def part_of(path: str | Path) -> Path:
    """The file that has what was found so far for a file that is not complete: its name and ``.part``."""
    path = Path(path)
    return path.with_name(f"{path.name}{PART}")


@dataclass(frozen=True)
class Grown:
    """The contents of a growing file.

    Parameters
    ----------
    head
        Its first fields.
    state
        The state that was kept last; None without one, or if its write was cut off.
    entries
        The number of complete entries.
    start, end
        The positions after the beginning of the list and after the last complete entry, in bytes.
    """

    path: Path
    head: Mapping[str, Any]
    state: Any
    entries: int
    start: int
    end: int

    def lines(self) -> Iterator[Any]:
        """The entries, one by one."""
        return (entry for entry, _ in self.marked())

    def marked(self) -> Iterator[tuple[Any, bool]]:
        """The entries, each with whether its text `is_plain`."""
        with self.path.open("rb") as file:
            file.seek(self.start)
            file.readline()
            for number in range(1, self.entries + 1):
                line = file.readline(_MOST_LINE)
                entry = _entry(line)
                if entry is None:
                    raise InstanceError(f"{self.path}: entry {number} of its list is damaged")
                yield entry, is_plain(line.decode())


def read_grown(path: str | Path, name: str = "solutions") -> Grown | None:
    """Read a growing file whose list is called `name`, without what a write that was cut off has left.

    Returns
    -------
    Grown or None
        None if its beginning is incomplete or has another layout: then it is not a growing file.

    Raises
    ------
    InstanceError
        If it cannot be read.
    """
    try:
        with Path(path).open("rb") as file:
            return _grown(Path(path), file, name)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InstanceError(f"{path}: cannot be read: {reason}") from error


def is_beginning(path: str | Path, head: Mapping[str, Any], name: str = "solutions") -> bool:
    """Whether a file is only the beginning of one with these first fields, as a first write that fails leaves it."""
    whole = _opening(head, name) + _ended(None)
    with writing(path), Path(path).open("rb") as file:
        return whole.startswith(file.read(len(whole) + 1))


def _opening(head: Mapping[str, Any], name: str) -> bytes:
    return ("{\n" + "\n".join(header_lines(head)) + f'\n  "{name}": [').encode()


def _grown(path: Path, file: IO[bytes], name: str) -> Grown | None:
    head = []
    opening = f'  "{name}": ['.encode()
    while line := file.readline(_MOST_HEAD):
        if line.startswith(opening):
            break
        if len(head) > 100 or len(line) == _MOST_HEAD:
            return None
        head.append(line)
    else:
        return None
    if line.rstrip(b"\n") != opening:
        return None
    fields = _loaded(b"".join(head).rstrip().rstrip(b",") + b"}")
    if not isinstance(fields, dict):
        return None
    start = end = file.tell() - len(line) + len(opening)
    entries, last, before = 0, b"", start
    while (line := file.readline(_MOST_LINE)).startswith(_INDENT[1:]):
        before, end, last = end, file.tell() - len(line) + len(_without_end(line)), line
        entries += 1
    if entries and _entry(last) is None:
        entries, end = entries - 1, before
    state = _state_of(file.readline(_MOST_STATE)) if line == b"  ],\n" else None
    return Grown(path, fields, state, entries, start, end)


def _entry(line: bytes) -> Any:
    """The entry on a line, None if it is not complete."""
    return _loaded(_without_end(line))


def _without_end(line: bytes) -> bytes:
    """A line without its comma, and without the rest of a former end of which only the first byte was replaced."""
    return line.removesuffix(b"\n").removesuffix(b",").removesuffix(b",  ]").removesuffix(b",")


def _state_of(line: bytes) -> Any:
    """The state on a line, None if it is not complete."""
    state = line.removesuffix(_STATE_END)[_START_OF_STATE:]
    if state.count(b"[") + state.count(b"{") > _MOST_LISTS:
        return None
    return _loaded(state) if line == _line_of(state) else None


def _line_of(state: bytes) -> bytes:
    return _STATE % crc32(state) + state + _STATE_END


def _loaded(text: bytes) -> Any:
    """The data in a JSON text, None if it is not JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


@dataclass(eq=False)
class GrowingFile:
    """A growing file that is being written; see `begin` and `resume`.

    One process at a time can write it.  A thread writes what waits, so that nothing waits longer than `FLUSH_SECONDS`.

    Attributes
    ----------
    entries
        The number of entries so far.
    """

    path: Path
    _descriptor: int
    _start: int
    _end: int
    entries: int = 0
    _waiting: list[bytes] = field(default_factory=list)
    _size: int = 0
    _state: Any = None
    _fault: OSError | None = None

    def __post_init__(self) -> None:
        self._lock, self._over, self._bytes = threading.RLock(), threading.Event(), 0
        self._changed, self._last = False, _ended(None)
        self._thread = threading.Thread(target=self._flush_in_time, name=f"writes {self.path.name}", daemon=True)
        self._thread.start()

    @classmethod
    def begin(cls, path: str | Path, head: Mapping[str, Any], name: str = "solutions") -> "GrowingFile":
        """Begin a file, in place of one that exists.

        Raises
        ------
        InstanceError
            If it cannot be written, or another process writes it.
        """
        descriptor = _opened(Path(path), os.O_CREAT)
        text = _opening(head, name)
        with writing(path):
            try:
                os.ftruncate(descriptor, 0)
                _write(descriptor, text + _ended(None), 0)
            except BaseException:
                os.close(descriptor)
                raise
        return cls(Path(path), descriptor, len(text), len(text), _size=len(text) + len(_ended(None)))

    @classmethod
    def resume(cls, grown: Grown) -> "GrowingFile":
        """Continue a file that was read; raises as `begin` does."""
        descriptor = _opened(grown.path)
        made = cls(grown.path, descriptor, grown.start, grown.end, grown.entries, _size=os.fstat(descriptor).st_size)
        made.keep(grown.state)
        made.flush()
        return made

    def add(self, entry: Any) -> None:
        """Add an entry, which is JSON data and takes one line."""
        line = (b"," if self.entries else b"") + _INDENT + json.dumps(entry, separators=(",", ":")).encode()
        with self._lock:
            self._waiting.append(line)
            self._bytes += len(line)
            self.entries += 1
            at_once = self.entries <= _AT_ONCE or self._bytes >= _MOST_WAITING
        if at_once:
            self.flush()

    def keep(self, state: Any) -> None:
        """Keep a state in place of the former one; None removes it.  It is written together with the entries.

        It must not change later.
        """
        with self._lock:
            self._changed, self._state = True, state

    def check(self) -> None:
        """Raise the error of a write in the background, if there was one."""
        if self._fault is not None:
            self.flush()

    def flush(self) -> None:
        """Write what waits.

        Raises
        ------
        InstanceError
            If it cannot be written; what was written before is still there.
        """
        with self._lock, writing(self.path):
            if self._fault is not None:
                raise self._fault
            if self._descriptor < 0 or (not self._waiting and not self._changed):
                return
            data, end = b"".join(self._waiting), _ended(self._state)
            # Blanks in place of what else the former end had.
            end = end[:-1].ljust(self._size - self._end - len(data) - 1) + end[-1:]
            try:
                _write(self._descriptor, data + end, self._end)
            except OSError as error:
                self._fault = error
                self._restore()
                raise
            self._end += len(data)
            self._size = self._end + len(end)
            self._waiting, self._bytes, self._changed, self._last = [], 0, False, end

    def _restore(self) -> None:
        """Write the end again after a write that failed: there is room for it, because there was."""
        with suppress(OSError):
            _write(self._descriptor, self._last, self._end)

    def _flush_in_time(self) -> None:
        while not self._over.wait(FLUSH_SECONDS):
            # The next call of this object raises the error.
            with suppress(InstanceError):
                self.flush()

    def replace(self, entry: Any) -> None:
        """Write a file with this entry and no other, in place of all."""
        data = _INDENT + json.dumps(entry, separators=(",", ":")).encode()
        with self._lock, writing(self.path):
            end = _ended(self._state)
            _write(self._descriptor, (data + end[:-1]).ljust(self._size - self._start - 1) + end[-1:], self._start)
            self._end, self.entries = self._start + len(data), 1
            self._size = max(self._size, self._end + len(end))
            self._last, self._waiting, self._bytes = end, [], 0

    def close(self, *, state: bool = True) -> None:
        """Write what waits, and close the file, unless it is closed; without `state`, no state is left in it."""
        if self._over.is_set():
            return
        self._over.set()
        self._thread.join()
        try:
            if not state:
                self.keep(None)
            self.flush()
            with writing(self.path):
                # The blanks are cut off last: the file is complete at every moment.
                end = _ended(self._state)
                _write(self._descriptor, end, self._end)
                os.ftruncate(self._descriptor, self._end + len(end))
                os.fsync(self._descriptor)
        finally:
            self.abandon()

    def abandon(self) -> None:
        """Close the file as it is; what waits is not written."""
        self._over.set()
        with self._lock:
            if self._descriptor >= 0:
                os.close(self._descriptor)
            self._descriptor = -1

    def __enter__(self) -> "GrowingFile":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _ended(state: Any) -> bytes:
    """The end of a file with this state, or without one."""
    text = b"" if state is None else _line_of(json.dumps(state, separators=(",", ":")).encode())
    return b"\n  ]" + (b",\n" + text if text else b"\n") + b"}\n"


def _opened(path: Path, how: int = 0) -> int:
    """A file opened for writing, locked until it is closed or the process ends."""
    with writing(path):
        descriptor = os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0) | how, 0o666)
        try:
            lock(descriptor)
        except BlockingIOError as error:
            os.close(descriptor)
            raise InstanceError(f"{path}: is being written by another process") from error
    return descriptor


def _write(descriptor: int, data: bytes, at: int) -> None:
    os.lseek(descriptor, at, os.SEEK_SET)
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
