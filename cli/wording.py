"""Results as text and as JSON."""

import argparse
import json
import math
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from textwrap import fill
from typing import Any

from ..csp.base.errors import escaped, grouped
from ..csp.engines.result import Result
from .terminal import bold, width


def print_json(data: Any) -> None:
    """Print one JSON object on a line."""
    with _all_digits():
        # Standard output can be closed.
        readable = (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "") == "utf8"
        try:
            text = json.dumps(data, ensure_ascii=not readable, allow_nan=False)
        except ValueError:
            text = json.dumps(_finite(data), ensure_ascii=not readable)
        print(text)


def print_found(found: Any, arguments: argparse.Namespace, output: str | None = None) -> None:
    """Print a result as JSON or as text, which makes way on standard output for an output that goes there."""
    if getattr(arguments, "json", False):
        print_json(found.record())
    else:
        print_answer(found.summary(verbose=getattr(arguments, "verbose", False)), output)


def print_answer(text: str, output: str | None = None) -> None:
    """Print an answer, whose first line is bold; on a terminal, sentences that are too long for it are wrapped."""
    stream = sys.stderr if output == "-" else sys.stdout
    first, *others = text.split("\n")
    if stream is None or not stream.isatty():
        print(text, file=stream)
        return
    for number, line in enumerate((first, *others)):
        # Tables and boards have columns, and links must stay whole.
        prose = "   " not in line.lstrip() and "://" not in line
        inset = "  " + line[: len(line) - len(line.lstrip())]
        shown = fill(line, width(), subsequent_indent=inset, break_long_words=False) if prose else line
        print(shown if number else bold(shown, stream), file=stream)


def _finite(data: Any) -> Any:
    """The data with None for numbers that JSON cannot represent."""
    if isinstance(data, float):
        return data if math.isfinite(data) else None
    if isinstance(data, Mapping):
        return {name: _finite(value) for name, value in data.items()}
    return [_finite(value) for value in data] if isinstance(data, list | tuple) else data


@contextmanager
def _all_digits() -> Iterator[None]:
    """Within, numbers of any length can be printed; Python's limit still applies when numbers are read."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(before)


def known_lines(known: Mapping[str, Any]) -> list[str]:
    """Known results, one per line."""
    lines: list[str] = []
    for key, value in known.items():
        shown = grouped(value) if isinstance(value, int) else escaped(str(value))
        if key == "planted" and type(value) is int:
            lines.append(f"  planted          cut from {'a full board' if value == 1 else f'{shown} full boards'}")
            continue
        name = escaped(key.replace("_", " "))
        lines.append(f"  known {name:<10} {shown}" if len(name) <= 10 else f"  known {name}: {shown}")
    return lines


def status_of(found: Any) -> int:
    """The exit status for what a function has found."""
    if isinstance(found, Result):
        verified, proof = found.verified or {}, found.proof or {"checked": True}
        if verified.get("same") is False:
            return 1
        if "interrupt" in (found.ended_by, verified.get("ended_by"), proof.get("stopped")):
            return 130
        return 0 if proof["checked"] else 1
    if getattr(found, "ended_by", None) == "interrupt":
        return 130
    return 0 if getattr(found, "holds", True) else 1


def certificate_status(found: Any) -> int:
    """The exit status of `jigsat certify`."""
    if found.proved or ((found.by_search is not None or found.unjudged) and found.answer == "exactly"):
        return 0
    return 130 if found.ended_by == "interrupt" else 1
