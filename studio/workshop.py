"""The workshop: jigsaws from numbers or two photographs, the ways to lay them, sheets to cut, and files to download."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import PurePath, PurePosixPath
from typing import Any

from nicegui import ui

from ..csp.base.errors import JigsatError
from ..csp.files.file_format import bundled_names
from . import pictures
from .acts import Act
from .runs import Run
from .texts import section
from .visit import Visit
from .worker import Call

# Files to download: the function, its options, and the end of the name.
_FILES: Mapping[str, tuple[str, dict[str, Any], str]] = {
    "svg": ("draw_print", {"sheets": "cut"}, "-cut.svg"),
    "pdf": ("draw_print", {}, "-sheets.pdf"),
    "dxf": ("draw_print", {"sheets": "cut"}, "-cut.dxf"),
    "png": ("draw_print", {"sheets": "cut"}, "-cut.png"),
    "photo": ("draw_photo", {}, "-photo.png"),
    "play": ("view", {"play": True}, "-play.html"),
    "puzzle": ("convert", {}, ".json"),
}
# What the browser may ask of a sheet and of a jigsaw.
_SHEET = {"size": float, "curves": int, "margin": float, "kerf": float, "fit": float, "apart": bool, "numbers": bool}
_PAGES = ("a4", "letter", "a3")
_JIGSAW = {"rows": int, "columns": int, "solutions": int, "seed": int}
_PHOTOS = {"rows": int, "columns": int, "weight": float, "grey": bool, "crop_a": str, "crop_b": str}
_WHICH = ("first", "second")


def build(visit: Visit) -> None:
    """Fill the tab."""
    _Workshop(visit)


class _Workshop(ui.element, component="workshop.js"):
    """The steps of the workshop, which are drawn in the browser; what they ask for comes with the event `ask`."""

    def __init__(self, visit: Visit) -> None:
        super().__init__()
        self._visit, self._source, self._photos = visit, visit.source or "", dict[str, str]()
        # A jigsaw that was made from photographs has a folder of its own.
        path = PurePosixPath(self._source)
        self._folder, self._stem = path.parent.name, path.parent.name or path.stem
        self._answers = {
            "sample": self._sample, "example": self._example, "foresee": self._foresee, "numbers": self._from_numbers,
            "photos": self._from_photos, "stop": self._stop, "ways": self._ways, "prove": self._prove,
            "sheet": self._sheet, "take": self._take,
        }  # fmt: skip
        hidden = {which: ui.upload(on_upload=partial(self._upload, which)).classes("away") for which in _WHICH}
        self.props.update(uploads={which: upload.props["url"] for which, upload in hidden.items()})
        files = visit.studio.folder.below(self._folder) if self._folder else ()
        ways = len(getattr(visit.puzzle, "assemblies", ()))
        puzzle = visit.puzzle and {"kind": visit.puzzle.kind, "ways": ways, "files": _links(files)}
        self.props.update(texts=section("workshop"), puzzle=puzzle)
        self.on("ask", self._asked)
        for one in visit.studio.runs.running():
            if one.act.name in ("make_jigsaw", "make_photo_jigsaw") or one.act.given[:1] == (self._source,):
                self._watch(one)

    async def _asked(self, event: Any) -> None:
        given = dict(event.args)
        if answer := self._answers.get(given.pop("what")):
            await answer(**given)

    def _tell(self, what: str, value: Any) -> None:
        # Answers may come after another puzzle was opened.
        if not self.is_deleted:
            self.run_method("tell", what, value)

    async def _sample(self) -> None:
        self._tell("sample", await self._visit.ask("sample", Call(pictures.ways, ("perfect-5x5", {}))) or [])

    async def _upload(self, which: str, event: Any) -> None:
        folder = self._visit.studio.folder
        name = folder.save(event.file.name, await event.file.read())
        if not await self._choose(which, name):
            folder.file(name).unlink()

    async def _example(self) -> None:
        for which, name in (("first", "cup"), ("second", "ring")):
            await self._choose(which, name)

    async def _choose(self, which: str, name: str) -> bool:
        """Take a photograph; returns whether it is one."""
        found = await self._visit.ask(f"photo {which}", Call(pictures.photograph, (name,)))
        if found:
            self._photos[which] = name
            self._tell("photo", {"which": which, "src": found[0], "at": found[1]})
        return bool(found)

    async def _foresee(self, **wishes: Any) -> None:
        call = Call(pictures.foreseen, (*self._both, _only(_PHOTOS, wishes)))
        if found := await self._visit.ask("foresee", call):
            self._tell("seen", {"src": found[0], "verdict": found[1]})

    @property
    def _both(self) -> tuple[str, str]:
        return self._photos["first"], self._photos["second"]

    async def _from_numbers(self, **wishes: Any) -> None:
        visit, given = self._visit, _only(_JIGSAW, wishes)
        name = visit.studio.folder.free_name("jigsaw-{rows}x{columns}-{solutions}-{seed}".format(**given), ".json")
        act = Act("make_jigsaw", (), {**given, "output": name})
        visit.shows(act)
        made = await visit.ask("make", Call(pictures.jigsaw_at_once, (act.options,)))
        if made:
            await visit.open(name, "workshop")
        elif made is False:
            self._watch(visit.studio.runs.add(act, name, [name]))

    async def _from_photos(self, **wishes: Any) -> None:
        folder = self._visit.studio.folder.free_name("-and-".join(PurePath(each).stem for each in self._both))
        more = _only({"no_stay": bool, "seed": int}, wishes) | ({} if wishes["thorough"] else {"scrambles": 1})
        act = Act("make_photo_jigsaw", self._both, {"output": folder, **_only(_PHOTOS, wishes), **more})
        self._run(act, folder, [folder])

    def _run(self, act: Act, about: str, files: list[str]) -> None:
        self._visit.shows(act)
        self._watch(self._visit.studio.runs.add(act, about, files))

    async def _stop(self, number: int) -> None:
        runs = self._visit.studio.runs
        runs.stop(runs.all[number - 1])

    def _watch(self, one: Run) -> None:
        """Tell how far a run is, and open what it made when it is done."""

        async def look() -> None:
            done, note = (one.progress.done, one.progress.note) if one.progress else (0, "")
            proof = _links(one.files) if one.act.name == "certify" else None
            words = one.words or ("" if one.over else note)
            self._tell("run", {"number": one.number, "about": one.about, "over": one.over, "state": one.state,
                               "done": done, "words": words, "proof": proof})  # fmt: skip
            if one.over:
                timer.deactivate()
                if one.state == "done" and proof is None:
                    name = one.files[0]
                    await self._visit.open(name if name.endswith(".json") else f"{name}/jigsaw.json", "workshop")

        timer = ui.timer(0.2, look)

    def _art(self) -> dict[str, str]:
        """The artwork of a jigsaw that was made from photographs, as an option."""
        name = f"{self._folder}/artwork.png"
        return {"image": name} if self._folder and self._visit.studio.folder.file(name).is_file() else {}

    async def _ways(self) -> None:
        found = await self._visit.ask("ways", Call(pictures.ways, (self._source, self._art())))
        self._tell("ways", found or [])

    async def _prove(self) -> None:
        proof = f"{self._stem}.drat"
        self._run(Act("certify", (self._source,), {"proof": proof, "overwrite": True}), self._stem, [proof])

    async def _sheet(self, **asked: Any) -> None:
        options, notes = _of_sheet(asked), list[str]()
        act = Act("draw_print", (self._source,), {**options, "sheets": "cut", "output": f"{self._stem}-cut.svg"})
        self._visit.shows(act)
        call, topic = Call(pictures.cut, (self._source, options)), f"sheet {self.client.id}"
        try:
            found = await self._visit.studio.desk.ask(topic, call, notice=notes.append)
        except JigsatError as error:
            found, notes = {}, [str(error)]
        if found is not None:
            self._tell("drawn", {"pages": [], "sizes": [], "facts": [], **found, "notes": notes})

    async def _take(self, key: str, options: dict[str, Any]) -> None:
        """Make a file with what is asked of the sheet, for a download."""
        name, more, ending = _FILES[key]
        asked, art, output = _of_sheet(options), self._art(), f"{self._stem}{ending}"
        if name == "draw_print":
            more = {**more, **asked, **(art if key == "pdf" and not asked["apart"] else {})}
        elif key != "puzzle" and "curves" in asked:
            more = {**more, "curves": asked["curves"], **art}
        files: list[str] | None = [self._source]
        if key != "puzzle" or self._source in bundled_names():
            is_puzzle = key == "puzzle"
            act = Act("convert", (self._source, output)) if is_puzzle else Act(name, (self._source,), {**more, "output": output})
            self._visit.shows(act)
            files = await self._visit.ask(f"take {key}", Call(pictures.written, (act,)))
        self._tell("made", {"key": key, "files": _links(files or ())})


def _only(known: Mapping[str, type], asked: Mapping[str, Any]) -> dict[str, Any]:
    """What is asked under known names, as these types: the browser can name no files."""
    return {name: kind(asked[name] or 0) for name, kind in known.items() if asked.get(name) is not None}


def _of_sheet(asked: Mapping[str, Any]) -> dict[str, Any]:
    return {**_only(_SHEET, asked), "page": asked["page"] if asked["page"] in _PAGES else None}


def _links(names: Iterable[str]) -> list[tuple[str, str]]:
    """Files of the folder with their addresses."""
    from .pages import file_address

    return [(name, file_address(name)) for name in names]
