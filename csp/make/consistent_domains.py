"""Counting the solutions of large jigsaws by domains that are kept consistent along all joins.

Where each connector is on few joins, arc consistency (Mackworth 1977) from a corner leaves one or two placements on
each square, and few choices remain.  The search fills the square next that has led to many contradictions for the
number of its placements (Boussemart et al. 2004).
"""

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice

from ..base.stop import StoppedError
from ..puzzles.board import Arrangement, Placement, border_mask_of, opposite
from ..puzzles.check_board import check
from ..puzzles.edge_matching import EdgeMatchingPuzzle
from ..puzzles.symmetry import find_anchors, symmetries
from .jigsaw_wishes import SolutionsCounted

#: The number of choices after which the search gives up.
MOST_CHOICES = 20_000

# The squares whose changes are followed between two checks whether to stop.
SLICE = 2_000

#: The placements that remain possible on each square that has been reached.
_Domains = dict[int, frozenset[Placement]]


def count_by_domains(
    puzzle: EdgeMatchingPuzzle, most: int, must_stop: Callable[[], bool], choices: int = MOST_CHOICES
) -> SolutionsCounted | None:
    """The solutions of a jigsaw, one for each orbit of the turns of the board; `most` of them if there are more.

    The count is unknown after this number of choices.  None if symmetries need more care: the pieces must be different
    and asymmetric, as many as squares, and free.
    """
    found = symmetries(puzzle)
    plain = all(len(kind.pieces) == kind.order == 1 for kind in found.types)
    anchors = find_anchors(puzzle, found, tuple(range(len(puzzle.board))))
    if not plain or not anchors or puzzle.fixed or len(puzzle.pieces) != len(puzzle.board):
        return None
    search = _DomainSearch(puzzle, must_stop, choices)
    kind = anchors[0].piece_type
    roots = (
        (square, Placement(kind.pieces[0], kind.rotation(0, turns)))
        for square, several in anchors[0].squares
        for turns in several
    )
    boards = chain.from_iterable(search.boards(*root) for root in roots)
    solutions = tuple(islice(boards, most))
    assert all(check(puzzle, board).is_solution for board in solutions)
    ended_by = "solutions" if len(solutions) == most else "nodes" if search.choices_left < 0 else None
    return SolutionsCounted(solutions, len(solutions) * found.board if ended_by is None else None, ended_by)


class _DomainSearch:
    """The search; `_seen_on` has, for each piece, at least the squares on which it is possible."""

    # Invariant: `domains` has all squares after the first conclusion; a domain has every placement of a solution.

    def __init__(self, puzzle: EdgeMatchingPuzzle, must_stop: Callable[[], bool], choices: int) -> None:
        self._must_stop, self.choices_left, board = must_stop, choices, puzzle.board
        self._steps = 0
        self._beside = [
            [(side, beside) for side in range(4) if (beside := board.neighbour(square, side)) is not None]
            for square in range(len(board))
        ]
        self._mask = [board.border_mask(square) for square in range(len(board))]
        self._shown: dict[Placement, tuple[int, ...]] = {}
        fitting: dict[tuple[int, int, int], list[Placement]] = defaultdict(list)
        for piece in range(len(puzzle.pieces)):
            for rotation in range(4):
                placed = Placement(piece, rotation)
                shown = self._shown[placed] = tuple(puzzle.shown(placed))
                mask = border_mask_of(shown)
                for side, color in enumerate(shown):
                    fitting[mask, side, color].append(placed)
        self._fitting = dict(fitting)
        self._seen_on: dict[int, set[int]] = defaultdict(set)
        self._weight = [1] * len(board)

    def boards(self, square: int, placed: Placement) -> Iterator[Arrangement]:
        """All solutions with this placement; not all if no choices are left."""
        domains: _Domains = {square: frozenset([placed])}
        # Pieces that were placed before others were reached are taken from these, too.
        if not (self._conclude(domains, [square]) and self._conclude(domains, domains)):
            return
        waiting = [domains]
        while waiting and self.choices_left >= 0:
            self.choices_left -= 1
            domains = waiting.pop()
            open_squares = [at for at, domain in domains.items() if len(domain) > 1]
            if not open_squares:
                yield tuple(next(iter(domains[at])) for at in range(len(self._mask)))
                continue
            square = min(open_squares, key=lambda at: (len(domains[at]) / self._weight[at], at))
            for placed in sorted(domains[square]):
                chosen = domains | {square: frozenset([placed])}
                if self._conclude(chosen, [square]):
                    waiting.append(chosen)

    def _conclude(self, domains: _Domains, squares: Iterable[int]) -> bool:
        """Draw all consequences of changes on some squares; whether none is a contradiction."""
        changed = deque(squares)
        while changed:
            square = changed.popleft()
            self._steps += 1
            if self._steps % SLICE == 0 and self._must_stop():
                raise StoppedError
            if len(domains[square]) == 1:
                ((piece, _),) = domains[square]
                for other in self._seen_on[piece] - {square}:
                    if other in domains and not self._restrict(
                        domains, other, (one for one in domains[other] if one.piece != piece), changed
                    ):
                        return False
            for side, beside in self._beside[square]:
                wanted, facing = {-self._shown[one][side] for one in domains[square]}, opposite(side)
                left: Iterable[Placement] = (
                    one for one in domains.get(beside, ()) if self._shown[one][facing] in wanted
                )
                if beside not in domains:
                    fitting = (self._fitting.get((self._mask[beside], facing, color), ()) for color in wanted)
                    left = chain.from_iterable(fitting)
                if not self._restrict(domains, beside, left, changed):
                    return False
        return True

    def _restrict(self, domains: _Domains, square: int, left: Iterable[Placement], changed: deque[int]) -> bool:
        """Replace the domain of a square by what is left of it; whether that is anything."""
        before, after = domains.get(square), frozenset(left)
        if before is not None and len(before) == len(after):
            return True
        domains[square] = after
        if not after:
            self._weight[square] += 1
            return False
        if before is None:
            for one in after:
                self._seen_on[one.piece].add(square)
        changed.append(square)
        return True
