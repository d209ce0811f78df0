"""The book of a race: every trial and every wanted board, each exactly once.

Its entries are only added.  When the book is opened they are entered in memory, one after the other, as they were when
the race recorded them.
"""

import json
import os
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal
from uuid import uuid4

from pydantic import BaseModel, ConfigDict, StrictInt, StrictStr, TypeAdapter

from ...csp.base.errors import InstanceError
from ...csp.base.stop import working_time
from ...csp.base.strict_json import validated
from ...csp.engines.request import SLIPS
from ...csp.engines.tallies import picture_keys
from ...csp.files.books import read_about, read_book
from ...csp.files.instances import parse_puzzle
from ...csp.puzzles.board import Arrangement, Placement
from ...csp.puzzles.check_board import check
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.slips import anywhere
from ...csp.search.best_score_race import Trial, Wanted
from ...csp.work.book import Book, open_book

#: The name of the book in the folder of a race.
FILE = "race.book"
#: The options of engines on which the boards of a race depend; those of engines of other packages are added.
OF_ENGINES = ("order", *SLIPS, "width", "device")
# Boards in one entry; more are in entries before that of their trial.
_MOST_BOARDS = 1000


class RaceHead(BaseModel):
    """What a race is about; nothing of it changes."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    work: Literal["race"] = "race"
    #: The name of the puzzle, and the text of its file.
    instance: StrictStr
    puzzle: StrictStr
    #: The engine, its options by name, and the random seed.
    engine: StrictStr
    options: dict[str, Any]
    seed: StrictInt
    #: The least score of the boards that are kept; None if it is adapted to the best one.
    keep_from: StrictInt | None = None

    def puzzle_read(self) -> EdgeMatchingPuzzle:
        puzzle = parse_puzzle(self.puzzle, f"{self.instance}: puzzle")
        if not isinstance(puzzle, EdgeMatchingPuzzle):
            raise InstanceError(f"{self.instance}: a race needs a puzzle with squares")
        return puzzle


@dataclass(frozen=True)
class Session:
    """One call that went on with the race."""

    #: A name for the call, and when it began (UTC).
    name: str
    began: str
    #: The number of threads, and the seconds so far.
    threads: int
    seconds: float = 0.0


@dataclass(frozen=True)
class KeptBoard:
    """A board that is kept."""

    #: What boards that look the same have in common, the score, and the number of the trial.
    picture: str
    score: int
    trial: int
    #: A JSON list with a number for each square: four times that of the piece, plus the rotation.
    text: str

    def board(self, puzzle: EdgeMatchingPuzzle) -> Arrangement:
        """The board; raises InstanceError if it is not as it says."""
        try:
            board = tuple(Placement(*divmod(int(number), 4)) for number in json.loads(self.text))
            verdict = check(puzzle, board, anywhere(puzzle), range(len(board)))
            good = not verdict.faults and verdict.placed == len(puzzle.board) and verdict.score == self.score
        except (TypeError, ValueError, IndexError, OverflowError, RecursionError):
            board, good = (), False
        if not good:
            raise InstanceError(f"a board of trial {self.trial} is damaged: it does not have {self.score} valid joins")
        return board


@dataclass(frozen=True)
class _Entry:
    """A trial with its boards; or nothing but the time."""

    session: Session
    #: The least score of the boards that were kept then.
    least: int = 0
    trial: Trial | None = None
    boards: list[KeptBoard] = field(default_factory=list)


_ENTRY = TypeAdapter(_Entry)


class RaceBook:
    """The book of a race, open for reading or for recording.

    Attributes:
    - `head`, `puzzle`: what the race is about, and its puzzle.
    - `wanted`: which boards are kept.
    - `trials`, `at`: the recorded trials by number, and the hours of the race, in seconds, after which each was
      recorded.
    - `sessions`: the calls so far by name.
    - `boards`: the number of kept boards by score.
    - `best`: the best score so far; None without a full board.
    - `exhausted`: the ways of which another trial would find the same.
    """

    def __init__(
        self, path: Path, about: Mapping[str, Any], entries: Iterable[object], book: Book | None = None
    ) -> None:
        self.path, self._book = path, book
        self.head = validated(RaceHead, about, str(path), {})
        self.puzzle = self.head.puzzle_read()
        self.wanted = Wanted(self.head.keep_from or 0, self.head.keep_from is None)
        self.trials: dict[int, Trial] = {}
        self.at: dict[int, float] = {}
        self.sessions: dict[str, Session] = {}
        self.boards: Counter[int] = Counter()
        self.best: int | None = None
        self.exhausted: set[str] = set()
        self._kept: dict[str, KeptBoard] = {}
        for entry in entries:
            try:
                self._enter(_ENTRY.validate_python(entry))
            except ValueError as error:
                raise InstanceError(f"{path}: an entry is not that of a race; give another folder") from error
        self._key = picture_keys(self.puzzle)

    @property
    def seconds(self) -> float:
        """The hours of the race so far, in seconds."""
        return sum(session.seconds for session in self.sessions.values())

    def kept(self, most: int | None = None) -> Iterator[tuple[KeptBoard, Arrangement]]:
        """The kept boards, those with the highest score first, at most `most` of them."""
        order = sorted(self._kept.values(), key=lambda one: (-one.score, one.trial, one.picture))
        return ((one, one.board(self.puzzle)) for one in order[:most])

    def boards_by_trial(self) -> dict[int, list[int]]:
        """For each score of the kept boards, how many boards belong to each trial."""
        found: dict[int, list[int]] = {}
        for (score, _), number in Counter((one.score, one.trial) for one in self._kept.values()).items():
            found.setdefault(score, []).append(number)
        return found

    def begin_session(self, threads: int) -> None:
        """A call begins to go on with the race."""
        self._began = working_time()
        self._add(_Entry(Session(uuid4().hex[:8], datetime.now(UTC).isoformat(timespec="seconds"), threads)))

    def record(self, trial: Trial) -> None:
        """Record a trial with its wanted boards; they are written half a second later at most.

        Raises ValueError if the trial is recorded already. Raises BookError if something cannot be written.
        """
        if trial.number in self.trials:
            raise ValueError("the trial is recorded already")
        least, boards = self._wanted_of(trial)
        *some, last = [boards[at : at + _MOST_BOARDS] for at in range(0, max(len(boards), 1), _MOST_BOARDS)]
        # A race that is killed before the last of them is written finds the boards again.
        for each in some:
            self._add(_Entry(self._session, least, boards=each))
        self._add(_Entry(self._session, least, replace(trial, boards=()), last))

    def pass_time(self, least: float = 0.0) -> None:
        """Record the time of this session, unless it was recorded less than some seconds ago."""
        # An entry with the same time as the last one would look like a repetition of it.
        if self._session.seconds < round(working_time() - self._began, 3) - least:
            self._add(_Entry(self._session))

    def _add(self, entry: _Entry) -> None:
        assert self._book is not None
        self._session = replace(entry.session, seconds=round(working_time() - self._began, 3))
        entry = replace(entry, session=self._session)
        self._book.add(_ENTRY.dump_python(entry, mode="json", exclude_defaults=True), now=False)
        self._enter(entry)

    def _wanted_of(self, trial: Trial) -> tuple[int, list[KeptBoard]]:
        """The least score of the boards to keep, and those of a trial that are to be recorded."""
        wanted: dict[str, KeptBoard] = {}
        for found in trial.boards:
            if found.score < self.wanted.least:
                continue
            picture = sha256(self._key(found.board)).hexdigest()[:32]
            known = self._kept.get(picture)
            if picture not in wanted and (known is None or trial.number < known.trial):
                numbers = [4 * one.piece + one.rotation for one in found.board if one is not None]
                text = json.dumps(numbers, separators=(",", ":"))
                wanted[picture] = KeptBoard(picture, found.score, trial.number, text)
        new = Counter(one.score for picture, one in wanted.items() if picture not in self._kept)
        least = self.wanted.raised(self.boards + new).least
        return least, [one for one in wanted.values() if one.score >= least]

    def _enter(self, entry: _Entry) -> None:
        """Enter in memory what is in the book.

        A board belongs to the trial with the lowest number, whichever is recorded first.
        """
        trial, scores = entry.trial, [board.score for board in entry.boards]
        if trial is not None and trial.score is not None:
            scores.append(trial.score)
        if any(not 0 <= score <= self.puzzle.max_score for score in scores):
            raise ValueError
        self.sessions[entry.session.name] = entry.session
        if trial is not None:
            self.trials.setdefault(trial.number, trial)
            self.at.setdefault(trial.number, self.seconds)
            if trial.exhaustive:
                self.exhausted.add(trial.way)
        self.best = max(scores if self.best is None else [self.best, *scores], default=None)
        wanted = replace(self.wanted, least=max(self.wanted.least, entry.least)) if self.wanted.adapted else self.wanted
        for board in entry.boards:
            known = self._kept.get(board.picture)
            if board.score >= wanted.least and (known is None or board.trial < known.trial):
                self.boards[board.score] += known is None
                self._kept[board.picture] = board
        wanted = wanted.raised(self.boards)
        if wanted != self.wanted:
            self.wanted = wanted
            self._kept = {key: one for key, one in self._kept.items() if one.score >= wanted.least}
            self.boards = Counter(one.score for one in self._kept.values())


@contextmanager
def open_race(folder: str | Path, head: RaceHead) -> Iterator[RaceBook]:
    """Open the book of a race for recording; folder and book are made if they do not exist.

    A new book in which no session begins is removed, and a new folder, so that a race that is refused leaves nothing.

    Raises InstanceError if the folder cannot be written, or the book is that of another race, in use, or damaged.
    """
    path, about, options = Path(folder) / FILE, head.model_dump(), (*head.options, "engine", "seed", "keep_from")
    with open_book(path, about, options=options, sound=each_trial_once, folder=True, empty=False) as book:
        if book.salvaged is not None:
            warnings.warn(book.salvaged, UserWarning, stacklevel=4)
        yield RaceBook(path, about, book.entries, book)


def head_in(folder: str | Path) -> RaceHead | None:
    """What the race in a folder is about; None without one."""
    path = Path(folder) / FILE
    return validated(RaceHead, read_about(path), str(path), {}) if os.path.exists(path) else None


def read_race(folder: str | Path) -> RaceBook:
    """Read the book of a race, even while the race goes on.

    Raises InstanceError if the folder has no race, or its book is damaged.
    """
    path = Path(folder) / FILE
    if not os.path.exists(path):
        raise InstanceError(f"{folder}: there is no race in this folder; `jigsat race PUZZLE -o FOLDER` begins one")
    return RaceBook(path, *read_book(path, each_trial_once))


def each_trial_once() -> Callable[[int, Any], bool]:
    """Accepts every entry once, for damaged books and for those that are merged: lost trials are made again."""
    seen = set[str]()

    def accept(number: int, entry: Any) -> bool:
        trial = entry.get("trial") if isinstance(entry, dict) else None
        key = json.dumps([trial.get("number"), trial.get("way")] if isinstance(trial, dict) else entry)
        is_new = key not in seen
        seen.add(key)
        return is_new

    return accept
