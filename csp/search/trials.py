"""Trials: the numbered parts of a race for the best score, and the full boards that they find."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ..puzzles.board import Arrangement
from ..puzzles.edge_matching import EdgeMatchingPuzzle
from ..puzzles.symmetry import symmetries

# How far below the best score boards are kept, and how many, unless the user says from which score on.
_SPREAD, _MOST = 2, 10_000


class FoundBoard(NamedTuple):
    """A full board with the number of its valid joins."""

    board: Arrangement
    score: int


@dataclass(frozen=True)
class Wanted:
    """Which boards of a race are kept: those of at least a score."""

    #: The score.
    least: int = 0
    #: Whether it rises: to the best score minus 2, and further if there are more than 10 000 boards of at least that
    #: score, at most to the best score.
    adapted: bool = True

    def raised(self, numbers: Mapping[int, int], alike: int = 1) -> "Wanted":
        """What is wanted if there are boards with these scores, whose numbers are given.

        Up to `alike` of them look the same.
        """
        if not self.adapted or not numbers:
            return self
        best = max(numbers)
        least = max(self.least, best - _SPREAD)
        while least < best and sum(number for score, number in numbers.items() if score >= least) > _MOST * alike:
            least += 1
        return replace(self, least=least)


@dataclass(frozen=True)
class Trial:
    """A trial: one beam or one dive, a function of the puzzle, the options of the race, its number and its way."""

    #: Its number, from 0.
    number: int
    #: The order of squares that it followed, in words.
    way: str
    #: The best score of its boards; None without a full board.
    score: int | None
    #: The number of placed pieces.
    nodes: int
    #: Whether no board was dropped for lack of room, so that another trial of this way would find the same.
    exhaustive: bool = False
    #: Its full boards of at least the wanted score.
    boards: tuple[FoundBoard, ...] = ()
    #: The processor time that it took, if it was measured.
    cpu_seconds: float = 0.0


#: A trial to make: its number, which boards are wanted, and the number of its way.
TrialPart = tuple[int, Wanted, int]


def picture_keys(puzzle: EdgeMatchingPuzzle) -> Callable[[Arrangement], bytes]:
    """A function that gives the same key to full boards that look the same, perhaps after turning the whole board.

    Boards look the same if each square shows the same sides.
    """
    turned = [[sides[-rotation:] + sides[:-rotation] for rotation in range(4)] for sides in puzzle.pieces]
    shown, board = np.array(turned, dtype=np.int32), puzzle.board
    turns = range(0, 4, 4 // symmetries(puzzle).board)
    targets = [np.array([board.turned_square(square, turn) for square in range(len(board))]) for turn in turns]

    def key(arrangement: Arrangement) -> bytes:
        placed = np.array([(one.piece, one.rotation) for one in arrangement if one is not None])
        picture = shown[placed[:, 0], placed[:, 1]]
        found = []
        for turn, target in zip(turns, targets, strict=True):
            of_turn = np.empty_like(picture)
            of_turn[target] = np.roll(picture, turn, axis=1)
            found.append(of_turn.tobytes())
        return min(found)

    return key
