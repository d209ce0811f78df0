"""`jigsat solve --best`: what engines that prove nothing say, the width of a beam, the viewer link."""

import re
import signal
from contextlib import nullcontext

import pytest

from command_line import run
from jigsat.csp.files.instances import read_squares, save
from jigsat.csp.files.solutions import read_solutions
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle, Fixed

RACING = ("beam", "dive")
#: What would be a claim that no board is better.
CLAIMS = re.compile(r"optimal|no other board|at most|every branch|excluded|not exist|unsatisfiable")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Small puzzles by name: one with a solution, one of random pieces, one whose fixed pieces leave no full board."""
    folder = tmp_path_factory.mktemp("puzzles")
    puzzles = {
        "planted": deal_edge_matching(4, 4, 2, 3, seed=1).puzzle,
        # With one frame colour every frame closes.
        "random": deal_edge_matching(4, 4, 1, 9, random=True, seed=1).puzzle,
        "none": EdgeMatchingPuzzle(
            1, 4, ((0, 1, 0, 0), (0, 2, 0, 2), (0, 1, 0, 1), (0, 1, 0, 0)), fixed=(Fixed(0, 0, 0), Fixed(1, 1, 0))
        ),
    }
    for name, puzzle in puzzles.items():
        save(puzzle, folder / f"{name}.json")
    return {name: str(folder / f"{name}.json") for name in puzzles}


def best(capsys, puzzle, engine, *options):
    """Status, standard output, standard error; nothing may claim what the engine cannot know."""
    status, out, err = run(capsys, "solve", puzzle, "--best", "--engine", engine, *options)
    assert not CLAIMS.search(out)
    return status, out, err


@pytest.mark.parametrize(
    ("engine", "options", "why"),
    [
        ("beam", ("--width=20",), "many attempts brought no improvement"),
        ("dive", (), "many attempts brought no improvement"),
        ("beam", ("--node-limit=2000",), "the node limit was reached"),
    ],
)
def test_what_ended_the_search_and_nothing_more(engine, options, why, files, capsys):
    status, out, _ = best(capsys, files["random"], engine, *options)
    assert status == 0
    assert re.search(rf": score \d+ of 24, more may be possible; {why}; found in .*:\n", out)


@pytest.mark.parametrize("engine", RACING)
def test_the_fullest_board_where_there_is_no_full_one(engine, files, capsys):
    """Neither a proof that there is no solution, nor a board of fixed pieces only, nor a link to it."""
    status, out, _ = best(capsys, files["none"], engine)
    assert status == 0
    assert "no full board found, many attempts brought no improvement; the fullest board has 2 of 4 pieces (" in out
    assert "1/0" not in out
    assert "View:" not in out


def test_a_link_to_the_best_board(files, capsys, tmp_path):
    """Of any engine, as it is written to a file; read again it is the board of the record."""
    for engine in ("backtrack", "cpsat", "beam"):
        link, boards = tmp_path / f"{engine}.url", tmp_path / f"{engine}.json"
        how = ("solve", files["random"], "--best", "--engine", engine, "--node-limit", "3000")
        how = how[:-2] if engine == "cpsat" else how
        assert run(capsys, *how, "-o", str(link))[0] == 0
        _, out, _ = run(capsys, *how, "-o", str(boards))
        [shown] = re.findall(r"^  View: (https://e2\.bucas\.name/#puzzle=\S+)$", out, re.MULTILINE)
        puzzle = read_squares(files["random"])
        assert link.read_text().strip() == shown
        assert read_solutions(str(link), puzzle) == read_solutions(str(boards), puzzle)


@pytest.mark.parametrize("engine", RACING)
def test_ctrl_c_keeps_the_best_board(engine, capsys, monkeypatch):
    """Pressed when there is a full board; without limits the search would go on."""

    def press(progress):
        if progress.scores is not None and progress.scores[0] is not None:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr("jigsat.cli.progress.progress_bar", lambda arguments, engine, ends: nullcontext(press))
    status, out, _ = best(capsys, "meta10", engine, "--threads=2")
    assert status == 130
    assert re.search(r"score +\d+ of 180, more may be possible; interrupted; ", out)
    assert "  View: https://" in out
