"""The shelf: bundled puzzles and those in the folder as pictures, files that are dropped, links, and new puzzles."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from nicegui import ui

from ..api.pictures import files_left
from ..api.public import Act, written
from ..csp.base.errors import InstanceError, JigsatError
from ..csp.files.file_format import is_link
from ..csp.files.instances import list_puzzles
from ..csp.make.drawn_dissection import sketched
from ..csp.work.processes import Call
from . import pictures
from .texts import section, text
from .visit import Asking, Visit

#: The endings of files in the folder that may be puzzles.
ENDINGS = (".json", ".csv", ".txt", ".puz", ".url")
# The kinds of new puzzles: the function, the whole numbers that the browser gives, and what is given in any case.
_NEW: dict[str, tuple[str, str, dict[str, Any]]] = {
    "edge_matching": ("make_edge_matching", "rows columns frame_colors inner_colors seed", {}),
    "tetravex": ("make_edge_matching", "rows columns colors seed", {"rim": "any", "turn": False}),
    "jigsaw": ("make_jigsaw", "rows columns solutions seed", {"time_limit": 20}),
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
        self._folder, self._own, self._sketches = visit.studio.folder, list[str](), dict[str, Any]()
        upload = ui.upload(on_upload=self._upload).classes("hidden")
        self.props.update(upload=upload.props["url"], bundled=bundled, own=[], texts=section("shelf"))
        ui.timer(2, self._look)

    async def list_own(self) -> None:
        """Show the puzzles in the folder, the latest first."""
        self._own = self._names()
        # Without notices: what a file leaves open is told when it is brought in.
        found = await self._visit.studio.desk.ask(f"own {self.client.id}", Call(pictures.own_puzzles, (self._own,)))
        self.props["own"] = found or []
        self.update()

    def _names(self) -> list[str]:
        return self._folder.names(*ENDINGS, below=pictures.JIGSAW)

    async def _look(self) -> None:
        """List the puzzles again if a run has made one."""
        if self._visit.tab == "shelf" and self._names() != self._own:
            await self.list_own()

    async def answer_open(self, source: str, tab: str) -> None:
        await self._visit.open(source, tab)

    async def answer_draw(self, file: str = "") -> None:
        """Show the editor, with a drawing that was not taken."""
        if file in self._sketches:
            self._visit.sketch = {"name": file.removesuffix(".svg"), "drawing": self._sketches[file]}
        await self._visit.go("editor")

    async def answer_remove(self, source: str) -> None:
        file = self._folder.file(source)
        for name in files_left(file.parent) if "/" in source else [file.name]:
            (file.parent / name).unlink(missing_ok=True)
        await self.list_own()

    async def answer_link(self, link: str) -> None:
        """Take the link of a viewer, or a drawing in letters."""
        with self._refusing():
            # Rows with a letter each, so that it is no path to another folder.
            if re.fullmatch(r"\.*[A-Z0-9][A-Z0-9.]*(/\.*[A-Z0-9][A-Z0-9.]*)+", link):
                output = self._folder.free_name("drawing", ".json")
                await self._make(Act("make_dissection", (link,), {"output": output}))
            elif is_link(link):
                await self._take(self._folder.save("link.url", link.encode()))
            else:
                raise InstanceError(text("shelf.no_link"))

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        """A context whose errors are shown in the dialog, beside their field."""
        try:
            yield
        except JigsatError as error:
            self.run_method("refuse", str(error))

    async def answer_make(self, kind: str, values: dict[str, Any], title: str) -> None:
        name, keys, given = _NEW[kind]
        given = {**given, "name": title.strip()} if title.strip() else given
        wanted = {key: values[key] for key in keys.split(" ") if isinstance(values.get(key), int)}
        stem = title.strip() or "-".join([kind.replace("_", "-"), *map(str, wanted.values())])
        with self._refusing():
            await self._make(Act(name, (), {**wanted, **given, "output": self._folder.free_name(stem, ".json")}))

    async def _make(self, act: Act) -> None:
        """Make a puzzle, and open it."""
        if await self._visit.studio.desk.ask(f"make {self.client.id}", Call(written, (act,))):
            self._visit.shows(act)
            self.run_method("close")
            await self.list_own()
            await self._visit.open(act.options["output"], "board")

    async def _upload(self, event: Any) -> None:
        name = file = event.file.name
        try:
            file = self._folder.save(name, await event.file.read())
            await self._take(file)
        except JigsatError as error:
            lines = [line.removeprefix(f"{file}: ") for line in str(error).split("\n")]
            self.run_method("refuse_file", name, lines, file if self._sketches.get(file) else "")

    async def _take(self, file: str) -> None:
        """Open what was dropped; what is of no use does not stay in the folder."""
        call = Call(pictures.taken, (file, self._names(), self._visit.source))
        desk, notices = self._visit.studio.desk, list[str]()
        try:
            taken = await desk.ask(f"take {file}", call, notice=notices.append)
            if taken is None:
                raise InstanceError(text("shelf.too_long"))
        except JigsatError:
            if file.endswith(".svg"):
                self._sketches[file] = await desk.ask(f"sketch {file}", Call(sketched, (file,)))
            self._folder.file(file).unlink(missing_ok=True)
            raise
        for notice in notices:
            ui.notify(notice, type="warning", multi_line=True, close_button=text("page.close"))
        source, tab, act, laid = taken
        self.run_method("close")
        if act is not None:
            self._visit.shows(act)
        if tab == "workshop" and source == file:
            self._visit.photos.append(file)
            await self._visit.go(tab)
        else:
            if source != file and (laid or tab == "workshop"):
                # The board keeps it, or it was a zip file.
                self._folder.file(file).unlink()
            self._visit.laid = laid
            await self.list_own()
            await self._visit.open(source, tab)
