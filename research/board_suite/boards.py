"""Write the boards of a suite as puzzle files, one for each board, into a folder.

    python research/board_suite/boards.py board_suite.jsonl.gz boards

The suite has a board in each line, as a JSON object with `size`, `inner_colors`, `number` and `pieces`, each of which
is up, right, down, left; `done` says whether its solutions were counted.  The file may be compressed with gzip.  Each
puzzle is called SIZE-COLOURS-NUMBER.
"""

import argparse
import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jigsat as js


def boards(suite: Path) -> Iterator[dict[str, Any]]:
    """The boards of a suite, in the order of its lines."""
    opened = gzip.open if suite.suffix == ".gz" else open
    with opened(suite, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def name_of(board: dict[str, Any]) -> str:
    """The name of a board."""
    return f"{board['size']}-{board['inner_colors']}-{board['number']}"


def puzzle_of(board: dict[str, Any]) -> js.EdgeMatchingPuzzle:
    """The puzzle of a board."""
    size = board["size"]
    return js.EdgeMatchingPuzzle(size, size, board["pieces"], name=name_of(board))


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the boards of a suite as puzzle files.")
    parser.add_argument("suite", type=Path, help="the file of the boards")
    parser.add_argument("folder", type=Path, help="where the puzzles are written")
    parser.add_argument("--unfinished", action="store_true", help="only boards that are not marked as done")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    number = 0
    for board in boards(given.suite):
        if given.unfinished and board["done"]:
            continue
        js.save(puzzle_of(board), given.folder / f"{name_of(board)}.json")
        number += 1
    print(f"{number} puzzles written to {given.folder}")


if __name__ == "__main__":
    main()
