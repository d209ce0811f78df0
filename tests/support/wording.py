"""The messages of the command line before and after they were put in plain English: ``tests/cli/wording.md``.

    python tests/support/wording.py

writes the messages and help texts of today into the file.
"""

import contextlib
import io
import os
import re
import tempfile
from pathlib import Path
from shlex import split

from jigsat.cli.main import main

FILE = Path(__file__).parents[1] / "cli" / "wording.md"
_ROW = re.compile(r"^\| `jigsat (.*?)` \| (.*?) \| (.*) \|$", re.M)
_HELP = re.compile(r"(### jigsat ([^\n]*)\n(?:\nBefore:\n\n```text\n.*?```\n)?\nAfter:\n\n```text\n).*?```\n", re.S)


def rows() -> list[tuple[str, str, str]]:
    """The command, its message before, and its message after, of each row of the table."""
    return [(line.replace("\\|", "|"), before, after) for line, before, after in _ROW.findall(FILE.read_text())]


def output_of(line: str) -> str:
    """What a command prints, run in a folder that holds only an empty file ``empty.json``."""
    here, printed = Path.cwd(), io.StringIO()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            Path("empty.json").touch()
            with (
                contextlib.redirect_stdout(printed),
                contextlib.redirect_stderr(printed),
                contextlib.suppress(SystemExit),
            ):
                main(split(line))
        finally:
            os.chdir(here)
    return printed.getvalue()


def message_of(line: str) -> str:
    """The first line that a command prints, as a cell of a table."""
    return output_of(line).partition("\n")[0].replace("|", "\\|")


def rewritten(text: str) -> str:
    """The file with the messages and help texts of today."""
    os.environ["COLUMNS"] = "80"
    text = _ROW.sub(lambda row: f"| `jigsat {row[1]}` | {row[2]} | {message_of(row[1])} |", text)
    return _HELP.sub(lambda part: f"{part[1]}{output_of(f'{part[2]} --help'.strip())}```\n", text)


if __name__ == "__main__":
    FILE.write_text(rewritten(FILE.read_text()))
