"""Which format a text is in, or is to be written in."""

import re
from collections.abc import Mapping
from pathlib import Path

from ..base.errors import InstanceError, UsageError
from .community.csv_tables import is_header
from .community.viewer_links import is_link

# Within so many characters, which are part of what is read first, a text must show which format it is in.
_START = 2**18


def format_for(path: str | Path, formats: Mapping[str, tuple[str, ...]]) -> str:
    """The format to write a file in, by its ending; each format has its endings.

    Raises
    ------
    UsageError
        If the ending is none of those known.
    """
    for name, endings in formats.items():
        if Path(path).suffix.lower() in endings:
            return name
    known = ", ".join(ending for endings in formats.values() for ending in endings)
    raise UsageError(f"{path}: the ending tells no format; give one of {known}, or name {' or '.join(formats)}", "to")


def format_of(text: str, label: str) -> str:
    """Which format a text, or its beginning, is in: ``json``, ``url``, ``csv`` or ``text``.

    Raises
    ------
    InstanceError
        If it looks like none of them.
    """
    start = text.lstrip("\ufeff \t\r\n")
    if start[:1] in ("{", "["):
        return "json"
    if is_link(text):
        return "url"
    lines = text[:_START].splitlines()
    if len(text) > _START and len(lines) > 1:
        lines.pop()  # it may be cut
    for line in lines:
        line = line.partition("#")[0]
        words = line.split()
        if not words or words[0].startswith(("//", ";")):
            continue
        if is_header(line):
            return "csv"
        if re.fullmatch(r"-?[0-9]+", words[0]):
            return "text"
        raise InstanceError(f"{label}: is neither JSON nor piece text, CSV or a viewer link")
    if not start:
        raise InstanceError(f"{label}: is empty")
    within = f" in its first {_START} characters" if len(text) > _START else ""
    raise InstanceError(f"{label}: holds nothing but comments{within}")
