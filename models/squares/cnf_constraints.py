"""The clauses of an edge-matching puzzle, one function per constraint."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ..base.encodings import Encoding
from ..base.formula import Clauses, Literals
from .domains import Domains, Indices

#: Pairs of adjacent sides.
ADJACENT = ((0, 1), (1, 2), (2, 3), (3, 0))


@dataclass(frozen=True)
class Variables:
    """The variables of a formula."""

    #: Shape (placements, k): a placement is there if all of these are true.
    witness: Literals
    #: The variables that say which type lies on a square (one for each placement, or one for all its rotations), the
    #: square and type of each, and for each placement the index of its own.
    unit: Literals
    unit_square: Indices
    unit_kind: Indices
    unit_of: Indices
    #: Shape (seams + 1, colours + 1): 0 where the seam cannot have the colour, or has no variables; the last row and
    #: column, which index -1 finds, are the border's.
    color: Literals
    #: A variable for each join that may be invalid.
    invalid: Literals


def make_variables(domains: Domains, encoding: Encoding, clauses: Clauses) -> Variables:
    """Number the variables: placements, units, colours, invalid joins."""
    placements = len(domains.square)
    diamond = encoding.name == "diamond"
    place = clauses.new(0 if diamond else placements)
    by_piece = diamond or "pieces" in encoding.redundant
    unit_of, unit_square, unit_kind = np.arange(placements), domains.square, domains.of_type
    unit = place
    if by_piece:
        unit_of, unit_square, unit_kind = domains.units(_look_alike(domains) if diamond else 0)
        unit = clauses.new(len(unit_square))
    color = np.zeros((domains.seams + 1, domains.candidates.colors + 1), dtype=np.int64)
    if encoding.name != "direct":
        color[:-1, :-1][domains.possible] = clauses.new(int(domains.possible.sum()))
    witness = place[:, None]
    if diamond:
        own = unit[unit_of][:, None]
        colors = color[domains.seam[domains.square], domains.color]
        witness = np.hstack([own, np.where(colors > 0, colors, own)])
    return Variables(witness, unit, unit_square, unit_kind, unit_of, color, clauses.new(len(domains.loose)))


def _look_alike(domains: Domains) -> Indices:
    """Number the placements of a type on a square that give all seams the same colours; colours distinguish the others.

    Those are the rotations of a symmetric piece that look the same, and those that differ on the border only.
    """
    shown = np.column_stack([domains.square, domains.of_type, domains.color])
    _, group = np.unique(shown, axis=0, return_inverse=True)
    order = np.argsort(group.ravel(), kind="stable")
    starts = np.cumsum([0, *np.bincount(group.ravel())])[:-1]
    copy = np.empty(len(order), dtype=np.int64)
    copy[order] = np.arange(len(order)) - starts[group.ravel()[order]]
    return copy


def one_piece_a_square(domains: Domains, v: Variables, encoding: Encoding, clauses: Clauses) -> None:
    """Each square has a piece, each piece a square, as far as there are as many."""
    squares, kinds = len(domains.puzzle.board), len(domains.candidates.kinds)
    for members in groups_of(v.unit_square, squares):
        clauses.add(v.unit[members][None])
        clauses.at_most_one(v.unit[members], encoding.at_most_one)
    for kind, members in enumerate(groups_of(v.unit_kind, kinds)):
        least, most = domains.copies(kind)
        if most == 1:
            clauses.at_most_one(v.unit[members], encoding.at_most_one)
            if least:
                clauses.add(v.unit[members][None])
        elif least:
            clauses.exactly(v.unit[members], most, encoding.at_most_one)
        else:
            clauses.at_most(v.unit[members], most, encoding.at_most_one)


def groups_of(of: Indices, number: int) -> Iterator[Indices]:
    """For each group the indices of its members."""
    order = np.argsort(of, kind="stable")
    ends = np.cumsum(np.bincount(of, minlength=number))
    yield from np.split(order, ends[:-1]) if number else ()


def rotations_of_units(domains: Domains, v: Variables, clauses: Clauses) -> None:
    """A piece on a square has one of its rotations there, and a rotation has its piece."""
    place = v.witness[:, 0]
    clauses.add(np.stack([-place, v.unit[v.unit_of]], axis=1))
    clauses.imply_one_of(v.unit[:, None], v.unit_of, place)
    for first, second in _pairs_within(v.unit_of):
        clauses.add(np.stack([-place[first], -place[second]], axis=1))


def _pairs_within(groups: Indices) -> Iterator[tuple[Indices, Indices]]:
    """All pairs of members of the same group."""
    order = np.argsort(groups, kind="stable")
    for apart in range(1, int(np.bincount(groups).max(initial=1))):
        first, second = order[:-apart], order[apart:]
        same = groups[first] == groups[second]
        yield first[same], second[same]


def seam_colors(domains: Domains, v: Variables, clauses: Clauses) -> None:
    """A placement gives its seams their colours; a seam has one colour."""
    place = v.witness[:, 0]
    for side in range(4):
        at = domains.seam[domains.square, side]
        inside = at >= 0
        color = v.color[at[inside], domains.color[inside, side]]
        clauses.add(np.stack([-place[inside], color], axis=1))
    one_color_a_seam(v, clauses)


def one_color_a_seam(v: Variables, clauses: Clauses) -> None:
    """A seam has exactly one colour."""
    for colors in v.color[:-1]:
        clauses.add(colors[colors > 0][None])
        clauses.at_most_one(colors[colors > 0], "pairwise")


def colors_need_pieces(domains: Domains, v: Variables, truth: Literals, clauses: Clauses) -> None:
    """A seam's colour needs a piece that has it, on either side; `truth` has a literal for each placement."""
    for side in range(4):
        squares = np.flatnonzero(domains.seam[:, side] >= 0)
        square, color = np.nonzero(v.color[domains.seam[squares, side]])
        row = np.full((len(domains.seam), v.color.shape[1]), -1)
        row[squares[square], color] = np.arange(len(square))
        groups = row[domains.square, domains.color[:, side]]
        conditions = v.color[domains.seam[squares[square], side], color][:, None]
        clauses.imply_one_of(conditions, groups[groups >= 0], truth[groups >= 0])


def pairs_need_pieces(domains: Domains, v: Variables, truth: Literals, clauses: Clauses) -> None:
    """Two adjacent colours of a square need a piece that has both."""
    colors = v.color.shape[1]
    for square, members in enumerate(groups_of(domains.square, len(domains.puzzle.board))):
        for sides in ADJACENT:
            seams = domains.seam[square, sides]
            if (seams < 0).any():
                continue
            first, second = (domains.colors_of(int(seam)) for seam in seams)
            row = np.full((colors, colors), -1)
            row[np.ix_(first, second)] = np.arange(len(first) * len(second)).reshape(len(first), len(second))
            conditions = np.stack(
                [np.repeat(v.color[seams[0], first], len(second)), np.tile(v.color[seams[1], second], len(first))],
                axis=1,
            )
            groups = row[domains.color[members, sides[0]], domains.color[members, sides[1]]]
            clauses.imply_one_of(conditions, groups[groups >= 0], truth[members[groups >= 0]])


def neighbours_match(domains: Domains, v: Variables, clauses: Clauses) -> None:
    """Without colours: a placement needs a neighbour that matches or, where the join is invalid, one that does not."""
    place = v.witness[:, 0]
    at_square = list(groups_of(domains.square, len(domains.puzzle.board)))
    for first, side, second in domains.puzzle.board.joins():
        index = domains.loose_at(first, side)
        here, there = at_square[first], at_square[second]
        shown = domains.color[here, side]
        facing = domains.color[there, (side + 2) % 4]
        if index is not None:
            facing = domains.mates[facing]
        matches = shown[:, None] == facing[None, :]
        for one, other, match in ((here, there, matches), (there, here, matches.T)):
            if index is None:
                groups, members = np.nonzero(match)
                clauses.imply_one_of(place[one][:, None], groups, place[other][members])
                continue
            for condition, wanted in ((-v.invalid[index], match), (v.invalid[index], ~match)):
                groups, members = np.nonzero(wanted)
                conditions = np.stack([place[one], np.full(len(one), condition)], axis=1)
                clauses.imply_one_of(conditions, groups, place[other][members])


def invalid_joins(domains: Domains, v: Variables, clauses: Clauses) -> None:
    """A join is invalid exactly if its two seams do not match."""
    for invalid, one in zip(v.invalid, domains.loose, strict=True):
        here = v.color[one.first, :-1]
        there = v.color[one.second, domains.mates]  # what matches each colour of `here`
        both = (here > 0) & (there > 0)
        same = np.stack([np.full(both.sum(), invalid), here[both], there[both]], axis=1)
        clauses.add(same * np.array([1, -1, 1]))
        clauses.add(same * np.array([1, 1, -1]))
        clauses.add(same * np.array([-1, -1, -1]))
        for only in (here[(here > 0) & (there == 0)], there[(there > 0) & (here == 0)]):
            clauses.add(np.stack([np.full(len(only), invalid), -only], axis=1))


def at_most_allowed(domains: Domains, v: Variables, clauses: Clauses) -> None:
    """No more invalid joins than the slip arrays permit: a counter along the joins as they are made (Sinz 2005)."""
    for joins in domains.quotas:
        _at_most_so_far(v.invalid[[index for index, _ in joins]], [quota for _, quota in joins], clauses)


def _at_most_so_far(literals: Literals, quotas: list[int], clauses: Clauses) -> None:
    """Of the first 1, 2, ... literals at most as many are true as the quotas say, which ascend."""
    before = np.zeros(0, dtype=np.int64)
    for made, (invalid, quota) in enumerate(zip(literals, quotas, strict=True), start=1):
        here = clauses.new(min(made, quota))
        # At least k + 1 so far if at least k + 1 before, or at least k before and this one.
        kept = min(len(before), len(here))
        clauses.add(np.stack([-before[:kept], here[:kept]], axis=1))
        least = np.concatenate([[0], before])
        for k, condition in enumerate(least):
            clause = [-invalid] + ([-condition] if k else []) + ([here[k]] if k < len(here) else [])
            clauses.add(np.array([clause]))
        before = here


def diamonds(domains: Domains, v: Variables, clauses: Clauses) -> None:
    """The colours around a piece are a rotation of its own, said without rotation variables (Heule 2008).

    For one to three sides of a square with known colours: each other side has one of the colours that go with them,
    where that says more than for fewer sides.
    """
    patterns: dict[tuple, list[int]] = {}
    for unit, members in enumerate(groups_of(v.unit_of, len(v.unit))):
        shown = domains.candidates.sides[domains.candidate[members]]
        # What the rim shows has no seam.
        shown = np.where(domains.seam[domains.square[members]] < 0, -1, shown)
        patterns.setdefault(tuple(map(tuple, shown.tolist())), []).append(unit)
    for shown, units in patterns.items():
        squares = v.unit_square[units]
        for known, side, colors in _implied(shown):
            conditions = [v.unit[units], *(_color_at(domains, v, squares, s, c) for s, c in known)]
            options = [_color_at(domains, v, squares, side, c) for c in colors]
            clauses.add(np.stack([*(-literals for literals in conditions), *options], axis=1))


def _implied(shown: tuple) -> Iterator[tuple[tuple, int, list[int]]]:
    """What known colours on some sides say about each other side: (side, colour) pairs, the side, its colours."""
    sides = [side for side in range(4) if shown[0][side] >= 0]
    said: dict[tuple, set[int]] = {}
    for number in range(4):
        for chosen in combinations(sides, number):
            for colors in sorted({tuple(sum_[s] for s in chosen) for sum_ in shown}):
                known = tuple(zip(chosen, colors, strict=True))
                rows = [row for row in shown if all(row[s] == c for s, c in known)]
                for side in set(sides) - set(chosen):
                    options = {row[side] for row in rows}
                    said[known, side] = options
                    fewer = (said[tuple(k for k in known if k != left), side] for left in known)
                    if all(options != other for other in fewer):
                        yield known, side, sorted(options)


def _color_at(domains: Domains, v: Variables, squares: Indices, side: int, shown: int) -> Literals:
    """The variables that say that squares show a colour on a side; 0 where they cannot."""
    return v.color[domains.seam[squares, side], domains.seen(squares, side, shown)]


def absent_colors(domains: Domains, v: Variables, clauses: Clauses) -> None:
    """A piece on a square excludes the colours that it cannot show there."""
    units = len(v.unit)
    for side in range(4):
        at = domains.seam[v.unit_square, side]
        shows = np.zeros((units, v.color.shape[1]), dtype=bool)
        shows[v.unit_of, domains.color[:, side]] = True
        excluded = ~shows & (v.color[at] > 0) & (at >= 0)[:, None]
        unit, color = np.nonzero(excluded)
        clauses.add(np.stack([-v.unit[unit], -v.color[at[unit], color]], axis=1))


def color_counts(domains: Domains, v: Variables, encoding: Encoding, clauses: Clauses) -> None:
    """As many sides show a colour as the pieces have; nothing if pieces may be left over."""
    for colors, sides in counted_colors(domains):
        if domains.loose:
            for color in colors:
                clauses.exactly(_shown_in(domains, v, color), sides[color], encoding.at_most_one)
        else:
            seams = v.color[:, list(colors)].ravel()
            clauses.exactly(seams[seams > 0], half_of(sides), encoding.at_most_one)


def _shown_in(domains: Domains, v: Variables, color: int) -> Literals:
    """For each side of a square that can show a colour the variable that says that it does."""
    squares = np.arange(len(domains.puzzle.board))
    shown = [_color_at(domains, v, squares[domains.seam[:, side] >= 0], side, color) for side in range(4)]
    literals = np.concatenate(shown)
    return literals[literals > 0]


def half_of(sides: Counter[int]) -> int:
    """Half of the sides that a colour and its mate have; -1 if they cannot all be matched."""
    total = sum(sides.values())
    matched = total % 2 == 0 if len(sides) == 1 else len(set(sides.values())) == 1
    return total // 2 if matched else -1


def counted_colors(domains: Domains) -> Iterator[tuple[tuple[int, ...], Counter[int]]]:
    """Each colour with its mate, and how many sides have them, where all pieces are used and all their sides meet."""
    puzzle = domains.puzzle
    all_meet = puzzle.is_framed or (domains.seam >= 0).all()
    if len(puzzle.pieces) != len(puzzle.board) or not all_meet:
        return
    sides = Counter(
        {
            color: sum(
                n * len(kind.pieces) for n, kind in zip(domains.times({color}), domains.candidates.kinds, strict=True)
            )
            for color in range(domains.candidates.colors)
        }
    )
    for color in range(domains.candidates.colors):
        mate = int(domains.mates[color])
        if color <= mate:
            yield tuple({color, mate}), Counter({color: sides[color], mate: sides[mate]})


def checkerboard(domains: Domains, v: Variables, encoding: Encoding, clauses: Clauses) -> None:
    """A valid join has a black and a white square: on black ones lie half of the sides of each colour.

    That is stated as a count, as its parity, or both, and not at all where joins may be invalid, pieces left over,
    sides on the rim, or two black squares meet.
    """
    if domains.loose or not domains.is_checkered:
        return
    black = domains.black
    on_black = [
        _on_black(domains, v, black, kind, members, clauses)
        for kind, members in enumerate(groups_of(v.unit_kind, len(domains.candidates.kinds)))
    ]
    for colors, sides in counted_colors(domains):
        times = domains.times(colors)
        if "checkerboard" in encoding.redundant:
            literals = np.concatenate([np.repeat(some, n) for some, n in zip(on_black, times, strict=True)])
            clauses.exactly(literals, half_of(sides), encoding.at_most_one)
        if "parity" in encoding.redundant:
            odd = np.concatenate(
                [np.zeros(0, dtype=np.int64), *(s for s, n in zip(on_black, times, strict=True) if n % 2)]
            )
            clauses.odd(odd, odd=bool(sum(sides.values()) // 2 % 2))


def _on_black(
    domains: Domains, v: Variables, black: np.ndarray, kind: int, members: Indices, clauses: Clauses
) -> Literals:
    """Literals of which as many are true as pieces of a type lie on black squares."""
    is_black = black[v.unit_square[members]]
    if domains.copies(kind) != (1, 1):
        return v.unit[members[is_black]]
    on_black = clauses.new(1)
    sign = np.where(is_black, 1, -1)
    clauses.add(np.stack([-v.unit[members], sign * on_black], axis=1))
    return on_black
