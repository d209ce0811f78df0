"""The shelf: bundled puzzles and those in the folder as pictures, files that are dropped, and new puzzles."""

from functools import partial
from urllib.parse import quote

from nicegui import ui

from ..csp.files.file_format import bundled_names
from .visit import Visit


def build(visit: Visit) -> None:
    """Fill the tab."""
    with ui.element("div").classes("shelf"):
        for name in bundled_names():
            with ui.card().classes("puzzle").on("click", partial(visit.open, name, "board")):
                ui.image(f"picture/{quote(name)}")
                ui.label(name)
