"""The beam square by square: against every partial board there is, in plain Python; its order, route, rank, sieve."""

from collections import Counter
from dataclasses import replace
from itertools import permutations
from math import factorial, inf, lgamma, log, pi
from random import Random
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import assume, given, reject
from hypothesis import strategies as st

from brute_force import TooMuch, fits, spin
from jigsat.csp.base.compiled import kernel
from jigsat.csp.files.instances import read_squares
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.board import Board
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle, Fixed, Rule
from jigsat.csp.puzzles.orders import fixed_first, named_order
from jigsat.csp.puzzles.slips import anywhere, frame_joins, permitted_prefix
from jigsat.csp.search.beam import beam_search
from jigsat.csp.search.beam import kernel as beam_kernel
from jigsat.csp.search.beam import setting as beam_setting
from jigsat.csp.search.beam.beam_search import Beam
from jigsat.csp.search.beam.kernel import CHILDREN, COUNTS, FINE_STEPS, HISTOGRAM, STEPS, WANTED
from jigsat.csp.search.beam.routes import FIRST_KNOWN, KNOWN, OPENED, BeamTables
from jigsat.csp.search.beam.setting import (
    _LACKING,
    _LEFT_OVER,
    BLOCKED_LATER,
    NOISE,
    Rank,
    Setting,
    all_beam_orders,
    beam_orders,
)
from property_tests import examples
from strategies import mixed_jigsaw, puzzles

NAMES = ("rowscan", "colscan", "rowscan2:1", "spiral_in", "spiral_out", "frame_first", "zig_zag")
BOARDS_TRIED = [
    (1, 1),
    (1, 2),
    (1, 7),
    (7, 1),
    (2, 2),
    (2, 3),
    (5, 2),
    (3, 3),
    (3, 7),
    (7, 3),
    (4, 4),
    (6, 9),
    (16, 16),
]
# So wide that no board and no pass is left out; and the greatest number of boards at a depth.
_WIDE, _MOST = 1 << 18, 250


def prepared(puzzle, order, slips=None, frame_slips=()):
    """The setting of a beam along an order."""
    order = fixed_first(puzzle, order)
    placed, invalid = permitted_prefix(puzzle, order[: len(puzzle.fixed)], anywhere(puzzle), frame_slips)
    if placed < len(puzzle.fixed):
        reject()
    return Setting(puzzle, BeamTables(puzzle), order, slips, invalid, frame_slips)


def across(puzzle, square, side):
    """The square on the other side, or None."""
    row, column = divmod(square, puzzle.columns)
    row, column = row + (-1, 0, 1, 0)[side], column + (0, 1, 0, -1)[side]
    inside = 0 <= row < puzzle.rows and 0 <= column < puzzle.columns
    return row * puzzle.columns + column if inside else None


def along_the_frame(puzzle, square, side):
    """Whether the join there has the same border on both of its squares."""
    other = across(puzzle, square, side)
    beside = ((side + 1) % 4, (side + 3) % 4)
    return any(across(puzzle, square, s) is None and across(puzzle, other, s) is None for s in beside)


def least_turn(sides):
    return min(tuple(spin(sides, turn)) for turn in range(4))


def open_sides(puzzle, shown):
    """Of a partial board (square: sides shown) the sides that face an empty square, with what they show."""
    neighbours = [(square, side, across(puzzle, square, side)) for square in shown for side in range(4)]
    return {(q, side): shown[q][side] for q, side, other in neighbours if other is not None and other not in shown}


def invalid_joins(puzzle, shown):
    """How many joins of a partial board are invalid: inner ones, and those along the frame."""
    invalid = [0, 0]
    for square, side in ((square, side) for square in shown for side in (1, 2)):
        other = across(puzzle, square, side)
        if other in shown and not fits(puzzle, shown[square][side], shown[other][side + 2 & 3]):
            invalid[along_the_frame(puzzle, square, side)] += 1
    return invalid


def fixed_board(puzzle):
    return {square: tuple(spin(puzzle.pieces[piece], rotation)) for square, piece, rotation in puzzle.fixed}


def free_types(puzzle):
    pinned = {fixed.piece for fixed in puzzle.fixed}
    return Counter(least_turn(sides) for piece, sides in enumerate(puzzle.pieces) if piece not in pinned)


def look(puzzle, shown, used):
    """What two partial boards must share to be one to the beam: pieces used, by type, and the open sides."""
    return frozenset(used.items()), frozenset(open_sides(puzzle, shown).items())


def all_looks(puzzle, order, slips, *, along=False):
    """For 1, 2, ... free squares filled: every look that the slips permit, with its fewest invalid joins.

    Joins along the frame are valid unless they all may be invalid.
    """
    board, types = fixed_board(puzzle), free_types(puzzle)
    at_first = Counter()
    reached = {look(puzzle, board, at_first): (sum(invalid_joins(puzzle, board)), board, at_first)}
    by_depth = []
    for square in order[len(puzzle.fixed) :]:
        extended = {}
        for invalid, shown, used in reached.values():
            permitted = sum(depth <= len(shown) + 1 for depth in slips)
            for kind in types:
                if used[kind] == types[kind]:
                    continue
                for sides in {tuple(spin(kind, turn)) for turn in range(4)}:
                    inner, frame = added(puzzle, shown, square, sides)
                    more = inner + frame
                    most = len(puzzle.board) ** 2 if along else permitted
                    if (frame and not along) or more == inf or (more and invalid + more > most):
                        continue
                    board, numbers = {**shown, square: sides}, used + Counter([kind])
                    key = look(puzzle, board, numbers)
                    if key not in extended or extended[key][0] > invalid + more:
                        extended[key] = (invalid + more, board, numbers)
            if len(extended) > _MOST:
                raise TooMuch
        reached = extended
        by_depth.append({key: found[0] for key, found in reached.items()})
    return by_depth


def added(puzzle, shown, square, sides):
    """How many joins become invalid if a piece is laid that shows these sides: inner ones, and along the frame."""
    invalid = [0, 0]
    for side in range(4):
        other = across(puzzle, square, side)
        if (sides[side] == 0) != (other is None):
            return inf, inf
        if other in shown and not fits(puzzle, sides[side], shown[other][side + 2 & 3]):
            invalid[along_the_frame(puzzle, square, side)] += 1
    return invalid


def ways(sides):
    """The colours of a piece with how they run: 0 not along a border, 1 and 2 one way or the other, 3 between two."""
    return [(color, (sides[s - 3] == 0) + 2 * (sides[s - 1] == 0), s) for s, color in enumerate(sides) if color != 0]


def worth(puzzle, shown, used):
    """The sum of the terms as the docstring of `beam.setting` has it, from the sides that are left."""
    unused, opened = Counter(), Counter()
    for kind, number in (free_types(puzzle) - used).items():
        for color, way, _ in ways(kind):
            unused[puzzle.mate(color), (0, 2, 1, 3)[way]] += number
    for square, side in open_sides(puzzle, shown):
        opened.update((color, way) for color, way, s in ways(shown[square]) if s == side)
    return sum(
        term(unused[key], opened[key], own_mate=(puzzle.mate(key[0]) == key[0] and key[1] in (0, 3)))
        for key in unused | opened
    )


def term(unused, opened, *, own_mate):
    if opened > unused:
        return lgamma(unused + 1) - _LACKING * (opened - unused)
    left = unused - opened
    if own_mate:
        # (left - 1)!!, for odd numbers the same with the gamma function.
        others = left / 2 * log(2) + lgamma((left + 1) / 2) - log(pi) / 2 if left else 0.0
    else:
        others = lgamma(left + 1) / 2
    return lgamma(unused + 1) - lgamma(left + 1) + _LEFT_OVER * others


def slots_in_use(puzzle, setting, depth):
    """Which slot each open side has after a number of steps."""
    slots = {(square, side): slot for slot, square, side in setting.route.open_at_first}
    for step in setting.route.steps[:depth]:
        for number in range(step.numbers[KNOWN]):
            side = int(step.numbers[FIRST_KNOWN + 3 * number])
            del slots[across(puzzle, step.square, side), side + 2 & 3]
        opened = step.numbers[OPENED : OPENED + 4].tolist()
        slots |= {(step.square, side): slot for side, slot in enumerate(opened) if slot >= 0}
    return slots


def assert_board_is_right(puzzle, setting, beam, number):
    """That a board of the beam says of itself what its row of candidates says; returns its look and invalid joins."""
    shown, used, tables, boards = fixed_board(puzzle), Counter(), setting.tables, beam._boards
    candidates = tables.candidates
    number_used = [0] * len(candidates.kinds)
    for square, candidate in zip(setting.free, beam.row(number).tolist(), strict=False):
        kind = candidates.of_type[candidate]
        number_used[kind] += 1
        sides = candidates.kinds[kind].sides
        used[least_turn(sides)] += 1
        shown[square] = tuple(spin(sides, int(candidates.turns[candidate])))
    assert len(shown) == len(puzzle.fixed) + beam.depth
    assert all((sides[s] == 0) == (across(puzzle, q, s) is None) for q, sides in shown.items() for s in range(4))
    inner, frame = invalid_joins(puzzle, shown)
    assert boards.invalid[number] == inner + frame
    assert frame <= (setting.frame_quota[beam.depth - 1] if setting.frame_quota else 0)
    assert frame == (beam._along_frame[number] if setting.frame_quota else 0)
    assert setting.quota is None or inner <= setting.quota[beam.depth - 1]
    bits = [int(boards.used[number, bit // 64]) >> bit % 64 & 1 for bit in range(64 * tables.words)]
    expected = [bit for kind, n in enumerate(number_used) for bit in prefix(n, len(candidates.kinds[kind].pieces))]
    assert bits == expected + [0] * (len(bits) - len(expected))
    for (square, side), slot in slots_in_use(puzzle, setting, beam.depth).items():
        assert boards.slot[number, slot] == tables.color(puzzle.board, square, side, shown[square][side])
    at_first = worth(puzzle, fixed_board(puzzle), Counter())
    assert boards.potential[number] == pytest.approx(worth(puzzle, shown, used) - at_first, abs=1e-3)
    later = setting.free[beam.depth + 1 :]
    blocked = sum(is_blocked(puzzle, shown, free_types(puzzle) - used, square) for square in later)
    cost = BLOCKED_LATER * setting.penalty(setting.part(beam.depth))
    assert beam._hope[number] == pytest.approx(boards.potential[number] - cost * blocked, abs=1e-3)
    return look(puzzle, shown, used), int(boards.invalid[number])


def is_blocked(puzzle, shown, unused, square):
    """Whether two sides of an empty square are known, those along the frame first, that no unused piece fits."""
    known = [side for side in range(4) if across(puzzle, square, side) in shown]
    known.sort(key=lambda side: not along_the_frame(puzzle, square, side))
    if len(known) < 2:
        return False
    met = [(side, shown[across(puzzle, square, side)][side + 2 & 3]) for side in known[:2]]
    turned = (spin(sides, turn) for sides in unused for turn in range(4))
    lying = (sides for sides in turned if all((sides[s] == 0) == (across(puzzle, square, s) is None) for s in range(4)))
    return not any(all(fits(puzzle, sides[side], facing) for side, facing in met) for sides in lying)


def prefix(ones, length):
    return [1] * ones + [0] * (length - ones)


@st.composite
def orders(draw, puzzle):
    """An order with a name, one of the beam's, or any."""
    which = draw(st.sampled_from((*NAMES, "beam", "any")))
    if which == "beam":
        return draw(st.sampled_from(all_beam_orders(puzzle)))
    if which == "any":
        return tuple(draw(st.permutations(range(len(puzzle.board)))))
    return named_order(puzzle, which)


@examples(40)
@given(puzzles(), st.data())
def test_a_wide_beam_has_every_partial_board_once(puzzle, data):
    """Boards that a pass, a list, a mark or the threshold loses, boards kept twice or not with their fewest invalid
    joins, and fields of a board that are not brought up to date.
    """
    order = data.draw(orders(puzzle))
    few = st.lists(st.integers(1, len(puzzle.board)), max_size=4).map(sorted).map(tuple)
    slips = data.draw(st.one_of(st.just(anywhere(puzzle)), few))
    along = slips == anywhere(puzzle) and data.draw(st.booleans())
    setting = prepared(puzzle, order, slips, (1,) * along * frame_joins(puzzle))
    assume(setting.invalid.inner <= sum(depth <= setting.fixed for depth in slips))
    try:
        expected = all_looks(puzzle, setting.order, slips, along=along)
    except TooMuch:
        assume(False)
    beam = Beam(setting, _WIDE, 1)
    for looks in expected:
        assert beam.extend() == beam.number == len(looks)
        found = [assert_board_is_right(puzzle, setting, beam, n) for n in range(beam.number)]
        assert dict(found) == looks
        if not looks:
            return
    assert beam.is_full
    if not expected:
        return
    best = [n for n in range(beam.number) if (beam.row(n) == beam.best_row()).all()]
    assert beam._boards.invalid[best[0]] == min(expected[-1].values(), default=0)


@examples(40)
@given(puzzles(), st.data())
def test_the_boards_of_a_narrow_beam_are_what_they_say(puzzle, data):
    """Parents and candidates that are mixed up where children are thrown away; more boards than are permitted."""
    few = st.lists(st.integers(1, len(puzzle.board)), max_size=4).map(sorted).map(tuple)
    slips, frame_slips = data.draw(st.sampled_from((None, anywhere(puzzle)))), data.draw(st.one_of(st.just(()), few))
    setting = prepared(puzzle, data.draw(orders(puzzle)), slips, frame_slips)
    width = data.draw(st.integers(4, 40))
    beam = Beam(setting, width, data.draw(st.integers(0, 99)))
    while not beam.is_full:
        most = data.draw(st.sampled_from((None, None, 3, 10)))
        assert beam.extend(most) == beam.number <= min(width, width if most is None else most)
        if beam.number == 0:
            return
        looks = [assert_board_is_right(puzzle, setting, beam, n)[0] for n in range(beam.number)]
        assert_scores_stay(beam)
        assert len(set(looks)) == len(looks)


def assert_scores_stay(beam):
    """That a board with joins along the frame counted apart has the same score as with all of them."""
    if not beam.is_full and beam._setting.frame_quota is not None:
        penalty, found = np.float32(2.5), beam._setting.route.steps[beam.depth].passes[0][0]
        counted, hope, _ = beam._counted(found, 99, penalty)
        inner = counted.invalid
        boards, number = beam._boards, beam.number
        assert (inner + beam._along_frame)[:number].tolist() == boards.invalid[:number].tolist()
        score, expected = hope - penalty * inner, beam._hope - penalty * boards.invalid
        assert score[:number].tolist() == pytest.approx(expected[:number].tolist(), abs=1e-3)


def children(beam, step, found, threshold, most=1 << 20):
    """What a pass puts into the buffer: parent and candidate with score and gain; what the scores are without noise."""
    penalty = np.float32(beam._setting.penalty(0.5))
    beam._empty_buffer(len(beam._buffer[0]) - 1, penalty)
    beam._buffer.threshold[0] = threshold
    beam._gather_pass(step, found, most, penalty)
    number = beam._counts[CHILDREN]
    assert number < len(beam._buffer[0]) - 1, "the buffer must not be full, or the threshold rises"
    score, parent, candidate, gain = (column[:number].tolist() for column in beam._buffer[:4])
    pairs = list(zip(parent, candidate, strict=True))
    assert len(set(pairs)) == len(pairs)
    return dict(zip(pairs, zip(score, gain, strict=True), strict=True))


def by_piece_puzzles():
    chance = Random(7)
    connectors = [chance.randint(1, 5) * chance.choice((1, -1)) for _ in range(60)]
    yield deal_edge_matching(6, 6, 3, 5, seed=3).puzzle
    yield deal_edge_matching(7, 5, 3, 9, seed=4, clues=2).puzzle
    yield deal_edge_matching(9, 9, 3, 9, seed=5).puzzle  # more than one word of pieces
    yield mixed_jigsaw(chance, 6, 6, connectors)


@pytest.mark.some_cases(2)
@pytest.mark.parametrize("number", range(4))
def test_both_ways_to_gather_find_the_same_children(number):
    """Pieces that the masks miss, a gain for other sides than the open ones; at a threshold, many missed."""
    puzzle = list(by_piece_puzzles())[number]
    setting = prepared(puzzle, beam_orders(puzzle)[0])
    beam, compared, above, missed = Beam(setting, 1 << 16, 1), 0, 0, 0
    for step in setting.route.steps:
        for found in (found for level in step.passes for found in level if found.runs is not None):
            for most in (1 << 20, 1):
                by_piece = children(beam, step, found, -np.inf, most)
                plain = children(beam, step, replace(found, runs=None), -np.inf, most)
                assert by_piece.keys() == plain.keys()
                for child, (score, gain) in plain.items():
                    assert by_piece[child][1] == pytest.approx(gain, abs=1e-3)
                    assert by_piece[child][0] == pytest.approx(score, abs=NOISE + 1e-3)
                compared += len(plain)
            if plain:
                threshold = np.quantile([score for score, _ in plain.values()], 0.8)
                few = children(beam, step, found, threshold, 1)
                assert all(score > threshold for score, _ in few.values())
                better = {child for child, (score, _) in plain.items() if score > threshold + 2 * NOISE}
                above, missed = above + len(better), missed + len(better - few.keys())
        beam.extend(60)
        if not beam.number:
            break
    assert compared > 1_000
    # The rough sum is no bound: near the end of a board a few children are lost.
    assert missed <= 0.15 * above


@kernel
def _add(total, parent, candidate, gain, top, buffer):
    beam_kernel.add_child(total, parent, candidate, gain, top, buffer)


def sieve(top, room, wanted, scores):
    """What is left of children with these scores, and the threshold then."""
    columns = (np.zeros(room, dtype=kind) for kind in (np.float32, np.uint32, np.uint32, np.float32))
    threshold = np.full(1, -1e9, dtype=np.float32)
    histogram = np.zeros(HISTOGRAM + FINE_STEPS, dtype=np.int64)
    counts = np.zeros(COUNTS, dtype=np.int64)
    counts[WANTED] = wanted
    buffer = beam_kernel.Buffer(*columns, threshold, histogram, counts)
    for number, score in enumerate(scores):
        assert counts[CHILDREN] < room, "the next child would lie beyond the buffer"
        # Parent, candidate and gain are made of the number, so that rows torn apart are seen.
        what = number, np.int64(2 * number), np.float32(number)
        _add(np.float32(score), *what, np.float32(top), buffer)
    beam_kernel.thin_out(np.float32(top), buffer)
    number = int(counts[CHILDREN])
    score, parent, candidate, gain = (column[:number] for column in buffer[:4])
    assert (candidate == 2 * parent).all()
    assert (gain == parent).all()
    assert (score == np.array(scores, dtype=np.float32)[parent]).all()
    return set(parent.tolist()), float(threshold[0])


@examples(150)
@given(
    st.lists(st.one_of(st.floats(-60, 9.5), st.integers(-50, 9), st.floats(0, 0.03)), max_size=120),
    st.integers(1, 40),
    st.integers(0, 40),
    st.floats(-1500, 0),
)
def test_the_best_children_are_kept(scores, wanted, more_room, base):
    """A better child thrown away than one that is kept; more than are wanted; many fewer where scores differ."""
    scores = [np.float32(base + score) for score in scores]
    kept, threshold = sieve(base + 10, wanted + 1 + more_room, wanted, scores)
    assert len(kept) <= wanted
    if len(scores) <= wanted:
        assert kept == set(range(len(scores)))
        return
    # 5e-4 is more than scores are rounded by.
    assert kept >= {number for number, score in enumerate(scores) if score > threshold + 5e-4}
    assert kept <= {number for number, score in enumerate(scores) if score > threshold - 5e-4}
    # Those that are missing are hardly worse than the threshold: there are more children than wanted from there on.
    assert sum(score > threshold - 1.5 / (STEPS * FINE_STEPS) - 5e-4 for score in scores) > wanted


def test_children_far_better_than_their_parents_are_sieved_too():
    """Scores above the top of the histogram, as where open sides that nothing fits are covered: the buffer must not
    overflow.
    """
    kept, _ = sieve(0, 6, 4, [1 + number / 8 for number in range(40)])
    assert 0 < len(kept) <= 4


@pytest.mark.parametrize(("room", "wanted"), [(2, 1), (4, 3), (6, 4)])
def test_equal_scores_do_not_overflow_the_buffer(room, wanted):
    """The threshold is rounded: children at it may count as above it, more of them than the narrow buffer holds."""
    chance = Random(1)
    for _ in range(2_000):
        top, score = chance.uniform(-50, 0), -100 * chance.random() ** 2
        kept, _ = sieve(np.float32(top), room, wanted, [np.float32(top + score)] * (room + 3))
        assert len(kept) <= wanted


@pytest.mark.parametrize("unused", range(7))
def test_terms_are_logarithms_of_numbers_of_matchings(unused, monkeypatch):
    """The formula against matchings counted one by one, of a colour that is its own mate and of a pair of mates."""
    monkeypatch.setattr(beam_setting, "_LEFT_OVER", 1.0)
    rank = Rank(SimpleNamespace(unused=np.array([6, 6, 6]), mate_of=np.array([0, 2, 1]), colors=3), 6)

    def terms(unused, opened):
        return rank.terms[rank.places(np.array(unused), np.array(opened))]

    for opened in range(unused % 2, unused + 1, 2):
        counted = sum(pairings(set(range(unused)) - set(chosen)) for chosen in permutations(range(unused), opened))
        assert terms([unused] * 3, [opened] * 3)[0] == pytest.approx(log(counted), abs=1e-4)
    for opened in range(unused + 1):
        for other in range(7 - unused + opened):
            # As many are left over of each of the mates.
            left = unused - opened
            counted = sum(1 for _ in permutations(range(unused), opened))
            counted *= sum(1 for _ in permutations(range(left + other), other)) * factorial(left)
            both = terms([0, unused, left + other], [0, opened, other])[1:].sum()
            assert both == pytest.approx(log(counted), abs=1e-4)


def pairings(things):
    """How many ways there are to put these things in pairs."""
    first, *rest = things or [None]
    return 1 if first is None else sum(pairings(set(rest) - {other}) for other in rest)


def bare(rows, columns, fixed=()):
    """A puzzle of that size; what its pieces show is of no interest."""
    board = Board(rows, columns)
    pieces = tuple(
        tuple(0 if board.neighbour(square, side) is None else 1 for side in range(4)) for square in range(len(board))
    )
    return EdgeMatchingPuzzle(rows, columns, pieces, fixed=tuple(Fixed(square, square, 0) for square in fixed))


@pytest.mark.parametrize(("rows", "columns"), BOARDS_TRIED)
def test_orders_hold_every_square_once_with_lines_along_the_shorter_side(rows, columns):
    """Long lines would need more open sides, and so a wider beam, for nothing."""
    for number in (0, 1, 5):
        fixed = Random(number).sample(range(rows * columns), min(rows * columns, number))
        found = all_beam_orders(bare(rows, columns, fixed))
        assert len(set(found)) == len(found) >= 1
        for order in found:
            assert sorted(order) == list(range(rows * columns))
            first_line = [divmod(square, columns) for square in order[: min(rows, columns)]]
            if rows != columns:
                assert len({place[0 if columns < rows else 1] for place in first_line}) == 1
        # On a square board each of the eight ways to turn and reflect is there.
        if rows == columns >= 3:
            assert len({(order[0], order[1]) for order in found}) == 8


def test_orders_that_meet_fixed_pieces_late_are_left_out():
    """The starter piece lies in row I, the eighth one from row P and the ninth one from row A."""
    puzzle = read_squares("eternity2")
    kept = beam_orders(puzzle)
    begun = {" ".join(map(puzzle.board.name, order[:2])) for order in kept}
    assert begun == {"P1 P2", "P16 P15", "A1 B1", "P1 O1"}
    depths = [order.index(puzzle.fixed[0].square) for order in all_beam_orders(puzzle)]
    assert depths == sorted(depths) == [119, 119, 120, 120, 135, 135, 136, 136]


def test_mates_are_mutual():
    """A colour that no piece shows, here the connector -2, was taken for its own mate or that of the first one."""
    pieces = ((0, 0, -1, -1), (-1, 1, 0, 0), (-1, 0, 1, 1), (0, 0, 1, 1), (0, 1, -1, 0), (1, 0, -1, 2), (1, 0, 0, 1))
    setting = prepared(EdgeMatchingPuzzle(3, 2, pieces, Rule.OPPOSITE), (4, 5, 2, 3, 0, 1))
    mate_of = setting.tables.mate_of.tolist()[:-1]
    assert all(mate_of[mate] == color != mate for color, mate in enumerate(mate_of))


@pytest.mark.parametrize("size", [1, 7, 64])
def test_slices_of_any_size_give_the_same_beam(monkeypatch, size):
    puzzle = deal_edge_matching(5, 5, 3, 4, seed=2).puzzle
    setting = prepared(puzzle, beam_orders(puzzle)[0])
    whole, sliced = Beam(setting, 150, 1), Beam(setting, 150, 1)
    while whole.number and not whole.is_full:
        monkeypatch.setattr(beam_search, "_SLICE", 1 << 17)
        whole.extend()
        monkeypatch.setattr(beam_search, "_SLICE", size)
        assert sliced.extend() == whole.number
        assert (sliced.rows(np.arange(sliced.number)) == whole.rows(np.arange(whole.number))).all()
        assert (sliced.invalid == whole.invalid).all()
    assert whole.is_full


@pytest.mark.parametrize("frame_slips", [(), (1, 3)])
def test_a_beam_that_must_stop_stays_as_it_is(monkeypatch, frame_slips):
    """Wherever it asks; when it goes on, its boards are made from the same parents."""
    monkeypatch.setattr(beam_search, "_SLICE", 20)
    puzzle = deal_edge_matching(5, 5, 3, 4, seed=2).puzzle
    setting = prepared(puzzle, beam_orders(puzzle)[0], None, frame_slips)
    beam = Beam(setting, 60, 1)
    stops = 0
    for _ in range(15):
        before = beam.rows(np.arange(beam.number)) if beam.depth else None
        for patience in range(1000):
            asked = iter(range(patience))
            depth, number = beam.depth, beam.number
            made = beam.extend(must_stop=lambda asked=asked: next(asked, None) is None)
            if made:
                break
            stops += 1
            assert (beam.depth, beam.number) == (depth, number)
            if before is not None:
                assert (beam.rows(np.arange(beam.number)) == before).all()
        for n in range(beam.number):
            assert_board_is_right(puzzle, setting, beam, n)
        if before is not None:
            parents = {tuple(row) for row in before.tolist()}
            assert {tuple(row[:-1]) for row in beam.rows(np.arange(beam.number)).tolist()} <= parents
    assert stops > 50


def test_turns_of_the_last_piece_are_different_boards():
    """One inner square is free: each turn of its piece makes a board, and none equals another one."""
    made = deal_edge_matching(3, 3, 3, 4, seed=1)
    (piece,) = [number for number, sides in enumerate(made.puzzle.pieces) if 0 not in sides]
    assert len(set(made.puzzle.pieces[piece])) == 4
    puzzle = made.puzzle.with_fixed([None if placed.piece == piece else placed for placed in made.solution])
    setting = prepared(puzzle, range(9))
    beam = Beam(setting, 1000, 1)
    beam.tell_apart()
    assert beam.extend() == 4
    assert min(beam.invalid) == 0
