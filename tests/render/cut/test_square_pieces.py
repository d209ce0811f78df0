"""The sheets of edge-matching puzzles: what is printed where, and that it looks as in pictures."""

import io

import numpy as np
import pytest

import jigsat as js
from jigsat.csp.base.errors import UsageError
from jigsat.csp.files.instances import read_squares
from jigsat.csp.puzzles.board import Placement
from jigsat.render.cut.paper import CUT, NUMBERS, PICTURE, RULE, Path, Text, label
from jigsat.render.cut.tabs import curves_of
from jigsat.render.svg.palette import look, looks

CLUE, SQUARES = read_squares("clue1"), read_squares("scramble-squares")


def pixels(d):
    """A path, filled."""
    cairosvg = pytest.importorskip("cairosvg")
    image = pytest.importorskip("PIL.Image")
    text = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-50 0 100 50" width="200" height="100"><path d="{d}"/></svg>'
    )
    return np.asarray(image.open(io.BytesIO(cairosvg.svg2png(text.encode())))).astype(int)


@pytest.mark.parametrize("rank", range(12))
def test_motifs_are_those_of_pictures(rank):
    """Catches half circles on the wrong side, and corners that are lost."""
    motif = look(rank).motif
    curves = ((first, " ".join(f"{x} {y}" for x, y in others)) for first, *others in curves_of(motif))
    own = "".join(f"M{x} {y}C{rest}z" for (x, y), rest in curves)
    assert np.abs(pixels(own) - pixels(motif)).mean() < 0.5
    assert pixels(motif).any()


def triangles(sheet, size):
    """The fills of the triangles around each centre of a square, in the order up, right, down, left."""
    found = {}
    for item in sheet.items:
        if isinstance(item, Path) and item.layer is PICTURE and item.straight and len(item.points) == 3:
            (x, y), (u, v), centre = item.points
            side = {(0, -1): 0, (1, 0): 1, (0, 1): 2, (-1, 0): 3}[
                round(2 * ((x + u) / 2 - centre[0]) / size), round(2 * ((y + v) / 2 - centre[1]) / size)
            ]
            assert np.hypot(x - u, y - v) == pytest.approx(size)
            found.setdefault((round(centre[0], 3), round(centre[1], 3)), {})[side] = item.fill
    return {place: tuple(sides[side] for side in range(4)) for place, sides in found.items()}


def colours(puzzle, placement):
    return tuple(looks(puzzle)[side].background for side in puzzle.shown(placement))


def test_pieces_lie_in_rows_with_their_numbers_behind_them():
    """Catches pieces with other colours, sizes or gaps, and numbers behind other pieces in duplex printing."""
    cut, back, board = js.draw_print(CLUE, page="a4", size=24).sheets
    places = triangles(cut, 24)
    assert list(places.values()) == [colours(CLUE, Placement(piece, 0)) for piece in range(36)]
    assert [place[0] - next(iter(places))[0] for place in places][:8] == [24 * column for column in range(7)] + [0]
    middles = []
    at = [item.points for item in back.items if isinstance(item, Path) and item.layer is NUMBERS]
    for piece in range(36):
        paths, at = at[: len(label(piece + 1, dotted=False))], at[len(label(piece + 1, dotted=False)) :]
        xs = [x for path in paths for x, _ in path]
        middles.append((min(xs) + max(xs)) / 2)
    assert middles == pytest.approx([210 - x for x, _ in places], abs=2.5)
    lines = [item.points for item in cut.items if isinstance(item, Path) and item.layer is CUT]
    assert sum(np.hypot(*np.subtract(*line)) for line in lines) == pytest.approx(24 * (6 * 7 + 1 + 6 * 2 + 5 * 6))
    names = [item.text for item in board.items if isinstance(item, Text) and item.anchor == "middle"]
    assert names == [CLUE.board.name(square) for square in range(36)]
    ruler = max(
        np.hypot(*np.subtract(*item.points))
        for item in cut.items
        if len(getattr(item, "points", ())) == 2 and item.layer is not CUT
    )
    assert ruler == RULE


def test_the_solution_is_shown_only_if_asked():
    solution = js.solve(SQUARES).solutions[0]
    made = js.draw_print(SQUARES, solution, sheets="assemblies").sheets
    assert list(triangles(made[0], 25).values()) == [colours(SQUARES, placed) for placed in solution]
    assert [sheet.name for sheet in js.draw_print(SQUARES).sheets] == ["cut", "back", "board", "legend"]
    hidden = js.draw_print(SQUARES, solution, hide_solution=True, seed=2).sheets
    assert "solution" not in [sheet.name for sheet in hidden]
    with pytest.raises(UsageError, match="to hide the solution, omit assemblies"):
        js.draw_print(SQUARES, solution, sheets="assemblies", hide_solution=True)


def test_large_sets_need_several_pages():
    sheets = js.draw_print("eternity2", page="a4", numbers=False, sheets="cut,board").sheets
    assert [sheet.name for sheet in sheets[:5]] == ["cut-1", "cut-2", "cut-3", "cut-4", "board-1"]
    assert sum(len(triangles(sheet, 25)) for sheet in sheets[:4]) == 256
    # The fixed piece is printed on its place.
    assert sum(len(triangles(sheet, 25)) for sheet in sheets[4:]) == 1
