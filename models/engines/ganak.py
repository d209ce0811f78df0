"""The engine `ganak`: the exact model counter Ganak on a CNF of the puzzle, for counts.

A model stands for an arrangement, or with symmetries broken for a picture, see `csp.puzzles.symmetry`.  Where turns of
the board are symmetries and no piece breaks them, the orbits of pictures are counted by Burnside's lemma: their number
is the mean, over all turns, of the number of pictures that the turn does not change.

With congruent pieces as one kind, a model stands for a tiling without piece numbers.  Where the target has symmetries,
the orbits are counted by Burnside's lemma: their number is the mean, over all symmetries, of the number of tilings that
the symmetry does not change.

Ganak branches like a SAT solver, but it counts the parts of a formula that have no variable in common each for itself,
and remembers these counts (Sharma, Roy, Soos and Meel 2019).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from math import factorial, prod
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...csp.base.errors import EngineError
from ...csp.base.stop import StoppedError, enforced
from ...csp.engines.engine import EngineRun, PuzzleT, SolutionT
from ...csp.engines.request import Goal, Limits, Options, some_options
from ...csp.puzzles.board import Arrangement, Move, after, combined
from ...csp.puzzles.dissection import DissectionPuzzle, Tiling
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ..base.encodings import Encoding, cnf_encoding, tiling_encoding
from ..base.formula import Clauses, Literals
from ..base.solver_process import SolverProcess
from ..base.solver_server import GANAK
from ..squares.cnf import EdgeMatchingCNF
from ..squares.domains import Domains, Indices
from ..tilings.cnf import DissectionCNF
from ..tilings.domains import TilingDomains
from .model_engine import BoardModelEngine, ModelEngine, ModelRun, ModelTilingRun, TilingModelEngine, Watch

_T = TypeVar("_T")


def need_ganak() -> None:
    """Raise EngineError if Ganak is not installed."""
    if find_spec("pyganak") is None:
        raise EngineError("engine ganak: needs pyganak: install it with pip install 'jigsat[ganak]'")


@dataclass(frozen=True)
class ModelCounter:
    """Builds and counts models for a run."""

    #: The run.
    run: EngineRun[Any]
    #: Is called often while models are counted; returns whether to give up.
    must_stop: Callable[[], bool]

    def build(self, make: Callable[[], _T]) -> _T:
        """What `make` returns; its time is that of preparation.  Raises StoppedError if the run must stop."""
        with self.run.building(), enforced(self.run.stop, "building the model"):
            return make()

    def count(self, clauses: Clauses, wanted: Literals) -> int:
        """How many assignments of the wanted variables are part of a model of the clauses.

        Raises EngineError if Ganak needs more memory than there is. Raises StoppedError if the run must stop.
        """
        with SolverProcess(GANAK) as counter:
            counter.add(clauses.blocks(), self.must_stop)
            counter.send("count", wanted)
            number = counter.answer(self.must_stop)
        if number is None:
            raise StoppedError
        return number


def tiling_counts(
    puzzle: DissectionPuzzle, encoding: Encoding, counter: ModelCounter, *, symmetry: bool
) -> Iterator[tuple[int, int]]:
    """Yield the number of tilings and that of orbits: lower bounds at first, at last the numbers themselves.

    - `puzzle`, `encoding`: the puzzle and the encoding.
    - `counter`: counts models.
    - `symmetry`: whether congruent pieces are of one kind; otherwise a model is counted for each tiling of numbered
      pieces.

    Raises StoppedError if the counter must stop.
    """

    def domains(*, symmetry: bool = True, anchored: bool = False) -> TilingDomains:
        prune = encoding.prune
        return counter.build(lambda: TilingDomains(puzzle, symmetry=symmetry, anchored=anchored, prune=prune))

    def models(of: TilingDomains, row: int = 0) -> int:
        model = counter.build(lambda: _tilings_unchanged_by(DissectionCNF(of, encoding), row))
        return counter.count(model.clauses, model.deciding)

    labellings = prod(factorial(len(members)) for members in puzzle.classes)
    symmetries = len(puzzle.symmetries)
    if symmetry:
        anchored = domains(anchored=True)
        # An anchor that a symmetry leaves where it is does not break that symmetry.
        if anchored.anchor is not None and not _unmoved(anchored)[1:, anchored.of_kind == anchored.anchor].any():
            number = models(anchored)
            yield number * symmetries * labellings, number
            return
    by_class = domains()
    number = models(by_class)
    count = number * labellings if symmetry else models(domains(symmetry=False))
    yield count, -(-number // symmetries)
    unchanged, single = number, [kind for kind, size in enumerate(by_class.sizes) if size == 1]
    moved = puzzle.moved_kinds(by_class.kinds)
    for row, same in enumerate(_unmoved(by_class)[1:] if number else (), start=1):
        # A tiling that a symmetry does not change has every piece without its like where it is, unless the symmetry
        # makes a piece of another kind of it.
        kept = [kind for kind in single if moved[row][kind] == kind]
        if all(same[by_class.of_kind == kind].any() for kind in kept):
            unchanged += models(by_class, row)
    orbits, left = divmod(unchanged, symmetries)
    assert left == 0
    yield count, orbits


def _unmoved(domains: TilingDomains) -> NDArray[np.bool_]:
    """Shape (symmetries, placements that are left): which symmetry leaves which placement unchanged."""
    return domains.placements.images[:, domains.left] == domains.left


def _tilings_unchanged_by(model: DissectionCNF, row: int) -> DissectionCNF:
    """The model of tilings, if a symmetry is given of those that it does not change: they have its images."""
    if row:
        domains = model.domains
        images = domains.placements.images[row, domains.left]
        kept = np.isin(images, domains.left)
        model.clauses.add(-model.deciding[~kept][:, None])
        there, moved = model.deciding[kept], model.deciding[np.searchsorted(domains.left, images[kept])]
        model.clauses.add(np.stack([-there, moved], axis=1)[there != moved])
    return model


def board_counts(domains: Domains, encoding: Encoding, counter: ModelCounter) -> Iterator[tuple[int, int, int]]:
    """Yield the numbers of arrangements, orbits and pictures: lower bounds at first, at last the numbers themselves.

    - `domains`: the domains of the models; without symmetry breaking, a model is counted for each arrangement.
    - `counter`: counts models.

    Raises StoppedError if the counter must stop.
    """
    found, one_by_one, count = domains.found, not (domains.symmetry and domains.found.even), 0

    def like(*, symmetry: bool) -> Domains:
        if symmetry == domains.symmetry:
            return domains
        d, prune = domains, encoding.prune
        return counter.build(lambda: Domains(d.puzzle, d.order, d.slips, d.frame_slips, symmetry=symmetry, prune=prune))

    def models(of: Domains, move: Move | None = None) -> int:
        model = counter.build(lambda: _unchanged_by(EdgeMatchingCNF(of, encoding), move))
        return counter.count(model.clauses, model.deciding)

    if one_by_one:
        count = models(like(symmetry=False))
        yield count, -(-count // found.product), found.pictures(count) or 0
        if found.regular or not count:
            return
    pictures = like(symmetry=True)
    number = models(pictures)
    turns = 1 if pictures.anchor is None else found.board
    different = number * turns
    if not one_by_one:
        count = different * found.identical * found.symmetric
        yield count, -(-count // found.product), different
    if turns < found.board and number:
        number, left = divmod(number + _unchanged(found.moves, lambda move: models(pictures, move)), found.board)
        assert left == 0
    yield count, number, different


def _unchanged(moves: tuple[Move, ...], pictures: Callable[[Move], int]) -> int:
    """The sum of the numbers of pictures that symmetries of the board leave unchanged, but for the identity.

    A symmetry and its inverse leave the same ones unchanged, and these are left unchanged by their powers.
    """
    powers = {move: [move] for move in moves[1:]}
    for move, found in powers.items():
        while (power := combined(move, found[-1])) != moves[0]:
            found.append(power)
    number: dict[Move, int] = {}
    for move, found in sorted(powers.items(), key=lambda item: len(item[1])):
        known = number.get(found[-1])
        none = any(number.get(power) == 0 for power in found)
        number[move] = 0 if none else pictures(move) if known is None else known
    return sum(number.values())


def _unchanged_by(model: EdgeMatchingCNF, move: Move | None) -> EdgeMatchingCNF:
    """The model of pictures, if a symmetry of the board is given of those that it does not change."""
    if move is not None:
        # Where a placement is there, its image is there.
        for there, image in zip(model.variables.witness, _moved(model.domains, move).tolist(), strict=True):
            conditions = dict.fromkeys(there.tolist())
            needed = [[]] if image < 0 else [[one] for one in model.variables.witness[image].tolist()]
            clauses = [[*(-one for one in conditions), *one] for one in needed if not conditions.keys() & one]
            model.clauses.add_lists(clauses)
    return model


def _moved(domains: Domains, move: Move) -> Indices:
    """For each placement of pictures the one that a symmetry makes of it; -1 where it is not possible."""
    pieces, rotations = domains.name_of_piece()
    moved = (
        domains.placement(piece, move.targets[square], after(move.rotation, rotation))
        for piece, square, rotation in zip(pieces.tolist(), domains.square.tolist(), rotations.tolist(), strict=True)
    )
    return np.array([-1 if placement is None else placement for placement in moved], dtype=np.int64)


#: The default encoding of boards; most of the time goes into simplifying the formula, and this one is the smallest.
USUAL_ENCODING = "diamond"


class _Counting(ModelEngine[PuzzleT, SolutionT]):
    name = "ganak"
    goals = frozenset({Goal.COUNT})
    waits = True
    libraries = ("pyganak",)

    def check(self, goal: Goal, limits: Limits, options: Options) -> None:
        super().check(goal, limits, options)
        need_ganak()


class Ganak(_Counting[EdgeMatchingPuzzle, Arrangement], BoardModelEngine):
    """The model counter Ganak in a separate process: counts without finding the solutions one by one."""

    takes = some_options("encoding", "order", "slips", "frame_slips")

    @staticmethod
    def encoding(text: str | None, /) -> Encoding:
        return cnf_encoding(USUAL_ENCODING if text is None else text)

    def steps(self, run: ModelRun, watch: Watch) -> Iterator[Arrangement]:
        need_ganak()
        run.built()
        for count, orbits, pictures in board_counts(run.domains, run.encoding, ModelCounter(run, watch)):
            run.harvest.begin_with([count, orbits, 0, pictures])
        run.exhausted = True
        yield from ()


class GanakTiler(_Counting[DissectionPuzzle, Tiling], TilingModelEngine):
    """The model counter Ganak in a separate process: counts without finding the tilings one by one."""

    takes = some_options("encoding")
    encoding = staticmethod(tiling_encoding)

    def steps(self, run: ModelTilingRun, watch: Watch) -> Iterator[Tiling]:
        need_ganak()
        if run.puzzle.spare:
            raise EngineError("engine ganak: cannot count tilings with spare pieces; use the engine backtrack")
        counter, encoding = ModelCounter(run, watch), run.encoding
        run.begin(counter.build(lambda: TilingDomains(run.puzzle, symmetry=run.options.symmetry)))
        exchanges = prod(factorial(len(members)) for members in run.puzzle.classes)
        for counts in tiling_counts(run.puzzle, encoding, counter, symmetry=run.options.symmetry):
            run.begin_with([*counts, 0, counts[0] // exchanges])
        run.exhausted = True
        yield from ()
