"""Searches for a jigsaw that were stopped continue, and make the same jigsaw."""

import json
import random

import pytest

from jigsat.api.make import make_jigsaw
from jigsat.csp.base.errors import InstanceError, NotFoundError
from jigsat.csp.base.stop import never
from jigsat.csp.files.instances import format_instance, read_squares
from jigsat.csp.make import jigsaw
from jigsat.csp.make.jigsaw import head_of, search_jigsaw
from jigsat.csp.make.jigsaw_wishes import JigsawWishes
from jigsat.csp.work.steps import keep_steps
from killed_steps import KilledError, killed_after

#: Searches with several annealings and counts, and how many there are in all.
WISHES = {
    "no stay": ({"rows": 6, "columns": 6, "no_stay": True, "seed": 5}, 7),
    "many": ({"rows": 5, "columns": 5, "solutions": 3, "seed": 1}, 166),
    "three disjoint": ({"rows": 7, "columns": 7, "solutions": 3, "disjoint": True, "max_use": 6, "seed": 26}, 2),
    "closed form": ({"rows": 5, "columns": 5, "seed": 4}, 4),
    "planted": ({"rows": 4, "columns": 4, "solutions": 1, "max_use": 3, "seed": 1}, 1),
}


@pytest.mark.parametrize("what", [pytest.param(w, marks=[pytest.mark.slow] if w == "many" else []) for w in WISHES])
def test_a_killed_search_makes_the_same_jigsaw(tmp_path, monkeypatch, what):
    (wishes, steps), output, chance = WISHES[what], tmp_path / "made.json", random.Random(1)
    whole = search_jigsaw(JigsawWishes(**wishes))
    done = 0
    while done < steps:
        with monkeypatch.context() as patched:
            killed_after(patched, more := chance.randrange(1, steps // 2 + 2))
            try:
                make_jigsaw(**wishes, output=output, resume=True)
                break
            except KilledError:
                done += more
                assert not output.exists()
    made = make_jigsaw(**wishes, output=output, resume=True)
    assert (made, made.assemblies) == (whole.puzzle, whole.puzzle.assemblies)
    assert output.read_text() == format_instance(whole.puzzle)
    assert [path.name for path in tmp_path.iterdir()] == ["made.json"]


def test_the_nearest_is_written_and_says_so(tmp_path):
    wishes, output = {"rows": 12, "columns": 12, "no_stay": True, "max_use": 2, "seed": 1}, tmp_path / "made.json"
    with pytest.raises(NotFoundError, match="the time limit was reached"):
        make_jigsaw(**wishes, output=output, time_limit=0)
    assert read_squares(output).source.startswith("NOT as wished, but the nearest jigsaw found by: jigsat make jigsaw")
    # It does not replace another one, which is complete.
    make_jigsaw(5, 5, seed=1, output=output, overwrite=True)
    before = output.read_text()
    with pytest.raises(NotFoundError):
        make_jigsaw(**wishes, output=output, time_limit=0)
    assert output.read_text() == before


def test_steps_that_were_not_taken_over_replace_nothing(tmp_path, monkeypatch):
    """A run that is stopped while it reads what an earlier one has done knows less than that one."""
    wishes, output = WISHES["many"][0], tmp_path / "made.json"
    with keep_steps(output, head_of(JigsawWishes(**wishes))) as kept:
        kept.add({"annealed": {"steps": 1, "energy": 9, "scramble": None}})
        kept.write_answer(b"nearest")
    monkeypatch.setattr(jigsaw, "search_jigsaw", lambda wishes, *, kept, **_: _not_taken_over(kept))
    with pytest.raises(NotFoundError):
        make_jigsaw(**wishes, output=output, resume=True, time_limit=0)
    assert output.read_text() == "nearest"


@pytest.mark.parametrize("steps", [0, 3])
def test_the_nearest_of_a_stopped_search_is_no_step(tmp_path, monkeypatch, steps):
    """Although its solutions are counted, if that takes no time: the next run has other jigsaws to count."""
    wishes, output, run_aside = WISHES["no stay"][0], tmp_path / "made.json", jigsaw.run_aside
    with monkeypatch.context() as patched:
        killed_after(patched, steps)
        with pytest.raises(KilledError):
            make_jigsaw(**wishes, output=output)
    with monkeypatch.context() as patched:
        patched.setattr(jigsaw, "run_aside", lambda *arguments: run_aside(*arguments[:-1], never))
        with pytest.raises(NotFoundError):
            make_jigsaw(**wishes, output=output, resume=True, time_limit=0)
    made = make_jigsaw(**wishes, output=output, resume=True)
    assert made == search_jigsaw(JigsawWishes(**wishes)).puzzle


def _not_taken_over(kept):
    kept.taken_over = False
    return search_jigsaw(JigsawWishes(**WISHES["closed form"][0]), must_stop=lambda: True)


def test_kept_steps_are_checked(tmp_path):
    wishes, output = WISHES["many"][0], tmp_path / "made.json"
    row = [[1, 0], [2, 0], [3, 0], [4, 0], [5, 0]]
    solution = {"solutions": [[row] * 5], "count": 1, "ended_by": None}
    for entries, message in (
        ([{"annealed": {"steps": 1, "energy": 0, "scramble": None}}], "a scramble is missing"),
        ([{"annealed": {"steps": 1, "energy": 0, "scramble": [row] * 5}}], "piece 1 is used twice"),
        ([{"annealed": {"steps": -1, "energy": 0, "scramble": None}}], "steps"),
        ([{"annealed": 3}], "a JSON object is expected"),
        ([{"counted": solution}], "piece 1 is used twice"),
        ([{"counted": {}}], "solutions"),
    ):
        with keep_steps(output, head_of(JigsawWishes(**wishes)), overwrite=True) as kept:
            for entry in entries:
                kept.add(json.loads(json.dumps(entry)))
        with pytest.raises(InstanceError, match=message):
            make_jigsaw(**wishes, output=output, resume=True)
