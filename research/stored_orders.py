"""Store the best orders of the bundled puzzles, so that no command has to search for them.

    python research/stored_orders.py

Writes `estimators/owen/best_orders.json`; takes ten seconds.
"""

from pathlib import Path

from jigsat.csp.files.instances import fingerprint, read_squares
from jigsat.estimators.owen import best_order as home

#: The puzzles whose searches are predicted to take so long that all changes are tried.
NAMES = (
    "clue2", "clue4", "eternity2", "eternity2-hints", "meta10", "meta12", "meta14", "meta16", "puzzle-c", "puzzle-d",
)  # fmt: skip


def searched(names: tuple[str, ...] = NAMES) -> dict[str, tuple[int, ...]]:
    """The orders by the fingerprints of the puzzles, of those for which the best order is worth a search."""
    return {fingerprint(puzzle): home.best_order(puzzle).order for puzzle in map(read_squares, names)}


if __name__ == "__main__":
    home.stored_orders = dict
    lines = [f'"{puzzle}": {list(order)}' for puzzle, order in searched().items()]
    file = Path(home.__file__).with_name(home.STORED)
    file.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
