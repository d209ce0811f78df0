"""The book of a long piece of work: what it is about and what it has found, each entry once, even if it is killed.

The file is an SQLite database.  Each record is a text that can be verified by itself: it has its length, an
identification and a checksum.  It is padded to fill the rest of one page and then whole pages, which SQLite appends to
the file.  So a truncated file has lost only records at its end, and the others can be read without SQLite.

A record has all entries that were written together.  Beside the entries there is a state, with which the work can be
continued: its record is replaced in place by the next one, so that no page with an earlier content is ever free.
"""

import json
import os
import sqlite3
import stat
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..base.errors import BookError, shortened
from ..base.safe_files import alone_with, sync_folder, temporary_beside, writing
from ..base.stop import StoppedError, never, watched
from ..base.strict_json import collected_later
from ..files.books import (
    MOST,
    NONE,
    PAGE,
    Record,
    Sound,
    about_text,
    compact,
    digest_of,
    entries_text,
    pages_of,
    parsed_record,
    read_about,
    read_book,
    records_in,
    sound_entries,
    state_text,
    without_gap,
)
from ..files.file_format import BOOK_ID, is_book

#: Entries are written at least so often.
FLUSH_SECONDS = 0.5
_HEADER = 100
# A record with more characters has only one entry.
_ENOUGH = 2**18
# States have a table of their own: among the entries, they would make SQLite move those to other pages.
_TABLES = [
    ("table", "records", "CREATE TABLE records (number INTEGER PRIMARY KEY, text TEXT NOT NULL)"),
    ("table", "states", "CREATE TABLE states (number INTEGER PRIMARY KEY, text TEXT NOT NULL)"),
]
# A journal of SQLite that ends like this names a file, which SQLite deletes.  Those of books name none.
_NAMES_A_FILE = bytes.fromhex("d9d505f920a163d7")
# Instructions of SQLite between two questions whether to stop: less than a millisecond.
_INSTRUCTIONS = 10_000
# Names in what work is about that no option changes.
_IDENTITY = ("format", "work", "instance", "sha256", "code")


class _DamagedError(Exception):
    """The file is a damaged SQLite database."""


@dataclass(frozen=True)
class _Contents:
    """What was read of a file: the number of entries and the records of states."""

    entries: int
    states: Sequence[Record]

    @property
    def state(self) -> Record | None:
        """The record of the state that was kept last, of those after which no entry is lost."""
        states = [record for record in self.states if record["after"] <= self.entries]
        return max(states, key=lambda record: record["number"], default=None)

    @property
    def serial(self) -> int:
        """The highest number of a state."""
        return max((record["number"] for record in self.states), default=0)


class Book:
    """A book that is open for writing.

    Attributes:
    - `label`: the name of the file in errors.
    - `salvaged`: a sentence that describes the repair if the file was damaged; otherwise None.
    - `state`: the state that was kept last; None without one.
    """

    def __init__(
        self, label: str, connection: sqlite3.Connection, of: str, contents: _Contents, salvaged: str | None
    ) -> None:
        self.label, self.salvaged, self._connection, self._of = label, salvaged, connection, of
        last = contents.state
        self.state: Any = None if last is None else last["state"]
        # The state that waits to be written, as JSON, and the number of entries when it was kept.
        self._kept, self._after, self._serial = "", 0, contents.serial
        self._written, self._waiting = contents.entries, list[str]()
        self._lock, self._timer, self._time, self._failed = threading.RLock(), None, 0.0, False

    @property
    def entries(self) -> "Entries":
        """All entries, in the order in which they were added; those that wait to be written are among them."""
        return Entries(self)

    def add(self, entry: Any, *, now: bool = True) -> None:
        """Add an entry, which is JSON data; unless `now`, it may be written half a second later.

        Raises BookError if it cannot be written; the next call tries again.
        """
        with self._lock:
            self._waiting.append(compact(entry))
            self._write_soon(now=now)

    def keep(self, state: Any) -> None:
        """Keep a state, which is JSON data, in place of the former one: how far the entries so far go.

        It is written together with the entries, at most half a second later; raises as `add` does.
        """
        with self._lock:
            self._kept, self._after, self.state = compact(state), self._written + len(self._waiting), state
            self._write_soon(now=False)

    def _write_soon(self, *, now: bool) -> None:
        if now or self._failed or time.monotonic() - self._time >= FLUSH_SECONDS:
            self.flush()
        elif self._timer is None:
            self._timer = threading.Timer(FLUSH_SECONDS, self._flush_in_time)
            self._timer.daemon = True
            self._timer.start()

    def flush(self) -> None:
        """Write the entries that wait and the state, all or nothing."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
            self._timer, self._time = None, time.monotonic()
            if not self._waiting and not self._kept:
                return
            self._failed = True
            with _told(self.label), _transaction(self._connection):
                _insert(self._connection, self._of, self._written + 1, self._waiting)
                if 0 < len(self._kept) < MOST // 2:
                    _insert_state(self._connection, state_text(self._serial + 1, self._of, self._after, self._kept))
            self._written, self._serial = self._written + len(self._waiting), self._serial + 1
            self._failed, self._kept, self._waiting = False, "", []

    def check(self) -> None:
        """Try again what could not be written in the background, if anything; raises as `flush` does."""
        if self._failed:
            self.flush()

    def _flush_in_time(self) -> None:
        # The next call of this object raises the error.
        with suppress(BookError), self._lock:
            self.flush()

    def _from(self, number: int) -> list[Any]:
        """The entries of the record that begins with this one; empty after the last one."""
        with self._lock, collected_later():
            if number > self._written:
                return [json.loads(text) for text in self._waiting[number - self._written - 1 :]]
            query = "SELECT CAST(text AS BLOB) FROM records WHERE number = ?"
            with _told(self.label):
                found = self._connection.execute(query, (number,)).fetchone()
            record = None if found is None else parsed_record(found[0])
        if record is None:
            raise BookError(f"{self.label}: was damaged while it was read; use it again to repair it")
        return record["entries"]


class Entries:
    """The entries of a book, read from its file each time they are iterated over."""

    def __init__(self, book: Book) -> None:
        self._book = book

    def __len__(self) -> int:
        return self._book._written + len(self._book._waiting)

    def __iter__(self) -> Iterator[Any]:
        number = 1
        while found := self._book._from(number):
            yield from found
            number += len(found)


@dataclass(frozen=True)
class _Request:
    """What a book is asked for: the name in errors, the work, its options, what belongs together, when to stop."""

    label: str
    about: Mapping[str, Any]
    options: Collection[str]
    sound: Sound
    must_stop: Callable[[], bool]


@contextmanager
def open_book(
    path: str | Path,
    about: Mapping[str, object],
    *,
    options: Collection[str] = (),
    sound: Sound = without_gap,
    overwrite: bool = False,
    folder: bool = False,
    empty: bool = True,
    must_stop: Callable[[], bool] = never,
) -> Iterator[Book]:
    """Open the book in a file exclusively; the file is made if it does not exist.

    - `about`: everything that the entries depend on, as JSON values by name.
    - `options`: the names in `about` that are options of the command: a book along another order says which order to
      give.
    - `sound`: chooses the entries that belong together if the file was damaged.
    - `overwrite`: whether to begin a new book in place of what is in the file.
    - `folder`: whether to make the folder of the file, too.
    - `empty`: whether a book stays that has nothing at the end.  Work that is refused leaves no new book in any case,
      and a new folder never stays without a file.
    - `must_stop`: is asked many times a second while the file is read.

    Raises StoppedError if `must_stop` asks to stop. Raises BookError if the file is not a book or that of other work,
    is in use, or cannot be written.
    """
    label = str(path)
    asked = _Request(label, json.loads(json.dumps(about)), options, sound, must_stop)
    with _told(label):
        target = os.path.realpath(path)
    is_new, refused = not os.path.exists(target), True
    with _new_folder(path) if folder else nullcontext():
        connection, contents, salvaged = _opened(path, target, asked, overwrite=overwrite)
        book = Book(label, connection, digest_of(asked.about), contents, salvaged)
        try:
            with closing(connection):
                try:
                    yield book
                    refused = False
                finally:
                    with suppress(BookError) if refused else nullcontext():
                        book.flush()
        finally:
            if not len(book.entries) and book.state is None and (not empty or (is_new and refused)):
                with suppress(OSError):
                    remove_book(target)


@contextmanager
def _new_folder(path: str | Path) -> Iterator[None]:
    """Make the folder of a file, and remove it at the end if it is a new one without a file."""
    folder = Path(path).parent
    with writing(path):
        is_new = not folder.exists()
        folder.mkdir(parents=True, exist_ok=True)
    try:
        yield
    finally:
        if is_new:
            with suppress(OSError):
                folder.rmdir()


def _opened(
    path: str | Path, target: str, asked: _Request, *, overwrite: bool
) -> tuple[sqlite3.Connection, _Contents, str | None]:
    """The database in a file, what it has, and what was done if it was damaged."""
    label = asked.label
    with _told(label):
        if not os.path.isdir(os.path.dirname(target)):
            raise BookError(f"{label}: cannot be written: there is no folder {os.path.dirname(path)}")
        if overwrite:
            _remove(target)
        if os.path.exists(target):
            status = os.stat(target)
            if not stat.S_ISREG(status.st_mode):
                raise BookError(f"{label}: is not a regular file; {NONE}")
            # SQLite would treat a single byte as an empty file.
            if 0 < status.st_size < _HEADER:
                raise BookError(f"{label}: is not a book; {NONE}")
        _refuse_companions(target, label)
        salvaged = None
        connection = _connection(target)
        try:
            contents = _contents(connection, target, asked)
        except (_DamagedError, sqlite3.DatabaseError) as error:
            connection.close()
            if not _is_damage(error):
                raise
            kept = _salvage(target, asked)
            salvaged = f"{label}: was damaged; {kept} entries were kept, and the file was rewritten"
            connection = _connection(target)
            contents = _contents(connection, target, asked)
        except BaseException:
            connection.close()
            raise
    return connection, contents, salvaged


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


def merge_books(paths: Sequence[str | Path], target: str | Path, sound: Callable[[Mapping[str, Any]], Sound]) -> None:
    """Add the entries of several books of the same work to that in `target`, which is made if it does not exist.

    - `paths`: the books, which may be in use.
    - `target`: the book that gets all of their entries.
    - `sound`: says, for what the work is about, which entries belong together: those that are there already must not.

    Raises BookError if one of them is not a book or of other work, or the target cannot be written.
    """
    about = read_about(paths[0])
    for path in paths:
        _refuse_another(str(path), about, read_about(path))
    accepts = sound(about)
    with open_book(target, about, sound=accepts, folder=True) as book:
        accept = accepts()
        for number, entry in enumerate(book.entries, start=1):
            accept(number, entry)
        for path in paths:
            # To open and close the target a second time would unlock it.
            if os.path.samefile(path, target):
                continue
            for entry in read_book(path, accepts)[1]:
                if accept(len(book.entries) + 1, entry):
                    book.add(entry, now=False)


def _connection(target: str) -> sqlite3.Connection:
    """The database, locked until it is closed; nothing in it is run."""
    # A timer writes what waits; a lock of the book keeps threads apart.
    connection = sqlite3.connect(target, timeout=0, isolation_level=None, check_same_thread=False)
    try:
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST)
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


def _contents(connection: sqlite3.Connection, target: str, asked: _Request) -> _Contents:
    """What is in the file, of which a new one gets only what the work is about.

    Raises _DamagedError, sqlite3.DatabaseError if the file is damaged. Raises StoppedError if the work must stop.
    """
    label = asked.label
    marks = [connection.execute(f"PRAGMA {pragma}").fetchone()[0] for pragma in ("application_id", "page_size")]
    if marks == [0, PAGE] and _schema(connection) == []:
        _make(connection, asked.about)
    elif marks[0] != int.from_bytes(BOOK_ID):
        raise BookError(f"{label}: is an SQLite database, but not a book; {NONE}")
    # What is in the file must not be run, so only a table of exactly this form is read.
    schema = _schema(connection)
    if foreign := [kind for kind, _, _ in schema if kind != "table"]:
        raise BookError(f"{label}: is not a book: it has a database {shortened(str(foreign[0]))}; {NONE}")
    if schema != _TABLES:
        raise _DamagedError
    with _stoppable(connection, asked.must_stop):
        return _read(connection, target, asked)


def _read(connection: sqlite3.Connection, target: str, asked: _Request) -> _Contents:
    """The contents of a table of the right form."""
    [(pages,)] = connection.execute("PRAGMA page_count")
    if os.path.getsize(target) != pages * PAGE or [*connection.execute("PRAGMA quick_check(1)")] != [("ok",)]:
        raise _DamagedError
    number, of, accept = -1, digest_of(asked.about), asked.sound()
    with collected_later():
        for row, record in _rows(connection, "records", asked.must_stop):
            if "about" in record:
                _refuse_another(asked.label, asked.about, record["about"], asked.options)
            right = ("entries" if row else "about") in record and record["of"] == of
            entries = record.get("entries", ())
            if not (right and row == record["number"] == number + 1):
                raise _DamagedError
            if not all(map(accept, range(row, row + len(entries)), entries)):
                raise _DamagedError
            number += len(entries) or 1
        states = [record for _, record in _rows(connection, "states", asked.must_stop)]
    if number < 0 or any("state" not in record or record["of"] != of for record in states):
        raise _DamagedError
    return _Contents(number, states)


def _rows(connection: sqlite3.Connection, table: str, must_stop: Callable[[], bool]) -> Iterator[tuple[int, Record]]:
    """The rows of a table with their records."""
    # As bytes, because a damaged text may have no valid encoding.
    query = f"SELECT number, CAST(text AS BLOB) FROM {table} ORDER BY number"
    # A query that is not closed would keep the file locked.
    with closing(connection.execute(query)) as rows:
        for row, text in watched(rows, must_stop):
            record = parsed_record(text)
            if record is None:
                raise _DamagedError
            yield row, record


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
    """Tables, indexes, views and triggers; a book has two tables, so a few are enough."""
    return connection.execute("SELECT type, name, sql FROM sqlite_schema LIMIT 9").fetchall()


def _make(connection: sqlite3.Connection, about: Mapping[str, Any], entries: Sequence[str] = ()) -> None:
    """Fill an empty database."""
    with _transaction(connection):
        connection.execute(f"PRAGMA application_id={int.from_bytes(BOOK_ID)}")
        for *_, made in _TABLES:
            connection.execute(made)
        connection.execute("INSERT INTO records VALUES (0, ?)", (about_text(about),))
        _insert(connection, digest_of(about), 1, entries)


def _insert(connection: sqlite3.Connection, of: str, number: int, entries: Sequence[str]) -> None:
    """Append entries, the first of which has this number, in records of some length."""
    begin = size = 0
    for end, entry in enumerate(entries, start=1):
        size += len(entry)
        if size > _ENOUGH or end == len(entries):
            text = entries_text(number + begin, of, entries[begin:end])
            connection.execute("INSERT INTO records VALUES (?, ?)", (number + begin, text))
            begin, size = end, 0


def _insert_state(connection: sqlite3.Connection, text: str) -> None:
    """Write a state over one of the same length, which takes no other pages."""
    row = (pages_of(text).bit_length(), text)
    connection.execute("INSERT INTO states VALUES (?, ?) ON CONFLICT DO UPDATE SET text = excluded.text", row)


def _salvage(target: str, asked: _Request) -> int:
    """Replace a damaged file by a valid one; return the number of entries that could be kept."""
    with alone_with(target):
        # Another process may have repaired it a moment ago, and work with it: this shows it.
        _connection(target).close()
        data = Path(target).read_bytes()
        if data[:16] != b"SQLite format 3\0" or data[68:72] != BOOK_ID:
            raise BookError(f"{asked.label}: is not a book; {NONE}")
        found = [*records_in(data, asked.must_stop)]
        _refuse_salvage(asked, found)
        entries = sound_entries(found, digest_of(asked.about), asked.sound)
        _write_anew(Path(target), asked.about, entries, [record for record in found if "state" in record])
    return len(entries)


def _write_anew(
    target: Path, about: Mapping[str, Any], entries: Sequence[tuple[int, Any]], states: Sequence[Record]
) -> None:
    # Those before the first one that is lost have the same numbers as before.
    whole = next((at for at, (number, _) in enumerate(entries) if number != at + 1), len(entries))
    state = _Contents(whole, states).state
    with temporary_beside(target) as temporary:
        try:
            with closing(_connection(str(temporary))) as connection:
                _make(connection, about, [compact(entry) for _, entry in entries])
                if state is not None:
                    kept = state_text(state["number"], state["of"], state["after"], compact(state["state"]))
                    _insert_state(connection, kept)
            os.chmod(temporary, stat.S_IMODE(os.stat(target).st_mode))
            # A journal left next to the damaged file would be applied to the new one.
            Path(f"{target}-journal").unlink(missing_ok=True)
            os.replace(temporary, target)
        finally:
            # SQLite keeps it after a failure.
            Path(f"{temporary}-journal").unlink(missing_ok=True)
    sync_folder(target.parent)


def _refuse_salvage(asked: _Request, found: Sequence[Record]) -> None:
    """Raise BookError if there are records of other work."""
    digest = digest_of(asked.about)
    for about in [record["about"] for record in found if "about" in record and record["of"] != digest]:
        _refuse_another(asked.label, asked.about, about, asked.options)
    if any(record["of"] != digest for record in found):
        raise BookError(f"{asked.label}: is the book of other work and damaged; give another file")


def _refuse_another(
    label: str, about: Mapping[str, Any], other: Mapping[str, Any], options: Collection[str] = ()
) -> None:
    """Raise BookError for the book of other work, with the options to give for it."""
    if digest_of(about) == digest_of(other):
        return
    there, here = _flat(other), _flat(about)
    differ = [name for name in {**there, **here} if there.get(name) != here.get(name)]
    # A search for the best board has no symmetry, which then is not an option to give.
    follows = {"symmetry"} if "best" in differ else set[str]()
    asked = {name: _option(name, there.get(name)) for name in differ if name in options and name not in follows}
    wanted = [option for name, option in asked.items() if option != _option(name, here.get(name))]
    given, omitted = ([option for option, is_given in wanted if is_given is which] for which in (True, False))
    # Of another puzzle, everything may differ; and other options have other consequences.
    told = [name for name in differ if name in _IDENTITY][:2] or ([] if wanted else differ)
    what = "; ".join(f"{name} is {_shown(there.get(name))} there and {_shown(here.get(name))} here" for name in told)
    what = f"{what}; give another file" if told else _advice(given, omitted)
    raise BookError(f"{label}: is the book of other work: {what}")


def _advice(given: list[str], omitted: list[str]) -> str:
    """What to do, in words."""
    advice = [f"{verb} {' '.join(those)}" for verb, those in (("give", given), ("omit", omitted)) if those]
    return f"{' and '.join(advice)}, or give another file"


def _option(name: str, value: object) -> tuple[str, bool]:
    """An option with this value, and whether it is given; true is given by the name alone, null by its absence."""
    if name == "symmetry":
        name, value = "no_symmetry", value is False
    option = f"--{name.replace('_', '-')}"
    if value is None or value is False:
        return option, False
    return (option if value is True else f"{option} {shortened(str(value), 70)}"), True


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
