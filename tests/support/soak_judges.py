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
    puzzle = truth.puzzle
    expect("max_score", result.max_score, puzzle.max_score)
    _judge_end(result, limits, racing=not find_engine(result.engine).proves)
    if result.goal is Goal.BEST:
        _judge_best(truth, result, order, slips, frame_slips)
        return
    counts = truth.counts(order, slips, frame_slips)
    boards = [tuple((placed.piece, placed.rotation) for placed in board) for board in result.solutions]
    _judge_counts(result, boards, counts, symmetry=symmetry, limits=limits)
    if counts.orbit_of is None:
        rejected = next((board for board in result.solutions if not check(puzzle, board).is_solution), None)
        expect("a board that the checker rejects", rejected, None)
    if result.best_board is not None and not (slips or frame_slips) and (counts.count or not puzzle.fixed):
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


def _judge_counts(result, found, counts, *, symmetry, limits):
    """Status, solutions and counts of any kind of puzzle."""
    orbit_of = counts.orbit_of
    expect("the number of different solutions", len(set(found)), len(found))
    if orbit_of is not None:
        expect_true("a solution is no solution", set(found) <= orbit_of.keys())
    some = bool(found) or bool(result.count)
    known = Status.SATISFIABLE if some else Status.UNSATISFIABLE if result.complete else Status.UNKNOWN
    expect("status", result.status, known)
    if result.goal is Goal.SOLVE:
        enough = len(found) == min(counts.count, 1) if result.complete else not found
        expect_true(f"{len(found)} solutions of {counts.count}", enough)
        return
    _judge_numbers(result, counts)
    if result.goal is Goal.COUNT:
        expect("the number of solutions", len(found), 0)
        return
    wanted = counts.canonical_count if symmetry else counts.count
    if symmetry and orbit_of is not None:
        expect("the number of solutions of different orbits", len({orbit_of[one] for one in found}), len(found))
    if result.complete:
        expect("the number of solutions", len(found), wanted)
    elif result.ended_by == "solutions":
        expect("the number of solutions", len(found), min(limits["solutions"], wanted))
    expect_true(f"{len(found)} solutions, but a count of {result.count}", len(found) <= result.count)


def _judge_numbers(result, counts):
    """The counts of a complete run are exact, those of another one lower bounds."""
    for name in ("count", "canonical_count", "picture_count"):
        found, wanted = getattr(result, name), getattr(counts, name)
        if name == "picture_count" and found is None and "parts" in (result.statistics or {}):
            continue  # parts that are counted by themselves do not add up to pictures if these differ
        if not result.complete and wanted is not None:
            is_bound = name != "count" if found is None else 0 <= found <= wanted
            expect_true(f"{name} {found} of {wanted} is no lower bound", is_bound)
        elif wanted is not None and not (found is None and name != "count" and _tries_one_by_one(result)):
            expect(name, found, wanted)
    if result.complete and result.symmetry_factor is not None:
        expect("canonical_count * symmetry_factor", counts.canonical_count * result.symmetry_factor, counts.count)


def _tries_one_by_one(result):
    return result.engine in ONE_BY_ONE and result.goal is Goal.COUNT


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
    _judge_end(result, limits, racing=False)
    judged = TilingChecker(truth.puzzle)
    # The engine has had each of them judged, which takes long, and all tilings are known as a rule.
    for tiling in result.solutions if truth.counts().orbit_of is None else result.solutions[:3]:
        expect_true("the checker rejects a tiling", judged(tiling).is_solution)
    _judge_counts(result, list(map(truth.key, result.solutions)), truth.counts(), symmetry=symmetry, limits=limits)
