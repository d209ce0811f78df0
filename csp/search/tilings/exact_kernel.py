"""Exact signs and directions for the geometric search, decided without rounding.

Data layout (d is the index of a direction, v that of a vertex, s of a squarefree radicand; r_s is the radicand)

- Direction d is that of the integer vector ``(p[d], q[d])``, of length 1 ``(cos[d], sin[d])`` in floats, at the angle
  ``theta[d]``; its word is ``words[d]`` (see `GaussianDirections`), and d ^ 1 is the opposite direction.  ``slots`` is
  a hash table of the indices by word, where 0 marks an empty entry.  ``full`` is the word of a full turn, modulo 2^64.
- An edge of kind k in direction d is ``scale[d, k] / D`` times the square root of radicand ``grade[d, k]`` times
  ``(p[d], q[d])``, where D is one denominator for all; a scale of 0 is not known yet.
- With `RegularDirections` there are `products` and `vectors`, otherwise empty.  Then multiplying by the cosine and the
  sine of direction d, and by one positive number, takes the coefficients of a number to those of its product by the
  matrices ``products[d, 0]`` and ``products[d, 1]``; an edge of kind k has the coefficients ``vectors[d, k]`` over D;
  and ``(p[d], q[d])`` is near the direction, close enough for the sign of every turn.
- Vertex v is at the sum over s of ``(xs[v, s], ys[v, s]) * sqrt(r_s) / D``, near ``(x[v], y[v])`` in floats;
  ``roots[s]`` is near sqrt(r_s) / D.
- ``bound`` is larger than the error of any sign's value computed in floats.
- ``known`` is a hash table of sums, sum over s of ``sums[i, s] * sqrt(r_s)``, by their coefficients, with their
  signs; one more row of `sums` is scratch.
- ``counts`` has the number of signs computed, and how they were decided.
- A kernel that needs an unknown value writes a description to ``question`` and its type to ``asked``, and continues
  with an arbitrary value; its caller discards the result.  Only the first question of a run is kept.

Integers do not overflow: the code that fills the tables ensures it.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...base.compiled import copy_numbers, inlined_kernel, inner_kernel, kernel, separate_kernel

#: The types of questions: a direction's edges, or the sign of a sum.
EDGE, SIGN = 1, 2
#: Indices of `counts`.
SIGNS, UNDECIDED, BY_INTEGERS, EXACTLY = range(4)

_0, _1 = np.uint64(0), np.uint64(1)
# The golden ratio times 2^64 (Knuth 1973, section 6.4).
_GOLDEN, _HIGH = np.uint64(0x9E3779B97F4A7C15), np.uint64(32)

Floats, Integers, Indices = NDArray[np.float64], NDArray[np.int64], NDArray[np.uint32]


class Plane(NamedTuple):
    """Vertices, directions, and what is known of signs."""

    xs: Integers
    ys: Integers
    x: Floats
    y: Floats
    roots: Floats
    p: Integers
    q: Integers
    products: Integers
    cos: Floats
    sin: Floats
    bound: Floats
    sums: Integers
    known: NDArray[np.int8]
    counts: Integers
    question: Integers
    asked: Integers


class Lines(NamedTuple):
    """Directions by word, and their edges."""

    words: NDArray[np.uint64]
    theta: Floats
    slots: Indices
    full: NDArray[np.uint64]
    scale: Integers
    grade: Indices
    vectors: Integers


@separate_kernel
def scattered(word):
    """A word whose low bits depend on all bits of another one."""
    mixed = (word ^ (word >> _HIGH)) * _GOLDEN
    return mixed ^ (mixed >> _HIGH)


@separate_kernel
def ask(plane, sort):
    """Write a question of this type unless there is one; return whether it was written."""
    is_first = plane.asked[_0] == 0
    if is_first:
        plane.asked[_0] = sort
    return is_first


@kernel
def side(plane, v, a, d):
    """1, 0 or -1: vertex v lies to the left of, on, or to the right of the line through vertex a in direction d."""
    plane.counts[SIGNS] += 1
    value = plane.cos[d] * (plane.y[v] - plane.y[a]) - plane.sin[d] * (plane.x[v] - plane.x[a])
    if abs(value) > plane.bound[_0]:
        result = np.int64(1) if value > 0 else np.int64(-1)
    else:
        result = decided(plane, v, a, d, False)
    return result


@kernel
def ahead(plane, v, a, d):
    """1, 0 or -1: vertex v lies ahead of, level with, or behind vertex a, looking in direction d."""
    plane.counts[SIGNS] += 1
    value = plane.cos[d] * (plane.x[v] - plane.x[a]) + plane.sin[d] * (plane.y[v] - plane.y[a])
    if abs(value) > plane.bound[_0]:
        result = np.int64(1) if value > 0 else np.int64(-1)
    else:
        result = decided(plane, v, a, d, True)
    return result


@separate_kernel
def decided(plane, v, a, d, is_ahead):
    """The sign of the cross product of direction d and the vector from vertex a to vertex v, by integers.

    With `is_ahead` that of their inner product.
    """
    plane.counts[UNDECIDED] += 1
    terms, last = 0, np.int64(0)
    for s in range(np.uint64(plane.xs.shape[1])):
        c = _coefficient(plane, v, a, d, is_ahead, s)
        if c != 0:
            terms += 1
            last = c
    # Square roots of different squarefree numbers are linearly independent over the rationals.
    if terms < 2:
        plane.counts[BY_INTEGERS] += 1
        result = np.int64(last > 0) - np.int64(last < 0)
    else:
        plane.counts[EXACTLY] += 1
        result = _known_sign(plane, v, a, d, is_ahead)
    return result


@inner_kernel
def _coefficient(plane, v, a, d, is_ahead, s):
    """The coefficient of radicand s of that product."""
    if len(plane.products) == 0:
        x, y = plane.xs[v, s] - plane.xs[a, s], plane.ys[v, s] - plane.ys[a, s]
        return plane.q[d] * y + plane.p[d] * x if is_ahead else plane.p[d] * y - plane.q[d] * x
    total = np.int64(0)
    for t in range(np.uint64(plane.xs.shape[1])):
        x, y = plane.xs[v, t] - plane.xs[a, t], plane.ys[v, t] - plane.ys[a, t]
        cos, sin = plane.products[d, _0, s, t], plane.products[d, _1, s, t]
        total += sin * y + cos * x if is_ahead else cos * y - sin * x
    return total


@inner_kernel
def _known_sign(plane, v, a, d, is_ahead):
    """The sign of a sum from the table; if it is unknown, it becomes the question."""
    sum_of = plane.sums[np.uint64(len(plane.known))]
    for s in range(np.uint64(len(sum_of))):
        sum_of[s] = _coefficient(plane, v, a, d, is_ahead, s)
    i = _place_of(plane.sums, plane.known, sum_of)
    if plane.known[i] == 0 and ask(plane, SIGN):
        copy_numbers(plane.question, sum_of)
    return np.int64(plane.known[i])


@separate_kernel
def _place_of(sums, known, coefficients):
    """The index of a sum in the table, or where it would be."""
    mixed = _0
    for s in range(np.uint64(len(coefficients))):
        mixed = scattered(mixed ^ np.uint64(coefficients[s]))
    last = np.uint64(len(known) - 1)
    i = mixed & last
    while known[i] != 0 and not _same_numbers(sums[i], coefficients):
        i = (i + _1) & last
    return i


@inner_kernel
def _same_numbers(one, other):
    """Whether two arrays of one length are equal."""
    same = True
    for s in range(np.uint64(len(one))):
        same = same and one[s] == other[s]
    return same


@kernel
def enter_sign(sums, known, coefficients, sign):
    """Enter the sign of a sum into the table, which has room."""
    i = _place_of(sums, known, coefficients)
    copy_numbers(sums[i], coefficients)
    known[i] = sign


@kernel
def enter_word(words, slots, d):
    """Enter direction d into the table, which has room."""
    last = np.uint64(len(slots) - 1)
    i = scattered(words[d]) & last
    while slots[i] != 0:
        i = (i + _1) & last
    slots[i] = d


@kernel
def direction_of(lines, word):
    """The index of a direction, or of the sum of two; 0 if it is not known."""
    if lines.full[_0] != _0 and word >= lines.full[_0]:
        word -= lines.full[_0]
    last = np.uint64(len(lines.slots) - 1)
    i = scattered(word) & last
    while lines.slots[i] != 0 and lines.words[lines.slots[i]] != word:
        i = (i + _1) & last
    return np.uint64(lines.slots[i])


@kernel
def locate(plane, v):
    """Set a vertex's floats from its integers."""
    x, y = 0.0, 0.0
    for s in range(np.uint64(plane.xs.shape[1])):
        x += plane.xs[v, s] * plane.roots[s]
        y += plane.ys[v, s] * plane.roots[s]
    plane.x[v], plane.y[v] = x, y


@inner_kernel
def copy_vertex(plane, v, a):
    """Make vertex v the same point as vertex a."""
    for s in range(np.uint64(plane.xs.shape[1])):
        plane.xs[v, s], plane.ys[v, s] = plane.xs[a, s], plane.ys[a, s]
    plane.x[v], plane.y[v] = plane.x[a], plane.y[a]


@inlined_kernel
def step(plane, lines, v, d, kind, times):
    """Set the vertex after vertex v, a number of edges further in direction d; False if this is a question."""
    if len(lines.vectors) > 0:
        w = v + _1
        for s in range(np.uint64(plane.xs.shape[1])):
            plane.xs[w, s] = plane.xs[v, s] + lines.vectors[d, kind, _0, s]
            plane.ys[w, s] = plane.ys[v, s] + lines.vectors[d, kind, _1, s]
        locate(plane, w)
        return True
    scale = lines.scale[d, kind] * times
    if scale == 0:
        if ask(plane, EDGE):
            plane.question[_0], plane.question[_1] = np.int64(lines.words[d]), np.int64(kind)
    else:
        w = v + _1
        for s in range(np.uint64(plane.xs.shape[1])):
            plane.xs[w, s], plane.ys[w, s] = plane.xs[v, s], plane.ys[v, s]
        s = np.uint64(lines.grade[d, kind])
        plane.xs[w, s] += plane.p[d] * scale
        plane.ys[w, s] += plane.q[d] * scale
        locate(plane, w)
    return scale != 0


@inner_kernel
def same_point(plane, v, a):
    """Whether two vertices are the same point."""
    same = abs(plane.x[v] - plane.x[a]) <= plane.bound[_0] and abs(plane.y[v] - plane.y[a]) <= plane.bound[_0]
    if same:
        for s in range(np.uint64(plane.xs.shape[1])):
            same = same and plane.xs[v, s] == plane.xs[a, s] and plane.ys[v, s] == plane.ys[a, s]
    return same


@separate_kernel
def turn(plane, a, b):
    """An integer with the sign of the sine of the angle from direction a to direction b."""
    return plane.p[a] * plane.q[b] - plane.q[a] * plane.p[b]


@inlined_kernel
def separates(plane, dirs, i, first, end):
    """Whether no vertex of a polygon lies to the left of the edge that begins in vertex i."""
    d = np.uint64(dirs[i])
    cos, sin, bound = plane.cos[d], plane.sin[d], plane.bound[_0]
    x, y = plane.x[i], plane.y[i]
    near, result, v = _0, True, first
    while result and v < end:
        plane.counts[SIGNS] += 1
        value = cos * (plane.y[v] - y) - sin * (plane.x[v] - x)
        result = value <= bound
        near |= np.uint64(value >= -bound) << (v - first)
        v += _1
    if result and near != _0:
        for v in range(first, end):
            if near >> (v - first) & _1 != _0 and result:
                result = decided(plane, v, i, d, False) <= 0
    return result


@inlined_kernel
def disjoint(plane, dirs, a, a_end, b, b_end):
    """Whether the interiors of two convex polygons are disjoint: then the line of an edge separates them."""
    # There is one call only, which is inlined: two would make the code of the search twice as long.
    i, last, first, end, are_others = a, a_end, b, b_end, False
    result, goes_on = False, True
    while goes_on:
        if i < last:
            result = separates(plane, dirs, i, first, end)
            i += _1
            goes_on = not result
        elif are_others:
            goes_on = False
        else:
            i, last, first, end, are_others = b, b_end, a, a_end, True
    return result
