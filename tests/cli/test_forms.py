"""`jigsat forms`: which convex forms can be tiled, in words, for scripts, and drawn."""

import json

import pytest

from command_line import interrupted_in_turn, run

KEYS = {"instance", "kind", "class", "vertices", "candidates", "count", "complete", "ended_by", "forms"}
KEYS |= {"off_lattice", "by_vertices", "refuted", "refuted_forms"}


def test_all_forms_and_the_others_with_reasons(capsys):
    _, out, _ = run(capsys, "forms", "tangram", "--any-lengths", "--verbose")
    lines = out.splitlines()
    assert lines[0] == "tangram: exactly 13 forms can be tiled; all 20 candidates were decided."
    assert "  candidates       20" in lines
    assert "    (0, 0) (1, 0) (9, 8) (8, 8)  lengths" in lines
    assert "     4 vertices    6 forms of 13 candidates, 70 canonical tilings" in lines


def test_time_limit(capsys):
    # A lower bound must be called one.
    status, out, _ = run(capsys, "forms", "ostomachion", "--vertices=6", "--time-limit=0")
    assert status == 0
    assert "at least 0 forms" in out
    assert "NOT complete: the time limit was reached" in out
    _, out, _ = run(capsys, "forms", "ostomachion", "--vertices=6", "--time-limit=0", "--json")
    assert (json.loads(out)["complete"], json.loads(out)["ended_by"]) == (False, "time")


def test_interrupted():
    # While candidates are being tiled, and while they are being looked for.
    stop = "jigsat.csp.tilings.tile_forms:_Solver.solved:2"
    tiling = ("process", stop, "forms", "ostomachion", "--vertices=3", "--json")
    looking = ("process", "jigsat.csp.base.stop:Stop.__call__:100", "forms", "ostomachion", "--vertices=12", "--json")
    (out, _), (early, _) = interrupted_in_turn(tiling, looking)
    for data in (json.loads(out), json.loads(early)):
        assert (data["complete"], data["ended_by"]) == (False, "interrupt")
    assert json.loads(out)["candidates"] > 1


@pytest.mark.parametrize(("ending", "begin"), [("svg", b"<svg"), ("png", b"\x89PNG"), ("pdf", b"%PDF"), ("json", b"{")])
def test_the_ending_decides_the_format(capsys, tmp_path, ending, begin):
    file = tmp_path / f"forms.{ending}"
    assert run(capsys, "forms", "tangram", "--vertices=3", "-o", str(file))[0] == 0
    assert file.read_bytes().startswith(begin)
    assert run(capsys, "forms", "tangram", "--vertices=3", "-o", str(tmp_path / "forms.dot"))[0] == 2
