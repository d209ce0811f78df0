"""The schemas of puzzles and solutions in files: what a file may contain, checked by pydantic.

They are loaded only for files that must be checked, because pydantic takes longer to load than most files to read.
"""

import re
from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    FailFast,
    Field,
    StrictBool,
    StrictInt,
    StrictStr,
    TypeAdapter,
    ValidatorFunctionWrapHandler,
    WithJsonSchema,
    WrapValidator,
    model_validator,
)
from pydantic.json_schema import SkipJsonSchema

from ..base.errors import PuzzleError, shortened
from ..base.strict_json import WrittenFloat, own_words
from ..geometry.exact_numbers import number_of
from ..puzzles.board import MAX_COLOR, MAX_LENGTH
from ..puzzles.cells import MOST_CELLS, is_rows, piece_entry
from ..puzzles.dissection import MAX_PIECES, MAX_VERTICES, Motions, parts_of
from .sides import with_plain_pieces

#: Marks what a large file has many of: between two of them, Ctrl-C ends the validation.
INTERRUPTIBLE = BeforeValidator(lambda value: value)
Length = Annotated[StrictInt, Field(ge=1, le=MAX_LENGTH)]
PieceNumber = Annotated[StrictInt, Field(ge=1, le=MAX_COLOR)]
Rotation = Annotated[StrictInt, Field(ge=0, le=7)]
Side = Annotated[StrictInt, Field(ge=-MAX_COLOR, le=MAX_COLOR)]
# Of many errors only the first is reported; a million of them would fill the memory.
BoardRow = Annotated[list[tuple[PieceNumber, Rotation] | None], Field(max_length=MAX_LENGTH), FailFast()]
BoardRows = Annotated[list[BoardRow], Field(max_length=MAX_LENGTH), FailFast(), INTERRUPTIBLE]

# The largest number of digits in a string of a coordinate.
_BEYOND = 10**40
_LONG_EXPONENT = re.compile(r"[eE][+-]?0*[1-9][0-9]{2}|[0-9.]{100}")


class Known(BaseModel):
    """Known results: the number of solutions, of those that the puzzle was made from, and any others."""

    model_config = ConfigDict(extra="allow")
    count: Annotated[StrictInt, Field(ge=0)] | None = None
    planted: Annotated[StrictInt, Field(ge=0)] | None = None


class Head(BaseModel):
    """The first fields of every instance file."""

    format: Literal["jigsat/1"]
    kind: Literal["edge-matching", "jigsaw", "dissection"]


class Exact(BaseModel):
    """A mapping without other fields than those that it declares."""

    model_config = ConfigDict(extra="forbid")


class FixedEntry(Exact):
    """A fixed piece."""

    square: StrictStr
    piece: PieceNumber
    rotation: Rotation


class PieceForm(Exact):
    """What is special about a piece: whether it may be turned, and turned over."""

    turn: StrictBool | None = None
    flip: StrictBool | None = None


class SpecialPiece(PieceForm):
    """A piece with its sides.  Its sides alone are enough."""

    sides: list[Side | StrictStr]


_PIECES_IN_FILES = {
    "type": "array",
    "items": {"anyOf": [{"type": "array", "items": {"type": ["integer", "string"]}}, SpecialPiece.model_json_schema()]},
}


class InstanceFile(Exact):
    """An instance file of squares: one puzzle.  Sides in the order up, right, down, left; 0 is the border.

    Sides, the rim and mates may be words instead of numbers.  A mate such as ``{"head": "tail"}`` also holds for the
    last word of a side, as in ``"frog head"``.
    """

    format: Literal["jigsat/1"]
    kind: Literal["edge-matching", "jigsaw"]
    name: Annotated[StrictStr, Field(min_length=1, max_length=200)] = ""
    source: StrictStr = ""
    rows: Length
    columns: Length
    squares: Annotated[list[StrictStr], Field(max_length=MAX_LENGTH)] = []
    wrap: Literal["none", "columns", "both"] = "none"
    rim: Side | StrictStr | None = None
    turn: StrictBool = True
    flip: StrictBool = False
    mates: dict[str, Side | StrictStr] = {}
    fixed: Annotated[list[FixedEntry], FailFast()] = []
    known: Known = Known()
    assemblies: Annotated[list[BoardRows], FailFast()] = []
    pieces: Annotated[
        list[Annotated[list[Side], Field(min_length=4, max_length=4), INTERRUPTIBLE]],
        FailFast(),
        WithJsonSchema(_PIECES_IN_FILES),
    ]
    #: What is special about single pieces, words for colours, and doubts about them: not in files, but made of what is
    #: there.
    forms: SkipJsonSchema[dict[int, PieceForm]] = {}
    words: SkipJsonSchema[dict[int, str]] = {}
    doubts: SkipJsonSchema[list[str]] = []

    @model_validator(mode="before")
    @classmethod
    def _with_plain_pieces(cls, data: Any) -> Any:
        """Put what is special about pieces beside them, number words, and take the size from the shape."""
        for name in ("forms", "words", "doubts"):
            if name in data:
                raise own_words(f"{name}: is unknown")
        return with_plain_pieces(data)


class SolutionFile(Exact):
    """A solution file: boards (lists of rows; a square is [piece, rotation] or null) for one puzzle."""

    format: Literal["jigsat-solution/1"]
    instance: StrictStr
    sha256: Annotated[StrictStr, Field(pattern="^[0-9a-f]{64}$")]
    solutions: Annotated[list[BoardRows], FailFast()]


def _coordinate(value: Any) -> Any:
    """Reject what is not a number, or not exact, with our own message."""
    if isinstance(value, WrittenFloat):
        if _LONG_EXPONENT.search(value.text) or abs(value) >= _BEYOND:
            raise own_words(f"{shortened(value.text)} has too many digits")
        exact = Fraction(value.text)
        return int(exact) if exact.denominator == 1 else str(exact)
    if isinstance(value, str):
        try:
            number_of(value)
        except PuzzleError as error:
            raise own_words(str(error)) from error
    elif isinstance(value, bool) or not isinstance(value, int):
        what = "a float " if isinstance(value, float) else ""
        shown = f"({value!r})" if what else shortened(repr(value))
        exact = 'coordinates must be exact: integers, decimals, or fractions as strings such as "7/2"'
        raise own_words(f"{exact}; {what}{shown} is not")
    elif abs(value) >= _BEYOND:
        raise own_words("a coordinate may have at most 40 digits")
    return value


Coordinate = Annotated[StrictInt | StrictStr, BeforeValidator(_coordinate)]
Vertex = Annotated[list[Coordinate], Field(min_length=2, max_length=2), FailFast()]
Vertices = Annotated[list[Vertex], Field(max_length=MAX_VERTICES), FailFast()]
CellRows = Annotated[list[Annotated[StrictStr, Field(max_length=MOST_CELLS)]], Field(max_length=MOST_CELLS), FailFast()]


class PieceEntry(Exact):
    """A piece, by its vertices or its rows of cells, with what is special about it.  These alone are enough.

    `copies` is the number of such pieces.  `turn` and `flip` say whether they may be turned and turned over, `spare`
    whether they may be left over; what is left out is as for all pieces.
    """

    vertices: Vertices = []
    cells: CellRows = []
    copies: Annotated[StrictInt, Field(ge=1, le=MAX_PIECES)] = 1
    turn: StrictBool | None = None
    flip: StrictBool | None = None
    spare: StrictBool | None = None


Piece = Annotated[
    PieceEntry,
    BeforeValidator(piece_entry, json_schema_input_type=list[list[int | float | str]] | list[str] | PieceEntry),
]


def _target(given: Any, validated: ValidatorFunctionWrapHandler) -> Any:
    """A target as rows of cells, or as a list of polygons."""
    return given if is_rows(given) else validated(list(parts_of(given)))


Target = Annotated[
    list[Vertices],
    Field(max_length=MAX_PIECES),
    WrapValidator(
        _target, json_schema_input_type=list[list[int | float | str]] | list[list[list[int | float | str]]] | list[str]
    ),
]


class DissectionFile(Exact):
    """An instance file of a dissection.

    A coordinate is an integer, a decimal, or a string such as "7/2" or "1/2*sqrt(3)".  The target is a polygon, or a
    list of polygons, its parts.  With `flip` false, no piece may be turned over, with `turn` false, none may be turned;
    with `spare` true, all may be left over; a piece may say otherwise for itself.  No piece may cover a hole.

    With `cells`, target and pieces are rows of "#" (a cell) and ".".  `leave` is true if gaps are allowed, or a list of
    the cells that stay free, by their names or their `labels`.
    """

    format: Literal["jigsat/1"]
    kind: Literal["dissection"]
    name: Annotated[StrictStr, Field(min_length=1, max_length=200)] = ""
    source: StrictStr = ""
    motions: Motions | None = None
    cells: Literal["squares", "triangles", "hexagons"] | None = None
    turn: StrictBool = True
    flip: StrictBool = True
    spare: StrictBool = False
    leave: StrictBool | list[StrictStr] = False
    labels: list[list[StrictStr | None]] = []
    known: Known = Known()
    target: Target
    holes: Annotated[list[Vertices], Field(max_length=MAX_PIECES)] = []
    pieces: Annotated[list[Piece], Field(max_length=MAX_PIECES)]


class PlacedPiece(Exact):
    """A piece in its place.  A coordinate may be irrational: "3/2-1/5*sqrt(10)"."""

    piece: Annotated[StrictInt, Field(ge=1, le=MAX_PIECES)]
    vertices: Annotated[Vertices, Field(min_length=3)]


class TilingFile(Exact):
    """A solution file of a dissection: tilings, each with every piece once, but without spare pieces left over."""

    format: Literal["jigsat-solution/1"]
    instance: StrictStr
    sha256: Annotated[StrictStr, Field(pattern="^[0-9a-f]{64}$")]
    solutions: Annotated[list[Annotated[list[PlacedPiece], Field(max_length=MAX_PIECES), FailFast()]], FailFast()]


#: The schemas of a puzzle and of its solutions, by kind.
INSTANCES = {"edge-matching": InstanceFile, "jigsaw": InstanceFile, "dissection": DissectionFile}
SOLUTIONS = {"edge-matching": SolutionFile, "jigsaw": SolutionFile, "dissection": TilingFile}


def json_schema() -> dict[str, Any]:
    """The JSON Schema of instance and solution files."""
    return TypeAdapter(InstanceFile | DissectionFile | SolutionFile | TilingFile).json_schema()
