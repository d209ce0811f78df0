"""A page to play as a widget of a notebook, whose board or tiling Python reads and sets."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import anywidget
import traitlets

from ...csp.base.errors import PuzzleError
from ...csp.base.notebook import short
from ...csp.geometry.exact_numbers import Number
from ...csp.puzzles.board import Arrangement, Placement
from ...csp.puzzles.dissection import DissectionPuzzle, Motions, PuzzleTiling, Tiling, exact_tiling, tiling_of
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle, PuzzleBoard, board_of, exact_board
from .page import WebPage, resource
from .play_dissection import Plane, corners_at, place_of
from .viewer import codes_of


class PlayWidget(anywidget.AnyWidget):
    """A page to play in a notebook; `js.play` makes it.

    Parameters
    ----------
    page
        The page.
    height
        The height of its frame in pixels.
    """

    _esm = resource("widget.js")
    page = traitlets.Unicode().tag(sync=True)
    title = traitlets.Unicode().tag(sync=True)
    height = traitlets.Int(720).tag(sync=True)
    #: What lies on the table, as the page says it; None before the first move.
    laid = traitlets.Any(None).tag(sync=True)

    puzzle: Any

    def __init__(self, page: WebPage, height: int) -> None:
        super().__init__(page=page.html, title=page.title, height=height)

    def __repr__(self) -> str:
        return short(f"{type(self).__name__} {self.puzzle.in_words()}")


class BoardWidget(PlayWidget):
    """The page of a puzzle with square pieces; `board` is the board on it."""

    #: The board, full or partial; set it to lay other pieces.
    board = traitlets.Any()

    def __init__(self, puzzle: EdgeMatchingPuzzle, page: WebPage, height: int) -> None:
        super().__init__(page, height)
        self.puzzle = puzzle
        self.board = board_of(puzzle, puzzle.fixed_board)
        self.laid = None

    @traitlets.validate("board")
    def _refuse_impossible(self, proposal: dict[str, Any]) -> PuzzleBoard:
        puzzle = self.puzzle
        board: Arrangement = exact_board(puzzle, proposal["value"])
        pieces = [placed.piece for placed in board if placed is not None]
        for placed in filter(None, board):
            if not 0 <= placed.piece < len(puzzle.pieces) or placed.rotation not in puzzle.rotations(placed.piece):
                raise PuzzleError(f"{tuple(placed)} is not a piece (from 0 on) and a rotation that it may have")
        if len(set(pieces)) < len(pieces):
            raise PuzzleError("the board has a piece twice")
        # The fixed pieces are laid, too; a board that contradicts them is refused.
        return board_of(puzzle, puzzle.with_fixed(board).fixed_board)

    def _codes(self) -> list[int | None]:
        board: Any = self.board
        return codes_of(self.puzzle, board)

    @traitlets.observe("board")
    def _lay(self, _: object) -> None:
        self.laid = self._codes()

    @traitlets.observe("laid")
    def _read(self, _: object) -> None:
        if self.laid is not None and self.laid != self._codes():
            base = 8 if self.puzzle.flip else 4
            self.board = [None if code is None else Placement(*divmod(code, base)) for code in self.laid]


class TilingWidget(PlayWidget):
    """The page of a dissection; `tiling` is what lies on its target."""

    #: The polygon of each piece on the target, None for the others; set it to lay other pieces.
    tiling = traitlets.Any()

    def __init__(self, puzzle: DissectionPuzzle, page: WebPage, height: int) -> None:
        super().__init__(page, height)
        self.puzzle, self._plane = puzzle, Plane(puzzle)
        (data,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page.html, re.DOTALL)
        self._pieces: list[Any] = [tuple(map(tuple, piece)) for piece in json.loads(data)["pieces"]]
        self.tiling = (None,) * len(puzzle.pieces)
        self.laid = None

    @traitlets.validate("tiling")
    def _refuse_impossible(self, proposal: dict[str, Any]) -> PuzzleTiling:
        return tiling_of(self.puzzle, exact_tiling(self.puzzle, proposal["value"]))

    @traitlets.observe("tiling")
    def _lay(self, _: object) -> None:
        if self.laid is None or self._read_tiling(self.laid) != tuple(self.tiling):
            self.laid = self._places(self.tiling)

    @traitlets.observe("laid")
    def _read(self, _: object) -> None:
        if self.laid is not None:
            self.tiling = self._read_tiling(self.laid)

    def _places(self, tiling: Tiling) -> list[list[float] | None]:
        flips = [number not in self.puzzle.no_flip for number in range(len(tiling))]
        return [
            None if polygon is None else place_of(piece, may, self._plane.flat(polygon))
            for piece, may, polygon in zip(self._pieces, flips, tiling, strict=True)
        ]

    def _read_tiling(self, places: Sequence[Any]) -> Tiling:
        found = []
        for piece, place in zip(self._pieces, places, strict=True):
            corners = None if place is None else corners_at(piece, *place)
            found.append(None if corners is None else tuple(map(self._exact, corners)))
        return tuple(found)

    def _exact(self, corner: tuple[float, float]) -> tuple[Number, Number]:
        """The point of the puzzle's plane, on the lattice the nearest one, elsewhere that with simple fractions."""
        x, y = self._plane.back(*corner)
        if self.puzzle.motions is Motions.LATTICE:
            return self._plane.lattice_point(self.puzzle.lattice, x, y)
        # Corners snap onto corners within much less than the distance of two such fractions.
        return Fraction(x).limit_denominator(_SIMPLE), Fraction(y).limit_denominator(_SIMPLE)


# The largest denominator of a coordinate that is read from a page.
_SIMPLE = 120
