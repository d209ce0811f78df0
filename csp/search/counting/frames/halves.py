"""The cut of a board into two halves for the method `frames`."""

from dataclasses import dataclass
from itertools import accumulate
from math import prod

from ....engines.request import FramesCut
from ....puzzles.board import BORDER
from ....puzzles.candidates import color_indices
from ....puzzles.edge_matching import EdgeMatchingPuzzle
from ....puzzles.symmetry import PieceType, Symmetries

# Keys and words are numbers of 64 bits, and one number marks an empty entry.
_MOST_KEYS = 2**63
#: The memory limit.
MOST_BYTES = 2**30
# The largest number of rows of pieces that are listed for the last squares of a half, and of their lists.
_MOST_ROWS = 1 << 18


@dataclass(frozen=True)
class Half:
    """The first squares of the inside, row by row from its top left, and the stretch of the frame around them.

    The lower half has the same form after a turn of the board by 180 degrees.
    """

    #: The number of inner squares, and of columns.
    squares: int
    columns: int
    #: The number of edge pieces of the stretch on the left, below the corner, and on the right.
    left: int
    right: int

    @property
    def edges(self) -> int:
        return self.left + self.columns + self.right

    @property
    def pieces_of_frame(self) -> int:
        return self.edges + 2

    @property
    def stepped(self) -> bool:
        """Whether the last row is not full, so that the cut has a step."""
        return self.squares % self.columns != 0

    @property
    def cut(self) -> int:
        """The number of colours along the cut."""
        return self.columns + self.stepped

    def joins(self) -> list[int]:
        """The number of joins of the first 0, 1, ... squares with each other and the frame above them."""
        return [*accumulate((2 + (square % self.columns == 0) for square in range(1, self.squares + 1)), initial=0)]

    def rim_joins(self) -> list[int]:
        """The number of those joins that are joins with the frame."""
        rim = (
            (square < self.columns) + (square % self.columns == 0) + (square % self.columns == self.columns - 1)
            for square in range(self.squares)
        )
        return [*accumulate(rim, initial=0)]


def filled_together(half: Half, candidates: int, colors: int) -> int:
    """How many of the last squares of a half are filled together, from lists of rows: 3 or 2, or 0 without such lists.

    These squares are in one row.  `candidates` is the number of inner pieces in all orientations, `colors` that of the
    inner colours.
    """
    column = (half.squares - 1) % half.columns
    for squares in (3, 2):
        rows, lists = candidates**squares // colors ** (squares - 1), colors ** (squares + 2)
        if column >= squares - 1 and half.squares > squares and max(rows, lists) <= _MOST_ROWS:
            return squares
    return 0


def inside_of(puzzle: EdgeMatchingPuzzle) -> tuple[int, int]:
    """The rows and columns of the inside."""
    return puzzle.rows - 2, puzzle.columns - 2


def halves_of(puzzle: EdgeMatchingPuzzle, columns: int, squares: int) -> tuple[Half, Half]:
    """The upper half, with the given number of squares, of an inside with the given columns, and the lower half."""

    def half(number: int) -> Half:
        return Half(number, columns, -(-number // columns), number // columns)

    return half(squares), half(prod(inside_of(puzzle)) - squares)


def middle(puzzle: EdgeMatchingPuzzle) -> FramesCut:
    """The cut through the middle of the inside, across its longer side, without predictions."""
    return FramesCut(min(inside_of(puzzle)), -(-prod(inside_of(puzzle)) // 2))


def why_too_big(puzzle: EdgeMatchingPuzzle, found: Symmetries, halves: tuple[Half, Half]) -> str | None:
    """Why the keys and words of halves do not fit into 64 bits, or None if they do."""
    colors, frame_colors = (len(color_indices(puzzle, of)) for of in (puzzle.inner_sides(), puzzle.frame_sides()))
    inner = prod(len(kind.pieces) + 1 for kind in found.types if kind.piece_class == "inner")
    frame = prod(len(kind.pieces) + 1 for kind in found.types if kind.piece_class in ("corner", "edge"))
    words = colors ** max(half.edges for half in halves)
    if max(words, inner * colors ** halves[0].cut, frame * frame_colors**2 << 24) < _MOST_KEYS:
        return None
    return f"{len(found.types)} different pieces and {colors} colours inside are too many for numbers of 64 bits"


def anchor_of(found: Symmetries) -> PieceType | None:
    """The corner piece that always lies in the upper half, if there is one; on a square board it comes first."""
    return next((kind for kind in found.types if kind.piece_class == "corner" and len(kind.pieces) == 1), None)


def facing(kind: PieceType) -> int:
    """The colour that an edge piece shows to the inside."""
    return kind.sides[(kind.sides.index(BORDER) + 2) % 4]


def ends_of(kind: PieceType) -> tuple[int, int]:
    """The colours with which an edge or corner piece begins and ends, clockwise along the frame."""
    # The last of the border sides, clockwise: what follows it is the end.
    last = next(side for side in range(4) if kind.sides[side] == BORDER != kind.sides[(side + 1) % 4])
    borders = kind.sides.count(BORDER)
    return kind.sides[last - borders], kind.sides[(last + 1) % 4]
