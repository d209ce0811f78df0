"""The book of a long piece of work: what it is about and what it has found, each entry once, even if it is killed.

The file is an SQLite database.  Each record is a text that can be verified by itself: it has its length, an
identification and a checksum.  It is padded to fill the rest of one page and then whole pages, which SQLite appends to
the file.  So a truncated file has lost only records at its end, and the others can be read without SQLite.
"""

import json
import os
import sqlite3
import stat
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..base.errors import BookError, shortened
from ..base.safe_files import alone_with, sync_folder, temporary_beside
from ..base.stop import StoppedError, never, watched
from ..base.strict_json import collected_later
from ..files.file_format import BOOK_ID, is_book
from .sealed import (
    BEGINNING,
    IN_FIRST_PAGE,
    PAGE,
    POINTER,
    Record,
    about_record,
    declared_length,
    digest_of,
    parsed_record,
    text_of,
)

#: Entries are written at least so often.
FLUSH_SECONDS = 0.5
_HEADER = 100
_MOST_BYTES = 2**28
# The longest text; larger values in a file are not read.
_MOST = 2**25
_TABLE = "CREATE TABLE records (number INTEGER PRIMARY KEY, text TEXT NOT NULL)"
# A journal of SQLite that ends like this names a file, which SQLite deletes.  Those of books name none.
_NAMES_A_FILE = bytes.fromhex("d9d505f920a163d7")
# Instructions of SQLite between two questions whether to stop: less than a millisecond.
_INSTRUCTIONS = 10_000
# Names in what work is about that no option changes.
_IDENTITY = ("format", "work", "instance", "sha256", "code")
_NONE = "give another file, or the name of a new file"

#: Which of the entries, with their numbers from 1, belong together: what is left of a damaged book may have gaps.
Sound = Callable[[Sequence[tuple[int, Mapping[str, Any]]]], Sequence[Mapping[str, Any]]]


class _DamagedError(Exception):
    """The file is a damaged SQLite database."""


def without_gap(entries: Sequence[tuple[int, Mapping[str, Any]]]) -> list[Mapping[str, Any]]:
    """The entries before the first one that is missing."""
    kept: list[Mapping[str, Any]] = []
    for number, entry in entries:
        # Some may be repeated, or left over from an unfinished transaction.
        if number == len(kept) + 1:
            kept.append(entry)
    return kept


class Book:
    """A book that is open for writing.

    Attributes
    ----------
    label
        The name of the file in errors.
    entries
        All entries, in the order in which they were added.
    salvaged
        A sentence that describes the repair if the file was damaged; otherwise None.
    """

    def __init__(self, label: str, connection: sqlite3.Connection, records: list[Record], salvaged: str | None) -> None:
        self.label, self.salvaged, self._connection = label, salvaged, connection
        self.entries: list[Mapping[str, Any]] = [record["entry"] for record in records[1:]]
        self._digest: str = records[0]["of"]
        self._waiting: list[Record] = []
        self._lock, self._timer, self._written = threading.RLock(), None, 0.0

    def add(self, entry: Mapping[str, Any], *, now: bool = True) -> None:
        """Add an entry, which is JSON data; unless `now`, it may be written half a second later.

        Raises
        ------
        BookError
            If it cannot be written; then it is not added.
        """
        with self._lock:
            number = len(self.entries) + len(self._waiting) + 1
            self._waiting.append({"number": number, "of": self._digest, "entry": entry})
            if now or time.monotonic() - self._written >= FLUSH_SECONDS:
                try:
                    self.flush()
                except BaseException:
                    self._waiting.pop()
                    raise
            elif self._timer is None:
                self._timer = threading.Timer(FLUSH_SECONDS, self._flush_in_time)
                self._timer.daemon = True
                self._timer.start()

    def flush(self) -> None:
        """Write the entries that wait, all of them or none."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
            self._timer, self._written = None, time.monotonic()
            if self._waiting:
                with _told(self.label), _transaction(self._connection):
                    for record in self._waiting:
                        _insert(self._connection, record)
                self.entries += [record["entry"] for record in self._waiting]
                self._waiting = []

    def _flush_in_time(self) -> None:
        # The next call of this object raises the error.
        with suppress(BookError), self._lock:
            self.flush()


@dataclass(frozen=True)
class _Request:
    """What a book is asked for: the name in errors, the work, its options, what belongs together, when to stop."""

    label: str
    about: Mapping[str, Any]
    options: Collection[str]
    sound: Sound
    must_stop: Callable[[], bool]

    def intact(self, records: Sequence[Record]) -> list[Record]:
        """The records of entries that belong together."""
        kept = {id(entry) for entry in self.sound([(record["number"], record["entry"]) for record in records])}
        return [record for record in records if id(record["entry"]) in kept]


@contextmanager
def open_book(
    path: str | Path,
    about: Mapping[str, object],
    *,
    options: Collection[str] = (),
    sound: Sound = without_gap,
    overwrite: bool = False,
    must_stop: Callable[[], bool] = never,
) -> Iterator[Book]:
    """Open the book in a file exclusively; the file is made if it does not exist.

    Parameters
    ----------
    path
        The file.
    about
        Everything that the entries depend on, as JSON values by name.
    options
        The names in `about` that are options of the command: a book along another order says which order to give.
    sound
        Chooses the entries that belong together if the file was damaged.
    overwrite
        Whether to begin a new book in place of what is in the file.
    must_stop
        Is asked many times a second while the file is read.

    Raises
    ------
    StoppedError
        If `must_stop` asks to stop.
    BookError
        If the file is not a book or that of other work, is in use, or cannot be written.
    """
    label = str(path)
    asked = _Request(label, json.loads(json.dumps(about)), options, sound, must_stop)
    with _told(label):
        target = os.path.realpath(path)
        if not os.path.isdir(os.path.dirname(target)):
            raise BookError(f"{label}: cannot be written: there is no folder {os.path.dirname(path)}")
        if overwrite:
            _remove(target)
        if os.path.exists(target):
            status = os.stat(target)
            if not stat.S_ISREG(status.st_mode):
                raise BookError(f"{label}: is not a regular file; {_NONE}")
            # SQLite would treat a single byte as an empty file.
            if 0 < status.st_size < _HEADER:
                raise BookError(f"{label}: is not a book; {_NONE}")
        _refuse_companions(target, label)
        salvaged = None
        connection = _connection(target)
        try:
            records = _records(connection, target, asked)
        except (_DamagedError, sqlite3.DatabaseError) as error:
            connection.close()
            if not _is_damage(error):
                raise
            kept = _salvage(target, asked)
            salvaged = f"{label}: was damaged; {kept} entries were kept, and the file was rewritten"
            connection = _connection(target)
            records = _records(connection, target, asked)
        except BaseException:
            connection.close()
            raise
    with closing(connection):
        book = Book(label, connection, records, salvaged)
        try:
            yield book
        except BaseException:
            with suppress(BookError):
                book.flush()
            raise
        book.flush()


def _remove(target: str) -> None:
    """Remove a book, unless another process uses it, or a file in its place."""
    if is_book(target):
        _connection(target).close()
    remove_book(target)


def remove_book(path: str | Path) -> None:
    """Remove a closed book, with what SQLite has left beside it after a failure."""
    for name in (f"{path}-journal", path):
        Path(name).unlink(missing_ok=True)


def _refuse_companions(target: str, label: str) -> None:
    """Refuse files beside a book that SQLite would use, and that none of ours has."""
    for end in ("-wal", "-shm"):
        if os.path.lexists(target + end):
            raise BookError(f"{label}{end}: books have no such file beside them; remove it")
    try:
        with open(f"{target}-journal", "rb") as file:
            file.seek(-min(file.seek(0, os.SEEK_END), len(_NAMES_A_FILE)), os.SEEK_END)
            if file.read() == _NAMES_A_FILE:
                raise BookError(f"{label}-journal: is not the journal of a book; remove it")
    except FileNotFoundError:
        pass


def read_book(path: str | Path, sound: Sound = without_gap) -> tuple[Mapping[str, Any], list[Mapping[str, Any]]]:
    """What a book is about, and its entries, read without SQLite; it may be in use.

    Raises
    ------
    BookError
        If it cannot be read, is not a book, or has lost what it is about.
    """
    with _told(str(path)):
        if not is_book(path):
            raise BookError(f"{path}: is not a book; {_NONE}")
        if os.path.getsize(path) > _MOST_BYTES:
            raise BookError(f"{path}: has more than {_MOST_BYTES >> 20} MiB; {_NONE}")
        found = _found_in(Path(path).read_bytes(), never)
    abouts = [record for record in found if "about" in record]
    if not abouts:
        raise BookError(f"{path}: has lost the record of what it is about")
    about = abouts[0]["about"]
    entries = [record for record in found if "entry" in record and record["of"] == digest_of(about)]
    return about, [*sound([(record["number"], record["entry"]) for record in entries])]


def _connection(target: str) -> sqlite3.Connection:
    """The database, locked until it is closed; nothing in it is run."""
    # A timer writes what waits; a lock of the book keeps threads apart.
    connection = sqlite3.connect(target, timeout=0, isolation_level=None, check_same_thread=False)
    try:
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MOST)
        for pragma in ("trusted_schema=OFF", "cell_size_check=ON", "mmap_size=0"):
            connection.execute(f"PRAGMA {pragma}")
        for pragma in (f"page_size={PAGE}", "auto_vacuum=NONE", "locking_mode=EXCLUSIVE", "synchronous=EXTRA"):
            connection.execute(f"PRAGMA {pragma}")
        connection.execute("BEGIN EXCLUSIVE")
        connection.execute("COMMIT")
    except sqlite3.DatabaseError as error:
        # Damage is reported only where the file is read.
        if not _is_damage(error):
            connection.close()
            raise
    return connection


def _records(connection: sqlite3.Connection, target: str, asked: _Request) -> list[Record]:
    """All records in their order, that of the work first; for a new file only that.

    Raises
    ------
    _DamagedError, sqlite3.DatabaseError
        If the file is damaged.
    StoppedError
        If the work must stop.
    """
    label = asked.label
    marks = [connection.execute(f"PRAGMA {pragma}").fetchone()[0] for pragma in ("application_id", "page_size")]
    if marks == [0, PAGE] and _schema(connection) == []:
        _make(connection, [about_record(asked.about)])
    elif marks[0] != int.from_bytes(BOOK_ID):
        raise BookError(f"{label}: is an SQLite database, but not a book; {_NONE}")
    # What is in the file must not be run, so only a table of exactly this form is read.
    schema = _schema(connection)
    if foreign := [kind for kind, _, _ in schema if kind != "table"]:
        raise BookError(f"{label}: is not a book: it has a database {shortened(str(foreign[0]))}; {_NONE}")
    if schema != [("table", "records", _TABLE)]:
        raise _DamagedError
    with _stoppable(connection, asked.must_stop):
        found = _read(connection, target, asked.must_stop)
    _refuse_another(asked, found)
    if len(asked.intact(found[1:])) < len(found) - 1:
        raise _DamagedError
    return found


def _read(connection: sqlite3.Connection, target: str, must_stop: Callable[[], bool]) -> list[Record]:
    """The records of a table of the right form."""
    [(pages,)] = connection.execute("PRAGMA page_count")
    if os.path.getsize(target) != pages * PAGE or [*connection.execute("PRAGMA quick_check(1)")] != [("ok",)]:
        raise _DamagedError
    # As bytes, because a damaged text may have no valid encoding.
    query = "SELECT number, CAST(text AS BLOB) FROM records ORDER BY number"
    # A query that is not closed would keep the file locked.
    with closing(connection.execute(query)) as rows, collected_later():
        found = [(number, parsed_record(text)) for number, text in watched(rows, must_stop)]
    records = [record for _, record in found if record is not None]
    numbers = [*range(len(found))]
    if not found or [n for n, _ in found] != numbers or [record["number"] for record in records] != numbers:
        raise _DamagedError
    return records


@contextmanager
def _stoppable(connection: sqlite3.Connection, must_stop: Callable[[], bool]) -> Iterator[None]:
    """Queries end with StoppedError when `must_stop` asks to stop; the question also lets Python see signals."""
    connection.set_progress_handler(must_stop, _INSTRUCTIONS)
    try:
        yield
    except sqlite3.OperationalError as error:
        raise StoppedError if _code(error) == sqlite3.SQLITE_INTERRUPT else error from error
    finally:
        connection.set_progress_handler(None, 0)


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Everything is written, or nothing."""
    connection.execute("BEGIN EXCLUSIVE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        # After some errors SQLite has done that.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _schema(connection: sqlite3.Connection) -> list[tuple[object, ...]]:
    """Tables, indexes, views and triggers; a book has one table, so a few are enough."""
    return connection.execute("SELECT type, name, sql FROM sqlite_schema LIMIT 9").fetchall()


def _make(connection: sqlite3.Connection, records: list[Record]) -> None:
    """Fill an empty database."""
    with _transaction(connection):
        connection.execute(f"PRAGMA application_id={int.from_bytes(BOOK_ID)}")
        connection.execute(_TABLE)
        for record in records:
            _insert(connection, record)


def _insert(connection: sqlite3.Connection, record: Record) -> None:
    connection.execute("INSERT INTO records VALUES (?, ?)", (record["number"], text_of(record)))


def _salvage(target: str, asked: _Request) -> int:
    """Replace a damaged file by a valid one; return the number of entries that could be kept."""
    with alone_with(target):
        # Another process may have repaired it a moment ago, and work with it: this shows it.
        _connection(target).close()
        data = Path(target).read_bytes()
        if data[:16] != b"SQLite format 3\0" or data[68:72] != BOOK_ID:
            raise BookError(f"{asked.label}: is not a book; {_NONE}")
        found = _found_in(data, asked.must_stop)
        _refuse_another(asked, found)
        records = asked.intact([record for record in found if "entry" in record])
        _write_anew(Path(target), asked.about, records)
    return len(records)


def _found_in(data: bytes, must_stop: Callable[[], bool]) -> list[Record]:
    """The complete records in the bytes of a damaged file, in their order."""
    found: list[Record] = []
    beginning = BEGINNING.encode()
    for start in watched(range(0, len(data), PAGE), must_stop):
        page = data[start : start + PAGE]
        at = page.find(beginning)
        if at < 0:
            continue
        text = page[at:]
        # A longer text ends with the number of the page that it goes on in, and so on.
        needed = declared_length(text)
        if needed > _MOST:
            continue
        if needed > IN_FIRST_PAGE:
            parts, pointer = [page[at:-POINTER]], page[-POINTER:]
            for _ in range(len(parts[0]), needed, PAGE - POINTER):
                next_start = max(int.from_bytes(pointer) - 1, 0) * PAGE
                page = data[next_start : next_start + PAGE]
                parts.append(page[POINTER:])
                pointer = page[:POINTER]
            text = b"".join(parts)
        record = parsed_record(text)
        if record is not None:
            found.append(record)
    return sorted(found, key=lambda record: record["number"])


def _write_anew(target: Path, about: Mapping[str, object], records: list[Record]) -> None:
    numbered = [{**record, "number": number} for number, record in enumerate(records, start=1)]
    with temporary_beside(target) as temporary:
        try:
            with closing(_connection(str(temporary))) as connection:
                _make(connection, [about_record(about), *numbered])
            os.chmod(temporary, stat.S_IMODE(os.stat(target).st_mode))
            # A journal left next to the damaged file would be applied to the new one.
            Path(f"{target}-journal").unlink(missing_ok=True)
            os.replace(temporary, target)
        finally:
            # SQLite keeps it after a failure.
            Path(f"{temporary}-journal").unlink(missing_ok=True)
    sync_folder(target.parent)


def _refuse_another(asked: _Request, records: list[Record]) -> None:
    """Raise BookError for the records of other work, with the options to give for it."""
    digest = digest_of(asked.about)
    if all(record["of"] == digest for record in records):
        return
    others = [record["about"] for record in records if "about" in record and record["of"] != digest]
    if not others:
        raise BookError(f"{asked.label}: is the book of other work and damaged; give another file")
    there, here = _flat(others[0]), _flat(asked.about)
    differ = [name for name in {**there, **here} if there.get(name) != here.get(name)]
    wanted = [_option(name, there.get(name)) for name in differ if name in asked.options]
    # Of another puzzle, everything may differ; and other options have other consequences.
    told = [name for name in differ if name in _IDENTITY] or ([] if wanted else differ)
    what = "; ".join(f"{name} is {_shown(there.get(name))} there and {_shown(here.get(name))} here" for name in told)
    what = f"{what}; give another file" if told else f"give {' '.join(wanted)}, or another file"
    raise BookError(f"{asked.label}: is the book of other work: {what}")


def _option(name: str, value: object) -> str:
    """How an option with this value is given; true and null are given by the name alone, or by its absence."""
    if name == "symmetry":
        name, value = "no_symmetry", not value
    option = f"--{name.replace('_', '-')}"
    if value is None or value is False:
        return f"no {option}"
    return option if value is True else f"{option} {shortened(str(value), 70)}"


def _flat(about: Mapping[str, object]) -> dict[str, object]:
    """The fields, with those of nested objects at the top level."""
    flat: dict[str, object] = {}
    for name, value in about.items():
        flat.update(value if isinstance(value, Mapping) else {name: value})
    return flat


def _shown(value: object) -> str:
    return shortened(json.dumps(value), 70)


def _is_damage(error: Exception) -> bool:
    """Whether an error means that the file is damaged or not a database."""
    return isinstance(error, _DamagedError) or _code(error) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def _code(error: Exception) -> int:
    """The SQLite code of an error; 0 for other errors."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


@contextmanager
def _told(label: str) -> Iterator[None]:
    """Reports errors of SQLite and of the system in one line."""
    try:
        yield
    except (OSError, ValueError, sqlite3.DatabaseError) as error:
        if isinstance(error, BlockingIOError) or _code(error) == sqlite3.SQLITE_BUSY:
            reason = "is in use by another process; wait until that ends, or give another file"
        else:
            reason = f"cannot be used as a book: {error.strerror if isinstance(error, OSError) else error}"
        raise BookError(f"{label}: {reason}") from error
