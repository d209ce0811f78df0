"""The brute force in C for puzzles of every form: what ``forms_of_squares.c`` and ``forms_of_cells.c`` say of a file.

A puzzle is what stands in its file, read as JSON: nothing here knows the package.  The programs are compiled at the
first use, by the compiler in the environment variable ``CC`` or else ``cc``, and answer one puzzle after the other.
"""

import atexit
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import NamedTuple

from in_c import NoCompilerError, TooMuch, compiler

#: How many pictures and arrangements there may be, and how many placements may be tried, by default.
MOST, STEPS, SCORE_STEPS = 200, 100_000, 100_000
_GRIDS = {"squares": 4, "triangles": 3, "hexagons": 6}
_WRAPS = {"none": 0, "columns": 1, "both": 2}


class Answer(NamedTuple):
    """What the brute force says of a puzzle.

    - `count`, `picture_count`, `canonical_count`: the numbers of arrangements, pictures and orbits.
    - `joins`, `best`: the number of joins, and the most valid ones of a full board; None without a full board, -1 if
      that takes too long, and for tilings.
    - `orbit_of`: all arrangements, each with the number of its orbit; None if there are too many of them.  A board is
      ``(piece, rotation)`` by square, a tiling a set of cells (row, column) by piece, None for a piece left over.
    """

    count: int
    picture_count: int
    canonical_count: int
    joins: int
    best: int | None
    orbit_of: dict | None


@cache
def _program(name):
    """A process that answers."""
    if compiler() is None:
        raise NoCompilerError("there is no C compiler: install gcc or clang, or name one in CC")
    folder = tempfile.TemporaryDirectory()
    made, source = Path(folder.name) / name, Path(__file__).with_name(f"{name}.c")
    subprocess.run([compiler(), "-std=c11", "-O2", "-o", made, source], check=True)
    process = subprocess.Popen([made], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    atexit.register(folder.cleanup)
    atexit.register(process.kill)
    return process


def answer(document, *, most=MOST, steps=STEPS, score_steps=SCORE_STEPS):
    """What the brute force says of a puzzle, given as its file is read by `json`.

    Raises
    ------
    TooMuch
        If there are too many pictures, or it takes too many steps.
    """
    if document["kind"] == "dissection":
        cells = _target(document)
        lines = _asked("forms_of_cells", [*_tiling_terms(document, cells), most, steps, most])
    else:
        lines = _asked("forms_of_squares", [*_square_terms(document), most, steps, score_steps])
    if "too much" in lines:
        raise TooMuch
    wrong = [line for line in lines if line.startswith("wrong")]
    assert not wrong, (wrong, document)
    said = {name: int(number) for name, number in (line.split() for line in lines if len(line.split()) == 2)}
    listed = [list(map(int, line.split()[1:])) for line in lines if line.startswith(("board", "tiling"))]
    orbit_of = None
    if len(listed) == said["count"]:
        if document["kind"] == "dissection":
            orbit_of = {tuple(_cells_of(part, cells) for part in one[:-1]): one[-1] for one in listed}
        else:
            orbit_of = {tuple(zip(one[:-1:2], one[1:-1:2], strict=True)): one[-1] for one in listed}
    best = {-1: None, -2: -1}.get(said.get("best", -2), said.get("best"))
    counts = (said[name] for name in ("count", "picture_count", "canonical_count"))
    return Answer(*counts, said.get("joins", 0), best, orbit_of)


def _asked(name, numbers):
    process = _program(name)
    process.stdin.write(" ".join(map(str, numbers)) + "\n")
    process.stdin.flush()
    lines = []
    while (line := process.stdout.readline().strip()) != "end":
        assert line, f"{name} has ended"
        lines.append(line)
    return lines


def _square_terms(document):
    pieces = [one if isinstance(one, dict) else {"sides": one} for one in document["pieces"]]
    turn, flip = document.get("turn", True), document.get("flip", False)
    shape = board_shape(document)
    rim = document.get("rim", 0 if any(0 in one["sides"] for one in pieces) else "any")
    words = {str(side) for one in pieces for side in one["sides"]} | {str(rim)} - {"any"}
    fitting = {word: _mate(document, word) for word in words}
    # Only a border side, or a straight side of a jigsaw, fits nothing.
    nothing = "" if rim != 0 and document["kind"] == "edge-matching" else "0"
    numbers = {nothing: 0}
    for word in sorted({*fitting, *fitting.values()} - {nothing}):
        numbers[word] = len(numbers)
    mates = [numbers[_mate(document, word)] for word in numbers if word != nothing]
    yield from (len(shape), len(shape[0]), _WRAPS[document.get("wrap", "none")])
    yield from (int(place == "#") for row in shape for place in row)
    yield -1 if rim == "any" else numbers[str(rim)]
    yield from (len(mates), *mates, len(pieces))
    for one in pieces:
        yield from (numbers[str(side)] for side in one["sides"])
        yield from (int(one.get("turn", turn)), int(one.get("flip", flip)))
    yield len(document.get("fixed", ()))
    for one in document.get("fixed", ()):
        yield from (*_place(one["square"]), one["piece"] - 1, one["rotation"])


def board_shape(document):
    """The board of a puzzle of squares, as rows of # and dots."""
    return document.get("squares") or ["#" * document["columns"]] * document["rows"]


def _mate(document, word):
    """The side that fits a side."""
    if document["kind"] == "jigsaw":
        return str(-int(word))
    mates = {}
    for one, other in document.get("mates", {}).items():
        mates[str(one)], mates[str(other)] = str(other), str(one)
    *first, last = word.split(" ")
    return mates.get(word) or " ".join([*first, mates.get(last, last)])


def _place(name):
    """The row and the column of a name such as B3."""
    return ord(name[0]) - ord("A"), int(name[1:]) - 1


def _rows_of_cells(rows):
    return [(i, j) for i, row in enumerate(rows) for j, mark in enumerate(row) if mark == "#"]


def _target(document):
    """The cells that are to be covered."""
    cells, leave = _rows_of_cells(document["target"]), document.get("leave", [])
    labels = {
        label: (i, j)
        for i, row in enumerate(document.get("labels", ()))
        for j, label in enumerate(row)
        if label is not None
    }
    free = [] if isinstance(leave, bool) else [labels[name] if name in labels else _place(name) for name in leave]
    return [cell for cell in cells if cell not in free]


def _cells_of(bits, cells):
    return frozenset(cell for i, cell in enumerate(cells) if bits >> i & 1) or None


def _tiling_terms(document, cells):
    yield from (_GRIDS[document["cells"]], len(cells), *(number for cell in cells for number in cell))
    yield int(document.get("leave", False) is True)
    entries = [one if isinstance(one, dict) else {"cells": one} for one in document["pieces"]]
    yield sum(one.get("copies", 1) for one in entries)
    defaults = {"turn": True, "flip": True, "spare": False}
    for one in entries:
        own = _rows_of_cells(one["cells"])
        flags = [int(one.get(name, document.get(name, default))) for name, default in defaults.items()]
        for _ in range(one.get("copies", 1)):
            yield from (len(own), *(number for cell in own for number in cell), *flags)
