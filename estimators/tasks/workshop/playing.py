"""Pages to play jigsaws and dissections."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ....csp.base.errors import InstanceError
from ....csp.files.instances import Puzzle
from ....csp.files.picture_files import CROP_HINT, read_image
from ....csp.puzzles.check_tiling import check_tiling
from ....csp.puzzles.dissection import DissectionPuzzle
from ....csp.puzzles.edge_matching import EdgeMatchingPuzzle, Rule
from ...effort.asked import refuse_given, refuse_of_others
from .give_away import shuffled_dissection, shuffled_jigsaw
from .laying_out import crop_asked


@dataclass(frozen=True)
class PlayOptions:
    """The options of a page to play: those of `view` with the same names."""

    word: str
    image: str | Path | None = None
    crop: bool = False
    crop_at: str | None = None
    curves: int | None = None
    seed: int | None = None
    give_away: bool = False
    name: str | None = None
    motions: str | None = None


def page_to_play(puzzle: Puzzle, solutions: Sequence[Any], asked: PlayOptions) -> str:
    """The HTML of a page to play a jigsaw or a dissection.

    Raises InstanceError if the puzzle is of another kind, or a solution is not full and valid. Raises UsageError if an
    option is for jigsaws only.
    """
    if isinstance(puzzle, DissectionPuzzle):
        return _dissection_page(puzzle, solutions, asked)
    if puzzle.rule is not Rule.OPPOSITE:
        raise InstanceError(
            f"{puzzle.name}: is of the kind {puzzle.kind}, but only jigsaws and dissections can be played"
        )
    from ....render.html.play import checked_jigsaw

    refuse_of_others(puzzle, motions=asked.motions)
    return _jigsaw_page(checked_jigsaw(puzzle), solutions, asked)


def _jigsaw_page(jigsaw: EdgeMatchingPuzzle, boards: Sequence[Any], asked: PlayOptions) -> str:
    from ....render.html.play import data_uri, play_page, scattered_for

    crop = crop_asked(asked.image, asked.crop, asked.crop_at)
    curves, seed = asked.curves or 0, asked.seed or 0
    if asked.give_away:
        jigsaw, boards = shuffled_jigsaw(jigsaw, list(boards), seed)
    picture = None
    if asked.image is not None and asked.give_away and boards:
        whole = read_image(asked.image, jigsaw.rows, jigsaw.columns, crop=crop, hint=CROP_HINT)
        picture = scattered_for(jigsaw, boards[0], whole, curves)
    elif asked.image is not None:
        picture = data_uri(asked.image, jigsaw.rows, jigsaw.columns, crop)
    named = jigsaw if asked.name is None else replace(jigsaw, name=asked.name)
    return play_page(
        named, boards, curves=curves, image=picture, seed=seed, word=asked.word, give_away=asked.give_away
    )  # fmt: skip


def _dissection_page(puzzle: DissectionPuzzle, tilings: Sequence[Any], asked: PlayOptions) -> str:
    """The page of a dissection."""
    from ....render.html.play_dissection import play_dissection_page

    refuse_given(
        "it is for jigsaws; omit it for a dissection",
        image=asked.image,
        crop=asked.crop,
        crop_at=asked.crop_at,
        curves=asked.curves,
    )
    puzzle = puzzle.with_motions(asked.motions)
    for number, tiling in enumerate(tilings, start=1):
        for problem in check_tiling(puzzle, tiling).problems:
            raise InstanceError(f"{puzzle.name}: solution {number} is no tiling: {problem}")
    seed = asked.seed or 0
    if asked.give_away:
        puzzle, tilings = shuffled_dissection(puzzle, puzzle.pieces, seed)[0], ()
    named = puzzle if asked.name is None else replace(puzzle, name=asked.name)
    return play_dissection_page(named, tilings, seed=seed)
