"""Pictures and pages of puzzles, made in processes aside."""

import json
import re
from base64 import b64encode
from collections.abc import Mapping
from contextlib import suppress
from fractions import Fraction
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ..api.cut import draw_print
from ..api.draw import draw, draw_photo
from ..api.pictures import preview_pictures
from ..api.public import Act, written
from ..api.solve import explain
from ..api.view import view
from ..csp.base.errors import JigsatError, grouped, plural, told_if_done
from ..csp.base.folder import Folder
from ..csp.base.safe_files import first_bytes
from ..csp.base.words import about_duration
from ..csp.engines.engine import engines_for
from ..csp.engines.request import Goal, Options
from ..csp.files.file_format import is_markup
from ..csp.files.instances import described, read_puzzle, read_squares
from ..csp.files.picture_files import whole_image
from ..csp.files.solutions import read_with_board
from ..csp.files.to_show import own_solutions
from ..csp.make.two_boards import BoardsWishes, parsed_boards
from ..estimators.effort.search_effort import expected_logs
from ..estimators.plan.explain import choices_of
from ..estimators.plan.laying import read_dropped, solution_of
from ..render.svg.thumbnail import draw_thumbnail
from .texts import text

#: The jigsaw in a folder that was made of photographs.
JIGSAW = "jigsaw.json"
#: The endings of photographs.
PHOTOS = (".jpg", ".jpeg", ".png", ".webp", ".heic", ".avif", ".gif", ".bmp", ".tif", ".tiff")


def thumbnail(source: str) -> str:
    """The SVG of a puzzle on the shelf: its picture, a board or tiling that its file has, otherwise its pieces."""
    if (artwork := Path(source).with_name("artwork.png")).is_file() and "/" in source:
        (picture := whole_image(str(artwork))).thumbnail((400, 400))
        size = 'width="{}" height="{}"'.format(*picture.size)
        return f'<svg xmlns="http://www.w3.org/2000/svg" {size}><image href="{_jpeg(picture)}" {size}/></svg>'
    puzzle, board = read_with_board(source)
    return draw_thumbnail(puzzle, board or next(iter(own_solutions(puzzle)), None))


def facts(source: str, known: Mapping[str, Any]) -> dict[str, Any]:
    """What the shelf says of a puzzle that `list_puzzles` describes."""
    size = text("shelf.squares" if known["rows"] else "shelf.pieces", **{**known, "pieces": grouped(known["pieces"])})
    number = known["solutions"]
    ways = "" if number is None else text("shelf.one_known" if number == 1 else "shelf.known", number=grouped(number))
    shown = {key: known[key] for key in ("name", "kind", "about")}
    return {"source": source, "size": size, "known": ways, **shown}


def own_puzzles(names: list[str]) -> list[dict[str, Any]]:
    """What the shelf says of those files that are puzzles."""
    found = []
    for name in names:
        with suppress(JigsatError):
            found.append(facts(name, {**described(read_puzzle(name)), "about": name}))
    return found


def taken(name: str, among: list[str], opened: str | None) -> tuple[str, str, Act | None, Any]:
    """What a dropped file is: the puzzle to open, the tab for it, what was done to it, and what it lays on the board.

    Raises JigsatError if it is of no use.
    """
    if Path(name).suffix.lower() in PHOTOS:
        from ..render.photo.files import small_photo

        small_photo(name)
        return name, "workshop", None, None
    if Path(name).suffix.lower() == ".zip":
        return f"{Folder('.').unpack(name, JIGSAW)}/{JIGSAW}", "workshop", None, None
    start = first_bytes(name, 2000).decode("utf-8", "replace")
    if not is_markup(start):
        try:
            with told_if_done():
                source, laid = read_dropped(name, among, opened)
            return source, "board", None, laid
        except JigsatError as error:
            if not re.fullmatch(r"\s*([A-Z0-9.]+\s+)+", f"{start}\n"):
                if name.endswith(".txt"):
                    error.add_note(text("shelf.letters"))
                raise
    act = Act("make_dissection", (name,), {"output": str(Path(name).with_suffix(".json"))})
    written(act)
    return act.options["output"], "board", act, None


def page_to_play(source: str) -> str:
    """The HTML of the page to play a puzzle."""
    return view(source, play=True).html


def board_picture(source: str, board: Any) -> str:
    """The SVG of a board or tiling, as files of solutions have it, or of a board of pairs as `Run.best`."""
    puzzle = read_puzzle(source)
    return draw(puzzle, solution_of(puzzle, board)).svg


def ways_to_goal(source: str, goal: str, options: dict[str, Any]) -> dict[str, Any]:
    """The prediction in a sentence, and what is to be chosen."""
    found = explain(source, goal, **options)  # pyright: ignore[reportArgumentType]
    return {"sentence": found.summary().partition("\n")[0], "ways": choices_of(found)}


def expected_by_depth(source: str, order: str, slips: str, symmetry: bool) -> str:
    """The decimal logarithms of the nodes that a search along an order is expected to visit at each depth, as JSON."""
    return json.dumps(expected_logs(read_puzzle(source), Options(order=order, slips=slips or None, symmetry=symmetry)))


def refuse_boards(boards: str) -> None:
    """Raise UsageError if no jigsaw of these two boards can be made."""
    BoardsWishes(*parsed_boards(boards))


def ways(source: str, options: Mapping[str, Any], second: Mapping[str, str]) -> list[str]:
    """The first assemblies of a jigsaw, as addresses of pictures as large as a window; of two boards that of each."""
    jigsaw = read_squares(source)
    options, most = {**options, "pixels": min(1000 // max(jigsaw.rows, jigsaw.columns), 160)}, len(jigsaw.assemblies)
    asked = [{}, second] if second else [{"number": number} for number in range(1, min(most, 8) + 1)]
    return [_jpeg(draw_photo(source, **each, **options).image) for each in asked]


def cut(source: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """The sheets to cut: the first twelve as addresses of pictures, all sizes in mm, and what is certain of them."""
    from ..render.cut.documents import screen_svg

    made = draw_print(source, sheets="cut", **options)
    pages = [_address("svg+xml", screen_svg(sheet, made.name).encode()) for sheet in made.sheets[:12]]
    return {"pages": pages, "sizes": [(sheet.width, sheet.height) for sheet in made.sheets], "facts": made.facts}


def foreseen(first: str, second: str, options: Mapping[str, Any]) -> tuple[str, str]:
    """A preview of a jigsaw that shows two photographs, as the address of a picture, and the verdict."""
    with TemporaryDirectory() as folder:
        file = Path(folder, "preview.png")
        verdict = preview_pictures(first, second, file, pixels=16, **options).verdict
        return _address("png", file.read_bytes()), verdict


def engines_able(sources: list[str], goal: str) -> list[str]:
    """The engines that have the goal for each of these puzzles."""
    able = [engines_for(read_puzzle(source), Goal(goal)) for source in sources]
    return [name for name in able[0] if all(name in names for names in able)] if able else []


def price(act: Act) -> dict[str, Any]:
    """The number of runs of a comparison, its predicted time, and the time if each run takes all it may."""
    found = act.function(*act.given, **act.options)
    seconds, most = sum((found.predicted_seconds or {}).values()), len(found.runs) * act.options["time_limit"]
    times = {key: about_duration(Fraction(number)) for key, number in (("time", seconds), ("most", most))}
    return {"runs": plural(len(found.runs), "run"), **times}


def _jpeg(picture: Any) -> str:
    picture.convert("RGB").save(content := BytesIO(), "JPEG", quality=88)
    return _address("jpeg", content.getvalue())


def _address(kind: str, content: bytes) -> str:
    return f"data:image/{kind};base64,{b64encode(content).decode()}"
