"""Comparisons without a file: the same runs as by a file, what they are called, and puzzles in memory."""

import pytest

import jigsat as js
from experiment_texts import part, planned, pretended
from jigsat.csp.base.errors import EngineError, JigsatError, UsageError
from jigsat.estimators.experiments.given import title_of


@pytest.fixture
def boards(tmp_path, monkeypatch):
    """A folder with two puzzles, a solution, and what is no puzzle; the current folder is the one that has it."""
    folder = tmp_path / "boards"
    folder.mkdir()
    for seed in (1, 2):
        wishes = {"random": True} if seed == 2 else {"solution": folder / "a-solution.json"}
        wishes |= {"frame_colors": 2, "inner_colors": 2, "seed": seed, "output": folder / f"b{seed}.json"}
        js.make_edge_matching(rows=3, columns=3, **wishes)
    (folder / "notes.md").write_text("no puzzle")
    monkeypatch.chdir(tmp_path)
    return folder


def runs(puzzles, **options):
    return js.compare(puzzles, dry_run=True, **options).runs


def test_a_comparison_makes_the_runs_of_a_file(boards, tmp_path):
    """With the same fingerprints, so that either goes on with the records of the other; a file may name a folder."""
    entries = [{"engine": "backtrack", "order": ["rowscan", "spiral_in"]}]
    entries.append({"engine": "cpsat", "encoding": ["pairs", "table"], "seed": [1, 2]})
    entries.append({"engine": "sat:cadical195", "encoding": "pairs"})
    limits = {"seconds": 5}
    of_file = planned(tmp_path, part(*entries, instances=[{"instance": "boards"}], limits=limits, repetitions=2))
    assert len(of_file) == 2 * 2 * (2 + 4 + 1)
    options = {"goal": "count", "time_limit": 5, "orders": "rowscan,spiral_in", "encodings": "pairs, table"}
    options |= {"seeds": "1..2", "repetitions": 2, "engines": "backtrack,cpsat,sat:cadical195"}
    for puzzles in ("boards", "boards/b*.json", ["boards/b1.json", boards / "b2.json"]):
        assert [run.fingerprint for run in runs(puzzles, **options)] == [run.fingerprint for run in of_file]
    named = {"engines": ["backtrack", "cpsat", "sat:cadical195"], "orders": ["rowscan", "spiral_in"], "seeds": [1, 2]}
    assert [run.fingerprint for run in runs("boards", **{**options, **named})] == [run.fingerprint for run in of_file]
    assert runs("boards", **{**options, "engines": entries, "orders": None, "encodings": None, "seeds": None}) == runs(
        "boards", **options
    )


def test_the_usual_engines_are_those_that_can(boards):
    engines = ("backtrack", "most-constrained", "cpsat", "sat:cadical195")
    assert tuple(dict.fromkeys(run.engine for run in runs("boards"))) == engines
    assert {run.engine for run in runs(["boards", "tangram"], goal="count")} == {"backtrack", "cpsat", "sat:cadical195"}
    assert "beam" in {run.engine for run in runs("boards", goal="best")}


@pytest.mark.parametrize(
    ("puzzles", "folder"),
    [
        ("boards", "boards"), ("boards/", "boards"), (["boards/b*.json", "clue1"], "boards-clue1"),
        ("boards/b1.json", "b1"), (["clue1", "tangram"], "clue1-tangram"), ("smoke", "smoke"),
        (["clue1", "clue3", "meta10", "puzzle-a", "puzzle-c"], "clue1-and-4-more"),
        (["boards/b1.json", "boards/b2.json", *["boards/b?.json"] * 2, "boards/b*"], "b1-b2-boards"),
    ],
)  # fmt: skip
def test_the_folder_is_called_after_what_is_compared(boards, puzzles, folder):
    options = {} if puzzles == "smoke" else {"engines": "backtrack"}
    found = js.compare(puzzles, dry_run=True, **options)
    assert found.book.parent.name == f"{folder}-comparison"
    assert title_of([f"boards/{name}.json" for name in "abcd"]) == "boards"
    assert not found.book.parent.exists()


def test_puzzles_in_memory_are_kept_with_their_records(boards, monkeypatch):
    """The second call finds the runs of the first; a puzzle says whether it is planted."""
    asked = pretended(monkeypatch.setattr)
    puzzles = [js.read(boards / "b1.json"), js.read(boards / "b2.json"), "perfect-3x3"]
    for executed in (3, 0):
        found = js.compare(puzzles, "out", engines="backtrack")
        assert (found.executed, found.complete, len(asked)) == (executed, True, 3)
    assert [run.facts["planted"] for run in asked] == [1, 0, 2]
    assert len(list((boards.parent / "out" / "puzzles").iterdir())) == 2
    assert "planted" in found.to_csv(by="puzzle").partition("\n")[0]
    for write, name in ((found.to_csv, "runs.csv"), (found.to_markdown, "runs.md"), (found.to_latex, "runs.tex")):
        write("copy", by="run")
        assert (boards.parent / "copy").read_text() == (boards.parent / "out" / "tables" / name).read_text()
    with pytest.raises(UsageError, match="must be engine, puzzle, run or prediction"):
        found.to_csv(by="goal")


@pytest.mark.parametrize(
    ("puzzles", "options", "error", "words"),
    [
        ("boards", {"engines": "backtrak"}, EngineError, r"unknown engine 'backtrak' \(did you mean 'backtrack'\?"),
        ("boards", {"encodings": "pairz"}, EngineError, r"unknown CP-SAT encoding 'pairz' \(did you mean 'pairs'"),
        ("boards", {"engines": "cpsat", "orders": "rowscan"}, EngineError, "order: the engine cpsat does not follow"),
        ("boards", {"orders": "rowscn"}, JigsatError, "compare, engine 1, on 3x3.*did you mean 'rowscan'"),
        ("boards", {"engines": ""}, UsageError, "name at least one engine"),
        ("boards", {"seeds": "one"}, UsageError, "'one' is neither a whole number nor a range"),
        ("boards/*.csv", {}, JigsatError, r"files 'boards/\*.csv': no file in .* matches"),
        (".", {}, JigsatError, r"\.: there is no puzzle in this folder"),
        ("smok", {}, JigsatError, r"nor a bundled experiment or puzzle \(did you mean 'smoke'\?\)"),
        (["smoke", "clue1"], {}, UsageError, "smoke is an experiment, which is run alone"),
        ([], {}, UsageError, "at least one puzzle is needed"),
        (["clue1", 3], {}, UsageError, "must be puzzles, or where they are, not int"),
        ("smoke", {"engines": "cpsat"}, UsageError, "the experiment smoke says that itself"),
    ],
)
def test_misuse(boards, puzzles, options, error, words):
    with pytest.raises(error, match=words):
        js.compare(puzzles, dry_run=True, **options)
    assert [path.name for path in boards.parent.iterdir()] == ["boards"]
