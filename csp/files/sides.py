"""The order of the sides in files of others, and the names of their colours and of the border."""

import re
import warnings
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from math import isqrt
from typing import Any

from ..base.errors import InstanceError, PuzzleError, UsageError, shortened, suggestion
from ..base.strict_json import own_words
from ..puzzles.board import BORDER, MAX_COLOR, MAX_LENGTH, SIDE_NAMES
from ..puzzles.edge_matching import ANY, Sides, piece_class
from .rows import column_name

#: The sides, by number, in the order of most files, and in that of the community's piece text.
CLOCKWISE, PIECE_TEXT = (0, 1, 2, 3), (2, 3, 0, 1)
#: What a cell of a list holds: a number, or a word.
Cell = int | str
_BORDERS = {"0", "border", "edge", "frame", "rim", "grey", "gray", "none", "-", "--", ".", "*", "x", "_", "a"}
#: Names of colours and pieces in one file; a file with more different words is no list of pieces.
MOST_WORDS = 2**16
_LONGEST_WORD = 40
# The largest number of doubts about words that are mentioned.
_MOST_DOUBTS = 3
_NUMBER = re.compile(r"([-+]?[0-9]{1,10})(?:[.,]0*)?")


@dataclass(frozen=True)
class Reading:
    """What the user says about a file."""

    #: The sides (0 up, 1 right, 2 down, 3 left) in the order in which the file lists them; None if it is known.
    sides: tuple[int, ...] | None = None
    #: The name of the border in the file; None if it is known.
    border: str | None = None

    def ordered(self, listed: Sequence[Any], known: Sequence[int] = CLOCKWISE) -> tuple[Any, Any, Any, Any]:
        """Up, right, down and left side of a piece whose sides are listed in the order given, or else in that known."""
        up, right, down, left = (listed[(self.sides or known).index(side)] for side in range(4))
        return up, right, down, left

    def renumbered(self, pieces: Iterable[Sequence[int]], label: str) -> list[Sides]:
        """Pieces with colours as numbers, in the order given, with 0 for the border, in exchange for its number."""
        found = list(map(self.ordered, pieces))
        if self.border is None:
            return found
        border: Any = cell_value(self.border, "border")
        if not any(border in sides for sides in found):
            raise _no_such_border(self.border, label)
        exchanged = {border: BORDER, BORDER: border}
        return [_sides(exchanged.get(color, color) for color in sides) for sides in found]


def reading(sides: str | Iterable[str] | None, border: str | int | None) -> Reading:
    """What the values of the options `sides` and `border` say.

    Raises UsageError if the sides are not the four sides, each once.

    Examples
    --------
    >>> reading("nesw", 7)
    Reading(sides=(0, 1, 2, 3), border='7')
    """
    order = None
    if sides is not None:
        words = re.split(r"[\s,;/-]+", sides.strip()) if isinstance(sides, str) else list(map(str, sides))
        words = list(words[0]) if len(words) == 1 else words
        names = [column_name(word) for word in words]
        if sorted(names) != sorted(SIDE_NAMES):
            what = f"{shortened(','.join(words))!r} does not name the four sides; give them in the order of the file"
            raise UsageError(f"{what}, such as top,right,bottom,left", "sides")
        order = tuple(SIDE_NAMES.index(name) for name in names)
    return Reading(order, None if border is None else str(border).strip())


def cell_value(cell: str, place: str) -> Cell:
    """The number in a cell, or the word; 16 binary digits are a binary number, and decimals such as 3.0 whole ones.

    Raises InstanceError if it is too large or too long.
    """
    if cell.isdecimal() and cell.isascii() and len(cell) < 10:
        return int(cell)  # the usual case, quickly decided
    if len(cell) == 16 and not cell.strip("01"):
        return int(cell, 2)
    found = _NUMBER.fullmatch(cell)
    if (found and abs(int(found[1])) > MAX_COLOR) or (len(cell) > 10 and cell.isdecimal()):
        raise InstanceError(f"{place}: {shortened(cell, 20)} is larger than {MAX_COLOR}")
    if len(cell) > _LONGEST_WORD:
        what = f"{shortened(cell, 20)!r} is longer than {_LONGEST_WORD} characters"
        raise InstanceError(f"{place}: {what}; no number and no name of a colour is")
    return int(found[1]) if found else cell


def is_word(cell: object) -> bool:
    """Whether a cell holds a word, which may be empty."""
    return isinstance(cell, str)


def numbered_colors(
    pieces: Sequence[tuple[Any, Any, Any, Any]], told: Reading, size: tuple[int, int] | None, label: str
) -> Sequence[Sides]:
    """Pieces with 0 for the border and positive numbers for colours, which may have names.

    Raises InstanceError if some colours are numbers and others have names, or the border is not known.
    """
    some = some_colors(pieces)
    if told.border is None and not any(map(is_word, some)) and (min(some) == BORDER or len(some) > MOST_WORDS):
        return pieces  # the usual case; and no border is looked for among very many colours
    colors = Counter[Any](chain.from_iterable(pieces))
    border: Any = _border(colors, pieces, told, size, label)
    if "" in colors and border != "":
        raise PuzzleError("a side is missing")
    named = sorted(color for color in colors if is_word(color) and color != border)
    numbers = [color for color in colors if not is_word(color)]
    if named and not {border, BORDER}.issuperset(numbers):
        raise PuzzleError(f"{named[0]!r} is not a whole number; colours are all numbers, or all words")
    new = {color: color for color in numbers}
    if BORDER in colors and border not in (None, BORDER):
        new[BORDER] = border if not isinstance(border, str) and border > 0 else max(numbers) + 1
    if named:
        new = {color: number for number, color in enumerate([*sorted(new.keys() - {border}), *named], start=1)}
        shown = shortened(", ".join(named), 80)
        _note(f"{label}: colours have names; they are numbered 1, 2, ... in the order {shown}")
    if border is not None:
        new[border] = BORDER
    return [_sides(new[color] for color in sides) for sides in pieces]


def some_colors(pieces: Iterable[Sequence[Any]]) -> set[Any]:
    """All colours, or the first of very many."""
    colors: set[Any] = set()
    for sides in pieces:
        colors.update(sides)
        if len(colors) > MOST_WORDS:
            break
    return colors


def _border(
    colors: Counter[Any], pieces: Sequence[Sequence[Any]], told: Reading, size: tuple[int, int] | None, label: str
) -> Any:
    """The border; None if no piece has one."""
    if told.border is not None:
        border = cell_value(told.border, "border")
        if border not in colors:
            raise _no_such_border(told.border, label)
        return border
    numbers = {color for color in colors if not is_word(color)}
    if len(numbers) == len(colors) and BORDER in numbers and min(numbers) != -1:
        return BORDER
    found = [color for color in _perhaps_borders(colors, len(pieces)) if _fills(pieces, color, size)]
    usual = [color for color in found if str(color).lower() in _BORDERS]
    if not found:
        # Among numbers, a word that is no border is a fault.
        usual = [color for color in colors if color.lower() in _BORDERS] if not numbers else []
        usual = [BORDER] if BORDER in numbers else usual
    if len(usual or found) == 1:
        (border,) = usual or found
        if border != BORDER:
            _note(f"{label}: the border is {str(border)!r}, judging by the pieces; --border gives another")
        return border
    if not found or len(numbers) > 1 or len(numbers) == len(colors):
        return BORDER if BORDER in numbers else None
    some = shortened(", ".join(sorted(map(str, found or colors))), 80)
    raise PuzzleError(f"which colour is the border is not clear; give --border with one of {some}")


def _perhaps_borders(colors: Counter[Any], pieces: int) -> list[Any]:
    """The colours that occur as often as a board of this many squares has sides on its rim."""
    if len(colors) == 1:
        return []
    rims = {2 * (rows + pieces // rows) for rows in range(1, min(pieces, MAX_LENGTH) + 1) if pieces % rows == 0}
    return [color for color, number in colors.items() if number in rims]


def _fills(pieces: Sequence[Sequence[Any]], border: Any, size: tuple[int, int] | None) -> bool:
    """Whether the pieces fill the classes of squares of a board if this is the border."""
    classes = Counter(piece_class([int(color != border) for color in sides]) for sides in pieces)
    return any(classes == _square_classes(*each) for each in ([size] if size else sizes(len(pieces))))


def sizes(pieces: int) -> list[tuple[int, int]]:
    """The boards of a number of squares, with no more rows than columns."""
    return [
        (rows, pieces // rows)
        for rows in range(1, MAX_LENGTH + 1)
        if rows * rows <= pieces and pieces % rows == 0 and pieces // rows <= MAX_LENGTH
    ]


def board_size(pieces: Sequence[Sequence[int]]) -> tuple[int, int]:
    """Rows and columns (at most as many rows as columns) of the board that pieces with these borders fill exactly.

    Pieces without a border fill a square board.  Raises PuzzleError if there is no such board.
    """
    classes = Counter(map(piece_class, pieces))
    found = next((size for size in sizes(len(pieces)) if classes == _square_classes(*size)), None)
    side = isqrt(len(pieces))
    if found is None and side * side == len(pieces) and not any(BORDER in sides for sides in pieces):
        found = side, side
    if found is None:
        what = f"the {len(pieces)} pieces do not fill a rectangle exactly; give its rows and columns in a first line"
        if not any(BORDER in sides for sides in pieces):
            what += ", and the name of the border with --border if it is not 0"
        raise PuzzleError(what)
    return found


def _square_classes(rows: int, columns: int) -> Counter[str]:
    """How many squares of each class a board has."""
    if min(rows, columns) > 1:
        inner = (rows - 2) * (columns - 2)
        return Counter(corner=4, edge=rows * columns - 4 - inner, inner=inner)
    length = max(rows, columns)
    return Counter(single=1) if length == 1 else Counter(end=2, strip=length - 2)


def _sides(colors: Iterable[int]) -> Sides:
    up, right, down, left = colors
    return up, right, down, left


def _no_such_border(border: str, label: str) -> InstanceError:
    return InstanceError(f"{label}: border: no piece has the side {shortened(border)!r}")


def _note(text: str) -> None:
    warnings.warn(text, UserWarning, stacklevel=2)


def with_plain_pieces(data: dict[str, Any]) -> dict[str, Any]:
    """The data with what is special about pieces beside them, numbers for words, and the size of the shape."""
    shape = data.get("squares")
    if isinstance(shape, list) and shape and isinstance(shape[0], str):
        data = {"rows": len(shape), "columns": len(shape[0]), **data}
    return _with_numbers(_without_forms(data))


def _without_forms(data: dict[str, Any]) -> dict[str, Any]:
    pieces = data.get("pieces")
    if not isinstance(pieces, list) or dict not in set(map(type, pieces)):
        return data
    forms = {}
    plain = []
    for number, piece in enumerate(pieces):
        if isinstance(piece, dict):
            if "sides" not in piece:
                raise own_words(f"piece {number + 1}: sides are missing")
            forms[number] = {name: value for name, value in piece.items() if name != "sides"}
            piece = piece["sides"]
        plain.append(piece)
    return {**data, "pieces": plain, "forms": forms}


def _with_numbers(data: dict[str, Any]) -> dict[str, Any]:
    """The data with numbers for the words of colours: those after the largest number, in the order of the pieces."""
    pieces, mates = data.get("pieces"), data.get("mates", {})
    if not isinstance(pieces, list) or not isinstance(mates, dict):
        return data
    if not all(isinstance(mate, int | str) for mate in mates.values()):
        return data  # which the schema refuses
    lists = [sides for sides in pieces if isinstance(sides, list)]
    words: dict[Any, None] = {}
    if str in set(map(type, chain.from_iterable(lists))):
        words = dict.fromkeys(side for sides in lists for side in sides if isinstance(side, str))
    rim = data.get("rim")
    if not words and not mates and (not isinstance(rim, str) or rim == ANY):
        return data
    if words and data.get("kind") == "jigsaw":
        why = "a jigsaw has connectors with numbers and signs, such as 3 and -3, and 0 for straight sides; not words"
        raise own_words(f"pieces: {why}")
    doubts = _doubts([side for sides in lists for side in sides], mates, rim)
    if isinstance(rim, str) and rim != ANY:
        words.setdefault(rim)
    pairs: dict[Any, Any] = {}
    for one, other in mates.items():
        pairs[_number_or_word(one)] = _number_or_word(other)
        pairs.setdefault(_number_or_word(other), _number_or_word(one))
    for word in list(words):
        words.setdefault(_mate_of(word, pairs))
    numbers = [side for sides in lists for side in sides if isinstance(side, int)]
    first = 1 + max((abs(number) for number in [*numbers, *(n for n in pairs if isinstance(n, int))]), default=0)
    number_of = {word: number for number, word in enumerate(words, start=first) if isinstance(word, str)}
    number_of |= {word: int(word) for word in number_of if isinstance(_number_or_word(word), int)}
    numbered_pairs = {
        str(number_of.get(one, one)): number_of.get(other, other)
        for one, other in [*pairs.items(), *((word, _mate_of(word, pairs)) for word in number_of)]
        if (not isinstance(one, str) or one in number_of)
        and (not isinstance(other, str) or other in number_of)
        and one != other
    }
    return {
        **data,
        "pieces": [
            [number_of.get(side, side) if isinstance(side, str) else side for side in sides]
            if isinstance(sides, list)
            else sides
            for sides in pieces
        ],
        **({} if rim is None else {"rim": number_of.get(rim, rim) if isinstance(rim, str) else rim}),
        "mates": numbered_pairs,
        "words": {number: word for word, number in number_of.items() if word != str(number)},
        "doubts": doubts,
    }


def _doubts(sides: list[Any], mates: dict[str, Any], rim: Any) -> list[str]:
    """What may be misspelt: words of mates and of the rim on no side, and sides that differ a little from others."""
    times = Counter(str(side) for side in sides)
    last = dict.fromkeys(word.rpartition(" ")[2] for word in times)
    unknown = (
        word
        for word in dict.fromkeys(map(str, chain.from_iterable(mates.items())))
        if word not in times and word not in last
    )
    found = [
        f"mates: no side is {word!r} or ends in it{suggestion(word, [*times, *last])}"
        for word in islice(unknown, _MOST_DOUBTS)
    ]
    if isinstance(rim, str) and rim != ANY and rim not in times:
        found.append(f"rim: no side is {rim!r}{suggestion(rim, [*times, ANY])}")
    alike: dict[str, str] = {}
    words = [word for word in times if not isinstance(_number_or_word(word), int)]
    for word in words:
        other = alike.setdefault(re.sub(r"[\s_-]+", "", word).casefold(), word)
        if other != word:
            found.append(f"{other!r} and {word!r} are different colours; write them alike if they are one")
    usual = [word for word, number in times.items() if number > 1]
    rare = [word for word in words if times[word] == 1]
    for word in rare[:_MOST_DOUBTS]:
        hint = suggestion(word, usual)
        if hint and not any(repr(word) in doubt for doubt in found):
            found.append(f"only one side is {word!r}{hint}")
    return found[:_MOST_DOUBTS]


def _number_or_word(given: Any) -> Any:
    return int(given) if isinstance(given, str) and re.fullmatch(r"-?[0-9]{1,10}", given) else given


def _mate_of(word: str, pairs: dict[Any, Any]) -> Any:
    """The colour that fits onto a word: the mate of the whole word, or with that of its last word."""
    if word in pairs:
        return pairs[word]
    start, blank, last = word.rpartition(" ")
    return f"{start}{blank}{pairs[last]}" if last in pairs else word
