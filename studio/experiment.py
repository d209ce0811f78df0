"""The tab experiment: engines are compared on puzzles, after their price is shown; then tables and figures."""

import csv
import json
from collections.abc import Callable
from functools import partial
from typing import Any

from nicegui import ui

from ..csp.files.file_format import bundled_names
from ..csp.work.processes import Call
from .acts import Act
from .pictures import engines_able, own_puzzles, price
from .plan import RunList
from .shelf import ENDINGS
from .texts import section, text
from .visit import Visit

_GOALS = ("solve", "all", "count", "best")


async def build(visit: Visit) -> None:
    """Fill the tab."""
    own = await visit.ask("own", Call(own_puzzles, (visit.studio.folder.names(*ENDINGS),))) or []
    with ui.element("div").classes("plan"):
        with ui.column():
            _Question(visit, [*bundled_names(), *(one["source"] for one in own)])
        with ui.column():
            RunList(visit, "experiment", "compare")
    _Results(visit)


class _Several(ui.element, component="several.js"):
    """A choice of several names, kept in the browser."""

    def __init__(self, key: str, options: list[str], value: list[str], chosen: Callable[[], Any]) -> None:
        super().__init__()
        self.value = value
        self.props.update(label=text(f"experiment.{key}"), options=options, start=value)

        async def choose(event: Any) -> None:
            self.value = [*map(str, event.args)]
            await chosen()

        self.on("choose", choose)


class _Question:
    """What is compared, and its price."""

    def __init__(self, visit: Visit, names: list[str]) -> None:
        self._visit = visit
        self._puzzles = _Several("puzzles", names, [visit.source] if visit.source in names else [], self._find_engines)
        self._engines = _Several("engines", [], [], self._find_price)
        self._goal = ui.toggle({name: text(f"plan.{name}") for name in _GOALS}, value="solve").classes("goals")
        self._goal.props(f'no-caps unelevated aria-label="{text("plan.goal")}"')
        with ui.element("div").classes("asked"):
            self._limit = ui.number(text("experiment.time_limit"), value=60, min=1).props("debounce=600 outlined dense")
            self._times = ui.number(text("experiment.repetitions"), value=1, min=1, precision=0).props(
                "debounce=600 outlined dense"
            )
            self._button = ui.button(text("experiment.run"), icon="play_arrow", on_click=self._run).props("unelevated")
        self._price = ui.label().classes("words").props('aria-live="polite"')
        self._goal.on_value_change(self._find_engines)
        for field in (self._limit, self._times):
            field.on_value_change(self._find_price)
        ui.timer(0, self._find_engines, once=True)

    def _act(self, **more: Any) -> Act:
        given = {"engines": ",".join(self._engines.value), "goal": self._goal.value}
        limits = {"time_limit": self._limit.value, "repetitions": int(self._times.value or 0)}
        return Act("compare", ([*self._puzzles.value],), {**given, **limits, **more})

    async def _find_engines(self) -> None:
        call = Call(engines_able, ([*self._puzzles.value], str(self._goal.value)))
        able = await self._visit.ask("engines able", call)
        if able is not None:
            self._engines.props["options"] = able
            self._engines.value = [name for name in self._engines.value if name in able]
            await self._find_price()

    async def _find_price(self) -> None:
        self._button.disable()
        fields = (self._puzzles, self._engines, self._limit, self._times)
        self._price.set_text(text("experiment.choose"))
        if all(field.value for field in fields):
            self._price.set_text(text("plan.predicting"))
            self._visit.shows(act := self._act(dry_run=True))
            found = await self._visit.ask("price", Call(price, (act,)))
            if found and act == self._act(dry_run=True):
                self._price.set_text(text("experiment.price", **found))
                self._button.enable()

    def _run(self) -> None:
        folder = self._visit.studio.folder
        name = folder.free_name("-".join([*self._puzzles.value[:3], "comparison"]))
        # An empty folder keeps its name for this run.
        folder.file(name).mkdir(parents=True)
        self._visit.studio.runs.add(act := self._act(output=name), ", ".join(self._puzzles.value), [name])
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
        shown = {"name": name, "files": files, "tables": tables, "words": section("experiment")}
        self._open.props["data"] = json.dumps(shown)
