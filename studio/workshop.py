"""The workshop: jigsaws from numbers or two photographs, the ways to lay them, sheets to cut, and files to take away."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import PurePath, PurePosixPath
from typing import Any

from nicegui import ui

from ..csp.base.errors import JigsatError
from ..csp.files.file_format import bundled_names
from ..csp.puzzles.dissection import DissectionPuzzle
from . import pictures
from .acts import Act
from .runs import Run
from .texts import text
from .visit import Visit
from .worker import Call

# Sliders of a sheet: the least, the most, the step and the start.
_SLIDERS = {"size": (8, 80, 1, 25), "curves": (0, 60, 1, 0), "margin": (0, 40, 1, 10), "kerf": (0, 1, 0.05, 0.15),
            "fit": (-0.3, 0.5, 0.05, 0)}  # fmt: skip
_PAGES = {None: "page_none", "a4": "A4", "letter": "Letter", "a3": "A3"}
# The pages that are shown, and the ways to lay a jigsaw.
_MOST_PAGES, _MOST_WAYS = 12, 8
# Files to download: the function, its options, the ending, and the icon.
_FILES = {
    "svg": ("draw_print", {"sheets": "cut"}, "-cut.svg", "content_cut"),
    "pdf": ("draw_print", {}, "-sheets.pdf", "print"),
    "dxf": ("draw_print", {"sheets": "cut"}, "-cut.dxf", "architecture"),
    "png": ("draw_print", {"sheets": "cut"}, "-cut.png", "image"),
    "photo": ("draw_photo", {}, "-photo.png", "photo_camera"),
    "play": ("view", {"play": True}, "-play.html", "extension"),
    "puzzle": ("convert", {}, ".json", "save"),
}
_RUNS = ("make_jigsaw", "make_photo_jigsaw", "certify")
_said = lambda key, **values: text(f"workshop.{key}", **values)  # noqa: E731


def build(visit: Visit) -> None:
    """Fill the tab."""
    _Workshop(visit)


class _Workshop:
    """The steps of the workshop for the open puzzle."""

    def __init__(self, visit: Visit) -> None:
        self._visit, puzzle = visit, visit.puzzle
        self._is_jigsaw = getattr(getattr(puzzle, "rule", None), "name", "") == "OPPOSITE"
        self._is_dissection = isinstance(puzzle, DissectionPuzzle)
        steps = {"make": self._make, "look": self._look, "sheet": self._sheet, "files": self._files}
        shown = [step for step in steps if step == "make" or (puzzle and (step != "look" or self._is_jigsaw))]
        loads: dict[str, Callable[[], Awaitable[None]]] = {"look": self._show_ways, "sheet": self._redraw}

        async def enter(event: Any) -> None:
            if event.value in loads:
                await loads[event.value]()

        with ui.tabs(on_change=enter).props("dense no-caps align=left").classes("steps") as tabs:
            for number, step in enumerate(shown, start=1):
                ui.tab(step, label=f"{number}. {_said(step)}")
        with ui.tab_panels(tabs, animated=False, keep_alive=True).classes("panels"):
            for step in shown:
                with ui.tab_panel(step).classes("panel"):
                    steps[step]()
        tabs.set_value(shown[min(1, len(shown) - 1)])
        for one in visit.studio.runs.running():
            if one.act.name in _RUNS:
                self._watch(one)

    # Make

    def _make(self) -> None:
        self._photos: dict[str, str] = {}
        self._crops: dict[str, str] = {}
        with _bench() as (form, sight):
            with form:
                kind = ui.toggle({key: _said(key) for key in ("numbers", "photos")}, value="numbers").props("no-caps")
                with ui.element("div").classes("numbers"):
                    self._rows, self._columns = _number("rows", 6, self._reshape), _number("columns", 6, self._reshape)
                    self._solutions, self._seed = _number("solutions", 2), _number("seed", 0, least=0)
                    self._solutions.bind_visibility_from(kind, "value", value="numbers")
                    self._seed.tooltip(_said("seed_hint"))
                with ui.column().bind_visibility_from(kind, "value", value="photos"):
                    ui.label(_said("weight"))
                    ends = {0.35: "weight_second", 0.5: "weight_same", 0.65: "weight_first"}
                    self._weight = ui.toggle({each: _said(key) for each, key in ends.items()}, value=0.5)
                    self._weight.props("no-caps dense").on_value_change(self._preview)
                    self._grey = ui.switch(_said("grey"), on_change=self._preview)
                    self._no_stay, self._effort = ui.switch(_said("no_stay")), ui.switch(_said("effort"))
                make = {"numbers": self._from_numbers, "photos": self._from_photos}
                ui.button(_said("make_it"), icon="auto_fix_high", on_click=lambda: make[str(kind.value)]())
                self._runs = ui.column().props('aria-live="polite"')
            with sight:
                with ui.column().bind_visibility_from(kind, "value", value="numbers"):
                    ui.label(_said("sample"))
                    _image("picture/perfect-5x5", "").classes("sample")
                with ui.column().bind_visibility_from(kind, "value", value="photos").classes("wide"):
                    ui.label(_said("photo_intro"))
                    with ui.element("div").classes("pair"):
                        self._croppers = {which: self._cropper(which) for which in ("first", "second")}
                    ui.button(_said("example"), on_click=self._example).props("flat no-caps")
                    self._expected = ui.column().classes("wide").props('aria-live="polite"')

    def _cropper(self, which: str) -> ui.element:
        async def upload(event: Any) -> None:
            name = self._visit.studio.folder.save(event.file.name, await event.file.read())
            event.sender.reset()
            if not await self._choose(which, name):
                self._visit.studio.folder.file(name).unlink()

        async def crop(event: Any) -> None:
            self._crops[which] = event.args["detail"]
            await self._preview()

        with ui.element("div").classes("photograph"):
            ui.upload(auto_upload=True, on_upload=upload).classes("away").props('accept="image/*" tabindex=-1')
            made = ui.element("photo-crop").on("crop", crop, ["detail"], throttle=0.1)
            made.props["hint"] = _said("drop", which=_said(which))
            made.props["name"] = _said("frame", which=_said(which))
            another = ui.button(_said("another")).props("flat dense no-caps")
            another.on("click", js_handler="(e) => e.currentTarget.parentElement.querySelector('photo-crop').choose()")
        return made

    async def _choose(self, which: str, name: str) -> bool:
        """Take a photograph; returns whether it is one."""
        rows, columns = self._shape()
        found = await self._visit.ask(f"photo {which}", Call(pictures.photograph, (name, rows, columns)))
        if found is not None:
            self._photos[which], self._crops[which] = name, found[1]
            self._croppers[which].props.update(src=found[0], at=found[1], ratio=columns / rows)
            await self._preview()
        return found is not None

    async def _example(self) -> None:
        for which, name in (("first", "cup"), ("second", "ring")):
            await self._choose(which, name)

    def _shape(self) -> tuple[int, int]:
        return max(int(self._rows.value or 0), 1), max(int(self._columns.value or 0), 1)

    async def _reshape(self) -> None:
        rows, columns = self._shape()
        for cropper in self._croppers.values():
            cropper.props.update(ratio=columns / rows)
        await self._preview()

    def _wishes(self) -> dict[str, Any]:
        rows, columns = self._shape()
        crops = {"crop_a": self._crops.get("first"), "crop_b": self._crops.get("second")}
        return {"rows": rows, "columns": columns, **crops, "weight": self._weight.value, "grey": self._grey.value}

    async def _preview(self) -> None:
        if len(self._photos) == 2:
            call = Call(pictures.foreseen, (self._photos["first"], self._photos["second"], self._wishes()))
            if found := await self._visit.ask("foreseen", call):
                self._expected.clear()
                with self._expected:
                    ui.label(_said("preview", verdict=_said(found[1]))).classes("told")
                    _image(found[0], _said(found[1]))

    async def _from_numbers(self) -> None:
        visit, (rows, columns) = self._visit, self._shape()
        solutions, seed = int(self._solutions.value or 0), int(self._seed.value or 0)
        name = visit.studio.folder.free_name(f"jigsaw-{rows}x{columns}-{solutions}-{seed}", ".json")
        given = {"rows": rows, "columns": columns, "solutions": solutions, "seed": seed, "output": name}
        act = Act("make_jigsaw", (), given)
        visit.shows(act)
        made = await visit.ask("make", Call(pictures.jigsaw_at_once, (given,)))
        if made:
            await visit.open(name, "workshop")
        elif made is False:
            self._watch(visit.studio.runs.add(act, PurePath(name).stem, [name]))

    async def _from_photos(self) -> None:
        if len(self._photos) < 2:
            ui.notify(_said("need_two"), type="warning")
            return
        names = [PurePath(self._photos[which]).stem for which in ("first", "second")]
        folder = self._visit.studio.folder.free_name("-and-".join(names))
        effort = {"scrambles": None if self._effort.value else 1, "seed": int(self._seed.value or 0)}
        wishes = {"output": folder, **self._wishes(), "no_stay": self._no_stay.value, **effort}
        act = Act("make_photo_jigsaw", (self._photos["first"], self._photos["second"]), wishes)
        self._visit.shows(act)
        self._watch(self._visit.studio.runs.add(act, folder, [folder]))

    def _watch(self, one: Run) -> None:
        """Show how far a run is, and what it made when it is done."""

        async def look() -> None:
            if one.progress is not None:
                bar.set_value(one.progress.done)
                note.set_text(one.progress.note)
            if not one.over:
                return
            timer.deactivate()
            stop.delete()
            bar.delete()
            note.set_text(one.words or _said("stopped"))
            if one.state == "done" and one.act.name != "certify":
                await self._visit.open(
                    one.files[0] if one.act.name == "make_jigsaw" else f"{one.files[0]}/jigsaw.json", "workshop"
                )
            elif one.state == "done":
                with box:
                    _link(one.files[0], _said("proof_file", name=one.files[0]))

        with self._proofs if one.act.name == "certify" else self._runs, ui.column().classes("wide") as box:
            ui.label(one.about).classes("told")
            bar = ui.linear_progress(show_value=False).props(f'aria-label="{_said("working")}"')
            note = ui.label(_said("working")).classes("words")
            stop = ui.button(_said("stop"), on_click=lambda: self._visit.studio.runs.stop(one)).props("flat no-caps")
            timer = ui.timer(0.2, look)

    # Look

    def _look(self) -> None:
        self._ways: ui.element | None = ui.element("div").classes("pair")
        ui.button(_said("prove"), icon="verified", on_click=self._prove).props("no-caps")
        self._proofs = ui.column().classes("wide").props('aria-live="polite"')

    async def _show_ways(self) -> None:
        if self._ways is None:
            return
        box, self._ways = self._ways, None
        ways = len(self._visit.puzzle.assemblies)
        with box:
            if not ways:
                ui.label(_said("no_way"))
            for number in range(1, min(ways, _MOST_WAYS) + 1):
                name = self._beside(f"assembly-{number}.png")
                found = (
                    _file(name, shown=True)
                    if name
                    else await self._visit.ask(f"way {number}", Call(pictures.assembly, (self._visit.source, number)))
                )
                with ui.element("figure"):
                    _image(found, _said("way", number=number))
                    with ui.element("figcaption"):
                        ui.label(_said("way", number=number))

    async def _prove(self) -> None:
        proof = f"{self._stem}.drat"
        act = Act("certify", (self._visit.source,), {"proof": proof, "overwrite": True})
        self._visit.shows(act)
        self._watch(self._visit.studio.runs.add(act, self._visit.puzzle.name, [proof]))

    @property
    def _stem(self) -> str:
        """What the names of files begin with."""
        path = PurePosixPath(self._visit.source)
        return path.parent.name or path.stem

    def _beside(self, name: str) -> str | None:
        """A file beside that of the puzzle, if a run made both."""
        folder = PurePosixPath(self._visit.source).parent.name
        path = f"{folder}/{name}"
        return path if folder and self._visit.studio.folder.file(path).is_file() else None

    # Sheet

    def _sheet(self) -> None:
        is_square = not (self._is_jigsaw or self._is_dissection)
        self._controls: dict[str, Any] = {}
        with _bench("picture-first") as (form, sight):
            with sight:
                self._paper = ui.element("div").classes("paper")
                with ui.column().props('aria-live="polite"'):
                    self._told, self._notes = ui.label().classes("told"), ui.column()
            with form:
                size = (30, 500, 5, 120) if self._is_dissection else _SLIDERS["size"]
                for name, (least, most, step, start) in {**_SLIDERS, "size": size}.items():
                    if name == "kerf" and not is_square:
                        self._controls["apart"] = ui.switch(_said("apart"), on_change=self._redraw)
                        ui.label(_said("apart_hint")).classes("soft")
                    if (is_square and name in ("curves", "kerf", "fit")) or (self._is_dissection and name == "curves"):
                        continue
                    with ui.element("div").classes("measure") as row:
                        ui.label(_said("size_dissection" if name == "size" and self._is_dissection else name))
                        shown = ui.label().classes("value")
                        slider = ui.slider(min=least, max=most, step=step, value=start, on_change=self._redraw)
                        slider.props["aria-label"] = _said(name)
                        shown.bind_text_from(slider, "value", partial(_measure, name))
                    self._controls[name] = slider
                    if name in ("kerf", "fit"):
                        row.bind_visibility_from(self._controls["apart"], "value")
                pages = {name or "": _said(label) if name is None else label for name, label in _PAGES.items()}
                self._controls["page"] = ui.select(pages, value="", label=_said("page"), on_change=self._redraw)
                self._controls["numbers"] = ui.switch(_said("numbers_on"), value=True, on_change=self._redraw)

    def _options(self) -> dict[str, Any]:
        """What is asked of a sheet."""
        given = {name: control.value for name, control in self._controls.items()}
        if not given.get("apart"):
            given = {name: value for name, value in given.items() if name not in ("apart", "kerf", "fit")}
        return {**given, "page": given["page"] or None}

    async def _redraw(self) -> None:
        visit, options, notes = self._visit, self._options(), []
        visit.shows(Act("draw_print", (visit.source,), {**options, "output": f"{self._stem}-cut.svg", "sheets": "cut"}))
        call = Call(pictures.sheets, (visit.source, options, _MOST_PAGES))
        try:
            found = await visit.studio.desk.ask(f"sheet {ui.context.client.id}", call, notice=notes.append)
        except JigsatError as error:
            found, notes = ([], [], []), [str(error)]
        if found is None:
            return
        shown, sizes, facts = found
        images = [*self._paper.default_slot.children]
        if len(images) != len(shown):
            self._paper.clear()
            with self._paper:
                images = [_image("", _said("sheet")) for _ in shown]
        for image, address in zip(images, shown, strict=True):
            image.props.update(src=address)
        self._told.set_text(_size_of(sizes))
        self._notes.clear()
        with self._notes:
            for note in notes:
                ui.label(note).classes("warned")
            for fact in facts:
                ui.label(fact).classes("soft")

    # Files

    def _files(self) -> None:
        self._links: dict[str, ui.element] = {}
        with ui.element("div").classes("takeaway"):
            for key, (_, _, _, icon) in _FILES.items():
                if key == "photo" and not self._is_jigsaw:
                    continue
                with ui.card().classes("file"):
                    ui.button(_said(key), icon=icon, on_click=partial(self._take, key)).props("no-caps flat align=left")
                    ui.label(_said(f"{key}_for")).classes("soft")
                    self._links[key] = ui.column()
        folder = PurePosixPath(self._visit.source).parent.name
        if folder:
            ui.label(_said("all_files")).classes("told")
            for name in self._visit.studio.folder.below(folder):
                _link(name, name)

    async def _take(self, key: str) -> None:
        """Make a file with what is asked of the sheet, and download it."""
        source, (function, more, ending, _) = self._visit.source, _FILES[key]
        asked = self._options()
        art = self._beside("artwork.png")
        options: dict[str, Any] = dict(more)
        if function == "draw_print":
            options |= asked | ({"image": art} if art and key == "pdf" and not asked.get("apart") else {})
        elif self._is_jigsaw and key != "puzzle":
            options |= {"curves": asked["curves"]} | ({"image": art} if art else {})
        act = Act(function, (source,), {**options, "output": f"{self._stem}{ending}"})
        if key == "puzzle" and source not in bundled_names():
            ui.download.from_url(_file(source))
            return
        self._visit.shows(act)
        names = await self._visit.ask(f"file {key}", Call(pictures.written, (act,)))
        if names is None:
            return
        self._links[key].clear()
        with self._links[key]:
            for name in names:
                _link(name, name)
        if len(names) == 1:
            ui.download.from_url(_file(names[0]))


@contextmanager
def _bench(more: str = "") -> Iterator[tuple[ui.element, ui.element]]:
    """A form at the left, and what it makes at the right."""
    with ui.element("div").classes(f"bench {more}"):
        yield ui.column().classes("form"), ui.element("div").classes("sight")


def _number(name: str, value: int, changed: Any = None, least: int = 1) -> ui.number:
    return ui.number(_said(name), value=value, min=least, precision=0, on_change=changed)


def _image(address: str, about: str) -> ui.element:
    made = ui.element("img")
    made.props.update(src=address, alt=about)
    return made


def _file(name: str, *, shown: bool = False) -> str:
    from .pages import file_address

    return file_address(name, shown=shown)


def _link(name: str, label: str) -> None:
    ui.link(label, _file(name)).props("download")


def _measure(name: str, value: float) -> str:
    return _said("style" if name == "curves" else "fitted", value=round(value, 2))


def _size_of(sizes: list[tuple[float, float]]) -> str:
    if not sizes:
        return ""
    size = " × ".join(f"{round(length, 1):g}" for length in sizes[0]) + " mm"
    return _said("told_one", size=size) if len(sizes) == 1 else _said("told_many", size=size, pages=len(sizes))
