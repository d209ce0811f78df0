"""The search for tilings of a rectangle by rectangles: the lowest places first, on the skyline of what lies.

What lies is always below a *skyline*: plateaus from left to right, each with its first column and its height, no two
neighbours of the same height.  A *valley* is a plateau lower than its neighbours; the walls of the target are higher
than all.  In every tiling a piece lies at the left end of each valley, and is no wider than it.  A node chooses a
valley with the fewest candidates.  A skyline is dead if a valley cannot be filled from side to side, or a column to the
top, by any of the remaining pieces, if those that fit into a valley are too small together, or if the large pieces
cannot fill the columns so far that the small ones fill the rest.

Data layout

- Shapes are kinds of pieces one way round, those of a kind together: `kind`, `width`, `height`; those of kind k are
  numbers ``first[k]`` up to ``first[k + 1]``.
- `number` has the placement of a shape at a column and a row, or -1 where it must not lie.  In a row, the anchor can
  begin only in the columns from ``near[row]`` to before ``far[row]``, in a column only up to row ``latest[column]``; -1
  for none.  `order` has the kinds, the largest first.
- `squares`: whether all are squares, and each kind has its own size; `shape_at` has the shape of a size then.
- `thorough`: whether the areas of the smaller pieces are compared with what the larger ones leave.
- `outside` says which placements are of the anchor's and must not be in a tiling that is kept.  The search takes them,
  so that what can be done on a skyline can be done on its mirror image.
- A row of `starts`, `tops`, with `size` plateaus, is the skyline at a depth, one of `left` the number of pieces of each
  kind, one of `untried` the shapes left to be tried, and of `spot` the valley.
- `memo` has skylines below which nothing was found, four words each: the heights of plateaus from the eleventh on, the
  columns where plateaus begin, the heights of the first ten plateaus, and the remaining pieces.  That says all, so that
  a skyline is never taken for another one, except for its mirror image: of the two, the memory has the one with the
  lesser words.  Threads share the memory: the first word also has a bit that is set while a thread writes the others,
  and a number that counts the changes; who finds the same first word before and after has read what belongs together.
  Its length is a power of 2, or 1 for no memory.

Invariant: the pieces chosen[0..d-1] fill exactly what is below the skyline at depth d; every tiling that contains them
and lies ahead has one of untried[d] at the left end of the valley spot[d].
"""

import numpy as np

from ...base.bit_words import lowest, ones, prefetch, replace_word, share_word, shared_word
from ...base.compiled import inlined_kernel, inner_kernel, kernel, separate_kernel
from ..shared_tree import BUDGET_SPENT, EXHAUSTED, ROWS_FULL, RUNNING
from .lattice_kernel import BUDGET, CURSOR_SIZE, DEPTH, FLOOR, FRESH, WRITTEN

#: The place in the cursor of the nodes of earlier slices.
SPENT = CURSOR_SIZE
#: The most plateaus that a remembered skyline has.
REMEMBERED = 16
#: The columns and the rows of a target: a bit of a word for each sum, and six bits for a height.
LONGEST = 62
_0, _1, _2, _3, _6, _10 = (np.uint64(i) for i in (0, 1, 2, 3, 6, 10))
# The parts of a first word.
_UPPER, _WRITING, _CHANGE, _CHANGES = (np.uint64(i) for i in (2**36 - 1, 2**36, 2**42, 2**64 - 2**42))
_SIZE, _31, _4 = np.uint64(37), np.uint64(31), np.uint64(4)
_63 = np.uint64(63)
# The sum of no sides: sums are bits from the highest one down.
_NOTHING = np.uint64(2**63)
# Subtrees with fewer nodes are quicker searched than remembered.
_WORTH = 8


@separate_kernel
def _sums(first, sides, left, without, nor):
    """The sums of sides of the remaining pieces, 0 the highest bit, without one piece of two kinds (or no kinds)."""
    sums = _NOTHING
    for k in range(np.uint64(len(left))):
        pieces, once = left[k], _1
        if k in (without, nor):
            pieces -= _1
        if first[k + _1] == first[k] + _1:
            # 1, 2, 4 and so on at once.
            while pieces:
                some = min(pieces, once)
                step = some * sides[first[k]]
                if step <= _63:
                    sums |= sums >> step
                pieces -= some
                once += once
        else:
            for _ in range(pieces):
                sums |= sums >> sides[first[k]] | sums >> sides[first[k] + _1]
    return sums


@inlined_kernel
def _columns_can_be_filled(tables, starts, tops, size, left):
    """Whether, for each size, the smaller pieces have the area that the others must leave in the columns."""
    columns, rows = np.uint64(tables.number.shape[1]), np.uint64(tables.number.shape[2])
    # The small pieces' area, and the sums of the large ones' heights.
    small, sums = _0, _NOTHING
    for i in range(size):
        end = starts[i + _1] if i + _1 < size else columns
        small += (end - starts[i]) * (rows - tops[i])
    for k in tables.order:
        s = tables.first[k]
        two = tables.first[k + _1] != s + _1
        for _ in range(left[k]):
            sums |= sums >> tables.height[s] | (sums >> tables.height[s + _1] if two else _0)
        small -= left[k] * tables.width[s] * tables.height[s]
        gaps = _0
        for i in range(size):
            end = starts[i + _1] if i + _1 < size else columns
            gaps += (end - starts[i]) * lowest(sums >> (_63 - rows + tops[i]))
        if gaps > small:
            return False
        if gaps == _0:
            break
    return True


@inlined_kernel
def _fitting(tables, left, column, row, width, room, wide, sums, high):
    """The shapes that can lie at the left end of a valley, as bits, their number, and the area of all that fit in.

    `wide` are the sums of widths that the valley may have in any row, `sums` those in its lowest.
    """
    found, number, area = _0, _0, _0
    for s in range(np.uint64(len(tables.kind))):
        w, pieces = tables.width[s], left[tables.kind[s]]
        if w > width or pieces == _0 or not wide >> (_63 - width + w) & _1:
            continue
        h = tables.height[s]
        area += pieces * w * h
        # The anchor must not lie everywhere.
        free = tables.kind[s] != tables.anchor[0] or tables.number[s, column, row] >= 0
        if free and h <= room and sums >> (_63 - width + w) & high >> (_63 - room + h) & _1:
            found |= _1 << s
            number += _1
    return found, number, area


@inlined_kernel
def _followed(tables, left, found, width, right, nor):
    """The candidates after which the rest of the valley can be filled; the wall at its right is `right` high.

    In its lowest row are no pieces of kind `nor`.
    """
    bits = found
    while bits:
        low = bits & (~bits + _1)
        bits ^= low
        s = lowest(low)
        rest, k = width - tables.width[s], tables.kind[s]
        if rest == _0:
            continue
        if tables.thorough[0]:
            area = _0
            for t in range(np.uint64(len(tables.kind))):
                if tables.width[t] <= rest:
                    area += (left[tables.kind[t]] - np.uint64(tables.kind[t] == k)) * tables.width[t] * tables.height[t]
            if area < rest * min(tables.height[s], right):
                found ^= low
                continue
        # The rest of the width may not need the piece itself.
        doubtful = left[k] * tables.width[s] <= rest or not tables.squares[0]
        kinds = np.uint64(len(left))
        if doubtful and not _sums(tables.first, tables.width, left, k, kinds if k == nor else nor) >> (_63 - rest) & _1:
            found ^= low
    return found


@inlined_kernel
def _fitting_squares(tables, left, column, row, width, room, sizes, sums, high):
    """As `_fitting`, for squares of different sizes: the sizes that can lie at the left end, and their number."""
    found = sizes & sums >> (_63 - width) & high >> (_63 - room)
    anchor = tables.anchor[0]
    if anchor < np.uint64(len(left)):
        s = tables.first[anchor]
        if tables.number[s, column, row] < 0:
            found &= ~(_1 << tables.width[s])
    return found, ones(found)


@inlined_kernel
def choose_valley(tables, starts, tops, size, left):
    """The valley with the fewest candidates, and these as bits; none if the skyline is dead."""
    columns, rows = np.uint64(tables.number.shape[1]), np.uint64(tables.number.shape[2])
    kinds = np.uint64(len(left))
    anchor = tables.anchor[0]
    waits = anchor < kinds and left[anchor] > _0
    elsewhere = anchor if waits else kinds
    wide = without = _sums(tables.first, tables.width, left, elsewhere, kinds)
    if waits:
        for s in range(tables.first[anchor], tables.first[anchor + _1]):
            wide |= without >> tables.width[s]
    high = wide if tables.squares[0] else _sums(tables.first, tables.height, left, kinds, kinds)
    best, found, fewest, lowest_row, widest, deepest, nor = _0, _0, ~_0, ~_0, _0, _0, kinds
    wall, sizes, free = rows, _0, not waits
    if tables.squares[0]:
        for k in range(kinds):
            sizes |= np.uint64(left[k] > _0) << tables.width[k]
    for i in range(size):
        column, row = starts[i], tops[i]
        if not high >> (_63 - rows + row) & _1:
            return best, _0
        last = i + _1 == size
        end, other = (columns, rows) if last else (starts[i + _1], tops[i + _1])
        x = column
        while not free and x < end:
            free = tables.latest[x] >= np.int64(row)
            x += _1
        lower = min(wall, other)
        wall = row
        if row >= lower:
            continue
        width = end - column
        # The anchor may not begin in this row.
        here = max(column, tables.near[row]) < min(end, tables.far[row])
        sums = wide if here else without
        if not sums >> (_63 - width) & _1:
            return best, _0
        if tables.squares[0]:
            some, number = _fitting_squares(tables, left, column, row, width, rows - row, sizes, sums, high)
            area = width * (lower - row)
        else:
            some, number, area = _fitting(tables, left, column, row, width, rows - row, wide, sums, high)
        if number == _0 or area < width * (lower - row):
            return best, _0
        if number < fewest or (number == fewest and row < lowest_row):
            best, found, fewest, lowest_row, widest, deepest = i, some, number, row, width, other - row
            nor = kinds if here else elsewhere
    if not free or not found:
        return best, _0
    if tables.thorough[0] and not _columns_can_be_filled(tables, starts, tops, size, left):
        return best, _0
    if tables.squares[0]:
        bits, found = found, _0
        while bits:
            found |= _1 << tables.shape_at[lowest(bits)]
            bits &= bits - _1
    return best, _followed(tables, left, found, widest, deepest, nor)


@inlined_kernel
def _raise(tables, s, i, starts, tops, size, new_starts, new_tops):
    """Lay a shape at the left end of plateau i; return the number of plateaus of the new skyline."""
    column, top = starts[i] + tables.width[s], tops[i] + tables.height[s]
    for j in range(i):
        new_starts[j], new_tops[j] = starts[j], tops[j]
    at = i
    if i == _0 or tops[i - _1] != top:
        new_starts[at], new_tops[at] = starts[i], top
        at += _1
    end = starts[i + _1] if i + _1 < size else np.uint64(tables.number.shape[1])
    after = i + _1
    if column < end:
        new_starts[at], new_tops[at] = column, tops[i]
        at += _1
    elif after < size and tops[after] == top:
        after += _1
    for j in range(after, size):
        new_starts[at], new_tops[at] = starts[j], tops[j]
        at += _1
    return at


@inlined_kernel
def _key(tables, starts, tops, size, left, memo):
    """The words of a skyline or of its mirror image, and their place in the memory."""
    begin, upper, lower, mirrored, pieces = _0, _0, _0, _1, _0
    for i in range(min(size, np.uint64(REMEMBERED))):
        begin |= _1 << starts[i]
        if i:
            mirrored |= _1 << np.uint64(tables.number.shape[1]) - starts[i]
        if i < _10:
            lower |= tops[i] << _6 * i
        else:
            upper |= tops[i] << _6 * (i - _10)
    if mirrored <= begin:
        other_upper, other_lower = _0, _0
        for i in range(min(size, np.uint64(REMEMBERED))):
            top = tops[size - _1 - i]
            if i < _10:
                other_lower |= top << _6 * i
            else:
                other_upper |= top << _6 * (i - _10)
        same = mirrored == begin
        if not same or other_lower < lower or (other_lower == lower and other_upper < upper):
            begin, lower, upper = mirrored, other_lower, other_upper
    for k in range(len(left)):
        pieces = pieces * tables.most[k] + left[k]
    mixed = (begin ^ pieces * np.uint64(0x9E3779B97F4A7C15)) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ mixed >> np.uint64(29) ^ lower ^ upper * np.uint64(31)) * np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(32)
    return begin, lower, upper, pieces, (mixed & np.uint64(len(memo) // 4 - 1)) << _2


@inner_kernel
def _is_dead(memo, key):
    """Whether a skyline is known to be dead."""
    begin, lower, upper, pieces, first = key
    for at in (first, first ^ _4):
        state = shared_word(memo, at)
        same = state & _UPPER == upper and shared_word(memo, at + _1) == begin
        same = same and shared_word(memo, at + _2) == lower and shared_word(memo, at + _3) == pieces
        if same and not state & _WRITING and shared_word(memo, at) == state:
            return True
    return False


@separate_kernel
def _remember(memo, key, nodes):
    """Note that a skyline is dead, unless another thread writes to the same place; `nodes` is what that has taken.

    It takes the first place if it has taken about as many nodes as what is there, or more, and otherwise the second.
    """
    begin, lower, upper, pieces, at = key
    size = _0
    while nodes >> size > _1 and size < _31:
        size += _1
    state = shared_word(memo, at)
    if state >> _SIZE & _31 > size:
        at ^= _4
        state = shared_word(memo, at)
    if not state & _WRITING and replace_word(memo, at, state, state | _WRITING):
        share_word(memo, at + _1, begin)
        share_word(memo, at + _2, lower)
        share_word(memo, at + _3, pieces)
        share_word(memo, at, (state & _CHANGES) + _CHANGE | size << _SIZE | upper)


@kernel
def search_rectangles(tables, levels, nodes, memo, cursor, rows):
    """Continue the search until it is exhausted below the floor, the budget is spent, or the rows are full."""
    starts, tops, size, left, untried, spot, chosen, tried, options, entered, fertile = levels
    deepest = np.uint64(len(nodes))
    depth, fresh, budget, written = cursor[DEPTH], cursor[FRESH], cursor[BUDGET], _0
    code, key = RUNNING, (_0, _0, _0, _0, _0)
    while code == RUNNING:
        if fresh:
            fresh = _0
            remembers = len(memo) > 1 and size[depth] <= np.uint64(REMEMBERED)
            if remembers:
                key = _key(tables, starts[depth], tops[depth], size[depth], left[depth], memo)
                prefetch(memo, key[4])
            i, found = choose_valley(tables, starts[depth], tops[depth], size[depth], left[depth])
            if remembers and found and _is_dead(memo, key):
                found = _0
            spot[depth], untried[depth], tried[depth], fertile[depth] = i, found, _0, _0
            options[depth], entered[depth] = ones(found), cursor[BUDGET] - budget + cursor[SPENT]
        if budget == _0:
            code = BUDGET_SPENT
            break
        if untried[depth] == _0:
            if depth == cursor[FLOOR]:
                code = EXHAUSTED
                continue
            below = cursor[BUDGET] - budget + cursor[SPENT] - entered[depth]
            barren = fertile[depth] == _0 and below >= np.uint64(_WORTH)
            if barren and len(memo) > 1 and size[depth] <= np.uint64(REMEMBERED):
                key = _key(tables, starts[depth], tops[depth], size[depth], left[depth], memo)
                _remember(memo, key, below)
            depth -= _1
            continue
        low = untried[depth] & (~untried[depth] + _1)
        untried[depth] ^= low
        s, i = lowest(low), spot[depth]
        tried[depth] += _1
        chosen[depth] = tables.number[s, starts[depth, i], tops[depth, i]]
        nodes[depth] += 1
        budget -= _1
        if depth + _1 == deepest:
            is_kept = True
            for d in range(deepest):
                fertile[d] = _1
                rows[written, d] = chosen[d]
            if tables.thorough[0]:
                for d in range(deepest):
                    is_kept &= not tables.outside[chosen[d]]
            written += np.uint64(is_kept)
            if written == np.uint64(len(rows)):
                code = ROWS_FULL
            continue
        size[depth + _1] = _raise(
            tables, s, i, starts[depth], tops[depth], size[depth], starts[depth + _1], tops[depth + _1]
        )
        for k in range(left.shape[1]):
            left[depth + _1, k] = left[depth, k]
        left[depth + _1, tables.kind[s]] -= _1
        depth += _1
        fresh = _1
    cursor[SPENT] += cursor[BUDGET] - budget
    cursor[DEPTH], cursor[FRESH], cursor[BUDGET], cursor[WRITTEN] = depth, fresh, budget, written
    return code


@kernel
def visit_rectangles(tables, root, scratch, nodes, depth, wanted, numbers, children):
    """Count the children of nodes, which are rows of placements; child number `wanted` of each, if any, is written.

    `root` and `scratch` are skylines with the remaining pieces: starts, tops and left.
    """
    for n in range(len(nodes)):
        here, there, left, size = scratch[0], scratch[1], scratch[2][0], _1
        for k in range(len(left)):
            left[k] = root[k]
        here[0, 0], here[1, 0] = _0, _0
        for d in range(depth):
            s, column = tables.shape_of[nodes[n, d]], tables.column_of[nodes[n, d]]
            i = _0
            while here[0, i] != column:
                i += _1
            size = _raise(tables, s, i, here[0], here[1], size, there[0], there[1])
            left[tables.kind[s]] -= _1
            here, there = there, here
        i, bits = choose_valley(tables, here[0], here[1], size, left)
        numbers[n] = ones(bits)
        before = -1
        while bits and before < wanted[n]:
            low = bits & (~bits + _1)
            bits ^= low
            before += 1
            children[n] = tables.number[lowest(low), here[0, i], here[1, i]]
