"""The editor: a dissection drawn on squared or triangular paper, judged as it is drawn, counted, printed and played."""

from __future__ import annotations

import asyncio
from itertools import count
from typing import Any

from ..api.public import Act, said, written
from ..csp.base.errors import InstanceError, JigsatError
from ..csp.base.safe_files import replacing
from ..csp.files.paper_drawings import STEPS, PaperDrawing, paper_of
from ..csp.make.drawn_dissection import outline_drawn
from ..csp.puzzles.dissection import DissectionPuzzle
from ..csp.work.processes import Call
from .texts import section, text
from .visit import Asking, Visit
from .workshop import only

# The studio's own files: what is on the paper, for the next visit, and its drawing.
_PAPER, _DRAWN = "studio.paper", "studio.paper.svg"
# The names of buttons: the function, its options, and the ending of the file that it writes.
_RUNS: dict[str, tuple[str, dict[str, Any], str]] = {
    "all": ("draw", {"all": True, "time_limit": 600}, "-all.svg"),
    "forms": ("forms", {"overwrite": True}, "-forms.svg"),
    "handout": ("draw_print", {}, "-handout.pdf"),
}
_HANDOUT = {"page": str, "sets": int, "sheets": str}
_ENDINGS = [".svg", ".json", *(ending for _, _, ending in _RUNS.values())]


class Editor(Asking, component="editor.js"):
    """The paper, drawn in the browser."""

    def __init__(self, visit: Visit) -> None:
        super().__init__(visit)
        self._folder = visit.studio.folder
        path, puzzle = self._folder.file(_PAPER), visit.puzzle
        kept = path.read_text("utf-8") if path.is_file() else ""
        # Counts the drawings that were sent: only the last one is judged.
        self._asked_last = 0
        opens = puzzle.name if isinstance(puzzle, DissectionPuzzle) else ""
        self.props.update(texts=section("editor"), kept=kept, opens=opens, steps=STEPS, sketch=visit.sketch)
        visit.sketch = None

    async def answer_drawn(self, paper: str, drawing: dict[str, Any]) -> None:
        """Keep what is on the paper, and say what is wrong with the puzzle."""
        shown = PaperDrawing.read(drawing, paper)
        number = self._asked_last = self._asked_last + 1
        if paper:
            self._write(_PAPER, paper)
        if not shown.pieces:
            return
        self._write(_DRAWN, shown.svg)
        act, outline = Act("make_dissection", (_DRAWN,), {"no_flip": shown.no_flip}), None
        call = Call(outline_drawn, (_DRAWN,), {"flip": not shown.no_flip})
        try:
            outline = await self._visit.studio.desk.ask(f"picture paper {self.client.id}", call)
            faults = [] if outline else [text("editor.too_long")]
        except JigsatError as error:
            faults = [line.removeprefix(f"{_DRAWN}: ") for line in str(error).split("\n")]
        if number == self._asked_last and not self.is_deleted:
            self._visit.shows(act)
            self.run_method("judged", faults, outline)

    async def answer_open(self) -> None:
        """Put the open puzzle on the paper."""
        if isinstance(puzzle := self._visit.puzzle, DissectionPuzzle):
            self.run_method("opened", puzzle.name, await asyncio.to_thread(paper_of, puzzle))

    async def answer_save(self, name: str, drawing: dict[str, Any], then: str, handout: dict[str, Any]) -> None:
        """Make the puzzle, and do something with it."""
        told: dict[str, Any] = {}
        try:
            if then not in ("save", "count", "board", *_RUNS):
                raise InstanceError(text("page.unknown"))
            shown = PaperDrawing.read(drawing)
            stem = self._stem(str(name), shown)
            puzzle = f"{stem}.json"
            self._write(f"{stem}.svg", shown.svg)
            act = Act("make_dissection", (f"{stem}.svg",), {"no_flip": shown.no_flip, "output": puzzle})
            if not await self._visit.ask("picture save", Call(written, (act,))):
                return
            self._visit.shows(act)
            told = {"name": stem, "said": text("editor.saved", name=puzzle)}
            if then == "board":
                await self._visit.open(puzzle, then)
            elif then == "count":
                self._visit.shows(act := Act("count", (puzzle,), {"time_limit": 20}))
                told["said"] = await self._visit.ask("count", Call(said, (act,))) or ""
            elif then in _RUNS:
                function, options, ending = _RUNS[then]
                more = only(_HANDOUT, handout) if then == "handout" else {}
                self._visit.shows(act := Act(function, (puzzle,), {**options, **more, "output": stem + ending}))
                one = self._visit.studio.runs.add(act, stem, [stem + ending])
                told |= {"run": one.number, "said": text("editor.runs", number=one.number)}
        finally:
            if not self.is_deleted and isinstance(drawing, dict):
                self.run_method("told", drawing.get("mark"), then, told)

    async def answer_follow(self, run: int, mark: str, then: str) -> None:
        """Tell what a run has found, also one that was begun before the page was loaded."""
        one = self._visit.studio.runs.find(run)
        while one and not one.over and not self.is_deleted:
            await asyncio.sleep(0.3)
        if not self.is_deleted:
            told = {"said": one.in_short, "file": one.files[0] if one.state == "done" else ""} if one else {}
            self.run_method("told", mark, then, {**told, "over": True})

    def _stem(self, wish: str, shown: PaperDrawing) -> str:
        """The name that the files of a drawing have, or a free one."""
        wish = self._folder.safe(wish)
        names = (wish if number == 1 else f"{wish}-{number}" for number in count(1))
        return next(name for name in names if shown.may_take([self._folder.file(name + end) for end in _ENDINGS]))

    def _write(self, name: str, content: str) -> None:
        with replacing(self._folder.file(name), noted=False) as file:
            file.write(content)
