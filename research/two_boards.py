"""Whether pieces of n x n fill (n - 1) x (n + 1), one left over, with each connector on two joins: by a SAT solver.

    python research/two_boards.py 4 5

Variables: each piece on each square in each rotation, and which sides meet on the second board.  If sides f and g meet
there, so do the sides that face them on the first board; except that those which face the piece left over meet each
other.  No join is on both boards.  (On a path of the graph of both boards two joins are those of the first board.)
"""

import argparse
from collections import defaultdict
from itertools import product

from pysat.card import CardEnc
from pysat.solvers import Solver

from jigsat.csp.puzzles.board import Board, Join
from jigsat.csp.puzzles.jigsaw_algebra import mating, original


class Formula:
    """The clauses for n x n and (n - 1) x (n + 1)."""

    def __init__(self, n: int) -> None:
        self.first, self.second = Board(n, n), Board(n - 1, n + 1)
        self.clauses: list[list[int]] = []
        self.top = 0
        self.lies = {where: self.new() for where in self._placements()}
        self.meet: dict[tuple[int, int], int] = {}
        for index in (0, 1):
            groups = defaultdict(list)
            for where, variable in self.lies.items():
                groups[where[index]].append(variable)
            for group in groups.values():
                self.clauses.append(group)
                self.at_most_one(group)
        self._joins()
        self._twice()

    def new(self) -> int:
        self.top += 1
        return self.top

    def at_most_one(self, variables: list[int]) -> None:
        if len(variables) > 1:
            found = CardEnc.atmost(variables, 1, top_id=self.top, encoding=1)
            self.top = max(self.top, found.nv)
            self.clauses += found.clauses

    def _placements(self):
        """Piece, square and rotation; the square after the last is that of the piece left over."""
        spare = len(self.second)
        for piece, square in product(range(len(self.first)), range(spare)):
            mask, wanted = self.first.border_mask(piece), self.second.border_mask(square)
            for turn in range(4):
                if (mask << turn | mask >> (4 - turn)) & 15 == wanted:
                    yield piece, square, turn
        yield from ((piece, spare, 0) for piece in range(len(self.first)) if self.first.square_class(piece) == "inner")

    def _joins(self) -> None:
        """Which sides meet on the second board; none of them do on the first."""
        self.facing = mating(self.first, original(self.first)).tolist()
        showing = defaultdict(list)
        for (piece, square, turn), variable in self.lies.items():
            for side in range(4):
                showing[square, (side + turn) % 4].append((4 * piece + side, variable))
        for square, side, beside in map(Join.__iter__, self.second.joins()):
            for (one, lies), (other, lies_too) in product(showing[square, side], showing[beside, (side + 2) % 4]):
                if self.facing[one] == other:
                    self.clauses.append([-lies, -lies_too])
                elif one // 4 != other // 4:
                    self.clauses.append([-lies, -lies_too, self.of(one, other)])
        mates = defaultdict(list)
        for pair, variable in self.meet.items():
            for dart in pair:
                mates[dart].append(variable)
        for group in mates.values():
            self.at_most_one(group)

    def of(self, one: int, other: int) -> int:
        pair = min(one, other), max(one, other)
        if pair not in self.meet:
            self.meet[pair] = self.new()
        return self.meet[pair]

    def _twice(self) -> None:
        """Each connector is on two joins of the first board."""
        spare = len(self.second)
        for (one, other), variable in self.meet.items():
            there = sorted((self.facing[one], self.facing[other]))
            clause = [-variable, *([self.meet[there[0], there[1]]] if (there[0], there[1]) in self.meet else [])]
            if there[0] // 4 == there[1] // 4 and (there[0] // 4, spare, 0) in self.lies:
                clause.append(self.lies[there[0] // 4, spare, 0])
            self.clauses.append(clause)
        for (piece, square, _), variable in self.lies.items():
            if square == spare:
                around = [self.facing[4 * piece + side] for side in range(4)]
                for one in around:
                    pairs = [(min(one, other), max(one, other)) for other in around if other != one]
                    self.clauses.append([-variable, *(self.meet[pair] for pair in pairs if pair in self.meet)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("n", type=int, nargs="+")
    for n in parser.parse_args().n:
        formula = Formula(n)
        with Solver("cadical195", bootstrap_with=formula.clauses) as solver:
            words = "possible" if solver.solve() else "impossible"
        print(f"{n}x{n} and {n - 1}x{n + 1}: two joins for each connector are {words}", flush=True)


if __name__ == "__main__":
    main()
