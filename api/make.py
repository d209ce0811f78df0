"""Make puzzles: edge-matching puzzles, jigsaws with exactly K solutions, and dissections."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ..csp.base.errors import NotFoundError, Notice, UsageError, ending
from .public import public

if TYPE_CHECKING:
    from ..csp.base.stop import Report
    from ..csp.make.drawn_dissection import DrawnDissection
    from ..csp.make.jigsaw import MadeJigsaw
    from ..csp.make.jigsaw_wishes import JigsawWishes
    from ..csp.make.two_boards import BoardsJigsaw
    from ..csp.puzzles.dissection import DissectionPuzzle
    from ..csp.puzzles.edge_matching import EdgeMatchingPuzzle
    from ..models.proofs.certify_exactly import Certification


@public
def make_edge_matching(
    rows: int,
    columns: int,
    frame_colors: int | None = None,
    inner_colors: int | None = None,
    *,
    colors: int | None = None,
    rim: int | str = 0,
    turn: bool = True,
    flip: bool = False,
    wrap: Literal["none", "columns", "both"] = "none",
    squares: str | Iterable[str] = (),
    distribution: Literal["flat", "skewed"] = "flat",
    unique: bool = False,
    asymmetric: bool = False,
    random: bool = False,
    clues: int = 0,
    clue_places: Literal["random", "corner", "diagonal"] = "random",
    seed: int = 0,
    name: str | None = None,
    output: str | Path | None = None,
    solution: str | Path | None = None,
) -> EdgeMatchingPuzzle:
    """Make an edge-matching puzzle, with a frame or without.

    The puzzle is planted (cut from a full board) or, with `random`, a set of pieces that may have no solution.  The
    same options and random seed give the same puzzle on every machine and in every later version; the puzzle's source
    field holds the command.

    Parameters
    ----------
    rows : int
        Rows of the board, from 1 to 1024.
    columns : int
        Columns of the board, from 1 to 1024.
    frame_colors : int, optional
        Number of colours along the frame: 1, ..., F.  All of them occur; 0 on a board without such joins (1x1).
    inner_colors : int, optional
        Number of colours inside: F + 1, ..., F + M.  All of them occur; 0 on a board without such joins (one row or
        column, 2x2).
    colors : int, optional
        Without a frame: number of colours, on joins and outer sides alike: 1, ..., N.  All of them occur.  By default
        10, as the digits of TetraVex.
    rim : int or 'any', default 0
        What the outer sides show.  0: the border, as a frame.  A colour: this one, which also occurs inside.  any:
        colours as inside.
    turn : bool, default True
        Pieces may be turned; otherwise they lie as given, as in TetraVex.
    flip : bool, default False
        Pieces have two sides, and may be turned over.
    wrap : {'none', 'columns', 'both'}, default 'none'
        Which ends of the board meet: none, the last column and the first, or also the last row and the first.
    squares : str or iterable of str, optional
        The shape of the board, its rows separated by commas: # is a square, a dot is a gap.
    distribution : {'flat', 'skewed'}, default 'flat'
        Number of joins of each colour; without a frame, of joins and outer sides.  flat: the numbers differ by at most
        one, and the first colours have more.  skewed: in proportion to 1, 1/2, 1/3, ... (Zipf), rounded by largest
        remainder; each colour has at least one join.
    unique : bool, default False
        No two pieces are equal up to rotation.
    asymmetric : bool, default False
        No piece looks the same after a turn.
    random : bool, default False
        A random set of pieces, without a planted solution.  It has as many sides of each colour as a planted one, and
        each frame colour occurs as often to the left as to the right of the border side.
    clues : int, default 0
        Fix K pieces as in the planted solution.  With more clues the puzzle has the same pieces and, except for clues
        on a diagonal, the same clues and further ones.
    clue_places : {'random', 'corner', 'diagonal'}, default 'random'
        Where the fixed pieces lie.  corner: together in one corner.  diagonal: at equal distances along a diagonal.
    seed : int, default 0
        Random seed, from 0 to 2**62 - 1.
    name : str, optional
        The puzzle's name (default: made of the options).
    output : str or Path, optional
        Write the puzzle to this file (.json); - for standard output.
    solution : str or Path, optional
        Write the planted solution to this file (.json).

    Returns
    -------
    EdgeMatchingPuzzle
        The puzzle; its `source` is the command that makes it again.  It does not contain the planted solution.

    Raises
    ------
    UsageError
        If no such puzzle exists.
    NotFoundError
        If no puzzle was found: making pieces unique or asymmetric is a search with a fixed number of attempts.
    TypeError
        If a number is not an integer.

    Notes
    -----
    The model of planted and random sets, with given numbers of colours and separate left and right halves of frame
    joins, is that of Owen (2008).

    Examples
    --------
    >>> import jigsat as js
    >>> puzzle = js.make_edge_matching(rows=2, columns=3, frame_colors=3, inner_colors=1, seed=4)
    >>> puzzle.name
    '2x3, 3+1 colours, seed 4'
    >>> sorted(puzzle.frame_sides().items())
    [(1, 4), (2, 4), (3, 4)]
    >>> js.make_edge_matching(rows=4, columns=4, colors=10, rim="any", turn=False, seed=1).name
    '4x4, 10 colours, rim any, no turning, seed 1'
    """
    from ..csp.make.edge_matching import deal_edge_matching

    _check_files(output, solution, random=random)
    shape = tuple(squares.split(",")) if isinstance(squares, str) and squares else tuple(squares)
    made = deal_edge_matching(
        rows, columns, frame_colors, inner_colors, colors=colors, rim=rim, turn=turn, flip=flip, wrap=wrap,
        squares=shape, distribution=distribution, unique=unique, asymmetric=asymmetric, random=random, clues=clues,
        clue_places=clue_places, seed=seed, name=name,
    )  # fmt: skip
    if output is not None or solution is not None:
        _write_both(made, output, solution)
    return made.puzzle


def _check_files(output: str | Path | None, solution: str | Path | None = None, *, random: bool = False) -> None:
    """Refuse files that cannot be written, or of which one would replace the other."""
    from ..csp.base.safe_files import refuse_unwritable
    from ..csp.files.file_format import format_for
    from ..csp.files.instances import INSTANCE_FORMATS

    if output is not None:
        format_for(output, INSTANCE_FORMATS, "json")
    if solution is None:
        return
    if output is not None and os.path.realpath(output) == os.path.realpath(solution):
        raise UsageError(f"{output}: the puzzle and its solution need different files", "output", "solution")
    if random:
        raise UsageError("a random set has no planted solution; omit one of the two", "solution", "random")
    format_for(solution, INSTANCE_FORMATS, "json")
    refuse_unwritable(solution)


def _write_both(made: Any, output: str | Path | None, solution: str | Path | None) -> None:
    """Write the files of a puzzle and of its planted solution, both or neither."""
    from contextlib import ExitStack

    from ..csp.base.safe_files import replacing, writing
    from ..csp.files.instances import format_instance
    from ..csp.files.solutions import solution_writer

    with ExitStack() as stack:
        if output is not None:
            file = stack.enter_context(replacing(output))
            file.write(format_instance(made.puzzle))
            # A full disk is noticed before the solution is there, and what is wrong with the solution before the
            # puzzle is.
            file.flush()
        if solution is not None and made.solution is not None:
            with writing(solution), solution_writer(made.puzzle, solution) as writer:
                writer.add(made.solution)


@public
def make_jigsaw(
    rows: int,
    columns: int,
    *,
    solutions: int = 2,
    max_use: int | None = None,
    types: int | None = None,
    no_stay: bool = False,
    disjoint: bool = False,
    method: Literal["closed-form", "crystal", "planted", "refinement", "annealing"] | None = None,
    seed: int = 0,
    name: str | None = None,
    output: str | Path | None = None,
    proof: str | Path | None = None,
    resume: bool = False,
    overwrite: bool = False,
    time_limit: float | None = 600,
    report: Report | None = None,
) -> EdgeMatchingPuzzle:
    """Make a jigsaw with exactly K solutions; the command line also proves it as `certify` does.

    Turning the whole board makes no other solution.  The pieces differ from each other, and sides that meet in one of
    the first two solutions do not meet in the other; by default each connector is on two joins: a perfect jigsaw.  The
    same options and random seed give the same jigsaw on every machine and in every later version (with the method
    refinement only with the same version of python-sat); the puzzle's source field holds the command.  If a time limit
    or Ctrl-C ends the work, the best jigsaw so far is written, and the exit status is not 0.

    Parameters
    ----------
    rows : int
        Rows of the board.
    columns : int
        Columns of the board.
    solutions : int, default 2
        Number of solutions.
    max_use : int, optional
        Number of joins on which a connector may be (default: 2).  With three solutions and `disjoint` the default is 6
        on squares of odd size, 8 on those of even size and 10 on other boards; with R + C odd, 3 where `types` has no
        default.
    types : int, optional
        Number of connectors, instead of `max_use`.  If R + C is odd, the largest possible number is the default on
        boards of up to 90 squares, and on larger ones with two solutions and five or more rows and columns.
    no_stay : bool, default False
        No piece has the same square in the first two solutions, whichever way they are turned.  Corners of a square
        board are exempt, because some turn maps each corner to each other.
    disjoint : bool, default False
        No join is in two of the solutions.  There may be two of them, or three (found so far for 5x5, 5x7, 6x6, 7x7,
        8x8 and 9x9).
    method : {'closed-form', 'crystal', 'planted', 'refinement', 'annealing'}, optional
        How to make it (default: the fastest that applies).  refinement is a SAT solver for three solutions with
        `disjoint` on at most 36 squares.
    seed : int, default 0
        Random seed, from 0 to 2**62 - 1.
    name : str, optional
        The jigsaw's name (default: made of the options).
    output : str or Path, optional
        Write the jigsaw to this file (.json); - for standard output.  While the search runs, its steps are in a file
        whose name ends in ``.part``.
    proof : str or Path, optional
        Prove the number of solutions, and write the certificate to this file.  The proof is in FILE, its formula in
        FILE.cnf, and what it states in FILE.json.
    resume : bool, default False
        Continue a run that was stopped, from that file.
    overwrite : bool, default False
        Start over where such a file is left, and replace an earlier output even by a jigsaw that is not as requested.
    time_limit : float, default 600
        Stop the search after this many seconds, on the command line also 1m30s or 2h; None for no limit.

    Returns
    -------
    EdgeMatchingPuzzle
        The jigsaw, with its solutions as `assemblies` and the command that makes it again as `source`.

    Raises
    ------
    UsageError
        If it is known that there is no such jigsaw, or a stopped search has left a file and neither `resume` nor
        `overwrite` is given.
    InstanceError
        If the output cannot be written.
    NotFoundError
        If no jigsaw was found before the time limit or Ctrl-C, or if there is nothing else to try; the message says
        what is wrong with the nearest one.
    TypeError
        If a number is not an integer.

    Examples
    --------
    >>> import jigsat as js
    >>> jigsaw = js.make_jigsaw(rows=5, columns=5, seed=1)
    >>> jigsaw.name, len(jigsaw.assemblies)
    ('perfect 5x5 jigsaw, 2 solutions, seed 1', 2)
    """
    from ..csp.make.jigsaw_wishes import JigsawWishes

    wishes = JigsawWishes(rows, columns, solutions, max_use, types, no_stay, method, seed, name, disjoint)
    how = {"resume": resume, "overwrite": overwrite, "time_limit": time_limit, "report": report}
    found = jigsaw_made(wishes, output, proof, prove=proof is not None, **how)  # pyright: ignore[reportArgumentType]
    if found.made.faults:
        why = ending(found.ended_by) or "there is nothing else to try"
        nearest = f"no such jigsaw was found ({why}); the nearest has {' and '.join(found.made.faults)}"
        raise NotFoundError(f"{wishes.title}: {nearest}", found.ended_by)
    return found.made.puzzle


@public
def make_boards_jigsaw(
    boards: str | Iterable[str],
    *,
    max_use: int | None = None,
    seed: int = 0,
    name: str | None = None,
    output: str | Path | None = None,
    proof: str | Path | None = None,
    time_limit: float | None = 600,
    report: Report | None = None,
) -> BoardsJigsaw:
    """Make a jigsaw whose pieces have one solution on each of two boards: n x n, and (n - 1) x (n + 1).

    On the second board one piece is left over.  Turning a board makes no other solution.  The pieces differ from each
    other, and no join is in both solutions.  The same options and random seed give the same jigsaw on every machine.

    Parameters
    ----------
    boards : str or iterable of str
        Both boards, such as 10x10,9x11: the first is a square from 4x4 to 32x32, the second has a row less and a column
        more.
    max_use : int, optional
        Number of joins on which a connector may be (default: 3 for 4x4 and 5x5, where 2 is impossible, else 4).
    seed : int, default 0
        Random seed, from 0 to 2**62 - 1.
    name : str, optional
        The jigsaw's name (default: made of the options).
    output : str or Path, optional
        Write the puzzle of the first board to this file (.json), and that of the second one beside it: jigsaw.json and
        jigsaw-9x11.json.
    proof : str or Path, optional
        Prove that there is one solution on each board, and write one certificate for both.  The proof for the first is
        in FILE, that for the second beside it, with the size of the board in its name, their formulas in these names
        with .cnf, and what is stated of both, with the piece that is left over, in FILE.json.
    time_limit : float, default 600
        Stop after this many seconds, on the command line also 1m30s or 2h; None for no limit.

    Returns
    -------
    BoardsJigsaw
        The puzzles of both boards, `first` and `second`, each with its solution as its assembly, and the piece `spare`
        (0-based) that is left over on the second.  Solutions were counted by a search for every piece that could be
        left over.

    Raises
    ------
    UsageError
        If there are no such boards or it is known that there is no such jigsaw.
    InstanceError
        If a file cannot be written.
    NotFoundError
        If none was found before the time limit or Ctrl-C, or the proof was not done.

    Examples
    --------
    >>> import jigsat as js
    >>> jigsaw = js.make_boards_jigsaw("8x8,7x9", seed=1)
    >>> [len(puzzle.board) for puzzle in jigsaw.puzzles], jigsaw.spare, max(jigsaw.uses.values())
    ([64, 63], 9, 4)
    """
    from ..csp.base.stop import stoppable
    from ..csp.files.instances import beside, save
    from ..csp.make.two_boards import BoardsWishes, parsed_boards, search_boards
    from ..models.proofs.certificate import Files

    wishes = BoardsWishes(*parsed_boards(boards), max_use, seed, name)
    files = [None, None] if output is None else [output, beside(output, wishes.second)]
    proofs = [] if proof is None else [Path(proof), beside(proof, wishes.second)]
    for each in files:
        _check_files(each)
    for each in proofs:
        Files(each).check()
    with stoppable(time_limit, report=report) as stop:
        made = search_boards(wishes, must_stop=stop, report=stop.tell)
        if made is None:
            raise NotFoundError(f"{wishes.title}: no such jigsaw was found ({ending(stop.ended_by)})", stop.ended_by)
        for puzzle, file in zip(made.puzzles, files, strict=True):
            if file is not None:
                save(puzzle, file)
        if proof is not None:
            from ..models.proofs.certify_exactly import certify_boards

            if not certify_boards(*made.puzzles, 1, proof=proof, stop=stop).proved:
                raise NotFoundError(f"{proof}: there is no proof ({ending(stop.ended_by)})", stop.ended_by)
    return made


@dataclass(frozen=True)
class JigsawMade:
    """A jigsaw, and what is proved of it."""

    #: The jigsaw with its quality.
    made: MadeJigsaw
    #: What is known of its number of solutions; None if nothing was proved.
    certification: Certification | None
    #: What ended the search early, and where its steps are kept; None if nothing did, or they are not kept.
    ended_by: str | None
    kept: str | None


def jigsaw_made(
    wishes: JigsawWishes,
    output: str | Path | None,
    proof: str | Path | None,
    *,
    prove: bool,
    resume: bool,
    overwrite: bool,
    time_limit: float | None,
    report: Report | None,
) -> JigsawMade:
    """Make a jigsaw, write it, and prove its number of solutions if `prove` is true."""
    from ..csp.base.stop import stoppable
    from ..csp.files.instances import format_instance
    from ..csp.make.jigsaw import head_of, search_jigsaw
    from ..csp.work.steps import keep_steps

    _check_jigsaw_files(output, proof, resume=resume, overwrite=overwrite)
    with (
        keep_steps(output, head_of(wishes), resume=resume, overwrite=overwrite) as kept,
        stoppable(time_limit, report=report) as stop,
    ):
        made = search_jigsaw(wishes, kept=kept, must_stop=stop, report=stop.tell)
        stop.tell("")
        kept.complete, kept.finished = not made.faults, bool(made.faults) and stop.ended_by is None
        kept.write_answer(format_instance(made.puzzle).encode())
        found = None
        if prove and not made.faults:
            from ..models.proofs.certify_exactly import certify_exactly

            # What an earlier run has kept of the certificate belongs to the steps.
            goes_on = resume and proof is not None
            found = certify_exactly(
                made.puzzle, wishes.solutions, proof=proof, resume=goes_on, overwrite=overwrite, stop=stop
            )
        # While the proof is not done, the steps lead to this jigsaw again.
        kept.complete &= found is None or found.decided or proof is None
    return JigsawMade(made, found, stop.ended_by, kept.kept)


def _check_jigsaw_files(output: str | Path | None, proof: str | Path | None, *, resume: bool, overwrite: bool) -> None:
    """Refuse files that cannot be written, or of which one would replace the other."""
    from ..csp.engines.request import is_proof_file
    from ..csp.work.steps import refuse_unfinished
    from ..models.proofs.certificate import Files

    _check_files(output)
    if proof is None:
        return
    Files(Path(proof)).check()
    refuse_unfinished(str(proof), resume=resume, overwrite=overwrite)
    if output is not None and is_proof_file(output, proof):
        raise UsageError(f"{output}: the files of the proof and the jigsaw need different names", "proof", "output")


@public
def make_polyominoes(
    cells: int,
    target: str | Iterable[str],
    *,
    one_sided: bool = False,
    fixed: bool = False,
    name: str | None = None,
    output: str | Path | None = None,
) -> DissectionPuzzle:
    """Make the puzzle to fill a target with all polyominoes of a number of cells, each of them once.

    Polyominoes are squares joined along sides.  By default they may be turned and turned over: there are 12 of 5
    cells, the pentominoes.

    Parameters
    ----------
    cells : int
        The cells of a piece, from 1 to 8; polyominoes of 7 or 8 cells with a hole, and those that touch themselves in
        a corner, are no pieces, so that there is no puzzle of all of them.
    target : str or iterable of str
        The target: rows x columns, such as ``"6x10"``, or its rows of ``#`` and ``.``.
    one_sided : bool, default False
        The pieces may not be turned over, so that mirror images are different pieces.
    fixed : bool, default False
        The pieces may be neither turned nor turned over.
    name : str, optional
        The puzzle's name (default: made of the options).
    output : str or Path, optional
        Write the puzzle to this file (.json); - for standard output.

    Returns
    -------
    DissectionPuzzle
        The puzzle.

    Raises
    ------
    UsageError
        If the pieces do not have the area of the target, or there is no such puzzle.

    Examples
    --------
    >>> import jigsat as js
    >>> js.count(js.make_polyominoes(5, "6x10")).canonical_count
    2339
    """
    from ..csp.files.instances import save
    from ..csp.make.polyominoes import polyominoes_puzzle

    _check_files(output)
    puzzle = polyominoes_puzzle(cells, target, one_sided=one_sided, fixed=fixed, name=name)
    if output is not None:
        save(puzzle, output)
    return puzzle


@public
def make_dissection(
    drawing: str | Path,
    *,
    lattice: float | None = None,
    motions: Literal["any", "lattice"] | None = None,
    no_flip: bool = False,
    name: str | None = None,
    output: str | Path | None = None,
    solution: str | Path | None = None,
) -> DissectionPuzzle:
    """Make a dissection from a drawing: an SVG file, as Inkscape and GeoGebra write it, or a picture in letters.

    In an SVG the pieces are the polygons that are drawn, and the target is their union, or a polygon or a layer with
    the name target, or the outline around all others.  If a piece lies outside the target with that name, the puzzle is
    whether the pieces, wherever they lie, can tile it.  Lines cut polygons; if there are only lines, the pieces are the
    areas between them.  All corners are moved to the coarsest lattice near them, and its step becomes the unit.  In a
    picture such as ``AAB/ACB``, or a text file with such rows, the cells of each letter are a piece.

    Parameters
    ----------
    drawing : str or Path
        The drawing: an SVG file, a text file with a picture in letters, or such a picture with ``/`` between its rows.
        In a picture ``.`` is no cell.
    lattice : float, optional
        The step of the lattice of squares, in the units of the SVG's coordinates (default: the largest step that fits).
    motions : {'any', 'lattice'}, optional
        How pieces may be moved (default: on the lattice if all edges lie along it, otherwise any; pieces
        that are made of cells move on their lattice).
    no_flip : bool, default False
        The pieces may not be turned over.
    name : str, optional
        The puzzle's name (default: that of the file).
    output : str or Path, optional
        Write the puzzle to this file (.json); - for standard output.
    solution : str or Path, optional
        Write the tiling that is drawn to this file (.json); there must be one.

    Returns
    -------
    DissectionPuzzle
        The puzzle.

    Raises
    ------
    InstanceError
        If the drawing is no dissection; the notes of the error list further faults.
    UsageError
        If an option has no meaning for the drawing.

    Examples
    --------
    >>> import jigsat as js
    >>> puzzle = js.make_dissection("AAB/ACB")
    >>> len(puzzle.pieces), js.count(puzzle).canonical_count
    (3, 1)
    """
    made = dissection_drawn(
        drawing, lattice=lattice, motions=motions, no_flip=no_flip, name=name, output=output, solution=solution
    )
    for fact in made.facts:
        if fact.startswith("Warning: "):
            warnings.warn(fact.removeprefix("Warning: "), Notice, stacklevel=3)
    return made.puzzle


def dissection_drawn(
    drawing: str | Path,
    *,
    lattice: float | None,
    motions: str | None,
    no_flip: bool,
    name: str | None,
    output: str | Path | None,
    solution: str | Path | None,
) -> DrawnDissection:
    """Make a dissection from a drawing, and write it; parameters and errors are those of `make_dissection`."""
    from ..csp.make.drawn_dissection import read_drawing

    _check_files(output, solution)
    made = read_drawing(drawing, lattice=lattice, motions=motions, flip=not no_flip, name=name)
    if solution is not None and made.solution is None:
        raise UsageError("the pieces are drawn apart from the target, so that there is no tiling; omit it", "solution")
    if output is not None or solution is not None:
        _write_both(made, output, solution)
    return made
