"""The workshop: jigsaws from numbers or two photographs, the ways to lay them, sheets to cut, and files to download."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from pathlib import PurePath, PurePosixPath
from typing import Any

from nicegui import ui

from ..api.certify import certified
from ..api.public import Act, written
from ..csp.base.errors import JigsatError
from ..csp.files.file_format import bundled_names
from ..csp.files.instances import beside
from ..csp.files.picture_files import bundled_pictures
from ..csp.make.jigsaw_wishes import JigsawWishes
from ..csp.puzzles.board import Board
from ..csp.puzzles.edge_matching import EdgeMatchingPuzzle, Rule
from ..csp.work.kept_runs import Run
from ..csp.work.processes import Call
from . import pictures
from .texts import section, text
from .visit import Asking, Visit

# Files to download: the function, its options, and the end of the name.
_FILES: Mapping[str, tuple[str, dict[str, Any], str]] = {
    "svg": ("draw_print", {"sheets": "cut"}, "-cut.svg"), "pdf": ("draw_print", {}, "-sheets.pdf"),
    "dxf": ("draw_print", {"sheets": "cut"}, "-cut.dxf"), "png": ("draw_print", {"sheets": "cut"}, "-cut.png"),
    "print": ("draw_print", {"sheets": "print,cut"}, "-print.pdf"),
    "strip": ("draw_print", {"sheets": "strip"}, "-strip.svg"),
    "scissors": ("draw_print", {"sheets": "scissors"}, "-scissors.pdf"),
    "photo": ("draw_photo", {}, "-photo.png"), "play": ("view", {"play": True}, "-play.html"),
    "puzzle": ("convert", {}, ".json"),
}  # fmt: skip
# What the browser may ask of a jigsaw, of pictures and of a sheet.
_NUMBERS = {"rows": int, "columns": int, "solutions": int, "seed": int}
_PHOTOS = {"rows": int, "columns": int, "weight": float, "grey": bool, "crop_a": str, "crop_b": str}
# The sizes that two boards take the place of.
_OF_ONE = "rows", "columns", "solutions", "no_stay"
_LENGTHS: dict[str, Any] = dict.fromkeys(("size", "margin", "kerf", "fit"), int | float)
_SHEET = {**_LENGTHS, "curves": int, "apart": bool, "numbers": bool, "page": str}
# The files of a certificate of one board; that of two has more.
_OF_ONE_BOARD = 3
# The most runs that are looked at for those that made jigsaws.
_MAKERS, _MOST_RUNS = ("make_jigsaw", "make_boards_jigsaw", "make_photo_jigsaw"), 20


class Workshop(Asking, component="workshop.js"):
    """The steps of the workshop, drawn in the browser."""

    def __init__(self, visit: Visit) -> None:
        super().__init__(visit)
        self._folder, self._runs, self._proof = visit.studio.folder, visit.studio.runs, list[str]()
        self._source, self._photos = visit.source or "", {"first": "", "second": ""}
        # A jigsaw that was made from photographs is in a folder of its own.
        path = PurePosixPath(self._source)
        folder, self._stem = path.parent.name, path.parent.name or path.stem
        self._made = [*self._folder.below(folder)] if folder else []
        # It was painted for the tabs of shape 0.
        image = f"{folder}/artwork.png" if folder else self._source
        self._art = {"image": image} if image in (*self._made, *bundled_pictures()) else {}
        self._second = self._second_board()
        uploads = {each: ui.upload(on_upload=partial(self._upload, each)).classes("hidden") for each in self._photos}
        self.props["uploads"] = {which: upload.props["url"] for which, upload in uploads.items()}
        ways = len(getattr(visit.puzzle, "assemblies", ()))
        puzzle = {"source": self._source, "ways": ways, "files": self._made, "art": bool(self._art)}
        self.props["puzzle"] = visit.puzzle and {**puzzle, "kind": visit.puzzle.kind}
        # The page asks for the photographs that were dropped on the shelf, and those that it had before a reload.
        self.props.update(texts=section("workshop"), brought=[*visit.photos])
        visit.photos.clear()
        for one in self._runs.all[-_MOST_RUNS:]:
            if one.act.name in _MAKERS or (one.act.given[:1] == (self._source,) and not one.over):
                self._watch(one)

    def _second_board(self) -> dict[str, str]:
        """The option that names the file of a second board, if there is one beside the puzzle."""
        puzzle = self._visit.puzzle
        if (
            isinstance(puzzle, EdgeMatchingPuzzle)
            and puzzle.rule is Rule.OPPOSITE
            and puzzle.rows == puzzle.columns > 1
        ):
            name = beside(self._source, Board(puzzle.rows - 1, puzzle.columns + 1)).as_posix()
            # A bundled puzzle, or a link, is in no folder.
            with suppress(JigsatError):
                if name in self._folder.below(name):
                    return {"second_board": name}
        return {}

    def _tell(self, what: str, value: Any) -> None:
        # Answers may come after another puzzle was opened.
        if not self.is_deleted:
            self.run_method("tell", what, value)

    async def _ask(self, key: str, call: Call) -> tuple[Any, list[str]]:
        """The answer, or None, and its notices; an error is shown beside what it is about."""
        notes, found, why = list[str](), None, ""
        try:
            found = await self._visit.studio.desk.ask(f"{key} {self.client.id}", call, notice=notes.append)
        except JigsatError as error:
            why = str(error)
        self._tell("wrong", {"key": key, "why": why})
        return found, notes

    async def _upload(self, which: str, event: Any) -> None:
        name = self._folder.save(event.file.name, await event.file.read())
        if not await self._choose(which, name):
            self._folder.file(name).unlink()

    async def answer_again(self, which: str, name: str) -> None:
        """Take a photograph that is in the folder."""
        if which in self._photos and (name in bundled_pictures() or self._folder.file(name).is_file()):
            await self._choose(which, name)

    async def _choose(self, which: str, name: str) -> bool:
        """Take a photograph; returns whether it is one."""
        from ..render.photo.files import small_photo

        found, _ = await self._ask(which, Call(small_photo, (name,)))
        if found:
            self._photos[which] = name
            self._tell("photo", {"which": which, "name": name, "src": found[0], "at": found[1]})
        return bool(found)

    async def answer_foresee(self, **wishes: Any) -> None:
        # Without notices: the frame shows what is cut off.
        given = *self._photos.values(), on_boards(wishes, _PHOTOS)
        found, _ = await self._ask("foresee", Call(pictures.foreseen, given))
        if found:
            self._tell("seen", {"src": found[0], "verdict": found[1]})

    async def answer_check(self, **wishes: Any) -> None:
        # Its error says why there is no such jigsaw.
        given = on_boards(wishes, _NUMBERS)
        if "boards" in given:
            await self._ask("numbers", Call(pictures.refuse_boards, (given["boards"],)))
        else:
            await self._ask("numbers", Call(JigsawWishes, (), given))

    async def answer_numbers(self, **wishes: Any) -> None:
        given = on_boards(wishes, _NUMBERS)
        maker, size = "make_jigsaw", "{rows}x{columns}-{solutions}"
        if "boards" in given:
            maker, size = "make_boards_jigsaw", given["boards"].replace(",", "-and-")
        wish = f"jigsaw-{size.format(**given)}-{given['seed']}"
        name = self._folder.free_name(wish, ".json")
        self._run(Act(maker, (), {**given, "output": name}), wish, name)

    async def answer_photos(self, **wishes: Any) -> None:
        name = self._folder.free_name("-and-".join(PurePath(each).stem for each in self._photos.values()))
        asked = on_boards(wishes, {**_PHOTOS, "no_stay": bool, "seed": int})
        more = {} if wishes["thorough"] else {"scrambles": 1}
        both, wanted = tuple(self._photos.values()), {"output": name, **asked, **more}
        self._run(Act("make_photo_jigsaw", both, wanted), name, name)

    async def answer_prove(self) -> None:
        proof = f"{self._stem}.drat"
        options = {"proof": proof, "overwrite": True, **self._second}
        self._run(Act("certify", (self._source,), options), self._stem, proof)

    def _run(self, act: Act, about: str, file: str) -> None:
        self._visit.shows(act)
        self._watch(self._runs.add(act, about, [file]))

    async def answer_run(self, number: int, action: str) -> None:
        """Stop a run, continue it, or open what it has made."""
        one = self._runs.find(number)
        if one and action == "stop":
            self._runs.stop(one)
        elif one and action == "go_on":
            self._runs.go_on(one)
            self._watch(one)
        elif one and action == "open":
            await self._visit.open(_opened(one), "workshop")

    def _watch(self, one: Run[Act]) -> None:
        """Tell how far a run is, and open what it made when it is done, if the tab is shown."""
        was_over, is_proof = one.over, one.act.name == "certify"

        async def look() -> None:
            done, note = (one.progress.done, one.progress.note) if one.progress else (0, "")
            shown = {"number": one.number, "about": one.about, "state": one.state, "over": one.over, "done": done}
            is_made = one.state == "done" and self._folder.file(_opened(one)).is_file()
            words = one.words or ("" if one.over else note)
            self._tell("run", {**shown, "words": words, "proof": is_proof, "made": is_made})
            if one.over:
                timer.deactivate()
                if is_proof:
                    await self._tell_proof()
                elif is_made and not was_over and self._visit.tab == "workshop":
                    await self._visit.open(_opened(one), "workshop")

        timer = ui.timer(0.2, look)

    async def answer_ways(self, sample: bool = False) -> None:
        given = ("perfect-5x5", {}, {}) if sample else (self._source, self._art, self._second)
        found, _ = await self._ask("ways", Call(pictures.ways, given))
        self._tell("sample" if sample else "ways", found or [])
        if not sample:
            await self._tell_proof()

    async def _tell_proof(self) -> None:
        pages = [name for name in self._folder.names(".json", below="certificate.drat.json") if ".drat." in name]
        assert self._visit.puzzle is not None
        number, self._proof = await asyncio.to_thread(certified, self._visit.puzzle, self._folder.path, pages)
        if self._second and len(self._proof) <= _OF_ONE_BOARD:
            number = 0
        self._tell("proof", {"number": number, "files": self._proof, "boards": bool(self._second)})

    async def answer_sheet(self, **asked: Any) -> None:
        options = only(_SHEET, asked)
        act = Act("draw_print", (self._source,), {**options, "sheets": "cut", "output": f"{self._stem}-cut.svg"})
        self._visit.shows(act)
        found, notes = await self._ask("sheet", Call(pictures.cut, (self._source, options)))
        if found:
            self._tell("drawn", {**found, "notes": notes})

    async def answer_take(self, key: str, options: dict[str, Any]) -> None:
        """Make a file with what is asked of the sheet, for a download."""
        if key in ("whole", "proof"):
            await self._pack(key)
            return
        name, more, ending = _FILES[key]
        asked, files, art = only(_SHEET, options), [self._source, *self._second.values()], self._art
        if name == "draw_print":
            is_printed = key in ("print", "scissors") or (key == "pdf" and not asked["apart"])
            more = {**more, **asked, **(art if is_printed else {}), **(self._second if key == "pdf" else {})}
        elif name != "convert":
            more = {**more, **only({"curves": int}, asked), **art, **(self._second if key == "play" else {})}
        if name != "convert" or self._source in bundled_names():
            output = f"{self._stem}{ending}"
            given, to = ((self._source, output), {}) if name == "convert" else ((self._source,), {"output": output})
            act = Act(name, given, {**more, **to})
            self._visit.shows(act)
            files, _ = await self._ask(f"take-{key}", Call(written, (act,)))
        self._tell("made", {"key": key, "files": files or []})

    async def _pack(self, key: str) -> None:
        """A zip file with the folder of the jigsaw, but not what is large and can be made again; or with a proof."""
        names = [name for name in self._made if not PurePath(name).name.startswith(("uv-map", "print"))]
        output, words = f"{self._stem}.zip", {}
        if key == "proof":
            names, output = [self._source, *self._proof, *self._second.values()], f"{self._stem}-proof.zip"
            proof, formula, *others, page = (PurePath(name).name for name in self._proof)
            given = {"puzzle": PurePath(self._source).name, "proof": proof, "formula": formula, "page": page}
            words = {"READ-ME.txt": text("workshop.read_me", **given)}
            if self._second:
                words["READ-ME.txt"] += text("workshop.read_me_boards", proof=others[0], formula=others[1])
        await asyncio.to_thread(self._folder.pack, output, names, words)
        self._tell("made", {"key": key, "files": [output]})


def _opened(one: Run[Act]) -> str:
    """The puzzle that a run has made."""
    return one.files[0] if one.files[0].endswith(".json") else f"{one.files[0]}/{pictures.JIGSAW}"


def on_boards(asked: Mapping[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
    """What is asked as by `only`, with two boards instead of the size of one if they are asked for."""
    found = only(known, asked)
    if asked.get("two_boards") is not True:
        return found
    n = found["rows"]
    others = {name: value for name, value in found.items() if name not in _OF_ONE}
    return {"boards": f"{n}x{n},{n - 1}x{n + 1}", **others}


def only(known: Mapping[str, Any], asked: Mapping[str, Any]) -> dict[str, Any]:
    """What is asked under known names and is of these types: no question of the browser names a file."""
    return {name: asked[name] for name, kind in known.items() if isinstance(asked.get(name), kind)}
