"""What lies on a page to play, as it passes between the page and a notebook or the studio."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import dist, isfinite
from typing import Any

from ...csp.base.errors import PuzzleError, shortened
from ...csp.geometry.exact_numbers import Number
from ...csp.geometry.polygons import Point, Polygon, edges, motion_onto
from ...csp.puzzles.board import Placement
from ...csp.puzzles.dissection import DissectionPuzzle, Motions, Tiling
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle, PuzzleBoard, board_of, exact_board
from .play_dissection import Plane, corners_at, neutral_pieces, place_of

# The largest denominator of a coordinate that is read from a page.
_SIMPLE = 120
# Up to this distance in units of the page, corners are the same.
_NEAR = 1.5


def board_on_page(puzzle: EdgeMatchingPuzzle, laid: Any) -> PuzzleBoard:
    """The board for what a page says: the number of the piece on each square, or None.

    Raises PuzzleError if it is something else, as `sound_board` does.
    """
    if not isinstance(laid, Sequence) or isinstance(laid, str):
        raise PuzzleError(f"{shortened(repr(laid))} is not what lies on a board")
    base = 8 if puzzle.flip else 4
    for code in laid:
        if code is not None and (isinstance(code, bool) or not isinstance(code, int)):
            raise PuzzleError(f"{shortened(repr(code))} is not the number of a piece on a square")
    return sound_board(puzzle, [None if code is None else Placement(*divmod(code, base)) for code in laid])


def sound_board(puzzle: EdgeMatchingPuzzle, squares: Any) -> PuzzleBoard:
    """The board with the fixed pieces laid, too.

    Raises PuzzleError if it has another size, another piece on a fixed square, a piece twice, or something else than a
    piece in a rotation that it may have.
    """
    board = list(exact_board(puzzle, squares))
    for placed in filter(None, board):
        if not 0 <= placed.piece < len(puzzle.pieces) or placed.rotation not in puzzle.rotations(placed.piece):
            raise PuzzleError(f"{tuple(placed)} is not a piece (from 0 on) and a rotation that it may have")
    for square, placed in enumerate(puzzle.fixed_board):
        if placed is not None and board[square] not in (None, placed):
            raise PuzzleError(f"the board and the puzzle's fixed pieces differ on {puzzle.board.name(square)}")
        board[square] = placed or board[square]
    pieces = [placed.piece for placed in board if placed is not None]
    if len({*pieces}) < len(pieces):
        raise PuzzleError("the board has a piece twice")
    return board_of(puzzle, board)


class PlacesOnPage:
    """The places of the pieces of a dissection on its page: [x, y, turn in degrees, 1 if turned over], or None.

    Parameters
    ----------
    puzzle
        The dissection.
    """

    def __init__(self, puzzle: DissectionPuzzle) -> None:
        self._puzzle, self._plane = puzzle, Plane(puzzle)
        self._pieces = neutral_pieces(puzzle, self._plane)

    def of(self, tiling: Tiling) -> list[list[float] | None]:
        """The places of the polygons of a tiling."""
        flips = [number not in self._puzzle.no_flip for number in range(len(tiling))]
        return [
            None if polygon is None else place_of(piece, may, self._plane.flat(polygon))
            for piece, may, polygon in zip(self._pieces, flips, tiling, strict=True)
        ]

    def sound(self, laid: Any) -> list[list[float] | None]:
        """The places that a page says; raises PuzzleError if they are no places for these pieces."""
        if not isinstance(laid, Sequence) or isinstance(laid, str) or len(laid) != len(self._pieces):
            raise PuzzleError(f"{shortened(repr(laid))} is not a list of {len(self._pieces)} places")
        return [None if place is None else self._sound(place, number) for number, place in enumerate(laid)]

    def _sound(self, place: Any, piece: int) -> list[float]:
        numbers = isinstance(place, Sequence) and len(place) == 4 and all(map(_is_number, place))
        if not numbers or place[3] not in ((0,) if piece in self._puzzle.no_flip else (0, 1)):
            raise PuzzleError(f"{shortened(repr(place))} is not a place of piece {piece + 1}")
        return [*place]

    def lies_as(self, piece: int, place: Sequence[Any], polygon: Polygon) -> bool:
        """Whether a piece at a place is a polygon of a tiling, as exactly as the page itself takes it."""
        ours, theirs = corners_at(self._pieces[piece], *place), self._plane.flat(polygon)
        return all(min(dist(one, other) for other in theirs) < _NEAR for one in ours)

    def tiling(self, places: Sequence[Any]) -> Tiling:
        """The exact polygons of places."""
        found = []
        for piece, place in zip(self._pieces, places, strict=True):
            corners = None if place is None else corners_at(piece, *place)
            found.append(None if corners is None else tuple(map(self._exact, corners)))
        return tuple(found)

    def anchored(self, places: Sequence[Any]) -> Tiling | None:
        """The exact polygons of places, each found from a known corner and a known edge that the piece shares.

        These are of the target and of other pieces; None if a piece has no corner there, or no edge as long.
        """
        found: list[Any] = [None] * len(places)
        known = {edge for outline in self._puzzle.outlines for edge in edges(outline)}
        left = [piece for piece, place in enumerate(places) if place is not None]
        while left:
            for piece in left:
                found[piece] = self._from_known(piece, places[piece], known)
                if found[piece] is not None:
                    left.remove(piece)
                    known |= {*edges(found[piece])}
                    break
            else:
                return None
        return tuple(found)

    def _from_known(self, piece: int, place: Sequence[Any], known: Iterable[tuple[Point, Point]]) -> Polygon | None:
        polygon, corners = self._puzzle.pieces[piece], corners_at(self._pieces[piece], *place)

        def is_corner(point: Point) -> bool:
            (flat,) = self._plane.flat((point,))
            return any(dist(flat, corner) < _NEAR for corner in corners)

        ways = {(u - x, v - y) for (x, y), (u, v) in known} | {(x - u, y - v) for (x, y), (u, v) in known}
        for x, y in filter(is_corner, {start for start, _ in known}):
            for end in filter(is_corner, ((x + across, y + up) for across, up in ways)):
                for start, other in edges(polygon):
                    for motion in (motion_onto((start, other), ((x, y), end), side) for side in (1, -1)):
                        if motion is not None and self.lies_as(piece, place, image := motion(polygon)):
                            return image
        return None

    def _exact(self, corner: tuple[float, float]) -> tuple[Number, Number]:
        """The point of the puzzle's plane, on the lattice the nearest one, elsewhere that with simple fractions."""
        x, y = self._plane.back(*corner)
        if self._puzzle.motions is Motions.LATTICE:
            return self._plane.lattice_point(self._puzzle.lattice, x, y)
        # Corners snap onto corners within much less than the distance of two such fractions.
        return Fraction(x).limit_denominator(_SIMPLE), Fraction(y).limit_denominator(_SIMPLE)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value) and abs(value) < 1e6
