"""The kernel of dives: depth-first search along a staircase order, with a slip array and a quota of early colours."""

import numpy as np

from ..base.compiled import inner_kernel, kernel, separate_kernel
from .shared_tree import BUDGET_SPENT, DEEPER, EXHAUSTED, ROWS_FULL

#: Entries of a depth in `plan` and in `state`, and of a pass in `passes`.
PLAN_SIZE, STATE_SIZE, PASS_SIZE = 13, 5, 6
#: The state of the search: depth, position, pass, tally, nodes left of the budget; and the floor of the section.
DEPTH, POSITION, PASS, TALLY, BUDGET = range(5)
CURSOR_SIZE = 5
#: A tally has, from the lowest bit, the invalid joins along the frame, all invalid joins, and the sides of early
#: colours; a word has the latter at its top.
ALL_SHIFT, TALLY_SHIFT, EARLY_SHIFT = 13, 36, 48
#: The bits of the invalid joins in a tally; and the bits above both numbers, for carries.
INVALID, CARRIES = np.uint64((1 << TALLY_SHIFT) - 1), np.uint64(1 << ALL_SHIFT - 1 | 1 << TALLY_SHIFT - 1)

# In `plan`: the first pass; how the key of its list depends on the depth before, on the left and the lower neighbour
# further back, and its constant part; where the colours are that candidates are compared with; the quotas.
(
    _FIRST,
    _OWN_SHIFT,
    _OWN_STRIDE,
    _LEFT,
    _LEFT_STRIDE,
    _LOWER,
    _LOWER_STRIDE,
    _BASE,
    _BESIDE,
    _BELOW,
    _NEED,
    _SLIPS,
    _INNER_SLIPS,
) = (np.uint64(i) for i in range(PLAN_SIZE))
_INVALID, _PASS_BASE, _PASS_LEFT, _PASS_LOWER, _CARED, _DIFFERING = (np.uint64(i) for i in range(PASS_SIZE))
_WORD, _AT, _IN_PASS, _SO_FAR, _PARTIAL = (np.uint64(i) for i in range(STATE_SIZE))

_0, _1 = np.uint64(0), np.uint64(1)
_LOW = np.uint64(0xFFFF)
_ALL, _ALONG_FRAME = np.uint64(ALL_SHIFT), np.uint64((1 << ALL_SHIFT) - 1)
_RIGHT, _UP, _EARLY, _SLIP_BITS = np.uint64(16), np.uint64(32), np.uint64(EARLY_SHIFT), np.uint64(TALLY_SHIFT)
_PLAN, _STATE, _PASS = np.uint64(PLAN_SIZE), np.uint64(STATE_SIZE), np.uint64(PASS_SIZE)
# Further codes for the end of a section.
_BELOW_FLOOR, _AT_CEILING = np.int64(101), np.int64(102)


@kernel
def dive(words, fits, index, starts, passes, plan, levels, available, state, nodes, cursor, deep):
    """Search until the tree is exhausted, the budget is spent, or a piece is about to lie at depth `deep` or below.

    At the last depth, the piece is laid and counted, and the search will go on after it: the board is full.

    - ``words[position]`` is a candidate: from the lowest bit 16 each for its type, its right and its upper colour, and
      the number of its sides with early colours.  A list ends with a type that is always available.  ``fits[position]``
      has the colours that fit onto its left and, 16 bits higher, its lower side; in the upper half, its number.
    - ``plan[13 * d:]`` belongs to depth d, ``passes[6 * s:]`` to pass s, a list for each key: its invalid joins; how
      its key is made, ``index[key]`` being the position of a list; the lanes of `fits` that must match, and that must
      not.  Depth d has the passes from its first one to before that of depth d + 1, those with fewer invalid joins
      first.
    - ``plan`` has the largest numbers of invalid joins and the least number of sides with early colours for p pieces on
      the board; a list has the candidates with more such sides first.
    - From depth ``levels[l]`` on the lists are those of level l, as long as the ones of level 0 but thinned: without
      the types of which no piece was left when the search came there.  Positions of level l begin at l times the
      number of positions of a level; ``starts`` has those of level 0 at which a list starts.
    - ``state`` has for each depth above the current one the word and the position of its candidate, its pass, the tally
      before it, and the part of the key of the next depth that does not depend on it.

    Invariant: as in `kernels`.
    """
    last = np.uint64(len(nodes) - 1)
    size = np.uint64(len(words) // len(levels))
    level = _0
    while level + _1 < np.uint64(len(levels)) and cursor[DEPTH] >= levels[level + _1]:
        level += _1
    while True:
        ceiling = levels[level + _1] if level + _1 < np.uint64(len(levels)) else last + _1
        code = _section(
            words, fits, index, passes, plan, available, state, nodes, cursor,
            levels[level], ceiling, deep, level * size,
        )  # fmt: skip
        if code == _AT_CEILING:
            level += _1
            _thin(words, fits, starts, available, (level - _1) * size, level * size)
            # From the start: the candidates before the position may be gone.
            d, s = cursor[DEPTH], cursor[PASS]
            cursor[POSITION] = level * size + _first(d, s, index, passes, plan, state)
        elif code == _BELOW_FLOOR:
            level -= _1
        elif code == DEEPER and cursor[DEPTH] == last:
            i, s = cursor[POSITION], cursor[PASS]
            _lay(last, words[i], i, s, cursor[TALLY], _0, state)
            nodes[last] += _1
            cursor[BUDGET] -= _1
            cursor[POSITION] += _1
            return ROWS_FULL
        else:
            return code


@inner_kernel
def _next_pass(s, before, passes, at, plan):
    """The first pass from s on that adds no more invalid joins of each kind than the quota allows, or the end."""
    after, quota, inner = plan[at + _PLAN + _FIRST], plan[at + _SLIPS] | CARRIES, plan[at + _INNER_SLIPS]
    while s < after:
        tally = before + passes[_PASS * s]
        if (quota - tally) & CARRIES == CARRIES and (tally >> _ALL) - (tally & _ALONG_FRAME) <= inner:
            break
        s += _1
    return s


# Separate from the rare cases above, because a loop without calls keeps more of its values in registers.
@separate_kernel
def _section(
    words, fits, index, passes, plan, available, state, nodes, cursor, floor, ceiling, deep, offset
):  # fmt: skip
    """The search itself between two thinnings, with the lists that begin at `offset`."""
    end = np.uint64(len(available) - 1)
    d, i, s, tally, budget = cursor[DEPTH], cursor[POSITION], cursor[PASS], cursor[TALLY], cursor[BUDGET]
    code = BUDGET_SPENT
    at = _PLAN * d
    after = at + _PLAN
    partial = _partial(after, plan, state)
    need, next_need = plan[at + _NEED], plan[after + _NEED]
    own_shift, own_stride = plan[after + _OWN_SHIFT], plan[after + _OWN_STRIDE]
    cost, cared, differing = passes[_PASS * s], passes[_PASS * s + _CARED], passes[_PASS * s + _DIFFERING]
    wanted = _wanted(at, plan, state)
    # Without frame slips, all invalid joins are inner ones.
    has_frame_slips = plan[_PLAN * np.uint64(len(nodes) - 1) + _SLIPS] & _ALONG_FRAME != _0
    while True:
        word = words[i]
        p = word & _LOW
        while available[p] == 0:
            i += _1
            word = words[i]
            p = word & _LOW
        early = word >> _EARLY << _SLIP_BITS
        if p == end or tally + early < need:
            s += _1
            if has_frame_slips:
                s = _next_pass(s, tally & INVALID, passes, at, plan)
            if s < plan[after + _FIRST] and (tally & INVALID) + passes[_PASS * s] <= plan[at + _SLIPS]:
                i = offset + _first(d, s, index, passes, plan, state)
                cost, cared, differing = passes[_PASS * s], passes[_PASS * s + _CARED], passes[_PASS * s + _DIFFERING]
                wanted = _wanted(at, plan, state)
                continue
            if d == floor:
                # Resumed, an exhausted search is exhausted again.
                s = plan[after + _FIRST] - _1
                if d == _0:
                    code = EXHAUSTED
                    break
                code = _BELOW_FLOOR
            d -= _1
            r = _STATE * d
            word, i, s = state[r + _WORD], state[r + _AT] + _1, state[r + _IN_PASS]
            tally, partial = state[r + _SO_FAR], state[r + _PARTIAL]
            available[word & _LOW] += 1
            if code == _BELOW_FLOOR:
                break
            after = at
            at -= _PLAN
            need, next_need = plan[at + _NEED], plan[after + _NEED]
            own_shift, own_stride = plan[after + _OWN_SHIFT], plan[after + _OWN_STRIDE]
            cost, cared, differing = passes[_PASS * s], passes[_PASS * s + _CARED], passes[_PASS * s + _DIFFERING]
            if cared | differing != _0:
                wanted = _wanted(at, plan, state)
            continue
        if cared | differing != _0:
            unlike = fits[i] ^ wanted
            if unlike & cared != _0 or _some_lane_is_equal(unlike, differing):
                i += _1
                continue
        if budget == _0 or d >= deep:
            code = BUDGET_SPENT if budget == _0 else DEEPER
            break
        budget -= _1
        nodes[d] += _1
        j = offset + np.uint64(index[partial + ((word >> own_shift) & _LOW) * own_stride])
        next_word = words[j]
        q = next_word & _LOW
        while available[q] == (q == p):
            j += _1
            next_word = words[j]
            q = next_word & _LOW
        so_far = tally + early + cost
        t = plan[after + _FIRST]
        # If nothing fits there, and no further join may be invalid, nothing has to be undone.
        if (q == end or so_far + (next_word >> _EARLY << _SLIP_BITS) < next_need) and (
            (so_far & INVALID) >= plan[after + _SLIPS] or t + _1 >= plan[after + _PLAN + _FIRST]
        ):
            i += _1
            continue
        available[p] -= 1
        r = _STATE * d
        state[r + _WORD], state[r + _AT], state[r + _IN_PASS] = word, i, s
        state[r + _SO_FAR], state[r + _PARTIAL] = tally, partial
        d += _1
        i, s, tally = j, t, so_far
        if d == ceiling:
            code = _AT_CEILING
            break
        at = after
        after += _PLAN
        partial = _partial(after, plan, state)
        need, next_need = next_need, plan[after + _NEED]
        own_shift, own_stride = plan[after + _OWN_SHIFT], plan[after + _OWN_STRIDE]
        cost, cared, differing = _0, passes[_PASS * s + _CARED], passes[_PASS * s + _DIFFERING]
        if cared | differing != _0:
            wanted = _wanted(at, plan, state)
    cursor[DEPTH], cursor[POSITION], cursor[PASS], cursor[TALLY], cursor[BUDGET] = d, i, s, tally, budget
    return code


@inner_kernel
def _partial(at, plan, state):
    """The part of the key of a depth's first pass that is known before the depth above has its candidate."""
    return (
        plan[at + _BASE]
        + (state[plan[at + _LEFT]] >> _RIGHT & _LOW) * plan[at + _LEFT_STRIDE]
        + (state[plan[at + _LOWER]] >> _UP & _LOW) * plan[at + _LOWER_STRIDE]
    )


@separate_kernel
def _wanted(at, plan, state):
    """The colours of the left and the lower neighbour, in the lanes of `fits`."""
    left, lower = state[plan[at + _BESIDE]] >> _RIGHT & _LOW, state[plan[at + _BELOW]] >> _UP & _LOW
    return left | lower << _RIGHT


@separate_kernel
def _first(d, s, index, passes, plan, state):
    """Where the list of a pass starts on level 0."""
    wanted = _wanted(_PLAN * d, plan, state)
    r = _PASS * s
    key = passes[r + _PASS_BASE] + (wanted & _LOW) * passes[r + _PASS_LEFT]
    return np.uint64(index[key + (wanted >> _RIGHT) * passes[r + _PASS_LOWER]])


@inner_kernel
def _some_lane_is_equal(unlike, differing):
    """Whether one of the two lanes that must not match does."""
    return (differing & _LOW != _0 and unlike & _LOW == _0) or (
        differing >> _RIGHT != _0 and unlike >> _RIGHT & _LOW == _0
    )


@separate_kernel
def _lay(d, word, i, s, tally, partial, state):
    """Record the candidate of a depth."""
    r = _STATE * d
    state[r + _WORD], state[r + _AT], state[r + _IN_PASS] = word, i, s
    state[r + _SO_FAR], state[r + _PARTIAL] = tally, partial


@inner_kernel
def _thin(words, fits, starts, available, source, target):
    """Copy the lists of a level to the next one, without types that have no piece left."""
    end = np.uint64(len(available) - 1)
    for n in range(np.uint64(len(starts))):
        i, j = source + np.uint64(starts[n]), target + np.uint64(starts[n])
        p = words[i] & _LOW
        while p != end:
            if available[p] != 0:
                words[j], fits[j] = words[i], fits[i]
                j += _1
            i += _1
            p = words[i] & _LOW
        words[j] = words[i]
