"""What is asked of the pictures for a jigsaw: their parts, sizes, weights and tones, and what matters in them."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from ...csp.base.errors import UsageError, misspelt
from ...csp.puzzles.board import Board

if TYPE_CHECKING:
    from ...csp.files.picture_files import Picture
    from .artwork import WantedPictures

#: The error that the artwork makes least: what people see, or the squared error.
Blend = Literal["seen", "mean"]
BLENDS: tuple[Blend, ...] = get_args(Blend)
#: The least and the largest side of a piece, in pixels.
PIXELS = 8, 512
_MOST_ARTWORK = 36_000_000


@dataclass(frozen=True, kw_only=True)
class PictureWishes:
    """The options about pictures that `pictures` and `preview_pictures` share; of `sources`, `masks` and `crops` there
    is one for each picture.

    Raises UsageError if a value is out of range.
    """

    sources: tuple[str | Path, ...]
    masks: tuple[str | Path | None, ...]
    crops: tuple[str | None, ...]
    pixels: int
    weight: float
    grey: bool
    crop: bool
    match: float
    blend: str = "seen"

    def __post_init__(self) -> None:
        least, most = PIXELS
        if not least <= self.pixels <= most or self.pixels % 2:
            raise UsageError(f"must be an even number from {least} to {most}, not {self.pixels}", "pixels")
        if not 0 <= self.weight <= 1:
            raise UsageError(f"must lie between 0 and 1, not {self.weight}", "weight")
        if not 0 <= self.match <= 1:
            raise UsageError(f"must lie between 0 and 1, not {self.match}", "match")
        if self.blend not in BLENDS:
            raise UsageError(f"{misspelt(self.blend, BLENDS)} is unknown; choose from {', '.join(BLENDS)}", "blend")
        if self.blend == "mean" and set(self.masks) != {None}:
            raise UsageError("the blend mean takes no account of what matters; omit the masks", "blend")

    @property
    def shares(self) -> tuple[float, ...]:
        """The weights of the pictures; the others share what the first one leaves."""
        others = len(self.sources) - 1
        return (self.weight, *([(1 - self.weight) / others] * others))

    def read(self, board: Board) -> "tuple[Picture, ...]":
        """The pictures in the size of the board.

        Raises UsageError if that is too large, or the board has too many squares; InstanceError if a picture cannot be
        read, or has another shape and is not cropped.
        """
        from ...csp.make.tones import MOST_SQUARES
        from .files import MOST_LENGTH

        if len(board) > MOST_SQUARES:
            size = f"a {board.rows}x{board.columns} board"
            raise UsageError(f"{size} is too large for pictures; at most {MOST_SQUARES} squares are supported")
        pixels = self.pixels
        if len(board) * pixels**2 > _MOST_ARTWORK or max(board.rows, board.columns) * pixels > MOST_LENGTH:
            most = f"{_MOST_ARTWORK // 10**6} million pixels, and {MOST_LENGTH} pixels a side"
            raise UsageError(f"{pixels}: is too much for {len(board)} pieces; artwork is limited to {most}", "pixels")
        return tuple(self._read(source, number, board, grey=self.grey) for number, source in enumerate(self.sources))

    def wanted(self, board: Board, given: "tuple[Picture, ...]") -> "WantedPictures":
        """The pictures that were read, with matched tones, and what matters in them."""
        from .artwork import wanted_of

        masks = [
            None if mask is None else self._read(mask, number, board, grey=True)
            for number, mask in enumerate(self.masks)
        ]
        return wanted_of(given, masks, board, self.shares, self.match, self.blend)

    def _read(self, source: str | Path, number: int, board: Board, *, grey: bool) -> "Picture":
        """A picture or mask in the size of the board, cropped as asked for the picture of that number, from 0."""
        from .files import crop_for, read_picture

        crop = crop_for(self.crop, self.crops[number], ("crop_a", "crop_b", "crop_c")[number], self.masks[number])
        return read_picture(source, board.rows, board.columns, self.pixels, grey=grey, crop=crop)
