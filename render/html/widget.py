"""A page to play as a widget of a notebook, whose board or tiling Python reads and sets."""

from __future__ import annotations

from typing import Any

import anywidget
import traitlets

from ...csp.base.notebook import short
from ...csp.puzzles.dissection import DissectionPuzzle, PuzzleTiling, exact_tiling, tiling_of
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle, PuzzleBoard, board_of
from .laid import PlacesOnPage, board_on_page, sound_board
from .page import WebPage, resource
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
        return sound_board(self.puzzle, proposal["value"])

    def _codes(self) -> list[int | None]:
        board: Any = self.board
        return codes_of(self.puzzle, board)

    @traitlets.observe("board")
    def _lay(self, _: object) -> None:
        self.laid = self._codes()

    @traitlets.observe("laid")
    def _read(self, _: object) -> None:
        if self.laid is not None and self.laid != self._codes():
            self.board = board_on_page(self.puzzle, self.laid)


class TilingWidget(PlayWidget):
    """The page of a dissection; `tiling` is what lies on its target."""

    #: The polygon of each piece on the target, None for the others; set it to lay other pieces.
    tiling = traitlets.Any()

    def __init__(self, puzzle: DissectionPuzzle, page: WebPage, height: int) -> None:
        super().__init__(page, height)
        self.puzzle, self._on_page = puzzle, PlacesOnPage(puzzle)
        self.tiling = (None,) * len(puzzle.pieces)
        self.laid = None

    @traitlets.validate("tiling")
    def _refuse_impossible(self, proposal: dict[str, Any]) -> PuzzleTiling:
        return tiling_of(self.puzzle, exact_tiling(self.puzzle, proposal["value"]))

    @traitlets.observe("tiling")
    def _lay(self, _: object) -> None:
        if self.laid is None or self._on_page.tiling(self.laid) != tuple(self.tiling):
            self.laid = self._on_page.of(self.tiling)

    @traitlets.observe("laid")
    def _read(self, _: object) -> None:
        if self.laid is not None:
            self.tiling = self._on_page.tiling(self.laid)
