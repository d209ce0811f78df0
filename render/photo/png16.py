"""PNG files with three channels of 16 bits, which Pillow does not write."""

import struct
import zlib
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

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
