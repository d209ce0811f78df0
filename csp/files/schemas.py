"""The schemas of instance and solution files."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, FailFast, Field, StrictInt, StrictStr, TypeAdapter

from ..base.strict_json import INTERRUPTIBLE, ItemNames, Known
from ..puzzles.board import MAX_COLOR, MAX_LENGTH, SIDE_NAMES
from .dissection_files import DissectionFile, TilingFile

Length = Annotated[StrictInt, Field(ge=1, le=MAX_LENGTH)]
PieceNumber = Annotated[StrictInt, Field(ge=1, le=MAX_COLOR)]
Rotation = Annotated[StrictInt, Field(ge=0, le=3)]
Side = Annotated[StrictInt, Field(ge=-MAX_COLOR, le=MAX_COLOR)]
# Of many errors only the first is reported; a million of them would fill the memory.
BoardRow = Annotated[list[tuple[PieceNumber, Rotation] | None], Field(max_length=MAX_LENGTH), FailFast()]
BoardRows = Annotated[list[BoardRow], Field(max_length=MAX_LENGTH), FailFast(), INTERRUPTIBLE]


class FixedEntry(BaseModel):
    """A fixed piece."""

    model_config = ConfigDict(extra="forbid")
    square: StrictStr
    piece: PieceNumber
    rotation: Rotation


ITEM_NAMES: ItemNames = {
    "pieces": ("piece", tuple(f"{side} side" for side in SIDE_NAMES)),
    "solutions": ("solution",),
    "assemblies": ("assembly",),
}


class Head(BaseModel):
    """The first fields of every instance file."""

    format: Literal["jigsat/1"]
    kind: Literal["edge-matching", "jigsaw", "dissection"]


class InstanceFile(BaseModel):
    """An instance file of squares: one puzzle.  Sides in the order up, right, down, left; 0 is the border."""

    model_config = ConfigDict(extra="forbid")
    format: Literal["jigsat/1"]
    kind: Literal["edge-matching", "jigsaw"]
    name: Annotated[StrictStr, Field(min_length=1, max_length=200)]
    source: StrictStr = ""
    rows: Length
    columns: Length
    fixed: Annotated[list[FixedEntry], FailFast()] = []
    known: Known = Known()
    assemblies: Annotated[list[BoardRows], FailFast()] = []
    pieces: Annotated[list[Annotated[list[Side], Field(min_length=4, max_length=4), INTERRUPTIBLE]], FailFast()]


class SolutionFile(BaseModel):
    """A solution file: boards (lists of rows; a square is [piece, rotation] or null) for one puzzle."""

    model_config = ConfigDict(extra="forbid")
    format: Literal["jigsat-solution/1"]
    instance: StrictStr
    sha256: Annotated[StrictStr, Field(pattern="^[0-9a-f]{64}$")]
    solutions: Annotated[list[BoardRows], FailFast()]


def json_schema() -> dict[str, Any]:
    """The JSON Schema of instance and solution files."""
    return TypeAdapter(InstanceFile | DissectionFile | SolutionFile | TilingFile).json_schema()
