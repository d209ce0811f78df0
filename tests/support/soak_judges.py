"""Whether an answer is what the brute force says: of a complete run exactly that, of another one a lower bound."""

from jigsat.csp.engines.engine import find_engine
from jigsat.csp.engines.request import Goal
from jigsat.csp.engines.result import Status
from jigsat.csp.puzzles.check_board import check
from jigsat.csp.puzzles.check_tiling import TilingChecker
from jigsat.csp.puzzles.slips import anywhere

#: Engines that try sets of rotations one by one: they count orbits only if all are alike.
ONE_BY_ONE = ("balanced", "balanced:checkerboard")


class DifferenceError(Exception):
    """An answer that is not what the brute force says."""


def expect(what, found, wanted):
    """Raise DifferenceError unless two values are equal."""
    if found != wanted:
        raise DifferenceError(f"{what} is {shortened(found)}, but should be {shortened(wanted)}")


def expect_true(what, holds):
    """Raise DifferenceError unless something holds."""
    if not holds:
        raise DifferenceError(what)


def shortened(value):
    text = str(value)
    return text if len(text) < 200 else f"{text[:200]}..."


def judge_squares(truth, result, *, symmetry, order=None, slips=None, frame_slips=None, limits=()):
    """A result for a puzzle of squares."""
    puzzle = truth.puzzle
    expect("max_score", result.max_score, puzzle.max_score)
    _judge_end(result, limits, racing=not find_engine(result.engine).proves)
    if result.goal is Goal.BEST:
        _judge_best(truth, result, order, slips, frame_slips)
        return
    found = truth.boards(order, slips, frame_slips)
    orbit_of = dict(zip(found.solutions, found.orbits, strict=True))
    boards = [tuple((placed.piece, placed.rotation) for placed in board) for board in result.solutions]
    _judge_counts(result, boards, orbit_of, symmetry=symmetry, limits=limits)
    if result.best_board is not None and not (slips or frame_slips) and (found.solutions or not puzzle.fixed):
        verdict = check(puzzle, result.best_board)
        expect("placed pieces, score", (verdict.placed, verdict.score), (result.best_depth, result.best_score))
        expect_true(
            f"the checker rejects best_board: {verdict.problems}", not (verdict.faults or verdict.invalid_joins)
        )


def _judge_end(result, limits, *, racing):
    """A run is complete unless a limit ended it, or its engine proves nothing; no limit is passed."""
    expect("the sum of nodes_by_depth", sum(result.nodes_by_depth), result.nodes)
    ends = {None} if result.complete else {*limits, *(["restarts"] if racing else [])}
    expect_true(f"ended_by is {result.ended_by}, with the limits {limits}", result.ended_by in ends)
    if "nodes" in limits:
        expect_true(f"{result.nodes} nodes in spite of a limit", result.nodes <= limits["nodes"] + _over(result))


def _over(result):
    """By how much an engine may miss a limit of nodes: by fixed pieces, and more pieces that rotations fix."""
    fixed = next((i for i, nodes in enumerate(result.nodes_by_depth) if nodes != 1), len(result.nodes_by_depth))
    return len(result.nodes_by_depth) if result.engine in ONE_BY_ONE else max(fixed, 1)


def _judge_counts(result, found, orbit_of, *, symmetry, limits):
    """Status, solutions and counts of any kind of puzzle; `orbit_of` has all solutions."""
    count, canonical = len(orbit_of), len(set(orbit_of.values()))
    expect("the number of different solutions", len(set(found)), len(found))
    expect_true("a solution is no solution", set(found) <= orbit_of.keys())
    some = bool(found) or bool(result.count)
    known = Status.SATISFIABLE if some else Status.UNSATISFIABLE if result.complete else Status.UNKNOWN
    expect("status", result.status, known)
    if result.goal is Goal.SOLVE:
        expect_true(f"{len(found)} solutions of {count}", len(found) == min(count, 1) if result.complete else not found)
        return
    _judge_numbers(result, count, canonical)
    if result.goal is Goal.COUNT:
        expect("the number of solutions", len(found), 0)
        return
    wanted = canonical if symmetry else count
    if symmetry:
        expect("the number of solutions of different orbits", len({orbit_of[one] for one in found}), len(found))
    if result.complete:
        expect("the number of solutions", len(found), wanted)
    elif result.ended_by == "solutions":
        expect("the number of solutions", len(found), min(limits["solutions"], wanted))
    expect_true(f"{len(found)} solutions, but a count of {result.count}", len(found) <= result.count)


def _judge_numbers(result, count, canonical):
    """The counts of a complete run are exact, those of another one lower bounds."""
    if not result.complete:
        least = result.canonical_count
        expect_true(f"count {result.count} of {count} is no lower bound", 0 <= result.count <= count)
        expect_true(f"canonical_count {least} of {canonical} is no lower bound", least is None or least <= canonical)
        return
    expect("count", result.count, count)
    if result.canonical_count is not None or result.engine not in ONE_BY_ONE:
        expect("canonical_count", result.canonical_count, canonical)
    if result.symmetry_factor is not None:
        expect("canonical_count * symmetry_factor", canonical * result.symmetry_factor, count)


def _judge_best(truth, result, order, slips, frame_slips):
    """The best score of an engine that proves it is the best there is, that of another one is possible."""
    puzzle = truth.puzzle
    best = truth.best_score(order, slips, frame_slips)
    if find_engine(result.engine).proves and result.complete:
        expect("status", result.status, Status.UNSATISFIABLE if best is None else Status.OPTIMAL)
        expect("best_bound", result.best_bound, best)
        expect("best_score", result.best_score if result.solutions else None, best)
    else:
        some = Status.OPTIMAL if result.best_score == result.best_bound else Status.FEASIBLE
        expect("status", result.status, some if result.solutions else Status.UNKNOWN)
        expect_true(
            f"best_bound {result.best_bound}, but {best} is possible", best is None or result.best_bound >= best
        )
    if result.solutions:
        (board,) = result.solutions
        expect("best_board", board, result.best_board)
        expect("the score of best_board", puzzle.score(board), result.best_score)
        expect_true(f"best_score {result.best_score} of {best}", best is not None and result.best_score <= best)
        arrays = slips or anywhere(puzzle), truth_order(puzzle, order), frame_slips or ()
        verdict = check(puzzle, board, *arrays)
        expect_true(f"the checker rejects best_board: {verdict.problems}", verdict.is_solution)
        if result.complete:
            expect("best_score", result.best_score, best)


def truth_order(puzzle, order):
    """The order, by default the squares one after the other, fixed ones first."""
    fixed = [one.square for one in puzzle.fixed]
    return order or (*fixed, *(square for square in range(len(puzzle.board)) if square not in fixed))


def judge_tilings(truth, result, *, symmetry, limits=()):
    """A result for a dissection."""
    _judge_end(result, limits, racing=False)
    judged = TilingChecker(truth.puzzle)
    for tiling in result.solutions:
        expect_true("the checker rejects a tiling", judged(tiling).is_solution)
    _judge_counts(result, list(result.solutions), truth.orbit_of, symmetry=symmetry, limits=limits)
