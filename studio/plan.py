"""The tab plan: the ways to a goal with their predicted times, and the runs."""

from __future__ import annotations

import json
import os
from functools import partial
from typing import Any

from nicegui import ui

from ..api.public import Act
from ..csp.engines.registry import engine_names
from ..csp.puzzles.dissection import DissectionPuzzle
from ..csp.puzzles.edge_matching import EdgeMatchingPuzzle
from ..csp.puzzles.orders import NAMED_ORDERS
from ..csp.work.kept_runs import Run
from ..csp.work.processes import Call
from .pictures import ways_to_goal
from .texts import section, text
from .visit import Visit

# How often a page looks whether a run has changed, in seconds.
_POLL = 0.4


def build(visit: Visit) -> None:
    """Fill the tab."""
    with ui.element("div").classes("plan"):
        with ui.column():
            if visit.puzzle is None or visit.source is None:
                ui.label(text("plan.none_open"))
            else:
                _Plan(visit, visit.puzzle, visit.source)
        with ui.column():
            RunList(visit, "plan")


class _Plan:
    """What is wanted, and the ways to it."""

    def __init__(self, visit: Visit, puzzle: EdgeMatchingPuzzle | DissectionPuzzle, source: str) -> None:
        self._visit, self._puzzle, self._source = visit, puzzle, source
        # The ways that are possible, and which one was chosen: the first one is the plan's own choice.
        self._ways: list[dict[str, Any]] = []
        self._chosen = 0
        is_board, self._asked = isinstance(puzzle, EdgeMatchingPuzzle), dict[str, Any]()
        goals = {goal: text(f"plan.{goal}") for goal in ("solve", "all", "count", "best") if is_board or goal != "best"}
        self._goal = ui.toggle(goals, value="count", on_change=self._explain).classes("goals")
        self._goal.props(f'no-caps role="group" aria-label="{text("plan.goal")}"')
        with ui.element("div").classes("asked"):
            is_limit: Any = {text("plan.wrong_limit"): lambda value: value is None or 0 <= value <= 10**8}
            self._ask("time_limit", ui.number(validation=is_limit))
            self._ask("threads", ui.number(value=1, min=1, max=os.cpu_count(), precision=0))
            self._button = ui.button(text("plan.run"), icon="play_arrow", on_click=self._run).props("unelevated")
            if not is_board:
                ui.button(text("plan.sheet"), icon="grid_view", on_click=self._draw_all).props("outline")
        with ui.expansion(text("plan.more")).props("dense").classes("wide"), ui.element("div").classes("asked"):
            self._ask("engine", ui.select([*engine_names(puzzle.kind)], clearable=True))
            if is_board:
                self._ask("order", ui.select([*NAMED_ORDERS, "best"], clearable=True))
                self._ask("slips", ui.input())
            self._ask("seed", ui.number(min=0, precision=0))
        self._sentence = ui.label().classes("words").props('aria-live="polite"')
        self._chart = ui.element("studio-ways").on("choose", self._choose, ["detail"])
        ui.timer(0, self._explain, once=True)

    def _ask(self, name: str, field: Any) -> None:
        field.props(f'label="{text(f"plan.{name}")}" dense outlined debounce=600').on_value_change(self._explain)
        self._asked[name] = field

    @property
    def _options(self) -> dict[str, Any]:
        """The options that were given."""
        given = {name: field.value for name, field in self._asked.items() if field.value not in (None, "")}
        return {name: int(value) if name in ("threads", "seed") else value for name, value in given.items()}

    async def _explain(self) -> None:
        options, goal = self._options, str(self._goal.value)
        is_wrong = self._asked["time_limit"].error
        self._sentence.set_text("" if is_wrong else text("plan.predicting"))
        self._button.disable()
        if is_wrong:
            return
        self._visit.shows(Act("explain", (self._source,), {"goal": goal, **options}))
        found = await self._visit.ask("plan", Call(ways_to_goal, (self._source, goal, options)))
        if (goal, options) == (self._goal.value, self._options):
            found = found or {"sentence": "", "ways": []}
            self._ways, self._chosen = found["ways"], 0
            self._sentence.set_text(found["sentence"])
            self._button.set_enabled(any(way["refused"] is None for way in self._ways))
            self._show()

    def _show(self) -> None:
        self._chart.props["data"] = json.dumps(
            {"ways": self._ways, "chosen": self._chosen, "words": section("plan"), "units": section("units")}
        )

    def _choose(self, event: Any) -> None:
        self._chosen = int(event.args["detail"]) % max(len(self._ways), 1)
        self._show()
        self._visit.shows(self._act({}))

    def _act(self, files: dict[str, str]) -> Act:
        goal = str(self._goal.value)
        chosen = self._ways[self._chosen]["given"] if self._chosen else {}
        every = {"all": True} if goal == "all" else {}
        return Act("solve" if every else goal, (self._source,), {**every, **self._options, **chosen, **files})

    def _run(self) -> None:
        goal, save = str(self._goal.value), self._visit.studio.folder.save
        files = dict[str, str]()
        # An empty file keeps its name for this run.
        if goal != "count":
            files = {"output": save(f"{self._puzzle.name}-{goal}.json", b"")}
        elif self._ways[self._chosen]["keeps"] and "slips" not in self._options:
            files = {"ledger": save(f"{self._puzzle.name}-{goal}.ledger", b"")}
        self._add(self._act(files), [*files.values()])

    def _draw_all(self) -> None:
        file = self._visit.studio.folder.save(f"{self._puzzle.name}-all.svg", b"")
        limit = self._options.get("time_limit", 600)
        self._add(Act("draw", (self._source,), {"all": True, "time_limit": limit, "output": file}), [file])

    def _add(self, act: Act, files: list[str]) -> None:
        self._visit.studio.runs.add(act, self._puzzle.name, files)
        self._visit.shows(act)


class RunList:
    """The runs, or those of one function, the latest first, on a tab."""

    def __init__(self, visit: Visit, tab: str, only: str = "") -> None:
        self._visit, self._tab, self._only = visit, tab, only
        self._shown, self._version = dict[int, Any](), -1
        ui.label(text("plan.runs")).classes("heading")
        self._none = ui.label(text("plan.no_runs")).classes("soft")
        self._column = ui.column().classes("wide")
        ui.timer(_POLL, self._look)

    def _look(self) -> None:
        runs = self._visit.studio.runs
        if self._visit.tab != self._tab or self._version == runs.version:
            return
        self._version, present = runs.version, {one.number: one for one in runs.all if self._only in ("", one.act.name)}
        self._none.set_visibility(not present)
        for number in self._shown.keys() - present:
            self._shown.pop(number).delete()
        for number, one in present.items():
            if number not in self._shown:
                with self._column:
                    self._shown[number] = ui.element("studio-run").on("act", partial(self._act, one), ["detail"])
                    self._shown[number].move(target_index=0)
            told = {"run": one.shown(self._visit.studio.folder), "words": section("plan"), "units": section("units")}
            if (data := json.dumps(told)) != self._shown[number].props.get("data"):
                self._shown[number].props["data"] = data

    async def _act(self, one: Run[Act], event: Any) -> None:
        runs = self._visit.studio.runs
        async with self._visit.telling():
            match event.args["detail"]:
                case "open":
                    self._visit.laid = one.board
                    await self._visit.open(one.source, "board")
                case "stop" | "go_on" | "remove" as name:
                    getattr(runs, name)(one)
        self._visit.shows(one.act)
