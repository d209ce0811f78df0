"""Makes a puzzle and a run that differ smaller, as long as they still differ."""

from dataclasses import replace
from itertools import combinations

import in_c
from brute_force_lattice import double_area
from jigsat.csp.base.errors import PuzzleError
from jigsat.csp.geometry.polygons import convex_hull
from jigsat.csp.puzzles.edge_matching import Fixed
from soak_truth import has_old_form, truth_of

#: Shrinking ends after this number of tries in any case.
TRIES = 500


def shrunk(puzzle, run, different, differs):
    """The smallest puzzle and run that were found to differ, and what differs.

    `differs` takes a puzzle and a run, and returns what differs in it, or None.
    """
    tries, smaller = 0, True
    while smaller:
        smaller = False
        for other in _smaller(puzzle, run):
            tries += 1
            if tries > TRIES:
                return puzzle, run, different
            found = _tried(other, differs)
            # Another sort of answer would be another counterexample: a refusal in place of a wrong count, say.
            if found is not None and found.startswith("refused") == different.startswith("refused"):
                (puzzle, run), different, smaller = other, found, True
                break
    return puzzle, run, different


def _tried(other, differs):
    """What differs in a smaller puzzle and its run; None if nothing does, or there is no such puzzle."""
    try:
        return None if other[0] is None else differs(*other)
    except in_c.TooMuch:
        return None


def _changed(puzzle, **changes):
    """The puzzle with other fields; None if that is no puzzle."""
    try:
        return replace(puzzle, **changes)
    except PuzzleError:
        return None


def _smaller(puzzle, run):
    """Smaller puzzles and runs, those that leave out most first; the run is fitted to the puzzle."""
    if has_old_form(puzzle):
        make = _smaller_dissections if puzzle.kind == "dissection" else _smaller_squares
        yield from make(puzzle, run)
    elif puzzle.kind != "dissection":
        for one in puzzle.fixed:
            yield _changed(puzzle, fixed=tuple(other for other in puzzle.fixed if other != one)), run
    for simpler in _simpler(run):
        yield puzzle, simpler


def _simpler(run):
    """The run with an option, a limit or a stop left out, or a simpler value of one."""
    for name in run.options:
        yield replace(run, options={key: value for key, value in run.options.items() if key != name})
    for name in run.limits:
        if run.engine not in ("beam", "dive"):
            yield replace(run, limits={key: value for key, value in run.limits.items() if key != name})
    for name in ("slips", "frame_slips"):
        if len(run.options.get(name, ())) > 1:
            yield replace(run, options={**run.options, name: run.options[name][1:]})
    *kept, last = (run.options.get("encoding") or "").split("+")
    if kept and last:
        yield replace(run, options={**run.options, "encoding": "+".join(kept)})
    stops = run.others.get("stops", ())
    for i in range(len(stops)):
        yield replace(run, others={**run.others, "stops": [*stops[:i], *stops[i + 1 :]]})
    for name in ("own process", "start", "order"):
        if name in run.others:
            yield replace(run, others={key: value for key, value in run.others.items() if key != name})


def _smaller_squares(puzzle, run):
    """Without a row, a column, a piece or a fixed piece; with fewer colours."""
    yield from _without_lines(puzzle, run)
    for piece in range(len(puzzle.pieces)):
        if piece not in {one.piece for one in puzzle.fixed} and len(puzzle.pieces) > puzzle.rows * puzzle.columns:
            kept = [number for number in range(len(puzzle.pieces)) if number != piece]
            pieces = tuple(puzzle.pieces[number] for number in kept)
            fixed = tuple(Fixed(one.square, kept.index(one.piece), one.rotation) for one in puzzle.fixed)
            yield _changed(puzzle, pieces=pieces, fixed=fixed), _fitted(run, None, kept)
    for one in puzzle.fixed:
        yield _changed(puzzle, fixed=tuple(other for other in puzzle.fixed if other != one)), run
    colors = sorted({abs(side) for sides in puzzle.pieces for side in sides} - {0})
    for low, high in combinations(colors, 2):
        yield _recolored(puzzle, {high: low}), run
    if colors != list(range(1, len(colors) + 1)):
        yield _recolored(puzzle, {color: i for i, color in enumerate(colors, start=1)}), run


def _recolored(puzzle, becomes):
    def new(side):
        return becomes.get(abs(side), abs(side)) * (1 if side > 0 else -1)

    return _changed(puzzle, pieces=tuple(tuple(side and new(side) for side in sides) for sides in puzzle.pieces))


def _without_lines(puzzle, run):
    """Without a row or column: with the pieces of a solution's other ones, and with all pieces."""
    for across in (True, False):
        lines = puzzle.rows if across else puzzle.columns
        for line in range(lines) if lines > 1 else ():
            # The squares that are left, in their order.
            kept = [s for s in range(puzzle.rows * puzzle.columns) if divmod(s, puzzle.columns)[not across] != line]
            rows, columns = puzzle.rows - across, puzzle.columns - (not across)
            fixed = tuple(_on_kept(one, kept) for one in puzzle.fixed if one.square in kept)
            try:
                solutions = truth_of(puzzle).boards().solutions[:1]
            except in_c.TooMuch:
                solutions = []
            for solution in solutions:
                pieces = _closed_up(puzzle, solution, kept, line, across)
                there = sorted(solution[square][0] for square in kept)
                left = tuple(Fixed(s, there.index(p), r) for s, p, r in fixed)
                small = _changed(puzzle, rows=rows, columns=columns, pieces=tuple(pieces[i] for i in there), fixed=left)
                yield small, _fitted(run, kept, there)
            yield _changed(puzzle, rows=rows, columns=columns, fixed=fixed), _fitted(run, kept, None)


def _on_kept(one, kept):
    """A fixed piece on the board that has the kept squares only."""
    return Fixed(kept.index(one.square), one.piece, one.rotation)


def _closed_up(puzzle, solution, kept, line, across):
    """The pieces after a line of a solution is taken out: those before it match those behind it."""
    pieces = [list(sides) for sides in puzzle.pieces]
    step, away = (puzzle.columns, 2) if across else (1, 1)
    for square in kept:
        place = divmod(square, puzzle.columns)[not across]
        piece, rotation = solution[square]
        if place == line - 1:
            last = line == (puzzle.rows if across else puzzle.columns) - 1
            behind = None if last else solution[square + 2 * step]
            side = 0 if last else puzzle.mate(puzzle.pieces[behind[0]][(away + 2 - behind[1]) % 4])
            pieces[piece][(away - rotation) % 4] = side
        elif place == line + 1 and line == 0:
            pieces[piece][(away + 2 - rotation) % 4] = 0
    return [tuple(sides) for sides in pieces]


def _fitted(run, squares, pieces):
    """The run on a board that has these of the squares, with these of the pieces; None for all."""
    options, others = dict(run.options), dict(run.others)
    if squares is not None:
        for given in (options, others):
            if isinstance(given.get("order"), list):
                given["order"] = [squares.index(square) for square in given["order"] if square in squares]
        for name in ("slips", "frame_slips"):
            if isinstance(options.get(name), list):
                options[name] = [min(depth, len(squares)) for depth in options[name]]
        if "start" in others:
            others["start"] = [others["start"][square] for square in squares]
    if pieces is not None and "start" in others:
        others["start"] = [
            None if one is None or one[0] not in pieces else [pieces.index(one[0]), one[1]] for one in others["start"]
        ]
    return replace(run, options=options, others=others)


def _smaller_dissections(puzzle, run):
    """Two pieces of a tiling that have a convex union as one; a piece that can be cut off the target without it."""
    for tiling in list(truth_of(puzzle).orbit_of)[:3]:
        numbers = range(len(tiling))
        for i in numbers if len(tiling) > 1 else ():
            rest = [tiling[j] for j in numbers if j != i]
            target = _joined(rest)
            if target is not None:
                yield _changed(puzzle, target=target, holes=(), pieces=tuple(rest)), run
        for i, j in combinations(numbers, 2):
            one = _joined([tiling[i], tiling[j]])
            if one is not None:
                rest = [tiling[k] for k in numbers if k not in (i, j)]
                yield _changed(puzzle, pieces=(*rest, one)), run


def _joined(polygons):
    """The union of polygons that do not overlap, if it is convex."""
    hull = convex_hull(tuple(point for polygon in polygons for point in polygon))
    return hull if abs(double_area(hull)) == sum(abs(double_area(polygon)) for polygon in polygons) else None
