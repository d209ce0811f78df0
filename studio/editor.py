"""The editor: a dissection drawn on squared or triangular paper, judged as it is drawn, counted, printed and played."""

from __future__ import annotations

import json
import re
from math import sqrt
from typing import Any

from ..csp.base.errors import InstanceError, JigsatError
from ..csp.base.safe_files import replacing
from ..csp.work.processes import Call
from . import pictures
from .acts import Act
from .texts import section, text
from .visit import Asking, Visit

# What is on the paper, for the next visit; the longest that a drawing may be, and the largest coordinate.
_PAPER, _MOST_BYTES, _LARGEST = "editor.paper", 100_000, 1000
# The names of buttons: the function, its options, and the ending of the file that it writes.
_SHEETS: dict[str, tuple[str, dict[str, Any], str]] = {
    "all": ("draw", {"all": True, "time_limit": 20}, "-all.svg"),
    "forms": ("forms", {"time_limit": 20, "overwrite": True}, "-forms.svg"),
    "handout": ("draw_print", {"page": "a4", "sets": 1}, "-handout.pdf"),
}


def build(visit: Visit) -> None:
    """Fill the tab."""
    _Editor(visit)


class _Editor(Asking, component="editor.js"):
    """The paper, drawn in the browser."""

    def __init__(self, visit: Visit) -> None:
        super().__init__(visit)
        self._folder = visit.studio.folder
        path = self._folder.file(_PAPER)
        self.props.update(texts=section("editor"), kept=path.read_text("utf-8") if path.is_file() else "")

    async def answer_drawn(self, paper: str, drawing: dict[str, Any]) -> None:
        """Keep what is on the paper, and say what is wrong with the puzzle."""
        if not isinstance(paper, str) or len(paper) > _MOST_BYTES:
            raise InstanceError(text("editor.too_large"))
        self._write(_PAPER, paper)
        if not drawing["pieces"]:
            return
        self._write("editor.svg", _svg(drawing))
        act = Act("make_dissection", ("editor.svg",), {"no_flip": drawing.get("no_flip") is True})
        try:
            found = await self._visit.studio.desk.ask(f"move paper {self.client.id}", Call(pictures.said, (act,)))
            faults = [] if found is not None else None
        except JigsatError as error:
            faults = str(error).split("\n")
        if faults is not None:
            self._visit.shows(act)
            self.run_method("judged", [re.sub(r"^editor\.svg: ", "", fault) for fault in faults])

    async def answer_save(self, name: str, drawing: dict[str, Any], then: str) -> None:
        """Make the puzzle, and do something with it."""
        stem = self._folder.safe(str(name))
        self._write(f"{stem}.svg", _svg(drawing))
        made = Act("make_dissection", (f"{stem}.svg",), {
            "no_flip": drawing.get("no_flip") is True, "output": f"{stem}.json",
        })  # fmt: skip
        if not await self._visit.ask("move save", Call(pictures.written, (made,))):
            return
        self._visit.shows(made)
        if then in ("board", "plan"):
            await self._visit.open(f"{stem}.json", then)
        elif then == "count":
            self._visit.shows(act := Act("count", (f"{stem}.json",), {"time_limit": 20}))
            self.run_method("told", await self._visit.ask("count", Call(pictures.said, (act,))) or "", "")
        elif then in _SHEETS:
            function, options, ending = _SHEETS[then]
            self._visit.shows(act := Act(function, (f"{stem}.json",), {**options, "output": f"{stem}{ending}"}))
            said = await self._visit.ask("sheet", Call(pictures.said, (act,)))
            self.run_method("told", said or "", f"{stem}{ending}" if said is not None else "")
        else:
            self.run_method("told", text("editor.saved", name=f"{stem}.json"), "")

    def _write(self, name: str, content: str) -> None:
        with replacing(self._folder.file(name), noted=False) as file:
            file.write(content)


def _svg(drawing: dict[str, Any]) -> str:
    """The drawing as an SVG with a polygon for each piece; raises InstanceError if it is no drawing."""
    try:
        slant, up = (0.5, sqrt(0.75)) if drawing["paper"] == "triangles" else (0, 1)
        polygons = [(f"piece-{int(number)}", piece) for number, piece in enumerate(drawing["pieces"], start=1)]
        polygons += [("target", drawing["target"])] if drawing["target"] else []
        lines = []
        for name, corners in polygons:
            whole = [(int(i), int(j)) for i, j in corners]
            if any(abs(number) > _LARGEST for corner in whole for number in corner):
                raise ValueError
            points = " ".join(f"{10 * (i + slant * j):.6f},{10 * up * j:.6f}" for i, j in whole)
            lines.append(f'<polygon id="{name}" points="{points}" fill="none" stroke="black"/>')
    except (TypeError, ValueError, LookupError, OverflowError):
        raise InstanceError(text("editor.too_large")) from None
    svg = '<svg xmlns="http://www.w3.org/2000/svg">\n{}\n</svg>\n'.format("\n".join(lines))
    if len(json.dumps(svg)) > _MOST_BYTES:
        raise InstanceError(text("editor.too_large"))
    return svg
