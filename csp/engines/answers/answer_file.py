"""The file for the answer of a search, which has at every moment what was found so far.

While the search runs, everything is in a part beside the file: its name and ``.part``.  At the end the part becomes the
file, unless an earlier answer there is better.
"""

import os
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from ...base.errors import InstanceError, UsageError, shortened
from ...base.safe_files import refuse_unwritable, replacing, writing
from ...base.words import several
from ...files.community.viewer_links import format_link
from ...files.convert import SOLUTION_FORMATS
from ...files.file_format import format_for
from ...files.growing.growing_file import GrowingFile, Grown, is_beginning, part_of, read_grown
from ...files.instances import Puzzle, fingerprint
from ...files.solutions import load_solutions, load_tilings, solution_data, solution_head, solution_reader
from ...puzzles.dissection import DissectionPuzzle
from ...puzzles.edge_matching import EdgeMatchingPuzzle
from ..request import Earlier


class AnswerFile:
    """The file for an answer; begin with `open`.

    Parameters
    ----------
    puzzle
        The puzzle.
    path
        The file; its ending decides the format, as for `write`.
    search
        The options of the search that decide what its answer is, as JSON data.
    version
        The version of the program; only the same version can continue at a place in the search.
    best
        Whether the answer is one board, the best one, and not all solutions.
    identity
        See `same_solution`.
    checked
        Is called with each solution of an earlier search; raises InstanceError if it is not one of this search.
    most
        The largest number of solutions.
    again
        Whether the search may find the same solution several times.

    Attributes
    ----------
    part
        The file that has everything while the search runs.
    earlier
        What an earlier search has found, which this one continues.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        path: str | Path,
        *,
        search: Mapping[str, Any],
        version: str,
        best: bool,
        identity: Callable[[Any], Any],
        checked: Callable[[Any, str], None],
        most: int | None = None,
        again: bool = False,
    ) -> None:
        self._puzzle, self._path, self._target = puzzle, path, Path(os.path.realpath(path))
        self._search, self._version, self._best, self._identity = dict(search), version, best, identity
        self._checked, self._most, self._again = checked, most, again
        self._is_json = format_for(path, SOLUTION_FORMATS, "json") == "json"
        self._refuse_format()
        self.part = part_of(self._target)
        self.earlier = Earlier()
        self._data_of = solution_data(puzzle)
        self._known: set[Any] = set()
        self._place: Any = None
        self._file: GrowingFile

    def _refuse_format(self) -> None:
        if self._is_json:
            return
        if isinstance(self._puzzle, DissectionPuzzle):
            raise InstanceError(f"{self._path}: url is not a format for dissections; write JSON")
        format_link(self._puzzle, (None,) * len(self._puzzle.board), str(self._path))

    def open(self, *, resume: bool = False, overwrite: bool = False) -> None:
        """Begin the part, or continue an earlier one; nothing that exists is lost by this.

        Parameters
        ----------
        resume
            Whether to continue the search that has left a part, or the file if there is no part.
        overwrite
            Whether what exists may be replaced by anything.

        Raises
        ------
        InstanceError
            If the file is not one of solutions of the puzzle, or the part cannot be continued.
        UsageError
            If there is a part, and neither `resume` nor `overwrite` is given; or if it is of a search with other
            options.
        """
        refuse_unwritable(self._path)
        self._overwrite = overwrite
        left = None if overwrite else self._left()
        if left is None and resume and not overwrite and self._exists:
            self._continue_file()
        elif left is None:
            if not overwrite and self._exists:
                self._measured()
            self._file = self._begun()
        elif resume:
            self._continue(left)
        else:
            found = several(left.entries, "board" if self._best else "solution", str) if left.entries else "the state"
            raise UsageError(
                f"give one of them: {self.part} has {found} of a search that did not end", "resume", "overwrite"
            )

    @property
    def _exists(self) -> bool:
        return self._target.exists() and self._target.stat().st_size > 0

    @property
    def number(self) -> int:
        """The number of solutions in the part."""
        return self._file.entries

    @property
    def is_full(self) -> bool:
        """Whether the wanted number of solutions is reached."""
        return self._most is not None and self.number >= self._most

    def _begun(self) -> GrowingFile:
        file = GrowingFile.begin(self.part, solution_head(self._puzzle))
        file.keep(self._state())
        return file

    def _state(self) -> dict[str, Any]:
        place = {} if self._place is None else {"number": self._file.entries, "place": self._place}
        return {"search": self._search, "version": self._version, **place}

    def _left(self) -> Grown | None:
        """The part that an earlier search has left, if there is something in it.

        Raises
        ------
        InstanceError
            If it is another file, which may be what another command has left.
        """
        if not self.part.exists():
            return None
        grown = read_grown(self.part)
        if grown is not None:
            return grown if grown.entries or "place" in (grown.state or {}) else None
        if is_beginning(self.part, solution_head(self._puzzle)):
            return None
        raise InstanceError(f"{self.part}: is not what a search has left; move it away, or --overwrite replaces it")

    def _continue_file(self) -> None:
        """Continue the search whose answer is in the file; a part is made of it."""
        grown = read_grown(self._target) if self._is_json else None
        if grown is None:
            load = load_tilings if isinstance(self._puzzle, DissectionPuzzle) else load_solutions
            with _overwrite_named():
                solutions: list[Any] = list(load(self._target, self._puzzle))  # type: ignore[arg-type]
            self._file = self._begun()
            for solution in solutions:
                self._file.add(self._data_of(solution))
            self._file.flush()
        else:
            self._refuse_other(grown)
            self._file = self._begun()
            for entry in grown.lines():
                self._file.add(entry)
            self._file.keep(grown.state or self._state())
            self._file.flush()
        left = read_grown(self.part)
        assert left is not None
        try:
            self._take(left, self._path)
        except BaseException:
            # The file still has everything.
            self._file.abandon()
            self.part.unlink()
            raise

    def _continue(self, left: Grown) -> None:
        self._refuse_other(left)
        self._file = GrowingFile.resume(left)
        try:
            self._take(left, self.part)
        except BaseException:
            self._file.abandon()
            raise

    def _refuse_other(self, grown: Grown) -> None:
        """Refuse what is left of the search for another answer."""
        if grown.head.get("sha256") != fingerprint(self._puzzle):
            of = shortened(str(grown.head.get("instance")))
            raise InstanceError(f"{grown.path}: has solutions of another puzzle ({of}); --overwrite replaces the file")
        state = grown.state if isinstance(grown.state, dict) else {}
        before = state.get("search", self._search)
        for name, value in self._search.items():
            if before.get(name) != value:
                raise UsageError(
                    f"{grown.path}: the search that it continues has {_told(name, before.get(name))}, "
                    f"this one has {_told(name, value)}",
                    "resume",
                )

    def _take(self, left: Grown, source: str | Path) -> None:
        """Take over what is in the part; `source` names it in errors."""
        self._known = set()
        for solution in self._solutions(left):
            self._checked(solution, str(source))
            self._known.add(self._identity(solution))
        if len(self._known) < left.entries and not self._best:
            raise UsageError(
                f"{source}: has several solutions of one symmetry class, or one several times; "
                "it is not of a search that this one can continue",
                "resume",
            )
        state = left.state if isinstance(left.state, dict) else {}
        same = state.get("version") == self._version and "place" in state
        # Entries may have been taken out by hand.
        same = same and state.get("number", 0) <= left.entries
        self._place = state["place"] if same else None
        self.earlier = Earlier(left.entries, lambda: self._solutions(left), self._place)

    def _solutions(self, grown: Grown) -> Iterator[Any]:
        read = solution_reader(self._puzzle, str(grown.path))
        for number, (entry, plain) in enumerate(grown.marked(), start=1):
            yield read(entry, number, plain)

    def add(self, solution: Any) -> bool:
        """Add a solution; False if an earlier search has found it, or the wanted number is reached."""
        if self.is_full:
            return False
        if self._known or self._again:
            key = self._identity(solution)
            if key in self._known:
                return False
            if self._again:
                self._known.add(key)
        self._file.add(self._data_of(solution))
        return True

    def improve(self, board: Any) -> None:
        """Add a board that is better than all before."""
        self._file.add(self._data_of(board))
        self._file.flush()

    def check(self) -> None:
        """Raise the error of a write in the background, if there was one."""
        self._file.check()

    def keep(self, place: Any) -> None:
        """Keep the place of the search, after everything that was added."""
        self._place = place
        self._file.keep(self._state())

    def flush(self) -> None:
        """Write what waits."""
        self._file.flush()

    def finish(self, *, ended: bool) -> str | None:
        """Turn the part into the file.

        Parameters
        ----------
        ended
            Whether the search has reached its end, so that there is nothing to continue.

        Returns
        -------
        str or None
            Why the file was not replaced, if so; then the part stays if there is something in it.
        """
        why = None if self._overwrite else self._why_kept()
        if why is not None:
            self.leave()
            return why
        if self._best and self.number > 1:
            *_, last = self._lines()
            self._file.replace(last)
            # The place comes after this one entry now.
            self._file.keep(self._state())
        self._file.close(state=not ended)
        with writing(self._path):
            if self._is_json:
                with suppress(FileNotFoundError):
                    os.chmod(self.part, stat.S_IMODE(os.stat(self._target).st_mode))
                os.replace(self.part, self._target)
                return None
        assert isinstance(self._puzzle, EdgeMatchingPuzzle)
        grown = read_grown(self.part)
        assert grown is not None
        with replacing(self._target) as file:
            for board in self._solutions(grown):
                file.write(format_link(self._puzzle, board, str(self._path)) + "\n")
        self.part.unlink()
        return None

    def leave(self) -> None:
        """Leave the part for a later search, unless there is nothing in it."""
        self._file.close()
        if not self.number and self._place is None:
            self.part.unlink(missing_ok=True)

    def _lines(self) -> Iterator[Any]:
        self._file.flush()
        grown = read_grown(self.part)
        assert grown is not None
        return grown.lines()

    def _why_kept(self) -> str | None:
        """Why an earlier answer in the file is better than this one; None if it is not."""
        if not self._exists:
            return None
        number, score = self._measured()
        here = min(self.number, 1) if self._best else self.number
        what = "board" if self._best else "solution"
        if here < number:
            found = f"{several(here, what, str)}, in {self.part}" if here else f"no {what}"
            return f"has {several(number, 'solution', str)}, and this search found {found}"
        if number == 1 == here and score is not None:
            *_, last = self._lines()
            board = solution_reader(self._puzzle, str(self.part))(last, self.number, False)
            mine = self._puzzle.score(board) if isinstance(self._puzzle, EdgeMatchingPuzzle) else score
            if mine < score:
                return f"has a board with a score of {score}, and this search found one of {mine}, in {self.part}"
        return None

    def _measured(self) -> tuple[int, int | None]:
        """The number of solutions in the file, and the score if it is one board.

        Raises
        ------
        InstanceError
            If the file is not one of solutions of this puzzle.
        """
        puzzle, grown = self._puzzle, read_grown(self._target) if self._is_json else None
        if grown is not None and (grown.entries != 1 or isinstance(puzzle, DissectionPuzzle)):
            if grown.head.get("sha256") != fingerprint(puzzle):
                self._refuse_other(grown)
            return grown.entries, None
        with _overwrite_named():
            if isinstance(puzzle, DissectionPuzzle):
                return len(load_tilings(self._target, puzzle)), None
            boards = load_solutions(self._target, puzzle)
        return len(boards), puzzle.score(boards[0]) if len(boards) == 1 else None


def _told(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return f"{name} {'on' if value else 'off'}"
    return f"no {name}" if value is None else f"{name} {value}"


@contextmanager
def _overwrite_named() -> Iterator[None]:
    """A context that adds to an error about the file which option replaces the file."""
    try:
        yield
    except InstanceError as error:
        raise InstanceError(f"{error}; --overwrite replaces the file") from error
