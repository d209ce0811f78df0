"""All texts of the studio, from `texts.toml`."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any


@cache
def _texts() -> dict[str, dict[str, str]]:
    return tomllib.loads(Path(__file__).with_name("texts.toml").read_text(encoding="utf-8"))


def section(name: str) -> dict[str, str]:
    """All texts of a section, for a script."""
    return _texts()[name]


def text(key: str, **values: Any) -> str:
    """The text with this key, such as ``"board.undo"``, with values in its places."""
    section, _, name = key.partition(".")
    found = _texts()[section][name]
    return found.format(**values) if values else found
