"""The page of the studio: its head, its tabs, what a click would be in a shell, and the files that it shows."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from itertools import count
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Response
from fastapi.responses import FileResponse
from nicegui import app, ui

from ..api.public import Act
from ..csp.base.errors import JigsatError
from ..csp.files.file_format import bundled_names
from ..csp.work.processes import Call
from . import board, editor, experiment, plan, shelf, workshop
from .pictures import board_picture, expected_by_depth, page_to_play, thumbnail
from .texts import section, text
from .visit import Studio, Visit, puzzle_path

#: The tabs: their icons and what fills them.
TABS: Mapping[str, tuple[str, Callable[[Visit], Any]]] = {
    "shelf": ("grid_view", shelf.build),
    "board": ("extension", board.build),
    "plan": ("timer", plan.build),
    "workshop": ("content_cut", workshop.Workshop),
    "editor": ("draw", editor.Editor),
    "experiment": ("science", experiment.build),
}
_HERE = Path(__file__).parent
# Each question is answered, so none has the topic of another.
_ASKED = count()
_SCRIPTS = ("studio.js", "plan.js", "board.js", "crop.js", "experiment.js")


def add_pages(server: FastAPI, studio: Studio, first: str | None) -> None:
    """Add the page and what it loads; `first` is the puzzle that it opens if the address names none."""
    for name in _SCRIPTS:
        app.add_static_file(local_file=_HERE / name, url_path=f"/studio/{name}", max_cache_age=0)
    studio.desk.start(Call(thumbnail, ("clue1",)))

    @server.get("/picture/{source:path}")
    async def picture(source: str) -> Response:
        """The picture of a puzzle on the shelf."""
        found = await _answered(studio, "picture", thumbnail, source, "image/svg+xml")
        if source in bundled_names():
            found.headers["cache-control"] = "private, max-age=86400"
        return found

    @server.get("/play/{source:path}")
    async def play(source: str) -> Response:
        """The page to play a puzzle, for a frame."""
        return await _answered(studio, "move play", page_to_play, source, "text/html")

    @server.get("/run/{number}")
    async def run(number: int) -> Response:
        """The best board of a run."""
        one = studio.runs.find(number)
        if one is None or not one.board:
            return _missing(text("page.no_file"))
        return await _answered(studio, "best", board_picture, one.source, "image/svg+xml", one.board)

    @server.get("/depths/{source:path}")
    async def depths(source: str, order: str, slips: str, symmetry: bool) -> Response:
        """The nodes that a search along an order is expected to visit at each depth."""
        given = order, slips, symmetry
        return await _answered(studio, "depths", expected_by_depth, source, "application/json", *given)

    @server.get("/file/{name:path}")
    async def file(name: str, shown: bool = False) -> Response:
        """A file in the folder: to download, or to show in a frame, where its scripts are strangers."""
        try:
            path = studio.folder.file(name)
        except JigsatError as error:
            return _missing(str(error))
        if not path.is_file():
            return _missing(text("page.no_file"))
        headers = {"content-security-policy": _SANDBOX, "cache-control": "no-cache"}
        kind = "inline" if shown else "attachment"
        return FileResponse(path, filename=path.name, headers=headers, content_disposition_type=kind)

    @ui.page("/", favicon=_HERE / "favicon.svg")
    async def page(puzzle: str = first or "", tab: str = "") -> None:
        await _Page(studio).build(puzzle, tab if tab in TABS else "board" if puzzle else "shelf")


# Files that were dropped or made are shown as those of a stranger.
_SANDBOX = (
    "sandbox allow-scripts; default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
    "img-src data: blob:"
)


async def _answered(
    studio: Studio, topic: str, function: Callable[..., str], source: str, kind: str, *more: Any
) -> Response:
    """What a function makes of a puzzle, made by a process aside."""
    try:
        path = puzzle_path(studio, source)
        found = await studio.desk.ask(f"{topic} {next(_ASKED)}", Call(function, (path, *more)))
    except JigsatError as error:
        return _missing(str(error))
    return Response(found, media_type=kind, headers={"cache-control": "no-cache", "content-security-policy": _SANDBOX})


def _missing(why: str) -> Response:
    return Response(why, 404, media_type="text/plain; charset=utf-8")


class _Page:
    """The frame of a page: the head, the tabs and the foot."""

    def __init__(self, studio: Studio) -> None:
        self._visit = Visit(studio)
        self._panels: dict[str, Any] = {}
        # The puzzle for which each tab was filled last; tabs are filled when they are shown.
        self._filled: dict[str, object] = {}
        self._acts: dict[str, Act | str | None] = {}
        self._filling = asyncio.Lock()

    async def build(self, source: str, tab: str) -> None:
        visit = self._visit
        ui.add_css(_HERE / "studio.css")
        for name in _SCRIPTS:
            ui.add_body_html(f'<script src="studio/{name}"></script>')
        visit.go, visit.opened, visit.shows = self._go, self._show_name, self._show_act
        ui.add_body_html(f'<a class="skip" href="#content">{text("page.skip")}</a>')
        self._head()
        ui.element("a").props("name=content tabindex=-1").classes("unseen")
        with ui.tab_panels(self._tabs, animated=False, keep_alive=True).classes("panels"):
            for name in TABS:
                with ui.tab_panel(name).classes("panel"):
                    self._panels[name] = ui.column().classes("tab")
        with ui.footer().classes("foot"):
            self._act = ui.element("studio-act")
        self._show_act(None)
        await ui.context.client.connected()
        if source:
            await visit.open(source, tab)
        if visit.source is None:
            await self._go(tab if not source else "shelf")

    def _head(self) -> None:
        with ui.header().classes("head"):
            with ui.element("h1").classes("title"):
                ui.label(text("page.title"))
                self._name = ui.label("").classes("name").props('aria-live="polite"')
            with (
                # `_go` itself chooses the tab, too.
                ui.tabs(on_change=lambda event: event.value != self._visit.tab and self._chosen(str(event.value)))
                .props("inline-label outside-arrows mobile-arrows dense no-caps align=left")
                .classes("tabs") as self._tabs
            ):
                for name, (icon, _) in TABS.items():
                    ui.tab(name, label=text(f"tabs.{name}"), icon=icon)
            ui.element("studio-look").props["data"] = json.dumps({"words": section("page")})

    def _show_act(self, act: Act | str | None, tab: str | None = None) -> None:
        """Show the last act of the tab as a command and as Python, to copy, or why there is none."""
        tab = tab or self._visit.tab
        self._acts[tab] = act
        if tab != self._visit.tab:
            return
        said = {"shell": act.command, "python": act.python} if isinstance(act, Act) else {}
        words = {**section("page"), **({"same": act} if isinstance(act, str) else {})}
        words["where"] = text("page.where", folder=self._visit.studio.folder.path)
        self._act.props["data"] = json.dumps({"said": said, "words": words})

    def _show_name(self) -> None:
        # What was done with another puzzle is not shown again.
        self._acts = {tab: act for tab, act in self._acts.items() if tab == "shelf"}
        if self._visit.puzzle is not None:
            self._name.set_text(name := self._visit.puzzle.name)
            ui.page_title(f"{name} - {text('page.title')}")

    async def _chosen(self, tab: str) -> None:
        """Show a tab that was clicked, with its last act; a click in another tab that leads here stays shown."""
        self._visit.tab = tab
        self._show_act(self._acts.get(tab))
        await self._go(tab)

    async def _go(self, tab: str) -> None:
        visit = self._visit
        visit.tab = tab
        self._tabs.set_value(tab)
        visit.keep_address()
        # What fills a tab may wait, and another puzzle be opened meanwhile.
        async with self._filling:
            mark = None if tab == "shelf" else (visit.source, visit.puzzle)
            brought = {"board": visit.laid, "workshop": visit.photos, "editor": visit.sketch}.get(tab)
            if brought or tab not in self._filled or self._filled[tab] != mark:
                self._filled[tab] = mark
                self._panels[tab].clear()
                with self._panels[tab]:
                    made = TABS[tab][1](visit)
                    if asyncio.iscoroutine(made):
                        async with visit.telling():
                            await made
