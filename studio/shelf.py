"""The shelf: bundled puzzles and those in the folder as pictures, files that are dropped, links, and new puzzles."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from nicegui import ui

from ..csp.base.errors import InstanceError, JigsatError
from ..csp.files.file_format import is_link
from ..csp.files.instances import list_puzzles
from ..csp.work.processes import Call
from . import pictures
from .acts import Act
from .texts import section, text
from .visit import Asking, Visit

#: The endings of files in the folder that may be puzzles.
ENDINGS = (".json", ".csv", ".txt", ".puz", ".url")
# The kinds of new puzzles: the function, its options with the types of what the browser may give, and what is given.
_NEW: dict[str, tuple[str, dict[str, type], dict[str, Any]]] = {
    "edge_matching": (
        "make_edge_matching",
        {"rows": int, "columns": int, "frame_colors": int, "inner_colors": int, "seed": int},
        {},
    ),
    "tetravex": (
        "make_edge_matching",
        {"rows": int, "columns": int, "colors": int, "seed": int},
        {"rim": "any", "turn": False},
    ),
    "jigsaw": ("make_jigsaw", {"rows": int, "columns": int, "solutions": int, "seed": int}, {"time_limit": 20}),
}


@cache
def _bundled() -> list[dict[str, Any]]:
    return [pictures.facts(puzzle["name"], puzzle) for puzzle in list_puzzles()]


async def build(visit: Visit) -> None:
    """Fill the tab."""
    shelf = _Shelf(visit, await asyncio.to_thread(_bundled))
    await shelf.list_own()


class _Shelf(Asking, component="shelf.js"):
    """Pictures and dialogs, drawn in the browser."""

    def __init__(self, visit: Visit, bundled: list[dict[str, Any]]) -> None:
        super().__init__(visit)
        self._folder = visit.studio.folder
        upload = ui.upload(on_upload=self._upload).classes("hidden")
        self.props.update(upload=upload.props["url"], bundled=bundled, own=[], texts=section("shelf"))

    async def list_own(self) -> None:
        """Show the puzzles in the folder, the latest first."""
        found = await self._visit.ask("own", Call(pictures.own_puzzles, (self._folder.names(*ENDINGS),)))
        self.props["own"] = found or []
        self.update()

    async def answer_open(self, source: str, tab: str) -> None:
        await self._visit.open(source, tab)

    async def answer_draw(self) -> None:
        await self._visit.go("editor")

    async def answer_remove(self, source: str) -> None:
        self._folder.file(source).unlink(missing_ok=True)
        await self.list_own()

    async def answer_link(self, link: str) -> None:
        """Take the link of a viewer, or a drawing in letters."""
        with self._refusing():
            if re.fullmatch(r"[A-Z0-9.]+(/[A-Z0-9.]+)+", link):
                output = self._folder.free_name("drawing", ".json")
                await self._make(Act("make_dissection", (link,), {"output": output}))
            elif is_link(link):
                await self._take(self._folder.save("link.url", link.encode()))
            else:
                raise InstanceError(text("shelf.no_link"))

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        """A context whose errors are shown in the dialog, beside the field concerned."""
        try:
            yield
        except JigsatError as error:
            self.run_method("refuse", str(error))

    async def answer_make(self, kind: str, values: dict[str, Any]) -> None:
        name, types, given = _NEW[kind]
        wanted = {key: values[key] for key, one in types.items() if isinstance(values.get(key), one)}
        stem = "-".join([kind.replace("_", "-"), *map(str, wanted.values())])
        with self._refusing():
            await self._make(Act(name, (), {**wanted, **given, "output": self._folder.free_name(stem, ".json")}))

    async def _make(self, act: Act) -> None:
        """Make a puzzle, and open it."""
        if await self._visit.studio.desk.ask(f"make {self.client.id}", Call(pictures.written, (act,))):
            self._visit.shows(act)
            self.run_method("close")
            await self.list_own()
            await self._visit.open(act.options["output"], "board")

    async def _upload(self, event: Any) -> None:
        name = event.file.name
        try:
            await self._take(self._folder.save(name, await event.file.read()))
        except JigsatError as error:
            ui.notify(text("shelf.refused", name=name, why=error), type="negative", multi_line=True, timeout=10000)

    async def _take(self, file: str) -> None:
        """Open what was dropped; what is of no use does not stay in the folder."""
        call = Call(pictures.taken, (file, self._folder.names(*ENDINGS), self._visit.source))
        try:
            source, tab, act, laid = await self._visit.studio.desk.ask(f"take {file}", call)
        except JigsatError:
            self._folder.file(file).unlink(missing_ok=True)
            raise
        self.run_method("close")
        if act is not None:
            self._visit.shows(act)
        if tab == "workshop":
            self._visit.photos.append(file)
            await self._visit.go(tab)
        else:
            if laid and source != file:
                # The board keeps it.
                self._folder.file(file).unlink()
            self._visit.laid = laid
            await self.list_own()
            await self._visit.open(source, tab)
