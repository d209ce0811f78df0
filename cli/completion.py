"""Shell completion: the script, and the arguments that are completed with files, puzzles or engines."""

import argparse
from collections.abc import Iterator
from typing import Any

from ..csp.engines.registry import engine_names
from ..csp.files.file_format import bundled_names
from .parser import Parser

# The functions that the completions of bash and zsh call.
_PREAMBLE = {
    "bash": """\
_jigsat_puzzles() { compgen -W "{puzzles}" -- "$1"; compgen -f -- "$1"; }
_jigsat_engines() { compgen -W "{engines}" -- "$1"; }
""",
    "zsh": """\
_jigsat_puzzles() { compadd {puzzles}; _files; }
_jigsat_engines() { compadd {engines}; }
""",
}
_PUZZLES = {"bash": "_jigsat_puzzles", "zsh": "_jigsat_puzzles", "tcsh": "f"}
_ENGINES = {"bash": "_jigsat_engines", "zsh": "_jigsat_engines"}
# What a value is, by the name that the help has for it.
_FILES = ("FILE", "PAGE", "BOARD", "SOLUTION", "SOLUTIONS", "PICTURE", "FOLDER", "CERTIFICATE", "OUT", "EXPERIMENT")
_NAMES = ("INSTANCE", "JIGSAW", "IN")


def completion(parser: Parser, shell: str) -> str:
    """A script that completes the commands and options of a parser in a shell: ``bash``, ``zsh`` or ``tcsh``."""
    import shtab

    for action in _actions(parser):
        if action.metavar in _NAMES:
            action.complete = _PUZZLES  # type: ignore[attr-defined]
        elif action.dest == "engine":
            action.complete = _ENGINES  # type: ignore[attr-defined]
        elif action.metavar in _FILES:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
    engines = sorted({*engine_names("edge-matching"), *engine_names("dissection")})
    preamble: Any = {
        name: text.replace("{puzzles}", " ".join(bundled_names())).replace("{engines}", " ".join(engines))
        for name, text in _PREAMBLE.items()
    }
    return shtab.complete(parser, shell, preamble=preamble)


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """All arguments of a parser and of its commands."""
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from _actions(command)
