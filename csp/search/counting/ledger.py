"""The ledger of a count: a file with every counted share, exactly once, even if the program is killed.

The file is an SQLite database.  Each record is a text that can be verified by itself: it has its length, an
identification and a checksum.  It is padded to fill the rest of one page and then whole pages, which SQLite appends to
the file.  So a truncated file has lost only records at its end, and the others can be read without SQLite.
"""

import json
import os
import sqlite3
import stat
import tempfile
from bisect import bisect, insort
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

from ...base.errors import LedgerError, shortened
from ...base.extras import need_posix
from ...base.safe_files import sync_folder
from .parts import Share

_PAGE, _HEADER = 512, 100
_POINTER = 4
# A text of this length fills more than half of a page and fits into it; longer ones fill further whole pages.
_IN_FIRST_PAGE, _IN_NEXT_PAGES = 460, _PAGE - _POINTER
_BEGINNING = "jigsat-ledger/1 "
_LENGTH_DIGITS, _CHECK_DIGITS = 8, 16
_APPLICATION = int.from_bytes(b"jigs")
_NONE = "give another file, or the name of a new file"
_ANOTHER = "give another file, or the options of that count"

_Record = dict[str, Any]


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
        self, label: str, connection: sqlite3.Connection, digest: str, records: list[_Record], salvaged: str | None
    ) -> None:
        self.shares, self.salvaged = [_share(record) for record in records], salvaged
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
        if not 0 <= share.first < share.last or _overlaps(self._spans, share):
            raise ValueError(f"parts {share.first} to {share.last}: empty, or some of them are already recorded")
        with _told(self._label):
            _insert(self._connection, _share_record(len(self.shares) + 1, self._digest, share, seconds))
        insort(self._spans, (share.first, share.last))
        self.seconds += seconds
        self.shares.append(share)

    def remaining(self, parts: int) -> list[tuple[int, int]]:
        """The parts below `parts` that are not recorded, as half-open ranges."""
        ends = [0, *(last for _, last in self._spans)]
        starts = [*(first for first, _ in self._spans), parts]
        return [(first, last) for first, last in zip(ends, starts, strict=True) if first < last]


@contextmanager
def open_ledger(path: str | Path, key: Mapping[str, object]) -> Iterator[Ledger]:
    """Open the ledger in a file exclusively; the file is made if it does not exist.

    Parameters
    ----------
    path
        The file.
    key
        Everything that the count depends on (instance, method, options, code, number of parts), as JSON values by name.

    Raises
    ------
    LedgerError
        If the file is not a ledger or that of another count, is in use, or cannot be written.
    """
    label, ours = str(path), json.loads(json.dumps(key))
    digest = _digest(ours)
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
        salvaged = None
        connection = _connection(target)
        try:
            records = _records(connection, target, label, ours)
        except (_DamagedError, sqlite3.DatabaseError) as error:
            connection.close()
            if not _is_damage(error):
                raise
            kept = _salvage(target, label, ours)
            salvaged = f"{label}: was damaged; {kept} shares were kept, and the file was rewritten"
            connection = _connection(target)
            records = _records(connection, target, label, ours)
        except BaseException:
            connection.close()
            raise
    with closing(connection):
        yield Ledger(label, connection, digest, records[1:], salvaged)


def _connection(target: str) -> sqlite3.Connection:
    """The database, locked until it is closed."""
    connection = sqlite3.connect(target, timeout=0, isolation_level=None)
    try:
        for pragma in (f"page_size={_PAGE}", "auto_vacuum=NONE", "locking_mode=EXCLUSIVE", "synchronous=EXTRA"):
            connection.execute(f"PRAGMA {pragma}")
        connection.execute("BEGIN EXCLUSIVE")
        connection.execute("COMMIT")
    except sqlite3.DatabaseError as error:
        # Damage is reported only where the file is read.
        if not _is_damage(error):
            connection.close()
            raise
    return connection


def _records(connection: sqlite3.Connection, target: str, label: str, key: Mapping[str, object]) -> list[_Record]:
    """All records in their order, that of the key first; for a new file only that.

    Raises
    ------
    _DamagedError, sqlite3.DatabaseError
        If the file is damaged.
    """
    marks = [connection.execute(f"PRAGMA {pragma}").fetchone()[0] for pragma in ("application_id", "page_size")]
    if marks == [0, _PAGE] and _tables(connection) == []:
        _make(connection, [_key_record(key)])
    elif marks[0] != _APPLICATION:
        raise LedgerError(f"{label}: is an SQLite database, but not a ledger; {_NONE}")
    [(pages,)] = connection.execute("PRAGMA page_count")
    if os.path.getsize(target) != pages * _PAGE or [*connection.execute("PRAGMA quick_check(1)")] != [("ok",)]:
        raise _DamagedError
    if _tables(connection) != ["records"]:
        raise _DamagedError
    # As bytes, because a damaged text may have no valid encoding.
    rows = connection.execute("SELECT CAST(text AS BLOB) FROM records ORDER BY number")
    records = [_parsed(text) for (text,) in rows]
    if not records or any(record is None or record["number"] != number for number, record in enumerate(records)):
        raise _DamagedError
    whole = [record for record in records if record is not None]
    _refuse_another(label, key, whole)
    return whole


def _tables(connection: sqlite3.Connection) -> list[str]:
    return [name for (name,) in connection.execute("SELECT name FROM sqlite_schema")]


def _make(connection: sqlite3.Connection, records: list[_Record]) -> None:
    """Fill an empty database, all at once or not at all."""
    connection.execute("BEGIN EXCLUSIVE")
    connection.execute(f"PRAGMA application_id={_APPLICATION}")
    connection.execute("CREATE TABLE records (number INTEGER PRIMARY KEY, text TEXT NOT NULL)")
    for record in records:
        _insert(connection, record)
    connection.execute("COMMIT")


def _insert(connection: sqlite3.Connection, record: _Record) -> None:
    connection.execute("INSERT INTO records VALUES (?, ?)", (record["number"], _text(record)))


def _salvage(target: str, label: str, key: Mapping[str, object]) -> int:
    """Replace a damaged file by a valid one; return the number of shares that could be kept."""
    need_posix("repairing a ledger needs")
    import fcntl

    with open(target, "r+b") as file:
        # The lock is of SQLite's kind, so neither SQLite nor another repair is working on the file.
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if not os.path.samestat(os.fstat(file.fileno()), os.stat(target)):
            raise BlockingIOError
        data = file.read()
        if data[:16] != b"SQLite format 3\0" or int.from_bytes(data[68:72]) != _APPLICATION:
            raise LedgerError(f"{label}: is not a ledger; {_NONE}")
        found = _found_in(data)
        _refuse_another(label, key, found)
        records = _without_overlaps([record for record in found if "share" in record])
        _write_anew(target, key, records)
    return len(records)


def _found_in(data: bytes) -> list[_Record]:
    """The complete records in the bytes of a damaged file, in their order."""
    found: list[_Record] = []
    beginning = _BEGINNING.encode()
    for start in range(0, len(data), _PAGE):
        page = data[start : start + _PAGE]
        at = page.find(beginning)
        if at < 0:
            continue
        text = page[at:]
        # A longer text ends with the number of the page that it goes on in, and so on.
        needed = _declared_length(text)
        if needed > _IN_FIRST_PAGE:
            text, pointer = page[at:-_POINTER], page[-_POINTER:]
            while len(text) < needed:
                next_start = (int.from_bytes(pointer) - 1) * _PAGE
                page = data[max(next_start, 0) : max(next_start, 0) + _PAGE]
                if len(page) <= _POINTER:
                    break
                text, pointer = text + page[_POINTER:], page[:_POINTER]
        record = _parsed(text)
        if record is not None:
            found.append(record)
    return sorted(found, key=lambda record: record["number"])


def _without_overlaps(records: list[_Record]) -> list[_Record]:
    """Shares without duplicates: some may be repeated, or left over from an unfinished transaction."""
    spans: list[tuple[int, int]] = []
    kept = []
    for record in records:
        share = _share(record)
        if not _overlaps(spans, share):
            insort(spans, (share.first, share.last))
            kept.append(record)
    return kept


def _write_anew(target: str, key: Mapping[str, object], records: list[_Record]) -> None:
    folder, name = os.path.split(target)
    numbered = [{**record, "number": number} for number, record in enumerate(records, start=1)]
    handle, temporary = tempfile.mkstemp(dir=folder, prefix=f".{name[:50]}.")
    os.close(handle)
    try:
        with closing(_connection(temporary)) as connection:
            _make(connection, [_key_record(key), *numbered])
        os.chmod(temporary, stat.S_IMODE(os.stat(target).st_mode))
        # A journal left next to the damaged file would be applied to the new one.
        Path(f"{target}-journal").unlink(missing_ok=True)
        os.replace(temporary, target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    sync_folder(folder)


def _key_record(key: Mapping[str, object]) -> _Record:
    return {"number": 0, "of": _digest(key), "key": key}


def _share_record(number: int, digest: str, share: Share, seconds: float) -> _Record:
    # Numbers that may be large are strings, which other readers of JSON do not round.
    canonical = share.canonical_count
    fields = {
        "first": int(share.first),
        "last": int(share.last),
        "nodes": [str(int(nodes)) for nodes in share.nodes],
        "count": str(int(share.count)),
        "canonical_count": None if canonical is None else str(int(canonical)),
    }
    return {"number": number, "of": digest, "share": fields, "seconds": round(seconds, 6)}


def _share(record: _Record) -> Share:
    fields = record["share"]
    canonical = fields["canonical_count"]
    return Share(
        fields["first"],
        fields["last"],
        tuple(map(int, fields["nodes"])),
        int(fields["count"]),
        None if canonical is None else int(canonical),
    )


def _text(record: _Record) -> str:
    body = json.dumps(record, separators=(",", ":"))
    text = f"{_BEGINNING}{len(body):0{_LENGTH_DIGITS}d} {body} {_checksum(body.encode())}"
    pages = -(-max(len(text) - _IN_FIRST_PAGE, 0) // _IN_NEXT_PAGES)
    return text.ljust(_IN_FIRST_PAGE + pages * _IN_NEXT_PAGES)


_BODY_AT = len(_BEGINNING) + _LENGTH_DIGITS + 1


def _declared_length(text: bytes) -> int:
    """The length of a text without its padding, as recorded in the text; 0 if it is missing."""
    digits = text[len(_BEGINNING) : _BODY_AT - 1]
    return _BODY_AT + int(digits) + 1 + _CHECK_DIGITS if len(digits) == _LENGTH_DIGITS and digits.isdigit() else 0


def _parsed(text: bytes) -> _Record | None:
    """The record in a text; None unless it is exactly as it was written."""
    end = _declared_length(text)
    body, check = text[_BODY_AT : end - _CHECK_DIGITS - 1], text[end - _CHECK_DIGITS : end]
    return json.loads(body) if end and check == _checksum(body).encode() else None


def _checksum(body: bytes) -> str:
    return sha256(body).hexdigest()[:_CHECK_DIGITS]


def _digest(key: Mapping[str, object]) -> str:
    return _checksum(json.dumps(key, sort_keys=True).encode())


def _overlaps(spans: list[tuple[int, int]], share: Share) -> bool:
    """Whether one of the spans, which are sorted and do not overlap, has a part of the share."""
    at = bisect(spans, (share.first, share.last))
    before, after = spans[max(at - 1, 0) : at], spans[at : at + 1]
    return any(last > share.first for _, last in before) or any(first < share.last for first, _ in after)


def _refuse_another(label: str, key: Mapping[str, object], records: list[_Record]) -> None:
    """Raise LedgerError for the records of another count."""
    digest = _digest(key)
    if all(record["of"] == digest for record in records):
        return
    [*keys] = (record["key"] for record in records if "key" in record)
    if not keys:
        raise LedgerError(f"{label}: is the ledger of another count and damaged; {_ANOTHER}")
    there, here = _flat(keys[0]), _flat(key)
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
