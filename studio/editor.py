"""The tab editor."""

from nicegui import ui

from .texts import text
from .visit import Visit


def build(visit: Visit) -> None:
    """Fill the tab."""
    ui.label(text("tabs.editor"))
