"""The ledger of a count: a file with every counted share, exactly once, even if the program is killed.

The file is an SQLite database.  Each record is a text that can be verified by itself: it has its length, an
identification and a checksum.  It is padded to fill the rest of one page and then whole pages, which SQLite appends to
the file.  So a truncated file has lost only records at its end, and the others can be read without SQLite.
"""

import json
import os
import sqlite3
import stat
from bisect import insort
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

from ...base.errors import LedgerError, shortened
from ...base.extras import need_posix
from ...base.safe_files import sync_folder, temporary_beside
from ...base.stopping import StoppedError, never, watched
from ...files.file_format import LEDGER_ID, is_ledger
from .ledger_records import (
    BEGINNING,
    IN_FIRST_PAGE,
    PAGE,
    POINTER,
    Record,
    declared_length,
    digest_of,
    key_record,
    overlaps,
    parsed_record,
    share_in,
    share_record,
    sound,
    text_of,
)  # fmt: skip
from .parts import Share

_HEADER = 100
_MOST_BYTES = 2**28
# The longest text; larger values in a file are not read.
_MOST = 2**22
_TABLE = "CREATE TABLE records (number INTEGER PRIMARY KEY, text TEXT NOT NULL)"
# A journal of SQLite that ends like this names a file, which SQLite deletes.  Those of ledgers name none.
_NAMES_A_FILE = bytes.fromhex("d9d505f920a163d7")
# Instructions of SQLite between two questions whether to stop: less than a millisecond.
_INSTRUCTIONS = 10_000
_NONE = "give another file, or the name of a new file"
_ANOTHER = "give another file, or the options of that count"


class _DamagedError(Exception):
    """The file is a damaged SQLite database."""


class Ledger:
    """A ledger that is open for recording.

    Attributes
    ----------
    shares
        The counted shares in the order in which they were recorded; no part is in two of them.
    seconds
        The processor time that they took.
    salvaged
        A sentence that describes the repair if the file was damaged; otherwise None.
    """

    def __init__(
        self, label: str, connection: sqlite3.Connection, digest: str, records: list[Record], salvaged: str | None
    ) -> None:
        self.shares, self.salvaged = [share_in(record) for record in records], salvaged
        self.seconds = float(sum(record["seconds"] for record in records))
        self._label, self._connection, self._digest = label, connection, digest
        self._spans = sorted((share.first, share.last) for share in self.shares)

    def record(self, share: Share, seconds: float) -> None:
        """Write a share and its processor time to the disk.

        Raises
        ------
        ValueError
            If the share has no parts, or a part that is already recorded.
        LedgerError
            If it cannot be written.
        """
        if not 0 <= share.first < share.last or overlaps(self._spans, share.first, share.last):
            raise ValueError(f"parts {share.first} to {share.last}: empty, or some of them are already recorded")
        with _told(self._label):
            _insert(self._connection, share_record(len(self.shares) + 1, self._digest, share, seconds))
        insort(self._spans, (share.first, share.last))
        self.seconds += seconds
        self.shares.append(share)

    def remaining(self, parts: int) -> list[tuple[int, int]]:
        """The parts below `parts` that are not recorded, as half-open ranges."""
        ends = [0, *(last for _, last in self._spans)]
        starts = [*(first for first, _ in self._spans), parts]
        return [(first, last) for first, last in zip(ends, starts, strict=True) if first < last]


@contextmanager
def open_ledger(path: str | Path, key: Mapping[str, object], must_stop: Callable[[], bool] = never) -> Iterator[Ledger]:
    """Open the ledger in a file exclusively; the file is made if it does not exist.

    Parameters
    ----------
    path
        The file.
    key
        Everything that the count depends on (instance, method, options, code, number of parts), as JSON values by name.
    must_stop
        Is asked many times a second while the file is read.

    Raises
    ------
    StoppedError
        If `must_stop` asks to stop.
    LedgerError
        If the file is not a ledger or that of another count, is in use, or cannot be written.
    """
    label, ours = str(path), json.loads(json.dumps(key))
    digest = digest_of(ours)
    with _told(label):
        target = os.path.realpath(path)
        if not os.path.isdir(os.path.dirname(target)):
            raise LedgerError(f"{label}: cannot be written: there is no folder {os.path.dirname(path)}")
        if os.path.exists(target):
            status = os.stat(target)
            if not stat.S_ISREG(status.st_mode):
                raise LedgerError(f"{label}: is not a regular file; {_NONE}")
            # SQLite would treat a single byte as an empty file.
            if 0 < status.st_size < _HEADER:
                raise LedgerError(f"{label}: is not a ledger; {_NONE}")
        _refuse_companions(target, label)
        salvaged = None
        connection = _connection(target)
        try:
            records = _records(connection, target, label, ours, must_stop)
        except (_DamagedError, sqlite3.DatabaseError) as error:
            connection.close()
            if not _is_damage(error):
                raise
            kept = _salvage(target, label, ours, must_stop)
            salvaged = f"{label}: was damaged; {kept} shares were kept, and the file was rewritten"
            connection = _connection(target)
            records = _records(connection, target, label, ours, must_stop)
        except BaseException:
            connection.close()
            raise
    with closing(connection):
        yield Ledger(label, connection, digest, records[1:], salvaged)


def _refuse_companions(target: str, label: str) -> None:
    """Refuse files beside a ledger that SQLite would use, and that none of ours has."""
    for end in ("-wal", "-shm"):
        if os.path.lexists(target + end):
            raise LedgerError(f"{label}{end}: ledgers have no such file beside them; remove it")
    try:
        with open(f"{target}-journal", "rb") as file:
            file.seek(-min(file.seek(0, os.SEEK_END), len(_NAMES_A_FILE)), os.SEEK_END)
            if file.read() == _NAMES_A_FILE:
                raise LedgerError(f"{label}-journal: is not the journal of a ledger; remove it")
    except FileNotFoundError:
        pass


def read_ledger(path: str | Path) -> tuple[Record, list[Share]]:
    """The key of a ledger and its shares, read without SQLite; it may be in use.

    Raises
    ------
    LedgerError
        If it cannot be read, is not a ledger, or has lost its key.
    """
    with _told(str(path)):
        if not is_ledger(path):
            raise LedgerError(f"{path}: is not a ledger; {_NONE}")
        if os.path.getsize(path) > _MOST_BYTES:
            raise LedgerError(f"{path}: has more than {_MOST_BYTES >> 20} MiB; {_NONE}")
        found = _found_in(Path(path).read_bytes(), never)
    keys = [record for record in found if "key" in record]
    if not keys:
        raise LedgerError(f"{path}: has lost the record of what it counts")
    key = keys[0]["key"]
    shares = [record for record in found if "share" in record and record["of"] == digest_of(key)]
    return key, [share_in(record) for record in sound(shares, key)]


def _connection(target: str) -> sqlite3.Connection:
    """The database, locked until it is closed; nothing in it is run."""
    connection = sqlite3.connect(target, timeout=0, isolation_level=None)
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


def _records(
    connection: sqlite3.Connection, target: str, label: str, key: Mapping[str, object], must_stop: Callable[[], bool]
) -> list[Record]:
    """All records in their order, that of the key first; for a new file only that.

    Raises
    ------
    _DamagedError, sqlite3.DatabaseError
        If the file is damaged.
    StoppedError
        If `must_stop` asks to stop.
    """
    marks = [connection.execute(f"PRAGMA {pragma}").fetchone()[0] for pragma in ("application_id", "page_size")]
    if marks == [0, PAGE] and _schema(connection) == []:
        _make(connection, [key_record(key)])
    elif marks[0] != int.from_bytes(LEDGER_ID):
        raise LedgerError(f"{label}: is an SQLite database, but not a ledger; {_NONE}")
    # What is in the file must not be run, so only a table of exactly this form is read.
    schema = _schema(connection)
    if foreign := [kind for kind, _, _ in schema if kind != "table"]:
        raise LedgerError(f"{label}: is not a ledger: it has a database {shortened(str(foreign[0]))}; {_NONE}")
    if schema != [("table", "records", _TABLE)]:
        raise _DamagedError
    with _stoppable(connection, must_stop):
        found = _read(connection, target, must_stop)
    _refuse_another(label, key, found)
    if len(sound(found[1:], key)) < len(found) - 1:
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
    with closing(connection.execute(query)) as rows:
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


def _schema(connection: sqlite3.Connection) -> list[tuple[object, ...]]:
    """Tables, indexes, views and triggers; a ledger has one table, so a few are enough."""
    return connection.execute("SELECT type, name, sql FROM sqlite_schema LIMIT 9").fetchall()


def _make(connection: sqlite3.Connection, records: list[Record]) -> None:
    """Fill an empty database, all at once or not at all."""
    connection.execute("BEGIN EXCLUSIVE")
    connection.execute(f"PRAGMA application_id={int.from_bytes(LEDGER_ID)}")
    connection.execute(_TABLE)
    for record in records:
        _insert(connection, record)
    connection.execute("COMMIT")


def _insert(connection: sqlite3.Connection, record: Record) -> None:
    connection.execute("INSERT INTO records VALUES (?, ?)", (record["number"], text_of(record)))


def _salvage(target: str, label: str, key: Mapping[str, object], must_stop: Callable[[], bool]) -> int:
    """Replace a damaged file by a valid one; return the number of shares that could be kept."""
    need_posix("repairing a ledger needs")
    import fcntl

    with open(target, "r+b") as file:
        # The lock is of SQLite's kind, so neither SQLite nor another repair is working on the file.
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if not os.path.samestat(os.fstat(file.fileno()), os.stat(target)):
            raise BlockingIOError
        data = file.read()
        if data[:16] != b"SQLite format 3\0" or data[68:72] != LEDGER_ID:
            raise LedgerError(f"{label}: is not a ledger; {_NONE}")
        found = _found_in(data, must_stop)
        _refuse_another(label, key, found)
        records = sound([record for record in found if "share" in record], key)
        _write_anew(Path(target), key, records)
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


def _write_anew(target: Path, key: Mapping[str, object], records: list[Record]) -> None:
    numbered = [{**record, "number": number} for number, record in enumerate(records, start=1)]
    with temporary_beside(target) as temporary:
        try:
            with closing(_connection(str(temporary))) as connection:
                _make(connection, [key_record(key), *numbered])
            os.chmod(temporary, stat.S_IMODE(os.stat(target).st_mode))
            # A journal left next to the damaged file would be applied to the new one.
            Path(f"{target}-journal").unlink(missing_ok=True)
            os.replace(temporary, target)
        finally:
            # SQLite keeps it after a failure.
            Path(f"{temporary}-journal").unlink(missing_ok=True)
    sync_folder(target.parent)


def _refuse_another(label: str, key: Mapping[str, object], records: list[Record]) -> None:
    """Raise LedgerError for the records of another count."""
    digest = digest_of(key)
    if all(record["of"] == digest for record in records):
        return
    others = [record["key"] for record in records if "key" in record and record["of"] != digest]
    if not others:
        raise LedgerError(f"{label}: is the ledger of another count and damaged; {_ANOTHER}")
    there, here = _flat(others[0]), _flat(key)
    names = [name for name in {**there, **here} if there.get(name) != here.get(name)]
    told = ", ".join(f"{name} {_shown(there.get(name))} there, {_shown(here.get(name))} here" for name in names)
    raise LedgerError(f"{label}: is the ledger of another count: {told}; {_ANOTHER}")


def _flat(key: Mapping[str, object]) -> dict[str, object]:
    """A key with the fields of nested objects at the top level."""
    flat: dict[str, object] = {}
    for name, value in key.items():
        inner = {f"{name}.{field}": entry for field, entry in value.items()} if isinstance(value, Mapping) else None
        flat.update(inner or {name: value})
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
            reason = f"cannot be used as a ledger: {error.strerror if isinstance(error, OSError) else error}"
        raise LedgerError(f"{label}: {reason}") from error
