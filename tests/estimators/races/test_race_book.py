"""The book of a race: each trial and each board once, whatever the order; what no race has written is refused."""

from itertools import combinations, permutations

import pytest

from jigsat.csp.base.errors import BookError, InstanceError
from jigsat.csp.files.instances import format_instance
from jigsat.csp.make.edge_matching import deal_edge_matching
from jigsat.csp.search.best_score_race import FoundBoard, Trial
from jigsat.csp.work.book import Book, merge_books, open_book
from jigsat.estimators.races import race_book
from jigsat.estimators.races.race_book import FILE, RaceHead, each_trial_once, open_race, read_race

DEAL = deal_edge_matching(6, 6, 3, 7, seed=1)
PUZZLE = DEAL.puzzle
ENGINE = dict.fromkeys(race_book.OF_ENGINES)
HEAD = RaceHead(instance=PUZZLE.name, puzzle=format_instance(PUZZLE), engine="beam", options=ENGINE, seed=0)
KEEP_ALL = HEAD.model_copy(update={"keep_from": 0})
INNER = [square for square in range(36) if square // 6 in range(1, 5) and square % 6 in range(1, 5)]


def exchanged(one, other):
    board = list(DEAL.solution)
    board[one], board[other] = board[other], board[one]
    return tuple(board)


ALL = sorted((exchanged(*pair) for pair in combinations(INNER, 2)), key=PUZZLE.score, reverse=True)
# The last ones are below what is kept beside the others.
BOARDS = [ALL[place] for place in (0, 1, -2, -1)]


def found(board):
    return FoundBoard(board, PUZZLE.score(board))


def trial(number, *boards):
    score = max((board.score for board in boards), default=None)
    return Trial(number, "rowscan", score, 100, boards=boards)


TRIALS = [
    trial(0, found(BOARDS[1]), found(BOARDS[2])),
    trial(1, found(BOARDS[0]), found(BOARDS[1])),
    trial(2, found(PUZZLE.board.turned_arrangement(BOARDS[0], 1)), found(BOARDS[3])),
]


def contents(folder):
    book = read_race(folder)
    trials = sorted(book.trials.values(), key=lambda one: one.number)
    return trials, list(book.kept()), dict(sorted(book.boards.items())), book.wanted, book.best


def filled(folder, *trials, keep=HEAD):
    with open_race(folder, keep) as book:
        book.begin_session(1)
        for one in trials:
            book.record(one)
    return contents(folder)


def test_what_is_recorded_is_read_again_also_while_the_race_goes_on(tmp_path):
    with open_race(tmp_path, KEEP_ALL) as book:
        book.begin_session(3)
        book.record(trial(1, found(BOARDS[0])))
        book.record(trial(0))
        with pytest.raises(ValueError, match="recorded already"):
            book.record(trial(1))
        book._book.flush()
        with pytest.raises(BookError, match="in use"), open_race(tmp_path, KEEP_ALL):
            pass
        trials, [(kept, board)], boards, *_ = contents(tmp_path)
    assert trials == [trial(0), Trial(1, "rowscan", PUZZLE.score(BOARDS[0]), 100)]
    assert (board, kept.trial) == (BOARDS[0], 1)
    assert boards == {PUZZLE.score(BOARDS[0]): 1}
    again = read_race(tmp_path)
    assert (again.head, [one.threads for one in again.sessions.values()]) == (KEEP_ALL, [3])
    assert 0 < again.at[1] <= again.at[0] <= again.seconds == book.seconds


def test_a_board_is_kept_once_whatever_the_order_of_the_trials(tmp_path, monkeypatch):
    """It belongs to the trial with the lowest number; a turned board is the same."""
    folders = [tmp_path / str(n) for n in range(6)]
    seen = {str(filled(folder, *order)) for folder, order in zip(folders, permutations(TRIALS), strict=True)}
    monkeypatch.setattr(race_book, "_MOST_BOARDS", 1)
    seen.add(str(filled(tmp_path / "singly", *TRIALS)))
    assert len(seen) == 1
    _, kept, boards, wanted, best = contents(folders[0])
    assert (best, wanted.least) == (max(map(PUZZLE.score, BOARDS)), best - 2)
    scores = [PUZZLE.score(board) for board in BOARDS]
    assert boards == {score: scores.count(score) for score in scores if score >= best - 2}
    assert [one.trial for one, board in kept if board == BOARDS[0]] == [1]


def test_books_of_parts_are_merged_without_what_is_there(tmp_path):
    for number, one in enumerate(TRIALS):
        filled(tmp_path / str(number), one)
    whole, target = filled(tmp_path / "whole", *TRIALS), tmp_path / "merged"
    target.mkdir()
    for numbers in ([2, 0], [0, 1, 2]):
        merge_books([tmp_path / str(n) / FILE for n in numbers], target / FILE, lambda about: each_trial_once)
    assert contents(target) == whole
    assert len(read_race(target).sessions) == 3


def test_a_trial_that_was_cut_off_while_its_many_boards_were_recorded_is_made_again(tmp_path, monkeypatch):
    def die(self, entry, **how):
        if "trial" in entry:
            raise KeyboardInterrupt
        add(self, entry, **how)

    add = Book.add
    monkeypatch.setattr(race_book, "_MOST_BOARDS", 1)
    with monkeypatch.context() as patch:
        patch.setattr(Book, "add", die)
        with pytest.raises(KeyboardInterrupt):
            filled(tmp_path / "cut", TRIALS[1], keep=KEEP_ALL)
    trials, kept, *_ = contents(tmp_path / "cut")
    assert (trials, len(kept)) == ([], 1)
    assert filled(tmp_path / "cut", *TRIALS, keep=KEEP_ALL) == filled(tmp_path / "whole", *TRIALS, keep=KEEP_ALL)


def test_a_race_that_has_not_begun_decides_nothing(tmp_path):
    with open_race(tmp_path, HEAD):
        pass
    with pytest.raises(InstanceError, match="there is no race in this folder"):
        read_race(tmp_path)
    filled(tmp_path, keep=HEAD.model_copy(update={"seed": 7}))


BOARD = {"picture": "a", "score": 20, "trial": 0, "text": "[0]"}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ([1], "an entry is not that of a race"),
        ({"trial": {"number": "x"}}, "an entry is not that of a race"),
        ({"boards": [{**BOARD, "score": 61}]}, "an entry is not that of a race"),
        ({"boards": [BOARD]}, "does not have 20 valid joins"),
        ({"boards": [{**BOARD, "text": "[[1"}]}, "does not have 20 valid joins"),
    ],
)
def test_what_no_race_has_written_is_told_in_one_line(tmp_path, change, told):
    filled(tmp_path)
    session = {"name": "a", "began": "", "threads": 1}
    with open_book(tmp_path / FILE, HEAD.model_dump(), sound=each_trial_once) as book:
        book.add(change if isinstance(change, list) else {"session": session, **change})
    with pytest.raises(InstanceError, match=told) as error:
        contents(tmp_path)
    assert "\n" not in str(error.value)
