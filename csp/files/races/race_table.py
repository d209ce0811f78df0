"""The table of a race: an SQLite database with every trial and every wanted board, each exactly once.

What the trials of one call of `RaceTable.record` have found is written in one transaction.  So a race that is killed
has lost only trials that were not yet reported, and these are made again.
"""

import json
import os
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import astuple, dataclass, fields, replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, StrictInt, StrictStr

from ...base.errors import InstanceError, PuzzleError
from ...base.safe_files import lock, writing
from ...base.strict_json import parsed, validated
from ...puzzles.board import Arrangement
from ...puzzles.check_board import check
from ...puzzles.edge_matching import EdgeMatchingPuzzle
from ...puzzles.slips import anywhere
from ..board_rows import arrangement_from_rows, board_rows
from ..instances import parse_puzzle
from .trials import Trial, Wanted, picture_keys

#: The name of the table in the folder of a race.
FILE = "race.sqlite"
# The SQLite application ID.
_RACE_ID = int.from_bytes(b"jigr")
# How long to wait for another process that reads.
_PATIENCE = 10.0
_TABLES = {
    "race": "name TEXT PRIMARY KEY, value TEXT NOT NULL",
    "sessions": "number INTEGER PRIMARY KEY, began TEXT NOT NULL, seconds REAL NOT NULL, threads INTEGER NOT NULL",
    "trials": (
        "number INTEGER PRIMARY KEY, way TEXT NOT NULL, width INTEGER, seed TEXT NOT NULL, score INTEGER, "
        "nodes INTEGER NOT NULL, cpu_seconds REAL NOT NULL, seconds REAL NOT NULL, exhaustive INTEGER NOT NULL, "
        "at REAL NOT NULL"
    ),
    "boards": (
        "picture TEXT PRIMARY KEY, score INTEGER NOT NULL, trial INTEGER NOT NULL, origin TEXT NOT NULL, "
        "board TEXT NOT NULL"
    ),
}
_SCHEMA = {name: f"CREATE TABLE {name} ({columns}) STRICT" for name, columns in _TABLES.items()}
_OF_TRIAL = tuple(field.name for field in fields(Trial) if field.name != "boards")


class BusyError(InstanceError):
    """Another process has used the table all the time."""


class RaceHead(BaseModel):
    """What a race is about; nothing of it changes.

    Attributes
    ----------
    puzzle
        The text of the puzzle's file.
    engine, options, seed
        The engine, its options by name, and the random seed.
    keep_from
        The least score of the boards that are kept; None if it is adapted to the best one.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)
    format: Literal["jigsat-race/1"] = "jigsat-race/1"
    puzzle: StrictStr
    engine: StrictStr
    options: dict[str, Any]
    seed: StrictInt
    keep_from: StrictInt | None = None


@dataclass(frozen=True)
class Recorded:
    """A trial without its boards, and the hours of the race, in seconds, after which it was recorded."""

    trial: Trial
    at: float


@dataclass(frozen=True)
class Session:
    """One call that went on with the race: when it began (UTC), its seconds, and its number of threads."""

    began: str
    seconds: float
    threads: int


@dataclass(frozen=True)
class KeptBoard:
    """A board of the table, with its score, the number of its trial, and what has found it."""

    board: Arrangement
    score: int
    trial: int
    origin: str


class RaceTable:
    """The table of a race, open for reading or for recording.

    Attributes
    ----------
    head, puzzle
        What the race is about, and its puzzle.
    wanted
        Which boards are kept.
    trials
        The recorded trials by number.
    sessions
        The calls so far.
    boards
        The number of kept boards by score.
    best
        The best score so far; None without a full board.
    complete
        The number of the first trial that is not recorded.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path, self._connection = path, connection
        values = dict(connection.execute("SELECT name, value FROM race"))
        self.head = validated(RaceHead, parsed(values["head"], str(path)), str(path), {})
        puzzle = parse_puzzle(self.head.puzzle, f"{path}: puzzle")
        if not isinstance(puzzle, EdgeMatchingPuzzle):
            raise ValueError("its puzzle has no squares")
        self.puzzle = puzzle
        self.wanted = Wanted(int(values["least"]), self.head.keep_from is None)
        columns = ", ".join((*_OF_TRIAL, "at"))
        self.trials: dict[int, Recorded] = {}
        self.best: int | None = None
        self.complete, done = 0, dict[int, Recorded]()
        for *of_trial, exhaustive, at in connection.execute(f"SELECT {columns} FROM trials ORDER BY number"):
            trial = Trial(*of_trial, exhaustive=bool(exhaustive))
            done[trial.number] = Recorded(trial, at)
        self._note(done)
        self.sessions = [
            Session(*row) for row in connection.execute("SELECT began, seconds, threads FROM sessions ORDER BY number")
        ]
        self.boards = Counter(dict(connection.execute("SELECT score, count(*) FROM boards GROUP BY score")))
        scores = {recorded.trial.score for recorded in self.trials.values()} - {None} | self.boards.keys()
        if any(not 0 <= score <= puzzle.max_score for score in scores if score is not None):
            raise ValueError(f"a score is not between 0 and {puzzle.max_score}")
        self._key = picture_keys(puzzle)

    @property
    def seconds(self) -> float:
        """The hours of the race so far, in seconds."""
        return sum(session.seconds for session in self.sessions)

    def _note(self, done: Mapping[int, Recorded]) -> None:
        """Update what is known about all trials by some more."""
        self.trials.update(done)
        scores = [one.trial.score for one in done.values() if one.trial.score is not None]
        self.best = max([*scores, *(() if self.best is None else (self.best,))], default=None)
        while self.complete in self.trials:
            self.complete += 1

    def missing(self) -> Iterator[int]:
        """The numbers of the trials that are not recorded, in ascending order, without end."""
        number = self.complete
        while True:
            if number not in self.trials:
                yield number
            number += 1

    def kept(self, most: int | None = None) -> Iterator[KeptBoard]:
        """The kept boards, those with the highest score first, at most `most` of them."""
        limit = -1 if most is None else most
        query = "SELECT board, score, trial, origin FROM boards ORDER BY score DESC, trial, picture LIMIT ?"
        with told_of_damage(self.path):
            for text, score, trial, origin in self._connection.execute(query, (limit,)).fetchall():
                board = arrangement_from_rows(json.loads(text), self.puzzle.board, "board")
                verdict = check(self.puzzle, board, anywhere(self.puzzle), range(len(board)))
                if verdict.faults or verdict.placed != len(board) or verdict.score != score:
                    raise ValueError(f"a board of trial {trial} does not have {score} valid joins")
                yield KeptBoard(board, score, trial, origin)

    def boards_by_trial(self) -> dict[int, list[int]]:
        """For each score of the kept boards, how many boards belong to each trial."""
        found: dict[int, list[int]] = {}
        with told_of_damage(self.path):
            query = "SELECT score, count(*) FROM boards GROUP BY score, trial"
            for score, number in self._connection.execute(query).fetchall():
                found.setdefault(score, []).append(number)
        return found

    def begin_session(self, threads: int) -> None:
        """A call begins to go on with the race."""
        self.sessions.append(Session(datetime.now(UTC).isoformat(timespec="seconds"), 0.0, threads))
        with self._transaction():
            self._connection.execute(
                "INSERT INTO sessions VALUES (?, ?, ?, ?)", (len(self.sessions) - 1, *astuple(self.sessions[-1]))
            )

    def record(self, trials: Sequence[Trial], seconds: float, *, patient: bool = False) -> bool:
        """Write trials with their wanted boards, and the seconds of this session so far.

        Returns
        -------
        bool
            False if nothing was written, because another process read the table; if `patient`, for ten seconds.

        Raises
        ------
        ValueError
            If a trial is recorded already.
        InstanceError
            If it cannot be written.
        """
        self.sessions[-1] = replace(self.sessions[-1], seconds=seconds)
        at = self.seconds
        done = {trial.number: Recorded(replace(trial, boards=()), at) for trial in trials}
        if len(done) < len(trials) or not self.trials.keys().isdisjoint(done):
            raise ValueError("a trial is recorded already")
        self._connection.execute(f"PRAGMA busy_timeout={round(1000 * _PATIENCE) if patient else 0}")
        try:
            boards, wanted = self._written(trials, at, seconds)
        except BusyError:
            return False
        self._note(done)
        self.boards, self.wanted = boards, wanted
        return True

    def _written(self, trials: Sequence[Trial], at: float, seconds: float) -> tuple[Counter[int], Wanted]:
        """Write trials in one transaction; the number of kept boards by score then, and which are wanted."""
        boards = self.boards.copy()
        with self._transaction():
            for trial in trials:
                values = [getattr(trial, name) for name in _OF_TRIAL]
                places = ", ".join("?" * (len(values) + 1))
                self._connection.execute(f"INSERT INTO trials VALUES ({places})", (*values, at))
                boards += self._add_boards(trial)
            wanted = self.wanted.raised(boards)
            if wanted != self.wanted:
                self._connection.execute("DELETE FROM boards WHERE score < ?", (wanted.least,))
                self._connection.execute("UPDATE race SET value = ? WHERE name = 'least'", (str(wanted.least),))
                boards = Counter({score: number for score, number in boards.items() if score >= wanted.least})
            self._connection.execute(
                "UPDATE sessions SET seconds = ? WHERE number = ?", (seconds, len(self.sessions) - 1)
            )
        return boards, wanted

    def _add_boards(self, trial: Trial) -> Counter[int]:
        """Add the wanted boards of a trial that no other trial has found; the number of new ones by score.

        A board belongs to the trial with the lowest number, whichever is recorded first.
        """
        added: Counter[int] = Counter()
        for found in trial.boards:
            if found.score < self.wanted.least:
                continue
            picture = sha256(self._key(found.board)).hexdigest()[:32]
            rows = json.dumps(board_rows(found.board, self.puzzle.columns), separators=(",", ":"))
            known = self._connection.execute("SELECT trial FROM boards WHERE picture = ?", (picture,)).fetchone()
            added[found.score] += known is None
            if known is None or trial.number < known[0]:
                self._connection.execute(
                    "INSERT OR REPLACE INTO boards VALUES (?, ?, ?, ?, ?)",
                    (picture, found.score, trial.number, found.origin, rows),
                )
        return added

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """A context whose changes are written all or not at all."""
        with told_of_damage(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                # After some errors SQLite has done that.
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise


@contextmanager
def open_race(folder: str | Path, head: Callable[[RaceHead | None], RaceHead]) -> Iterator[RaceTable]:
    """Open the table of a race for recording; folder and table are made if they do not exist.

    Parameters
    ----------
    folder
        The folder of the race, in which one process at a time can record.
    head
        Is called with what the race in the folder is about, or None if the folder has no race; returns what it is to be
        about, or raises an error.

    Raises
    ------
    InstanceError
        If the folder is in use or cannot be written, or the table is damaged.
    """
    path = Path(folder) / FILE
    # Nothing is made if the race is refused.
    new = None if path.exists() else head(None)
    with writing(folder):
        Path(folder).mkdir(parents=True, exist_ok=True)
    with _locked(folder), ExitStack() as stack:
        with told_of_damage(path):
            connection = stack.enter_context(closing(_connection(path, "rwc")))
            if _is_empty(connection):
                _make(connection)
            _refuse_others(connection, path)
            has_begun = _has_begun(connection)
        if not has_begun:
            new = head(None) if new is None else new
            with told_of_damage(path):
                _write_head(connection, new)
        with told_of_damage(path):
            table = RaceTable(path, connection)
        head(table.head)
        yield table


@contextmanager
def read_race(folder: str | Path) -> Iterator[RaceTable]:
    """Open the table of a race for reading, even while the race goes on.

    Raises
    ------
    InstanceError
        If the folder has no race, or its table is damaged.
    """
    path = Path(folder) / FILE
    if not path.is_file():
        raise _none_in(folder)
    with ExitStack() as stack:
        with told_of_damage(path):
            # For writing, because what a killed process has not finished must be undone.
            connection = stack.enter_context(closing(_connection(path, "rw")))
            # It stays open, so that all that is read belongs together.
            connection.execute("BEGIN")
            _refuse_others(connection, path)
            if not _has_begun(connection):
                raise _none_in(folder)
            table = RaceTable(path, connection)
        yield table


def _connection(path: Path, mode: str) -> sqlite3.Connection:
    source = f"{path.absolute().as_uri()}?mode={mode}"
    connection = sqlite3.connect(source, timeout=_PATIENCE, isolation_level=None, uri=True)
    # Nothing in the file is run.
    connection.execute("PRAGMA trusted_schema=OFF")
    connection.execute("PRAGMA synchronous=FULL")
    return connection


def _is_empty(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT count(*) FROM sqlite_schema").fetchone() == (0,)


def _make(connection: sqlite3.Connection) -> None:
    """Make the tables in an empty database, all at once or not at all."""
    connection.execute("BEGIN EXCLUSIVE")
    connection.execute(f"PRAGMA application_id={_RACE_ID}")
    for sql in _SCHEMA.values():
        connection.execute(sql)
    connection.execute("COMMIT")


def _has_begun(connection: sqlite3.Connection) -> bool:
    """Whether there is a race that was not refused before its first session."""
    numbers = "SELECT (SELECT count(*) FROM sessions) + (SELECT count(*) FROM trials)"
    return connection.execute(numbers).fetchone() != (0,)


def _write_head(connection: sqlite3.Connection, head: RaceHead) -> None:
    values = {"head": head.model_dump_json(), "least": str(head.keep_from or 0)}
    connection.executemany("INSERT OR REPLACE INTO race VALUES (?, ?)", values.items())


def _none_in(folder: str | Path) -> InstanceError:
    return InstanceError(f"{folder}: there is no race in this folder; `jigsat race PUZZLE -o FOLDER` begins one")


def _refuse_others(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse a database that is not exactly the table of a race."""
    found = connection.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL").fetchall()
    if connection.execute("PRAGMA application_id").fetchone() != (_RACE_ID,) or dict(found) != _SCHEMA:
        raise InstanceError(f"{path}: is not the table of a race; give another folder")
    if connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
        raise ValueError("its contents do not fit together")


@contextmanager
def _locked(folder: str | Path) -> Iterator[None]:
    """A context in which no other process can record in the folder."""
    if os.name == "nt":  # Folders cannot be opened there.
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        try:
            lock(descriptor)
        except BlockingIOError as error:
            raise InstanceError(f"{folder}: another process goes on with the race in this folder") from error
        yield
    finally:
        os.close(descriptor)


@contextmanager
def told_of_damage(path: Path) -> Iterator[None]:
    """Reports errors of SQLite, and contents that no race has written, in one line."""
    try:
        yield
    except sqlite3.OperationalError as error:
        # Errors of the module itself have no code; the lowest byte is that of SQLite without details.
        is_busy = getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY
        kind = BusyError if is_busy else InstanceError
        raise kind(f"{path}: cannot be used: {error}") from error
    except (sqlite3.DatabaseError, KeyError, TypeError, IndexError, ValueError, PuzzleError) as error:
        raise InstanceError(f"{path}: is damaged: {error}; restore the file, or give another folder") from error
