"""Forms of a board from those of the board with rows and columns exchanged."""

from ...puzzles.board import Arrangement, Board, Placement


def quarter_turned(scramble: Arrangement, rows: int, columns: int) -> Arrangement:
    """The scramble of a columns x rows board that a quarter turn, clockwise, makes of one of a rows x columns board."""
    board = Board(columns, rows)

    def there(square: int) -> int:
        row, column = divmod(square, columns)
        return board.square(column, rows - 1 - row)

    turned: list[Placement | None] = [None] * len(scramble)
    for square, placed in enumerate(scramble):
        if placed is not None:
            turned[there(square)] = Placement(there(placed.piece), placed.rotation)
    return tuple(turned)
