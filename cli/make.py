"""`jigsat make`: make puzzles."""

import argparse
import os
import sys
from collections.abc import Sequence
from secrets import randbelow
from typing import Any

from ..api.make import (
    JigsawMade,
    dissection_drawn,
    jigsaw_made,
    make_boards_jigsaw,
    make_dissection,
    make_edge_matching,
    make_jigsaw,
    make_polyominoes,
)
from ..api.pictures import make_photo_jigsaw
from ..api.public import documented
from ..csp.base.errors import NotFoundError, UsageError, ending, escaped, plural
from .files import add_open, as_name, default_help, name_default, stem_of
from .from_functions import describe, take
from .options import RARE, add_json, add_quiet, options_by_name, refuse_json_beside
from .parser import Parser
from .progress import note_bar, part_bar
from .wording import certificate_status, print_answer, print_found, print_json, status_of

#: What each kind of puzzle takes.
_BOARD = (
    "rows", "columns", "frame_colors", "inner_colors", "colors", "rim", "turn", "flip", "wrap", "squares",
    "distribution", "unique", "asymmetric", "random", "clues", "clue_places", "name", "output", "solution",
)  # fmt: skip
#: What only the full help shows.
_RARE = {"distribution", "asymmetric", "clue_places", "flip", "wrap", "squares"}
_DRAWN = ("drawing", "lattice", "motions", "no_flip", "name", "output", "solution")
_JIGSAW = ("rows", "columns", "solutions", "max_use", "types", "no_stay", "method", "name", "disjoint")


def add_options(parser: Parser) -> None:
    parser.description = "Make a puzzle.  `jigsat make KIND --help` describes the options of a kind."
    parser.examples = (
        "jigsat make jigsaw --rows 5 --columns 5 -o jigsaw.json",
        "jigsat make edge-matching --rows 6 --columns 6 --frame-colors 3 --inner-colors 5 -o puzzle.json",
    )
    kinds = parser.add_subparsers(
        dest="kind", metavar="KIND", required=True, title="kinds", help="the kind of the puzzle"
    )
    _add_kind(
        kinds, "edge-matching", "an edge-matching puzzle", make_edge_matching, run_edge_matching,
        "jigsat make edge-matching --rows 6 --columns 6 --frame-colors 3 --inner-colors 5 --seed 1 -o puzzle.json",
        "jigsat make edge-matching --rows 4 --columns 4 --colors 10 --rim any --no-turn -o tetravex.json",
    )  # fmt: skip
    jigsaw = _add_kind(
        kinds, "jigsaw", "a jigsaw with exactly K solutions", make_jigsaw, run_jigsaw,
        "jigsat make jigsaw --rows 5 --columns 5 --seed 1 -o jigsaw.json",
        "jigsat make jigsaw --rows 4 --columns 6 --no-stay --proof jigsaw.drat -o jigsaw.json",
        "jigsat make jigsaw --rows 7 --columns 7 --solutions 3 --disjoint --seed 26 -o jigsaw.json",
        "jigsat make jigsaw --boards 10x10,9x11 --seed 1 -o jigsaw.json",
        optional=("rows", "columns"),
    )  # fmt: skip
    boards = "Two boards instead of one, such as 10x10,9x11."
    take(jigsaw, make_boards_jigsaw, ("boards",), optional=("boards",), texts={"boards": boards})
    _add_kind(
        kinds, "polyominoes", "all polyominoes of a number of cells, to fill a rectangle", make_polyominoes,
        run_polyominoes, "jigsat make polyominoes --cells 5 --target 6x10 -o pentominoes.json",
    )  # fmt: skip
    _add_kind(
        kinds, "dissection", "a dissection from a drawing", make_dissection, run_dissection,
        "jigsat make dissection drawing.svg -o puzzle.json", "jigsat make dissection AAB/ACB -o puzzle.json",
        positional=("drawing",),
    )  # fmt: skip
    photos = _add_kind(
        kinds, "photo-jigsaw", "a jigsaw that shows two photos, with proof, cut lines and a page to play",
        make_photo_jigsaw, run_photo_jigsaw, "jigsat make photo-jigsaw cat.jpg dog.jpg",
        "jigsat make photo-jigsaw cat.jpg dog.jpg --rows 10 --columns 10 -o pets",
        "jigsat make photo-jigsaw cat.jpg dog.jpg --boards 10x10,9x11",
        'jigsat make photo-jigsaw cat.jpg dog.jpg --rows 8 --columns 12 --crop-a "top left" --name "For Ada"',
        positional=("first", "second"),
    )  # fmt: skip
    photos.rare |= {"scrambles", "curves", "mask_a", "mask_b", "no_stay", "weight", "grey"}
    for action in photos._actions:
        if action.dest == "output":
            action.metavar = "FOLDER"
    photos.set_defaults(lists_files=True, lists_steps=True)
    add_open(photos)
    for parser in kinds.choices.values():
        add_quiet(parser)
    for parser in (jigsaw, photos):
        add_json(parser)


def _add_kind(
    kinds: Any,
    kind: str,
    about: str,
    function: Any,
    run: Any,
    *examples: str,
    positional: Sequence[str] = (),
    optional: Sequence[str] = (),
) -> Parser:
    parser: Parser = kinds.add_parser(kind, help=about)
    describe(parser, function, positional)
    parser.examples = examples
    file = default_help("Write the puzzle to this file (.json); - for standard output", "NAME.json")
    texts = {} if function is make_photo_jigsaw else {"output": file}
    if "seed" in documented(function) and not positional:
        texts["seed"] = "Random seed (default: a random one)."
    take(parser, function, texts=texts, positional=positional, optional=optional)
    parser.rare = (RARE - {"seed", "proof", "target", "motions", "no_flip"}) | _RARE
    parser.set_defaults(run=run, **({"seed": None} if "seed" in texts else {}))
    return parser


def run_edge_matching(arguments: argparse.Namespace) -> int:
    seed = randbelow(2**32) if arguments.seed is None else arguments.seed
    _name_output(arguments, f"edge-matching-{arguments.rows}x{arguments.columns}")
    puzzle = make_edge_matching(**options_by_name(arguments, *_BOARD), seed=seed)
    report = sys.stderr if "-" in (arguments.output, arguments.solution) else sys.stdout
    print(f"{escaped(puzzle.name)}: {puzzle.kind} puzzle, {len(puzzle.pieces)} pieces", file=report)
    if arguments.seed is None:
        print(f"seed {seed}", file=sys.stderr)
    return 0


def run_polyominoes(arguments: argparse.Namespace) -> int:
    _name_output(arguments, f"polyominoes-{arguments.cells}-{arguments.target}")
    puzzle = make_polyominoes(**options_by_name(arguments, "cells", "target", "one_sided", "fixed", "name", "output"))
    report = sys.stderr if arguments.output == "-" else sys.stdout
    print(f"{escaped(puzzle.name)}: {puzzle.kind} puzzle, {plural(len(puzzle.pieces), 'piece')}", file=report)
    return 0


def run_photo_jigsaw(arguments: argparse.Namespace) -> int:
    options = options_by_name(arguments, *documented(make_photo_jigsaw))
    try:
        with part_bar(arguments) as report:
            made = make_photo_jigsaw(**{**options, "report": report})
    except NotFoundError as error:
        print(f"jigsat: {error}", file=sys.stderr)
        return 130 if error.ended_by == "interrupt" else 1
    print_found(made, arguments)
    return status_of(made)


def run_dissection(arguments: argparse.Namespace) -> int:
    is_file = os.path.exists(arguments.drawing)
    _name_output(arguments, stem_of(arguments.drawing) if is_file else "dissection")
    made = dissection_drawn(**options_by_name(arguments, *_DRAWN))
    print(
        "\n".join(map(escaped, made.summary().splitlines())),
        file=sys.stderr if "-" in (arguments.output, arguments.solution) else sys.stdout,
    )
    return 0


def run_jigsaw(arguments: argparse.Namespace) -> int:
    from ..csp.make.jigsaw_wishes import JigsawWishes

    if arguments.boards is not None:
        return run_boards(arguments)
    for name in ("rows", "columns"):
        if getattr(arguments, name) is None:
            raise UsageError("is missing; give rows and columns, or two boards", name)
    is_perfect = (arguments.solutions, arguments.max_use, arguments.types) == (2, None, None)
    _name_output(arguments, f"{'perfect' if is_perfect else 'jigsaw'}-{arguments.rows}x{arguments.columns}")
    refuse_json_beside(arguments.output, arguments)
    wishes = JigsawWishes(**options_by_name(arguments, *_JIGSAW), seed=_seed(arguments))
    how: dict[str, Any] = options_by_name(arguments, "resume", "overwrite", "time_limit")
    with note_bar(arguments) as report:
        found = jigsaw_made(wishes, arguments.output, arguments.proof, prove=True, report=report, **how)
    made, certification = found.made, found.certification
    if certification is None:
        return _report_faults(found, arguments)
    if arguments.json:
        print_json(certification.record() | made.record())
    else:
        verbose = arguments.verbose
        proved = certification.findings(made.solutions, verbose=verbose)
        print_answer(f"{_head(found)}{proved}\n{made.summary(verbose=verbose)}", arguments.output)
    return certificate_status(certification)


def run_boards(arguments: argparse.Namespace) -> int:
    """Make a jigsaw of two boards."""
    for name in ("rows", "columns", "types", "method", "no_stay", "disjoint", "resume"):
        if getattr(arguments, name):
            raise UsageError("cannot be chosen with two boards; omit it", name, "boards")
    _name_output(arguments, f"jigsaw-{arguments.boards.split(',')[0]}")
    options = options_by_name(arguments, "boards", "max_use", "name", "output", "proof", "time_limit")
    try:
        with note_bar(arguments) as report:
            made = make_boards_jigsaw(**options, seed=_seed(arguments), report=report)
    except NotFoundError as error:
        print(f"jigsat: {error}", file=sys.stderr)
        return 130 if error.ended_by == "interrupt" else 1
    if arguments.json:
        print_json(made.record() | {"proof": arguments.proof})
    else:
        how = "counted by a search" if arguments.proof is None else "proved"
        print(f"{escaped(made.first.name)}: {made.text} ({how})")
    return 0


def _name_output(arguments: argparse.Namespace, about: str) -> None:
    """Name the file of a puzzle like this, or like the name that it was given, if the command does not name it."""
    if arguments.output is None:
        name_default(arguments, as_name(arguments.name or about), (), ".json")


def _seed(arguments: argparse.Namespace) -> int:
    """The random seed: the one of the run that is continued, if none is given."""
    from ..csp.work.steps import kept_head

    if arguments.seed is not None:
        return arguments.seed
    kept = kept_head(arguments.output).get("seed") if arguments.resume else None
    return kept if isinstance(kept, int) else randbelow(2**32)


def _head(found: JigsawMade) -> str:
    puzzle = found.made.puzzle
    return f"{escaped(puzzle.name)}: {plural(len(puzzle.pieces), 'piece')}, "


def _report_faults(found: JigsawMade, arguments: argparse.Namespace) -> int:
    """Report a jigsaw that lacks some of the properties asked for; returns the exit status."""
    made, ended_by = found.made, found.ended_by
    if arguments.json:
        unknown = {"answer": None, "proved": False, "complete": False, "solutions": [], "proof": None}
        head = {"instance": made.puzzle.name, "kind": made.puzzle.kind, "wanted": arguments.solutions}
        print_json(head | unknown | {"canonical_count": made.solutions, "ended_by": ended_by} | made.record())
    else:
        why = ending(ended_by) or "no other jigsaw is left to try"
        where = "" if found.kept is None else f"; kept in {escaped(found.kept)}"
        print(f"{_head(found)}NOT as requested: {', '.join(made.faults)} ({why}){where}", file=sys.stderr)
    return 130 if ended_by == "interrupt" else 1
