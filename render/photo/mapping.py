"""Files for other programs: where pieces and pixels move from one assembly to another."""

import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...csp.base.safe_files import replacing, replacing_bytes
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from .raster import Integers, Tabs, owners

_BYTES = 6  # of a pixel
_ROWS = 64  # that are compressed at a time


def png16(samples: NDArray[np.uint16]) -> Iterator[bytes]:
    """The parts of a PNG file, for an array of rows, columns and three channels."""
    height, width, _ = samples.shape
    yield b"\x89PNG\r\n\x1a\n"
    yield _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 16, 2, 0, 0, 0))
    compressor = zlib.compressobj(9)
    for start in range(0, height, _ROWS):
        yield _chunk(b"IDAT", compressor.compress(_filtered(samples[start : start + _ROWS])))
    yield _chunk(b"IDAT", compressor.flush())
    yield _chunk(b"IEND", b"")


def _filtered(samples: NDArray[np.uint16]) -> bytes:
    """Rows with the PNG filter Sub: its number, then the difference of each byte from that of the previous pixel."""
    plain = np.ascontiguousarray(samples.astype(">u2")).view(np.uint8).reshape(len(samples), -1)
    rows = np.ones((len(samples), plain.shape[1] + 1), np.uint8)
    rows[:, 1:] = plain
    rows[:, 1 + _BYTES :] -= plain[:, :-_BYTES]
    return rows.tobytes()


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


#: The largest side of a picture, so that the numbers of a map distinguish neighbouring pixels.
MOST_LENGTH = 2**15


def write_table(puzzle: EdgeMatchingPuzzle, path: str | Path, number: int = 2) -> None:
    """Write the position of each piece in the first assemblies of a jigsaw: a CSV file with a line for each piece.

    Pieces, rows and columns are numbered from 1; rotations are clockwise quarter turns of the piece, and a turn is the
    difference of its rotations in the first assembly and another one.
    """
    lies = _lies(puzzle, number)
    columns = [f"{name}_{each + 1}" for each in range(number) for name in ("square", "row", "column", "rotation")]
    turns = ["turn", *(f"turn_{each + 1}" for each in range(2, number))]
    with replacing(path) as file:
        file.write(",".join(["piece", *columns, *turns]) + "\n")
        for piece in range(len(puzzle.pieces)):
            cells: list[object] = [piece + 1]
            for square, rotation in (where[piece] for where in lies):
                row, column = divmod(square, puzzle.columns)
                cells += [puzzle.board.name(square), row + 1, column + 1, rotation]
            cells += [_turn(lies, piece, other) for other in range(1, number)]
            file.write(",".join(map(str, cells)) + "\n")


def _lies(puzzle: EdgeMatchingPuzzle, number: int) -> list[dict[int, tuple[int, int]]]:
    """The square and the rotation of each piece, in the first assemblies."""
    return [
        {placed.piece: (square, placed.rotation) for square, placed in enumerate(assembly) if placed is not None}
        for assembly in puzzle.assemblies[:number]
    ]


def _turn(lies: list[dict[int, tuple[int, int]]], piece: int, other: int) -> int:
    return (lies[other][piece][1] - lies[0][piece][1]) % 4


def write_map(
    puzzle: EdgeMatchingPuzzle, there: Integers, pixels: int, tabs: Tabs, path: str | Path, other: int = 1
) -> None:
    """Write the position of each pixel of the first assembly in another: a PNG file with three channels of 16 bits.

    The other one has the index `other`.  Red is the column in it plus a half, in 65536ths of the width; green is the
    row plus a half, in 65536ths of the height, both rounded down; blue is 16384 times the clockwise quarter turns.  The
    column is red times the width over 65536, rounded down; the row follows in the same way from green and the height.
    """
    with replacing_bytes(path) as file:
        file.writelines(png16(uv_map(puzzle, there, pixels, tabs, other)))


def uv_map(puzzle: EdgeMatchingPuzzle, there: Integers, pixels: int, tabs: Tabs, other: int = 1) -> NDArray[np.uint16]:
    """The numbers that `write_map` writes, an array of rows, columns and three channels."""
    height, width = puzzle.rows * pixels, puzzle.columns * pixels
    found = np.empty((height, width, 3), np.uint16)
    found[..., 0] = _parts(there % width, width).reshape(height, width)
    found[..., 1] = _parts(there // width, height).reshape(height, width)
    lies = _lies(puzzle, other + 1)
    turns = np.array([_turn(lies, piece, other) for piece in range(len(puzzle.pieces))])
    found[..., 2] = 16384 * turns[owners(puzzle, puzzle.assemblies[0], pixels, tabs)]
    return found


def _parts(places: Integers, length: int) -> Integers:
    return (2 * places + 1) * 2**15 // length
