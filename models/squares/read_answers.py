"""Reads the answers of other programs to an exported file.

These are s, v and o lines, or SAT and a list of literals, or the options that a program of exact cover has chosen, or
the values that a solver of XCSP3 has found.

The comments of the exported file describe its variables; the model is not built again.
"""

import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ...csp.base.errors import InstanceError, PuzzleError, SlipError, shortened, told_of
from ...csp.base.safe_files import UNREADABLE, label_of, open_unpacked, text_parts, unreadable
from ...csp.files.instances import fingerprint
from ...csp.files.solutions import MAX_SOLUTION_BYTES
from ...csp.files.streams import lines_of
from ...csp.puzzles.board import SIDE_NAMES, Arrangement, Placement, opposite
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.slips import Slips, checked_frame_slips, checked_slips

_MOST_LINE = 2**16
# Of CNF and WCNF, OPB, DLX and XCSP3.
_LEADS = ("c ", "* ", "| ", "<!--", "   ")
# The largest number of characters of a literal in an assignment, with blanks; of the values of a square, in XCSP3; and
# of everything else that a solver prints.
_MOST_OF_VARIABLE, _MOST_OF_SQUARE, _MOST_PRINTED = 32, 512, 2**23
# Of an exported file: comments beside those for each placement and colour.
_MOST_COMMENTS = 10_000
_ONCE = {"sha256", "variables", "symmetry", "slips", "frame_slips"}
_COLOR_OF_TERMINAL = re.compile("\x1b\\[[0-9;]*m")
_STATUS = re.compile(r"s (SATISFIABLE|OPTIMUM FOUND|UNSATISFIABLE|UNKNOWN|UNSUPPORTED)\s*$")
# ACE and others write a value that is repeated as 0x9.
_VALUE = re.compile(r"(-?[0-9]{1,9})(?:x([0-9]{1,9}))?")


@dataclass(frozen=True)
class Answer:
    """A solver's answer to an exported file."""

    #: ``SATISFIABLE``, ``OPTIMUM FOUND``, ``UNSATISFIABLE`` or ``UNKNOWN``, as the solver has it.
    status: str
    #: The board of its assignment, unchecked; None without an assignment.
    board: Arrangement | None
    #: The slip array, the search order and the frame slip array that the exported file was made with.
    slips: Slips
    order: tuple[int, ...]
    frame_slips: Slips = ()


@dataclass
class _Meaning:
    """The contents of the comments of an exported file.

    `placed` has for each variable, option or placement the piece, the square and the rotations; `colors` square, side
    and colour; `form` says what has numbers: ``var``, ``option`` or ``placement``.
    """

    label: str
    form: str = "var"
    sha256: str = ""
    variables: int = 0
    broken: bool = False
    known: set[str] = field(default_factory=set)
    slips: str = "none"
    frame_slips: str | None = None
    order: list[int] = field(default_factory=list)
    fixed: set[int] = field(default_factory=set)
    placed: dict[int, tuple[int, int, tuple[int, ...]]] = field(default_factory=dict)
    colors: dict[int, tuple[int, int, int]] = field(default_factory=dict)


# How solvers without s lines call these, and what else they print.
_WORDS = {
    "SAT": "SATISFIABLE", "SATISFIABLE": "SATISFIABLE", "UNSAT": "UNSATISFIABLE", "UNSATISFIABLE": "UNSATISFIABLE",
    "INDET": "UNKNOWN", "INDETERMINATE": "UNKNOWN", "UNKNOWN": "UNKNOWN",
}  # fmt: skip
_LITERALS = re.compile(r"[\[(]?\s*(?:-?x?[0-9]{1,9}[\s,]+)*-?x?[0-9]{1,9}\s*,?\s*[\])]?")
# Comments, values of the objective, and the statistics of MiniSat.
_IGNORED = re.compile(r"c|o\s+-?[0-9]+\s*$|[|=]|WARNING|[A-Za-z][\w /()-]{0,60}:\s")
_STATUSES = ("SATISFIABLE", "OPTIMUM FOUND", "UNSATISFIABLE", "UNKNOWN")
_NUMBER = "([1-9][0-9]{0,8})"
_SQUARE = "([A-Z]{1,3}[0-9]{1,6})"
_FIXED = re.compile(rf"{_SQUARE} piece {_NUMBER} turned [0-7]")
_PLACED = re.compile(rf"{_NUMBER} piece {_NUMBER} on {_SQUARE} turned ([0-7](?:/[0-7])*)")
# A colour may be any number of 64 bits.
_COLORED = re.compile(rf"{_NUMBER} square {_SQUARE} ({'|'.join(SIDE_NAMES)}) side has colour (-?[1-9][0-9]{{0,17}})")
_OTHER = re.compile(
    rf"{_NUMBER} (?:piece {_NUMBER} on {_SQUARE}|join {_SQUARE} (?:{'|'.join(SIDE_NAMES)}) is invalid)|NUMBER MEANING.*"
)
_LITERAL = re.compile(r"(-?)x?([1-9][0-9]{0,8})")


def is_answer(source: str | Path) -> bool:
    """Whether a file looks like what a solver prints: its first line but for comments is an s, v or o line, or SAT."""
    try:
        if not Path(source).is_file():
            return False
        with open_unpacked(source) as held, io.TextIOWrapper(held, encoding="utf-8", errors="replace") as file:
            line, left = "", 16 * _MOST_LINE
            while left > 0 and (line := file.readline(_MOST_LINE)) and (line.isspace() or re.match(r"c(\s|$)", line)):
                left -= len(line)
            return re.match(r"[svo][ \t]|(?:UN)?SAT(?:ISFIABLE)?\s*$|INDET", line, re.IGNORECASE) is not None
    except UNREADABLE:  # which is for those to say who read it
        return False


def load_answer(source: str | Path, exported: str | Path, puzzle: EdgeMatchingPuzzle) -> Answer:
    """Read what a solver printed about an exported CNF, WCNF, OPB, DLX or XCSP3 file.

    The model is not built again: what the variables mean is in the comments of the exported file.  Variables that the
    assignment does not name are taken for false.  Where the file has one number for identical pieces, they are numbered
    along the board.

    - `source`: the solver's output, ``-`` for standard input: lines c, o, s and v, or the result file of MiniSat and
      those like it, SAT and the assignment; that is a list of literals (``1`` or ``x1``) or of bits.  Of exact cover
      the numbers of the chosen options, of XCSP3 lines s and v.
    - `exported`: the file that was solved.

    Raises InstanceError if one of the files cannot be read, they are for another puzzle, or the assignment is not a
    board.
    """
    meaning = _load_meaning(exported, puzzle)
    label = label_of(source)
    most = _MOST_PRINTED + _MOST_OF_VARIABLE * meaning.variables + _MOST_OF_SQUARE * len(puzzle.board)
    lines = lines_of(text_parts(source, min(most, MAX_SOLUTION_BYTES)))
    if meaning.form == "option":
        status, true = _chosen_options(lines, label)
    elif meaning.form == "placement":
        status, true = _chosen_values(lines, label, len(puzzle.board))
    else:
        status, true = _parse_answer(lines, label, meaning)
    board = None if true is None else _board_of(true, label, meaning, puzzle)
    with told_of(exported, SlipError):
        slips = checked_slips(puzzle, None if meaning.slips == "none" else meaning.slips)
        frame_slips = checked_frame_slips(puzzle, meaning.frame_slips)
    return Answer(status, board, slips, tuple(meaning.order), frame_slips)


def _load_meaning(path: str | Path, puzzle: EdgeMatchingPuzzle) -> _Meaning:
    meaning = _Meaning(str(path))
    most = _MOST_COMMENTS + 16 * len(puzzle.pieces) * len(puzzle.board)
    for number, line in enumerate(_comments(path), start=1):
        if number > most:
            raise InstanceError(f"{path}: has more than {most} comments; a file for {puzzle.name} has fewer")
        word, _, rest = line.partition(" ")
        with told_of(f"{path}: line {number}: {shortened(line, 80)!r}", (PuzzleError, ValueError)):
            _take(meaning, word, rest, puzzle)
    if not meaning.sha256:
        raise InstanceError(f"{path}: there are no comments about the variables; give the file that was exported")
    if sorted(meaning.order) != list(range(len(puzzle.board))):
        raise InstanceError(f"{path}: order: does not name every square once")
    return meaning


def _comments(path: str | Path) -> Iterator[str]:
    """The comments before the first clause; lines for model counters come last and are skipped."""
    try:
        with open_unpacked(path) as held, io.TextIOWrapper(held, encoding="ascii", errors="replace") as file:
            while (line := file.readline(_MOST_LINE)).startswith(_LEADS) and not line.startswith("c ind "):
                yield line.strip()[2:] if line[0] != " " else line.strip()
    except UNREADABLE as error:
        raise unreadable(path, error) from error


def _take(meaning: _Meaning, word: str, rest: str, puzzle: EdgeMatchingPuzzle) -> None:
    """Take in a comment.  Raises PuzzleError or ValueError if it is not what it should be."""
    square = puzzle.board.parse
    if word in _ONCE:
        if word in meaning.known:
            raise ValueError(f"is a second line {word}")
        meaning.known.add(word)
    if word == "sha256":
        meaning.sha256 = rest
        if rest != fingerprint(puzzle):
            raise ValueError(f"the file is for another puzzle than {puzzle.name}")
    elif word == "variables":
        meaning.variables = int(rest)
    elif word == "symmetry":
        meaning.broken = rest == "broken"
    elif word == "slips":
        meaning.slips = rest
    elif word == "frame_slips":
        meaning.frame_slips = rest
    elif word == "order":
        meaning.order += map(square, rest.split())
        if len(meaning.order) > len(puzzle.board):
            raise ValueError("names more squares than the board has")
    elif word == "fixed" and (match := _FIXED.fullmatch(rest)):
        meaning.fixed.add(_piece(match[2], puzzle))
    elif word in ("var", "option", "placement") and (match := _PLACED.fullmatch(rest)):
        meaning.form = word
        rotations = tuple(map(int, match[4].split("/")))
        meaning.placed[int(match[1])] = _piece(match[2], puzzle), square(match[3]), rotations
    elif word == "var" and (match := _COLORED.fullmatch(rest)):
        meaning.colors[int(match[1])] = square(match[2]), SIDE_NAMES.index(match[3]), int(match[4])
    elif word == "fixed" or (word == "var" and not _OTHER.fullmatch(rest)):
        raise ValueError("is not a description of a variable or fixed piece as written by `jigsat export`")


def _piece(number: str, puzzle: EdgeMatchingPuzzle) -> int:
    if int(number) > len(puzzle.pieces):
        raise PuzzleError(f"there is no piece {number}; pieces are numbered 1 to {len(puzzle.pieces)}")
    return int(number) - 1


def _parse_answer(lines: Iterable[str], label: str, meaning: _Meaning) -> tuple[str, set[int] | None]:
    """The status, and the variables that are true if there is an assignment."""
    status = None
    words: list[str] = []
    assigned, left = False, _MOST_OF_VARIABLE * (meaning.variables + 100)
    for number, line in enumerate(lines, start=1):
        line = line.strip()
        if not line or _IGNORED.match(line):
            continue
        line = _marked(line)
        kind, rest = line[:1], line[1:].strip()
        if kind == "s" and line[1:2].isspace():
            if status is not None:
                raise InstanceError(f"{label}: line {number}: a second s line; give one answer of one run")
            if rest not in _STATUSES:
                raise InstanceError(
                    f"{label}: line {number}: unknown status {shortened(rest)!r}; expected {', '.join(_STATUSES)}"
                )
            status = rest
        elif kind == "v" and (not rest or line[1:2].isspace()):
            assigned, left = True, left - len(rest)
            if left < 0:
                variables = f"the {meaning.variables} variables of {meaning.label}"
                raise InstanceError(f"{label}: line {number}: the assignment is longer than one of {variables} can be")
            words += rest.split()
        else:
            raise InstanceError(
                f"{label}: line {number}: {shortened(line)!r} is not one of the lines c, o, s and v that solvers print,"
                " nor SAT, UNSAT or a list of literals"
            )
    if status is None and not assigned:
        raise InstanceError(f"{label}: contains no solver's answer, neither an s nor a v line, nor SAT or UNSAT")
    if status == "UNSATISFIABLE" or (status == "UNKNOWN" and not words):
        return status, None
    if not assigned:
        where = "give the file with the v lines, or the one that MiniSat writes its result to"
        raise InstanceError(f"{label}: has s {status}, but no v line with the assignment; {where}")
    return status or "SATISFIABLE", _true(words, label, meaning)


def _chosen_options(lines: Iterable[str], label: str) -> tuple[str, set[int] | None]:
    """The options on the first line that has nothing but numbers; without one, there is no solution.

    Raises InstanceError if lines of another form come before it.
    """
    for number, line in enumerate(lines, start=1):
        if re.fullmatch(r"[0-9 ]*[0-9][0-9 ]*", line.strip()):
            return "SATISFIABLE", set(map(int, line.split()))
        if line.strip() and not re.match(r"Found 0|[A-Za-z/].*:|UNSAT", line.strip()):
            what = f"{shortened(line.strip())!r} is not a list of the numbers of options"
            raise InstanceError(f"{label}: line {number}: {what}, as `miniexact -c FILE` prints it")
    return "UNSATISFIABLE", None


def _chosen_values(lines: Iterable[str], label: str, most: int) -> tuple[str, set[int] | None]:
    """The first `most` values of the last solution in the form of XCSP3.

    Raises InstanceError if there is neither a solution nor an s line, or something else is among the values.
    """
    status, text = None, []
    for line in lines:
        line = _COLOR_OF_TERMINAL.sub("", line).strip()
        if found := _STATUS.match(line):
            status = found[1]
        text.append(line.removeprefix("v").strip())
    solutions = re.findall(r"<values>([^<]*)</values>", " ".join(text))
    if not solutions:
        if status in ("UNSATISFIABLE", "UNKNOWN"):
            return status, None
        raise InstanceError(f"{label}: contains neither <values> nor an s line, as solvers of XCSP3 print them")
    values: list[int] = []
    for word in solutions[-1].split():
        if len(values) >= most:
            break
        value = _VALUE.fullmatch(word)
        if value is None:
            raise InstanceError(f"{label}: {shortened(word)!r} among the values is not a number")
        values += [int(value[1])] * min(int(value[2] or 1), most)
    return status or "SATISFIABLE", set(values[:most])


def _marked(line: str) -> str:
    """A line of a solver that omits the letters s and v, with them; without blanks around it."""
    if line.upper() in _WORDS:
        return f"s {_WORDS[line.upper()]}"
    return "v " + re.sub(r"[\[\](),]", " ", line) if _LITERALS.fullmatch(line) else line


def _true(words: list[str], label: str, meaning: _Meaning) -> set[int]:
    """The variables that are true in an assignment, given as literals or as one word of bits."""
    if len(words) == 1 and len(words[0]) == meaning.variables and not words[0].strip("01"):
        return {variable for variable, bit in enumerate(words[0], start=1) if bit == "1"}
    if "0" in words[:-1]:
        raise InstanceError(f"{label}: the assignment continues after its 0; give one assignment")
    true: set[int] = set()
    false: set[int] = set()
    for word in words[:-1] if words[-1:] == ["0"] else words:
        match = _LITERAL.fullmatch(word)
        variable = int(match[2]) if match else 0
        if match is None or variable > meaning.variables:
            variables = f"{meaning.label} has the variables 1 to {meaning.variables}"
            raise InstanceError(f"{label}: {shortened(word)!r} in a v line is not a literal: {variables}")
        (false if match[1] else true).add(variable)
    if both := true & false:
        raise InstanceError(f"{label}: contradicts itself: variable {min(both)} is both true and false")
    return true


def _board_of(true: set[int], label: str, meaning: _Meaning, puzzle: EdgeMatchingPuzzle) -> Arrangement:
    """The placement on each square."""
    name = puzzle.board.name
    lying: dict[int, tuple[int, tuple[int, ...]]] = {}
    for variable in sorted(true & meaning.placed.keys()):
        piece, square, rotations = meaning.placed[variable]
        if square in lying:
            other = lying[square][0] + 1
            what = f"piece {other} in two rotations" if piece + 1 == other else f"pieces {other} and {piece + 1}"
            raise InstanceError(f"{label}: the assignment puts {what} on {name(square)}")
        lying[square] = piece, rotations
    shown: dict[tuple[int, int], set[int]] = {}
    for variable in true & meaning.colors.keys():
        square, side, color = meaning.colors[variable]
        shown.setdefault((square, side), set()).add(color)
    board: list[Placement] = []
    for square in range(len(puzzle.board)):
        if square not in lying:
            raise InstanceError(f"{label}: the assignment puts no piece on {name(square)}; it must be a full one")
        piece, rotations = lying[square]
        placed = [Placement(piece, rotation) for rotation in rotations]
        if len(placed) > 1:
            placed = [one for one in placed if _shows(puzzle, one, square, shown)]
        if len(placed) != 1:
            what = "do not determine the rotation" if placed else "belong to no rotation"
            raise InstanceError(f"{label}: the colours around {name(square)} {what} of piece {piece + 1}")
        board += placed
    return _numbered(board, meaning, puzzle) if meaning.broken else tuple(board)


def _shows(puzzle: EdgeMatchingPuzzle, placed: Placement, square: int, shown: dict[tuple[int, int], set[int]]) -> bool:
    """Whether the colours of a placed piece are those that the assignment has around the square."""
    for side, color in enumerate(puzzle.shown(placed)):
        neighbour = puzzle.board.neighbour(square, side)
        if neighbour is None:
            continue
        around = shown.get((square, side))
        if around is None:  # the colour between two squares is given for one of them
            around = {puzzle.mate(facing) for facing in shown.get((neighbour, opposite(side)), ())}
        if around != {color}:
            return False
    return True


def _numbered(board: list[Placement], meaning: _Meaning, puzzle: EdgeMatchingPuzzle) -> Arrangement:
    """The board with other pieces in place of those that lie there twice, as far as some look the same."""
    # The pieces of the start lie where they are said to lie, whatever looks the same.
    seen: set[int] = set()
    used = {placed.piece for placed in board} | meaning.fixed
    alike: dict[tuple[tuple[int, ...], ...], list[int]] = {}
    for piece in range(len(puzzle.pieces)):
        if piece not in used:
            alike.setdefault(_alike(puzzle, piece), []).append(piece)
    numbered = []
    for piece, rotation in board:
        others = alike.get(_alike(puzzle, piece), []) if piece in seen else []
        seen.add(piece)
        if others:
            look = puzzle.shown(Placement(piece, rotation))
            piece = others.pop(0)
            rotation = puzzle.looks(piece)[look]
        numbered.append(Placement(piece, rotation))
    return tuple(numbered)


def _alike(puzzle: EdgeMatchingPuzzle, piece: int) -> tuple[tuple[int, ...], ...]:
    """What identical pieces have in common: how they may be turned, and what they look like."""
    return puzzle.rotations(piece), min(puzzle.looks(piece))
