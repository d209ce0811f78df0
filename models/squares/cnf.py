"""Edge-matching puzzles and jigsaws as CNF."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pysat.formula import IDPool
from pysat.solvers import Solver

from ...csp.base.errors import PuzzleError, escaped
from ...csp.base.stop import never
from ...csp.engines.tallies import Rows
from ...csp.puzzles.board import SIDE_NAMES, Arrangement
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle, PuzzleBoard, board_of
from ...csp.puzzles.orders import find_order
from ...csp.puzzles.slips import checked_frame_slips, checked_slips
from ..base.encodings import Encoding, cnf_encoding
from ..base.formula import Clauses, Literals, NamePool, PuzzleFormula
from ..base.solver_process import checked_solver
from .cnf_constraints import (
    Variables,
    absent_colors,
    at_most_allowed,
    checkerboard,
    color_counts,
    colors_need_pieces,
    diamonds,
    invalid_joins,
    make_variables,
    neighbours_match,
    one_color_a_seam,
    one_piece_a_square,
    pairs_need_pieces,
    rotations_of_units,
    seam_colors,
)
from .domains import Domains

Name = tuple[str | int, ...]


def build_cnf(
    puzzle: EdgeMatchingPuzzle,
    encoding: str | Encoding | None = None,
    *,
    order: str | tuple[int, ...] | None = None,
    slips: str | tuple[int, ...] | None = None,
    frame_slips: str | tuple[int, ...] | None = None,
    symmetry: bool = False,
) -> "EdgeMatchingCNF":
    """A puzzle as a formula whose models are its solutions; models with the same `deciding` are one solution.

    Parameters and errors are those of `jigsat.cnf`; ``order`` is also that of slips along the frame.
    """
    chosen = cnf_encoding(encoding)
    _, squares = find_order(puzzle, order)
    arrays = checked_slips(puzzle, slips), checked_frame_slips(puzzle, frame_slips)
    domains = Domains(puzzle, squares, *arrays, symmetry=symmetry, prune=chosen.prune)
    return EdgeMatchingCNF(domains, chosen)


class EdgeMatchingCNF(PuzzleFormula):
    """A puzzle as a formula, and what its variables mean.

    Attributes
    ----------
    domains, encoding
        What the formula was made of.
    clauses
        The clauses as they were made, in arrays.
    variables
        The variables, in arrays.
    cnf
        The formula for PySAT; you may add your own clauses.
    pool
        The names of the variables, and a source of new ones: ``pool.id("mine")``.
    """

    puzzle: EdgeMatchingPuzzle

    def __init__(self, domains: Domains, encoding: Encoding, must_stop: Callable[[], bool] = never) -> None:
        self.domains, self.encoding, self.puzzle = domains, encoding, domains.puzzle
        self.clauses = Clauses(must_stop)
        self.variables = make_variables(domains, encoding, self.clauses)
        _constrain(domains, self.variables, encoding, self.clauses)
        self.clauses.must_stop = never

    @cached_property
    def pool(self) -> NamePool:
        pool: Any = IDPool()
        for variable, name in self.names():
            pool.obj2id[name] = variable
            pool.id2obj[variable] = name
        pool.top = self.clauses.top
        return pool

    def place(self, square: int | str, piece: int, rotation: int) -> int:
        """The literal "on this square lies this piece in this rotation"; a false one if it cannot.

        A square has an index, with which pieces are counted from 0, or a name such as ``"A1"``, with which they are
        numbered from 1, as in files and output.

        Raises PuzzleError if there is no such square, piece or rotation.
        """
        square, piece = self.domains.located(square, piece)
        placement = self.domains.placement(piece, square, rotation)
        if placement is None:
            return self._never
        return self._all_of(("place", piece, square, rotation), self.variables.witness[placement])

    def on(self, square: int | str, piece: int) -> int:
        """The literal "on this square lies this piece"; a false one if it cannot.

        Square and piece are those of `place`, which also describes the errors.
        """
        square, piece = self.domains.located(square, piece)
        units = np.unique(self.variables.unit_of[self.domains.placements_of(piece, square)])
        return self._one_of(("on", piece, square), self.variables.unit[units])

    def color(self, square: int | str, side: int, color: int) -> int:
        """The literal "this square shows this colour on that side"; a false one if it cannot.

        Raises PuzzleError if there is no such square or side.
        """
        square = self.puzzle.board.index(square)
        seam, seen = self.domains.seam_color(square, side, color)
        if self.encoding.name != "direct":
            return int(self.variables.color[seam, seen]) or self._never
        shown = (self.domains.square == square) & (self.domains.color[:, side] == seen) & (seen >= 0)
        members = np.flatnonzero(shown)
        return self._one_of(("color", square, side, color), self.variables.witness[members, 0])

    def invalid(self, square: int | str, side: int) -> int:
        """The literal "the join on this side of the square is invalid"; a false one if it must be valid.

        Raises PuzzleError if there is no such square or side.
        """
        loose = self.domains.loose_at(self.puzzle.board.index(square), side)
        return self._never if loose is None else int(self.variables.invalid[loose])

    def names(self) -> Iterator[tuple[int, Name]]:
        """The variables that describe the board, each with its meaning: a word and 0-based numbers.

        ``("place", piece, square, rotation)``, ``("on", piece, square)``, ``("color", square, side, color)``,
        ``("invalid", square, side)``; in `diamond`, where symmetric pieces have several variables per square, a
        distinguishing number follows.
        """
        d, v = self.domains, self.variables
        pieces, rotations = d.name_of_piece()
        if self.encoding.name != "diamond":
            placed = (v.witness[:, 0], pieces, d.square, rotations)
            for variable, *what in zip(*map(np.ndarray.tolist, placed), strict=True):
                yield variable, ("place", *what)
        if self.encoding.name == "diamond" or "pieces" in self.encoding.redundant:
            before: Counter[Name] = Counter()
            piece_of_unit = dict(zip(v.unit_of.tolist(), pieces.tolist(), strict=True))
            for unit, (variable, square) in enumerate(zip(v.unit.tolist(), v.unit_square.tolist(), strict=True)):
                name = ("on", piece_of_unit[unit], square)
                yield variable, (*name, before[name]) if before[name] else name
                before[name] += 1
        colors = {index: color for color, index in d.candidates.color_index.items()}
        if self.encoding.name != "direct":
            for square, side in zip(*np.nonzero((d.seam >= 0) & ~d.second), strict=True):
                seam = d.seam[square, side]
                for index in np.flatnonzero(v.color[seam]).tolist():
                    yield int(v.color[seam, index]), ("color", int(square), int(side), colors[index])
        for variable, loose in zip(v.invalid.tolist(), d.loose, strict=True):
            yield variable, ("invalid", loose.join.first, loose.join.side)

    @cached_property
    def deciding(self) -> Literals:
        """The variables in which solutions differ; the others follow from them, or are free and do not matter."""
        fixed = self.domains.candidate >= self.domains.fixed_from
        return np.unique(self.variables.witness[~fixed])

    def meaning(self) -> Iterator[str]:
        """How the formula was built, and what its variables mean."""
        d, v = self.domains, self.variables
        yield from d.meaning()
        square_name = self.puzzle.board.name
        variables = self.size.variables
        yield f"variables {variables}"
        yield "var NUMBER MEANING; models that differ in other variables only are the same solution"
        rotations: dict[int, list[int]] = {}
        if self.encoding.name == "diamond":
            for unit, rotation in zip(v.unit[v.unit_of].tolist(), d.name_of_piece()[1].tolist(), strict=True):
                rotations.setdefault(unit, []).append(rotation)
        for variable, (word, *numbers) in self.names():
            if word in ("place", "on"):
                piece, square, *rest = (int(number) for number in numbers)
                found = rest if word == "place" else sorted(rotations.get(variable, ()))
                turns = f" turned {'/'.join(map(str, found))}" if found else ""
                yield f"var {variable} piece {piece + 1} on {square_name(square)}{turns}"
            else:
                square, side, *color = (int(number) for number in numbers)
                place = f"{square_name(square)} {SIDE_NAMES[side]}"
                what = f"square {place} side has colour {color[0]}" if color else f"join {place} is invalid"
                yield f"var {variable} {what}"
        if "pool" in vars(self):
            for variable, named in sorted(self.pool.id2obj.items()):
                if variable > self.clauses.top:
                    yield f"own {variable} {escaped(str(named)).encode('ascii', 'backslashreplace').decode()}"

    def model_of(self, board: Arrangement) -> list[int]:
        """The model of a full board or, with symmetry broken, of an equivalent one: literals of all variables.

        Raises PuzzleError if the board is not a full one that is a solution.
        """
        with Solver("cadical195", bootstrap_with=self.cnf) as solver:
            for there in self.domains.placements_of_solution(board):
                if solver.solve(assumptions=self._true_of(there)):
                    return solver.get_model() or []
        raise PuzzleError("the board is not a solution of this formula")

    def assignments(self, board: Arrangement, /) -> list[list[int]]:
        found = [self._true_of(there) for there in self.domains.placements_of_solution(board)]
        return [list(true) for true in dict.fromkeys(found)]

    def board_of(self, true: NDArray[np.int64]) -> Arrangement:
        """The board of a model, given those variables in `deciding` that are true in it."""
        return next(self.domains.tally().arrangements(self.rows(true[None])))

    def _true_of(self, placements: list[int]) -> tuple[int, ...]:
        """The deciding variables that are true if these placements are there."""
        return tuple(np.intersect1d(self.variables.witness[placements], self.deciding).tolist())

    def rows(self, true: NDArray[np.int64]) -> Rows:
        """Candidates of the free squares, from the true variables in `deciding`: shape (n, k) to (n, free squares)."""
        truth = np.zeros((len(true), self.clauses.top + 1), dtype=bool)
        np.put_along_axis(truth, true, True, axis=1)
        there: NDArray[np.bool_] = np.logical_and.reduce(truth[:, self.variables.witness], axis=2)
        return self.domains.rows(there)

    def solution(self, model: Sequence[int]) -> PuzzleBoard:
        """The board that a model (true and false literals, as solvers give them) stands for."""
        literals = np.asarray(model, dtype=np.int64)
        return board_of(self.puzzle, self.board_of(literals[(literals > 0) & (literals <= self.clauses.top)]))

    def solve(self, solver: str = "cadical195") -> PuzzleBoard | None:
        """A solution found by a solver of PySAT, including your own clauses; None if no solution exists.

        There are no limits; `jigsat.solve` has limits, but does not use your clauses.

        Raises EngineError if there is no such solver.
        """
        with Solver(checked_solver(solver), bootstrap_with=self.cnf) as made:
            return self.solution(made.get_model() or ()) if made.solve() else None

    @cached_property
    def _never(self) -> int:
        """A literal that is false."""
        never = self.pool.id(("never",))
        self.cnf.append([-never])
        return never

    def _one_of(self, name: Name, literals: Literals) -> int:
        """The literal that is true exactly if one of these is."""
        if not len(literals):
            return self._never
        if len(literals) == 1:
            return int(literals[0])
        return -self._all_of(("not", *name), -literals)

    def _all_of(self, name: Name, literals: Literals) -> int:
        """The literal that is true exactly if all of these are."""
        distinct = np.unique(literals).tolist()
        if len(distinct) == 1:
            return distinct[0]
        known = name in self.pool.obj2id
        variable = self.pool.id(name)
        if not known:
            self.cnf.extend([[-variable, literal] for literal in distinct])
            self.cnf.append([variable, *(-literal for literal in distinct)])
        return variable


def _constrain(d: Domains, v: Variables, encoding: Encoding, clauses: Clauses) -> None:
    """All constraints of an encoding."""
    one_piece_a_square(d, v, encoding, clauses)
    if encoding.name == "diamond":
        one_color_a_seam(v, clauses)
        diamonds(d, v, clauses)
    elif "pieces" in encoding.redundant:
        rotations_of_units(d, v, clauses)
    if encoding.name == "direct":
        neighbours_match(d, v, clauses)
    else:
        if encoding.name != "diamond":
            seam_colors(d, v, clauses)
        truth = v.witness[:, 0]
        colors_need_pieces(d, v, truth, clauses)
        if encoding.name == "pairs":
            pairs_need_pieces(d, v, truth, clauses)
        invalid_joins(d, v, clauses)
    if d.slips_bind:
        at_most_allowed(d, v, clauses)
    if "absent-colors" in encoding.redundant:
        absent_colors(d, v, clauses)
    if "color-counts" in encoding.redundant:
        color_counts(d, v, encoding, clauses)
    if encoding.redundant & {"checkerboard", "parity"}:
        checkerboard(d, v, encoding, clauses)
