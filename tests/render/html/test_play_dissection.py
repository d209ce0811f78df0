"""The page to play a dissection: what is embedded, what its scripts decide without a browser, and visits in one."""

import random
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from browser import opened, overflow
from dissections import L_SHAPE, dissections, dissections_with_holes
from javascript import data_of, evaluated
from jigsat import solve, view
from jigsat.csp.files.instances import read_dissection, save
from jigsat.csp.files.variant import variant
from jigsat.csp.geometry.exact_numbers import parse
from jigsat.csp.geometry.polygons import Isometry, counterclockwise
from jigsat.csp.puzzles.check_tiling import check_tiling
from jigsat.csp.puzzles.dissection import DissectionPuzzle, Motions
from jigsat.render.html.play_dissection import play_dissection_page
from jigsat.render.html.viewer import laying_order
from play_table import badges, box_of, covers, drag_to, text
from solution_files import save_solutions

TURNS = [(1, 0, 0, 1), (0, -1, 1, 0), (-1, 0, 0, -1), (0, 1, -1, 0)]
HOLE = ((1, 1), (3, 1), (3, 3), (1, 3))
RING = DissectionPuzzle(
    ((0, 0), (4, 0), (4, 4), (0, 4)),
    tuple(Isometry(*turn, *at)(L_SHAPE) for turn, at in zip(TURNS, ((0, 0), (4, 0), (4, 4), (0, 4)), strict=True)),
    Motions.LATTICE,
    holes=(HOLE,),
)
HALF, HEIGHT = Fraction(1, 2), parse("1/2*sqrt(3)")
SPOKES = ((1, 0), (-HALF, HEIGHT), (-HALF, -HEIGHT))
#: Of side 2, like a view of a cube.
HEXAGON = DissectionPuzzle(
    ((2, 0), (1, 2 * HEIGHT), (-1, 2 * HEIGHT), (-2, 0), (-1, -2 * HEIGHT), (1, -2 * HEIGHT)),
    tuple(
        tuple((i * x + j * u, i * y + j * v) for i, j in ((k, m), (k + 1, m), (k + 1, m + 1), (k, m + 1)))
        for ((x, y), (u, v)), k, m in product(pairwise((*SPOKES, SPOKES[0])), (0, 1), (0, 1))
    ),
    Motions.LATTICE,
)
LONG = parse("1+sqrt(2)")
CORNERS = ((LONG, -1), (LONG, 1), (1, LONG), (-1, LONG), (-LONG, 1), (-LONG, -1), (-1, -LONG), (1, -LONG))
#: Cut from its centre: edges have directions in steps of 22.5 degrees.
OCTAGON = DissectionPuzzle(CORNERS, tuple(((0, 0), *edge) for edge in pairwise((*CORNERS, CORNERS[0]))))
CELL = ((0, 0), (1, 0), (1, 1), (0, 1))
ROUND = DissectionPuzzle(
    tuple((3 * x, 3 * y) for x, y in CELL),
    tuple(tuple((x + u, y + v) for x, y in CELL) for u, v in product(range(3), range(3)) if (u, v) != (1, 1)),
    holes=(((1, 1), (2, 1), (2, 2), (1, 2)),),
)
DOMINOES = DissectionPuzzle(
    ((0, 0), (3, 0), (3, 2), (0, 2)),
    (((0, 0), (1, 0), (1, 2), (0, 2)), ((1, 0), (3, 0), (3, 1), (1, 1)), ((1, 1), (3, 1), (3, 2), (1, 2))),
    Motions.LATTICE,
)
COLUMNS = tuple(((x, 0), (x + 1, 0), (x + 1, 2), (x, 2)) for x in range(3))
SCREENS = ((390, 844), (844, 390), (1280, 800))

SCRIPTS = ("fitting.js", "snapping.js", "tray.js")
PLACES = "const placesOf = (tiling) => tiling.map(([x, y, turn, flip]) => ({ x, y, turn, flip: Boolean(flip) }));"
ARE_SOLVED = "data.tilings.map((tiling) => isSolved(data, placesOf(tiling)))"
ARE_LIKE_FIRST = "data.tilings.map((tiling) => isSameTiling(data, placesOf(data.tilings[0]), placesOf(tiling)))"
DROPS = f"""(cases) => cases.map(([data, order, offs, near]) => {{
    {PLACES}
    const tiling = placesOf(data.tilings[0]);
    let places = strewn(data, tableOf(data, data.deal, {{ width: 1000, height: 700 }}), data.deal);
    order.forEach((piece, number) => {{
        const [x, y] = [tiling[piece].x + offs[number][0], tiling[piece].y + offs[number][1]];
        const turn = Math.round(tiling[piece].turn / data.step) * data.step;
        const place = snapped(data, places, piece, {{ ...tiling[piece], x, y, turn }}, near);
        places = places.map((old, other) => (other === piece ? place : old));
    }});
    const off = places.map(({{ x, y }}, piece) => Math.hypot(x - tiling[piece].x, y - tiling[piece].y));
    return [isSolved(data, places), isSameTiling(data, places, tiling), Math.max(...off) < 1e-4];
}})"""
TABLES = """(cases, rooms) => cases.flatMap((data) => rooms.map(([width, height]) => {
    const layout = tableOf(data, data.deal, { width, height });
    const places = strewn(data, layout, data.deal);
    const turned = strewn(data, layout, data.deal.map(([piece, turn, flip]) => [piece, turn + quarter(data), flip]));
    const areLoose = places.every((place, piece) => isLoose(data, piece, place));
    const all = [places, turned].flatMap((laid) => laid.flatMap((place, piece) => cornersAt(data, piece, place)));
    const both = [places, turned].map((laid) => laid.map((place, piece) => partsAt(data, piece, place)));
    const [xs, ys] = [all.map(([x]) => x + layout.board.x), all.map(([, y]) => y + layout.board.y)];
    const areApart = both.every((parts) => parts.every((own, piece) => parts.every(
        (other, at) => at === piece || !overlap(data, own, other))));
    const room = [...xs, ...ys, ...xs.map((x) => layout.width - x), ...ys.map((y) => layout.height - y)];
    const ratio = (layout.width * height) / (layout.height * width);
    return [areApart, areLoose, Math.min(...room) > 30, Math.abs(ratio - 1) < 1e-9];
}))"""


def page_data(puzzle, *tilings, **options):
    """The data of a page; by default it can show the tiling in which the pieces lie in the file."""
    return data_of(play_dissection_page(puzzle, tilings or (puzzle.pieces,), **options))


def each_case(cases, expression):
    return evaluated(SCRIPTS, f"(cases) => cases.map((data) => {{ {PLACES} return {expression}; }})", cases)


def moved_file(puzzle, seed):
    """The puzzle with its pieces elsewhere in the file, turned and turned over as is allowed."""
    chance, pieces = random.Random(seed), []
    for number, piece in enumerate(puzzle.pieces):
        a, b, c, d = chance.choice(TURNS)
        sign = 1 if number in puzzle.no_flip else chance.choice([1, -1])
        at = chance.randrange(-9, 9), chance.randrange(-9, 9)
        pieces.append(Isometry(sign * a, b, sign * c, d, *at)(piece))
    return replace(puzzle, pieces=tuple(pieces))


def shifted(tiling, piece, by):
    moved = tuple((x + by[0], y + by[1]) for x, y in tiling[piece])
    return (*tiling[:piece], moved, *tiling[piece + 1 :])


def test_the_page_does_not_depend_on_how_the_pieces_lie_in_the_file():
    """Catches pages that give the solution away by the rotations of pieces or the order of their corners."""
    for name, motions in product(("sei-shonagon", "pentominoes-8x8"), Motions):
        puzzle = read_dissection(name).with_motions(motions)
        pages = [page_data(one, puzzle.pieces) for one in (puzzle, moved_file(puzzle, 1), moved_file(puzzle, 2))]
        assert pages[0]["pieces"] == pages[1]["pieces"] == pages[2]["pieces"]
        assert pages[0]["deal"] == pages[1]["deal"]
    assert page_data(puzzle, seed=1)["deal"] != page_data(puzzle, seed=2)["deal"]


@given(st.lists(dissections() | dissections_with_holes(), min_size=8, max_size=8), st.randoms())
@settings(max_examples=3)
def test_the_page_and_the_checker_agree(puzzles, chance):
    """Catches praise for gaps and overlaps, and tilings that are not recognised; pieces are moved by lattice steps."""
    cases, verdicts = [], []
    for puzzle in puzzles:
        steps = [(0, 0), (1, 0), (0, -1), (-2, 1)]
        tilings = [shifted(puzzle.pieces, chance.randrange(len(puzzle.pieces)), by) for by in steps]
        cases.append(page_data(puzzle, *tilings))
        verdicts.append([check_tiling(puzzle, one).is_solution for one in tilings])
    assert all(first for first, *_ in verdicts)
    assert each_case(cases, ARE_SOLVED) == verdicts


def test_pieces_in_holes_and_pockets_do_not_fit():
    """Catches praise for pieces that lie in the hull of the target, apart from each other, but not on the target."""
    cells = tuple(tuple((x + u, y + v) for x, y in CELL) for u, v in ((0, 0), (1, 0), (0, 1)))
    notched = DissectionPuzzle(L_SHAPE, cells, Motions.LATTICE)
    cases = [page_data(puzzle, puzzle.pieces, shifted(puzzle.pieces, 0, (1, 1))) for puzzle in (RING, notched, ROUND)]
    assert each_case(cases, ARE_SOLVED) == [[True, False]] * 3


def rectangles(width, height, up=1):
    third, half = width // 3, height // 3
    whole, lower, upper = (
        tuple((u, v * up) for u, v in ((left, low), (right, low), (right, high), (left, high)))
        for left, right, low, high in ((0, third, 0, height), (third, width, 0, half), (third, width, half, height))
    )
    target = ((0, 0), (width, 0), (width, height * up), (0, height * up))
    return DissectionPuzzle(target, (whole, lower, upper), Motions.LATTICE)


def test_keys_reach_every_place():
    """Catches steps over two points of a lattice where pieces snap from point to point: they miss every other one."""
    walk = """(data, starts) => starts.map(([i, j]) => {
        const [x, y, turn, flip] = data.tilings[0][1];
        const far = data.pieces.map(() => ({ x: -5000, y: -5000, turn: 0, flip: false }));
        const { across, up } = data.lattice;
        const { ways, near } = keySteps(data.lattice);
        const seen = new Map();
        const see = (place) => seen.set(`${Math.round(place.x * 1000)},${Math.round(place.y * 1000)}`, place);
        see({ x: x + i * across[0] + j * up[0], y: y + i * across[1] + j * up[1], turn, flip: Boolean(flip) });
        for (let steps = 0; steps < 8; steps++) {
            for (const place of [...seen.values()]) {
                for (const [dx, dy] of ways) {
                    see(snapped(data, far, 1, { ...place, x: place.x + dx, y: place.y + dy }, near));
                }
            }
        }
        return [...seen.values()].some((place) => Math.hypot(place.x - x, place.y - y) < 1e-4);
    })"""
    starts = [(0, 1), (-1, 0), (-1, 1), (-1, 2), (-2, 1), (-3, 3)]
    for width in (94, 112, 142, 145, 241, 1201):
        assert evaluated(SCRIPTS, walk, page_data(rectangles(width, 61)), starts) == [True] * len(starts), width
    wide = rectangles(146, 61, parse("1/2*sqrt(6)"))
    assert evaluated(SCRIPTS, walk, page_data(wide), [*starts, (1, 1), (-1, 1)]) == [True] * (len(starts) + 2)


def test_pieces_snap_into_a_tiling():
    """Catches pieces that snap elsewhere, or not exactly; at any angle they are dropped up to 7.5 degrees off."""
    chance = random.Random(7)
    ostomachion, shonagon = read_dissection("ostomachion"), read_dissection("sei-shonagon")
    stretched = (variant(shonagon, stretch="7:3"), variant(ostomachion, stretch="12/7:11/13"))
    named = (ostomachion, read_dissection("l-shape"))
    at_any_angle = (ostomachion.with_motions("any"), HEXAGON.with_motions("any"), RING.with_motions("any"), OCTAGON)
    cases = []
    for puzzle in (*named, HEXAGON, RING, *stretched, *at_any_angle):
        offs = [[chance.uniform(-5, 5), chance.uniform(-5, 5)] for _ in puzzle.pieces]
        cases.append([page_data(puzzle), laying_order(puzzle.pieces), offs, 14])
    assert evaluated(SCRIPTS, DROPS, cases) == [[True, True, True]] * 10


def test_which_tilings_are_the_same():
    """Catches symmetries of the target, and exchanges of equal pieces, that make another solution."""
    rows = DOMINOES.pieces
    mirrored = tuple(counterclockwise(tuple((3 - x, y) for x, y in piece)) for piece in rows)
    exchanged = (rows[2], rows[0], rows[1])
    assert check_tiling(DOMINOES, COLUMNS).is_solution
    data = page_data(DOMINOES, rows, mirrored, exchanged, COLUMNS)
    assert each_case([data], ARE_LIKE_FIRST) == [[True, True, True, False]]


def test_pieces_start_beside_the_target_and_apart():
    """Catches trays that overlap the target, or in which pieces lie upon each other or off the table."""
    names = ("ostomachion", "tangram", "pentominoes-8x8", "calissons")
    cases = [page_data(read_dissection(name), read_dissection(name).pieces) for name in names]
    assert evaluated(SCRIPTS, TABLES, cases, [(390, 700), (780, 330), (900, 820)]) == [[True] * 4] * 12


def test_what_a_page_can_show(written, tmp_path):
    """Catches tilings that the page is not given, gifts that hold one, and variants that are another puzzle."""
    file, solutions = tmp_path / "dominoes.json", tmp_path / "solutions.json"
    unlike = replace(DOMINOES, pieces=(COLUMNS[0],) * 3)
    save_solutions(unlike, [COLUMNS, DOMINOES.pieces], solutions)
    save(unlike, file)
    pages = [
        data_of(written("play", file, *more).read_text()) for more in ([], [solutions], [solutions, "--hide-solution"])
    ]
    assert [len(page["tilings"]) for page in pages] == [0, 2, 0]
    plain = data_of(written("play", "ostomachion").read_text())
    assert len(plain["tilings"]) == 1
    gift = written("play", "ostomachion", "--hide-solution", "--name", "For Ada", "--seed", "4").read_text()
    assert "<title>For Ada</title>" in gift
    assert data_of(gift)["tilings"] == []
    assert data_of(gift)["pieces"] != plain["pieces"]
    assert sorted(data_of(gift)["pieces"]) == sorted(plain["pieces"])
    wide = data_of(written("play", "ostomachion", "--stretch", "2:1", "--no-flip", "3").read_text())
    assert (wide["size"], wide["flips"].index(False)) == ([600, 300], 2)
    assert plain["lattice"]
    assert not data_of(written("play", "ostomachion", "--motions", "any").read_text())["lattice"]
    page = view(read_dissection("ostomachion"), play=True, motions="any")
    assert (page.shown, page.total, len(data_of(page.html)["tilings"])) == (1, 1, 1)


def places_of(tiling):
    return [{"x": x, "y": y, "turn": turn, "flip": bool(flip)} for x, y, turn, flip in tiling]


def lay_pieces(page, pieces, places):
    for number, piece in enumerate(pieces):
        drag_to(page, piece, places[piece], off=(number % 3 - 1, number % 2 * 2 - 1))


def lying(page):
    return page.evaluate("state.places.map(({ x, y, turn, flip }) => [x, y, turn, flip])")


def play_on(page, width, height, places, order):
    """Solves a page by dragging on a screen of that size, with a reload in between."""
    page.set_viewport_size({"width": width, "height": height})
    page.reload()
    page.evaluate("Math.random = () => 0.3")
    page.get_by_role("button", name="Shuffle").click()
    assert text(page, "counter") == f"0 of {len(order)} pieces fit"
    assert overflow(page) == 0
    stage = box_of(page, "#stage")
    assert stage[3] <= height
    assert (stage[2] - stage[0]) * (stage[3] - stage[1]) > 0.55 * width * height
    half = len(order) // 2
    lay_pieces(page, order[:half], places)
    assert text(page, "counter") == f"{half} of {len(order)} pieces fit"
    before = lying(page)
    page.reload()
    assert lying(page) == before
    lay_pieces(page, order[half:], places)
    assert page.locator("#banner").is_visible()
    board = box_of(page, "#board .frame")
    assert not covers(board, box_of(page, "#banner"))
    assert not covers(board, box_of(page, "#bar"))
    assert min(board[:2]) >= 0
    assert (board[2] <= width, board[3] <= height) == (True, True)
    assert max((board[2] - board[0]) / (stage[2] - stage[0]), (board[3] - board[1]) / (stage[3] - stage[1])) > 0.84


def test_a_visit(browser, written):
    """Catches pieces that cannot be dragged, progress that a reload loses, and a banner on the picture."""
    puzzle = read_dissection("sei-shonagon")
    path = written("play", "sei-shonagon", "--seed", "2")
    places, order = places_of(data_of(path.read_text())["tilings"][0]), laying_order(puzzle.pieces)
    praise = ["You found a solution!", "You found this solution again!", "You found this solution again!"]
    with opened(browser, path, reduced_motion="reduce") as page:
        for (width, height), words in zip(SCREENS, praise, strict=True):
            play_on(page, width, height, places, order)
            assert text(page, "banner") == text(page, "message") == words
            assert badges(page) == ["1 solution found"]
            page.get_by_role("button", name="Undo").click()
            assert not page.locator("#banner").is_visible()


# How far the corners of pieces lie beyond the edge of the table, in pixels.
STICKS_OUT = """() => {
    const { left, top, right, bottom } = byId("table").getBoundingClientRect();
    const corners = Array.from(document.querySelectorAll(".piece .outline"), (outline) =>
        Array.from(outline.points, (corner) => corner.matrixTransform(outline.getScreenCTM()))).flat();
    return Math.max(...corners.map(({ x, y }) => Math.max(left - x, top - y, x - right, y - bottom)));
}"""


def test_overlaps_are_outlined_and_pieces_stay_on_the_table(browser, written):
    """Catches pieces that hide under others, and those that keys or turns cut off at the table's edge."""
    path = written("play", "tangram")
    places = places_of(data_of(path.read_text())["tilings"][0])
    with opened(browser, path, reduced_motion="reduce") as page:
        lay_pieces(page, (2, 0), places)
        assert page.locator(".clash").count() == 0
        drag_to(page, 1, places[0])
        assert page.locator(".clash").count() == 2
        page.get_by_role("button", name="Undo").click()
        assert page.locator(".clash").count() == 0
        for piece in (1, 3, 6):
            page.locator(f'[data-piece="{piece}"]').focus()
            for key in ("ArrowRight", "ArrowDown", "ArrowLeft"):
                for _ in range(40):
                    page.keyboard.press(key)
                for _ in range(3):
                    page.keyboard.press("r")
                    assert page.evaluate(STICKS_OUT) <= 0


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ostomachion", "pentominoes-8x8", "calissons", "perigal", "stretched", "any", "ring"])
@pytest.mark.parametrize(("width", "height"), SCREENS)
def test_visits(browser, written, tmp_path, name, width, height):
    """The same for all kinds of pieces, targets and motions, with solutions that are found by a search."""
    shonagon = read_dissection("sei-shonagon")
    own = {"stretched": variant(shonagon, stretch="7:3"), "any": shonagon.with_motions("any"), "ring": RING}
    puzzle = own.get(name) or read_dissection(name)
    save(puzzle, tmp_path / "puzzle.json")
    tiling = solve(puzzle).solutions[0]
    save_solutions(puzzle, [tiling], tmp_path / "solution.json")
    places = places_of(page_data(puzzle, tiling)["tilings"][0])
    with opened(browser, written("play", tmp_path / "puzzle.json", "--hide-solution"), reduced_motion="reduce") as page:
        assert data_of(page.content())["tilings"] == []
        assert not page.get_by_role("button", name="Show").is_visible()
    path = written("play", tmp_path / "puzzle.json", tmp_path / "solution.json")
    with opened(browser, path, reduced_motion="reduce") as page:
        play_on(page, width, height, places, laying_order(tiling))
        assert text(page, "banner") == "You found a solution!"
