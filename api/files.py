"""Read puzzles, and convert them between file formats."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from .public import AnyPuzzle, public

if TYPE_CHECKING:
    from ..csp.files.instances import Puzzle


@public
def read(source: str | Path, *, sides: str | Iterable[str] | None = None, border: str | int | None = None) -> Puzzle:
    """Read a puzzle of any kind.

    Parameters
    ----------
    source : str or Path
        A path, - for standard input, the name of a bundled puzzle, or a viewer link.  The text may be an instance
        file, a list or table of pieces, JSON of another program, or a viewer link that shows a full board.  A warning
        (`UserWarning`) says what of a list was guessed.
    sides : str or iterable of str, optional
        The order in which the file of the puzzle lists the sides of a piece, such as top,bottom,left,right, if it is
        not that of its format.
    border : str or int, optional
        What the file of the puzzle calls the border, if it is not 0 (``a`` in a viewer link).

    Returns
    -------
    EdgeMatchingPuzzle or DissectionPuzzle
        The puzzle.

    Raises
    ------
    InstanceError
        If there is no such puzzle, or the file is invalid; the message names the file and the position.
    UsageError
        If `sides` does not name the four sides, or `sides` or `border` is given for a dissection.

    Examples
    --------
    >>> import jigsat as js
    >>> js.read("clue1").kind, js.read("ostomachion").kind
    ('edge-matching', 'dissection')
    """
    from ..csp.files.instances import read_puzzle

    return read_puzzle(source, sides=sides, border=border)


@public
def convert(
    source: AnyPuzzle,
    output: str | Path,
    *,
    puzzle: AnyPuzzle | None = None,
    to: Literal["json", "text", "csv", "url"] | None = None,
    pieces_only: bool = False,
    sides: str | Iterable[str] | None = None,
    border: str | int | None = None,
) -> None:
    """Convert puzzles and boards between file formats.

    The formats are JSON (instance and solution files), piece text (one piece a line: bottom, left, top and right side),
    CSV, and viewer links (e2.bucas.name, eternity2.dev).  Dissections are JSON only.  With `puzzle`, the source holds
    boards or tilings of that puzzle.  Names, sources and known results are dropped where a format has no place for
    them; anything else that a format cannot hold is an error.

    Parameters
    ----------
    source : EdgeMatchingPuzzle, DissectionPuzzle, str or Path
        A puzzle, or where it is; with `puzzle`, a file of boards or tilings.
    output : str or Path
        The file to write; - for standard output.
    puzzle : EdgeMatchingPuzzle, DissectionPuzzle, str or Path, optional
        The puzzle whose boards or tilings the source holds.
    to : {'json', 'text', 'csv', 'url'}, optional
        The format (default: by the ending of the output).  Endings: .json, .txt, .csv, .url; standard output is JSON.
    pieces_only : bool, default False
        Omit fixed pieces and assemblies.
    sides : str or iterable of str, optional
        The order in which the file of the puzzle lists the sides of a piece, as for `read`.
    border : str or int, optional
        What the file of the puzzle calls the border, as for `read`.

    Raises
    ------
    InstanceError
        If the source cannot be read, the format cannot represent it, or a file that is read would be overwritten.
    UsageError
        If `pieces_only` is given for a dissection, or together with `puzzle`, or `sides` or `border` for a puzzle in
        memory.

    Examples
    --------
    >>> import jigsat as js
    >>> js.convert("clue3", "clue3.txt")
    >>> js.read("clue3.txt").pieces == js.read("clue3").pieces
    True
    """
    from ..csp.files.convert import convert as rewrite

    rewrite(source, output, puzzle=puzzle, to=to, pieces_only=pieces_only, sides=sides, border=border)
