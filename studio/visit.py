"""A page that is open in a browser: the puzzle on it, and what its tabs share."""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from nicegui import ui

from ..csp.base.errors import InstanceError, JigsatError, shortened
from ..csp.files.file_format import bundled_names
from .texts import text

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from ..api.public import Act
    from ..csp.base.folder import Folder
    from ..csp.files.instances import Puzzle
    from ..csp.work.kept_runs import Runs
    from ..csp.work.questions import Desk


@dataclass(frozen=True)
class Studio:
    """What all pages of a server share."""

    folder: Folder
    runs: Runs[Act]
    desk: Desk
    #: What lies on the tables of puzzles, by their files.
    tables: dict[str, Any] = field(default_factory=dict)


def puzzle_path(studio: Studio, source: str) -> str:
    """Where a puzzle of the studio is, as functions take it: a bundled name, or a file in the folder.

    Raises InstanceError for anything else.
    """
    if source in bundled_names():
        return source
    if not studio.folder.file(source).is_file():
        raise InstanceError(f"{shortened(source)}: is no bundled puzzle and not in the folder {studio.folder.path}")
    return source


def read_source(studio: Studio, source: str) -> Puzzle:
    """The puzzle; raises InstanceError if there is none, or it cannot be read."""
    from ..csp.files.instances import read_puzzle

    path = puzzle_path(studio, source)
    return read_puzzle(path if path in bundled_names() else studio.folder.file(path))


class Visit:
    """An open page.

    Attributes:
    - `studio`: what all pages share.
    - `source`, `puzzle`: the open puzzle and its name in the studio; None if none is open.
    - `go`: shows another tab by its name.
    """

    def __init__(self, studio: Studio) -> None:
        self.studio = studio
        self.source: str | None = None
        self.puzzle: Puzzle | None = None
        self.tab = "shelf"
        #: A board or tiling, as files of solutions have it, for the tab board to lay when it is shown next.
        self.laid: Any = None
        #: Photographs that were dropped, for the tab workshop to take when it is shown next.
        self.photos: list[str] = []
        #: A drawing and its name, for the tab editor to take when it is shown next.
        self.sketch: dict[str, Any] | None = None
        self.go: Callable[[str], Awaitable[None]]
        #: Is called with an act that a click has done, or why no command does it, and the tab if it may be another one.
        self.shows: Callable[..., None] = lambda act, tab=None: None
        #: Is called when another puzzle is opened.
        self.opened: Callable[[], None] = lambda: None

    async def open(self, source: str, tab: str | None = None) -> None:
        """Open a puzzle, and show a tab."""
        async with self.telling():
            self.puzzle = await asyncio.to_thread(read_source, self.studio, source)
            self.source = source
            self.opened()
            await self.go(tab or self.tab)

    def keep_address(self) -> None:
        """Put the puzzle and the tab into the address, so that a reload shows them again."""
        puzzle = "" if self.source is None else f"&puzzle={quote(self.source, safe='')}"
        ui.run_javascript(f"history.replaceState(null, '', {json.dumps(f'?tab={self.tab}{puzzle}')})")

    async def ask(self, topic: str, call: Any) -> Any:
        """The answer of a quick call for this page, as `Desk.ask`; notices and errors are shown.

        None if there was an error, or a newer question on the topic.
        """
        async with self.telling():
            notices: list[str] = []
            found = await self.studio.desk.ask(f"{topic} {ui.context.client.id}", call, notice=notices.append)
            # What the file of the puzzle leaves open was told when it was brought in.
            for notice in [one for one in notices if not one.startswith(f"{self.source}: ")]:
                ui.notify(notice, type="warning", multi_line=True)
            return found
        return None

    @asynccontextmanager
    async def telling(self) -> AsyncIterator[None]:
        """A context whose errors are shown to the user."""
        try:
            yield
        except JigsatError as error:
            ui.notify(str(error), type="negative", multi_line=True, close_button=text("page.close"), timeout=10000)


class Asking(ui.element):
    """A base class of what a script draws: its questions are events, answered by methods ``answer_...``."""

    def __init__(self, visit: Visit) -> None:
        super().__init__()
        self._visit = visit
        self.on("ask", self._asked)

    async def _asked(self, event: Any) -> None:
        async with self._visit.telling():
            given = dict(event.args) if isinstance(event.args, dict) else {}
            answer = getattr(self, f"answer_{given.pop('what', '')}", None)
            try:
                inspect.signature(answer).bind(**given)  # pyright: ignore[reportArgumentType]
            except TypeError:
                raise InstanceError(text("page.unknown")) from None
            assert answer is not None
            await answer(**given)
