"""The tab board: the page to play the open puzzle, and beside it what is known of the pieces that lie on it."""

from __future__ import annotations

import asyncio
import json
from functools import partial
from typing import Any
from urllib.parse import quote

from nicegui import ui

from ..api.public import Act
from ..csp.base.errors import grouped
from ..csp.files.file_format import bundled_names
from ..csp.work.processes import Call
from ..estimators.plan import laying
from .texts import text
from .visit import Visit

# For each search: its icon, the public function, the one that continues what is laid, and the seconds that it may take.
_SEARCHES = {
    "hint": ("lightbulb", "solve", laying.hint, 3),
    "solve": ("done_all", "solve", laying.solved_from, 5),
    "best": ("trending_up", "best", laying.best_from, 5),
}


class _Window:
    """The tab in an open page; the windows of a puzzle share its table."""

    def __init__(self, visit: Visit, table: laying.Table, windows: list[_Window], file: str) -> None:
        self.visit, self.client, self._windows, self._file = visit, ui.context.client, windows, file
        self._table, self._source, self._told = table, visit.source or "", 0
        self._is_tiling, self._square = table.board is None, None
        with ui.element("div").classes("board"):
            self._frame = ui.element("div").classes("board-frame").on("ready", self._count)
            self._frame.on("laid", self._moved, ["detail"]).on("hint", partial(self._search, "hint"))
            with ui.column().classes("board-panel"):
                self._build()

    def _build(self) -> None:
        self._score, self._ways = (ui.label().classes(name).props('role="status"') for name in ("score", "ways"))
        self._others = ui.label(text("board.others")).classes("soft")
        buttons: dict[str, Any] = {key: (one[0], partial(self._search, key)) for key, one in _SEARCHES.items()}
        if self._is_tiling:
            del buttons["best"]
        buttons["share"] = "share", self._share
        with ui.element("div").classes("board-buttons"):
            for key, (icon, done) in buttons.items():
                made = ui.button(text(f"board.{key}"), icon=icon, on_click=done)
                made.props("outline no-caps").tooltip(text(f"board.{key}_tip"))
        self._link = ui.element("div").classes("board-link")
        if not self._is_tiling:
            self._name = ui.input(text("board.square"), on_change=self._list_fits).props("dense clearable debounce=300")
            self._about = ui.label().classes("soft").props('role="status"')
            self._fits = ui.element("div").classes("board-fits")
            self._frame.on("square", self._choose, ["detail"]).on("put", self._put, ["detail"])

    def open(self, address: str) -> None:
        """Load the page to play, with what is laid, and tell other windows that there is a further one."""
        self._run("openBoard", self._frame.html_id, f"{address}#bare", self._table.puzzle.name, text("board.loading"))
        for window in self._windows:
            window.show(tell=window is self)

    def _run(self, function: str, *given: Any) -> None:
        self.client.run_javascript(f"{function}({', '.join(map(json.dumps, given))})")

    def show(self, *, tell: bool) -> None:
        """Show what is laid; `tell` if the page to play does not know it."""
        if tell:
            self._told += 1
            self._run("tellBoard", {"lay": self._table.laid, "number": self._told, "first": self._told == 1})
        if not self._is_tiling:
            self._list_fits()
        self._score.set_text(str(self._table))
        self._ways.set_text(text("board.counting"))
        self._others.set_visibility(sum(window.client.has_socket_connection for window in self._windows) > 1)

    async def _moved(self, event: Any) -> None:
        move = event.args["detail"]
        if isinstance(move, dict) and self._table.lay(move.get("laid")):
            # A page that made its move before it knew what others had laid gets it again.
            await self._spread(self if move.get("number") == self._told else None)

    async def _spread(self, by: _Window | None = None) -> None:
        """Show in all windows what is laid, except for the page that says it, and keep it."""
        for window in self._windows:
            window.show(tell=window is not by)
        async with self.visit.telling():
            await asyncio.to_thread(self._table.keep)
        await self._count()

    async def _count(self) -> None:
        """Say how many ways are left, in all windows; the latest question wins."""
        version = self._table.version
        # Without an exact count, the ways to complete a board are estimated; those of a tiling are not.
        seconds = 3 if self._is_tiling else 1
        found = await self.visit.ask("move ways", Call(laying.ways_left, (self._source, self._table.laid, seconds)))
        if found is not None and version == self._table.version:
            words = str(found)
            if found.apart:
                number = found.different
                words += f". {text('board.apart_of', number=grouped(number)) if number else text('board.apart')}"
            for window in self._windows:
                window._ways.set_text(words)
            self._show_act("count", seconds)

    def _show_act(self, name: str, seconds: int) -> None:
        """Show the command that does the same; none begins with some pieces of a dissection."""
        start = {"start": self._file} if any(place is not None for place in self._table.laid) else {}
        act = Act(name, (self._source,), {**start, "time_limit": seconds})
        self.visit.shows(text("board.only_here") if start and self._is_tiling else act, "board")

    def _list_fits(self) -> None:
        """List the pieces that fit on the chosen square."""
        name = str(self._name.value or "").strip().upper()
        self._square, state, found = self._table.fitting(name)
        pieces = sorted({placed.piece for _, placed in found})
        self._about.set_text(text(f"board.{state}", square=name, number=grouped(len(pieces))))
        self._run("tellBoard", {"fits": pieces, "square": self._square})
        self._run("listFits", self._fits.html_id, [(code, *placed) for code, placed in found])

    def _choose(self, event: Any) -> None:
        self._name.set_value(self._table.name(event.args["detail"]))

    async def _put(self, event: Any) -> None:
        if self._table.add(event.args["detail"], self._square):
            await self._spread()

    async def _search(self, key: str) -> None:
        """Lay what a search from here finds, unless something was moved meanwhile."""
        version, (_, name, function, seconds) = self._table.version, _SEARCHES[key]
        self._show_act(name, seconds)
        note = ui.notification(text("board.searching", seconds=seconds), spinner=True, timeout=None)
        found = await self.visit.ask("search", Call(function, (self._source, self._table.laid, seconds)))
        note.dismiss()
        if found is not None and found.laid is None:
            ui.notify(text("board.dead_end" if found.is_none else "board.nothing", seconds=seconds), type="warning")
        elif found is not None and version == self._table.version and self._table.lay(found.laid):
            await self._spread()

    def _share(self) -> None:
        """Show a link to the board, if there can be one, and offer the puzzle's file to who needs it."""
        table, link = self._table, self._table.link
        laid, is_bundled = len(table.laid) - table.laid.count(None), self._source in bundled_names()
        note = file = None
        if link is None:
            note = text("board.bundled", name=table.puzzle.name) if is_bundled else text("board.no_link")
        elif laid < len(table.puzzle.pieces) and not is_bundled:
            note = text("board.partial", number=grouped(laid))
        if note and not is_bundled:
            file = [self._source, text("board.file", name=self._source)]
        if link is not None:
            self.visit.shows(Act("convert", (self._file, "-"), {"puzzle": self._source, "to": "url"}), "board")
        words = [text(f"board.{key}") for key in ("link", "copy", "copied")]
        self._run("showLink", self._link.html_id, link, note, file, *words)


async def build(visit: Visit) -> None:
    """Fill the tab."""
    tables, source = visit.studio.tables, visit.source
    for _, windows in tables.values():
        windows[:] = [window for window in windows if window.visit is not visit and not window.client.is_deleted]
    if source is None or visit.puzzle is None:
        ui.label(text("board.none"))
        return
    stem = source.removesuffix(".json")
    # A file in the folder may have the name of a bundled puzzle.
    file = f"boards/{source if stem in bundled_names() else stem}.json"
    note = ui.label(text("board.loading"))
    if source not in tables or tables[source][0].puzzle != visit.puzzle:
        tables[source] = await asyncio.to_thread(laying.Table, visit.puzzle, visit.studio.folder.file(file)), []
    note.delete()
    table, windows = tables[source]
    windows.append(_Window(visit, table, windows, file))
    windows[-1].open(f"play/{quote(source)}")
    laid, visit.laid = visit.laid, None
    if laid is not None and table.lay_solution(laid):
        await windows[-1]._spread()
