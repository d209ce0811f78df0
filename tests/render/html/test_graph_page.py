"""The page of a graph of tilings: tilings at dots, moves that end where they say, and what the page says."""

import pytest

from browser import opened
from javascript import data_of, evaluated
from jigsat import read
from jigsat.api.graph import graph
from jigsat.csp.puzzles.dissection import DissectionPuzzle, Motions

SQUARE = ((0, 0), (1, 0), (1, 1), (0, 1))
HALVES = ((0, 0), (1, 0), (0, 1)), ((1, 0), (1, 1), (0, 1))
# Five squares in a U, one of them cut along a diagonal: five tilings up to symmetry, two symmetries.
TARGET = ((0, 0), (3, 0), (3, 2), (2, 2), (2, 1), (1, 1), (1, 2), (0, 2))
PUZZLE = DissectionPuzzle(TARGET, (*[SQUARE] * 4, *HALVES), Motions.LATTICE, name="</script> u")

# The edges whose moves, played to the end, do not give the second tiling, up to the reflection of the target.
WRONG = """() => {
    const points = (text) => text.split(" ").map((point) => point.split(",").map(Number));
    const name = (shapes) => shapes
        .map((shape) => shape.map(([x, y]) => `${Math.round(x)},${Math.round(y)}`).sort().join(" ")).sort().join("|");
    const wrong = [];
    for (const [one, other, , parts] of data.edges) {
        const shapes = data.tilings[one].map(points);
        for (const part of parts) {
            const m = transformation(part, 1).slice(7, -1).split(" ").map(Number);
            for (const piece of part[0]) {
                shapes[piece] = shapes[piece].map(
                    ([x, y]) => [m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5]]);
            }
        }
        const end = data.tilings[other].map(points);
        const mirrored = end.map((shape) => shape.map(([x, y]) => [data.box[0] - x, y]));
        if (![name(end), name(mirrored)].includes(name(shapes))) wrong.push([one, other]);
    }
    return wrong;
}"""


@pytest.mark.parametrize("moves", ["convex", "exchanges"])
def test_moves_end_at_their_tilings(browser, tmp_path, moves):
    """Would catch a rotation the wrong way round, a wrong axis, and parts that are not exchanged."""
    found = graph(PUZZLE, moves=moves, merge=False)
    file = tmp_path / "graph.html"
    found.save(file)
    with opened(browser, file) as page:
        assert page.evaluate("data.edges.length") == found.numbers.edges
        assert page.evaluate(WRONG) == []


def test_pointing_shows_and_clicking_plays(browser, tmp_path):
    found = graph(PUZZLE, moves="exchanges", merge=False)
    file = tmp_path / "graph.html"
    found.page().save(file)
    with opened(browser, file, reduced_motion="reduce") as page:
        first = page.evaluate("data.tilings[0][0]")
        assert page.locator("#tiling polygon").first.get_attribute("points") == first
        page.locator(".dot[data-vertex='3']").hover()
        assert page.locator("#caption").inner_text().startswith("Tiling 4, ")
        neighbour = page.evaluate("[...beside[0].keys()][0]")
        page.locator(f".dot[data-vertex='{neighbour}']").click()
        assert page.locator("#caption").inner_text() == f"From tiling 1 to tiling {neighbour + 1}"
        assert page.locator("#number").input_value() == str(neighbour + 1)
        page.wait_for_function("document.querySelectorAll('#tiling .moving polygon').length > 0")
        page.locator("#again").click()
        page.locator("#number").fill("1")
        page.locator("#number").press("Tab")
        assert page.evaluate("chosen") == 0


def test_keys_reach_the_moves(browser, tmp_path):
    """Catches moves that only a pointer can choose, and a focus that is lost when the list of moves changes."""
    file = tmp_path / "graph.html"
    graph(PUZZLE, moves="exchanges", merge=False).page().save(file)
    with opened(browser, file, reduced_motion="reduce") as page:
        names = page.get_by_role("region", name="Moves").get_by_role("button").all_inner_texts()
        others = page.evaluate("[...beside[0].keys()]")
        assert names == [f"to tiling {other + 1}" for other in others]
        page.get_by_role("button", name=names[0]).focus()
        page.keyboard.press("Enter")
        assert page.locator("#caption").inner_text() == f"From tiling 1 to tiling {others[0] + 1}"
        assert page.evaluate("document.activeElement.textContent").startswith("to tiling ")


def said(data):
    """What the page says about its first move, on the button for it, and in its legend."""
    _, other, kind, parts = data["edges"][0]
    words = "(data, kind, parts, other) => [moveInWords(data, kind, parts), choiceInWords(data, kind, other)]"
    legend = "(data) => data.kinds.map((_, kind) => kindInWords(data, kind, 2))"
    scripts = ("svg.js", "graph_words.js")
    return [*evaluated(scripts, words, data, kind, parts, other), *evaluated(scripts, legend, data)]


def test_moves_without_clusters_are_of_no_kind():
    """Catches "a move move", and "2 move" in the legend."""
    data = data_of(graph(PUZZLE, moves="exchanges", merge=False).page().html)
    move, choice, legend = said(data)
    assert move.startswith("A move: pieces ")
    assert (choice, legend) == (f"to tiling {data['edges'][0][1] + 1}", "2 moves")
    data |= {"kinds": ["global", "local"], "clusters": [0] * len(data["tilings"])}
    move, choice, *legend = said(data)
    assert move.startswith("A global move: ")
    assert (choice.split(", ")[1], legend) == ("global", ["2 global", "2 local"])


def test_pieces_have_the_numbers_of_the_puzzle():
    """Catches the numbers of pieces that are taken as one, which stand nowhere else."""
    found = graph(read("longram"))
    data = data_of(found.page().html)
    assert data["pieces"] == ["+".join(str(piece + 1) for piece in part) for part in found.whole.parts]
    assert "1+2" in data["pieces"]
    merged = data["pieces"].index("1+2")
    for parts, words in (
        ([[[merged], 0]], "A move: pieces 1+2 are turned, up to symmetry."),
        ([[[merged + 1], 1]], "A move: piece 3 is turned over, up to symmetry."),
        ([[[merged + 2], 0], [[merged + 1], 0]], "A move: pieces 3, 4 are exchanged, up to symmetry."),
    ):
        assert evaluated(("svg.js", "graph_words.js"), "moveInWords", data | {"clusters": []}, 0, parts) == words
