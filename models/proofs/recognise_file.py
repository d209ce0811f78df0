"""Recognises the kind of a claim from the start of a file, without the imports to check it."""

import io
import re
from pathlib import Path

from ...csp.base.safe_files import UNREADABLE, open_unpacked

_START = 1000
_MOST_LINE = 2**16


def is_answer(source: str | Path) -> bool:
    """Whether a file looks like what a solver prints: its first line but for comments is an s, v or o line, or SAT."""
    try:
        if not Path(source).is_file():
            return False
        with open_unpacked(source) as held, io.TextIOWrapper(held, encoding="utf-8", errors="replace") as file:
            while (line := file.readline(_MOST_LINE)) and (line.isspace() or re.match(r"c(\s|$)", line)):
                pass
            return re.match(r"[svo][ \t]|(?:UN)?SAT(?:ISFIABLE)?\s*$|INDET", line, re.IGNORECASE) is not None
    except UNREADABLE:  # which is for those to say who read it
        return False


def is_certificate(source: str | Path) -> bool:
    """Whether a file looks like the page of a certificate."""
    try:
        if not Path(source).is_file():
            return False
        with open(source, encoding="utf-8", errors="replace") as file:
            return re.match(r'\s*\{\s*"format"\s*:\s*"jigsat-certificate/', file.read(_START)) is not None
    except (OSError, ValueError):  # which is for those to say who read it
        return False
