"""The placements that a model starts from: none that a solution has is missing, and none is left without need."""

from itertools import product

from hypothesis import given, reject
from hypothesis import strategies as st

from brute_force import TooMuch, all_solutions, fillings_with_slips, fits, spin
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle
from jigsat.csp.puzzles.orders import find_order
from jigsat.csp.puzzles.slips import anywhere, frame_joins, inner_joins
from jigsat.models.squares.domains import Domains
from property_tests import examples
from strategies import puzzles

SMALL = [(1, 1), (1, 3), (2, 2), (2, 3), (3, 2), (2, 4), (3, 3)]
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))


def placed(domains):
    """The placements as (row, column), piece, rotation; without symmetry breaking these distinguish them."""
    pieces, rotations = domains.name_of_piece()
    squares = (divmod(square, domains.puzzle.columns) for square in domains.square.tolist())
    return list(zip(squares, pieces.tolist(), rotations.tolist(), strict=True))


def is_frame_join(puzzle, here, there):
    """Whether both squares lie on the same side of the board's border, next to each other."""
    (r, c), (s, d) = here, there
    return (r == s and r in (0, puzzle.rows - 1)) or (c == d and c in (0, puzzle.columns - 1))


def consistent(puzzle, slips):
    """What border and fixed pieces permit, less what has no match across a join that must be valid, again and again."""
    pinned = {divmod(f.square, puzzle.columns): (f.piece, f.rotation) for f in puzzle.fixed}
    used = {piece for piece, _ in pinned.values()}
    left = {}
    for r, c in product(range(puzzle.rows), range(puzzle.columns)):
        outside = [r == 0, c == puzzle.columns - 1, r == puzzle.rows - 1, c == 0]
        left[r, c] = {
            (piece, rotation): spin(sides, rotation)
            for (piece, sides), rotation in product(enumerate(puzzle.pieces), range(4))
            if [side == 0 for side in spin(sides, rotation)] == outside
            and pinned.get((r, c), (piece, rotation)) == (piece, rotation)
            and ((r, c) in pinned or piece not in used)
        }
    changed = True
    while changed:
        changed = False
        for (r, c), side in product(left, range(4)):
            there = (r + STEPS[side][0], c + STEPS[side][1])
            if there not in left or (slips and not is_frame_join(puzzle, (r, c), there)):
                continue
            facing = {sides[(side + 2) % 4] for sides in left[there].values()}
            for key, sides in list(left[r, c].items()):
                if not any(fits(puzzle, sides[side], other) for other in facing):
                    del left[r, c][key]
                    changed = True
    return {(square, *key) for square, keys in left.items() for key in keys}


@examples(80)
@given(puzzles(SMALL), st.booleans())
def test_placements_are_those_that_some_neighbour_matches(puzzle, with_slips):
    """One too few loses solutions; one too many makes larger models."""
    slips = anywhere(puzzle)[:2] if with_slips else ()
    _, order = find_order(puzzle, None)
    pruned, whole = (placed(Domains(puzzle, order, slips, prune=prune)) for prune in (True, False))
    assert len(set(pruned)) == len(pruned)
    assert set(pruned) == consistent(puzzle, slips)
    assert set(pruned) <= set(whole)


@examples(80)
@given(puzzles(SMALL), st.data())
def test_what_solutions_have_is_possible(puzzle, data):
    """Placements, colours of seams and numbers of pieces; of symmetric boards at least one is left."""
    slips = tuple(sorted(data.draw(st.lists(st.integers(1, len(puzzle.board)), max_size=inner_joins(puzzle)))))
    _, order = find_order(puzzle, None)
    try:
        if slips:
            fillings = fillings_with_slips(puzzle, order, slips, most=2_000)[-1]
            solutions = {tuple(sorted((at, what[:2]) for at, what in filling.items())) for filling in fillings}
        else:
            solutions = all_solutions(puzzle, 500, 50_000)
    except TooMuch:
        reject()
    domains = Domains(puzzle, order, slips)
    of_type = Domains(puzzle, order, slips, symmetry=True)
    index = domains.candidates.color_index
    some_without_symmetry = not solutions
    for solution in solutions:
        numbers = dict.fromkeys(range(len(of_type.candidates.kinds)), 0)
        everywhere = True
        for (r, c), (piece, rotation) in solution:
            square = r * puzzle.columns + c
            placement = domains.placement(piece, square, rotation)
            assert placement is not None
            assert placed(domains)[placement] == ((r, c), piece, rotation)
            assert placement in domains.placements_of(piece, square)
            for side, color in enumerate(spin(puzzle.pieces[piece], rotation)):
                seam, seen = domains.seam_color(square, side, color)
                assert (seam < 0) == (color == 0)
                assert seam < 0 or seen in domains.colors_of(seam)
                assert seam < 0 or seen in (index[color], domains.mates[index[color]])
                assert domains.color[placement, side] == (seen if color else -1)
            everywhere &= of_type.placement(piece, square, rotation) is not None
            (kind,) = (k for k, kind in enumerate(of_type.candidates.kinds) if piece in kind.pieces)
            numbers[kind] += 1
        some_without_symmetry |= everywhere
        for kind, number in numbers.items():
            least, most = of_type.copies(kind)
            assert least <= number <= most
    assert some_without_symmetry


@examples(60)
@given(puzzles(SMALL), st.data())
def test_a_slip_array_that_does_not_bind_excludes_nothing(puzzle, data):
    slips, frame_slips = arrays = [
        tuple(sorted(data.draw(st.lists(st.integers(1, len(puzzle.board)), max_size=joins))))
        for joins in (inner_joins(puzzle), frame_joins(puzzle))
    ]
    order = tuple(data.draw(st.permutations(range(len(puzzle.board)))))
    free = EdgeMatchingPuzzle(puzzle.rows, puzzle.columns, puzzle.pieces, puzzle.rule)
    domains = Domains(free, order, slips, frame_slips)
    place = {square: number for number, square in enumerate(order, start=1)}
    depths = [max(place[one.join.first], place[one.join.second]) for one in domains.loose]
    assert [one.depth for one in domains.loose] == depths == sorted(depths)
    numbers = inner_joins(puzzle) * bool(slips), frame_joins(puzzle) * bool(frame_slips)
    assert len(domains.loose) == sum(numbers)
    # Pieces that all mismatch: with this number on the board, all joins are invalid.
    binds = False
    for along, (joins, array) in enumerate(zip(domains.quotas, arrays, strict=True)):
        loose = [domains.loose[index] for index, _ in joins]
        assert len(loose) == numbers[along]
        assert all(puzzle.board.is_frame_join(one.join) == along for one in loose)
        assert [quota for _, quota in joins] == [sum(slip <= one.depth for slip in array) for one in loose]
        depths = [one.depth for one in loose]
        binds |= any(sum(d <= depth for d in depths) > sum(s <= depth for s in array) for depth in depths)
    assert domains.slips_bind == binds
    for one in domains.loose:
        assert domains.loose_at(one.join.first, one.join.side) == domains.loose.index(one)
        assert domains.loose_at(one.join.second, (one.join.side + 2) % 4) == domains.loose.index(one)
    joins = 2 * len(domains.loose)
    assert joins == sum(domains.loose_at(square, side) is not None for square in order for side in range(4))
