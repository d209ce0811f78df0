"""Pictures and pages of puzzles, made in processes aside."""

from ..api.draw import draw
from ..api.view import view


def thumbnail(source: str) -> str:
    """The SVG of a puzzle on the shelf: its solution if one is known, its pieces otherwise."""
    return draw(source, pieces=True).svg


def page_to_play(source: str) -> str:
    """The HTML of the page to play a puzzle."""
    return view(source, play=True).html
