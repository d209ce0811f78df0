"""`jigsat cut`: what it writes and says, and what it refuses."""

import re
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree as ET

import ezdxf
import pytest
from PIL import Image
from shapely.geometry import Polygon, box

from command_line import run
from jigsat.api.cut import draw_print
from jigsat.csp.base import errors
from jigsat.csp.files.instances import read_puzzle
from jigsat.csp.puzzles.board import Placement
from solution_files import save_solutions

PUZZLE = read_puzzle("perfect-5x5")
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def printed(capsys, here):
    """Runs `jigsat cut` in an empty folder; what it said, a line each, and the names of the files."""

    def made(*arguments, output="cut.svg", status=0):
        before = set(here.iterdir())
        found, out, err = run(capsys, "cut", *arguments, "-o", output)
        assert found == status, err
        if status:
            assert out == ""
            assert set(here.iterdir()) == before
            assert re.fullmatch(r"jigsat.*\n", err), err
            return err
        assert err == ""
        lines = [line for line in out.splitlines() if not line.startswith("Next: open ")]
        return lines, sorted(path.name for path in set(here.iterdir()) - before)

    return made


@pytest.fixture
def image(tmp_path_factory):
    path = tmp_path_factory.mktemp("pictures") / "art.png"
    Image.new("RGB", (900, 900), "#336699").save(path)
    return str(path)


def group(name, layer):
    with open(name, encoding="ascii") as file:
        return ET.parse(file).getroot().find(f"{SVG}g[@id='{layer}']")


def test_sheets_in_files_of_their_own(printed):
    """Catches files that are missing or not reported."""
    lines, files = printed("perfect-5x5", "--verbose")
    assert files == ["cut-assembly-1.svg", "cut-assembly-2.svg", "cut-legend.svg", "cut.svg"]
    assert re.fullmatch(r"20 types of connectors; any two differ by at least .* times the kerf of 0\.15 mm", lines[6])
    assert "the narrowest neck is" in lines[7]
    assert lines[2].split(maxsplit=1)[1] == "145 x 169 mm    cut, squares A1 to E5"
    assert lines[:2] == [
        "cut.svg: 145 x 169 mm, to cut; only this goes to the laser",
        "beside it: cut-legend.svg, cut-assembly-1.svg, cut-assembly-2.svg",
    ]
    assert len(group("cut.svg", "cut")) == 9


def test_a_solution_that_is_no_assembly(printed):
    """Catches a picture that is missing: what is cut is shown, too."""
    turned = tuple(Placement(piece, (rotation + 2) % 4) for piece, rotation in reversed(PUZZLE.assemblies[0]))
    save_solutions(PUZZLE, [turned], "turned.json")
    lines, files = printed("perfect-5x5", "turned.json", "--sheets", "assemblies")
    assert files == ["cut-assembly-1.svg", "cut-assembly-2.svg", "cut-solution.svg"]
    assert lines[0] == "Wrote cut-solution.svg, cut-assembly-1.svg, cut-assembly-2.svg"


def test_missing_libraries_of_the_workshop(printed, monkeypatch):
    """Catches a traceback where shapely or ezdxf is not installed."""
    monkeypatch.setattr(errors, "find_spec", lambda name: None)
    how = "install it with pip install 'jigsat[workshop]'"
    assert f"closed outlines need shapely: {how}" in printed("perfect-3x3", "--apart", status=2)
    assert f"closed outlines need shapely: {how}" in printed("ostomachion", status=2)
    assert f"DXF files need ezdxf: {how}" in printed("perfect-3x3", output="cut.dxf", status=2)


def test_pieces_laid_apart_for_a_laser(printed):
    """Catches layers that are missing, lines that are open, and a fit that is not what was asked for."""
    lines, files = printed(
        "perfect-3x3", "--apart", "--kerf=0.2", "--fit=-0.05", "--test-strip", "-v", output="cut.dxf"
    )
    assert files == ["cut-assembly-1.dxf", "cut-assembly-2.dxf", "cut-legend.dxf", "cut-strip.dxf", "cut.dxf"]
    document = ezdxf.readfile("cut.dxf")
    assert (document.units, {"CUT", "MARK", "ENGRAVE"} <= {layer.dxf.name for layer in document.layers}) == (4, True)
    cut = document.modelspace().query('LWPOLYLINE[layer=="CUT"]')
    assert [line.closed for line in cut] == [True] * 9
    assert len(document.modelspace().query('LWPOLYLINE[layer=="ENGRAVE"]')) == 18
    assert {text.dxf.layer for text in document.modelspace().query("TEXT")} == {"MARK"}
    assert not document.audit().has_errors
    found = re.search(r"0\.125 mm outside .* are to be -0\.05 mm and measure (\S+) to (\S+) mm", lines[-1])
    assert lines[:2] == [
        "cut.dxf: 120 x 148.3 mm, to cut", "cut-strip.dxf: 159.3 x 195.2 mm, to cut; only these go to the laser",
    ]  # fmt: skip
    assert [float(gap) for gap in found.groups()] == pytest.approx([-0.05, -0.05], abs=0.004)


def strip_of(name):
    """The closed lines and the size of a test strip."""
    sheet = ET.parse(name).getroot()
    lines = [line.get("d") for line in group(name, "cut") if "z" in line.get("d")]
    shapes = [Polygon([map(float, spot.split()) for spot in re.findall(r"[-\d.]+ [-\d.]+", line)]) for line in lines]
    return shapes, tuple(float(sheet.get(axis).removesuffix("mm")) for axis in ("width", "height"))


@pytest.mark.parametrize(
    "options",
    [["--size=70", "--kerf=4"], ["--page=a3"], ["--page=k40"], ["--page=600x150"], ["--page=a4", "--size=15"]],
)
def test_test_strips(printed, options):
    """Catches pairs of pieces whose lines cross, and pairs beside the page."""
    printed("perfect-5x5", "--apart", "--sheets=strip", *options, output="strip.svg")
    shapes, size = strip_of("strip.svg")
    assert len(shapes) == 15
    assert not any(one.intersects(other) for one, other in combinations(shapes, 2))
    assert all(shape.within(box(10, 10, size[0] - 10, size[1] - 34)) for shape in shapes)
    page = {"--page=a3": (297, 420), "--page=k40": (300, 200), "--page=600x150": (600, 150), "--page=a4": (210, 297)}
    assert size == page.get(options[0], size)


def test_a_print_that_is_cut_later(printed, image):
    """Catches marks at other places on the print than on the sheet that is cut, and pictures that a laser burns."""
    lines, files = printed("perfect-5x5", "--image", image, "--name", "For Ada")
    assert {"cut.svg", "cut-print.svg", "cut-back.svg"} <= set(files)
    assert lines[0].endswith("only this goes to the laser")
    assert [group("cut.svg", layer) for layer in ("picture", "engrave")] == [None, None]
    assert group("cut-print.svg", "cut") is None
    assert group("cut-print.svg", "picture") is not None
    marks = [ET.tostring(group(f"{name}.svg", "marks")) for name in ("cut", "cut-print")]
    assert marks[0] == marks[1]
    assert group("cut.svg", "notes").find(f"{SVG}text").text == "For Ada"
    printed("perfect-5x5", "--image", image, "--sheets", "CUT, Print", "--bleed", "2", output="loud.svg")


def test_backs_follow_their_fronts(image):
    """Catches backs after the sheets that are cut, though it is the print that is turned over."""
    for sheets, order in (
        ("print,cut,back", "cut-1 cut-2 print-1 back-1 print-2 back-2"),
        ("back,cut,assemblies", "cut-1 back-1 cut-2 back-2 assembly-1 assembly-2"),
        ("back,scissors", "scissors-1 back-1 scissors-2 back-2"),
        ("back,print", "print-1 back-1 print-2 back-2"),
        ("back,assemblies", "back-1 back-2 assembly-1 assembly-2"),
    ):
        made = draw_print(PUZZLE, image=image, page="150x160", sheets=sheets).sheets
        assert " ".join(sheet.name for sheet in made) == order


@pytest.mark.filterwarnings("default")
@pytest.mark.usefixtures("here")
def test_warnings_of_what_costs_money(capsys):
    """A line each, before anything is cut; none where nothing is lost."""
    Image.new("RGB", (400, 500), "#336699").save("small.png")
    crop = ("--image=small.png", "--crop-at=top")
    coarse = "small.png: 81 dots an inch in print, which look coarse below 150; give one at least 739 pixels wide, or"
    rim = "small.png: 20 % of its height is cut off, 0 % at the top and 20 % at the bottom"
    thin = "piece 2, piece 4, piece 5, piece 10: loses a part thinner than the cut of 1 mm"
    for options, *warned in (
        (("perfect-5x5", *crop), rim, coarse),
        (("perfect-5x5", *crop, "--size=13"), rim),
        (
            ("perfect-5x5", *crop, "--apart"),
            rim,
            "small.png: is drawn on the assemblies only, not on pieces laid apart",
        ),
        (("perfect-5x5", "--kerf=0.2"), "kerf 0.2: nothing makes up for it, as two pieces share each line"),
        (("ostomachion", "--kerf=1", "--size=60"), thin, "kerf 1: nothing makes up for it"),
        (("ostomachion", "--kerf=1", "--size=60", "--apart"),),
    ):
        status, _, err = run(capsys, "cut", *options, "-o", "cut.svg")
        assert status == 0
        for line, what in zip(err.splitlines(), warned, strict=True):
            assert line.startswith(f"jigsat: warning: {what}")


@pytest.mark.filterwarnings("default")
def test_letters_that_fonts_lack(capsys, printed):
    """Catches question marks without a word."""
    for ending, warning in (
        ("pdf", "jigsat: warning: a PDF has question marks for 'ИгрА木'; SVG and DXF have these letters\n"),
        ("png", "jigsat: warning: a PNG has question marks for 'ИгрА木'; SVG and DXF have these letters\n"),
        ("svg", ""),
        ("dxf", ""),
    ):
        some = ("perfect-3x3", "--sheets=cut", "--page=a4", "--name=ИгрА 木 Ärger", "-o", f"some.{ending}")
        status, _, err = run(capsys, "cut", *some)
        assert (status, err) == (0, warning)


def test_own_outlines(printed, tmp_path):
    """Catches pieces that keep their corners, and outlines that leave no piece."""
    rounded = "M30 0H70C95 0 100 10 100 30V70C100 95 90 100 70 100H30C5 100 0 90 0 70V30C0 5 10 0 30 0Z"
    files = {
        "round": f'<path d="{rounded}"/>', "none": "", "star": '<path d="M50 0L60 90L0 30H100L40 90Z"/>',
        "thin": '<path d="M0 0H100V3H0Z"/>', "open": '<path d="M0 0H100V100L9 90"/>',
        "second": f'<defs><path d="M0 0H9V1H0Z"/></defs><path d="M0 0H50L40 30V9M0 0h1M1 1h1z"/><path d="{rounded}"/>',
        "clipped": f'<g><clipPath id="a"><rect width="9" height="1"/></clipPath><path d="{rounded}"/></g>',
        "circle": '<circle cx="1000" cy="50" r="40"/>',
    }  # fmt: skip
    for name, content in files.items():
        (tmp_path / f"{name}.svg").write_text(f'<svg xmlns="http://www.w3.org/2000/svg">{content}</svg>')
    text, _ = printed("perfect-3x3", "--outline", "round.svg", "--sheets", "cut", "--apart", "-v")
    assert text[-1].startswith("the outline is that of the assembly that is cut")
    assert len(group("cut.svg", "cut")) == 9
    printed("perfect-3x3", "--outline", "round.svg", "--sheets", "cut", output="whole.svg")
    assert len(group("whole.svg", "cut")) == 5
    for name in ("second", "clipped"):
        printed("perfect-3x3", "--outline", f"{name}.svg", "--sheets", "cut", output="same.svg")
        assert Path("same.svg").read_bytes() == Path("whole.svg").read_bytes()
        Path("same.svg").unlink()
    printed("perfect-3x3", "--outline", "circle.svg", "--sheets", "cut", output="disc.svg")
    for name, message in (
        ("none", "none.svg: has no closed path"),
        ("open", "open.svg: has no closed path"),
        ("star", "star.svg: the outline crosses or touches itself"),
        ("thin", "thin.svg: leaves no whole piece at least 1 mm wide on A1, A2, A3, C1, C2, ..."),
    ):
        assert message in printed("perfect-3x3", "--outline", f"{name}.svg", status=2)


def test_a_puzzle_to_give_away(printed):
    """Catches numbers in the order of the solution, and marks that show it."""
    lines, files = printed("perfect-3x3", "--hide-solution", "--seed", "3")
    assert files == ["cut.svg"]
    assert lines[-1] == "cut.svg: 120 x 119 mm, to cut"
    assert group("cut.svg", "notes").find(f"{SVG}text").text == "3x3 jigsaw"
    # 6 and 9 are underlined.
    assert len(group("cut.svg", "engrave")) == 11
    printed("perfect-3x3", "--hide-solution", "--seed", "4", output="other.svg")
    assert ET.tostring(group("cut.svg", "engrave")) != ET.tostring(group("other.svg", "engrave"))
