"""The table of a race: each trial and each board once, refusals, damage."""

import sqlite3
from contextlib import closing
from itertools import permutations

import pytest

from jigsat.csp.base.errors import InstanceError
from jigsat.csp.base.stopping import Stop
from jigsat.csp.engines.request import NO_LIMITS, Options
from jigsat.csp.files.instances import format_instance
from jigsat.csp.files.races.race_table import FILE, RaceHead, RaceTable, open_race, read_race
from jigsat.csp.files.races.trials import FoundBoard, Trial, Wanted
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.search.beam.engine import BeamSearch

PUZZLE = deal_edge_matching(6, 6, 3, 7, seed=1).puzzle
HEAD = RaceHead(puzzle=format_instance(PUZZLE), engine="beam", options={"width": 5}, seed=0)
RACE = BeamSearch().race(PUZZLE, NO_LIMITS, Options(width=100), Stop())
ALL = sorted(RACE.trial(0, Wanted(0, adapted=False), 0).boards, key=lambda found: -found.score)
# The last ones are below what is kept beside the others.
BOARDS = [ALL[place].board for place in (0, 1, -2, -1)]


def found(board, origin="beam"):
    return FoundBoard(board, PUZZLE.score(board), origin)


def trial(number, *boards):
    score = max((board.score for board in boards), default=None)
    return Trial(number, "rowscan", 5, "0", score, 100, 0.5, 1.0, False, boards)


def head(there):
    return HEAD if there is None else there


def contents(folder):
    with read_race(folder) as table:
        return [one.trial for one in table.trials.values()], list(table.kept()), dict(table.boards), table.wanted


def filled(folder, *groups, keep=HEAD):
    with open_race(folder, lambda there: keep) as table:
        table.begin_session(1)
        for seconds, trials in enumerate(groups, 1):
            table.record(trials, float(seconds))
    return contents(folder)


def test_what_is_recorded_is_read_again(tmp_path):
    keep = HEAD.model_copy(update={"keep_from": 0})
    trials, kept, boards, _ = filled(tmp_path, [trial(1, found(BOARDS[0], "improved"))], [trial(0)], keep=keep)
    assert [(one.number, one.score, one.nodes, one.cpu_seconds) for one in trials] == [
        (0, None, 100, 0.5), (1, PUZZLE.score(BOARDS[0]), 100, 0.5)
    ]  # fmt: skip
    assert [(one.board, one.trial, one.origin) for one in kept] == [(BOARDS[0], 1, "improved")]
    assert boards == {PUZZLE.score(BOARDS[0]): 1}
    with read_race(tmp_path) as table:
        assert (table.seconds, len(table.sessions), table.head) == (2.0, 1, keep)
        assert [next(table.missing())] == [2]


def test_a_board_is_kept_once_whatever_the_order_of_the_trials(tmp_path):
    """It belongs to the trial with the lowest number; a turned board is the same."""
    turned = PUZZLE.board.turned_arrangement(BOARDS[0], 1)
    trials = [
        trial(0, found(BOARDS[1]), found(BOARDS[2])),
        trial(1, found(BOARDS[0]), found(BOARDS[1])),
        trial(2, found(turned), found(BOARDS[3])),
    ]
    seen = {str(filled(tmp_path / str(n), *([one] for one in order))) for n, order in enumerate(permutations(trials))}
    seen.add(str(filled(tmp_path / "at once", trials)))
    assert len(seen) == 1
    _, kept, boards, wanted = contents(tmp_path / "at once")
    best = max(map(PUZZLE.score, BOARDS))
    expected = {PUZZLE.score(board): 0 for board in BOARDS if PUZZLE.score(board) >= best - 2}
    for board in BOARDS:
        if PUZZLE.score(board) in expected:
            expected[PUZZLE.score(board)] += 1
    assert boards == expected
    assert wanted.least == best - 2
    assert all(one.trial == 1 for one in kept if one.board == BOARDS[0])


def test_a_trial_is_not_recorded_twice(tmp_path):
    with open_race(tmp_path, head) as table:
        table.begin_session(1)
        table.record([trial(3)], 1.0)
        with pytest.raises(ValueError, match="recorded already"):
            table.record([trial(3)], 2.0)
        with pytest.raises(ValueError, match="recorded already"):
            table.record([trial(4), trial(4)], 2.0)


def test_a_write_that_is_cut_off_leaves_nothing(tmp_path, monkeypatch):
    with open_race(tmp_path, head) as table:
        table.begin_session(1)
        table.record([trial(0, found(BOARDS[0]))], 1.0)
    before = contents(tmp_path)

    def die(self, of):
        add(self, of)
        raise KeyboardInterrupt

    add = RaceTable._add_boards
    monkeypatch.setattr(RaceTable, "_add_boards", die)
    with open_race(tmp_path, head) as table:
        table.begin_session(1)
        with pytest.raises(KeyboardInterrupt):
            table.record([trial(1, found(BOARDS[1]))], 1.0)
    assert contents(tmp_path) == before


def test_one_process_at_a_time_records_and_others_may_read(tmp_path):
    with open_race(tmp_path, head) as table:
        table.begin_session(1)
        table.record([trial(0)], 1.0)
        with pytest.raises(InstanceError, match="another process goes on"), open_race(tmp_path, head):
            pass
        assert len(contents(tmp_path)[0]) == 1
        table.record([trial(1)], 2.0)


def test_what_cannot_be_written_because_another_process_reads_is_written_later(tmp_path):
    with open_race(tmp_path, head) as table:
        table.begin_session(1)
        with read_race(tmp_path) as reading:
            assert not table.record([trial(0, found(BOARDS[0]))], 1.0)
            assert (table.trials, dict(table.boards), list(reading.kept())) == ({}, {}, [])
        assert table.record([trial(0, found(BOARDS[0]))], 1.0)
    trials, kept, *_ = contents(tmp_path)
    assert ([one.number for one in trials], [one.board for one in kept]) == ([0], [BOARDS[0]])


def test_a_race_without_a_session_has_not_begun(tmp_path):
    with open_race(tmp_path, head):
        pass
    with pytest.raises(InstanceError, match="there is no race in this folder"), read_race(tmp_path):
        pass
    other = HEAD.model_copy(update={"seed": 7})
    with open_race(tmp_path, lambda there: other if there is None else there) as table:
        assert table.head == other


def test_a_folder_without_a_race_is_refused(tmp_path):
    with pytest.raises(InstanceError, match="there is no race in this folder"), read_race(tmp_path):
        pass


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("CREATE TRIGGER t AFTER INSERT ON trials BEGIN DELETE FROM boards; END", "is not the table of a race"),
        ("PRAGMA application_id=7", "is not the table of a race"),
        ("UPDATE race SET value = '{}' WHERE name = 'head'", "puzzle"),
        ("UPDATE race SET value = 'x' WHERE name = 'least'", "is damaged"),
        ("DELETE FROM race WHERE name = 'least'", "is damaged: 'least'"),
        ("UPDATE trials SET way = CAST(x'ff' AS TEXT)", "cannot be used: Could not decode to UTF-8"),
        ("UPDATE trials SET score = 61", "is damaged: a score is not between 0 and 60"),
        ("UPDATE boards SET board = '[[1'", "is damaged"),
        ("UPDATE boards SET board = '[]'", "is damaged"),
        ("UPDATE boards SET score = 20", "does not have 20 valid joins"),
    ],
)
def test_damage_is_told_in_one_line(tmp_path, statement, told):
    filled(tmp_path, [trial(0, found(BOARDS[0]))])
    with closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as connection:
        connection.execute(statement)
    with pytest.raises(InstanceError, match=told) as error:
        contents(tmp_path)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("where", [0, 100, -1])
def test_a_damaged_file_is_told_in_one_line(tmp_path, where):
    filled(tmp_path, [trial(0, found(BOARDS[0]))])
    data = (tmp_path / FILE).read_bytes()
    damaged = data[: len(data) // 2] if where < 0 else data[:where] + b"\xff" * 60 + data[where + 60 :]
    (tmp_path / FILE).write_bytes(damaged)
    with pytest.raises(InstanceError, match=r"race\.sqlite: (is damaged|is not the table of a race|cannot be used)"):
        contents(tmp_path)
