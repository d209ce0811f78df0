"""The kernel of the geometric search: fill the corner that has the fewest candidates, and go on.

Rules.  If the uncovered region has a corner of less than 180 degrees, exactly one piece of a tiling has a vertex in it
and an edge along its clockwise ray, because no edge can pass through.  So for any chosen corner it is enough to try the
pieces that fit there.  That vertex has less than 180 degrees, also if the piece is not convex.

Data layout (f is a fitting, c a candidate or another polygon, g a gap, d a depth)

- A *fitting* is a class of pieces with the vertex that goes into the corner, turned over or not; what looks alike is
  one.  Its edges from that vertex on are ``first_edge[f]`` up to ``first_edge[f + 1]``: ``turns`` (the word of the turn
  from its first edge), ``kinds`` and ``times`` (how long it is).  ``angles[f]`` and ``widths[f]`` are the angle in the
  corner, as a word and as a float.  If it is not convex, it is a union of convex parts ``first_part[f]`` up to
  ``first_part[f + 1]``; part p has the vertices ``part_vertices``, counted from the corner, from ``first_entry[p]`` up
  to ``first_entry[p + 1]``, and ``part_turns`` of the edges that begin there.
- Each piece has a *slot*, a bit in a row of words; ``class_slots[k]`` are those of class k, one after the other.
  ``left[d]`` has the slots of the pieces that do not lie; of a class its lowest slots.
- A polygon c has the vertices ``first[c]`` up to ``first[c + 1]``, counter-clockwise; ``dirs[v]`` is the direction of
  the edge that begins in vertex v.  Polygon 0 is the target, then its holes, clockwise; polygon ``hull[0]`` is the
  target's hull, then its pockets, which are convex, then candidates: piece ``fitting[c]`` with its first vertex in a
  corner and its first edge along the corner's clockwise ray.  After one that is not convex its convex parts follow, as
  many as ``parts[c]``.
- A *gap* is a sector round a point that nothing covers yet: vertex ``point[g]``, from direction ``right[g]`` on
  counter-clockwise to direction ``until[g]``; ``corners`` has those of the empty target.  Those below 180 degrees are
  corners and have candidates, ``lists[start[g]]`` up to ``lists[end[g]]``: all that fit, are disjoint from what lies,
  and leave an angle that other pieces can close.
- The polygons, gaps and lists made at depth d begin at ``tops[d]``.  ``choice[d]`` is the position in `lists` of the
  candidate that is next at depth d, ``last[d]`` where its list ends, ``chosen[d]`` where it began; ``placed[d]`` is the
  candidate that lies.

Invariant between two steps: everything above tops[depth + 1] is free, and the gaps of the depth are all gaps that the
pieces above it leave.  A kernel stops only there, so that it can be resumed with the same arrays.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...base.compiled import copy_numbers, inlined_kernel, inner_kernel, kernel, separate_kernel
from ..shared_tree import BUDGET_SPENT, EXHAUSTED, ROWS_FULL
from .exact_kernel import (
    EDGE,
    Floats,
    Indices,
    Integers,
    ahead,
    ask,
    copy_vertex,
    direction_of,
    disjoint,
    same_point,
    scattered,
    side,
    step,
    turn,
)

#: A further type of question, in addition to those of `exact_kernel`: room in an array.
POLYGONS, VERTICES, GAPS, LISTS = range(3, 7)
#: What `search` returns when it has a question.
ASKING = ROWS_FULL + 100
DEPTH, WRITTEN, BUDGET, STARTED, FLOOR, CURSOR_SIZE = range(6)

_0, _1, _2, _3, _6, _63 = (np.uint64(number) for number in (0, 1, 2, 3, 6, 63))
_UNKNOWN = np.uint32(0xFFFFFFFF)
_FULL = 2 * np.pi
# Far more than the error of a sum of angles at a corner.
_SLACK = 1e-9
# The largest number of steps to find out whether some pieces close a corner.
_PATIENCE = 4096


class Fittings(NamedTuple):
    """The pieces, as they fit into corners."""

    piece_class: Indices
    first_edge: Indices
    turns: NDArray[np.uint64]
    kinds: Indices
    times: Integers
    angles: NDArray[np.uint64]
    widths: Floats
    first_part: Indices
    first_entry: Indices
    part_vertices: Indices
    part_turns: NDArray[np.uint64]
    class_slots: NDArray[np.uint64]
    # The angles of all pieces, widest first, with the numbers of the slots of those that have them.
    angle_words: NDArray[np.uint64]
    angle_widths: Floats
    angle_slots: NDArray[np.uint64]
    # A hash table of these angles: 1 more than the rows with the slots of all pieces that have them, 0 for none.
    table_words: NDArray[np.uint64]
    table_rows: Indices
    having_slots: NDArray[np.uint64]
    # The symmetries that the anchor's class (or none) breaks: a row each, a, b, c, d, e, f and their denominator.  If
    # these are no integers, `maps` has matrices that take the coefficients of x, y and 1 to those of an image.
    anchor: Indices
    symmetries: Integers
    maps: Integers


class Polygons(NamedTuple):
    """Polygons, in a stack."""

    first: Indices
    dirs: Indices
    fitting: Indices
    parts: Indices
    hull: Indices
    # The least and the largest x, the least and the largest y, in floats.
    box: Floats


class Gaps(NamedTuple):
    """Gaps and their lists, in stacks."""

    point: Indices
    right: Indices
    until: Indices
    start: Indices
    end: Indices
    lists: Indices
    corners: Indices


class Stack(NamedTuple):
    """The data of each depth, and cached results."""

    tops: NDArray[np.uint64]
    choice: NDArray[np.uint64]
    last: NDArray[np.uint64]
    chosen: NDArray[np.uint64]
    placed: NDArray[np.uint64]
    left: NDArray[np.uint64]
    nodes: Integers
    cursor: Integers
    # Whether some pieces close an angle: the angle's word and the slots, and the answer.
    asked_words: NDArray[np.uint64]
    asked_slots: NDArray[np.uint64]
    answers: NDArray[np.bool_]
    # Scratch: polygons being compared, angles that are being added up, slots that they leave, vertices of a piece that
    # were met, counts before a step.
    images: Integers
    taken: NDArray[np.uint64]
    others: NDArray[np.uint64]
    seen: NDArray[np.bool_]
    counts: Integers


#: Columns of `tops`.
TOP_POLYGON, TOP_GAP, TOP_LIST = np.uint64(0), np.uint64(1), np.uint64(2)


@kernel
def search(plane, lines, fittings, polygons, gaps, stack, rows):
    """Search until the tree below the floor is exhausted, the budget spent, `rows` full, or a question is set."""
    cursor, end = stack.cursor, np.int64(len(stack.nodes))
    before = stack.counts
    copy_numbers(before, plane.counts)
    if cursor[STARTED] == 0:
        alive = _begin(plane, lines, fittings, polygons, gaps, stack)
        if plane.asked[_0] != 0:
            copy_numbers(plane.counts, before)
            return ASKING
        cursor[STARTED] = 1
        if not alive:
            stack.choice[_0] = stack.last[_0] = _0
    while True:
        d = np.uint64(cursor[DEPTH])
        if stack.choice[d] == stack.last[d]:
            if cursor[DEPTH] == cursor[FLOOR]:
                return EXHAUSTED
            cursor[DEPTH] -= 1
            continue
        if cursor[BUDGET] == 0:
            return BUDGET_SPENT
        c = np.uint64(gaps.lists[stack.choice[d]])
        stack.placed[d] = c
        is_last = cursor[DEPTH] + 1 == end
        alive = False
        if not is_last:
            copy_numbers(before, plane.counts)
            alive = _lay(plane, lines, fittings, polygons, gaps, stack, d, c)
            if plane.asked[_0] != 0:
                copy_numbers(plane.counts, before)
                return ASKING
        cursor[BUDGET] -= 1
        stack.nodes[d] += 1
        stack.choice[d] += _1
        if alive:
            cursor[DEPTH] += 1
        elif is_last and len(rows) > 0:
            _write(plane, polygons, stack, rows[np.uint64(cursor[WRITTEN])])
            cursor[WRITTEN] += 1
            if cursor[WRITTEN] == len(rows):
                return ROWS_FULL


@separate_kernel
def _write(plane, polygons, stack, row):
    """Write for each piece its fitting, the direction of its first edge, and its first vertex."""
    grades = np.uint64(plane.xs.shape[1])
    for d in range(np.uint64(len(stack.nodes))):
        c = stack.placed[d]
        v = np.uint64(polygons.first[c])
        row[d, _0], row[d, _1] = polygons.fitting[c], polygons.dirs[v]
        for s in range(grades):
            row[d, _2 + s], row[d, _2 + grades + s] = plane.xs[v, s], plane.ys[v, s]


@inner_kernel
def _begin(plane, lines, fittings, polygons, gaps, stack):
    """Make the gaps that the target and its holes leave; False if one of its corners cannot be filled."""
    top = stack.tops[_1]
    copy_numbers(top, stack.tops[_0])
    for i in range(np.uint64(len(gaps.corners))):
        v, right, until = gaps.corners[i]
        _add_gap(plane, gaps, top, np.uint64(v), np.uint64(right), np.uint64(until))
    return _fill_lists(plane, lines, fittings, polygons, gaps, stack, _0)


@inner_kernel
def _add_gap(plane, gaps, top, v, right, until):
    """Add a gap, unless it is empty; its candidates are not known yet."""
    if right == until:
        return
    g = top[TOP_GAP]
    if g == np.uint64(len(gaps.point)):
        ask(plane, GAPS)
        return
    gaps.point[g], gaps.right[g], gaps.until[g] = v, right, until
    is_corner = turn(plane, right, until) > 0
    gaps.start[g] = gaps.end[g] = _UNKNOWN if is_corner else np.uint32(0)
    top[TOP_GAP] = g + _1


@inner_kernel
def _lay(plane, lines, fittings, polygons, gaps, stack, d, c):
    """Place candidate c at depth d and make the remaining gaps; False if one of the corners cannot be filled."""
    own = np.uint64(fittings.piece_class[polygons.fitting[c]])
    without(stack.left, d, fittings.class_slots, own, stack.others)
    copy_numbers(stack.left[d + _1], stack.others)
    top = stack.tops[d + _2]
    copy_numbers(top, stack.tops[d + _1])
    seen = stack.seen
    first, end = np.uint64(polygons.first[c]), np.uint64(polygons.first[c + _1])
    for i in range(end - first):
        seen[i] = False
    for g in range(stack.tops[d, TOP_GAP], stack.tops[d + _1, TOP_GAP]):
        met = _meeting(plane, polygons, c, np.uint64(gaps.point[g]))
        right, until = np.uint64(gaps.right[g]), np.uint64(gaps.until[g])
        if met != 0:
            i = first + np.uint64(met >> 1) - _1
            begins, ends = np.uint64(polygons.dirs[i]), np.uint64(polygons.dirs[i]) ^ _1
            if met & 1 != 0:
                seen[i - first] = True
                ends = np.uint64(polygons.dirs[i - _1 if i > first else end - _1]) ^ _1
            if _is_within(plane, begins, right, until):
                v = np.uint64(gaps.point[g])
                if not _keep(plane, lines, fittings, polygons, gaps, stack, top, d + _1, c, g, begins):
                    return False
                _add_gap(plane, gaps, top, v, ends, until)
                continue
        if not _keep(plane, lines, fittings, polygons, gaps, stack, top, d + _1, c, g, until):
            return False
    for v in range(first, end):
        if not seen[v - first]:
            ends = np.uint64(polygons.dirs[v - _1 if v > first else end - _1]) ^ _1
            _add_vertex(plane, polygons, gaps, stack, top, d, v, np.uint64(polygons.dirs[v]), ends)
    return plane.asked[_0] == 0 and _fill_lists(plane, lines, fittings, polygons, gaps, stack, d + _1)


@separate_kernel
def _meeting(plane, polygons, c, v):
    """Where a point lies on a polygon's boundary: 0 nowhere, 2 i + 3 in vertex i, 2 i + 2 on the edge from there."""
    met = 0
    x, y, box, bound = plane.x[v], plane.y[v], polygons.box[c], plane.bound[_0]
    beside = box[_0] - x > bound or x - box[_1] > bound
    if beside or box[_2] - y > bound or y - box[_3] > bound:
        return met
    dirs, first, end = polygons.dirs, np.uint64(polygons.first[c]), np.uint64(polygons.first[c + _1])
    for i in range(first, end):
        if same_point(plane, v, i):
            met = np.int64(i - first) * 2 + 3
    i = first
    while met == 0 and i < end:
        d = np.uint64(dirs[i])
        if side(plane, v, i, d) == 0:
            j = i + _1 if i + _1 < end else first
            if ahead(plane, v, i, d) > 0 and ahead(plane, v, j, d) < 0:
                met = np.int64(i - first) * 2 + 2
        i += _1
    return met


@separate_kernel
def _is_within(plane, begins, right, until):
    """Whether a sector that begins in a direction, and is disjoint from all placed pieces, is part of a gap."""
    if begins in (right, until):
        result = begins == right
    elif right == until ^ _1:
        result = turn(plane, right, begins) > 0
    elif turn(plane, right, until) > 0:
        result = turn(plane, right, begins) > 0 and turn(plane, begins, until) > 0
    else:
        result = turn(plane, until, begins) <= 0 or turn(plane, begins, right) <= 0
    return result


@inner_kernel
def _add_vertex(plane, polygons, gaps, stack, top, d, v, begins, ends):
    """Add the gaps around a vertex that is not a vertex of a placed piece."""
    for o in range(np.uint64(polygons.hull[_0])):
        met = _meeting(plane, polygons, o, v)
        if met != 0:
            along = np.uint64(polygons.dirs[np.uint64(polygons.first[o]) + np.uint64(met >> 1) - _1])
            _add_gap(plane, gaps, top, v, along, begins)
            _add_gap(plane, gaps, top, v, ends, along ^ _1)
            return
    for e in range(d):
        c = stack.placed[e]
        first = np.uint64(polygons.first[c])
        met = _meeting(plane, polygons, c, v)
        if met != 0:
            along = np.uint64(polygons.dirs[first + np.uint64(met >> 1) - _1])
            _add_gap(plane, gaps, top, v, along ^ _1, begins)
            _add_gap(plane, gaps, top, v, ends, along)
            return
    _add_gap(plane, gaps, top, v, ends, begins)


@separate_kernel
def _keep(plane, lines, fittings, polygons, gaps, stack, top, d, placed, g, until):
    """Add a gap again, possibly smaller, with the candidates that still fit; False if no candidate fits."""
    v, right, start, stop = np.uint64(gaps.point[g]), np.uint64(gaps.right[g]), gaps.start[g], gaps.end[g]
    h = top[TOP_GAP]
    _add_gap(plane, gaps, top, v, right, until)
    if start == stop or top[TOP_GAP] == h:
        return True
    kept = top[TOP_LIST]
    gap, width = _gap(lines, right, until), _width(lines, right, until)
    for i in range(np.uint64(start), np.uint64(stop)):
        c = np.uint64(gaps.lists[i])
        if not _fits(fittings, stack, d, gap, width, np.uint64(polygons.fitting[c])):
            continue
        if _disjoint(plane, polygons, placed, c):
            if kept == np.uint64(len(gaps.lists)):
                ask(plane, LISTS)
                return False
            gaps.lists[kept] = c
            kept += _1
    gaps.start[h], gaps.end[h] = top[TOP_LIST], kept
    is_fillable = kept != top[TOP_LIST]
    top[TOP_LIST] = kept
    return is_fillable


@separate_kernel
def _gap(lines, right, until):
    """The word of the angle from one direction to another one, counter-clockwise."""
    gap = lines.words[until] - lines.words[right]
    return gap + lines.full[_0] if lines.words[until] < lines.words[right] else gap


@separate_kernel
def _width(lines, right, until):
    """The approximate angle (below 180 degrees) from one direction to another one, counter-clockwise."""
    width = lines.theta[until] - lines.theta[right]
    # The difference of the two is the angle, or a full turn less; rounding may make 0 negative.
    return max(width + _FULL if width < -1.0 else width, 0.0)


@inlined_kernel
def _fits(fittings, stack, d, gap, width, f):
    """Whether a piece of the fitting's class is left and others can fill the rest of the corner."""
    own = np.uint64(fittings.piece_class[f])
    rest, rest_width = gap - fittings.angles[f], width - fittings.widths[f]
    result = _is_left(stack.left, d, fittings.class_slots, own)
    if result and rest != _0:
        result = rest_width > -_SLACK
        if result:
            without(stack.left, d, fittings.class_slots, own, stack.others)
            result = _closes(fittings, stack, rest, rest_width, stack.others)
    return result


@inlined_kernel
def _is_left(left, d, class_slots, own):
    """Whether a row of slots has one of a class."""
    common = _0
    for w in range(np.uint64(left.shape[1])):
        common |= left[d, w] & class_slots[own, w]
    return common != _0


@inlined_kernel
def without(left, d, class_slots, own, remaining):
    """Set the slots that remain of a row when a piece of a class is placed: without its highest one."""
    w, is_placed = np.uint64(left.shape[1]), False
    while w > _0:
        w -= _1
        bits = left[d, w] & class_slots[own, w]
        remaining[w] = left[d, w]
        if bits != _0 and not is_placed:
            remaining[w] = (left[d, w] & ~class_slots[own, w]) | (bits >> _1 & class_slots[own, w])
            is_placed = True


@inner_kernel
def _closes(fittings, stack, rest, width, left):
    """Whether the angles of some pieces, one of each, add up to an angle; also true if the search takes too long.

    This changes `left`.
    """
    mixed = scattered(left[_0])
    for w in range(_1, np.uint64(len(left))):
        mixed = scattered(mixed ^ left[w])
    at = scattered(rest ^ mixed) & np.uint64(len(stack.answers) - 1)
    is_known = stack.asked_words[at] == rest
    for w in range(np.uint64(len(left))):
        is_known = is_known and stack.asked_slots[at, w] == left[w]
    if not is_known:
        stack.asked_words[at] = rest
        copy_numbers(stack.asked_slots[at], left)
        stack.answers[at] = _adds_up(fittings, stack.taken, rest, width, left)
    return stack.answers[at]


# Sums of words are equal exactly if the angles are, up to full turns, which the floats exclude.  With exponents too
# large for a word, unequal angles might look equal; then an unnecessary candidate is kept.
@inner_kernel
def _adds_up(fittings, taken, rest, width, left):
    """Depth-first search for angles, widest first, that add up; the last one is looked up."""
    number = np.uint64(len(fittings.angle_words))
    narrowest = fittings.angle_widths[number - _1]
    count, steps = _0, 0
    result = _one_closes(fittings, rest, left)
    is_over = result
    i = _next_angle(fittings, _0, width - narrowest)
    while not is_over:
        if i == number or fittings.angle_widths[i] * _population(left) < width - _SLACK:
            is_over = count == _0
            if not is_over:
                count -= _1
                i = taken[count]
                rest, width = rest + fittings.angle_words[i], width + fittings.angle_widths[i]
                left[fittings.angle_slots[i] >> _6] |= _1 << (fittings.angle_slots[i] & _63)
                i += _1
        elif left[fittings.angle_slots[i] >> _6] >> (fittings.angle_slots[i] & _63) & _1 == _0:
            i += _1
        else:
            steps += 1
            after, after_width = rest - fittings.angle_words[i], width - fittings.angle_widths[i]
            left[fittings.angle_slots[i] >> _6] ^= _1 << (fittings.angle_slots[i] & _63)
            is_over = result = steps > _PATIENCE or _one_closes(fittings, after, left)
            if after_width > 2 * narrowest - _SLACK:
                taken[count] = i
                count += _1
                rest, width = after, after_width
                i = _next_angle(fittings, i, width - narrowest)
            else:
                left[fittings.angle_slots[i] >> _6] |= _1 << (fittings.angle_slots[i] & _63)
                i += _1
    return result


@separate_kernel
def _population(left):
    """The number of bits that are set."""
    number = 0
    for w in range(np.uint64(len(left))):
        word = left[w]
        while word != _0:
            word &= word - _1
            number += 1
    return number


@inner_kernel
def _next_angle(fittings, i, width):
    """The first angle from the one given on that is not wider than a width."""
    low, high = i, np.uint64(len(fittings.angle_widths))
    while low < high:
        middle = (low + high) >> _1
        if fittings.angle_widths[middle] > width + _SLACK:
            low = middle + _1
        else:
            high = middle
    return low


@kernel
def enter_angle(words, rows, word, row):
    """Enter an angle that pieces have, with the number of its row of slots, into a table with room."""
    last = np.uint64(len(rows) - 1)
    i = scattered(word) & last
    while rows[i] != 0:
        i = (i + _1) & last
    words[i] = word
    rows[i] = row + 1


@inner_kernel
def _one_closes(fittings, rest, left):
    """Whether one piece has just this angle."""
    last = np.uint64(len(fittings.table_rows) - 1)
    i = scattered(rest) & last
    while fittings.table_rows[i] != 0 and fittings.table_words[i] != rest:
        i = (i + _1) & last
    row = np.uint64(fittings.table_rows[i])
    common = _0
    if row != _0:
        for w in range(np.uint64(len(left))):
            common |= left[w] & fittings.having_slots[row - _1, w]
    return common != _0


@inner_kernel
def _fill_lists(plane, lines, fittings, polygons, gaps, stack, d):
    """Find unknown candidates, and choose the corner with the fewest; False if a corner has no candidates."""
    top = stack.tops[d + _1]
    fewest = np.uint64(_UNKNOWN)
    for g in range(stack.tops[d, TOP_GAP], top[TOP_GAP]):
        if gaps.start[g] == _UNKNOWN:
            gaps.start[g] = top[TOP_LIST]
            _fill_list(plane, lines, fittings, polygons, gaps, stack, d, g)
            gaps.end[g] = top[TOP_LIST]
            if plane.asked[_0] != 0 or gaps.start[g] == gaps.end[g]:
                return False
        size = np.uint64(gaps.end[g]) - np.uint64(gaps.start[g])
        if size != _0 and size < fewest:
            fewest = size
            stack.choice[d] = stack.chosen[d] = gaps.start[g]
            stack.last[d] = gaps.end[g]
    return True


@inlined_kernel
def _fill_list(plane, lines, fittings, polygons, gaps, stack, d, g):
    """List the candidates of a corner."""
    right, until = np.uint64(gaps.right[g]), np.uint64(gaps.until[g])
    gap, width = _gap(lines, right, until), _width(lines, right, until)
    top = stack.tops[d + _1]
    for f in range(np.uint64(len(fittings.piece_class))):
        if not _fits(fittings, stack, d, gap, width, f):
            continue
        if not _make(plane, lines, fittings, polygons, top, np.uint64(gaps.point[g]), right, f):
            if plane.asked[_0] != 0:
                return
            continue
        if _is_free(plane, fittings, polygons, stack, top[TOP_POLYGON], f, d):
            if top[TOP_LIST] == np.uint64(len(gaps.lists)):
                ask(plane, LISTS)
                return
            gaps.lists[top[TOP_LIST]] = top[TOP_POLYGON]
            top[TOP_LIST] += _1
            top[TOP_POLYGON] += _1 + np.uint64(polygons.parts[top[TOP_POLYGON]])


@inlined_kernel
def _make(plane, lines, fittings, polygons, top, corner, right, f):
    """Make a candidate on top of the polygons; False if it leaves the hull."""
    c = top[TOP_POLYGON]
    v, e, end = np.uint64(polygons.first[c]), np.uint64(fittings.first_edge[f]), np.uint64(fittings.first_edge[f + _1])
    part, last_part = np.uint64(fittings.first_part[f]), np.uint64(fittings.first_part[f + _1])
    entries = np.uint64(fittings.first_entry[last_part]) - np.uint64(fittings.first_entry[part])
    if c + last_part - part + _2 > np.uint64(len(polygons.fitting)):
        ask(plane, POLYGONS)
        return False
    if v + end - e + entries > np.uint64(len(plane.x)):
        ask(plane, VERTICES)
        return False
    polygons.fitting[c], polygons.parts[c] = f, last_part - part
    polygons.first[c + _1] = v + end - e
    copy_vertex(plane, v, corner)
    h = np.uint64(polygons.hull[_0])
    hull, bound = polygons.box[h], plane.bound[_0]
    while True:
        d = direction_of(lines, lines.words[right] + fittings.turns[e])
        is_last = e + _1 == end
        if d == _0:
            if ask(plane, EDGE):
                plane.question[_0] = np.int64(lines.words[right] + fittings.turns[e])
                plane.question[_1] = -1 if is_last else np.int64(fittings.kinds[e])
            return False
        polygons.dirs[v] = d
        if is_last:
            bound_polygon(plane, polygons, c)
            return part == last_part or _add_parts(plane, lines, fittings, polygons, c, right)
        if not step(plane, lines, v, d, np.uint64(fittings.kinds[e]), fittings.times[e]):
            return False
        v, e = v + _1, e + _1
        x, y = plane.x[v], plane.y[v]
        if hull[_0] - x > bound or x - hull[_1] > bound or hull[_2] - y > bound or y - hull[_3] > bound:
            return False
        for i in range(np.uint64(polygons.first[h]), np.uint64(polygons.first[h + _1])):
            if side(plane, v, i, np.uint64(polygons.dirs[i])) < 0:
                return False


@separate_kernel
def _add_parts(plane, lines, fittings, polygons, c, right):
    """Make the convex parts of a candidate that is not convex; False if this is a question."""
    f, own = np.uint64(polygons.fitting[c]), np.uint64(polygons.first[c])
    v = np.uint64(polygons.first[c + _1])
    for p in range(np.uint64(fittings.first_part[f]), np.uint64(fittings.first_part[f + _1])):
        c += _1
        for i in range(np.uint64(fittings.first_entry[p]), np.uint64(fittings.first_entry[p + _1])):
            word = lines.words[right] + fittings.part_turns[i]
            d = direction_of(lines, word)
            if d == _0:
                if ask(plane, EDGE):
                    plane.question[_0], plane.question[_1] = np.int64(word), -1
                return False
            copy_vertex(plane, v, own + np.uint64(fittings.part_vertices[i]))
            polygons.dirs[v] = d
            v += _1
        polygons.fitting[c], polygons.parts[c] = f, _0
        polygons.first[c + _1] = v
        bound_polygon(plane, polygons, c)
    return True


@inner_kernel
def _is_free(plane, fittings, polygons, stack, c, f, d):
    """Whether a candidate overlaps no placed piece and, if it is the anchor, is the first of its images."""
    # What lies, the last one first; then the pockets of the target.
    pockets = np.uint64(polygons.hull[_0]) + _1
    for e in range(d + stack.tops[_0, TOP_POLYGON] - pockets):
        if not _disjoint(plane, polygons, c, stack.placed[d - _1 - e] if e < d else pockets + e - d):
            return False
    if fittings.piece_class[f] != fittings.anchor[_0]:
        return True
    first, end = np.uint64(polygons.first[c]), np.uint64(polygons.first[c + _1])
    return _comes_first(plane, fittings.symmetries, fittings.maps, stack.images, first, end)


@kernel
def bound_polygon(plane, polygons, c):
    """Set the box of a polygon."""
    v, box = np.uint64(polygons.first[c]), polygons.box[c]
    box[_0] = box[_1] = plane.x[v]
    box[_2] = box[_3] = plane.y[v]
    for i in range(v + _1, np.uint64(polygons.first[c + _1])):
        box[_0], box[_1] = min(box[_0], plane.x[i]), max(box[_1], plane.x[i])
        box[_2], box[_3] = min(box[_2], plane.y[i]), max(box[_3], plane.y[i])


@inlined_kernel
def _disjoint(plane, polygons, a, b):
    """Whether the interiors of two polygons are disjoint; their boxes decide most cases.

    The convex parts of a polygon that is not convex follow it.
    """
    if _are_beside(plane, polygons, a, b):
        return True
    a_parts, b_parts = np.uint64(polygons.parts[a]), np.uint64(polygons.parts[b])
    a_first, b_first = (a if a_parts == _0 else a + _1), (b if b_parts == _0 else b + _1)
    for i in range(a_first, a + a_parts + _1):
        for j in range(b_first, b + b_parts + _1):
            if a_parts | b_parts != _0 and _are_beside(plane, polygons, i, j):
                continue
            if not _separated(plane, polygons, i, j):
                return False
    return True


# The error of a coordinate is less than half the bound of that of a sign.
@inlined_kernel
def _are_beside(plane, polygons, a, b):
    """Whether the boxes of two polygons are surely disjoint."""
    one, other, bound = polygons.box[a], polygons.box[b], plane.bound[_0]
    beside = one[_0] - other[_1] > bound or other[_0] - one[_1] > bound
    return beside or one[_2] - other[_3] > bound or other[_2] - one[_3] > bound


@inner_kernel
def _separated(plane, polygons, a, b):
    """Whether the interiors of two convex polygons are disjoint, by their edges."""
    first, end = np.uint64(polygons.first[a]), np.uint64(polygons.first[a + _1])
    other_first, other_end = np.uint64(polygons.first[b]), np.uint64(polygons.first[b + _1])
    return disjoint(plane, polygons.dirs, first, end, other_first, other_end)


@inner_kernel
def _comes_first(plane, symmetries, maps, images, first, end):
    """Whether no image of a polygon under the symmetries comes before it, by their coefficients from the least on."""
    n, grades = end - first, np.uint64(plane.xs.shape[1])
    for m in range(np.uint64(len(symmetries))):
        a, b, c, d, e, f, scale = symmetries[m]
        for i in range(n):
            for s in range(grades):
                x, y = plane.xs[first + i, s], plane.ys[first + i, s]
                images[_0, i, s], images[_0, i, grades + s] = scale * x, scale * y
                images[_1, i, s], images[_1, i, grades + s] = a * x + b * y, c * x + d * y
            images[_1, i, _0] += e
            images[_1, i, grades] += f
            if len(maps) > 0:
                _apply(plane, maps[m], first + i, images[_1, i])
        j, k = _least(images[_0], n), _least(images[_1], n)
        # A reflection turns the order of the vertices round.
        onwards = _1 if a * d > b * c else n - _1
        for _ in range(n):
            order = _compare(images[_0, j], images[_1, k])
            if order > 0:
                return False
            if order < 0:
                break
            j, k = (j + _1) % n, (k + onwards) % n
    return True


@inner_kernel
def _apply(plane, rows, v, image):
    """Set the coefficients of the image of a vertex."""
    grades = np.uint64(plane.xs.shape[1])
    for i in range(np.uint64(len(image))):
        image[i] = rows[i, _2 * grades]
        for s in range(grades):
            image[i] += rows[i, s] * plane.xs[v, s] + rows[i, grades + s] * plane.ys[v, s]


@separate_kernel
def _least(points, n):
    """The number of the least of the first n rows."""
    least = _0
    for i in range(_1, n):
        if _compare(points[i], points[least]) < 0:
            least = i
    return least


@inner_kernel
def _compare(one, other):
    """-1, 0 or 1: one row comes before another one, is equal, or comes after it."""
    for s in range(np.uint64(len(one))):
        if one[s] != other[s]:
            return -1 if one[s] < other[s] else 1
    return 0
