"""What commands say when they refuse to work: the table ``tests/cli/messages.md``.

    python tests/support/messages.py

writes the messages of today into the table.
"""

import contextlib
import io
import os
import re
import tempfile
from dataclasses import replace
from pathlib import Path
from shlex import split

from PIL import Image

from jigsat import certify, export, read, read_squares, save, write
from jigsat.cli.main import main
from jigsat.csp.make.edge_matching import deal_edge_matching

FILE = Path(__file__).parents[1] / "cli" / "messages.md"
_ROW = re.compile(r"^\| `jigsat ?(.*?)` \| (.*) \|$", re.M)


def rows() -> list[tuple[str, str]]:
    """The command and its message, of each row of the table."""
    return [(line.replace("\\|", "|"), message) for line, message in _ROW.findall(FILE.read_text())]


def write_files(folder: Path) -> None:
    """The files that the commands read."""
    made, l_shape, jigsaw = deal_edge_matching(4, 4, 2, 3, seed=1), read("l-shape"), read_squares("perfect-5x5")
    save(made.puzzle, folder / "made.json")
    for name, boards in (("board", [made.solution]), ("boards", [made.solution] * 2), ("none", [])):
        write(made.puzzle, boards, folder / f"{name}.json")
    write(l_shape, [l_shape.pieces], folder / "tilings.json")
    write(l_shape, [(*l_shape.pieces[:1] * 2, *l_shape.pieces[2:])], folder / "overlap.json")
    save(jigsaw, folder / "jigsaw.json")
    save(replace(jigsaw, assemblies=()), folder / "plain.json")
    write(jigsaw, [(jigsaw.assemblies[0][0], *[None] * 24)], folder / "partial.json")
    save(replace(jigsaw, assemblies=jigsaw.assemblies[:1]), folder / "single.json")
    certify(jigsaw, 2, proof=folder / "proof")
    export(read("clue3"), folder / "clue3.cnf")
    (folder / "answer.txt").write_text("c hello\ns SATISFIABLE\nv 1 0\n")
    (folder / "empty.json").touch()
    for name, size in (("wide", (50, 10)), ("broad", (60, 12)), ("tiny", (9, 9))):
        Image.new("RGB", size).save(folder / f"{name}.png")


def message_of(line: str) -> str:
    """The line that a command prints, as a cell of a table; run in the folder with the files."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed), contextlib.suppress(SystemExit):
        main(split(line))
    return printed.getvalue().removesuffix("\n").replace("|", "\\|")


if __name__ == "__main__":
    os.environ["COLUMNS"] = "80"
    with tempfile.TemporaryDirectory() as place, contextlib.chdir(place):
        write_files(Path(place))
        text = _ROW.sub(
            lambda row: f"| `{f'jigsat {row[1]}'.strip()}` | {message_of(row[1].replace(f'{chr(92)}|', '|'))} |",
            FILE.read_text(),
        )
    FILE.write_text(text)
