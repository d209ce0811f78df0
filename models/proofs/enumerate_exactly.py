"""Proofs that a list of solutions is complete, written by the search that finds them.

The formula is that of the second encoder, so that nothing else has to be compared with the definition.
"""

from collections.abc import Iterator, Sequence
from importlib.metadata import version
from itertools import chain, takewhile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...csp.base.errors import EngineError, UsageError, escaped, plural
from ...csp.base.safe_files import replacing
from ...csp.base.stop import Stop, StoppedError
from ...csp.engines.tallies import certain
from ...csp.files.instances import Puzzle, fingerprint, stated_number
from ...csp.files.square_files import refuse_misread
from ...csp.puzzles.board import Arrangement, Placement
from ...csp.puzzles.check_board import appearance
from ...csp.puzzles.check_tiling import TilingChecker
from ...csp.puzzles.dissection import DissectionPuzzle, Motions, PuzzleTiling
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.orders import find_order
from ..base.encodings import tiling_encoding
from ..squares.domains import Domains
from ..tilings.domains import TilingDomains
from .board_claims import Claim
from .certify_exactly import DEFINITION, Answer, Certification
from .define_boards import BoardClaim
from .define_tilings import TilingsClaim
from .enumeration_kernel import DEAD_END, GOES_ON, OPEN, SOLUTION, search
from .linear_formula import Linear, LinearBoards, LinearTilings
from .tiling_claims import Pictures, TilingClaim, refuse_without_proof
from .veripb import FORMULA, EnumerationProof, check_enumeration, formula_lines

# How much a search writes down before it is asked whether it must stop.
_LOG = 2**16


class _Boards:
    """A puzzle of squares, its formula, and how its models are read."""

    def __init__(self, puzzle: EdgeMatchingPuzzle, stop: Stop) -> None:
        refuse_misread(puzzle)
        self._puzzle, self._order = puzzle, find_order(puzzle, None)[1]
        anchor = Domains(puzzle, self._order, symmetry=True, must_stop=stop).anchor
        piece = None if anchor is None else anchor.piece_type.pieces[0]
        self.formula = LinearBoards(BoardClaim(puzzle, order=self._order, anchor=piece))

    def solution(self, true: Sequence[int]) -> Arrangement:
        """The solution in which these variables are true."""
        made = tuple(Placement(*placed) for placed in self.formula.board(true))
        certain(self._puzzle, made)
        return made

    def same(self, solution: Arrangement) -> object:
        """A value that is equal for two solutions exactly if they are the same."""
        return appearance(self._puzzle, solution)

    def claim(self, solutions: tuple[Arrangement, ...]) -> Claim:
        """The claim that there are no others."""
        return Claim(self._puzzle, DEFINITION, self._order, excluded=solutions)

    def names(self) -> Iterator[tuple[int, str]]:
        """The variables in which solutions differ, and what they mean."""
        for variable, (square, look) in self.formula.choices.items():
            yield variable, f"{self._puzzle.board.name(square)} shows {' '.join(map(str, look[:4]))}"


class _Tilings:
    """The same of a dissection."""

    def __init__(self, puzzle: DissectionPuzzle, stop: Stop) -> None:
        refuse_without_proof(puzzle)
        if puzzle.motions is not Motions.LATTICE:
            raise UsageError(f"{puzzle.name}: a proof is about tilings on the lattice; give the puzzle lattice motions")
        self._puzzle = puzzle
        self._domains = domains = TilingDomains(self._puzzle, symmetry=True)
        anchor = None if domains.anchor is None else domains.kinds[domains.anchor][0]
        self.formula = LinearTilings(TilingsClaim(self._puzzle, anchor=anchor), stop)
        self._pictures, self._judge = Pictures(self._puzzle), TilingChecker(self._puzzle)
        tiles = zip(domains.left.tolist(), domains.of_kind.tolist(), strict=True)
        there = (self.formula.there(domains.kinds[kind][0], domains.placements.polygon(one)) for one, kind in tiles)
        self._number = {tile: number for number, tile in enumerate(there) if tile is not None}

    def solution(self, true: Sequence[int]) -> PuzzleTiling:
        tiling = self._domains.tiling(np.array([self._number[tile] for tile in true]))
        verdict = self._judge(tiling)
        if not verdict.is_solution:
            raise AssertionError(f"the search found an invalid tiling: {verdict.problems[0]}")
        return tiling

    def same(self, solution: PuzzleTiling) -> object:
        return min(self._pictures(solution))

    def claim(self, solutions: tuple[PuzzleTiling, ...]) -> TilingClaim:
        return TilingClaim(self._domains, tiling_encoding(None), solutions)

    def names(self) -> Iterator[tuple[int, str]]:
        names = list(self._domains.names())
        for tile, number in self._number.items():
            yield tile, names[number]


def enumerate_exactly(puzzle: Puzzle, wanted: int | None, path: str | Path, stop: Stop) -> Certification:
    """Find all solutions, and write the proof that there are no others, and its formula beside it.

    The result is that of `jigsat.certify`.  Raises EngineError or PuzzleError if the puzzle is not supported, and
    InstanceError if a file cannot be written.
    """
    wanted = stated_number(puzzle) if wanted is None else wanted
    found: dict[object, Any] = {}
    proof = None
    size = 0, 0
    try:
        stop.tell("preparing a search for all solutions")
        subject = _Tilings(puzzle, stop) if isinstance(puzzle, DissectionPuzzle) else _Boards(puzzle, stop)
        size = subject.formula.top, len(subject.formula.constraints())
        proof = _written(subject, Path(path), found, stop)
    except StoppedError:
        pass
    number = len(found)
    wanted_or_found = number if wanted is None else wanted
    complete = proof is not None
    answer = Answer.EXACTLY if number == wanted_or_found else Answer.FEWER
    answer = Answer.MORE if number > wanted_or_found else answer if complete else Answer.UNDECIDED
    solutions = tuple(found.values())
    return Certification(puzzle, answer, wanted_or_found, solutions, DEFINITION, *size, proof, stop.ended_by)


def _written(subject: _Boards | _Tilings, path: Path, found: dict[object, Any], stop: Stop) -> dict[str, object]:
    """Write the proof and its formula; the record's entry.  Solutions are added to those that are found."""
    constraints, names = subject.formula.constraints(), dict(subject.names())
    beside = path.with_suffix(FORMULA)
    with replacing(path) as file, replacing(beside) as formula:
        log = EnumerationProof(file, len(constraints))
        implied = list(subject.formula.implied())
        for clause in implied:
            log.implied(clause)
        for true in _searched(subject.formula, [*constraints, *((1, clause) for clause in implied)], log, stop):
            for image in subject.formula.images(true):
                solution: Any = subject.solution(image)
                found.setdefault(subject.same(solution), solution)
        log.conclude()
        states = subject.claim(tuple(found.values())).words()
        if log.solutions != len(found):
            states += f" {_made_of(log.solutions, len(found))}"
        about = _about(subject, states, log.solutions, names)
        formula.writelines(formula_lines(subject.formula.top, constraints, names, about))
    verdict = check_enumeration(beside, path, log.solutions, stop)
    about_files = {"file": str(path), "format": "veripb", "formula": str(beside)}
    return {**about_files, **verdict, "lemmas": log.steps, "models": log.solutions, "states": states}


def _made_of(models: int, solutions: int) -> str:
    """How the number of models is another one than that of solutions, in words."""
    listed = f"The proof lists {plural(models, 'model', str)} of the formula"
    if models > solutions:
        return f"{listed}, of which some are the same solution."
    return f"{listed}; mirror images and exchanges of colours make the other solutions of them."


def _about(subject: _Boards | _Tilings, states: str, models: int, names: dict[int, str]) -> Iterator[str]:
    """What the formula is, and what its variables mean."""
    puzzle = subject.claim(()).puzzle
    yield f"pseudo-Boolean constraints (OPB) whose models are solutions, written by jigsat {version('jigsat')}"
    yield f"instance {_ascii(puzzle.name)}"
    yield f"sha256 {fingerprint(puzzle)}"
    yield f"states {_ascii(states)}"
    yield f"models {models}"
    yield from (f"var {variable} {what}" for variable, what in names.items())


def _ascii(text: str) -> str:
    return escaped(text).encode("ascii", "backslashreplace").decode()


def _searched(
    formula: LinearBoards | LinearTilings, constraints: Sequence[Linear], log: EnumerationProof, stop: Stop
) -> Iterator[list[int]]:
    """The models, each the choices that are true, found by a search whose steps the proof gets."""
    start, literals = _joined([[_code(literal) for literal in some] for _, some in constraints])
    needed = np.array([least for least, _ in constraints])
    holders: list[list[int]] = [[] for _ in range(2 * formula.top + 2)]
    for number, (_, some) in enumerate(constraints):
        for literal in some:
            holders[_code(literal)].append(number)
    items = [number for number, (_, some) in enumerate(constraints) if formula.choices.keys() >= {*some}]
    is_choice = np.isin(np.arange(formula.top + 1), list(formula.choices))
    value, trail = np.zeros(len(holders), dtype=np.int8), np.zeros(formula.top + 1, dtype=np.int64)
    slack, true = start[1:] - start[:-1] - needed, np.zeros(len(constraints), dtype=np.int64)
    levels = np.zeros_like(trail)
    state, written = np.array([-1, 0, 0]), np.zeros(_LOG + len(trail), dtype=np.int64)
    tables = start, literals, needed, *_joined(holders), np.array(items, dtype=np.int64), is_choice
    ended = GOES_ON
    while ended == GOES_ON:
        if stop():
            raise StoppedError
        used, ended = search(*tables, value, slack, true, trail, levels, state, written)
        steps = iter(written[:used].tolist())
        for step in steps:
            if step == SOLUTION:
                model = [*takewhile(lambda one: one != DEAD_END, steps)]
                log.solution(model)
                yield model
                log.dead_end()
            elif step == DEAD_END:
                log.dead_end()
            else:
                log.choose(step)
    if ended == OPEN:
        raise EngineError("a choice leaves variables open, so this kind of puzzle has no proof of this format")


def _code(literal: int) -> int:
    """The number of a literal in the kernel."""
    return 2 * abs(literal) + (literal < 0)


def _joined(rows: Sequence[Sequence[int]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where each row begins in the numbers of all rows, and these numbers."""
    start = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    return start, np.fromiter(chain.from_iterable(rows), dtype=np.int64, count=int(start[-1]))
