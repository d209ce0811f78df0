"""`jigsat make jigsaw`: what is made is as wished, is proved to be, and says how to make it again."""

import json
import re
from pathlib import Path

import pytest

from command_line import interrupted_in_turn, run
from jigsat.csp.base.stop import Stop
from jigsat.csp.files.instances import read_squares
from jigsat.csp.make.jigsaw import search_jigsaw
from jigsat.csp.make.jigsaw_wishes import JigsawWishes
from jigsat.csp.puzzles.check_board import check

pytestmark = pytest.mark.usefixtures("here")

KEYS = {
    "instance", "kind", "wanted", "answer", "proved", "canonical_count", "complete", "ended_by", "encoding",
    "variables", "clauses", "solutions", "proof", "perfect", "three_perfect", "connectors", "max_use", "shared_joins",
    "shared_joins_of_pairs", "staying_pieces", "faults", "tried", "by_search",
}  # fmt: skip
# What no machine makes within a second.
LONG = ["--rows=22", "--columns=23", "--max-use=3", "--method=annealing", "--seed=1"]
LONG_WITHOUT_STAY = ["--rows=14", "--columns=14", "--no-stay", "--seed=1"]
WITHOUT_END = ["--rows=30", "--columns=30", "--solutions=1", "--max-use=400", "--seed=1", "-o", "made.json"]


def made(capsys, *options):
    """The jigsaw of these options, written by a command that must succeed."""
    status, _, err = run(capsys, "make", "jigsaw", *options, "-o", "made.json")
    assert (status, err) == (0, "")
    return read_squares("made.json")


@pytest.mark.parametrize(
    ("options", "wishes"),
    [
        ("--rows=5 --columns=6 --seed=1", {"rows": 5, "columns": 6, "seed": 1}),
        ("--rows=4 --columns=4 --solutions=4 --seed=1", {"rows": 4, "columns": 4, "solutions": 4, "seed": 1}),
        ("--rows=5 --columns=4 --solutions=1 --seed=1", {"rows": 5, "columns": 4, "solutions": 1, "seed": 1}),
    ],
)
def test_the_record_is_of_what_is_made(capsys, options, wishes):
    """Would catch a record of something else; that what is made is as wished is shown where jigsaws are made."""
    status, out, err = run(capsys, "make", "jigsaw", *options.split(), "-o", "made.json", "--json", "--proof", "proof")
    record, expected = json.loads(out), search_jigsaw(JigsawWishes(**wishes))
    puzzle, found, wanted = read_squares("made.json"), expected.quality, wishes.get("solutions", 2)
    assert (status, err, out.count("\n"), set(record)) == (0, "", 1, KEYS)
    assert (puzzle, puzzle.assemblies) == (expected.puzzle, expected.puzzle.assemblies)
    assert (record["wanted"], record["canonical_count"], record["proved"]) == (wanted, wanted, True)
    assert (record["faults"], record["ended_by"], record["instance"]) == ([], None, puzzle.name)
    assert (record["connectors"], record["max_use"]) == (len(found.uses), max(found.uses.values()))
    assert (record["perfect"], record["tried"]) == (found.perfect, expected.tried)
    shared = {(i + 1, j + 1): joins for (i, j), joins in found.shared.items()}
    assert {tuple(pair["assemblies"]): pair["shared_joins"] for pair in record["shared_joins_of_pairs"]} == shared
    assert record["shared_joins"] == shared.get((1, 2))
    for judge in (["certify", "made.json", "--verify", "proof.json"], ["check", "made.json", "proof.json"]):
        assert run(capsys, *judge)[0] == 0


@pytest.fixture
def time_is_up(monkeypatch):
    """The time limit of each command is over as soon as there is something near, however busy the machine is."""
    tell = Stop.tell

    def told(self, note, done=0.0):
        tell(self, note, done)
        if "nearest" in note:
            self.limit = 0.0

    monkeypatch.setattr(Stop, "tell", told)


@pytest.mark.parametrize("options", [LONG, LONG_WITHOUT_STAY])
def test_at_the_time_limit_the_nearest_is_written_and_said_to_be_so(capsys, time_is_up, options):
    """Would catch a jigsaw that passes for what it is not, and work that is thrown away."""
    command = ["make", "jigsaw", *options, "--time-limit=600", "-o", "made.json", "--proof", "proof"]
    status, out, err = run(capsys, *command)
    assert (status, err.count("\n")) == (1, 1)
    assert re.fullmatch(r"Wrote made\.json \(.+ KiB\)\.\n", out)
    kept = "; kept in made.json.part, "
    assert re.search(rf": \d+ pieces, NOT as requested: .+ \(the time limit was reached\){kept}", err)
    assert sorted(path.name for path in Path().iterdir()) == ["made.json", "made.json.part"]
    puzzle = read_squares("made.json")
    assert all(check(puzzle, board).is_solution for board in puzzle.assemblies)
    status, out, err = run(capsys, *command, "--json", "--resume")
    record = json.loads(out)
    assert (status, err, record["ended_by"]) == (1, "", "time")
    assert record["faults"]


def test_ctrl_c():
    """Would catch a traceback, a work that cannot be stopped, and one that is thrown away, also as JSON.

    With one connector nothing comes near for long: then there is nothing to write.  And where hardly a piece is
    determined, a count would search millions of nodes before it is stopped.
    """
    told, asked = "jigsat.csp.base.stop:Stop.tell:2", "jigsat.csp.base.stop:Stop.__call__"
    small = "--rows=6", "--columns=6", "--types=3", "-o", "small.json", "--json"
    nothing = "--rows=7", "--columns=7", "--types=1", "--seed=1", "-o", "nothing.json"
    text, record, none, _ = interrupted_in_turn(
        ("process", told, "make", "jigsaw", *LONG_WITHOUT_STAY, "-o", "-"),
        ("group", told, "make", "jigsaw", *small),
        ("process", asked, "make", "jigsaw", *nothing),
        ("process", f"{asked}:3", "make", "jigsaw", *WITHOUT_END),
    )
    assert re.search(r"NOT as requested: .+ \(interrupted\)\n", text[1])
    Path("made.json").write_text(text[0])
    found = json.loads(record[0])
    assert (found["ended_by"], record[1]) == ("interrupt", "")
    assert found["faults"]
    for name in ("made.json", "small.json"):
        puzzle = read_squares(name)
        assert len(puzzle.assemblies) > 1
        assert all(check(puzzle, board).is_solution for board in puzzle.assemblies)
    assert none[1].count("\n") == 1


FIVE = ["--rows=5", "--columns=5"]


def test_the_rest_of_another_proof_is_refused_before_anything_is_made(capsys):
    """Catches a jigsaw on standard output whose proof is refused then."""
    Path("proof.part").write_text("x")
    command = ["make", "jigsaw", *FIVE, "--seed=1", "--proof=proof"]
    status, out, err = run(capsys, *command)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "--resume and --overwrite: one of them is needed: proof.part is left from a run that was stopped" in err
    assert run(capsys, *command, "-o", "made.json")[0] == 2
    assert [path.name for path in Path().iterdir()] == ["proof.part"]
    assert run(capsys, *command, "-o", "made.json", "--overwrite")[0] == 0
    assert sorted(path.name for path in Path().iterdir()) == ["made.json", "proof", "proof.cnf", "proof.json"]
