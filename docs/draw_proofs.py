"""Draws the figures of docs/papers: a cycle of two assemblies, chains of lemma 5, depths, crystals, and the frame.

python docs/draw_proofs.py
"""

from collections import Counter
from itertools import pairwise
from math import cos, hypot, pi, sin
from pathlib import Path

from jigsat import read
from jigsat.csp.make.closed_forms import closed_form
from jigsat.csp.puzzles.board import Placement

FOLDER = Path(__file__).resolve().parent / "papers" / "figures"
UNIT = 40
ACROSS, DOWNWARDS = (0, 1, 0, -1), (-1, 0, 1, 0)  # up, right, down, left
BLUE, RED, GREEN, ORANGE, GREY = "#1f5fa8", "#c0392b", "#2e8b57", "#d9822b", "#888888"
PALE = {BLUE: "#dce8f5", ORANGE: "#fae6d0", GREEN: "#d5eddf"}


def text(x, y, words, size=0.32, color="#222222", turn=0):
    place = f'x="{x * UNIT:.1f}" y="{(y + size * 0.35) * UNIT:.1f}" font-size="{size * UNIT:.1f}" fill="{color}"'
    turned = f' transform="rotate({90 * turn} {x * UNIT:.1f} {y * UNIT:.1f})"' if turn else ""
    return f'<text {place} text-anchor="middle"{turned}>{words}</text>'


def square(x, y, fill="none", line="#bbbbbb"):
    at = f'x="{x * UNIT:.1f}" y="{y * UNIT:.1f}" width="{UNIT}" height="{UNIT}"'
    return f'<rect {at} fill="{fill}" stroke="{line}"/>'


def line(start, end, color, width=2.0, dashed=False, arrow=False, bend=0.0):
    """A line, or an arrow, that bends to its right by a part of its length."""
    (x, y), (to_x, to_y) = start, end
    middle = (x + to_x) / 2 - bend * (to_y - y), (y + to_y) / 2 + bend * (to_x - x)
    points = [f"{a * UNIT:.1f} {b * UNIT:.1f}" for a, b in (start, middle, end)]
    dashes = ' stroke-dasharray="6 4"' if dashed else ""
    stroke = f'fill="none" stroke="{color}" stroke-width="{width}"{dashes}'
    drawn = f'<path d="M {points[0]} Q {points[1]} {points[2]}" {stroke}/>'
    if arrow:
        along = to_x - middle[0], to_y - middle[1]
        dx, dy = (0.2 * part / hypot(*along) for part in along)
        head = [(to_x, to_y), *((to_x - dx - way * dy / 2, to_y - dy + way * dx / 2) for way in (1, -1))]
        drawn += f'<polygon points="{" ".join(f"{a * UNIT:.1f},{b * UNIT:.1f}" for a, b in head)}" fill="{color}"/>'
    return drawn


def save(name, width, height, parts):
    size = (
        f'width="{width * UNIT:.0f}" height="{height * UNIT:.0f}" viewBox="0 0 {width * UNIT:.0f} {height * UNIT:.0f}"'
    )
    page = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif">'
    rows = [page, '<rect width="100%" height="100%" fill="#ffffff"/>', *parts, "</svg>", ""]
    (FOLDER / name).write_text("\n".join(rows), encoding="utf-8")


def shown(placed, side):
    """The dart that a square shows on a side."""
    return placed.piece, (side - placed.rotation) % 4


def mates(assembly, rows, columns):
    """What each inner dart faces, and where it is: (mate, square, side of the board)."""
    found = {}
    for at, placed in enumerate(assembly):
        for side in range(4):
            y, x = at // columns + DOWNWARDS[side], at % columns + ACROSS[side]
            if 0 <= y < rows and 0 <= x < columns:
                found[shown(placed, side)] = shown(assembly[y * columns + x], (side + 2) % 4), at, side
    return found


def draw_cycle():
    """Assemblies 1 and 2 of a 5x5 jigsaw, and two of the alternating cycles of their joins."""
    rows = columns = 5
    second = [placed for placed in closed_form(rows, columns, 1, (0, 1, 0), (0, 1)) if placed]
    first = [Placement(at, 0) for at in range(rows * columns)]
    both = mates(first, rows, columns), mates(second, rows, columns)
    parts = [text(3, 0.6, "assembly 1", 0.42), text(9.2, 0.6, "assembly 2", 0.42)]
    colors = {}
    for start, color in (((0, 1), BLUE), ((6, 2), ORANGE)):
        cycle = [start]
        for choice in (0, 1, 0):
            cycle.append(both[choice][cycle[-1]][0])
        assert both[1][cycle[-1]][0] == start
        colors |= dict.fromkeys(cycle, color)
        top = 1.2 if color == BLUE else 4.6
        corners = [(13.2, top), (15.6, top), (15.6, top + 1.4), (13.2, top + 1.4)]
        names = ("h", "m\u2081h", "m\u2082m\u2081h", "m\u2082h")
        for i, (corner, name, dart) in enumerate(zip(corners, names, cycle, strict=True)):
            parts.append(line(corner, corners[(i + 1) % 4], color, 2.5, dashed=i % 2 == 1))
            where = f"{dart[0] + 1} {('up', 'right', 'down', 'left')[dart[1]]}"
            away = -0.6 if i < 2 else 0.35
            parts += [text(*(corner[0], corner[1] + away), name, 0.34, color)]
            parts += [text(corner[0], corner[1] + away + 0.28, where, 0.24, GREY)]
    for left, assembly, facing, dashed in ((0.5, first, both[0], False), (6.7, second, both[1], True)):
        for at, placed in enumerate(assembly):
            x, y = left + at % columns, 1 + at // columns
            parts += [square(x, y), text(x + 0.24, y + 0.2, placed.piece + 1, 0.24, GREY, placed.rotation)]
        for dart, color in colors.items():
            mate, at, side = facing[dart]
            x, y = left + at % columns + 0.5, 1.5 + at // columns
            end = x + 0.28 * ACROSS[side], y + 0.28 * DOWNWARDS[side]
            parts.append(f'<circle cx="{end[0] * UNIT:.1f}" cy="{end[1] * UNIT:.1f}" r="4" fill="{color}"/>')
            if dart < mate:
                far = x + 0.72 * ACROSS[side], y + 0.72 * DOWNWARDS[side]
                parts.append(line(end, far, color, 3, dashed))
    save("exactly-two-cycle.svg", 16.9, 7, parts)


def chain(i, j, shift, reflections, exchange, half, k):
    """The darts of lemma 5 for A_ij right with q = 0: (column, row, side) of the board, from h_0 to h_4."""
    at = (reflections[j] - i) % k
    yield 2 * i, 2 * j, 1
    yield 2 * i + 1, 2 * j, 0
    yield 2 * at + 1, 2 * (half - j), 2
    yield 2 * at + 1, 2 * (half - j) + 1, 1
    yield 2 * (at + 1), 2 * (half - j) + 1, 0
    yield 2 * (k - 1 - at), 2 * exchange[half - j] + 1, 2
    yield 2 * (k - 1 - at), 2 * exchange[half - j] + 2, 1


def draw_chains():
    """A mixed walk that closes, and one that does not, on a 7x9 board."""
    rows, columns, k, half, parts = 7, 9, 4, 3, []
    fills = {"A": "#e8eef7", "B": "#fbeee0", "C": "#e7f4ea", "D": "#f4e6ee"}
    for left, residue, words in ((0.5, 3, "r = 3: r + 1 \u2261 0, it closes"), (10.2, 0, "r = 0: it does not close")):
        parts.append(text(left + columns / 2, 0.5, words, 0.42))
        for y in range(rows):
            for x in range(columns):
                kind = "ABCD"[x % 2 + 2 * (y % 2)]
                parts += [square(left + x, 1 + y, fills[kind]), text(left + x + 0.15, 1.18 + y, kind, 0.22, "#666666")]
        reflections = (0, residue, residue, 0)
        steps = list(chain(1, 2, 1, reflections, (0, 1, 2), half, k))
        places = [(left + x + 0.5 + 0.28 * ACROSS[s], 1.5 + y + 0.28 * DOWNWARDS[s]) for x, y, s in steps]
        assert (steps[0] == steps[-1]) == (residue == 3)
        for number, (start, end) in enumerate(pairwise(places)):
            moved = number in (1, 4)  # T_B and T_C; T_D is not used, as q = 0
            bend = 0.18 if moved else -0.12
            parts.append(line(start, end, RED if moved else BLUE, 2.5, dashed=moved, arrow=True, bend=bend))
        for place, color, radius in ((places[0], "#222222", 6), (places[-1], GREEN, 3.5)):
            parts.append(f'<circle cx="{place[0] * UNIT:.1f}" cy="{place[1] * UNIT:.1f}" r="{radius}" fill="{color}"/>')
    save("exactly-two-chains.svg", 19.7, 8.5, parts)


def arms(rows, columns, depth):
    """The squares C_0 to C_3 and K_0 to K_3 at a depth."""
    for beyond in (0, 1):
        top, right = (columns // 2 - 1 + beyond, depth), (columns - 1 - depth, rows // 2 - 1 + beyond)
        yield [top, right, *((columns - 1 - x, rows - 1 - y) for x, y in (top, right))]


def draw_depths():
    """The odd squares in the middle of a 12x16 board, and where T sends those with the indices 0 and 1."""
    rows, columns, parts = 12, 16, []
    for y in range(rows):
        for x in range(columns):
            even = (min(x, columns - 1 - x) + min(y, rows - 1 - y)) % 2 == 0
            parts.append(square(x + 0.5, y + 0.5, "#f0f0f0" if even else "#ffffff", "#dddddd"))
    for start, end in (((8.5, 0.5), (8.5, 12.5)), ((0.5, 6.5), (16.5, 6.5))):
        parts.append(line(start, end, "#222222", 2))
    colors = {0: ORANGE, 2: BLUE, 4: BLUE, 6: GREEN}
    centre = {}
    for depth, color in colors.items():
        for letter, circle in zip("CK", arms(rows, columns, depth), strict=True):
            for i, (x, y) in enumerate(circle):
                if depth < 6 or i % 2:
                    centre[letter, i, depth] = x + 1, y + 1
                    parts += [square(x + 0.5, y + 0.5, PALE[color], color)]
                    parts += [text(x + 1, y + 0.68, f"{letter}{chr(0x2080 + i)}({depth})", 0.25)]
    moves = [(("C", 0, 0), ("C", 1, 0), ORANGE), (("K", 0, 0), ("K", 3, 0), ORANGE)]
    moves += [(("C", 0, v), ("C", 1, v), BLUE) for v in (2, 4)]
    moves += [(("K", 0, v), ("K", 1, 6 - v), RED) for v in (2, 4)]
    moves += [(("C", 1, 6), ("K", 1, 6), GREEN), (("K", 1, 6), ("C", 3, 6), GREEN)]
    for start, end, color in moves:
        (x, y), (to_x, to_y) = centre[start], centre[end]
        bend = -0.25 if color == GREEN else 0.2 if start[0] == "K" and color == ORANGE else -0.2
        parts.append(line((x, y), (to_x, to_y), color, 2, dashed=color == RED, arrow=True, bend=bend))
    save("exactly-two-depths.svg", 17, 13, parts)


def draw_crystals():
    """The four assemblies of the 5x5 crystal, with their cuts."""
    size, parts = 5, []
    fills = {(0, 0): "#ffffff", (1, 0): PALE[BLUE], (0, 1): PALE[ORANGE], (1, 1): PALE[GREEN]}
    for left, classes in ((0.5, set()), (6.1, {1}), (11.7, {2}), (17.3, {1, 2})):
        cuts = [i for i in range(1, size) if {i, size - i} & classes]
        for y in range(size):
            for x in range(size):
                kind = sum(i <= x for i in cuts) % 2, sum(i <= y for i in cuts) % 2
                turns, (to_x, to_y) = {(0, 0): 0, (1, 0): 1, (1, 1): 2, (0, 1): 3}[kind], (x, y)
                for _ in range(turns):
                    to_x, to_y = size - 1 - to_y, to_x
                parts.append(square(left + to_x, 0.5 + to_y, fills[kind]))
                parts.append(text(left + to_x + 0.5, 0.5 + to_y + 0.5, 5 * y + x + 1, 0.34, turn=turns))
        for i in cuts:
            parts.append(line((left + i, 0.5), (left + i, 5.5), "#222222", 3))
            parts.append(line((left, 0.5 + i), (left + 5, 0.5 + i), "#222222", 3))
    save("crystals-5x5.svg", 22.8, 6, parts)


def draw_frame():
    """The frame of Eternity II in two halves, and its edge pieces as arcs from colour to colour."""
    size, parts = 16, []
    for at in range(size * size):
        y, x = divmod(at, size)
        if {x, y} & {0, size - 1}:
            first, corner = y == 0 or x == size - 1, {x, y} <= {0, size - 1}
            parts.append(square(x + 0.5, y + 0.5, "#cccccc" if corner else PALE[BLUE if first else ORANGE]))
    for start, end, color in (
        ((1.5, 1), (15.5, 1), BLUE), ((16, 1.5), (16, 15.5), BLUE),
        ((15.5, 16), (1.5, 16), ORANGE), ((1, 15.5), (1, 1.5), ORANGE),
    ):  # fmt: skip
        parts.append(line(start, end, color, 2.5, arrow=True))
    edges = Counter()
    for sides in read("eternity2").pieces:
        if sides.count(0) == 1:
            at = sides.index(0)
            edges[sides[at - 1], sides[(at + 1) % 4]] += 1
    colors = sorted({color for arc in edges for color in arc})
    turns = {color: 2 * pi * i / len(colors) - pi / 2 for i, color in enumerate(colors)}
    place = {color: (24.5 + 5.2 * cos(turn), 8.6 + 5.2 * sin(turn)) for color, turn in turns.items()}
    for (begin, end), number in sorted(edges.items()):
        if begin == end:
            x, y = (middle + 1.05 * way(turns[begin]) for middle, way in zip(place[begin], (cos, sin), strict=True))
            ring = f'fill="none" stroke="{GREY}" stroke-width="{1.2 * number}"'
            parts.append(f'<circle cx="{x * UNIT:.1f}" cy="{y * UNIT:.1f}" r="{0.8 * UNIT:.0f}" {ring}/>')
        else:
            (x, y), (to_x, to_y) = place[begin], place[end]
            part = 0.6 / hypot(to_x - x, to_y - y)
            short = to_x + part * (x - to_x), to_y + part * (y - to_y)
            parts.append(line((x, y), short, BLUE, 1.2 * number, arrow=True, bend=-0.14))
    for color, (x, y) in place.items():
        ring = 'fill="#ffffff" stroke="#222222" stroke-width="2"'
        parts.append(f'<circle cx="{x * UNIT:.1f}" cy="{y * UNIT:.1f}" r="{0.5 * UNIT:.0f}" {ring}/>')
        parts.append(text(x, y, color, 0.5))
    save("frame-halves.svg", 32, 17, parts)


draw_cycle()
draw_chains()
draw_depths()
draw_crystals()
draw_frame()
