"""Puzzles of squares, triangles and hexagons, with copies, gaps and spare pieces: engines against a brute force."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cells import GRIDS, Piece, answers, centres, neighbours
from jigsat.csp.base.errors import JigsatError
from jigsat.csp.engines.engine import find_engine
from jigsat.csp.engines.request import NO_LIMITS, Goal, Options
from jigsat.csp.files.instances import format_instance, parse_instance
from jigsat.csp.puzzles.check_tiling import TilingChecker
from property_tests import examples

HEIGHT, WIDTH = 3, 4


def rows_of(cells):
    height, width = (max(cell[axis] for cell in cells) + 1 for axis in (0, 1))
    return tuple("".join("#" if (r, c) in cells else "." for c in range(width)) for r in range(height))


def grown(draw, beside, number):
    """Connected cells of a picture."""
    cells = {draw(st.sampled_from(sorted(beside)))}
    for _ in range(number - 1):
        more = sorted({other for cell in cells for other in beside[cell]} - cells)
        cells.add(draw(st.sampled_from(more)))
    return cells


@st.composite
def files(draw):
    """An instance file, its kind of cells, the cells to cover, its pieces, and whether gaps are allowed."""
    kind = draw(st.sampled_from(sorted(GRIDS)))
    beside = neighbours(kind, HEIGHT, WIDTH)
    entries = []
    for _ in range(draw(st.integers(1, 3))):
        cells = grown(draw, beside, draw(st.integers(1, 4)))
        piece = Piece(
            rows_of(cells), *(draw(st.sampled_from(some)) for some in ([True, False],) * 2), draw(st.booleans())
        )
        entries.append((piece, draw(st.integers(1, 2))))
    pieces = [piece for piece, copies in entries for _ in range(copies)]
    needed = sum("".join(piece.rows).count("#") for piece in pieces if not piece.spare)
    most = sum("".join(piece.rows).count("#") for piece in pieces)
    gaps = draw(st.booleans())
    least, last = max(needed, 1), HEIGHT * WIDTH if gaps else min(most, HEIGHT * WIDTH)
    target = grown(draw, beside, draw(st.integers(least, last))) if least <= last else set(beside)
    file = {
        "format": "jigsat/1", "kind": "dissection", "name": "cells", "cells": kind, "leave": gaps,
        "target": rows_of(target), "pieces": [piece.entry(copies) for piece, copies in entries],
    }  # fmt: skip
    return file, kind, centres(kind, file["target"]), pieces, gaps


def fits(target, pieces, gaps):
    """Whether the areas allow a tiling."""
    sizes = ["".join(piece.rows).count("#") for piece in pieces]
    needed = sum(size for size, piece in zip(sizes, pieces, strict=True) if not piece.spare)
    return needed <= len(target) and (gaps or len(target) <= sum(sizes))


def counted(engine, puzzle, goal, *, symmetry):
    return find_engine(engine, goal, kind="dissection").run(puzzle, goal, NO_LIMITS, Options(symmetry=symmetry))


def agree(file, kind, target, pieces, gaps, engine):
    if not fits(target, pieces, gaps):
        with pytest.raises(JigsatError, match="total area"):
            parse_instance(json.dumps(file))
        return
    puzzle = parse_instance(json.dumps(file))
    assert parse_instance(format_instance(puzzle)) == puzzle
    number, orbits, pictures = answers(kind, target, pieces, gaps)
    for symmetry in (True, False):
        for goal in (Goal.COUNT, Goal.ALL):
            result = counted(engine, puzzle, goal, symmetry=symmetry)
            assert (result.count, result.canonical_count, result.picture_count) == (number, orbits, pictures)
        assert len(set(result.solutions)) == len(result.solutions) == (orbits if symmetry else number)
        judge = TilingChecker(puzzle)
        assert all(judge(tiling).is_solution for tiling in result.solutions)


@examples(200, 4)
@given(files())
def test_the_search_counts_what_a_brute_force_counts(drawn):
    agree(*drawn, "backtrack")


@examples(50, 3)
@pytest.mark.parametrize("engine", ["cpsat", "sat:cadical195"])
@given(files())
def test_solvers_count_what_a_brute_force_counts(engine, drawn):
    agree(*drawn, engine)
