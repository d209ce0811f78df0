"""Edge-matching puzzles and jigsaws as models of CP-SAT."""

from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from ortools.sat.python import cp_model
from ortools.util.python.sorted_interval_list import Domain

from ...csp.puzzles.board import SIDE_NAMES, Arrangement
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle, PuzzleBoard, Rule, board_of
from ...csp.puzzles.orders import find_order
from ...csp.puzzles.slips import checked_frame_slips, checked_slips
from ..base.encodings import Encoding, cp_encoding
from ..base.puzzle_model import PuzzleCp
from .cnf_constraints import ADJACENT, counted_colors, groups_of, half_of
from .domains import Domains, Indices

if TYPE_CHECKING:
    from ..base.puzzle_model import Values

Literal = Any  # a Boolean variable of CP-SAT, its negation, or a constant
Colors = dict[tuple[int, int], Literal]


def build_cp(
    puzzle: EdgeMatchingPuzzle,
    encoding: str | Encoding | None = None,
    *,
    model: cp_model.CpModel | None = None,
    order: str | tuple[int, ...] | None = None,
    slips: str | tuple[int, ...] | None = None,
    frame_slips: str | tuple[int, ...] | None = None,
    symmetry: bool = False,
) -> "EdgeMatchingCp":
    """A puzzle as a model of CP-SAT whose solutions are its own.

    Parameters and errors are those of `jigsat.cp_model`, and `model`: one to which these constraints are added.
    """
    chosen = cp_encoding(encoding)
    _, squares = find_order(puzzle, order)
    arrays = checked_slips(puzzle, slips), checked_frame_slips(puzzle, frame_slips)
    domains = Domains(puzzle, squares, *arrays, symmetry=symmetry, prune=chosen.prune)
    return EdgeMatchingCp(domains, chosen, model)


class EdgeMatchingCp(PuzzleCp):
    """A puzzle as a model of CP-SAT, and what its variables mean.

    Attributes
    ----------
    domains, encoding
        What the model was made of.
    model
        The model; you may add your own constraints and objective.
    invalid_joins
        For each join that may be invalid the literal that says that it is.
    """

    puzzle: EdgeMatchingPuzzle

    def __init__(self, domains: Domains, encoding: Encoding, model: cp_model.CpModel | None = None) -> None:
        self.domains, self.encoding, self.puzzle = domains, encoding, domains.puzzle
        self.model = cp_model.CpModel() if model is None else model
        self.invalid_joins = [self.model.new_bool_var(f"invalid {one.join}") for one in domains.loose]
        self._there: dict[int, Literal] = {}
        self._choice: list[Any] = []
        self._boolean = encoding.name in ("booleans", "pairs")
        if self._boolean:
            self._state_booleans()
        else:
            self._state_choices()
        for indices, quota in domains.bounds:
            self.model.add(sum(self.invalid_joins[index] for index in indices) <= quota)

    def place(self, square: int | str, piece: int, rotation: int) -> Literal:
        """The literal "on this square lies this piece in this rotation"; 0 if it cannot.

        A square has an index, with which pieces are counted from 0, or a name such as ``"A1"``, with which they are
        numbered from 1, as in files and output.

        Raises PuzzleError if there is no such square, piece or rotation.
        """
        square, piece = self.domains.located(square, piece)
        placement = self.domains.placement(piece, square, rotation)
        return 0 if placement is None else self._literal(placement)

    def on(self, square: int | str, piece: int) -> Any:
        """The expression that is 1 if on this square lies this piece, and 0 if not.

        Square and piece are those of `place`, which also describes the errors.
        """
        square, piece = self.domains.located(square, piece)
        return sum(self._literal(int(placement)) for placement in self.domains.placements_of(piece, square))

    def color(self, square: int | str, side: int, color: int) -> Any:
        """The expression that is 1 if this square shows this colour on that side, and 0 if not.

        Raises PuzzleError if there is no such square or side.
        """
        square = self.puzzle.board.index(square)
        _, seen = self.domains.seam_color(square, side, color)
        members = np.flatnonzero((self.domains.square == square) & (self.domains.color[:, side] == seen))
        return sum(self._literal(int(placement)) for placement in members) if seen >= 0 else 0

    def invalid(self, square: int | str, side: int) -> Literal:
        """The literal "the join on this side of the square is invalid"; 0 if it must be valid.  Raises as `color`."""
        loose = self.domains.loose_at(self.puzzle.board.index(square), side)
        return 0 if loose is None else self.invalid_joins[loose]

    def meaning(self) -> Iterator[str]:
        """How the model was built, and what the placements, seams and colours are that its variables have as values."""
        d, name = self.domains, self.puzzle.board.name
        yield from d.meaning()
        pieces, rotations = d.name_of_piece()
        for number, what in enumerate(zip(d.square.tolist(), pieces.tolist(), rotations.tolist(), strict=True)):
            square, piece, rotation = what
            yield f"placement {number}: piece {piece + 1} on {name(square)} turned {rotation}"
        for square, side in zip(*np.nonzero((d.seam >= 0) & ~d.second), strict=True):
            yield f"seam {d.seam[square, side]}: {SIDE_NAMES[side]} side of {name(int(square))}"
        for color, index in d.candidates.color_index.items():
            yield f"colour index {index}: colour {color}"

    def hint(self, board: Arrangement) -> None:
        """Have the solver try this board, full or partial, first; what cannot be there is left out.

        A later hint replaces an earlier one.  Your own hints about other variables stay.
        """
        hinted = []
        for square, placed in enumerate(board):
            if placed is not None:
                placement = self.domains.placement(placed.piece, square, placed.rotation)
                if placement is not None and self._boolean:
                    hinted.append((self._there[placement], 1))
                elif placement is not None:
                    hinted.append((self._choice[square], placement))
        self._forget_hints()
        for variable, value in hinted:
            self.model.add_hint(variable, value)

    def _forget_hints(self) -> None:
        """Remove the hints about the variables that say what lies where: a model has at most one about each."""
        placed = {variable.index for variable in (self._there.values() if self._boolean else self._choice)}
        known = self.model.proto.solution_hint
        others = [(index, value) for index, value in zip(known.vars, known.values, strict=True) if index not in placed]
        self.model.clear_hints()
        for index, value in others:
            known.vars.append(index)
            known.values.append(value)

    def exclude(self, board: Arrangement) -> None:
        """Add a constraint that excludes a full board and, with symmetry broken, all equivalent boards.

        Raises PuzzleError if the board is of another size or not full, or there is no such piece or rotation.
        """
        for placements in self.domains.placements_of_solution(board):
            self.model.add_bool_or([~self._literal(placement) for placement in placements])

    def solution(self, values: "Values") -> PuzzleBoard:
        """The board of a solution that a solver or callback has."""
        board = next(self.domains.tally().arrangements(self.domains.rows(self.there(values)[None])))
        return board_of(self.puzzle, board)

    def there(self, values: "Values") -> np.ndarray:
        """Which placements are true."""
        if self._boolean:
            return np.array([values.value(literal) for literal in self._there.values()], dtype=bool)
        there = np.zeros(len(self.domains.square), dtype=bool)
        there[[values.value(choice) for choice in self._choice]] = True
        return there

    def _literal(self, placement: int) -> Literal:
        """A literal for a placement; where a choice has the placements as values it is made when it is asked for."""
        if placement not in self._there:
            choice = self._choice[self.domains.square[placement]]
            self._there[placement] = self._is_in(choice, [placement])
        return self._there[placement]

    def _is_in(self, choice: Any, values: list[int]) -> Literal:
        literal = self.model.new_bool_var("")
        among = Domain.from_values(values)
        self.model.add_linear_expression_in_domain(choice, among).only_enforce_if(literal)
        self.model.add_linear_expression_in_domain(choice, among.complement()).only_enforce_if(~literal)
        return literal

    def _state_booleans(self) -> None:
        """A literal for each placement and for each colour of a seam."""
        d, model = self.domains, self.model
        self._there = {i: model.new_bool_var(f"placement {i}") for i in range(len(d.square))}
        color = {
            (seam, index): model.new_bool_var(f"seam {seam} has {index}")
            for seam in range(d.seams)
            for index in d.colors_of(seam).tolist()
        }
        for seam in range(d.seams):
            model.add_exactly_one(color[seam, index] for index in d.colors_of(seam).tolist())
        for members in groups_of(d.square, len(self.puzzle.board)):
            model.add_exactly_one(self._there[i] for i in members.tolist())
        units, unit_square, unit_kind = self._units()
        for kind, members in enumerate(groups_of(unit_kind, len(d.candidates.kinds))):
            self._use(kind, [units[i] for i in members.tolist()])
        self._support(color)
        self._link_booleans(color)
        self._state_redundant(color, units, unit_square, unit_kind)

    def _units(self) -> tuple[list[Literal], Indices, Indices]:
        """Literals that say which type lies on a square, with the square and the type of each."""
        d = self.domains
        if "pieces" not in self.encoding.redundant:
            return list(self._there.values()), d.square, d.of_type
        unit_of, square, kind = d.units()
        units = [self.model.new_bool_var(f"unit {i}") for i in range(len(square))]
        for unit, members in zip(units, groups_of(unit_of, len(units)), strict=True):
            self.model.add_exactly_one(~unit, *(self._there[i] for i in members.tolist()))
        return units, square, kind

    def _use(self, kind: int, literals: list[Literal]) -> None:
        """As many of a type lie on the board as there are, or at most as many."""
        least, most = self.domains.copies(kind)
        if (least, most) == (1, 1):
            self.model.add_exactly_one(literals)
        elif most == 1:
            self.model.add_at_most_one(literals)
        else:
            self.model.add_linear_constraint(sum(literals), least, most)

    def _support(self, color: Colors) -> None:
        """A placement gives its seams their colours, and a colour needs a piece that has it, on either side."""
        d, model = self.domains, self.model
        members_of = list(groups_of(d.square, len(self.puzzle.board)))
        pairs = ADJACENT if self.encoding.name == "pairs" else ()
        for square, members in enumerate(members_of):
            for sides in (*((side,) for side in range(4)), *pairs):
                seams = d.seam[square, sides].tolist()
                if min(seams) < 0:
                    continue
                shown = product(*(d.colors_of(seam).tolist() for seam in seams))
                supports: dict[tuple[int, ...], list[int]] = {colors: [] for colors in shown}
                for placement, colors in zip(members.tolist(), d.color[members][:, sides].tolist(), strict=True):
                    supports[tuple(colors)].append(placement)
                for colors, placements in supports.items():
                    known = [color[key] for key in zip(seams, colors, strict=True)]
                    model.add_bool_or(*(~one for one in known), *(self._there[i] for i in placements))
                    for placement in placements if len(sides) == 1 else ():
                        model.add_implication(self._there[placement], known[0])

    def _link_booleans(self, color: Colors) -> None:
        """A join is invalid exactly if its two seams do not match."""
        for literal, one in zip(self.invalid_joins, self.domains.loose, strict=True):
            for index, mate in enumerate(self.domains.mates.tolist()):
                here, there = color.get((one.first, index)), color.get((one.second, mate))
                if here is not None and there is not None:
                    self.model.add_bool_or(literal, ~here, there)
                    self.model.add_bool_or(literal, here, ~there)
                    self.model.add_bool_or(~literal, ~here, ~there)
                elif here is not None:
                    self.model.add_implication(here, literal)
                elif there is not None:
                    self.model.add_implication(there, literal)

    def _state_redundant(self, color: Colors, units: list[Literal], unit_square: Indices, unit_kind: Indices) -> None:
        """What follows from the rest, as far as the encoding has it."""
        d, model, redundant = self.domains, self.model, self.encoding.redundant
        if "absent-colors" in redundant:
            for unit, square, kind in zip(units, unit_square.tolist(), unit_kind.tolist(), strict=True):
                shown = d.color[(d.square == square) & (d.of_type == kind)]
                for side, seam in enumerate(d.seam[square].tolist()):
                    for index in set(d.colors_of(seam).tolist() if seam >= 0 else ()) - set(shown[:, side].tolist()):
                        model.add_implication(unit, ~color[seam, index])
        for colors, sides in counted_colors(d):
            if "color-counts" in redundant and not d.loose:
                model.add(sum(literal for (_, index), literal in color.items() if index in colors) == half_of(sides))
            if {"checkerboard", "parity"} & redundant and not d.loose and d.is_checkered:
                times = d.times(colors)
                on_black = sum(
                    times[kind] * unit
                    for unit, square, kind in zip(units, unit_square.tolist(), unit_kind.tolist(), strict=True)
                    if d.black[square]
                )
                model.add(on_black == half_of(sides))

    def _state_choices(self) -> None:
        """For each square a variable that says which placement it has, for each seam one that says which colour."""
        d, model = self.domains, self.model
        squares = range(len(self.puzzle.board))
        members_of = list(groups_of(d.square, len(squares)))
        self._choice = [_integer(model, members_of[square].tolist(), f"square {square}") for square in squares]
        seams = [_integer(model, d.colors_of(seam).tolist(), f"seam {seam}") for seam in range(d.seams)]
        several = np.array([d.copies(kind)[1] > 1 for kind in range(len(d.candidates.kinds))], dtype=bool)
        kinds = len(several)
        pieces = []
        for square, members in enumerate(members_of):
            # A type with several pieces takes no part in "all different": its number there is the square's own.
            number = np.where(several[d.of_type[members]], kinds + square, d.of_type[members]).tolist()
            pieces.append(_integer(model, sorted(set(number)), f"piece on {square}"))
            columns = [number]
            variables = [pieces[-1]]
            for side, seam in enumerate(d.seam[square].tolist()):
                if seam >= 0:
                    columns.append(d.color[members, side].tolist())
                    variables.append(seams[seam])
            if self.encoding.name == "table":
                rows = zip(members.tolist(), *columns, strict=True)
                model.add_allowed_assignments([self._choice[square], *variables], rows)
            elif len(members):  # without any the choice has made the model unsolvable
                for column, variable in zip(columns, variables, strict=True):
                    model.add_element(self._choice[square] - int(members[0]), column, variable)
        model.add_all_different(pieces)
        for kind in np.flatnonzero(several).tolist():
            places = (
                (square, members[d.of_type[members] == kind].tolist()) for square, members in enumerate(members_of)
            )
            self._use(kind, [self._is_in(self._choice[square], members) for square, members in places if members])
        self._link_choices(seams)

    def _link_choices(self, seams: list[Any]) -> None:
        """A join is invalid exactly if its two seams do not match."""
        colors = self.domains.candidates.colors
        for literal, one in zip(self.invalid_joins, self.domains.loose, strict=True):
            here, there = seams[one.first], seams[one.second]
            # Connectors are numbered so that those that match add up to the last number.
            mate = there if self.puzzle.rule is Rule.EQUAL else colors - 1 - there
            if self.puzzle.mates:
                mate = self.model.new_int_var(0, colors - 1, f"mate_{one.second}")
                self.model.add_element(there, self.domains.mates.tolist(), mate)
            self.model.add(here == mate).only_enforce_if(~literal)
            self.model.add(here != mate).only_enforce_if(literal)


def _integer(model: cp_model.CpModel, values: list[int], name: str) -> Any:
    """A variable with these values; without values, the model has no solution."""
    if not values:
        model.add_bool_or()
        values = [0]
    return model.new_int_var_from_domain(Domain.from_values(values), name)
