"""Damaged ledgers of counts, and how they are read."""

import copy
import json
import sqlite3
import struct
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

from jigsat.csp.base.errors import JigsatError
from jigsat.csp.search.counting.ledger import open_ledger
from jigsat.csp.search.counting.methods import Share

KEY = {"instance": "3f2a", "method": "naps", "options": {"order": "rowscan"}, "parts": 100}
SHARES = [Share(first, first + 2, (1, 10**size, first), 2**70 + first, None if first % 4 else first)
          for first, size in zip(range(0, 60, 2), (3, 500, 9, 2000, 1) * 6, strict=True)]  # fmt: skip
OTHER_TYPES = (None, 0, -1, 1.5, 10**400, 1e308, True, "", "1", "\ud800", "\0", [], [[]], {}, {"a": {}}, "9" * 5000)
SECONDS = 2.0

#: A file with what may be read of it; None for what was written.
Damaged = tuple[bytes, list[Any] | None]


def spoilt(data: bytes, chance: Random) -> bytes:
    text, at = bytearray(data), chance.randrange(len(data))
    match chance.randrange(6):
        case 0:
            for _ in range(chance.choice((1, 1, 1, 2, 3, 40))):
                text[chance.randrange(len(text))] ^= 1 << chance.randrange(8)
        case 1:
            size = min(chance.choice((1, 16, 512, 4096)), len(text) - at)
            text[at : at + size] = bytes(size)
        case 2:
            del text[at:]
        case 3:
            del text[at : at + chance.choice((1, 7, 512))]
        case 4:
            text[at:at] = chance.choice((b"\n", b"\0", b"9", chance.randbytes(chance.choice((1, 100, 512)))))
        case _:
            size = chance.choice((1, 60, 512))
            text[at : at + size] = chance.randbytes(min(size, len(text) - at))
    return bytes(text)


def altered(value: Any, chance: Random, *, kinds: bool) -> Any:
    """A copy of a JSON value that differs in one place: by its type, or only by a digit or letter."""
    changed = value
    while repr(changed) == repr(value):
        changed = _altered(copy.deepcopy(value), chance, kinds=kinds)
    return changed


def _altered(changed: Any, chance: Random, *, kinds: bool) -> Any:
    places: list[tuple[Any, Any]] = []

    def walk(inner: Any) -> None:
        for name in inner if isinstance(inner, dict) else range(len(inner)):
            places.append((inner, name))
            if isinstance(inner[name], dict | list):
                walk(inner[name])

    walk(changed)
    inside, name = chance.choice(places)
    if chance.random() < 0.1 and isinstance(inside, dict):
        del inside[name]
    elif kinds:
        inside[name] = chance.choice(OTHER_TYPES)
    else:
        match inside[name]:
            case bool(old):
                inside[name] = not old
            case int(old) | float(old) if repr(old + 1) != repr(old):
                inside[name] = old + 1
            case str(old):
                inside[name] = old[:-1] + chr(ord(old[-1:] or "a") ^ 1)
            case None | float():
                inside[name] = 0
            case _:
                inside[name] = None
    return changed


def refusal(error: JigsatError) -> str:
    """The verdict on an error: it must be of one line."""
    return "TRACEBACK" if "\n" in str(error) else "refused"


def compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


@cache
def whole_ledger() -> bytes:
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "a.ledger"
        with open_ledger(path, KEY) as ledger:
            for share in SHARES:
                ledger.record(share, 0.5)
        return path.read_bytes()


def ledger_spoilt(chance: Random) -> Damaged:
    return spoilt(whole_ledger(), chance), None


def by_sql(change: Callable[[sqlite3.Connection], object]) -> bytes:
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "a.ledger"
        path.write_bytes(whole_ledger())
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            change(connection)
        return path.read_bytes()


def ledger_text(body: str) -> str:
    """The text of a record with the right checksum and length."""
    text = f"jigsat-book/1 {len(body):08d} {body} {sha256(body.encode()).hexdigest()[:16]}"
    return text.ljust(460 + -(-max(len(text) - 460, 0) // 508) * 508)


def ledger_forged(chance: Random) -> Damaged:
    """One record altered, with a right checksum; what the file says of it may be read."""
    number = chance.randrange(len(SHARES) + 1)
    said: list[Any] = [*SHARES]

    def change(connection: sqlite3.Connection) -> None:
        [(text,)] = connection.execute("SELECT text FROM records WHERE number = ?", (number,))
        body = altered(json.loads(text[23 : 23 + int(text[14:22])]), chance, kinds=chance.random() < 0.7)
        connection.execute("UPDATE records SET text = ? WHERE number = ?", (ledger_text(compact(body)), number))
        if number:
            said[number - 1] = body

    return by_sql(change), said


SCHEMAS = (
    "DROP TABLE records; CREATE VIEW records AS WITH RECURSIVE c(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM c) "
    "SELECT n AS number, 'x' AS text FROM c",
    "CREATE TRIGGER t AFTER INSERT ON records BEGIN DELETE FROM records; END",
    "CREATE TABLE other (a)",
    "CREATE INDEX i ON records (text)",
    "ALTER TABLE records ADD COLUMN more GENERATED ALWAYS AS (length(text)) VIRTUAL",
    "CREATE VIEW more AS SELECT 1",
    "CREATE VIRTUAL TABLE v USING fts5(a)",
    "ALTER TABLE records RENAME TO other",
    "ALTER TABLE records RENAME COLUMN text TO words",
    "PRAGMA application_id=7",
    "PRAGMA journal_mode=WAL",
    "PRAGMA user_version=9; PRAGMA writable_schema=ON; UPDATE sqlite_schema SET rootpage = 1",
    "PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql = 'CREATE TABLE records (number, text)'",
    "PRAGMA writable_schema=ON; UPDATE sqlite_schema SET type = 'view'",
    "PRAGMA writable_schema=ON; DELETE FROM sqlite_schema",
    "PRAGMA auto_vacuum=FULL; VACUUM",
    "PRAGMA page_size=4096; VACUUM",
)


def ledger_schema(chance: Random) -> Damaged:
    return by_sql(lambda connection: connection.executescript(chance.choice(SCHEMAS))), None


def judge_ledger(damaged: Damaged, folder: Path) -> str:
    data, said = damaged
    path = folder / "a.ledger"
    path.write_bytes(data)
    journal = folder / "a.ledger-journal"
    chance = Random(data[-600:])
    if chance.random() < 0.3:
        journal.write_bytes(chance.choice((b"", bytes(600), chance.randbytes(700), hot_journal(folder / "mine"))))
    mine = folder / "mine"
    mine.write_text("a file of the user")

    def opened() -> tuple[list[Share], str | None]:
        with open_ledger(path, KEY) as ledger:
            return ledger.shares, ledger.salvaged

    try:
        shares, _ = opened()
    except JigsatError as error:
        verdict = refusal(error) if path.read_bytes() == data else "WRONG"
    else:
        allowed = [*SHARES, *(as_said(body) for body in said or () if isinstance(body, dict))]
        verdict = "exact" if all(share in allowed for share in shares) and apart(shares) else "WRONG"
        verdict = verdict if opened() == (shares, None) else "WRONG"
    if not mine.exists() or {*folder.iterdir()} - {path, journal, mine}:
        return "WRONG"
    mine.unlink()
    journal.unlink(missing_ok=True)
    return verdict


def as_said(body: Any) -> Share | None:
    try:
        [fields] = body["entries"]
        canonical = fields["canonical_count"]
        canonical = None if canonical is None else int(canonical)
        return Share(fields["first"], fields["last"], (*map(int, fields["nodes"]),), int(fields["count"]), canonical)
    except (KeyError, TypeError, ValueError):
        return None


def apart(shares: list[Share]) -> bool:
    """Whether the shares have no part in common, and none beyond those of the count."""
    spans = sorted((share.first, share.last) for share in shares)
    ends = [0, *(end for span in spans for end in span), KEY["parts"]]
    return ends == sorted(ends) and all(first < last for first, last in spans)


def hot_journal(named: Path) -> bytes:
    """A journal that makes SQLite delete a file, whatever database it is beside."""
    name, magic = str(named).encode(), bytes.fromhex("d9d505f920a163d7")
    header = magic + struct.pack(">IIIII", 0, 0, 1, 512, 512)
    end = struct.pack(">I", 2**30 // 512 + 1) + name + struct.pack(">II", len(name), sum(name)) + magic
    return header.ljust(512, b"\0") + end


KINDS: dict[str, Callable[[Random], Damaged]] = {
    "bytes": ledger_spoilt,
    "forged": ledger_forged,
    "schema": ledger_schema,
}


def verdict_on(kind: str, seed: int, folder: Path) -> str:
    """How one damaged file is read: refused, exact, WRONG, TRACEBACK or SLOW."""
    damaged = KINDS[kind](Random(f"{kind} {seed}"))
    began = time.process_time()
    verdict = judge_ledger(damaged, folder)
    return "SLOW" if time.process_time() - began > SECONDS else verdict
