"""The identities behind docs/papers/exactly_two.md for all sizes at once.

Odd forms: darts have symbolic columns modulo k and symbolic rows, and walks are followed through them.  Even
forms: parities decide, and are tried one by one; walks are words in the maps of the page, brought to a normal form by
its rules.
"""

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from sympy import Expr, Function, symbols

S, COLUMN, J, L = symbols("s i j l", integer=True)
EXCHANGE, REFLECTION = Function("e"), Function("r")
UP, RIGHT, DOWN, LEFT = range(4)

# ---- odd forms


class Half(NamedTuple):
    """A dart: the type of its piece, the residue of its column modulo k, row, and side.

    In an even column x = 2 i, i is the residue (from 0 to k - 1) plus the offset; i runs from 0 to k, so that both
    offsets occur, and k - i has the residue -1 - residue and the offset 1 - offset.
    """

    kind: str
    column: Expr
    offset: int
    row: Expr
    side: int


#: The type next to each type, across vertical and across horizontal sides.
BESIDE = {"EE": "OE", "OE": "EE", "EO": "OO", "OO": "EO"}
BELOW = {"EE": "EO", "EO": "EE", "OE": "OO", "OO": "OE"}


def exchanged(row: Expr) -> Expr:
    """e(row); it is its own inverse."""
    row = row.expand()
    return row.args[0] if row.func == EXCHANGE else EXCHANGE(row)


def reflection(row: Expr) -> Expr:
    """r(row), the same as r(l - row)."""
    row = row.expand()
    return REFLECTION(min(row, (L - row).expand(), key=str))


def next_to(half: Half) -> Half:
    """m_1: what a dart meets in assembly 1."""
    kind, column, offset, row, side = half
    if side in (LEFT, RIGHT):
        if (
            kind[0] == "E"
        ):  # the odd column with the same residue lies on the right of offset 0, on the left of offset 1
            assert offset == (side == LEFT), "the offset says on which side of an odd column this one lies"
            return Half(BESIDE[kind], column, 0, row, (side + 2) % 4)
        return Half(BESIDE[kind], column, int(side == RIGHT), row, (side + 2) % 4)
    if kind[1] == "E":
        return Half(BELOW[kind], column, offset, row if side == DOWN else row - 1, (side + 2) % 4)
    return Half(BELOW[kind], column, offset, row + 1 if side == DOWN else row, (side + 2) % 4)


def moved(half: Half, back: bool = False) -> Half:
    """T: where a dart goes from assembly 1 to assembly 2, or back from there."""
    kind, column, offset, row, side = half
    if kind == "OO":
        column += -S if back else S
    if kind == "OE":
        column, row, side = reflection(row) - column, L - row, (side + 2) % 4
    if kind == "EO":
        column, offset, row, side = -1 - column, 1 - offset, exchanged(row), (side + 2) % 4
    return Half(kind, column.expand(), offset, row.expand(), side)


def met(half: Half, choice: int) -> Half:
    """m_1 (choice 0) or m_2 (choice 1)."""
    return moved(next_to(moved(half)), back=True) if choice else next_to(half)


def check_odd_connectors() -> int:
    """Lemma 4: m_2 m_1 m_2 m_1 is the identity, and m_1 and m_2 differ in the side.  The number of darts."""
    checked = 0
    for kind, side, offset in product(BESIDE, range(4), (0, 1)):
        if (kind[0] == "O" and offset) or (kind[0] == "E" and side in (LEFT, RIGHT) and offset != (side == LEFT)):
            continue
        half = at = Half(kind, COLUMN, offset, J, side)
        for choice in (0, 1, 0, 1):
            at = met(at, choice)
        assert at._replace(column=COLUMN, row=J) == half, f"connectors: {half}"
        assert (at.column - COLUMN).expand() == (at.row - J).expand() == 0, f"connectors: {half}"
        assert met(half, 0).side != met(half, 1).side, f"a shared join: {half}"
        checked += 1
    return checked


#: The offset of an even column with a walk that starts across this side: the walk's odd columns have its residue.
OFFSET = {UP: 1, RIGHT: 0, DOWN: 0, LEFT: 1}


def check_odd_walks() -> dict[str, int]:
    """Lemma 5: the number of walks of each fate; mixed ones close just under its condition."""
    fates = {"constant": 0, "end on another side": 0, "end shifted": 0, "close under a condition": 0}
    for side, choices in product(range(4), product((0, 1), repeat=4)):
        start = Half("EE", COLUMN, OFFSET[side], J, side)
        end = _walk(start, choices)
        a, b, c, d = choices
        if end.side != side:
            assert (a + b + c + d) % 2, f"{choices}: as many half turns as none, but another side"
            fates["end on another side"] += 1
            continue
        assert end.offset == start.offset
        column, row = (end.column - COLUMN).expand(), (end.row - J).expand()
        if a == b and c == d:
            assert row == 0
            assert column in ({0} if a == c else {S, -S})
            fates["end shifted" if column else "constant"] += 1
            continue
        low = J if side in (DOWN, LEFT) else J - 1
        arrived = (end.row - int(side in (UP, RIGHT))).expand()
        # Back in the row if e(l - 1 - low) = low or e(low) = l - 1 - low, which say the same as e is an involution.
        assert arrived in {exchanged(L - 1 - low), (L - 1 - exchanged(low)).expand()}, f"{choices}, {side}: {arrived}"
        under_condition = column.subs(EXCHANGE(low.expand()), L - 1 - low).expand()
        under_condition = under_condition.replace(REFLECTION, reflection).expand()
        sign = 1 if side in (LEFT, RIGHT) else -1
        expected = (sign * (reflection(J) + 1) + (c - b) * S).expand()
        assert under_condition in (expected, (-expected).expand()), f"{choices}, {side}: {column}"
        fates["close under a condition"] += 1
    return fates


def _walk(half: Half, choices: tuple[int, ...]) -> Half:
    """Four steps across a join and on to the next side clockwise."""
    for choice in choices:
        across = met(half, choice)
        half = across._replace(side=(across.side + 1) % 4)
        if half.kind[0] == "E" and half.side in (LEFT, RIGHT) and half.offset != (half.side == LEFT):
            # The walk goes on to another odd column; only a walk that has turned by a half does so.
            return half._replace(side=-1)
    return half


# ---- even forms: parities


def check_arms() -> int:
    """Lemma 6 for the middle: kind(P) + kind(T P) + turns is odd, so that T^2 = eta and U^2 = 1.  The number of cases.

    A square has the depths (u, v) and lies in the half (east, south); a and b have the parity of `half_length`.
    """
    cases = 0
    for half_length, depth in product((0, 1), repeat=2):
        if (half_length + depth) % 2:  # u + v is odd: the other one is half_length - 1
            continue
        inner = half_length - 1
        squares = {
            "C0": ((inner, depth), (0, 0)),
            "C1": ((depth, inner), (1, 0)),
            "K0": ((inner, depth), (1, 0)),
            "K1": ((depth, inner), (1, 1)),
            "C2": ((inner, depth), (1, 1)),
            "C3": ((depth, inner), (0, 1)),
            "K2": ((inner, depth), (0, 1)),
            "K3": ((depth, inner), (0, 0)),
        }
        kind = {name: (u + east + south) % 2 for name, ((u, _), (east, south)) in squares.items()}
        assert all((u + v) % 2 for (u, v), _ in squares.values())
        for letter, i in product("CK", range(4)):
            for turn in (1, -1):  # around the board, to the same depth or to one of the same parity
                assert (kind[f"{letter}{i}"] + kind[f"{letter}{(i + turn) % 4}"] + turn) % 2 == 1
                cases += 1
        for i in range(4):  # of the longer middle: C_i to K_i with a half turn, K_i to C_(i+2) unturned
            assert (kind[f"C{i}"] + kind[f"K{i}"]) % 2 == (kind[f"K{i}"] + kind[f"C{(i + 2) % 4}"]) % 2 == 1
            cases += 2
    return cases


def check_mirror() -> int:
    """Lemma 9: a mirror image is no turned one; mirrored squares miss the arms by parity.  The number of cases."""
    cases = 0
    for (dx, dy), turn in product(product((1, -1), repeat=2), (0, 2)):
        turned = (-dx, -dy) if turn else (dx, dy)
        assert turned not in ((-dx, dy), (dx, -dy))
        cases += 1
    for half_length, depth in product((0, 1), repeat=2):
        if (half_length + depth) % 2 == 0:  # depths of the arms
            # Beside the column u = half_length - 2, and so its image, are half_length - 1 and half_length - 3.
            assert all((half_length - step - depth) % 2 for step in (1, 3))
            cases += 1
    return cases


# ---- even forms: words
#
# A word is read from the right: r is rho, m is m_1 inside a quadrant, x is m_1 across a middle line, U and D as on the
# page, and h is eta.  h and D commute with all letters, and h h = D D = U U = 1.

Word = tuple[int, int, str]


def normal_form(word: str, rules: dict[str, str]) -> Word:
    """Parities of h and of D, and the rest after U has gone to the left as far as the rules permit."""
    half_turns = swaps = 0
    while True:
        before = word
        half_turns, swaps = half_turns + word.count("h"), swaps + word.count("D")
        word = word.replace("h", "").replace("D", "").replace("UU", "")
        for old, new in rules.items():
            word = word.replace(old, new, 1)
        if word == before:
            return half_turns % 2, swaps % 2, word


def check_words() -> Iterator[str]:
    """Lemma 8: what walks come to, for all 16 choices."""
    for a, b, c, d in product((0, 1), repeat=4):
        away = f"rm{'U' * d}r{'U' * c}mrm{'U' * b}r{'U' * a}m"
        apart = f"rm{'U' * ((c + d) % 2)}rmrm{'U' * ((a + b) % 2)}rm"
        assert normal_form(away, {"rU": "hUr"}) == ((a + c) % 2, 0, apart)
        turns = "U" * ((b + d) % 2)
        on_line = "rm{}r{}x{}r{}mr{}x".format("U" * d, "", "{}", "U" * b, "h" * a)
        alternating = normal_form(on_line.format("h" * c), {"rU": "hUr", "xU": "Ux"})
        assert alternating == ((a + c) % 2, 0, f"rm{turns}rxrmrx")
        paired = normal_form(on_line.format("D" * c), {"rU": "hUr", "xU": "hDUx"})
        assert paired == ((a + b) % 2, (b + c) % 2, f"rm{turns}rxrmrx")
    yield "even: walks away from the middle lines are eta^(a+c) n U^(c+d) n^2 U^(a+b) n"
    yield "even: walks on a middle line are eta^(a+c) or eta^(a+b) D^(b+c), times a word in U^(b+d)"


def check_identities() -> Iterator[str]:
    """All identities; a line about each.  Raises AssertionError if one does not hold."""
    number = check_odd_connectors()
    yield f"odd: (m_1 m_2)^2 = 1 and no shared join: {number} darts with symbols for l, s, r, e and the square"
    fates = ", ".join(f"{number} {fate}" for fate, number in check_odd_walks().items())
    yield f"odd: 64 walks around a point: {fates}"
    yield f"even: U^2 = 1 in the middle, {check_arms()} cases; no parallel squares in a mirror, {check_mirror()} cases"
    yield from check_words()
