"""The public names and their homes: the one list of them, which `__init__.py` reads, too."""

from .api.certify import certify as certify
from .api.certify import verify as verify
from .api.check import check as check
from .api.compare import compare as compare
from .api.cut import draw_print as draw_print
from .api.draw import draw as draw
from .api.draw import draw_photo as draw_photo
from .api.estimate import estimate as estimate
from .api.export import cnf as cnf
from .api.export import cp_model as cp_model
from .api.export import export as export
from .api.files import convert as convert
from .api.files import read as read
from .api.forms import forms as forms
from .api.graph import graph as graph
from .api.improve import Improved as Improved
from .api.improve import improve as improve
from .api.info import info as info
from .api.info import schema as schema
from .api.make import make_boards_jigsaw as make_boards_jigsaw
from .api.make import make_dissection as make_dissection
from .api.make import make_edge_matching as make_edge_matching
from .api.make import make_jigsaw as make_jigsaw
from .api.make import make_polyominoes as make_polyominoes
from .api.merge import merge as merge
from .api.pictures import make_photo_jigsaw as make_photo_jigsaw
from .api.pictures import pictures as pictures
from .api.pictures import preview_pictures as preview_pictures
from .api.race import race as race
from .api.solve import (
    best as best,
)
from .api.solve import (
    count as count,
)
from .api.solve import (
    explain as explain,
)
from .api.solve import (
    plan as plan,
)
from .api.solve import (
    solutions as solutions,
)
from .api.solve import (
    solve as solve,
)
from .api.view import (
    play as play,
)
from .api.view import (
    view as view,
)
from .csp.base.errors import (
    BookError as BookError,
)
from .csp.base.errors import (
    DifferentCountsError as DifferentCountsError,
)
from .csp.base.errors import (
    EngineError as EngineError,
)
from .csp.base.errors import (
    InstanceError as InstanceError,
)
from .csp.base.errors import (
    JigsatError as JigsatError,
)
from .csp.base.errors import (
    NotFoundError as NotFoundError,
)
from .csp.base.errors import (
    OrderError as OrderError,
)
from .csp.base.errors import (
    PuzzleError as PuzzleError,
)
from .csp.base.errors import (
    SlipError as SlipError,
)
from .csp.base.errors import (
    UsageError as UsageError,
)
from .csp.engines.engine import engines as engines
from .csp.engines.result import Result as Result
from .csp.files.convert import write as write
from .csp.files.instances import (
    list_puzzles as list_puzzles,
)
from .csp.files.instances import (
    read_dissection as read_dissection,
)
from .csp.files.instances import (
    read_squares as read_squares,
)
from .csp.files.instances import (
    save as save,
)
from .csp.files.solutions import read_solutions as read_solutions
from .csp.files.variant import variant as variant
from .csp.geometry.exact_numbers import number as number
from .csp.geometry.polygons import to_shapely as to_shapely
from .csp.geometry.polygons import to_sympy as to_sympy
from .csp.puzzles.board import Placement as Placement
from .csp.puzzles.dissection import DissectionPuzzle as DissectionPuzzle
from .csp.puzzles.dissection import PuzzleTiling as PuzzleTiling
from .csp.puzzles.edge_matching import EdgeMatchingPuzzle as EdgeMatchingPuzzle
from .csp.puzzles.edge_matching import PuzzleBoard as PuzzleBoard
from .estimators.experiments.records import records_frame as records_frame
from .render.picture import Picture as Picture

__version__: str
