"""The table and the map suffice to make the second assembly of the artwork; PNG files hold what they should."""

import csv
import struct
import zlib

import numpy as np
import pytest
from PIL import Image

from jigsat.csp.files.instances import read_squares
from jigsat.render.cut.family import cut_of
from jigsat.render.photo.files import png16, write_map, write_table
from jigsat.render.photo.pixels import owners, shown, transfer

NAMES = ("perfect-5x5", "perfect-5x7", "two-solution-5x5")


def samples_of(data):
    """Read a PNG file of 16 bits, following its specification alone: rows that are plain or less the pixel before."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    chunks, at = [], 8
    while at < len(data):
        (length,), kind = struct.unpack_from(">I", data, at), data[at + 4 : at + 8]
        body, at = data[at + 8 : at + 8 + length], at + 12 + length
        assert struct.unpack_from(">I", data, at - 4) == (zlib.crc32(kind + body),)
        chunks.append((kind, body))
    assert chunks[-1] == (b"IEND", b"")
    width, height, *rest = struct.unpack(">IIBBBBB", chunks[0][1])
    assert rest == [16, 2, 0, 0, 0]
    raw = np.frombuffer(zlib.decompress(b"".join(body for kind, body in chunks if kind == b"IDAT")), np.uint8)
    rows = raw.reshape(height, 1 + 6 * width)
    plain = rows[:, 1:].reshape(height, width, 6).astype(np.int64)
    assert set(rows[:, 0]) <= {0, 1}
    plain[rows[:, 0] == 1] = np.cumsum(plain[rows[:, 0] == 1], axis=1) % 256
    return plain[..., ::2] * 256 + plain[..., 1::2]


@pytest.mark.parametrize("shape", [(1, 1, 3), (3, 130, 3), (130, 3, 3)])
def test_files_of_16_bits_hold_their_numbers(shape, tmp_path):
    """Pillow reads the upper eight bits of each number; those of numbers with their bytes exchanged are the lower."""
    samples = np.random.default_rng(1).integers(0, 2**16, shape, np.uint16)
    upper = []
    for numbers in (samples, samples.byteswap()):
        data = b"".join(png16(numbers))
        assert np.array_equal(samples_of(data), numbers)
        (tmp_path / "numbers.png").write_bytes(data)
        with Image.open(tmp_path / "numbers.png") as image:
            assert image.mode == "RGB"
            upper.append(np.asarray(image).astype(np.uint16))
    assert np.array_equal(upper[0] * 256 + upper[1], samples)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("pixels", [8, 30])
def test_the_map_makes_the_second_assembly(name, pixels, tmp_path):
    """By what the documentation says, and nothing else."""
    puzzle = read_squares(name)
    tabs = cut_of(puzzle).tabs
    height, width = puzzle.rows * pixels, puzzle.columns * pixels
    artwork = np.random.default_rng(2).integers(0, 256, (height, width, 3), np.uint8)
    there = transfer(puzzle, *puzzle.assemblies[:2], pixels, tabs)
    write_map(puzzle, there, pixels, tabs, tmp_path / "map.png")
    red, green, blue = np.moveaxis(samples_of((tmp_path / "map.png").read_bytes()), -1, 0)
    second = np.zeros_like(artwork)
    second[green * height // 65536, red * width // 65536] = artwork
    assert np.array_equal(second, shown(artwork, there))
    assert set(np.unique(blue)) <= {0, 16384, 32768, 49152}
    # The next pixel of the same piece lies beside it as the blue says.
    turns = {1: 0, width: 1, -1: 2, -width: 3}
    steps = np.diff(there.reshape(height, width), axis=1)
    owner = owners(puzzle, puzzle.assemblies[0], pixels, tabs)
    beside = owner[:, 1:] == owner[:, :-1]
    told = {(int(step), int(turn)) for step, turn in zip(steps[beside], blue[:, :-1][beside], strict=True)}
    assert told == {(step, 16384 * turn) for step, turn in turns.items() if 16384 * turn in blue}


@pytest.mark.parametrize("name", NAMES)
def test_the_table_makes_the_second_assembly_of_plain_squares(name, tmp_path):
    """By rows, columns and turns; names of squares and rotations are those of the assemblies."""
    puzzle = read_squares(name)
    first, second = puzzle.assemblies[:2]
    artwork = np.random.default_rng(3).integers(0, 256, (puzzle.rows * 4, puzzle.columns * 4, 1), np.uint8)
    write_table(puzzle, tmp_path / "mapping.csv")
    with (tmp_path / "mapping.csv").open(newline="") as file:
        lines = list(csv.DictReader(file))
    assert list(lines[0]) == (
        ["piece", "square_1", "row_1", "column_1", "rotation_1", "square_2", "row_2", "column_2", "rotation_2", "turn"]
    )
    assert [int(line["piece"]) for line in lines] == list(range(1, len(puzzle.pieces) + 1))
    found = np.zeros_like(artwork)
    for line in lines:
        cells = [tuple(4 * (int(line[f"{what}_{n}"]) - 1) for what in ("row", "column")) for n in (1, 2)]
        (row, column), (to_row, to_column) = cells
        tile = artwork[row : row + 4, column : column + 4]
        found[to_row : to_row + 4, to_column : to_column + 4] = np.rot90(tile, -int(line["turn"]))
        for number, assembly in enumerate((first, second), start=1):
            square = puzzle.board.parse(line[f"square_{number}"])
            assert assembly[square] == (int(line["piece"]) - 1, int(line[f"rotation_{number}"]))
    assert np.array_equal(found, shown(artwork, transfer(puzzle, first, second, 4, None)))
