"""Boards in the languages of other solvers: exact cover, MiniZinc, XCSP3."""

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from ...csp.puzzles.board import BORDER, SIDE_NAMES, opposite
from ..base.puzzle_model import ModelSize
from ..base.texts import CoverModel, ExactCover, TextModel, symbols, wrapped
from .cnf_constraints import groups_of
from .domains import Domains, Indices


class BoardText(TextModel):
    """A puzzle as a model in some language.

    - `best`: whether to have as few invalid joins as possible.
    """

    encoding = ""
    #: Whether identical pieces have different numbers in its solutions.
    numbered = True

    def __init__(self, domains: Domains, *, best: bool = False) -> None:
        self.domains, self.best = domains, best
        #: The colour of each index; the last one is the border, which index -1 finds.
        self._colors = np.array([*domains.candidates.color_index, BORDER], dtype=np.int64)

    def meaning(self) -> Iterator[str]:
        yield from self.domains.meaning(numbered=self.numbered)

    def _of_square(self) -> list[Indices]:
        """The placements on each square."""
        return list(groups_of(self.domains.square, len(self.puzzle.board)))

    def _placed(self, copy: int = 0) -> Iterator[str]:
        """What each placement is, of the first piece of its type or of another one."""
        name = self.puzzle.board.name
        columns = map(np.ndarray.tolist, (self.domains.square, *self.domains.name_of_piece(copy)))
        for square, piece, rotation in zip(*columns, strict=True):
            yield f"piece {piece + 1} on {name(square)} turned {rotation}"


class BoardCover(CoverModel, BoardText):
    """A puzzle as an exact cover problem: an item for each square and each piece, one with colours for each join."""

    encoding = "colors"

    @cached_property
    def cover(self) -> ExactCover:  # pyright: ignore[reportIncompatibleVariableOverride]
        d, name = self.domains, self.puzzle.board.name
        cover = ExactCover(map(name, range(len(self.puzzle.board))), map(self._seams.__getitem__, range(d.seams)))
        items = self._items()
        square = d.square.tolist()
        most = max(len(kind.pieces) for kind in d.candidates.kinds)
        named = [list(self._placed(copy)) for copy in range(most)]
        for number, kind in enumerate(d.candidates.kinds):
            members = np.flatnonzero(d.of_type == number).tolist()

            def says(index: int, copy: int, members: Sequence[int] = members) -> str:
                return named[copy][members[index]]

            cover.add_kind(kind.pieces, d.copies(number)[0], [(square[at], items[at]) for at in members], says)
        return cover

    @cached_property
    def _seams(self) -> dict[int, str]:
        """The names of the seams: a square and the first letter of its side."""
        d, name = self.domains, self.puzzle.board.name
        first = np.argwhere((d.seam >= 0) & ~d.second).tolist()
        return {int(d.seam[square, side]): f"{name(square)}{SIDE_NAMES[side][0]}" for square, side in first}

    def _items(self) -> list[str]:
        """The square of each placement, and the joins around it with their colours."""
        d, name, symbol = self.domains, self.puzzle.board.name, symbols(self.domains.candidates.colors)
        items = []
        for square, colors in zip(d.square.tolist(), d.color.tolist(), strict=True):
            around = zip(d.seam[square].tolist(), colors, strict=True)
            joins = (f" {self._seams[seam]}:{symbol[color]}" for seam, color in around if seam >= 0)
            items.append(name(square) + "".join(joins))
        return items

    def meaning(self) -> Iterator[str]:
        yield from super().meaning()
        yield "items: A1, a square; p1, a piece; A1r, the join on the right side of A1, with the colour that A1 shows;"
        yield "o1.1, one of those by which identical pieces lie in the order of their numbers"
        shown = zip(symbols(self.domains.candidates.colors), self._colors.tolist(), strict=False)
        yield f"colours: {', '.join(f'{symbol} is {color}' for symbol, color in shown)}"
        yield from self.cover.names


class BoardMiniZinc(BoardText):
    """A puzzle as a model in MiniZinc; its output is a table of boards."""

    encoding = "element"

    @property
    def size(self) -> ModelSize:
        d = self.domains
        squares, joins = len(self.puzzle.board), len(list(self.puzzle.board.joins()))
        return ModelSize(squares + joins + len(d.loose), 1 + joins + len(d.bounds))

    def lines(self) -> Iterator[str]:
        d, puzzle = self.domains, self.puzzle
        yield 'include "all_different.mzn";'
        yield 'include "global_cardinality.mzn";'
        yield ""
        yield "% A candidate is a piece in a rotation; identical pieces are one type."
        yield f"set of int: SQUARE = 1..{len(puzzle.board)};"
        yield f"set of int: CANDIDATE = 1..{len(d.candidates.of_type)};"
        yield f"set of int: TYPE = 1..{len(d.candidates.kinds)};"
        yield f"set of int: SIDE = 1..4;  % {', '.join(SIDE_NAMES)}"
        squares = wrapped(f'"{puzzle.board.name(square)}"' for square in range(len(puzzle.board)))
        yield f"array[SQUARE] of string: name = [{squares}];"
        yield ""
        yield from self._candidates()
        yield ""
        yield from self._pieces()
        yield ""
        yield from self._joins()
        yield ""
        yield "solve :: int_search(lies, dom_w_deg, indomain_min)"
        yield "  minimize sum(invalid);" if self.best and d.loose else "  satisfy;"
        yield ""
        yield "% Square, piece, rotation."
        yield "output [let {int: i = 1 + sum(t in 1..s-1)(bool2int(kind[fix(lies[t])] = kind[fix(lies[s])]))} in"
        yield '  name[s] ++ ",\\(piece[fix(lies[s]), i]),\\(turned[fix(lies[s]), i])\\n" | s in SQUARE];'

    def _candidates(self) -> Iterator[str]:
        """The data: what there is, how it looks, and where it may lie."""
        d = self.domains
        yield f"array[CANDIDATE] of TYPE: kind = [{wrapped(d.candidates.of_type + 1)}];"
        yield "% The colour on each side, and the one that fits onto it; 0 is the border."
        yield f"array[CANDIDATE, SIDE] of int: shows = {_table(self._colors[d.candidates.sides])};"
        yield f"array[CANDIDATE, SIDE] of int: fits = {_table(self._colors[d.candidates.mates])};"
        yield "% The number and the rotation of the first piece of the type, of the second one, and so on."
        most = max(len(kind.pieces) for kind in d.candidates.kinds)
        pieces, rotations = (
            np.stack(columns, axis=1)
            for columns in zip(*(d.name_of_candidate(copy) for copy in range(most)), strict=True)
        )
        yield f"array[CANDIDATE, 1..{most}] of int: piece = {_table(pieces + 1)};"
        yield f"array[CANDIDATE, 1..{most}] of int: turned = {_table(rotations)};"
        yield "% What may lie on each square."
        sets = (f"{{{wrapped(d.candidate[members] + 1)}}}" for members in self._of_square())
        yield "array[SQUARE] of set of CANDIDATE: may_lie = [\n  " + ",\n  ".join(sets) + "];"

    def _pieces(self) -> Iterator[str]:
        """What lies on each square, no piece twice."""
        d = self.domains
        yield "% The candidate on each square."
        yield "array[SQUARE] of var CANDIDATE: lies;"
        yield "constraint forall(s in SQUARE)(lies[s] in may_lie[s]);"
        least, most = zip(*map(d.copies, range(len(d.candidates.kinds))), strict=True)
        if max(most) == 1:
            yield "constraint all_different(s in SQUARE)(kind[lies[s]]);"
            return
        yield "% How many pieces of each type there are, and how many of them are needed."
        yield f"array[TYPE] of int: needed = [{wrapped(least)}];"
        yield f"array[TYPE] of int: there_are = [{wrapped(most)}];"
        yield f"array[TYPE] of var 0..{max(most)}: used;"
        yield "constraint forall(k in TYPE)(used[k] in needed[k]..there_are[k]);"
        yield "constraint global_cardinality([kind[lies[s]] | s in SQUARE], [k | k in TYPE], used);"

    def _joins(self) -> Iterator[str]:
        """Neighbours match."""
        d = self.domains
        joins = [one.join for one in d.loose]
        joins += sorted(set(self.puzzle.board.joins()) - set(joins))
        yield f"% Joins: a square and its side, the neighbour and its side.  The first {len(d.loose)} may be invalid."
        yield f"set of int: JOIN = 1..{len(joins)};"
        yield f"int: loose = {len(d.loose)};"
        for what, values in (
            ("square", [join.first + 1 for join in joins]),
            ("side", [join.side + 1 for join in joins]),
            ("neighbour", [join.second + 1 for join in joins]),
            ("facing", [opposite(join.side) + 1 for join in joins]),
        ):
            yield f"array[JOIN] of int: {what} = [{wrapped(values)}];"
        colors = sorted(self._colors.tolist())
        yield f"array[JOIN] of var {colors[0]}..{colors[-1]}: color;"
        yield "constraint forall(j in JOIN)(color[j] = shows[.., side[j]][lies[square[j]]]);"
        yield "constraint forall(j in JOIN where j > loose)(color[j] = fits[.., facing[j]][lies[neighbour[j]]]);"
        if not d.loose:
            return
        yield "array[1..loose] of var 0..1: invalid;"
        yield "constraint forall(j in 1..loose)"
        yield "  (invalid[j] = bool2int(color[j] != fits[.., facing[j]][lies[neighbour[j]]]));"
        for indices, quota in self.domains.bounds:
            yield f"constraint sum(j in {{{wrapped(index + 1 for index in indices)}}})(invalid[j]) <= {quota};"


class BoardXcsp3(BoardText):
    """A puzzle as an instance of XCSP3: a table for each square."""

    encoding, numbered = "table", False

    @property
    def size(self) -> ModelSize:
        d, squares = self.domains, len(self.puzzle.board)
        return ModelSize(2 * squares + d.seams + len(d.loose), squares + 1 + len(d.loose) + len(d.bounds))

    def meaning(self) -> Iterator[str]:
        yield from super().meaning()
        yield "placed[i] is the placement on square i, type[i] its piece (identical pieces are one), square 0 is A1;"
        yield "color[i] the colour of join i; invalid[i] whether the join may be invalid and is so"
        for number, what in enumerate(self._placed(), start=1):
            yield f"placement {number} {what}"

    def lines(self) -> Iterator[str]:
        kind = "COP" if self.best and self.domains.loose else "CSP"
        yield f'<instance format="XCSP3" type="{kind}">'
        yield "<variables>"
        yield from self._variables()
        yield "</variables>"
        yield "<constraints>"
        yield from self._tables()
        yield from self._pieces()
        yield from self._loose()
        yield "</constraints>"
        if kind == "COP":
            yield '<objectives><minimize type="sum"> invalid[] </minimize></objectives>'
        yield "</instance>"

    def _variables(self) -> Iterator[str]:
        d = self.domains
        of_square = self._of_square()
        yield from _array("placed", [members + 1 for members in of_square])
        yield from _array("type", [np.unique(d.of_type[members]) for members in of_square])
        if d.seams:
            yield from _array("color", [self._colors[d.colors_of(seam)] for seam in range(d.seams)])
        if d.loose:
            yield from _array("invalid", [np.arange(2)] * len(d.loose))

    def _tables(self) -> Iterator[str]:
        """A placement determines the piece and the colours around it."""
        d = self.domains
        for square, members in enumerate(self._of_square()):
            if not len(members):
                yield f"<intension> ne(placed[{square}],placed[{square}]) </intension>"
                continue
            sides = np.flatnonzero(d.seam[square] >= 0)
            colors = self._colors[d.color[members][:, sides]]
            rows = np.column_stack([members + 1, d.of_type[members], colors]).tolist()
            around = [f"color[{seam}]" for seam in d.seam[square, sides].tolist()]
            yield _extension([f"placed[{square}]", f"type[{square}]", *around], rows)

    def _pieces(self) -> Iterator[str]:
        """No piece lies on two squares."""
        d = self.domains
        copies = list(map(d.copies, range(len(d.candidates.kinds))))
        if max(most for _, most in copies) == 1:
            yield "<allDifferent> type[] </allDifferent>"
            return
        values = " ".join(map(str, range(len(copies))))
        occurs = " ".join(str(most) if least == most else f"{least}..{most}" for least, most in copies)
        yield f"<cardinality><list> type[] </list><values> {values} </values><occurs> {occurs} </occurs></cardinality>"

    def _loose(self) -> Iterator[str]:
        """A join is invalid exactly if its two seams do not match; no more are so than the slips permit."""
        d = self.domains
        for number, one in enumerate(d.loose):
            here, there = d.colors_of(one.first).tolist(), d.colors_of(one.second).tolist()
            rows = [(self._colors[i], self._colors[j], int(d.mates[j] != i)) for i in here for j in there]
            yield _extension([f"color[{one.first}]", f"color[{one.second}]", f"invalid[{number}]"], rows)
        for indices, quota in self.domains.bounds:
            listed = " ".join(f"invalid[{index}]" for index in indices)
            yield f"<sum><list> {listed} </list><condition> (le,{quota}) </condition></sum>"


def _table(rows: Indices) -> str:
    """A matrix in MiniZinc."""
    return "[|\n  " + "\n  | ".join(", ".join(map(str, row)) for row in rows.tolist()) + " |]"


def _array(name: str, domains: Sequence[Indices]) -> Iterator[str]:
    """An array of variables in XCSP3; one without values has the value 0."""
    yield f'<array id="{name}" size="[{len(domains)}]">'
    for number, values in enumerate(domains):
        yield f'<domain for="{name}[{number}]"> {_values(values.tolist() or [0])} </domain>'
    yield "</array>"


def _values(values: Sequence[int]) -> str:
    """Values as intervals."""
    ordered = sorted(values)
    starts = [i for i, value in enumerate(ordered) if i == 0 or value > ordered[i - 1] + 1]
    ends = [*(start - 1 for start in starts[1:]), len(ordered) - 1]
    spans = ((ordered[start], ordered[end]) for start, end in zip(starts, ends, strict=True))
    return " ".join(str(low) if low == high else f"{low}..{high}" for low, high in spans)


def _extension(variables: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A table of the allowed values."""
    tuples = "".join(f"({','.join(map(str, row))})" for row in rows)
    listed = " ".join(variables)
    return f"<extension><list> {listed} </list><supports> {tuples} </supports></extension>"


#: The models by the names of their formats.
TEXTS: dict[str, type[BoardText]] = {"mzn": BoardMiniZinc, "dlx": BoardCover, "xcsp3": BoardXcsp3}
