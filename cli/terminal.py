"""What the terminal can show: its width, and bold and dim words where it has colours."""

import os
import shutil
import sys
from typing import Any

# Longer lines of text are hard to read.
_WIDEST, _NARROWEST = 120, 40


def width(unknown: int = _WIDEST) -> int:
    """The columns that lines may fill; `unknown` where output goes to a file or a pipe and COLUMNS is not set."""
    return max(min(shutil.get_terminal_size((unknown, 24)).columns, _WIDEST), _NARROWEST)


def bold(text: str, stream: Any = None) -> str:
    """The text, bold if standard output (or `stream`) is a terminal that shows colours."""
    return _styled(text, 1, stream)


def dim(text: str, stream: Any = None) -> str:
    """The text, dim if standard output (or `stream`) is a terminal that shows colours."""
    return _styled(text, 2, stream)


def has_colors(stream: Any = None) -> bool:
    """Whether standard output (or `stream`) is a terminal with colours; NO_COLOR turns them off, FORCE_COLOR on."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    stream = sys.stdout if stream is None else stream
    return stream is not None and stream.isatty() and os.name == "posix"


def _styled(text: str, code: int, stream: Any) -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if text and has_colors(stream) else text
