"""The tab experiment: engines are compared on puzzles, after their price is shown; then tables and figures."""

import csv
import json
from functools import partial
from typing import Any

from nicegui import ui

from ..api.public import Act
from ..csp.files.file_format import bundled_names
from ..csp.work.processes import Call
from .pictures import engines_able, own_puzzles, price
from .plan import RunList
from .shelf import ENDINGS
from .texts import section, text
from .visit import Asking, Visit, puzzle_path


async def build(visit: Visit) -> None:
    """Fill the tab."""
    own = await visit.ask("own", Call(own_puzzles, (visit.studio.folder.names(*ENDINGS),))) or []
    with ui.element("div").classes("plan"):
        with ui.column():
            _Question(visit, [*bundled_names(), *(one["source"] for one in own)])
        with ui.column():
            RunList(visit, "experiment", "compare")
    _Results(visit)


class _Question(Asking, component="question.js"):
    """What is compared, and its price, drawn in the browser."""

    def __init__(self, visit: Visit, names: list[str]) -> None:
        super().__init__(visit)
        chosen = [visit.source] if visit.source in names else []
        self.props.update(names=names, chosen=chosen, texts={**section("plan"), **section("experiment")})

    def _puzzles(self, given: list[str]) -> list[str]:
        return [puzzle_path(self._visit.studio, source) for source in given]

    def _act(self, asked: dict[str, Any], **more: Any) -> Act:
        given = {"engines": ",".join(asked["engines"]), "goal": asked["goal"]}
        limits = {"time_limit": asked["limit"], "repetitions": int(asked["times"])}
        return Act("compare", (self._puzzles(asked["puzzles"]),), {**given, **limits, **more})

    async def answer_engines(self, puzzles: list[str], goal: str) -> None:
        able = await self._visit.ask("engines able", Call(engines_able, (self._puzzles(puzzles), goal)))
        if able is not None:
            self.run_method("engines_able", able)

    async def answer_price(self, asked: dict[str, Any]) -> None:
        self._visit.shows(act := self._act(asked, dry_run=True))
        found = await self._visit.ask("price", Call(price, (act,)))
        if found:
            self.run_method("priced", text("experiment.price", **found), asked)

    async def answer_run(self, asked: dict[str, Any]) -> None:
        folder, puzzles = self._visit.studio.folder, asked["puzzles"]
        name = folder.free_name("-".join([*puzzles[:3], "comparison"]))
        # An empty folder keeps its name for this run.
        folder.file(name).mkdir(parents=True)
        self._visit.studio.runs.add(act := self._act(asked, output=name), ", ".join(puzzles), [name])
        self._visit.shows(act)


class _Results:
    """The experiments in the folder, and the tables, figures and report of one of them."""

    def __init__(self, visit: Visit) -> None:
        self._visit, self._names = visit, list[str]()
        ui.label(text("experiment.results")).classes("heading")
        self._list, self._open = ui.element("div").classes("asked"), ui.element("studio-results")
        ui.timer(1, self._look)

    def _look(self) -> None:
        if self._visit.tab == "experiment" and (names := self._visit.studio.folder.experiments()) != self._names:
            self._names = names
            self._list.clear()
            with self._list:
                for name in names:
                    ui.button(name, on_click=partial(self._show, name)).props("flat no-caps icon=table_chart")

    def _show(self, name: str) -> None:
        for one in self._visit.studio.runs.all:
            if one.act.options.get("output") == name:
                self._visit.shows(Act("compare", one.act.given, {**one.act.options, "report_only": True}))
        folder = self._visit.studio.folder
        files = [*folder.below(name)]
        tables = {
            table: [*csv.reader(folder.file(file).read_text(encoding="utf-8").splitlines())]
            for table in ("engines", "puzzles") if (file := f"{name}/tables/{table}.csv") in files
        }  # fmt: skip
        self._open.props["data"] = json.dumps(
            {"name": name, "files": files, "tables": tables, "words": section("experiment")}
        )
