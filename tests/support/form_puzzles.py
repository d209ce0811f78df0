"""Random puzzles of every form, as they stand in files: small ones, most of them with a solution that is put in."""

from itertools import product

_STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
#: Sizes of boards, and how often each is drawn.
_SIZES = {
    (1, 1): 1, (1, 2): 2, (2, 1): 1, (1, 3): 2, (1, 5): 1, (4, 1): 1, (2, 2): 8, (2, 3): 8, (3, 2): 6, (2, 4): 4,
    (4, 2): 3, (3, 3): 14, (3, 4): 4, (4, 3): 4, (2, 5): 2, (5, 2): 1, (4, 4): 2,
}  # fmt: skip
_WORDS = ("frog", "heron", "toad", "newt")
_NOUNS = {"head": "tail", "arm": "leg"}
#: What may be asked of pieces: whether they may be turned, and turned over.
_FLAGS = ((True, False), (False, False), (True, True), (False, True))
_GRIDS = ("squares", "triangles", "hexagons")


def form_document(chance):
    return tiling_document(chance) if chance.random() < 0.4 else squares_document(chance)


# ---- pieces that are squares ----


def squares_document(chance):
    shape, wrap = _board(chance)
    classic = chance.random() < 0.12
    if classic:
        shape, wrap = ["#" * len(shape[0])] * len(shape), "none"
    kind = "jigsaw" if chance.random() < 0.3 else "edge-matching"
    colors, mates = _colors(chance, kind, sum(row.count("#") for row in shape))
    if classic:
        mates = {color: color for color in colors} if kind == "edge-matching" else mates
    rim = 0 if classic else chance.choice((0, 0, "any", "any", "any", "colour", "colour"))
    shown, rim = _planted(chance, shape, wrap, colors, mates, rim)
    document = {"format": "jigsat/1", "kind": kind, "name": "drawn"}
    if any("." in row for row in shape) or chance.random() < 0.1:
        document["squares"] = shape
    else:
        document |= {"rows": len(shape), "columns": len(shape[0])}
    if wrap != "none" or chance.random() < 0.1:
        document["wrap"] = wrap
    given = {str(one): str(other) for one, other in mates.items() if one != other and str(one) < str(other)}
    if kind == "edge-matching" and given:
        document["mates"] = given if isinstance(colors[0], int) or chance.random() < 0.3 else dict(_NOUNS)
    pieces, places = _taken_apart(chance, document, shown, classic)
    pieces += _more_pieces(chance, pieces, colors, classic)
    if rim != "default":
        document["rim"] = rim
    if chance.random() < 0.25:
        document["fixed"] = chance.sample(places, min(len(places), chance.choice((1, 1, 2, 3))))
    fixed = {one["piece"] for one in document.get("fixed", ())}
    free = [piece for number, piece in enumerate(pieces, start=1) if number not in fixed]
    for _ in range(chance.choice((0, 0, 0, 1, 2, 3)) if free else 0):
        sides, side = chance.choice(free)["sides"], chance.randrange(4)
        sides[side] = chance.choice(colors) if sides[side] != 0 else 0
    if kind == "edge-matching" and rim not in (0, "default") and chance.random() < 0.25:
        _call_zero(document, pieces, chance.choice([color for color in colors if color != rim] or [None]))
    document["pieces"] = [piece if len(piece) > 1 else piece["sides"] for piece in pieces]
    return document


def _call_zero(document, pieces, color):
    """A colour is called 0: without a frame, this is one as any other."""
    for piece in pieces:
        piece["sides"] = [0 if side == color else side for side in piece["sides"]]
    if str(color) in {*document.get("mates", {}), *document.get("mates", {}).values()}:
        document["mates"] = {
            "0" if one == str(color) else one: "0" if other == str(color) else other
            for one, other in document["mates"].items()
        }


def _board(chance):
    """The rows of a board, and which of its ends meet."""
    wrap = chance.choices(("none", "columns", "both"), (70, 18, 12))[0]
    while True:
        rows, columns = chance.choices(list(_SIZES), list(_SIZES.values()))[0]
        if (wrap == "none" or columns >= 3) and (wrap != "both" or rows >= 3):
            break
    shape = ["#" * columns] * rows
    if rows * columns > 3 and chance.random() < 0.35:
        there = [(i, j) for i, j in product(range(rows), range(columns))]
        gaps = chance.sample(there, chance.choice((1, 1, 2, 3)))
        if chance.random() < 0.4:  # a shape with symmetries
            gaps += [(rows - 1 - i, columns - 1 - j) for i, j in gaps]
        if len({*gaps}) < len(there):
            shape = ["".join(".#"[(i, j) not in gaps] for j in range(columns)) for i in range(rows)]
    return shape, wrap


def _colors(chance, kind, squares):
    """The colours, and which fits which."""
    number = chance.choice((1, 2, 2, 3) if squares <= 6 else (2, 3, 4) if squares <= 9 else (3, 4, 5, 6))
    if kind == "jigsaw":
        colors = [sign * color for color in range(1, number + 1) for sign in (1, -1)]
        return colors, {color: -color for color in colors}
    how = chance.choice(("plain", "plain", "numbers", "words"))
    if how == "words":
        colors = [f"{word} {noun}" for word in _WORDS[: (number + 1) // 2] for noun in ("head", "tail")]
        if chance.random() < 0.3:
            colors += [f"{_WORDS[0]} eye"]  # fits itself
        return colors, {color: _other_noun(color) for color in colors}
    colors = list(range(1, number + 1 + (how == "numbers")))
    mates = {color: color for color in colors}
    if how == "numbers":
        one, other = chance.sample(colors, 2)
        mates |= {one: other, other: one}
    return colors, mates


def _other_noun(color):
    word, noun = color.split()
    return f"{word} { {**_NOUNS, **{tail: head for head, tail in _NOUNS.items()}}.get(noun, noun) }"


def _planted(chance, shape, wrap, colors, mates, rim):
    """The four sides that each square shows, by its place, and the rim for the file."""
    rows, columns = len(shape), len(shape[0])
    places = [(i, j) for i, j in product(range(rows), range(columns)) if shape[i][j] == "#"]
    shown = {place: [None] * 4 for place in places}
    color = chance.choice(colors)
    some_zero = rim == "any" and chance.random() < 0.2
    repeated = chance.random() < 0.15
    for (i, j), side in product(places, (1, 2, 0, 3)):
        row, column = i + _STEPS[side][0], j + _STEPS[side][1]
        row = row % rows if wrap == "both" else row
        column = column % columns if wrap != "none" else column
        if (row, column) in shown:
            if shown[i, j][side] is None:
                shown[i, j][side] = colors[0] if repeated else chance.choice(colors)
                shown[row, column][(side + 2) % 4] = mates[shown[i, j][side]]
        elif rim == "any":
            shown[i, j][side] = 0 if some_zero and chance.random() < 0.4 else chance.choice(colors)
        else:
            shown[i, j][side] = 0 if rim == 0 else color
    has_zero = any(0 in sides for sides in shown.values())
    if rim == 0:
        return shown, "default" if has_zero and chance.random() < 0.6 else 0
    if rim == "any":
        return shown, "default" if not has_zero and chance.random() < 0.3 else "any"
    return shown, color


def turned(sides, rotation):
    """The sides after a rotation from 0 to 7."""
    up, right, down, left = sides
    sides = [up, left, down, right] if rotation >= 4 else [up, right, down, left]
    return [sides[(side - rotation) % 4] for side in range(4)]


def _taken_apart(chance, document, shown, classic):
    """The pieces of a board, each in a way in which it may lie, and where they lay."""
    turn, flip = (True, False) if classic else chance.choices(_FLAGS, (50, 20, 15, 15))[0]
    if (turn, flip) != (True, False) or chance.random() < 0.1:
        document |= {"turn": turn, "flip": flip}
    mixed = not classic and chance.random() < 0.2
    pieces, places = [], []
    order = chance.sample(list(shown), len(shown))
    for number, place in enumerate(order, start=1):
        own = chance.choice(_FLAGS) if mixed else (turn, flip)
        rotation = (chance.randrange(4) if own[0] else 0) + (4 * chance.randrange(2) if own[1] else 0)
        sides = next(one for back in range(8) if turned(one := turned(shown[place], back), rotation) == shown[place])
        pieces.append({"sides": sides})
        pieces[-1] |= {"turn": own[0]} if own[0] != turn else {}
        pieces[-1] |= {"flip": own[1]} if own[1] != flip else {}
        row, column = place
        places.append({"square": f"{'ABCDEFGHIJ'[row]}{column + 1}", "piece": number, "rotation": rotation})
    return pieces, places


def _more_pieces(chance, pieces, colors, classic):
    """Spare pieces: as others are, or nearly so."""
    more = []
    for _ in range(chance.choice((0, 0, 0, 1, 2))):
        piece = dict(chance.choice(pieces))
        piece["sides"] = turned(piece["sides"], chance.randrange(4 if classic else 8))
        if chance.random() < 0.4:
            piece["sides"] = [side and chance.choice((side, chance.choice(colors))) for side in piece["sides"]]
        if not classic and chance.random() < 0.1:
            piece |= {"flip": chance.random() < 0.5}
        more.append(piece)
    return more


# ---- tilings of cells ----


def tiling_document(chance):
    """A dissection whose target and pieces are made of cells."""
    grid = chance.choice(_GRIDS)
    target = _target(chance, grid)
    turn, flip = chance.choices(((True, True), (True, False), (False, False), (False, True)), (40, 30, 20, 10))[0]
    document = {"format": "jigsat/1", "kind": "dissection", "name": "drawn", "cells": grid}
    document |= {"turn": turn} if not turn or chance.random() < 0.2 else {}
    document |= {"flip": flip} if not flip or chance.random() < 0.2 else {}
    free = set()
    leave = chance.choice((None, None, None, True, "names"))
    parts = _parts(chance, grid, target, 5 if len(target) > 8 else 4)
    if leave is not None and len(parts) > 1:
        for _ in range(chance.choice((1, 1, 2)) if len(parts) > 3 else 1):
            free |= parts.pop(chance.randrange(len(parts)))
    pieces = [_piece(chance, grid, part, document) for part in parts]
    if chance.random() < 0.2:
        _exchange(chance, grid, pieces, document)
    if chance.random() < 0.3:
        _spare(chance, grid, target, pieces, document)
    if free:
        document["leave"] = True if leave is True else _names(chance, document, target, free)
    document["target"] = _rows(target)
    document["pieces"] = _entries(chance, pieces)
    return document


def neighbours(grid, cell):
    """The cells that share a side with a cell."""
    i, j = cell
    if grid == "squares":
        return [(i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)]
    if grid == "triangles":
        return [(i, j - 1), (i, j + 1), (i + 1, j) if (i + j) % 2 == 0 else (i - 1, j)]
    shift = i % 2
    return [(i, j - 1), (i, j + 1), *((i + down, j + right + shift - 1) for down in (-1, 1) for right in (0, 1))]


def _target(chance, grid):
    if chance.random() < 0.5:
        rows, columns = chance.choice(((1, 4), (2, 2), (2, 3), (3, 2), (2, 4), (3, 3), (3, 4), (4, 3), (2, 6), (4, 4)))
        return {(i, j) for i in range(rows) for j in range(columns)}
    number, target = chance.randint(3, 14), {(2, 2)}
    while len(target) < number:
        around = {cell for one in target for cell in neighbours(grid, one) if min(cell) >= 0} - target
        target.add(chance.choice(sorted(around)))
    if chance.random() < 0.15:
        target -= {chance.choice(sorted(target))}  # there may be two parts, or a hole
    return target


def _parts(chance, grid, target, most):
    """The target cut into connected parts."""
    left, parts = set(target), []
    while left:
        part, size = {min(left)}, chance.randint(1, most)
        while len(part) < size and (around := {c for one in part for c in neighbours(grid, one)} & left - part):
            part.add(chance.choice(sorted(around)))
        left -= part
        parts.append(part)
    return parts


def _slanted(grid, cell):
    """A cell along two axes that meet at 60 degrees, or as a square; triangles by three times their centre."""
    i, j = cell
    if grid == "squares":
        return j, -i
    if grid == "hexagons":
        return (2 * j + i % 2 + i) // 2, -i
    up = (i + j) % 2 == 0
    corners = [(j, i), (j - 1, i + 1), (j + 1, i + 1)] if up else [(j - 1, i), (j + 1, i), (j, i + 1)]
    return sum((h + down) // 2 for h, down in corners), -sum(down for _, down in corners)


def _upright(grid, place):
    """The inverse of that."""
    a, b = place
    if grid == "squares":
        return -b, a
    if grid == "hexagons":
        return -b, (2 * a + b - b % 2) // 2
    up = a % 3 == 1
    a, b = (a - (1 if up else 2)) // 3, (b - (1 if up else 2)) // 3
    return -b - 1, 2 * a + b + 1 + (0 if up else 1)


def _moved(grid, cells, over, turns):
    """Cells turned over, turned, and shifted to the first rows and columns."""
    places = []
    for cell in cells:
        a, b = _slanted(grid, cell)
        if over:
            a = -a if grid == "squares" else -a - b
        for _ in range(turns):
            a, b = (-b, a) if grid == "squares" else (-b, a + b)
        places.append(_upright(grid, (a, b)))
    down, right = (min(one[axis] for one in places) // 2 * 2 for axis in (0, 1))
    return {(i - down, j - right) for i, j in places}


def _rows(cells):
    rows, columns = (max(one[axis] for one in cells) + 1 for axis in (0, 1))
    return ["".join(".#"[(i, j) in cells] for j in range(columns)) for i in range(rows)]


def _piece(chance, grid, part, document):
    """A piece of the file that can lie as the part does."""
    piece, own = {}, [document.get("turn", True), document.get("flip", True)]
    for i, name in enumerate(("turn", "flip")):
        if chance.random() < 0.1:
            own[i] = not own[i]
            piece[name] = own[i]
    turns = chance.randrange(4 if grid == "squares" else 6) if own[0] else 0
    return {"cells": _rows(_moved(grid, part, own[1] and chance.random() < 0.5, turns)), **piece}


def _exchange(chance, grid, pieces, document):
    """Pieces of another cut with the same number of cells: there need not be a tiling."""
    for k, piece in enumerate(pieces):
        size = sum(row.count("#") for row in piece["cells"])
        part = {(2, 2)}
        while len(part) < size:
            around = {cell for one in part for cell in neighbours(grid, one)} - part
            part.add(chance.choice(sorted(cell for cell in around if min(cell) >= 0)))
        if chance.random() < 0.5:
            pieces[k] = _piece(chance, grid, part, document)


def _spare(chance, grid, target, pieces, document):
    """More pieces, and some or all that may be left over."""
    more = [
        _piece(chance, grid, part, document) for part in _parts(chance, grid, target, 4)[: chance.choice((1, 1, 2))]
    ]
    if chance.random() < 0.4:
        document["spare"] = True
        for piece in pieces:
            piece |= {"spare": False} if chance.random() < 0.2 else {}
    else:
        for piece in more:
            piece["spare"] = True
        for piece in pieces:
            piece |= {"spare": True} if chance.random() < 0.2 else {}
    pieces += more


def _names(chance, document, target, free):
    """Names of the cells that stay free: those of all cells, or labels."""
    names = {(i, j): f"{'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[i]}{j + 1}" for i, j in target}
    if chance.random() < 0.3:
        labels = [[None] * (max(j for _, j in target) + 1) for _ in range(max(i for i, _ in target) + 1)]
        for number, (i, j) in enumerate(sorted(target)):
            if chance.random() < 0.8:
                labels[i][j] = names[i, j] = f"cell {number}"
        document["labels"] = labels
    return [names[cell] for cell in sorted(free)]


def _entries(chance, pieces):
    """The pieces as entries of a file: equal ones as copies or not, bare ones as rows or not."""
    entries = []
    for piece in pieces:
        same = next((one for one in entries if {**one, "copies": 1} == {**piece, "copies": 1}), None)
        if same is not None and chance.random() < 0.7:
            same["copies"] = same.get("copies", 1) + 1
        else:
            entries.append(dict(piece))
    chance.shuffle(entries)
    return [one["cells"] if len(one) == 1 and chance.random() < 0.5 else one for one in entries]
