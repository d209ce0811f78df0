"""Races: the same with any number of threads and after any kill, what ends them, what is refused."""

from dataclasses import replace
from time import sleep

import pytest

import jigsat as js
from jigsat.api.merge import merge
from jigsat.csp.base.errors import EngineError, InstanceError, NotFoundError, UsageError
from jigsat.csp.files.instances import read_dissection, read_squares
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.puzzles.check_board import check
from jigsat.csp.puzzles.edge_matching import EdgeMatchingPuzzle, Fixed
from jigsat.csp.puzzles.slips import anywhere
from jigsat.csp.work.book import Book
from jigsat.estimators.races import run_race
from jigsat.estimators.races.race_book import read_race
from jigsat.estimators.races.race_result import better_words, status_line
from jigsat.estimators.races.run_race import race
from killed_steps import KilledError

PUZZLE = deal_edge_matching(7, 7, 3, 8, seed=1).puzzle
JIGSAW = read_squares("perfect-5x5")


@pytest.fixture(autouse=True)
def without_page(monkeypatch):
    """Figures take half a second."""
    monkeypatch.setattr("jigsat.estimators.races.race_page.write_page", lambda book, folder: None)


def run(folder, puzzle=PUZZLE, **options):
    return race(puzzle, folder, **{"width": 60, "trials": 44, **options})


def contents(folder):
    """All trials and boards, without times."""
    book = read_race(folder)
    trials = [(one.number, one.way, one.score, one.nodes) for one in book.trials.values()]
    return sorted(trials), [kept for kept, _ in book.kept()]


@pytest.fixture(scope="module")
def folder_of_whole(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("jigsat.estimators.races.race_page.write_page", lambda book, folder: None)
        folder = tmp_path_factory.mktemp("whole")
        run(folder)
    return folder


@pytest.fixture(scope="module")
def whole(folder_of_whole):
    return contents(folder_of_whole)


def test_the_number_of_threads_does_not_matter(tmp_path, whole):
    found = run(tmp_path, threads=3)
    assert contents(tmp_path) == whole
    trials, boards = whole
    assert [number for number, *_ in trials] == [*range(44)]
    ways = [way for _, way, *_ in trials]
    assert ways[:32] == 4 * ways[:8]
    assert ways[32:40] != ways[:8]
    assert found.best_score == max(score or 0 for _, _, score, _ in trials)
    assert found.best_score == PUZZLE.score(found.best_board)
    assert sum(found.boards.values()) == len(boards) == len(found.kept())
    assert (found.keep_from, found.ended_by) == (found.best_score - 2, "trials")


@pytest.mark.parametrize("moment", [0, 5, 14, 35])
def test_a_race_that_is_killed_loses_nothing_and_counts_nothing_twice(tmp_path, whole, monkeypatch, moment):
    """It is killed as it records a trial, goes on for a few more, and then ends by itself."""
    add = Book.add

    def add_or_die(book, entry, **how):
        if len(read_race(tmp_path).trials) >= moment and "trial" in entry:
            raise KilledError
        add(book, entry)

    with monkeypatch.context() as patch:
        patch.setattr(Book, "add", add_or_die)
        with pytest.raises(KilledError):
            run(tmp_path, threads=2)
    assert len(contents(tmp_path)[0]) == moment
    assert run(tmp_path, trials=min(moment + 2, 44)).ended_by == "trials"
    run(tmp_path, threads=2)
    assert contents(tmp_path) == whole


def test_parts_of_a_race_are_merged_and_the_race_goes_on(tmp_path):
    """Each part makes the trials of its numbers; another call with the same part finds nothing more to do."""
    for number in (1, 2, 3):
        run(tmp_path / str(number), part=f"{number}/3", threads=number, trials=40)
        numbers = [one for one, *_ in contents(tmp_path / str(number))[0]]
        assert numbers == [*range(number - 1, 40, 3)]
    assert run(tmp_path / "3", part="3/3", trials=40).statistics.trials.number == 13
    merged = merge([tmp_path / str(number) for number in (1, 2, 3)], tmp_path / "merged")
    assert (merged.work, merged.complete, len(contents(tmp_path / "merged")[0])) == ("race", False, 40)
    found = race(None, tmp_path / "merged", trials=44)
    assert (found.sessions, found.statistics.trials.number) == (5, 44)
    with pytest.raises(UsageError, match="is not a part K/N"):
        run(tmp_path / "1", part="4/3")


def test_a_race_that_leaves_nothing_out_ends(tmp_path):
    puzzle = EdgeMatchingPuzzle(2, 2, ((0, 1, 2, 0), (0, 1, 3, 0), (0, 3, 2, 0), (0, 1, 1, 0)))
    found = race(puzzle, tmp_path)
    assert found.ended_by == "exhausted"
    assert found.statistics.trials.number >= 4
    assert found.options["width"] == 100_000


def test_the_status_is_told_while_a_trial_runs(monkeypatch, tmp_path):
    """It says how far the next trials are."""
    monkeypatch.setattr(run_race, "_STATUS_SECONDS", 0.0)
    monkeypatch.setattr(run_race, "_STATUS_PART", 0)
    notes = []
    race(read_squares("eternity2"), tmp_path, width=10_000, trials=1, report=lambda told: notes.append(told.note))
    assert any("under way" in note for note in notes)
    book = read_race(tmp_path)
    assert ", under way 25% 50%, best " in status_line(book, {4: 0.5, 3: 0.25})
    assert "under way" not in status_line(book, {})


def test_a_race_that_is_stopped_before_it_begins_leaves_nothing(tmp_path, monkeypatch):
    def prepare(*of):
        while True:
            sleep(0.01)

    monkeypatch.setattr(run_race, "prepared_race", prepare)
    with pytest.raises(NotFoundError, match="the race had not begun: the time limit was reached"):
        run(tmp_path / "race", time_limit=0.01)
    assert not (tmp_path / "race").exists()


def test_an_order_and_slips_are_kept(tmp_path):
    squares = tuple(reversed(range(49)))
    found = run(tmp_path, order=squares, slips="20x20", trials=2)
    assert found.options["order"].startswith("G7 G6 G5")
    again = race(None, tmp_path, trials=3)
    assert again.options == {**found.options, "slips": "20x20"}
    assert run(tmp_path, order=squares, trials=3).statistics.trials.number == 3


@pytest.mark.parametrize("engine", ["beam", "dive"])
def test_invalid_joins_along_the_frame_are_allowed_on_request(tmp_path, engine):
    """Boards with them are kept, and are accepted when they are read again."""
    width = 60 if engine == "beam" else None
    found = run(tmp_path, engine=engine, width=width, frame_slips="1x4", keep_from=1, trials=3)
    assert found.options["frame_slips"] == "1x4"
    verdicts = [check(PUZZLE, board, anywhere(PUZZLE), range(49)) for board in found.kept()]
    assert any(verdict.invalid_joins for verdict in verdicts)
    with pytest.raises(InstanceError, match="give --frame-slips 1x4, or give another file"):
        run(tmp_path, engine=engine, width=width, frame_slips="1x3")


def test_an_installed_engine_races_with_its_own_option(tmp_path, installed_engines):
    """It makes the same beams as the engine with the wider ones; the option is kept with the others."""
    found = run(tmp_path / "own", engine="wide-beam", width=20, factor=3, trials=3)
    assert found.options == {"width": 20, "factor": 3, "seed": 0}
    run(tmp_path / "wider", trials=3)
    assert contents(tmp_path / "own") == contents(tmp_path / "wider")
    assert race(None, tmp_path / "own", trials=4).statistics.trials.number == 4
    with pytest.raises(InstanceError, match="give --factor 3"):
        js.race(PUZZLE, tmp_path / "own", engine="wide-beam", width=20, factor=2, trials=5)
    with pytest.raises(UsageError, match="the engine beam has no such option") as error:
        run(tmp_path / "other", factor=3)
    assert error.value.options == ("factor",)


REFUSED = {
    "another puzzle": ({"puzzle": JIGSAW}, "instance is .7x7, 3\\+8 colours, seed 1. there and .perfect-5x5. here"),
    "another width": ({"width": 61}, "is the book of other work: give --width 60, or give another file"),
    "another seed": ({"seed": 3}, "give --seed 0"),
    "another engine": ({"engine": "dive"}, "give --engine beam"),
    "another score": ({"keep_from": 3}, "omit --keep-from"),
    "an order": ({"order": "rowscan"}, "omit --order"),
    "another seed, of a report": (
        {"seed": 3, "report_only": True},
        "has another race; omit the puzzle and the options",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_folder_with_another_race_is_refused(folder_of_whole, whole, case):
    options, told = REFUSED[case]
    with pytest.raises(InstanceError, match=told) as error:
        run(folder_of_whole, **options)
    assert "\n" not in str(error.value)
    assert contents(folder_of_whole) == whole


@pytest.mark.parametrize(
    ("options", "error", "told"),
    [
        ({"puzzle": None}, InstanceError, "there is no race in this folder"),
        ({"puzzle": read_dissection("tangram")}, UsageError, "races are for edge-matching puzzles and jigsaws"),
        ({"engine": "backtrack"}, EngineError, "beam or dive"),
        ({"target": 85}, UsageError, "the highest possible score is 84"),
        ({"keep_from": 85}, UsageError, "the highest possible score is 84"),
        ({"trials": 0}, UsageError, "at least 1"),
        ({"cluster_security": "x"}, UsageError, "needs a cluster"),
        ({"cluster": "local:1", "threads": 2}, UsageError, "as many trials at once"),
        ({"device": "cuda", "cluster": "local:1"}, UsageError, "the workers of a cluster search on processors"),
        ({"device": "cuda", "threads": 2}, UsageError, "a search on a GPU has one thread, not 2"),
        ({"device": "cuda", "engine": "dive", "width": None}, EngineError, "engine dive does not run on a GPU"),
        ({"ledger": "x"}, UsageError, "no such option"),
        ({"puzzle": PUZZLE, "report_only": True}, InstanceError, "there is no race in this folder"),
    ],
)
def test_what_makes_no_sense_is_refused(tmp_path, options, error, told):
    with pytest.raises(error, match=told):
        run(tmp_path / "race", **options)
    # A folder with a device would go on to demand one.
    assert "device" not in options or not (tmp_path / "race").exists()
    if isinstance(options.get("puzzle", PUZZLE), EdgeMatchingPuzzle):
        # What was refused decides nothing.
        assert run(tmp_path / "race", seed=5, trials=1).options["seed"] == 5


def test_the_highest_score_takes_joins_between_fixed_pieces_into_account(tmp_path):
    """The inner pieces are fixed on one another's squares, so that two joins between them are invalid."""
    made = deal_edge_matching(4, 4, 2, 2, seed=2)
    placed = [made.solution[square] for square in (6, 10, 9, 5)]
    fixed = [Fixed(square, one.piece, one.rotation) for square, one in zip((5, 6, 9, 10), placed, strict=True)]
    puzzle = replace(made.puzzle, fixed=tuple(fixed))
    found = race(puzzle, tmp_path, width=3000, trials=40)
    assert (found.ended_by, found.best_score) == ("target", 22)
    assert better_words(found) == "none: this is the highest possible score"
    with pytest.raises(UsageError, match="the highest possible score is 22"):
        race(puzzle, tmp_path, target=23)


@pytest.mark.slow
def test_a_cluster_finds_the_same_boards(tmp_path, whole):
    pytest.importorskip("distributed")
    pytest.importorskip("cryptography")
    assert run(tmp_path, cluster="local:2").ended_by == "trials"
    assert contents(tmp_path) == whole
