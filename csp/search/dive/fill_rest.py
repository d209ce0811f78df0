"""Full boards from partial ones: a beam search fills the rest with as few invalid joins as it can."""

from collections.abc import Callable, Sequence

from ...base.stop import never
from ...engines.tallies import Tally
from ...puzzles.board import Arrangement, Placement
from ...puzzles.edge_matching import EdgeMatchingPuzzle
from ...puzzles.orders import checked_order
from ...puzzles.slips import between_fixed
from ...puzzles.symmetry import symmetries
from ..beam.beam_search import Beam
from ..beam.orders import all_beam_orders
from ..beam.setting import Setting
from ..beam.tables import BeamTables

_WIDTH = 2000


def complete(
    puzzle: EdgeMatchingPuzzle,
    arrangement: Sequence[Placement | None],
    seed: int,
    width: int = _WIDTH,
    *,
    must_stop: Callable[[], bool] = never,
    along_frame: int = 0,
) -> Arrangement | None:
    """A full board that keeps the pieces of a partial one in place, or None if no such board was found in time.

    At most `along_frame` joins along the frame are invalid, and any others; the fixed pieces of the puzzle are on the
    board.
    """
    start = puzzle.with_fixed(arrangement)
    frame_slips = (1,) * along_frame
    _, before = between_fixed(start, frame_slips)
    found, tables = symmetries(start), BeamTables(start)
    best: Arrangement | None = None
    for order in all_beam_orders(start)[:4]:
        squares = checked_order(start, [square for square in order if arrangement[square] is None])
        setting = Setting(start, tables, squares, None, before._replace(inner=0), frame_slips)
        beam = Beam(setting, width, seed)
        while beam.number and not beam.is_full and not must_stop():
            beam.extend()
        if beam.number and beam.is_full:
            tally = Tally(start, found, tables.candidates, squares[len(start.fixed) :], None, by_type=True)
            board = next(tally.arrangements(beam.best_row()[None]))
            if best is None or start.score(board) > start.score(best):
                best = board
        if must_stop():
            break
    return best
