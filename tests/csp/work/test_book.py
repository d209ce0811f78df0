"""Books, here those of counts: what was recorded is found again, whatever was done to the program or to the file."""

import os
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from random import Random
from unittest.mock import Mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pieceworks
from damage import hot_journal
from jigsat.csp.base.errors import BookError
from jigsat.csp.base.safe_files import alone_with
from jigsat.csp.base.stop import StoppedError
from jigsat.csp.files import books
from jigsat.csp.search.counting.ledger import open_ledger, read_ledger, sound_below
from jigsat.csp.search.counting.methods import Share
from jigsat.csp.work import book as ledger_module
from jigsat.csp.work.book import merge_books, open_book, read_book
from pieceworks import share_of
from property_tests import examples

KEY = {"instance": "3f2a", "method": "naps", "options": {"order": "rowscan", "depth": 7}, "parts": 1000}
RECORD_SHARES = Path(pieceworks.__file__).with_name("record_shares.py")


def recorded(path, key=KEY):
    with open_ledger(path, key) as ledger:
        return ledger.shares


def seconds_of(*shares):
    """What is recorded as their processor time, another number for each."""
    return sum(share.first + 0.125 for share in shares)


def filled(path, shares, key=KEY):
    """The sizes of the file, at first and after each share; their number is the state of the book."""
    with open_ledger(path, key) as ledger:
        sizes = [path.stat().st_size]
        for number, share in enumerate(shares):
            ledger.record(share, seconds_of(share))
            if number % 3 == 1:
                ledger._book.keep([number + 1, "x" * (number % 50) ** 2])
                ledger._book.flush()
            sizes.append(path.stat().st_size)
    return sizes


def varied_shares(number, seed):
    """Shares of texts from short ones to some that fill many pages."""
    chance = Random(seed)
    shares = []
    for first in range(number):
        squares = chance.choice((1, 16, 36, 256))
        nodes = tuple(chance.randrange(10 ** chance.choice((1, 9, 30))) for _ in range(squares))
        shares.append(Share(2 * first, 2 * first + 1, nodes, 2**70 + first, chance.choice((None, first))))
    return shares


@pytest.fixture
def one_share(tmp_path):
    """The file of a ledger with the share of the parts 0 to 3."""
    path = tmp_path / "a.ledger"
    filled(path, [share_of(0, 3)])
    return path


@examples(12)
@given(st.data())
def test_what_is_recorded_is_found_again(tmp_path_factory, data):
    """Numbers beyond 64 bits, orbits or none, any number of squares; in the order of recording, not of the parts."""
    path = tmp_path_factory.mktemp("ledger") / "a.ledger"
    whole = st.integers(0, 10 ** data.draw(st.sampled_from((1, 20, 300))))
    firsts = data.draw(st.lists(st.integers(0, 400), max_size=12, unique=True))
    nodes = st.lists(whole, max_size=data.draw(st.sampled_from((0, 4, 300)))).map(tuple)
    shares = [
        Share(2 * first, 2 * first + 2, data.draw(nodes), data.draw(whole), data.draw(st.none() | whole))
        for first in firsts
    ]
    half = len(shares) // 2
    filled(path, shares[:half])
    filled(path, shares[half:])
    with open_ledger(path, KEY) as ledger:
        assert (ledger.shares, ledger.seconds) == (shares, seconds_of(*shares))


def test_no_part_is_recorded_twice(tmp_path):
    """A part in two shares would be counted twice."""
    with open_ledger(tmp_path / "a.ledger", KEY) as ledger:
        for first, last in ((10, 20), (30, 40), (20, 22)):
            ledger.record(share_of(first, last), 1.0)
        for first, last in (
            (10, 20), (19, 23), (0, 11), (0, 100), (12, 13), (39, 40), (21, 31), (5, 5), (15, 15), (-1, 3), (6, 5)
        ):  # fmt: skip
            told = f"^parts {first} to {last}: empty, or some of them are already recorded$"
            with pytest.raises(ValueError, match=told):
                ledger.record(share_of(first, last), 1.0)
        ledger.record(share_of(22, 30), 1.0)
        assert ledger.remaining(50) == [(0, 10), (40, 50)]
        assert ledger.remaining(40) == [(0, 10)]
    with open_ledger(tmp_path / "a.ledger", KEY) as ledger:
        assert [(share.first, share.last) for share in ledger.shares] == [(10, 20), (30, 40), (20, 22), (22, 30)]
        assert (ledger.remaining(50), ledger.seconds, ledger.salvaged) == ([(0, 10), (40, 50)], 4.0, None)
        with pytest.raises(ValueError, match=r"^parts 29 to 31: "):
            ledger.record(share_of(29, 31), 1.0)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"instance": "77aa"}, 'instance is "3f2a" there and "77aa" here; give another file'),
        (
            {"options": {"order": "zig_zag", "depth": 7}, "method": "x"},
            "give --method naps --order rowscan, or give another file",
        ),
        ({"options": {}}, "give --order rowscan, or give another file"),
        ({"options": {"order": "zig_zag", "depth": 7, "symmetry": True}}, "give --order rowscan, or give another file"),
        ({"parts": 999}, "parts is 1000 there and 999 here; give another file"),
        (
            {"options": {"order": "rowscan", "depth": 7, "squares": True, "method": None}},
            "give --method naps and omit --squares, or give another file",
        ),
        ({"instance": "7" * 68}, f'instance is "3f2a" there and "{"7" * 68}" here; give another file'),
        ({"instance": "7" * 69}, f'instance is "3f2a" there and "{"7" * 66}... here; give another file'),
    ],
)
def test_the_book_of_other_work_is_refused(one_share, change, told):
    """Its shares would be added up with those of this one; the file stays as it is.  The options to give are named."""
    before = one_share.read_bytes()
    assert refusal_of(one_share, {**KEY, **change}) == f"{one_share}: is the book of other work: {told}"
    assert one_share.read_bytes() == before
    # Nor is it salvaged for this count when it is damaged.
    one_share.write_bytes(before[:-1])
    assert refusal_of(one_share, {**KEY, **change}) == f"{one_share}: is the book of other work: {told}"
    assert one_share.read_bytes() == before[:-1]


NONE = "give another file, or the name of a new file"


def change_database(path, statements):
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.executescript(statements)


def test_what_is_no_ledger_is_refused_and_stays(tmp_path):
    filled(tmp_path / "a", [share_of(0, 3)])
    data = (tmp_path / "a").read_bytes()
    (tmp_path / "a").unlink()
    contents = {
        "byte": b"1",
        "text": b"jigsat-book/1 " * 100,
        "short": b"SQLite format 3\0",
        "almost": data[:99],
        "other": data[:21] + b"\0" + data[22:68] + b"else" + data[72:],
        "unlike": bytes(16) + data[16:],
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    databases = {
        "table": "CREATE TABLE other (a)",
        "pages of that size": "PRAGMA page_size=512; CREATE TABLE other (a)",
        "no table": "PRAGMA page_size=512; PRAGMA application_id=7",
        "no table, larger pages": "CREATE TABLE other (a); DROP TABLE other; VACUUM",
    }
    for name, statements in databases.items():
        change_database(tmp_path / name, statements)
    told = dict.fromkeys(contents, f"is not a book; {NONE}")
    told |= dict.fromkeys(databases, f"is an SQLite database, but not a book; {NONE}")
    for name, why in told.items():
        before = (tmp_path / name).read_bytes()
        assert refusal_of(tmp_path / name) == f"{tmp_path / name}: {why}"
        assert (tmp_path / name).read_bytes() == before
    for place in (tmp_path, "/dev/null"):
        assert refusal_of(place) == f"{place}: is not a regular file; {NONE}"
    missing = tmp_path / "missing" / "a"
    assert refusal_of(missing) == f"{missing}: cannot be written: there is no folder {missing.parent}"
    assert refusal_of("a\0b") == "a\\x00b: cannot be used as a book: embedded null byte"
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(told)


def refusal_of(*arguments, read=recorded):
    with pytest.raises(BookError) as refusal:
        read(*arguments)
    return str(refusal.value)


def test_a_ledger_in_use_is_refused(tmp_path):
    """By another process and by this one; both would count and record the same parts."""
    path = tmp_path / "a.ledger"
    key = {"instance": "made up", "parts": 5}
    with open_ledger(path, key) as ledger:
        told = "is in use by another process; wait until that ends, or give another file"
        assert refusal_of(path, key) == f"{path}: {told}"
        command = [sys.executable, RECORD_SHARES, path, "5"]
        other = subprocess.run(command, capture_output=True, text=True, check=False)
        assert "in use by another process" in other.stderr
        ledger.record(share_of(0, 1), 0.5)
    subprocess.run(command, capture_output=True, check=True)
    assert recorded(path, key) == [share_of(part, part + 1) for part in range(5)]


class Original:
    """A ledger, its bytes, and how long the file was after each share."""

    def __init__(self, folder, shares):
        self.path, self.shares = folder / "a.ledger", shares
        self.sizes = filled(self.path, shares)
        self.data = self.path.read_bytes()


@pytest.fixture(scope="module", params=[(1, 1), (6, 2), (80, 3)], ids=str)
def original(request, tmp_path_factory):
    number, seed = request.param
    return Original(tmp_path_factory.mktemp("original"), varied_shares(number, seed))


def check_state(ledger, original):
    """With a state, nothing is lost of what was there when it was kept: it would never be counted."""
    if (state := ledger._book.state) is not None:
        assert state[1] == "x" * ((state[0] - 1) % 50) ** 2
        assert ledger.shares[: state[0]] == original.shares[: state[0]]


# Where a file that was cut still shows that it was a ledger.
HEADER = 100


@examples(40)
@given(st.data())
def test_a_file_cut_short_keeps_what_is_whole(original, data):
    """Of a file cut at any byte, all shares that were recorded when it was so long; never others."""
    length = len(original.data)
    near = st.integers(0, 3000).map(lambda missing: max(length - 1 - missing, 0))
    cut = data.draw(st.integers(0, length - 1) | near)
    path = original.path
    path.write_bytes(original.data[:cut])
    # The journal of the killed process.
    journal = path.with_name(path.name + "-journal")
    journal.write_bytes(data.draw(st.sampled_from((b"", b"\0" * 512))))
    if 0 < cut < HEADER:
        with pytest.raises(BookError, match="not a book"), open_ledger(path, KEY):
            pass
        assert path.read_bytes() == original.data[:cut]
        journal.unlink(missing_ok=True)
        return
    with open_ledger(path, KEY) as ledger:
        kept = len(ledger.shares)
        assert ledger.shares == original.shares[:kept]
        assert ledger.seconds == seconds_of(*original.shares[:kept])
        assert kept >= sum(size <= cut for size in original.sizes[1:])
        check_state(ledger, original)
        if cut:
            assert ledger.salvaged == f"{path}: was damaged; {kept} entries were kept, and the file was rewritten"
        lost = original.shares[kept : kept + 2]
        for share in lost:
            ledger.record(share, seconds_of(share))
        assert ledger.seconds == seconds_of(*original.shares[: kept + len(lost)])
    with open_ledger(path, KEY) as ledger:
        assert ledger.shares == original.shares[: kept + len(lost)]
        assert ledger.seconds == seconds_of(*ledger.shares)
        assert ledger.salvaged is None
    assert [file.name for file in path.parent.iterdir()] == [path.name]


@examples(40)
@given(st.integers(0, 2**32))
def test_a_damaged_file_never_yields_what_was_not_counted(original, seed):
    """Bytes changed anywhere: a share is found as it was recorded, or not at all."""
    torn, chance = bytearray(original.data), Random(seed)
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(torn))
        patch = chance.choice((b"\0" * 512, b"\xff", b"7", bytes(reversed(torn[at : at + 40]))))[: len(torn) - at]
        torn[at : at + len(patch)] = patch
    original.path.write_bytes(torn)
    try:
        with open_ledger(original.path, KEY) as ledger:
            kept = ledger.shares
            check_state(ledger, original)
    except BookError:
        assert original.path.read_bytes() == bytes(torn)
        return
    assert len(kept) == len(set(kept))
    assert set(kept) <= set(original.shares)
    assert len(kept) >= len(original.shares) - 9


def test_a_share_that_was_not_meant_to_stay_is_not_counted_beside_another(tmp_path):
    """Salvage finds what was rolled back, too: of two shares with a part in common only one may stay."""
    path, other = tmp_path / "a.ledger", tmp_path / "other"
    filled(path, [share_of(0, 5), share_of(5, 9)])
    filled(other, [share_of(3, 8)])
    data = path.read_bytes()
    path.write_bytes(data + other.read_bytes()[-512:])
    with open_ledger(path, KEY) as ledger:
        assert ledger.shares == [share_of(0, 5), share_of(5, 9)]
        assert ledger.salvaged == f"{path}: was damaged; 2 entries were kept, and the file was rewritten"
    assert len(path.read_bytes()) < len(data)


def test_pages_of_another_count_in_a_damaged_file_are_told(tmp_path):
    path, other = tmp_path / "a.ledger", tmp_path / "other"
    filled(path, [share_of(0, 5)])
    filled(other, [share_of(5, 7)], {**KEY, "parts": 999})
    data = path.read_bytes()
    path.write_bytes(data + other.read_bytes())
    end = "parts is 999 there and 1000 here; give another file"
    assert refusal_of(path) == f"{path}: is the book of other work: {end}"
    path.write_bytes(data + other.read_bytes()[-512:])
    assert refusal_of(path) == f"{path}: is the book of other work and damaged; give another file"


VIEW = """DROP TABLE records; CREATE VIEW records AS WITH RECURSIVE c(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM c)
    SELECT n AS number, 'x' AS text FROM c"""


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        (VIEW, "view"),
        ("CREATE TRIGGER t AFTER INSERT ON records BEGIN DELETE FROM records; END", "trigger"),
        ("CREATE INDEX i ON records (text)", "index"),
        ("CREATE INDEX i ON records (text); CREATE VIEW v AS SELECT 1", "index"),
    ],
)
def test_what_a_database_can_run_is_refused(one_share, change, kind):
    """A view without end as its table made a count hang beyond Ctrl-C."""
    change_database(one_share, change)
    before = one_share.read_bytes()
    assert refusal_of(one_share) == f"{one_share}: is not a book: it has a database {kind}; {NONE}"
    assert one_share.read_bytes() == before


@pytest.mark.parametrize(
    ("change", "kept"),
    [
        ("ALTER TABLE records ADD COLUMN more GENERATED ALWAYS AS (length(text)) VIRTUAL", 3),
        ("CREATE TABLE other (a)", 3),
        ("PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql = 'CREATE TABLE records (number, text)'", 3),
        ("UPDATE records SET number = 7 WHERE number = 3", 3),
        (
            """CREATE TEMP TABLE t AS SELECT * FROM records;
            UPDATE records SET text = (SELECT text FROM t WHERE t.number = 3 - records.number)
            WHERE number IN (1, 2)""",
            3,
        ),
        (
            """PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql = replace(sql, ' NOT NULL', '');
            PRAGMA writable_schema=RESET; INSERT INTO records VALUES (4, NULL); PRAGMA writable_schema=ON;
            UPDATE sqlite_schema SET sql = 'CREATE TABLE records (number INTEGER PRIMARY KEY, text TEXT NOT NULL)'""",
            3,
        ),
        ("UPDATE records SET text = 'jigsat-book/1 00000003 abc' WHERE number = 2", 2),
        ("DELETE FROM records", 0),
        ("DROP TABLE records", 0),
        ("DELETE FROM records WHERE number = 0", 3),
    ],
)
def test_another_table_is_rewritten_with_the_shares_that_are_left(tmp_path, change, kept):
    path, shares = tmp_path / "a.ledger", [share_of(0, 3), share_of(3, 5), share_of(7, 8)]
    filled(path, shares)
    change_database(path, f"PRAGMA secure_delete=ON; {change}")
    shares = shares if kept == 3 else [shares[at] for at in (0, 2)[:kept]]
    told = f"{path}: was damaged; {kept} entries were kept, and the file was rewritten"
    for salvaged in (told, None):
        with open_ledger(path, KEY) as ledger:
            assert (ledger.shares, ledger.salvaged) == (shares, salvaged)


def test_a_fault_that_only_sqlite_knows_is_repaired(one_share):
    """The records are right, but the header says that a page is free."""
    data = one_share.read_bytes()
    one_share.write_bytes(data[:39] + b"\1" + data[40:])
    with open_ledger(one_share, KEY) as ledger:
        assert ledger.shares == [share_of(0, 3)]
        assert ledger.salvaged == f"{one_share}: was damaged; 1 entries were kept, and the file was rewritten"


def test_a_value_longer_than_any_record_is_not_read(one_share):
    change_database(one_share, "UPDATE records SET text = zeroblob(50000000) WHERE number = 1")
    assert refusal_of(one_share) == f"{one_share}: cannot be used as a book: string or blob too big"


def test_files_that_sqlite_would_use_are_refused(tmp_path):
    """The journal of several databases ends with the name of a file, which SQLite deletes."""
    path, mine = tmp_path / "a.ledger", tmp_path / "mine"
    filled(path, [share_of(0, 3)])
    mine.write_text("precious")
    journal = tmp_path / "a.ledger-journal"
    journal.write_bytes(hot_journal(mine))
    assert refusal_of(path) == f"{journal}: is not the journal of a book; remove it"
    assert mine.read_text() == "precious"
    journal.unlink()
    for end in ("-wal", "-shm"):
        beside = tmp_path / f"a.ledger{end}"
        beside.touch()
        assert refusal_of(path) == f"{beside}: books have no such file beside them; remove it"
        beside.unlink()
    for content in (b"", b"1234567", b"\0" * 9):
        journal.write_bytes(content)
        assert recorded(path) == [share_of(0, 3)]
    journal.write_bytes(bytes.fromhex("d9d505f920a163d7"))
    assert "is not the journal of a book" in refusal_of(path)


@pytest.mark.parametrize("damaged", [False, True])
def test_reading_ends_when_it_must(tmp_path, damaged):
    path = tmp_path / "a.ledger"
    filled(path, [share_of(part, part + 1) for part in range(60)])
    data = path.read_bytes()[: -1 if damaged else None]
    path.write_bytes(data)
    with pytest.raises(StoppedError) as stopped, open_ledger(path, KEY, must_stop=lambda: True):
        pass
    assert path.read_bytes() == data
    assert len(recorded(path)) == 60
    assert stopped.tb  # which would keep a database open that has not been closed


def test_a_ledger_without_the_record_of_its_count_is_refused(one_share):
    """Its shares say that they are of another count, but not of which."""
    change_database(one_share, "DELETE FROM records WHERE number = 0")
    told = "is the book of other work and damaged; give another file"
    assert refusal_of(one_share, {**KEY, "method": "none"}) == f"{one_share}: {told}"
    assert recorded(one_share) == [share_of(0, 3)]


def test_a_text_that_would_be_longer_than_any_record_is_not_looked_for(one_share):
    """A crafted page names a length; following its pages would take hours."""
    page = b"\0" * 40 + b"jigsat-book/1 99999999 {" + b"\0" * 442 + b"\0\0\0\1"
    data = one_share.read_bytes()
    one_share.write_bytes(data[:512] + page * 2000 + data[512:])
    assert recorded(one_share) == [share_of(0, 3)]


@pytest.fixture
def damaged(tmp_path):
    """A ledger of a long name, damaged so that one share is left."""
    path = tmp_path / ("a" * 246)
    filled(path, [share_of(0, 3), share_of(3, 5)])
    path.write_bytes(path.read_bytes()[:-400])
    return path


@pytest.mark.parametrize("done", [False, True])
@pytest.mark.parametrize(
    ("error", "told"),
    [(OSError(5, "Input/output error"), "cannot be used as a book: Input/output error"), (KeyboardInterrupt, "")],
)
def test_a_repair_that_fails_leaves_the_file_as_it_is(damaged, monkeypatch, done, error, told):
    """Nor is anything left beside it, not even the journal that SQLite keeps after a failure."""
    before, replace = damaged.read_bytes(), ledger_module.os.replace

    def failing(temporary, target):
        place = Path(temporary)
        assert (place.parent, Path(target)) == (damaged.parent, damaged)
        assert (place.name.startswith(f".{'a' * 50}."), len(place.name)) == (True, 60)
        Path(f"{temporary}-journal").touch()
        if done:
            replace(temporary, target)
        raise error

    with monkeypatch.context() as patched:
        patched.setattr(ledger_module.os, "replace", failing)
        with pytest.raises((BookError, KeyboardInterrupt)) as failed:
            recorded(damaged)
    assert str(failed.value) == (told and f"{damaged}: {told}")
    assert [*damaged.parent.iterdir()] == [damaged]
    assert (damaged.read_bytes() == before) is not done
    assert recorded(damaged) == [share_of(0, 3)]


def test_a_repair_is_synced_and_leaves_no_file_open(damaged, monkeypatch):
    synced, opened = [], len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else None
    monkeypatch.setattr(ledger_module, "sync_folder", synced.append)
    assert recorded(damaged) == [share_of(0, 3)]
    assert [*map(Path, synced)] == [damaged.parent]
    assert opened is None or len(os.listdir("/proc/self/fd")) == opened


def test_a_file_that_is_being_repaired_is_refused(damaged, monkeypatch):
    """By another process, or by one that has just ended the repair and works with the file."""
    before, connect = damaged.read_bytes(), ledger_module._connection
    told = "is in use by another process; wait until that ends, or give another file"
    with alone_with(damaged):
        assert refusal_of(damaged) == f"{damaged}: {told}"
    assert [*damaged.parent.iterdir()] == [damaged]
    repaired = sqlite3.OperationalError("database is locked")
    repaired.sqlite_errorcode = sqlite3.SQLITE_BUSY
    answers = iter([connect, Mock(side_effect=repaired)])
    monkeypatch.setattr(ledger_module, "_connection", lambda target: next(answers)(target))
    assert refusal_of(damaged) == f"{damaged}: {told}"
    assert damaged.read_bytes() == before


def test_a_ledger_is_read_without_sqlite_even_while_it_is_used(tmp_path):
    path, shares = tmp_path / "a.ledger", [share_of(0, 3), Share(5, 7, (10**400,), 2, 1), share_of(3, 5)]
    with open_ledger(path, KEY) as ledger:
        for share in shares:
            ledger.record(share, 1.0)
        assert read_ledger(path) == (KEY, shares)
    filled(tmp_path / "other", [share_of(10, 12)], {**KEY, "parts": 999})
    filled(tmp_path / "same", [share_of(2, 4), share_of(12, 13)])
    for name in ("same", "other"):
        path.write_bytes(path.read_bytes() + (tmp_path / name).read_bytes())
    assert read_ledger(path) == (KEY, [*shares[:2], share_of(12, 13), shares[2]])
    data = path.read_bytes()
    path.write_bytes(data.replace(b'"about"', b'"tuoba"'))
    assert refusal_of(path, read=read_ledger) == f"{path}: has lost the record of what it is about"


def test_what_cannot_be_read_as_a_ledger_is_told(tmp_path, monkeypatch):
    path = tmp_path / "a.ledger"
    path.write_text("jigsat-book/1 " * 100)
    assert refusal_of(path, read=read_ledger) == f"{path}: is not a book; {NONE}"
    path.unlink()
    filled(path, [share_of(0, 3)])
    size = path.stat().st_size
    os.truncate(path, 2**30 + 1)
    assert refusal_of(path, read=read_ledger) == f"{path}: has more than 1024 MiB; {NONE}"
    os.truncate(path, size)
    monkeypatch.setattr(books, "_MOST_BYTES", size)
    assert read_ledger(path) == (KEY, [share_of(0, 3)])


@pytest.mark.parametrize("close", [False, True])
def test_entries_that_may_wait_are_written_together_and_in_time(tmp_path, close):
    """At the latest half a second later, or when the book is closed; another process sees them then."""
    path, entries = tmp_path / "a.part", [{"step": number} for number in range(20)]
    with open_book(path, {"work": "steps"}) as book:
        for entry in entries:
            book.add(entry, now=False)
        assert ([*book.entries], len(book.entries)) == (entries, len(entries))
        while not close and len(read_book(path)[1]) < len(entries):
            time.sleep(0.02)
    assert read_book(path) == ({"work": "steps"}, entries)


def test_what_cannot_be_written_is_told_and_written_later(tmp_path):
    """A full disk, and then there is room; nothing that was added is lost."""
    path = tmp_path / "a.part"
    with open_book(path, {"work": "steps"}) as book:
        book.add({"step": 0})
        book._connection.execute(f"PRAGMA max_page_count={path.stat().st_size // 512}")
        with pytest.raises(BookError, match="full"):
            book.add({"step": 1})
        book._flush_in_time()
        for call in (book.check, lambda: book.add({"step": 2}, now=False), lambda: book.keep({"place": 3})):
            with pytest.raises(BookError, match="full"):
                call()
        assert read_book(path)[1] == [{"step": 0}]
        book._connection.execute("PRAGMA max_page_count=1000")
        book.check()
        assert read_book(path)[1] == [{"step": 0}, {"step": 1}, {"step": 2}]
    with open_book(path, {"work": "steps"}) as book:
        assert (len(book.entries), book.state) == (3, {"place": 3})


def damaged_at(path, text):
    """Spoil the last place of a text in a file."""
    data = bytearray(path.read_bytes())
    data[data.rindex(text)] ^= 1
    path.write_bytes(data)


def test_a_state_is_kept_beside_the_entries(tmp_path):
    """Replaced in place, whatever its size; no page is ever free, where an earlier content could be found."""
    path, chance = tmp_path / "a.part", Random(3)
    with open_book(path, {"work": "steps"}) as book:
        assert book.state is None
        for number in range(60):
            book.add({"step": number}, now=False)
            book.keep(state := {"at": number, "more": "x" * chance.randrange(5000)})
            book.flush()
        assert book._connection.execute("PRAGMA freelist_count").fetchone() == (0,)
    for _ in range(2):
        with open_book(path, {"work": "steps"}) as book:
            assert (book.state, len(book.entries), book.salvaged) == (state, 60, None)
            book.keep(state := [1, None])
    assert path.stat().st_size < 120_000


def test_a_state_counts_only_with_all_entries_before_it(tmp_path):
    """Of a damaged file the newest one does that is whole: a search would never find again what is lost."""
    path = tmp_path / "a.part"
    with open_book(path, {"work": "steps"}) as book:
        for step, size in enumerate((10, 600, 2000)):
            book.add(f"step {step}")
            book.keep({"of": step, "more": "x" * size})
            book.add(f"after {step}")
    whole = path.read_bytes()
    entries = ["step 0", "after 0", "step 1", "after 1", "step 2", "after 2"]
    for spoilt, left, state in (
        (b"", 6, 2), (b'{"of":2', 6, 1), (b"after 2", 5, 2), (b"step 2", 4, 1), (b"after 1", 3, 1), (b"step 1", 2, 0),
        (b"after 0", 1, 0), (b"step 0", 0, None),
    ):  # fmt: skip
        path.write_bytes(whole)
        if spoilt:
            damaged_at(path, spoilt)
        for _ in range(2):
            with open_book(path, {"work": "steps"}) as book:
                assert [*book.entries] == entries[:left]
                assert (None if book.state is None else book.state["of"]) == state
            assert read_book(path)[1] == entries[:left]


def test_books_of_the_same_work_are_merged(tmp_path):
    """Each part counts once; what is in the target already stays."""
    spans = {"a": [(0, 3), (5, 7)], "b": [(3, 5), (6, 8)], "c": [(0, 3), (8, 9)], "target": [(9, 12)]}
    for name, parts in spans.items():
        filled(tmp_path / name, [share_of(*span) for span in parts])
    sources = [tmp_path / name for name in "abc"]

    def sound(key):
        return sound_below(key["parts"])

    for target in ("target", "new", "new"):
        merge_books(sources, tmp_path / target, sound)
        kept = [(9, 12)] * (target == "target") + [(0, 3), (5, 7), (3, 5), (8, 9)]
        assert recorded(tmp_path / target) == [share_of(*span) for span in kept]
    filled(tmp_path / "other", [share_of(20, 21)], {**KEY, "parts": 7})
    for paths in ([tmp_path / "other"], [tmp_path / "a", tmp_path / "other"]):
        with pytest.raises(BookError, match="is the book of other work: parts is "):
            merge_books(paths, tmp_path / "target", sound)
    with pytest.raises(BookError, match="is the book of other work"):
        merge_books(paths, tmp_path / "no" / "target", sound)
    assert not (tmp_path / "no").exists()


@pytest.mark.parametrize("empty", [False, True])
def test_refused_work_leaves_neither_a_new_book_nor_a_new_folder(tmp_path, empty):
    """Nor does work that found nothing, if the call asks for that; what has something in it stays."""
    path = tmp_path / "new" / "a.book"
    with pytest.raises(ZeroDivisionError), open_book(path, KEY, folder=True):
        raise ZeroDivisionError
    assert not path.parent.exists()
    with open_book(path, KEY, folder=True, empty=empty):
        pass
    assert path.exists() is path.parent.exists() is empty
    with open_book(path, KEY, folder=True) as book:
        book.add(1)
    assert read_book(path) == (KEY, [1])
    with pytest.raises(BookError, match="is the book of other work"), open_book(path, {}, folder=True):
        pass
    assert path.exists()
