"""Puzzles whose pieces must fit exactly: how many ways, how hard, and can you prove it?

Examples
--------
>>> import jigsat as js
>>> js.count(js.read("puzzle-a")).count
160
"""

from .csp.engines import BUILT_IN as _BUILT_IN
from .models.engines import ENGINES as _ENGINES

# Type checkers take this for true.  To import it from typing would take most of the time of importing this module, in
# which Ctrl-C is not yet handled.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from .csp.base.errors import (
        BookError,
        DifferentCountsError,
        EngineError,
        InstanceError,
        JigsatError,
        NotFoundError,
        OrderError,
        PuzzleError,
        SlipError,
        UsageError,
    )
    from .csp.engines.registry import engines
    from .csp.engines.result import Result
    from .csp.files.convert import convert, write
    from .csp.files.instances import list_puzzles, read_dissection, read_squares, save
    from .csp.files.instances import read_puzzle as read
    from .csp.files.solutions import read_solutions
    from .csp.files.variant import variant
    from .csp.geometry.exact_numbers import parse as number
    from .csp.geometry.other_libraries import to_shapely, to_sympy
    from .csp.make.edge_matching import make_edge_matching
    from .csp.make.jigsaw import make_jigsaw
    from .csp.puzzles.board import Placement
    from .csp.puzzles.dissection import DissectionPuzzle, PuzzleTiling
    from .csp.puzzles.edge_matching import EdgeMatchingPuzzle, PuzzleBoard
    from .csp.tilings.forms.find_forms import forms
    from .estimators.estimate.estimate import estimate
    from .estimators.experiments.comparison import compare
    from .estimators.experiments.records import records_frame
    from .estimators.races.run_race import race
    from .estimators.tasks.describing import info, schema
    from .estimators.tasks.drawing import draw
    from .estimators.tasks.exporting import export
    from .estimators.tasks.improving import Improved, improve
    from .estimators.tasks.jigsaws import draw_photo
    from .estimators.tasks.judge import check
    from .estimators.tasks.merging import merge
    from .estimators.tasks.models import cnf, cp_model
    from .estimators.tasks.questions import best, count, explain, plan, solutions, solve
    from .estimators.tasks.viewing import view
    from .estimators.tasks.workshop.printing import draw_print
    from .models.proofs.certify_and_verify import certify, verify
    from .models.tilings.graph_of_tilings import graph
    from .render.photo.two_pictures import pictures, preview_pictures
    from .render.picture import Picture

__all__ = [
    "BookError",
    "DifferentCountsError",
    "DissectionPuzzle",
    "EdgeMatchingPuzzle",
    "EngineError",
    "Improved",
    "InstanceError",
    "JigsatError",
    "NotFoundError",
    "OrderError",
    "Picture",
    "Placement",
    "PuzzleBoard",
    "PuzzleError",
    "PuzzleTiling",
    "Result",
    "SlipError",
    "UsageError",
    "best",
    "certify",
    "check",
    "cnf",
    "compare",
    "convert",
    "count",
    "cp_model",
    "draw",
    "draw_photo",
    "draw_print",
    "engines",
    "estimate",
    "explain",
    "export",
    "forms",
    "graph",
    "improve",
    "info",
    "list_puzzles",
    "make_edge_matching",
    "make_jigsaw",
    "merge",
    "number",
    "pictures",
    "plan",
    "preview_pictures",
    "race",
    "read",
    "read_dissection",
    "read_solutions",
    "read_squares",
    "records_frame",
    "save",
    "schema",
    "solutions",
    "solve",
    "to_shapely",
    "to_sympy",
    "variant",
    "verify",
    "view",
    "write",
]

# Floors that do not know those above them find all engines in one table.
_BUILT_IN.update(_ENGINES)

#: The module of each public name, and its name there.
_HOMES = {
    "DifferentCountsError": ("csp.base.errors", "DifferentCountsError"),
    "DissectionPuzzle": ("csp.puzzles.dissection", "DissectionPuzzle"),
    "EdgeMatchingPuzzle": ("csp.puzzles.edge_matching", "EdgeMatchingPuzzle"),
    "EngineError": ("csp.base.errors", "EngineError"),
    "Improved": ("estimators.tasks.improving", "Improved"),
    "InstanceError": ("csp.base.errors", "InstanceError"),
    "JigsatError": ("csp.base.errors", "JigsatError"),
    "BookError": ("csp.base.errors", "BookError"),
    "NotFoundError": ("csp.base.errors", "NotFoundError"),
    "OrderError": ("csp.base.errors", "OrderError"),
    "Picture": ("render.picture", "Picture"),
    "Placement": ("csp.puzzles.board", "Placement"),
    "PuzzleBoard": ("csp.puzzles.edge_matching", "PuzzleBoard"),
    "PuzzleError": ("csp.base.errors", "PuzzleError"),
    "PuzzleTiling": ("csp.puzzles.dissection", "PuzzleTiling"),
    "Result": ("csp.engines.result", "Result"),
    "SlipError": ("csp.base.errors", "SlipError"),
    "UsageError": ("csp.base.errors", "UsageError"),
    "best": ("estimators.tasks.questions", "best"),
    "certify": ("models.proofs.certify_and_verify", "certify"),
    "check": ("estimators.tasks.judge", "check"),
    "cnf": ("estimators.tasks.models", "cnf"),
    "compare": ("estimators.experiments.comparison", "compare"),
    "convert": ("csp.files.convert", "convert"),
    "count": ("estimators.tasks.questions", "count"),
    "cp_model": ("estimators.tasks.models", "cp_model"),
    "draw": ("estimators.tasks.drawing", "draw"),
    "draw_photo": ("estimators.tasks.jigsaws", "draw_photo"),
    "draw_print": ("estimators.tasks.workshop.printing", "draw_print"),
    "engines": ("csp.engines.registry", "engines"),
    "estimate": ("estimators.estimate.estimate", "estimate"),
    "explain": ("estimators.tasks.questions", "explain"),
    "export": ("estimators.tasks.exporting", "export"),
    "forms": ("csp.tilings.forms.find_forms", "forms"),
    "graph": ("models.tilings.graph_of_tilings", "graph"),
    "improve": ("estimators.tasks.improving", "improve"),
    "info": ("estimators.tasks.describing", "info"),
    "list_puzzles": ("csp.files.instances", "list_puzzles"),
    "make_edge_matching": ("csp.make.edge_matching", "make_edge_matching"),
    "make_jigsaw": ("csp.make.jigsaw", "make_jigsaw"),
    "merge": ("estimators.tasks.merging", "merge"),
    "number": ("csp.geometry.exact_numbers", "parse"),
    "pictures": ("render.photo.two_pictures", "pictures"),
    "preview_pictures": ("render.photo.two_pictures", "preview_pictures"),
    "plan": ("estimators.tasks.questions", "plan"),
    "race": ("estimators.races.run_race", "race"),
    "read": ("csp.files.instances", "read_puzzle"),
    "read_dissection": ("csp.files.instances", "read_dissection"),
    "read_solutions": ("csp.files.solutions", "read_solutions"),
    "read_squares": ("csp.files.instances", "read_squares"),
    "records_frame": ("estimators.experiments.records", "records_frame"),
    "save": ("csp.files.instances", "save"),
    "schema": ("estimators.tasks.describing", "schema"),
    "solutions": ("estimators.tasks.questions", "solutions"),
    "solve": ("estimators.tasks.questions", "solve"),
    "to_shapely": ("csp.geometry.other_libraries", "to_shapely"),
    "to_sympy": ("csp.geometry.other_libraries", "to_sympy"),
    "variant": ("csp.files.variant", "variant"),
    "verify": ("models.proofs.certify_and_verify", "verify"),
    "view": ("estimators.tasks.viewing", "view"),
    "write": ("csp.files.convert", "write"),
}


def __getattr__(name: str) -> object:
    # Modules are imported on first use, because loading numpy and pydantic takes longer than printing the help.
    if name == "__version__":
        from importlib.metadata import version

        return version("jigsat")
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    module, there = _HOMES[name]
    return getattr(import_module(f".{module}", __name__), there)


def __dir__() -> list[str]:
    return __all__
