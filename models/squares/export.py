"""Writes models for other programs.

A file starts with comments: what it is, which puzzle it is for, how it was built, and what its variables mean.  The
last are enough to read an answer, so a file may be solved elsewhere and years later:

    c var 12 piece 3 on B4 turned 1
    c var 90 square B4 right side has colour 7
    c var 101 join B4 right is invalid

The options of an exact cover problem and the placements of XCSP3 have such lines, too; what a model in MiniZinc prints
is a table of boards.

Models that differ in other variables only are the same solution.

Pieces are numbered from 1.  ``turned 0/2``: in one of these rotations, determined by the colours.
"""

import io
import shutil
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

import numpy as np

from ...csp.base.errors import EngineError, InstanceError, escaped
from ...csp.base.safe_files import replacing, temporary_folder
from ...csp.files.instances import Puzzle, fingerprint
from ...csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ...csp.puzzles.slips import inner_joins
from ..base.formula import PuzzleFormula, clause_blocks
from ..base.texts import TextModel

if TYPE_CHECKING:
    from ..tilings.cp import DissectionCp
    from .cnf import EdgeMatchingCNF
    from .cp import EdgeMatchingCp
    from .domains import Domains

#: The formats, with the endings of their files.
FORMATS = {
    "cnf": (".cnf",), "wcnf": (".wcnf",), "opb": (".opb",), "cpsat": (".pbtxt", ".pb"),
    "mzn": (".mzn",), "dlx": (".dlx",), "xcsp3": (".xml",),
}  # fmt: skip
# What the comments begin with; what stands before and after them; what the file is.
_TEXTS = {
    "mzn": ("%", "", "", "a model in MiniZinc whose solutions are those of the puzzle"),
    "dlx": ("|", "", "", "exact cover options (XCC) whose covers are the solutions of the puzzle"),
    "xcsp3": ("  ", "<!--\n", "-->\n", "an instance of XCSP3 whose solutions are those of the puzzle"),
}


def export_cnf(
    model: PuzzleFormula, path: str | Path, *, puzzle: Puzzle | None = None, claim: str | None = None
) -> None:
    """Write a formula in the DIMACS format; a line ``c ind`` names the variables in which solutions differ.

    Models that differ in other variables only are the same solution, so a model counter must project onto these.

    - `model`: the formula; clauses that were added to `model.cnf` are written, too.
    - `path`: the file, ``-`` for standard output.
    - `puzzle`: the puzzle that answers are for, if pieces of a partial board were fixed to make the model's own.
    - `claim`: what is proved if the formula has no model; such a formula has no line ``c ind``.

    Raises InstanceError if the file cannot be written, as the other functions here do.
    """
    with replacing(path) as file:
        what = (
            "a CNF whose models are solutions"
            if claim is None
            else f"a CNF that has no model: {escaped(claim.removesuffix('.'))}"
        )
        _write_comments(file, "c", what, _about(model, puzzle))
        if claim is None:  # in one line, for of several some counters read the last only
            file.write(f"c ind {' '.join(map(str, [*model.deciding.tolist(), 0]))}\n")
        variables, clauses = model.size
        file.write(f"p cnf {variables} {clauses}\n")
        file.writelines(dimacs_lines(model))


def export_wcnf(model: "EdgeMatchingCNF", path: str | Path, *, puzzle: EdgeMatchingPuzzle | None = None) -> None:
    """Write the search for the best score as weighted MaxSAT: for each join that may be invalid a soft "it is not".

    The format is that of the MaxSAT Evaluations since 2022 (no ``p`` line, hard clauses begin with ``h``), which their
    solvers and PySAT read.  Raises EngineError if the model was built without slips, so that no join may be invalid.
    """
    soft = _soft(model)
    with replacing(path) as file:
        what = "a WCNF (MaxSAT) whose best models are boards of the highest score"
        _write_comments(file, "c", what, _about(model, puzzle))
        file.writelines(dimacs_lines(model, "h "))
        file.writelines(f"1 {-invalid} 0\n" for invalid in soft)


def export_opb(model: PuzzleFormula, path: str | Path, *, best: bool = False, puzzle: Puzzle | None = None) -> None:
    """Write a formula as pseudo-Boolean constraints, a clause each.

    With `best`, the objective is to have as few invalid joins as possible.  Negations are written as negative
    coefficients, which every reader of the format knows.  Errors are those of `export_wcnf`.
    """
    invalid = _soft(model) if best else []
    with replacing(path) as file:
        variables, clauses = model.size
        file.write(f"* #variable= {variables} #constraint= {clauses}\n")
        objective = ", and whose optima have the highest score" if best else ""
        what = f"pseudo-Boolean constraints (OPB) whose models are solutions{objective}"
        _write_comments(file, "*", what, _about(model, puzzle))
        if best:
            # Many readers refuse an objective without a term.
            terms = [f"+1 x{variable}" for variable in invalid] or ["+0 x1"]
            file.write(f"min: {' '.join(terms)} ;\n")
        for block in clause_blocks(model):
            if not block.shape[1]:  # an empty clause; a constraint needs a term
                file.write("+0 x1 >= 1 ;\n" * len(block))
                continue
            # A negated literal counts 1 - x: its 1 goes to the other side.
            least = 1 - (block < 0).sum(axis=1, keepdims=True)
            terms = np.stack([np.sign(block), abs(block)], axis=2).reshape(len(block), -1)
            line = "%+d x%d " * block.shape[1] + ">= %d ;\n"
            file.write(line * len(block) % tuple(np.hstack([terms, least]).ravel().tolist()))


def export_cpsat(
    model: "EdgeMatchingCp | DissectionCp", path: str | Path, *, best: bool = False, puzzle: Puzzle | None = None
) -> None:
    """Write a model of CP-SAT as a protocol buffer: binary if the file ends with ``.pb``, otherwise text with comments.

    The model gets its objective if `best` asks for one.  Errors are those of `export_wcnf`.
    """
    if best:
        from .cp import EdgeMatchingCp

        if not isinstance(model, EdgeMatchingCp):
            raise _no_scores(model.puzzle)
        _refuse_no_slips(model.domains)
        model.model.minimize(sum(model.invalid_joins))
    binary = Path(path).suffix.lower() == ".pb"
    with temporary_folder() as folder, replacing(path) as file:
        # CP-SAT chooses text or binary by the name of the file.
        made = Path(folder, "model.pb" if binary else "model.pbtxt")
        if not model.model.export_to_file(str(made)):
            raise InstanceError(f"{path}: cannot be written: CP-SAT could not write the model to {folder}")
        if binary:
            with made.open("rb") as source:
                shutil.copyfileobj(source, cast(Any, file).buffer)
            return
        _write_comments(file, "#", "a model of CP-SAT whose solutions are those of the puzzle", _about(model, puzzle))
        with made.open(encoding="utf-8") as source:
            shutil.copyfileobj(source, file)


def export_text(model: TextModel, to: str, path: str | Path, *, puzzle: Puzzle | None = None) -> None:
    """Write a model in MiniZinc (`to` is mzn), XCSP3 (xcsp3), or as exact cover options in Knuth's format (dlx)."""
    lead, before, after, what = _TEXTS[to]
    with replacing(path) as file:
        file.write(before)
        comments = io.StringIO()
        _write_comments(comments, lead, what, _about(model, puzzle))
        # A comment in XML has no two hyphens in a row.
        file.write(comments.getvalue().replace("--", "- -") if after else comments.getvalue())
        file.write(after)
        file.writelines(f"{line}\n" for line in model.lines())


def dimacs_lines(model: PuzzleFormula, lead: str = "") -> Iterator[str]:
    """The clauses as in the DIMACS format, a line each after the lead; many at a time, which is faster."""
    for block in clause_blocks(model):
        line = lead + "%d " * block.shape[1] + "0\n"
        yield line * len(block) % tuple(block.ravel().tolist())


def _soft(model: PuzzleFormula) -> list[int]:
    from .cnf import EdgeMatchingCNF

    if not isinstance(model, EdgeMatchingCNF):
        raise _no_scores(model.puzzle)
    _refuse_no_slips(model.domains)
    return model.variables.invalid.tolist()


def _no_scores(puzzle: Puzzle) -> EngineError:
    return EngineError(f"the best score needs a puzzle whose joins may be invalid; {puzzle.name} is not such a puzzle")


def _refuse_no_slips(domains: "Domains") -> None:
    if inner_joins(domains.puzzle) and not domains.loose:
        raise EngineError(
            "the best score needs joins that may be invalid: build the model with slips=anywhere(puzzle), or others"
        )


def _write_comments(file: IO[str], lead: str, what: str, about: Iterable[str]) -> None:
    file.write(f"{lead} {what}, written by jigsat {version('jigsat')}\n")
    file.writelines(f"{lead} {line}\n" for line in about)


def _about(model: "PuzzleFormula | TextModel | EdgeMatchingCp | DissectionCp", puzzle: Puzzle | None) -> Iterator[str]:
    """Which puzzle a model is for, how it was built, what its variables mean."""
    of: Puzzle = model.puzzle if puzzle is None else puzzle
    yield f"instance {escaped(of.name).encode('ascii', 'backslashreplace').decode()}"
    yield f"sha256 {fingerprint(of)}"
    yield f"encoding {model.encoding}"
    yield from model.meaning()
