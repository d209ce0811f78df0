"""The counting method `blocks`: the board is laid in 2x2 blocks, which are all made beforehand."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from ....base.errors import EngineError, PuzzleError, shortened
from ....base.seeded_random import shuffled
from ....engines.request import Options, given_slips
from ....puzzles.edge_matching import EdgeMatchingPuzzle
from ....puzzles.symmetry import single_pieces, symmetries
from ..parts import Pause, Share
from .kernel import DEPTH, PART, count_children, count_parts, probe, write_children
from .tables import anchored_sites, block_sites, build_block_tables, sites_of, squares_of_block
from .two_by_two import compound_board, single_candidates

_MAX_PIECES = 256
# A slice of the kernel: the number of blocks examined, a tenth of a second or less.
_SLICE = 1 << 26
_ENOUGH_PARTS, _MOST_PARTS = 10_000, 1 << 21
_PROBES = 10_000
_SEED = 1


class Blocks:
    """Counting with 2x2 blocks, row by row of blocks from the bottom left.

    Rows run along the shorter side of the board.  A part is a way to lay the first few blocks.

    - `puzzle`: a puzzle whose board has even sides and whose orbits are all alike.
    - `options`: only `symmetry` is used.

    Attributes
    ----------
    method, options, found, work
        As for `Piecework`.
    predicted
        The predicted number of blocks placed at each depth (number of blocks on the board), by random descents.

    Raises EngineError if the method does not apply to the puzzle or the options.
    """

    method = "blocks"

    def __init__(self, puzzle: EdgeMatchingPuzzle, options: Options) -> None:
        refuse(puzzle, options)
        self.options: Mapping[str, object] = {"symmetry": options.symmetry}
        self.found = symmetries(puzzle)
        puzzle = puzzle.upright()
        candidates = single_candidates(replace(puzzle, fixed=()), repeat_turns=not options.symmetry)
        walks = [sites_of(puzzle, candidates)]
        # The number of arrangements of numbered pieces that a filling with blocks represents.
        self._each = 1
        kinds = single_pieces(puzzle)
        if options.symmetry:
            kinds = self.found.types
            self._each = self.found.identical * self.found.symmetric
            anchored = anchored_sites(puzzle, self.found, candidates)
            if anchored:
                walks = anchored
                self._each *= self.found.board
        self._tables = build_block_tables(puzzle, candidates, kinds, walks)
        self._pieces = _pieces_on_board(puzzle)
        self._squares, self._fixed = len(puzzle.board), len(puzzle.fixed)
        prefixes, self._above = self._first_blocks()
        self._prefixes = prefixes[shuffled(len(prefixes))]
        self.predicted, self.work = self._predict()

    def count(self, first: int, last: int, pause: Callable[[], Pause]) -> Share:
        """Count the parts from `first` up to but not including `last`, as in `Piecework`."""
        depths = len(self._pieces)
        position, finish, nodes, part_nodes = np.zeros((4, depths), dtype=np.uint64)
        cursor = np.array([first, depths], dtype=np.uint64)
        state = *self._board(), position, finish, nodes, part_nodes, cursor
        end = last
        while not count_parts(*self._tables, self._prefixes, *state, np.uint64(end), _SLICE):
            wish = pause()
            if wish is Pause.NOW:
                break
            if wish is Pause.AFTER_PART:
                end = int(cursor[PART]) + int(cursor[DEPTH] < depths)
        done = int(cursor[PART])
        if first == 0 < done:
            nodes[: len(self._above)] += self._above
        count = int(nodes[-1]) * self._each
        return Share(first, done, self._by_pieces(nodes), count, None)

    def _by_pieces(self, nodes: NDArray[np.uint64]) -> tuple[int, ...]:
        """Blocks laid, by the number of pieces on the board; blocks of fixed pieces alone are no nodes."""
        by_pieces = [0] * self._squares
        before = self._fixed
        for pieces, number in zip(self._pieces, nodes.tolist(), strict=True):
            if pieces > before:
                by_pieces[pieces - 1] = number
            before = pieces
        return tuple(by_pieces)

    def _board(self) -> tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.uint64]]:
        """An empty board: used pieces and codes of sides, all 0."""
        depths = len(self._pieces)
        right, up = np.zeros((2, depths + 1), dtype=np.uint64)
        return np.zeros(len(self._tables.lanes) * (depths + 1), dtype=np.uint64), right, up

    def _first_blocks(self) -> tuple[NDArray[np.uint32], NDArray[np.uint64]]:
        """All ways to place the first blocks, and the numbers of ways for fewer blocks.

        The number of blocks is the least that makes enough parts, or else the one with the most parts.
        """
        prefixes = most = np.arange(len(self._tables.base), dtype=np.uint32)[:, None]
        numbers = [len(prefixes)]
        while len(prefixes) < _ENOUGH_PARTS and prefixes.shape[1] < len(self._pieces):
            number = int(self._children(prefixes).sum())
            if not 0 < number <= _MOST_PARTS:
                break
            rows = np.empty((number, prefixes.shape[1] + 1), dtype=np.uint32)
            write_children(*self._tables, prefixes, *self._board(), rows)
            prefixes = rows
            most = max(most, prefixes, key=len)
            numbers.append(number)
        return most, np.array(numbers[1 : most.shape[1] - 1], dtype=np.uint64)

    def _children(self, prefixes: NDArray[np.uint32]) -> NDArray[np.uint64]:
        """The number of blocks that can follow each prefix."""
        numbers = np.zeros(len(prefixes), dtype=np.uint64)
        count_children(*self._tables, prefixes, *self._board(), numbers)
        return numbers

    def _predict(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The predicted blocks at each depth and in each part, in proportion to the number that can follow there."""
        parts, top = len(self._prefixes), self._prefixes.shape[1] - 1
        chance = np.random.default_rng(_SEED)
        probed = self._prefixes[chance.integers(parts, size=_PROBES)]
        expected = np.zeros(len(self._pieces))
        probe(*self._tables, probed, *self._board(), chance.random((_PROBES, len(self._pieces))), expected)
        expected *= parts / _PROBES
        work = self._children(self._prefixes).astype(np.float64)
        work *= expected.sum() / max(work.sum(), 1)
        expected[:top] = [*self._above.tolist(), parts][:top]
        return expected, work + 1


def refuse(puzzle: EdgeMatchingPuzzle, options: Options) -> None:
    """Raise EngineError if the method does not apply; the size of its tables is checked later."""
    if options.order is not None:
        given = shortened(str(options.order))
        raise EngineError(
            f"method blocks: order {given!r}: blocks are placed row by row; only the method plain has orders"
        )
    slips = given_slips(options)
    if slips is not None:
        given = shortened(str(getattr(options, slips)))
        raise EngineError(f"method blocks: {slips} {given!r}: not supported; use the method plain with one thread")
    try:
        compound_board(puzzle.board)
    except PuzzleError as error:
        raise EngineError(f"method blocks: {error}") from error
    if not symmetries(puzzle).regular:
        raise EngineError(
            "method blocks: the symmetries of this puzzle make orbits of different sizes, which this method cannot "
            "count; use the method plain"
        )
    free = len(puzzle.pieces) - len(puzzle.fixed)
    if free > _MAX_PIECES:
        raise EngineError(f"method blocks: {free} free pieces; at most {_MAX_PIECES} are supported")


def _pieces_on_board(puzzle: EdgeMatchingPuzzle) -> tuple[int, ...]:
    """The number of pieces on the board after each block, including fixed ones from the beginning."""
    blocks = (squares_of_block(puzzle.board, site) for site in block_sites(puzzle))
    free = [sum(puzzle.fixed_board[square] is None for square in squares) for squares in blocks]
    return tuple(accumulate(free, initial=len(puzzle.fixed)))[1:]
