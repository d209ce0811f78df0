"""The workshop: jigsaws from numbers or two photographs, the ways to lay them, sheets to cut, and files to download."""

from collections.abc import Mapping
from functools import partial
from pathlib import PurePath, PurePosixPath
from typing import Any

from nicegui import ui

from ..csp.base.errors import JigsatError
from ..csp.files.file_format import bundled_names
from ..csp.work.kept_runs import Run
from ..csp.work.processes import Call
from . import pictures
from .acts import Act
from .texts import section
from .visit import Asking, Visit

# Files to download: the function, its options, and the end of the name.
_FILES: Mapping[str, tuple[str, dict[str, Any], str]] = {
    "svg": ("draw_print", {"sheets": "cut"}, "-cut.svg"), "pdf": ("draw_print", {}, "-sheets.pdf"),
    "dxf": ("draw_print", {"sheets": "cut"}, "-cut.dxf"), "png": ("draw_print", {"sheets": "cut"}, "-cut.png"),
    "photo": ("draw_photo", {}, "-photo.png"), "play": ("view", {"play": True}, "-play.html"),
    "puzzle": ("convert", {}, ".json"),
}  # fmt: skip
# What the browser may ask of a jigsaw, of pictures and of a sheet.
_NUMBERS = {"rows": int, "columns": int, "solutions": int, "seed": int}
_PHOTOS = {"rows": int, "columns": int, "weight": float, "grey": bool, "crop_a": str, "crop_b": str}
_LENGTHS: dict[str, Any] = dict.fromkeys(("size", "margin", "kerf", "fit"), int | float)
_SHEET = {**_LENGTHS, "curves": int, "apart": bool, "numbers": bool, "page": str}


def build(visit: Visit) -> None:
    """Fill the tab."""
    _Workshop(visit)


class _Workshop(Asking, component="workshop.js"):
    """The steps of the workshop, drawn in the browser."""

    def __init__(self, visit: Visit) -> None:
        super().__init__(visit)
        self._source, self._photos = visit.source or "", {"first": "", "second": ""}
        # A jigsaw that was made from photographs is in a folder of its own.
        path = PurePosixPath(self._source)
        folder, self._stem = path.parent.name, path.parent.name or path.stem
        made = [*visit.studio.folder.below(folder)] if folder else []
        self._art = {"image": f"{folder}/artwork.png"} if f"{folder}/artwork.png" in made else {}
        uploads = {each: ui.upload(on_upload=partial(self._upload, each)).classes("hidden") for each in self._photos}
        self._ways = len(getattr(visit.puzzle, "assemblies", ()))
        self.props["uploads"] = {which: upload.props["url"] for which, upload in uploads.items()}
        puzzle = visit.puzzle and {"kind": visit.puzzle.kind, "ways": self._ways, "files": made}
        self.props.update(puzzle=puzzle, texts=section("workshop"))
        for one in visit.studio.runs.running():
            if one.act.name in ("make_jigsaw", "make_photo_jigsaw") or one.act.given[:1] == (self._source,):
                self._watch(one)
        if visit.photos:
            ui.timer(0, self._take_photos, once=True)

    async def _take_photos(self) -> None:
        """Take the photographs that were dropped on the shelf."""
        for which in self._photos:
            if self._visit.photos and not self._photos[which]:
                await self._choose(which, self._visit.photos.pop(0))
        self._visit.photos.clear()

    def _tell(self, what: str, value: Any) -> None:
        # Answers may come after another puzzle was opened.
        if not self.is_deleted:
            self.run_method("tell", what, value)

    async def _upload(self, which: str, event: Any) -> None:
        name = self._visit.studio.folder.save(event.file.name, await event.file.read())
        if not await self._choose(which, name):
            self._visit.studio.folder.file(name).unlink()

    async def answer_example(self) -> None:
        for which, name in (("first", "cup"), ("second", "ring")):
            await self._choose(which, name)

    async def _choose(self, which: str, name: str) -> bool:
        """Take a photograph; returns whether it is one."""
        found = await self._visit.ask(f"photo {which}", Call(pictures.photograph, (name,)))
        if found:
            self._photos[which] = name
            self._tell("photo", {"which": which, "src": found[0], "at": found[1]})
        return bool(found)

    async def answer_foresee(self, **wishes: Any) -> None:
        call = Call(pictures.foreseen, (*self._photos.values(), only(_PHOTOS, wishes)))
        async with self._visit.telling():
            # Without notices: the frame shows what is cut off.
            if found := await self._visit.studio.desk.ask(f"foresee {self.client.id}", call):
                self._tell("seen", {"src": found[0], "verdict": found[1]})

    async def answer_numbers(self, **wishes: Any) -> None:
        given = only(_NUMBERS, wishes)
        wish = "jigsaw-{rows}x{columns}-{solutions}-{seed}".format(**given)
        name = self._visit.studio.folder.free_name(wish, ".json")
        self._run(Act("make_jigsaw", (), {**given, "output": name}), wish, name)

    async def answer_photos(self, **wishes: Any) -> None:
        name = self._visit.studio.folder.free_name("-and-".join(PurePath(each).stem for each in self._photos.values()))
        more = only({"no_stay": bool, "seed": int}, wishes) | ({} if wishes["thorough"] else {"scrambles": 1})
        both, wanted = tuple(self._photos.values()), {"output": name, **only(_PHOTOS, wishes), **more}
        self._run(Act("make_photo_jigsaw", both, wanted), name, name)

    async def answer_prove(self) -> None:
        proof = f"{self._stem}.drat"
        self._run(Act("certify", (self._source,), {"proof": proof, "overwrite": True}), self._stem, proof)

    def _run(self, act: Act, about: str, file: str) -> None:
        self._visit.shows(act)
        self._watch(self._visit.studio.runs.add(act, about, [file]))

    async def answer_stop(self, number: int) -> None:
        if one := self._visit.studio.runs.find(number):
            self._visit.studio.runs.stop(one)

    async def answer_go_on(self, number: int) -> None:
        if one := self._visit.studio.runs.find(number):
            self._visit.studio.runs.go_on(one)
            self._watch(one)

    def _watch(self, one: Run[Act]) -> None:
        """Tell how far a run is, and open what it made when it is done."""

        async def look() -> None:
            done, note = (one.progress.done, one.progress.note) if one.progress else (0, "")
            shown = {"number": one.number, "about": one.about, "state": one.state, "over": one.over, "done": done}
            proof = one.files if one.act.name == "certify" else None
            self._tell("run", {**shown, "words": one.words or ("" if one.over else note), "proof": proof})
            if one.over:
                timer.deactivate()
                if one.state == "done" and proof is None:
                    (name,) = one.files
                    await self._visit.open(name if name.endswith(".json") else f"{name}/jigsaw.json", "workshop")

        timer = ui.timer(0.2, look)

    async def answer_ways(self, sample: bool = False) -> None:
        given = ("perfect-5x5", 2, {}) if sample else (self._source, min(self._ways, 8), self._art)
        self._tell("sample" if sample else "ways", await self._visit.ask("ways", Call(pictures.ways, given)) or [])

    async def answer_sheet(self, **asked: Any) -> None:
        options, notes = only(_SHEET, asked), list[str]()
        act = Act("draw_print", (self._source,), {**options, "sheets": "cut", "output": f"{self._stem}-cut.svg"})
        self._visit.shows(act)
        call, topic = Call(pictures.cut, (self._source, options)), f"sheet {self.client.id}"
        try:
            found = await self._visit.studio.desk.ask(topic, call, notice=notes.append)
        except JigsatError as error:
            found, notes = {"pages": [], "sizes": [], "facts": []}, [str(error)]
        if found is not None:
            self._tell("drawn", {**found, "notes": notes})

    async def answer_take(self, key: str, options: dict[str, Any]) -> None:
        """Make a file with what is asked of the sheet, for a download."""
        name, more, ending = _FILES[key]
        asked, files = only(_SHEET, options), [self._source]
        if name == "draw_print":
            more = {**more, **asked, **(self._art if key == "pdf" and not asked["apart"] else {})}
        elif name != "convert" and "curves" in asked:
            more = {**more, "curves": asked["curves"], **self._art}
        if name != "convert" or self._source in bundled_names():
            output = f"{self._stem}{ending}"
            given, to = ((self._source, output), {}) if name == "convert" else ((self._source,), {"output": output})
            act = Act(name, given, {**more, **to})
            self._visit.shows(act)
            files = await self._visit.ask(f"take {key}", Call(pictures.written, (act,))) or []
        self._tell("made", {"key": key, "files": files})


def only(known: Mapping[str, Any], asked: Mapping[str, Any]) -> dict[str, Any]:
    """What is asked under known names and is of these types: no question of the browser names a file."""
    return {name: asked[name] for name, kind in known.items() if isinstance(asked.get(name), kind)}
