"""A solution of the bundled puzzle clue3, so that it is not searched for while tests are collected."""

from jigsat.csp.files.instances import read_squares
from jigsat.csp.puzzles.board import Placement
from jigsat.csp.puzzles.edge_matching import board_of

CLUE = read_squares("clue3")
#: One of many.
BOARD = board_of(CLUE, [Placement(*placed) for placed in [
    (1, 1), (6, 0), (4, 2), (7, 1), (31, 0), (16, 0),
    (14, 0), (32, 3), (5, 1), (10, 1), (3, 3), (0, 1),
    (15, 1), (30, 0), (21, 0), (35, 3), (9, 3), (27, 3),
    (34, 2), (12, 1), (23, 2), (26, 0), (8, 2), (20, 3),
    (24, 2), (19, 0), (28, 2), (13, 2), (17, 2), (18, 2),
    (2, 1), (22, 0), (11, 0), (25, 2), (33, 2), (29, 1),
]])  # fmt: skip
